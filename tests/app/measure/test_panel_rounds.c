/* A round on request (key B), on a fake device: processes for the book's window while the picture
 * waits, then every probe; and the events that interrupt it. */
#include "fake_panels.h"

#include <poll.h>

/* The least samples that have an interval, which is narrow where all are equal. */
static const int narrow_samples = 6;

static void a_while(double ms)
{
    const struct timespec time = {0, (long)(ms * 1e6)};
    nanosleep(&time, NULL);
}

/* Starts a round and checks that its first process runs. */
static struct stage *begin_processes(void)
{
    struct stage *stage = begin(10.0);
    run(stage, 3000, 1.0);
    app_panels_remeasure(stage->panels);
    run(stage, 2, 1.0);
    assert_true(app_panels_child_running(stage->panels));
    return stage;
}

/* Runs frames until the processes have ended. No number is shown before. */
static void end_processes_of(struct stage *stage)
{
    for (int i = 0; i < 20000 && app_panels_child_running(stage->panels); i++) {
        a_while(0.5); /* the processes take real time */
        run(stage, 1, 1.0);
        if (app_panels_child_running(stage->panels))
            assert_string_equal(look(stage)->claims[APP_CLAIM_CONSTANT_KERNEL].now.text, "–");
    }
    assert_false(app_panels_child_running(stage->panels));
    stage->now_s += 1.0;
}

/* Ends the processes and checks the claims that they support. */
static void end_processes(struct stage *stage)
{
    end_processes_of(stage);
    assert_string_equal(look(stage)->claims[APP_CLAIM_CONSTANT_WINDOW].now.text, "1.50×");
    assert_string_equal(look(stage)->claims[APP_CLAIM_CONSTANT_WINDOW].note,
                        "Time to generate: 3.0 ms from global, 2.0 ms from constant; "
                        "loading took 500 µs; 1 s ago");
    const struct app_claim *kernel = &look(stage)->claims[APP_CLAIM_CONSTANT_KERNEL];
    assert_string_equal(kernel->now.text, "0.750×");
    assert_int_equal(kernel->now.verdict, APP_VERDICT_INVERTED);
    assert_int_equal(kernel->now.estimate.processes, 10);
}

TEST(a_wrong_picture_has_no_verdict)
{
    setenv("FAKE_CHILD_WRONG", "7", 1);
    struct stage *stage = begin_processes();
    end_processes_of(stage);
    unsetenv("FAKE_CHILD_WRONG");
    for (int id = APP_CLAIM_CONSTANT_KERNEL; id <= APP_CLAIM_CONSTANT_WINDOW; id++)
        assert_int_equal(look(stage)->claims[id].now.verdict, APP_VERDICT_WRONG);
    end(stage);
}

TEST(another_backend_ends_the_processes)
{
    /* Panels open, closed, and after an earlier attempt; in a hold, and with a share of 0. */
    for (int how = 0; how < 5; how++) {
        struct stage *stage = begin(how == 4 ? 0.0 : 10.0);
        struct krn_device other = stage->device;
        struct krn_device_ops bare = fake_ops;
        bare.open_probes = NULL;
        other.info.backend = KRN_BACKEND_CUDA;
        other.info.can = *krn_backend_get(KRN_BACKEND_CUDA)->can;
        other.ops = how > 0 ? &bare : &fake_ops;
        app_engine_lend(stage->engine, &other);
        if (how >= 2) {
            stage->state.spec.backend = KRN_BACKEND_CUDA;
            run(stage, 3, 1.0);
            stage->state.spec.backend = KRN_BACKEND_CPU;
        }
        run(stage, 3000, 1.0);
        app_panels_remeasure(stage->panels);
        run(stage, 2, 1.0);
        assert_true(app_panels_child_running(stage->panels));
        stage->state.spec.backend = KRN_BACKEND_CUDA;
        stage->state.look.hold = how == 3;
        run(stage, 1, 1.0);
        assert_false(app_panels_child_running(stage->panels));
        run(stage, 2, 1.0);
        assert_false(look(stage)->again && how != 0);
        end(stage);
    }
}

TEST(a_hold_starts_no_process_and_blocks_nothing)
{
    setenv("FAKE_CHILD_MS", "500", 1);
    struct stage *stage = begin_processes();
    stage->state.look.hold = true;
    run(stage, 2, 1.0);
    assert_true(app_panels_child_running(stage->panels)); /* one process is running */
    for (int i = 0; i < 5000 && app_panels_child_running(stage->panels); i++) {
        a_while(2.0);
        run(stage, 1, 1.0);
    }
    /* No further process starts. */
    run(stage, 1000, 1.0);
    assert_false(app_panels_child_running(stage->panels));
    assert_string_equal(look(stage)->claims[APP_CLAIM_CONSTANT_WINDOW].now.text, "–");
    setenv("FAKE_CHILD_MS", "0", 1);
    stage->state.look.hold = false;
    run(stage, 1, 1.0);
    assert_true(app_panels_child_running(stage->panels));
    end_processes(stage);
    end(stage);
}

static void until_it_has_said_all(const struct app_book_child *child)
{
    struct pollfd end = {.fd = child->process.file};
    assert_int_equal(poll(&end, 1, 20000), 1);
}

/* Polls for at most about ten seconds. */
static enum krn_code poll_to_the_end(struct app_book_child *child, struct krn_error *why)
{
    struct app_book_run run;
    bool done = false;
    enum krn_code code = KRN_OK;
    for (int i = 0; i < 10000 && code == KRN_OK && !done; i++) {
        code = app_book_child_poll(child, &run, &done, why);
        a_while(1.0);
    }
    assert_true(done == (code == KRN_OK));
    assert_true(!done || run.window.window_ms == 3.0);
    return code;
}

TEST(a_process_is_late_only_while_awaited)
{
    struct app_book_child child;
    /* The process has written its results, and no frame polled for over a minute, as in a minimised
     * window. */
    TEST_OK(app_book_child_start(&child, KRN_BACKEND_CPU, 0, 0, &error));
    until_it_has_said_all(&child);
    child.started_s -= 100.0;
    TEST_OK(poll_to_the_end(&child, &error));

    /* The process writes nothing. */
    setenv("FAKE_CHILD_MS", "60000", 1);
    TEST_OK(app_book_child_start(&child, KRN_BACKEND_CPU, 0, 0, &error));
    child.started_s -= 100.0;
    assert_int_equal(poll_to_the_end(&child, &error), KRN_FAILED);
    assert_int_equal(child.process.pid, 0);
    setenv("FAKE_CHILD_MS", "0", 1);

    /* The process writes its results and does not end. */
    setenv("FAKE_CHILD_END_MS", "60000", 1);
    TEST_OK(app_book_child_start(&child, KRN_BACKEND_CPU, 0, 0, &error));
    until_it_has_said_all(&child);
    child.started_s -= 100.0;
    struct app_book_run run;
    bool done = false;
    for (int i = 0; i < 3; i++)
        TEST_OK(app_book_child_poll(&child, &run, &done, &error));
    assert_false(done);
    child.ended_s -= 100.0;
    assert_int_equal(poll_to_the_end(&child, &error), KRN_FAILED);
    assert_int_equal(child.process.pid, 0);
    unsetenv("FAKE_CHILD_END_MS");
}

static bool computes(void *who)
{
    return *(const bool *)who;
}

TEST(processes_wait_for_others)
{
    bool busy = true;
    struct stage *stage = begin(10.0);
    app_panels_set_busy_hook(stage->panels, computes, &busy);
    run(stage, 3000, 1.0);
    assert_true(app_result_samples(&look(stage)->probes.results[0]) > 0); /* slices continue */
    app_panels_remeasure(stage->panels);
    const int runs = fake.runs[0];
    for (int i = 0; i < 100; i++) {
        run(stage, 1, 1.0);
        a_while(0.5);
        assert_false(app_panels_child_running(stage->panels)); /* the picture continues */
    }
    assert_true(look(stage)->again);
    assert_int_equal(fake.runs[0], runs);
    busy = false;
    run(stage, 1, 1.0);
    assert_true(app_panels_child_running(stage->panels));
    end_processes(stage);
    end(stage);
}

/* Runs frames until the round has ended. */
static void end_round(struct stage *stage)
{
    for (int i = 0; i < 40000 && look(stage)->again; i++) {
        if (app_panels_child_running(stage->panels))
            a_while(0.5);
        run(stage, 1, 1.0);
    }
    assert_false(look(stage)->again);
}

TEST(the_kernel_is_measured_from_nothing)
{
    struct stage *stage = begin(10.0);
    fake.no_image = true; /* the state before the round */
    run(stage, 3000, 1.0);
    fake.no_image = false;
    app_panels_remeasure(stage->panels);
    run(stage, 2, 1.0);
    end_round(stage);
    const struct krn_series *global = app_engine_background(stage->engine, KRN_BACKEND_CPU,
                                                            APP_BACKGROUND_GLOBAL),
                            *constant = app_engine_background(stage->engine, KRN_BACKEND_CPU,
                                                              APP_BACKGROUND_CONSTANT);
    assert_true(global->count > 10);
    stage->now_s += 1.0;
    assert_string_equal(look(stage)->claims[APP_CLAIM_CONSTANT_KERNEL].beside, "here 0.80×");

    /* A probe too long for a slice runs a fixed number of times per side in a round, and never
     * otherwise. */
    fake.background_ms = 40.0;
    app_panels_remeasure(stage->panels);
    run(stage, 2, 1.0);
    assert_int_equal(global->count, 0);
    assert_int_equal(constant->count, 0);
    const int background = fake.background;
    end_round(stage);
    run(stage, 5000, 1.0);
    assert_int_equal(fake.background, background + 40);
    assert_int_equal(global->count, 20);
    assert_int_equal(constant->count, 20);
    assert_true(app_panels_spent(stage->panels).longest_ms <= APP_SLICE_MS);
    end(stage);
}

/* Returns the place of a topic's first or last run since `from`. */
static int place_of(struct stage *stage, enum krn_topic topic, int from, bool last)
{
    const struct app_result *results = look(stage)->probes.results;
    int place = -1;
    for (int i = from; i < fake.starts; i++)
        if (results[fake.order[i]].probe->topic == topic && (last || place < 0))
            place = i;
    assert_true(place >= 0);
    return place;
}

/* The board's topics come first, the quickest before the others, and the probes of one take turns.
 * A probe ends with the samples of the board's interval; where the board does not judge its topic,
 * as soon as its 95 % interval is narrow. */
TEST(the_board_comes_first_and_the_quick_before_the_slow)
{
    static const enum krn_topic order[] = {KRN_TOPIC_SAXPY, KRN_TOPIC_ACCESS, KRN_TOPIC_ILP,
                                           KRN_TOPIC_TRANSFER};
    for (int noisy = 0; noisy < 2; noisy++) {
        struct stage *stage = begin(10.0);
        run(stage, 1, 1.0);
        fake.noisy = noisy ? 1 + LONG_ONE : 0;
        app_panels_remeasure(stage->panels);
        run(stage, 2, 1.0);
        const int from = fake.starts;
        end_round(stage);
        for (int i = 0; i + 1 < (int)(sizeof order / sizeof *order); i++)
            assert_true(place_of(stage, order[i], from, true) <
                        place_of(stage, order[i + 1], from, false));
        const int first = place_of(stage, KRN_TOPIC_ILP, from, false);
        for (int i = 0; i < CHAINS; i++)
            assert_int_equal(fake.order[first + i], 2 + i);
        for (int i = 0; i < LONG_ONE; i++)
            assert_int_equal(app_result_samples(&look(stage)->probes.results[i]),
                             APP_BOARD_SAMPLES);
        assert_int_equal(app_result_samples(&look(stage)->probes.results[LONG_ONE]),
                         noisy ? APP_BOARD_SAMPLES : narrow_samples);
        /* The long probe keeps its number from then on; the others continue. */
        const int once = fake.runs[LONG_ONE], before = fake.runs[0];
        run(stage, 3000, 1.0);
        assert_int_equal(fake.runs[LONG_ONE], once);
        assert_true(fake.runs[0] > before &&
                    app_panels_spent(stage->panels).longest_ms <= APP_SLICE_MS);
        end(stage);
    }
}

TEST(refused_probes_do_not_block_a_round)
{
    struct stage *stage = begin(10.0);
    fake.refused = 1;
    run(stage, 3000, 1.0);
    assert_non_null(look(stage)->refused[KRN_TOPIC_SAXPY]);
    app_panels_remeasure(stage->panels);
    run(stage, 2, 1.0);
    end_round(stage);
    assert_non_null(look(stage)->refused[KRN_TOPIC_SAXPY]);
    assert_int_equal(app_result_samples(&look(stage)->probes.results[LONG_ONE]), narrow_samples);
    /* A second attempt may succeed. */
    fake.refused = 0;
    app_panels_remeasure(stage->panels);
    run(stage, 2, 1.0);
    end_round(stage);
    assert_null(look(stage)->refused[KRN_TOPIC_SAXPY]);
    assert_true(app_result_samples(&look(stage)->probes.results[0]) >= 10);
    end(stage);
}

TEST(lost_readings_do_not_block_a_round)
{
    struct stage *stage = begin(10.0);
    run(stage, 3000, 1.0);
    fake.silent = 1;
    app_panels_remeasure(stage->panels);
    run(stage, 2, 1.0);
    end_round(stage);
    assert_int_equal(app_result_samples(&look(stage)->probes.results[0]), 0);
    assert_true(app_result_samples(&look(stage)->probes.results[1]) >= 10);
    end(stage);
}

TEST(a_round_brings_panels_back)
{
    struct stage *stage = begin(10.0);
    fake.no_memory = true;
    run(stage, 100, 1.0);
    assert_string_equal(app_panels_why(stage->panels, KRN_BACKEND_CPU),
                        "No panels: No memory: close other programs, or ask for less.");
    app_panels_remeasure(stage->panels);
    run(stage, 100, 1.0);
    assert_false(look(stage)->again);
    assert_string_equal(look(stage)->why,
                        "No panels: No memory: close other programs, or ask for less.");
    fake.no_memory = false;
    run(stage, 100, 1.0);
    assert_int_equal(fake.opened, 0); /* only B tries again */
    app_panels_remeasure(stage->panels);
    run(stage, 1, 1.0);
    assert_string_equal(app_panels_why(stage->panels, KRN_BACKEND_CPU), "");
    assert_true(look(stage)->again);
    run(stage, 2, 1.0);
    end_round(stage);
    assert_int_equal(look(stage)->probes.count, PROBES);

    /* Results stay when no probe starts any more; a round then reports that all are refused. */
    fake.fails = KRN_FAILED;
    run(stage, 3000, 1.0);
    assert_int_equal(look(stage)->probes.count, PROBES);
    assert_int_equal(app_result_samples(&look(stage)->probes.results[LONG_ONE]), narrow_samples);
    app_panels_remeasure(stage->panels);
    run(stage, 2, 1.0);
    end_round(stage);
    run(stage, 100, 1.0);
    assert_string_equal(look(stage)->why, "No panels: The made-up device refuses.");
    fake.fails = KRN_OK;
    app_panels_remeasure(stage->panels);
    run(stage, 3, 1.0);
    end_round(stage);
    assert_int_equal(look(stage)->probes.count, PROBES);
    assert_int_equal(fake.opened, 2);
    end(stage);
}

/* The claims that rest on the book's processes and on frames beside the picture are about GPUs. */
TEST(a_cpu_starts_no_process)
{
    struct stage *stage = begin(10.0);
    stage->device.info.can.warps = false;
    run(stage, 3000, 1.0);
    app_panels_remeasure(stage->panels);
    run(stage, 2, 1.0);
    assert_true(look(stage)->again);
    assert_false(app_panels_child_running(stage->panels));
    end_round(stage);
    assert_int_equal(fake.background, 0);
    assert_int_equal(app_result_samples(&look(stage)->probes.results[LONG_ONE]), narrow_samples);
    end(stage);
}

/* Key C without another device: the failed attempt does not end the round on this one. */
TEST(a_round_outlives_another_device)
{
    struct stage *stage = begin_processes();
    app_panels_release(stage->panels, KRN_BACKEND_CUDA);
    assert_true(look(stage)->again);
    end_processes(stage);
    app_panels_release(stage->panels, KRN_BACKEND_CUDA);
    end_round(stage);
    assert_int_equal(app_result_samples(&look(stage)->probes.results[LONG_ONE]), narrow_samples);
    app_panels_remeasure(stage->panels);
    run(stage, 2, 1.0);
    app_panels_release(stage->panels, KRN_BACKEND_CPU);
    assert_false(look(stage)->again);
    assert_false(app_panels_child_running(stage->panels));
    end(stage);
}

int main(int argc, char *argv[])
{
    if (fake_child(argc, argv))
        return 0;
    return tests_run(NULL, NULL);
}
