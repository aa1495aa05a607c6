/* Keeps the first error of OpenGL with its cure, builds programs, and finds missing functions. */
#include "gl/gl.h"

#include "ren/context.h"

#include <stdio.h>
#include <string.h>

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

#define GL_ERRORS(X)                                                                               \
    X(GL_NO_ERROR), X(GL_INVALID_ENUM), X(GL_INVALID_VALUE), X(GL_INVALID_OPERATION),              \
        X(GL_INVALID_FRAMEBUFFER_OPERATION), X(GL_OUT_OF_MEMORY), X(GL_CONTEXT_LOST)

const char *ren_gl_error_name(GLenum code)
{
#define CODE(code) code
#define NAME(code) #code
    static const GLenum codes[] = {GL_ERRORS(CODE)};
    static const char *const names[] = {GL_ERRORS(NAME)};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i] == code)
            return names[i];
    return "an unknown GL error";
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

static enum krn_code shader_compile(GLenum stage, const char *source, GLuint *shader,
                                    struct krn_error *error)
{
    const char *name = stage == GL_VERTEX_SHADER ? "vertex" : "fragment";
    REN_GL_VALUE(*shader, glCreateShader(stage));
    if (*shader == 0) {
        const GLenum failed = ren_gl_take_error();
        return KRN_FAIL(error, KRN_FAILED, "OpenGL gave no %s shader (%s): %s.", name,
                        ren_gl_error_name(failed), ren_gl_cure(failed));
    }
    REN_GL(glShaderSource(*shader, 1, &source, NULL));
    REN_GL(glCompileShader(*shader));
    GLint compiled = GL_FALSE;
    REN_GL(glGetShaderiv(*shader, GL_COMPILE_STATUS, &compiled));
    if (compiled)
        return KRN_OK;
    char log[160] = "";
    REN_GL(glGetShaderInfoLog(*shader, sizeof log, NULL, log));
    return KRN_FAIL(error, KRN_FAILED, "A %s shader did not compile (%s): %s.", name,
                    log[0] ? log : "no reason given", ren_gl_cure(GL_NO_ERROR));
}

enum krn_code ren_program_make(const char *vertex_source, const char *fragment_source,
                               GLuint *program, struct krn_error *error)
{
    *program = 0;
    GLuint vertex = 0, fragment = 0, linked_program = 0;
    GLint linked = GL_FALSE;
    enum krn_code code = shader_compile(GL_VERTEX_SHADER, vertex_source, &vertex, error);
    KRN_THEN(code, shader_compile(GL_FRAGMENT_SHADER, fragment_source, &fragment, error));
    if (code != KRN_OK)
        goto done;
    REN_GL_VALUE(linked_program, glCreateProgram());
    if (linked_program == 0) {
        const GLenum failed = ren_gl_take_error();
        code = KRN_FAIL(error, KRN_FAILED, "OpenGL gave no shader program (%s): %s.",
                        ren_gl_error_name(failed), ren_gl_cure(failed));
        goto done;
    }
    REN_GL(glAttachShader(linked_program, vertex));
    REN_GL(glAttachShader(linked_program, fragment));
    REN_GL(glLinkProgram(linked_program));
    REN_GL(glGetProgramiv(linked_program, GL_LINK_STATUS, &linked));
    if (!linked) {
        char log[160] = "";
        REN_GL(glGetProgramInfoLog(linked_program, sizeof log, NULL, log));
        REN_GL(glDeleteProgram(linked_program));
        code = KRN_FAIL(error, KRN_FAILED, "A shader program did not link (%s): %s.",
                        log[0] ? log : "no reason given", ren_gl_cure(GL_NO_ERROR));
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

/* The functions beyond OpenGL 1.1 that this layer calls. */
#define FUNCTIONS(X)                                                                               \
    X(ActiveTexture), X(AttachShader), X(BindBuffer), X(BindFramebuffer), X(BindRenderbuffer),     \
        X(BindVertexArray), X(BlitFramebuffer), X(BufferData), X(BufferSubData),                   \
        X(CheckFramebufferStatus), X(ClientWaitSync), X(CompileShader), X(CreateProgram),          \
        X(CreateShader), X(DeleteBuffers), X(DeleteFramebuffers), X(DeleteProgram),                \
        X(DeleteRenderbuffers), X(DeleteShader), X(DeleteSync), X(DeleteVertexArrays),             \
        X(DetachShader), X(DrawArraysInstanced), X(EnableVertexAttribArray), X(FenceSync),         \
        X(FramebufferRenderbuffer), X(FramebufferTexture2D), X(GenBuffers), X(GenFramebuffers),    \
        X(GenRenderbuffers), X(GenVertexArrays), X(GenerateMipmap), X(GetProgramInfoLog),          \
        X(GetProgramiv), X(GetShaderInfoLog), X(GetShaderiv), X(GetUniformLocation),               \
        X(LinkProgram), X(MapBufferRange), X(RenderbufferStorage), X(ShaderSource), X(Uniform1f),  \
        X(Uniform1i), X(Uniform2f), X(Uniform4f), X(Uniform4fv), X(UnmapBuffer), X(UseProgram),    \
        X(VertexAttribDivisor), X(VertexAttribIPointer), X(VertexAttribPointer)

/* Returns the name of the first of them that GLEW did not find (a NULL pointer); NULL: none. */
static const char *missing_function(void)
{
#define FOUND(name) gl##name != NULL ? NULL : "gl" #name
    const char *const missing[] = {FUNCTIONS(FOUND)};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (missing[i])
            return missing[i];
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

enum krn_code ren_gl_load(struct ren_gl_info *info, struct krn_error *error)
{
    glewExperimental = GL_TRUE;
    GLenum loaded = glewInit();
    /* GLEW initialises GLX last, which EGL lacks; by then it has loaded all functions. */
    if (loaded == GLEW_ERROR_NO_GL_VERSION)
        return KRN_FAIL(error, KRN_UNAVAILABLE, "No OpenGL context is current.");
    if (loaded != GLEW_OK && loaded != GLEW_ERROR_NO_GLX_DISPLAY)
        return KRN_FAIL(error, KRN_UNAVAILABLE, "OpenGL could not be loaded: %s.",
                        (const char *)glewGetErrorString(loaded));
    const GLenum loading = ren_gl_take_error(); /* GLEW's queries may have raised errors */

    copy_string(info->vendor, sizeof info->vendor, GL_VENDOR);
    copy_string(info->renderer, sizeof info->renderer, GL_RENDERER);
    copy_string(info->version, sizeof info->version, GL_VERSION);
    REN_GL(glGetIntegerv(GL_MAJOR_VERSION, &info->major));
    REN_GL(glGetIntegerv(GL_MINOR_VERSION, &info->minor));
    /* Contexts older than 3.0 do not know the two queries above. */
    const GLenum asking = ren_gl_take_error(),
                 failed = loading == GL_CONTEXT_LOST ? loading : asking;
    if (failed != GL_NO_ERROR && failed != GL_INVALID_ENUM)
        return KRN_FAIL(error, KRN_UNAVAILABLE, "OpenGL does not tell its version (%s): %s.",
                        ren_gl_error_name(failed), ren_gl_cure(failed));
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
