/* The rungs of the blit: enters, leaves and replaces each, and draws the texture. */
#include "ren/blit.h"

#include "gl/gl.h"
#include "interop.h"
#include "state.h"

#include "krn/memory.h"
#include "ren/context.h"
#include "ren/list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ren_picture {
    /* One program draws the picture down to half its size or larger, one down to a quarter, one
     * shrinks it further: software OpenGL and compute GPUs are slow at every instruction of a
     * fragment shader. footprint: of halve, the place of its taps. */
    struct {
        GLuint program;
        GLint rect, footprint;
    } plain, halve, shrink;

    /* Draws smooth edges over what `plain` has drawn. */
    struct {
        GLuint program;
        GLint rect, onto, between;
    } smooth;

    /* The texture and its size; 0 x 0 before the first picture. */
    GLuint texture;
    int width, height;

    /* The device that writes the picture, and the rung that brings it to OpenGL. */
    struct krn_device *device;
    struct ren_blit_status status;
    struct krn_image image;      /* the kernel's target: the device's image, or the mapped buffer */
    struct ren_interop *interop; /* of the texture (interop) or of the buffer (pbo) */
    GLuint buffer;               /* pbo */
    bool mapped;                 /* interop, pbo: between begin and end */
    void *staging;               /* copy, for a device that the host cannot read: pinned memory */
};

enum krn_code ren_picture_new(struct ren_picture **picture, struct krn_error *error)
{
    struct ren_picture *made = krn_alloc(1, sizeof *made);
    enum krn_code code = ren_program_make(ren_shader_picture_vert, ren_shader_picture_frag,
                                          &made->plain.program, error);
    KRN_THEN(code, ren_program_make(ren_shader_picture_vert, ren_shader_halve_frag,
                                    &made->halve.program, error));
    KRN_THEN(code, ren_program_make(ren_shader_picture_vert, ren_shader_shrink_frag,
                                    &made->shrink.program, error));
    KRN_THEN(code, ren_program_make(ren_shader_smooth_vert, ren_shader_smooth_frag,
                                    &made->smooth.program, error));
    if (code != KRN_OK) {
        ren_picture_free(made);
        return code;
    }
    /* The sampler's texture unit is 0, the initial value of every uniform. */
    REN_GL_VALUE(made->plain.rect, glGetUniformLocation(made->plain.program, "rect"));
    REN_GL_VALUE(made->halve.rect, glGetUniformLocation(made->halve.program, "rect"));
    REN_GL_VALUE(made->halve.footprint, glGetUniformLocation(made->halve.program, "apart"));
    REN_GL_VALUE(made->shrink.rect, glGetUniformLocation(made->shrink.program, "rect"));
    REN_GL_VALUE(made->shrink.footprint, glGetUniformLocation(made->shrink.program, "footprint"));
    REN_GL_VALUE(made->smooth.rect, glGetUniformLocation(made->smooth.program, "rect"));
    REN_GL_VALUE(made->smooth.onto, glGetUniformLocation(made->smooth.program, "onto"));
    REN_GL_VALUE(made->smooth.between, glGetUniformLocation(made->smooth.program, "between"));
    *picture = made;
    return KRN_OK;
}

static size_t image_bytes(int width, int height)
{
    return 4 * (size_t)width * (size_t)height;
}

/* Frees the resources of the rung in use; the texture and its content stay. */
static void leave_rung(struct ren_picture *picture)
{
    struct krn_error ignored;
    if (picture->mapped)
        (void)ren_interop->unmap(picture->interop, krn_device_stream(picture->device), &ignored);
    picture->mapped = false;
    if (picture->interop)
        ren_interop->close(picture->interop);
    picture->interop = NULL;
    if (picture->buffer) {
        /* The image was the mapped buffer, not a separate allocation. */
        memset(&picture->image, 0, sizeof picture->image);
        REN_GL(glDeleteBuffers(1, &picture->buffer));
        picture->buffer = 0;
    }
    if (picture->device) {
        krn_device_free_image(picture->device, &picture->image);
        krn_device_free_host(picture->device, picture->staging);
    }
    picture->staging = NULL;
}

void ren_picture_free(struct ren_picture *picture)
{
    if (!picture)
        return;
    leave_rung(picture);
    REN_GL(glDeleteTextures(1, &picture->texture));
    REN_GL(glDeleteProgram(picture->plain.program));
    REN_GL(glDeleteProgram(picture->halve.program));
    REN_GL(glDeleteProgram(picture->shrink.program));
    REN_GL(glDeleteProgram(picture->smooth.program));
    free(picture);
}

void ren_picture_release(struct ren_renderer *renderer)
{
    for (int i = 0; i < REN_PICTURES; i++) {
        leave_rung(renderer->pictures[i]);
        renderer->pictures[i]->device = NULL;
    }
}

void ren_picture_select(struct ren_renderer *renderer, int picture)
{
    renderer->picture = renderer->pictures[picture];
}

void ren_picture_drop(struct ren_renderer *renderer)
{
    struct ren_picture *picture = renderer->picture;
    leave_rung(picture);
    picture->device = NULL;
    REN_GL(glDeleteTextures(1, &picture->texture));
    picture->texture = 0;
    picture->width = picture->height = 0;
}

/* Makes a texture of the given size with undefined content, then deletes the old one. */
static enum krn_code remake_texture(struct ren_renderer *renderer, int width, int height,
                                    struct krn_error *error)
{
    struct ren_picture *picture = renderer->picture;
    const int most = renderer->info.texture_size_max;
    if (width > most || height > most)
        return KRN_FAIL(error, KRN_REFUSED,
                        "This OpenGL shows pictures of up to %dx%d pixels, not %dx%d.", most, most,
                        width, height);
    GLuint texture = 0;
    ren_gl_try();
    REN_GL(glGenTextures(1, &texture));
    REN_GL(glBindTexture(GL_TEXTURE_2D, texture));
    REN_GL(glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                        NULL));
    const GLenum fault = ren_gl_tried();
    if (fault != GL_NO_ERROR) {
        REN_GL(glDeleteTextures(1, &texture));
        return KRN_FAIL(error, fault == GL_OUT_OF_MEMORY ? KRN_NO_MEMORY : KRN_FAILED,
                        "OpenGL gives no texture of %dx%d pixels (%s): %s.", width, height,
                        ren_gl_error_name(fault), ren_gl_cure(fault));
    }
    REN_GL(glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0));
    REN_GL(glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE));
    REN_GL(glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE));
    REN_GL(glDeleteTextures(1, &picture->texture));
    picture->texture = texture;
    picture->width = width;
    picture->height = height;
    return KRN_OK;
}

static enum krn_code enter_interop(struct ren_picture *picture, struct krn_error *error)
{
    const enum krn_code code =
        ren_interop->open_texture(picture->texture, &picture->interop, error);
    return code == KRN_OK ? krn_device_alloc_image(picture->device, picture->width, picture->height,
                                                   &picture->image, error)
                          : code;
}

static enum krn_code enter_pbo(struct ren_picture *picture, struct krn_error *error)
{
    const size_t bytes = image_bytes(picture->width, picture->height);
    ren_gl_try();
    REN_GL(glGenBuffers(1, &picture->buffer));
    REN_GL(glBindBuffer(GL_PIXEL_UNPACK_BUFFER, picture->buffer));
    REN_GL(glBufferData(GL_PIXEL_UNPACK_BUFFER, (GLsizeiptr)bytes, NULL, GL_STREAM_DRAW));
    REN_GL(glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0));
    const GLenum fault = ren_gl_tried();
    if (fault != GL_NO_ERROR)
        return KRN_FAIL(error, KRN_NO_MEMORY, "OpenGL gives no pixel buffer of %zu KiB (%s): %s.",
                        (bytes + 1023) >> 10, ren_gl_error_name(fault), ren_gl_cure(fault));
    return ren_interop->open_buffer(picture->buffer, &picture->interop, error);
}

static enum krn_code enter_copy(struct ren_picture *picture, struct krn_error *error)
{
    /* After interop fails in mid-frame, the device's image holds this frame's pixels already. */
    enum krn_code code = KRN_OK;
    if (!picture->image.pixels)
        code = krn_device_alloc_image(picture->device, picture->width, picture->height,
                                      &picture->image, error);
    if (code == KRN_OK && !krn_device_is_host(picture->device))
        code = krn_device_alloc_host(picture->device, image_bytes(picture->width, picture->height),
                                     &picture->staging, error);
    return code;
}

/* Returns true when the device computes in this OpenGL: its image is a buffer of it, by name. */
static bool writes_buffers(const struct ren_picture *picture)
{
    return krn_device_describe(picture->device)->backend == KRN_BACKEND_GL;
}

static enum krn_code enter_rung(struct ren_picture *picture, enum ren_blit rung,
                                struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    if (rung != REN_BLIT_COPY && writes_buffers(picture)) {
        code = krn_device_alloc_image(picture->device, picture->width, picture->height,
                                      &picture->image, error);
        picture->status.used = REN_BLIT_PBO;
        return code;
    }
    if (rung != REN_BLIT_COPY && krn_device_is_host(picture->device))
        code = KRN_FAIL(error, KRN_UNAVAILABLE,
                        "The CPU backend's picture is in host memory and is uploaded.");
    else if (rung != REN_BLIT_COPY)
        code = ren_interop->check(krn_device_describe(picture->device)->ordinal, error);
    if (code != KRN_OK)
        return code;
    static enum krn_code (*const enter[REN_BLIT_COUNT])(
        struct ren_picture *, struct krn_error *) = {[REN_BLIT_INTEROP] = enter_interop,
                                                     [REN_BLIT_PBO] = enter_pbo,
                                                     [REN_BLIT_COPY] = enter_copy};
    code = enter[rung](picture, error);
    if (code != KRN_OK)
        leave_rung(picture);
    else
        picture->status.used = rung;
    return code;
}

/* Selects the first working rung from `from` on and records why each higher one does not work. */
static enum krn_code climb_down(struct ren_picture *picture, enum ren_blit from,
                                struct krn_error *error)
{
    enum krn_code code = KRN_FAILED;
    for (int rung = (int)from; rung < REN_BLIT_COUNT; rung++) {
        code = enter_rung(picture, (enum ren_blit)rung, error);
        if (code == KRN_OK || code == KRN_LOST)
            return code;
        if (picture->status.reason[0] == '\0')
            snprintf(picture->status.reason, sizeof picture->status.reason, "%s", error->text);
        picture->status.elsewhere = picture->status.elsewhere || code == KRN_UNAVAILABLE;
    }
    return code;
}

static enum krn_code unmap(struct ren_picture *picture, struct krn_error *error)
{
    const enum krn_code code =
        ren_interop->unmap(picture->interop, krn_device_stream(picture->device), error);
    picture->mapped = code != KRN_OK;
    return code;
}

/* Maps before the kernel runs, not after it: a kernel that runs while OpenGL still draws the last
 * frame makes the GPU switch between the two more often. */
static enum krn_code map(struct ren_picture *picture, struct krn_error *error)
{
    enum krn_code code =
        ren_interop->map(picture->interop, krn_device_stream(picture->device), error);
    picture->mapped = code == KRN_OK;
    if (code != KRN_OK || picture->status.used != REN_BLIT_PBO)
        return code;
    void *memory;
    code = ren_interop->memory(picture->interop, image_bytes(picture->width, picture->height),
                               &memory, error);
    picture->image =
        (struct krn_image){memory, 4 * (size_t)picture->width, picture->width, picture->height};
    return code;
}

enum krn_code ren_picture_begin(struct ren_renderer *renderer, struct krn_device *device,
                                enum ren_blit asked, int width, int height, struct krn_image *image,
                                struct krn_error *error)
{
    struct ren_picture *picture = renderer->picture;
    struct krn_error local;
    if (!error)
        error = &local;
    const bool resized = picture->width != width || picture->height != height;
    enum krn_code code = KRN_OK;
    if (resized || picture->device != device || picture->status.asked != asked) {
        leave_rung(picture);
        picture->device = device;
        if (resized && (code = remake_texture(renderer, width, height, error)) != KRN_OK) {
            picture->device = NULL; /* start again at the top next time */
            return code;
        }
        picture->status = (struct ren_blit_status){.asked = asked, .used = asked};
        code = climb_down(picture, asked, error);
    }
    /* Give up a frame that was begun and never ended because its kernel failed. */
    if (code == KRN_OK && picture->mapped)
        code = unmap(picture, error);
    if (code == KRN_OK && picture->interop != NULL) {
        code = map(picture, error);
        if (code != KRN_OK && code != KRN_LOST) {
            snprintf(picture->status.reason, sizeof picture->status.reason, "%s", error->text);
            leave_rung(picture);
            code = climb_down(picture, REN_BLIT_COPY, error);
        }
    }
    if (code != KRN_OK) {
        leave_rung(picture);
        picture->device = NULL;
        return code;
    }
    *image = picture->image;
    return KRN_OK;
}

/* Uploads from host memory or, when a pixel buffer is bound, from its offset 0. */
static void upload(struct ren_renderer *renderer, const void *pixels, size_t pitch_bytes)
{
    const struct ren_picture *picture = renderer->picture;
    ren_times_mark(renderer, REN_MARK_UPLOAD_BEGIN);
    REN_GL(glBindTexture(GL_TEXTURE_2D, picture->texture));
    REN_GL(glPixelStorei(GL_UNPACK_ROW_LENGTH, (GLint)(pitch_bytes / 4)));
    REN_GL(glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, picture->width, picture->height, GL_RGBA,
                           GL_UNSIGNED_BYTE, pixels));
    REN_GL(glPixelStorei(GL_UNPACK_ROW_LENGTH, 0));
    ren_times_mark(renderer, REN_MARK_UPLOAD_END);
}

enum krn_code ren_picture_fill(struct ren_renderer *renderer, const unsigned char *rgba, int width,
                               int height, struct krn_error *error)
{
    struct ren_picture *picture = renderer->picture;
    leave_rung(picture);
    picture->device = NULL;
    if (picture->width != width || picture->height != height) {
        const enum krn_code code = remake_texture(renderer, width, height, error);
        if (code != KRN_OK)
            return code;
    }
    upload(renderer, rgba, 4 * (size_t)width);
    return KRN_OK;
}

static enum krn_code end_copy(struct ren_renderer *renderer, struct krn_error *error)
{
    struct ren_picture *picture = renderer->picture;
    enum krn_code code;
    if (krn_device_is_host(picture->device)) {
        code = krn_device_sync(picture->device, error);
        if (code == KRN_OK)
            upload(renderer, picture->image.pixels, picture->image.pitch_bytes);
        return code;
    }
    krn_device_stamp_begin(picture->device, KRN_PART_COPY);
    code = krn_device_read(picture->device, &picture->image, picture->staging, error);
    krn_device_stamp_close(picture->device);
    if (code == KRN_OK)
        upload(renderer, picture->staging, 4 * (size_t)picture->width);
    return code;
}

static enum krn_code end_interop(struct ren_picture *picture, struct krn_error *error)
{
    krn_device_stamp_begin(picture->device, KRN_PART_COPY);
    const enum krn_code code = ren_interop->copy(picture->interop, &picture->image,
                                                 krn_device_stream(picture->device), error);
    krn_device_stamp_close(picture->device);
    return code == KRN_OK ? unmap(picture, error) : code;
}

static enum krn_code end_pbo(struct ren_renderer *renderer, struct krn_error *error)
{
    struct ren_picture *picture = renderer->picture;
    const enum krn_code code = picture->interop ? unmap(picture, error) : KRN_OK;
    if (code != KRN_OK)
        return code;
    REN_GL(glBindBuffer(GL_PIXEL_UNPACK_BUFFER, picture->interop
                                                    ? picture->buffer
                                                    : (GLuint)(uintptr_t)picture->image.pixels));
    upload(renderer, NULL, 4 * (size_t)picture->width);
    REN_GL(glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0));
    return KRN_OK;
}

/* Brings the same frame to OpenGL by the last rung, after a higher one failed with the pixels
 * rendered. */
static enum krn_code rescue(struct ren_renderer *renderer, struct krn_error *error)
{
    struct ren_picture *picture = renderer->picture;
    snprintf(picture->status.reason, sizeof picture->status.reason, "%s", error->text);
    picture->status.used = REN_BLIT_COPY;
    void *rescued = NULL;
    enum krn_code code = krn_device_alloc_host(
        picture->device, image_bytes(picture->width, picture->height), &rescued, error);
    KRN_THEN(code, krn_device_read(picture->device, &picture->image, rescued, error));
    /* OpenGL must not touch a mapped resource. */
    leave_rung(picture);
    if (code == KRN_OK)
        upload(renderer, rescued, 4 * (size_t)picture->width);
    krn_device_free_host(picture->device, rescued);
    return code == KRN_OK ? enter_rung(picture, REN_BLIT_COPY, error) : code;
}

enum krn_code ren_picture_end(struct ren_renderer *renderer, struct krn_error *error)
{
    struct ren_picture *picture = renderer->picture;
    struct krn_error local;
    if (!error)
        error = &local;
    if (!picture->device)
        return KRN_FAIL(error, KRN_REFUSED, "No picture was begun.");
    enum krn_code code = KRN_OK;
    switch (picture->status.used) {
    case REN_BLIT_INTEROP:
        code = end_interop(picture, error);
        break;
    case REN_BLIT_PBO:
        code = end_pbo(renderer, error);
        break;
    default:
        code = end_copy(renderer, error);
        break;
    }
    if (code != KRN_OK && picture->status.used != REN_BLIT_COPY)
        code = rescue(renderer, error);
    if (code != KRN_OK) {
        leave_rung(picture);
        picture->device = NULL;
    }
    return code;
}

struct ren_blit_status ren_picture_status(const struct ren_renderer *renderer)
{
    return renderer->picture->status;
}

/* Draws smooth edges over the picture as it was drawn last, into rect and the corners of rect in
 * OpenGL's coordinates. */
static void draw_edges(struct ren_renderer *renderer, struct ren_rect rect, const float corners[4],
                       bool between)
{
    const struct ren_picture *picture = renderer->picture;
    enum { TILE = 8 }; /* of smooth.vert */
    const int tiles = ((picture->width + TILE - 1) / TILE) * ((picture->height + TILE - 1) / TILE);
    REN_GL(glUseProgram(picture->smooth.program));
    REN_GL(glUniform4fv(picture->smooth.rect, 1, corners));
    REN_GL(glUniform4f(picture->smooth.onto, rect.x, (float)renderer->height - rect.y - rect.h,
                       (float)picture->width / rect.w, (float)picture->height / rect.h));
    REN_GL(glUniform1f(picture->smooth.between, between ? 1.0f : 0.0f));
    REN_GL(glEnable(GL_PROGRAM_POINT_SIZE));
    REN_GL(glDrawArrays(GL_POINTS, 0, tiles));
    REN_GL(glDisable(GL_PROGRAM_POINT_SIZE));
    renderer->draws++;
}

enum krn_code ren_picture_draw(struct ren_renderer *renderer, struct ren_rect rect, bool smooth,
                               struct krn_error *error)
{
    const struct ren_picture *picture = renderer->picture;
    if (picture->width == 0 || renderer->width == 0 || renderer->height == 0 || rect.w <= 0.0f ||
        rect.h <= 0.0f)
        return KRN_OK; /* there is nothing to draw, or nothing to draw on */
    const float texels_x = (float)picture->width / rect.w,
                texels_y = (float)picture->height / rect.h;
    const float enlarged = fminf(1.0f / texels_x, 1.0f / texels_y);
    const bool whole = fabsf(enlarged - roundf(enlarged)) < 1e-3f;
    smooth = smooth && enlarged < 4.001f;
    const GLint filter =
        enlarged > (smooth ? 4.001f : 2.0f) || (whole && enlarged > 0.5f) ? GL_NEAREST : GL_LINEAR;

    /* Down to half the size, linear filtering reads every texel, but some count for more; down to a
     * quarter, four taps do. */
    const float most = fmaxf(texels_x, texels_y);
    const bool shrunk = most > (smooth ? 1.001f : 2.01f), far = most > 4.01f;
    REN_GL(glUseProgram(far      ? picture->shrink.program
                        : shrunk ? picture->halve.program
                                 : picture->plain.program));
    if (far)
        REN_GL(
            glUniform2f(picture->shrink.footprint, fmaxf(texels_x, 1.0f), fmaxf(texels_y, 1.0f)));
    else if (shrunk)
        REN_GL(glUniform2f(picture->halve.footprint, 0.25f * texels_x / (float)picture->width,
                           0.25f * texels_y / (float)picture->height));
    const float width = (float)renderer->width, height = (float)renderer->height;
    const float corners[] = {2.0f * rect.x / width - 1.0f, 1.0f - 2.0f * (rect.y + rect.h) / height,
                             2.0f * (rect.x + rect.w) / width - 1.0f,
                             1.0f - 2.0f * rect.y / height};
    REN_GL(glUniform4fv(far      ? picture->shrink.rect
                        : shrunk ? picture->halve.rect
                                 : picture->plain.rect,
                        1, corners));
    REN_GL(glBindTexture(GL_TEXTURE_2D, picture->texture));
    REN_GL(glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter));
    REN_GL(glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter));
    REN_GL(glBindVertexArray(renderer->empty_vao));
    REN_GL(glDrawArrays(GL_TRIANGLE_STRIP, 0, 4));
    renderer->draws++;
    if (smooth && !shrunk)
        draw_edges(renderer, rect, corners, !whole);
    (void)error;
    return KRN_OK;
}

enum krn_code ren_picture_draw_part(struct ren_renderer *renderer, struct ren_rect rect, float from,
                                    float to, bool smooth, struct krn_error *error)
{
    const GLint left = (GLint)roundf(rect.x + from * rect.w),
                right = (GLint)roundf(rect.x + to * rect.w);
    if (right <= left)
        return KRN_OK;
    REN_GL(glEnable(GL_SCISSOR_TEST));
    REN_GL(glScissor(left, 0, right - left, renderer->height));
    const enum krn_code code = ren_picture_draw(renderer, rect, smooth, error);
    REN_GL(glDisable(GL_SCISSOR_TEST));
    return code;
}
