/* A topic's probes: one row each, or a matrix with a column for each series; then the findings. */
#include "print/print.h"

#include "krn/memory.h"
#include "topics/topic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SERIES_MAX = 24, AXES_MAX = 8 };

/* Probes that are printed in one table: of a topic, in a matrix of one axis. */
struct group {
    struct app_page *page;
    struct app_probes_view view; /* of all of the record's probes */
    const struct app_topic *topic;
    enum krn_topic id;
    const char *axis;             /* NULL: all of them */
    enum app_member metric;       /* of a matrix */
    const struct app_result **of; /* owned, in the order of the record */
    int count;
    bool drawn;   /* a table has the topic's chart */
    bool several; /* its probes have several axes */
};

/* Sets the probes of the topic that are on an axis; NULL: on any. */
static void gather(struct group *group, const char *axis)
{
    group->axis = axis;
    group->count = 0;
    for (int i = 0; i < group->view.count; i++) {
        const struct app_result *result = &group->view.results[i];
        if (app_result_is_of(result, group->id, NULL) &&
            (!axis || strcmp(result->probe->axis, axis) == 0))
            group->of[group->count++] = result;
    }
}

/* Returns net over raw time; 0 where the net time of a process is not known. */
static double net_share(const struct app_result *result)
{
    const struct app_estimate raw = app_result_metric(result, APP_M_MEDIAN_MS),
                              net = app_result_metric(result, APP_M_NET_MS);
    return raw.valid && net.valid ? net.value / raw.value : 0.0;
}

/* Appends a name to a list that lacks it. */
static void list_name(const char **names, size_t *count, size_t most, const char *name)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(names[i], name) == 0)
            return;
    if (*count < most)
        names[(*count)++] = name;
}

/* Lists the series of a group, in the order of the probes. */
static size_t list_series(const struct group *group, const char **series)
{
    size_t count = 0;
    for (int i = 0; i < group->count; i++)
        list_name(series, &count, SERIES_MAX, group->of[i]->probe->series);
    return count;
}

/* Gives the topic's chart to its first table on a page of HTML. */
static void add_figure(struct group *group, struct app_table *table)
{
    const struct app_page *page = group->page;
    const int addresses = page->results->picture.state.look.addresses;
    struct app_mode_work *modes = krn_alloc(KRN_MODES_MAX, sizeof *modes);
    const struct app_picture_facts facts = {
        .probes = &group->view,
        .addresses = addresses > 0 ? addresses : app_state_default().look.addresses,
        .modes = modes,
        .mode_count = app_page_modes(page->results, modes)};
    if (page->style >= APP_STYLE_HTML && !group->drawn)
        app_table_figure(table, app_html_topic(group->id, &facts));
    group->drawn = true;
    free(modes);
}

/* Names the reasons that hold for all probes of a group. */
static void note_common(const struct group *group, struct app_table *table)
{
    unsigned common = ~0u;
    for (int i = 0; i < group->count; i++)
        common &= group->of[i]->trust.reasons;
    app_page_common(group->page, table, common);
}

/* --- one row per probe --- */

/* `of` is an enum app_member. */
enum { SHOWS_RATE = APP_SHOWS_OWN, SHOWS_NET_RATE, SHOWS_SECTORS, SHOWS_LINES };

static const struct app_column row_columns[] = {
    {"probe", .shows = APP_SHOWS_NAME},
    APP_COLUMNS_TIMES,
    APP_COLUMNS_END,
    {"bandwidth", APP_ALIGN_RIGHT, .shows = SHOWS_RATE, .of = APP_M_EFFECTIVE_GBPS, .begins = true},
    {"net bandwidth", APP_ALIGN_RIGHT, .shows = SHOWS_NET_RATE, .of = APP_M_EFFECTIVE_GBPS},
    {"of theoretical", APP_ALIGN_RIGHT, .shows = SHOWS_RATE, .of = APP_M_OF_THEORETICAL_PERCENT},
    {"net of theoretical", APP_ALIGN_RIGHT, .shows = SHOWS_NET_RATE,
     .of = APP_M_OF_THEORETICAL_PERCENT},
    {"moved", APP_ALIGN_RIGHT, .shows = SHOWS_RATE, .of = APP_M_MOVED_GBPS},
    {"arithmetic", APP_ALIGN_RIGHT, .shows = SHOWS_RATE, .of = APP_M_GFLOPS},
    {"of computed peak", APP_ALIGN_RIGHT, .shows = SHOWS_RATE,
     .of = APP_M_OF_COMPUTED_PEAK_PERCENT},
    {"net of computed peak", APP_ALIGN_RIGHT, .shows = SHOWS_NET_RATE,
     .of = APP_M_OF_COMPUTED_PEAK_PERCENT},
    {"operations", APP_ALIGN_RIGHT, .shows = SHOWS_RATE, .of = APP_M_GOPS},
    {"cycles", APP_ALIGN_RIGHT, .shows = SHOWS_RATE, .of = APP_M_CYCLES},
    {"sectors per request", APP_ALIGN_RIGHT, .shows = SHOWS_SECTORS},
    {"lines per request", APP_ALIGN_RIGHT, .shows = SHOWS_LINES}};

/* A row. */
struct probe_row {
    const struct group *group;
    struct app_row row;
};

static bool write_row(struct app_table *table, const struct app_column *column, const void *of)
{
    const struct probe_row *row = of;
    const struct app_probes_view *view = &row->group->view;
    const struct krn_probe *probe = row->row.result->probe;
    const enum app_member metric = (enum app_member)column->of;
    const double share = net_share(row->row.result);
    const bool warps = view->device->can.warps;
    struct app_estimate e = {.valid = false};
    if (column->shows < APP_SHOWS_OWN)
        return app_page_write(table, column, &row->row);
    if (column->shows == SHOWS_SECTORS || column->shows == SHOWS_LINES)
        return warps == (column->shows == SHOWS_SECTORS) && probe->sectors > 0.0 &&
               app_table_cell(table, "%.1f", probe->sectors);
    /* The bytes moved are printed only where they differ from the useful ones. */
    if (metric != APP_M_MOVED_GBPS || probe->moved_bytes != probe->useful_bytes)
        e = app_metric_of(view, row->row.result, metric);
    if (column->shows == SHOWS_NET_RATE)
        e = share > 0.0 ? app_estimate_times(e, 1.0 / share)
                        : (struct app_estimate){.valid = false};
    return app_page_rate(table, metric, e);
}

/* Returns "vector, 20 Mi elements", or "offset 4" where the series is named after its axis. */
static struct app_phrase probe_name(const struct krn_probe *probe)
{
    static const struct {
        double unit;
        const char *prefix;
    } prefixes[] = {{1048576.0, " Mi"}, {1024.0, " Ki"}, {1.0, ""}};
    size_t p = 0;
    while (probe->x == 0.0 ? prefixes[p].unit > 1.0 : fmod(probe->x, prefixes[p].unit) != 0.0)
        if (++p + 1 == sizeof prefixes / sizeof *prefixes)
            break;
    const bool named = strcmp(probe->series, probe->axis) == 0;
    return app_phrase("%s%s %.0f%s%s%s", probe->series, named ? "" : ",",
                      probe->x / prefixes[p].unit, prefixes[p].prefix, named ? "" : " ",
                      named ? "" : probe->axis);
}

/* Adds the probes of one series by ascending x. */
static void add_series(const struct group *group, struct app_table *table, const char *series)
{
    for (double last = -INFINITY;;) {
        int next = -1;
        for (int i = 0; i < group->count; i++)
            if (strcmp(group->of[i]->probe->series, series) == 0 && group->of[i]->probe->x > last &&
                (next < 0 || group->of[i]->probe->x < group->of[next]->probe->x))
                next = i;
        if (next < 0)
            return;
        last = group->of[next]->probe->x;
        const struct app_phrase name = probe_name(group->of[next]->probe);
        const struct probe_row row = {group, {group->page, group->of[next], .name = name.text}};
        app_table_add(table, write_row, &row);
    }
}

/* --- a matrix with a column for each series --- */

enum { SHOWS_X, SHOWS_SERIES };

/* Returns a place on an axis as text. */
static struct app_phrase x_text(double x)
{
    return app_phrase(x == floor(x) ? "%.0f" : "%.2f", x);
}

static bool by_cycles(enum app_member metric)
{
    return metric == APP_M_CYCLES || metric == APP_M_CYCLES_PER_STEP ||
           metric == APP_M_OF_PEAK_PERCENT;
}

/* A row: the probes of all series at x. */
struct matrix_row {
    const struct group *group;
    double x;
};

/* Adds a probe's number, with the number by net time and the letters of the reasons against it. */
static bool write_matrix(struct app_table *table, const struct app_column *column, const void *of)
{
    const struct matrix_row *row = of;
    const struct group *group = row->group;
    const struct app_probes_view *view = &group->view;
    if (column->shows == SHOWS_X)
        return app_table_cell(table, "%s", x_text(row->x).text);
    const struct app_result *result = app_probe_result_find(view, group->id, column->key, row->x);
    const struct app_estimate e = app_metric_of(view, result, group->metric);
    if (!e.valid)
        return result && app_table_cell(table, "–");
    if (result->verified == APP_VERIFIED_FALSE)
        return app_table_cell(table, "WRONG");
    char marks[APP_TRUST_COUNT + 1], net[40] = "";
    const double share = net_share(result);
    const bool time = group->metric == APP_M_MEDIAN_MS || group->metric == APP_M_NS_PER_STEP;
    if (!by_cycles(group->metric) && share > 0.0)
        snprintf(net, sizeof net, " / %s",
                 app_number_plain(e.value * (time ? share : 1.0 / share), "").value);
    app_page_marks(group->page, result->trust.reasons & ~group->page->common, marks, sizeof marks);
    app_table_cell(table, "%s%s%s%s", marks, marks[0] ? " " : "",
                   app_number_plain(e.value, "").value, net);
    app_page_detail(group->page, table, result, -1);
    return true;
}

/* Returns the least x beyond `last` on the axis; infinite when there is none. */
static double next_x(const struct group *group, double last)
{
    double next = INFINITY;
    for (int i = 0; i < group->count; i++)
        next = group->of[i]->probe->x > last ? fmin(next, group->of[i]->probe->x) : next;
    return next;
}

/* Returns the topic's metric, or the first of the others that the axis' probes have. */
static enum app_member metric_for(const struct group *group)
{
    static const enum app_member others[] = {APP_M_CYCLES_PER_STEP, APP_M_NS_PER_STEP, APP_M_GFLOPS,
                                             APP_M_GOPS, APP_M_EFFECTIVE_GBPS};
    const struct app_probes_view *view = &group->view;
    const enum app_member wanted = group->topic->metric[view->device->backend];
    for (int i = 0; i < group->count; i++) {
        const struct app_result *result = group->of[i];
        if (app_result_samples(result) == 0)
            continue;
        if (app_metric_of(view, result, wanted).valid)
            return wanted;
        for (size_t o = 0; o < sizeof others / sizeof *others; o++)
            if (app_metric_of(view, result, others[o]).valid)
                return others[o];
    }
    return wanted;
}

/* Notes samples, intervals, overheads and verification, which a matrix has no room for. */
static void note_extremes(const struct group *group, struct app_table *table)
{
    const struct app_page *page = group->page;
    const char *interval = page->processes > 1 ? "95 % interval"
                           : page->recorded    ? "interval of that run"
                                               : "interval of this run";
    const double least = 0.0005; /* 0.1 % */
    const double far = 9.0;      /* ten times the time, less the time */
    const struct krn_probe *widest_of = NULL, *overhead_of = NULL;
    double widest = 0.0, overhead = 0.0; /* relative to the time */
    size_t n_least = SIZE_MAX, n_most = 0;
    int unverified = 0;
    for (int i = 0; i < group->count; i++) {
        const struct app_result *result = group->of[i];
        const struct app_estimate e = app_result_metric(result, APP_M_MEDIAN_MS);
        const size_t n = app_result_samples(result);
        const double share = net_share(result);
        n_least = n < n_least ? n : n_least;
        n_most = n > n_most ? n : n_most;
        unverified += result->verified != APP_VERIFIED_TRUE;
        if (e.valid && e.has_interval && (e.high - e.low) / e.value > widest) {
            widest = (e.high - e.low) / e.value;
            widest_of = group->of[i]->probe;
        }
        if (share > 0.0 && 1.0 - share > overhead) {
            overhead = 1.0 - share;
            overhead_of = group->of[i]->probe;
        }
    }
    const struct app_phrase span = app_phrase(widest > far ? "more than %.0f" : "%.1f",
                                              fmin(widest, far) * 100.0),
                            samples = app_phrase(n_least == n_most ? "n = %zu" : "n = %zu to %zu",
                                                 n_least, n_most);
    if (widest_of)
        app_table_note(table, "%s; the widest %s spans %s %% of its time (%s, %s %s).",
                       samples.text, interval, span.text, widest_of->series, group->axis,
                       x_text(widest_of->x).text);
    else
        app_table_note(table, "%s; no intervals.", samples.text);
    if (overhead_of && overhead >= least)
        app_table_note(table, "The overhead is at most %.1f %% of the raw time (%s, %s %s).",
                       overhead * 100.0, overhead_of->series, group->axis,
                       x_text(overhead_of->x).text);
    if (unverified > 0)
        app_table_note(table, "%d of %d results are not verified.", unverified, group->count);
}

/* --- a topic --- */

static void note_findings(struct group *group, struct app_table *table)
{
    struct app_analysis analysis;
    app_topic_analyse(group->id, &group->view, &analysis);
    for (int i = 0; i < analysis.count; i++)
        if (analysis.findings[i].line[0] != 0)
            app_table_note(table, "%s", analysis.findings[i].line);
    gather(group, NULL);
    for (int i = 0; i < group->count; i++)
        app_page_wrong(table, group->of[i], "result", "");
}

static void print_rows(struct group *group)
{
    const char *series[SERIES_MAX];
    struct app_table *table =
        app_page_table(group->page, group->topic->title, APP_COLUMNS(row_columns));
    const size_t count = list_series(group, series);
    add_figure(group, table);
    note_common(group, table);
    for (size_t s = 0; s < count; s++)
        add_series(group, table, series[s]);
    note_findings(group, table);
    app_page_print(group->page, table);
}

/* Prints the probes on the group's axis; the last matrix has the findings of all. */
static void print_matrix(struct group *group, bool last)
{
    const char *series[SERIES_MAX];
    const size_t count = list_series(group, series);
    const struct app_column first = {group->axis, APP_ALIGN_RIGHT, .shows = SHOWS_X};
    /* A page of HTML lists its sections. */
    const bool listed = group->several && group->page->style >= APP_STYLE_HTML;
    struct app_table *table = app_page_table(
        group->page, app_phrase(listed ? "%s – %s" : "%s", group->topic->title, group->axis).text,
        &first, 1);
    bool net = false;
    add_figure(group, table);
    group->metric = metric_for(group);
    for (int i = 0; i < group->count && !by_cycles(group->metric); i++)
        net = net || net_share(group->of[i]) > 0.0;
    app_table_about(table, "Medians, %s%s", app_metric_words(group->metric),
                    net ? ": by raw time / by net time" : "");
    note_common(group, table);
    for (size_t s = 0; s < count; s++) {
        const struct app_column column = {series[s], APP_ALIGN_RIGHT, .shows = SHOWS_SERIES,
                                          .key = series[s]};
        app_table_columns(table, &column, 1);
    }
    for (double x = next_x(group, -INFINITY); isfinite(x); x = next_x(group, x))
        app_table_add(table, write_matrix, &(struct matrix_row){group, x});
    note_extremes(group, table);
    if (last)
        note_findings(group, table);
    app_page_print(group->page, table);
}

void app_print_topic(struct app_page *page, enum krn_topic id)
{
    struct group group = {.page = page, .topic = app_topics[id], .id = id};
    struct app_result *probes = app_results_probes(page->results, 1, &group.view);
    group.of = krn_alloc((size_t)group.view.count, sizeof *group.of);
    gather(&group, NULL);
    if (group.topic->matrix) {
        const char *axes[AXES_MAX];
        size_t count = 0;
        for (int i = 0; i < group.count; i++)
            list_name(axes, &count, AXES_MAX, group.of[i]->probe->axis);
        group.several = count > 1;
        for (size_t a = 0; a < count; a++) {
            gather(&group, axes[a]);
            print_matrix(&group, a + 1 == count);
        }
    } else {
        print_rows(&group);
    }
    free(group.of);
    free(probes);
}
