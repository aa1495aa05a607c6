/* Time stamps: pairs that wait to be read, the frames in flight, and the clock itself. */
#include "core/base/clock.h"
#include "gl/gl.h"

#define NS_PER_MS 1e6

double krn_gl_ms_between(uint64_t start, uint64_t stop, int bits)
{
    const uint64_t all = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
    return (double)((stop - start) & all) / NS_PER_MS;
}

void krn_gl_stamp(struct krn_gl *gl, unsigned query)
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

bool krn_gl_wait_for_room(struct krn_gl_device *device)
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

void krn_gl_fly(struct krn_gl_device *device)
{
    krn_gl_sync fence;
    KRN_GL_VALUE(device->gl, fence, FenceSync, (GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
    if (fence != NULL)
        device->flight[device->flying++] = fence;
    KRN_GL(device->gl, Flush, ());
}

void krn_gl_measure(struct krn_gl_device *device, const struct krn_gl_launch *launch, int n,
                    int times, double *ms)
{
    struct krn_gl *gl = device->gl;
    for (int i = 0; i < n; i++) {
        krn_gl_stamp(gl, device->measures[i][0]);
        for (int k = 0; launch != NULL && k < times; k++)
            krn_gl_run(device, launch, launch->groups_y);
        krn_gl_stamp(gl, device->measures[i][1]);
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
    struct krn_gl_launch launch = {.group_x = 16, .group_y = 16, .groups_x = 1, .groups_y = 1};
    enum krn_code code = krn_gl_launch_empty(device, &launch, error);
    if (code != KRN_OK)
        return code;
    krn_gl_measure(device, NULL, KRN_GL_MEASURED, 1, ms);
    overheads->event_ms = krn_summarise(ms, KRN_GL_MEASURED).median;
    krn_gl_measure(device, &launch, KRN_GL_MEASURED, 1, ms);
    overheads->empty_kernel_ms = krn_summarise(ms, KRN_GL_MEASURED).median;
    /* Stamps are whole nanoseconds. */
    overheads->tick_ms = krn_tick_of(ms, KRN_GL_MEASURED, 0.1 / NS_PER_MS);
    return KRN_OK;
}
