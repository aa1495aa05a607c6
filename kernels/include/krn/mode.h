/* krn/mode.h - the modes that render the same picture: kernel, storage, pixels per thread.
 *
 * Two lists define every kernel and every storage. Enumerators, names, options, keys, help, result
 * tables and the tests of equal bytes are derived from them. Each backend has a table of launchers
 * for their entries. docs/adding.md explains how to add an entry.
 *
 * Thread safety: every function may be called from any thread.
 */
#pragma once

#include "krn/scene.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The storages, from which kernels read the spheres, one line each:
 *
 *     X(ENUMERATOR, name, memory, bytes_max, help)
 *
 * name is the name in options, records and file names; memory is the name at the start of a
 * sentence. bytes_max is its capacity; 0 means all of the device's memory. The key n selects the
 * n-th storage. SEPARATOR separates two lines. On the CPU backend, all storages use the same
 * caches. */
#define KRN_STORAGES(X, SEPARATOR)                                                                 \
    X(GLOBAL, "global", "Global memory", 0,                                                        \
      "loads that the compiler cannot prove to be read-only")                                      \
    SEPARATOR                                                                                      \
    X(READONLY, "readonly", "The read-only path", 0, "__ldg, the read-only data path")             \
    SEPARATOR                                                                                      \
    X(CONSTANT, "constant", "Constant memory", KRN_CONSTANT_BYTES,                                 \
      "the 64 KiB of constant memory")                                                             \
    SEPARATOR                                                                                      \
    X(SHARED, "shared", "Shared memory", 0, "staged into shared memory by every block")            \
    SEPARATOR                                                                                      \
    X(TEXTURE, "texture", "A linear texture", (size_t)1 << 29,                                     \
      "linear textures: 2^27 texels at least")

#define KRN_STORAGE_ENUMERATOR(id, name, memory, bytes_max, help) KRN_STORAGE_##id
#define KRN_COMMA ,
enum krn_storage { KRN_STORAGES(KRN_STORAGE_ENUMERATOR, KRN_COMMA), KRN_STORAGE_COUNT };

/* The numbers of pixels per thread (K): 1, 2, 4, 8, 16. Modes that differ in K alone are different
 * modes. */
enum { KRN_PIXELS_COUNT = 5, KRN_PIXELS_MAX = 16 };

/* Sets of storages and of K, as bits. */
enum {
    KRN_GLOBAL_ALONE = 1 << KRN_STORAGE_GLOBAL,
    KRN_EVERY_STORAGE = (1 << KRN_STORAGE_COUNT) - 1,
    KRN_TREE_STORAGES = KRN_EVERY_STORAGE & ~(1 << KRN_STORAGE_SHARED),
    KRN_MINE_STORAGES = 1 << KRN_STORAGE_GLOBAL | 1 << KRN_STORAGE_CONSTANT,
    KRN_ONE_PIXEL = 1,
    KRN_EVERY_K = (1 << KRN_PIXELS_COUNT) - 1
};

/* The views of a scene, one line each: X(ENUMERATOR, name, help). Kernels of one view render the
 * same bytes. */
#define KRN_VIEWS(X, SEPARATOR)                                                                    \
    X(BOOK, "book", "parallel rays, as in the book")                                               \
    SEPARATOR                                                                                      \
    X(LIGHT, "light", "a camera, a sun, shadows and mirrors")

#define KRN_VIEW_ENUMERATOR(id, name, help) KRN_VIEW_##id
enum krn_view_kind { KRN_VIEWS(KRN_VIEW_ENUMERATOR, KRN_COMMA), KRN_VIEW_COUNT };

/* The kernels, one line each:
 *
 *     X(ENUMERATOR, name, view, storages, pixels, pixels_start, sphere_bytes, bins, help)
 *
 * storages and pixels are sets as above; pixels_start is the initial K. sphere_bytes is the size of
 * a sphere in the layout that the kernel reads: 28 as in the book, 16 packed, 32 with its centre
 * in sun space, 96 with the nodes of a tree. bins: the kernel first sorts the spheres into lists or
 * builds a tree; its readings have the time of that as binning_ms. A GPU sorts no scene of up to
 * 4096 spheres. A kernel that fixes K itself has KRN_ONE_PIXEL. The last one is the user's
 * (krn/mine.h). */
#define KRN_KERNELS(X, SEPARATOR)                                                                  \
    X(BOOK, "book", KRN_VIEW_BOOK, KRN_EVERY_STORAGE, KRN_ONE_PIXEL, 1, 28, false, "the baseline") \
    SEPARATOR                                                                                      \
    X(STRIP, "strip", KRN_VIEW_BOOK, KRN_EVERY_STORAGE, KRN_EVERY_K, 8, 16, false,                 \
      "K pixels per thread")                                                                       \
    SEPARATOR                                                                                      \
    X(BINNED, "binned", KRN_VIEW_BOOK, KRN_GLOBAL_ALONE, KRN_ONE_PIXEL, 1, 16, true,               \
      "spheres sorted into tiles")                                                                 \
    SEPARATOR                                                                                      \
    X(SPLAT, "splat", KRN_VIEW_BOOK, KRN_GLOBAL_ALONE, KRN_ONE_PIXEL, 1, 16, false,                \
      "each sphere writes its pixels")                                                             \
    SEPARATOR                                                                                      \
    X(BRUTE, "brute", KRN_VIEW_LIGHT, KRN_EVERY_STORAGE, KRN_ONE_PIXEL, 1, 32, false,              \
      "every ray tests every sphere")                                                              \
    SEPARATOR                                                                                      \
    X(TREE, "tree", KRN_VIEW_LIGHT, KRN_TREE_STORAGES, KRN_ONE_PIXEL, 1, 96, true,                 \
      "a bounding volume hierarchy")                                                               \
    SEPARATOR                                                                                      \
    X(MINE, "mine", KRN_VIEW_BOOK, KRN_MINE_STORAGES, KRN_ONE_PIXEL, 1, 28, false,                 \
      "your own, from --kernel-file")

#define KRN_KERNEL_ENUMERATOR(id, name, view, storages, pixels, start, bytes, bins, help)          \
    KRN_KERNEL_##id
enum krn_kernel { KRN_KERNELS(KRN_KERNEL_ENUMERATOR, KRN_COMMA), KRN_KERNEL_COUNT };

/* The entries of the two lists. */
struct krn_storage_info {
    const char *name, *memory, *help;
    size_t bytes_max;
};
struct krn_kernel_info {
    const char *name, *help;
    enum krn_view_kind view;
    int storages, pixels; /* sets */
    int pixels_start;
    int sphere_bytes;
    bool bins;
};

/* Return the entry of a storage or a kernel; NULL for an invalid number. */
const struct krn_storage_info *krn_storage_describe(enum krn_storage storage);
const struct krn_kernel_info *krn_kernel_describe(enum krn_kernel kernel);

/* Return the name in options, records and file names: "global", "book", ...; "n/a" for an invalid
 * number. */
const char *krn_view_name(enum krn_view_kind view);
const char *krn_storage_name(enum krn_storage storage);
const char *krn_kernel_name(enum krn_kernel kernel);

/* Convert an index, 0 <= index < KRN_PIXELS_COUNT, to K and back; -1 for an invalid K. */
int krn_pixels_at(int index);
int krn_pixels_index(int pixels);

/* Returns true when the kernel supports more than one K. */
bool krn_kernel_has_pixels(enum krn_kernel kernel);

/* A way to render a view; all modes of a view give the same bytes. */
struct krn_mode {
    enum krn_kernel kernel;
    enum krn_storage storage;
    int pixels_per_thread; /* K, from the kernel's set */
};

/* Indices of modes are in the order of tables: by kernel, storage and K. The first KRN_MODES are
 * those that every device has; the others are the user's kernel's, of which a device has one once
 * it is loaded (krn_device_offers), and a record any. */
#define KRN_BITS(set)                                                                              \
    (((set)&1) + ((set) >> 1 & 1) + ((set) >> 2 & 1) + ((set) >> 3 & 1) + ((set) >> 4 & 1) +       \
     ((set) >> 5 & 1) + ((set) >> 6 & 1) + ((set) >> 7 & 1))
#define KRN_KERNEL_MODES(id, name, view, storages, pixels, start, bytes, bins, help)               \
    KRN_BITS(storages) * KRN_BITS(pixels)
enum {
    KRN_MODES_MAX = KRN_KERNELS(KRN_KERNEL_MODES, +),
    KRN_MODES = KRN_MODES_MAX - KRN_BITS(KRN_MINE_STORAGES)
};
struct krn_mode krn_mode_at(int index);
int krn_mode_index(struct krn_mode mode);               /* -1 for an invalid mode */
enum krn_view_kind krn_mode_view(struct krn_mode mode); /* KRN_VIEW_BOOK for an invalid kernel */
bool krn_mode_equal(struct krn_mode a, struct krn_mode b);

/* Formats a mode: "book/global"; with K, unless it is 1: "strip/constant/8". */
void krn_mode_name(struct krn_mode mode, char *text, size_t size);

/* Checks that a mode is valid and can render `spheres` spheres, without querying a device. The
 * capacity of a storage is the same on all backends, so a state that is valid on one is valid on
 * the others. Errors: KRN_REFUSED; the message gives the reason and, if there is one, the largest
 * number of spheres. */
enum krn_code krn_mode_check(struct krn_mode mode, int spheres, struct krn_error *error);

#ifdef __cplusplus
}
#endif
