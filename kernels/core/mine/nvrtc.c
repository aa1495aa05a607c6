/* Loads NVRTC at run time, and compiles with it. */
#include "core/mine/mine.h"

#include "krn/memory.h"

#include <dlfcn.h>
#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NVRTC, loaded with dlopen, once. The types and numbers are those of NVIDIA's NVRTC reference and
 * have been the same since CUDA 11.1, so building does not need its header. */
typedef struct nvrtc_program *nvrtc_program;

enum { SUCCESS = 0, INVALID_OPTION = 5, COMPILATION = 6 };

static struct nvrtc {
    int (*create)(nvrtc_program *program, const char *text, const char *name, int headers,
                  const char *const *texts, const char *const *names);
    int (*compile)(nvrtc_program program, int count, const char *const *options);
    int (*log_size)(nvrtc_program program, size_t *size);
    int (*log)(nvrtc_program program, char *text);
    int (*code_size)(nvrtc_program program, size_t *size);
    int (*code)(nvrtc_program program, char *code);
    int (*ptx_size)(nvrtc_program program, size_t *size);
    int (*ptx)(nvrtc_program program, char *text);
    int (*destroy)(nvrtc_program *program);
} nvrtc; /* destroy is NULL: it cannot be loaded */

/* Finds a function; POSIX guarantees that a pointer to one has the bytes of a pointer to data. */
static bool find(void *library, const char *name, void *function)
{
    void *const symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* Opens the newest library that matches root/pattern; NULL: none. */
static void *open_newest(const char *root, const char *pattern)
{
    char path[512];
    glob_t found;
    void *library = NULL;
    if (root == NULL || root[0] == 0)
        return NULL;
    snprintf(path, sizeof path, "%s/%s", root, pattern);
    if (glob(path, 0, NULL, &found) != 0)
        return NULL;
    for (size_t i = found.gl_pathc; library == NULL && i > 0; i--)
        library = dlopen(found.gl_pathv[i - 1], RTLD_NOW | RTLD_LOCAL);
    globfree(&found);
    return library;
}

/* Opens the library of a folder of CUDA's toolkit, of conda or of Python; NULL: it has none. */
static void *open_below(const char *root)
{
    static const char *const patterns[] = {
        "lib64/libnvrtc.so*", "lib/libnvrtc.so*", "targets/*-linux/lib/libnvrtc.so*",
        "lib/python3*/*-packages/nvidia/c*/lib/libnvrtc.so*"}; /* cuda_nvrtc and cu13 */
    void *library = NULL;
    for (size_t i = 0; library == NULL && i < sizeof patterns / sizeof *patterns; i++)
        library = open_newest(root, patterns[i]);
    return library;
}

/* Loads the library of SPHERESCOPE_NVRTC, for tests, or else the first of what the user's
 * environment names, what the loader finds, and what lies in the usual folders. */
static void *load(void)
{
    static const char *const named[] = {"CUDA_HOME", "CUDA_PATH", "VIRTUAL_ENV", "CONDA_PREFIX"},
                             *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12",
                                               "libnvrtc.so.11.2", "libnvrtc.so"},
                             *const usual[] = {"/usr/local/cuda", "/opt/cuda", "/usr/local",
                                               "/usr"};
    const char *const replacement = getenv("SPHERESCOPE_NVRTC"), *const home = getenv("HOME");
    char own[512] = "";
    void *library = NULL;
    if (replacement != NULL && replacement[0] != 0)
        return dlopen(replacement, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; library == NULL && i < sizeof named / sizeof *named; i++)
        library = open_below(getenv(named[i]));
    for (size_t i = 0; library == NULL && i < sizeof names / sizeof *names; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; library == NULL && i < sizeof usual / sizeof *usual; i++)
        library = open_below(usual[i]);
    if (home != NULL && home[0] == '/')
        snprintf(own, sizeof own, "%s/.local", home);
    return library != NULL ? library : open_below(own);
}

static void open_nvrtc(void)
{
    void *const library = load();
    if (library != NULL && find(library, "nvrtcCreateProgram", &nvrtc.create) &&
        find(library, "nvrtcCompileProgram", &nvrtc.compile) &&
        find(library, "nvrtcGetProgramLogSize", &nvrtc.log_size) &&
        find(library, "nvrtcGetProgramLog", &nvrtc.log) &&
        find(library, "nvrtcGetCUBINSize", &nvrtc.code_size) &&
        find(library, "nvrtcGetCUBIN", &nvrtc.code) &&
        find(library, "nvrtcGetPTXSize", &nvrtc.ptx_size) &&
        find(library, "nvrtcGetPTX", &nvrtc.ptx))
        (void)find(library, "nvrtcDestroyProgram", &nvrtc.destroy);
}

/* Copies what one of NVRTC's pairs of functions gives; NULL: nothing. */
static char *copy(nvrtc_program program, int (*size_of)(nvrtc_program, size_t *),
                  int (*get)(nvrtc_program, char *), size_t *size)
{
    *size = 0;
    char *bytes = size_of(program, size) == SUCCESS ? krn_alloc(*size + 1, 1) : NULL;
    if (bytes != NULL && get(program, bytes) == SUCCESS)
        return bytes;
    free(bytes);
    return NULL;
}

/* Compiles a prepared text, to PTX or, for a real architecture, to code for the GPU. */
static enum krn_code compile(const char *file, const char *source, const char *text,
                             const char *architecture, void **made, size_t *bytes, int *line,
                             struct krn_error *error)
{
    /* What files include out of habit, and NVRTC does not have. */
    enum { HEADERS = 6 };
    static const char numbers[] =
        "typedef signed char int8_t; typedef short int16_t; typedef int int32_t;"
        "typedef long int64_t, intptr_t; typedef unsigned char uint8_t;"
        "typedef unsigned short uint16_t; typedef unsigned uint32_t;"
        "typedef unsigned long uint64_t, uintptr_t;\n"
        "#define M_PI 3.14159265358979323846\n";
    /* As the program's own kernels are compiled: the bytes can be the same. */
    const char *const options[] = {architecture, "--fmad=false", "--std=c++14",
                                   "--generate-line-info"},
                      *const headers[2][HEADERS] = {
                          {krn_mine_spherescope_h, krn_mine_math_constants_inc, numbers, numbers,
                           "", ""},
                          {"spherescope.h", "math_constants.h", "math.h", "stdint.h",
                           "cuda_runtime.h", "device_launch_parameters.h"}};
    const bool ptx = strstr(architecture, "compute") != NULL;
    nvrtc_program program;
    size_t size;
    if (nvrtc.create(&program, text, file, HEADERS, headers[0], headers[1]) != SUCCESS)
        return KRN_FAIL(error, KRN_FAILED, "NVRTC cannot take %s.", file);
    const int status = nvrtc.compile(program, ptx ? 4 : 3, options);
    char *const log = copy(program, nvrtc.log_size, nvrtc.log, &size);
    enum krn_code code = KRN_OK;
    if (status == COMPILATION)
        code = krn_mine_refuse(file, source, log != NULL ? log : "", line, error);
    else if (status == INVALID_OPTION)
        code = KRN_FAIL(error, KRN_UNAVAILABLE,
                        "NVRTC does not know this GPU (%s): install that of a newer CUDA toolkit.",
                        strchr(architecture, '=') + 1);
    else if (status == SUCCESS)
        *made = ptx ? copy(program, nvrtc.ptx_size, nvrtc.ptx, bytes)
                    : copy(program, nvrtc.code_size, nvrtc.code, bytes);
    if (code == KRN_OK && *made == NULL)
        code = KRN_FAIL(error, KRN_FAILED, "NVRTC fails on %s with error %d.", file, status);
    free(log);
    (void)nvrtc.destroy(&program);
    return code;
}

/* Compiles for the compute capability of two numbers: code, and the version that is tried, whose
 * PTX the driver compiles. */
static enum krn_code compile_both(const void *capability, const char *file, const char *source,
                                  const char *text, struct krn_mine *mine, int *line,
                                  struct krn_error *error)
{
    const int *const numbers = capability;
    const size_t room = strlen(text) + strlen(krn_mine_guard_inc) + 1;
    char architecture[40], *const all = krn_alloc(room, 1);
    void *ptx = NULL;
    size_t bytes;
    snprintf(all, room, "%s%s", text, krn_mine_guard_inc);
    snprintf(architecture, sizeof architecture, "--gpu-architecture=sm_%d%d", numbers[0],
             numbers[1]);
    enum krn_code code =
        compile(file, source, text, architecture, &mine->image, &mine->bytes, line, error);
    snprintf(architecture, sizeof architecture, "--gpu-architecture=compute_%d%d", numbers[0],
             numbers[1]);
    if (code == KRN_OK)
        code = compile(file, source, all, architecture, &ptx, &bytes, line, error);
    if (code == KRN_OK)
        code = krn_mine_guard_ptx(file, source, ptx, &mine->guarded, line, error);
    free(ptx);
    free(all);
    return code;
}

enum krn_code krn_mine_compile_cuda(int major, int minor, const char *file, const char *source,
                                    struct krn_mine *mine, struct krn_error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const int capability[] = {major, minor};
    pthread_once(&once, open_nvrtc);
    if (nvrtc.destroy != NULL)
        return krn_mine_compile(file, source, compile_both, capability, mine, error);
    *mine = (struct krn_mine){.storage = KRN_STORAGE_GLOBAL};
    return KRN_FAIL(error, KRN_UNAVAILABLE,
                    "A kernel file needs NVRTC, and libnvrtc.so cannot be loaded: install it with "
                    "CUDA's toolkit (Debian: libnvrtc12) or pip (nvidia-cuda-nvrtc-cu12), or name "
                    "the toolkit's folder in CUDA_HOME.");
}
