/* krn/published.h - two published measurements, repeated as they were published.
 *
 * Sources: J. Sanders, E. Kandrot, CUDA by Example, 6.3 (the ray tracer's timing window); M.
 * Harris, How to Implement Performance Metrics in CUDA C/C++ (one SAXPY launch by three clocks).
 */
#ifndef KRN_PUBLISHED_H
#define KRN_PUBLISHED_H

#include "krn/device.h"
#include "krn/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The book's timing window: the time between its two events, itemised. The host clock measures each
 * item around its own calls; their sum is the window except for the time between items. The
 * kernel's time is part of read-back, which waits for the kernel, and of launch. */
struct krn_book_window {
    double window_ms; /* one pair of events around everything; on the CPU, two clock readings */
    double host_alloc_ms, device_alloc_ms, scene_ms, upload_ms, launch_ms, read_back_ms;
    double kernel_ms; /* a pair of events around the kernel */
};

enum { KRN_BOOK_WINDOW_ITEMS = 6, KRN_BOOK_SIDE = 1024 };

/* Names of the items, in the order of the struct: "host_alloc_ms", ... */
extern const char *const krn_book_window_item[KRN_BOOK_WINDOW_ITEMS];

/* Returns the value of an item, 0 <= item < KRN_BOOK_WINDOW_ITEMS. */
double krn_book_window_value(const struct krn_book_window *window, int item);

/* Describes what the window contains, with the book's own warning. */
const char *krn_book_window_scope(enum krn_backend_id backend);

/* Measures one window: the book's scene from global or constant memory, 1024 x 1024. The run is
 * cold when it is the first use of the backend in the process, else warm.
 * Errors: KRN_REFUSED (another storage), KRN_UNAVAILABLE, KRN_NO_MEMORY, KRN_LOST, KRN_FAILED. */
enum krn_code krn_book_window_run(enum krn_backend_id backend, int ordinal,
                                  enum krn_storage storage, struct krn_book_window *window,
                                  struct krn_error *error);

enum { KRN_CLOCKS_SAMPLES = 50, KRN_SAXPY_ELEMENTS = 20 << 20, KRN_SAXPY_THREADS = 512 };

/* One SAXPY launch measured by three clocks. */
struct krn_saxpy_clocks {
    double launch_ms[KRN_CLOCKS_SAMPLES];       /* host clock around the launch alone */
    double synchronised_ms[KRN_CLOCKS_SAMPLES]; /* host clock, with cudaDeviceSynchronize */
    double events_ms[KRN_CLOCKS_SAMPLES];       /* a pair of events around the launch */
    double max_error;                           /* over all elements of the last result */
};

/* Measures y = 2 x + y over KRN_SAXPY_ELEMENTS floats. Blocks for some tenths of a second.
 * Errors: KRN_UNAVAILABLE (the backend has no asynchronous launches), KRN_NO_MEMORY, KRN_LOST,
 * KRN_FAILED. */
enum krn_code krn_saxpy_clocks_run(enum krn_backend_id backend, int ordinal,
                                   struct krn_saxpy_clocks *clocks, struct krn_error *error);

#ifdef __cplusplus
}
#endif
#endif
