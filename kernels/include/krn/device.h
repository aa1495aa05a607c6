/* krn/device.h - backends, devices and timed frames.
 *
 * A backend is an entry of a table that counts, describes and connects devices. A connected device
 * has a table of functions behind the calls below, so that the caller does not know which backend
 * it drives. The CPU backend is always available. No CUDA type appears here: image memory is a
 * pointer with a pitch, and the stream is opaque.
 *
 * Thread safety: one thread at a time per device.
 */
#pragma once

#include "krn/error.h"
#include "krn/light.h"
#include "krn/mode.h"
#include "krn/scene.h"
#include "krn/stats.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum krn_backend_id { KRN_BACKEND_CUDA, KRN_BACKEND_CPU, KRN_BACKEND_GL, KRN_BACKEND_COUNT };

/* Returns the name in options and records: "cuda", "cpu" or "gl"; never NULL. */
const char *krn_backend_name(enum krn_backend_id id);

/* The rays of an image. The ray of pixel (i, j) is parallel to z and passes through
 * ((i - width/2) * unit, (j - height/2) * unit), with integer divisions as in the book. */
struct krn_view {
    int width, height;      /* pixels, 1..KRN_SIZE_MAX each */
    float unit;             /* scene units per pixel, > 0; 1024 / height is "fit" */
    struct krn_light light; /* for kernels of the light view, which ignore unit */
};

enum { KRN_SIZE_MAX = 16384 };

/* A linear RGBA8 image in device memory (CUDA) or host memory (CPU). Row j starts at
 * pixels + j * pitch_bytes; row 0 has the smallest y. */
struct krn_image {
    void *pixels;
    size_t pitch_bytes; /* >= 4 * width, a multiple of 4 */
    int width, height;
};

/* Capabilities of a backend's devices. Callers query these, not the backend. */
struct krn_capabilities {
    const char *noun;       /* the common name of such a device: "GPU", "CPU" */
    bool host_images;       /* the host can read and write image->pixels */
    bool host_processors;   /* kernels run on the same processors as the program */
    bool asynchronous;      /* krn_device_render returns before the kernel has run */
    bool distinct_storages; /* storages are different memories; else all use the same caches */
    bool telemetry;         /* krn/telemetry.h can read its clocks, by pci_id */
    bool warps;             /* threads run in groups of 32, many more than there are processors */
    bool cycle_counters;    /* kernels can read their processor's clock (krn/heat.h) */
    /* Pixels times spheres per millisecond of a slow device: the estimate before any measurement.
     */
    double tests_per_ms;
    int sphere_bytes; /* of a device's memory that each sphere of a scene takes */
};

enum { KRN_CACHE_LEVELS = 3 };

/* Description of a connected device. Unknown numbers are 0, unknown strings "n/a". */
struct krn_device_info {
    enum krn_backend_id backend;
    struct krn_capabilities can;
    int ordinal;
    char name[128];
    char driver[32];  /* CUDA: the newest CUDA version that the driver supports, "13.0" */
    char runtime[32]; /* CUDA: version of the runtime library; CPU: the instruction-set level */
    char pci_id[32];  /* "0000:06:00.0" */
    char clock[32];   /* the clock of the readings: "CUDA events" or "monotonic clock" */
    int compute_major, compute_minor;
    int processors;            /* multiprocessors, or the CPU backend's threads */
    int fma_lanes;             /* single-precision multiply-adds per clock and multiprocessor */
    int dfma_lanes;            /* the same, double precision */
    int threads_per_processor; /* maximum of resident threads per multiprocessor */
    size_t memory_bytes;
    double clock_max_mhz, memory_clock_mhz;
    int memory_bus_bits;
    size_t l2_bytes;
    /* Capacity of the caches that a thread's read passes, the nearest first; 0: there is no such
     * level. On a GPU, the first one is what an L1 cache shares with shared memory. */
    size_t cache_bytes[KRN_CACHE_LEVELS];
};

/* Overheads of a measurement, medians measured at connect. krn_device_overhead measures that of a
 * mode's own grid, which is larger. */
struct krn_overheads {
    double event_ms;        /* a pair of time stamps around nothing */
    double empty_kernel_ms; /* a pair around an empty kernel (CPU: an empty parallel region) */
    double tick_ms; /* the smallest step between two readings that was seen; 0: all were equal */
};

/* The overhead in a time: the median time of empty kernels, and its 95 % interval. */
struct krn_overhead {
    double ms; /* 0: unknown */
    struct krn_interval interval;
};

/* The tag of a frame that is not timed. */
#define KRN_UNTIMED UINT64_MAX

/* One kernel time. */
struct krn_reading {
    double ms;
    double binning_ms; /* the part of ms that sorts spheres or builds a tree; 0: none does */
    struct krn_mode mode;
    uint64_t tag;      /* of krn_device_render */
    const char *scope; /* what happens between the two time stamps, in words */
    double cpu_ms;     /* CPU backend: CPU time of all threads of this process meanwhile; else 0 */
    bool busy;         /* an earlier frame was still queued or running when this one was queued */
};

struct krn_device;
struct krn_book_window;

/* An entry of the backend table. */
struct krn_backend {
    enum krn_backend_id id;
    const char *name;
    const struct krn_capabilities *can; /* also part of its devices' descriptions */
    /* Counts the usable devices. Errors: KRN_UNAVAILABLE; the message gives the reason. */
    enum krn_code (*count)(int *devices, struct krn_error *error);
    /* Describes device `ordinal` without connecting to it. Errors: KRN_UNAVAILABLE. */
    enum krn_code (*describe)(int ordinal, struct krn_device_info *info, struct krn_error *error);
    /* Connects to device `ordinal` and runs one empty kernel on it. Errors: KRN_UNAVAILABLE (the
     * message gives the reason), KRN_NO_MEMORY, KRN_FAILED. */
    enum krn_code (*connect)(int ordinal, struct krn_device **device, struct krn_error *error);
    /* The book's timing window (krn/published.h); NULL: that of any device. */
    enum krn_code (*book_window)(int ordinal, enum krn_storage storage,
                                 struct krn_book_window *window, struct krn_error *error);
};

/* Returns the entry of a backend. In a build without CUDA, the functions of the cuda entry fail
 * with KRN_UNAVAILABLE. */
const struct krn_backend *krn_backend_get(enum krn_backend_id id);

/* Closes a device and frees everything that it allocated; accepts NULL. */
void krn_device_close(struct krn_device *device);

const struct krn_device_info *krn_device_describe(const struct krn_device *device);
struct krn_overheads krn_device_overheads(const struct krn_device *device);

/* Checks that the device can render its scene in this mode: krn_mode_check succeeds, and the
 * backend has a launcher. Errors: KRN_REFUSED; the message gives the reason. */
enum krn_code krn_device_check_mode(const struct krn_device *device, struct krn_mode mode,
                                    struct krn_error *error);

/* Returns true for the modes that this device lists: all but those of the user's kernel, of which
 * it lists that of the loaded one. */
bool krn_device_offers(const struct krn_device *device, struct krn_mode mode);

/* Copies the scene into every storage that it fits. The device keeps no pointer to *scene.
 * Errors: KRN_NO_MEMORY (the old scene stays), KRN_LOST, KRN_FAILED. */
enum krn_code krn_device_set_scene(struct krn_device *device, const struct krn_scene *scene,
                                   struct krn_error *error);

/* Rotates the scene on the device, in every storage. Returns at once when the pose is unchanged. */
enum krn_code krn_device_set_pose(struct krn_device *device, struct krn_pose pose,
                                  struct krn_error *error);

/* Allocates an image that the device can write, with undefined contents. Errors: KRN_REFUSED (size
 * out of range), KRN_NO_MEMORY. */
enum krn_code krn_device_alloc_image(struct krn_device *device, int width, int height,
                                     struct krn_image *image, struct krn_error *error);
void krn_device_free_image(struct krn_device *device, struct krn_image *image);

/* Renders the rotated scene into an image of the view's size and times the kernel alone. An
 * asynchronous device returns before the kernel has run. When several frames are in flight, blocks
 * until one of them completes, because a long queue slows the kernels that it times. When all
 * timing slots are in use, renders the frame untimed instead of waiting. The reading carries `tag`;
 * KRN_UNTIMED requests no reading. Errors: KRN_REFUSED (mode or sizes), KRN_LOST, KRN_FAILED. */
enum krn_code krn_device_render(struct krn_device *device, struct krn_mode mode,
                                const struct krn_view *view, const struct krn_image *image,
                                uint64_t tag, struct krn_error *error);

/* Renders `count` times between one pair of time stamps and blocks. *ms is the mean time of one
 * kernel, including the gaps between launches; 0: unknown, the host was late every time. Use it for
 * kernels that are too short for a pair of time stamps each. Drops readings that have not been
 * polled. Errors: as krn_device_render. */
enum krn_code krn_device_render_batch(struct krn_device *device, struct krn_mode mode,
                                      const struct krn_view *view, const struct krn_image *image,
                                      int count, double *ms, struct krn_error *error);

/* Removes the oldest complete reading from the queue. Returns false when there is none. Does not
 * block. A frame whose gate opened by itself gives no reading, because the host's delay would be
 * part of its time (krn_device_gate_drops). */
bool krn_device_poll(struct krn_device *device, struct krn_reading *reading);

/* Returns the number of frames since connect that gave no reading because the host was late: the
 * gate that held the device opened by itself (cuda/runtime/runtime.h). The first frame of a mode
 * with a scene and view is not counted: its kernel may be loaded meanwhile, which takes longer than
 * a gate holds. The CPU backend has no gate: it drops a reading only where a test injects
 * "krn_host_late". */
unsigned long krn_device_gate_drops(const struct krn_device *device);

/* Measures the overhead in the times of a mode: the median time of a few dozen launches of an empty
 * kernel, by the same method as the kernel. Number of launches, grids, blocks and dynamic shared
 * memory are those of the mode, but a grid has no more blocks than the device holds of the mode's
 * kernel at once: later blocks start while earlier ones work. On the CPU: empty jobs
 * of the same numbers of pieces on the same threads. Blocks, on a GPU for about 1 ms, and waits for
 * earlier frames. The result is kept for each shape of launches until the scene changes. Errors:
 * KRN_REFUSED (mode, view or no scene), KRN_NO_MEMORY, KRN_LOST, KRN_FAILED (the host was late
 * nearly every time). */
enum krn_code krn_device_overhead(struct krn_device *device, struct krn_mode mode,
                                  const struct krn_view *view, struct krn_overhead *overhead,
                                  struct krn_error *error);

/* The least that a picture takes: the time of a kernel that only reads the place and the radius of
 * every sphere once, 16 bytes, and writes every pixel once. Times of a kernel are told as multiples
 * of it. */
struct krn_limit {
    double net_ms;                /* the median, without the overhead of its launch; 0: unknown */
    double raw_ms;                /* with it, as it would be timed alone */
    struct krn_interval interval; /* of net_ms, 95 % */
};

/* Measures the limit of a view of the device's scene: pairs of a batch of its launches and a batch
 * of empty kernels of the same shape, each between two time stamps. Writes no picture and takes no
 * reading of a frame. Blocks for some milliseconds and waits for earlier frames. Errors:
 * KRN_REFUSED (view or no scene), KRN_NO_MEMORY, KRN_LOST, KRN_FAILED (the host was late nearly
 * every time). */
enum krn_code krn_device_limit(struct krn_device *device, const struct krn_view *view,
                               struct krn_limit *limit, struct krn_error *error);

/* Blocks until all launched work is complete. Errors: KRN_LOST, KRN_FAILED. */
enum krn_code krn_device_sync(struct krn_device *device, struct krn_error *error);

/* Copies image into host memory in rows of 4 * width bytes and blocks until the copy is complete.
 * Errors: KRN_LOST, KRN_FAILED. */
enum krn_code krn_device_read(struct krn_device *device, const struct krn_image *image,
                              void *pixels, struct krn_error *error);

/* Sets every byte of an image's pixels, in order with the frames and outside of their times.
 * Errors: KRN_LOST, KRN_FAILED. */
enum krn_code krn_device_fill(struct krn_device *device, const struct krn_image *image,
                              uint8_t byte, struct krn_error *error);

/* Computes a hash of the image on the device and blocks until it is complete. Equal pixels give
 * equal hashes on every backend, for every pitch. Errors: KRN_LOST, KRN_NO_MEMORY, KRN_FAILED. */
enum krn_code krn_device_hash(struct krn_device *device, const struct krn_image *image,
                              uint64_t *hash, struct krn_error *error);

/* Allocates host memory for the fastest transfers (CUDA: pinned memory). Errors: KRN_NO_MEMORY,
 * KRN_LOST, KRN_FAILED. */
enum krn_code krn_device_alloc_host(struct krn_device *device, size_t bytes, void **memory,
                                    struct krn_error *error);
void krn_device_free_host(struct krn_device *device, void *memory);

/* Returns the device's stream (a cudaStream_t); NULL on the CPU. */
void *krn_device_stream(const struct krn_device *device);

/* Counts the rays of the scene's picture in the light view, with the size and light of *view, and
 * blocks until it is complete. The counts are the same for every kernel, storage and backend.
 * Errors: KRN_REFUSED (view, no scene, or a backend without the light view), KRN_NO_MEMORY,
 * KRN_LOST, KRN_FAILED, KRN_CANCELLED. */
enum krn_code krn_device_rays(struct krn_device *device, const struct krn_view *view,
                              struct krn_rays *rays, struct krn_error *error);

/* Returns true when the host can read image->pixels. */
bool krn_device_is_host(const struct krn_device *device);

/* --- how long the parts of a frame took on an asynchronous device --- */

/* Between krn_device_stamp_frame and krn_device_stamp_end, the device records a pair of time stamps
 * around each part. Nothing waits for them: krn_device_stamp_poll returns their differences some
 * frames later. A kernel is not stamped twice: its time lies between the two events that give its
 * reading.
 *
 * Thread safety: as krn/device.h. */

enum krn_part { KRN_PART_POSE, KRN_PART_KERNEL, KRN_PART_COPY, KRN_PARTS };

struct krn_stamps {
    uint64_t frame;       /* of krn_device_stamp_frame */
    double ms[KRN_PARTS]; /* of each part; 0: it did not run */
};

/* Starts to stamp the parts of a frame with the number `frame`. Returns false where there is
 * nothing to stamp: the device runs kernels before krn_device_render returns, or its events cannot
 * be made. A frame whose stamps are not polled is dropped when eight newer ones wait. */
bool krn_device_stamp_frame(struct krn_device *device, uint64_t frame);

/* Stamp begin and end of a part that the caller queues in the device's stream. They do nothing
 * outside of a stamped frame. */
void krn_device_stamp_begin(struct krn_device *device, enum krn_part part);
void krn_device_stamp_close(struct krn_device *device);

/* Ends the stamped frame. */
void krn_device_stamp_end(struct krn_device *device);

/* Removes the stamps of the oldest frame that has run. Returns false when there are none. Does not
 * block. */
bool krn_device_stamp_poll(struct krn_device *device, struct krn_stamps *stamps);

#ifdef __cplusplus
}
#endif
