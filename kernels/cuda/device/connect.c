/* Finds, describes and connects CUDA devices, and says why one cannot be used. */
#include "core/device/backend.h"
#include "cuda/device/cuda.h"
#include "cuda/runtime/kernels.h"
#include "cuda/runtime/runtime.h"
#include "krn/memory.h"

#include <stdio.h>
#include <string.h>

/* Fails with a sentence that tells why CUDA cannot be used, for any status of any call. */
static enum krn_code unusable(cudaError_t status, struct krn_error *error)
{
    int driver = 0, runtime = 0;
    (void)cudaGetLastError();
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    if (status == cudaErrorInsufficientDriver) {
        const char *const where = krn_on_wsl() ? " in Windows, whose driver WSL uses" : "";
        char has[64] = "there is no NVIDIA driver", cure[160];
        snprintf(cure, sizeof cure, "install one%s", where);
        if (driver > 0) {
            snprintf(has, sizeof has, "the NVIDIA driver has CUDA %d.%d", driver / 1000,
                     driver % 1000 / 10);
            snprintf(cure, sizeof cure,
                     "update the driver%s, to %d or newer, or take a build made with CUDA %s",
                     where, KRN_CUDA_DRIVER, driver < 12000 ? "11.8" : "12, such as a release");
        }
        return KRN_FAIL(error, KRN_UNAVAILABLE,
                        "CUDA cannot be used (error 35): %s, and this program needs CUDA %d.%d: "
                        "%s.",
                        has, runtime / 1000, runtime % 1000 / 10, cure);
    }
    const char *reason = krn_cuda_reason(status);
    return KRN_FAIL(error, KRN_UNAVAILABLE, "CUDA cannot be used (error %d): %s%s", (int)status,
                    reason ? reason : cudaGetErrorString(status),
                    reason ? "" : ": start again; if it fails again, see nvidia-smi.");
}

/* Judges what cudaGetDeviceCount has answered. */
static enum krn_code check_count(cudaError_t status, int devices, struct krn_error *error)
{
    if (status != cudaSuccess)
        return unusable(status, error);
    return devices > 0 ? KRN_OK : unusable(cudaErrorNoDevice, error);
}

static enum krn_code cuda_count(int *devices, struct krn_error *error)
{
    *devices = 0;
    const cudaError_t status = cudaGetDeviceCount(devices);
    const enum krn_code code = check_count(status, *devices, error);
    if (code != KRN_OK)
        *devices = 0; /* some failures change it */
    return code;
}

/* Returns an attribute of a device; 0 when the driver refuses. */
static int attribute(enum cudaDeviceAttr name, int ordinal)
{
    int value = 0;
    if (cudaDeviceGetAttribute(&value, name, ordinal) != cudaSuccess) {
        (void)cudaGetLastError();
        return 0;
    }
    return value;
}

/* Returns the single-precision multiply-adds per clock and multiprocessor; 0 for an unknown
 * architecture. Source: NVIDIA, CUDA C++ Programming Guide, throughput of native arithmetic
 * instructions. */
static int fma_lanes(int major, int minor)
{
    if (major == 7 || (major == 8 && minor == 0) || (major == 6 && minor == 0))
        return 64;
    return (major >= 5 && major <= 6) || (major >= 8 && major <= 12) ? 128 : 0;
}

/* Returns the double-precision multiply-adds per clock and multiprocessor; 0 for an unknown
 * architecture. The same source. */
static int dfma_lanes(int major, int minor)
{
    switch (major) {
    case 5:
        return 4;
    case 6:
        return minor == 0 ? 32 : 4;
    case 7:
        return minor == 5 ? 2 : 32;
    case 8:
        return minor == 0 ? 32 : 2;
    case 9:
        return 64;
    case 10:
        return minor == 0 ? 64 : minor == 3 ? 2 : 0;
    case 12:
        return 2;
    default:
        return 0;
    }
}

static void fill_info(int ordinal, struct krn_device_info *info)
{
    memset(info, 0, sizeof *info);
    struct cudaDeviceProp properties;
    info->backend = KRN_BACKEND_CUDA;
    info->can = krn_cuda_capabilities;
    info->ordinal = ordinal;
    snprintf(info->name, sizeof info->name, "n/a");
    if (cudaGetDeviceProperties(&properties, ordinal) == cudaSuccess) {
        snprintf(info->name, sizeof info->name, "%.*s", (int)sizeof info->name - 1,
                 properties.name);
        info->memory_bytes = properties.totalGlobalMem;
    }
    int driver = 0, runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    snprintf(info->driver, sizeof info->driver, "%d.%d", driver / 1000, driver % 1000 / 10);
    snprintf(info->runtime, sizeof info->runtime, "%d.%d", runtime / 1000, runtime % 1000 / 10);
    if (cudaDeviceGetPCIBusId(info->pci_id, (int)sizeof info->pci_id, ordinal) != cudaSuccess)
        snprintf(info->pci_id, sizeof info->pci_id, "n/a");
    snprintf(info->clock, sizeof info->clock, "CUDA events");
    info->compute_major = attribute(cudaDevAttrComputeCapabilityMajor, ordinal);
    info->compute_minor = attribute(cudaDevAttrComputeCapabilityMinor, ordinal);
    info->processors = attribute(cudaDevAttrMultiProcessorCount, ordinal);
    info->fma_lanes = fma_lanes(info->compute_major, info->compute_minor);
    info->dfma_lanes = dfma_lanes(info->compute_major, info->compute_minor);
    info->threads_per_processor = attribute(cudaDevAttrMaxThreadsPerMultiProcessor, ordinal);
    info->clock_max_mhz = attribute(cudaDevAttrClockRate, ordinal) / 1e3;
    info->memory_clock_mhz = attribute(cudaDevAttrMemoryClockRate, ordinal) / 1e3;
    info->memory_bus_bits = attribute(cudaDevAttrGlobalMemoryBusWidth, ordinal);
    info->l2_bytes = (size_t)attribute(cudaDevAttrL2CacheSize, ordinal);
    info->cache_bytes[0] = (size_t)attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, ordinal);
    info->cache_bytes[1] = info->l2_bytes;
    (void)cudaGetLastError();
}

/* Checks the ordinal against what cudaGetDeviceCount has answered. */
static enum krn_code check_ordinal(int ordinal, cudaError_t status, int devices,
                                   struct krn_error *error)
{
    const enum krn_code code = check_count(status, devices, error);
    if (code == KRN_OK && (ordinal < 0 || ordinal >= devices))
        return KRN_FAIL(error, KRN_UNAVAILABLE,
                        "There is no CUDA device %d: this machine has %d, counted from 0.", ordinal,
                        devices);
    return code;
}

static enum krn_code cuda_describe(int ordinal, struct krn_device_info *info,
                                   struct krn_error *error)
{
    int devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&devices);
    const enum krn_code code = check_ordinal(ordinal, status, devices, error);
    if (code == KRN_OK)
        fill_info(ordinal, info);
    return code;
}

/* Creates stream and tracer, and launches once: only a launch shows whether this build has code for
 * this GPU. */
static cudaError_t start(struct krn_cuda_device *cuda, int ordinal)
{
    const struct krn_cuda_shape one_thread = {1, 1, 1, 1, 0};
    cudaError_t status = cudaSetDevice(ordinal);
    KRN_THEN(status, cudaStreamCreateWithFlags(&cuda->stream, cudaStreamNonBlocking));
    KRN_THEN(status, krn_cuda_empty(&one_thread, cuda->stream));
    KRN_THEN(status, cudaStreamSynchronize(cuda->stream));
    KRN_THEN(status, krn_cuda_tracer_open(&cuda->tracer));
    return status;
}

/* Connects once. *status: that of CUDA when the device could not be started. */
static enum krn_code connect_once(int ordinal, struct krn_cuda_device **connected,
                                  cudaError_t *status, struct krn_error *error)
{
    *connected = NULL;
    *status = cudaSuccess;
    struct krn_cuda_device *cuda = krn_alloc(1, sizeof *cuda);
    cuda->base.ops = &krn_cuda_ops;
    *status = start(cuda, ordinal);
    enum krn_code code = *status == cudaSuccess ? KRN_OK : unusable(*status, error);
    KRN_THEN(code, krn_cuda_timer_open(&cuda->timer, cuda->stream, error));
    KRN_THEN(code, krn_cuda_overheads_measure(krn_cuda_timer_overhead(cuda->timer),
                                              &cuda->base.overheads, error));
    if (code != KRN_OK) {
        krn_device_close(&cuda->base);
        return code;
    }
    krn_inject_image(&cuda->base);
    *connected = cuda;
    return KRN_OK;
}

/* Returns true for the errors that a fault on the GPU leaves behind: every later call in its
 * context returns them, until the context is destroyed. Source: CUDA Runtime API, enum cudaError.
 */
static bool is_fault(cudaError_t status)
{
    switch (status) {
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
        return true;
    default:
        return false;
    }
}

/* Connects once more after a fault, with a new context. Some drivers refuse one until the process
 * ends; measured on an H200 with driver 580.159.04: error 46 from then on. */
static enum krn_code connect_after_fault(int ordinal, struct krn_cuda_device **connected,
                                         struct krn_error *error)
{
    cudaError_t status;
    /* Its own status is that of the fault, once more. */
    (void)cudaDeviceReset();
    (void)cudaGetLastError();
    const enum krn_code code = connect_once(ordinal, connected, &status, error);
    return status == cudaSuccess
               ? code
               : KRN_FAIL(error, KRN_UNAVAILABLE,
                          "After a fault on the GPU, the driver does not let this process use it "
                          "again (error %d): restart the program.",
                          (int)status);
}

static enum krn_code cuda_connect(int ordinal, struct krn_device **device, struct krn_error *error)
{
    /* The fault outlives the device, and so does what it makes of later errors. */
    static bool faulted;
    *device = NULL;
    struct krn_cuda_device *cuda = NULL;
    cudaError_t status = cudaSuccess;
    enum krn_code code = KRN_OK;
    if (!faulted) {
        int devices = 0;
        /* The first call of this kind returns the fault, and says nothing about the device. */
        status = cudaGetDeviceCount(&devices);
        if (is_fault(status))
            (void)cudaGetLastError();
        else
            code = check_ordinal(ordinal, status, devices, error);
    }
    if (!faulted && !is_fault(status) && code == KRN_OK)
        code = connect_once(ordinal, &cuda, &status, error);
    faulted = faulted || is_fault(status);
    if (faulted) {
        code = connect_after_fault(ordinal, &cuda, error);
        faulted = code != KRN_OK;
    }
    if (code == KRN_OK && cuda) {
        fill_info(ordinal, &cuda->base.info);
        *device = &cuda->base;
    }
    return code;
}

const struct krn_backend krn_cuda_backend = {
    .id = KRN_BACKEND_CUDA,
    .name = "cuda",
    .can = &krn_cuda_capabilities,
    .count = cuda_count,
    .describe = cuda_describe,
    .connect = cuda_connect,
    .book_window = krn_cuda_book_window,
};
