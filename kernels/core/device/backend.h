/* kernels/core/device/backend.h - what a backend implements (inside kernels/ only). */
#ifndef KRN_BACKEND_H
#define KRN_BACKEND_H

#include "krn/device.h"
#include "krn/probe.h"
#include "krn/published.h"

/* One function for each call of krn/device.h, same contract. render may count on mode, sizes and
 * image having been checked. */
struct krn_device_ops {
    void (*close)(struct krn_device *device);
    enum krn_code (*set_scene)(struct krn_device *, const struct krn_scene *, struct krn_error *);
    enum krn_code (*set_pose)(struct krn_device *, struct krn_pose, struct krn_error *);
    enum krn_code (*alloc_image)(struct krn_device *, int width, int height, struct krn_image *,
                                 struct krn_error *);
    void (*free_image)(struct krn_device *, struct krn_image *);
    /* Whether the backend's table has a launcher for a mode that exists. */
    bool (*renders)(const struct krn_device *, struct krn_mode);
    enum krn_code (*render)(struct krn_device *, struct krn_mode, const struct krn_view *,
                            const struct krn_image *, uint64_t tag, struct krn_error *);
    enum krn_code (*batch)(struct krn_device *, struct krn_mode, const struct krn_view *,
                           const struct krn_image *, int count, double *ms, struct krn_error *);
    bool (*poll)(struct krn_device *, struct krn_reading *);
    enum krn_code (*sync)(struct krn_device *, struct krn_error *);
    enum krn_code (*read)(struct krn_device *, const struct krn_image *, void *pixels,
                          struct krn_error *);
    enum krn_code (*alloc_host)(struct krn_device *, size_t bytes, void **, struct krn_error *);
    void (*free_host)(struct krn_device *, void *);
    void *(*stream)(const struct krn_device *);
    enum krn_code (*hash)(struct krn_device *, const struct krn_image *, uint64_t *hash,
                          struct krn_error *);
    /* NULL: none here. bytes_max is the whole truth. */
    enum krn_code (*open_probes)(struct krn_device *, unsigned topics, size_t bytes_max,
                                 struct krn_probes **, struct krn_error *);
};

/* The first member of every backend's own device. */
struct krn_device {
    const struct krn_device_ops *ops;
    struct krn_device_info info;
    struct krn_overheads overheads;
    int spheres; /* of the scene in place, 0: none yet; kept by set_scene */
};

extern const struct krn_backend krn_cpu_backend;
extern const struct krn_backend krn_cuda_backend;
extern const struct krn_capabilities krn_cuda_capabilities;

/* The book's window through the calls of krn/device.h, for backends without the book's own. */
enum krn_code krn_book_window_any(struct krn_device *device, enum krn_storage storage,
                                  struct krn_book_window *window, struct krn_error *error);

#endif
