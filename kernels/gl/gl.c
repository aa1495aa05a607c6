/* The backend `gl`: the book's view as compute shaders of OpenGL 4.3, in a context that its owner
 * lends. */
#include "krn/gl.h"
#include "core/base/clock.h"
#include "core/device/backend.h"
#include "core/trace/strip.h"
#include "gl/shader.h"

#include <GL/glcorearb.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the context --- */

#define GL_FUNCTIONS(X)                                                                            \
    X(GetString, GETSTRING)                                                                        \
    X(GetIntegerv, GETINTEGERV)                                                                    \
    X(GetError, GETERROR)                                                                          \
    X(Flush, FLUSH)                                                                                \
    X(Finish, FINISH)                                                                              \
    X(CreateShader, CREATESHADER)                                                                  \
    X(ShaderSource, SHADERSOURCE)                                                                  \
    X(CompileShader, COMPILESHADER)                                                                \
    X(GetShaderiv, GETSHADERIV)                                                                    \
    X(GetShaderInfoLog, GETSHADERINFOLOG)                                                          \
    X(DeleteShader, DELETESHADER)                                                                  \
    X(CreateProgram, CREATEPROGRAM)                                                                \
    X(AttachShader, ATTACHSHADER)                                                                  \
    X(LinkProgram, LINKPROGRAM)                                                                    \
    X(GetProgramiv, GETPROGRAMIV)                                                                  \
    X(GetProgramInfoLog, GETPROGRAMINFOLOG)                                                        \
    X(DeleteProgram, DELETEPROGRAM)                                                                \
    X(UseProgram, USEPROGRAM)                                                                      \
    X(Uniform1i, UNIFORM1I)                                                                        \
    X(Uniform2i, UNIFORM2I)                                                                        \
    X(Uniform1f, UNIFORM1F)                                                                        \
    X(DispatchCompute, DISPATCHCOMPUTE)                                                            \
    X(MemoryBarrier, MEMORYBARRIER)                                                                \
    X(GenBuffers, GENBUFFERS)                                                                      \
    X(DeleteBuffers, DELETEBUFFERS)                                                                \
    X(BindBuffer, BINDBUFFER)                                                                      \
    X(BindBufferBase, BINDBUFFERBASE)                                                              \
    X(BufferData, BUFFERDATA)                                                                      \
    X(BufferSubData, BUFFERSUBDATA)                                                                \
    X(GetBufferSubData, GETBUFFERSUBDATA)                                                          \
    X(ClearBufferData, CLEARBUFFERDATA)                                                            \
    X(GenTextures, GENTEXTURES)                                                                    \
    X(DeleteTextures, DELETETEXTURES)                                                              \
    X(ActiveTexture, ACTIVETEXTURE)                                                                \
    X(BindTexture, BINDTEXTURE)                                                                    \
    X(TexBuffer, TEXBUFFER)                                                                        \
    X(GenQueries, GENQUERIES)                                                                      \
    X(DeleteQueries, DELETEQUERIES)                                                                \
    X(QueryCounter, QUERYCOUNTER)                                                                  \
    X(GetQueryiv, GETQUERYIV)                                                                      \
    X(GetQueryObjectuiv, GETQUERYOBJECTUIV)                                                        \
    X(GetQueryObjectui64v, GETQUERYOBJECTUI64V)

/* The context on loan, and what OpenGL says of itself there. */
static struct {
    struct krn_gl_context of;
    unsigned serial; /* counts loans; 0: there was none yet */
    bool lent, asked;
    char renderer[128], vendor[64], version[64];
    int major, minor, counter_bits, uniform_bytes, texels;
    bool processor; /* the renderer is a program that runs on the CPU */
#define DECLARE(name, type) PFNGL##type##PROC name;
    GL_FUNCTIONS(DECLARE)
    PFNGLGETGRAPHICSRESETSTATUSPROC GetGraphicsResetStatus; /* NULL: nothing tells of a reset */
} gl;

void krn_gl_lend(const struct krn_gl_context *context)
{
    const unsigned serial = gl.serial + 1;
    memset(&gl, 0, sizeof gl);
    gl.serial = serial;
    gl.lent = context != NULL;
    if (context)
        gl.of = *context;
}

/* The names of renderers that are programs. */
static bool is_processor(const char *renderer)
{
    static const char *const names[] = {
        "llvmpipe",           "softpipe", "swrast", "SwiftShader", "Microsoft Basic Render",
        "Software Rasterizer"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        found = found || strstr(renderer, names[i]) != NULL;
    return found;
}

/* Finds the functions and the limits of the context, once for each loan. */
static enum krn_code ask(struct krn_error *error)
{
    if (!gl.lent)
        return KRN_FAIL(error, KRN_UNAVAILABLE,
                        "The gl backend computes in OpenGL, and nothing has opened it here.");
    if (!gl.of.current(gl.of.owner))
        return KRN_FAIL(error, KRN_LOST, "The OpenGL context is gone.");
    if (gl.asked)
        return KRN_OK;
    bool whole = true;
#define FIND(name, type)                                                                           \
    gl.name = (PFNGL##type##PROC)gl.of.proc("gl" #name);                                           \
    whole = whole && gl.name != NULL;
    GL_FUNCTIONS(FIND)
    gl.GetGraphicsResetStatus =
        (PFNGLGETGRAPHICSRESETSTATUSPROC)gl.of.proc("glGetGraphicsResetStatus");
    if (gl.GetString == NULL || gl.GetIntegerv == NULL)
        return KRN_FAIL(error, KRN_UNAVAILABLE, "This OpenGL has no functions to ask.");
    const struct {
        GLenum name;
        char *text;
        size_t size;
    } texts[] = {{GL_RENDERER, gl.renderer, sizeof gl.renderer},
                 {GL_VENDOR, gl.vendor, sizeof gl.vendor},
                 {GL_VERSION, gl.version, sizeof gl.version}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const GLubyte *text = gl.GetString(texts[i].name);
        snprintf(texts[i].text, texts[i].size, "%s", text ? (const char *)text : "n/a");
    }
    gl.processor = is_processor(gl.renderer);
    gl.GetIntegerv(GL_MAJOR_VERSION, &gl.major);
    gl.GetIntegerv(GL_MINOR_VERSION, &gl.minor);
    if (gl.major * 10 + gl.minor < 43 || !whole)
        return KRN_FAIL(error, KRN_UNAVAILABLE,
                        "OpenGL computes from version 4.3 on; %s has %d.%d.", gl.renderer, gl.major,
                        gl.minor);
    gl.GetQueryiv(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &gl.counter_bits);
    gl.GetIntegerv(GL_MAX_UNIFORM_BLOCK_SIZE, &gl.uniform_bytes);
    gl.GetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &gl.texels);
    if (gl.uniform_bytes > KRN_CONSTANT_BYTES)
        gl.uniform_bytes = KRN_CONSTANT_BYTES;
    if (gl.counter_bits < 1)
        return KRN_FAIL(error, KRN_UNAVAILABLE, "%s has no time stamps.", gl.renderer);
    gl.asked = true;
    return KRN_OK;
}

/* --- a device --- */

/* What a program is made for. */
enum { BOOK, STRIP, EMPTY, LIMIT, WORKS };
enum { SLOTS = 16, PROGRAMS = KRN_MODES_MAX + 2 };

/* The buffers with the spheres. UNIFORM_BOOK: with 32 bytes each, as a uniform buffer pads them. */
enum { SPHERES = 1, PACKED, MATERIAL, UNIFORM_BOOK, UNIFORM_PACKED, BUFFERS };

/* A frame whose time stamps are on their way. */
struct slot {
    GLuint stamps[2];
    struct krn_mode mode;
    uint64_t tag;
    bool busy;
};

struct gl_device {
    struct krn_device base;
    unsigned serial;          /* of the loan that it was connected to */
    struct krn_scene scene;   /* as given */
    struct krn_sphere *posed; /* room for the scene's spheres, and four floats more for each */
    float *upload;
    struct krn_pose pose;
    bool is_posed;
    GLuint buffers[BUFFERS], textures[2]; /* of SPHERES and PACKED */
    GLuint programs[PROGRAMS];            /* by mode, and the two others; 0: not made yet */
    struct slot slots[SLOTS];
    int oldest, waiting;
    struct krn_overhead overheads[PROGRAMS];
    double ms_per_test; /* the last measured rate, of a pixel and a sphere; 0: unknown */
};

static struct gl_device *own(struct krn_device *device)
{
    return (struct gl_device *)device;
}

/* Makes the device's context current. */
static enum krn_code enter(const struct gl_device *device, struct krn_error *error)
{
    if (device->serial != gl.serial || !gl.of.current(gl.of.owner) ||
        (gl.GetGraphicsResetStatus != NULL && gl.GetGraphicsResetStatus() != GL_NO_ERROR))
        return KRN_FAIL(error, KRN_LOST, "The OpenGL context of %s is lost.",
                        device->base.info.name);
    return KRN_OK;
}

/* Returns an error of OpenGL since the last call as a sentence. */
static enum krn_code check(const char *what, struct krn_error *error)
{
    const GLenum fault = gl.GetError();
    if (fault == GL_NO_ERROR)
        return KRN_OK;
    return fault == GL_OUT_OF_MEMORY
               ? KRN_FAIL(error, KRN_NO_MEMORY, "OpenGL has no memory for %s.", what)
               : KRN_FAIL(error, fault == GL_CONTEXT_LOST ? KRN_LOST : KRN_FAILED,
                          "OpenGL fails with error 0x%04x: %s.", fault, what);
}

/* --- programs --- */

/* The pixels of a group's threads, and of each. */
struct grid {
    int x, y, pixels;
};

static struct grid grid_of(int work, struct krn_mode mode)
{
    return work == STRIP ? (struct grid){32, 8, mode.pixels_per_thread} : (struct grid){16, 16, 1};
}

static int capacity(struct krn_mode mode)
{
    return gl.uniform_bytes / (mode.kernel == KRN_KERNEL_BOOK ? 32 : 16);
}

static enum krn_code make_program(GLuint *program, int work, struct krn_mode mode,
                                  struct krn_error *error)
{
    static const char *const works[WORKS] = {"BOOK", "STRIP", "EMPTY", "LIMIT"};
    static const char *const storages[KRN_STORAGE_COUNT] = {"GLOBAL", "READONLY", "CONSTANT",
                                                            "SHARED", "TEXTURE"};
    const struct grid grid = grid_of(work, mode);
    char head[256], log[512] = "";
    snprintf(head, sizeof head,
             "#version 430\n#define KERNEL_%s\n#define STORAGE_%s\n#define GROUP_X %d\n"
             "#define GROUP_Y %d\n#define K %d\n#define CAPACITY %d\n%s",
             works[work], storages[mode.storage], grid.x, grid.y, grid.pixels, capacity(mode),
             gl.processor ? "#define PROCESSOR\n" : "");
    const char *const texts[] = {head, krn_gl_trace_comp};
    GLint compiled = 0, linked = 0;
    const GLuint shader = gl.CreateShader(GL_COMPUTE_SHADER), made = gl.CreateProgram();
    gl.ShaderSource(shader, 2, texts, NULL);
    gl.CompileShader(shader);
    gl.GetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    gl.GetShaderInfoLog(shader, sizeof log, NULL, log);
    if (compiled) {
        gl.AttachShader(made, shader);
        gl.LinkProgram(made);
        gl.GetProgramiv(made, GL_LINK_STATUS, &linked);
        gl.GetProgramInfoLog(made, sizeof log, NULL, log);
    }
    gl.DeleteShader(shader);
    if (linked) {
        *program = made;
        return KRN_OK;
    }
    gl.DeleteProgram(made);
    log[strcspn(log, "\n")] = 0;
    return KRN_FAIL(error, KRN_FAILED, "%s cannot compile the %s kernel: %s", gl.renderer,
                    krn_kernel_name(mode.kernel), log);
}

/* Returns the place of a kind of work among programs and overheads. */
static int place_of(int work, struct krn_mode mode)
{
    return work == EMPTY ? KRN_MODES_MAX : work == LIMIT ? KRN_MODES_MAX + 1 : krn_mode_index(mode);
}

/* Dispatches rows first..last-1 of a picture. What the caller's program and texture were, they are
 * again afterwards. */
struct launch {
    int work;
    struct krn_mode mode;
    const struct krn_view *view;
    GLuint picture;
};

static void dispatch(struct gl_device *device, const struct launch *launch, int first, int last)
{
    const struct grid grid = grid_of(launch->work, launch->mode);
    const int across = grid.x * grid.pixels, width = launch->view->width;
    const bool book = launch->mode.kernel == KRN_KERNEL_BOOK;
    gl.UseProgram(device->programs[place_of(launch->work, launch->mode)]);
    gl.Uniform1i(0, device->base.spheres);
    gl.Uniform2i(1, width, launch->view->height);
    gl.Uniform1i(2, first);
    gl.Uniform1i(3, last);
    gl.Uniform1f(4, launch->view->unit);
    gl.Uniform1i(5, grid.pixels);
    gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, launch->picture);
    for (GLuint i = SPHERES; i <= MATERIAL; i++)
        gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, i, device->buffers[i]);
    gl.BindBufferBase(GL_UNIFORM_BUFFER, 0, device->buffers[book ? UNIFORM_BOOK : UNIFORM_PACKED]);
    gl.ActiveTexture(GL_TEXTURE7);
    gl.BindTexture(GL_TEXTURE_BUFFER, device->textures[!book]);
    gl.ActiveTexture(GL_TEXTURE0);
    gl.DispatchCompute((GLuint)((width + across - 1) / across),
                       (GLuint)((last - first + grid.y - 1) / grid.y), 1);
}

/* The longest dispatch: drivers reset a GPU that is busy for two seconds. Where a context draws on
 * the CPU, nothing resets it. */
static const double longest_ms = 1000.0;

/* Returns the rows of a dispatch that stays below that. */
static int rows_of(const struct gl_device *device, const struct launch *launch)
{
    const double row = (double)launch->view->width * device->base.spheres,
                 rate = device->ms_per_test > 0.0 ? device->ms_per_test
                                                  : 1.0 / device->base.info.can.tests_per_ms;
    const double least = 16.0, rows = 0.5 * longest_ms / (rate * row);
    return krn_call_fails(KRN_API_NONE, "krn_gl_slow()") ? 16
           : rows >= launch->view->height                ? launch->view->height
                                          : (int)fmax(least, 16.0 * floor(rows / 16.0));
}

static void dispatch_all(struct gl_device *device, const struct launch *launch)
{
    GLint before = 0;
    const int height = launch->view->height, rows = rows_of(device, launch);
    gl.GetIntegerv(GL_CURRENT_PROGRAM, &before);
    for (int first = 0; first < height; first += rows) {
        dispatch(device, launch, first, first + rows < height ? first + rows : height);
        if (rows < height)
            gl.Flush();
    }
    gl.UseProgram((GLuint)before);
    gl.MemoryBarrier(GL_ALL_BARRIER_BITS);
}

static enum krn_code prepare(struct gl_device *device, const struct launch *launch,
                             struct krn_error *error)
{
    GLuint *program = &device->programs[place_of(launch->work, launch->mode)];
    enum krn_code code = enter(device, error);
    if (code == KRN_OK && *program == 0)
        code = make_program(program, launch->work, launch->mode, error);
    return code;
}

/* --- time --- */

/* Takes a time stamp. A renderer that is a program notes it when it draws, so what is before it is
 * sent off first. */
static void stamp(const struct gl_device *device, GLuint query)
{
    if (device->base.info.can.host_processors)
        gl.Flush();
    gl.QueryCounter(query, GL_TIMESTAMP);
    if (device->base.info.can.host_processors)
        gl.Flush();
}

/* Returns the milliseconds between two stamps, which has waited for them. The counter may have
 * begun anew in between. */
static double between(const GLuint stamps[2])
{
    GLuint64 at[2] = {0, 0};
    for (int i = 0; i < 2; i++)
        gl.GetQueryObjectui64v(stamps[i], GL_QUERY_RESULT, &at[i]);
    const GLuint64 all =
        gl.counter_bits >= 64 ? ~(GLuint64)0 : ((GLuint64)1 << gl.counter_bits) - 1;
    return 1e-6 * (double)((at[1] - at[0]) & all);
}

/* Launches n times between a pair of stamps, and waits. Returns the milliseconds of one. launch:
 * NULL: nothing. */
static double time_of(struct gl_device *device, const struct launch *launch, int n)
{
    const GLuint *stamps = device->slots[0].stamps;
    stamp(device, stamps[0]);
    for (int i = 0; i < n && launch != NULL; i++)
        dispatch_all(device, launch);
    stamp(device, stamps[1]);
    return between(stamps) / n;
}

enum { TIMES = 31, WARM_UP = 3 };

static struct krn_overhead median_of(double times[TIMES])
{
    struct krn_overhead overhead = {.interval = krn_interval_of(times, TIMES)};
    overhead.ms = krn_summarise(times, TIMES).median;
    return overhead;
}

/* Measures a launch, or nothing, a few dozen times. */
static struct krn_overhead measure(struct gl_device *device, const struct launch *launch)
{
    double times[TIMES];
    for (int i = -WARM_UP; i < TIMES; i++) {
        const double ms = time_of(device, launch, 1);
        times[i < 0 ? 0 : i] = ms;
    }
    return median_of(times);
}

/* --- the functions of a device --- */

static void gl_close(struct krn_device *device)
{
    struct gl_device *d = own(device);
    struct krn_error lost;
    if (enter(d, &lost) == KRN_OK) {
        gl.DeleteBuffers(BUFFERS - 1, d->buffers + 1);
        gl.DeleteTextures(2, d->textures);
        for (int i = 0; i < PROGRAMS; i++)
            gl.DeleteProgram(d->programs[i]);
        for (int i = 0; i < SLOTS; i++)
            gl.DeleteQueries(2, d->slots[i].stamps);
    }
    krn_scene_free(&d->scene);
    free(d->posed);
    free(d->upload);
    free(d);
}

static void upload(GLuint buffer, const void *data, size_t size)
{
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    gl.BufferSubData(GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr)size, data);
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

static enum krn_code gl_set_pose(struct krn_device *device, struct krn_pose pose,
                                 struct krn_error *error)
{
    struct gl_device *d = own(device);
    const size_t n = (size_t)d->scene.count;
    const enum krn_code code = enter(d, error);
    if (code != KRN_OK ||
        (d->is_posed && d->pose.cosine == pose.cosine && d->pose.sine == pose.sine))
        return code;
    for (size_t i = 0; i < n; i++)
        d->posed[i] = krn_rotate(d->scene.spheres[i], pose);
    upload(d->buffers[SPHERES], d->posed, n * sizeof *d->posed);
    struct krn_packed *packed = (void *)d->upload;
    for (size_t i = 0; i < n; i++)
        packed[i] = krn_pack(d->posed[i]);
    upload(d->buffers[PACKED], packed, n * sizeof *packed);
    const size_t room = (size_t)gl.uniform_bytes;
    if (n * sizeof *packed <= room)
        upload(d->buffers[UNIFORM_PACKED], packed, n * sizeof *packed);
    struct krn_material *material = (void *)d->upload;
    for (size_t i = 0; i < n; i++)
        material[i] = krn_material_of(d->posed[i]);
    upload(d->buffers[MATERIAL], material, n * sizeof *material);
    for (size_t i = 0; 32 * n <= room && i < n; i++)
        memcpy(d->upload + 8 * i, &d->posed[i], sizeof *d->posed);
    if (32 * n <= room)
        upload(d->buffers[UNIFORM_BOOK], d->upload, 32 * n);
    d->pose = pose;
    d->is_posed = true;
    return check("the spheres", error);
}

static enum krn_code gl_set_scene(struct krn_device *device, const struct krn_scene *scene,
                                  struct krn_error *error)
{
    struct gl_device *d = own(device);
    const size_t n = (size_t)scene->count;
    struct krn_scene copy = {.spheres = NULL};
    enum krn_code code = enter(d, error);
    KRN_THEN(code, krn_scene_copy(&copy, scene, error));
    if (code != KRN_OK)
        return code;
    struct krn_sphere *posed = malloc(n * sizeof *posed);
    float *room = malloc(n * 32);
    GLuint buffers[BUFFERS];
    const size_t sizes[BUFFERS] = {[SPHERES] = n * sizeof *posed,
                                   [PACKED] = n * sizeof(struct krn_packed),
                                   [MATERIAL] = n * sizeof(struct krn_material),
                                   [UNIFORM_BOOK] = (size_t)gl.uniform_bytes,
                                   [UNIFORM_PACKED] = (size_t)gl.uniform_bytes};
    gl.GenBuffers(BUFFERS - 1, buffers + 1);
    for (int i = 1; i < BUFFERS; i++) {
        gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffers[i]);
        gl.BufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)sizes[i], NULL, GL_DYNAMIC_DRAW);
    }
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    code = posed && room ? check("the spheres", error)
                         : KRN_FAIL(error, KRN_NO_MEMORY, "No memory for %zu spheres.", n);
    if (code != KRN_OK) {
        gl.DeleteBuffers(BUFFERS - 1, buffers + 1);
        krn_scene_free(&copy);
        free(posed);
        free(room);
        return code;
    }
    gl.DeleteBuffers(BUFFERS - 1, d->buffers + 1);
    krn_scene_free(&d->scene);
    free(d->posed);
    free(d->upload);
    memcpy(d->buffers, buffers, sizeof buffers);
    d->scene = copy;
    d->posed = posed;
    d->upload = room;
    d->base.spheres = scene->count;
    d->is_posed = false;
    memset(d->overheads, 0, sizeof d->overheads);
    gl.ActiveTexture(GL_TEXTURE7);
    for (int i = 0; i < 2; i++) { /* of floats, and of four of them */
        gl.BindTexture(GL_TEXTURE_BUFFER, d->textures[i]);
        gl.TexBuffer(GL_TEXTURE_BUFFER, i ? GL_RGBA32F : GL_R32F, d->buffers[i ? PACKED : SPHERES]);
    }
    gl.ActiveTexture(GL_TEXTURE0);
    return gl_set_pose(device, (struct krn_pose){1.0f, 0.0f}, error);
}

/* An image's `pixels` is the name of its buffer. */
static GLuint buffer_of(const struct krn_image *image)
{
    return (GLuint)(uintptr_t)image->pixels;
}

static enum krn_code gl_alloc_image(struct krn_device *device, int width, int height,
                                    struct krn_image *image, struct krn_error *error)
{
    GLuint buffer;
    const size_t pitch = 4 * (size_t)width;
    enum krn_code code = enter(own(device), error);
    if (code != KRN_OK)
        return code;
    gl.GenBuffers(1, &buffer);
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    gl.BufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)(pitch * (size_t)height), NULL,
                  GL_DYNAMIC_COPY);
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    code = check("the picture", error);
    if (code == KRN_OK)
        *image = (struct krn_image){(void *)(uintptr_t)buffer, pitch, width, height};
    else
        gl.DeleteBuffers(1, &buffer);
    return code;
}

static void gl_free_image(struct krn_device *device, struct krn_image *image)
{
    const GLuint buffer = buffer_of(image);
    struct krn_error lost;
    if (enter(own(device), &lost) == KRN_OK)
        gl.DeleteBuffers(1, &buffer);
}

static bool gl_renders(const struct krn_device *device, struct krn_mode mode)
{
    return (mode.kernel == KRN_KERNEL_BOOK || mode.kernel == KRN_KERNEL_STRIP) &&
           mode.storage != KRN_STORAGE_READONLY &&
           (mode.storage != KRN_STORAGE_CONSTANT || device->spheres <= capacity(mode)) &&
           (mode.storage != KRN_STORAGE_TEXTURE ||
            (mode.kernel == KRN_KERNEL_BOOK ? 7.0 : 1.0) * device->spheres <= gl.texels);
}

static enum krn_code gl_check(const struct krn_device *device, struct krn_mode mode,
                              struct krn_error *error)
{
    if (mode.storage == KRN_STORAGE_READONLY)
        return KRN_FAIL(error, KRN_REFUSED,
                        "OpenGL has no read-only path of its own: the compiler takes it where it "
                        "can.");
    if (mode.storage == KRN_STORAGE_CONSTANT && device->spheres > capacity(mode))
        return KRN_FAIL(error, KRN_REFUSED,
                        "A uniform buffer of this OpenGL holds %d bytes, %d spheres of the %s "
                        "kernel, not %d.",
                        gl.uniform_bytes, capacity(mode), krn_kernel_name(mode.kernel),
                        device->spheres);
    return KRN_FAIL(error, KRN_REFUSED,
                    "The gl backend has no launcher for the %s kernel with %s storage and %d "
                    "spheres.",
                    krn_kernel_name(mode.kernel), krn_storage_name(mode.storage), device->spheres);
}

static struct launch launch_of(struct krn_mode mode, const struct krn_view *view,
                               const struct krn_image *image)
{
    return (struct launch){mode.kernel == KRN_KERNEL_BOOK ? BOOK : STRIP, mode, view,
                           buffer_of(image)};
}

static enum krn_code gl_render(struct krn_device *device, struct krn_mode mode,
                               const struct krn_view *view, const struct krn_image *image,
                               uint64_t tag, struct krn_error *error)
{
    struct gl_device *d = own(device);
    const struct launch launch = launch_of(mode, view, image);
    const enum krn_code code = prepare(d, &launch, error);
    if (code != KRN_OK)
        return code;
    const bool timed = tag != KRN_UNTIMED && d->waiting < SLOTS;
    struct slot *slot = &d->slots[(d->oldest + d->waiting) % SLOTS];
    if (timed)
        stamp(d, slot->stamps[0]);
    dispatch_all(d, &launch);
    if (timed) {
        stamp(d, slot->stamps[1]);
        slot->mode = mode;
        slot->tag = tag;
        slot->busy = d->waiting++ > 0;
    }
    gl.Flush();
    return check("the picture", error);
}

static enum krn_code gl_batch(struct krn_device *device, struct krn_mode mode,
                              const struct krn_view *view, const struct krn_image *image, int count,
                              double *ms, struct krn_error *error)
{
    struct gl_device *d = own(device);
    const struct launch launch = launch_of(mode, view, image);
    const enum krn_code code = prepare(d, &launch, error);
    d->waiting = 0;
    *ms = code == KRN_OK ? time_of(d, &launch, count) : 0.0;
    return code;
}

static enum krn_code gl_overhead(struct krn_device *device, struct krn_mode mode,
                                 const struct krn_view *view, struct krn_overhead *overhead,
                                 struct krn_error *error)
{
    struct gl_device *d = own(device);
    struct krn_overhead *kept = &d->overheads[krn_mode_index(mode)];
    const struct launch launch = {EMPTY, mode, view, 0};
    const enum krn_code code = prepare(d, &launch, error);
    if (code == KRN_OK && !(kept->ms > 0.0)) {
        d->waiting = 0;
        *kept = measure(d, &launch);
    }
    *overhead = *kept;
    return code;
}

static enum krn_code gl_limit(struct krn_device *device, const struct krn_view *view,
                              struct krn_limit_samples *samples, struct krn_error *error)
{
    struct gl_device *d = own(device);
    struct krn_image image;
    const struct krn_mode mode = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1};
    enum krn_code code = gl_alloc_image(device, view->width, view->height, &image, error);
    if (code != KRN_OK)
        return code;
    const struct launch launch = {LIMIT, mode, view, buffer_of(&image)};
    struct krn_overhead overhead;
    code = prepare(d, &launch, error);
    KRN_THEN(code, gl_overhead(device, mode, view, &overhead, error));
    d->waiting = 0;
    for (int i = -WARM_UP; code == KRN_OK && i < KRN_LIMIT_SAMPLES; i++) {
        const double ms = time_of(d, &launch, 1);
        if (i >= 0)
            samples->net_ms[samples->n++] = ms - overhead.ms;
    }
    samples->overhead_ms = code == KRN_OK ? overhead.ms : 0.0;
    gl_free_image(device, &image);
    return code;
}

static bool gl_poll(struct krn_device *device, struct krn_reading *reading)
{
    struct gl_device *d = own(device);
    struct slot *slot = &d->slots[d->oldest];
    struct krn_error lost;
    GLuint there = 0;
    if (d->waiting == 0 || enter(d, &lost) != KRN_OK)
        return false;
    gl.GetQueryObjectuiv(slot->stamps[1], GL_QUERY_RESULT_AVAILABLE, &there);
    if (!there)
        return false;
    *reading = (struct krn_reading){.ms = between(slot->stamps),
                                    .mode = slot->mode,
                                    .tag = slot->tag,
                                    .scope = "the dispatches of the compute shader",
                                    .busy = slot->busy};
    d->oldest = (d->oldest + 1) % SLOTS;
    d->waiting--;
    return true;
}

static enum krn_code gl_sync(struct krn_device *device, struct krn_error *error)
{
    const enum krn_code code = enter(own(device), error);
    if (code == KRN_OK)
        gl.Finish();
    return code;
}

static enum krn_code gl_read(struct krn_device *device, const struct krn_image *image, void *pixels,
                             struct krn_error *error)
{
    const enum krn_code code = enter(own(device), error);
    if (code != KRN_OK)
        return code;
    gl.BindBuffer(GL_COPY_READ_BUFFER, buffer_of(image));
    gl.GetBufferSubData(GL_COPY_READ_BUFFER, 0,
                        (GLsizeiptr)(image->pitch_bytes * (size_t)image->height), pixels);
    gl.BindBuffer(GL_COPY_READ_BUFFER, 0);
    return check("the picture", error);
}

static enum krn_code gl_fill(struct krn_device *device, const struct krn_image *image, uint8_t byte,
                             struct krn_error *error)
{
    const uint32_t word = byte * 0x01010101u;
    const enum krn_code code = enter(own(device), error);
    if (code != KRN_OK)
        return code;
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffer_of(image));
    gl.ClearBufferData(GL_COPY_WRITE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &word);
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    return check("the picture", error);
}

static enum krn_code gl_alloc_host(struct krn_device *device, size_t bytes, void **memory,
                                   struct krn_error *error)
{
    (void)device;
    *memory = malloc(bytes);
    return *memory ? KRN_OK : KRN_FAIL(error, KRN_NO_MEMORY, "No memory for %zu KiB.", bytes >> 10);
}

static void gl_free_host(struct krn_device *device, void *memory)
{
    (void)device;
    free(memory);
}

static enum krn_code gl_hash(struct krn_device *device, const struct krn_image *image,
                             uint64_t *hash, struct krn_error *error)
{
    const size_t n = (size_t)image->width * (size_t)image->height;
    uint32_t *rgba = malloc(4 * n);
    if (!rgba)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for the picture.");
    const enum krn_code code = gl_read(device, image, rgba, error);
    *hash = 0;
    for (size_t i = 0; code == KRN_OK && i < n; i++)
        *hash += krn_hash_pixel(i, rgba[i]);
    free(rgba);
    return code;
}

static enum krn_code gl_open_probes(struct krn_device *device, unsigned topics, size_t bytes_max,
                                    struct krn_probes **probes, struct krn_error *error)
{
    (void)device;
    (void)topics;
    (void)bytes_max;
    (void)probes;
    return KRN_FAIL(error, KRN_UNAVAILABLE,
                    "The gl backend renders and does not measure this: --backend cuda does.");
}

static enum krn_code gl_compile_mine(const struct krn_device *device, const char *file,
                                     const char *text, const char *folder, struct krn_mine *mine,
                                     struct krn_error *error)
{
    (void)device;
    (void)text;
    (void)folder;
    (void)mine;
    return KRN_FAIL(error, KRN_REFUSED, "%s is CUDA C, which OpenGL does not compile.", file);
}

static enum krn_code gl_load_mine(struct krn_device *device, const struct krn_mine *mine,
                                  struct krn_mine_loaded *loaded, struct krn_error *error)
{
    (void)mine;
    (void)loaded;
    return gl_compile_mine(device, "The kernel", NULL, NULL, NULL, error);
}

static const struct krn_device_ops gl_ops = {
    .close = gl_close,
    .set_scene = gl_set_scene,
    .set_pose = gl_set_pose,
    .alloc_image = gl_alloc_image,
    .free_image = gl_free_image,
    .renders = gl_renders,
    .check = gl_check,
    .render = gl_render,
    .batch = gl_batch,
    .overhead = gl_overhead,
    .limit = gl_limit,
    .poll = gl_poll,
    .sync = gl_sync,
    .read = gl_read,
    .fill = gl_fill,
    .alloc_host = gl_alloc_host,
    .free_host = gl_free_host,
    .hash = gl_hash,
    .open_probes = gl_open_probes,
    .compile_mine = gl_compile_mine,
    .load_mine = gl_load_mine,
};

/* --- the backend --- */

/* tests_per_ms: of an integrated GPU of ten years ago; a processor's renderer has less. */
static const struct krn_capabilities capabilities = {
    .noun = "GPU",
    .asynchronous = true,
    .distinct_storages = true,
    .tests_per_ms = 1e6,
    .sphere_bytes =
        sizeof(struct krn_sphere) + sizeof(struct krn_packed) + sizeof(struct krn_material),
};

static enum krn_code gl_count(int *devices, struct krn_error *error)
{
    const enum krn_code code = ask(error);
    *devices = code == KRN_OK;
    return code == KRN_OK ? KRN_OK : KRN_UNAVAILABLE;
}

static enum krn_code gl_describe(int ordinal, struct krn_device_info *info, struct krn_error *error)
{
    (void)ordinal; /* there is one: the context */
    memset(info, 0, sizeof *info);
    if (ask(error) != KRN_OK)
        return KRN_UNAVAILABLE;
    info->backend = KRN_BACKEND_GL;
    info->can = capabilities;
    if (gl.processor) {
        info->can.noun = "CPU";
        info->can.host_processors = true;
        info->can.distinct_storages = false;
        info->can.tests_per_ms = 2e4;
    }
    snprintf(info->name, sizeof info->name, "%s", gl.renderer);
    snprintf(info->driver, sizeof info->driver, "%.31s", gl.version);
    snprintf(info->runtime, sizeof info->runtime, "OpenGL %d.%d", gl.major, gl.minor);
    snprintf(info->pci_id, sizeof info->pci_id, "n/a");
    snprintf(info->clock, sizeof info->clock, "OpenGL time stamps");
    return KRN_OK;
}

/* Measures the overheads of a pair of stamps and of an empty dispatch, and the counter's tick. */
static enum krn_code measure_overheads(struct gl_device *device, struct krn_error *error)
{
    const struct krn_view view = {.width = 16, .height = 16, .unit = 1.0f};
    const struct launch launch = {EMPTY, {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1}, &view, 0};
    const enum krn_code code = prepare(device, &launch, error);
    double times[TIMES];
    if (code != KRN_OK)
        return code;
    device->base.overheads.event_ms = measure(device, NULL).ms;
    device->base.overheads.empty_kernel_ms = measure(device, &launch).ms;
    for (int i = 0; i < TIMES; i++)
        times[i] = time_of(device, &launch, 1);
    device->base.overheads.tick_ms = krn_tick_of(times, TIMES, 1e-7);
    return code;
}

static enum krn_code gl_connect(int ordinal, struct krn_device **device, struct krn_error *error)
{
    struct gl_device *made = calloc(1, sizeof *made);
    if (!made)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for the gl backend.");
    enum krn_code code = gl_describe(ordinal, &made->base.info, error);
    if (code != KRN_OK) {
        free(made);
        return code;
    }
    made->base.ops = &gl_ops;
    made->serial = gl.serial;
    gl.GenTextures(2, made->textures);
    for (int i = 0; i < SLOTS; i++)
        gl.GenQueries(2, made->slots[i].stamps);
    code = measure_overheads(made, error);
    KRN_THEN(code, check("the backend's first kernel", error));
    KRN_THEN(code, krn_inject_image(&made->base, error));
    if (code != KRN_OK)
        gl_close(&made->base);
    else
        *device = &made->base;
    return code;
}

const struct krn_backend krn_gl_backend = {
    .id = KRN_BACKEND_GL,
    .name = "gl",
    .can = &capabilities,
    .count = gl_count,
    .describe = gl_describe,
    .connect = gl_connect,
};

enum krn_code krn_gl_properties(int ordinal, struct krn_property_list *list,
                                struct krn_error *error)
{
    struct krn_device_info info;
    struct krn_device *device;
    enum krn_code code = gl_describe(ordinal, &info, error);
    KRN_THEN(code, gl_connect(ordinal, &device, error));
    if (code != KRN_OK)
        return KRN_UNAVAILABLE;
    const double tick_ms = device->overheads.tick_ms;
    krn_device_close(device);
    krn_property_add_text(list, "renderer", "name", gl.renderer);
    krn_property_add_text(list, "vendor", "vendor", gl.vendor);
    krn_property_add_text(list, "version", "version", gl.version);
    krn_property_add_number(list, "maxUniformBlockSize", "uniform buffer, as constant memory",
                            KRN_PROPERTY_BYTES, gl.uniform_bytes);
    krn_property_add_number(list, "maxTextureBufferSize", "texels of a texture buffer",
                            KRN_PROPERTY_COUNT, gl.texels);
    krn_property_add_number(list, "queryCounterBits", "width of the clock's counter",
                            KRN_PROPERTY_BITS, gl.counter_bits);
    krn_property_add_number(list, "tick", "tick of the clock, ns", KRN_PROPERTY_COUNT,
                            tick_ms > 0.0 ? (int64_t)lrint(1e6 * tick_ms) : -1);
    return KRN_OK;
}
