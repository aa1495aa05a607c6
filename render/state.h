/* state.h - the renderer's state, which the files of this layer share.
 *
 * A drawing function finds this OpenGL state and leaves it as it was: the frame's framebuffer
 * is bound, the viewport is the whole frame, blending, depth and scissor tests are off, texture
 * unit 0 is active, GL_UNPACK_ROW_LENGTH is 0 and GL_UNPACK_ALIGNMENT 4. Program, vertex array,
 * buffers and the texture of unit 0 are undefined: bind what you need.
 */
#pragma once

#include "gl/gl.h"
#include "krn/error.h"
#include "ren/blit.h"
#include "ren/context.h"

#include <stdbool.h>

struct ren_glyphs;
struct ren_list;
struct ren_picture;
struct ren_thumbnail;
struct ren_times;

struct ren_renderer {
    struct ren_gl_info info;

    /* The current frame, in pixels; 0 x 0 before the first and while a window is minimised: then
     * there is nothing to draw on. */
    int width, height;

    /* Without a default framebuffer (surfaceless EGL) frames go to this one. */
    bool own_frame;
    GLuint framebuffer, colour_buffer;
    int buffer_width, buffer_height;

    GLsync fences[2]; /* the two frames before, for ren_frame_pace; the older one first */

    GLuint empty_vao; /* for draws whose vertices come from gl_VertexID alone */

    bool lost; /* the driver has reset the context, and a caller has been told */

    int draws; /* draw calls since the frame's beginning */

    struct ren_thumbnail *thumbnail; /* NULL until one is begun */
    struct ren_times *times;         /* NULL until a frame is timed */
    struct ren_glyphs *glyphs;
    struct ren_list *list;
    struct ren_picture *pictures[REN_PICTURES];
    struct ren_picture *picture; /* the one that was selected */
};

/* What renderer.c makes and frees. The list draws text with `glyphs`; NULL may be freed. */
enum krn_code ren_list_new(struct ren_list **list, struct ren_glyphs *glyphs,
                           struct krn_error *error);
void ren_list_free(struct ren_list *list);
enum krn_code ren_picture_new(struct ren_picture **picture, struct krn_error *error);
void ren_picture_free(struct ren_picture *picture);
void ren_thumbnail_free(struct ren_thumbnail *thumbnail);
void ren_times_free(struct ren_times *times);

/* Directs drawing and reading to the frame, after another framebuffer. */
static inline void ren_frame_bind(const struct ren_renderer *renderer)
{
    REN_GL(glBindFramebuffer(GL_FRAMEBUFFER, renderer->own_frame ? renderer->framebuffer : 0));
    REN_GL(glViewport(0, 0, renderer->width, renderer->height));
}
