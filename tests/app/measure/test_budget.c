/* The budget of slices between frames: time earns it, a prediction spends it, a measurement
 * corrects it. */
#include "expect.h"
#include "measure/panels.h"

#include <math.h>

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

TEST(time_earns_credit)
{
    struct app_budget budget = {.share = 0.1};
    assert_false(app_budget_affords(&budget, 0.5, false));
    app_budget_earn(&budget, 4.0, false);
    assert_false(app_budget_affords(&budget, 0.5, false));
    app_budget_earn(&budget, 1.0, false);
    assert_true(app_budget_affords(&budget, 0.5, false));
    /* An hour without slices allows no burst: the credit is limited to one frame's and one
     * slice. */
    app_budget_earn(&budget, 10.0, false);
    for (int i = 0; i < 1000; i++)
        app_budget_earn(&budget, 10.0, false);
    assert_true(near(budget.credit_ms, 1.0 + APP_SLICE_MS));
    /* A clock that runs backwards earns nothing. */
    app_budget_earn(&budget, -5.0, false);
    assert_true(near(budget.credit_ms, APP_SLICE_MS));
    /* A round on request may use three quarters of the time. */
    app_budget_earn(&budget, 10.0, true);
    assert_true(near(budget.credit_ms, 7.5 + APP_SLICE_MS));
}

TEST(a_burst_is_no_longer_than_a_slice)
{
    struct app_budget budget = {.share = 0.5};
    app_budget_earn(&budget, 100.0, false);
    app_budget_begin_burst(&budget);
    assert_true(app_budget_affords(&budget, 1.5, false));
    app_budget_pay(&budget, 1.5, false);
    assert_false(app_budget_affords(&budget, 0.6, false));
    assert_true(app_budget_affords(&budget, 0.5, false));
    assert_true(app_budget_affords(&budget, app_budget_asked_ms - 1.5, true));
    assert_false(app_budget_affords(&budget, app_budget_asked_ms - 1.4, true));
    app_budget_begin_burst(&budget);
    assert_true(app_budget_affords(&budget, 0.6, false));
    /* The first slice of a frame may have any length: it needs only its own credit. */
    assert_true(app_budget_affords(&budget, 40.0, true));
}

TEST(the_measured_time_is_paid)
{
    struct app_budget budget = {.share = 0.5};
    app_budget_earn(&budget, 10.0, false);
    const double credit_ms = budget.credit_ms;
    app_budget_begin_burst(&budget);
    app_budget_pay(&budget, 1.0, false);
    app_budget_give_back(&budget);
    assert_true(near(budget.credit_ms, credit_ms) && near(budget.burst_ms, 0.0));
    assert_int_equal(budget.spent.slices, 0);
    app_budget_pay(&budget, 1.0, false);
    app_budget_settle(&budget, 3.0);
    assert_true(near(budget.credit_ms, credit_ms - 3.0) && near(budget.burst_ms, 3.0));
    /* Time spent waiting is charged too. */
    app_budget_end_burst(&budget, 3.5);
    assert_true(near(budget.credit_ms, credit_ms - 3.5));
    app_budget_end_burst(&budget, 2.0);
    assert_true(near(budget.credit_ms, credit_ms - 3.5));
    /* Rounds on request are not charged to the slices' share. */
    app_budget_pay(&budget, 1.0, true);
    app_budget_settle(&budget, 30.0);
    assert_int_equal(budget.spent.slices, 1);
    assert_true(near(budget.spent.slices_ms, 3.0) && near(budget.spent.longest_ms, 3.0));
}
