/* Loads the user's kernel by the driver's library, and launches it. */
#include "core/mine/mine.h"
#include "cuda/runtime/runtime.h"
#include "cuda/trace/kernels.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* The driver's library, loaded with dlopen, once: the runtime of CUDA 11.8 has no calls that load
 * code. The runtime has made the device's context current. */
typedef struct driver_module *driver_module;
typedef struct driver_function *driver_function;

enum { SUCCESS = 0, UNSUPPORTED_PTX = 222 };

static struct driver {
    int (*load)(driver_module *module, const void *image);
    int (*unload)(driver_module module);
    int (*function)(driver_function *function, driver_module module, const char *name);
    int (*variable)(unsigned long long *address, size_t *bytes, driver_module module,
                    const char *name);
    int (*name_of)(int status, const char **name);
    int (*attribute)(int *value, int attribute, driver_function function);
    int (*blocks)(int *blocks, driver_function function, int threads, size_t shared_bytes);
    int (*launch)(driver_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                  unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                  cudaStream_t stream, void **arguments, void **extra);
} driver; /* launch is NULL: it cannot be loaded */

static bool find(void *library, const char *name, void *function)
{
    void *const symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static void open_driver(void)
{
    void *const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library != NULL && find(library, "cuModuleLoadData", &driver.load) &&
        find(library, "cuModuleUnload", &driver.unload) &&
        find(library, "cuModuleGetFunction", &driver.function) &&
        find(library, "cuModuleGetGlobal_v2", &driver.variable) &&
        find(library, "cuGetErrorName", &driver.name_of) &&
        find(library, "cuFuncGetAttribute", &driver.attribute) &&
        find(library, "cuOccupancyMaxActiveBlocksPerMultiprocessor", &driver.blocks))
        (void)find(library, "cuLaunchKernel", &driver.launch);
}

static enum krn_code check(int status, const char *call, struct krn_error *error)
{
    const char *name = NULL;
    if (status == SUCCESS)
        return KRN_OK;
    if (status == UNSUPPORTED_PTX)
        return KRN_FAIL(error, KRN_UNAVAILABLE,
                        "NVRTC is newer than the GPU's driver, which cannot try its kernels: "
                        "install the NVRTC of the driver's CUDA version, or a newer driver.");
    (void)driver.name_of(status, &name);
    return KRN_FAIL(error, KRN_FAILED, "%s fails on the mine kernel: %s (error %d).", call,
                    name != NULL ? name : "unknown", status);
}

void krn_cuda_mine_close(struct krn_cuda_mine *mine)
{
    if (mine->module != NULL)
        (void)driver.unload(mine->module);
    memset(mine, 0, sizeof *mine);
}

/* Gets the address of one of the file's variables. */
static enum krn_code get(driver_module module, const char *name, void **address, size_t *bytes,
                         struct krn_error *error)
{
    unsigned long long at = 0;
    const enum krn_code code =
        check(driver.variable(&at, bytes, module, name), "cuModuleGetGlobal", error);
    *address = (void *)(uintptr_t)at;
    return code;
}

static enum krn_code fill(const struct krn_mine *mine, struct krn_cuda_mine *made,
                          struct krn_error *error)
{
    driver_module module = NULL;
    driver_function function = NULL;
    void *shape = NULL;
    size_t bytes = 0;
    enum krn_code code = check(driver.load(&module, mine->image), "cuModuleLoadData", error);
    made->module = module;
    KRN_THEN(code,
             check(driver.function(&function, module, mine->kernel), "cuModuleGetFunction", error));
    made->function = function;
    KRN_THEN(code, get(module, "mine_shape", &shape, &bytes, error));
    if (code == KRN_OK && bytes != sizeof made->shape)
        code = KRN_FAIL(error, KRN_FAILED, "The compiled kernel has no grid.");
    KRN_THEN(code, KRN_CUDA(error, cudaMemcpy(made->shape, shape, bytes, cudaMemcpyDeviceToHost)));
    if (code == KRN_OK && mine->storage == KRN_STORAGE_CONSTANT) {
        void *scene = NULL;
        code = get(module, "scene", &scene, &bytes, error);
        made->scene = scene;
        made->room = (int)(bytes / sizeof(struct krn_sphere));
    }
    if (code == KRN_OK && mine->image == mine->guarded)
        code = get(module, "mine_guard", &made->guard, &bytes, error);
    if (code == KRN_OK && made->guard != NULL && bytes != sizeof(struct krn_mine_guard))
        code = KRN_FAIL(error, KRN_FAILED, "The tried kernel has another guard.");
    return code;
}

enum krn_code krn_cuda_mine_load(struct krn_cuda_mine *mine, const struct krn_mine *from,
                                 cudaStream_t stream, struct krn_error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct krn_cuda_mine made = {.module = NULL};
    pthread_once(&once, open_driver);
    enum krn_code code = KRN_OK;
    if (from != NULL && driver.launch == NULL)
        code = KRN_FAIL(error, KRN_UNAVAILABLE,
                        "A kernel file needs the driver's libcuda.so.1, which cannot be loaded: "
                        "install the GPU's driver, or allow it in the container.");
    if (from != NULL && code == KRN_OK)
        code = fill(from, &made, error);
    if (code == KRN_OK) /* frames in flight run the old one */
        code = KRN_CUDA(error, cudaStreamSynchronize(stream));
    krn_cuda_mine_close(code == KRN_OK ? mine : &made);
    if (code == KRN_OK)
        *mine = made;
    return code;
}

struct krn_cuda_shape krn_cuda_mine_shape(const struct krn_cuda_mine *mine,
                                          struct krn_cuda_frame frame)
{
    const int columns = mine->shape[0] * mine->shape[2], rows = mine->shape[1];
    return (struct krn_cuda_shape){(unsigned)((frame.width + columns - 1) / columns),
                                   (unsigned)((frame.height + rows - 1) / rows),
                                   (unsigned)mine->shape[0], (unsigned)mine->shape[1], 0};
}

enum krn_code krn_cuda_mine_describe(const struct krn_cuda_mine *mine, struct krn_cuda_frame frame,
                                     struct krn_kernel_attributes *kernel, struct krn_error *error)
{
    /* By the driver's numbers of the attributes. */
    enum { THREADS_MAX, SHARED, CONSTANT, LOCAL, REGISTERS, ATTRIBUTES };
    const struct krn_cuda_shape shape = krn_cuda_mine_shape(mine, frame);
    int values[ATTRIBUTES], blocks = 0;
    enum krn_code code = KRN_OK;
    for (int i = 0; code == KRN_OK && i < ATTRIBUTES; i++)
        code = check(driver.attribute(&values[i], i, mine->function), "cuFuncGetAttribute", error);
    KRN_THEN(code,
             check(driver.blocks(&blocks, mine->function, (int)(shape.threads_x * shape.threads_y),
                                 shape.shared_bytes),
                   "cuOccupancyMaxActiveBlocksPerMultiprocessor", error));
    if (code != KRN_OK)
        return code;
    const struct cudaFuncAttributes attributes = {
        .numRegs = values[REGISTERS],
        .sharedSizeBytes = (size_t)values[SHARED],
        .localSizeBytes = (size_t)values[LOCAL],
        .constSizeBytes = (size_t)values[CONSTANT],
        .maxThreadsPerBlock = values[THREADS_MAX],
    };
    return KRN_CUDA(error, krn_cuda_describe(&attributes, blocks, &shape, kernel));
}

enum krn_code krn_cuda_mine_launch(const struct krn_cuda_mine *mine,
                                   const struct krn_sphere *spheres, struct krn_cuda_frame frame,
                                   cudaStream_t stream, struct krn_error *error)
{
    const struct krn_cuda_shape shape = krn_cuda_mine_shape(mine, frame);
    const struct krn_sphere *const given = mine->scene != NULL ? NULL : spheres;
    void *arguments[] = {(void *)&given, &frame};
    struct krn_mine_guard guard = {
        .pixels = (uintptr_t)frame.pixels,
        .pitch_bytes = frame.pitch_bytes,
        .row_bytes = 4 * frame.width,
        .height = frame.height,
        .spheres = (uintptr_t)given,
        .sphere_bytes = given != NULL ? sizeof *given * (size_t)frame.count : 0,
    };
    enum krn_code code = KRN_OK;
    if (mine->guard != NULL)
        code = KRN_CUDA(error, cudaMemcpyAsync(mine->guard, &guard, sizeof guard,
                                               cudaMemcpyHostToDevice, stream));
    KRN_THEN(code,
             check(driver.launch(mine->function, shape.blocks_x, shape.blocks_y, 1, shape.threads_x,
                                 shape.threads_y, 1, 0, stream, arguments, NULL),
                   "cuLaunchKernel", error));
    if (code != KRN_OK || mine->guard == NULL)
        return code;
    code = KRN_CUDA(error, cudaStreamSynchronize(stream));
    KRN_THEN(code, KRN_CUDA(error,
                            cudaMemcpy(&guard, mine->guard, sizeof guard, cudaMemcpyDeviceToHost)));
    return code == KRN_OK && guard.place != 0 ? krn_mine_guard_tell(&guard, error) : code;
}
