/* Opens and closes the renderer with all objects of this layer; clears, presents and reads back a
 * frame, and places fences between frames. */
#include "state.h"

#include "krn/memory.h"
#include "ren/list.h"
#include "text/glyphs.h"

#include <math.h>
#include <stdlib.h>

static bool has_default_framebuffer(void)
{
    if (ren_offscreen_is_current())
        return false;
    GLenum status;
    REN_GL(glBindFramebuffer(GL_FRAMEBUFFER, 0));
    REN_GL_VALUE(status, glCheckFramebufferStatus(GL_FRAMEBUFFER));
    return status != GL_FRAMEBUFFER_UNDEFINED;
}

enum krn_code ren_open(struct ren_renderer **renderer, struct krn_error *error)
{
    *renderer = NULL;
    struct ren_renderer *made = krn_alloc(1, sizeof *made);
    enum krn_code code = ren_gl_load(&made->info, error);
    if (code != KRN_OK) {
        free(made);
        return code;
    }
    made->own_frame = !has_default_framebuffer();
    if (made->own_frame)
        REN_GL(glGenFramebuffers(1, &made->framebuffer));
    REN_GL(glGenVertexArrays(1, &made->empty_vao));
    code = ren_glyphs_new(&made->glyphs, made->info.texture_size_max, error);
    KRN_THEN(code, ren_list_new(&made->list, made->glyphs, error));
    for (int i = 0; i < REN_PICTURES; i++)
        KRN_THEN(code, ren_picture_new(&made->pictures[i], error));
    made->picture = made->pictures[0];
    KRN_THEN(code, ren_check(made, error));
    if (code == KRN_OK)
        *renderer = made;
    else
        ren_close(made);
    return code;
}

void ren_close(struct ren_renderer *renderer)
{
    if (!renderer)
        return;
    for (int i = 0; i < REN_PICTURES; i++)
        ren_picture_free(renderer->pictures[i]);
    ren_thumbnail_free(renderer->thumbnail);
    ren_times_free(renderer->times);
    ren_list_free(renderer->list);
    ren_glyphs_free(renderer->glyphs);
    REN_GL(glDeleteVertexArrays(1, &renderer->empty_vao));
    REN_GL(glDeleteFramebuffers(1, &renderer->framebuffer));
    REN_GL(glDeleteRenderbuffers(1, &renderer->colour_buffer));
    for (int i = 0; i < 2; i++)
        if (renderer->fences[i])
            REN_GL(glDeleteSync(renderer->fences[i]));
    ren_gl_take_error(); /* the errors that nobody has asked for are not the next renderer's */
    free(renderer);
}

enum krn_code ren_check(struct ren_renderer *renderer, struct krn_error *error)
{
    enum krn_code code = ren_gl_check(error);
    if (code == KRN_LOST)
        renderer->lost = true;
    return code;
}

bool ren_is_lost(const struct ren_renderer *renderer)
{
    return renderer->lost || ren_gl_is_lost();
}

const struct ren_gl_info *ren_describe(const struct ren_renderer *renderer)
{
    return &renderer->info;
}

/* Makes the renderer's own framebuffer width x height and leaves it bound on success. */
static enum krn_code own_frame_resize(struct ren_renderer *renderer, int width, int height,
                                      struct krn_error *error)
{
    REN_GL(glBindFramebuffer(GL_FRAMEBUFFER, renderer->framebuffer));
    if (width == renderer->buffer_width && height == renderer->buffer_height)
        return KRN_OK;
    ren_gl_try();
    if (renderer->colour_buffer == 0)
        REN_GL(glGenRenderbuffers(1, &renderer->colour_buffer));
    renderer->buffer_width = 0;
    renderer->buffer_height = 0;
    REN_GL(glBindRenderbuffer(GL_RENDERBUFFER, renderer->colour_buffer));
    REN_GL(glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height));
    REN_GL(glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                     renderer->colour_buffer));
    GLenum status;
    REN_GL_VALUE(status, glCheckFramebufferStatus(GL_FRAMEBUFFER));
    GLenum failed = ren_gl_tried();
    if (failed == GL_OUT_OF_MEMORY)
        return KRN_FAIL(error, KRN_NO_MEMORY, "Out of graphics memory for a %d x %d frame: %s.",
                        width, height, ren_gl_cure(failed));
    if (failed != GL_NO_ERROR || status != GL_FRAMEBUFFER_COMPLETE)
        return KRN_FAIL(error, KRN_FAILED, "OpenGL made no %d x %d frame (%s, status 0x%04x): %s.",
                        width, height, ren_gl_error_name(failed), status, ren_gl_cure(failed));
    renderer->buffer_width = width;
    renderer->buffer_height = height;
    return KRN_OK;
}

/* Clears the frame's part of width x height pixels in its upper left corner, outside `covered`. A
 * compute GPU fills pixels slowly: clearing 1920 x 1080 of them takes 0.15 ms on an H200. */
static void clear_around(const struct ren_renderer *renderer, int width, int height,
                         const struct ren_rect *covered)
{
    static const struct ren_rect nothing = {0.0f, 0.0f, 0.0f, 0.0f};
    if (!covered && width == renderer->width && height == renderer->height) {
        REN_GL(glClear(GL_COLOR_BUFFER_BIT));
        return;
    }
    if (!covered)
        covered = &nothing;
    /* Round inwards to whole pixels; GL counts rows from the bottom. */
    const int left = (int)fminf(fmaxf(ceilf(covered->x), 0.0f), (float)width),
              right = (int)fminf(fmaxf(floorf(covered->x + covered->w), 0.0f), (float)width),
              top = (int)fminf(fmaxf(ceilf(covered->y), 0.0f), (float)height),
              bottom = (int)fminf(fmaxf(floorf(covered->y + covered->h), 0.0f), (float)height);
    const int bars[4][4] = {
        {0, height - top, width, top},
        {0, 0, width, height - bottom},
        {0, 0, left, height},
        {right, 0, width - right, height},
    };
    REN_GL(glEnable(GL_SCISSOR_TEST));
    for (int i = 0; i < 4; i++) {
        if (bars[i][2] <= 0 || bars[i][3] <= 0)
            continue;
        REN_GL(
            glScissor(bars[i][0], bars[i][1] + renderer->height - height, bars[i][2], bars[i][3]));
        REN_GL(glClear(GL_COLOR_BUFFER_BIT));
    }
    REN_GL(glDisable(GL_SCISSOR_TEST));
}

enum krn_code ren_frame_begin(struct ren_renderer *renderer, int width, int height, unsigned rgb,
                              const struct ren_rect *covered, struct krn_error *error)
{
    return ren_frame_begin_part(renderer, width, height, width, height, rgb, covered, error);
}

enum krn_code ren_frame_begin_part(struct ren_renderer *renderer, int width, int height,
                                   int part_width, int part_height, unsigned rgb,
                                   const struct ren_rect *covered, struct krn_error *error)
{
    renderer->width = 0;
    renderer->height = 0;
    renderer->draws = 0;
    if (width <= 0 || height <= 0) /* a minimised window has no pixels */
        return KRN_OK;
    int most = renderer->info.texture_size_max;
    if (width > most || height > most)
        return KRN_FAIL(error, KRN_UNAVAILABLE,
                        "A frame of %d x %d is larger than this OpenGL's limit of %d.", width,
                        height, most);
    if (renderer->own_frame) {
        enum krn_code code = own_frame_resize(renderer, width, height, error);
        if (code != KRN_OK)
            return code;
    }
    renderer->width = width;
    renderer->height = height;
    ren_frame_bind(renderer);
    REN_GL(glDisable(GL_BLEND));
    REN_GL(glDisable(GL_DEPTH_TEST));
    REN_GL(glDisable(GL_SCISSOR_TEST));
    REN_GL(glActiveTexture(GL_TEXTURE0));
    REN_GL(glClearColor((float)(rgb >> 16 & 255) / 255.0f, (float)(rgb >> 8 & 255) / 255.0f,
                        (float)(rgb & 255) / 255.0f, 1.0f));
    clear_around(renderer, part_width, part_height, covered);
    return KRN_OK;
}

int ren_frame_draws(const struct ren_renderer *renderer)
{
    return renderer->draws;
}

/* The longest wait for a frame; in a lost context the wait returns at once. */
static const GLuint64 patience_ns = 1000000000;

/* Waits for a fence and deletes it. */
static void wait_for(GLsync *fence)
{
    GLenum waited;
    if (*fence == NULL)
        return;
    REN_GL_VALUE(waited, glClientWaitSync(*fence, GL_SYNC_FLUSH_COMMANDS_BIT, patience_ns));
    (void)waited;
    REN_GL(glDeleteSync(*fence));
    *fence = NULL;
}

void ren_frame_pace(struct ren_renderer *renderer)
{
    wait_for(&renderer->fences[0]);
    renderer->fences[0] = renderer->fences[1];
    REN_GL_VALUE(renderer->fences[1], glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
}

void ren_frame_settle(struct ren_renderer *renderer)
{
    GLsync fence;
    (void)renderer;
    REN_GL_VALUE(fence, glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
    wait_for(&fence);
}

enum krn_code ren_frame_read(struct ren_renderer *renderer, unsigned char *rgba,
                             struct krn_error *error)
{
    int width = renderer->width, height = renderer->height;
    if (width == 0 || height == 0)
        return KRN_FAIL(error, KRN_FAILED, "There is no frame to read: the window has no pixels.");
    ren_gl_try();
    REN_GL(glBindBuffer(GL_PIXEL_PACK_BUFFER, 0));
    REN_GL(glPixelStorei(GL_PACK_ALIGNMENT, 4));
    REN_GL(glPixelStorei(GL_PACK_ROW_LENGTH, 0));
    REN_GL(glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba));
    GLenum failed = ren_gl_tried();
    if (renderer->lost)
        failed = GL_CONTEXT_LOST;
    renderer->lost = failed == GL_CONTEXT_LOST;
    if (failed != GL_NO_ERROR)
        return KRN_FAIL(error, ren_gl_code(failed), "Reading the frame back failed (%s): %s.",
                        ren_gl_error_name(failed), ren_gl_cure(failed));
    /* GL's first row is the bottom one. */
    size_t row = (size_t)width * 4;
    for (int top = 0, bottom = height - 1; top <= bottom; top++, bottom--) {
        unsigned char *a = rgba + (size_t)top * row, *b = rgba + (size_t)bottom * row;
        for (size_t i = 0; i < row; i += 4) {
            for (size_t c = 0; c < 3; c++) {
                unsigned char swapped = a[i + c];
                a[i + c] = b[i + c];
                b[i + c] = swapped;
            }
            a[i + 3] = 255;
            b[i + 3] = 255;
        }
    }
    return KRN_OK;
}
