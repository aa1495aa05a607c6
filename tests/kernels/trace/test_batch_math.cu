/* Compares the arithmetic that the kernels share (cuda/trace/batch_math.cuh, core/trace/strip.h) on
 * the device with that of the language, for every float where there are few enough. Skipped without
 * a CUDA device. */
#include "cuda/trace/batch_math.cuh"

#include <cstdio>

namespace
{

const unsigned long long step = 0x9e3779b97f4a7c15ull;

__device__ unsigned long long scrambled(unsigned long long x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

__device__ unsigned between(unsigned low, unsigned high, unsigned long long random)
{
    return low + (unsigned)(random % (high - low + 1ull));
}

/* Counts the wrong results for the floats from `first` to `last`, given as bits and distributed
 * over all threads. The checks vote, so warps must be complete: at the end, some lanes repeat the
 * last float. */
template <class Wrong>
__global__ void every(unsigned first, unsigned last, Wrong wrong, unsigned long long *count)
{
    const unsigned long long threads = (unsigned long long)gridDim.x * blockDim.x;
    const unsigned lane = threadIdx.x % 32;
    for (unsigned long long start =
             first + blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x - lane;
         start <= last; start += threads) {
        const unsigned long long bits = start + lane;
        if (wrong((unsigned)(bits < last ? bits : last)) && bits <= last)
            atomicAdd(count, 1ull);
    }
}

struct root_wrong {
    __device__ bool operator()(unsigned bits) const
    {
        const float x = __uint_as_float(bits);
        return !(krn_batch::root(x) == sqrtf(x));
    }
};

/* Checks the roots of four squared half chords, some of them 0 or negative. In one of eight warps,
 * no lane hits; in another, some values are too small for `root`. */
struct chords_wrong {
    __device__ static bool differ(const float (&square)[4], const float (&chord)[4])
    {
        for (int i = 0; i < 4; i++)
            if (square[i] > 0.0f ? chord[i] != sqrtf(square[i]) : chord[i] > -INFINITY)
                return true;
        return false;
    }

    __device__ bool operator()(unsigned number) const
    {
        const float least = 0x1p-108f, most = KRN_RADIUS_MAX * KRN_RADIUS_MAX;
        const unsigned long long warp = scrambled(number / 32 + 1) % 8;
        const bool hits = warp != 0, tiny = warp == 1;
        float square[4], chord[4];
        bool any = false;
        for (int i = 0; i < 4; i++) {
            const unsigned long long random = scrambled(4ull * number + i + step);
            const float near = tiny ? least : KRN_ROOT_LEAST,
                        far = tiny && random & 1 ? 0x1p-99f : most;
            const float size =
                __uint_as_float(between(__float_as_uint(near), __float_as_uint(far), random >> 8));
            const int kind = (int)((random >> 1) % (hits ? 4 : 2));
            square[i] = kind == 0 ? 0.0f : kind == 1 ? -size : size;
            any = any || square[i] > 0.0f;
        }
        const bool all = __any_sync(krn_warp::all_lanes, any);
        bool wrong =
            krn_batch::chords<true>(square, chord) != all || (all && differ(square, chord));
        wrong = wrong || krn_batch::chords<false>(square, chord) != any;
        return wrong || (any && differ(square, chord));
    }
};

struct quotient_wrong {
    __device__ bool operator()(unsigned number) const
    {
        const unsigned least = __float_as_uint(0x1p-54f);
        const unsigned long long random = scrambled(number * step);
        const unsigned b =
            between(__float_as_uint(KRN_RADIUS_MIN), __float_as_uint(KRN_RADIUS_MAX), random >> 8);
        /* One in four is nearly as long as the radius, as half chords often are. */
        const unsigned a = random % 4 == 0 ? b - (unsigned)(random >> 8) % 4096
                                           : between(least, b, scrambled(b + random));
        const float x = random % 256 == 1 ? 0.0f : __uint_as_float(a), y = __uint_as_float(b);
        return krn_batch::quotient(x, y) != x / y;
    }
};

struct byte_wrong {
    __device__ bool operator()(unsigned bits) const
    {
        const float x = __uint_as_float(bits);
        return (krn_byte_low(x) & 0xffu) != krn_byte(x);
    }
};

template <class Wrong>
int check(const char *what, unsigned first, unsigned last, Wrong wrong)
{
    unsigned long long *count, n = 0;
    cudaError_t error = cudaMalloc(&count, sizeof *count);
    if (error == cudaSuccess)
        error = cudaMemset(count, 0, sizeof *count);
    if (error == cudaSuccess) {
        every<<<4096, 256>>>(first, last, wrong, count);
        error = cudaMemcpy(&n, count, sizeof n, cudaMemcpyDeviceToHost);
        cudaFree(count);
    }
    if (error != cudaSuccess) {
        std::printf("%s: %s\n", what, cudaGetErrorString(error));
        return 1;
    }
    std::printf("%s: %llu of %llu wrong\n", what, n, last - first + 1ull);
    return n != 0;
}

} // namespace

int main()
{
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::puts("skipped: no CUDA device");
        return 77;
    }
    const unsigned root_least = 0x0d000000u, greatest = 0x7f7fffffu, one = 0x3f800000u;
    static_assert(KRN_ROOT_LEAST == 0x1p-101f, "root_least, as bits");
    int wrong = check("roots", root_least, greatest, root_wrong());
    wrong += check("chords of four squares", 0, 200000031, chords_wrong());
    wrong += check("quotients", 0, 400000000, quotient_wrong());
    wrong += check("bytes", 0, one, byte_wrong());
    return wrong != 0;
}
