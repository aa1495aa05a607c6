/* Where constant memory wins: four programs for CUDA and one for OpenGL, each from either memory,
 * by the number of spheres. */
#include "topics/topic.h"

#include "krn/duel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The cases share one chance in a hundred of a wrong word, as the rows of the board do. */
static const double level = 1.0 - 0.01 / APP_WHERE_CASES;

/* PAIRS: the most, since a page sorts those of every case in each frame. */
enum { PROGRAMS = 5, PAIRS = 60 };

static const struct {
    const char *constant, *global;
} series[PROGRAMS] = {{"book/constant", "book/global"},
                      {"plain/constant", "plain/global"},
                      {"vector/constant", "vector/global"},
                      {"arrays/constant", "arrays/global"},
                      {"opengl/constant", "opengl/global"}};
enum { OPENGL = PROGRAMS - 1 };
static const char *const names[PROGRAMS + 1] = {"book's kernel", "plain loop", "16-byte reads",
                                                "arrays", "OpenGL"},
                                          *const names_of_cuda[PROGRAMS] = {
                                              "book's kernel", "plain loop", "16-byte reads",
                                              "arrays"};

/* Returns the median of the ratios of what one process measured in turns, with its interval: the
 * newest runs of either side make the pairs. */
static struct app_estimate of_pairs(const struct app_result *global,
                                    const struct app_result *constant)
{
    const struct app_result_process *a = global->processes, *b = constant->processes;
    const size_t both = a->n < b->n ? a->n : b->n, n = both < PAIRS ? both : PAIRS;
    double ratios[PAIRS];
    for (size_t i = 0; i < n; i++)
        ratios[i] = a->samples_ms[a->n - n + i] / b->samples_ms[b->n - n + i];
    krn_sort(ratios, n);
    const double median = krn_quantile_sorted(ratios, n, 0.5),
                 widen = app_result_widen(global, "median_ms") +
                         app_result_widen(constant, "median_ms");
    return app_estimate_of_run(median, krn_interval_order(ratios, n, level), widen * median);
}

/* Returns the time from global memory over that from constant memory. */
static struct app_estimate ratio_of(const struct app_probes_view *view, int program, double x)
{
    const struct app_result *global = app_probe_result_find(view, KRN_TOPIC_WHERE,
                                                            series[program].global, x),
                            *constant = app_probe_result_find(view, KRN_TOPIC_WHERE,
                                                              series[program].constant, x);
    struct app_estimate ratio =
        app_estimate_at(app_estimate_ratio(app_metric_of(view, global, APP_M_MEDIAN_MS),
                                           app_metric_of(view, constant, APP_M_MEDIAN_MS)),
                        level);
    if (ratio.valid && global->process_count == 1 && constant->process_count == 1) {
        const unsigned trust = ratio.trust;
        ratio = of_pairs(global, constant);
        ratio.trust = trust;
    }
    return ratio;
}

/* Cases by what their intervals say of constant memory; those without an interval are none yet. */
struct tally {
    int faster, slower, same, open;
};

static void count(struct tally *tally, struct app_estimate ratio)
{
    const enum app_verdict verdict =
        app_verdict_ratio(app_estimate_verdict_interval(ratio), KRN_DUEL_BAND_PERCENT);
    const bool barred = app_trust_no_verdict(ratio.trust) != APP_VERDICT_NONE;
    tally->faster += !barred && verdict == APP_VERDICT_FASTER;
    tally->slower += !barred && verdict == APP_VERDICT_SLOWER;
    tally->same += !barred && verdict == APP_VERDICT_SAME;
    tally->open += barred || verdict == APP_VERDICT_CANT_TELL;
}

static int total(const struct tally *tally)
{
    return tally->faster + tally->slower + tally->same + tally->open;
}

/* Returns "1 faster, 5 slower, 1 same", without what no case is. */
static struct app_phrase tally_text(const struct tally *tally)
{
    const struct {
        int cases;
        const char *what;
    } parts[] = {{tally->faster, "faster"},
                 {tally->slower, "slower"},
                 {tally->same, "same"},
                 {tally->open, "undecided"}};
    struct app_phrase made = {""};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].cases > 0)
            app_append(made.text, sizeof made.text, ", ", "%d %s", parts[i].cases, parts[i].what);
    return made;
}

/* What was measured of a program. */
struct row {
    double spheres[APP_WHERE_CASES];
    struct app_estimate ratio[APP_WHERE_CASES];
    int n; /* cases, also those that were not measured yet */
    struct tally tally;
};

struct study {
    struct row rows[PROGRAMS];
    struct tally tally;
    int cases;
    struct app_estimate least, most; /* of the ratios */
};

static void make_study(const struct app_probes_view *view, struct study *study)
{
    memset(study, 0, sizeof *study);
    for (int p = 0; p < PROGRAMS; p++) {
        struct row *row = &study->rows[p];
        for (int i = 0; i < view->count && row->n < APP_WHERE_CASES; i++) {
            const struct app_result *result = &view->results[i];
            if (!app_result_is_of(result, KRN_TOPIC_WHERE, series[p].global))
                continue;
            const struct app_estimate ratio = ratio_of(view, p, result->probe->x);
            row->spheres[row->n] = result->probe->x;
            row->ratio[row->n++] = ratio;
            study->cases++;
            if (ratio.valid && (!study->least.valid || ratio.value < study->least.value))
                study->least = ratio;
            if (ratio.valid && (!study->most.valid || ratio.value > study->most.value))
                study->most = ratio;
            if (!ratio.has_interval)
                continue;
            count(&row->tally, ratio);
            count(&study->tally, ratio);
        }
    }
}

/* "cases": all, also those that were not measured yet; "faster", "slower", "same", "open": those
 * measured, by what their intervals say of constant memory; "least", "most": the ratios' ends. */
static void analyse(const struct app_probes_view *view, struct app_analysis *analysis)
{
    struct study study;
    make_study(view, &study);
    if (!study.least.valid)
        return;
    app_finding_add(analysis, "cases", app_estimate_plain(study.cases));
    app_finding_add(analysis, "faster", app_estimate_plain(study.tally.faster));
    app_finding_add(analysis, "slower", app_estimate_plain(study.tally.slower));
    app_finding_add(analysis, "same", app_estimate_plain(study.tally.same));
    app_finding_add(analysis, "open", app_estimate_plain(study.tally.open));
    app_finding_add(analysis, "least", study.least);
    app_finding_add(analysis, "most", study.most);
    for (int p = 0; p < PROGRAMS; p++) {
        const struct row *row = &study.rows[p];
        const struct app_phrase tally = tally_text(&row->tally);
        char ratios[80] = "";
        for (int i = 0; i < row->n; i++)
            if (row->ratio[i].valid)
                app_append(ratios, sizeof ratios, " ", "%.2f", row->ratio[i].value);
        if (ratios[0])
            app_format(app_finding_add(analysis, series[p].global, row->ratio[0])->line,
                       sizeof analysis->findings->line, "%s, global over constant: %s%s%s",
                       names[p], ratios, tally.text[0] ? "; " : "", tally.text);
    }
}

/* Every program is a row, and every number of spheres a dot, the least at the row's top: in the
 * colour of the memory that is faster, hollow where that is not decided. */
static void picture(const struct app_picture_facts *facts, struct app_picture *picture)
{
    struct study study;
    make_study(facts->probes, &study);
    /* A record of one of the two has no row for the other. */
    const bool has_gl = study.rows[OPENGL].n > 0, has_cuda = study.cases > study.rows[OPENGL].n;
    const int first = has_gl && !has_cuda ? OPENGL : 0, rows = (has_gl ? PROGRAMS : OPENGL) - first;
    app_picture_axes(picture,
                     (struct app_axis){"← global | constant faster →", APP_AXIS_FACTOR,
                                       APP_SCALE_LOG,
                                       study.least.valid ? fmin(0.5, 0.6 * study.least.value) : 0.5,
                                       study.most.valid ? fmax(2.0, 1.1 * study.most.value) : 2.0},
                     (struct app_axis){"↓ 20 to 2000 spheres", APP_AXIS_PLAIN, APP_SCALE_LINEAR,
                                       0.5, rows + 0.5});
    picture->chart.rows = has_gl ? names + first : names_of_cuda;
    picture->sure = "99 % sure of all at once";
    app_picture_band(picture, "same speed", 1.0, 1.0);
    for (int p = first; p < first + rows; p++) {
        const struct row *row = &study.rows[p];
        const double y = first + rows - p;
        struct app_series *line =
            app_picture_line(picture, tally_text(&row->tally).text, APP_INK_TEXT);
        line->bare = true;
        for (int i = 0; i < row->n; i++) {
            const double at = y + 0.3 - 0.6 * i / (row->n > 1 ? row->n - 1 : 1);
            struct tally won = {0};
            if (!row->ratio[i].valid)
                continue;
            count(&won, row->ratio[i]);
            app_picture_point(picture, row->ratio[i].value, app_estimate_plain(at));
            app_picture_mark(
                picture, i == 0 || i == row->n - 1 ? app_phrase("%.0f", row->spheres[i]).text : "",
                won.faster   ? APP_INK_STORAGE + KRN_STORAGE_CONSTANT
                : won.slower ? APP_INK_STORAGE + KRN_STORAGE_GLOBAL
                             : APP_INK_TEXT,
                row->ratio[i].value, at, !won.faster && !won.slower);
        }
    }
    const int measured = total(&study.tally);
    if (measured > 0)
        app_picture_say(picture, (struct app_estimate[]){study.least, study.most}, 2,
                        "Constant memory beats global memory in %d of %d cases%s",
                        study.tally.faster, measured, measured < study.cases ? " so far" : "");
}

const struct app_topic app_topic_where = {
    .topic = KRN_TOPIC_WHERE,
    .text = APP_TEXT_BOOK,
    .title = "Where constant memory wins",
    .panel_title = "Where does constant memory win?",
    .matrix = true,
    .pairs = true,
    .metric = {APP_M_MEDIAN_MS, APP_M_MEDIAN_MS},
    .formulas = {"ratio = time from global memory / time from constant memory, pair by pair",
                 "faster, slower: the whole interval at 1 - 0.01 / 35 beyond 1 %"},
    .analyse = analyse,
    .picture = picture,
};
