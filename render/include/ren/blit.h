/* ren/blit.h - brings the kernel's linear buffer into a texture: a ladder of three rungs.
 *
 * The kernel always writes one linear RGBA8 image, so its time does not depend on the rung.
 *   interop  the image is device memory; it is copied on the device into the registered texture
 *   pbo      the image is the mapped OpenGL pixel buffer or, where OpenGL computes it, its own
 *   copy     the image is read back to pinned memory and uploaded (on the CPU backend: uploaded)
 * If a rung fails, the next one takes over in the same frame and the reason is kept.
 */
#pragma once

#include "krn/device.h"
#include "krn/error.h"

#include <stdbool.h>

enum ren_blit { REN_BLIT_INTEROP, REN_BLIT_PBO, REN_BLIT_COPY, REN_BLIT_COUNT };

struct ren_renderer;
struct ren_rect;

/* The rung in use, and why it is not the one that was asked for. */
struct ren_blit_status {
    enum ren_blit asked, used;
    char reason[320]; /* "" when used == asked */
    bool elsewhere;   /* another device than the CUDA device draws OpenGL */
};

/* A picture is one texture of the image's size, written by one device, and made anew when the size
 * or the device changes. There is one for each side of a duel, each with a ladder of its own. The
 * calls below act on the selected picture, at first number 0. */
enum { REN_PICTURES = 2 };

void ren_picture_select(struct ren_renderer *renderer, int picture);

/* Frees the selected picture's memory, on the device and in OpenGL. */
void ren_picture_drop(struct ren_renderer *renderer);

/* Returns in *image the linear image that the kernel must write for this frame. Takes the rung
 * `asked` or the best one below it. Errors: KRN_NO_MEMORY (the size does not fit; the previous
 * picture stays), KRN_REFUSED (larger than the GL's largest texture), KRN_LOST, KRN_FAILED. */
enum krn_code ren_picture_begin(struct ren_renderer *renderer, struct krn_device *device,
                                enum ren_blit asked, int width, int height, struct krn_image *image,
                                struct krn_error *error);

/* Brings the image into the texture after the kernels launched so far. When the rung fails here, a
 * lower one carries the same image if it can still be read. */
enum krn_code ren_picture_end(struct ren_renderer *renderer, struct krn_error *error);

/* Fills the selected picture with pixels that no device has written: 4 * width * height bytes, row
 * 0 at the bottom. Errors: KRN_NO_MEMORY, KRN_REFUSED, KRN_FAILED. */
enum krn_code ren_picture_fill(struct ren_renderer *renderer, const unsigned char *rgba, int width,
                               int height, struct krn_error *error);

/* Frees the memory that all pictures have on the device; call it before the device is closed. */
void ren_picture_release(struct ren_renderer *renderer);

/* Draws the texture into rect, row 0 at the bottom (y grows upwards in the book's bitmap), nearest
 * when enlarged to whole multiples or more than twice, else linear. `smooth` smooths the edges of
 * what is drawn, not of the texture: up to four times its size, and filters at all but whole
 * multiples; further enlarged, the picture shows its pixels. */
enum krn_code ren_picture_draw(struct ren_renderer *renderer, struct ren_rect rect, bool smooth,
                               struct krn_error *error);

/* Draws the same, but only the part between `from` and `to`, fractions of the rectangle's width. */
enum krn_code ren_picture_draw_part(struct ren_renderer *renderer, struct ren_rect rect, float from,
                                    float to, bool smooth, struct krn_error *error);

struct ren_blit_status ren_picture_status(const struct ren_renderer *renderer);
