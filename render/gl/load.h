/* gl/load.h - loads OpenGL's functions and limits from the current context (inside render/
 * only). */
#ifndef REN_GL_LOAD_H
#define REN_GL_LOAD_H

#include "gl/gl.h"
#include "krn/error.h"
#include "ren/context.h"

/* Loads OpenGL's functions and fills *info. Errors: KRN_UNAVAILABLE (no current context, an OpenGL
 * older than 3.3, a function that render/ calls is missing). */
enum krn_code ren_gl_load(struct ren_gl_info *info, struct krn_error *error);

#endif
