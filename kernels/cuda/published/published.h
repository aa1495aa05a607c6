/* kernels/cuda/published/published.h - the CUDA functions behind krn/published.h (private to
 * kernels/cuda). */
#ifndef KRN_CUDA_PUBLISHED_H
#define KRN_CUDA_PUBLISHED_H

#include "core/device/backend.h"

enum krn_code krn_cuda_book_window(int ordinal, enum krn_storage storage,
                                   struct krn_book_window *window, struct krn_error *error);

#endif
