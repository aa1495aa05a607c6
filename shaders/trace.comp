/* Every shader of the backend gl; macros before it choose one.
 *
 * The mathematics is that of core/trace/pixel.h and strip.h, to the last bit. GLSL promises it for
 * no operation, but where results are `precise`, hardware rounds sums, differences and products of
 * floats as IEEE 754 does. All else is made of these: a multiply-add rounded once, and roots and
 * quotients corrected by their exact remainders, for spheres that are hit only. FUSED, ROOTS,
 * QUOTIENTS: the hardware's own were seen to be right.
 *
 * KERNEL_BOOK, KERNEL_STRIP, KERNEL_ROTATE, KERNEL_SEE, KERNEL_LIMIT, KERNEL_EMPTY: what it does
 * STORAGE_GLOBAL, _CONSTANT, _SHARED, _TEXTURE: where it reads spheres
 * GROUP_X, GROUP_Y: threads of a group; PIXELS: per thread; ROOM: spheres of a uniform block
 */
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(location = 0) uniform ivec4 frame;   /* width, height, spheres, first row */
layout(location = 1) uniform vec4 numbers;  /* units per pixel, cosine, sine */

#ifdef FUSED
float fma_once(float x, float y, float z)
{
    precise float once = fma(x, y, z);
    return once;
}
#else
/* x is high + low, each of half the bits. */
void halve(float x, out float high, out float low)
{
    precise float wide = 4097.0 * x;
    precise float rest = wide - x;
    precise float top = wide - rest;
    precise float end = x - top;
    high = top;
    low = end;
}

/* a + b is sum + error. */
void add(float a, float b, out float sum, out float error)
{
    precise float both = a + b;
    precise float back = both - a;
    precise float of_a = both - back;
    precise float left = a - of_a;
    precise float right = b - back;
    precise float lost = left + right;
    sum = both;
    error = lost;
}

/* S. Boldo, G. Melquiond, Emulation of FMA and Correctly Rounded Sums, 2008: the small parts are
 * rounded to odd, so that only the last sum rounds. Splitting: T. J. Dekker, 1971. */
float fma_once(float x, float y, float z)
{
    float xh, xl, yh, yl, th, tl, vh, vl, odd, error;
    halve(x, xh, xl);
    halve(y, yh, yl);
    precise float product = x * y;
    precise float e1 = xh * yh;
    precise float e2 = e1 - product;
    precise float e3 = xh * yl;
    precise float e4 = e2 + e3;
    precise float e5 = xl * yh;
    precise float e6 = e4 + e5;
    precise float e7 = xl * yl;
    precise float rest = e6 + e7;
    add(z, rest, th, tl);
    add(product, th, vh, vl);
    add(tl, vl, odd, error);
    int bits = floatBitsToInt(odd);
    if (error != 0.0 && (bits & 1) == 0)
        bits += (error > 0.0) == (odd > 0.0) ? 1 : -1;
    precise float once = vh + intBitsToFloat(bits);
    return once;
}
#endif

float above(float x)
{
    return intBitsToFloat(floatBitsToInt(x) + 1);
}

float below(float x)
{
    return intBitsToFloat(floatBitsToInt(x) - 1);
}

/* The root of x > 0, rounded to nearest: r is it when r * (r - ulp) < x <= r * (r + ulp)
 * (Tuckerman's test). The hardware's is some steps off at most, and at most one after a step of
 * Newton's. No loop: llvmpipe ends all loops of a shader after 65535 rounds together. */
float root(float x)
{
#ifdef ROOTS
    return sqrt(x);
#else
    bool tiny = x < 1e-20;
    if (tiny)
        x *= 1152921504606846976.0; /* 2^60: or the remainders are subnormal */
    float r = sqrt(x);
    r += fma_once(-r, r, x) * (0.5 / r);
    float down = below(r), up = above(r);
    if (fma_once(-r, down, x) <= 0.0)
        r = down;
    else if (fma_once(-r, up, x) > 0.0)
        r = up;
    return tiny ? r * 9.31322574615478515625e-10 : r;
#endif
}

/* a / b for positive numbers, rounded to nearest: the float with the least remainder, which is
 * exact. */
float quotient(float a, float b)
{
#ifdef QUOTIENTS
    precise float exact = a / b;
    return exact;
#else
    float q = a / b;
    q += fma_once(-q, b, a) / b;
    float least = abs(fma_once(-q, b, a));
    float up = abs(fma_once(-above(q), b, a)), down = abs(fma_once(-below(q), b, a));
    return up < least ? above(q) : down < least ? below(q) : q;
#endif
}

float ray(int pixel, int pixels)
{
    precise float x = float(pixel - pixels / 2) * numbers.x;
    return x;
}

float less(float a, float b)
{
    precise float difference = a - b;
    return difference;
}

float squared(float x)
{
    precise float square = x * x;
    return square;
}

/* A sphere is hit where this is > 0. near: false where plain sums already show that it is not,
 * which saves the long way. */
float residual(float dx, float row, bool near)
{
#ifdef FUSED
    return fma_once(-dx, dx, row);
#else
    return near ? fma_once(-dx, dx, row) : -1.0;
#endif
}

bool is_near(float dx, float dy, float square)
{
#ifdef FUSED
    return true;
#else
    return dx * dx + dy * dy <= square * (1.0 + 9.5367431640625e-7);
#endif
}

uint byte_of(float colour, float shade)
{
    precise float shaded = colour * shade;
    precise float scaled = shaded * 255.0;
    return uint(int(scaled)) & 255u;
}

uint rgba_of(float r, float g, float b, float shade)
{
    return byte_of(r, shade) | byte_of(g, shade) << 8 | byte_of(b, shade) << 16 | 0xff000000u;
}

#if defined KERNEL_BOOK || defined KERNEL_STRIP || defined KERNEL_LIMIT
layout(std430, binding = 4) writeonly buffer image_of { uint image[]; };

void store(int i, int j, uint rgba)
{
    if (i < frame.x && j < frame.y)
        image[j * frame.x + i] = rgba;
}
#endif

/* --- where spheres are read: SPHERE(s, member, number), or PACKED(s) of the strip kernel --- */

/* The order of krn/scene.h. */
struct sphere {
    float r, b, g, radius, x, y, z;
};
#ifdef KERNEL_BOOK
#define ELEMENT sphere
#define SPHERE(s, member, number) SOURCE[s].member
#else
#define ELEMENT vec4 /* y, square, x, z */
#define PACKED(s) SOURCE[s]
#endif

#if defined STORAGE_GLOBAL || defined STORAGE_SHARED
layout(std430, binding = 5) readonly buffer spheres_of { ELEMENT spheres[]; };
#endif
#ifdef STORAGE_GLOBAL
#define SOURCE spheres
#endif
#ifdef STORAGE_CONSTANT
layout(std140, binding = 4) uniform spheres_of { ELEMENT spheres[ROOM]; };
#define SOURCE spheres
#endif
#ifdef STORAGE_SHARED
shared ELEMENT staged[GROUP_X * GROUP_Y];
#define SOURCE staged
#endif
#ifdef STORAGE_TEXTURE
layout(binding = 7) uniform samplerBuffer texels;
#undef SPHERE
#undef PACKED
#define SPHERE(s, member, number) texelFetch(texels, 7 * (s) + number).x
#define PACKED(s) texelFetch(texels, s)
#endif

/* EVERY(s, number) opens the loop over all spheres, whose number is `number`; END closes it. All
 * threads of a group run it. */
#ifdef STORAGE_SHARED
#define EVERY(s, number)                                                                           \
    for (int start = 0; start < frame.z; start += GROUP_X * GROUP_Y) {                             \
        int own = start + int(gl_LocalInvocationIndex);                                            \
        barrier();                                                                                 \
        if (own < frame.z)                                                                         \
            staged[gl_LocalInvocationIndex] = spheres[own];                                        \
        barrier();                                                                                 \
        int count = min(frame.z - start, GROUP_X * GROUP_Y);                                       \
        for (int s = 0; s < count; s++) {                                                          \
            int number = start + s;
#else
#define EVERY(s, number)                                                                           \
    {                                                                                              \
        for (int s = 0; s < frame.z; s++) {                                                        \
            int number = s;
#endif
#define END                                                                                        \
    }                                                                                              \
    }

#ifdef KERNEL_BOOK
/* One thread a pixel, all spheres in order, shaded as soon as one is the deepest so far. */
void main()
{
    int i = int(gl_GlobalInvocationID.x), j = int(gl_GlobalInvocationID.y) + frame.w;
    float x = ray(i, frame.x), y = ray(j, frame.y);
    float red = 0.0, green = 0.0, blue = 0.0, deepest = -3e38;
    EVERY(s, number)
        float radius = SPHERE(s, radius, 3);
        float dx = less(x, SPHERE(s, x, 4)), dy = less(y, SPHERE(s, y, 5));
        float square = squared(radius);
        if (is_near(dx, dy, square)) {
            float rest = fma_once(-dx, dx, fma_once(-dy, dy, square));
            if (rest > 0.0) {
                float chord = root(rest);
                precise float depth = chord + SPHERE(s, z, 6);
                if (depth > deepest) {
                    float shade = quotient(chord, radius);
                    precise float r = SPHERE(s, r, 0) * shade;
                    precise float g = SPHERE(s, g, 2) * shade;
                    precise float b = SPHERE(s, b, 1) * shade;
                    red = r;
                    green = g;
                    blue = b;
                    deepest = depth;
                }
            }
        }
    END
    store(i, j, rgba_of(red, green, blue, 1.0));
}
#endif

#ifdef KERNEL_STRIP
layout(std430, binding = 6) readonly buffer materials_of { vec4 materials[]; };

float x[PIXELS], deepest[PIXELS], chords[PIXELS];
int winner[PIXELS];

/* Tests pixel k; dy and row: the sphere's distance and residual in the row. */
void test(int k, vec4 ball, float dy, float row, int number)
{
    float dx = less(x[k], ball.z);
    float rest = residual(dx, row, is_near(dx, dy, ball.y));
    if (rest > 0.0) {
        float chord = root(rest);
        precise float depth = chord + ball.w;
        if (depth > deepest[k]) {
            deepest[k] = depth;
            chords[k] = chord;
            winner[k] = number;
        }
    }
}

/* PIXELS of a row per thread, GROUP_X apart: one test of a sphere rejects the whole run of a row of
 * threads. The colour of the winner is read once. */
void main()
{
    int left = int(gl_WorkGroupID.x) * GROUP_X * PIXELS, j = int(gl_GlobalInvocationID.y) + frame.w;
    int i = left + int(gl_LocalInvocationID.x);
    float first = ray(left, frame.x), last = ray(left + GROUP_X * PIXELS - 1, frame.x);
    float y = ray(j, frame.y);
    for (int k = 0; k < PIXELS; k++) {
        x[k] = ray(i + GROUP_X * k, frame.x);
        deepest[k] = -3e38;
        chords[k] = 0.0;
        winner[k] = -1;
    }
    EVERY(s, number)
        vec4 ball = PACKED(s);
        float dy = less(y, ball.x);
        float reach = max(max(less(first, ball.z), less(ball.z, last)), 0.0);
        if (is_near(reach, dy, ball.y)) {
            float row = fma_once(-dy, dy, ball.y);
            if (residual(reach, row, true) > 0.0) {
                test(0, ball, dy, row, number);
#if PIXELS > 1
                test(1, ball, dy, row, number);
#endif
#if PIXELS > 2
                test(2, ball, dy, row, number);
                test(3, ball, dy, row, number);
#endif
#if PIXELS > 4
                test(4, ball, dy, row, number);
                test(5, ball, dy, row, number);
                test(6, ball, dy, row, number);
                test(7, ball, dy, row, number);
#endif
#if PIXELS > 8
                test(8, ball, dy, row, number);
                test(9, ball, dy, row, number);
                test(10, ball, dy, row, number);
                test(11, ball, dy, row, number);
                test(12, ball, dy, row, number);
                test(13, ball, dy, row, number);
                test(14, ball, dy, row, number);
                test(15, ball, dy, row, number);
#endif
            }
        }
    END
    for (int k = 0; k < PIXELS; k++) {
        uint rgba = 0xff000000u;
        if (winner[k] >= 0) {
            vec4 material = materials[winner[k]]; /* r, g, b, radius */
            rgba = rgba_of(material.x, material.y, material.z, quotient(chords[k], material.w));
        }
        store(i + GROUP_X * k, j, rgba);
    }
}
#endif

#ifdef KERNEL_ROTATE
layout(std430, binding = 4) writeonly buffer rotated_of { sphere rotated[]; };
layout(std430, binding = 5) readonly buffer given_of { sphere given[]; };
layout(std430, binding = 6) writeonly buffer packed_of { vec4 balls[]; };
layout(std430, binding = 7) writeonly buffer padded_of { float padded[]; };

/* Rotates a sphere into every layout; a uniform block's has 32 bytes a sphere. */
void main()
{
    int s = int(gl_GlobalInvocationID.x);
    if (s >= frame.z)
        return;
    sphere it = given[s];
    precise float zs = it.z * numbers.z;
    precise float xs = it.x * numbers.z;
    float x = fma_once(it.x, numbers.y, zs), z = fma_once(it.z, numbers.y, -xs);
    it.x = x;
    it.z = z;
    rotated[s] = it;
    balls[s] = vec4(it.y, squared(it.radius), x, z);
    if (s < ROOM) {
        padded[8 * s] = it.r;
        padded[8 * s + 1] = it.b;
        padded[8 * s + 2] = it.g;
        padded[8 * s + 3] = it.radius;
        padded[8 * s + 4] = x;
        padded[8 * s + 5] = it.y;
        padded[8 * s + 6] = z;
    }
}
#endif

#ifdef KERNEL_SEE
layout(std430, binding = 4) writeonly buffer results_of { vec4 results[]; };
layout(std430, binding = 5) readonly buffer cases_of { vec4 cases[]; };

/* The hardware's own results, with FUSED, ROOTS and QUOTIENTS. */
void main()
{
    uint i = gl_GlobalInvocationID.x;
    vec4 it = cases[i];
    results[i] = vec4(fma_once(it.x, it.y, it.z), root(it.w), quotient(it.w, it.y), 0.0);
}
#endif

#ifdef KERNEL_LIMIT
/* Reads every sphere once, shared among all threads, and writes every pixel once. */
void main()
{
    int i = int(gl_GlobalInvocationID.x), j = int(gl_GlobalInvocationID.y);
    int threads = int(gl_NumWorkGroups.x * gl_NumWorkGroups.y) * GROUP_X * GROUP_Y;
    int group = int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x);
    int number = group * GROUP_X * GROUP_Y + int(gl_LocalInvocationIndex);
    float all = 0.0;
    for (int s = number; s < frame.z; s += threads)
        all += dot(PACKED(s), vec4(1.0));
    store(i, j, floatBitsToUint(all));
}
#endif

#ifdef KERNEL_EMPTY
void main()
{
}
#endif
