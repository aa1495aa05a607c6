/* krn/heat.h - the heat map: what each pixel of a frame costs, and its colours.
 *
 * A quantity is counted or measured by kernels of its own, which follow those of krn_device_render.
 * The timed kernels contain none of it, so their machine code and their times stay as they are.
 *
 * Sphere tests: how many spheres the mode's kernel intersects with the pixel's ray. The book's
 * kernel tests every sphere. What rejects a sphere for many pixels at once is no test of a pixel:
 * the row, the run or the box of a warp on a GPU; the band and the range of pixels on the CPU. A
 * binned kernel's pixels are tested against spheres of their tile's list alone. Kernels of the two
 * backends reject in different ways, so their counts differ, but for the book's kernel.
 *
 * Clock cycles: the time from the start to the end of the thread that computes the pixel, on its
 * multiprocessor's own clock, in which the warp also waits for memory, for barriers and for other
 * warps. A thread of the strip kernel computes K pixels, and one of the binned kernel 4; each of
 * them has the time of all. Sorting spheres into lists is not included.
 *
 * Rays: those of all samples of the pixel in the light view, from the eye, off mirrors and towards
 * the sun. Their numbers are the same for every kernel, storage and backend.
 *
 * Thread safety: as krn/device.h for the calls that take a device; the others may be called from
 * any thread.
 */
#pragma once

#include "krn/device.h"

enum krn_heat { KRN_HEAT_OFF, KRN_HEAT_TESTS, KRN_HEAT_CYCLES, KRN_HEAT_RAYS, KRN_HEAT_COUNT };

/* Returns the name in options and records: "off", "tests", "cycles", "rays"; "n/a" for other
 * numbers. */
const char *krn_heat_name(enum krn_heat quantity);

/* Returns the view whose pixels have the quantity: rays belong to the light view, the others to the
 * book view. */
enum krn_view_kind krn_heat_view(enum krn_heat quantity);

/* Returns true when devices with these capabilities offer the quantity; KRN_HEAT_OFF always is. */
bool krn_heat_offered(const struct krn_capabilities *can, enum krn_heat quantity);

/* Returns why a quantity is not offered, a sentence. */
const char *krn_heat_reason(void);

/* The costs of a frame's pixels, in tests, clock cycles or rays. */
struct krn_heat_costs {
    uint32_t least, most;
    double mean;
    uint64_t sum;
    size_t pixels;
};

/* Finds the cost of every pixel of a frame and blocks until that is done; the device keeps the
 * costs. The scene has the pose of the newest frame. On a GPU the kernels of the book view render
 * as those of krn_device_render do, and *image then holds the ordinary picture; rays and the CPU
 * leave it as it is. A cost is at most UINT32_MAX; cycles are counted modulo 2^32. Errors:
 * KRN_REFUSED (mode, sizes, a quantity that is not offered or belongs to another view),
 * KRN_NO_MEMORY, KRN_CANCELLED, KRN_LOST, KRN_FAILED. */
enum krn_code krn_device_heat(struct krn_device *device, struct krn_mode mode,
                              const struct krn_view *view, enum krn_heat quantity,
                              const struct krn_image *image, struct krn_heat_costs *costs,
                              struct krn_error *error);

/* Turns a picture of the same size into the colours of the kept costs, krn_heat_colour for
 * cost / scale, with the picture's light and shade: 43 % of a colour where it is black, all of it
 * where it is white. scale > 0. On a GPU it returns before that is done. Errors: KRN_REFUSED
 * (nothing kept, or another size), KRN_LOST, KRN_FAILED. */
enum krn_code krn_device_heat_paint(struct krn_device *device, uint32_t scale,
                                    const struct krn_image *image, struct krn_error *error);

/* Copies the kept costs of `count` pixels from pixel `first` on into host memory, row by row, and
 * blocks. Errors: KRN_REFUSED (pixels that are not kept), KRN_LOST, KRN_FAILED. */
enum krn_code krn_device_heat_read(struct krn_device *device, size_t first, size_t count,
                                   uint32_t *costs, struct krn_error *error);

/* Returns the upper end of a scale for costs of at most `most`: 1, 2, 3, 4, 5, 6 or 8 times a power
 * of ten. The end that was shown before stays as long as no cost is greater and the greatest is not
 * below 0.45 of it, so that a scene that rotates does not make it flicker. before: 0 for none. */
uint32_t krn_heat_scale(uint32_t before, uint32_t most);

/* Returns the colour of a share 0..1 of the scale, 0xAABBGGRR, red in the lowest byte, opaque. */
uint32_t krn_heat_colour(double share);
