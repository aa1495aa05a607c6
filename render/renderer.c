/* Opens and closes the renderer with all objects of this layer. */
#include "state.h"

#include "gl/gl.h"
#include "text/glyphs.h"

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
    struct ren_renderer *made = calloc(1, sizeof *made);
    if (!made)
        return KRN_FAIL(error, KRN_NO_MEMORY, "Out of memory for the renderer.");
    enum krn_code code = ren_gl_load(&made->info, error);
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

const char *ren_font_notice(const struct ren_renderer *renderer)
{
    return ren_glyphs_notice(renderer->glyphs);
}
