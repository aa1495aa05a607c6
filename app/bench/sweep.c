#include "bench/sweep.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/numbers.h"
#include "command/mode.h"
#include "measure/mode_run.h"
#include "report/report_modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int app_sweep_counts(int low, int high, int counts[APP_SWEEP_COUNTS])
{
    static const int steps[] = {1, 2, 5};
    int n = 0;
    counts[n++] = low;
    for (int power = 1; power <= KRN_SPHERES_MAX; power *= 10)
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
            if (power * steps[s] > low && power * steps[s] < high)
                counts[n++] = power * steps[s];
    if (high > low)
        counts[n++] = high;
    return n;
}

static void keep(struct app_sweep *sweep, int at, const struct app_measurement *measurement)
{
    for (int m = 0; m < measurement->count; m++) {
        const struct app_mode_result *result = &measurement->modes[m];
        struct app_sweep_cell *cell = &sweep->cells[krn_mode_index(result->mode)][at];
        cell->valid = result->n > 0;
        cell->median_ms = result->summary.median;
        cell->verified = result->verified;
        cell->trust = result->trust;
        memcpy(cell->verified_text, result->verified_text, sizeof cell->verified_text);
    }
}

/* Returns the seconds for the next of the `left` counts. */
static double share_of(const struct app_plan *plan, double passed_s, int left)
{
    const double least_s = 0.001;
    return plan->seconds > 0.0 ? fmax((plan->seconds - passed_s) / left, least_s)
                               : APP_SWEEP_SECONDS;
}

enum krn_code app_sweep_run(struct app_engine *engine, const struct app_state *state, int low,
                            int high, const struct app_plan *plan, struct app_report *report,
                            struct app_sweep *sweep, struct krn_error *error)
{
    memset(sweep, 0, sizeof *sweep);
    sweep->count = app_sweep_counts(low, high, sweep->counts);
    for (int m = 0; m < KRN_MODES; m++)
        sweep->chosen[m] = app_mode_chosen(plan->modes ? plan->modes : "", krn_mode_at(m));
    struct app_measurement *measurement = malloc(sizeof *measurement);
    if (!measurement)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a sweep.");
    struct app_plan of_count = *plan;
    const double start_s = app_clock_s();
    struct app_state now = *state;
    now.mode = krn_mode_at(0); /* the first mode takes any number of spheres */
    now.duel.on = false;
    enum krn_code code = KRN_OK;
    int i = 0;
    for (; i < sweep->count && code == KRN_OK && !app_must_stop(); i++) {
        now.recipe.count = sweep->counts[i];
        of_count.seconds = share_of(plan, app_clock_s() - start_s, sweep->count - i);
        code = app_measure_modes(engine, &now, &of_count, measurement, error);
        if (code == KRN_OK) {
            keep(sweep, i, measurement);
            app_report_add_measurement(report, engine, &now, measurement);
        }
    }
    free(measurement);
    /* An interrupt between two counts leaves every result complete, but some are missing. */
    if (i < sweep->count || code != KRN_OK || app_must_stop())
        app_report_incomplete(report);
    return code;
}

bool app_sweep_all_right(const struct app_sweep *sweep)
{
    for (int m = 0; m < KRN_MODES; m++)
        for (int i = 0; i < sweep->count; i++)
            if (sweep->cells[m][i].verified == APP_VERIFIED_FALSE)
                return false;
    return true;
}

int app_sweep_fastest(const struct app_sweep *sweep, int at, int kernel, int storage)
{
    int fastest = -1;
    for (int m = 0; m < KRN_MODES; m++) {
        const struct krn_mode mode = krn_mode_at(m);
        const struct app_sweep_cell *cell = &sweep->cells[m][at];
        if (!cell->valid || app_trust_no_verdict(cell->trust) ||
            (kernel >= 0 && ((int)mode.kernel != kernel || (int)mode.storage != storage)))
            continue;
        if (fastest < 0 || cell->median_ms < sweep->cells[fastest][at].median_ms)
            fastest = m;
    }
    return fastest;
}

/* Prints a cell, `width` columns wide. */
static void print_cell(const struct app_sweep_cell *cell, int width, FILE *out)
{
    const char *wrong = cell->verified == APP_VERIFIED_FALSE ? "!" : "";
    char text[64] = "-";
    const struct app_number time = app_number_time(cell->median_ms);
    if (cell->valid)
        snprintf(text, sizeof text, "%s%s %s", wrong, time.value, time.unit);
    /* µ is two bytes and one column. */
    const int more = cell->valid && time.unit[0] == '\xc2';
    fprintf(out, "%*s", width + more, text);
}

/* Prints the counts from `from` to before `to`, one line per mode. */
static void print_columns(const struct app_sweep *sweep, int from, int to, bool markdown, FILE *out)
{
    const char *bar = markdown ? " | " : " ", *end = markdown ? " |\n" : "\n";
    const int width = 8;
    fprintf(out, "%s%-17s", markdown ? "| " : "  ", "kernel/storage/K");
    for (int i = from; i < to; i++)
        fprintf(out, "%s%*d", bar, width, sweep->counts[i]);
    fputs(end, out);
    if (markdown) {
        fputs("| ---", out);
        for (int i = from; i < to; i++)
            fputs(" | ---:", out);
        fputs(end, out);
    }
    for (int m = 0; m < KRN_MODES; m++) {
        char name[APP_MODE_TEXT_MAX];
        if (!sweep->chosen[m])
            continue;
        app_mode_text(krn_mode_at(m), name, sizeof name);
        fprintf(out, "%s%-17s", markdown ? "| " : "  ", name);
        for (int i = from; i < to; i++) {
            fputs(bar, out);
            print_cell(&sweep->cells[m][i], width, out);
        }
        fputs(end, out);
    }
}

/* Prints the fastest mode of each count; consecutive counts with the same mode share an entry. */
static void print_fastest(const struct app_sweep *sweep, FILE *out)
{
    const char *joint = "Fastest:";
    for (int i = 0, next; i < sweep->count; i = next) {
        const int fastest = app_sweep_fastest(sweep, i, -1, 0);
        for (next = i + 1; next < sweep->count; next++)
            if (app_sweep_fastest(sweep, next, -1, 0) != fastest)
                break;
        if (fastest < 0)
            continue;
        char name[APP_MODE_TEXT_MAX];
        app_mode_text(krn_mode_at(fastest), name, sizeof name);
        fprintf(out, "%s %s at %d", joint, name, sweep->counts[i]);
        if (next > i + 1)
            fprintf(out, "%s%d", next > i + 2 ? " to " : " and ", sweep->counts[next - 1]);
        joint = ",";
    }
    fputs(joint[0] == ',' ? "\n" : "Nothing was measured.\n", out);
}

void app_sweep_print(const struct app_sweep *sweep, const struct app_engine *engine,
                     const struct app_state *state, bool markdown, FILE *out)
{
    enum { ACROSS = 11 }; /* columns that fit into 120 characters */
    const struct krn_device_info *device = krn_device_describe(app_engine_device(engine, state));
    fprintf(out, "%s, %s (%s), times by %s\n", krn_backend_name(device->backend), device->name,
            device->runtime, device->clock);
    fprintf(out, "Median kernel time against the number of spheres, %dx%d pixels\n", state->width,
            state->height);
    const int across = markdown ? sweep->count : ACROSS;
    for (int from = 0; from < sweep->count; from += across) {
        if (markdown || from > 0)
            fputc('\n', out);
        const int to = from + across < sweep->count ? from + across : sweep->count;
        print_columns(sweep, from, to, markdown, out);
    }
    if (markdown)
        fputc('\n', out);
    print_fastest(sweep, out);
    if (!device->can.distinct_storages)
        fprintf(out,
                "On the CPU all storages read the same caches: their differences are noise.\n");
    for (int m = 0; m < KRN_MODES; m++)
        for (int i = 0; i < sweep->count; i++) {
            char name[APP_MODE_TEXT_MAX];
            app_mode_text(krn_mode_at(m), name, sizeof name);
            if (sweep->cells[m][i].verified == APP_VERIFIED_FALSE)
                fprintf(out, "WRONG picture, %s at %d: %s.\n", name, sweep->counts[i],
                        sweep->cells[m][i].verified_text);
        }
}
