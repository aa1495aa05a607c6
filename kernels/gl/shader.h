/* kernels/gl/shader.h - the embedded text of shaders/trace.comp. */
#pragma once

#include <stddef.h>

extern const char krn_gl_trace_comp[];
extern const size_t krn_gl_trace_comp_size;
