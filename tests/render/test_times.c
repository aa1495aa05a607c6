/* Timer queries: the lengths of a frame's parts come without waiting for them; and where OpenGL has
 * none, the reason is given. */
#include "offscreen.h"
#include "timing.h"

#include "ren/context.h"

#include <time.h>

/* Waits until everything is drawn: ren_frame_settle gives up after a second, which a busy machine
 * may take. */
static void settle(void)
{
    enum { SECONDS = 60 };
    for (int i = 0; i < SECONDS; i++)
        ren_frame_settle(renderer);
}

static void draw_frame(uint64_t number, bool timed)
{
    if (timed)
        assert_true(ren_times_begin(renderer, number));
    ren_times_mark(renderer, REN_MARK_PICTURE_BEGIN);
    struct ren_list *list = test_frame_begin(640, 480, 0x202020);
    ren_times_mark(renderer, REN_MARK_PICTURE_END);
    for (int i = 0; i < 50; i++)
        ren_list_fill(list, (struct ren_rect){(float)i, (float)i, 500.0f, 400.0f}, 8.0f,
                      0x40608020u);
    ren_times_mark(renderer, REN_MARK_OVERLAY_BEGIN);
    TEST_OK(ren_list_draw(renderer, list, &error));
    ren_times_mark(renderer, REN_MARK_OVERLAY_END);
    ren_times_end(renderer);
    TEST_OK(ren_check(renderer, &error));
}

TEST(test_parts_take_time)
{
    struct ren_frame_times times;
    assert_string_equal(ren_times_missing(renderer), "");
    assert_false(ren_times_poll(renderer, &times));
    const double before_ms = 1e3 * test_clock_s();
    draw_frame(7, true);
    settle();
    const double all_ms = 1e3 * test_clock_s() - before_ms;
    assert_true(ren_times_poll(renderer, &times));
    assert_false(ren_times_poll(renderer, &times));
    assert_int_equal(times.frame, 7);
    assert_true(times.upload_ms == 0.0);
    /* The rectangles take time. */
    assert_true(times.picture_ms >= 0.0 && times.overlay_ms > 0.0);
    assert_true(times.picture_ms + times.overlay_ms <= all_ms);
}

TEST(test_a_begin_stays_and_an_end_moves)
{
    struct ren_frame_times times;
    assert_true(ren_times_begin(renderer, 1));
    ren_times_mark(renderer, REN_MARK_UPLOAD_BEGIN);
    ren_times_mark(renderer, REN_MARK_UPLOAD_END);
    settle();
    nanosleep(&(struct timespec){0, 2000000}, NULL);
    ren_times_mark(renderer, REN_MARK_UPLOAD_BEGIN);
    ren_times_mark(renderer, REN_MARK_UPLOAD_END);
    ren_times_end(renderer);
    settle();
    assert_true(ren_times_poll(renderer, &times));
    assert_true(times.upload_ms >= 1.0);
}

/* Frames that nobody polls are dropped, the oldest first; untimed frames have no marks. */
TEST(test_old_frames_are_dropped)
{
    struct ren_frame_times times;
    for (uint64_t number = 1; number <= 20; number++)
        draw_frame(number, true);
    draw_frame(21, false);
    settle();
    uint64_t last = 0;
    int taken = 0;
    while (ren_times_poll(renderer, &times)) {
        assert_true(last == 0 || times.frame == last + 1);
        last = times.frame;
        taken++;
    }
    assert_int_equal(last, 20);
    assert_true(taken >= 4 && taken <= 8);
}

TEST(test_draw_calls_are_counted)
{
    struct ren_list *list = test_frame_begin(64, 64, 0);
    assert_int_equal(ren_frame_draws(renderer), 0);
    ren_list_fill(list, (struct ren_rect){1, 1, 8, 8}, 0, 0xffffffffu);
    TEST_OK(ren_list_draw(renderer, list, &error));
    assert_int_equal(ren_frame_draws(renderer), 1);
}

/* A renderer of its own, of which a query fails. */
TEST(test_missing_queries_are_told)
{
    static const struct {
        const char *call, *words;
    } faults[] = {
        {"glGetQueryiv", "OpenGL lacks ARB_timer_query."},
        {"glGenQueries", "OpenGL gives no timer queries."},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct ren_renderer *other;
        struct ren_frame_times times;
        TEST_OK(ren_open(&other, &error));
        krn_fail_calls(faults[i].call);
        assert_string_equal(ren_times_missing(other), faults[i].words);
        krn_fail_calls(NULL);
        assert_false(ren_times_begin(other, 1));
        ren_times_mark(other, REN_MARK_PICTURE_BEGIN);
        ren_times_end(other);
        assert_false(ren_times_poll(other, &times));
        TEST_OK(ren_check(other, &error));
        ren_close(other);
    }
}

int main(void)
{
    const int unable = test_screen_open(-1);
    return unable ? unable : test_screen_run(NULL, NULL);
}
