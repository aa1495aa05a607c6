#include "layer.h"

#include "gl/program.h"
#include "gl/shaders.h"
#include "state.h"

#include <stdlib.h>

struct ren_layer {
    GLuint program, texture, framebuffer;
    GLint rect;
    int width, height; /* of the texture; 0: none */
};

enum krn_code ren_layer_new(struct ren_layer **layer, struct krn_error *error)
{
    struct ren_layer *made = calloc(1, sizeof *made);
    if (!made)
        return KRN_FAIL(error, KRN_NO_MEMORY, "Out of memory for a drawing layer.");
    const enum krn_code code =
        ren_program_make(ren_shader_picture_vert, ren_shader_picture_frag, &made->program, error);
    if (code != KRN_OK) {
        free(made);
        return code;
    }
    REN_GL_VALUE(made->rect, glGetUniformLocation(made->program, "rect"));
    *layer = made;
    return KRN_OK;
}

void ren_layer_free(struct ren_layer *layer)
{
    if (!layer)
        return;
    REN_GL(glDeleteFramebuffers(1, &layer->framebuffer));
    REN_GL(glDeleteTextures(1, &layer->texture));
    REN_GL(glDeleteProgram(layer->program));
    free(layer);
}

static void bind_frame(const struct ren_renderer *renderer)
{
    REN_GL(glBindFramebuffer(GL_FRAMEBUFFER, renderer->own_frame ? renderer->framebuffer : 0));
    REN_GL(glViewport(0, 0, renderer->width, renderer->height));
}

/* Makes texture and framebuffer of this size, and leaves the framebuffer bound on success. */
static bool resize(struct ren_layer *layer, int width, int height)
{
    GLenum status = GL_FRAMEBUFFER_COMPLETE;
    ren_gl_try();
    if (layer->framebuffer == 0)
        REN_GL(glGenFramebuffers(1, &layer->framebuffer));
    REN_GL(glBindFramebuffer(GL_FRAMEBUFFER, layer->framebuffer));
    if (width != layer->width || height != layer->height) {
        layer->width = layer->height = 0;
        if (layer->texture == 0)
            REN_GL(glGenTextures(1, &layer->texture));
        REN_GL(glBindTexture(GL_TEXTURE_2D, layer->texture));
        REN_GL(glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                            NULL));
        REN_GL(glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0));
        REN_GL(glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST));
        REN_GL(glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST));
        REN_GL(glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                                      layer->texture, 0));
        REN_GL_VALUE(status, glCheckFramebufferStatus(GL_FRAMEBUFFER));
    }
    if (ren_gl_tried() != GL_NO_ERROR || status != GL_FRAMEBUFFER_COMPLETE)
        return false;
    layer->width = width;
    layer->height = height;
    return true;
}

bool ren_layer_begin(struct ren_layer *layer, const struct ren_renderer *renderer,
                     struct ren_layer_place place, unsigned rgb)
{
    const int most = renderer->info.texture_size_max;
    if (place.w > most || place.h > most)
        return false;
    if (!resize(layer, place.w, place.h)) {
        bind_frame(renderer);
        return false;
    }
    /* Shapes keep the coordinates of the frame. */
    REN_GL(glViewport(-place.x, place.y + place.h - renderer->height, renderer->width,
                      renderer->height));
    REN_GL(glClearColor((float)(rgb >> 16 & 255) / 255.0f, (float)(rgb >> 8 & 255) / 255.0f,
                        (float)(rgb & 255) / 255.0f, 1.0f));
    REN_GL(glClear(GL_COLOR_BUFFER_BIT));
    return true;
}

void ren_layer_end(const struct ren_renderer *renderer)
{
    bind_frame(renderer);
}

void ren_layer_draw(const struct ren_layer *layer, struct ren_renderer *renderer,
                    struct ren_layer_place place)
{
    const float width = (float)renderer->width, height = (float)renderer->height;
    const float left = (float)place.x, right = (float)(place.x + place.w), top = (float)place.y,
                bottom = (float)(place.y + place.h);
    REN_GL(glUseProgram(layer->program));
    REN_GL(glUniform4f(layer->rect, 2.0f * left / width - 1.0f, 1.0f - 2.0f * bottom / height,
                       2.0f * right / width - 1.0f, 1.0f - 2.0f * top / height));
    REN_GL(glBindTexture(GL_TEXTURE_2D, layer->texture));
    REN_GL(glBindVertexArray(renderer->empty_vao));
    REN_GL(glDrawArrays(GL_TRIANGLE_STRIP, 0, 4));
    renderer->draws++;
}
