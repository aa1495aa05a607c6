/* The loops of the CPU's probes, compiled once per instruction-set level. */
#include "cpu/probes/kernels.h"
#include "core/probes/pattern.h"
#include "cpu/trace/kernels.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <immintrin.h>
#endif

/* The vector type of the level, and its non-temporal stores. */
#if defined(__AVX512F__)
typedef __m512 vector;
#define PASS_BY(to, value) _mm512_stream_ps((to), (value))
#elif defined(__AVX__)
typedef __m256 vector;
#define PASS_BY(to, value) _mm256_stream_ps((to), (value))
#elif defined(__SSE2__)
typedef __m128 vector;
#define PASS_BY(to, value) _mm_stream_ps((to), (value))
#else
typedef float vector __attribute__((vector_size(16)));
static inline void store(float *to, vector v)
{
    memcpy(to, &v, sizeof v);
}
#define PASS_BY(to, value) store((to), (value))
#endif

enum { WIDTH = sizeof(vector) / sizeof(float) };

static inline vector load(const float *from)
{
    vector v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline vector all_lanes(float value)
{
    float lanes[WIDTH];
    for (int k = 0; k < WIDTH; k++)
        lanes[k] = value;
    return load(lanes);
}

/* Makes non-temporal stores visible to other cores. */
static inline void settle(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}

/* Returns the first element of a thread; threads have whole cache lines. */
static size_t first_of(const struct krn_cpu_stream *stream, int thread)
{
    return krn_cpu_part(stream->lines, thread, stream->threads) * KRN_CPU_LINE_FLOATS;
}

static void saxpy_part(const void *context, int index, int thread)
{
    (void)index;
    const struct krn_cpu_stream *stream = context;
    const size_t end = first_of(stream, thread + 1);
    const float a = stream->a, *x = stream->x;
    float *y = stream->y;
#pragma omp simd
    for (size_t i = first_of(stream, thread); i < end; i++)
        y[i] = a * x[i] + y[i];
}

static void saxpy_passing_part(const void *context, int index, int thread)
{
    (void)index;
    const struct krn_cpu_stream *stream = context;
    const vector factor = all_lanes(stream->a);
    const size_t end = first_of(stream, thread + 1);
    const float *x = stream->x;
    float *y = stream->y;
    for (size_t i = first_of(stream, thread); i < end; i += WIDTH)
        PASS_BY(y + i, factor * load(x + i) + load(y + i));
    settle();
}

static void copy_passing_part(const void *context, int index, int thread)
{
    (void)index;
    const struct krn_cpu_stream *stream = context;
    const size_t end = first_of(stream, thread + 1);
    const float *from = stream->x;
    float *to = stream->y;
    for (size_t i = first_of(stream, thread); i < end; i += WIDTH)
        PASS_BY(to + i, load(from + i));
    settle();
}

struct comparison {
    const float *y;
    size_t begin, end;
    struct krn_cpu_held held;
    atomic_size_t *wrong;
};

enum { COMPARED_TOGETHER = 1 << 16 };

static void compare_piece(const void *context, int index, int thread)
{
    (void)thread;
    const struct comparison *c = context;
    const float *y = c->y, times = (float)c->held.times;
    const uint32_t shift = c->held.shift;
    const size_t begin = c->begin + (size_t)index * COMPARED_TOGETHER;
    const size_t end = begin + COMPARED_TOGETHER < c->end ? begin + COMPARED_TOGETHER : c->end;
    size_t wrong = 0;
    if (shift == 0) {
#pragma omp simd reduction(+ : wrong)
        for (size_t i = begin; i < end; i++)
            wrong += !(y[i] == times * krn_cpu_value((uint32_t)i));
    } else {
#pragma omp simd reduction(+ : wrong)
        for (size_t i = begin; i < end; i++)
            wrong +=
                !(y[i] == times * krn_cpu_value((uint32_t)i) + krn_cpu_value((uint32_t)i + shift));
    }
    atomic_fetch_add(c->wrong, wrong);
}

static size_t differing(const float *y, size_t begin, size_t end, struct krn_cpu_held held,
                        struct krn_cpu_team *team)
{
    atomic_size_t wrong = 0;
    const struct comparison comparison = {y, begin, end, held, &wrong};
    const size_t pieces = (end - begin + COMPARED_TOGETHER - 1) / COMPARED_TOGETHER;
    krn_cpu_team_share(team, (int)pieces, compare_piece, &comparison);
    return atomic_load(&wrong);
}

/* Runs one logical thread from its first to its last element. It is not inlined, because the
 * compiler could then swap the loops and make both orders equal. */
static __attribute__((noinline)) int chunk_of(const int *numbers, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += numbers[i] * numbers[i] * numbers[i];
    return sum;
}

static __attribute__((noinline)) int strided_of(const int *numbers, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i += KRN_CPU_LOGICAL)
        sum += numbers[i] * numbers[i] * numbers[i];
    return sum;
}

static int first_sum(const struct krn_cpu_cubes *cubes, int thread)
{
    return (int)krn_cpu_part(KRN_CPU_LOGICAL, thread, cubes->threads);
}

static void chunk_part(const void *context, int index, int thread)
{
    (void)index;
    const struct krn_cpu_cubes *cubes = context;
    const int own = KRN_CPU_CUBES / KRN_CPU_LOGICAL, end = first_sum(cubes, thread + 1);
    for (int t = first_sum(cubes, thread); t < end; t++)
        cubes->sums[t] = chunk_of(cubes->numbers + t * own, own);
}

static void strided_part(const void *context, int index, int thread)
{
    (void)index;
    const struct krn_cpu_cubes *cubes = context;
    const int end = first_sum(cubes, thread + 1);
    for (int t = first_sum(cubes, thread); t < end; t++)
        cubes->sums[t] = strided_of(cubes->numbers + t, KRN_CPU_CUBES - t);
}

/* Reads one group with the general arithmetic of the pattern. */
static inline float read_any(enum krn_pattern pattern, size_t parameter, const float *x,
                             size_t elements, size_t first)
{
    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
    for (size_t t = 0; t < KRN_CPU_GROUP; t++)
        sum += x[krn_pattern_element(pattern, parameter, first + t, elements)];
    return sum;
}

/* Reads a group that does not cross the end of the array, without index arithmetic. */
static inline float read_stride(const float *from, size_t stride)
{
    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
    for (size_t t = 0; t < KRN_CPU_GROUP; t++)
        sum += from[t * stride];
    return sum;
}

/* Reads one element for a whole warp: a load into all lanes of the vector. */
static inline float read_broadcast(const float *from)
{
    float lanes[KRN_LANES] = {0.0f}, sum = 0.0f;
    for (size_t warp = 0; warp < KRN_CPU_GROUP / KRN_LANES; warp++)
        for (size_t lane = 0; lane < KRN_LANES; lane++)
            lanes[lane] += from[warp];
    for (size_t lane = 0; lane < KRN_LANES; lane++)
        sum += lanes[lane];
    return sum;
}

static float read_group(enum krn_pattern pattern, size_t parameter, const float *x, size_t elements,
                        size_t first)
{
    const size_t at = krn_pattern_element(pattern, parameter, first, elements);
    const size_t stride = pattern == KRN_PATTERN_STRIDE ? parameter : 1;
    if (pattern == KRN_PATTERN_RANDOM)
        return read_any(KRN_PATTERN_RANDOM, parameter, x, elements, first);
    if (at + (KRN_CPU_GROUP - 1) * stride >= elements)
        return read_any(pattern, parameter, x, elements, first);
    if (pattern == KRN_PATTERN_BROADCAST)
        return read_broadcast(x + at);
    return stride == 1 ? read_stride(x + at, 1) : read_stride(x + at, stride);
}

static void gather_part(const void *context, int index, int thread)
{
    (void)index;
    const struct krn_cpu_gather *g = context;
    const size_t end = krn_cpu_part(g->groups, thread + 1, g->threads);
    for (size_t group = krn_cpu_part(g->groups, thread, g->threads); group < end; group++)
        g->sums[group] = read_group(g->pattern, g->parameter, g->x, g->elements,
                                    g->first + group * KRN_CPU_GROUP);
}

/* The vectors of double precision, and a * a + b with one instruction where the level has one. */
#if defined(__AVX512F__)
typedef __m512d double_vector;
#define SQUARE_ADD(a, b) _mm512_fmadd_ps((a), (a), (b))
#define SQUARE_ADD_DOUBLE(a, b) _mm512_fmadd_pd((a), (a), (b))
#elif defined(__AVX__) && defined(__FMA__)
typedef __m256d double_vector;
#define SQUARE_ADD(a, b) _mm256_fmadd_ps((a), (a), (b))
#define SQUARE_ADD_DOUBLE(a, b) _mm256_fmadd_pd((a), (a), (b))
#else
typedef double double_vector __attribute__((vector_size(16)));
#ifdef __FP_FAST_FMA
static inline vector square_add(vector a, vector b)
{
    for (int k = 0; k < WIDTH; k++)
        a[k] = fmaf(a[k], a[k], b[k]);
    return a;
}
static inline double_vector square_add_double(double_vector a, double_vector b)
{
    for (int k = 0; k < WIDTH / 2; k++)
        a[k] = fma(a[k], a[k], b[k]);
    return a;
}
#define SQUARE_ADD(a, b) square_add((a), (b))
#define SQUARE_ADD_DOUBLE(a, b) square_add_double((a), (b))
#else
#define SQUARE_ADD(a, b) ((a) * (a) + (b))
#define SQUARE_ADD_DOUBLE(a, b) ((a) * (a) + (b))
#endif
#endif

/* Defines the kernel of one precision. The number of chains is a constant, so that the chains stay
 * in registers. */
#define MULTIPLY_ADD(name, number, vector, square_add)                                             \
    static void name(const void *context, int index, int thread)                                   \
    {                                                                                              \
        (void)index;                                                                               \
        enum { CHAINS = KRN_CPU_CHAINS, LANES = sizeof(vector) / sizeof(number) };                 \
        const struct krn_cpu_arithmetic *m = context;                                              \
        const number *start = m->start;                                                            \
        number *ends = (number *)m->ends + (size_t)thread * CHAINS * LANES, lanes[LANES];          \
        vector a[CHAINS], b;                                                                       \
        for (int k = 0; k < LANES; k++)                                                            \
            lanes[k] = (number)m->b;                                                               \
        memcpy(&b, lanes, sizeof b);                                                               \
        KRN_UNROLL                                                                                 \
        for (int k = 0; k < CHAINS; k++)                                                           \
            memcpy(&a[k], start + k * LANES, sizeof a[k]);                                         \
        for (int s = 0; s < m->steps; s++) {                                                       \
            KRN_UNROLL                                                                             \
            for (int k = 0; k < CHAINS; k++)                                                       \
                a[k] = square_add(a[k], b);                                                        \
        }                                                                                          \
        KRN_UNROLL                                                                                 \
        for (int k = 0; k < CHAINS; k++)                                                           \
            memcpy(ends + k * LANES, &a[k], sizeof a[k]);                                          \
    }

MULTIPLY_ADD(multiply_add_part, float, vector, SQUARE_ADD)
MULTIPLY_ADD(multiply_add_double_part, double, double_vector, SQUARE_ADD_DOUBLE)

extern const struct krn_cpu_probe_kernels KRN_LEVEL(krn_cpu_probe_kernels);
const struct krn_cpu_probe_kernels KRN_LEVEL(krn_cpu_probe_kernels) = {
    .width = WIDTH,
#if defined(__AVX512F__) || defined(__FMA__) || defined(__FP_FAST_FMAF)
    .fused = true,
#endif
#ifdef __SSE2__
    .passes = true,
#endif
    .saxpy = saxpy_part,
    .saxpy_passing = saxpy_passing_part,
    .copy_passing = copy_passing_part,
    .differing = differing,
    .cubes_chunk = chunk_part,
    .cubes_strided = strided_part,
    .gather = gather_part,
    .multiply_add = multiply_add_part,
    .multiply_add_double = multiply_add_double_part,
};
