/* kernels/cuda/runtime/capture.h - reads the attributes of kernels from their launches (private to
 * kernels/cuda).
 *
 * A launch that is queued while a stream is captured does not run: it becomes a node of a CUDA
 * graph, which tells the kernel, its block size and its dynamic shared memory. So no list of
 * kernels can disagree with what is launched, templates and choices at run time included.
 */
#ifndef KRN_CUDA_CAPTURE_H
#define KRN_CUDA_CAPTURE_H

#include "cuda/runtime/kernels.h"
#include "krn/attributes.h"
#include "krn/error.h"

#include <cuda_runtime_api.h>

/* Captures what queue(context) queues on the stream, and describes its kernels; memsets and copies
 * are left out. A queue that waits for the device cannot be captured. Errors: KRN_UNAVAILABLE (not
 * known; the message gives the reason), also when it queues no kernel. */
enum krn_code krn_cuda_capture(cudaStream_t stream,
                               enum krn_code (*queue)(void *context, struct krn_error *error),
                               void *context, struct krn_kernels *kernels, struct krn_error *error);

/* Captures likewise, and writes the shapes of at most `most` launches; a memset or a copy counts as
 * a launch of one thread. Errors: KRN_UNAVAILABLE; *count is 0 then. */
enum krn_code krn_cuda_capture_shapes(
    cudaStream_t stream, enum krn_code (*queue)(void *context, struct krn_error *error),
    void *context, int most, struct krn_cuda_shape *shapes, int *count, struct krn_error *error);

#endif
