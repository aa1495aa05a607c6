/* interop.h - OpenGL objects that CUDA writes (inside render/ only).
 *
 * interop_cuda.c is the only file of this layer that calls the CUDA runtime; interop_absent.c
 * replaces it in a build without CUDA. Streams are opaque: krn_device_stream.
 */
#pragma once

#include "gl/gl.h"
#include "krn/device.h"

struct ren_interop;

struct ren_interop_calls {
    /* Returns KRN_OK when the current OpenGL context is drawn by CUDA device `ordinal`, as
     * cudaGLGetDevices says; else KRN_UNAVAILABLE with reason and cure. */
    enum krn_code (*check)(int ordinal, struct krn_error *error);

    /* Registers a texture (GL_TEXTURE_2D, RGBA8) or a pixel buffer. */
    enum krn_code (*open_texture)(GLuint texture, struct ren_interop **interop,
                                  struct krn_error *error);
    enum krn_code (*open_buffer)(GLuint buffer, struct ren_interop **interop,
                                 struct krn_error *error);
    void (*close)(struct ren_interop *interop);

    /* Gives the object to CUDA until unmap. Work in the stream after map waits for the OpenGL
     * commands before it, and OpenGL commands after unmap wait for the stream. */
    enum krn_code (*map)(struct ren_interop *interop, void *stream, struct krn_error *error);

    /* Returns the mapped buffer as device memory of at least `bytes` in *memory. */
    enum krn_code (*memory)(struct ren_interop *interop, size_t bytes, void **memory,
                            struct krn_error *error);

    /* Copies image (device memory) into the mapped texture, on the device. */
    enum krn_code (*copy)(struct ren_interop *interop, const struct krn_image *image, void *stream,
                          struct krn_error *error);

    enum krn_code (*unmap)(struct ren_interop *interop, void *stream, struct krn_error *error);
};

/* NULL without CUDA, where no device's memory needs interop. */
extern const struct ren_interop_calls *const ren_interop;
