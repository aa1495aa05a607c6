/* gl/gl.h - checked calls of OpenGL, the only way in which this layer calls it.
 *
 * Every call goes through REN_GL: one place checks for errors (ren_set_checking), and one place
 * makes a call fail on purpose.
 *
 * A driver that resets the context loses what was drawn, and need not raise an error. So whoever
 * asks for errors below also learns of a reset, as GL_CONTEXT_LOST; ren_check learns of it in any
 * case. It takes a context with reset notification.
 * Source: https://registry.khronos.org/OpenGL/extensions/KHR/KHR_robustness.txt
 */
#pragma once

#include <GL/glew.h>

#include "krn/error.h"

#include <stdbool.h>

/* A call without a result: REN_GL(glBindTexture(GL_TEXTURE_2D, name)); */
#define REN_GL(call)                                                                               \
    do {                                                                                           \
        if (krn_call_fails(KRN_API_GL, #call))                                                     \
            ren_gl_fail();                                                                         \
        else                                                                                       \
            call;                                                                                  \
        ren_gl_after(#call, __FILE__, __LINE__);                                                   \
    } while (0)

/* A call with a result, which is 0 when the call fails on purpose:
 * REN_GL_VALUE(shader, glCreateShader(GL_VERTEX_SHADER)); */
#define REN_GL_VALUE(variable, call)                                                               \
    do {                                                                                           \
        (variable) = 0;                                                                            \
        if (krn_call_fails(KRN_API_GL, #call))                                                     \
            ren_gl_fail();                                                                         \
        else                                                                                       \
            (variable) = (call);                                                                   \
        ren_gl_after(#call, __FILE__, __LINE__);                                                   \
    } while (0)

/* Raises GL_OUT_OF_MEMORY, as a call that fails on purpose (krn_fail_calls). */
void ren_gl_fail(void);

/* With checking on, asks GL for errors and keeps the first, with its place in the source. */
void ren_gl_after(const char *expression, const char *file, int line);

/* Enclose calls whose error is an answer (memory that may not suffice). ren_gl_tried returns the
 * first error since ren_gl_try, or GL_NO_ERROR. Earlier errors are kept for ren_check; these are
 * not. */
void ren_gl_try(void);
GLenum ren_gl_tried(void);

/* Returns the first error since the last call of this function, or GL_NO_ERROR, and clears it. */
GLenum ren_gl_take_error(void);

/* Takes the first error in the same way and tells it as a sentence; with checking on, it names the
 * call that raised it. KRN_LOST: the driver has reset the context. */
enum krn_code ren_gl_check(struct krn_error *error);

/* Returns true while a reset waits to be taken. */
bool ren_gl_is_lost(void);

/* Returns an error's name: "GL_OUT_OF_MEMORY". */
const char *ren_gl_error_name(GLenum code);

/* Returns what an error means to a caller of this layer. */
enum krn_code ren_gl_code(GLenum code);

/* Returns what to do about an error, for the end of a sentence: "close other programs ...". */
const char *ren_gl_cure(GLenum code);

struct ren_gl_info;

/* Loads OpenGL's functions and fills *info. Errors: KRN_UNAVAILABLE (no current context, an OpenGL
 * older than 3.3, a function that render/ calls is missing). */
enum krn_code ren_gl_load(struct ren_gl_info *info, struct krn_error *error);

/* Compiles and links a program; *program is 0 after a failure. Errors: KRN_FAILED with the GLSL
 * log. */
enum krn_code ren_program_make(const char *vertex_source, const char *fragment_source,
                               GLuint *program, struct krn_error *error);

/* The files of shaders/, embedded by the build as strings. */
extern const char ren_shader_overlay_vert[];
extern const char ren_shader_overlay_frag[];
extern const char ren_shader_picture_vert[];
extern const char ren_shader_picture_frag[];
extern const char ren_shader_smooth_vert[];
extern const char ren_shader_smooth_frag[];
extern const char ren_shader_halve_frag[];
extern const char ren_shader_shrink_frag[];

/* Returns true when an EGL context without a surface is current in this thread. */
bool ren_offscreen_is_current(void);
