/* krn/device.h - what a picture is rendered with: backends, devices, timed frames.
 *
 * A backend is a row of a table (id, name, list, connect); a connected device is a struct of
 * functions behind the calls below, so the caller never knows which backend it drives. The CPU
 * backend is always there. No CUDA type appears here: memory is a plain pointer with a pitch, the
 * stream is opaque.
 *
 * Thread safety: one thread per device.
 */
#ifndef KRN_DEVICE_H
#define KRN_DEVICE_H

#include "krn/error.h"
#include "krn/mode.h"
#include "krn/scene.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum krn_backend_id { KRN_BACKEND_CUDA, KRN_BACKEND_CPU, KRN_BACKEND_COUNT };

/* The name as in options and records: "cuda", "cpu"; never NULL. */
const char *krn_backend_name(enum krn_backend_id id);

/* Which rays an image is made of: pixel (i, j) looks along z at
 * ((i - width/2) * unit, (j - height/2) * unit), halves truncated as in the book. */
struct krn_view {
    int width, height; /* pixels, 1..KRN_SIZE_MAX each */
    float unit;        /* scene units per pixel, > 0; 1024 / height is "fit" */
};

enum { KRN_SIZE_MAX = 16384 };

/* A linear RGBA8 image. Row j starts at pixels + j * pitch_bytes; row 0 is the smallest y.
 * pixels lives where the device can write it: device memory (CUDA) or host memory (CPU). */
struct krn_image {
    void *pixels;
    size_t pitch_bytes; /* >= 4 * width, a multiple of 4 */
    int width, height;
};

/* What the devices of a backend can do. A caller asks for one of these, never which backend it is.
 */
struct krn_capabilities {
    const char *noun;       /* what people call such a device: "GPU", "CPU" */
    bool host_images;       /* the host reads and writes image->pixels itself */
    bool host_processors;   /* kernels run on the processors that the program runs on */
    bool asynchronous;      /* krn_device_render returns before the kernel has run */
    bool distinct_storages; /* storages are different memories; else all read the same caches */
    bool telemetry;         /* clocks, power and temperature of its own, found by pci_id */
    bool launches;          /* a launch is apart from its kernel: krn_saxpy_clocks_run times both */
    bool warps;             /* threads run 32 at a time, many more than there are processors */
    /* Pixels times spheres per millisecond that a slow device of this kind still renders: the guess
     * before anything was measured. */
    double tests_per_ms;
};

/* What a connected device is. Unknown numbers are 0 and unknown strings "n/a". */
struct krn_device_info {
    enum krn_backend_id backend;
    struct krn_capabilities can;
    int ordinal;
    char name[128];
    char driver[32];  /* CUDA: the newest CUDA version that the driver supports, "13.0" */
    char runtime[32]; /* CUDA: the runtime compiled in; CPU: the instruction-set level chosen */
    char pci_id[32];  /* "0000:06:00.0" */
    char clock[32];   /* what takes the times: "CUDA events" or "monotonic clock" */
    int compute_major, compute_minor;
    int processors;            /* multiprocessors, or the CPU backend's threads */
    int fma_lanes;             /* single-precision multiply-adds a clock of one multiprocessor */
    int threads_per_processor; /* resident at once, at most */
    size_t memory_bytes;
    double clock_max_mhz, memory_clock_mhz;
    int memory_bus_bits;
    size_t l2_bytes;
};

/* The shortest times that the device's clock can tell, measured at connect, medians in ms.
 * event: a pair around nothing. launch: a pair around an empty kernel (CPU: an empty parallel
 * region). A kernel's median under two launch floors says little. */
struct krn_overheads {
    double event_ms, empty_kernel_ms;
};

/* The tag of a frame that nobody wants timed. */
#define KRN_UNTIMED UINT64_MAX

/* One kernel time. scope says in words what lies between its two time stamps. */
struct krn_reading {
    double ms;
    double binning_ms; /* of ms: sorting the spheres into lists; 0 for kernels that have none */
    struct krn_mode mode;
    uint64_t tag; /* as given to krn_device_render */
    const char *scope;
    double cpu_ms; /* CPU backend: of this process meanwhile, all threads together; else 0 */
};

struct krn_device;
struct krn_book_window;
struct krn_saxpy_clocks;

/* A row of the backend table. */
struct krn_backend {
    enum krn_backend_id id;
    const char *name;
    const struct krn_capabilities *can; /* the same as in the description of its devices */
    /* How many devices are usable. Errors: KRN_UNAVAILABLE with the reason as a sentence. */
    enum krn_code (*count)(int *devices, struct krn_error *error);
    /* What device `ordinal` is, without connecting to it. Errors: KRN_UNAVAILABLE. */
    enum krn_code (*describe)(int ordinal, struct krn_device_info *info, struct krn_error *error);
    /* Connects to device `ordinal` and runs one empty kernel on it.
     * Errors: KRN_UNAVAILABLE (reason as a sentence), KRN_NO_MEMORY, KRN_FAILED. */
    enum krn_code (*connect)(int ordinal, struct krn_device **device, struct krn_error *error);
    /* The published programs (krn/published.h) with their own calls; NULL: this backend has no such
     * calls. */
    enum krn_code (*book_window)(int ordinal, enum krn_storage storage,
                                 struct krn_book_window *window, struct krn_error *error);
    enum krn_code (*saxpy_clocks)(int ordinal, struct krn_saxpy_clocks *clocks,
                                  struct krn_error *error);
};

/* The row of a backend; built without CUDA, the cuda row answers KRN_UNAVAILABLE. */
const struct krn_backend *krn_backend_get(enum krn_backend_id id);

/* Ends a device and all that it allocated; NULL is fine. */
void krn_device_close(struct krn_device *device);

const struct krn_device_info *krn_device_describe(const struct krn_device *device);
struct krn_overheads krn_device_overheads(const struct krn_device *device);

/* KRN_OK when the device can render its scene in this mode: krn_mode_check, and the backend has a
 * launcher for it. Errors: KRN_REFUSED with the reason. */
enum krn_code krn_device_check_mode(const struct krn_device *device, struct krn_mode mode,
                                    struct krn_error *error);

/* Uploads the scene into every storage that it fits. The device keeps no pointer to it.
 * Errors: KRN_NO_MEMORY (the old scene stays), KRN_LOST, KRN_FAILED. */
enum krn_code krn_device_set_scene(struct krn_device *device, const struct krn_scene *scene,
                                   struct krn_error *error);

/* Turns the scene on the device, into every storage; nothing happens when the pose is in place. */
enum krn_code krn_device_set_pose(struct krn_device *device, struct krn_pose pose,
                                  struct krn_error *error);

/* An image in the device's own memory, contents undefined. Errors: KRN_REFUSED (size out of
 * range), KRN_NO_MEMORY. */
enum krn_code krn_device_alloc_image(struct krn_device *device, int width, int height,
                                     struct krn_image *image, struct krn_error *error);
void krn_device_free_image(struct krn_device *device, struct krn_image *image);

/* Renders the posed scene into image (width and height as in view) and times the kernel alone.
 * Returns before the kernel has run, on a device that is asynchronous; when some frames are on
 * their way already, waits until one of them is done, since a long queue slows what it times. When
 * no timing slot is free the frame is rendered untimed: no frame waits for a number. `tag` comes
 * back with the reading; KRN_UNTIMED asks for none. Errors: KRN_REFUSED (mode or sizes), KRN_LOST,
 * KRN_FAILED. */
enum krn_code krn_device_render(struct krn_device *device, struct krn_mode mode,
                                const struct krn_view *view, const struct krn_image *image,
                                uint64_t tag, struct krn_error *error);

/* Renders `count` times between one pair of time stamps and waits: *ms is the time of one, with
 * what lies between launches in it. For kernels that a pair each cannot tell from its own cost.
 * Readings still waiting are dropped. Errors: as krn_device_render. */
enum krn_code krn_device_render_batch(struct krn_device *device, struct krn_mode mode,
                                      const struct krn_view *view, const struct krn_image *image,
                                      int count, double *ms, struct krn_error *error);

/* Takes the oldest reading that is ready; false when there is none. Never waits. */
bool krn_device_poll(struct krn_device *device, struct krn_reading *reading);

/* Waits until everything launched so far is done. Errors: KRN_LOST, KRN_FAILED. */
enum krn_code krn_device_sync(struct krn_device *device, struct krn_error *error);

/* Copies image into host memory at pixels, rows 4 * width bytes apart, and waits for it. */
enum krn_code krn_device_read(struct krn_device *device, const struct krn_image *image,
                              void *pixels, struct krn_error *error);

/* One number for the image's bytes, computed where they lie, and waited for: the same on every
 * backend for the same bytes, whatever the pitch. Errors: KRN_LOST, KRN_NO_MEMORY, KRN_FAILED. */
enum krn_code krn_device_hash(struct krn_device *device, const struct krn_image *image,
                              uint64_t *hash, struct krn_error *error);

/* Host memory that transfers run fastest from (CUDA: pinned). */
enum krn_code krn_device_alloc_host(struct krn_device *device, size_t bytes, void **memory,
                                    struct krn_error *error);
void krn_device_free_host(struct krn_device *device, void *memory);

/* The stream that this device's work runs on, opaque (a cudaStream_t); NULL on the CPU. */
void *krn_device_stream(const struct krn_device *device);

/* Where image memory lives: true when the host can read image->pixels itself. */
bool krn_device_is_host(const struct krn_device *device);

#ifdef __cplusplus
}
#endif
#endif
