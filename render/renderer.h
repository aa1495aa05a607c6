/* renderer.h - what the files of this layer share: its state and its small GL helpers.
 *
 * State that a drawing function may count on, and leaves behind as it was: the frame's framebuffer
 * is bound, the viewport is the whole frame, blending, depth and scissor tests are off, texture
 * unit 0 is active, GL_UNPACK_ROW_LENGTH is 0 and GL_UNPACK_ALIGNMENT 4. Program, vertex array,
 * buffers and the texture of unit 0 are anybody's: bind what you need.
 */
#ifndef REN_RENDERER_H
#define REN_RENDERER_H

#include "gl.h"
#include "krn/error.h"
#include "ren/blit.h"
#include "ren/context.h"

#include <stdbool.h>

struct ren_glyphs;
struct ren_list;
struct ren_picture;

struct ren_renderer {
    struct ren_gl_info info;

    /* The current frame, in pixels; 0 x 0 before the first and while a window is minimised: then
     * there is nothing to draw on. */
    int width, height;

    /* Without a default framebuffer (surfaceless EGL) frames go to this one. */
    bool own_frame;
    GLuint framebuffer, colour_buffer;
    int buffer_width, buffer_height;

    GLsync fences[2]; /* of the frames before, for ren_frame_pace; the older one first */

    GLuint empty_vao; /* for draws whose vertices come from gl_VertexID alone */

    struct ren_glyphs *glyphs;
    struct ren_list *list;
    struct ren_picture *pictures[REN_PICTURES];
    struct ren_picture *picture; /* the one that was selected */
};

/* Compiles and links; *program is 0 after a failure. Errors: KRN_FAILED with the GLSL log. */
enum krn_code ren_program_make(const char *vertex_source, const char *fragment_source,
                               GLuint *program, struct krn_error *error);

/* list.c: the renderer's only list and its GL objects. */
enum krn_code ren_list_new(struct ren_list **list, struct ren_glyphs *glyphs,
                           struct krn_error *error);
void ren_list_free(struct ren_list *list);

/* offscreen.c: true when an EGL context without a surface is current in this thread. */
bool ren_offscreen_is_current(void);

#endif
