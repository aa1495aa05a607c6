/* kernels/gl/calls.h - the functions of OpenGL that the backend calls, from the lent context.
 *
 * Declared here, so that the kernels build where no header of OpenGL is installed. Values and types
 * as in https://registry.khronos.org/OpenGL/xml/gl.xml.
 */
#pragma once

#include "core/device/backend.h"

#include <stddef.h>
#include <stdint.h>

typedef struct krn_gl_fence *krn_gl_sync;

/* X(result, name, parameters, needed): the ones that are not needed may be NULL. */
#define KRN_GL_FUNCTIONS(X)                                                                        \
    X(unsigned, GetError, (void), true)                                                            \
    X(const unsigned char *, GetString, (unsigned name), true)                                     \
    X(void, GetIntegerv, (unsigned name, int *value), true)                                        \
    X(void, GetInteger64v, (unsigned name, int64_t *value), true)                                  \
    X(void, GetIntegeri_v, (unsigned name, unsigned index, int *value), true)                      \
    X(void, Flush, (void), true)                                                                   \
    X(void, Finish, (void), true)                                                                  \
    X(unsigned, CreateShader, (unsigned kind), true)                                               \
    X(void, ShaderSource, (unsigned shader, int n, const char *const *text, const int *sizes),     \
      true)                                                                                        \
    X(void, CompileShader, (unsigned shader), true)                                                \
    X(void, GetShaderiv, (unsigned shader, unsigned name, int *value), true)                       \
    X(void, GetShaderInfoLog, (unsigned shader, int size, int *used, char *text), true)            \
    X(void, DeleteShader, (unsigned shader), true)                                                 \
    X(unsigned, CreateProgram, (void), true)                                                       \
    X(void, AttachShader, (unsigned program, unsigned shader), true)                               \
    X(void, LinkProgram, (unsigned program), true)                                                 \
    X(void, GetProgramiv, (unsigned program, unsigned name, int *value), true)                     \
    X(void, GetProgramInfoLog, (unsigned program, int size, int *used, char *text), true)          \
    X(void, DeleteProgram, (unsigned program), true)                                               \
    X(void, UseProgram, (unsigned program), true)                                                  \
    X(void, Uniform4i, (int location, int a, int b, int c, int d), true)                           \
    X(void, Uniform4f, (int location, float a, float b, float c, float d), true)                   \
    X(void, GenBuffers, (int n, unsigned *names), true)                                            \
    X(void, DeleteBuffers, (int n, const unsigned *names), true)                                   \
    X(void, BindBuffer, (unsigned target, unsigned name), true)                                    \
    X(void, BindBufferBase, (unsigned target, unsigned index, unsigned name), true)                \
    X(void, BufferData, (unsigned target, ptrdiff_t size, const void *data, unsigned usage), true) \
    X(void, BufferSubData, (unsigned target, ptrdiff_t from, ptrdiff_t size, const void *data),    \
      true)                                                                                        \
    X(void, GetBufferSubData, (unsigned target, ptrdiff_t from, ptrdiff_t size, void *data), true) \
    X(void, ClearBufferSubData,                                                                    \
      (unsigned target, unsigned inner, ptrdiff_t from, ptrdiff_t size, unsigned format,           \
       unsigned type, const void *data),                                                           \
      true)                                                                                        \
    X(void, GenTextures, (int n, unsigned *names), true)                                           \
    X(void, DeleteTextures, (int n, const unsigned *names), true)                                  \
    X(void, ActiveTexture, (unsigned unit), true)                                                  \
    X(void, BindTexture, (unsigned target, unsigned name), true)                                   \
    X(void, TexBuffer, (unsigned target, unsigned format, unsigned buffer), true)                  \
    X(void, DispatchCompute, (unsigned x, unsigned y, unsigned z), true)                           \
    X(void, MemoryBarrier, (unsigned bits), true)                                                  \
    X(void, GenQueries, (int n, unsigned *names), true)                                            \
    X(void, DeleteQueries, (int n, const unsigned *names), true)                                   \
    X(void, QueryCounter, (unsigned query, unsigned target), true)                                 \
    X(void, GetQueryiv, (unsigned target, unsigned name, int *value), true)                        \
    X(void, GetQueryObjectiv, (unsigned query, unsigned name, int *value), true)                   \
    X(void, GetQueryObjectui64v, (unsigned query, unsigned name, uint64_t *value), true)           \
    X(krn_gl_sync, FenceSync, (unsigned condition, unsigned flags), true)                          \
    X(unsigned, ClientWaitSync, (krn_gl_sync fence, unsigned flags, uint64_t ns), true)            \
    X(void, DeleteSync, (krn_gl_sync fence), true)                                                 \
    X(unsigned, GetGraphicsResetStatus, (void), false)

enum {
    GL_NO_ERROR = 0,
    GL_INVALID_ENUM = 0x0500,
    GL_OUT_OF_MEMORY = 0x0505,
    GL_CONTEXT_LOST = 0x0507,
    GL_UNSIGNED_BYTE = 0x1401,
    GL_VENDOR = 0x1F00,
    GL_RENDERER = 0x1F01,
    GL_VERSION = 0x1F02,
    GL_TEXTURE0 = 0x84C0,
    GL_ACTIVE_TEXTURE = 0x84E0,
    GL_MAJOR_VERSION = 0x821B,
    GL_MINOR_VERSION = 0x821C,
    GL_R32F = 0x822E,
    GL_R8UI = 0x8232,
    GL_RGBA32F = 0x8814,
    GL_QUERY_COUNTER_BITS = 0x8864,
    GL_QUERY_RESULT = 0x8866,
    GL_QUERY_RESULT_AVAILABLE = 0x8867,
    GL_DYNAMIC_COPY = 0x88EA,
    GL_UNIFORM_BUFFER = 0x8A11,
    GL_UNIFORM_BUFFER_BINDING = 0x8A28,
    GL_MAX_UNIFORM_BLOCK_SIZE = 0x8A30,
    GL_COMPILE_STATUS = 0x8B81,
    GL_LINK_STATUS = 0x8B82,
    GL_CURRENT_PROGRAM = 0x8B8D,
    GL_TEXTURE_BUFFER = 0x8C2A,
    GL_MAX_TEXTURE_BUFFER_SIZE = 0x8C2B,
    GL_TEXTURE_BINDING_BUFFER = 0x8C2C,
    GL_RED_INTEGER = 0x8D94,
    GL_TIMESTAMP = 0x8E28,
    GL_COPY_WRITE_BUFFER = 0x8F37,
    GL_COPY_WRITE_BUFFER_BINDING = 0x8F37,
    GL_SHADER_STORAGE_BUFFER = 0x90D2,
    GL_SHADER_STORAGE_BUFFER_BINDING = 0x90D3,
    GL_MAX_SHADER_STORAGE_BLOCK_SIZE = 0x90DE,
    GL_SYNC_GPU_COMMANDS_COMPLETE = 0x9117,
    GL_ALREADY_SIGNALED = 0x911A,
    GL_TIMEOUT_EXPIRED = 0x911B,
    GL_SYNC_FLUSH_COMMANDS_BIT = 1,
    GL_COMPUTE_SHADER = 0x91B9,
    GL_MAX_COMPUTE_WORK_GROUP_COUNT = 0x91BE,
    GL_MAX_COMPUTE_SHARED_MEMORY_SIZE = 0x8262
};
#define GL_ALL_BARRIER_BITS 0xFFFFFFFFu

/* The functions, and what was asked of the context. */
struct krn_gl {
#define KRN_GL_MEMBER(result, name, parameters, needed) result(*name) parameters;
    KRN_GL_FUNCTIONS(KRN_GL_MEMBER)
    bool fails; /* a call has failed on purpose */
    bool processor;
    int major, minor;
    int stamp_bits;            /* of a time stamp */
    int uniform_bytes;         /* of a uniform block; at most KRN_CONSTANT_BYTES */
    int texels;                /* of a texture buffer */
    int rows;                  /* most groups in y */
    size_t storage_bytes;      /* of a storage block */
    const char *name, *vendor; /* the driver's texts */
    const char *version;
};

/* Makes a call, unless it fails on purpose (krn_fail_calls): KRN_GL(gl, Flush, ()). */
#define KRN_GL(gl, name, arguments)                                                                \
    do {                                                                                           \
        if (krn_call_fails(KRN_API_GL, "gl" #name "()"))                                           \
            (gl)->fails = true;                                                                    \
        else                                                                                       \
            (gl)->name arguments;                                                                  \
    } while (0)

/* A call with a result, which is 0 when the call fails on purpose. */
#define KRN_GL_VALUE(gl, variable, name, arguments)                                                \
    do {                                                                                           \
        (variable) = 0;                                                                            \
        if (krn_call_fails(KRN_API_GL, "gl" #name "()"))                                           \
            (gl)->fails = true;                                                                    \
        else                                                                                       \
            (variable) = (gl)->name arguments;                                                     \
    } while (0)

/* Makes the lent context current and, once, asks it for functions and limits. *loan, unless NULL:
 * the number of the loan. Errors: KRN_UNAVAILABLE. */
enum krn_code krn_gl_open(struct krn_gl **gl, unsigned *loan, struct krn_error *error);

/* Makes the context of this loan current. Errors: KRN_LOST: it was taken back, or reset. */
enum krn_code krn_gl_use(struct krn_gl *gl, unsigned loan, struct krn_error *error);

/* What the owner's drawing relies on. */
struct krn_gl_state {
    int program, storage, uniform, copy, unit, texture;
    unsigned foreign; /* an error that the owner has not taken yet */
};

/* The unit of a texture, and the first index and the number of bindings that the backend uses. */
enum { KRN_GL_UNIT = 7, KRN_GL_BINDING = 4, KRN_GL_BINDINGS = 4 };

/* Enclose the calls of one function of a device: keep the state, and put it back. what: for the
 * sentence, "The picture was not computed". Errors of krn_gl_put_back: KRN_NO_MEMORY, KRN_LOST,
 * KRN_FAILED, or `code`, unless it is KRN_OK. */
void krn_gl_keep(struct krn_gl *gl, struct krn_gl_state *state);
enum krn_code krn_gl_put_back(struct krn_gl *gl, const struct krn_gl_state *state,
                              enum krn_code code, const char *what, struct krn_error *error);

/* Compiles the shader with `defines` before it. *program is 0 after a failure. Errors: KRN_FAILED,
 * with the first line of the driver's log. */
enum krn_code krn_gl_program(struct krn_gl *gl, const char *defines, unsigned *program,
                             struct krn_error *error);

/* shaders/trace.comp, embedded by the build. */
extern const char krn_gl_trace_comp[];
