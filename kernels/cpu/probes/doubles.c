#include "cpu/probes/doubles.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#ifdef __SSE2__
#include <immintrin.h>
#endif

/* The vector type of the level, and a * a + b with one instruction where it has one. */
#if defined(__AVX512F__)
typedef __m512d vector;
#define MULTIPLY_ADD(a, b) _mm512_fmadd_pd((a), (a), (b))
#elif defined(__AVX__) && defined(__FMA__)
typedef __m256d vector;
#define MULTIPLY_ADD(a, b) _mm256_fmadd_pd((a), (a), (b))
#else
typedef double vector __attribute__((vector_size(16)));
#ifdef __FP_FAST_FMA
static inline vector fused(vector a, vector b)
{
    for (size_t k = 0; k < sizeof a / sizeof a[0]; k++)
        a[k] = fma(a[k], a[k], b[k]);
    return a;
}
#define MULTIPLY_ADD(a, b) fused((a), (b))
#else
#define MULTIPLY_ADD(a, b) ((a) * (a) + (b))
#endif
#endif

enum { WIDTH = sizeof(vector) / sizeof(double), CHAINS = KRN_CPU_PEAK_CHAINS };

struct arithmetic {
    const double *start;
    double b;
    int steps;
    double *ends;
};

/* The number of chains is a constant, so that the chains stay in registers. */
static void multiply_add_part(const void *context, int index, int thread)
{
    (void)index;
    const struct arithmetic *m = context;
    double *ends = m->ends + (size_t)thread * CHAINS * WIDTH, lanes[WIDTH];
    vector a[CHAINS], b;
    for (int k = 0; k < WIDTH; k++)
        lanes[k] = m->b;
    memcpy(&b, lanes, sizeof b);
    KRN_UNROLL
    for (int k = 0; k < CHAINS; k++)
        memcpy(&a[k], m->start + k * WIDTH, sizeof a[k]);
    for (int s = 0; s < m->steps; s++) {
        KRN_UNROLL
        for (int k = 0; k < CHAINS; k++)
            a[k] = MULTIPLY_ADD(a[k], b);
    }
    KRN_UNROLL
    for (int k = 0; k < CHAINS; k++)
        memcpy(ends + k * WIDTH, &a[k], sizeof a[k]);
}

void KRN_LEVEL(krn_cpu_multiply_add_double)(const double *start, double b, int steps, double *ends,
                                            struct krn_cpu_team *team)
{
    const struct arithmetic arithmetic = {start, b, steps, ends};
    krn_cpu_team_each(team, multiply_add_part, &arithmetic);
}
