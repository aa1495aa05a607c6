/* The functions of a device of the backend gl: what the owner of the context lends is used between
 * krn_gl_keep and krn_gl_put_back. */
#include "gl/gl.h"

#include "core/base/clock.h"
#include "core/trace/strip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char kernel_scope[] =
    "the kernel alone, between two time stamps of OpenGL: its dispatch counts, the host does not";

static struct krn_gl_device *own(struct krn_device *device)
{
    return (struct krn_gl_device *)device;
}

/* Deletes what the device has made, unless its context is gone. */
static void gl_close(struct krn_device *device)
{
    struct krn_gl_device *d = own(device);
    struct krn_gl *gl = d->gl;
    struct krn_error lost;
    if (krn_gl_use(gl, d->loan, &lost) == KRN_OK) {
        struct krn_gl_state state;
        krn_gl_keep(gl, &state);
        for (int s = 0; s < KRN_STORAGE_COUNT; s++) {
            gl->DeleteProgram(d->book[s]);
            for (int k = 0; k < KRN_PIXELS_COUNT; k++)
                gl->DeleteProgram(d->strip[s][k]);
        }
        gl->DeleteProgram(d->rotate);
        gl->DeleteProgram(d->empty[0]);
        gl->DeleteProgram(d->empty[1]);
        gl->DeleteProgram(d->limit);
        gl->DeleteTextures(2, d->textures);
        gl->DeleteBuffers(
            5, (const unsigned[]){d->given, d->rotated, d->padded, d->packed, d->materials});
        for (int i = 0; i < KRN_GL_PAIRS; i++)
            gl->DeleteQueries(2, d->pairs[i].queries);
        for (int i = 0; i < KRN_GL_MEASURED; i++)
            gl->DeleteQueries(2, d->measures[i]);
        for (int i = 0; i < d->flying; i++)
            gl->DeleteSync(d->flight[i]);
        (void)krn_gl_put_back(gl, &state, KRN_OK, "", &lost);
    }
    free(device);
}

/* --- time stamps: pairs that wait to be read, the frames in flight, and the clock itself --- */

#define NS_PER_MS 1e6

double krn_gl_ms_between(uint64_t start, uint64_t stop, int bits)
{
    const uint64_t all = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
    return (double)((stop - start) & all) / NS_PER_MS;
}

/* Stamps the time at which all calls before have been carried out. */
static void stamp(struct krn_gl *gl, unsigned query)
{
    KRN_GL(gl, QueryCounter, (query, GL_TIMESTAMP));
    /* Mesa's llvmpipe takes a stamp when it draws, which may be after a dispatch that follows. */
    if (gl->processor)
        KRN_GL(gl, Finish, ());
}

static bool is_done(struct krn_gl *gl, krn_gl_sync fence)
{
    return gl->ClientWaitSync(fence, 0, 0) != GL_TIMEOUT_EXPIRED;
}

static void land(struct krn_gl_device *device)
{
    device->gl->DeleteSync(device->flight[0]);
    device->flying--;
    for (int i = 0; i < device->flying; i++)
        device->flight[i] = device->flight[i + 1];
}

/* Waits until fewer than KRN_GL_FLIGHT frames are queued; returns true when one still runs. */
static bool wait_for_room(struct krn_gl_device *device)
{
    /* A frame of bands may take longer; then two are queued. */
    static const uint64_t patience_ns = 10u * 1000000000ull;
    while (device->flying > 0 && is_done(device->gl, device->flight[0]))
        land(device);
    if (device->flying == KRN_GL_FLIGHT) {
        (void)device->gl->ClientWaitSync(device->flight[0], GL_SYNC_FLUSH_COMMANDS_BIT,
                                         patience_ns);
        land(device);
    }
    return device->flying > 0;
}

/* Notes that a frame has been queued. */
static void note_flight(struct krn_gl_device *device)
{
    krn_gl_sync fence;
    KRN_GL_VALUE(device->gl, fence, FenceSync, (GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
    if (fence != NULL)
        device->flight[device->flying++] = fence;
    KRN_GL(device->gl, Flush, ());
}

/* Stamps `n` pairs around `times` launches each, and waits: ms[i] is the i-th pair's time. launch:
 * NULL: around nothing. */
static void measure(struct krn_gl_device *device, const struct krn_gl_launch *launch, int n,
                    int times, double *ms)
{
    struct krn_gl *gl = device->gl;
    for (int i = 0; i < n; i++) {
        stamp(gl, device->measures[i][0]);
        for (int k = 0; launch != NULL && k < times; k++)
            krn_gl_run(device, launch);
        stamp(gl, device->measures[i][1]);
    }
    for (int i = 0; i < n; i++) {
        uint64_t start = 0, stop = 0;
        gl->GetQueryObjectui64v(device->measures[i][0], GL_QUERY_RESULT, &start);
        gl->GetQueryObjectui64v(device->measures[i][1], GL_QUERY_RESULT, &stop);
        ms[i] = krn_gl_ms_between(start, stop, gl->stamp_bits);
    }
}

enum krn_code krn_gl_see_clock(struct krn_gl_device *device, struct krn_error *error)
{
    double ms[KRN_GL_MEASURED];
    struct krn_overheads *overheads = &device->base.overheads;
    struct krn_gl_launch launch = {
        .group_x = 16, .group_y = 16, .groups_x = 1, .groups_y = 1, .rows = 1};
    enum krn_code code = krn_gl_launch_empty(device, &launch, error);
    if (code != KRN_OK)
        return code;
    measure(device, NULL, KRN_GL_MEASURED, 1, ms);
    overheads->event_ms = krn_summarise(ms, KRN_GL_MEASURED).median;
    measure(device, &launch, KRN_GL_MEASURED, 1, ms);
    overheads->empty_kernel_ms = krn_summarise(ms, KRN_GL_MEASURED).median;
    /* Stamps are whole nanoseconds. */
    overheads->tick_ms = krn_tick_of(ms, KRN_GL_MEASURED, 0.1 / NS_PER_MS);
    return KRN_OK;
}

/* --- the functions --- */

/* Opens a function of the device; GL_DONE closes it. */
#define GL_BEGIN(device, error)                                                                    \
    struct krn_gl_state state;                                                                     \
    enum krn_code code = krn_gl_use((device)->gl, (device)->loan, (error));                        \
    if (code != KRN_OK)                                                                            \
        return code;                                                                               \
    krn_gl_keep((device)->gl, &state)
#define GL_DONE(device, what, error) krn_gl_put_back((device)->gl, &state, code, (what), (error))

/* Makes a buffer of `bytes`, with contents unless `data` is NULL. */
static unsigned make_buffer(struct krn_gl *gl, size_t bytes, const void *data)
{
    unsigned name = 0;
    KRN_GL(gl, GenBuffers, (1, &name));
    KRN_GL(gl, BindBuffer, (GL_COPY_WRITE_BUFFER, name));
    KRN_GL(gl, BufferData, (GL_COPY_WRITE_BUFFER, (ptrdiff_t)bytes, data, GL_DYNAMIC_COPY));
    return name;
}

static enum krn_code gl_set_pose(struct krn_device *device, struct krn_pose pose,
                                 struct krn_error *error)
{
    struct krn_gl_device *d = own(device);
    if (d->posed && d->pose.cosine == pose.cosine && d->pose.sine == pose.sine)
        return KRN_OK;
    GL_BEGIN(d, error);
    code = krn_gl_rotate(d, pose, error);
    code = GL_DONE(d, "The scene was not rotated", error);
    d->posed = code == KRN_OK;
    d->pose = pose;
    return code;
}

/* Makes the buffers of a scene, of which the old ones stay until all are there. */
static enum krn_code gl_set_scene(struct krn_device *device, const struct krn_scene *scene,
                                  struct krn_error *error)
{
    struct krn_gl_device *d = own(device);
    struct krn_gl *gl = d->gl;
    const size_t n = (size_t)scene->count, block = (size_t)gl->uniform_bytes;
    const size_t packed = n * sizeof(struct krn_packed), floats = n * sizeof(struct krn_sphere);
    if (floats > gl->storage_bytes)
        return KRN_FAIL(error, KRN_NO_MEMORY, "This OpenGL's buffers hold %zu spheres, not %zu.",
                        gl->storage_bytes / sizeof(struct krn_sphere), n);
    struct krn_material *materials = malloc(n * sizeof *materials);
    if (materials == NULL)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a scene of %d spheres.", scene->count);
    for (size_t i = 0; i < n; i++)
        materials[i] = krn_material_of(scene->spheres[i]);
    struct krn_gl_state state;
    enum krn_code code = krn_gl_use(gl, d->loan, error);
    if (code != KRN_OK) {
        free(materials);
        return code;
    }
    krn_gl_keep(gl, &state);
    unsigned made[] = {make_buffer(gl, floats, scene->spheres), make_buffer(gl, floats, NULL),
                       make_buffer(gl, block, NULL),
                       make_buffer(gl, packed > block ? packed : block, NULL),
                       make_buffer(gl, n * sizeof *materials, materials)};
    unsigned *const kept[] = {&d->given, &d->rotated, &d->padded, &d->packed, &d->materials};
    enum { BUFFERS = sizeof made / sizeof *made };
    code = krn_gl_put_back(gl, &state, KRN_OK, "The scene was not copied", error);
    free(materials);
    if (code != KRN_OK) {
        gl->DeleteBuffers(BUFFERS, made);
        return code;
    }
    krn_gl_keep(gl, &state);
    for (int i = 0; i < BUFFERS; i++) {
        gl->DeleteBuffers(1, kept[i]);
        *kept[i] = made[i];
    }
    for (int i = 0; i < 2; i++) {
        KRN_GL(gl, BindTexture, (GL_TEXTURE_BUFFER, d->textures[i]));
        KRN_GL(gl, TexBuffer,
               (GL_TEXTURE_BUFFER, i ? GL_RGBA32F : GL_R32F, i ? d->packed : d->rotated));
    }
    device->spheres = scene->count;
    memset(d->shapes, 0, sizeof d->shapes);
    memset(d->ms_per_test, 0, sizeof d->ms_per_test);
    d->posed = false;
    return krn_gl_put_back(gl, &state, KRN_OK, "The scene was not copied", error);
}

static unsigned name_of(const struct krn_image *image)
{
    return (unsigned)(uintptr_t)image->pixels;
}

static size_t bytes_of(const struct krn_image *image)
{
    return image->pitch_bytes * (size_t)image->height;
}

static enum krn_code gl_alloc_image(struct krn_device *device, size_t bytes, void **pixels,
                                    struct krn_error *error)
{
    struct krn_gl_device *d = own(device);
    if (bytes > d->gl->storage_bytes)
        return KRN_FAIL(error, KRN_NO_MEMORY, "This OpenGL writes pictures of %zu MiB, not %zu.",
                        d->gl->storage_bytes >> 20, bytes >> 20);
    GL_BEGIN(d, error);
    const unsigned name = make_buffer(d->gl, bytes, NULL);
    code = GL_DONE(d, "There is no picture", error);
    if (code != KRN_OK)
        d->gl->DeleteBuffers(1, &name);
    else
        *pixels = (void *)(uintptr_t)name;
    return code;
}

static void gl_free_image(struct krn_device *device, void *pixels)
{
    struct krn_gl_device *d = own(device);
    const unsigned name = (unsigned)(uintptr_t)pixels;
    struct krn_error lost;
    if (krn_gl_use(d->gl, d->loan, &lost) == KRN_OK)
        d->gl->DeleteBuffers(1, &name);
}

/* Mesa's llvmpipe does, with no word; the rounds of all loops of a shader count. */
enum { ROUNDS_MAX = 65000 };

static enum krn_code gl_check(const struct krn_device *device, struct krn_mode mode,
                              struct krn_error *error)
{
    const struct krn_gl *gl = ((const struct krn_gl_device *)device)->gl;
    const int room = krn_gl_room(gl, mode);
    if (krn_mode_view(mode) == KRN_VIEW_LIGHT)
        return KRN_FAIL(error, KRN_REFUSED, "The backend gl does not have the light view.");
    if (mode.storage == KRN_STORAGE_READONLY)
        return KRN_FAIL(error, KRN_REFUSED,
                        "OpenGL has no read-only path: its driver chooses how a storage buffer is "
                        "read.");
    if (mode.kernel != KRN_KERNEL_BOOK && mode.kernel != KRN_KERNEL_STRIP)
        return KRN_FAIL(error, KRN_REFUSED,
                        "The backend gl has the kernels book and strip, not %s.",
                        krn_kernel_name(mode.kernel));
    if (gl->processor && device->spheres > ROUNDS_MAX)
        return KRN_FAIL(error, KRN_REFUSED,
                        "OpenGL on a processor ends loops after 65535 rounds: at most %d spheres, "
                        "not %d.",
                        ROUNDS_MAX, device->spheres);
    if (room == 0 || device->spheres <= room)
        return KRN_OK;
    return KRN_FAIL(error, KRN_REFUSED, "%s of this OpenGL holds %d spheres, not %d.",
                    mode.storage == KRN_STORAGE_CONSTANT ? "A uniform buffer" : "A texture buffer",
                    room, device->spheres);
}

static bool gl_renders(const struct krn_device *device, struct krn_mode mode)
{
    return gl_check(device, mode, NULL) == KRN_OK;
}

static double tests_of(const struct krn_device *device, const struct krn_view *view)
{
    return (double)view->width * (double)view->height * (double)device->spheres;
}

/* Returns how many rows of groups a dispatch has, so that it stays below BAND_MS by the last rate
 * of the mode; before the first one, by that of a slow device. */
static int rows_of(const struct krn_gl_device *d, const struct krn_gl_launch *launch,
                   const struct krn_view *view)
{
    enum { BAND_MS = 500 };
    double rate = d->ms_per_test[launch->mode.kernel][launch->mode.storage];
    if (!(rate > 0.0))
        rate = 1.0 / d->base.info.can.tests_per_ms;
    if (krn_call_fails(KRN_API_NONE, "krn_gl_slow()"))
        return 1;
    const double ms = rate * tests_of(&d->base, view), rows = launch->groups_y * BAND_MS / ms;
    const int most = launch->groups_y < d->gl->rows ? launch->groups_y : d->gl->rows;
    return rows < 1.0 ? 1 : rows < most ? (int)rows : most;
}

/* Fills the launch of a picture. A driver compiles a shader as late as at its first launch, which
 * must not be part of a time: one group runs before it. */
static enum krn_code prepare(struct krn_gl_device *d, struct krn_mode mode,
                             const struct krn_view *view, const struct krn_image *image,
                             struct krn_gl_launch *launch, struct krn_error *error)
{
    const enum krn_code code = krn_gl_launch_of(d, mode, view, launch, error);
    launch->image = name_of(image);
    launch->rows = rows_of(d, launch, view);
    if (code == KRN_OK && launch->fresh) {
        struct krn_gl_launch first = *launch;
        first.groups_x = first.groups_y = first.rows = 1;
        krn_gl_run(d, &first);
        KRN_GL(d->gl, Finish, ());
    }
    return code;
}

static enum krn_code gl_render(struct krn_device *device, struct krn_mode mode,
                               const struct krn_view *view, const struct krn_image *image,
                               uint64_t tag, struct krn_error *error)
{
    struct krn_gl_device *d = own(device);
    struct krn_gl *gl = d->gl;
    struct krn_gl_launch launch;
    GL_BEGIN(d, error);
    code = prepare(d, mode, view, image, &launch, error);
    if (code == KRN_OK) {
        const bool busy = wait_for_room(d);
        const bool timed = tag != KRN_UNTIMED && d->waiting < KRN_GL_PAIRS;
        struct krn_gl_pair *pair = &d->pairs[(d->first + d->waiting) % KRN_GL_PAIRS];
        if (timed)
            stamp(gl, pair->queries[0]);
        krn_gl_run(d, &launch);
        if (timed)
            stamp(gl, pair->queries[1]);
        KRN_GL(gl, MemoryBarrier, (GL_ALL_BARRIER_BITS));
        note_flight(d);
        if (timed)
            *pair = (struct krn_gl_pair){
                {pair->queries[0], pair->queries[1]}, mode, tag, tests_of(device, view), busy};
        d->waiting += timed && !gl->fails;
    }
    code = GL_DONE(d, "The picture was not computed", error);
    return code == KRN_NO_MEMORY ? KRN_FAILED : code;
}

static bool gl_poll(struct krn_device *device, struct krn_reading *reading)
{
    struct krn_gl_device *d = own(device);
    struct krn_error lost;
    int there = 0;
    uint64_t start = 0, stop = 0;
    if (d->waiting == 0 || krn_gl_use(d->gl, d->loan, &lost) != KRN_OK)
        return false;
    const struct krn_gl_pair *pair = &d->pairs[d->first];
    d->gl->GetQueryObjectiv(pair->queries[1], GL_QUERY_RESULT_AVAILABLE, &there);
    if (!there)
        return false;
    d->gl->GetQueryObjectui64v(pair->queries[0], GL_QUERY_RESULT, &start);
    d->gl->GetQueryObjectui64v(pair->queries[1], GL_QUERY_RESULT, &stop);
    *reading = (struct krn_reading){
        .ms = krn_gl_ms_between(start, stop, d->gl->stamp_bits),
        .mode = pair->mode,
        .tag = pair->tag,
        .scope = kernel_scope,
        .busy = pair->busy,
    };
    d->ms_per_test[pair->mode.kernel][pair->mode.storage] = reading->ms / pair->tests;
    d->first = (d->first + 1) % KRN_GL_PAIRS;
    d->waiting--;
    return true;
}

static enum krn_code gl_batch(struct krn_device *device, struct krn_mode mode,
                              const struct krn_view *view, const struct krn_image *image, int count,
                              double *ms, struct krn_error *error)
{
    struct krn_gl_device *d = own(device);
    struct krn_gl *gl = d->gl;
    struct krn_gl_launch launch;
    GL_BEGIN(d, error);
    code = prepare(d, mode, view, image, &launch, error);
    if (code == KRN_OK) {
        measure(d, &launch, 1, count, ms);
        *ms /= count;
        KRN_GL(gl, MemoryBarrier, (GL_ALL_BARRIER_BITS));
        d->waiting = 0;
    }
    code = GL_DONE(d, "The pictures were not computed", error);
    return code == KRN_NO_MEMORY ? KRN_FAILED : code;
}

static enum krn_code gl_overhead(struct krn_device *device, struct krn_mode mode,
                                 const struct krn_view *view, struct krn_overhead *overhead,
                                 struct krn_error *error)
{
    struct krn_gl_device *d = own(device);
    struct krn_gl_launch launch;
    GL_BEGIN(d, error);
    code = krn_gl_launch_of(d, mode, view, &launch, error);
    KRN_THEN(code, krn_gl_launch_empty(d, &launch, error));
    const struct krn_gl_shape *known = NULL;
    for (int i = 0; i < KRN_GL_SHAPES; i++)
        if (d->shapes[i].group_x == launch.group_x && d->shapes[i].groups_x == launch.groups_x &&
            d->shapes[i].groups_y == launch.groups_y)
            known = &d->shapes[i];
    if (code == KRN_OK && known == NULL) {
        double ms[KRN_GL_MEASURED];
        struct krn_gl_shape *shape = &d->shapes[d->next_shape++ % KRN_GL_SHAPES];
        measure(d, &launch, KRN_GL_MEASURED, 1, ms);
        *shape = (struct krn_gl_shape){
            launch.group_x,
            launch.groups_x,
            launch.groups_y,
            {krn_summarise(ms, KRN_GL_MEASURED).median, krn_interval_of(ms, KRN_GL_MEASURED)}};
        known = shape;
    }
    if (code == KRN_OK)
        *overhead = known->overhead;
    return GL_DONE(d, "The overhead was not measured", error);
}

static enum krn_code gl_limit(struct krn_device *device, const struct krn_view *view,
                              struct krn_limit_samples *samples, struct krn_error *error)
{
    enum { BATCH = 8 };
    struct krn_gl_device *d = own(device);
    struct krn_gl_launch launch;
    double ms[KRN_GL_MEASURED], empty_ms[KRN_GL_MEASURED];
    GL_BEGIN(d, error);
    code = krn_gl_launch_limit(d, view, &launch, error);
    if (code == KRN_OK) {
        /* The first time is that of a shader that has not run yet. */
        const int n = d->gl->processor ? KRN_LIMIT_LEAST : KRN_GL_MEASURED;
        launch.image = make_buffer(d->gl, 4 * (size_t)view->width * (size_t)view->height, NULL);
        measure(d, &launch, 1, 1, ms);
        measure(d, &launch, n, BATCH, ms);
        d->gl->DeleteBuffers(1, &launch.image);
        launch.image = 0;
        code = krn_gl_launch_empty(d, &launch, error);
        if (code == KRN_OK) {
            measure(d, &launch, n, BATCH, empty_ms);
            for (int i = 0; i < n; i++)
                samples->net_ms[i] = (ms[i] - empty_ms[i]) / BATCH;
            measure(d, &launch, n, 1, empty_ms);
            samples->overhead_ms = krn_summarise(empty_ms, (size_t)n).median;
            samples->n = n;
            samples->batch = BATCH;
        }
    }
    return GL_DONE(d, "The limit was not measured", error);
}

static enum krn_code gl_sync(struct krn_device *device, struct krn_error *error)
{
    struct krn_gl_device *d = own(device);
    GL_BEGIN(d, error);
    KRN_GL(d->gl, Finish, ());
    return GL_DONE(d, "The frames did not end", error);
}

static enum krn_code gl_read(struct krn_device *device, const struct krn_image *image, void *pixels,
                             struct krn_error *error)
{
    struct krn_gl_device *d = own(device);
    GL_BEGIN(d, error);
    KRN_GL(d->gl, BindBuffer, (GL_COPY_WRITE_BUFFER, name_of(image)));
    KRN_GL(d->gl, GetBufferSubData, (GL_COPY_WRITE_BUFFER, 0, (ptrdiff_t)bytes_of(image), pixels));
    return GL_DONE(d, "The picture was not read", error);
}

static enum krn_code gl_fill(struct krn_device *device, const struct krn_image *image, uint8_t byte,
                             struct krn_error *error)
{
    struct krn_gl_device *d = own(device);
    GL_BEGIN(d, error);
    KRN_GL(d->gl, BindBuffer, (GL_COPY_WRITE_BUFFER, name_of(image)));
    KRN_GL(d->gl, ClearBufferSubData,
           (GL_COPY_WRITE_BUFFER, GL_R8UI, 0, (ptrdiff_t)bytes_of(image), GL_RED_INTEGER,
            GL_UNSIGNED_BYTE, &byte));
    KRN_GL(d->gl, MemoryBarrier, (GL_ALL_BARRIER_BITS));
    return GL_DONE(d, "The picture was not filled", error);
}

static enum krn_code gl_hash(struct krn_device *device, const struct krn_image *image,
                             uint64_t *hash, struct krn_error *error)
{
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    uint32_t *rgba = malloc(bytes_of(image));
    enum krn_code code = rgba != NULL
                             ? gl_read(device, image, rgba, error)
                             : KRN_FAIL(error, KRN_NO_MEMORY, "No memory for the picture's hash.");
    *hash = 0;
    for (size_t i = 0; code == KRN_OK && i < pixels; i++)
        *hash += krn_hash_pixel(i, rgba[i]);
    free(rgba);
    return code;
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

/* There is none to unload, either. */
static enum krn_code gl_load_mine(struct krn_device *device, const struct krn_mine *mine,
                                  struct krn_mine_loaded *loaded, struct krn_error *error)
{
    (void)device;
    (void)loaded;
    return mine == NULL ? KRN_OK
                        : KRN_FAIL(error, KRN_REFUSED, "OpenGL cannot load a kernel for CUDA.");
}

const struct krn_device_ops krn_gl_ops = {
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
    .alloc_host = krn_host_alloc,
    .free_host = krn_host_free,
    .hash = gl_hash,
    .open_probes = krn_gl_open_probes,
    .compile_mine = gl_compile_mine,
    .load_mine = gl_load_mine,
};
