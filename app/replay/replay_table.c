/* app/replay/replay_table.c - the recorded numbers beside those of now. */
#include "base/numbers.h"
#include "judge/comparison.h"
#include "model/model.h"
#include "replay/replay.h"
#include "results/compare.h"
#include "results/sides.h"

#include <string.h>

/* Compares two lists of pairs, leaving out the pose. */
static bool same_pairs(struct app_pairs a, struct app_pairs b)
{
    bool same = a.count == b.count;
    for (size_t i = 0; i < a.count && same; i++) {
        const struct app_pair *other = app_pairs_find(b, a.pairs[i].key);
        same = strcmp(a.pairs[i].key, "pose_s") == 0 ||
               (other != NULL && app_pair_equal(&a.pairs[i], other));
    }
    return same;
}

/* Returns the result of `now` that timed the same mode with the same scene and view, on any
 * backend; NULL: there is none. */
static const struct app_result *find_like(const struct app_results *now,
                                          const struct app_result *then)
{
    for (size_t i = 0; i < now->count; i++) {
        const struct app_result *result = &now->results[i];
        if (strcmp(result->benchmark, then->benchmark) == 0 &&
            strcmp(result->variant, then->variant) == 0 &&
            same_pairs(then->workload, result->workload) &&
            same_pairs(then->parameters, result->parameters))
            return result;
    }
    return NULL;
}

static struct app_estimate time_of(const struct app_result *result)
{
    struct app_estimate time = {.valid = false};
    if (result == NULL)
        return time;
    time = app_result_estimate(result, "median_ms");
    if (result->verified == APP_VERIFIED_FALSE)
        time.trust |= APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
    return time;
}

/* Adds a time with the interval of its own run. */
static void put_time(struct app_table *table, struct app_estimate time, double like_ms)
{
    const struct app_number value = app_number_time_as(time.value, like_ms);
    if (!time.valid)
        app_table_cell(table, "–");
    else if (time.has_interval)
        app_table_cell(table, "%s %s %s", value.value, value.unit,
                       app_number_time_interval(time.low, time.high, time.value, like_ms).text);
    else
        app_table_cell(table, "%s %s", value.value, value.unit);
}

/* Returns why the two times, although of one mode, scene and view, get no verdict; NULL: nothing
 * keeps them from one. */
static const char *find_hindrance(const struct app_result *then, const struct app_result *now)
{
    const struct app_pair *pose = app_pairs_find(then->workload, "pose_s");
    if (pose != NULL && pose->text != NULL)
        return "the scene moved then and stands still now";
    if (strcmp(then->regime, now->regime) != 0)
        return "regimes differ";
    return NULL;
}

/* What tells the points of a sweep apart. */
struct axes {
    bool spheres, bounces;
};

/* Returns true when times of modes in a record differ in a number of their workload. */
static bool varies(const struct app_results *results, const char *key)
{
    double first = -1.0;
    for (size_t i = 0; i < results->count; i++) {
        const struct app_result *result = &results->results[i];
        const double number = app_pairs_number(result->workload, key, -1.0);
        if (strcmp(result->benchmark, "raytrace") != 0 || !(number >= 0.0))
            continue;
        if (first >= 0.0 && (number < first || number > first))
            return true;
        first = number;
    }
    return false;
}

/* Adds a number of the workload; an empty cell where it does not tell points apart. */
static void put_coordinate(struct app_table *table, double number)
{
    if (number >= 0.0)
        app_table_cell(table, "%.0f", number);
    else
        app_table_cell(table, "%s", "");
}

static void put_row(struct app_table *table, const struct app_result *then,
                    const struct app_result *now, struct axes axes, double band_percent)
{
    const double spheres = axes.spheres ? app_pairs_number(then->workload, "spheres", -1.0) : -1.0,
                 bounces = axes.bounces ? app_pairs_number(then->workload, "bounces", -1.0) : -1.0;
    const struct app_estimate first = time_of(then), other = time_of(now);
    struct app_comparison comparison = app_compare_times(first, other, band_percent);
    const char *hindrance = now != NULL ? find_hindrance(then, now) : NULL;
    char doubts[320];
    if (hindrance != NULL && comparison.instead == NULL)
        comparison.verdict = KRN_RATIO_CANNOT_TELL;
    const int decimals =
        comparison.valid ? app_number_decimals(comparison.ratio, comparison.high - comparison.low)
                         : 2;
    app_table_row(table);
    const bool moved = now != NULL && now->backend != then->backend;
    app_table_cell(table, "%s (%s%s%s)", then->variant, krn_backend_name(then->backend),
                   moved ? ", now " : "", moved ? krn_backend_name(now->backend) : "");
    put_coordinate(table, spheres);
    put_coordinate(table, bounces);
    put_time(table, first, first.value);
    put_time(table, other, first.value);
    app_table_cell(table, "%s",
                   comparison.ratio > 0.0 ? app_number_fixed(comparison.ratio, decimals, "").value
                                          : "");
    if (comparison.valid)
        app_table_cell(
            table, "%s%s",
            app_number_interval(comparison.low, comparison.high, comparison.ratio, decimals).text,
            app_comparison_scope(&comparison));
    else
        app_table_cell(table, "%s", "");
    app_table_cell(table, "%s", now != NULL ? app_comparison_word(&comparison) : "not timed now");
    app_trust_list(first.trust | other.trust, doubts, sizeof doubts);
    app_table_cell(table, "%s", doubts);
    if (hindrance != NULL) {
        char point[APP_WORKLOAD_POINT];
        app_workload_point(spheres, bounces, point);
        app_table_note(table, "No verdict FASTER, SLOWER or SAME for %s%s: %s.", then->variant,
                       point, hindrance);
    }
}

static void tell_side(struct app_table *table, const char *when, const struct app_results *side)
{
    app_table_about(table, "%s: %s, %s, version %s (%s), %s", when,
                    side->has_device ? side->device.name : "n/a", side->host, side->version,
                    side->git, side->time_utc);
}

static const struct app_column columns[] = {{"mode", .align = APP_ALIGN_LEFT},
                                            {"spheres", .align = APP_ALIGN_RIGHT},
                                            {"bounces", .align = APP_ALIGN_RIGHT},
                                            {"then", .align = APP_ALIGN_RIGHT},
                                            {"now", .align = APP_ALIGN_RIGHT},
                                            {"x", .align = APP_ALIGN_RIGHT},
                                            {"95 % interval", .align = APP_ALIGN_LEFT},
                                            {"verdict", .align = APP_ALIGN_LEFT},
                                            {"trust", .wrap = 32}};

void app_replay_print(const struct app_replay *replay, const struct app_results *now,
                      double band_percent, enum app_style style, FILE *out)
{
    char title[128];
    size_t rows = 0, others = 0;
    const struct axes axes = {varies(&replay->then, "spheres"), varies(&replay->then, "bounces")};
    snprintf(title, sizeof title, "Replay of %s", replay->name);
    struct app_table *table = app_table_new(title);
    tell_side(table, "then", &replay->then);
    tell_side(table, "now", now);
    app_table_about(table,
                    "x: times as fast as then, ratio of the medians [95 %% interval]. The verdict "
                    "follows the rules of --compare with a band of indifference of %g %%; one "
                    "process per side says SAME or CAN'T TELL.",
                    band_percent);
    app_table_columns(table, APP_COLUMNS(columns));
    for (size_t i = 0; i < replay->then.count; i++) {
        const struct app_result *result = &replay->then.results[i];
        if (strcmp(result->benchmark, "raytrace") == 0) {
            put_row(table, result, find_like(now, result), axes, band_percent);
            rows++;
        } else {
            others++;
        }
    }
    if (rows == 0)
        app_table_note(table, "The record has no time of a mode.");
    if (others > 0)
        app_table_note(table,
                       "A replay times modes only; the record has %zu other result%s. --compare "
                       "compares whole records.",
                       others, others == 1 ? "" : "s");
    app_table_print(table, style, out);
    app_table_free(table);
}
