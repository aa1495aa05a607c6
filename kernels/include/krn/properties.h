/* krn/properties.h - the properties of a device, as a list of named numbers, and the attributes of
 * its kernels.
 *
 * A GPU's list begins with the fields that a tutorial's printDeviceProp prints, in its order and by
 * its names, and goes on with those that this program's theoretical peaks and panels rest on. The
 * CPU backend lists what corresponds to them. Values have 64 bits: the tutorial prints sizes with
 * %d, which overflows from 2 GiB on.
 *
 * Thread safety: every function may be called from any thread, but krn_device_kernels from one at a
 * time per device.
 */
#pragma once

#include "krn/device.h"
#include "krn/error.h"
#include "krn/mode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum krn_property_kind {
    KRN_PROPERTY_TEXT,  /* text */
    KRN_PROPERTY_COUNT, /* a number without a unit */
    KRN_PROPERTY_BYTES,
    KRN_PROPERTY_BITS,
    KRN_PROPERTY_KHZ,
    KRN_PROPERTY_VERSION, /* two values: major and minor */
    KRN_PROPERTY_FLAG     /* 0: no, 1: yes */
};

enum { KRN_PROPERTY_VALUES = 3, KRN_PROPERTY_TEXT_MAX = 128 };

struct krn_property {
    const char *key;   /* its name: of a GPU, the one that the tutorial or cudaDeviceProp uses */
    const char *words; /* its meaning, in a few words */
    enum krn_property_kind kind;
    bool published; /* the tutorial prints it */
    bool known;     /* false: the driver or the system does not report it */
    int count;      /* of values; 0 for a text */
    int64_t values[KRN_PROPERTY_VALUES];
    char text[KRN_PROPERTY_TEXT_MAX];
};

enum { KRN_PROPERTIES_MAX = 40 };

/* Lists the properties of device `ordinal` without connecting to it, published ones first. Errors:
 * KRN_UNAVAILABLE (there is no such device; the message gives the reason). */
enum krn_code krn_properties_read(enum krn_backend_id backend, int ordinal,
                                  struct krn_property list[KRN_PROPERTIES_MAX], int *count,
                                  struct krn_error *error);

/* --- the resources of a multiprocessor that a launch of a kernel takes ---
 *
 * The numbers are those on which CUDA by Example and Volkov's slides rest their arguments:
 * registers, shared and constant memory, and the share of a multiprocessor's warps that can be
 * resident at once. The backend reads them from the launch itself, so they belong to the kernel,
 * the block size and the dynamic shared memory that are measured.
 */

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
