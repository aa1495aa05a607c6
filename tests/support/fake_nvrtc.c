/* Stands in for NVRTC: refuses every program, with a log that tells who it is. */
#include <stddef.h>
#include <string.h>

int nvrtcCreateProgram(void **program, const char *text, const char *name, int headers,
                       const char *const *texts, const char *const *names);
int nvrtcCompileProgram(void *program, int count, const char *const *options);
int nvrtcGetProgramLogSize(void *program, size_t *size);
int nvrtcGetProgramLog(void *program, char *text);
int nvrtcGetCUBINSize(void *program, size_t *size);
int nvrtcGetCUBIN(void *program, char *code);
int nvrtcGetPTXSize(void *program, size_t *size);
int nvrtcGetPTX(void *program, char *text);
int nvrtcDestroyProgram(void **program);

static const char words[] = "book.cu(1): error: of a made-up compiler";

int nvrtcCreateProgram(void **program, const char *text, const char *name, int headers,
                       const char *const *texts, const char *const *names)
{
    (void)text, (void)name, (void)headers, (void)texts, (void)names;
    *program = NULL;
    return 0;
}

int nvrtcCompileProgram(void *program, int count, const char *const *options)
{
    (void)program, (void)count, (void)options;
    return 6; /* NVRTC_ERROR_COMPILATION */
}

int nvrtcGetProgramLogSize(void *program, size_t *size)
{
    (void)program;
    *size = sizeof words;
    return 0;
}

int nvrtcGetProgramLog(void *program, char *text)
{
    (void)program;
    memcpy(text, words, sizeof words);
    return 0;
}

int nvrtcGetCUBINSize(void *program, size_t *size)
{
    return nvrtcGetProgramLogSize(program, size);
}

int nvrtcGetCUBIN(void *program, char *code)
{
    return nvrtcGetProgramLog(program, code);
}

int nvrtcGetPTXSize(void *program, size_t *size)
{
    return nvrtcGetProgramLogSize(program, size);
}

int nvrtcGetPTX(void *program, char *text)
{
    return nvrtcGetProgramLog(program, text);
}

int nvrtcDestroyProgram(void **program)
{
    *program = NULL;
    return 0;
}
