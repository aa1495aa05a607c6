#version 330 core
/* Computes the share of a pixel that a shape covers from its distance to the shape's edges. Exact
 * for axis-aligned straight edges, a close approximation for others. */

flat in vec4 box;
flat in vec4 extra;
flat in vec4 colour;
flat in float size;
flat in uint kind;

uniform vec2 frame;
uniform vec2 origin; /* lower left corner of what is drawn to, in the frame */
uniform sampler2D atlas;
uniform vec2 field; /* distance field: texels per em, and its range in texels */

out vec4 result;

const uint FILL = 0u;
const uint OUTLINE = 1u;
const uint LINE = 2u;
const uint SEGMENT = 3u;
const uint GLYPH = 4u;
const uint PLAIN = 5u;

/* Returns the share of the pixel at t that lies within low..high, along one axis. */
float overlap(float t, float low, float high)
{
    return clamp(min(t + 0.5, high) - max(t - 0.5, low), 0.0, 1.0);
}

float cover_box(vec2 p, vec2 low, vec2 high, float radius)
{
    float straight = overlap(p.x, low.x, high.x) * overlap(p.y, low.y, high.y);
    if (radius <= 0.0)
        return straight;
    vec2 half_size = (high - low) * 0.5;
    vec2 q = abs(p - (low + high) * 0.5) - half_size + radius;
    float distance = length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - radius;
    return min(straight, clamp(0.5 - distance, 0.0, 1.0));
}

float cover_line(vec2 p)
{
    vec2 along = box.zw - box.xy;
    float length = length(along);
    along /= length;
    vec2 d = p - box.xy;
    float t = dot(d, along);
    float s = dot(d, vec2(-along.y, along.x));
    return overlap(t, 0.0, length) * overlap(s, -size, size);
}

/* Covers a line segment with round ends. At a joint of a polyline, each segment stays on its own
 * side, so that no pixel is covered twice; extra holds the normals of both joints, 0 for none. */
float cover_segment(vec2 p)
{
    if (dot(p - box.xy, extra.xy) < 0.0)
        return 0.0;
    if (extra.zw != vec2(0.0) && dot(p - box.zw, extra.zw) >= 0.0)
        return 0.0;
    vec2 along = box.zw - box.xy, d = p - box.xy;
    float length2 = dot(along, along);
    float t = length2 > 0.0 ? clamp(dot(d, along) / length2, 0.0, 1.0) : 0.0;
    return overlap(length(d - along * t), -size, size);
}

/* Returns the signed distance in texels from pixel position p to the glyph's edge, positive inside.
 */
float glyph_distance(vec2 p)
{
    vec2 texel = extra.xy + (p - box.xy) * (field.x / size);
    float value = texture(atlas, texel / vec2(textureSize(atlas, 0))).r;
    return (value * 2.0 - 1.0) * field.y;
}

/* Reads the texture in a loop, which shapes other than glyphs run zero times: software rasterisers
 * execute both sides of a branch, but skip an empty loop. */
float cover_glyph(vec2 p, int samples)
{
    float sharpness = 2.0 * size / field.x;
    float sum = 0.0;
    for (int i = 0; i < samples; i++) {
        vec2 offset = vec2(i & 1, i >> 1) * 0.5 - 0.25;
        sum += clamp(glyph_distance(p + offset) * sharpness + 0.5, 0.0, 1.0);
    }
    /* Blending in gamma space makes light text on a dark background look too thin. */
    float light = dot(colour.rgb, vec3(0.299, 0.587, 0.114));
    return pow(sum * 0.25, mix(1.0, 0.75, sqrt(light)));
}

void main()
{
    if (kind == PLAIN) {
        result = vec4(colour.rgb * colour.a, colour.a);
        return;
    }
    vec2 p = vec2(gl_FragCoord.x + origin.x, frame.y - gl_FragCoord.y - origin.y);
    float cover = cover_glyph(p, kind == GLYPH ? 4 : 0);
    if (kind == FILL) {
        cover = cover_box(p, box.xy, box.xy + box.zw, extra.x);
    } else if (kind == OUTLINE) {
        vec2 high = box.xy + box.zw;
        cover = cover_box(p, box.xy, high, extra.x) -
                cover_box(p, box.xy + extra.y, high - extra.y, max(extra.x - extra.y, 0.0));
    } else if (kind == LINE) {
        cover = cover_line(p);
    } else if (kind == SEGMENT) {
        cover = cover_segment(p);
    }
    float alpha = colour.a * max(cover, 0.0);
    result = vec4(colour.rgb * alpha, alpha);
}
