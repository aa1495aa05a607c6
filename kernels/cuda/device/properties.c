/* The properties come from cudaDeviceGetAttribute: CUDA 13 took clockRate, deviceOverlap and others
 * out of cudaDeviceProp. Only the name and the size of the memory are read from that structure. */
#include "core/device/backend.h"

#include <cuda_runtime_api.h>

/* A property that is read as one to three attributes, whose numbers follow each other. */
struct entry {
    enum krn_property_kind kind;
    const char *key, *words;
    int count;
    enum cudaDeviceAttr first;
};

/* What the tutorial prints between totalGlobalMem and the end, in its order. memPitch is 2^31 - 1
 * on every device, so that an int holds it. */
static const struct entry published[] = {
    {KRN_PROPERTY_BYTES, "sharedMemPerBlock", "shared memory per block", 1,
     cudaDevAttrMaxSharedMemoryPerBlock},
    {KRN_PROPERTY_COUNT, "regsPerBlock", "32-bit registers per block", 1,
     cudaDevAttrMaxRegistersPerBlock},
    {KRN_PROPERTY_COUNT, "warpSize", "threads per warp", 1, cudaDevAttrWarpSize},
    {KRN_PROPERTY_BYTES, "memPitch", "largest pitch of a copy", 1, cudaDevAttrMaxPitch},
    {KRN_PROPERTY_COUNT, "maxThreadsPerBlock", "threads per block at most", 1,
     cudaDevAttrMaxThreadsPerBlock},
    {KRN_PROPERTY_COUNT, "maxThreadsDim", "threads along x, y, z of a block", 3,
     cudaDevAttrMaxBlockDimX},
    {KRN_PROPERTY_COUNT, "maxGridSize", "blocks along x, y, z of a grid", 3,
     cudaDevAttrMaxGridDimX},
    {KRN_PROPERTY_BYTES, "totalConstMem", "constant memory", 1, cudaDevAttrTotalConstantMemory},
    {KRN_PROPERTY_VERSION, "major.minor", "compute capability", 2,
     cudaDevAttrComputeCapabilityMajor},
    {KRN_PROPERTY_KHZ, "clockRate", "highest core clock", 1, cudaDevAttrClockRate},
    {KRN_PROPERTY_BYTES, "textureAlignment", "alignment of textures", 1,
     cudaDevAttrTextureAlignment},
    {KRN_PROPERTY_FLAG, "deviceOverlap", "copies while a kernel runs", 1, cudaDevAttrGpuOverlap},
    {KRN_PROPERTY_COUNT, "multiProcessorCount", "multiprocessors", 1,
     cudaDevAttrMultiProcessorCount},
};

/* What theoretical peaks, panels and verdicts rest on beside these. */
static const struct entry others[] = {
    {KRN_PROPERTY_KHZ, "memoryClockRate", "highest memory clock", 1, cudaDevAttrMemoryClockRate},
    {KRN_PROPERTY_BITS, "memoryBusWidth", "width of the memory bus", 1,
     cudaDevAttrGlobalMemoryBusWidth},
    {KRN_PROPERTY_BYTES, "l2CacheSize", "L2 cache", 1, cudaDevAttrL2CacheSize},
    {KRN_PROPERTY_BYTES, "persistingL2CacheMaxSize", "of it, for data that is to stay", 1,
     cudaDevAttrMaxPersistingL2CacheSize},
    {KRN_PROPERTY_COUNT, "maxThreadsPerMultiProcessor", "threads per multiprocessor", 1,
     cudaDevAttrMaxThreadsPerMultiProcessor},
    {KRN_PROPERTY_COUNT, "maxBlocksPerMultiProcessor", "blocks per multiprocessor", 1,
     cudaDevAttrMaxBlocksPerMultiprocessor},
    {KRN_PROPERTY_COUNT, "regsPerMultiprocessor", "32-bit registers per multiprocessor", 1,
     cudaDevAttrMaxRegistersPerMultiprocessor},
    {KRN_PROPERTY_BYTES, "sharedMemPerMultiprocessor", "shared memory per multiprocessor", 1,
     cudaDevAttrMaxSharedMemoryPerMultiprocessor},
    {KRN_PROPERTY_BYTES, "sharedMemPerBlockOptin", "shared memory per block on request", 1,
     cudaDevAttrMaxSharedMemoryPerBlockOptin},
    {KRN_PROPERTY_BYTES, "reservedSharedMemPerBlock", "of it, for the driver", 1,
     cudaDevAttrReservedSharedMemoryPerBlock},
    {KRN_PROPERTY_COUNT, "singleToDoublePrecisionPerfRatio", "single over double precision rate", 1,
     cudaDevAttrSingleToDoublePrecisionPerfRatio},
    {KRN_PROPERTY_COUNT, "asyncEngineCount", "copy engines", 1, cudaDevAttrAsyncEngineCount},
    {KRN_PROPERTY_FLAG, "concurrentKernels", "kernels at the same time", 1,
     cudaDevAttrConcurrentKernels},
    {KRN_PROPERTY_FLAG, "ECCEnabled", "error correction", 1, cudaDevAttrEccEnabled},
    {KRN_PROPERTY_FLAG, "integrated", "shares the host's memory", 1, cudaDevAttrIntegrated},
    {KRN_PROPERTY_FLAG, "kernelExecTimeoutEnabled", "a watchdog ends long kernels", 1,
     cudaDevAttrKernelExecTimeout},
    {KRN_PROPERTY_COUNT, "computeMode", "compute mode (0: default)", 1, cudaDevAttrComputeMode},
};

static void add(struct krn_property_list *list, const struct entry *entry, int ordinal,
                bool is_published)
{
    struct krn_property property = {.key = entry->key,
                                    .words = entry->words,
                                    .kind = entry->kind,
                                    .published = is_published,
                                    .known = true,
                                    .count = entry->count};
    for (int i = 0; i < entry->count; i++) {
        const enum cudaDeviceAttr attribute = (enum cudaDeviceAttr)((int)entry->first + i);
        int value = 0;
        if (cudaDeviceGetAttribute(&value, attribute, ordinal) != cudaSuccess) {
            (void)cudaGetLastError();
            property.known = false;
        }
        property.values[i] = value;
    }
    (void)krn_property_add(list, &property);
}

enum krn_code krn_cuda_properties(int ordinal, struct krn_property_list *list,
                                  struct krn_error *error)
{
    struct krn_device_info info;
    const enum krn_code code = krn_cuda_backend.describe(ordinal, &info, error);
    if (code != KRN_OK)
        return code;
    /* A device that the driver cannot describe keeps its fields, as not known. */
    const int64_t memory = info.memory_bytes > 0 ? (int64_t)info.memory_bytes : -1;
    krn_property_add_text(list, "name", "name", info.name);
    krn_property_add_number(list, "totalGlobalMem", "device memory", KRN_PROPERTY_BYTES, memory);
    for (int i = 0; i < list->count; i++)
        list->properties[i].published = true;
    for (size_t i = 0; i < sizeof published / sizeof *published; i++)
        add(list, &published[i], ordinal, true);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        add(list, &others[i], ordinal, false);
    return KRN_OK;
}
