/* Refuses interop in a build without CUDA. */
#include "interop.h"

/* ren_picture_* never calls these: without CUDA, no device's memory needs interop. */
static enum krn_code absent(struct krn_error *error)
{
    return KRN_FAIL(error, KRN_UNAVAILABLE, "This build has no CUDA, so no CUDA-OpenGL interop.");
}

enum krn_code ren_interop_check(int ordinal, struct krn_error *error)
{
    (void)ordinal;
    return absent(error);
}

enum krn_code ren_interop_open_texture(GLuint texture, struct ren_interop **interop,
                                       struct krn_error *error)
{
    (void)texture;
    *interop = NULL;
    return absent(error);
}

enum krn_code ren_interop_open_buffer(GLuint buffer, struct ren_interop **interop,
                                      struct krn_error *error)
{
    (void)buffer;
    *interop = NULL;
    return absent(error);
}

void ren_interop_close(struct ren_interop *interop)
{
    (void)interop;
}

enum krn_code ren_interop_map(struct ren_interop *interop, void *stream, struct krn_error *error)
{
    (void)interop;
    (void)stream;
    return absent(error);
}

enum krn_code ren_interop_memory(struct ren_interop *interop, size_t bytes, void **memory,
                                 struct krn_error *error)
{
    (void)interop;
    (void)bytes;
    *memory = NULL;
    return absent(error);
}

enum krn_code ren_interop_copy(struct ren_interop *interop, const struct krn_image *image,
                               void *stream, struct krn_error *error)
{
    (void)interop;
    (void)image;
    (void)stream;
    return absent(error);
}

enum krn_code ren_interop_unmap(struct ren_interop *interop, void *stream, struct krn_error *error)
{
    (void)interop;
    (void)stream;
    return absent(error);
}
