/* krn/published.h - published measurements, repeated as they were published.
 *
 * Sources: J. Sanders, E. Kandrot, CUDA by Example, 6.3 (the ray tracer's timing window, and the
 * kernel alone in the same scene); M. Harris, How to Implement Performance Metrics in CUDA C/C++
 * (the size of its SAXPY).
 */
#pragma once

#include "krn/device.h"
#include "krn/error.h"

enum { KRN_BOOK_WINDOW_ITEMS = 6, KRN_BOOK_SIDE = 1024 };

/* The book's timing window: the time between its two events, itemised. The host clock measures each
 * item around its own calls; their sum is the window except for the time between items. The
 * kernel's time is part of read-back, which waits for the kernel, and of launch. */
struct krn_book_window {
    double window_ms; /* one pair of events around everything; on the CPU, two clock readings */
    /* Allocation on the host, and on the device; scene; upload; launch; read-back. */
    double item_ms[KRN_BOOK_WINDOW_ITEMS];
    double kernel_ms; /* a pair of events around the kernel */
    /* Loading the kernel, before the window; 0 where nothing is loaded. The book's runtime loaded
     * all kernels when the program started, today's loads one at its first launch. */
    double load_ms;
    size_t wrong; /* pixels of the picture that differ from the reference */
};

/* Describes what the window contains, with the book's own warning. */
const char *krn_book_window_scope(enum krn_backend_id backend);

/* Measures one window: the book's scene from global or constant memory, 1024 x 1024. The run is
 * cold when it is the first use of the backend in the process, else warm. The kernel is loaded
 * before the window begins, and the picture is compared with the reference after it.
 * Errors: KRN_REFUSED (another storage), KRN_UNAVAILABLE, KRN_NO_MEMORY, KRN_LOST, KRN_FAILED. */
enum krn_code krn_book_window_run(enum krn_backend_id backend, int ordinal,
                                  enum krn_storage storage, struct krn_book_window *window,
                                  struct krn_error *error);

enum { KRN_BOOK_STORAGES = 2, KRN_BOOK_TURNS = 4, KRN_BOOK_TURN_FRAMES = 10 };

/* No further turns begin after this time. */
#define KRN_BOOK_KERNEL_MS 300.0

/* The storages that the book compares: global, then constant memory. */
extern const enum krn_storage krn_book_storages[KRN_BOOK_STORAGES];

/* The book's kernel alone, on the book's scene, 1024 x 1024; per storage. */
struct krn_book_kernel {
    double median_ms[KRN_BOOK_STORAGES];
    size_t n[KRN_BOOK_STORAGES];           /* frames behind the median */
    double overhead_ms[KRN_BOOK_STORAGES]; /* of an empty kernel (krn_device_overhead) */
    double tick_ms;                        /* of the clock (struct krn_overheads) */
    size_t wrong[KRN_BOOK_STORAGES];       /* pixels that differ from the reference */
};

/* Connects a device of its own and measures the kernel from both storages, which take turns of
 * KRN_BOOK_TURN_FRAMES frames; `first`, an index of krn_book_storages, begins. Every frame ends
 * before the next one starts. The first frames of a turn do not count. Replaces the scene in the
 * constant memory of the process. Errors: those of krn_device_render, KRN_UNAVAILABLE,
 * KRN_NO_MEMORY. */
enum krn_code krn_book_kernel_run(enum krn_backend_id backend, int ordinal, int first,
                                  struct krn_book_kernel *kernel, struct krn_error *error);

/* The article's SAXPY: elements, and threads per block. */
enum { KRN_SAXPY_ELEMENTS = 20 << 20, KRN_SAXPY_THREADS = 512 };
