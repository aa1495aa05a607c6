/* Checked calls, causes of errors in words, and the host's side of the gate. */
#include "cuda/runtime/kernels.h"
#include "cuda/runtime/runtime.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* The statuses of an unusable GPU, as numbers, because some of their names do not exist in every
 * version of the toolkit. Source: CUDA Runtime API, enum cudaError. */
static const struct {
    int status;
    const char *reason;
} reasons[] = {
    {34, "libcuda is the toolkit's stub, not a driver: remove its folder from LD_LIBRARY_PATH."},
    {46, "the GPU is busy or closed to this process: see its compute mode in nvidia-smi."},
    {100, "no NVIDIA GPU is visible: see nvidia-smi and CUDA_VISIBLE_DEVICES."},
    {101, "there is no such CUDA device: see --list-devices."},
    {209, "this program has no code for this GPU: build with its architecture in "
          "SPHERESCOPE_CUDA_ARCHS."},
    {222, "the driver cannot compile this program's PTX: update the driver, or build with this "
          "GPU's architecture in SPHERESCOPE_CUDA_ARCHS."},
    {802, "the system is not ready for CUDA: is the fabric manager running?"},
    {803, "driver and kernel module have different versions: restart the machine."},
    {804, "this GPU needs a newer driver: forward compatibility does not cover it."},
    {999, "CUDA could not start: after a suspend or a driver update, restart the machine."},
};

cudaError_t krn_cuda_failure(const char *expression)
{
    static const char *const allocations[] = {"cudaMalloc", "cudaHostAlloc"};
    for (size_t i = 0; i < sizeof allocations / sizeof *allocations; i++)
        if (strncmp(expression, allocations[i], strlen(allocations[i])) == 0)
            return cudaErrorMemoryAllocation;
    return cudaErrorUnknown;
}

const char *krn_cuda_reason(cudaError_t status)
{
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].status == (int)status)
            return reasons[i].reason;
    return NULL;
}

enum krn_code krn_cuda_check(cudaError_t status, const char *expression, const char *file, int line,
                             struct krn_error *error)
{
    if (status == cudaSuccess)
        return KRN_OK;
    enum krn_code code = KRN_LOST;
    if (status == cudaErrorMemoryAllocation)
        code = KRN_NO_MEMORY;
    else if (status == cudaErrorInvalidValue || status == cudaErrorInvalidResourceHandle ||
             status == cudaErrorInvalidConfiguration || status == cudaErrorNotSupported ||
             status == cudaErrorLaunchOutOfResources || status == cudaErrorUnknown)
        code = KRN_FAILED;
    /* Clears the last error of the runtime, so that a later cudaPeekAtLastError does not return
     * it. */
    (void)cudaGetLastError();
    if (code == KRN_NO_MEMORY) {
        char left[64] = "";
        size_t free_bytes = 0, total_bytes = 0;
        if (cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess)
            snprintf(left, sizeof left, ", %zu of %zu MiB are free", free_bytes >> 20,
                     total_bytes >> 20);
        else
            (void)cudaGetLastError();
        return krn_error_set(error, code, file, line, expression,
                             "CUDA: the device's memory is full (%d%s): close other programs on "
                             "the GPU, or make --size or --spheres smaller.",
                             (int)status, left);
    }
    /* The reason for an unknown error is one for a failed start. */
    const char *reason = status == cudaErrorUnknown ? NULL : krn_cuda_reason(status);
    /* Kernels of a table are launched through pointers, whose names tell a user nothing. */
    const bool named = strncmp(expression, "cuda", 4) == 0 || strncmp(expression, "krn_", 4) == 0;
    const char *call = named ? expression : "the launch of a kernel";
    return krn_error_set(error, code, file, line, expression, "CUDA: %.*s failed, %s (%d): %s",
                         (int)strcspn(call, "("), call, cudaGetErrorString(status), (int)status,
                         reason ? reason : "start again; if it fails again, see nvidia-smi.");
}

enum krn_code krn_cuda_alloc(const char *needs, int count, const size_t *bytes, void **arrays,
                             struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    size_t sum = 0;
    for (int i = 0; i < count; i++) {
        arrays[i] = NULL;
        sum += bytes[i];
        KRN_THEN(code, KRN_CUDA(error, cudaMalloc(&arrays[i], bytes[i])));
    }
    for (int i = 0; i < count && code != KRN_OK; i++) {
        cudaFree(arrays[i]);
        arrays[i] = NULL;
    }
    if (code == KRN_NO_MEMORY && needs)
        code = KRN_FAIL(error, KRN_NO_MEMORY,
                        "%s %zu MiB of memory for this scene and size, more than the device has "
                        "free.",
                        needs, (sum >> 20) + 1);
    return code;
}

enum krn_code krn_cuda_events_create(cudaEvent_t *events, int count, struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    for (int i = 0; i < count; i++)
        KRN_THEN(code, KRN_CUDA(error, cudaEventCreate(&events[i])));
    return code;
}

void krn_cuda_events_destroy(const cudaEvent_t *events, int count)
{
    for (int i = 0; i < count; i++)
        if (events[i])
            cudaEventDestroy(events[i]);
}

enum krn_code krn_cuda_alloc_mapped(size_t bytes, void **host, void **device,
                                    struct krn_error *error)
{
    *host = *device = NULL;
    enum krn_code code = KRN_CUDA(error, cudaHostAlloc(host, bytes, cudaHostAllocMapped));
    if (code == KRN_OK && *host) {
        memset(*host, 0, bytes);
        code = KRN_CUDA(error, cudaHostGetDevicePointer(device, *host, 0));
    }
    return code;
}

/* Maximum time that a gate holds, in clock cycles: about 0.3 ms at 1.5 to 2 GHz. */
static const long long gate_cycles = 500000;

enum krn_code krn_cuda_gate_close(struct krn_cuda_gate *gate, struct krn_error *error)
{
    const unsigned number = ++gate->number;
    /* The device reads and writes the atomics as plain words. */
    const unsigned *ticket = (const unsigned *)&gate->on_device->ticket;
    unsigned *gave_up = (unsigned *)&gate->on_device->gave_up[number % KRN_CUDA_GATES_KEPT];
    return KRN_CUDA(error, krn_cuda_gate(ticket, gave_up, number, gate_cycles, gate->stream));
}

/* Does to the host what a busy machine does: its core is gone for longer than a gate holds, at
 * 100 MHz even. */
static void lose_core(void)
{
    const struct timespec while_away = {0, 6000000};
    nanosleep(&while_away, NULL);
}

void krn_cuda_gate_open(struct krn_cuda_gate *gate)
{
    if (krn_call_fails(KRN_API_NONE, "krn_host_late()"))
        lose_core();
    atomic_store_explicit(&gate->page->ticket, gate->number, memory_order_release);
}

bool krn_cuda_gate_gave_up(const struct krn_cuda_gate *gate, unsigned number)
{
    return atomic_load_explicit(&gate->page->gave_up[number % KRN_CUDA_GATES_KEPT],
                                memory_order_acquire) == number;
}
