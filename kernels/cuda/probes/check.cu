/* What lies around every probe's run and is not timed with it: data, caches, comparisons. */
#include "cuda/probes/data.h"
#include "cuda/probes/kernels.h"

namespace
{

const unsigned threads = 256, most_blocks = 2048;

unsigned blocks_for(size_t count)
{
    const size_t blocks = (count + threads - 1) / threads;
    return blocks < most_blocks ? (unsigned)(blocks > 0 ? blocks : 1) : most_blocks;
}

/* What is compared: wrong() by bits, so that NaN is, and cheap; values() for those that are. */
struct saxpy_item {
    const float *y;
    krn_cuda_updates updates;
    __device__ float expected(unsigned i) const
    {
        unsigned count = 0;
        for (int k = 0; k < KRN_CUDA_SAXPY_SIZES; k++)
            count += i < updates.end[k] ? updates.count[k] : 0;
        return krn_probe_y(i, count);
    }
    __device__ bool wrong(unsigned i) const
    {
        return __float_as_uint(y[i]) != __float_as_uint(expected(i));
    }
    __device__ void values(unsigned i, double *is, double *should) const
    {
        *is = y[i];
        *should = expected(i);
    }
};

struct word_item {
    const uint32_t *words;
    uint32_t salt;
    __device__ bool wrong(unsigned i) const
    {
        return words[i] != krn_probe_word(i, salt);
    }
    __device__ void values(unsigned i, double *is, double *should) const
    {
        *is = words[i];
        *should = krn_probe_word(i, salt);
    }
};

__device__ unsigned bits_of(float value)
{
    return __float_as_uint(value);
}

__device__ unsigned bits_of(uint32_t value)
{
    return value;
}

__device__ unsigned long long bits_of(unsigned long long value)
{
    return value;
}

template <class T>
struct periodic_item {
    const T *actual, *expected;
    unsigned period;
    __device__ bool wrong(unsigned i) const
    {
        return bits_of(actual[i]) != bits_of(expected[i % period]);
    }
    __device__ void values(unsigned i, double *is, double *should) const
    {
        *is = (double)actual[i];
        *should = (double)expected[i % period];
    }
};

template <class Item>
__global__ void compare(Item item, unsigned count, krn_cuda_tally *tally)
{
    const unsigned start = threadIdx.x + blockIdx.x * blockDim.x, step = gridDim.x * blockDim.x;
    unsigned wrong = 0, first = 0xffffffffu;
#pragma unroll 4
    for (unsigned i = start; i < count; i += step) {
        const bool is = item.wrong(i);
        wrong += is;
        first = is && i < first ? i : first;
    }
    if (wrong == 0)
        return;
    double worst = 0.0;
    for (unsigned i = start; i < count; i += step) {
        double is, should;
        item.values(i, &is, &should);
        const double off = fabs(is - should);
        if (!(off <= worst))
            worst = isnan(off) ? (double)INFINITY : off;
    }
    atomicAdd(&tally->wrong, (unsigned long long)wrong);
    atomicMin(&tally->first, (unsigned long long)first);
    /* Doubles that are not negative have the order of their bits. */
    atomicMax(&tally->max_error, (unsigned long long)__double_as_longlong(worst));
}

template <class Item>
__global__ void publish(Item item, unsigned count, const krn_cuda_tally *tally,
                        const long long *cycles, krn_cuda_verdict *verdict)
{
    krn_cuda_verdict made = {count, tally->wrong, 0, 0.0, 0.0, 0.0, *cycles};
    if (made.wrong > 0) {
        made.first = tally->first;
        made.max_error = __longlong_as_double((long long)tally->max_error);
        item.values((unsigned)made.first, &made.actual, &made.expected);
    }
    *verdict = made;
}

template <class Item>
cudaError_t judge_by(krn_cuda_judge judge, Item item, size_t count, cudaStream_t stream)
{
    compare<<<blocks_for(count), threads, 0, stream>>>(item, (unsigned)count, judge.tally);
    const cudaError_t status = cudaPeekAtLastError();
    if (status != cudaSuccess)
        return status;
    publish<<<1, 1, 0, stream>>>(item, (unsigned)count, judge.tally, judge.cycles, judge.verdict);
    return cudaPeekAtLastError();
}

__global__ void touch(const uint4 *memory, unsigned count, unsigned *unread)
{
    const unsigned step = gridDim.x * blockDim.x;
    unsigned seen = 0;
#pragma unroll 4
    for (unsigned i = threadIdx.x + blockIdx.x * blockDim.x; i < count; i += step) {
        const uint4 v = memory[i];
        seen ^= v.x ^ v.y ^ v.z ^ v.w;
    }
    /* Loads for nothing would be left out, by the assembler too. */
    if (seen == 0x9e3779b9u)
        *unread = seen;
}

struct make_word {
    uint32_t salt;
    __device__ uint32_t operator()(unsigned i) const
    {
        return krn_probe_word(i, salt);
    }
};

struct make_digit {
    __device__ int operator()(unsigned i) const
    {
        return krn_probe_digit(i);
    }
};

struct make_x {
    __device__ float operator()(unsigned i) const
    {
        return krn_probe_x(i);
    }
};

struct make_y {
    __device__ float operator()(unsigned i) const
    {
        return krn_probe_y(i, 0);
    }
};

template <class T, class Make>
__global__ void fill(T *array, unsigned count, Make make)
{
    const unsigned step = gridDim.x * blockDim.x;
    for (unsigned i = threadIdx.x + blockIdx.x * blockDim.x; i < count; i += step)
        array[i] = make(i);
}

template <class T, class Make>
cudaError_t fill_by(T *array, size_t count, Make make, cudaStream_t stream)
{
    fill<<<blocks_for(count), threads, 0, stream>>>(array, (unsigned)count, make);
    return cudaPeekAtLastError();
}

} // namespace

cudaError_t krn_cuda_compare_saxpy(krn_cuda_judge judge, const float *y, size_t count,
                                   krn_cuda_updates updates, cudaStream_t stream)
{
    const saxpy_item item = {y, updates};
    return judge_by(judge, item, count, stream);
}

cudaError_t krn_cuda_compare_words(krn_cuda_judge judge, const uint32_t *words, size_t count,
                                   uint32_t salt, cudaStream_t stream)
{
    const word_item item = {words, salt};
    return judge_by(judge, item, count, stream);
}

cudaError_t krn_cuda_compare_floats(krn_cuda_judge judge, const float *actual, size_t count,
                                    const float *expected, size_t period, cudaStream_t stream)
{
    const periodic_item<float> item = {actual, expected, (unsigned)period};
    return judge_by(judge, item, count, stream);
}

cudaError_t krn_cuda_compare_uints(krn_cuda_judge judge, const uint32_t *actual, size_t count,
                                   const uint32_t *expected, size_t period, cudaStream_t stream)
{
    const periodic_item<uint32_t> item = {actual, expected, (unsigned)period};
    return judge_by(judge, item, count, stream);
}

cudaError_t krn_cuda_compare_sums(krn_cuda_judge judge, const unsigned long long *actual,
                                  size_t count, const unsigned long long *expected, size_t period,
                                  cudaStream_t stream)
{
    const periodic_item<unsigned long long> item = {actual, expected, (unsigned)period};
    return judge_by(judge, item, count, stream);
}

cudaError_t krn_cuda_touch(const void *memory, size_t bytes, unsigned *unread, cudaStream_t stream)
{
    const size_t count = bytes / sizeof(uint4);
    touch<<<blocks_for(count), threads, 0, stream>>>((const uint4 *)memory, (unsigned)count,
                                                     unread);
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_fill_words(uint32_t *words, size_t count, uint32_t salt, cudaStream_t stream)
{
    const make_word make = {salt};
    return fill_by(words, count, make, stream);
}

cudaError_t krn_cuda_fill_digits(int *digits, size_t count, cudaStream_t stream)
{
    return fill_by(digits, count, make_digit(), stream);
}

cudaError_t krn_cuda_fill_x(float *x, size_t count, cudaStream_t stream)
{
    return fill_by(x, count, make_x(), stream);
}

cudaError_t krn_cuda_fill_y(float *y, size_t count, cudaStream_t stream)
{
    return fill_by(y, count, make_y(), stream);
}
