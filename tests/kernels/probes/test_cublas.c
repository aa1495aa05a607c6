/* Compares the panels' best SAXPY with cuBLAS's, measured in turns. cuBLAS is loaded at run time,
 * since nothing else needs it. Skipped without cuBLAS or a CUDA device. */
#include "found.h"
#include "pictures.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

typedef int (*create_fn)(void **handle);
typedef int (*set_stream_fn)(void *handle, cudaStream_t stream);
typedef int (*set_pointers_fn)(void *handle, int on_device);
typedef int (*sum_fn)(void *handle, int n, const float *x, int step, float *sum);
typedef int (*saxpy_fn)(void *handle, int n, const float *a, const float *x, int step_x, float *y,
                        int step_y);

enum { SAMPLES = 40, SIZES = 2 };

/* Copies the address, since C has no conversion from a data pointer to a function pointer. */
static void *load(void *library, const char *name, void *function, size_t size)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, size);
    return symbol;
}

static double ours_ms(struct krn_probes *probes, int index)
{
    struct krn_probe_reading reading;
    if (krn_probe_start(probes, index, &error) != KRN_OK)
        return -1.0;
    while (krn_probe_busy(probes))
        if (krn_probe_poll(probes, &reading))
            return reading.check.wrong == 0.0 ? reading.ms : -1.0;
    return -1.0;
}

int main(void)
{
    static const char *const names[] = {"libcublas.so", "libcublas.so.13", "libcublas.so.12",
                                        "libcublas.so.11"};
    struct krn_device *cuda;
    if (krn_backend_get(KRN_BACKEND_CUDA)->connect(0, &cuda, &error) != KRN_OK) {
        printf("skipped: %s\n", error.text);
        return TEST_SKIPPED;
    }
    void *library = NULL, *handle = NULL;
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_GLOBAL);
    create_fn create;
    set_stream_fn set_stream;
    saxpy_fn saxpy;
    set_pointers_fn set_pointers;
    sum_fn sum;
    if (!library || !load(library, "cublasCreate_v2", &create, sizeof create) ||
        !load(library, "cublasSetStream_v2", &set_stream, sizeof set_stream) ||
        !load(library, "cublasSetPointerMode_v2", &set_pointers, sizeof set_pointers) ||
        !load(library, "cublasSasum_v2", &sum, sizeof sum) ||
        !load(library, "cublasSaxpy_v2", &saxpy, sizeof saxpy)) {
        printf("skipped: there is no cuBLAS to compare with\n");
        krn_device_close(cuda);
        return TEST_SKIPPED;
    }
    const int sizes[SIZES] = {20 << 20, 1 << 28};
    const float a = 2.0f;
    float *x = NULL, *y = NULL, *total = NULL;
    cudaStream_t stream = NULL;
    cudaEvent_t start = NULL, stop = NULL;
    struct krn_probes *probes = NULL;
    const size_t bytes = sizeof *x << 28;
    int failed = cudaMalloc((void **)&x, bytes) != cudaSuccess ||
                 cudaMalloc((void **)&y, bytes) != cudaSuccess ||
                 cudaMalloc((void **)&total, sizeof *total) != cudaSuccess ||
                 cudaMemset(x, 0, bytes) != cudaSuccess || cudaMemset(y, 0, bytes) != cudaSuccess ||
                 cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess ||
                 cudaEventCreate(&start) != cudaSuccess || cudaEventCreate(&stop) != cudaSuccess ||
                 create(&handle) != 0 || set_stream(handle, stream) != 0 ||
                 krn_probes_open(cuda, 1u << KRN_TOPIC_SAXPY, 0, &probes, &error) != KRN_OK;
    for (int s = 0; !failed && s < SIZES; s++) {
        double ms[3][SAMPLES];
        const int published = found_probe(probes, KRN_TOPIC_SAXPY, "published", sizes[s]),
                  best = found_probe(probes, KRN_TOPIC_SAXPY, "vector", sizes[s]);
        for (int i = -5; !failed && published >= 0 && best >= 0 && i < SAMPLES; i++) {
            const int at = i < 0 ? 0 : i;
            float elapsed = 0.0f;
            ms[0][at] = ours_ms(probes, published);
            ms[1][at] = ours_ms(probes, best);
            /* Leaves the caches as a probe's run finds them, after a SAXPY and a check that reads
             * y. This work also hides the launch of the measured call. */
            failed = saxpy(handle, sizes[s], &a, x, 1, y, 1) != 0 || set_pointers(handle, 1) != 0 ||
                     sum(handle, sizes[s], y, 1, total) != 0 || set_pointers(handle, 0) != 0 ||
                     cudaEventRecord(start, stream) != cudaSuccess ||
                     saxpy(handle, sizes[s], &a, x, 1, y, 1) != 0 ||
                     cudaEventRecord(stop, stream) != cudaSuccess ||
                     cudaStreamSynchronize(stream) != cudaSuccess ||
                     cudaEventElapsedTime(&elapsed, start, stop) != cudaSuccess;
            ms[2][at] = (double)elapsed;
        }
        double gbps[3];
        for (int k = 0; k < 3; k++)
            gbps[k] = 12.0 * sizes[s] / krn_summarise(ms[k], SAMPLES).median / 1e6;
        const double top = krn_ceilings_of(krn_device_describe(cuda)).bandwidth_gbps;
        printf("%d elements: published %.0f, vector %.0f (%.1f %% of %.0f), cuBLAS %.0f GB/s; "
               "vector is "
               "%.3f times cuBLAS\n",
               sizes[s], gbps[0], gbps[1], 100.0 * gbps[1] / top, top, gbps[2], gbps[1] / gbps[2]);
        /* Limits that hold on every GPU; docs/panels.md has the figures of one. */
        failed = failed || !(gbps[1] > 0.97 * gbps[2]) || !(gbps[0] > 0.0);
    }
    krn_probes_close(probes);
    cudaFree(x);
    cudaFree(y);
    cudaFree(total);
    krn_device_close(cuda);
    return failed;
}
