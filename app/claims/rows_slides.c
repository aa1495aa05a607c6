/* Rows about Better Performance at Lower Occupancy. */
#include "claims/rows.h"

#include "base/value.h"
#include "claims/rules.h"
#include "topics/topics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Writes "512", "480–512" where an interval decides between two, or "never". */
static void write_threads(struct app_estimate threads, char *text, size_t size)
{
    if (!isfinite(threads.low))
        snprintf(text, size, "never");
    else if (threads.low == threads.high)
        app_format(text, size, "%.0f", threads.low);
    else if (!isfinite(threads.high))
        app_format(text, size, "%.0f–never", threads.low);
    else
        app_format(text, size, "%.0f–%.0f", threads.low, threads.high);
}

/* Writes "512", or "never". */
static void write_value(struct app_estimate threads, char *text, size_t size)
{
    threads.low = threads.high = threads.value;
    write_threads(threads, text, size);
}

/* Finds the threads of ILP 1 to 4 by the findings PREFIX1 to PREFIX4. Returns false when one is not
 * known. */
static bool find_threads(const struct app_analysis *analysis, const char *prefix,
                         struct app_estimate threads[APP_CLAIM_ILPS])
{
    bool known = true;
    for (int i = 0; i < APP_CLAIM_ILPS; i++) {
        char key[16];
        snprintf(key, sizeof key, "%s%d", prefix, i + 1);
        threads[i] = app_finding(analysis, key)->value;
        known = known && threads[i].valid;
    }
    return known;
}

/* Writes "480→128", of ILP 1 and 4. */
static void write_arrow(const struct app_estimate threads[APP_CLAIM_ILPS], char *text, size_t size)
{
    char first[24], last[24];
    write_value(threads[0], first, sizeof first);
    write_value(threads[APP_CLAIM_ILPS - 1], last, sizeof last);
    app_format(text, size, "%s→%s", first, last);
}

/* Adds "WORDS: 480 256 224 128" to the note. */
static void note_threads(struct app_claim *row, const char *words,
                         const struct app_estimate threads[APP_CLAIM_ILPS])
{
    char text[120];
    app_format(text, sizeof text, "%s:", words);
    for (int i = 0; i < APP_CLAIM_ILPS; i++) {
        char number[24];
        const size_t used = strlen(text);
        write_value(threads[i], number, sizeof number);
        app_format(text + used, sizeof text - used, " %s", number);
    }
    app_row_note(row, text);
}

/* Writes the interval "[480–512→128]" where one of its ends is not the value. */
static void write_thread_interval(struct app_claim *row,
                                  const struct app_estimate threads[APP_CLAIM_ILPS])
{
    const struct app_estimate *first = &threads[0], *last = &threads[APP_CLAIM_ILPS - 1];
    char from[32], to[32];
    if (first->low == first->high && last->low == last->high)
        return;
    write_threads(*first, from, sizeof from);
    write_threads(*last, to, sizeof to);
    app_format(row->interval, sizeof row->interval, "[%s→%s]", from, to);
}

/* Judges the ILP claim by events net of overhead; the schedulers' cycles stand beside. */
void app_row_ilp_threads(struct app_claim *row, const struct app_claim_facts *facts)
{
    const struct app_probes_view *view = facts->probes;
    if (view == NULL || view->count == 0)
        return;
    struct app_analysis analysis;
    struct app_estimate net[APP_CLAIM_ILPS], cycles[APP_CLAIM_ILPS];
    app_topic_analyse(KRN_TOPIC_ILP, view, &analysis);
    const bool known = find_threads(&analysis, "net", net),
               counted = find_threads(&analysis, "ilp", cycles);
    if (!view->device->can.warps) {
        app_format(row->note, sizeof row->note, "does not apply to a CPU core");
        return;
    }
    if (!known) {
        if (counted)
            app_format(row->note, sizeof row->note, "no overhead is known");
        return;
    }
    size_t least = APP_CLAIM_SAMPLES;
    for (int i = 0; i < APP_CLAIM_ILPS; i++) {
        char series[16];
        snprintf(series, sizeof series, "ilp%d", i + 1);
        least = app_row_smaller(least, app_row_least_samples(view, KRN_TOPIC_ILP, series));
        row->estimate.trust |= net[i].trust;
    }
    if (app_row_lacks_samples(row, least))
        return;
    row->verdict = app_claim_ilp(net);
    write_arrow(net, row->now, sizeof row->now);
    write_thread_interval(row, net);
    if (isfinite(net[0].value) && isfinite(net[APP_CLAIM_ILPS - 1].value)) {
        row->estimate.valid = true;
        row->estimate.value = net[0].value / net[APP_CLAIM_ILPS - 1].value;
    }
    char words[48];
    app_format(words, sizeof words, "%.0f %% of the peak by events, net",
               app_finding(&analysis, "level")->value.value);
    note_threads(row, words, net);
    if (!counted)
        return;
    note_threads(row, "by the schedulers' cycles", cycles);
    char arrow[32];
    write_arrow(cycles, arrow, sizeof arrow);
    app_format(row->beside, sizeof row->beside, "cycles %s", arrow);
}

/* Judges whether registers deliver more operands than shared memory. On a CPU, the first-level
 * cache stands for shared memory. */
void app_row_registers_shared(struct app_claim *row, const struct app_claim_facts *facts)
{
    const struct app_probes_view *view = facts->probes;
    if (view == NULL || view->count == 0)
        return;
    const bool warps = view->device->can.warps;
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_OPERANDS, view, &analysis);
    const struct app_finding *registers = app_finding(&analysis, "registers"),
                             *shared = app_finding(&analysis, "shared");
    const struct app_estimate ratio = app_finding(&analysis, "ratio")->value,
                              rate = app_finding(&analysis, "rate")->value;
    if (!ratio.valid ||
        app_row_lacks_samples(row, app_row_smaller(registers->of->n, shared->of->n)))
        return;
    row->estimate = ratio;
    row->verdict = app_claim_greater(ratio, facts->band_percent);
    snprintf(row->now, sizeof row->now, "%s×", app_number_plain(ratio.value, "").value);
    app_row_interval(row);
    char text[96];
    const struct app_number fast = app_metric_number(APP_METRIC_GBPS, registers->value),
                            slow = app_metric_number(APP_METRIC_GBPS, shared->value);
    app_format(text, sizeof text, "%s %s against %s %s%s", fast.value, fast.unit, slow.value,
               slow.unit, warps ? "" : " of the L1 cache");
    app_row_note(row, text);
    app_format(text, sizeof text, "multiply-adds %s×", app_number_plain(rate.value, "").value);
    app_row_note(row, text);
    app_format(row->beside, sizeof row->beside, "%s", text);
}
