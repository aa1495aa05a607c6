/* The shaders of the modes, and what each launch binds. */
#include "gl/gl.h"

#include "core/trace/pixel.h"
#include "krn/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The threads of a group: the book's square, and the rows of the strip kernel. */
static const int groups[2][2] = {{16, 16}, {32, 8}};

enum { ROTATED_TOGETHER = 256, PADDED_BYTES = 32, PACKED_BYTES = 16 };

static int room_of(const struct krn_gl *gl, enum krn_kernel kernel)
{
    return gl->uniform_bytes / (kernel == KRN_KERNEL_STRIP ? PACKED_BYTES : PADDED_BYTES);
}

int krn_gl_room(const struct krn_gl *gl, struct krn_mode mode)
{
    if (mode.storage == KRN_STORAGE_CONSTANT)
        return room_of(gl, mode.kernel);
    if (mode.storage == KRN_STORAGE_TEXTURE)
        return mode.kernel == KRN_KERNEL_STRIP ? gl->texels : gl->texels / 7;
    return 0;
}

/* Makes a program unless it is there. */
static enum krn_code make(struct krn_gl_device *device, unsigned *program, const char *kernel,
                          enum krn_storage storage, int shape, int pixels, struct krn_error *error)
{
    static const char *const storages[KRN_STORAGE_COUNT] = {
        [KRN_STORAGE_GLOBAL] = "GLOBAL",
        [KRN_STORAGE_CONSTANT] = "CONSTANT",
        [KRN_STORAGE_SHARED] = "SHARED",
        [KRN_STORAGE_TEXTURE] = "TEXTURE",
    };
    if (*program != 0)
        return KRN_OK;
    const bool rotates = strcmp(kernel, "ROTATE") == 0 || strcmp(kernel, "SEE") == 0;
    char defines[256];
    snprintf(
        defines, sizeof defines,
        "%s%s%s#define KERNEL_%s\n#define STORAGE_%s\n#define GROUP_X %d\n#define GROUP_Y %d\n"
        "#define PIXELS %d\n#define ROOM %d\n",
        device->fused ? "#define FUSED\n" : "", device->roots ? "#define ROOTS\n" : "",
        device->quotients ? "#define QUOTIENTS\n" : "", kernel, storages[storage],
        rotates ? ROTATED_TOGETHER : groups[shape][0], rotates ? 1 : groups[shape][1], pixels,
        room_of(device->gl, strcmp(kernel, "STRIP") == 0 ? KRN_KERNEL_STRIP : KRN_KERNEL_BOOK));
    return krn_gl_program(device->gl, defines, program, error);
}

/* Sets the groups that cover a picture. */
static void cover(struct krn_gl_launch *launch, int shape, int pixels, const struct krn_view *view)
{
    launch->group_x = groups[shape][0];
    launch->group_y = groups[shape][1];
    const int x = launch->group_x * pixels;
    launch->groups_x = (view->width + x - 1) / x;
    launch->groups_y = (view->height + launch->group_y - 1) / launch->group_y;
    launch->rows = launch->groups_y;
    launch->width = view->width;
    launch->height = view->height;
    launch->unit = view->unit;
}

enum krn_code krn_gl_launch_of(struct krn_gl_device *device, struct krn_mode mode,
                               const struct krn_view *view, struct krn_gl_launch *launch,
                               struct krn_error *error)
{
    const int strips = mode.kernel == KRN_KERNEL_STRIP, k = mode.pixels_per_thread;
    unsigned *program =
        strips ? &device->strip[mode.storage][krn_pixels_index(k)] : &device->book[mode.storage];
    const bool fresh = *program == 0;
    const enum krn_code code =
        make(device, program, strips ? "STRIP" : "BOOK", mode.storage, strips, k, error);
    *launch = (struct krn_gl_launch){.program = *program, .fresh = fresh, .mode = mode};
    cover(launch, strips, k, view);
    return code;
}

enum krn_code krn_gl_launch_empty(struct krn_gl_device *device, struct krn_gl_launch *launch,
                                  struct krn_error *error)
{
    const int shape = launch->group_x == groups[1][0];
    const enum krn_code code =
        make(device, &device->empty[shape], "EMPTY", KRN_STORAGE_GLOBAL, shape, 1, error);
    launch->program = device->empty[shape];
    launch->image = 0;
    launch->width = 0;
    launch->unit = 0.0f;
    return code;
}

enum krn_code krn_gl_launch_limit(struct krn_gl_device *device, const struct krn_view *view,
                                  struct krn_gl_launch *launch, struct krn_error *error)
{
    const enum krn_code code =
        make(device, &device->limit, "LIMIT", KRN_STORAGE_GLOBAL, 1, 1, error);
    *launch = (struct krn_gl_launch){.program = device->limit,
                                     .mode = {KRN_KERNEL_STRIP, KRN_STORAGE_GLOBAL, 1}};
    cover(launch, 1, 1, view);
    launch->unit = 0.0f;
    return code;
}

static void bind(struct krn_gl_device *device, const struct krn_gl_launch *launch)
{
    struct krn_gl *gl = device->gl;
    const bool strips = launch->mode.kernel == KRN_KERNEL_STRIP;
    KRN_GL(gl, UseProgram, (launch->program));
    KRN_GL(gl, BindBufferBase, (GL_SHADER_STORAGE_BUFFER, KRN_GL_BINDING, launch->image));
    KRN_GL(
        gl, BindBufferBase,
        (GL_SHADER_STORAGE_BUFFER, KRN_GL_BINDING + 1, strips ? device->packed : device->rotated));
    KRN_GL(gl, BindBufferBase, (GL_SHADER_STORAGE_BUFFER, KRN_GL_BINDING + 2, device->materials));
    if (launch->mode.storage == KRN_STORAGE_CONSTANT)
        KRN_GL(gl, BindBufferBase,
               (GL_UNIFORM_BUFFER, KRN_GL_BINDING, strips ? device->packed : device->padded));
    if (launch->mode.storage == KRN_STORAGE_TEXTURE)
        KRN_GL(gl, BindTexture, (GL_TEXTURE_BUFFER, device->textures[strips]));
    /* A driver may refuse to set what a shader does not read. */
    if (launch->unit > 0.0f)
        gl->Uniform4f(1, launch->unit, 0.0f, 0.0f, 0.0f);
}

void krn_gl_run(struct krn_gl_device *device, const struct krn_gl_launch *launch)
{
    struct krn_gl *gl = device->gl;
    const int rows = launch->rows;
    bind(device, launch);
    for (int row = 0; row < launch->groups_y; row += rows) {
        const int left = launch->groups_y - row;
        if (launch->width > 0)
            gl->Uniform4i(0, launch->width, launch->height, device->base.spheres,
                          row * launch->group_y);
        KRN_GL(gl, DispatchCompute,
               ((unsigned)launch->groups_x, (unsigned)(left < rows ? left : rows), 1));
        /* Each band is work of its own to the driver, which ends what takes too long. */
        if (rows < launch->groups_y)
            KRN_GL(gl, Flush, ());
    }
}

enum krn_code krn_gl_rotate(struct krn_gl_device *device, struct krn_pose pose,
                            struct krn_error *error)
{
    struct krn_gl *gl = device->gl;
    const int count = device->base.spheres;
    const enum krn_code code =
        make(device, &device->rotate, "ROTATE", KRN_STORAGE_GLOBAL, 0, 1, error);
    if (code != KRN_OK)
        return code;
    const unsigned buffers[] = {device->rotated, device->given, device->packed, device->padded};
    KRN_GL(gl, UseProgram, (device->rotate));
    for (unsigned i = 0; i < sizeof buffers / sizeof *buffers; i++)
        KRN_GL(gl, BindBufferBase, (GL_SHADER_STORAGE_BUFFER, KRN_GL_BINDING + i, buffers[i]));
    gl->Uniform4i(0, 1, 1, count, 0);
    gl->Uniform4f(1, 1.0f, pose.cosine, pose.sine, 0.0f);
    KRN_GL(gl, DispatchCompute,
           ((unsigned)(count + ROTATED_TOGETHER - 1) / ROTATED_TOGETHER, 1, 1));
    KRN_GL(gl, MemoryBarrier, (GL_ALL_BARRIER_BITS));
    return KRN_OK;
}

/* Returns a random float of 0.5..512, positive. */
static float random_float(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return ldexpf((float)(*state >> 40 | 1 << 23), (int)(*state >> 32 & 7) - 23);
}

/* Fills x, y, z of a multiply-add and w of the root of w and of w / y. Every other one is hard: a
 * sum that nearly cancels, as at a sphere's edge, and a result that nearly lies between two
 * floats. */
static void make_case(uint64_t *state, int i, float it[4])
{
    it[0] = random_float(state);
    it[1] = random_float(state);
    it[2] = i % 2 == 0 ? -(it[0] * it[1]) : random_float(state);
    const double middle = (double)it[0] + ((double)nextafterf(it[0], INFINITY) - (double)it[0]) / 2;
    it[3] = i % 4 == 0   ? (float)(middle * middle)
            : i % 4 == 1 ? (float)(middle * (double)it[1])
                         : random_float(state);
}

enum krn_code krn_gl_see_exact(struct krn_gl_device *device, struct krn_error *error)
{
    enum { CASES = 16384 };
    struct krn_gl *gl = device->gl;
    const ptrdiff_t bytes = CASES * 4 * (ptrdiff_t)sizeof(float);
    unsigned program = 0, buffers[2] = {0, 0};
    uint64_t state = 1;
    float(*cases)[4] = krn_alloc(CASES, sizeof *cases),
    (*results)[4] = krn_alloc(CASES, sizeof *results);
    device->fused = device->roots = device->quotients = true;
    const enum krn_code code = make(device, &program, "SEE", KRN_STORAGE_GLOBAL, 0, 1, error);
    if (code == KRN_OK) {
        for (int i = 0; i < CASES; i++)
            make_case(&state, i, cases[i]);
        KRN_GL(gl, GenBuffers, (2, buffers));
        KRN_GL(gl, UseProgram, (program));
        for (unsigned i = 0; i < 2; i++) {
            KRN_GL(gl, BindBufferBase, (GL_SHADER_STORAGE_BUFFER, KRN_GL_BINDING + i, buffers[i]));
            KRN_GL(gl, BindBuffer, (GL_COPY_WRITE_BUFFER, buffers[i]));
            KRN_GL(gl, BufferData,
                   (GL_COPY_WRITE_BUFFER, bytes, i == 1 ? cases : results, GL_DYNAMIC_COPY));
        }
        KRN_GL(gl, DispatchCompute, (CASES / ROTATED_TOGETHER, 1, 1));
        KRN_GL(gl, MemoryBarrier, (GL_ALL_BARRIER_BITS));
        KRN_GL(gl, BindBuffer, (GL_COPY_WRITE_BUFFER, buffers[0]));
        KRN_GL(gl, GetBufferSubData, (GL_COPY_WRITE_BUFFER, 0, bytes, results));
        gl->DeleteBuffers(2, buffers);
        gl->DeleteProgram(program);
    }
    for (int i = 0; code == KRN_OK && i < CASES; i++) {
        const float *it = cases[i];
        device->fused = device->fused && results[i][0] == krn_fma(it[0], it[1], it[2]);
        device->roots = device->roots && results[i][1] == sqrtf(it[3]);
        device->quotients = device->quotients && results[i][2] == it[3] / it[1];
    }
    /* Tests want the long way, too. */
    if (krn_call_fails(KRN_API_NONE, "krn_gl_inexact()"))
        device->fused = device->roots = device->quotients = false;
    free(cases);
    free(results);
    return code;
}
