/* Rows about the CUDA C++ Programming Guide. */
#include "claims/rows.h"

#include "base/value.h"
#include "topics/topic.h"

/* Judges how many times as much the tree kernel loses by constant memory as the brute kernel, whose
 * lanes read one address at a time. */
void app_row_constant_divergent(struct app_claim *row, const struct app_claim_facts *facts)
{
    static const char *const series[] = {"tree/constant", "tree/global", "brute/constant",
                                         "brute/global"};
    const struct app_probes_view *view = facts->probes;
    struct app_analysis analysis;
    char text[128];
    if (view == NULL || view->count == 0)
        return;
    app_topic_analyse(KRN_TOPIC_BOUNCES, view, &analysis);
    const struct app_finding *tree = app_finding(&analysis, "tree"),
                             *brute = app_finding(&analysis, "brute");
    const struct app_estimate penalty = app_finding(&analysis, "penalty")->value;
    size_t least = (size_t)-1;
    for (size_t s = 0; s < sizeof series / sizeof *series; s++)
        least = app_row_smaller(least, app_row_least_samples(view, KRN_TOPIC_BOUNCES, series[s]));
    if (penalty.valid && app_row_lacks_samples(row, least))
        return;
    row->estimate = penalty;
    row->verdict = app_claim_greater(penalty, facts->band_percent);
    if (!penalty.valid)
        return;
    app_format(row->now, sizeof row->now, "%s→%s×", app_number_plain(brute->value.value, "").value,
               app_number_plain(tree->value.value, "").value);
    /* The interval is that of the penalty, not of the numbers in its place. */
    app_row_interval(row);
    app_format(row->beside, sizeof row->beside, "%s×", app_number_plain(penalty.value, "").value);
    app_format(text, sizeof text, "%s %s, with %.0f %% of reads at one address, not %.0f %%",
               row->beside, row->interval, 100.0 * tree->of->probe->uniform,
               100.0 * brute->of->probe->uniform);
    row->interval[0] = 0;
    app_row_note(row, text);
}
