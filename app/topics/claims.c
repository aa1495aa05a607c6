#include "topics/claims.h"

#include "base/value.h"
#include "judge/trust.h"
#include "topics/topics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The published claims, in words and as the numbers that the verdicts use. */
static const struct {
    const char *id, *claim, *device, *then;
    double claimed;
} texts[APP_CLAIM_COUNT] = {
    [APP_CLAIM_CONSTANT_KERNEL] = {"constant-kernel",
                                   "Constant memory makes the ray tracer faster: the kernel",
                                   "GTX 280", "1.5×", 1.5},
    [APP_CLAIM_CONSTANT_WINDOW] = {"constant-window", "The same by the book's own timing window",
                                   "GTX 280", "1.5×", 1.5},
    [APP_CLAIM_SAXPY] = {"saxpy-bandwidth", "SAXPY reaches three quarters of the memory's peak",
                         "Tesla M2050", "74.6 %", 74.6},
    [APP_CLAIM_ACCESS] = {"coalesced-cycles", "Coalesced reads beat chunked ones, in cycles",
                          "797 MHz GPU", "7.26×", 7.26},
    [APP_CLAIM_ILP] = {"ilp-threads", "ILP 1 to 4 hides latency with fewer threads, by net events",
                       "GTX 480", "576→192", 0.0},
};

/* A level HOLDS within this many percentage points of the claim, a ratio's size within this factor
 * of it. */
static const double level_points = 5.0, size_factor = 1.1;

const char *app_claim_verdict_name(enum app_claim_verdict verdict)
{
    static const char *const names[APP_CLAIM_VERDICTS] = {[APP_CLAIM_NOT_MEASURED] = "not measured",
                                                          [APP_CLAIM_HOLDS] = "HOLDS",
                                                          [APP_CLAIM_SMALLER] = "SMALLER",
                                                          [APP_CLAIM_LARGER] = "LARGER",
                                                          [APP_CLAIM_INVERTED] = "INVERTED",
                                                          [APP_CLAIM_CANT_TELL] = "CAN'T TELL",
                                                          [APP_CLAIM_ABOVE] = "ABOVE",
                                                          [APP_CLAIM_BELOW] = "BELOW",
                                                          [APP_CLAIM_FAILS] = "FAILS",
                                                          [APP_CLAIM_WRONG] = "WRONG",
                                                          [APP_CLAIM_DO_NOT_QUOTE] =
                                                              "DO NOT QUOTE"};
    return names[verdict];
}

double app_claim_claimed(enum app_claim_id id)
{
    return texts[id].claimed;
}

/* --- the rules --- */

/* Returns the word that takes the place of a verdict; APP_CLAIM_VERDICTS: a verdict may be given.
 */
static enum app_claim_verdict barred(const struct app_estimate *estimate)
{
    if (!estimate->valid)
        return APP_CLAIM_NOT_MEASURED;
    if (estimate->trust & APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE))
        return APP_CLAIM_WRONG;
    return app_trust_level(estimate->trust) == APP_TRUST_RED ? APP_CLAIM_DO_NOT_QUOTE
                                                             : APP_CLAIM_VERDICTS;
}

enum app_claim_verdict app_claim_ratio(struct app_estimate ratio, double claimed,
                                       double band_percent)
{
    const enum app_claim_verdict bar = barred(&ratio);
    if (bar != APP_CLAIM_VERDICTS)
        return bar;
    /* A claim below 1 is the claim of its inverse about the inverse ratio. */
    const bool below = claimed < 1.0;
    const struct krn_interval given = app_estimate_verdict_interval(ratio);
    const double low = below ? 1.0 / given.high : given.low,
                 high = below ? 1.0 / given.low : given.high,
                 size = below ? 1.0 / claimed : claimed, over = 1.0 + band_percent / 100.0;
    if (!given.valid)
        return APP_CLAIM_CANT_TELL;
    if (high < 1.0 / over)
        return APP_CLAIM_INVERTED;
    if (!(low > over))
        return APP_CLAIM_CANT_TELL;
    if (low >= size / size_factor && high <= size * size_factor)
        return APP_CLAIM_HOLDS;
    return high < size / size_factor  ? APP_CLAIM_SMALLER
           : low > size * size_factor ? APP_CLAIM_LARGER
                                      : APP_CLAIM_CANT_TELL;
}

/* Returns true when the direction of a claimed ratio is found, whatever its size. */
static bool same_direction(struct app_estimate ratio, double claimed, double band_percent)
{
    const struct krn_interval interval = app_estimate_verdict_interval(ratio);
    const double over = 1.0 + band_percent / 100.0;
    return interval.valid && (claimed < 1.0 ? interval.high < 1.0 / over : interval.low > over);
}

enum app_claim_verdict app_claim_level(struct app_estimate percent, double claimed)
{
    const enum app_claim_verdict bar = barred(&percent);
    const struct krn_interval interval = app_estimate_verdict_interval(percent);
    const double least = claimed - level_points, most = claimed + level_points;
    if (bar != APP_CLAIM_VERDICTS)
        return bar;
    if (!interval.valid)
        return APP_CLAIM_CANT_TELL;
    if (interval.low >= least && interval.high <= most)
        return APP_CLAIM_HOLDS;
    return interval.low > most     ? APP_CLAIM_ABOVE
           : interval.high < least ? APP_CLAIM_BELOW
                                   : APP_CLAIM_CANT_TELL;
}

enum app_claim_verdict app_claim_ilp(const struct app_estimate threads[APP_CLAIM_ILPS])
{
    const struct app_estimate *first = &threads[0], *last = &threads[APP_CLAIM_ILPS - 1];
    struct app_estimate all = {.valid = true};
    bool known = true;
    for (int i = 0; i < APP_CLAIM_ILPS; i++) {
        all.valid = all.valid && threads[i].valid;
        known = known && threads[i].has_interval;
        all.trust |= threads[i].trust;
    }
    const enum app_claim_verdict bar = barred(&all);
    if (bar != APP_CLAIM_VERDICTS)
        return bar;
    if (!known)
        return APP_CLAIM_CANT_TELL;
    /* Infinite threads: the level is not reached. */
    bool holds = isfinite(first->high) && last->high <= first->low / 2.0,
         fails = isinf(first->low) || last->low > first->high / 2.0;
    for (int i = 1; i < APP_CLAIM_ILPS; i++) {
        holds = holds && threads[i].high < threads[i - 1].low;
        fails = fails || isinf(threads[i].low) || threads[i].low >= threads[i - 1].high;
    }
    return holds ? APP_CLAIM_HOLDS : fails ? APP_CLAIM_FAILS : APP_CLAIM_CANT_TELL;
}

/* --- the rows --- */

static void write_interval(struct app_claim *row)
{
    const struct app_estimate *e = &row->estimate;
    if (e->valid && e->has_interval)
        app_format(row->interval, sizeof row->interval, "[%s, %s]",
                   app_number_plain(e->low, "").value, app_number_plain(e->high, "").value);
}

static void judge_ratio(struct app_claim *row, struct app_estimate ratio, double claimed,
                        double band_percent, const char *why)
{
    row->estimate = ratio;
    row->verdict = app_claim_ratio(ratio, claimed, band_percent);
    if (ratio.valid)
        snprintf(row->now, sizeof row->now, "%s×", app_number_plain(ratio.value, "").value);
    else if (why != NULL)
        app_format(row->note, sizeof row->note, "%s", why);
    if (row->verdict == APP_CLAIM_CANT_TELL && same_direction(ratio, claimed, band_percent))
        app_format(row->note, sizeof row->note, "faster, but by how much is open");
    write_interval(row);
}

/* Adds to a row's note, after what it says already. */
static void add_note(struct app_claim *row, const char *text)
{
    const size_t used = strlen(row->note);
    app_format(row->note + used, sizeof row->note - used, "%s%s", used > 0 ? "; " : "", text);
}

static void judge_kernel(struct app_claim *row, const struct app_claim_facts *facts)
{
    char text[96];
    judge_ratio(row, facts->kernel_ratio, texts[APP_CLAIM_CONSTANT_KERNEL].claimed,
                facts->band_percent, facts->no_kernel);
    if (facts->kernel_ratio.valid && facts->kernel_net_ratio.valid) {
        app_format(text, sizeof text, "net of overhead %s×",
                   app_number_plain(facts->kernel_net_ratio.value, "").value);
        add_note(row, text);
    }
    if (facts->scene_ratio.valid) {
        const struct app_number here = app_number_plain(facts->scene_ratio.value, "");
        const bool named = facts->scene != NULL && facts->scene[0] != 0;
        app_format(text, sizeof text, "this scene%s%s%s %s×", named ? " (" : "",
                   named ? facts->scene : "", named ? ")" : "", here.value);
        add_note(row, text);
        app_format(row->beside, sizeof row->beside, "here %.2f×", facts->scene_ratio.value);
    } else if (facts->no_scene != NULL) {
        app_format(text, sizeof text, "here: %s", facts->no_scene);
        add_note(row, text);
    }
    if (facts->age != NULL && facts->kernel_ratio.valid)
        add_note(row, facts->age);
}

static void judge_window(struct app_claim *row, const struct app_claim_facts *facts)
{
    judge_ratio(row, facts->window_ratio, texts[APP_CLAIM_CONSTANT_WINDOW].claimed,
                facts->band_percent, facts->no_window);
    if (!facts->window_ratio.valid)
        return;
    if (facts->load_ms > 0.0) {
        char load[48];
        const struct app_number time = app_number_time(facts->load_ms);
        app_format(load, sizeof load, "loading took %s %s", time.value, time.unit);
        add_note(row, load);
        app_format(row->method, sizeof row->method, "Window: without %s %s for loading", time.value,
                   time.unit);
    }
    if (facts->age != NULL)
        add_note(row, facts->age);
}

/* Takes the number off a row that rests on a probe with too few samples. Returns true when it did.
 */
static bool lacks_samples(struct app_claim *row, size_t least)
{
    if (least >= APP_CLAIM_SAMPLES)
        return false;
    row->estimate = (struct app_estimate){.valid = false};
    row->verdict = APP_CLAIM_NOT_MEASURED;
    app_format(row->note, sizeof row->note, "not enough samples: %zu of %d", least,
               APP_CLAIM_SAMPLES);
    return true;
}

static void judge_saxpy(struct app_claim *row, const struct app_probes_view *view)
{
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_SAXPY, view, &analysis);
    const struct app_finding *published = app_finding(&analysis, "published");
    row->estimate = published->value;
    row->verdict = app_claim_level(row->estimate, texts[APP_CLAIM_SAXPY].claimed);
    if (view->count > 0 && !(view->ceilings.bandwidth_gbps > 0.0))
        app_format(row->note, sizeof row->note, "no theoretical peak known");
    if (!row->estimate.valid || lacks_samples(row, published->of->n))
        return;
    snprintf(row->now, sizeof row->now, "%s %%", app_number_plain(row->estimate.value, "").value);
    write_interval(row);
    const struct app_estimate most = app_finding(&analysis, "vector")->value;
    if (most.valid) {
        char text[48];
        app_format(text, sizeof text, "best kernel %s %%", app_number_plain(most.value, "").value);
        add_note(row, text);
        app_format(row->beside, sizeof row->beside, "best %s %%",
                   app_number_plain(most.value, "").value);
    }
}

/* Returns the least number of samples among a topic's probes of a series; 0: it has none. */
static size_t least_samples(const struct app_probes_view *view, enum krn_topic topic,
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

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void judge_access(struct app_claim *row, const struct app_probes_view *view,
                         double band_percent)
{
    const bool warps = view->device->can.warps;
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_ACCESS, view, &analysis);
    const struct app_estimate by_time = app_finding(&analysis, "by time")->value;
    const size_t least =
        smaller(least_samples(view, KRN_TOPIC_ACCESS, warps ? "chunk/warm" : "chunk/one"),
                least_samples(view, KRN_TOPIC_ACCESS, warps ? "strided/warm" : "strided/one"));
    const struct app_estimate chunk = app_finding(&analysis, "chunk")->value;
    if (chunk.valid && lacks_samples(row, least))
        return;
    judge_ratio(row, chunk, texts[APP_CLAIM_ACCESS].claimed, band_percent, NULL);
    if (!by_time.valid && !warps)
        app_format(row->note, sizeof row->note, "over 2 ms per slice: key {measure}");
    if (by_time.valid && warps) {
        char text[48];
        app_format(row->beside, sizeof row->beside, "events %s×",
                   app_number_plain(by_time.value, "").value);
        app_format(text, sizeof text, "by %s", row->beside);
        add_note(row, text);
    } else if (by_time.valid) {
        add_note(row, "in time, one thread");
    }
}

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
    add_note(row, text);
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
static void judge_ilp(struct app_claim *row, const struct app_probes_view *view)
{
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
        least = smaller(least, least_samples(view, KRN_TOPIC_ILP, series));
        row->estimate.trust |= net[i].trust;
    }
    if (lacks_samples(row, least))
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

void app_claim_scene(bool book, int spheres, int width, int height, char *text, size_t size)
{
    if (size > 0)
        text[0] = 0;
    if (!book)
        snprintf(text, size, "%d spheres, %d×%d", spheres, width, height);
}

void app_claims_judge(const struct app_claim_facts *facts, struct app_claim claims[APP_CLAIM_COUNT])
{
    memset(claims, 0, APP_CLAIM_COUNT * sizeof *claims);
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        claims[i].id = texts[i].id;
        claims[i].claim = texts[i].claim;
        claims[i].device = texts[i].device;
        claims[i].then = texts[i].then;
        claims[i].scope = "judged from the other results of this record";
        snprintf(claims[i].now, sizeof claims[i].now, "–");
    }
    if (facts->kernel_scope != NULL)
        claims[APP_CLAIM_CONSTANT_KERNEL].scope = facts->kernel_scope;
    if (facts->window_scope != NULL)
        claims[APP_CLAIM_CONSTANT_WINDOW].scope = facts->window_scope;
    judge_kernel(&claims[APP_CLAIM_CONSTANT_KERNEL], facts);
    judge_window(&claims[APP_CLAIM_CONSTANT_WINDOW], facts);
    if (facts->probes != NULL && facts->probes->count > 0) {
        judge_saxpy(&claims[APP_CLAIM_SAXPY], facts->probes);
        judge_access(&claims[APP_CLAIM_ACCESS], facts->probes, facts->band_percent);
        judge_ilp(&claims[APP_CLAIM_ILP], facts->probes);
    }
    for (int i = 0; i < APP_CLAIM_COUNT; i++)
        claims[i].trust = claims[i].estimate.trust;
}
