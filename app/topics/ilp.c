/* Instruction-level parallelism: chains of dependent multiply-adds. */
#include "topics/topic.h"

#include <math.h>
#include <string.h>

enum { CHAINS = 5, POINTS = 64 };

static const int chains[CHAINS] = {1, 2, 3, 4, 8};

/* The percentage of its peak from which a multiprocessor counts as full. */
static const double level_percent = 90.0;

/* Finds the threads at which one curve reaches the level, and the multiply-adds that are in flight
 * then: infinite if it never does; no value while points are missing, since a gap would give a
 * later one. `needed`: multiply-adds in flight that Little's law requires. */
static void analyse_curve(const struct app_probes_view *view, int chain_count, double needed,
                          struct app_analysis *analysis)
{
    const enum krn_topic topic = KRN_TOPIC_ILP;
    double x[POINTS], y[POINTS];
    char reached[48] = "never reached", events[32] = "";
    const struct app_phrase key = app_phrase("ilp%d", chain_count);
    const char *const series = key.text;
    const size_t n =
        app_probe_result_curve(view, topic, series, APP_M_OF_PEAK_PERCENT, x, y, POINTS);
    const bool complete = n > 0 && app_series_complete(view, topic, series);
    const double least = n > 0 ? krn_least_reaching(x, y, n, level_percent) : -1.0;
    const struct app_estimate none = {.valid = false};
    struct app_finding *finding = app_finding_add(
        analysis, series,
        !complete ? none : app_estimate_plain(least >= 0.0 ? least : (double)INFINITY));
    app_finding_add(analysis, app_phrase("flight%d", chain_count).text,
                    !complete || least < 0.0 ? none : app_estimate_plain(least * chain_count));
    if (n == 0 || !(needed > 0.0))
        return;
    const struct app_estimate by_time =
        app_series_value(view, topic, series, x[n - 1], APP_M_OF_PEAK_BY_TIME_PERCENT);
    if (least >= 0.0)
        app_format(reached, sizeof reached, "at %.0f threads, %.0f in flight", least,
                   least * chain_count);
    if (by_time.valid)
        app_format(events, sizeof events, ", by events %.1f %%", by_time.value);
    app_format(finding->line, sizeof finding->line,
               "ILP %d: %.0f %% of the peak %s (law: %.0f threads), %.1f %% at %.0f%s", chain_count,
               level_percent, reached, needed / chain_count, y[n - 1], x[n - 1], events);
}

/* Returns the threads at which a curve reaches the level by events net of overhead. */
static struct app_estimate net_threads(const struct app_probes_view *view, const char *series)
{
    return app_series_reach(view, KRN_TOPIC_ILP, series, APP_M_OF_PEAK_NET_PERCENT, level_percent);
}

/* "throughput": multiply-adds of all processors per cycle; "level": the percentage that counts as
 * full; "latency": cycles of a multiply-add; "needed": multiply-adds in flight by Little's law;
 * "ilp1" to "ilp8": the threads that reach the level by the schedulers' cycles; "flight1" to
 * "flight8": the multiply-adds in flight then; "net1" to "net8": the threads that reach it by
 * events net of overhead. */
static void analyse(const struct app_probes_view *view, struct app_analysis *analysis)
{
    const double lanes = view->ceilings.fma_per_cycle;
    const struct app_result *const one = app_probe_result_find(view, KRN_TOPIC_ILP, "ilp1", 32.0);
    const struct app_estimate latency = app_metric_of(view, one, APP_M_CYCLES_PER_STEP);
    const bool law = latency.valid && lanes > 0.0;
    const double needed = law ? krn_little(latency.value, lanes) : 0.0;
    app_finding_add(analysis, "level", app_estimate_plain(level_percent));
    struct app_finding *const found = app_finding_add(analysis, "latency", latency);
    found->of = one;
    if (latency.valid)
        app_format(found->line, sizeof found->line, "Arithmetic latency: %.2f cycles",
                   latency.value);
    if (law)
        app_format(app_finding_add(analysis, "needed", app_estimate_plain(needed))->line,
                   sizeof analysis->findings->line,
                   "Little's law: %.2f cycles x %.0f lanes = %.0f multiply-adds in flight",
                   latency.value, lanes, needed);
    if (lanes > 0.0) {
        const double all = lanes * view->device->processors;
        app_format(app_finding_add(analysis, "throughput", app_estimate_plain(all))->line,
                   sizeof analysis->findings->line,
                   "Throughput: %d x %.0f lanes = %.0f multiply-adds per cycle (GTX 480: 480)",
                   view->device->processors, lanes, all);
    }
    for (int i = 0; i < CHAINS; i++) {
        analyse_curve(view, chains[i], needed, analysis);
        app_finding_add(analysis, app_phrase("net%d", chains[i]).text,
                        net_threads(view, app_phrase("ilp%d", chains[i]).text));
    }
}

/* By events net of overhead, as the claim is judged. */
static void picture(const struct app_picture_facts *facts, struct app_picture *picture)
{
    const struct app_probes_view *view = facts->probes;
    struct app_analysis analysis = {.count = 0};
    analyse(view, &analysis);
    if (!view->device->can.warps) {
        const struct app_estimate rates[] = {
            app_series_value(view, KRN_TOPIC_ILP, "one", 1.0, APP_M_GFLOPS),
            app_series_value(view, KRN_TOPIC_ILP, "one", 8.0, APP_M_GFLOPS)};
        app_picture_axes(picture, app_axis("chains per thread", APP_AXIS_PLAIN, APP_SCALE_POWERS),
                         app_axis("GFLOP/s", APP_AXIS_PLAIN, APP_SCALE_LINEAR));
        app_picture_curve(picture, view, KRN_TOPIC_ILP, "one", APP_M_GFLOPS, "one thread",
                          APP_INK_CURVE + 3);
        app_picture_curve(picture, view, KRN_TOPIC_ILP, "all", APP_M_GFLOPS, "all threads",
                          APP_INK_CURVE)
            ->strong = true;
        app_picture_say(picture, rates, 2, "Eight independent chains make one thread %s× as fast",
                        app_number_plain(rates[1].value / rates[0].value, "").value);
        return;
    }
    /* As far as one chain needs. */
    const double one = net_threads(view, "ilp1").value,
                 last = isfinite(one) && one > 32.0 ? exp2(ceil(log2(one))) : 1024.0;
    app_picture_axes(
        picture,
        (struct app_axis){"threads on a multiprocessor", APP_AXIS_PLAIN, APP_SCALE_POWERS, 32,
                          last},
        (struct app_axis){"share of the peak; it dips where a scheduler has more warps than others",
                          APP_AXIS_PERCENT, APP_SCALE_LINEAR, 0, 110});
    double from[CHAINS];
    for (int i = 0; i < CHAINS; i++) {
        const struct app_phrase key = app_phrase("ilp%d", chains[i]);
        app_picture_curve(picture, view, KRN_TOPIC_ILP, key.text, APP_M_OF_PEAK_NET_PERCENT, "",
                          (enum app_ink)(APP_INK_CURVE + i));
        from[i] = net_threads(view, key.text).value;
    }
    /* The curves meet at the right: each has its name where the first of them reaches the level,
     * and the threads where it does so itself. */
    const double first = from[CHAINS - 1];
    for (int i = 0; i < CHAINS && isfinite(first) && first > 0.0; i++) {
        const struct app_phrase key = app_phrase("ilp%d", chains[i]);
        const struct app_estimate there = app_series_value(view, KRN_TOPIC_ILP, key.text, first,
                                                           APP_M_OF_PEAK_NET_PERCENT),
                                  reaching = app_series_value(view, KRN_TOPIC_ILP, key.text,
                                                              from[i], APP_M_OF_PEAK_NET_PERCENT);
        /* Curves that lie on each other share a name. */
        const bool shared = i > 0 && from[i] == first && from[i - 1] == first;
        const bool more = i + 1 < CHAINS && from[i] == first && from[i + 1] == first;
        const struct app_phrase name =
            more ? app_phrase("%d, %d chains: %.0f", chains[i], chains[i + 1], first)
                 : app_phrase(i == 0 ? "%d chain" : "%d chains", chains[i]);
        if (there.valid && !shared)
            app_picture_mark(picture, name.text, (enum app_ink)(APP_INK_CURVE + i), first,
                             there.value, false);
        if (reaching.valid && from[i] != first && (i == 0 || from[i] != from[i - 1]))
            app_picture_mark(picture, app_phrase("%.0f", from[i]).text,
                             (enum app_ink)(APP_INK_CURVE + i), from[i], reaching.value, false);
    }
    app_picture_level(picture, "full: 90 %", level_percent);
    const struct app_estimate threads[] = {
        app_finding(&analysis, "net1")->value, app_finding(&analysis, "net2")->value,
        app_finding(&analysis, "net3")->value, app_finding(&analysis, "net4")->value};
    if (isfinite(threads[0].value) && isfinite(threads[1].value) && isfinite(threads[2].value) &&
        isfinite(threads[3].value))
        app_picture_say(picture, threads, 4,
                        "Four chains reach 90 %% of the peak with %.0f threads, one with %.0f",
                        threads[3].value, threads[0].value);
}

const struct app_topic app_topic_ilp = {
    .topic = KRN_TOPIC_ILP,
    .text = APP_TEXT_SLIDES,
    .title = "Instruction-level parallelism",
    .panel_title = "Parallelism (ILP)",
    .matrix = true,
    .metric = {APP_M_OF_PEAK_PERCENT, APP_M_GFLOPS},
    .formulas = {"% of the peak = multiply-adds / (cycles × lanes)",
                 "GFLOP/s = 2 × multiply-adds / time",
                 "needed in flight = latency × lanes (Little's law)"},
    .analyse = analyse,
    .picture = picture,
};
