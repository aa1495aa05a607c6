/* Halves a frame on the GPU, and reads it back some frames later. */
#include "state.h"

#include "krn/memory.h"

#include <stdlib.h>
#include <string.h>

struct ren_thumbnail {
    GLuint texture, framebuffer, buffer;
    int width, height; /* of the image in the buffer */
    GLsync fence;      /* behind its copy; NULL: none is under way */
};

void ren_thumbnail_free(struct ren_thumbnail *thumbnail)
{
    if (!thumbnail)
        return;
    REN_GL(glDeleteFramebuffers(1, &thumbnail->framebuffer));
    REN_GL(glDeleteTextures(1, &thumbnail->texture));
    REN_GL(glDeleteBuffers(1, &thumbnail->buffer));
    if (thumbnail->fence)
        REN_GL(glDeleteSync(thumbnail->fence));
    free(thumbnail);
}

static int half(int side)
{
    return side > 1 ? side / 2 : 1;
}

static bool is_large(int width, int height)
{
    return width > REN_THUMBNAIL_SIDE || height > REN_THUMBNAIL_SIDE;
}

/* Starts to copy the frame into the buffer. A linear filter averages all pixels only where it
 * halves; OpenGL halves further as it makes a texture's levels. */
static void copy_frame(struct ren_thumbnail *thumbnail, const struct ren_renderer *renderer)
{
    const bool large = is_large(renderer->width, renderer->height);
    int width = large ? half(renderer->width) : renderer->width,
        height = large ? half(renderer->height) : renderer->height;
    REN_GL(glBindTexture(GL_TEXTURE_2D, thumbnail->texture));
    REN_GL(glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                        NULL));
    REN_GL(glBindFramebuffer(GL_DRAW_FRAMEBUFFER, thumbnail->framebuffer));
    REN_GL(glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                                  thumbnail->texture, 0));
    REN_GL(glBlitFramebuffer(0, 0, renderer->width, renderer->height, 0, 0, width, height,
                             GL_COLOR_BUFFER_BIT, GL_LINEAR));
    GLint level = 0;
    for (; is_large(width, height); level++) {
        width = half(width);
        height = half(height);
    }
    REN_GL(glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, level));
    if (level > 0)
        REN_GL(glGenerateMipmap(GL_TEXTURE_2D));
    REN_GL(glBindFramebuffer(GL_READ_FRAMEBUFFER, thumbnail->framebuffer));
    REN_GL(glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                                  thumbnail->texture, level));
    REN_GL(glBindBuffer(GL_PIXEL_PACK_BUFFER, thumbnail->buffer));
    REN_GL(
        glBufferData(GL_PIXEL_PACK_BUFFER, 4 * (GLsizeiptr)width * height, NULL, GL_STREAM_READ));
    REN_GL(glPixelStorei(GL_PACK_ALIGNMENT, 4));
    REN_GL(glPixelStorei(GL_PACK_ROW_LENGTH, 0));
    REN_GL(glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, NULL));
    REN_GL(glBindBuffer(GL_PIXEL_PACK_BUFFER, 0));
    thumbnail->width = width;
    thumbnail->height = height;
}

/* Forgets the copy that is under way. */
static void drop_copy(struct ren_thumbnail *thumbnail)
{
    if (thumbnail->fence)
        REN_GL(glDeleteSync(thumbnail->fence));
    thumbnail->fence = NULL;
}

static struct ren_thumbnail *make(void)
{
    struct ren_thumbnail *made = krn_alloc(1, sizeof *made);
    REN_GL(glGenTextures(1, &made->texture));
    REN_GL(glGenFramebuffers(1, &made->framebuffer));
    REN_GL(glGenBuffers(1, &made->buffer));
    return made;
}

void ren_thumbnail_begin(struct ren_renderer *renderer)
{
    if (renderer->width == 0 || renderer->height == 0)
        return;
    ren_gl_try();
    if (!renderer->thumbnail)
        renderer->thumbnail = make();
    struct ren_thumbnail *thumbnail = renderer->thumbnail;
    drop_copy(thumbnail);
    copy_frame(thumbnail, renderer);
    REN_GL_VALUE(thumbnail->fence, glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
    ren_frame_bind(renderer);
    if (ren_gl_tried() != GL_NO_ERROR)
        drop_copy(thumbnail);
}

/* Copies the buffer's image. Returns false when OpenGL does not give it. */
static bool read_buffer(const struct ren_thumbnail *thumbnail, unsigned char *rgba)
{
    const size_t bytes = 4 * (size_t)thumbnail->width * (size_t)thumbnail->height;
    const void *pixels;
    REN_GL(glBindBuffer(GL_PIXEL_PACK_BUFFER, thumbnail->buffer));
    REN_GL_VALUE(pixels,
                 glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, (GLsizeiptr)bytes, GL_MAP_READ_BIT));
    if (pixels) {
        memcpy(rgba, pixels, bytes);
        REN_GL(glUnmapBuffer(GL_PIXEL_PACK_BUFFER));
    }
    REN_GL(glBindBuffer(GL_PIXEL_PACK_BUFFER, 0));
    return pixels != NULL;
}

bool ren_thumbnail_take(struct ren_renderer *renderer, unsigned char *rgba, int *width, int *height)
{
    struct ren_thumbnail *thumbnail = renderer->thumbnail;
    GLenum waited;
    if (!thumbnail || !thumbnail->fence)
        return false;
    ren_gl_try();
    REN_GL_VALUE(waited, glClientWaitSync(thumbnail->fence, GL_SYNC_FLUSH_COMMANDS_BIT, 0));
    bool arrived = waited == GL_ALREADY_SIGNALED || waited == GL_CONDITION_SATISFIED;
    if (arrived) {
        drop_copy(thumbnail);
        arrived = read_buffer(thumbnail, rgba);
        *width = thumbnail->width;
        *height = thumbnail->height;
    }
    return ren_gl_tried() == GL_NO_ERROR && arrived;
}
