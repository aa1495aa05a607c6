/* Three clocks around one SAXPY launch, and the step of the events' clock. */
#include "topics/topic.h"

#include <string.h>

/* The article's array size. */
static const double published_elements = 20.0 * 1048576.0;

static struct app_estimate time_of(const struct app_probes_view *view,
                                   const struct app_result *result)
{
    return app_metric_of(view, result, APP_M_MEDIAN_MS);
}

/* Returns the smallest array's probe of a series; NULL: it has none. */
static const struct app_result *at_least(const struct app_probes_view *view, const char *series)
{
    for (int i = 0; i < view->count; i++)
        if (app_result_is_of(&view->results[i], KRN_TOPIC_TIMER, series))
            return &view->results[i];
    return NULL;
}

/* Adds the time of a clock at the article's size. */
static struct app_estimate add_clock(const struct app_probes_view *view,
                                     struct app_analysis *analysis, const char *series)
{
    const struct app_result *result =
        app_probe_result_find(view, KRN_TOPIC_TIMER, series, published_elements);
    struct app_finding *finding = app_finding_add(analysis, series, time_of(view, result));
    finding->of = result;
    return finding->value;
}

/* Adds the launch's share of the time with a barrier, in percent. */
static void add_share(struct app_analysis *analysis, struct app_estimate launch,
                      struct app_estimate host)
{
    const struct app_estimate ratio = app_estimate_ratio(launch, host);
    struct app_finding *finding =
        app_finding_add(analysis, "launch/host", app_estimate_times(ratio, 100.0));
    if (!ratio.valid)
        return;
    const struct app_number without = app_number_time(launch.value),
                            with = app_number_time(host.value);
    app_format(finding->line, sizeof finding->line,
               "20 Mi elements: the host's clock gives %s %s without a barrier, %s %s with one "
               "(%s %%)",
               without.value, without.unit, with.value, with.unit,
               app_number_plain(100.0 * ratio.value, "").value);
}

/* Adds what the article's pair of events contains besides the kernel, at the smallest size. */
static void add_gap(const struct app_probes_view *view, struct app_analysis *analysis)
{
    const struct app_estimate events = time_of(view, at_least(view, "events")),
                              gated = time_of(view, at_least(view, "gated"));
    if (!events.valid || !gated.valid)
        return;
    struct app_finding *finding =
        app_finding_add(analysis, "events/gated", app_estimate_ratio(events, gated));
    const struct app_number with = app_number_time(events.value),
                            without = app_number_time(gated.value);
    app_format(finding->line, sizeof finding->line,
               "1 Ki elements: events without a gate give %s %s, behind a gate %s %s: the "
               "difference is the wait for the launch",
               with.value, with.unit, without.value, without.unit);
}

/* Adds the smallest step of the clock in microseconds. */
static void add_resolution(const struct app_probes_view *view, struct app_analysis *analysis)
{
    const struct app_result *result =
        app_probe_result_find(view, KRN_TOPIC_TIMER, "resolution", -1.0);
    struct app_finding *finding =
        app_finding_add(analysis, "resolution", app_estimate_times(time_of(view, result), 1e3));
    finding->of = result;
    if (finding->value.valid)
        app_format(finding->line, sizeof finding->line, "%s resolve %s µs (the article: 0.5 µs)",
                   view->device->can.warps ? "Events" : "Readings of the monotonic clock",
                   app_number_plain(finding->value.value, "").value);
}

/* "launch", "host", "events", "gated": the clocks' times in ms at the article's size;
 * "launch/host": the first as a percentage of the second; "events/gated": the ratio at the smallest
 * size; "resolution": in microseconds. */
static void analyse(const struct app_probes_view *view, struct app_analysis *analysis)
{
    const struct app_estimate launch = add_clock(view, analysis, "launch"),
                              host = add_clock(view, analysis, "host");
    (void)add_clock(view, analysis, "events");
    (void)add_clock(view, analysis, "gated");
    add_share(analysis, launch, host);
    add_gap(view, analysis);
    add_resolution(view, analysis);
}

/* Returns the greatest size that every one of these clocks has measured: on a CPU, the article's
 * size takes too long to be measured between frames. 0: there is none. */
static double common_size(const struct app_probes_view *view, const char *const *series,
                          size_t count)
{
    double greatest = 0.0;
    for (int i = 0; i < view->count; i++) {
        const struct krn_probe *probe = view->results[i].probe;
        bool all = app_result_is_of(&view->results[i], KRN_TOPIC_TIMER, series[0]);
        for (size_t s = 0; s < count && all; s++) {
            const struct app_result *result =
                app_probe_result_find(view, KRN_TOPIC_TIMER, series[s], probe->x);
            all = app_result_samples(result) > 0;
        }
        greatest = all && probe->x > greatest ? probe->x : greatest;
    }
    return greatest;
}

/* What each clock gives for one launch. */
static void picture(const struct app_picture_facts *facts, struct app_picture *picture)
{
    static const char *const series[] = {"launch", "host", "events", "gated"},
                             *const gpu[] = {"host's clock, no barrier: wrong",
                                             "host's clock, barrier", "events",
                                             "events, behind a gate"},
                             *const cpu[] = {"handed over: wrong", "and waited for",
                                             "threads' stamps"};
    const struct app_probes_view *view = facts->probes;
    const bool warps = view->device->can.warps;
    const size_t count = warps ? 4 : 3;
    const double size = common_size(view, series, count);
    picture->caption = warps
                           ? "time of one SAXPY by each clock; the wrong one sees the launch alone"
                           : "time of one SAXPY by each clock; the wrong one sees the start alone";
    for (size_t i = 0; i < count && size > 0.0; i++)
        app_picture_metric(
            picture, warps ? gpu[i] : cpu[i], i == 0 ? APP_INK_BAD : APP_INK_CURVE + 2, view,
            app_probe_result_find(view, KRN_TOPIC_TIMER, series[i], size), APP_M_MEDIAN_MS);
    if (!(size > 0.0))
        return;
    const struct app_estimate times[] = {
        time_of(view, app_probe_result_find(view, KRN_TOPIC_TIMER, "launch", size)),
        time_of(view, app_probe_result_find(view, KRN_TOPIC_TIMER, "host", size))};
    const struct app_number launch = app_number_time(times[0].value),
                            host = app_number_time(times[1].value);
    if (times[0].valid && times[1].valid && times[0].value < times[1].value)
        app_picture_say(picture, times, 2, "Without a barrier the host's clock sees %s %s of %s %s",
                        launch.value, launch.unit, host.value, host.unit);
}

const struct app_topic app_topic_timer = {
    .topic = KRN_TOPIC_TIMER,
    .text = APP_TEXT_METRICS,
    .title = "One SAXPY launch by three clocks",
    .panel_title = "Three clocks",
    .metric = {APP_M_MEDIAN_MS, APP_M_MEDIAN_MS},
    .formulas = {"resolution = smallest difference between two readings of the clock",
                 "launch / host = time without a barrier / time with one"},
    .analyse = analyse,
    .picture = picture,
};
