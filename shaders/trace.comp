// The book's view as a compute shader: kernels book and strip, from every storage. The text before
// it defines STORAGE_*, KERNEL_*, K, CAPACITY (spheres in a uniform buffer).
//
// All backends give the same bytes, and OpenGL promises little: fma may be two roundings, sqrt and
// division may be off. So sums and products, which are rounded once, make everything that decides
// a byte; `precise` keeps them in order. A plain test first rejects nearly all spheres.

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

layout(location = 0) uniform int spheres;
layout(location = 1) uniform ivec2 size;   // of the picture, pixels
layout(location = 2) uniform int first;    // row of this dispatch
layout(location = 3) uniform int last;     // the row behind its last one
layout(location = 4) uniform float unit;   // scene units per pixel
layout(location = 5) uniform int loops;    // K, where its loops stay loops

// A renderer that is a program takes seconds to compile K copies of the arithmetic, and a GPU needs
// them: its registers have no index.
#if defined(PROCESSOR)
#define EACH loops
#else
#define EACH K
#endif

layout(std430, binding = 0) writeonly buffer Picture { uint pixels[]; };

// A sphere in the book's layout, and packed: the pair of the row test first.
struct Sphere { float r, b, g, radius, x, y, z; };
layout(std430, binding = 1) readonly buffer Spheres { Sphere global_spheres[]; };
layout(std430, binding = 2) readonly buffer Packed { vec4 global_packed[]; };   // y, r * r, x, z
layout(std430, binding = 3) readonly buffer Material { vec4 material[]; };      // r, g, b, radius

#if defined(KERNEL_BOOK)
#if defined(STORAGE_CONSTANT)
layout(std140, binding = 0) uniform Constant { Sphere constant_spheres[CAPACITY]; };
#define SPHERE(i) constant_spheres[i]
#elif defined(STORAGE_TEXTURE)
layout(binding = 7) uniform samplerBuffer texels;
Sphere fetch(int i)
{
    const int at = 7 * i;
    return Sphere(texelFetch(texels, at).r, texelFetch(texels, at + 1).r,
                  texelFetch(texels, at + 2).r, texelFetch(texels, at + 3).r,
                  texelFetch(texels, at + 4).r, texelFetch(texels, at + 5).r,
                  texelFetch(texels, at + 6).r);
}
#define SPHERE(i) fetch(i)
#elif defined(STORAGE_SHARED)
shared Sphere staged[GROUP_X * GROUP_Y];
#define SOURCE(i) global_spheres[i]
#define SPHERE(i) staged[i]
#else
#define SPHERE(i) global_spheres[i]
#endif
#else
#if defined(STORAGE_CONSTANT)
layout(std140, binding = 0) uniform Constant { vec4 constant_packed[CAPACITY]; };
#define SPHERE(i) constant_packed[i]
#elif defined(STORAGE_TEXTURE)
layout(binding = 7) uniform samplerBuffer texels;
#define SPHERE(i) texelFetch(texels, i)
#elif defined(STORAGE_SHARED)
shared vec4 staged[GROUP_X * GROUP_Y];
#define SOURCE(i) global_packed[i]
#define SPHERE(i) staged[i]
#else
#define SPHERE(i) global_packed[i]
#endif
#endif

// Returns a * a and, in `error`, what its rounding left out (T. J. Dekker, A floating-point
// technique for extending the available precision, 1971).
float square(float a, out float error)
{
    precise float product = a * a, c = 4097.0 * a, high = c - (c - a), low = a - high;
    precise float rest = low * low - ((product - high * high) - 2.0 * (high * low));
    error = rest;
    return product;
}

float product_of(float a, float b, out float error)
{
    precise float product = a * b, c = 4097.0 * a, d = 4097.0 * b;
    precise float ah = c - (c - a), al = a - ah, bh = d - (d - b), bl = b - bh;
    precise float rest = al * bl - (((product - ah * bh) - al * bh) - ah * bl);
    error = rest;
    return product;
}

// Returns a + b and, in `error`, what its rounding left out (D. E. Knuth).
float sum_of(float a, float b, out float error)
{
    precise float sum = a + b, part = sum - a;
    precise float rest = (a - (sum - part)) + (b - part);
    error = rest;
    return sum;
}

// Returns z - a * a, rounded once: the sum of the two smallest terms is rounded to odd (S. Boldo,
// G. Melquiond, Emulation of FMA and Correctly Rounded Sums, 2008).
float minus_square(float a, float z)
{
    float low, t, v, rest;
    float high = -square(a, low);
    float th = sum_of(z, -low, t);
    float vh = sum_of(high, th, v);
    float odd = sum_of(t, v, rest);
    uint bits = floatBitsToUint(odd);
    if (rest != 0.0 && (bits & 1u) == 0u)
        odd = uintBitsToFloat((rest > 0.0) == (odd > 0.0) ? bits + 1u : bits - 1u);
    precise float result = vh + odd;
    return result;
}

float above(float x)
{
    return uintBitsToFloat(floatBitsToUint(x) + 1u);
}

float below(float x)
{
    return uintBitsToFloat(floatBitsToUint(x) - 1u);
}

// Returns the root of h > 0, rounded once: what sqrt gives, moved to a neighbour where what its
// square leaves of h lies beyond half the way there.
float root(float h)
{
    float s = sqrt(h);
    for (int i = 0; i < 3; i++) {
        float error;
        float product = square(s, error);
        precise float left = (h - product) - error;
        if (left > s * (above(s) - s))
            s = above(s);
        else if (left <= -(s * (s - below(s))))
            s = below(s);
    }
    return s;
}

// Returns a / b for a, b > 0, rounded once, in the same way.
float quotient(float a, float b)
{
    float q = a / b;
    for (int i = 0; i < 3; i++) {
        float error;
        float product = product_of(q, b, error);
        precise float left = (a - product) - error;
        if (left > 0.5 * (b * (above(q) - q)))
            q = above(q);
        else if (left < -0.5 * (b * (q - below(q))))
            q = below(q);
    }
    return q;
}

// Returns true only where a ray surely misses: the errors of plain sums are far below 2^-20.
bool misses(float dx, float dy, float squared)
{
    return dx * dx + dy * dy > squared * (1.0 + 1.0 / 1048576.0);
}

uint rgba_of(vec3 colour, float shade)
{
    precise vec3 shaded = colour * shade, scaled = shaded * 255.0;
    uvec3 bytes = uvec3(scaled);
    return bytes.r | bytes.g << 8 | bytes.b << 16 | 0xff000000u;
}

float ray(int pixel, int count)
{
    precise float at = float(pixel - count / 2) * unit;
    return at;
}

#if defined(STORAGE_SHARED)
// A group reads as many spheres as it has threads, and then tests them.
#define FOR_SPHERES(i)                                                                             \
    for (int part = 0; part < spheres; part += GROUP_X * GROUP_Y) {                                \
        const int here = min(spheres - part, GROUP_X * GROUP_Y), own = int(gl_LocalInvocationIndex); \
        barrier();                                                                                 \
        if (own < here)                                                                            \
            staged[own] = SOURCE(part + own);                                                      \
        barrier();                                                                                 \
        for (int i = 0; i < here; i++)
#define END_SPHERES }
#define NUMBER(i) (part + (i))
#else
#define FOR_SPHERES(i) for (int i = 0; i < spheres; i++)
#define END_SPHERES
#define NUMBER(i) (i)
#endif

#if defined(KERNEL_EMPTY)
void main() {}

#elif defined(KERNEL_LIMIT)
// Reads 16 bytes of every sphere once, and writes every pixel once.
void main()
{
    const ivec2 at = ivec2(gl_GlobalInvocationID.xy) + ivec2(0, first);
    const int threads = int(gl_NumWorkGroups.x) * GROUP_X * int(gl_NumWorkGroups.y) * GROUP_Y;
    float all = 0.0;
    for (int i = at.y * int(gl_NumWorkGroups.x) * GROUP_X + at.x; i < spheres; i += threads)
        all += dot(global_packed[i], vec4(1.0));
    if (at.x < size.x && at.y < last)
        pixels[at.y * size.x + at.x] = all == 0.5 ? 1u : 0u;
}

#elif defined(KERNEL_BOOK)
void main()
{
    const ivec2 at = ivec2(gl_GlobalInvocationID.xy) + ivec2(0, first);
    const float ox = ray(at.x, size.x), oy = ray(at.y, size.y);
    float nearest = -3.4e38;
    uint rgba = 0xff000000u;
    FOR_SPHERES(i) {
        const Sphere s = SPHERE(i);
        precise float dx = ox - s.x, dy = oy - s.y, squared = s.radius * s.radius;
        if (misses(dx, dy, squared))
            continue;
        const float hit = minus_square(dx, minus_square(dy, squared));
        if (!(hit > 0.0))
            continue;
        const float chord = root(hit);
        precise float depth = chord + s.z;
        if (depth > nearest) {
            nearest = depth;
            rgba = rgba_of(vec3(s.r, s.g, s.b), quotient(chord, s.radius));
        }
    }
    END_SPHERES
    if (at.x < size.x && at.y < last)
        pixels[at.y * size.x + at.x] = rgba;
}

#else
void main()
{
    const ivec2 at = ivec2(int(gl_GlobalInvocationID.x) * K, int(gl_GlobalInvocationID.y) + first);
    const float oy = ray(at.y, size.y);
    float nearest[K];
    int won[K];
    for (int k = 0; k < EACH; k++) {
        nearest[k] = -3.4e38;
        won[k] = -1;
    }
    FOR_SPHERES(i) {
        const vec4 s = SPHERE(i);
        precise float dy = oy - s.x;
        if (misses(0.0, dy, s.y))
            continue;
        const float row = minus_square(dy, s.y);
        if (!(row > 0.0))
            continue;
        for (int k = 0; k < EACH; k++) {
            precise float dx = ray(at.x + k, size.x) - s.z;
            if (misses(dx, 0.0, row))
                continue;
            const float hit = minus_square(dx, row);
            if (!(hit > 0.0))
                continue;
            precise float depth = root(hit) + s.w;
            if (depth > nearest[k]) {
                nearest[k] = depth;
                won[k] = NUMBER(i);
            }
        }
    }
    END_SPHERES
    for (int k = 0; k < EACH; k++) {
        if (at.x + k >= size.x || at.y >= last)
            break;
        uint rgba = 0xff000000u;
        if (won[k] >= 0) {
            const vec4 s = global_packed[won[k]], m = material[won[k]];
            precise float dx = ray(at.x + k, size.x) - s.z, dy = oy - s.x;
            const float chord = root(minus_square(dx, minus_square(dy, s.y)));
            rgba = rgba_of(m.rgb, quotient(chord, m.a));
        }
        pixels[at.y * size.x + at.x + k] = rgba;
    }
}
#endif
