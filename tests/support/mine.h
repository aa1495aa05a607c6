/* tests/support/mine.h - kernels of the user's own: assets/kernels/book.cu, and what becomes of it
 * when a few words are replaced. */
#pragma once

#include "expect.h"

#include <stdio.h>

/* Returns the shipped kernel with `to` in place of `from`, everywhere; NULL: as it is. The caller
 * frees it. */
static inline char *test_mine(const char *from, const char *to)
{
    char text[1 << 14], *made = calloc(1, 1 << 16);
    FILE *file = fopen(TEST_SOURCE_DIR "/assets/kernels/book.cu", "r");
    assert_non_null(file);
    assert_non_null(made);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    const char *at = text;
    for (const char *found; from != NULL && (found = strstr(at, from)) != NULL;
         at = found + strlen(from))
        sprintf(made + strlen(made), "%.*s%s", (int)(found - at), at, to);
    assert_true(from == NULL || at > text);
    return strcat(made, at);
}

static const char test_mine_head[] = "extern \"C\" __global__ void book(";

/* Returns the kernel with a text before it. */
static inline char *test_mine_after(const char *text)
{
    char all[4096];
    snprintf(all, sizeof all, "%s\n%s", text, test_mine_head);
    return test_mine(test_mine_head, all);
}

/* Returns the kernel with its spheres in constant memory. */
static inline char *test_mine_constant(const char *declaration)
{
    char *text = test_mine("spheres[s]", "scene[s]"), *made = calloc(1, 1 << 16);
    const size_t before = (size_t)(strstr(text, test_mine_head) - text);
    assert_non_null(made);
    sprintf(made, "%.*s%s\n%s", (int)before, text, declaration, text + before);
    free(text);
    return made;
}

/* Replacements that no compiler takes, and the words of the sentence. */
static const struct {
    const char *from, *to, *words;
} test_mine_faults[] = {
    {"float red = 0,", "float red = 0", "book.cu, line 11: "},
    {"frame frame)", "frame frame, int more)", "the kernel's arguments are not"},
    {"extern \"C\" __global__", "__global__", "extern \"C\" before __global__"},
    {"extern \"C\" __global__", "extern \"C\"", "no kernel"},
    {"extern \"C\" __global__ void book(",
     "extern \"C\" __global__ void second(const sphere *, frame) {}\n"
     "extern \"C\" __global__ void book(",
     "more than one kernel"},
    {"pixel[3] = 255;", "pixel[3] = 255; printf(\"%d\", i);", "line 29: printf"},
    {"extern \"C\" __global__", "#define MINE_BLOCK_X 2000\nextern \"C\" __global__",
     "1 to 1024 threads"},
    {"extern \"C\" __global__", "#define MINE_PIXELS 0\nextern \"C\" __global__",
     "MINE_PIXELS is 1 to 64"},
    {"extern \"C\" __global__", "__constant__ float scene[20];\nextern \"C\" __global__",
     "not an array of spheres"},
    {"extern \"C\" __global__",
     "template <int N> struct deep { static const int value = deep<N + 1>::value; };\n"
     "static const int end = deep<0>::value;\nextern \"C\" __global__",
     "book.cu"},
    {"#include \"spherescope.h\"", "#include \"nothing.h\"", "book.cu, line 2: "},
    {"#include \"spherescope.h\"", "#include \"bad.h\"", "bad.h, line 2: "},
    {"float red = 0,", "/* float red = 0,", "line 11: a comment begins here and does not end"},
    {"float red = 0,", "extern __device__ float nowhere(float); float red = nowhere(1),",
     "nowhere"},
};
/* Texts before the kernel, in the place of `extern "C" __global__ void book(` and with the name
 * that it then has, which all compilers take. */
static const struct {
    const char *head, *name;
} test_mine_right[] = {
    {"/* __global__ printf( */ // __constant__ scene\n"
     "extern \"C\" __global__ void __launch_bounds__(16 * (8 + 8)) other(",
     "other"},
    {"extern \"C\" __global__ void book(const sphere *, frame);\n"
     "__device__ void helper(int *at) { *at = 1; }\nextern \"C\" __global__ void book(",
     "book"},
    {"#if 0\n#error old\n__constant__ sphere scene[2];\n"
     "extern \"C\" __global__ void slow(const sphere *s, frame f) { printf(\"%d\", f.count); }\n"
     "#else\nextern \"C\" __global__ void fast(const sphere *, frame);\n#endif\n"
     "extern \"C\" __global__ void fast(",
     "fast"},
    {"#include <cuda_runtime.h>\n#include <device_launch_parameters.h>\n#include <math.h>\n"
     "#include \"good.h\"\n#include \"good.h\"\nextern \"C\" __global__ void book(",
     "book"},
    {"#define A 5\n#define B 6\n#define value 7\n#define row 8\n#define used 9\n#define at 10\n"
     "#define bytes 4\n#define place 3\n#define x2 1\nextern \"C\" __global__ void book(",
     "book"},
};
enum { TEST_MINE_RIGHT = sizeof test_mine_right / sizeof *test_mine_right };

enum { TEST_MINE_FAULTS = sizeof test_mine_faults / sizeof *test_mine_faults };
