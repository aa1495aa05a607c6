/* krn/mode.h - the ways to render one picture: kernels, storages, pixels per thread.
 *
 * Two lists name every kernel and every storage. Enumerators, names, options, keys, help, tables of
 * results and the tests of equal bytes follow from them; what a backend launches for an entry is a
 * table of the backend's own. Adding an entry: docs/adding.md.
 */
#ifndef KRN_MODE_H
#define KRN_MODE_H

#include "krn/scene.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where a kernel reads the spheres from, one line per storage:
 *
 *     X(ENUMERATOR, name, memory, bytes_max, help)
 *
 * name is used by options, records and file names. memory begins a sentence about it. bytes_max is
 * what it holds, 0: as much as the device's memory. The n-th storage is on the key n. SEPARATOR
 * stands between two lines. On the CPU backend all storages read the same caches. */
#define KRN_STORAGES(X, SEPARATOR)                                                                 \
    X(GLOBAL, "global", "Global memory", 0,                                                        \
      "loads that the compiler cannot prove to be read-only")                                      \
    SEPARATOR                                                                                      \
    X(READONLY, "readonly", "The read-only path", 0, "__ldg, the read-only data path")             \
    SEPARATOR                                                                                      \
    X(CONSTANT, "constant", "Constant memory", KRN_CONSTANT_BYTES,                                 \
      "the 64 KiB of constant memory")                                                             \
    SEPARATOR                                                                                      \
    X(SHARED, "shared", "Shared memory", 0, "staged into shared memory by every block")

#define KRN_STORAGE_ENUMERATOR(id, name, memory, bytes_max, help) KRN_STORAGE_##id
#define KRN_COMMA ,
enum krn_storage { KRN_STORAGES(KRN_STORAGE_ENUMERATOR, KRN_COMMA), KRN_STORAGE_COUNT };

/* The counts of pixels per thread (K) that there are: 1, 2, 4, 8, 16. Modes that differ in K alone
 * are different modes. */
enum { KRN_PIXELS_COUNT = 5, KRN_PIXELS_MAX = 16 };

/* Sets of storages and of K, as bits. */
enum {
    KRN_GLOBAL_ALONE = 1 << KRN_STORAGE_GLOBAL,
    KRN_EVERY_STORAGE = (1 << KRN_STORAGE_COUNT) - 1,
    KRN_ONE_PIXEL = 1,
    KRN_EVERY_K = (1 << KRN_PIXELS_COUNT) - 1
};

/* One line per kernel:
 *
 *     X(ENUMERATOR, name, storages, pixels, pixels_start, sphere_bytes, help)
 *
 * storages and pixels are sets as above; pixels_start is the K that the kernel starts with.
 * sphere_bytes is what one sphere takes where the kernel reads it: 28 as in the book, 16 packed. */
#define KRN_KERNELS(X, SEPARATOR)                                                                  \
    X(BOOK, "book", KRN_EVERY_STORAGE, KRN_ONE_PIXEL, 1, 28, "the baseline")                       \
    SEPARATOR                                                                                      \
    X(STRIP, "strip", KRN_EVERY_STORAGE, KRN_EVERY_K, 8, 16, "K pixels per thread")                \
    SEPARATOR                                                                                      \
    X(BINNED, "binned", KRN_GLOBAL_ALONE, KRN_ONE_PIXEL, 1, 16, "spheres sorted into tiles")

#define KRN_KERNEL_ENUMERATOR(id, name, storages, pixels, start, bytes, help) KRN_KERNEL_##id
enum krn_kernel { KRN_KERNELS(KRN_KERNEL_ENUMERATOR, KRN_COMMA), KRN_KERNEL_COUNT };

/* What the lists say of a storage and of a kernel. */
struct krn_storage_info {
    const char *name, *memory, *help;
    size_t bytes_max;
};
struct krn_kernel_info {
    const char *name, *help;
    int storages, pixels; /* sets */
    int pixels_start;
    int sphere_bytes;
};

/* The entry of a storage or a kernel; NULL for a number that is none. */
const struct krn_storage_info *krn_storage_describe(enum krn_storage storage);
const struct krn_kernel_info *krn_kernel_describe(enum krn_kernel kernel);

/* Names as in options, records and file names: "global", "book", ...; "n/a" for a number that is
 * none. */
const char *krn_storage_name(enum krn_storage storage);
const char *krn_kernel_name(enum krn_kernel kernel);

int krn_pixels_at(int index);     /* 0 <= index < KRN_PIXELS_COUNT */
int krn_pixels_index(int pixels); /* -1 when there is no such K */
/* True when the kernel takes more than one K. */
bool krn_kernel_has_pixels(enum krn_kernel kernel);

/* A way to render the same bytes. */
struct krn_mode {
    enum krn_kernel kernel;
    enum krn_storage storage;
    int pixels_per_thread; /* K: one of krn_pixels_at that the kernel takes */
};

/* Every mode that exists for some scene, in the order of tables: by kernel, storage and K. */
#define KRN_BITS(set)                                                                              \
    (((set)&1) + ((set) >> 1 & 1) + ((set) >> 2 & 1) + ((set) >> 3 & 1) + ((set) >> 4 & 1) +       \
     ((set) >> 5 & 1) + ((set) >> 6 & 1) + ((set) >> 7 & 1))
#define KRN_KERNEL_MODES(id, name, storages, pixels, start, bytes, help)                           \
    KRN_BITS(storages) * KRN_BITS(pixels)
enum { KRN_MODES = KRN_KERNELS(KRN_KERNEL_MODES, +) };
struct krn_mode krn_mode_at(int index);
int krn_mode_index(struct krn_mode mode); /* -1 when it is none of them */
bool krn_mode_equal(struct krn_mode a, struct krn_mode b);

/* "book/global"; with pixels per thread where they are not 1: "strip/constant/8". */
void krn_mode_name(struct krn_mode mode, char *text, size_t size);

/* KRN_OK when mode can render `spheres` spheres; else KRN_REFUSED with the reason and, where there
 * is one, the largest count that fits. Pure: asks no device. The limit of a storage is the same on
 * both backends, so that a state is valid on either. */
enum krn_code krn_mode_check(struct krn_mode mode, int spheres, struct krn_error *error);

#ifdef __cplusplus
}
#endif
#endif
