/* krn/seeds.h - measurements as two texts took them, to be set beside what they meant.
 *
 * Sources: J. Sanders, E. Kandrot, CUDA by Example, 6.3 (the ray tracer's timing window); M.
 * Harris, How to Implement Performance Metrics in CUDA C/C++ (one SAXPY launch by three clocks).
 */
#ifndef KRN_SEEDS_H
#define KRN_SEEDS_H

#include "krn/device.h"
#include "krn/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The book's window: everything between its two events, and what it is made of. The items are
 * taken by the host's clock, each around its own calls, and add up to the window but for what lies
 * between them. The kernel's own time is part of launch and read-back, which waits for it. */
struct krn_book_window {
    double window_ms; /* by one pair of events (CPU backend: of clock readings) around it all */
    double host_alloc_ms, device_alloc_ms, scene_ms, upload_ms, launch_ms, read_back_ms;
    double kernel_ms; /* between two events around the kernel */
};

enum { KRN_BOOK_WINDOW_ITEMS = 6, KRN_BOOK_SIDE = 1024 };

/* Names of the items, in the order of the struct: "host_alloc_ms", ... */
extern const char *const krn_book_window_item[KRN_BOOK_WINDOW_ITEMS];
double krn_book_window_value(const struct krn_book_window *window, int item);

/* What lies in the window, in words, with the text's own warning. */
const char *krn_book_window_scope(enum krn_backend_id backend);

/* One run of it: the book's scene from global or constant memory, 1024 x 1024. What the process
 * did before decides whether it is a cold or a warm one.
 * Errors: KRN_REFUSED (another storage), KRN_UNAVAILABLE, KRN_NO_MEMORY, KRN_LOST, KRN_FAILED. */
enum krn_code krn_book_window_run(enum krn_backend_id backend, int ordinal,
                                  enum krn_storage storage, struct krn_book_window *window,
                                  struct krn_error *error);

enum { KRN_CLOCKS_SAMPLES = 50, KRN_SAXPY_ELEMENTS = 20 << 20, KRN_SAXPY_THREADS = 512 };

/* One SAXPY launch by three clocks. */
struct krn_saxpy_clocks {
    double launch_ms[KRN_CLOCKS_SAMPLES];       /* host clock around the launch, not waited for */
    double synchronised_ms[KRN_CLOCKS_SAMPLES]; /* the same with cudaDeviceSynchronize */
    double events_ms[KRN_CLOCKS_SAMPLES];       /* a pair of events around the launch */
    double max_error;                           /* over all elements, of the last result */
};

/* y = 2 x + y over KRN_SAXPY_ELEMENTS floats. Waits, for some tenths of a second.
 * Errors: KRN_UNAVAILABLE (a backend without launches), KRN_NO_MEMORY, KRN_LOST, KRN_FAILED. */
enum krn_code krn_saxpy_clocks_run(enum krn_backend_id backend, int ordinal,
                                   struct krn_saxpy_clocks *clocks, struct krn_error *error);

#ifdef __cplusplus
}
#endif
#endif
