/* What all tables of a record share: its marks of doubt, columns of values with their intervals,
 * and what the results have in common. */
#include "print/print.h"

#include <math.h>
#include <string.h>

/* --- a page --- */

struct app_table *app_page_table(const struct app_page *page, const char *title,
                                 const struct app_column *columns, size_t count)
{
    const char *interval = page->processes > 1 ? "95 % interval"
                           : page->recorded    ? "that run"
                                               : "this run";
    struct app_table *table = app_table_new(title);
    for (size_t i = 0; i < count; i++) {
        struct app_column column = columns[i];
        column.title = column.title ? column.title : interval;
        app_table_columns(table, &column, 1);
    }
    return table;
}

void app_page_print(struct app_page *page, struct app_table *table)
{
    if (page->begun)
        fputc('\n', page->out);
    page->begun = true;
    app_table_print(table, page->style, page->out);
    page->common = 0;
    app_table_free(table);
}

void app_page_marks(struct app_page *page, unsigned reasons, char *text, size_t size)
{
    char letter = 'a';
    size_t used = 0;
    for (int i = 0; i < APP_TRUST_COUNT; i++) {
        if (!(page->reasons & APP_TRUST_BIT(i)))
            continue;
        if (reasons & APP_TRUST_BIT(i) && used + 1 < size)
            text[used++] = letter;
        letter++;
    }
    text[used] = 0;
    page->marks = page->marks || used > 0;
}

/* Writes the ids of reasons, separated by blanks. */
static void write_ids(unsigned reasons, const struct app_texts *others, char *text, size_t size)
{
    app_trust_list(reasons, text, size);
    for (size_t i = 0; i < others->count; i++)
        app_append(text, size, " ", "%s", others->texts[i]);
}

void app_page_common(struct app_page *page, struct app_table *table, unsigned reasons)
{
    char text[512];
    write_ids(reasons, &(struct app_texts){NULL, 0}, text, sizeof text);
    if (text[0])
        app_table_about(table, "Reasons to doubt all of these numbers: %s", text);
    page->common = reasons;
}

void app_page_wrong(struct app_table *table, const struct app_result *result, const char *what,
                    const char *where)
{
    if (result->verified == APP_VERIFIED_FALSE)
        app_table_note(table, "WRONG %s, %s%s: %s.", what, result->variant, where,
                       result->verified_reason);
}

void app_page_same_caches(struct app_table *table, enum krn_backend_id backend, unsigned storages)
{
    const bool several = (storages & (storages - 1)) != 0;
    if (several && !krn_backend_get(backend)->can->distinct_storages)
        app_table_note(table, "Storages: %s.", app_verdict_entry(APP_VERDICT_SAME_CACHES)->says);
}

void app_page_detail(const struct app_page *page, struct app_table *table,
                     const struct app_result *result, int side)
{
    if (page->style == APP_STYLE_HTML)
        app_table_detail(table, app_html_histogram(result, side));
}

int app_page_modes(const struct app_results *results, struct app_mode_work modes[KRN_MODES_MAX])
{
    const struct app_result *first = NULL;
    int n = 0;
    for (size_t i = 0; i < results->count && n < KRN_MODES_MAX; i++) {
        const struct app_result *result = &results->results[i];
        struct app_mode_work *mode = &modes[n];
        if (!app_result_mode(result, &mode->mode) || result->backend != results->device.backend ||
            (first != NULL && !app_pairs_equal(first->workload, result->workload)))
            continue;
        mode->flops = app_result_number(result, APP_M_FLOPS, 0.0);
        mode->bytes = app_result_number(result, APP_M_BYTES, 0.0);
        mode->ms = app_result_metric(result, APP_M_MEDIAN_MS);
        if (!(mode->flops > 0.0))
            continue;
        first = first != NULL ? first : result;
        n++;
    }
    return n;
}

/* --- cells --- */

struct app_described app_page_describe(const struct app_estimate *estimate, const char *unit)
{
    const bool time = strcmp(unit, "ms") == 0;
    return app_describe(
        *estimate, (struct app_form){.quantity = time ? APP_QUANTITY_TIME : APP_QUANTITY_NUMBER,
                                     .unit = unit,
                                     .digits = APP_DIGITS_WIDTH});
}

bool app_page_value(const struct app_page *page, struct app_table *table,
                    const struct app_column *column, const struct app_estimate *e, const char *unit)
{
    const struct app_described said = app_page_describe(e, unit);
    const size_t processes = e->copied ? e->recorded : e->processes;
    const char *whose = !page || page->processes < 2 || processes > 1 ? ""
                        : !e->copied                                  ? " this run"
                        : e->recorded == 1                            ? " one process"
                                                                      : " processes unknown";
    if (column->shows == APP_SHOWS_VALUE)
        return e->valid && app_table_cell(table, "%s", said.text);
    return said.interval[0] && app_table_cell(table, "%s%s", said.interval, whose);
}

bool app_page_rate(struct app_table *table, enum app_member metric, struct app_estimate rate)
{
    const struct app_described said = app_describe(rate, app_metric_form(metric, 0.0));
    return rate.valid &&
           app_table_cell(table, "%s", metric == APP_M_CYCLES ? said.number.value : said.text);
}

const char *app_page_text(const struct app_result *result, enum app_member member)
{
    const char *text = app_result_text(result, member);
    return text ? text : "";
}

/* Returns a metric of one process, with its interval of that run. */
static struct app_estimate of_process(const struct app_result_process *process,
                                      enum app_member metric)
{
    const double value = app_process_number(process, metric, NAN);
    if (!isfinite(value))
        return (struct app_estimate){.valid = false};
    struct app_estimate estimate = app_estimate_plain(value);
    estimate.low = app_pairs_number(process->metrics, app_member_bound(metric, false), NAN);
    estimate.high = app_pairs_number(process->metrics, app_member_bound(metric, true), NAN);
    estimate.has_interval = isfinite(estimate.low) && isfinite(estimate.high);
    return estimate;
}

/* Returns a metric; not valid, with a note, if it is a net time below APP_NET_LEAST times the
 * overhead. */
static struct app_estimate metric_of(struct app_table *table, const struct app_result *result,
                                     enum app_member metric)
{
    const enum app_member overhead = metric == APP_M_NET_MS     ? APP_M_OVERHEAD_MS
                                     : metric == APP_M_A_NET_MS ? APP_M_A_OVERHEAD_MS
                                     : metric == APP_M_B_NET_MS ? APP_M_B_OVERHEAD_MS
                                                                : metric;
    struct app_estimate e = app_result_metric(result, metric);
    if (e.valid && overhead != metric &&
        e.value < APP_NET_LEAST * app_result_number(result, overhead, 0.0)) {
        e.valid = false;
        app_table_note(table, "A net time below twice the overhead is left out.");
    }
    return e;
}

/* Adds a metric of a row: of a process, of a duel's side, or of all of it. */
static bool add_metric(struct app_table *table, const struct app_column *column,
                       const struct app_row *row)
{
    const enum app_member metric = (enum app_member)(column->of + row->side);
    const char *unit = app_members[metric].unit;
    const struct app_estimate e =
        row->process ? of_process(row->process, metric) : metric_of(table, row->result, metric);
    const struct app_described said = app_page_describe(&e, unit);
    const double number = app_result_number(row->result, metric, -1.0);
    const struct app_number time = app_number_time(e.value),
                            rate = app_number_rate(number > 0.0 ? number : -1.0, "");
    switch (column->shows) {
    case APP_SHOWS_BOTH:
    case APP_SHOWS_NET:
        return e.valid && app_table_cell(table, "%s%s%s", said.text, said.interval[0] ? " " : "",
                                         said.interval);
    case APP_SHOWS_TIME:
        return e.valid && app_table_cell(table, "%s %s", time.value, time.unit);
    case APP_SHOWS_PLAIN:
        return app_table_cell(table, "%s", app_number_plain(e.valid ? e.value : NAN, "").value);
    case APP_SHOWS_RAYS:
        return row->rays &&
               app_table_cell(table, "%s%s%.1s", rate.value, rate.unit[0] ? " " : "", rate.unit);
    default:
        return app_page_value(row->process ? NULL : row->page, table, column, &e, unit);
    }
}

/* Adds how many times as fast as its base a result is, by a metric; nothing where either is wrong,
 * or where a row above has the same kernel and memory. */
static bool add_speed(struct app_table *table, const struct app_row *row, enum app_member metric)
{
    const struct app_result *base = row->base, *result = row->result;
    const struct app_estimate speed =
        app_estimate_ratio(metric_of(table, base, metric), metric_of(table, result, metric));
    const struct app_described said = app_page_describe(&speed, "x");
    const bool net = metric == APP_M_NET_MS && said.interval[0];
    return base != result && !row->again && base->verified != APP_VERIFIED_FALSE &&
           result->verified != APP_VERIFIED_FALSE && speed.valid &&
           app_table_cell(table, "%s%s%s", said.text, net ? " " : "", net ? said.interval : "");
}

/* Adds how many processes measured a result, if some did not. */
static bool add_processes(struct app_table *table, const struct app_row *row)
{
    const size_t recorded = app_result_recorded(row->result),
                 processes = recorded > 0 ? recorded : row->result->process_count,
                 asked = recorded > 0 ? row->page->processes
                                      : (size_t)row->page->results->run.processes_asked;
    return processes < asked && app_table_cell(table, "%zu of %zu", processes, asked);
}

bool app_page_write(struct app_table *table, const struct app_column *column, const void *of)
{
    static const char *const verdicts[] = {"no", "yes", "WRONG"};
    const struct app_row *row = of;
    const struct app_result *result = row->result;
    const struct app_result_process *process = row->process;
    const enum app_member member = (enum app_member)column->of;
    const struct app_results_trust *trust = process ? &process->trust : &result->trust;
    const enum app_verdict none = app_trust_no_verdict(result->trust.reasons);
    const char *stop = process ? process->stop : result->stop, *word, *says;
    const double number = app_result_number(result, member, 0.0);
    const struct app_of_limit of_limit = app_result_of_limit(result);
    char ids[512];
    switch ((enum app_shows)column->shows) {
    case APP_SHOWS_NAME:
        app_table_cell(table, "%s", row->name ? row->name : result->variant);
        if (!process)
            app_page_detail(row->page, table, result, row->sides ? row->side : -1);
        return true;
    case APP_SHOWS_SIDE:
        return app_table_cell(table, "%c", "AB"[row->side]);
    case APP_SHOWS_SPEED:
        return add_speed(table, row, member);
    case APP_SHOWS_LIMIT:
        return of_limit.times > 0.0 && app_table_cell(table, "%s%s x", of_limit.least ? "> " : "",
                                                      app_number_plain(of_limit.times, "").value);
    case APP_SHOWS_COUNT:
        return number > 0.0 && app_table_cell(table, "%.0f", number);
    case APP_SHOWS_TEXT:
        return app_table_cell(table, "%s", app_page_text(result, member));
    case APP_SHOWS_JUDGED:
        word = app_page_text(result, member);
        says = app_verdict_entry(app_verdict_of_word(word))->says;
        return app_table_cell(table, "%s", says[0] ? says : word);
    case APP_SHOWS_VERDICT:
        word = none ? app_verdict_word(none) : app_process_text(process, APP_O_VERDICT);
        return word && app_table_cell(table, "%s", word);
    case APP_SHOWS_SAMPLES:
        return process ? app_table_cell(table, "%.0f", app_process_number(process, APP_M_N, 0.0))
                       : app_table_cell(table, "%zu", app_result_samples(result));
    case APP_SHOWS_PROCESSES:
        return add_processes(table, row);
    case APP_SHOWS_STOP:
        word = (process ? stop != NULL : result->complete) ? stop : "interrupt";
        return word && app_table_cell(table, "%s", word);
    case APP_SHOWS_VERIFIED:
        return app_table_cell(table, "%s", verdicts[result->verified]);
    case APP_SHOWS_REGIME:
        return strcmp(result->regime, "idle") != 0 && strcmp(result->regime, "n/a") != 0 &&
               app_table_cell(table, "%s", result->regime);
    case APP_SHOWS_TRUST:
        write_ids(trust->reasons & ~row->page->common, &trust->others, ids, sizeof ids);
        return app_table_cell(table, "%s", ids);
    default:
        return add_metric(table, column, row);
    }
}
