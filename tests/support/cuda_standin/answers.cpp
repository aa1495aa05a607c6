/* What the device answers about itself, and failures by script.
 *
 * SPHERESCOPE_STANDIN is a list of words, separated by commas:
 *   no-device       no GPU is visible (error 100)
 *   driver-too-old  the driver is older than the runtime (error 35)
 *   stub            libcuda is the toolkit's stub (error 34)
 *   no-code         the program has no code for the GPU (error 209, at the first launch)
 *   error:N         every call fails with error N
 *   memory:BYTES    the device has that much memory; 1 GiB without this word
 *   fail:N          the Nth call fails: an allocation because memory is full, others with error 999
 *   lost:N          from the Nth call on, every call fails with error 719, as after a fault of a
 *                   kernel, until the device is reset
 *   count           print the number of calls when the program ends
 *   devices:N       there are N devices
 *   busy:N          device N cannot be used; once per device, 0 to 31
 *   other-gl        OpenGL is drawn by something else
 */
#include "device.h"
#include "fault_class.h"
#include "standin.h"

#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <atomic>

namespace
{

struct answers {
    int error = 0;
    int devices = 1, ordinal = 0; /* ordinal: the current one, of all threads */
    unsigned busy = 0;            /* bits 1 << device */
    bool no_code = false, other_gl = false, old_driver = false, llvmpipe = false;
    size_t memory = (size_t)1 << 30;
    long fail_at = 0, lost_at = 0; /* 0: never */
    std::atomic<long> calls{0};
    std::atomic<bool> lost{false};
};

void print_calls();

/* Returns true when a word of the script is `name`, or `name:NUMBER`. */
bool is(const char *word, size_t length, const char *name, long long *number)
{
    const size_t named = strlen(name);
    if (length < named || strncmp(word, name, named) != 0)
        return false;
    if (number == nullptr)
        return length == named;
    if (length < named + 2 || word[named] != ':')
        return false;
    char *end;
    *number = strtoll(word + named + 1, &end, 10);
    return end == word + length;
}

answers *read_script()
{
    answers *made = new answers;
    const char *word = getenv("SPHERESCOPE_STANDIN");
    while (word != nullptr && *word != '\0') {
        const size_t length = strcspn(word, ",");
        long long number;
        if (is(word, length, "no-device", nullptr))
            made->error = cudaErrorNoDevice;
        else if (is(word, length, "driver-too-old", nullptr))
            made->error = cudaErrorInsufficientDriver, made->old_driver = true;
        else if (is(word, length, "stub", nullptr))
            made->error = 34;
        else if (is(word, length, "no-code", nullptr))
            made->no_code = true;
        else if (is(word, length, "error", &number))
            made->error = (int)number;
        else if (is(word, length, "memory", &number))
            made->memory = (size_t)number;
        else if (is(word, length, "devices", &number))
            made->devices = (int)number;
        else if (is(word, length, "busy", &number))
            made->busy |= 1u << (number & 31);
        else if (is(word, length, "fail", &number))
            made->fail_at = (long)number;
        else if (is(word, length, "count", nullptr))
            atexit(print_calls);
        else if (is(word, length, "lost", &number))
            made->lost_at = (long)number;
        else if (is(word, length, "other-gl", nullptr))
            made->other_gl = true;
        else if (is(word, length, "llvmpipe", nullptr))
            made->llvmpipe = true;
        else
            standin::die("SPHERESCOPE_STANDIN does not take %.*s.", (int)length, word);
        word += length;
        word += *word == ',';
    }
    return made;
}

answers &script()
{
    static answers &read = *read_script();
    return read;
}

void print_calls()
{
    fprintf(stderr, "counted any-runtime %ld\n", (long)script().calls);
}

thread_local cudaError_t last_error = cudaSuccess;

const int no_number = -1;

/* Returns an attribute of the device. Rates are about those of one thread of a host, so that
 * measurements that are sized by them stay short. */
int attribute_of(cudaDeviceAttr name)
{
    switch (name) {
    case cudaDevAttrComputeCapabilityMajor:
        return 9;
    case cudaDevAttrComputeCapabilityMinor:
        return 0;
    case cudaDevAttrMultiProcessorCount:
        return standin::processors;
    case cudaDevAttrClockRate:
        return standin::clock_khz;
    case cudaDevAttrMemoryClockRate:
        return 62500; /* kHz: with 64 bits, 1 GB/s */
    case cudaDevAttrGlobalMemoryBusWidth:
        return 64;
    case cudaDevAttrL2CacheSize:
        return 1 << 20;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        return 2048;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
    case cudaDevAttrWarpSize:
        return 32;
    case cudaDevAttrMaxThreadsPerBlock:
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
        return 1024;
    case cudaDevAttrMaxBlockDimZ:
        return 64;
    case cudaDevAttrMaxGridDimX:
    case cudaDevAttrMaxPitch:
        return INT_MAX;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ:
        return 65535;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor:
        return 65536;
    case cudaDevAttrMaxSharedMemoryPerBlock:
        return 48 << 10;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        return 227 << 10;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        return 228 << 10;
    case cudaDevAttrReservedSharedMemoryPerBlock:
        return 1 << 10;
    case cudaDevAttrTotalConstantMemory:
        return 64 << 10;
    case cudaDevAttrTextureAlignment:
        return 512;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
        return 2;
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrAsyncEngineCount:
    case cudaDevAttrConcurrentKernels:
        return 1;
    case cudaDevAttrMaxPersistingL2CacheSize:
    case cudaDevAttrEccEnabled:
    case cudaDevAttrIntegrated:
    case cudaDevAttrKernelExecTimeout:
    case cudaDevAttrComputeMode:
        return 0;
    default:
        return no_number;
    }
}

} // namespace

cudaError_t standin::keep(cudaError_t status)
{
    if (status != cudaSuccess && status != cudaErrorNotReady)
        last_error = status;
    return status;
}

size_t standin::memory_bytes()
{
    return script().memory;
}

bool standin::draws_opengl()
{
    return !script().other_gl;
}

cudaError_t standin::begin_call(const char *function)
{
    answers &read = script();
    if (read.error != 0)
        return (cudaError_t)read.error;
    const long call = ++read.calls;
    if (read.lost_at > 0 && call >= read.lost_at)
        read.lost = true;
    const bool fails = fault_class_fails("runtime", function);
    if (fault_class_loses())
        read.lost = true;
    else if (fails || call == read.fail_at)
        return strcmp(function, "cudaMalloc") == 0 || strcmp(function, "cudaHostAlloc") == 0
                   ? cudaErrorMemoryAllocation
                   : cudaErrorUnknown;
    return read.lost ? cudaErrorLaunchFailure : cudaSuccess;
}

cudaError_t standin::begin_launch()
{
    const answers &read = script();
    if (read.error != 0)
        return (cudaError_t)read.error;
    if (read.lost)
        return cudaErrorLaunchFailure;
    return read.no_code ? cudaErrorNoKernelImageForDevice : cudaSuccess;
}

void standin::lose()
{
    script().lost = true;
}

extern "C" {

/* What the program allocated before is its own to free: the stand-in keeps it. */
cudaError_t cudaDeviceReset()
{
    answers &read = script();
    if (read.error != 0)
        return (cudaError_t)read.error;
    standin::wait_for_all();
    read.lost = false;
    read.lost_at = 0;
    last_error = cudaSuccess;
    return cudaSuccess;
}

cudaError_t cudaGetLastError()
{
    const cudaError_t status = last_error;
    /* A lost device stays lost. */
    last_error = script().lost ? cudaErrorLaunchFailure : cudaSuccess;
    return status;
}

cudaError_t cudaPeekAtLastError()
{
    return script().lost ? cudaErrorLaunchFailure : last_error;
}

const char *cudaGetErrorString(cudaError_t status)
{
    static thread_local char text[64];
    switch (status) {
    case cudaSuccess:
        return "no error";
    case cudaErrorMemoryAllocation:
        return "out of memory";
    case cudaErrorInvalidValue:
        return "invalid argument";
    case cudaErrorNoDevice:
        return "no CUDA-capable device is detected";
    case cudaErrorNoKernelImageForDevice:
        return "no kernel image is available for execution on the device";
    case cudaErrorLaunchFailure:
        return "unspecified launch failure";
    case cudaErrorNotReady:
        return "device not ready";
    case cudaErrorUnknown:
        return "unknown error";
    default:
        snprintf(text, sizeof text, "the stand-in's error %d", (int)status);
        return text;
    }
}

cudaError_t cudaGetDeviceCount(int *devices)
{
    STANDIN_CALL();
    *devices = script().devices;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int ordinal)
{
    STANDIN_CALL();
    if (ordinal < 0 || ordinal >= script().devices)
        return standin::keep(cudaErrorInvalidDevice);
    if (script().busy >> ordinal & 1)
        return standin::keep((cudaError_t)46);
    script().ordinal = ordinal;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *ordinal)
{
    STANDIN_CALL();
    *ordinal = script().ordinal;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr name, int)
{
    STANDIN_CALL();
    *value = attribute_of(name);
    return standin::keep(*value == no_number ? cudaErrorInvalidValue : cudaSuccess);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int)
{
    STANDIN_CALL();
    memset(properties, 0, sizeof *properties);
    snprintf(properties->name, sizeof properties->name, "%s",
             script().llvmpipe ? "llvmpipe" : "stand-in for a GPU");
    properties->totalGlobalMem = standin::memory_bytes();
    properties->major = attribute_of(cudaDevAttrComputeCapabilityMajor);
    properties->multiProcessorCount = standin::processors;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int bytes, int ordinal)
{
    STANDIN_CALL();
    snprintf(id, (size_t)bytes, "0000:%02x:00.0", (unsigned)ordinal);
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = script().old_driver ? 11040 : script().error != 0 ? 0 : CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *)
{
    STANDIN_CALL();
    const cudaError_t loaded = standin::begin_launch();
    if (loaded != cudaSuccess)
        return standin::keep(loaded);
    memset(attributes, 0, sizeof *attributes);
    attributes->numRegs = 32;
    attributes->maxThreadsPerBlock = 1024;
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int)
{
    STANDIN_CALL();
    return standin::keep(standin::begin_launch());
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *, int threads,
                                                          size_t shared_bytes)
{
    STANDIN_CALL();
    const size_t by_threads = threads > 0 ? (size_t)(2048 / threads) : 0,
                 by_memory = ((size_t)228 << 10) / (shared_bytes + 1024);
    *blocks = (int)std::min({by_threads, by_memory, (size_t)32});
    return standin::keep(standin::begin_launch());
}

} // extern "C"
