/* The live panels' slices, on a device that is made up and a clock that is handed in: they keep to
 * their share, none is long unless a round was asked for, every panel fills, and what fails says
 * so.
 */
#include "panels.h"

#include "backend.h"
#include "probe_ops.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CHAINS = 20 };

static struct {
    int running; /* probe under way */
    int delay;   /* looks until its reading is there */
    int runs[64];
    int asides, aside_tags;
    uint64_t tag;
    bool aside_waits;
    bool wrong;
    double slow_ms;      /* added to the next slice */
    bool lose_asides;    /* their readings never come */
    enum krn_code fails; /* what start answers */
    int opened, closed;
} fake;

static enum krn_code fake_start(struct krn_probes *probes, int index, struct krn_error *error)
{
    if (fake.fails != KRN_OK)
        return KRN_FAIL(error, fake.fails, "The made-up device refuses.");
    (void)probes;
    fake.running = index;
    fake.delay = 1;
    fake.runs[index]++;
    return KRN_OK;
}

static bool fake_poll(struct krn_probes *probes, struct krn_probe_reading *reading)
{
    if (fake.delay-- > 0)
        return false;
    const struct krn_probe *probe = &probes->list[fake.running];
    *reading = (struct krn_probe_reading){.probe = fake.running,
                                          .ms = probe->expected_ms / 2,
                                          .slice_ms = probe->expected_ms + fake.slow_ms};
    fake.slow_ms = 0.0;
    reading->check.compared = 100;
    reading->check.wrong = fake.wrong ? 1 : 0;
    reading->check.max_error = fake.wrong ? 0.5 : 0;
    probes->busy = false;
    return true;
}

static void fake_close(struct krn_probes *probes)
{
    fake.closed++;
    free(probes);
}

static const struct krn_probe_ops fake_probe_ops = {
    .close = fake_close, .start = fake_start, .poll = fake_poll};

static enum krn_code add(struct krn_probes *probes, enum krn_topic topic, double x, double ms)
{
    struct krn_error error;
    const struct krn_probe probe = {.topic = topic,
                                    .series = "made",
                                    .axis = "x",
                                    .x = x,
                                    .expected_ms = ms,
                                    .scope = "nothing"};
    return krn_probes_add(probes, &probe, &error);
}

enum { LONG_ONE = 2 + CHAINS, PROBES };

static enum krn_code fake_open(struct krn_device *device, unsigned topics, size_t bytes_max,
                               struct krn_probes **probes, struct krn_error *error)
{
    (void)device;
    (void)topics;
    (void)bytes_max;
    struct krn_probes *made = calloc(1, sizeof *made);
    if (made == NULL)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory.");
    made->ops = &fake_probe_ops;
    fake.opened++;
    enum krn_code code = add(made, KRN_TOPIC_SAXPY, 1, 0.3);
    if (code == KRN_OK)
        code = add(made, KRN_TOPIC_ACCESS, 1, 1.5);
    for (int i = 0; code == KRN_OK && i < CHAINS; i++)
        code = add(made, KRN_TOPIC_ILP, i, 0.2);
    if (code == KRN_OK)
        code = add(made, KRN_TOPIC_TRANSFER, 1, 30.0);
    *probes = made;
    return code;
}

static enum krn_code fake_image(struct krn_device *device, int width, int height,
                                struct krn_image *image, struct krn_error *error)
{
    static unsigned char pixels[4 * 64 * 64];
    (void)device;
    (void)error;
    *image = (struct krn_image){pixels, 4 * (size_t)width, width, height};
    return KRN_OK;
}

static void fake_free_image(struct krn_device *device, struct krn_image *image)
{
    (void)device;
    (void)image;
}

static enum krn_code fake_render(struct krn_device *device, struct krn_mode mode,
                                 const struct krn_view *view, const struct krn_image *image,
                                 uint64_t tag, struct krn_error *error)
{
    (void)device;
    (void)view;
    (void)image;
    (void)error;
    assert_int_equal(mode.kernel, KRN_KERNEL_BOOK);
    fake.asides++;
    fake.tag = tag;
    fake.aside_waits = true;
    return KRN_OK;
}

static bool fake_frame_poll(struct krn_device *device, struct krn_reading *reading)
{
    (void)device;
    if (!fake.aside_waits || fake.lose_asides)
        return false;
    fake.aside_waits = false;
    *reading = (struct krn_reading){.ms = fake.tag & 1 ? 0.5 : 0.4,
                                    .mode = app_aside_mode((enum app_aside)(fake.tag & 1)),
                                    .tag = fake.tag,
                                    .scope = "nothing"};
    return true;
}

static const struct krn_device_ops fake_ops = {.alloc_image = fake_image,
                                               .free_image = fake_free_image,
                                               .render = fake_render,
                                               .poll = fake_frame_poll,
                                               .open_probes = fake_open};

struct stage {
    struct krn_device device;
    struct app_engine engine;
    struct app_state state;
    struct app_panels_live *panels;
    double now_s;
};

static struct stage *begin(double share)
{
    struct stage *stage = calloc(1, sizeof *stage);
    assert_non_null(stage);
    memset(&fake, 0, sizeof fake);
    stage->device.ops = &fake_ops;
    stage->device.info.backend = KRN_BACKEND_CPU;
    stage->device.info.memory_bytes = (size_t)1 << 32;
    stage->device.spheres = 20;
    stage->engine.devices[KRN_BACKEND_CPU] = &stage->device;
    stage->engine.scene.count = 20;
    stage->engine.view = (struct krn_view){64, 64, 16.0f};
    stage->state = app_state_default();
    stage->panels = app_panels_open(share, 1.0);
    assert_non_null(stage->panels);
    return stage;
}

static void end(struct stage *stage)
{
    app_panels_close(stage->panels);
    assert_int_equal(fake.opened, fake.closed);
    free(stage);
}

/* `frames` frames of frame_ms each. */
static void run(struct stage *stage, int frames, double frame_ms)
{
    struct krn_error error;
    for (int i = 0; i < frames; i++) {
        stage->now_s += frame_ms / 1e3;
        app_engine_poll(&stage->engine);
        assert_int_equal(
            app_panels_frame(stage->panels, &stage->engine, &stage->state, stage->now_s, &error),
            KRN_OK);
    }
}

static const struct app_panels_view *look(struct stage *stage)
{
    return app_panels_look(stage->panels, &stage->engine, &stage->state, stage->now_s);
}

static void slices_keep_to_their_share(void **state)
{
    (void)state;
    static const double shares[] = {2.0, 10.0, 30.0}, frames_ms[] = {0.7, 5.0, 16.7};
    for (size_t s = 0; s < 3; s++)
        for (size_t f = 0; f < 3; f++) {
            struct stage *stage = begin(shares[s]);
            run(stage, (int)(20000.0 / frames_ms[f]), frames_ms[f]);
            const struct app_panels_spent spent = app_panels_spent(stage->panels);
            const double busy_ms = spent.slices_ms + 0.5 * fake.asides;
            assert_true(busy_ms <= shares[s] / 100.0 * spent.since_s * 1e3 + APP_SLICE_MS);
            assert_true(spent.longest_ms <= APP_SLICE_MS);
            assert_true(spent.slices > 20);
            assert_int_equal(fake.runs[LONG_ONE], 0);
            end(stage);
        }
}

static void every_panel_fills(void **state)
{
    (void)state;
    struct stage *stage = begin(10.0);
    run(stage, 1, 1.0);
    const struct app_panels_view *view = look(stage);
    assert_int_equal(view->probes.count, PROBES);
    for (int i = 0; i < PROBES; i++)
        assert_int_equal(view->probes.probed[i].n, 0);
    assert_string_equal(view->claims[APP_CLAIM_CONSTANT_KERNEL].now, "–");
    run(stage, 20000, 1.0);
    view = look(stage);
    for (int i = 0; i < LONG_ONE; i++) {
        assert_true(view->probes.probed[i].n >= 3);
        assert_int_equal(view->probes.probed[i].verified, APP_VERIFIED_TRUE);
        assert_true(view->probes.probed[i].ms.median ==
                    view->probes.probed[i].probe->expected_ms / 2);
        /* the first run loads and is no sample */
        if (fake.runs[i] <= KRN_SERIES_CAPACITY)
            assert_int_equal(view->probes.probed[i].n, fake.runs[i] - 1);
    }
    /* Topics take turns: the one probe of a topic has more than each of twenty. */
    assert_true(view->probes.probed[0].n > 2 * view->probes.probed[2].n);
    assert_int_equal(view->probes.probed[LONG_ONE].n, 0);
    /* Global 0.4 ms, constant 0.5 ms: the claim is inverted. */
    assert_int_equal(view->claims[APP_CLAIM_CONSTANT_KERNEL].verdict, APP_CLAIM_INVERTED);
    assert_string_equal(view->claims[APP_CLAIM_CONSTANT_KERNEL].now, "0.800×");
    end(stage);
}

static void a_round_that_was_asked_for_runs_all(void **state)
{
    (void)state;
    const struct timespec little = {0, 500000};
    struct stage *stage = begin(10.0);
    run(stage, 5000, 1.0);
    app_panels_again(stage->panels);
    run(stage, 2, 1.0);
    assert_true(app_panels_disturb(stage->panels));
    const struct app_panels_view *view = look(stage);
    assert_true(view->again);
    assert_int_equal(view->probes.probed[0].n, 0); /* from nothing */
    for (int i = 0; i < 20000 && look(stage)->again; i++) {
        if (app_panels_disturb(stage->panels))
            nanosleep(&little, NULL); /* processes take real time */
        run(stage, 1, 1.0);
    }
    view = look(stage);
    assert_false(view->again);
    assert_false(app_panels_disturb(stage->panels));
    for (int i = 0; i < LONG_ONE; i++)
        assert_true(view->probes.probed[i].n >= 10);
    assert_int_equal(view->probes.probed[LONG_ONE].n, 3);
    /* Its processes said 3 and 2 ms. */
    stage->now_s += 1.0;
    view = look(stage);
    assert_string_equal(view->claims[APP_CLAIM_CONSTANT_WINDOW].now, "1.50×");
    assert_int_equal(view->claims[APP_CLAIM_CONSTANT_WINDOW].verdict, APP_CLAIM_HOLDS);
    assert_true(app_panels_spent(stage->panels).longest_ms <= APP_SLICE_MS);
    /* The long one keeps its number from then on, the others go on. */
    const double age_s = view->probes.probed[LONG_ONE].age_s;
    run(stage, 3000, 1.0);
    view = look(stage);
    assert_true(view->probes.probed[LONG_ONE].on_request && !view->probes.probed[0].on_request);
    assert_true(view->probes.probed[LONG_ONE].age_s >= age_s + 2.9);
    assert_true(view->probes.probed[0].age_s < 1.0);
    end(stage);
}

static void one_slow_slice_ends_nothing(void **state)
{
    (void)state;
    struct stage *stage = begin(10.0);
    fake.slow_ms = 40.0; /* the very first one */
    run(stage, 4000, 1.0);
    for (int i = 0; i < 5; i++) {
        fake.slow_ms = 20.0;
        run(stage, 2000, 1.0);
    }
    const int runs = fake.runs[0];
    run(stage, 4000, 1.0);
    assert_true(fake.runs[0] > runs + 10);
    for (int i = 0; i < LONG_ONE; i++)
        assert_true(look(stage)->probes.probed[i].n > 0);
    end(stage);
}

static void a_lost_reading_ends_nothing(void **state)
{
    (void)state;
    struct stage *stage = begin(10.0);
    run(stage, 2000, 1.0);
    fake.lose_asides = true;
    run(stage, 2000, 1.0);
    fake.lose_asides = false;
    const int runs = fake.runs[0];
    run(stage, 4000, 1.0);
    assert_true(fake.runs[0] > runs + 10);
    /* Nor does one that went with its device. */
    stage->engine.aside_busy = true;
    app_engine_drop(&stage->engine, KRN_BACKEND_CUDA);
    assert_false(stage->engine.aside_busy);
    end(stage);
}

static void held_numbers_are_not_measured_again(void **state)
{
    (void)state;
    struct stage *stage = begin(10.0);
    run(stage, 3000, 1.0);
    const size_t n = look(stage)->probes.probed[0].n;
    stage->state.hold = true;
    app_panels_again(stage->panels);
    run(stage, 1000, 1.0);
    assert_true(look(stage)->probes.probed[0].n >= n);
    assert_true(look(stage)->again);
    assert_false(app_panels_disturb(stage->panels));
    stage->state.hold = false;
    run(stage, 3, 1.0);
    assert_true(app_panels_disturb(stage->panels));
    end(stage);
}

static void a_round_stays_on_its_backend(void **state)
{
    (void)state;
    struct stage *stage = begin(10.0);
    struct krn_device other = stage->device;
    other.info.backend = KRN_BACKEND_CUDA;
    stage->engine.devices[KRN_BACKEND_CUDA] = &other;
    run(stage, 3000, 1.0);
    app_panels_again(stage->panels);
    run(stage, 3, 1.0);
    assert_true(look(stage)->again);
    const int long_runs = fake.runs[LONG_ONE];
    stage->state.backend = KRN_BACKEND_CUDA;
    run(stage, 3000, 1.0);
    assert_false(look(stage)->again);
    assert_false(app_panels_disturb(stage->panels));
    assert_int_equal(fake.runs[LONG_ONE], long_runs);
    assert_int_equal(fake.opened, 2);
    end(stage);
}

static void panels_out_of_sight_rest(void **state)
{
    (void)state;
    struct stage *stage = begin(10.0);
    run(stage, 2000, 1.0);
    app_panels_again(stage->panels);
    run(stage, 3, 1.0);
    assert_true(app_panels_disturb(stage->panels));
    app_panels_rest(stage->panels);
    assert_false(app_panels_disturb(stage->panels));
    /* An hour later there is no hour's credit. */
    stage->now_s += 3600.0;
    const double before_ms = app_panels_spent(stage->panels).slices_ms;
    run(stage, 100, 1.0);
    assert_true(app_panels_spent(stage->panels).slices_ms - before_ms <= 10.0 + APP_SLICE_MS);
    assert_false(look(stage)->again);
    end(stage);
}

static void hold_keeps_the_numbers(void **state)
{
    (void)state;
    struct stage *stage = begin(10.0);
    run(stage, 5000, 1.0);
    const size_t n = look(stage)->probes.probed[0].n;
    stage->state.hold = true;
    run(stage, 5000, 1.0);
    /* One may have been under way. */
    const struct app_panels_view *view = look(stage);
    assert_true(view->probes.probed[0].n <= n + 1);
    assert_true(view->probes.probed[0].age_s > 4.9 && view->probes.probed[0].age_s < 5.1);
    end(stage);
}

static void a_wrong_result_stays_wrong(void **state)
{
    (void)state;
    struct stage *stage = begin(10.0);
    run(stage, 2000, 1.0);
    fake.wrong = true;
    run(stage, 3000, 1.0);
    fake.wrong = false;
    run(stage, 3000, 1.0);
    const struct app_panels_view *view = look(stage);
    assert_int_equal(view->probes.probed[0].verified, APP_VERIFIED_FALSE);
    assert_true(view->probes.probed[0].check.wrong == 1);
    end(stage);
}

static void an_error_that_is_no_number_is_wrong(void **state)
{
    (void)state;
    struct krn_check check = {.compared = 0.0};
    assert_int_equal(app_check_verdict(&check), APP_VERIFIED_UNKNOWN);
    check.compared = 9.0;
    assert_int_equal(app_check_verdict(&check), APP_VERIFIED_TRUE);
    check.max_error = NAN;
    assert_int_equal(app_check_verdict(&check), APP_VERIFIED_FALSE);
}

static void failures_close_the_panels(void **state)
{
    (void)state;
    struct stage *stage = begin(10.0);
    run(stage, 100, 1.0);
    fake.fails = KRN_FAILED;
    run(stage, 500, 1.0);
    const struct app_panels_view *view = look(stage);
    assert_int_equal(view->probes.count, 0);
    assert_string_equal(view->why, "No panels: The made-up device refuses.");
    assert_int_equal(fake.opened, 1);
    end(stage);

    /* A lost device is the session's business. */
    stage = begin(10.0);
    run(stage, 100, 1.0);
    fake.fails = KRN_LOST;
    struct krn_error error;
    enum krn_code code = KRN_OK;
    for (int i = 0; i < 500 && code == KRN_OK; i++) {
        stage->now_s += 0.001;
        app_engine_poll(&stage->engine);
        code = app_panels_frame(stage->panels, &stage->engine, &stage->state, stage->now_s, &error);
    }
    assert_int_equal(code, KRN_LOST);
    app_panels_release(stage->panels, KRN_BACKEND_CPU);
    assert_int_equal(fake.closed, 1);
    end(stage);
}

static void no_share_no_slices(void **state)
{
    (void)state;
    struct stage *stage = begin(0.0);
    run(stage, 5000, 1.0);
    assert_int_equal(app_panels_spent(stage->panels).slices, 0);
    assert_int_equal(fake.asides, 0);
    end(stage);
}

int main(int argc, char *argv[])
{
    /* A process for the book's window: 3 ms from global, 2 ms from constant memory. */
    if (argc == 5 && strcmp(argv[1], "--book-window") == 0) {
        printf("%d 1 0 0 0 0 0 0\n", strcmp(argv[4], "global") == 0 ? 3 : 2);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_keep_to_their_share),
        cmocka_unit_test(every_panel_fills),
        cmocka_unit_test(a_round_that_was_asked_for_runs_all),
        cmocka_unit_test(one_slow_slice_ends_nothing),
        cmocka_unit_test(a_lost_reading_ends_nothing),
        cmocka_unit_test(held_numbers_are_not_measured_again),
        cmocka_unit_test(a_round_stays_on_its_backend),
        cmocka_unit_test(panels_out_of_sight_rest),
        cmocka_unit_test(hold_keeps_the_numbers),
        cmocka_unit_test(a_wrong_result_stays_wrong),
        cmocka_unit_test(an_error_that_is_no_number_is_wrong),
        cmocka_unit_test(failures_close_the_panels),
        cmocka_unit_test(no_share_no_slices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
