/* Frames from made-up times: which parts they have, that parts and gaps add up, and what is shown.
 */
#include "expect.h"

#include "model/anatomy.h"

#include <math.h>
#include <string.h>

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

static struct krn_stamps stamps_of(uint64_t frame, double at, double begin, double end, double tie)
{
    struct krn_stamps stamps = {.frame = frame, .count = 2, .tie_ms = tie};
    stamps.parts[0] = (struct krn_stamp){KRN_PART_KERNEL, at + begin, at + end - 0.5};
    stamps.parts[1] = (struct krn_stamp){KRN_PART_COPY, at + end - 0.5, at + end};
    return stamps;
}

static struct ren_frame_times times_of(uint64_t frame, double at, double tie)
{
    struct ren_frame_times times = {.frame = frame, .tie_ms = tie};
    const double marks[REN_MARKS] = {0.0, 0.0, 6.0, 7.0, 7.5, 8.0};
    for (int mark = REN_MARK_PICTURE_BEGIN; mark < REN_MARKS; mark++) {
        times.marked[mark] = true;
        times.at_ms[mark] = at + marks[mark];
    }
    return times;
}

TEST(test_parts_and_gaps_add_up)
{
    struct app_anatomy *anatomy = app_anatomy_open();
    struct app_anatomy_view view = {.frames = 0};
    const uint64_t first = play(anatomy, 100.0, 10.0, true, true);
    (void)play(anatomy, 110.0, 10.0, true, true);
    const struct krn_stamps stamps = stamps_of(first, 100.0, 2.0, 5.0, 0.01);
    const struct ren_frame_times times = times_of(first, 100.0, 0.001);
    app_anatomy_take_device(anatomy, &stamps);
    app_anatomy_sum_up(anatomy, &view);
    assert_int_equal(view.frames, 0); /* OpenGL's times are under way */
    app_anatomy_take_gl(anatomy, &times);
    app_anatomy_sum_up(anatomy, &view);
    assert_int_equal(view.frames, 1);
    const struct app_lane *cpu = &view.frame.lanes[APP_LANE_CPU],
                          *gpu = &view.frame.lanes[APP_LANE_GPU];
    assert_near(cpu->span_ms, 10.0);
    assert_near(app_lane_phase(cpu, APP_PHASE_KERNEL), 2.0);
    assert_near(app_lane_phase(cpu, APP_PHASE_SWAP), 5.0);
    assert_near(app_lane_gaps(cpu), 2.0);
    assert_near(app_lane_mismatch(cpu), 0.0);
    assert_int_equal(gpu->count, 4);
    assert_near(gpu->span_ms, 10.0);
    assert_near(app_lane_phase(gpu, APP_PHASE_KERNEL), 2.5);
    assert_near(app_lane_parts(gpu), 4.5);
    assert_near(app_lane_gaps(gpu), 5.5);
    assert_near(app_lane_mismatch(gpu), 0.0);
    assert_int_equal(view.draws, 1);
    assert_near(view.mismatch[APP_LANE_CPU] + view.mismatch[APP_LANE_GPU], 0.0);
    assert_near(view.device_tie_ms, 0.01);
    app_anatomy_close(anatomy);
}

/* Parts that overlap, or that lie outside of the span, are what the mismatch tells. */
TEST(test_mismatch_is_seen)
{
    struct app_lane lane = {.count = 0, .span_ms = 10.0};
    assert_true(app_lane_add(&lane, APP_PHASE_COPY, 4.0, 6.0));
    assert_true(app_lane_add(&lane, APP_PHASE_POSE, 1.0, 5.0));
    assert_true(app_lane_add(&lane, APP_PHASE_MAP, 7.0, 7.0)); /* no length: left out */
    app_lane_sort(&lane);
    assert_int_equal(lane.count, 2);
    assert_int_equal(lane.parts[0].phase, APP_PHASE_POSE);
    assert_near(app_lane_mismatch(&lane), 0.1);
    lane.count = 0;
    assert_true(app_lane_add(&lane, APP_PHASE_COPY, 9.0, 12.0));
    assert_near(app_lane_mismatch(&lane), 0.2);
    lane.count = 0;
    for (int i = 0; i < APP_LANE_PARTS; i++)
        assert_true(app_lane_add(&lane, APP_PHASE_COPY, i, i + 0.5));
    assert_false(app_lane_add(&lane, APP_PHASE_COPY, 50.0, 51.0));
}

/* Returns when the kernel of a frame begins, from the frame's beginning, with a device whose parts
 * reach from `begin` to `end`; OpenGL draws from 6 ms on. */
static double kernel_begins(double begin, double end, double tie)
{
    struct app_anatomy *anatomy = app_anatomy_open();
    struct app_anatomy_view view = {.frames = 0};
    const uint64_t number = play(anatomy, 50.0, 10.0, true, true);
    (void)play(anatomy, 60.0, 10.0, false, false);
    const struct krn_stamps stamps = stamps_of(number, 50.0, begin, end, tie);
    const struct ren_frame_times times = times_of(number, 50.0, 0.001);
    app_anatomy_take_gl(anatomy, &times);
    app_anatomy_take_device(anatomy, &stamps);
    app_anatomy_sum_up(anatomy, &view);
    app_anatomy_close(anatomy);
    return view.frame.lanes[APP_LANE_GPU].parts[0].begin_ms;
}

/* Within what the ties leave open, the order of the work decides; beyond it, nothing is moved. */
TEST(test_order_narrows_the_tie)
{
    assert_near(kernel_begins(2.0, 5.0, 0.1), 2.0);
    assert_near(kernel_begins(2.0, 6.05, 0.1), 1.95);
    assert_near(kernel_begins(2.0, 6.5, 0.1), 2.0);
    assert_near(kernel_begins(-0.05, 4.0, 0.1), 0.0);
    assert_near(kernel_begins(-0.5, 4.0, 0.1), -0.5);
}

/* OpenGL may finish a frame after the next one has begun. */
TEST(test_gpu_lane_reaches_past_the_frame)
{
    struct app_anatomy *anatomy = app_anatomy_open();
    struct app_anatomy_view view = {.frames = 0};
    const uint64_t number = play(anatomy, 0.0, 7.0, true, false);
    (void)play(anatomy, 7.0, 7.0, false, false);
    const struct ren_frame_times times = times_of(number, 0.0, 0.001);
    app_anatomy_take_gl(anatomy, &times);
    app_anatomy_sum_up(anatomy, &view);
    assert_near(view.frame.lanes[APP_LANE_CPU].span_ms, 7.0);
    assert_near(view.frame.lanes[APP_LANE_GPU].span_ms, 8.0);
    assert_near(app_lane_mismatch(&view.frame.lanes[APP_LANE_GPU]), 0.0);
    app_anatomy_close(anatomy);
}

TEST(test_medians_and_a_frame_of_median_length)
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
    assert_near(view.length_ms, 12.0);
    assert_near(view.frame.lanes[APP_LANE_CPU].span_ms, 12.0);
    assert_near(view.phases_ms[APP_LANE_CPU][APP_PHASE_KERNEL], 2.0);
    assert_near(view.phases_ms[APP_LANE_CPU][APP_PHASE_SWAP], 7.0);
    assert_near(view.lengths_ms[4], 90.0);
    assert_int_equal(view.frame.lanes[APP_LANE_GPU].count, 0);
    app_anatomy_close(anatomy);
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
    assert_near(view.length_ms, 20.0);
    app_anatomy_close(anatomy);
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
    app_anatomy_close(anatomy);
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
