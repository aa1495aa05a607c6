/* The board's rows about CUDA by Example. */
#include "expect.h"

#include "claims/claims.h"
#include "claims/rows.h"
#include "judge/trust.h"

#include <stdio.h>
#include <string.h>

static struct app_estimate between(double low, double value, double high)
{
    return app_estimate_of_run(value, (struct krn_interval){true, low, high}, 0.0);
}

static const struct app_estimate none;

TEST(faster_needs_its_interval)
{
    assert_int_equal(app_claim_faster(none, 1.0), APP_CLAIM_NOT_MEASURED);
    assert_int_equal(app_claim_faster(app_estimate_plain(2.0), 1.0), APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_faster(between(1.02, 1.1, 1.2), 1.0), APP_CLAIM_HOLDS);
    assert_int_equal(app_claim_faster(between(1.00, 1.1, 1.2), 1.0), APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_faster(between(1.00, 1.005, 1.009), 1.0), APP_CLAIM_FAILS);
    assert_int_equal(app_claim_faster(between(0.82, 0.83, 0.84), 1.0), APP_CLAIM_FAILS);
}

static struct app_claim judge(const char *name, bool warps, struct app_estimate ratio)
{
    struct app_claim claims[APP_CLAIM_COUNT];
    struct krn_device_info info = {.backend = warps ? KRN_BACKEND_CUDA : KRN_BACKEND_CPU,
                                   .can = {.warps = warps}};
    snprintf(info.name, sizeof info.name, "%s", name);
    const struct app_probes_view view = {.device = &info};
    const struct app_claim_facts facts = {
        .probes = &view, .kernel_ratio = ratio, .band_percent = 1.0};
    app_claims_judge(&facts, claims);
    return claims[APP_CLAIM_CONSTANT_OTHERS];
}

/* Every recorded GPU counts once, this device in the place of its record, and a CPU never. */
TEST(other_gpus_are_counted)
{
    struct app_recorded_device devices[APP_RECORDED_MAX];
    const size_t recorded = app_recorded_devices(devices);
    char expected[64];
    assert_true(recorded > 0);
    struct app_claim row = judge("some CPU", false, between(1.4, 1.5, 1.6));
    snprintf(expected, sizeof expected, "0 of %zu GPUs", recorded);
    assert_string_equal(row.now, expected);
    assert_int_equal(row.verdict, APP_CLAIM_FAILS);
    assert_true(row.trust & APP_TRUST_BIT(APP_TRUST_RECORDED));
    assert_non_null(strstr(row.note, devices[0].name));

    row = judge("NVIDIA New", true, between(1.4, 1.5, 1.6));
    snprintf(expected, sizeof expected, "1 of %zu GPUs", recorded + 1);
    assert_string_equal(row.now, expected);
    assert_int_equal(row.verdict, APP_CLAIM_FAILS);
    assert_non_null(strstr(row.note, "NVIDIA New 1.50×"));

    row = judge(devices[0].name, true, between(1.4, 1.5, 1.6));
    snprintf(expected, sizeof expected, "1 of %zu GPUs", recorded);
    assert_string_equal(row.now, expected);
}

/* A wrong or doubtful ratio of this device bars the row's verdict, whatever the records say. */
TEST(a_barred_ratio_bars_the_row)
{
    struct app_estimate ratio = between(1.4, 1.5, 1.6);
    ratio.trust = APP_TRUST_BIT(APP_TRUST_THROTTLED);
    assert_int_equal(judge("NVIDIA New", true, ratio).verdict, APP_CLAIM_DO_NOT_QUOTE);
    ratio.trust |= APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
    assert_int_equal(judge("NVIDIA New", true, ratio).verdict, APP_CLAIM_WRONG);
    assert_int_equal(judge("some CPU", false, ratio).verdict, APP_CLAIM_FAILS);
}

/* The book's own line stands in the row about its window. */
TEST(window_prints_the_books_line)
{
    struct app_claim claims[APP_CLAIM_COUNT];
    const struct app_claim_facts facts = {
        .window_ratio = between(1.02, 1.15, 1.3), .generate_ms = {0.72, 0.58}, .band_percent = 1.0};
    app_claims_judge(&facts, claims);
    assert_non_null(strstr(claims[APP_CLAIM_CONSTANT_WINDOW].note,
                           "Time to generate: 0.7 ms from global, 0.6 ms from constant"));
}
