/* kernels/core/device/backend.h - the interface that backends implement (private to kernels/). */
#pragma once

#include "krn/device.h"
#include "krn/heat.h"
#include "krn/mine.h"
#include "krn/probe.h"
#include "krn/properties.h"
#include "krn/published.h"

/* One function per call of krn/device.h, with the same contract. The caller has checked that a
 * frame is stamped. */
struct krn_stamp_ops {
    bool (*frame)(struct krn_device *, uint64_t frame);
    void (*begin)(struct krn_device *, enum krn_part);
    void (*close)(struct krn_device *);
    void (*end)(struct krn_device *);
    bool (*poll)(struct krn_device *, struct krn_stamps *);
};

enum { KRN_LIMIT_SAMPLES = 31, KRN_LIMIT_LEAST = 9 };
struct krn_limit_samples {
    double net_ms[KRN_LIMIT_SAMPLES], overhead_ms;
    int n, batch;
};

/* The grid of the user's kernel. */
struct krn_mine_loaded {
    int block_x, block_y, pixels; /* threads of a block; pixels of a row per thread; 0: none yet */
    int room;                     /* spheres that its constant memory holds; 0: it has none */
    enum krn_storage storage;
};

/* One function per call of krn/device.h, with the same contract. The caller has checked mode, sizes
 * and image before it calls render, and calls set_pose after set_scene. */
struct krn_device_ops {
    void (*close)(struct krn_device *device);
    enum krn_code (*set_scene)(struct krn_device *, const struct krn_scene *, struct krn_error *);
    enum krn_code (*set_pose)(struct krn_device *, struct krn_pose, struct krn_error *);
    enum krn_code (*alloc_image)(struct krn_device *, size_t bytes, void **pixels,
                                 struct krn_error *);
    void (*free_image)(struct krn_device *, void *pixels);
    /* Returns true when the backend has a launcher for a valid mode. */
    bool (*renders)(const struct krn_device *, struct krn_mode);
    /* Says why not, KRN_REFUSED; NULL: the backend has no words of its own. */
    enum krn_code (*check)(const struct krn_device *, struct krn_mode, struct krn_error *);
    enum krn_code (*render)(struct krn_device *, struct krn_mode, const struct krn_view *,
                            const struct krn_image *, uint64_t tag, struct krn_error *);
    enum krn_code (*batch)(struct krn_device *, struct krn_mode, const struct krn_view *,
                           const struct krn_image *, int count, double *ms, struct krn_error *);
    enum krn_code (*overhead)(struct krn_device *, struct krn_mode, const struct krn_view *,
                              struct krn_overhead *, struct krn_error *);
    /* Takes at most KRN_LIMIT_SAMPLES samples of the limit's net time, each the mean of `batch`
     * launches, and measures the overhead of one launch. */
    enum krn_code (*limit)(struct krn_device *, const struct krn_view *, struct krn_limit_samples *,
                           struct krn_error *);
    /* NULL: the backend's kernels have no attributes. */
    enum krn_code (*kernels)(struct krn_device *, struct krn_mode, const struct krn_view *,
                             struct krn_kernels *, struct krn_error *);
    bool (*poll)(struct krn_device *, struct krn_reading *);
    enum krn_code (*sync)(struct krn_device *, struct krn_error *); /* NULL: no call queues work */
    enum krn_code (*read)(struct krn_device *, const struct krn_image *, void *pixels,
                          struct krn_error *);
    enum krn_code (*fill)(struct krn_device *, const struct krn_image *, uint8_t byte,
                          struct krn_error *);
    enum krn_code (*alloc_host)(struct krn_device *, size_t bytes, void **, struct krn_error *);
    void (*free_host)(struct krn_device *, void *);
    void *(*stream)(const struct krn_device *); /* NULL: likewise */
    enum krn_code (*hash)(struct krn_device *, const struct krn_image *, uint64_t *hash,
                          struct krn_error *);
    /* NULL: the backend has no heat map. The caller has checked quantity, mode, view and image;
     * `heat` fills in sum, least and most, and the other two find costs of the image's size. */
    enum krn_code (*heat)(struct krn_device *, struct krn_mode, const struct krn_view *,
                          enum krn_heat quantity, const struct krn_image *, struct krn_heat_costs *,
                          struct krn_error *);
    enum krn_code (*heat_paint)(struct krn_device *, uint32_t scale, const struct krn_image *,
                                struct krn_error *);
    enum krn_code (*heat_read)(struct krn_device *, size_t first, size_t count, uint32_t *costs,
                               struct krn_error *);
    /* NULL: the backend has no light view. */
    enum krn_code (*rays)(struct krn_device *, const struct krn_view *, struct krn_rays *,
                          struct krn_error *);
    /* NULL: the backend has no probes. bytes_max is the actual limit, never 0. */
    enum krn_code (*open_probes)(struct krn_device *, unsigned topics, size_t bytes_max,
                                 struct krn_probes **, struct krn_error *);
    const struct krn_stamp_ops *stamps; /* NULL: a frame's parts run on the host */
    /* The calls of krn/mine.h: the first one compiles the whole text, the second one fills *loaded
     * but for its storage. */
    enum krn_code (*compile_mine)(const struct krn_device *, const char *file, const char *text,
                                  const char *folder, struct krn_mine *, struct krn_error *);
    enum krn_code (*load_mine)(struct krn_device *, const struct krn_mine *,
                               struct krn_mine_loaded *loaded, struct krn_error *);
};

/* The attributes of a mode's kernels with this scene and view, or why they are not known. */
struct krn_kept_kernels {
    int spheres; /* 0: nothing is kept */
    struct krn_view view;
    enum krn_code code;
    struct krn_error error;
    struct krn_kernels kernels;
};

/* The first member of each backend's device structure. */
struct krn_device {
    const struct krn_device_ops *ops;
    struct krn_device_info info;
    struct krn_overheads overheads;
    int spheres; /* number of spheres of the current scene, set by set_scene; 0: no scene yet */
    struct krn_bounds bounds;    /* of the current scene, valid once set_scene has returned */
    unsigned long gate_drops;    /* since connect */
    int heat_width, heat_height; /* of the costs that the backend keeps; 0: none */
    bool stamping;               /* a frame's parts are being stamped */
    struct krn_kept_kernels kept_kernels[KRN_MODES_MAX];
    struct krn_mine_loaded mine;
};

struct krn_property_list;

/* List the properties of device `ordinal`, as krn_properties_read does. */
typedef enum krn_code krn_list_properties(int ordinal, struct krn_property_list *list,
                                          struct krn_error *error);
krn_list_properties krn_cpu_properties, krn_cuda_properties, krn_gl_properties;

extern const struct krn_backend krn_cpu_backend;
extern const struct krn_backend krn_cuda_backend;
extern const struct krn_backend krn_gl_backend;
extern const struct krn_capabilities krn_cuda_capabilities;

/* Allocate and free in the C library's memory, for backends whose memory that is. */
enum krn_code krn_host_alloc(struct krn_device *device, size_t bytes, void **memory,
                             struct krn_error *error);
void krn_host_free(struct krn_device *device, void *memory);

/* Returns true when two views of the book have the same rays. */
static inline bool krn_same_rays(const struct krn_view *a, const struct krn_view *b)
{
    return a->width == b->width && a->height == b->height && a->unit == b->unit;
}

/* Measures the book's window with the calls of krn/device.h, for backends without CUDA's calls. */
enum krn_code krn_book_window_any(struct krn_device *device, enum krn_storage storage,
                                  struct krn_book_window *window, struct krn_error *error);

/* The same with CUDA's calls as the book makes them. */
enum krn_code krn_cuda_book_window(int ordinal, enum krn_storage storage,
                                   struct krn_book_window *window, struct krn_error *error);

/* Measures the book's kernel on a device whose scene may be replaced; as krn_book_kernel_run. */
enum krn_code krn_book_kernel_any(struct krn_device *device, int first,
                                  struct krn_book_kernel *kernel, struct krn_error *error);

/* Counts the pixels of a picture of the book's scene, in rows of 4 * KRN_BOOK_SIDE bytes, that
 * differ from the reference. Errors: KRN_NO_MEMORY. */
enum krn_code krn_book_wrong(const void *rgba, size_t *wrong, struct krn_error *error);

/* How backends fill a list of properties. */
struct krn_property_list {
    struct krn_property *properties; /* room for KRN_PROPERTIES_MAX */
    int count;
};

/* Appends a property; returns NULL when the list is full. */
struct krn_property *krn_property_add(struct krn_property_list *list,
                                      const struct krn_property *property);

/* Append a text ("": not known), or one number (negative: not known). */
void krn_property_add_text(struct krn_property_list *list, const char *key, const char *words,
                           const char *text);
void krn_property_add_number(struct krn_property_list *list, const char *key, const char *words,
                             enum krn_property_kind kind, int64_t value);

/* Injection of wrong pictures, for tests of verification: wraps device->ops if the environment
 * requests it. Every backend's connect calls this last. The device frees the wrapper.
 *
 * With SPHERESCOPE_FAULT=STORAGE in the environment, kernels that read their spheres from that
 * storage see one sphere in a different colour. The wrapper sets the scene that each launch must
 * see, so kernels and other storages are not affected. */
void krn_inject_image(struct krn_device *device);
