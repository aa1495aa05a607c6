/* krn/attributes.h - the resources of a multiprocessor that a launch of a kernel takes.
 *
 * The numbers are those on which CUDA by Example and Volkov's slides rest their arguments:
 * registers, shared and constant memory, and the share of a multiprocessor's warps that can be
 * resident at once. The
 * backend reads them from the launch itself, so they belong to the kernel, the block size and the
 * dynamic shared memory that are measured.
 *
 * Thread safety: one thread at a time per device.
 */
#ifndef KRN_ATTRIBUTES_H
#define KRN_ATTRIBUTES_H

#include "krn/device.h"
#include "krn/error.h"
#include "krn/mode.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One launch of a kernel. registers is 0 when nothing is known about it. */
struct krn_kernel_attributes {
    int registers;               /* per thread */
    size_t static_shared_bytes;  /* per block, declared in the kernel */
    size_t dynamic_shared_bytes; /* per block, requested by the launch */
    size_t local_bytes;          /* per thread: arrays and registers that were spilled */
    size_t constant_bytes;       /* of __constant__ variables that the kernel's module declares */
    int threads_max;             /* most threads per block that a launch of it may have */
    int threads;                 /* per block of this launch */
    double blocks;               /* of this launch */
    int blocks_per_processor;    /* most blocks of this launch that one multiprocessor holds */
    double occupancy;            /* 0..1: their warps over the most that a multiprocessor holds */
};

enum { KRN_KERNELS_MAX = 16 };

/* The kernels between the two time stamps of a time, in the order of their launches. */
struct krn_kernels {
    int count; /* 0: nothing is known */
    struct krn_kernel_attributes list[KRN_KERNELS_MAX];
};

/* Returns the kernel that writes the result, which is the last one; NULL when there is none. */
const struct krn_kernel_attributes *krn_kernels_main(const struct krn_kernels *kernels);

/* Returns true when something is known about the kernel. */
bool krn_kernel_known(const struct krn_kernel_attributes *kernel);

/* Returns the attributes of the kernels that render a frame of this mode and view; nothing is
 * launched. The result is kept for each mode until scene or view changes. Errors: KRN_REFUSED
 * (mode, view or no scene), KRN_UNAVAILABLE (the backend cannot tell; the message gives the
 * reason). */
enum krn_code krn_device_kernels(struct krn_device *device, struct krn_mode mode,
                                 const struct krn_view *view, struct krn_kernels *kernels,
                                 struct krn_error *error);

#ifdef __cplusplus
}
#endif
#endif
