/* tests/support/fake_panels.h - panels with a fake device and a fake clock, for tests of the
 * schedule. main must call fake_child first, because the panels start this program as the process
 * that measures the book's window. */
#pragma once

#include "expect.h"
#include "measure/panels.h"

#include "core/device/backend.h"
#include "core/probes/probe_ops.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CHAINS = 20 };

static struct {
    int running; /* index of the running probe */
    int delay;   /* polls until its reading is ready */
    int runs[64];
    int order[4096], starts; /* the probes of all runs */
    bool showing;            /* the next frame is shown on screen */
    double frame_ms;         /* its kernel time; 0: its reading never arrives */
    struct krn_reading frame;
    int background; /* background frames so far */
    uint64_t tag;
    bool background_waits;
    bool wrong;
    double slow_ms;       /* added to the next slice */
    bool lose_background; /* readings of background frames never arrive */
    double background_ms; /* their kernel time; 0: 0.4 from global, 0.5 from constant memory */
    bool no_image;        /* there is no memory for another picture */
    enum krn_code fails;  /* result of krn_probe_start */
    int refused;          /* 1 + the probe that is refused; 0: none */
    int slow;             /* 1 + a probe of which two in three runs take slower_ms more; 0: none */
    double slower_ms;
    int noisy;            /* 1 + the probe whose times scatter by 4 %; 0: none */
    int silent;           /* 1 + the probe whose reading never arrives; 0: none */
    bool no_memory;       /* krn_probes_open fails */
    const char *left_out; /* why the access patterns are unavailable; NULL: they are available */
    bool pairs;           /* the chains are of the topic of pairs, the slowest first */
    int opened, closed;
} fake;

static enum krn_code fake_start(struct krn_probes *probes, int index, struct krn_error *why)
{
    if (fake.fails != KRN_OK)
        return KRN_FAIL(why, fake.fails, "The made-up device refuses.");
    if (index == fake.refused - 1)
        return KRN_FAIL(why, KRN_FAILED, "The made-up device does not like this one.");
    (void)probes;
    fake.running = index;
    fake.delay = 1;
    fake.runs[index]++;
    fake.order[fake.starts++ % (int)(sizeof fake.order / sizeof *fake.order)] = index;
    return KRN_OK;
}

static bool fake_poll(struct krn_probes *probes, struct krn_probe_reading *reading)
{
    if (fake.delay-- > 0)
        return false;
    probes->busy = false;
    if (fake.running == fake.silent - 1)
        return false;
    const struct krn_probe *probe = &probes->list[fake.running];
    *reading = (struct krn_probe_reading){.probe = fake.running,
                                          .ms = probe->expected_ms / 2,
                                          .slice_ms = probe->expected_ms + fake.slow_ms};
    fake.slow_ms = 0.0;
    if (fake.running == fake.noisy - 1)
        reading->ms *= 1.0 + 0.01 * (fake.runs[fake.running] % 5);
    if (fake.running == fake.slow - 1 && fake.runs[fake.running] % 3 != 0)
        reading->slice_ms += fake.slower_ms;
    reading->check.compared = 100;
    reading->check.wrong = fake.wrong ? 1 : 0;
    reading->check.max_error = fake.wrong ? 0.5 : 0;
    return true;
}

static enum krn_code fake_verify(struct krn_probes *probes, int index, struct krn_check *check,
                                 struct krn_error *why)
{
    (void)probes;
    (void)index;
    (void)check;
    (void)why;
    return KRN_OK;
}

/* A tenth of the time is overhead. */
static enum krn_code fake_overhead(struct krn_probes *probes, int index,
                                   struct krn_overhead *overhead, struct krn_error *why)
{
    (void)why;
    overhead->ms = probes->list[index].expected_ms / 20;
    return KRN_OK;
}

static void fake_close(struct krn_probes *probes)
{
    fake.closed++;
    free(probes);
}

static const struct krn_probe_ops fake_probe_ops = {.close = fake_close,
                                                    .start = fake_start,
                                                    .poll = fake_poll,
                                                    .verify = fake_verify,
                                                    .overhead = fake_overhead};

static void add(struct krn_probes *probes, enum krn_topic topic, double x, double ms)
{
    const struct krn_probe probe = {.topic = topic,
                                    .series = "made",
                                    .axis = "x",
                                    .x = x,
                                    .expected_ms = ms,
                                    .scope = "nothing"};
    krn_probes_add(probes, &probe);
}

enum { LONG_ONE = 2 + CHAINS, PROBES };

static enum krn_code fake_open(struct krn_device *device, unsigned topics, size_t bytes_max,
                               struct krn_probes **probes, struct krn_error *why)
{
    (void)device;
    (void)topics;
    (void)bytes_max;
    struct krn_probes *made = fake.no_memory ? NULL : calloc(1, sizeof *made);
    if (made == NULL)
        return KRN_FAIL(why, KRN_NO_MEMORY, "No memory.");
    made->ops = &fake_probe_ops;
    fake.opened++;
    if (fake.left_out != NULL)
        (void)KRN_FAIL(&made->refused[KRN_TOPIC_ACCESS], KRN_FAILED, "%s", fake.left_out);
    add(made, KRN_TOPIC_SAXPY, 1, 0.3);
    add(made, KRN_TOPIC_ACCESS, 1, 1.5);
    for (int i = 0; i < CHAINS; i++)
        add(made, fake.pairs ? KRN_TOPIC_WHERE : KRN_TOPIC_ILP, fake.pairs ? CHAINS - i : i, 0.2);
    add(made, KRN_TOPIC_TRANSFER, 1, 30.0);
    *probes = made;
    return KRN_OK;
}

static enum krn_code fake_image(struct krn_device *device, size_t bytes, void **pixels,
                                struct krn_error *why)
{
    static unsigned char made_up[4 * 64 * 64];
    (void)device;
    (void)bytes; /* nothing is drawn */
    if (fake.no_image)
        return KRN_FAIL(why, KRN_NO_MEMORY, "There is no room for the made-up picture.");
    *pixels = made_up;
    return KRN_OK;
}

static void fake_free_image(struct krn_device *device, void *pixels)
{
    (void)device;
    (void)pixels;
}

static bool fake_renders(const struct krn_device *device, struct krn_mode mode)
{
    (void)device;
    return krn_mode_index(mode) >= 0;
}

static enum krn_code fake_render(struct krn_device *device, struct krn_mode mode,
                                 const struct krn_view *view, const struct krn_image *image,
                                 uint64_t tag, struct krn_error *why)
{
    (void)device;
    (void)view;
    (void)image;
    (void)why;
    if (fake.showing) {
        fake.frame =
            (struct krn_reading){.ms = fake.frame_ms, .mode = mode, .tag = tag, .scope = "nothing"};
        return KRN_OK;
    }
    assert_int_equal(mode.kernel, KRN_KERNEL_BOOK);
    fake.background++;
    fake.tag = tag;
    fake.background_waits = true;
    return KRN_OK;
}

static bool fake_frame_poll(struct krn_device *device, struct krn_reading *reading)
{
    (void)device;
    if (fake.frame_ms > 0.0) {
        *reading = fake.frame;
        fake.frame_ms = 0.0;
        return true;
    }
    if (!fake.background_waits || fake.lose_background)
        return false;
    fake.background_waits = false;
    const double usual_ms = fake.tag & 1 ? 0.5 : 0.4;
    *reading =
        (struct krn_reading){.ms = fake.background_ms > 0.0 ? fake.background_ms : usual_ms,
                             .mode = app_background_mode((enum app_background)(fake.tag & 1)),
                             .tag = fake.tag,
                             .scope = "nothing"};
    return true;
}

static enum krn_code fake_scene(struct krn_device *device, const struct krn_scene *scene,
                                struct krn_error *why)
{
    (void)why;
    device->spheres = scene->count;
    return KRN_OK;
}

static enum krn_code fake_pose(struct krn_device *device, struct krn_pose pose,
                               struct krn_error *why)
{
    (void)device;
    (void)pose;
    (void)why;
    return KRN_OK;
}

/* Does nothing: the test owns the device. */
static void fake_close_device(struct krn_device *device)
{
    (void)device;
}

static const struct krn_device_ops fake_ops = {.close = fake_close_device,
                                               .set_scene = fake_scene,
                                               .set_pose = fake_pose,
                                               .alloc_image = fake_image,
                                               .free_image = fake_free_image,
                                               .renders = fake_renders,
                                               .render = fake_render,
                                               .poll = fake_frame_poll,
                                               .open_probes = fake_open};

struct stage {
    struct krn_device device;
    struct app_engine *engine;
    struct app_state state;
    struct app_panels_live *panels;
    double now_s;
};

/* Shows a frame of the state whose kernel takes ms; with 0 its reading never arrives. */
static void show_frame(struct stage *stage, double ms)
{
    struct krn_image image;
    TEST_OK(app_engine_adopt(stage->engine, &stage->state, &error));
    const struct krn_view view = app_engine_view(&stage->state);
    TEST_OK(krn_device_alloc_image(&stage->device, view.width, view.height, &image, &error));
    fake.showing = true;
    fake.frame_ms = ms;
    TEST_OK(app_engine_render(stage->engine, &stage->state, &image, &error));
    fake.showing = false;
    assert_int_equal(app_engine_poll(stage->engine), ms > 0.0 ? 1 : 0);
}

static struct stage *begin(double share)
{
    struct stage *stage = calloc(1, sizeof *stage);
    assert_non_null(stage);
    memset(&fake, 0, sizeof fake);
    stage->device.ops = &fake_ops;
    stage->device.info.backend = KRN_BACKEND_CPU;
    stage->device.info.can = *krn_backend_get(KRN_BACKEND_CPU)->can;
    stage->device.info.can.warps = true; /* the claims are about GPUs */
    stage->device.info.memory_bytes = (size_t)1 << 32;
    const struct app_run defaults = app_run_default();
    stage->engine = app_engine_new(&defaults);
    assert_non_null(stage->engine);
    app_engine_lend(stage->engine, &stage->device);
    stage->state = app_state_default();
    stage->state.spec.width = stage->state.spec.height = 64;
    show_frame(stage, 0.0);
    stage->panels = app_panels_open(share, 1.0);
    assert_non_null(stage->panels);
    return stage;
}

static void end(struct stage *stage)
{
    app_panels_close(stage->panels);
    assert_int_equal(fake.opened, fake.closed);
    app_engine_close(stage->engine);
    free(stage);
}

/* Shows `frames` frames of frame_ms each. */
static void run(struct stage *stage, int frames, double frame_ms)
{
    for (int i = 0; i < frames; i++) {
        stage->now_s += frame_ms / 1e3;
        app_engine_poll(stage->engine);
        assert_int_equal(
            app_panels_frame(stage->panels, stage->engine, &stage->state, stage->now_s, &error),
            KRN_OK);
    }
}

static const struct app_panels_view *look(struct stage *stage)
{
    return app_panels_current(stage->panels, stage->engine, &stage->state, stage->now_s);
}

/* Sleeps for the milliseconds that the environment variable gives, if it is set. */
static void sleep_for(const char *name)
{
    const long ms = getenv(name) != NULL ? atol(getenv(name)) : 0;
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

/* Acts as the process that measures the book's window: reports 3 ms from global memory or 2 ms from
 * constant memory, and a kernel that takes 3 and 4 ms, after FAKE_CHILD_MS, closes its output, and
 * ends after FAKE_CHILD_END_MS. FAKE_CHILD_WRONG: so many pixels of its
 * window's and of its last picture are wrong.
 * Returns false when this process is not such a child. */
static bool fake_child(int argc, char *argv[])
{
    if (argc != 5 || strcmp(argv[1], "--book-window") != 0)
        return false;
    sleep_for("FAKE_CHILD_MS");
    const char *text = getenv("FAKE_CHILD_WRONG");
    const size_t wrong = text != NULL ? (size_t)atol(text) : 0;
    const struct app_book_run run = {
        .window = {.window_ms = strcmp(argv[4], "global") == 0 ? 3.0 : 2.0,
                   .kernel_ms = 1.0,
                   .load_ms = 0.5,
                   .wrong = wrong},
        .kernel = {.median_ms = {3.0, 4.0}, .n = {40, 40}, .wrong = {0, wrong}}};
    fwrite(&run, sizeof run, 1, stdout);
    fclose(stdout);
    sleep_for("FAKE_CHILD_END_MS");
    return true;
}
