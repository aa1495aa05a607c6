/* app/measure/budget.h - limits the time of the slices between frames.
 *
 * Slices earn a share of the time that passes. A slice pays its predicted time when it starts; when
 * it has ended, its measured time replaces the predicted one.
 */
#ifndef APP_BUDGET_H
#define APP_BUDGET_H

#include <stdbool.h>

/* Outside a round, no slice runs between frames that is known to take longer, and all slices of one
 * frame together take no longer. */
#define APP_SLICE_MS 2.0

/* The time that slices have used, without those of rounds. */
struct app_panels_spent {
    double slices_ms, longest_ms;
    double since_s; /* start of the period in which they ran */
    int slices;
};

/* Zero-initialised except for the share, it has earned nothing. */
struct app_budget {
    double share;        /* fraction of the time that slices may take */
    double credit_ms;    /* earned and not spent */
    double burst_ms;     /* slices of this frame so far */
    double predicted_ms; /* of the slice under way */
    bool asked;          /* that slice belongs to a round */
    struct app_panels_spent spent;
};

/* Longest burst of one frame in a round, ms. */
extern const double app_budget_asked_ms;

/* Earns the share of the time since the last frame. Of what earlier frames left, the price of one
 * slice is kept, so that a pause is not followed by a burst. asked: a full round is under way. */
void app_budget_earn(struct app_budget *budget, double since_ms, bool asked);

/* Begins the slices of one frame. */
void app_budget_begin_burst(struct app_budget *budget);

/* True when a slice that takes predicted_ms may start now. */
bool app_budget_affords(const struct app_budget *budget, double predicted_ms, bool asked);

/* Pays for a slice that is about to start; gives the price back when it did not start. */
void app_budget_pay(struct app_budget *budget, double predicted_ms, bool asked);
void app_budget_give_back(struct app_budget *budget);

/* Replaces a slice's predicted time by its measured one. */
void app_budget_settle(struct app_budget *budget, double took_ms);

/* Ends the slices of one frame, which took took_ms with all that was waited for. */
void app_budget_end_burst(struct app_budget *budget, double took_ms);

#endif
