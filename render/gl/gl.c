#include "gl/gl.h"

#include "ren/context.h"

enum { GL_ERRORS_MAX = 32 }; /* a lost context may report errors without end */

/* GL's error state belongs to the thread's context, not to a renderer, and ren_set_checking may be
 * called before a renderer exists. */
static struct {
    bool checking;
    GLenum code; /* the first error, for ren_check; GL_NO_ERROR: none */
    const char *expression, *file;
    int line;
    bool trying;
    bool failed;  /* an injected error, unknown to GL */
    GLenum tried; /* the first error between ren_gl_try and ren_gl_tried */
} gl_state = {.expression = "", .file = __FILE__};

void ren_set_checking(bool on)
{
    gl_state.checking = on;
}

/* Returns true when the driver has reset the context since it was last asked. Without reset
 * notification it never says so. */
static bool is_reset(void)
{
    if (krn_call_fails(KRN_API_GL, "glGetGraphicsResetStatus()"))
        return true;
    GLenum status = GL_NO_ERROR;
    if (glGetGraphicsResetStatus)
        status = glGetGraphicsResetStatus();
    else if (glGetGraphicsResetStatusARB)
        status = glGetGraphicsResetStatusARB();
    return status != GL_NO_ERROR;
}

/* Keeps the first error. A lost context outranks other errors and is always kept for ren_check: the
 * driver may tell it only once. */
static void keep(GLenum code, const char *expression, const char *file, int line)
{
    const bool lost = code == GL_CONTEXT_LOST;
    if (gl_state.trying && !lost) {
        if (gl_state.tried == GL_NO_ERROR)
            gl_state.tried = code;
    } else if (gl_state.code == GL_NO_ERROR || (lost && gl_state.code != code)) {
        gl_state.code = code;
        gl_state.expression = expression;
        gl_state.file = file;
        gl_state.line = line;
    }
}

static void errors_collect(const char *expression, const char *file, int line)
{
    if (is_reset())
        keep(GL_CONTEXT_LOST, expression, file, line);
    for (int i = 0; i < GL_ERRORS_MAX; i++) {
        GLenum code = gl_state.failed ? GL_OUT_OF_MEMORY : glGetError();
        gl_state.failed = false;
        if (code == GL_NO_ERROR)
            return;
        keep(code, expression, file, line);
    }
}

void ren_gl_fail(void)
{
    gl_state.failed = true;
}

void ren_gl_after(const char *expression, const char *file, int line)
{
    if (gl_state.checking)
        errors_collect(expression, file, line);
}

void ren_gl_try(void)
{
    gl_state.trying = false;
    errors_collect("", __FILE__, __LINE__);
    gl_state.trying = true;
    gl_state.tried = GL_NO_ERROR;
}

GLenum ren_gl_tried(void)
{
    errors_collect("", __FILE__, __LINE__);
    gl_state.trying = false;
    return gl_state.code == GL_CONTEXT_LOST ? gl_state.code : gl_state.tried;
}

GLenum ren_gl_take_error(void)
{
    gl_state.trying = false;
    errors_collect("", __FILE__, __LINE__);
    GLenum code = gl_state.code;
    gl_state.code = GL_NO_ERROR;
    return code;
}

const char *ren_gl_error_name(GLenum code)
{
    switch (code) {
    case GL_NO_ERROR:
        return "GL_NO_ERROR";
    case GL_INVALID_ENUM:
        return "GL_INVALID_ENUM";
    case GL_INVALID_VALUE:
        return "GL_INVALID_VALUE";
    case GL_INVALID_OPERATION:
        return "GL_INVALID_OPERATION";
    case GL_INVALID_FRAMEBUFFER_OPERATION:
        return "GL_INVALID_FRAMEBUFFER_OPERATION";
    case GL_OUT_OF_MEMORY:
        return "GL_OUT_OF_MEMORY";
    case GL_CONTEXT_LOST:
        return "GL_CONTEXT_LOST";
    default:
        return "an unknown GL error";
    }
}

enum krn_code ren_gl_code(GLenum code)
{
    switch (code) {
    case GL_NO_ERROR:
        return KRN_OK;
    case GL_OUT_OF_MEMORY:
        return KRN_NO_MEMORY;
    case GL_CONTEXT_LOST:
        return KRN_LOST;
    default:
        return KRN_FAILED;
    }
}

const char *ren_gl_cure(GLenum code)
{
    switch (code) {
    case GL_OUT_OF_MEMORY:
        return "close other programs that draw, or make --window and --size smaller";
    case GL_CONTEXT_LOST:
        return "the graphics driver was reset, so start the program again";
    default:
        return "update the graphics driver, and if it stays, report it with the output of --info";
    }
}

bool ren_gl_is_lost(void)
{
    return gl_state.code == GL_CONTEXT_LOST;
}

enum krn_code ren_gl_check(struct krn_error *error)
{
    GLenum code = ren_gl_take_error();
    if (code == GL_NO_ERROR)
        return KRN_OK;
    const char *call = gl_state.expression;
    return krn_error_set(error, ren_gl_code(code), gl_state.file, gl_state.line, call,
                         "OpenGL failed to draw (%s%s%s): %s.", ren_gl_error_name(code),
                         call[0] ? " for " : "", call, ren_gl_cure(code));
}
