#include "claims/rows.h"

#include "base/value.h"
#include "claims/rules.h"

#include <stdio.h>
#include <string.h>

void app_row_interval(struct app_claim *row)
{
    const struct app_estimate *e = &row->estimate;
    if (e->valid && e->has_interval)
        app_format(row->interval, sizeof row->interval, "%s",
                   app_number_interval(e->low, e->high, e->value, APP_DECIMALS_PLAIN).text);
}

void app_row_ratio(struct app_claim *row, struct app_estimate ratio, double claimed,
                   double band_percent, const char *why)
{
    row->estimate = ratio;
    row->verdict = app_claim_ratio(ratio, claimed, band_percent);
    if (ratio.valid)
        snprintf(row->now, sizeof row->now, "%s×", app_number_plain(ratio.value, "").value);
    else if (why != NULL)
        app_format(row->note, sizeof row->note, "%s", why);
    if (row->verdict == APP_CLAIM_CANT_TELL &&
        app_claim_same_direction(ratio, claimed, band_percent))
        app_format(row->note, sizeof row->note, "faster, but by how much is open");
    app_row_interval(row);
}

/* Adds to a row's note, after what it says already. */
void app_row_note(struct app_claim *row, const char *text)
{
    const size_t used = strlen(row->note);
    app_format(row->note + used, sizeof row->note - used, "%s%s", used > 0 ? "; " : "", text);
}

/* Takes the number off a row that rests on a probe with too few samples. Returns true when it did.
 */
bool app_row_lacks_samples(struct app_claim *row, size_t least)
{
    if (least >= APP_CLAIM_SAMPLES)
        return false;
    row->estimate = (struct app_estimate){.valid = false};
    row->verdict = APP_CLAIM_NOT_MEASURED;
    app_format(row->note, sizeof row->note, "not enough samples: %zu of %d", least,
               APP_CLAIM_SAMPLES);
    return true;
}

/* Returns the least number of samples among a topic's probes of a series; 0: it has none. */
size_t app_row_least_samples(const struct app_probes_view *view, enum krn_topic topic,
                             const char *series)
{
    size_t least = 0;
    bool any = false;
    for (int i = 0; i < view->count; i++) {
        const struct app_probe_result *result = &view->results[i];
        if (result->probe->topic != topic || strcmp(result->probe->series, series) != 0)
            continue;
        least = !any || result->n < least ? result->n : least;
        any = true;
    }
    return least;
}

size_t app_row_smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}
