/* The programs of assets/kernels/where-*.cu, each from constant and from global memory. The
 * constant bank belongs to this file alone. */
#include "cuda/probes/kernels/kernels.h"
#include <spherescope.h>

namespace
{

enum { MOST = KRN_CUDA_WHERE_SPHERES };

/* The spheres as the programs read them: whole, split, and in arrays. */
struct split {
    float4 place[MOST];
    struct {
        float r, g, b;
    } tint[MOST];
};
struct members {
    float r[MOST], g[MOST], b[MOST], radius[MOST], x[MOST], y[MOST], z[MOST];
};
static_assert(sizeof(split) == KRN_CUDA_WHERE_BYTES && sizeof(members) == KRN_CUDA_WHERE_BYTES &&
                  MOST * sizeof(sphere) == KRN_CUDA_WHERE_BYTES,
              "no layout has gaps");

/* Floats, as in the book's bank: from one that is known to be aligned to 16 bytes, the compiler
 * reads members of several spheres at once. */
__constant__ float bank[KRN_CUDA_WHERE_BYTES / sizeof(float)];

} // namespace

/* What the files read their spheres with. */
#define SPHERE(n) ((const sphere *)MEMORY)[n]
#define PLACE(n) ((const split *)MEMORY)->place[n]
#define TINT(n) ((const split *)MEMORY)->tint[n]
#define MEMBER(n, member) ((const members *)MEMORY)->member[n]

#define MEMORY bank
#define book krn_where_book_constant
#define plain krn_where_plain_constant
#define vector krn_where_vector_constant
#define arrays krn_where_arrays_constant
#include <where-arrays.cu>
#include <where-book.cu>
#include <where-plain.cu>
#include <where-vector.cu>

#undef MEMORY
#undef book
#undef plain
#undef vector
#undef arrays
#define MEMORY spheres
#define book krn_where_book_global
#define plain krn_where_plain_global
#define vector krn_where_vector_global
#define arrays krn_where_arrays_global
#include <where-arrays.cu>
#include <where-book.cu>
#include <where-plain.cu>
#include <where-vector.cu>

void krn_cuda_where_pack(enum krn_cuda_where program, const struct krn_sphere *spheres, int count,
                         void *memory)
{
    sphere *whole = (sphere *)memory;
    split *halves = (split *)memory;
    members *columns = (members *)memory;
    for (int n = 0; n < count; n++) {
        const struct krn_sphere s = spheres[n];
        if (program == KRN_CUDA_WHERE_VECTOR) {
            halves->place[n] = make_float4(s.x, s.y, s.z, s.radius);
            halves->tint[n] = {s.r, s.g, s.b};
        } else if (program == KRN_CUDA_WHERE_ARRAYS) {
            columns->r[n] = s.r;
            columns->g[n] = s.g;
            columns->b[n] = s.b;
            columns->radius[n] = s.radius;
            columns->x[n] = s.x;
            columns->y[n] = s.y;
            columns->z[n] = s.z;
        } else {
            whole[n] = {s.r, s.b, s.g, s.radius, s.x, s.y, s.z};
        }
    }
}

cudaError_t krn_cuda_where_bank(void **address)
{
    const cudaError_t status = cudaGetSymbolAddress(address, bank);
    return status == cudaSuccess && (uintptr_t)*address % sizeof(float4) != 0
               ? cudaErrorMisalignedAddress
               : status;
}

cudaError_t krn_cuda_where(enum krn_cuda_where program, const void *memory,
                           struct krn_cuda_frame image, cudaStream_t stream)
{
    static void (*const programs[KRN_CUDA_WHERE_PROGRAMS][2])(const sphere *, frame) = {
        {krn_where_book_constant, krn_where_book_global},
        {krn_where_plain_constant, krn_where_plain_global},
        {krn_where_vector_constant, krn_where_vector_global},
        {krn_where_arrays_constant, krn_where_arrays_global}};
    const auto kernel = programs[program][memory != nullptr];
    const krn_cuda_shape shape = krn_cuda_book_shape(1, image);
    kernel<<<dim3(shape.blocks_x, shape.blocks_y), dim3(shape.threads_x, shape.threads_y), 0,
             stream>>>((const sphere *)memory, frame{image.pixels, image.pitch_bytes, image.width,
                                                     image.height, image.unit, image.count});
    return cudaPeekAtLastError();
}
