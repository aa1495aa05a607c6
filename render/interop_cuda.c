/* Registers OpenGL's textures and buffers with CUDA, and maps them. */
#include "interop.h"

#include "krn/memory.h"

#include <cuda_runtime_api.h>

#include <cuda_gl_interop.h>
#include <stdlib.h>

/* Calls the CUDA runtime. Every CUDA call of render/ goes through this macro, so tests can make it
 * fail. */
#define REN_CUDA(error, call)                                                                      \
    cuda_check(krn_call_fails(KRN_API_CUDA, #call) ? cudaErrorUnknown : (call), #call, __FILE__,   \
               __LINE__, (error))

static enum krn_code cuda_check(cudaError_t status, const char *expression, const char *file,
                                int line, struct krn_error *error)
{
    if (status == cudaSuccess)
        return KRN_OK;
    (void)cudaGetLastError();
    return krn_error_set(error, status == cudaErrorMemoryAllocation ? KRN_NO_MEMORY : KRN_FAILED,
                         file, line, expression, "CUDA-OpenGL interop: %s (%d).",
                         cudaGetErrorString(status), (int)status);
}

struct ren_interop {
    struct cudaGraphicsResource *resource;
};

static enum krn_code check_device(int ordinal, struct krn_error *error)
{
    enum { DEVICES_MAX = 16 };
    int devices[DEVICES_MAX];
    unsigned count = 0;
    const bool listed = REN_CUDA(NULL, cudaGLGetDevices(&count, devices, DEVICES_MAX,
                                                        cudaGLDeviceListAll)) == KRN_OK;
    for (unsigned i = 0; listed && i < count; i++)
        if (devices[i] == ordinal)
            return KRN_OK;
    if (krn_on_wsl())
        return KRN_FAIL(error, KRN_UNAVAILABLE,
                        "Pictures are copied: WSL has no interoperability of CUDA and OpenGL.");
    /* The query fails for a context that no CUDA device draws, which is an answer too. */
    return KRN_FAIL(error, KRN_UNAVAILABLE,
                    "Pictures are copied: another device draws OpenGL. On two GPUs, start with "
                    "__NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia.");
}

/* Turns the result of a registration into *interop; NULL after an error. */
static enum krn_code opened(enum krn_code code, struct cudaGraphicsResource *resource,
                            struct ren_interop **interop)
{
    *interop = NULL;
    if (code != KRN_OK)
        return code;
    *interop = krn_alloc(1, sizeof **interop);
    (*interop)->resource = resource;
    return KRN_OK;
}

static enum krn_code open_texture(GLuint texture, struct ren_interop **interop,
                                  struct krn_error *error)
{
    struct cudaGraphicsResource *resource = NULL;
    const enum krn_code code =
        REN_CUDA(error, cudaGraphicsGLRegisterImage(&resource, texture, GL_TEXTURE_2D,
                                                    cudaGraphicsRegisterFlagsWriteDiscard));
    return opened(code, resource, interop);
}

static enum krn_code open_buffer(GLuint buffer, struct ren_interop **interop,
                                 struct krn_error *error)
{
    struct cudaGraphicsResource *resource = NULL;
    const enum krn_code code =
        REN_CUDA(error, cudaGraphicsGLRegisterBuffer(&resource, buffer,
                                                     cudaGraphicsRegisterFlagsWriteDiscard));
    return opened(code, resource, interop);
}

static void close_object(struct ren_interop *interop)
{
    cudaGraphicsUnregisterResource(interop->resource);
    (void)cudaGetLastError();
    free(interop);
}

static enum krn_code map(struct ren_interop *interop, void *stream, struct krn_error *error)
{
    return REN_CUDA(error, cudaGraphicsMapResources(1, &interop->resource, stream));
}

static enum krn_code memory_of(struct ren_interop *interop, size_t bytes, void **memory,
                               struct krn_error *error)
{
    size_t mapped = 0;
    *memory = NULL;
    const enum krn_code code =
        REN_CUDA(error, cudaGraphicsResourceGetMappedPointer(memory, &mapped, interop->resource));
    if (code == KRN_OK && mapped < bytes)
        return KRN_FAIL(error, KRN_FAILED, "The mapped pixel buffer is too small.");
    return code;
}

static enum krn_code copy(struct ren_interop *interop, const struct krn_image *image, void *stream,
                          struct krn_error *error)
{
    cudaArray_t array = NULL;
    const enum krn_code code =
        REN_CUDA(error, cudaGraphicsSubResourceGetMappedArray(&array, interop->resource, 0, 0));
    if (code != KRN_OK)
        return code;
    return REN_CUDA(error, cudaMemcpy2DToArrayAsync(array, 0, 0, image->pixels, image->pitch_bytes,
                                                    4 * (size_t)image->width, (size_t)image->height,
                                                    cudaMemcpyDeviceToDevice, stream));
}

static enum krn_code unmap(struct ren_interop *interop, void *stream, struct krn_error *error)
{
    return REN_CUDA(error, cudaGraphicsUnmapResources(1, &interop->resource, stream));
}

static const struct ren_interop_calls calls = {
    check_device, open_texture, open_buffer, close_object, map, memory_of, copy, unmap};

const struct ren_interop_calls *const ren_interop = &calls;
