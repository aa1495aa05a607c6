/* A duel: both sides, the verdict in a sentence, the A/A duel, and what each process found. */
#include "print/page.h"

#include "base/numbers.h"

#include "krn/duel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Adds the time of side A or B. */
static void add_side(const struct app_page *page, struct app_table *table,
                     const struct app_result *result, int side)
{
    static const char *const overheads[] = {"a_overhead_ms", "b_overhead_ms"}, *const nets[] = {
                                                                                   "a_net_ms",
                                                                                   "b_net_ms"};
    static const char *const rates[] = {"a_rays_per_s", "b_rays_per_s"};
    static const char *const metrics[] = {"a_median_ms", "b_median_ms"}, *const names[] = {"a",
                                                                                           "b"};
    const struct app_estimate median = app_result_estimate(result, metrics[side]);
    const struct app_shown shown = app_shown_time(&median);
    const char *mode = app_pairs_text(result->parameters, names[side]);
    app_table_row(table);
    app_table_cell(table, "%c", "AB"[side]);
    app_table_cell(table, "%s", mode ? mode : "");
    app_page_value_cells(page, table, &median, &shown);
    app_page_time_cell(table, result, overheads[side]);
    app_page_time_cell(table, result, nets[side]);
    if (app_page_metric(result, "rays") > 0.0)
        app_page_rays_cell(table, result, rates[side]);
}

/* Notes the ratio with its verdict. */
static void note_verdict(struct app_table *table, const struct app_result *result)
{
    const struct app_estimate ratio = app_result_estimate(result, "ratio");
    const struct app_shown shown = app_shown_number(&ratio, "");
    double band = app_pairs_number(result->parameters, "band_percent", KRN_DUEL_BAND_PERCENT);
    band = app_pairs_number(result->outcome, "band_percent", band);
    const char *verdict = app_pairs_text(result->outcome, "verdict"),
               *none = app_trust_no_verdict(result->trust.reasons),
               *word = none      ? none
                       : verdict ? verdict
                                 : "CAN'T TELL";
    if (!ratio.valid)
        app_table_note(table, "No ratio: there are too few pairs.");
    else if (!ratio.has_interval)
        app_table_note(table, "%s: A is %s times as fast as B (band %g %%).", word, shown.value,
                       band);
    else if (ratio.processes > 1)
        app_table_note(table,
                       "%s: A is %s times as fast as B, 95 %% interval %s across %zu processes "
                       "(band %g %%).",
                       word, shown.value, shown.interval, ratio.processes, band);
    else
        app_table_note(table, "%s: A is %s times as fast as B, %s %s (band %g %%).", word,
                       shown.value, shown.interval,
                       app_page_metric(result, "seconds") < KRN_DUEL_FIRM_S ? "so far in this run"
                                                                            : "in this run",
                       band);
}

/* Notes why one process's verdict is less than what its run showed. */
static void note_reservation(struct app_table *table, const struct app_result *result)
{
    const char *verdict = app_pairs_text(result->outcome, "verdict"),
               *so_far = app_pairs_text(result->outcome, "so_far");
    if (result->process_count > 1 || !verdict)
        return;
    if (strcmp(verdict, krn_ratio_verdict_name(KRN_RATIO_WANDERING)) == 0)
        app_table_note(table, "The ratio changes too slowly for this run to average it out: "
                              "there is no interval.");
    else if (so_far && strcmp(so_far, verdict) != 0)
        app_table_note(table,
                       "%s so far: a state of the machine that lasts as long as this run would "
                       "look the same; a difference this small is firm after %g s.",
                       so_far, KRN_DUEL_FIRM_S);
}

static void note_looks(struct app_table *table, const struct app_result *result)
{
    const double claims = app_page_metric(result, "claims");
    app_table_note(table, "%.0f pairs; %s s; ended by %s.", app_page_metric(result, "n"),
                   app_number_plain(app_page_metric(result, "seconds"), "").value,
                   result->stop ? result->stop : "interrupt");
    if (claims > 0.0)
        app_table_note(table, "%.0f of the looks saw a difference, the first after %.2f s.", claims,
                       app_page_metric(result, "first_claim_s"));
    else
        app_table_note(table, "No look saw a difference.");
}

/* Notes the duel of the faster side against itself, and what it means when it shows a difference.
 */
static void note_aa(struct app_table *table, const struct app_result *result)
{
    const struct app_estimate ratio = app_result_estimate(result, "aa_ratio");
    const struct app_shown shown = app_shown_number(&ratio, "");
    const char *side = app_pairs_text(result->outcome, "aa_side"),
               *verdict = app_pairs_text(result->outcome, "aa_verdict");
    const bool alone = result->process_count < 2;
    if (!ratio.valid)
        return;
    app_table_note(table, "A/A, %s against itself: %s%s%s%s%s, %.0f pairs.",
                   alone && side ? side : "the faster side", alone && verdict ? verdict : "",
                   alone && verdict ? ", " : "", shown.value, shown.interval[0] ? " " : "",
                   shown.interval, app_page_metric(result, "aa_n"));
    if (app_pairs_number(result->outcome, "distrusted", 0.0) > 0.0)
        app_table_note(table, "DO NOT TRUST the verdict: one side against itself shows a "
                              "difference, too.");
}

/* Prints the ratio that each process found, with its interval of that run. */
static void print_processes(struct app_page *page, const struct app_result *result)
{
    struct app_table *table = app_table_new("The duel, process by process");
    const char *none = app_trust_no_verdict(result->trust.reasons);
    app_table_column(table, "process", APP_ALIGN_RIGHT);
    app_table_column(table, "ratio", APP_ALIGN_RIGHT);
    app_table_column(table, "this run", APP_ALIGN_LEFT);
    app_table_column(table, "verdict", APP_ALIGN_LEFT);
    app_table_column(table, "pairs", APP_ALIGN_RIGHT);
    app_table_column(table, "A/A ratio", APP_ALIGN_RIGHT);
    app_table_column(table, "seconds", APP_ALIGN_RIGHT);
    app_table_column(table, "until", APP_ALIGN_LEFT);
    app_page_trust_column(table);
    for (size_t i = 0; i < result->process_count; i++) {
        const struct app_result_process *process = &result->processes[i];
        const struct app_pairs m = process->metrics;
        const char *verdict = none ? none : app_pairs_text(process->outcome, "verdict");
        const struct app_estimate ratio = app_page_of_process(process, "ratio"),
                                  aa = app_page_of_process(process, "aa_ratio");
        const struct app_shown shown = app_shown_number(&ratio, "");
        app_table_row(table);
        app_table_cell(table, "%d", process->process);
        app_table_cell(table, "%s", shown.value);
        app_table_cell(table, "%s", shown.interval);
        app_table_cell(table, "%s", verdict ? verdict : "");
        app_table_cell(table, "%.0f", app_pairs_number(m, "n", 0.0));
        app_table_cell(table, "%s", app_shown_number(&aa, "").value);
        app_table_cell(table, "%s",
                       app_number_plain(app_pairs_number(m, "seconds", NAN), "").value);
        app_table_cell(table, "%s", process->stop ? process->stop : "interrupt");
        app_page_trust_cell(table, &process->trust);
    }
    app_page_print(page, table);
}

/* Returns the reasons that a text of ids names. */
static unsigned reasons_in(const char *ids)
{
    unsigned reasons = 0;
    while (ids && *ids) {
        char id[32];
        const size_t length = strcspn(ids, " ");
        snprintf(id, sizeof id, "%.*s", (int)length, ids);
        reasons |= app_trust_of_id(id);
        ids += length + strspn(ids + length, " ");
    }
    return reasons;
}

/* Returns the result as it concerns one side: its verification, and its reasons in all processes.
 * Older records have them of both sides together only. */
static struct app_result side_of(const struct app_result *result, int side)
{
    const char *verified_key = side == 0 ? "a_verified" : "b_verified",
               *trust_key = side == 0 ? "a_trust" : "b_trust";
    struct app_result own = *result;
    unsigned reasons = 0;
    bool known = false;
    for (size_t i = 0; i < result->process_count; i++) {
        const struct app_pairs outcome = result->processes[i].outcome;
        const char *verified = app_pairs_text(outcome, verified_key);
        known = known || verified;
        reasons |= reasons_in(app_pairs_text(outcome, trust_key));
        /* Not every process compares the whole picture: the first does, and others may find more
         * that is wrong. */
        if (verified && (i == 0 || strcmp(verified, "WRONG") == 0))
            own.verified = strcmp(verified, "yes") == 0     ? APP_VERIFIED_TRUE
                           : strcmp(verified, "WRONG") == 0 ? APP_VERIFIED_FALSE
                                                            : APP_VERIFIED_UNKNOWN;
    }
    if (!known)
        return *result;
    if (own.verified == APP_VERIFIED_TRUE)
        reasons &= ~APP_TRUST_BIT(APP_TRUST_NOT_VERIFIED);
    own.trust = (struct app_results_trust){.reasons = reasons};
    return own;
}

/* Notes why there is no verdict. */
static void note_none(struct app_table *table, const struct app_result *result)
{
    const unsigned reasons = result->trust.reasons, first = reasons & ~(reasons - 1);
    const bool a = side_of(result, 0).trust.reasons & first,
               b = side_of(result, 1).trust.reasons & first;
    app_table_note(table, "%s, no verdict: %s%s.", app_trust_no_verdict(reasons),
                   app_trust_first(reasons),
                   a && b ? " on both sides"
                   : a    ? " on side A"
                   : b    ? " on side B"
                          : "");
}

static void print_one(struct app_page *page, const struct app_result *result)
{
    struct app_table *table = app_table_new("Duel, both modes on every frame");
    app_page_workload(table, result);
    app_table_column(table, "side", APP_ALIGN_LEFT);
    app_table_column(table, "mode", APP_ALIGN_LEFT);
    app_page_value_columns(page, table, "median");
    app_page_net_columns(table);
    if (app_page_metric(result, "rays") > 0.0)
        app_table_column(table, "rays/s", APP_ALIGN_RIGHT);
    app_page_verified_columns(table);
    for (int side = 0; side < 2; side++) {
        const struct app_result own = side_of(result, side);
        page->reasons |= own.trust.reasons;
        add_side(page, table, result, side);
        app_page_verified_cells(table, &own);
    }
    if (app_trust_no_verdict(result->trust.reasons))
        note_none(table, result);
    else
        note_verdict(table, result);
    note_reservation(table, result);
    note_looks(table, result);
    note_aa(table, result);
    app_page_note_rays(table, result);
    app_page_same_caches(table, result->backend,
                         app_page_storage_bit(app_pairs_text(result->parameters, "a")) |
                             app_page_storage_bit(app_pairs_text(result->parameters, "b")));
    app_page_wrong(table, result, "picture", "");
    app_page_print(page, table);
    if (result->process_count > 1)
        print_processes(page, result);
}

void app_print_duel(struct app_page *page)
{
    for (size_t i = 0; i < page->results->count; i++)
        if (strcmp(page->results->results[i].benchmark, "duel") == 0)
            print_one(page, &page->results->results[i]);
}
