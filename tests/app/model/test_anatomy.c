/* Frames from made-up times: their phases and what these leave, and what is shown. */
#include "expect.h"

#include "model/anatomy.h"

#include <math.h>

#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-9)

/* Plays the host's part of one frame from `at` ms on: kernel 1..3, overlay 4..5, swap 5..length. */
static uint64_t play(struct app_anatomy *anatomy, double at, double length, bool gl, bool device)
{
    const uint64_t number = app_anatomy_begin(anatomy, at);
    if (gl)
        app_anatomy_expect_gl(anatomy);
    if (device)
        app_anatomy_expect_device(anatomy);
    app_anatomy_enter(anatomy, APP_PHASE_KERNEL, at + 1.0);
    app_anatomy_leave(anatomy, at + 3.0);
    app_anatomy_enter(anatomy, APP_PHASE_OVERLAY, at + 4.0);
    app_anatomy_note_draws(anatomy, 1);
    app_anatomy_enter(anatomy, APP_PHASE_SWAP, at + 5.0);
    app_anatomy_leave(anatomy, at + length);
    return number;
}

TEST(test_phases_and_gaps_add_up)
{
    struct app_anatomy *anatomy = app_anatomy_open();
    struct app_anatomy_view view = {.frames = 0};
    const uint64_t first = play(anatomy, 100.0, 10.0, true, true);
    (void)play(anatomy, 110.0, 10.0, true, true);
    const struct krn_stamps stamps = {first, {[KRN_PART_KERNEL] = 2.5, [KRN_PART_COPY] = 0.5}};
    const struct ren_frame_times times = {first, 0.25, 1.0, 0.5};
    app_anatomy_take_device(anatomy, &stamps);
    app_anatomy_sum_up(anatomy, &view);
    assert_int_equal(view.frames, 0); /* OpenGL's times are under way */
    app_anatomy_take_gl(anatomy, &times);
    app_anatomy_sum_up(anatomy, &view);
    assert_int_equal(view.frames, 1);
    const double *cpu = view.phases_ms[APP_LANE_CPU], *gpu = view.phases_ms[APP_LANE_GPU];
    assert_near(view.span_ms, 10.0);
    assert_near(cpu[APP_PHASE_KERNEL], 2.0);
    assert_near(cpu[APP_PHASE_SWAP], 5.0);
    assert_near(view.gaps_ms[APP_LANE_CPU], 2.0);
    assert_near(gpu[APP_PHASE_KERNEL], 2.5);
    assert_near(gpu[APP_PHASE_COPY], 0.75);
    assert_near(view.gaps_ms[APP_LANE_GPU], 5.25);
    assert_int_equal(view.draws, 1);
    free(anatomy);
}

TEST(test_medians)
{
    static const double lengths[] = {10.0, 30.0, 12.0, 11.0, 90.0};
    struct app_anatomy *anatomy = app_anatomy_open();
    struct app_anatomy_view view = {.frames = 0};
    double at = 1.0;
    for (int i = 0; i < 5; i++) {
        (void)play(anatomy, at, lengths[i], false, false);
        at += lengths[i];
    }
    (void)app_anatomy_begin(anatomy, at);
    app_anatomy_sum_up(anatomy, &view);
    assert_int_equal(view.frames, 5);
    assert_near(view.span_ms, 12.0);
    assert_near(view.phases_ms[APP_LANE_CPU][APP_PHASE_KERNEL], 2.0);
    assert_near(view.phases_ms[APP_LANE_CPU][APP_PHASE_SWAP], 7.0);
    assert_near(view.lengths_ms[4], 90.0);
    free(anatomy);
}

/* A frame that is dropped, one of another state, and one whose times never come do not count; old
 * frames leave the window. */
TEST(test_what_counts)
{
    struct app_anatomy *anatomy = app_anatomy_open();
    struct app_anatomy_view view = {.frames = 0};
    double at = 0.0;
    app_anatomy_enter(NULL, APP_PHASE_INPUT, 0.0); /* allowed */
    app_anatomy_enter(anatomy, APP_PHASE_INPUT, 0.0);
    (void)play(anatomy, at += 10.0, 10.0, false, false);
    app_anatomy_drop(anatomy);
    app_anatomy_enter(anatomy, APP_PHASE_INPUT, at);
    (void)play(anatomy, at += 10.0, 10.0, true, false);
    for (int i = 0; i < 30; i++) /* the one that waits is overtaken */
        (void)play(anatomy, at += 10.0, 10.0, false, false);
    app_anatomy_sum_up(anatomy, &view);
    assert_int_equal(view.frames, 29);
    app_anatomy_clear(anatomy); /* in the 30th, which then counts */
    app_anatomy_sum_up(anatomy, &view);
    assert_int_equal(view.frames, 0);
    for (int i = 0; i < 2 * APP_ANATOMY_FRAMES; i++)
        (void)play(anatomy, at += 20.0, 20.0, false, false);
    app_anatomy_sum_up(anatomy, &view);
    assert_int_equal(view.frames, APP_ANATOMY_FRAMES);
    assert_near(view.span_ms, 20.0);
    free(anatomy);
}

/* The card changes once per second. */
TEST(test_show_keeps_still)
{
    struct app_anatomy *anatomy = app_anatomy_open();
    struct app_anatomy_view view = {.frames = 0};
    for (int i = 0; i < 20; i++)
        (void)play(anatomy, 10.0 * i, 10.0, false, false);
    assert_true(app_anatomy_show(anatomy, 200.0, &view));
    assert_int_equal(view.frames, 19);
    (void)play(anatomy, 200.0, 10.0, false, false);
    assert_false(app_anatomy_show(anatomy, 1199.0, &view));
    assert_int_equal(view.frames, 19);
    assert_true(app_anatomy_show(anatomy, 1201.0, &view));
    assert_int_equal(view.frames, 20);
    free(anatomy);
}

TEST(test_limit)
{
    struct app_limit_facts facts = {true, 60.0, 16.7, 0.02, false, false};
    assert_string_equal(app_frame_limit(&facts), "vsync");
    facts.vsync = false;
    assert_string_equal(app_frame_limit(&facts), "the host");
    facts.software_gl = true;
    assert_string_equal(app_frame_limit(&facts), "drawing on the CPU");
    facts.kernel_ms = 12.0;
    assert_string_equal(app_frame_limit(&facts), "the GPU's kernel");
    facts.host_kernel = true;
    assert_string_equal(app_frame_limit(&facts), "the CPU's kernel");
}

TEST(test_every_phase_has_a_name)
{
    for (int a = 0; a < APP_PHASE_COUNT; a++) {
        assert_true(app_phase_name((enum app_phase)a)[0] != 0);
        for (int host = 0; host < 2; host++)
            for (int b = 0; b < a; b++) {
                assert_string_not_equal(app_phase_words((enum app_phase)a, host),
                                        app_phase_words((enum app_phase)b, host));
                assert_string_not_equal(app_phase_name((enum app_phase)a),
                                        app_phase_name((enum app_phase)b));
            }
    }
}
