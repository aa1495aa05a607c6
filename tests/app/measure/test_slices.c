/* The live panels' slices, on a fake device with a simulated clock: they keep to their share, none
 * is long unless a round was requested, every panel fills, and failures are reported. */
#include "fake_panels.h"

TEST(slices_keep_to_their_share)
{
    static const double shares[] = {2.0, 10.0, 30.0}, frames_ms[] = {0.7, 5.0, 16.7};
    for (size_t s = 0; s < 3; s++)
        for (size_t f = 0; f < 3; f++) {
            struct stage *stage = begin(shares[s]);
            run(stage, (int)(20000.0 / frames_ms[f]), frames_ms[f]);
            const struct app_panels_spent spent = app_panels_spent(stage->panels);
            assert_true(fake.background > 2);
            assert_true(spent.slices_ms <= shares[s] / 100.0 * spent.since_s * 1e3 + APP_SLICE_MS);
            assert_true(spent.longest_ms <= APP_SLICE_MS);
            assert_true(spent.slices > 20);
            assert_int_equal(fake.runs[LONG_ONE], 0);
            end(stage);
        }
}

TEST(every_panel_fills)
{
    struct stage *stage = begin(10.0);
    run(stage, 1, 1.0);
    const struct app_panels_view *view = look(stage);
    assert_int_equal(view->probes.count, PROBES);
    for (int i = 0; i < PROBES; i++)
        assert_int_equal(app_result_samples(&view->probes.results[i]), 0);
    assert_string_equal(view->claims[APP_CLAIM_CONSTANT_KERNEL].now.text, "–");
    run(stage, 20000, 1.0);
    view = look(stage);
    for (int i = 0; i < LONG_ONE; i++) {
        assert_true(app_result_samples(&view->probes.results[i]) >= 3);
        assert_int_equal(view->probes.results[i].verified, APP_VERIFIED_TRUE);
        assert_true(app_result_number(&view->probes.results[i], APP_M_MEDIAN_MS, 0) ==
                    view->probes.results[i].probe->expected_ms / 2);
        /* the first run loads the kernel and gives no sample */
        if (fake.runs[i] <= KRN_SERIES_CAPACITY)
            assert_int_equal(app_result_samples(&view->probes.results[i]), fake.runs[i] - 1);
    }
    /* Topics take turns: a topic's only probe gets more runs than each of another topic's
     * twenty. */
    assert_true(app_result_samples(&view->probes.results[0]) >
                2 * app_result_samples(&view->probes.results[2]));
    assert_int_equal(app_result_samples(&view->probes.results[LONG_ONE]), 0);
    /* Global 0.4 ms, constant 0.5 ms: on this scene. The claim is about the book's, which only a
     * round measures. */
    assert_int_equal(view->claims[APP_CLAIM_CONSTANT_KERNEL].now.verdict, APP_VERDICT_NOT_MEASURED);
    assert_string_equal(view->claims[APP_CLAIM_CONSTANT_KERNEL].now.text, "–");
    assert_string_equal(view->claims[APP_CLAIM_CONSTANT_KERNEL].beside, "here 0.80×");
    end(stage);
}

/* Pairs: the quickest has all its samples before the next begins; later all take turns. */
TEST(pairs_fill_from_the_quickest)
{
    struct stage *stage = begin(10.0);
    int places[CHAINS] = {0}, runs = 0;
    fake.pairs = true;
    for (int i = 0; i < 40000 && fake.starts < 1200; i++)
        run(stage, 1, 1.0);
    for (int i = 0; i < fake.starts; i++)
        if (fake.order[i] >= 2 && fake.order[i] < LONG_ONE) {
            const int chain = LONG_ONE - 1 - fake.order[i]; /* 0: the quickest */
            if (runs++ < CHAINS * (APP_WHERE_PAIRS + 1))
                assert_int_equal(chain, (runs - 1) / (APP_WHERE_PAIRS + 1));
            else
                places[chain]++;
        }
    for (int i = 0; i < CHAINS; i++)
        assert_true(places[i] > 0);
    end(stage);
}

/* Shows another scene, for which the book's kernel takes ms. */
static void change_scene(struct stage *stage, int spheres, double ms)
{
    stage->state.spec.recipe.count = spheres;
    stage->state.spec.recipe.seed++;
    show_frame(stage, 0.0);
    fake.background_ms = ms;
}

static const char *kernel_note(struct stage *stage)
{
    stage->now_s += 1.0;
    const char *note = look(stage)->claims[APP_CLAIM_CONSTANT_KERNEL].note;
    const char *here = strstr(note, "here: ");
    return here != NULL ? here + strlen("here: ") : note;
}

TEST(another_scene_brings_no_long_slice)
{
    struct stage *stage = begin(10.0);
    run(stage, 5000, 1.0);
    int background = fake.background;
    assert_true(background > 10);
    /* A hundred times the spheres predict a hundred times the time. */
    change_scene(stage, 2000, 45.0);
    run(stage, 5000, 1.0);
    assert_int_equal(fake.background, background);
    assert_string_equal(kernel_note(stage), "press B (takes over 2 ms)");
    change_scene(stage, 20, 0.4);
    run(stage, 5000, 1.0);
    assert_true(fake.background > background + 10);
    assert_true(app_panels_spent(stage->panels).longest_ms <= APP_SLICE_MS);
    end(stage);

    /* Without a known rate, a large scene is not tried, whatever another kernel's rate is. */
    stage = begin(10.0);
    change_scene(stage, 200, 120.0);
    const struct krn_mode binned = {KRN_KERNEL_BINNED, KRN_STORAGE_GLOBAL, 1};
    stage->state.spec.mode = binned;
    stage->state.spec.width = stage->state.spec.height = 640;
    for (int i = 0; i < 50; i++)
        show_frame(stage, 0.3);
    run(stage, 5000, 1.0);
    assert_int_equal(fake.background, 0);
    assert_string_equal(kernel_note(stage), "may be over 50 ms: --bench");
    /* The book's kernel has shown its time as a frame. */
    stage->state.spec.mode = app_background_mode(APP_BACKGROUND_GLOBAL);
    show_frame(stage, 1.5);
    run(stage, 100, 1.0);
    assert_int_equal(fake.background, 0); /* constant memory may be slower */
    assert_string_equal(kernel_note(stage), "press B (may take over 2 ms)");
    change_scene(stage, 200, 1.2);
    show_frame(stage, 1.2);
    run(stage, 3000, 1.0);
    assert_true(fake.background > 0);
    end(stage);
}

TEST(a_background_frame_is_charged)
{
    struct stage *stage = begin(10.0);
    fake.background_ms = 20.0;
    run(stage, 5000, 1.0);
    const struct app_panels_spent spent = app_panels_spent(stage->panels);
    assert_true(spent.longest_ms == 20.0);
    assert_int_equal(fake.background, 1); /* and no other frame follows */
    assert_true(spent.slices_ms <= 0.1 * 5000.0 + APP_SLICE_MS);
    assert_string_equal(kernel_note(stage), "press B (takes over 2 ms)");
    end(stage);
}

TEST(a_lack_of_memory_is_tried_again)
{
    struct stage *stage = begin(10.0);
    fake.no_image = true;
    run(stage, 2000, 1.0);
    assert_int_equal(fake.background, 0);
    assert_true(fake.runs[0] > 3);
    assert_string_equal(
        kernel_note(stage),
        "There is no room for the made-up picture: close other programs, or ask for less.");
    fake.no_image = false;
    run(stage, 2000, 1.0);
    assert_int_equal(fake.background, 0);
    change_scene(stage, 20, 0.4);
    run(stage, 2000, 1.0);
    assert_true(fake.background > 0);

    /* Nor with another device. The memory must suffice for a picture of another size. */
    stage->state.spec.width = 48;
    change_scene(stage, 20, 0.4);
    fake.no_image = true;
    run(stage, 2000, 1.0);
    fake.no_image = false;
    const int background = fake.background;
    app_panels_release(stage->panels, KRN_BACKEND_CPU);
    run(stage, 2000, 1.0);
    assert_true(fake.background > background);
    end(stage);
}

TEST(a_slow_slice_stops_no_probe)
{
    struct stage *stage = begin(10.0);
    fake.slow_ms = 40.0; /* the first run of all */
    run(stage, 4000, 1.0);
    for (int i = 0; i < 5; i++) {
        fake.slow_ms = 20.0;
        run(stage, 2000, 1.0);
    }
    const int runs = fake.runs[0];
    run(stage, 4000, 1.0);
    assert_true(fake.runs[0] > runs + 10);
    for (int i = 0; i < LONG_ONE; i++)
        assert_true(app_result_samples(&look(stage)->probes.results[i]) > 0);
    end(stage);
}

TEST(a_wrong_guess_brings_few_long_slices)
{
    struct stage *stage = begin(10.0);
    fake.slow = 1;
    fake.slower_ms = 10.0;
    run(stage, 10000, 1.0);
    assert_int_equal(fake.runs[0], 2);
    assert_true(app_result_samples(&look(stage)->probes.results[1]) > 10);
    end(stage);

    /* Most runs slightly exceed a slice; the first does not. */
    stage = begin(10.0);
    fake.slow = 1;
    fake.slower_ms = 2.2;
    fake.runs[0] = 2;
    run(stage, 10000, 1.0);
    assert_true(fake.runs[0] > 3 && fake.runs[0] < 10);
    /* B tries again, and the disturbed probe returns. */
    fake.slow = 0;
    const int runs = fake.runs[0];
    app_panels_remeasure(stage->panels);
    const struct timespec little = {0, 500000};
    run(stage, 2, 1.0);
    for (int i = 0; i < 20000 && look(stage)->again; i++) {
        if (app_panels_child_running(stage->panels))
            nanosleep(&little, NULL);
        run(stage, 1, 1.0);
    }
    assert_true(fake.runs[0] > runs);
    const int then = fake.runs[0];
    run(stage, 5000, 1.0);
    assert_true(fake.runs[0] > then + 5);
    end(stage);
}

TEST(a_lost_reading_stops_no_other_probe)
{
    struct stage *stage = begin(10.0);
    run(stage, 2000, 1.0);
    fake.lose_background = true;
    run(stage, 2000, 1.0);
    fake.lose_background = false;
    const int runs = fake.runs[0];
    run(stage, 4000, 1.0);
    assert_true(fake.runs[0] > runs + 10);
    /* Nor does a reading of a closed device. */
    assert_int_equal(
        app_engine_render_background(stage->engine, &stage->state, APP_BACKGROUND_GLOBAL, &error),
        KRN_OK);
    assert_true(app_engine_background_busy(stage->engine));
    app_engine_drop(stage->engine, KRN_BACKEND_CUDA);
    assert_false(app_engine_background_busy(stage->engine));
    end(stage);
}

TEST(held_numbers_are_not_measured_again)
{
    struct stage *stage = begin(10.0);
    run(stage, 3000, 1.0);
    const size_t n = app_result_samples(&look(stage)->probes.results[0]);
    stage->state.look.hold = true;
    app_panels_remeasure(stage->panels);
    run(stage, 1000, 1.0);
    /* One slice may have been under way. */
    assert_in_range(app_result_samples(&look(stage)->probes.results[0]), n, n + 1);
    assert_true(look(stage)->again);
    assert_false(app_panels_child_running(stage->panels));
    stage->state.look.hold = false;
    run(stage, 3, 1.0);
    assert_true(app_panels_child_running(stage->panels));
    end(stage);
}

TEST(hidden_panels_pause)
{
    struct stage *stage = begin(10.0);
    run(stage, 2000, 1.0);
    app_panels_remeasure(stage->panels);
    run(stage, 3, 1.0);
    assert_true(app_panels_child_running(stage->panels));
    app_panels_pause(stage->panels);
    assert_false(app_panels_child_running(stage->panels));
    /* An hour without slices gives no hour's credit. */
    stage->now_s += 3600.0;
    const double before_ms = app_panels_spent(stage->panels).slices_ms;
    run(stage, 100, 1.0);
    assert_true(app_panels_spent(stage->panels).slices_ms - before_ms <= 10.0 + APP_SLICE_MS);
    assert_false(look(stage)->again);
    end(stage);
}

TEST(a_wrong_result_stays_wrong)
{
    struct stage *stage = begin(10.0);
    run(stage, 2000, 1.0);
    fake.wrong = true;
    run(stage, 3000, 1.0);
    fake.wrong = false;
    run(stage, 3000, 1.0);
    const struct app_panels_view *view = look(stage);
    assert_int_equal(view->probes.results[0].verified, APP_VERIFIED_FALSE);
    assert_non_null(strstr(view->probes.results[0].verified_reason, "1 of"));
    end(stage);
}

TEST(a_nan_error_is_wrong)
{
    struct krn_check check = {.compared = 0.0};
    assert_int_equal(app_check_verdict(&check), APP_VERIFIED_UNKNOWN);
    check.compared = 9.0;
    assert_int_equal(app_check_verdict(&check), APP_VERIFIED_TRUE);
    check.max_error = NAN;
    assert_int_equal(app_check_verdict(&check), APP_VERIFIED_FALSE);
}

TEST(a_refused_probe_closes_no_other)
{
    struct stage *stage = begin(10.0);
    fake.left_out = "No such access here.";
    run(stage, 1000, 1.0);
    const struct app_panels_view *view = look(stage);
    const size_t n = app_result_samples(&view->probes.results[2]);
    assert_true(n > 0);
    assert_string_equal(view->refused[KRN_TOPIC_ACCESS], "No such access here.");
    assert_null(view->refused[KRN_TOPIC_SAXPY]);
    fake.refused = 1; /* the only one of its topic */
    run(stage, 3000, 1.0);
    view = look(stage);
    assert_int_equal(view->probes.count, PROBES);
    assert_string_equal(view->why, "");
    assert_string_equal(view->refused[KRN_TOPIC_SAXPY],
                        "The made-up device does not like this one.");
    assert_true(app_result_samples(&view->probes.results[2]) > n);
    /* Its number is kept. */
    assert_true(app_result_samples(&view->probes.results[0]) > 0);
    const int runs = fake.runs[0];
    fake.refused = 0;
    run(stage, 3000, 1.0);
    assert_int_equal(fake.runs[0], runs); /* until B is pressed */
    assert_int_equal(fake.opened, 1);
    end(stage);
}

/* Without a window, the report carries the reason too. */
TEST(a_run_names_what_is_left_out)
{
    struct stage *stage = begin(10.0);
    for (int i = 0; i < 2; i++) {
        fake.left_out = i > 0 ? "No such access here." : NULL;
        const struct app_plan plan = {.frames = 1, .seconds = 5.0};
        const struct app_environment here = {.version = "",
                                             .git = "",
                                             .host = "",
                                             .os = "",
                                             .system = "",
                                             .cpu = "",
                                             .time_utc = ""};
        TEST_OWNED(app_results_free) struct app_results results;
        app_results_begin(&results, &here);
        assert_int_equal(
            app_probe_run_topic(&stage->device, NULL, KRN_TOPIC_ACCESS, &plan, &results, &error),
            KRN_OK);
        assert_int_equal(results.count, PROBES);
        assert_int_equal(results.notes.count, i);
        if (i > 0)
            assert_non_null(strstr(results.notes.texts[0], fake.left_out));
        for (int probe = 0; probe < PROBES; probe++) {
            /* A tenth of the fake's times is overhead. */
            const struct app_result *result = &results.results[probe];
            const double overhead_ms = app_result_number(result, APP_M_OVERHEAD_MS, 0),
                         median_ms = app_result_number(result, APP_M_MEDIAN_MS, 0);
            assert_true(fabs(overhead_ms / median_ms - 0.1) < 1e-8);
            assert_true(fabs(app_result_number(result, APP_M_NET_MS, 0) -
                             (median_ms - overhead_ms)) < 1e-8);
        }
    }
    end(stage);
}

TEST(failures_close_the_panels)
{
    struct stage *stage = begin(10.0);
    run(stage, 100, 1.0);
    fake.fails = KRN_FAILED;
    run(stage, 500, 1.0);
    const struct app_panels_view *view = look(stage);
    assert_int_equal(view->probes.count, 0);
    assert_string_equal(view->why, "No panels: The made-up device refuses.");
    assert_int_equal(fake.opened, 1);
    end(stage);

    /* The session handles a lost device. */
    stage = begin(10.0);
    run(stage, 100, 1.0);
    fake.fails = KRN_LOST;
    enum krn_code code = KRN_OK;
    for (int i = 0; i < 500 && code == KRN_OK; i++) {
        stage->now_s += 0.001;
        app_engine_poll(stage->engine);
        code = app_panels_frame(stage->panels, stage->engine, &stage->state, stage->now_s, &error);
    }
    assert_int_equal(code, KRN_LOST);
    app_panels_release(stage->panels, KRN_BACKEND_CPU);
    assert_int_equal(fake.closed, 1);
    end(stage);
}

TEST(no_share_no_slices)
{
    struct stage *stage = begin(0.0);
    run(stage, 5000, 1.0);
    assert_int_equal(app_panels_spent(stage->panels).slices, 0);
    assert_int_equal(fake.background, 0);
    end(stage);
}

int main(int argc, char *argv[])
{
    if (fake_child(argc, argv))
        return 0;
    return tests_run(NULL, NULL);
}
