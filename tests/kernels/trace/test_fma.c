/* Compares the emulated fused multiply-add with the C library's, which is exact: random bits of
 * every size, and the cases where double rounding gives a wrong result. */
#include "core/trace/pixel.h"

#include "pictures.h"

static uint64_t generator = 1;

static uint32_t draw(void)
{
    generator = generator * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(generator >> 32);
}

/* Returns a float of random sign, with an exponent in -span..span and at most `bits` bits. */
static float number(int span, int bits)
{
    const float mantissa = (float)(draw() >> (32 - bits)) + (float)(1u << (bits - 1));
    const float value = ldexpf(mantissa, (int)(draw() % (uint32_t)(2 * span + 1)) - span - bits);
    return draw() & 1 ? -value : value;
}

static void check(float x, float y, float z)
{
    const float expected = fmaf(x, y, z), actual = krn_fma(x, y, z);
    if (memcmp(&expected, &actual, sizeof expected) != 0 && !(expected == 0.0f && actual == 0.0f))
        fail_msg("fma(%a, %a, %a): %a, expected %a", (double)x, (double)y, (double)z,
                 (double)actual, (double)expected);
}

TEST(as_the_library)
{
    /* Few bits give exact results and ties, many bits give rounding; distant exponents give sums
     * that a double cannot represent. */
    static const struct {
        int span, bits;
    } kinds[] = {{3, 3}, {3, 13}, {10, 23}, {30, 12}, {40, 23}, {60, 24}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int i = 0; i < 400000; i++)
            check(number(kinds[k].span, kinds[k].bits), number(kinds[k].span, kinds[k].bits),
                  number(kinds[k].span, kinds[k].bits));
}

TEST(where_rounding_twice_goes_wrong)
{
    /* 1 + 2^-24 is halfway between 1 and the next float. A little more must round up and a little
     * less down, although a double shows the tie in all three cases. */
    const float tiny[] = {0x1p-60f, 0.0f, -0x1p-60f};
    for (int i = 0; i < 3; i++) {
        check(1.0f + 0x1p-12f, 1.0f - 0x1p-12f, tiny[i]);
        check(0x1p-12f, 0x1p-12f, 1.0f + tiny[i]);
        check(0x1.000002p0f, 0x1.fffffep-1f, tiny[i]);
        check(0x1.8p-12f, 0x1p-12f, 1.0f);
        check(tiny[i], tiny[i], 0x1.000002p0f);
        check(0x1p-24f + 0x1p-47f * (float)i, 1.0f, 1.0f);
    }
    check(0x1p-75f, 0x1p-75f, 0x1p-149f);
    check(0x1.8p-75f, 0x1p-75f, 0x1p-149f);
    check(-0x1p-80f, 0x1p-69f, 0x1p-126f);
}
