#include "topics/claims.h"

#include "base/value.h"
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
    [APP_CLAIM_ILP] = {"ilp-threads", "ILP 1 to 4 hides latency with fewer threads", "GTX 480",
                       "576→192", 0.0},
};

/* A level HOLDS within this many percentage points of the claim. */
static const double level_points = 5.0;

const char *app_claim_verdict_name(enum app_claim_verdict verdict)
{
    static const char *const names[] = {"not measured", "HOLDS", "INVERTED", "CAN'T TELL",
                                        "ABOVE",        "BELOW", "FAILS"};
    return names[verdict];
}

double app_claim_claimed(enum app_claim_id id)
{
    return texts[id].claimed;
}

enum app_claim_verdict app_claim_ratio(struct app_estimate ratio, double claimed,
                                       double band_percent)
{
    if (!ratio.valid)
        return APP_CLAIM_NOT_MEASURED;
    if (!ratio.has_interval)
        return APP_CLAIM_CANT_TELL;
    const double over = 1.0 + band_percent / 100.0;
    const bool greater = ratio.low > over, less = ratio.high < 1.0 / over;
    if (!greater && !less)
        return APP_CLAIM_CANT_TELL;
    return greater == (claimed > 1.0) ? APP_CLAIM_HOLDS : APP_CLAIM_INVERTED;
}

enum app_claim_verdict app_claim_level(struct app_estimate percent, double claimed)
{
    if (!percent.valid)
        return APP_CLAIM_NOT_MEASURED;
    if (percent.value > claimed + level_points)
        return APP_CLAIM_ABOVE;
    return percent.value < claimed - level_points ? APP_CLAIM_BELOW : APP_CLAIM_HOLDS;
}

enum app_claim_verdict app_claim_ilp(const double threads[4])
{
    for (int i = 0; i < 4; i++)
        if (threads[i] < 0.0)
            return APP_CLAIM_FAILS;
    for (int i = 1; i < 4; i++)
        if (!(threads[i] < threads[i - 1]))
            return APP_CLAIM_FAILS;
    return threads[3] <= threads[0] / 2.0 ? APP_CLAIM_HOLDS : APP_CLAIM_FAILS;
}

static void write_interval(struct app_claim *row)
{
    const struct app_estimate *e = &row->estimate;
    if (e->valid && e->has_interval)
        snprintf(row->interval, sizeof row->interval, "[%s, %s]",
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
        snprintf(row->note, sizeof row->note, "%s", why);
    write_interval(row);
}

static void judge_saxpy(struct app_claim *row, const struct app_probes_view *view, double claimed)
{
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_SAXPY, view, &analysis);
    row->estimate = app_finding(&analysis, "published")->value;
    row->verdict = app_claim_level(row->estimate, claimed);
    if (view->count > 0 && !(view->ceilings.bandwidth_gbps > 0.0))
        snprintf(row->note, sizeof row->note, "no theoretical bandwidth known");
    if (!row->estimate.valid)
        return;
    snprintf(row->now, sizeof row->now, "%s %%", app_number_plain(row->estimate.value, "").value);
    const struct app_estimate most = app_finding(&analysis, "vector")->value;
    if (most.valid)
        snprintf(row->note, sizeof row->note, "best kernel %s %%",
                 app_number_plain(most.value, "").value);
    write_interval(row);
}

static void judge_access(struct app_claim *row, const struct app_probes_view *view, double claimed,
                         double band_percent)
{
    const bool warps = view->device->can.warps;
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_ACCESS, view, &analysis);
    const struct app_estimate by_time = app_finding(&analysis, "by time")->value;
    judge_ratio(row, app_finding(&analysis, "chunk")->value, claimed, band_percent, NULL);
    if (!by_time.valid && !warps)
        snprintf(row->note, sizeof row->note, "over 2 ms per slice: key {measure}");
    if (by_time.valid && warps)
        snprintf(row->note, sizeof row->note, "by events %s×",
                 app_number_plain(by_time.value, "").value);
    else if (by_time.valid)
        snprintf(row->note, sizeof row->note, "in time, one thread");
}

/* Judges the ILP claim; `now` shows the thread counts of ILP 1 and ILP 4 with an arrow between. */
static void judge_ilp(struct app_claim *row, const struct app_probes_view *view)
{
    struct app_analysis analysis;
    double threads[4];
    char note[100];
    app_topic_analyse(KRN_TOPIC_ILP, view, &analysis);
    app_format(note, sizeof note, "%.0f %% at", app_finding(&analysis, "level")->value.value);
    for (int i = 0; i < 4; i++) {
        char key[16];
        snprintf(key, sizeof key, "ilp%d", i + 1);
        const struct app_estimate least = app_finding(&analysis, key)->value;
        if (!least.valid)
            return;
        threads[i] = isfinite(least.value) ? least.value : -1.0;
        const size_t used = strlen(note);
        if (threads[i] < 0.0)
            snprintf(note + used, sizeof note - used, " never");
        else
            app_format(note + used, sizeof note - used, " %.0f", threads[i]);
    }
    row->verdict = app_claim_ilp(threads);
    if (threads[0] > 0.0 && threads[3] > 0.0) {
        app_format(row->now, sizeof row->now, "%.0f→%.0f", threads[0], threads[3]);
        row->estimate = (struct app_estimate){.valid = true, .value = threads[0] / threads[3]};
    }
    snprintf(row->note, sizeof row->note, "%s threads", note);
}

void app_claim_scene(int spheres, int width, int height, char *text, size_t size)
{
    const bool book = spheres == 20 && width == 1024 && height == 1024;
    if (size > 0)
        text[0] = 0;
    if (!book)
        snprintf(text, size, "%d spheres, %d×%d", spheres, width, height);
}

void app_claims_judge(const struct app_claim_facts *facts, struct app_claim claims[APP_CLAIM_COUNT])
{
    const double band = facts->band_percent;
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
    judge_ratio(&claims[APP_CLAIM_CONSTANT_KERNEL], facts->kernel_ratio,
                texts[APP_CLAIM_CONSTANT_KERNEL].claimed, band, facts->no_kernel);
    judge_ratio(&claims[APP_CLAIM_CONSTANT_WINDOW], facts->window_ratio,
                texts[APP_CLAIM_CONSTANT_WINDOW].claimed, band, facts->no_window);
    if (facts->window_age != NULL && facts->window_ratio.valid)
        snprintf(claims[APP_CLAIM_CONSTANT_WINDOW].note, sizeof claims->note, "%s",
                 facts->window_age);
    if (facts->scene != NULL && facts->kernel_ratio.valid)
        snprintf(claims[APP_CLAIM_CONSTANT_KERNEL].note, sizeof claims->note, "%s", facts->scene);
    if (facts->probes == NULL || facts->probes->count == 0)
        return;
    judge_saxpy(&claims[APP_CLAIM_SAXPY], facts->probes, texts[APP_CLAIM_SAXPY].claimed);
    judge_access(&claims[APP_CLAIM_ACCESS], facts->probes, texts[APP_CLAIM_ACCESS].claimed, band);
    judge_ilp(&claims[APP_CLAIM_ILP], facts->probes);
    if (!facts->probes->device->can.warps &&
        claims[APP_CLAIM_ILP].verdict == APP_CLAIM_NOT_MEASURED)
        snprintf(claims[APP_CLAIM_ILP].note, sizeof claims->note, "does not apply to a CPU core");
}
