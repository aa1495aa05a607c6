/* The board's rows about the clocks of How to Implement Performance Metrics in CUDA C/C++. */
#include "expect.h"

#include "claims/claims.h"
#include "claims/rows.h"
#include "judge/trust.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct app_estimate between(double low, double value, double high)
{
    return app_estimate_of_run(value, (struct krn_interval){true, low, high}, 0.0);
}

static const struct app_estimate none;

TEST(a_size_needs_its_interval)
{
    /* A size of 0.5 reaches from 0.4545 to 0.55. */
    assert_int_equal(app_claim_size(none, 0.5), APP_CLAIM_NOT_MEASURED);
    assert_int_equal(app_claim_size(app_estimate_plain(0.5), 0.5), APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_size(between(0.46, 0.5, 0.54), 0.5), APP_CLAIM_HOLDS);
    assert_int_equal(app_claim_size(between(0.5, 0.5, 0.5), 0.5), APP_CLAIM_HOLDS);
    assert_int_equal(app_claim_size(between(0.032, 0.032, 0.032), 0.5), APP_CLAIM_SMALLER);
    assert_int_equal(app_claim_size(between(0.3, 0.4, 0.46), 0.5), APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_size(between(0.54, 0.56, 0.6), 0.5), APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_size(between(0.56, 0.6, 1.0), 0.5), APP_CLAIM_LARGER);
    struct app_estimate wrong = between(0.5, 0.5, 0.5);
    wrong.trust = APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
    assert_int_equal(app_claim_size(wrong, 0.5), APP_CLAIM_WRONG);
}

TEST(less_needs_its_interval)
{
    assert_int_equal(app_claim_less(none, 50.0), APP_CLAIM_NOT_MEASURED);
    assert_int_equal(app_claim_less(app_estimate_plain(5.0), 50.0), APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_less(between(4.0, 5.0, 49.0), 50.0), APP_CLAIM_HOLDS);
    assert_int_equal(app_claim_less(between(4.0, 5.0, 51.0), 50.0), APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_less(between(51.0, 90.0, 99.0), 50.0), APP_CLAIM_FAILS);
    struct app_estimate throttled = between(4.0, 5.0, 6.0);
    throttled.trust = APP_TRUST_BIT(APP_TRUST_THROTTLED);
    assert_int_equal(app_claim_less(throttled, 50.0), APP_CLAIM_DO_NOT_QUOTE);
}

/* The probes behind the rows: launch and host at the article's size, and the clock's step. */
enum { LAUNCH, HOST, SMALL, STEP, PROBES };
struct probes {
    struct krn_device_info info;
    struct krn_probe probes[PROBES];
    struct app_probe_result results[PROBES];
    struct app_probes_view view;
};

static void fill(struct probes *p, bool warps, double launch_ms, double host_ms, double step_ms)
{
    static const char *const series[PROBES] = {"launch", "host", "launch", "resolution"};
    const double x[PROBES] = {20971520.0, 20971520.0, 1024.0, 16.0},
                 ms[PROBES] = {launch_ms, host_ms, 99.0, step_ms};
    memset(p, 0, sizeof *p);
    p->info.can.warps = warps;
    for (int i = 0; i < PROBES; i++) {
        p->probes[i] = (struct krn_probe){
            .topic = KRN_TOPIC_TIMER, .axis = "elements", .x = x[i], .scope = ""};
        snprintf(p->probes[i].series, sizeof p->probes[i].series, "%s", series[i]);
        p->results[i] = (struct app_probe_result){
            .probe = &p->probes[i],
            .n = 20,
            .ms = {.n = 20, .median = ms[i]},
            .ms_interval = {true, 0.99 * ms[i], 1.01 * ms[i]},
        };
    }
    p->view = (struct app_probes_view){.device = &p->info, .results = p->results, .count = PROBES};
}

static struct app_claim judge(const struct probes *p, enum app_claim_id id)
{
    struct app_claim claims[APP_CLAIM_COUNT];
    const struct app_claim_facts facts = {.probes = &p->view, .band_percent = 1.0};
    app_claims_judge(&facts, claims);
    return claims[id];
}

TEST(the_resolution_is_judged)
{
    static struct probes p;
    fill(&p, true, 0.004, 0.088, 3.2e-5);
    struct app_claim row = judge(&p, APP_CLAIM_RESOLUTION);
    assert_string_equal(row.id, "event-resolution");
    assert_string_equal(row.then, "0.5 µs");
    assert_string_equal(row.now, "0.0320 µs");
    assert_string_equal(row.interval, "[0.0317, 0.0323]");
    assert_string_equal(row.note, "");
    assert_int_equal(row.verdict, APP_CLAIM_SMALLER);
    fill(&p, true, 0.004, 0.088, 5e-4);
    assert_int_equal(judge(&p, APP_CLAIM_RESOLUTION).verdict, APP_CLAIM_HOLDS);
    fill(&p, true, 0.004, 0.088, 1e-3);
    assert_int_equal(judge(&p, APP_CLAIM_RESOLUTION).verdict, APP_CLAIM_LARGER);
    /* A CPU has no events; its own clock is judged, and the note says so. */
    fill(&p, false, 0.004, 0.088, 1e-6);
    row = judge(&p, APP_CLAIM_RESOLUTION);
    assert_int_equal(row.verdict, APP_CLAIM_SMALLER);
    assert_non_null(strstr(row.note, "monotonic clock"));
    p.results[STEP].n = 5;
    row = judge(&p, APP_CLAIM_RESOLUTION);
    assert_int_equal(row.verdict, APP_CLAIM_NOT_MEASURED);
    assert_string_equal(row.now, "–");
}

TEST(the_launch_is_judged)
{
    static struct probes p;
    fill(&p, true, 0.0044, 0.0886, 3.2e-5);
    struct app_claim row = judge(&p, APP_CLAIM_LAUNCH);
    assert_string_equal(row.id, "launch-not-kernel");
    assert_int_equal(row.verdict, APP_CLAIM_HOLDS);
    assert_string_equal(row.now, "4.97 %");
    assert_non_null(strstr(row.note, "4.40 µs without a barrier, 88.6 µs with one"));
    assert_non_null(strstr(row.beside, "4.40 µs of 88.6 µs"));
    fill(&p, false, 0.080, 0.0886, 1e-6);
    assert_int_equal(judge(&p, APP_CLAIM_LAUNCH).verdict, APP_CLAIM_FAILS);
    fill(&p, false, 0.0442, 0.0886, 1e-6);
    assert_int_equal(judge(&p, APP_CLAIM_LAUNCH).verdict, APP_CLAIM_CANT_TELL);
    /* The launch at another size does not stand in for a missing one. */
    fill(&p, true, 0.0044, 0.0886, 3.2e-5);
    p.results[LAUNCH].n = 0;
    assert_int_equal(judge(&p, APP_CLAIM_LAUNCH).verdict, APP_CLAIM_NOT_MEASURED);
    p.results[LAUNCH].n = 3;
    assert_int_equal(judge(&p, APP_CLAIM_LAUNCH).verdict, APP_CLAIM_NOT_MEASURED);
}
