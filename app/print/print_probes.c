/* A topic's probes: one row each, or a matrix with a column for each series; then the findings. */
#include "print/page.h"

#include "base/numbers.h"
#include "base/value.h"
#include "topics/topic.h"

#include <math.h>
#include <string.h>

enum { SERIES_MAX = 24, AXES_MAX = 8 };

/* A topic being printed. */
struct topic {
    struct app_page *page;
    enum krn_topic id;
    struct app_results_probes probes;
    unsigned common; /* reasons that hold for all probes of a matrix */
};

static const struct app_result *result_of(const struct topic *topic,
                                          const struct app_probe_result *probe_result)
{
    return topic->probes.of[probe_result - topic->probes.results];
}

static bool belongs(const struct topic *topic, int i)
{
    return topic->probes.probes[i].topic == topic->id;
}

/* Returns net over raw time; 1 where the net time of a process is not known. */
static double net_share(const struct app_result *result)
{
    const struct app_estimate raw = app_result_estimate(result, "median_ms"),
                              net = app_result_estimate(result, "net_ms");
    return raw.valid && net.valid ? net.value / raw.value : 1.0;
}

static bool has_net(const struct app_result *result)
{
    return app_result_estimate(result, "net_ms").valid;
}

/* --- one row per probe --- */

/* The rates of a probe, with a column each. `net`: a second column has the rate by net time. */
static const struct rate {
    enum app_metric metric;
    const char *title, *net;
} rates[] = {{APP_METRIC_GBPS, "bandwidth", "net bandwidth"},
             {APP_METRIC_OF_THEORETICAL, "of theoretical", "net of theoretical"},
             {APP_METRIC_MOVED_GBPS, "moved", NULL},
             {APP_METRIC_GFLOPS, "arithmetic", NULL},
             {APP_METRIC_OF_COMPUTED, "of computed peak", "net of computed peak"},
             {APP_METRIC_GOPS, "operations", NULL},
             {APP_METRIC_CYCLES, "cycles", NULL}};
enum { RATES = sizeof rates / sizeof *rates };

static void number_cell(struct app_table *table, enum app_metric metric, struct app_estimate e)
{
    const struct app_number number = app_metric_number(metric, e);
    if (e.valid && metric == APP_METRIC_CYCLES)
        app_table_cell(table, "%s", number.value);
    else if (e.valid)
        app_table_cell(table, "%s %s", number.value, number.unit);
    else
        app_table_cell(table, "%s", "");
}

static void add_rates(const struct topic *topic, struct app_table *table, int i)
{
    const struct app_probes_view *view = &topic->probes.view;
    const struct app_probe_result *probe_result = &topic->probes.results[i];
    const struct krn_probe *probe = probe_result->probe;
    const struct app_result *result = result_of(topic, probe_result);
    for (size_t r = 0; r < RATES; r++) {
        struct app_estimate e = app_metric_of(view, probe_result, rates[r].metric);
        /* The bytes moved are printed only where they differ from the useful ones. */
        e.valid = e.valid && !(rates[r].metric == APP_METRIC_MOVED_GBPS &&
                               probe->moved_bytes == probe->useful_bytes);
        number_cell(table, rates[r].metric, e);
        if (rates[r].net) {
            e = app_estimate_times(e, 1.0 / net_share(result));
            e.valid = e.valid && has_net(result);
            number_cell(table, rates[r].metric, e);
        }
    }
    if (probe->sectors > 0.0)
        app_table_cell(table, "%.1f", probe->sectors);
    else
        app_table_cell(table, "%s", "");
}

/* Lists the series on an axis, or on all axes for NULL, in the order of the probes. */
static size_t list_series(const struct topic *topic, const char *axis, const char **series)
{
    size_t count = 0;
    for (int i = 0; i < topic->probes.view.count; i++) {
        const struct krn_probe *probe = &topic->probes.probes[i];
        bool known = !belongs(topic, i) || (axis && strcmp(probe->axis, axis) != 0);
        for (size_t s = 0; s < count; s++)
            known = known || strcmp(series[s], probe->series) == 0;
        if (!known && count < SERIES_MAX)
            series[count++] = probe->series;
    }
    return count;
}

/* Writes "vector, 20 Mi elements", or "offset 4" where the series is named after its axis. */
static void name_probe(const struct krn_probe *probe, char *text, size_t size)
{
    static const struct {
        double unit;
        const char *prefix;
    } prefixes[] = {{1048576.0, " Mi"}, {1024.0, " Ki"}, {1.0, ""}};
    char x[40];
    size_t p = 0;
    while (probe->x == 0.0 ? prefixes[p].unit > 1.0 : fmod(probe->x, prefixes[p].unit) != 0.0)
        if (++p + 1 == sizeof prefixes / sizeof *prefixes)
            break;
    app_format(x, sizeof x, "%.0f%s", probe->x / prefixes[p].unit, prefixes[p].prefix);
    if (strcmp(probe->series, probe->axis) == 0)
        snprintf(text, size, "%s %s", probe->series, x);
    else
        snprintf(text, size, "%s, %s %s", probe->series, x, probe->axis);
}

static void add_probe(const struct topic *topic, struct app_table *table, int i)
{
    const struct app_result *result = result_of(topic, &topic->probes.results[i]);
    const struct app_estimate median = app_result_estimate(result, "median_ms");
    const struct app_shown shown = app_shown_time(&median);
    char name[80];
    name_probe(&topic->probes.probes[i], name, sizeof name);
    app_table_row(table);
    app_table_cell(table, "%s", name);
    app_page_value_cells(topic->page, table, &median, &shown);
    app_page_net_cells(table, result);
    app_page_end_cells(topic->page, table, result);
    add_rates(topic, table, i);
}

/* Adds the probes of one series by ascending x. */
static void add_series(const struct topic *topic, struct app_table *table, const char *series)
{
    const struct app_results_probes *probes = &topic->probes;
    for (double last = -INFINITY;;) {
        int next = -1;
        for (int i = 0; i < probes->view.count; i++)
            if (belongs(topic, i) && strcmp(probes->probes[i].series, series) == 0 &&
                probes->probes[i].x > last &&
                (next < 0 || probes->probes[i].x < probes->probes[next].x))
                next = i;
        if (next < 0)
            return;
        add_probe(topic, table, next);
        last = probes->probes[next].x;
    }
}

/* Returns the reasons that hold for all probes on an axis; NULL: for all of the topic. */
static unsigned common_reasons(const struct topic *topic, const char *axis)
{
    unsigned common = ~0u;
    for (int i = 0; i < topic->probes.view.count; i++)
        if (belongs(topic, i) && (!axis || strcmp(topic->probes.probes[i].axis, axis) == 0))
            common &= result_of(topic, &topic->probes.results[i])->trust.reasons;
    return common;
}

static void print_rows(const struct topic *topic, struct app_table *table)
{
    const char *series[SERIES_MAX];
    app_page_common(topic->page, table, common_reasons(topic, NULL));
    app_table_column(table, "probe", APP_ALIGN_LEFT);
    app_page_value_columns(topic->page, table, "median");
    app_page_net_columns(table);
    app_page_end_columns(table);
    for (size_t r = 0; r < RATES; r++) {
        app_table_column(table, rates[r].title, APP_ALIGN_RIGHT);
        if (r == 0)
            app_table_part(table);
        if (rates[r].net)
            app_table_column(table, rates[r].net, APP_ALIGN_RIGHT);
    }
    app_table_column(
        table, topic->probes.view.device->can.warps ? "sectors per request" : "lines per request",
        APP_ALIGN_RIGHT);
    const size_t count = list_series(topic, NULL, series);
    for (size_t s = 0; s < count; s++)
        add_series(topic, table, series[s]);
}

/* --- a matrix with a column for each series --- */

static bool by_cycles(enum app_metric metric)
{
    return metric == APP_METRIC_CYCLES || metric == APP_METRIC_CYCLES_PER_STEP ||
           metric == APP_METRIC_OF_PEAK_CYCLES;
}

static bool by_time(enum app_metric metric)
{
    return metric == APP_METRIC_TIME || metric == APP_METRIC_NS_PER_STEP;
}

/* Adds a probe's number, with the number by net time and the letters of the reasons against it. */
static void add_cell(const struct topic *topic, struct app_table *table,
                     const struct app_probe_result *probe_result, enum app_metric metric)
{
    const struct app_estimate e = app_metric_of(&topic->probes.view, probe_result, metric);
    if (!e.valid) {
        app_table_cell(table, probe_result ? "–" : "%s", "");
        return;
    }
    const struct app_result *result = result_of(topic, probe_result);
    if (result->verified == APP_VERIFIED_FALSE) {
        app_table_cell(table, "WRONG");
        return;
    }
    char marks[APP_TRUST_COUNT + 1], net[40] = "";
    const double share = by_time(metric) ? net_share(result) : 1.0 / net_share(result);
    if (!by_cycles(metric) && has_net(result))
        snprintf(net, sizeof net, " / %s", app_number_plain(e.value * share, "").value);
    app_page_marks(topic->page, result->trust.reasons & ~topic->common, marks, sizeof marks);
    app_table_cell(table, "%s%s%s%s", marks, marks[0] ? " " : "",
                   app_number_plain(e.value, "").value, net);
}

/* Returns the least x beyond `last` on the axis; infinite when there is none. */
static double next_x(const struct topic *topic, const char *axis, double last)
{
    double next = INFINITY;
    for (int i = 0; i < topic->probes.view.count; i++) {
        const struct krn_probe *probe = &topic->probes.probes[i];
        if (belongs(topic, i) && strcmp(probe->axis, axis) == 0 && probe->x > last)
            next = fmin(next, probe->x);
    }
    return next;
}

/* Returns the wanted metric, or the first of the others that the axis' probes have. */
static enum app_metric metric_for(const struct topic *topic, enum app_metric wanted,
                                  const char *axis)
{
    static const enum app_metric others[] = {APP_METRIC_CYCLES_PER_STEP, APP_METRIC_NS_PER_STEP,
                                             APP_METRIC_GFLOPS, APP_METRIC_GOPS, APP_METRIC_GBPS};
    const struct app_probes_view *view = &topic->probes.view;
    for (int i = 0; i < view->count; i++) {
        const struct app_probe_result *result = &view->results[i];
        if (!belongs(topic, i) || strcmp(result->probe->axis, axis) != 0 || result->n == 0)
            continue;
        if (app_metric_of(view, result, wanted).valid)
            return wanted;
        for (size_t o = 0; o < sizeof others / sizeof *others; o++)
            if (app_metric_of(view, result, others[o]).valid)
                return others[o];
    }
    return wanted;
}

/* A place on an axis as text. */
struct x_text {
    char text[32];
};

static struct x_text x_text(double x)
{
    struct x_text text;
    app_format(text.text, sizeof text.text, x == floor(x) ? "%.0f" : "%.2f", x);
    return text;
}

static void add_matrix(const struct topic *topic, struct app_table *table, const char *axis,
                       enum app_metric metric)
{
    const char *series[SERIES_MAX];
    const size_t count = list_series(topic, axis, series);
    app_table_column(table, axis, APP_ALIGN_RIGHT);
    for (size_t s = 0; s < count; s++)
        app_table_column(table, series[s], APP_ALIGN_RIGHT);
    for (double x = next_x(topic, axis, -INFINITY); isfinite(x); x = next_x(topic, axis, x)) {
        app_table_row(table);
        app_table_cell(table, "%s", x_text(x).text);
        for (size_t s = 0; s < count; s++)
            add_cell(topic, table,
                     app_probe_result_find(&topic->probes.view, topic->id, series[s], x), metric);
    }
}

/* What a matrix has no room for, of all its probes. */
struct extremes {
    size_t n_least, n_most, unverified, probes;
    double widest, overhead; /* largest relative width of an interval, share of the overhead */
    const struct krn_probe *widest_of, *overhead_of;
};

static struct extremes find_extremes(const struct topic *topic, const char *axis)
{
    struct extremes extremes = {.n_least = SIZE_MAX};
    for (int i = 0; i < topic->probes.view.count; i++) {
        const struct krn_probe *probe = &topic->probes.probes[i];
        if (!belongs(topic, i) || strcmp(probe->axis, axis) != 0)
            continue;
        const struct app_result *result = result_of(topic, &topic->probes.results[i]);
        const struct app_estimate e = app_result_estimate(result, "median_ms");
        const size_t n = app_result_samples(result);
        extremes.probes++;
        extremes.n_least = n < extremes.n_least ? n : extremes.n_least;
        extremes.n_most = n > extremes.n_most ? n : extremes.n_most;
        extremes.unverified += result->verified != APP_VERIFIED_TRUE;
        if (e.valid && e.has_interval && (e.high - e.low) / e.value > extremes.widest) {
            extremes.widest = (e.high - e.low) / e.value;
            extremes.widest_of = probe;
        }
        if (has_net(result) && 1.0 - net_share(result) > extremes.overhead) {
            extremes.overhead = 1.0 - net_share(result);
            extremes.overhead_of = probe;
        }
    }
    return extremes;
}

/* Notes samples, intervals, overheads and verification of a matrix. */
static void note_extremes(const struct topic *topic, struct app_table *table, const char *axis)
{
    const struct extremes e = find_extremes(topic, axis);
    const struct app_page *page = topic->page;
    const char *interval = page->processes > 1 ? "95 % interval"
                           : page->recorded    ? "interval of that run"
                                               : "interval of this run";
    const double least = 0.0005; /* 0.1 % */
    const double far = 9.0;      /* ten times the time, less the time */
    char samples[64], span[32];
    app_format(span, sizeof span, e.widest > far ? "more than %.0f" : "%.1f",
               fmin(e.widest, far) * 100.0);
    if (e.n_least == e.n_most)
        snprintf(samples, sizeof samples, "n = %zu", e.n_least);
    else
        snprintf(samples, sizeof samples, "n = %zu to %zu", e.n_least, e.n_most);
    if (e.widest_of)
        app_table_note(table, "%s; the widest %s spans %s %% of its time (%s, %s %s).", samples,
                       interval, span, e.widest_of->series, axis, x_text(e.widest_of->x).text);
    else
        app_table_note(table, "%s; no intervals.", samples);
    if (e.overhead_of != NULL && e.overhead >= least)
        app_table_note(table, "The overhead is at most %.1f %% of the raw time (%s, %s %s).",
                       e.overhead * 100.0, e.overhead_of->series, axis,
                       x_text(e.overhead_of->x).text);
    if (e.unverified > 0)
        app_table_note(table, "%zu of %zu results are not verified.", e.unverified, e.probes);
}

/* Lists the different axes of the topic. */
static size_t list_axes(const struct topic *topic, const char **axes)
{
    size_t count = 0;
    for (int i = 0; i < topic->probes.view.count; i++) {
        bool known = !belongs(topic, i);
        for (size_t a = 0; a < count; a++)
            known = known || strcmp(axes[a], topic->probes.probes[i].axis) == 0;
        if (!known && count < AXES_MAX)
            axes[count++] = topic->probes.probes[i].axis;
    }
    return count;
}

/* --- a topic --- */

static void note_findings(const struct topic *topic, struct app_table *table)
{
    struct app_analysis analysis;
    app_topic_analyse(topic->id, &topic->probes.view, &analysis);
    for (int i = 0; i < analysis.count; i++)
        if (analysis.findings[i].line[0] != 0)
            app_table_note(table, "%s", analysis.findings[i].line);
    for (int i = 0; i < topic->probes.view.count; i++)
        if (belongs(topic, i))
            app_page_wrong(table, result_of(topic, &topic->probes.results[i]), "result", "");
}

/* Returns true when the net time of a probe on an axis is known. */
static bool any_net(const struct topic *topic, const char *axis)
{
    bool any = false;
    for (int i = 0; i < topic->probes.view.count; i++)
        any = any || (belongs(topic, i) && strcmp(topic->probes.probes[i].axis, axis) == 0 &&
                      has_net(result_of(topic, &topic->probes.results[i])));
    return any;
}

static void print_matrices(struct topic *topic)
{
    const struct app_topic *described = app_topic_of(topic->id);
    const char *axes[AXES_MAX];
    const size_t count = list_axes(topic, axes);
    for (size_t a = 0; a < count; a++) {
        const enum app_metric metric =
            metric_for(topic, described->metric[topic->probes.view.device->backend], axes[a]);
        struct app_table *table = app_table_new(described->title);
        const bool net = !by_cycles(metric) && any_net(topic, axes[a]);
        app_table_about(table, "Medians, %s%s", app_metric_words(metric),
                        net ? ": by raw time / by net time" : "");
        topic->common = common_reasons(topic, axes[a]);
        app_page_common(topic->page, table, topic->common);
        add_matrix(topic, table, axes[a], metric);
        note_extremes(topic, table, axes[a]);
        if (a + 1 == count)
            note_findings(topic, table);
        app_page_print(topic->page, table);
    }
}

void app_print_topic(struct app_page *page, enum krn_topic id)
{
    struct topic topic = {.page = page, .id = id};
    app_results_probes(page->results, 1, &topic.probes);
    if (app_topic_of(id)->matrix) {
        print_matrices(&topic);
    } else {
        struct app_table *table = app_table_new(app_topic_of(id)->title);
        print_rows(&topic, table);
        note_findings(&topic, table);
        app_page_print(page, table);
    }
    app_results_probes_free(&topic.probes);
}
