/* The reasons to doubt a number reach what rests on it: modes, duels, probes. On the CPU
 * backend, with pictures made wrong, hosts made late, and too few frames. */
#include "pictures.h"
#include "probe_results.h"

#include "engine/verify.h"
#include "measure/mode_run.h"
#include "measure/report.h"

static struct app_state state;

/* Opens an engine whose pictures from `wrong` are wrong; NULL: none is. */
static struct app_engine *open_engine(const char *wrong)
{
    struct app_engine *engine = NULL;
    struct app_run run = app_run_default();
    char notice[APP_NOTICE_MAX];
    run.backend = KRN_BACKEND_CPU;
    state = app_state_default();
    state.spec.width = state.spec.height = 48;
    if (wrong)
        setenv("SPHERESCOPE_FAULT", wrong, 1);
    TEST_OK(app_engine_open(&engine, &run, &state, notice, &error));
    unsetenv("SPHERESCOPE_FAULT");
    return engine;
}

static bool has(unsigned reasons, enum app_trust_reason reason)
{
    return (reasons & APP_TRUST_BIT(reason)) != 0;
}

TEST(test_modes)
{
    static struct app_measurement measurement;
    for (int frames = KRN_INTERVAL_SAMPLES_MIN - 1; frames <= KRN_INTERVAL_SAMPLES_MIN; frames++) {
        const struct app_plan plan = {.frames = frames, .seconds = 20.0};
        struct app_engine *engine = open_engine("constant");
        TEST_OK(app_measure_modes(engine, &state, &plan, &measurement, &error));
        for (int m = 0; m < measurement.count; m++) {
            const struct app_mode_time *result = &measurement.modes[m];
            const bool wrong = result->mode.storage == KRN_STORAGE_CONSTANT;
            assert_int_equal(has(result->median.trust, APP_TRUST_WRONG_PICTURE), wrong);
            assert_int_equal(has(result->median.trust, APP_TRUST_NOT_VERIFIED), false);
            assert_int_equal(has(result->median.trust, APP_TRUST_FEW_SAMPLES),
                             frames < KRN_INTERVAL_SAMPLES_MIN);
            assert_int_equal(has(result->median.trust, APP_TRUST_NEAR_FLOOR),
                             result->overhead_ms >= 0.1 * result->ms.median);
            assert_int_equal(has(result->median.trust, APP_TRUST_LATE_HOST), false);
        }
        app_engine_close(engine);
    }
}

/* One late frame of seven is more than a tenth, of forty it is less. */
TEST(test_late_host)
{
    static struct app_measurement measurement;
    for (int frames = 6; frames <= 40; frames += 34) {
        const struct app_plan plan = {
            .frames = frames, .seconds = 20.0, .modes = "book/global,book/constant"};
        struct app_engine *engine = open_engine(NULL);
        krn_fail_calls("krn_host_late:5");
        TEST_OK(app_measure_modes(engine, &state, &plan, &measurement, &error));
        krn_fail_calls(NULL);
        assert_int_equal(measurement.modes[0].gate_drops, 1);
        assert_int_equal(has(measurement.modes[0].median.trust, APP_TRUST_LATE_HOST), frames == 6);
        assert_int_equal(measurement.modes[1].gate_drops, 0);
        assert_false(has(measurement.modes[1].median.trust, APP_TRUST_LATE_HOST));
        app_engine_close(engine);
    }
}

/* A duel with a wrong side, whichever it is, has no verdict. */
TEST(test_duel)
{
    static struct app_duel_result result;
    static const char *const wrong[] = {"global", "constant", NULL};
    for (int i = 0; i < 3; i++) {
        const struct app_plan plan = {.frames = 40, .seconds = 20.0};
        struct app_engine *engine = open_engine(wrong[i]);
        state.spec.duel.on = true;
        state.spec.mode = (struct krn_mode){KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1};
        state.spec.duel.other = (struct krn_mode){KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT, 1};
        TEST_OK(app_duel_run(engine, &state, &plan, &result, &error));
        for (int side = 0; side < 2; side++)
            assert_int_equal(has(result.sides.modes[side].median.trust, APP_TRUST_WRONG_PICTURE),
                             side == i);
        assert_int_equal(has(result.trust, APP_TRUST_WRONG_PICTURE), i < 2);
        assert_int_equal(app_duel_verdict(&result) == APP_VERDICT_WRONG, i < 2);
        app_engine_close(engine);
    }
}

/* Drift of both sides cancels in a duel; all other reasons of either side stay. */
TEST(test_joined_sides)
{
    const unsigned drift =
        APP_TRUST_BIT(APP_TRUST_WANDERING) | APP_TRUST_BIT(APP_TRUST_NOT_SETTLED);
    for (int r = 0; r < APP_TRUST_COUNT; r++) {
        const unsigned reason = APP_TRUST_BIT(r), a[2] = {reason, 0}, b[2] = {0, reason};
        const unsigned expected = reason & drift ? 0 : reason;
        assert_int_equal(app_duel_joined(a, false), expected);
        assert_int_equal(app_duel_joined(b, false), expected);
        assert_int_equal(app_duel_joined(b, true), expected | APP_TRUST_BIT(APP_TRUST_WANDERING));
    }
}

/* A probe of a device with 60 MB of L2 and 1000 GB/s. */
static unsigned reasons_of(struct krn_probe probe, double ms, enum app_verified verified)
{
    const struct krn_device_info device = {.l2_bytes = 60000000};
    const struct app_probes_view view = {.device = &device, .ceilings = {.bandwidth_gbps = 1000.0}};
    const double samples[] = {ms, ms, ms, ms, ms, ms};
    struct test_measured measured;
    struct app_result result;
    struct app_trust_facts facts = {.overhead_ms = 0.001};
    app_trust_samples(&facts, samples, 6);
    test_measure(&result, &measured, &probe, 6, ms, 0.0, 0.0, 0.0)->verified = verified;
    return app_probe_judge(&view, &result, facts);
}

/* Where the data of a probe lies decides what its rate means. */
TEST(test_probes)
{
    const struct krn_probe memory = {
        .topic = KRN_TOPIC_SAXPY, .blocks = 1000, .useful_bytes = 1e9, .footprint_bytes = 240e6};
    struct krn_probe probe = memory;
    assert_int_equal(reasons_of(probe, 1.0, APP_VERIFIED_TRUE), 0);
    assert_int_equal(reasons_of(probe, 0.999, APP_VERIFIED_TRUE),
                     APP_TRUST_BIT(APP_TRUST_OVER_THEORETICAL));
    assert_int_equal(reasons_of(probe, 1.0, APP_VERIFIED_FALSE),
                     APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE));
    assert_int_equal(reasons_of(probe, 1.0, APP_VERIFIED_UNKNOWN),
                     APP_TRUST_BIT(APP_TRUST_NOT_VERIFIED));
    probe.footprint_bytes = 240e6 - 1;
    assert_int_equal(reasons_of(probe, 1.0, APP_VERIFIED_TRUE),
                     APP_TRUST_BIT(APP_TRUST_PARTLY_CACHED));
    assert_int_equal(reasons_of(probe, 0.9, APP_VERIFIED_TRUE),
                     APP_TRUST_BIT(APP_TRUST_PARTLY_CACHED) |
                         APP_TRUST_BIT(APP_TRUST_OVER_THEORETICAL));
    /* Data in L2 may be read faster than memory allows. */
    probe.footprint_bytes = 60e6;
    assert_int_equal(reasons_of(probe, 0.9, APP_VERIFIED_TRUE),
                     APP_TRUST_BIT(APP_TRUST_L2_RESIDENT));
    /* One block shows latencies; a flushed cache serves nothing. */
    probe.blocks = 1;
    assert_int_equal(reasons_of(probe, 0.9, APP_VERIFIED_TRUE), 0);
    probe.blocks = 1000;
    probe.cold = true;
    assert_int_equal(reasons_of(probe, 1.0, APP_VERIFIED_TRUE), 0);
    assert_int_equal(reasons_of(probe, 0.9, APP_VERIFIED_TRUE),
                     APP_TRUST_BIT(APP_TRUST_OVER_THEORETICAL));
    /* Copies do not go through the device's memory alone. */
    probe.beside_memory = true;
    assert_int_equal(reasons_of(probe, 0.9, APP_VERIFIED_TRUE), 0);
}

/* Estimates inherit the reasons of what they rest on. */
TEST(test_estimates)
{
    struct app_estimate a = app_estimate_plain(2.0), b = app_estimate_plain(1.0);
    a.trust = APP_TRUST_BIT(APP_TRUST_NEAR_FLOOR);
    b.trust = APP_TRUST_BIT(APP_TRUST_THROTTLED);
    assert_int_equal(app_estimate_ratio(a, b).trust, a.trust | b.trust);
    assert_int_equal(app_estimate_times(a, 3.0).trust, a.trust);
    assert_int_equal(app_estimate_into(3.0, b).trust, b.trust);
    const double each[] = {1.0, 1.1};
    struct app_estimate c = app_estimate_of_processes(each, 2, 0.0), d = c;
    c.trust = a.trust;
    d.trust = b.trust;
    assert_int_equal(app_estimate_ratio(c, d).trust, a.trust | b.trust);
    const struct krn_probe probe = {.topic = KRN_TOPIC_SAXPY, .useful_bytes = 1e6};
    struct test_measured measured;
    struct app_result result;
    test_measure(&result, &measured, &probe, 6, 1.0, 0.0, 0.0, 0.0)->trust.reasons = a.trust;
    const struct krn_device_info device = {.processors = 1};
    const struct app_probes_view view = {.device = &device, .results = &result, .count = 1};
    assert_int_equal(app_metric_of(&view, &result, APP_M_EFFECTIVE_GBPS).trust, a.trust);
}
