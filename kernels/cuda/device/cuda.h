/* kernels/cuda/device/cuda.h - a connected CUDA device (private to kernels/cuda). */
#pragma once

#include "core/device/backend.h"
#include "cuda/light/light.h"
#include "cuda/trace/tracer.h"

#include <cuda_runtime_api.h>

struct krn_cuda_stamps;

/* The device memory of the heat map, allocated by the first one; zeroed, there is none. */
struct krn_cuda_heat {
    uint32_t *costs; /* one per pixel */
    size_t held;     /* pixels that fit into costs */
    uint32_t *palette;
    struct krn_cuda_heat_sums *sums;
};

struct krn_cuda_device {
    struct krn_device base;
    cudaStream_t stream;
    struct krn_cuda_timer *timer;
    struct krn_cuda_tracer tracer;
    struct krn_cuda_light light;
    struct krn_cuda_heat heat;
    /* The modes that were launched with this scene and view: their kernels are loaded. */
    bool launched[KRN_MODES_MAX];
    struct krn_view launched_view;
    unsigned long long *hash;       /* device memory; NULL until the first hash */
    struct krn_cuda_stamps *stamps; /* NULL until a frame's parts are stamped */
};

static inline struct krn_cuda_device *krn_cuda_of(const struct krn_device *device)
{
    return (struct krn_cuda_device *)device;
}

/* Returns what a launch needs for an image of this device's scene. */
static inline struct krn_cuda_frame krn_cuda_image_frame(const struct krn_device *device,
                                                         const struct krn_view *view,
                                                         const struct krn_image *image)
{
    const struct krn_cuda_frame frame = {image->pixels, (int)image->pitch_bytes,
                                         view->width,   view->height,
                                         view->unit,    device->spheres};
    return frame;
}

extern const struct krn_device_ops krn_cuda_ops;

/* The members of krn_cuda_ops for heat maps, and their end. */
enum krn_code krn_cuda_heat(struct krn_device *device, struct krn_mode mode,
                            const struct krn_view *view, enum krn_heat quantity,
                            const struct krn_image *image, struct krn_heat_costs *costs,
                            struct krn_error *error);
enum krn_code krn_cuda_heat_paint(struct krn_device *device, uint32_t scale,
                                  const struct krn_image *image, struct krn_error *error);
enum krn_code krn_cuda_heat_read(struct krn_device *device, size_t first, size_t count,
                                 uint32_t *costs, struct krn_error *error);
void krn_cuda_heat_close(struct krn_cuda_heat *heat);

/* The stamps of a frame's parts by CUDA events (krn/device.h). */
extern const struct krn_stamp_ops krn_cuda_stamp_ops;
void krn_cuda_stamps_close(struct krn_cuda_stamps *stamps); /* NULL is fine */
/* Adds a part between two events that the caller has recorded and that keep their times until the
 * frame has been polled. */
void krn_cuda_stamps_add(struct krn_cuda_stamps *stamps, enum krn_part part, cudaEvent_t begin,
                         cudaEvent_t end);
