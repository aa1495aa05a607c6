#include "cuda/runtime/capture.h"

#include "cuda/runtime/check.h"

enum { NODES_MAX = 64, LANES = 32 };

static double occupancy_of(int blocks, int threads, int threads_max)
{
    const int warps = (threads + LANES - 1) / LANES, warps_max = threads_max / LANES;
    return warps_max > 0 ? (double)blocks * warps / warps_max : 0.0;
}

static cudaError_t describe(const struct cudaKernelNodeParams *launch,
                            struct krn_kernel_attributes *kernel)
{
    struct cudaFuncAttributes attributes;
    int ordinal = 0, threads_max = 0, blocks = 0;
    const int threads = (int)(launch->blockDim.x * launch->blockDim.y * launch->blockDim.z);
    cudaError_t status = cudaFuncGetAttributes(&attributes, launch->func);
    if (status == cudaSuccess)
        status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, launch->func, threads,
                                                               launch->sharedMemBytes);
    if (status == cudaSuccess)
        status = cudaGetDevice(&ordinal);
    if (status == cudaSuccess)
        status =
            cudaDeviceGetAttribute(&threads_max, cudaDevAttrMaxThreadsPerMultiProcessor, ordinal);
    if (status != cudaSuccess)
        return status;
    *kernel = (struct krn_kernel_attributes){
        .registers = attributes.numRegs,
        .static_shared_bytes = attributes.sharedSizeBytes,
        .dynamic_shared_bytes = launch->sharedMemBytes,
        .local_bytes = attributes.localSizeBytes,
        .constant_bytes = attributes.constSizeBytes,
        .threads_max = attributes.maxThreadsPerBlock,
        .threads = threads,
        .blocks = (double)launch->gridDim.x * launch->gridDim.y * launch->gridDim.z,
        .blocks_per_processor = blocks,
        .occupancy = occupancy_of(blocks, threads, threads_max),
    };
    return cudaSuccess;
}

/* Describes the kernels of a graph, whose nodes were added one after another. */
static cudaError_t read_nodes(cudaGraph_t graph, struct krn_kernels *kernels)
{
    cudaGraphNode_t nodes[NODES_MAX];
    size_t count = NODES_MAX;
    cudaError_t status = cudaGraphGetNodes(graph, nodes, &count);
    for (size_t i = 0; status == cudaSuccess && i < count && kernels->count < KRN_KERNELS_MAX;
         i++) {
        enum cudaGraphNodeType type;
        struct cudaKernelNodeParams launch;
        status = cudaGraphNodeGetType(nodes[i], &type);
        if (status != cudaSuccess || type != cudaGraphNodeTypeKernel)
            continue;
        status = cudaGraphKernelNodeGetParams(nodes[i], &launch);
        if (status == cudaSuccess)
            status = describe(&launch, &kernels->list[kernels->count]);
        kernels->count += status == cudaSuccess;
    }
    return status;
}

static enum krn_code unknown(struct krn_kernels *kernels, const char *why, struct krn_error *error)
{
    kernels->count = 0;
    return KRN_FAIL(error, KRN_UNAVAILABLE, "The kernel's attributes are not known: %s", why);
}

enum krn_code krn_cuda_capture(cudaStream_t stream,
                               enum krn_code (*queue)(void *context, struct krn_error *error),
                               void *context, struct krn_kernels *kernels, struct krn_error *error)
{
    cudaGraph_t graph = NULL;
    struct krn_error why;
    kernels->count = 0;
    cudaError_t status = cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    if (status != cudaSuccess) {
        (void)cudaGetLastError();
        return unknown(kernels, cudaGetErrorString(status), error);
    }
    const enum krn_code code = queue(context, &why);
    status = cudaStreamEndCapture(stream, &graph);
    if (code == KRN_OK && status == cudaSuccess)
        status = read_nodes(graph, kernels);
    if (graph != NULL)
        cudaGraphDestroy(graph);
    (void)cudaGetLastError();
    if (code != KRN_OK)
        return unknown(kernels, why.text, error);
    if (status != cudaSuccess)
        return unknown(kernels, cudaGetErrorString(status), error);
    return kernels->count > 0 ? KRN_OK : unknown(kernels, "it launches none.", error);
}
