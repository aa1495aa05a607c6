/* app/measure/budget.c - milliseconds earned with time, paid by slices, settled at their end. */
#include "measure/panels.h"

#include <math.h>

/* The share of the time that a round may use. */
static const double asked_share = 0.75;

const double app_budget_asked_ms = 12.0;

void app_budget_earn(struct app_budget *budget, double since_ms, bool asked)
{
    const double due_ms = (asked ? asked_share : budget->share) * fmax(since_ms, 0.0);
    budget->credit_ms = fmin(budget->credit_ms + due_ms, due_ms + APP_SLICE_MS);
}

void app_budget_begin_burst(struct app_budget *budget)
{
    budget->burst_ms = 0.0;
}

bool app_budget_affords(const struct app_budget *budget, double predicted_ms, bool asked)
{
    const double most_ms = asked ? app_budget_asked_ms : APP_SLICE_MS;
    const bool full = budget->burst_ms > 0.0 && budget->burst_ms + predicted_ms > most_ms;
    return !full && budget->credit_ms >= fmin(predicted_ms, APP_SLICE_MS);
}

void app_budget_pay(struct app_budget *budget, double predicted_ms, bool asked)
{
    budget->credit_ms -= predicted_ms;
    budget->burst_ms += predicted_ms;
    budget->predicted_ms = predicted_ms;
    budget->asked = asked;
}

void app_budget_give_back(struct app_budget *budget)
{
    budget->credit_ms += budget->predicted_ms;
    budget->burst_ms -= budget->predicted_ms;
}

void app_budget_settle(struct app_budget *budget, double took_ms)
{
    budget->credit_ms += budget->predicted_ms - took_ms;
    budget->burst_ms += took_ms - budget->predicted_ms;
    if (budget->asked)
        return;
    budget->spent.slices++;
    budget->spent.slices_ms += took_ms;
    budget->spent.longest_ms = fmax(budget->spent.longest_ms, took_ms);
}

void app_budget_end_burst(struct app_budget *budget, double took_ms)
{
    budget->credit_ms -= fmax(took_ms - budget->burst_ms, 0.0);
}
