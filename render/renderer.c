#include "renderer.h"

#include "ren/list.h"

#include "glyphs.h"
#include "picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum krn_code shader_compile(GLenum stage, const char *source, GLuint *shader,
                                    struct krn_error *error)
{
    const char *name = stage == GL_VERTEX_SHADER ? "vertex" : "fragment";
    REN_GL_VALUE(*shader, glCreateShader(stage));
    if (*shader == 0)
        return KRN_FAIL(error, KRN_FAILED, "OpenGL gave no %s shader (%s).", name,
                        ren_gl_error_name(ren_gl_take_error()));
    REN_GL(glShaderSource(*shader, 1, &source, NULL));
    REN_GL(glCompileShader(*shader));
    GLint compiled = GL_FALSE;
    REN_GL(glGetShaderiv(*shader, GL_COMPILE_STATUS, &compiled));
    if (compiled)
        return KRN_OK;
    char log[256] = "";
    REN_GL(glGetShaderInfoLog(*shader, sizeof log, NULL, log));
    return KRN_FAIL(error, KRN_FAILED, "A %s shader did not compile: %s", name, log);
}

enum krn_code ren_program_make(const char *vertex_source, const char *fragment_source,
                               GLuint *program, struct krn_error *error)
{
    *program = 0;
    GLuint vertex = 0, fragment = 0, linked_program = 0;
    GLint linked = GL_FALSE;
    enum krn_code code = shader_compile(GL_VERTEX_SHADER, vertex_source, &vertex, error);
    if (code == KRN_OK)
        code = shader_compile(GL_FRAGMENT_SHADER, fragment_source, &fragment, error);
    if (code != KRN_OK)
        goto done;
    REN_GL_VALUE(linked_program, glCreateProgram());
    if (linked_program == 0) {
        code = KRN_FAIL(error, KRN_FAILED, "OpenGL gave no shader program (%s).",
                        ren_gl_error_name(ren_gl_take_error()));
        goto done;
    }
    REN_GL(glAttachShader(linked_program, vertex));
    REN_GL(glAttachShader(linked_program, fragment));
    REN_GL(glLinkProgram(linked_program));
    REN_GL(glGetProgramiv(linked_program, GL_LINK_STATUS, &linked));
    if (!linked) {
        char log[256] = "";
        REN_GL(glGetProgramInfoLog(linked_program, sizeof log, NULL, log));
        REN_GL(glDeleteProgram(linked_program));
        code = KRN_FAIL(error, KRN_FAILED, "A shader program did not link: %s", log);
        goto done;
    }
    REN_GL(glDetachShader(linked_program, vertex));
    REN_GL(glDetachShader(linked_program, fragment));
    *program = linked_program;
done:
    REN_GL(glDeleteShader(vertex));
    REN_GL(glDeleteShader(fragment));
    return code;
}

/* The functions beyond OpenGL 1.1 that this layer calls; GLEW leaves NULL what it did not find. */
static const char *missing_function(void)
{
    const struct {
        const char *name;
        bool found;
    } needed[] = {
        {"glActiveTexture", glActiveTexture != NULL},
        {"glAttachShader", glAttachShader != NULL},
        {"glBindBuffer", glBindBuffer != NULL},
        {"glBindFramebuffer", glBindFramebuffer != NULL},
        {"glBindRenderbuffer", glBindRenderbuffer != NULL},
        {"glBindVertexArray", glBindVertexArray != NULL},
        {"glBufferData", glBufferData != NULL},
        {"glBufferSubData", glBufferSubData != NULL},
        {"glCheckFramebufferStatus", glCheckFramebufferStatus != NULL},
        {"glClientWaitSync", glClientWaitSync != NULL},
        {"glCompileShader", glCompileShader != NULL},
        {"glCreateProgram", glCreateProgram != NULL},
        {"glCreateShader", glCreateShader != NULL},
        {"glDeleteBuffers", glDeleteBuffers != NULL},
        {"glDeleteFramebuffers", glDeleteFramebuffers != NULL},
        {"glDeleteProgram", glDeleteProgram != NULL},
        {"glDeleteRenderbuffers", glDeleteRenderbuffers != NULL},
        {"glDeleteShader", glDeleteShader != NULL},
        {"glDeleteSync", glDeleteSync != NULL},
        {"glDeleteVertexArrays", glDeleteVertexArrays != NULL},
        {"glDetachShader", glDetachShader != NULL},
        {"glDrawArraysInstanced", glDrawArraysInstanced != NULL},
        {"glEnableVertexAttribArray", glEnableVertexAttribArray != NULL},
        {"glFenceSync", glFenceSync != NULL},
        {"glFramebufferRenderbuffer", glFramebufferRenderbuffer != NULL},
        {"glGenBuffers", glGenBuffers != NULL},
        {"glGenFramebuffers", glGenFramebuffers != NULL},
        {"glGenRenderbuffers", glGenRenderbuffers != NULL},
        {"glGenVertexArrays", glGenVertexArrays != NULL},
        {"glGetProgramInfoLog", glGetProgramInfoLog != NULL},
        {"glGetProgramiv", glGetProgramiv != NULL},
        {"glGetShaderInfoLog", glGetShaderInfoLog != NULL},
        {"glGetShaderiv", glGetShaderiv != NULL},
        {"glGetUniformLocation", glGetUniformLocation != NULL},
        {"glLinkProgram", glLinkProgram != NULL},
        {"glMapBufferRange", glMapBufferRange != NULL},
        {"glRenderbufferStorage", glRenderbufferStorage != NULL},
        {"glShaderSource", glShaderSource != NULL},
        {"glUniform1i", glUniform1i != NULL},
        {"glUniform2f", glUniform2f != NULL},
        {"glUniform4f", glUniform4f != NULL},
        {"glUnmapBuffer", glUnmapBuffer != NULL},
        {"glUseProgram", glUseProgram != NULL},
        {"glVertexAttribDivisor", glVertexAttribDivisor != NULL},
        {"glVertexAttribIPointer", glVertexAttribIPointer != NULL},
        {"glVertexAttribPointer", glVertexAttribPointer != NULL},
    };
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (!needed[i].found)
            return needed[i].name;
    }
    return NULL;
}

static void copy_string(char *to, size_t size, GLenum what)
{
    const GLubyte *text;
    REN_GL_VALUE(text, glGetString(what));
    snprintf(to, size, "%s", text ? (const char *)text : "n/a");
}

static bool is_software(const char *renderer)
{
    static const char *const names[] = {"llvmpipe", "softpipe", "swrast", "Software Rasterizer"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strstr(renderer, names[i]))
            return true;
    }
    return false;
}

static enum krn_code load_gl(struct ren_gl_info *info, struct krn_error *error)
{
    glewExperimental = GL_TRUE;
    GLenum loaded = glewInit();
    /* GLEW asks for GLX last; under EGL there is none, and all functions are loaded by then. */
    if (loaded == GLEW_ERROR_NO_GL_VERSION)
        return KRN_FAIL(error, KRN_UNAVAILABLE, "No OpenGL context is current.");
    if (loaded != GLEW_OK && loaded != GLEW_ERROR_NO_GLX_DISPLAY)
        return KRN_FAIL(error, KRN_UNAVAILABLE, "OpenGL could not be loaded: %s.",
                        (const char *)glewGetErrorString(loaded));
    ren_gl_take_error(); /* what GLEW's asking about raised */

    copy_string(info->vendor, sizeof info->vendor, GL_VENDOR);
    copy_string(info->renderer, sizeof info->renderer, GL_RENDERER);
    copy_string(info->version, sizeof info->version, GL_VERSION);
    REN_GL(glGetIntegerv(GL_MAJOR_VERSION, &info->major));
    REN_GL(glGetIntegerv(GL_MINOR_VERSION, &info->minor));
    ren_gl_take_error(); /* contexts older than 3.0 do not know these two */
    if (info->major < 3 || (info->major == 3 && info->minor < 3))
        return KRN_FAIL(error, KRN_UNAVAILABLE,
                        "OpenGL 3.3 is needed, but %s gives version %s; a newer graphics driver "
                        "may help.",
                        info->renderer, info->version);
    const char *missing = missing_function();
    if (missing)
        return KRN_FAIL(error, KRN_UNAVAILABLE, "OpenGL %s of %s lacks the function %s.",
                        info->version, info->renderer, missing);
    REN_GL(glGetIntegerv(GL_MAX_TEXTURE_SIZE, &info->texture_size_max));
    info->software = is_software(info->renderer);
    return KRN_OK;
}

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
    struct ren_renderer *made = calloc(1, sizeof *made);
    if (!made)
        return KRN_FAIL(error, KRN_NO_MEMORY, "Out of memory for the renderer.");
    enum krn_code code = load_gl(&made->info, error);
    if (code != KRN_OK)
        goto fail_load;
    made->own_frame = !has_default_framebuffer();
    if (made->own_frame)
        REN_GL(glGenFramebuffers(1, &made->framebuffer));
    REN_GL(glGenVertexArrays(1, &made->empty_vao));
    code = ren_glyphs_new(&made->glyphs, made->info.texture_size_max, error);
    if (code != KRN_OK)
        goto fail;
    code = ren_list_new(&made->list, made->glyphs, error);
    if (code != KRN_OK)
        goto fail;
    for (int i = 0; i < REN_PICTURES; i++) {
        code = ren_picture_new(&made->pictures[i], error);
        if (code != KRN_OK)
            goto fail;
    }
    made->picture = made->pictures[0];
    code = ren_check(made, error);
    if (code != KRN_OK)
        goto fail;
    *renderer = made;
    return KRN_OK;
fail:
    ren_close(made);
    return code;
fail_load:
    free(made);
    return code;
}

void ren_close(struct ren_renderer *renderer)
{
    if (!renderer)
        return;
    for (int i = 0; i < REN_PICTURES; i++)
        ren_picture_free(renderer->pictures[i]);
    ren_list_free(renderer->list);
    ren_glyphs_free(renderer->glyphs);
    REN_GL(glDeleteVertexArrays(1, &renderer->empty_vao));
    REN_GL(glDeleteFramebuffers(1, &renderer->framebuffer));
    REN_GL(glDeleteRenderbuffers(1, &renderer->colour_buffer));
    for (int i = 0; i < 2; i++)
        if (renderer->fences[i])
            REN_GL(glDeleteSync(renderer->fences[i]));
    free(renderer);
}

const struct ren_gl_info *ren_describe(const struct ren_renderer *renderer)
{
    return &renderer->info;
}

const char *ren_font_notice(const struct ren_renderer *renderer)
{
    return ren_glyphs_notice(renderer->glyphs);
}

/* Makes the renderer's own framebuffer width x height; it is bound on success. */
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
        return KRN_FAIL(error, KRN_NO_MEMORY, "Out of graphics memory for a %d x %d frame.", width,
                        height);
    if (failed != GL_NO_ERROR || status != GL_FRAMEBUFFER_COMPLETE)
        return KRN_FAIL(error, KRN_FAILED, "OpenGL made no %d x %d frame (%s, status 0x%04x).",
                        width, height, ren_gl_error_name(failed), status);
    renderer->buffer_width = width;
    renderer->buffer_height = height;
    return KRN_OK;
}

/* Clears the frame but for what lies inside `covered`: filling pixels twice is what a GPU built for
 * computing is slow at (0.15 ms of 1920 x 1080 pixels on an H200). */
static void clear_around(const struct ren_renderer *renderer, const struct ren_rect *covered)
{
    const int width = renderer->width, height = renderer->height;
    if (!covered) {
        REN_GL(glClear(GL_COLOR_BUFFER_BIT));
        return;
    }
    /* Inwards to whole pixels; GL counts rows from below. */
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
        REN_GL(glScissor(bars[i][0], bars[i][1], bars[i][2], bars[i][3]));
        REN_GL(glClear(GL_COLOR_BUFFER_BIT));
    }
    REN_GL(glDisable(GL_SCISSOR_TEST));
}

enum krn_code ren_frame_begin(struct ren_renderer *renderer, int width, int height, unsigned rgb,
                              const struct ren_rect *covered, struct krn_error *error)
{
    renderer->width = 0;
    renderer->height = 0;
    if (width <= 0 || height <= 0) /* minimised: a frame without pixels */
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
    } else {
        REN_GL(glBindFramebuffer(GL_FRAMEBUFFER, 0));
    }
    renderer->width = width;
    renderer->height = height;
    REN_GL(glViewport(0, 0, width, height));
    REN_GL(glDisable(GL_BLEND));
    REN_GL(glDisable(GL_DEPTH_TEST));
    REN_GL(glDisable(GL_SCISSOR_TEST));
    REN_GL(glActiveTexture(GL_TEXTURE0));
    REN_GL(glClearColor((float)(rgb >> 16 & 255) / 255.0f, (float)(rgb >> 8 & 255) / 255.0f,
                        (float)(rgb & 255) / 255.0f, 1.0f));
    clear_around(renderer, covered);
    return KRN_OK;
}

/* A second is beyond any frame that may still be waited for; a lost context ends at once. */
static const GLuint64 patience_ns = 1000000000;

/* Waits for a fence and forgets it. */
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
    if (failed != GL_NO_ERROR)
        return KRN_FAIL(error, failed == GL_OUT_OF_MEMORY ? KRN_NO_MEMORY : KRN_FAILED,
                        "Reading the frame back failed (%s).", ren_gl_error_name(failed));
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
