#include "gl/program.h"

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
    if (code == KRN_OK)
        code = shader_compile(GL_FRAGMENT_SHADER, fragment_source, &fragment, error);
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
