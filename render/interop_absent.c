/* There is no interop in a build without CUDA. */
#include "interop.h"

const struct ren_interop_calls *const ren_interop = NULL;
