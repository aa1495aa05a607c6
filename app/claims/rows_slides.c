/* Rows about Better Performance at Lower Occupancy. */
#include "claims/rows.h"

#include "base/value.h"
#include "topics/topic.h"

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

/* Fills a row about cycles. Returns false when there is no number. of: the probe behind it. */
static bool write_cycles(struct app_claim *row, const struct app_finding *finding)
{
    row->estimate = finding->value;
    if (!row->estimate.valid || app_row_lacks_samples(row, finding->of->n))
        return false;
    app_format(row->now, sizeof row->now, "%s cycles",
               app_number_plain(row->estimate.value, "").value);
    app_row_interval(row);
    return true;
}

void app_row_arithmetic_latency(struct app_claim *row, const struct app_claim_facts *facts)
{
    const struct app_probes_view *view = facts->probes;
    if (view == NULL || view->count == 0)
        return;
    if (!view->device->can.warps) {
        app_format(row->note, sizeof row->note, "a CPU core's cycles are not counted");
        return;
    }
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_ILP, view, &analysis);
    if (!write_cycles(row, app_finding(&analysis, "latency")))
        return;
    row->verdict = app_claim_size(row->estimate, row->claimed);
    const struct app_estimate needed = app_finding(&analysis, "needed")->value;
    if (needed.valid) {
        char text[64];
        app_format(text, sizeof text, "Little's law needs %.0f multiply-adds in flight",
                   needed.value);
        app_row_note(row, text);
        app_format(row->beside, sizeof row->beside, "needs %.0f in flight", needed.value);
    }
}

void app_row_memory_latency(struct app_claim *row, const struct app_claim_facts *facts)
{
    const struct app_probes_view *view = facts->probes;
    if (view == NULL || view->count == 0)
        return;
    struct app_analysis analysis;
    char text[80];
    app_topic_analyse(KRN_TOPIC_LATENCY, view, &analysis);
    const struct app_estimate ns = app_finding(&analysis, "memory/ns")->value;
    if (!view->device->can.warps) {
        app_format(row->note, sizeof row->note, "a CPU core's cycles are not counted");
        if (ns.valid) {
            app_format(text, sizeof text, "%s ns", app_number_plain(ns.value, "").value);
            app_row_note(row, text);
        }
        return;
    }
    if (!write_cycles(row, app_finding(&analysis, "memory")))
        return;
    row->verdict = app_claim_at_least(row->estimate, row->claimed);
    if (ns.valid) {
        app_format(row->beside, sizeof row->beside, "%s ns", app_number_plain(ns.value, "").value);
        app_row_note(row, row->beside);
    }
    const struct app_estimate l2 = app_finding(&analysis, "l2")->value,
                              l1 = app_finding(&analysis, "l1")->value;
    if (l1.valid && l2.valid) {
        app_format(text, sizeof text, "from L2 %s cycles, from L1 %s",
                   app_number_plain(l2.value, "").value, app_number_plain(l1.value, "").value);
        app_row_note(row, text);
    }
}

/* Writes "75 %", "37.5–50 %" where an interval decides between two, or "never". */
static void write_occupancy(struct app_estimate occupancy, char *text, size_t size)
{
    if (!isfinite(occupancy.low))
        snprintf(text, size, "never");
    else if (occupancy.low == occupancy.high)
        app_format(text, size, "%.4g %%", occupancy.low);
    else if (!isfinite(occupancy.high))
        app_format(text, size, "%.4g %%–never", occupancy.low);
    else
        app_format(text, size, "%.4g–%.4g %%", occupancy.low, occupancy.high);
}

/* Judges eight chases of one CPU thread against one. */
static void judge_chases(struct app_claim *row, const struct app_probes_view *view,
                         const struct app_analysis *analysis)
{
    const struct app_estimate chases = app_finding(analysis, "chases")->value;
    row->estimate = chases;
    if (!chases.valid ||
        app_row_lacks_samples(row, app_row_least_samples(view, KRN_TOPIC_MEMLAT, "one")))
        return;
    row->verdict = app_claim_at_least(chases, 2.0);
    snprintf(row->now, sizeof row->now, "%s×", app_number_plain(chases.value, "").value);
    app_row_interval(row);
    app_row_note(row, "eight chases of one thread over one: at least twice as fast");
}

void app_row_memory_hiding(struct app_claim *row, const struct app_claim_facts *facts)
{
    const struct app_probes_view *view = facts->probes;
    if (view == NULL || view->count == 0)
        return;
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_MEMLAT, view, &analysis);
    if (!view->device->can.warps) {
        judge_chases(row, view, &analysis);
        return;
    }
    const struct app_estimate one = app_finding(&analysis, "reach1/4")->value,
                              eight = app_finding(&analysis, "reach8/4")->value;
    if (!one.valid || !eight.valid ||
        app_row_lacks_samples(
            row, app_row_smaller(app_row_least_samples(view, KRN_TOPIC_MEMLAT, "loads1x4"),
                                 app_row_least_samples(view, KRN_TOPIC_MEMLAT, "loads8x4"))))
        return;
    char from[32], to[32], text[96];
    row->verdict = app_claim_half(one, eight);
    row->estimate.trust = one.trust | eight.trust;
    if (isfinite(one.value) && isfinite(eight.value)) {
        row->estimate.valid = true;
        row->estimate.value = one.value / eight.value;
    }
    struct app_estimate first = one, last = eight;
    first.low = first.high = one.value;
    last.low = last.high = eight.value;
    write_occupancy(first, from, sizeof from);
    write_occupancy(last, to, sizeof to);
    app_format(row->now, sizeof row->now, "%s→%s", from, to);
    if (one.low != one.high || eight.low != eight.high) {
        write_occupancy(one, from, sizeof from);
        write_occupancy(eight, to, sizeof to);
        app_format(row->interval, sizeof row->interval, "[%s→%s]", from, to);
    }
    app_format(text, sizeof text,
               "occupancy at which 1 and 8 loads of 4 bytes reach %.0f %% of the best rate",
               app_finding(&analysis, "level")->value.value);
    app_row_note(row, text);
    const struct app_estimate needed = app_finding(&analysis, "needed")->value,
                              flight = app_finding(&analysis, "flight/4")->value;
    if (needed.valid && flight.valid) {
        app_format(text, sizeof text, "%.2f MB in flight, Little's law: %.2f MB",
                   flight.value / 1e6, needed.value / 1e6);
        app_row_note(row, text);
        app_format(row->beside, sizeof row->beside, "%.2f MB in flight", flight.value / 1e6);
    }
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

/* Judges whether eight chains per thread need fewer threads than four, by events net of overhead.
 */
void app_row_ilp_beyond_4(struct app_claim *row, const struct app_claim_facts *facts)
{
    const struct app_probes_view *view = facts->probes;
    if (view == NULL || view->count == 0)
        return;
    if (!view->device->can.warps) {
        app_format(row->note, sizeof row->note, "does not apply to a CPU core");
        return;
    }
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_ILP, view, &analysis);
    const struct app_estimate four = app_finding(&analysis, "net4")->value,
                              eight = app_finding(&analysis, "net8")->value,
                              by_four = app_finding(&analysis, "ilp4")->value,
                              by_eight = app_finding(&analysis, "ilp8")->value;
    if (!four.valid || !eight.valid) {
        if (by_four.valid && by_eight.valid)
            app_format(row->note, sizeof row->note, "no overhead is known");
        return;
    }
    if (app_row_lacks_samples(row,
                              app_row_smaller(app_row_least_samples(view, KRN_TOPIC_ILP, "ilp4"),
                                              app_row_least_samples(view, KRN_TOPIC_ILP, "ilp8"))))
        return;
    char from[32], to[32], text[64];
    row->verdict = app_claim_no_fewer(eight, four);
    row->estimate.trust = four.trust | eight.trust;
    if (isfinite(four.value) && isfinite(eight.value)) {
        row->estimate.valid = true;
        row->estimate.value = four.value / eight.value;
    }
    write_value(four, from, sizeof from);
    write_value(eight, to, sizeof to);
    app_format(row->now, sizeof row->now, "%s→%s", from, to);
    if (four.low != four.high || eight.low != eight.high) {
        write_threads(four, from, sizeof from);
        write_threads(eight, to, sizeof to);
        app_format(row->interval, sizeof row->interval, "[%s→%s]", from, to);
    }
    app_row_note(row, "threads of ILP 4 and 8 that reach 90 % of the peak by events, net");
    if (by_four.valid && by_eight.valid) {
        write_value(by_four, from, sizeof from);
        write_value(by_eight, to, sizeof to);
        app_format(row->beside, sizeof row->beside, "cycles %s→%s", from, to);
        app_format(text, sizeof text, "by the schedulers' %s", row->beside);
        app_row_note(row, text);
    }
}
