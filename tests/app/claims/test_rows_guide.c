/* The board's row about the CUDA C++ Programming Guide, and the analysis behind it. */
#include "expect.h"

#include "claims/claims.h"
#include "judge/trust.h"
#include "topics/topic.h"

#include "krn/light.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TREE_CONSTANT, TREE_GLOBAL, BRUTE_CONSTANT, BRUTE_GLOBAL, SERIES, POINTS = 9 };

struct probes {
    struct krn_device_info info;
    struct krn_probe probes[SERIES * POINTS];
    struct app_probe_result results[SERIES * POINTS];
    struct app_probes_view view;
};

static struct app_probe_result *at(struct probes *p, int series, int bounces)
{
    return &p->results[series * POINTS + bounces];
}

/* Times of 1 ms from global memory; from constant memory those given, plus a part per bounce. */
static void fill(struct probes *p, double tree_ms, double brute_ms, double per_bounce)
{
    static const char *const names[SERIES] = {"tree/constant", "tree/global", "brute/constant",
                                              "brute/global"};
    memset(p, 0, sizeof *p);
    p->info.can.warps = true;
    for (int s = 0; s < SERIES; s++)
        for (int bounces = 0; bounces < POINTS; bounces++) {
            struct krn_probe *probe = &p->probes[s * POINTS + bounces];
            const double ms = s == TREE_CONSTANT    ? tree_ms + per_bounce * bounces
                              : s == BRUTE_CONSTANT ? brute_ms
                                                    : 1.0;
            const bool tree = s <= TREE_GLOBAL;
            *probe = (struct krn_probe){.topic = KRN_TOPIC_BOUNCES,
                                        .axis = "bounces",
                                        .x = bounces,
                                        .uniform = tree ? 0.5 - 0.05 * bounces : 1.0,
                                        .addresses = tree ? 2.0 + bounces : 1.0,
                                        .scope = ""};
            snprintf(probe->series, sizeof probe->series, "%s", names[s]);
            *at(p, s, bounces) = (struct app_probe_result){
                .probe = probe,
                .n = 20,
                .ms = {.n = 20, .median = ms},
                .ms_interval = {true, 0.99 * ms, 1.01 * ms},
            };
        }
    p->view = (struct app_probes_view){
        .device = &p->info, .results = p->results, .count = SERIES * POINTS};
}

static struct app_claim judge(const struct probes *p)
{
    struct app_claim claims[APP_CLAIM_COUNT];
    const struct app_claim_facts facts = {.probes = &p->view, .band_percent = 1.0};
    app_claims_judge(&facts, claims);
    return claims[APP_CLAIM_DIVERGENT];
}

TEST(every_bounce_has_a_finding)
{
    static struct probes p;
    struct app_analysis analysis;
    fill(&p, 1.5, 1.1, 0.25);
    app_topic_analyse(KRN_TOPIC_BOUNCES, &p.view, &analysis);
    const struct app_finding *third = app_finding(&analysis, "tree/3");
    assert_true(third->value.value == 2.25);
    assert_non_null(strstr(third->line, "0 to 3: 2.25 x"));
    assert_non_null(strstr(third->line, "35.0 % of reads at 1 address, 5.00 per read"));
    assert_true(app_finding(&analysis, "tree")->value.value == 3.5);
    assert_true(app_finding(&analysis, "brute")->value.value == 1.1);
    assert_true(fabs(app_finding(&analysis, "penalty")->value.value - 3.5 / 1.1) < 1e-9);
    /* The overhead of an empty kernel is in none of the times. */
    at(&p, TREE_CONSTANT, 3)->overhead_ms = at(&p, TREE_GLOBAL, 3)->overhead_ms = 0.5;
    at(&p, TREE_CONSTANT, 3)->net_ms = 1.75;
    at(&p, TREE_GLOBAL, 3)->net_ms = 0.5;
    app_topic_analyse(KRN_TOPIC_BOUNCES, &p.view, &analysis);
    assert_true(fabs(app_finding(&analysis, "tree/3")->value.value - 3.5) < 1e-9);
    /* A bounce that no ray takes has no reads. */
    p.probes[TREE_CONSTANT * POINTS + 3].uniform = 0.0;
    app_topic_analyse(KRN_TOPIC_BOUNCES, &p.view, &analysis);
    assert_null(strstr(app_finding(&analysis, "tree/3")->line, "reads"));
}

TEST(the_penalty_is_judged)
{
    static struct probes p;
    fill(&p, 2.0, 1.1, 0.25);
    struct app_claim row = judge(&p);
    assert_string_equal(row.id, "constant-divergent");
    assert_int_equal(row.text, APP_TEXT_GUIDE);
    assert_int_equal(row.verdict, APP_CLAIM_HOLDS);
    assert_string_equal(row.now, "1.10→4.00×");
    assert_string_equal(row.beside, "3.64×");
    assert_true(row.estimate.low < 3.63 && row.estimate.high > 3.64);
    assert_string_equal(row.interval, "");
    assert_non_null(strstr(row.note, "3.64× ["));
    assert_non_null(strstr(row.note, "100 %"));
    assert_non_null(strstr(row.note, "10 %"));
    /* Only what the tree loses more counts. */
    fill(&p, 1.5, 1.5, 0.0);
    assert_int_equal(judge(&p).verdict, APP_CLAIM_CANT_TELL);
    fill(&p, 1.0, 1.5, 0.0);
    assert_int_equal(judge(&p).verdict, APP_CLAIM_INVERTED);
}

TEST(nothing_is_judged_without_a_number)
{
    static struct probes p;
    for (int s = 0; s < SERIES; s++) {
        fill(&p, 2.0, 1.1, 0.25);
        at(&p, s, KRN_BOUNCES_MAX)->n = 0;
        struct app_claim row = judge(&p);
        assert_int_equal(row.verdict, APP_CLAIM_NOT_MEASURED);
        assert_string_equal(row.now, "–");
        fill(&p, 2.0, 1.1, 0.25);
        at(&p, s, KRN_BOUNCES_MAX)->n = APP_CLAIM_SAMPLES - 1;
        row = judge(&p);
        assert_int_equal(row.verdict, APP_CLAIM_NOT_MEASURED);
        assert_non_null(strstr(row.note, "not enough samples"));
        fill(&p, 2.0, 1.1, 0.25);
        at(&p, s, KRN_BOUNCES_MAX)->trust = APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
        assert_int_equal(judge(&p).verdict, APP_CLAIM_WRONG);
    }
    /* A CPU has no warps. */
    fill(&p, 2.0, 1.1, 0.25);
    p.info.can.warps = false;
    assert_int_equal(judge(&p).verdict, APP_CLAIM_NOT_MEASURED);
}
