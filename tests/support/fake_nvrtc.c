/* Stands in for NVRTC: refuses every program, with a log that tells who it is. */
#include <stddef.h>
#include <string.h>

#define FUNCTION(name, ...)                                                                        \
    int name(__VA_ARGS__);                                                                         \
    int name(__VA_ARGS__)
#define UNUSED __attribute__((unused))

static const char words[] = "book.cu(1): error: of a made-up compiler";

static int tell_size(size_t *size)
{
    *size = sizeof words;
    return 0;
}

static int tell(char *text)
{
    memcpy(text, words, sizeof words);
    return 0;
}

FUNCTION(nvrtcCreateProgram, void **program)
{
    *program = NULL;
    return 0;
}

FUNCTION(nvrtcCompileProgram, UNUSED void *program)
{
    return 6; /* NVRTC_ERROR_COMPILATION */
}

/* clang-format off */
FUNCTION(nvrtcGetProgramLogSize, UNUSED void *program, size_t *size) { return tell_size(size); }
FUNCTION(nvrtcGetProgramLog, UNUSED void *program, char *text) { return tell(text); }
FUNCTION(nvrtcGetCUBINSize, UNUSED void *program, size_t *size) { return tell_size(size); }
FUNCTION(nvrtcGetCUBIN, UNUSED void *program, char *text) { return tell(text); }
FUNCTION(nvrtcGetPTXSize, UNUSED void *program, size_t *size) { return tell_size(size); }
FUNCTION(nvrtcGetPTX, UNUSED void *program, char *text) { return tell(text); }
FUNCTION(nvrtcDestroyProgram, UNUSED void **program) { return 0; }
