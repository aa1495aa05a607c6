#version 330 core
// Draws smooth edges over the picture at its size or larger. Where a texel differs from a
// neighbour, the strongest border is followed to both ends. An end shows to which side the border
// steps there; the edge is taken as the straight line that leads from half a step at the nearer
// end to the middle of the border. All else stays as it is drawn already.
uniform sampler2D picture;
uniform vec4 onto;     // as in smooth.vert
uniform float between; // 1: filter linearly between texels; 0: show each as a block
out vec4 colour;

const int REACH = 4;         // texels that a border is followed each way
const float CONTRAST = 0.12; // of a border, in the strongest channel
const float STEEPER = 2.0;   // than the texel's other side: not the slope of a sphere's shade
const float DIAGONAL = 0.2;  // share of the neighbour in a block whose border is one texel long

float differ(vec3 a, vec3 b)
{
    vec3 d = abs(a - b);
    return max(d.r, max(d.g, d.b));
}

vec3 texel(ivec2 place)
{
    return texelFetch(picture, place, 0).rgb;
}

void main()
{
    ivec2 last = textureSize(picture, 0) - 1;
    vec2 place = (gl_FragCoord.xy - onto.xy) * onto.zw; // in texels
    if (clamp(place, vec2(0.0), vec2(last + 1)) != place)
        discard;
    ivec2 centre = ivec2(place), low = max(centre - 1, 0), high = min(centre + 1, last);
    vec2 off = between * (place - vec2(centre) - 0.5);
    vec3 here = texel(centre);
    vec3 left = texel(ivec2(low.x, centre.y)), right = texel(ivec2(high.x, centre.y));
    vec3 down = texel(ivec2(centre.x, low.y)), up = texel(ivec2(centre.x, high.y));

    // The strongest border, the way along it, and the way over it to `beyond`.
    float l = differ(left, here), r = differ(right, here);
    float d = differ(down, here), u = differ(up, here);
    bool level = max(d, u) >= max(l, r), forth = level ? u >= d : r >= l;
    vec3 beyond = level ? (forth ? up : down) : (forth ? right : left);
    ivec2 along = level ? ivec2(1, 0) : ivec2(0, 1), over = (forth ? 1 : -1) * (1 - along);
    float contrast = max(max(l, r), max(d, u)), other = level ? min(d, u) : min(l, r);
    if (contrast <= CONTRAST || contrast <= STEEPER * other)
        discard;

    // Follow it. side: 0 as long as a pair's sum is that of here and beyond, 1 where both are as
    // here, -1 where both are as beyond.
    vec3 scale = here - beyond;
    scale /= dot(scale, scale);
    float same = dot(here + beyond, scale);
    vec2 ends = vec2(float(REACH) + 0.5), sides = vec2(0.0);
    for (int i = 1; i <= REACH && sides.x * sides.y == 0.0; i++) {
        ivec2 a = min(centre + i * along, last), b = max(centre - i * along, 0);
        vec2 side = vec2(dot(texel(a) + texel(a + over), scale),
                         dot(texel(b) + texel(b + over), scale)) - same;
        bvec2 met = bvec2(sides.x == 0.0 && abs(side.x) > 0.5, sides.y == 0.0 && abs(side.y) > 0.5);
        ends = mix(ends, vec2(float(i) - 0.5), met);
        sides = mix(sides, side, met);
    }

    // The share of the step that the line is away from the border here; none around a lone texel.
    float span = ends.x + ends.y;
    bool lone = span < 1.5 && sides.x * sides.y > 0.0;
    ends += dot(off, vec2(along)) * vec2(-1.0, 1.0);
    float nearer = ends.x < ends.y ? sides.x : ends.y < ends.x ? sides.y : min(sides.x, sides.y);
    float share = nearer != 0.0 && !lone ? 0.5 - min(ends.x, ends.y) / span : 0.0;

    // Move the sample over the border, or away from it, so that the step comes to lie on the line.
    float t = dot(off, vec2(over)), moved = min(t, max(t - share, 0.0));
    if (nearer < 0.0)
        moved = t + share * min(1.0 + 2.0 * t, 1.0) +
                (span < 1.5 && !lone ? DIAGONAL * (1.0 - between) : 0.0);
    off += (moved - t) * vec2(over);
    bvec2 less = lessThan(off, vec2(0.0));
    vec3 corner = texel(ivec2(less.x ? low.x : high.x, less.y ? low.y : high.y));
    off = abs(off);
    colour = vec4(mix(mix(here, less.x ? left : right, off.x),
                      mix(less.y ? down : up, corner, off.x), off.y), 1.0);
}
