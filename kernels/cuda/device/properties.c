/* The properties come from cudaDeviceGetAttribute: CUDA 13 took clockRate, deviceOverlap and others
 * out of cudaDeviceProp. Only the name and the size of the memory are read from that structure. */
#include "core/device/backend.h"

#include <cuda_runtime_api.h>

/* A property that is read as one to three attributes. */
struct entry {
    const char *key, *words;
    enum krn_property_kind kind;
    int count;
    enum cudaDeviceAttr attributes[KRN_PROPERTY_VALUES];
};

/* What the tutorial prints between totalGlobalMem and the end, in its order. memPitch is 2^31 - 1
 * on every device, so that an int holds it. */
static const struct entry published[] = {
    {"sharedMemPerBlock",
     "shared memory per block",
     KRN_PROPERTY_BYTES,
     1,
     {cudaDevAttrMaxSharedMemoryPerBlock}},
    {"regsPerBlock",
     "32-bit registers per block",
     KRN_PROPERTY_COUNT,
     1,
     {cudaDevAttrMaxRegistersPerBlock}},
    {"warpSize", "threads per warp", KRN_PROPERTY_COUNT, 1, {cudaDevAttrWarpSize}},
    {"memPitch", "largest pitch of a copy", KRN_PROPERTY_BYTES, 1, {cudaDevAttrMaxPitch}},
    {"maxThreadsPerBlock",
     "threads per block at most",
     KRN_PROPERTY_COUNT,
     1,
     {cudaDevAttrMaxThreadsPerBlock}},
    {"maxThreadsDim",
     "threads along x, y, z of a block",
     KRN_PROPERTY_COUNT,
     3,
     {cudaDevAttrMaxBlockDimX, cudaDevAttrMaxBlockDimY, cudaDevAttrMaxBlockDimZ}},
    {"maxGridSize",
     "blocks along x, y, z of a grid",
     KRN_PROPERTY_COUNT,
     3,
     {cudaDevAttrMaxGridDimX, cudaDevAttrMaxGridDimY, cudaDevAttrMaxGridDimZ}},
    {"totalConstMem", "constant memory", KRN_PROPERTY_BYTES, 1, {cudaDevAttrTotalConstantMemory}},
    {"major.minor",
     "compute capability",
     KRN_PROPERTY_VERSION,
     2,
     {cudaDevAttrComputeCapabilityMajor, cudaDevAttrComputeCapabilityMinor}},
    {"clockRate", "highest core clock", KRN_PROPERTY_KHZ, 1, {cudaDevAttrClockRate}},
    {"textureAlignment",
     "alignment of textures",
     KRN_PROPERTY_BYTES,
     1,
     {cudaDevAttrTextureAlignment}},
    {"deviceOverlap", "copies while a kernel runs", KRN_PROPERTY_FLAG, 1, {cudaDevAttrGpuOverlap}},
    {"multiProcessorCount",
     "multiprocessors",
     KRN_PROPERTY_COUNT,
     1,
     {cudaDevAttrMultiProcessorCount}},
};

/* What theoretical peaks, panels and verdicts rest on beside these. */
static const struct entry others[] = {
    {"memoryClockRate", "highest memory clock", KRN_PROPERTY_KHZ, 1, {cudaDevAttrMemoryClockRate}},
    {"memoryBusWidth",
     "width of the memory bus",
     KRN_PROPERTY_BITS,
     1,
     {cudaDevAttrGlobalMemoryBusWidth}},
    {"l2CacheSize", "L2 cache", KRN_PROPERTY_BYTES, 1, {cudaDevAttrL2CacheSize}},
    {"persistingL2CacheMaxSize",
     "of it, for data that is to stay",
     KRN_PROPERTY_BYTES,
     1,
     {cudaDevAttrMaxPersistingL2CacheSize}},
    {"maxThreadsPerMultiProcessor",
     "threads per multiprocessor",
     KRN_PROPERTY_COUNT,
     1,
     {cudaDevAttrMaxThreadsPerMultiProcessor}},
    {"maxBlocksPerMultiProcessor",
     "blocks per multiprocessor",
     KRN_PROPERTY_COUNT,
     1,
     {cudaDevAttrMaxBlocksPerMultiprocessor}},
    {"regsPerMultiprocessor",
     "32-bit registers per multiprocessor",
     KRN_PROPERTY_COUNT,
     1,
     {cudaDevAttrMaxRegistersPerMultiprocessor}},
    {"sharedMemPerMultiprocessor",
     "shared memory per multiprocessor",
     KRN_PROPERTY_BYTES,
     1,
     {cudaDevAttrMaxSharedMemoryPerMultiprocessor}},
    {"sharedMemPerBlockOptin",
     "shared memory per block on request",
     KRN_PROPERTY_BYTES,
     1,
     {cudaDevAttrMaxSharedMemoryPerBlockOptin}},
    {"reservedSharedMemPerBlock",
     "of it, for the driver",
     KRN_PROPERTY_BYTES,
     1,
     {cudaDevAttrReservedSharedMemoryPerBlock}},
    {"singleToDoublePrecisionPerfRatio",
     "single over double precision rate",
     KRN_PROPERTY_COUNT,
     1,
     {cudaDevAttrSingleToDoublePrecisionPerfRatio}},
    {"asyncEngineCount", "copy engines", KRN_PROPERTY_COUNT, 1, {cudaDevAttrAsyncEngineCount}},
    {"concurrentKernels",
     "kernels at the same time",
     KRN_PROPERTY_FLAG,
     1,
     {cudaDevAttrConcurrentKernels}},
    {"ECCEnabled", "error correction", KRN_PROPERTY_FLAG, 1, {cudaDevAttrEccEnabled}},
    {"integrated", "shares the host's memory", KRN_PROPERTY_FLAG, 1, {cudaDevAttrIntegrated}},
    {"kernelExecTimeoutEnabled",
     "a watchdog ends long kernels",
     KRN_PROPERTY_FLAG,
     1,
     {cudaDevAttrKernelExecTimeout}},
    {"computeMode", "compute mode (0: default)", KRN_PROPERTY_COUNT, 1, {cudaDevAttrComputeMode}},
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
        int value = 0;
        if (cudaDeviceGetAttribute(&value, entry->attributes[i], ordinal) != cudaSuccess) {
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
