/* kernels/cuda/runtime/stamps.h - the stamps of a frame's parts by CUDA events (krn/stamps.h). */
#ifndef KRN_CUDA_STAMPS_H
#define KRN_CUDA_STAMPS_H

#include "krn/stamps.h"

#include <cuda_runtime_api.h>

struct krn_cuda_stamps;

enum krn_code krn_cuda_stamps_open(struct krn_cuda_stamps **stamps, cudaStream_t stream,
                                   struct krn_error *error);
void krn_cuda_stamps_close(struct krn_cuda_stamps *stamps); /* NULL is fine */

/* Starts a frame, and renews the tie of the clocks when it is due and the stream is idle. Returns
 * false when the clocks cannot be tied. */
bool krn_cuda_stamps_frame(struct krn_cuda_stamps *stamps, uint64_t frame);

/* Record the begin and the end of a part in the stream. */
void krn_cuda_stamps_begin(struct krn_cuda_stamps *stamps, enum krn_part part);
void krn_cuda_stamps_close_part(struct krn_cuda_stamps *stamps);

/* Adds a part between two events that the caller has recorded and that keep their times until the
 * frame has been polled. */
void krn_cuda_stamps_add(struct krn_cuda_stamps *stamps, enum krn_part part, cudaEvent_t begin,
                         cudaEvent_t end);

void krn_cuda_stamps_end(struct krn_cuda_stamps *stamps);
bool krn_cuda_stamps_poll(struct krn_cuda_stamps *stamps, struct krn_stamps *result);

#endif
