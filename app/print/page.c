#include "print/page.h"

#include "base/numbers.h"
#include "base/value.h"
#include "command/mode.h"

#include <math.h>
#include <string.h>

enum { TRUST_WIDTH = 12 };

void app_page_print(struct app_page *page, struct app_table *table)
{
    if (page->begun)
        fputc('\n', page->out);
    page->begun = true;
    app_table_print(table, page->style, page->out);
    page->common = 0;
    app_table_free(table);
}

/* --- numbers --- */

static double width_of(const struct app_estimate *e)
{
    return e->has_interval ? e->high - e->low : 0.0;
}

struct app_shown app_shown_time(const struct app_estimate *e)
{
    struct app_shown shown = {"", ""};
    if (!e->valid)
        return shown;
    const struct app_number value = app_number_time_within(e->value, e->value, width_of(e));
    snprintf(shown.value, sizeof shown.value, "%s %s", value.value, value.unit);
    if (e->has_interval)
        snprintf(shown.interval, sizeof shown.interval, "%s",
                 app_number_time_interval_within(e->low, e->high, e->value).text);
    return shown;
}

struct app_shown app_shown_number(const struct app_estimate *e, const char *unit)
{
    struct app_shown shown = {"", ""};
    if (!e->valid)
        return shown;
    const int decimals = app_number_decimals(e->value, width_of(e));
    snprintf(shown.value, sizeof shown.value, "%s%s%s",
             app_number_fixed(e->value, decimals, "").value, unit[0] ? " " : "", unit);
    if (e->has_interval)
        snprintf(shown.interval, sizeof shown.interval, "%s",
                 app_number_interval(e->low, e->high, e->value, decimals).text);
    return shown;
}

double app_page_metric(const struct app_result *result, const char *key)
{
    return app_pairs_number(result->metrics, key, NAN);
}

void app_page_rays_cell(struct app_table *table, const struct app_result *result, const char *key)
{
    const double per_s = app_page_metric(result, key);
    const struct app_number number = app_number_rate(per_s > 0.0 ? per_s : -1.0, "");
    app_table_cell(table, "%s%s%.1s", number.value, number.unit[0] ? " " : "", number.unit);
}

void app_page_note_rays(struct app_table *table, const struct app_result *result)
{
    const double rays = app_page_metric(result, "rays");
    if (rays > 0.0)
        app_table_note(table,
                       "Rays of a frame: %.0f, counted: from the eye, off mirrors and towards the "
                       "sun.",
                       rays);
}

struct app_estimate app_page_of_process(const struct app_result_process *process, const char *key)
{
    char low[64], high[64];
    struct app_estimate estimate = {.valid = false};
    const double value = app_pairs_number(process->metrics, key, NAN);
    if (!isfinite(value))
        return estimate;
    snprintf(low, sizeof low, "%s_low", key);
    snprintf(high, sizeof high, "%s_high", key);
    estimate = app_estimate_plain(value);
    estimate.low = app_pairs_number(process->metrics, low, NAN);
    estimate.high = app_pairs_number(process->metrics, high, NAN);
    estimate.has_interval = isfinite(estimate.low) && isfinite(estimate.high);
    return estimate;
}

struct app_estimate app_page_speed(const struct app_result *base, const struct app_result *result,
                                   const char *metric)
{
    const struct app_estimate none = {.valid = false};
    if (!base || base == result || base->verified == APP_VERIFIED_FALSE ||
        result->verified == APP_VERIFIED_FALSE)
        return none;
    return app_estimate_ratio(app_result_estimate(base, metric),
                              app_result_estimate(result, metric));
}

/* --- columns --- */

const char *app_page_interval_title(const struct app_page *page)
{
    return page->processes > 1 ? "95 % interval" : page->recorded ? "that run" : "this run";
}

void app_page_value_columns(const struct app_page *page, struct app_table *table, const char *title)
{
    app_table_column(table, title, APP_ALIGN_RIGHT);
    app_table_column(table, app_page_interval_title(page), APP_ALIGN_LEFT);
}

void app_page_value_cells(const struct app_page *page, struct app_table *table,
                          const struct app_estimate *estimate, const struct app_shown *shown)
{
    const size_t processes = estimate->copied ? estimate->recorded : estimate->processes;
    const bool alone = page->processes > 1 && estimate->valid && processes < 2;
    const char *whose = !estimate->copied         ? " this run"
                        : estimate->recorded == 1 ? " one process"
                                                  : " processes unknown";
    app_table_cell(table, "%s", shown->value);
    app_table_cell(table, "%s%s", shown->interval, alone && shown->interval[0] ? whose : "");
}

void app_page_time_cell(struct app_table *table, const struct app_result *result, const char *key)
{
    const struct app_estimate time = app_result_estimate(result, key);
    const struct app_number number = app_number_time(time.value);
    if (time.valid)
        app_table_cell(table, "%s %s", number.value, number.unit);
    else
        app_table_cell(table, "%s", "");
}

void app_page_net_columns(struct app_table *table)
{
    app_table_column(table, "overhead", APP_ALIGN_RIGHT);
    app_table_column(table, "net", APP_ALIGN_RIGHT);
}

void app_page_net_cells(struct app_table *table, const struct app_result *result)
{
    app_page_time_cell(table, result, "overhead_ms");
    app_page_time_cell(table, result, "net_ms");
}

void app_page_trust_column(struct app_table *table)
{
    app_table_column(table, "trust", APP_ALIGN_LEFT);
    app_table_wrap(table, TRUST_WIDTH);
}

/* Appends a word to a list separated by blanks. */
static void append_word(char *text, size_t size, const char *word)
{
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used > 0 ? " " : "", word);
}

static void add_trust(struct app_table *table, const struct app_results_trust *trust,
                      unsigned common)
{
    const char *ids[APP_TRUST_COUNT];
    char text[512] = "";
    const size_t n = app_trust_ids(trust->reasons & ~common, ids);
    for (size_t i = 0; i < n; i++)
        append_word(text, sizeof text, ids[i]);
    for (size_t i = 0; i < trust->others.count; i++)
        append_word(text, sizeof text, trust->others.texts[i]);
    app_table_cell(table, "%s", text);
}

void app_page_trust_cell(struct app_table *table, const struct app_results_trust *trust)
{
    add_trust(table, trust, 0);
}

void app_page_verified_columns(struct app_table *table)
{
    app_table_column(table, "verified", APP_ALIGN_LEFT);
    app_table_column(table, "regime", APP_ALIGN_LEFT);
    app_page_trust_column(table);
}

static void add_verified(struct app_table *table, const struct app_result *result, unsigned common)
{
    static const char *const verdicts[] = {"no", "yes", "WRONG"};
    const bool idle = strcmp(result->regime, "idle") == 0 || strcmp(result->regime, "n/a") == 0;
    app_table_cell(table, "%s", verdicts[result->verified]);
    app_table_cell(table, "%s", idle ? "" : result->regime);
    add_trust(table, &result->trust, common);
}

void app_page_verified_cells(struct app_table *table, const struct app_result *result)
{
    add_verified(table, result, 0);
}

void app_page_end_columns(struct app_table *table)
{
    app_table_column(table, "n", APP_ALIGN_RIGHT);
    app_table_column(table, "processes", APP_ALIGN_RIGHT);
    app_table_column(table, "until", APP_ALIGN_LEFT);
    app_page_verified_columns(table);
}

void app_page_end_cells(const struct app_page *page, struct app_table *table,
                        const struct app_result *result)
{
    const size_t recorded = app_result_recorded(result),
                 processes = recorded > 0 ? recorded : result->process_count,
                 asked =
                     recorded > 0 ? page->processes : (size_t)page->results->run.processes_asked;
    app_table_cell(table, "%zu", app_result_samples(result));
    if (processes < asked)
        app_table_cell(table, "%zu of %zu", processes, asked);
    else
        app_table_cell(table, "%s", "");
    app_table_cell(table, "%s", !result->complete ? "interrupt" : result->stop ? result->stop : "");
    add_verified(table, result, page->common);
}

void app_page_workload(struct app_table *table, const struct app_result *result)
{
    const struct app_pairs w = result->workload;
    const double spheres = app_pairs_number(w, "spheres", NAN),
                 zoom = app_pairs_number(w, "zoom", NAN), pose = app_pairs_number(w, "pose_s", NAN);
    const char *seed = app_pairs_text(w, "seed");
    const char *view = app_pairs_text(w, "view"), *camera = app_pairs_text(w, "camera");
    char zoomed[48] = "", posed[48] = "", lit[128] = "";
    if (!isfinite(spheres))
        return;
    if (isfinite(zoom))
        app_format(zoomed, sizeof zoomed, ", zoom %g", zoom);
    if (pose > 0.0)
        app_format(posed, sizeof posed, ", pose of %g s", pose);
    if (view)
        app_format(lit, sizeof lit, ", %s view, camera %s, %.0f bounces, %.0f samples", view,
                   camera ? camera : "n/a", app_pairs_number(w, "bounces", 0.0),
                   app_pairs_number(w, "samples", 0.0));
    app_table_about(table, "%.0f sphere%s, %.0fx%.0f pixels%s%s%s%s%s%s", spheres,
                    spheres > 1.0 ? "s" : "", app_pairs_number(w, "width", 0.0),
                    app_pairs_number(w, "height", 0.0), seed ? ", seed " : "", seed ? seed : "",
                    zoomed, lit, posed, app_pairs_text(w, "pose_s") ? ", moving" : "");
}

unsigned app_page_storage_bit(const char *mode)
{
    struct krn_mode found;
    return mode && app_mode_parse(mode, strlen(mode), &found) ? 1u << found.storage : 0u;
}

void app_page_same_caches(struct app_table *table, enum krn_backend_id backend, unsigned storages)
{
    const bool several = (storages & (storages - 1)) != 0;
    if (several && !krn_backend_get(backend)->can->distinct_storages)
        app_table_note(table, "On the CPU all storages read the same caches: their differences are "
                              "noise.");
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

void app_page_common(struct app_page *page, struct app_table *table, unsigned reasons)
{
    const char *ids[APP_TRUST_COUNT];
    char text[512] = "";
    const size_t n = app_trust_ids(reasons, ids);
    for (size_t i = 0; i < n; i++)
        append_word(text, sizeof text, ids[i]);
    if (n > 0)
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
