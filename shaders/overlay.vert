#version 330 core
/* Draws one shape per instance; gl_VertexID selects one of its four corners. Coordinates are pixels
 * from the top left. See struct item in render/list.c for the fields of each kind. */

layout(location = 0) in vec4 in_box;
layout(location = 1) in vec4 in_extra;
layout(location = 2) in vec4 in_colour;
layout(location = 3) in float in_size;
layout(location = 4) in uint in_kind;

uniform vec2 frame;
uniform vec2 field; /* distance field: texels per em, and its range in texels */

flat out vec4 box;
flat out vec4 extra;
flat out vec4 colour;
flat out float size;
flat out uint kind;

const uint FILL = 0u;
const uint OUTLINE = 1u;
const uint LINE = 2u;
const uint SEGMENT = 3u;
const uint GLYPH = 4u;

/* Reduces a shape's box to one of its parts: a strip along a side, as wide as the edge of the shape
 * is, or a corner. So an outline's empty middle is not rasterised. */
void take_part(inout vec2 low, inout vec2 high)
{
    vec2 a = low + in_extra.w, b = high - in_extra.w;
    float strip = ceil(in_extra.y) + 1.0;
    int part = int(in_extra.z);
    if (part == 0)
        return;
    if (part <= 2) {
        if (part == 1)
            high.y = low.y + strip;
        else
            low.y = high.y - strip;
        low.x = a.x;
        high.x = b.x;
    } else if (part <= 4) {
        if (part == 3)
            high.x = low.x + strip;
        else
            low.x = high.x - strip;
        low.y = a.y;
        high.y = b.y;
    } else {
        bvec2 last = bvec2(part == 6 || part == 8, part >= 7);
        low = mix(low, b, last);
        high = mix(a, high, last);
    }
}

void main()
{
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    vec2 at;
    if (in_kind == LINE || in_kind == SEGMENT) {
        vec2 along = in_box.zw - in_box.xy;
        float length = length(along);
        along = length > 0.0 ? along / length : vec2(1.0, 0.0);
        vec2 across = vec2(-along.y, along.x);
        float margin = in_size + 1.0;
        vec2 t = corner * 2.0 - 1.0;
        at = mix(in_box.xy, in_box.zw, corner.x) + along * t.x * margin + across * t.y * margin;
    } else {
        vec2 low = in_box.xy, high = in_box.xy + in_box.zw;
        if (in_kind != GLYPH) {
            low = floor(low);
            high = ceil(high);
        }
        if (in_kind == OUTLINE || in_kind == FILL)
            take_part(low, high);
        if (in_kind == GLYPH) {
            /* A distance field reaches further than the edge of the letter. */
            float margin = max(field.y * in_size / field.x - 1.0 - in_size / field.x, 0.0);
            low += margin;
            high -= margin;
        }
        at = mix(low, high, corner);
    }
    gl_Position = vec4(at.x / frame.x * 2.0 - 1.0, 1.0 - at.y / frame.y * 2.0, 0.0, 1.0);
    box = in_box;
    extra = in_extra;
    colour = in_colour;
    size = in_size;
    kind = in_kind;
}
