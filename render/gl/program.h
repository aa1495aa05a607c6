/* gl/program.h - compiles and links GLSL programs (inside render/ only). */
#ifndef REN_PROGRAM_H
#define REN_PROGRAM_H

#include "gl/gl.h"
#include "krn/error.h"

/* Compiles and links a program; *program is 0 after a failure. Errors: KRN_FAILED with the GLSL
 * log. */
enum krn_code ren_program_make(const char *vertex_source, const char *fragment_source,
                               GLuint *program, struct krn_error *error);

#endif
