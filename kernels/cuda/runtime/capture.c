/* Captures launches into a graph, and reads the attributes of its kernels. */
#include "cuda/runtime/runtime.h"

enum { NODES_MAX = 64, LANES = 32 };

cudaError_t krn_cuda_describe(const struct cudaFuncAttributes *attributes, int blocks,
                              const struct krn_cuda_shape *shape,
                              struct krn_kernel_attributes *kernel)
{
    int ordinal = 0, threads_max = 0;
    const int threads = (int)(shape->threads_x * shape->threads_y),
              warps = (threads + LANES - 1) / LANES;
    cudaError_t status = cudaGetDevice(&ordinal);
    KRN_THEN(status,
             cudaDeviceGetAttribute(&threads_max, cudaDevAttrMaxThreadsPerMultiProcessor, ordinal));
    *kernel = (struct krn_kernel_attributes){
        .registers = attributes->numRegs,
        .static_shared_bytes = attributes->sharedSizeBytes,
        .dynamic_shared_bytes = shape->shared_bytes,
        .local_bytes = attributes->localSizeBytes,
        .constant_bytes = attributes->constSizeBytes,
        .threads_max = attributes->maxThreadsPerBlock,
        .threads = threads,
        .blocks = (double)shape->blocks_x * shape->blocks_y,
        .blocks_per_processor = blocks,
        .occupancy = threads_max >= LANES ? (double)blocks * warps / (threads_max / LANES) : 0.0,
    };
    return status;
}

static struct krn_cuda_shape shape_of(const struct cudaKernelNodeParams *launch)
{
    return (struct krn_cuda_shape){launch->gridDim.x, launch->gridDim.y * launch->gridDim.z,
                                   launch->blockDim.x, launch->blockDim.y * launch->blockDim.z,
                                   launch->sharedMemBytes};
}

static cudaError_t describe(const struct cudaKernelNodeParams *launch,
                            struct krn_kernel_attributes *kernel)
{
    const struct krn_cuda_shape shape = shape_of(launch);
    struct cudaFuncAttributes attributes;
    int blocks = 0;
    cudaError_t status = cudaFuncGetAttributes(&attributes, launch->func);
    KRN_THEN(status, cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                         &blocks, launch->func, (int)(shape.threads_x * shape.threads_y),
                         launch->sharedMemBytes));
    KRN_THEN(status, krn_cuda_describe(&attributes, blocks, &shape, kernel));
    return status;
}

/* What is read of a capture: the kernels' attributes or, where `kernels` is NULL, all shapes. */
struct reader {
    struct krn_kernels *kernels;
    struct krn_cuda_shape *shapes;
    int most, *count;
};

static cudaError_t read_node(cudaGraphNode_t node, const struct reader *reader)
{
    enum cudaGraphNodeType type;
    struct cudaKernelNodeParams launch;
    struct krn_cuda_shape shape = {1, 1, 1, 1, 0};
    cudaError_t status = cudaGraphNodeGetType(node, &type);
    const bool kernel = status == cudaSuccess && type == cudaGraphNodeTypeKernel;
    if (kernel)
        status = cudaGraphKernelNodeGetParams(node, &launch);
    if (status != cudaSuccess || (reader->kernels && !kernel))
        return status;
    if (reader->kernels) {
        status = describe(&launch, &reader->kernels->list[*reader->count]);
    } else if (kernel) {
        shape = shape_of(&launch);
    }
    if (!reader->kernels)
        reader->shapes[*reader->count] = shape;
    *reader->count += status == cudaSuccess;
    return status;
}

/* Reads the nodes of a graph, which were added one after another. */
static cudaError_t read_nodes(cudaGraph_t graph, const struct reader *reader)
{
    cudaGraphNode_t nodes[NODES_MAX];
    size_t count = NODES_MAX;
    cudaError_t status = cudaGraphGetNodes(graph, nodes, &count);
    for (size_t i = 0; status == cudaSuccess && i < count && *reader->count < reader->most; i++)
        status = read_node(nodes[i], reader);
    return status;
}

static enum krn_code unknown(const struct reader *reader, const char *why, struct krn_error *error)
{
    *reader->count = 0;
    return KRN_FAIL(error, KRN_UNAVAILABLE, "The kernel's attributes are not known: %s", why);
}

static enum krn_code capture(cudaStream_t stream, krn_cuda_queue *queue, void *context,
                             const struct reader *reader, struct krn_error *error)
{
    cudaGraph_t graph = NULL;
    struct krn_error why;
    *reader->count = 0;
    cudaError_t status = cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    if (status != cudaSuccess) {
        (void)cudaGetLastError();
        return unknown(reader, cudaGetErrorString(status), error);
    }
    const enum krn_code code = queue(context, &why);
    status = cudaStreamEndCapture(stream, &graph);
    if (code == KRN_OK && status == cudaSuccess)
        status = read_nodes(graph, reader);
    if (graph != NULL)
        cudaGraphDestroy(graph);
    (void)cudaGetLastError();
    if (code != KRN_OK)
        return unknown(reader, why.text, error);
    if (status != cudaSuccess)
        return unknown(reader, cudaGetErrorString(status), error);
    return *reader->count > 0 ? KRN_OK : unknown(reader, "it launches none.", error);
}

enum krn_code krn_cuda_capture(cudaStream_t stream, krn_cuda_queue *queue, void *context,
                               struct krn_kernels *kernels, struct krn_error *error)
{
    const struct reader reader = {
        .kernels = kernels, .most = KRN_KERNELS_MAX, .count = &kernels->count};
    return capture(stream, queue, context, &reader, error);
}

enum krn_code krn_cuda_capture_shapes(cudaStream_t stream, krn_cuda_queue *queue, void *context,
                                      int most, struct krn_cuda_shape *shapes, int *count,
                                      struct krn_error *error)
{
    const struct reader reader = {.shapes = shapes, .most = most, .count = count};
    return capture(stream, queue, context, &reader, error);
}
