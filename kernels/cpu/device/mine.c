/* Compiles the user's kernel with the system's C++ compiler, and loads it from memory. */
#define _GNU_SOURCE /* memfd_create */
#include "core/mine/mine.h"
#include "cpu/device/cpu.h"
#include "krn/memory.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- compiling --- */

static bool write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    if (file == NULL)
        return false;
    const bool written = fputs(text, file) >= 0;
    return fclose(file) == 0 && written;
}

/* Reads a file, and puts a zero behind it; NULL: it cannot be read. */
static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "re");
    struct stat status;
    char *bytes = NULL;
    *size = 0;
    if (file == NULL)
        return NULL;
    if (fstat(fileno(file), &status) == 0) {
        bytes = krn_alloc((size_t)status.st_size + 1, 1);
        *size = fread(bytes, 1, (size_t)status.st_size, file);
    }
    fclose(file);
    return bytes;
}

/* Run in the folder. Exit code 127: there is no compiler. An endless template may have 4 GB and a
 * minute, should nobody end it. */
static char command[] =
    "cd \"$SPHERESCOPE_FOLDER\" && ulimit -v 4000000 && ulimit -t 60; export TMPDIR=. LC_ALL=C\n"
    "for compiler in \"${CXX:-c++}\" c++ g++ clang++; do\n"
    "    command -v ${compiler%% *} >/dev/null 2>&1 && exec $compiler -std=c++14 -O3 -march=native "
    "-ffp-contract=off -fno-math-errno -fno-trapping-math -w -fPIC -shared "
    "-Wl,-z,defs -I. -iquote \"$OLDPWD\" -o kernel.so kernel.cpp 2>printed\n"
    "done; exit 127";

static enum krn_code compile(const void *context, const char *file, const char *source,
                             const char *text, struct krn_mine *mine, int *line,
                             struct krn_error *error)
{
    const char *const folder = context, *const inputs[][2] = {
                                            {"kernel.cpp", text},
                                            {"spherescope.h", krn_mine_spherescope_h},
                                            {"math_constants.h", krn_mine_math_constants_inc},
                                            {"cuda_runtime.h", ""},
                                            {"device_launch_parameters.h", ""}};
    char input[PATH_MAX], printed[PATH_MAX], made[PATH_MAX];
    size_t size;
    snprintf(printed, sizeof printed, "%s/printed", folder);
    snprintf(made, sizeof made, "%s/kernel.so", folder);
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        snprintf(input, sizeof input, "%s/%s", folder, inputs[i][0]);
        if (!write_file(input, inputs[i][1]))
            return KRN_FAIL(error, KRN_FAILED, "The compiler's files cannot be written to %s.",
                            folder);
    }
    setenv("SPHERESCOPE_FOLDER", folder, 1);
    char shell[] = "sh", option[] = "-c", *const arguments[] = {shell, option, command, NULL};
    pid_t child;
    int status = -1;
    if (posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ) == 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
    if (status == -1 || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
        return KRN_FAIL(error, KRN_UNAVAILABLE,
                        "A kernel file needs a C++ compiler on the CPU backend, and there is no "
                        "c++, g++ or clang++: install one (Debian: g++), or name yours in CXX.");
    if (status != 0) {
        char *const words = read_file(printed, &size);
        const enum krn_code code = krn_mine_refuse(file, source, words ? words : "", line, error);
        free(words);
        return code;
    }
    mine->image = read_file(made, &mine->bytes);
    return mine->image != NULL && mine->bytes > 0
               ? KRN_OK
               : KRN_FAIL(error, KRN_FAILED, "The compiled kernel cannot be read.");
}

enum krn_code krn_cpu_mine_compile(const struct krn_device *device, const char *file,
                                   const char *source, const char *folder, struct krn_mine *mine,
                                   struct krn_error *error)
{
    (void)device;
    return krn_mine_compile(file, source, compile, folder, mine, error);
}

/* --- loading and running --- */

void krn_cpu_mine_free(struct krn_cpu_mine *mine)
{
    if (mine->library != NULL)
        dlclose(mine->library);
    memset(mine, 0, sizeof *mine);
}

/* Loads a shared library from memory. The loader would take a path that it has seen for the library
 * that it has, so each has another number of slashes. */
static void *load(const struct krn_mine *mine)
{
    enum { NAMES = 2000 };
    static atomic_uint loads;
    const int file = memfd_create("spherescope-kernel", MFD_CLOEXEC);
    char path[NAMES + 40] = "/proc/self/fd";
    void *library = NULL;
    size_t written = 0;
    while (file >= 0 && written < mine->bytes) {
        const ssize_t n = write(file, (const char *)mine->image + written, mine->bytes - written);
        if (n <= 0)
            break;
        written += (size_t)n;
    }
    const size_t length = strlen(path), slashes = 1 + atomic_fetch_add(&loads, 1) % NAMES;
    memset(path + length, '/', slashes);
    snprintf(path + length + slashes, sizeof path - length - slashes, "%d", file);
    if (file >= 0 && written == mine->bytes)
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (file >= 0)
        close(file);
    return library;
}

enum krn_code krn_cpu_mine_load(struct krn_device *device, const struct krn_mine *mine,
                                struct krn_mine_loaded *loaded, struct krn_error *error)
{
    struct krn_cpu_device *cpu = (struct krn_cpu_device *)device;
    struct krn_cpu_mine made = {.library = mine != NULL ? load(mine) : NULL};
    if (mine != NULL && made.library == NULL)
        return KRN_FAIL(error, KRN_FAILED, "The compiled kernel cannot be loaded.");
    if (mine != NULL) {
        void *const blocks = dlsym(made.library, "mine_blocks"), *const scene = dlsym(made.library,
                                                                                      "mine_scene");
        const int *shape = dlsym(made.library, "mine_shape");
        const unsigned long *bytes = dlsym(made.library, "mine_scene_bytes");
        if (blocks == NULL || shape == NULL) {
            krn_cpu_mine_free(&made);
            return KRN_FAIL(error, KRN_FAILED, "The compiled kernel has no functions.");
        }
        memcpy(&made.blocks, &blocks, sizeof blocks);
        if (scene != NULL && bytes != NULL) {
            memcpy(&made.scene, scene, sizeof made.scene);
            loaded->room = (int)(*bytes / sizeof *made.scene);
        }
        loaded->block_x = shape[0];
        loaded->block_y = shape[1];
        loaded->pixels = shape[2];
    }
    krn_cpu_mine_free(&cpu->mine);
    cpu->mine = made;
    return KRN_OK;
}

enum krn_code krn_cpu_mine_prepare(struct krn_cpu_device *cpu, const struct krn_view *view,
                                   struct krn_error *error)
{
    (void)view;
    (void)error;
    if (cpu->mine.scene != NULL)
        memcpy(cpu->mine.scene, cpu->memory.rotated,
               (size_t)cpu->memory.count * sizeof *cpu->mine.scene);
    return KRN_OK;
}

struct krn_cpu_jobs krn_cpu_mine_jobs(const struct krn_cpu_device *cpu, const struct krn_view *view)
{
    const int rows = cpu->base.mine.block_y;
    return (struct krn_cpu_jobs){1, {(view->height + rows - 1) / rows}};
}

struct launch {
    const struct krn_cpu_mine *mine;
    const struct krn_sphere *spheres;
    struct krn_mine_frame frame;
    unsigned columns, rows;
};

static void run_row(const void *context, int index, int thread)
{
    const struct launch *launch = context;
    (void)thread;
    launch->mine->blocks(launch->spheres, &launch->frame, launch->columns, launch->rows,
                         (unsigned)index);
}

void krn_cpu_mine_launch(const struct krn_cpu_device *cpu, const struct krn_cpu_job *job)
{
    const struct krn_mine_loaded *shape = &cpu->base.mine;
    const struct krn_view *view = job->view;
    const int columns = shape->block_x * shape->pixels;
    const struct launch launch = {.mine = &cpu->mine,
                                  .spheres = cpu->mine.scene != NULL ? NULL : cpu->memory.rotated,
                                  .frame = {job->image->pixels, (int)job->image->pitch_bytes,
                                            view->width, view->height, view->unit,
                                            cpu->memory.count},
                                  .columns = (unsigned)((view->width + columns - 1) / columns),
                                  .rows = (unsigned)krn_cpu_mine_jobs(cpu, view).pieces[0]};
    krn_cpu_team_share(cpu->team, (int)launch.rows, run_row, &launch);
}
