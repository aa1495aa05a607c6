#include "gl/load.h"

#include <stdio.h>
#include <string.h>

/* Returns the name of the first OpenGL function that this layer calls and GLEW did not find (a NULL
 * pointer), beyond OpenGL 1.1; NULL when it found all. */
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
