/* The frame of a page around its tables, its charts and its histograms. */
#include "print/print.h"

#include "krn/memory.h"
#include "spec/state.h"
#include "topics/claims.h"
#include "topics/topic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Charts that are readable in the width of a phone, with type that shrinks to 11 pixels there. */
enum { CHART_WIDTH = 480, CHART_HEIGHT = 330, CHART_TYPE = 15 };

/* --- the frame --- */

/* What a page has in the place of its contents, and how its sections begin (base/table.c). */
static const char no_contents[] = "<nav></nav>\n", section_begins[] = "<h2>";

/* Prints the template up to a mark, and returns what follows it. */
static const char *print_until(const char *from, const char *mark, FILE *out)
{
    const char *end = strstr(from, mark);
    fwrite(from, 1, (size_t)(end - from), out);
    return end + strlen(mark);
}

static void print_base64(const unsigned char *bytes, size_t count, FILE *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        const unsigned long group = (unsigned long)bytes[i] << 16 |
                                    (i + 1 < count ? (unsigned long)bytes[i + 1] << 8 : 0) |
                                    (i + 2 < count ? bytes[i + 2] : 0);
        for (size_t d = 0; d < 4; d++)
            fputc(i + d > count ? '=' : digits[group >> (18 - 6 * d) & 63], out);
    }
}

static void add_fact(struct app_table *table, const char *name, const char *text)
{
    if (!text || !text[0] || strcmp(text, "n/a") == 0)
        return;
    app_table_row(table);
    app_table_cell(table, "%s", name);
    app_table_cell(table, "%s", text);
}

/* Returns true when another run has measured all results. */
static bool is_copied(const struct app_results *results)
{
    bool copied = results->origin.valid && results->count > 0;
    for (size_t i = 0; i < results->count; i++)
        copied = copied && app_result_copied(&results->results[i]);
    return copied;
}

/* Appends an argument of the command, without the folders of absolute paths in it, and those of the
 * program. */
static void add_argument(char *command, size_t size, const char *argument, bool program)
{
    for (const char *separator = " "; *argument; separator = "") {
        const size_t length = strcspn(argument, "=,");
        const char *name = argument;
        for (size_t i = 0; i < length && (program || argument[0] == '/'); i++)
            name = argument[i] == '/' ? argument + i + 1 : name;
        argument += length;
        app_append(command, size, separator, "%.*s%.1s", (int)(argument - name), name, argument);
        argument += *argument != 0;
    }
}

void app_html_facts(const struct app_results *results, FILE *out)
{
    const bool copied = is_copied(results);
    char system[256] = "", cpu[256] = "", command[600] = "";
    struct app_table *table = app_table_new("");
    app_table_column(table, "measured", APP_ALIGN_LEFT);
    app_table_column(table, copied ? results->origin.time_utc : results->time_utc, APP_ALIGN_LEFT);
    if (results->cpu_threads > 0)
        snprintf(cpu, sizeof cpu, "%s, %d threads", results->cpu, results->cpu_threads);
    snprintf(system, sizeof system, "%s; %s", results->os, results->system);
    for (size_t i = 0; i < results->argv.count; i++)
        add_argument(command, sizeof command, results->argv.texts[i], i == 0);
    add_fact(table, "driver",
             copied ? results->origin.telemetry.driver : results->telemetry.driver);
    if (!copied) {
        add_fact(table, "CPU", cpu);
        add_fact(table, "system", system);
    }
    add_fact(table, "spherescope", app_phrase("%s, %s", results->version, results->git).text);
    add_fact(table, "command", command);
    fputs("<div class=\"facts\">", out);
    app_table_print(table, APP_STYLE_HTML, out);
    fputs("</div>\n", out);
    app_table_free(table);
}

/* Returns the fastest right mode of the workload of *first, from its memory where all storages are
 * the same. */
static const struct app_result *find_fastest(const struct app_results *results,
                                             const struct app_result *first)
{
    const bool distinct = krn_backend_get(first->backend)->can->distinct_storages;
    const struct app_result *fastest = first;
    struct krn_mode base, mode;
    (void)app_result_mode(first, &base);
    for (size_t i = 0; i < results->count; i++) {
        const struct app_result *result = &results->results[i];
        if (app_result_mode(result, &mode) && (distinct || mode.storage == base.storage) &&
            result->backend == first->backend && result->verified != APP_VERIFIED_FALSE &&
            app_pairs_equal(result->workload, first->workload) &&
            app_result_number(result, APP_M_MEDIAN_MS, INFINITY) <
                app_result_number(fastest, APP_M_MEDIAN_MS, INFINITY))
            fastest = result;
    }
    return fastest;
}

/* Prints what the record comes to: the verdict on a duel, or the fastest mode beside the published
 * kernel, and how many claims hold. */
static void print_headline(const struct app_results *results, FILE *out)
{
    const struct app_result *duel = app_results_find(results, 0, "duel", NULL),
                            *base = app_results_find(results, 0, "raytrace", "book/global");
    size_t claims = 0, hold = 0;
    char text[400] = "";
    for (int id = 0; id < APP_CLAIM_COUNT; id++) {
        const struct app_claim_entry *entry = app_claim_entry_of((enum app_claim_id)id);
        const struct app_result *claim = app_results_find(results, 0, "claims", entry->id);
        const enum app_verdict verdict =
            claim ? app_verdict_of_word(app_result_text(claim, APP_O_VERDICT)) : APP_VERDICT_NONE;
        claims += app_verdict_is_judged(verdict);
        hold += app_verdict_agrees(verdict, entry->rule);
    }
    const struct app_result *fastest = base ? find_fastest(results, base) : NULL;
    struct app_estimate ratio =
        duel   ? app_result_metric(duel, APP_M_RATIO)
        : base ? app_estimate_ratio(app_result_metric(base, APP_M_MEDIAN_MS),
                                    app_result_metric(fastest, APP_M_MEDIAN_MS))
               : (struct app_estimate){.valid = false};
    const enum app_verdict none = app_trust_no_verdict(ratio.trust);
    ratio.valid = ratio.valid && !(ratio.trust & APP_TRUST_BIT(APP_TRUST_NOT_VERIFIED));
    const struct app_described said =
        app_describe(ratio, (struct app_form){.digits = APP_DIGITS_WIDTH});
    const char *a = duel ? app_result_text(duel, APP_P_A) : NULL,
               *b = duel ? app_result_text(duel, APP_P_B) : NULL,
               *word = none   ? app_verdict_word(none)
                       : duel ? app_result_text(duel, APP_O_VERDICT)
                              : NULL;
    if (a && b && word && ratio.valid)
        snprintf(text, sizeof text, "%s: %s is %s times as fast as %s.", word, a, said.text, b);
    else if (a && b && app_verdict_of_word(word) == APP_VERDICT_SAME_CACHES)
        snprintf(text, sizeof text, "%s and %s: %s.", a, b,
                 app_verdict_entry(APP_VERDICT_SAME_CACHES)->says);
    else if (!duel && ratio.valid && !none && fastest != base)
        snprintf(text, sizeof text, "%s is %s times as fast as %s.", fastest->variant, said.text,
                 base->variant);
    if (claims > 0)
        app_append(text, sizeof text, " ", "%zu of %zu published claims hold.", hold, claims);
    if (!text[0])
        return;
    fputs("<p class=\"headline\">", out);
    app_write_markup(out, text);
    fputs("</p>\n", out);
}

void app_html_begin(const struct app_results *results, const unsigned char *png, size_t png_bytes,
                    FILE *out)
{
    const struct krn_device_info *device =
        is_copied(results) ? &results->origin.device : &results->device;
    const char *name = device->name[0] ? device->name : "Spherescope";
    const struct app_state *state = &results->picture.state;
    char mode[APP_MODE_TEXT_MAX];
    const char *rest = print_until(app_asset_page_html, "@colours@", out);
    app_svg_colours(out);
    print_until(rest, "@page@", out);
    fputs("<title>", out);
    app_write_markup(out, name);
    fputs(" – Spherescope</title>\n</head>\n<body>\n<h1>", out);
    app_write_markup(out, name);
    fputs("</h1>\n", out);
    print_headline(results, out);
    if (png) {
        krn_mode_name(state->spec.mode, mode, sizeof mode);
        fprintf(out, "<figure><img alt=\"%s, %d spheres\" src=\"data:image/png;base64,", mode,
                state->spec.recipe.count);
        print_base64(png, png_bytes, out);
        fputs("\"></figure>\n", out);
    }
    fputs(no_contents, out);
}

void app_html_end(FILE *out)
{
    const char *end = strstr(app_asset_page_html, "@page@") + strlen("@page@");
    end = print_until(end, "@measure@", out);
    fputs(app_asset_measure_js, out);
    fputs(end, out);
}

/* Prints the title of a section; of equal ones behind `from`, later ones get a number. Returns its
 * end. */
static const char *print_title(const char *from, const char *section, FILE *out)
{
    const char *title = section + strlen(section_begins), *end = strstr(title, "</h2>");
    const size_t length = (size_t)(end - section);
    int count = 1;
    for (; (from = strstr(from, section_begins)) != section; from++)
        count += strncmp(from, section, length + strlen("</h2>")) == 0;
    fwrite(title, 1, (size_t)(end - title), out);
    if (count > 1)
        fprintf(out, " (%d)", count);
    return end;
}

static void write_contents(FILE *out, const void *of)
{
    const char *body = print_until(of, no_contents, out), *from = body;
    int count = 0;
    fputs("<nav>\n", out);
    for (const char *at = body; (at = strstr(at, section_begins)) != NULL; at++) {
        fprintf(out, "<a href=\"#s%d\">", count++);
        print_title(body, at, out);
        fputs("</a>\n", out);
    }
    fputs("</nav>\n", out);
    for (int i = 0; i < count; i++) {
        const char *at = print_until(from, section_begins, out) - strlen(section_begins);
        fprintf(out, "<h2 id=\"s%d\">", i);
        from = print_title(body, at, out);
    }
    fputs(from, out);
}

char *app_html_contents(char *page)
{
    char *text = krn_printed(write_contents, page);
    free(page);
    return text;
}

/* --- charts --- */

/* A topic or a sweep that is drawn. */
struct drawn {
    const struct app_picture *picture; /* NULL: the sweep */
    const struct app_sweep *sweep;
    const struct app_story_headline *headline; /* of the sweep */
    const char *caption;
    float height;
};

static void write_figure(FILE *out, const void *of)
{
    const struct drawn *drawn = of;
    struct app_svg svg = {out, true};
    fputs("<figure>", out);
    if (drawn->caption[0]) {
        fputs("<figcaption>", out);
        app_write_markup(out, drawn->caption);
        fputs("</figcaption>\n", out);
    }
    const struct app_pen pen = app_svg_begin(&svg, CHART_WIDTH, drawn->height);
    const struct ren_rect area = {0.0f, 0.5f * CHART_TYPE, CHART_WIDTH, drawn->height - CHART_TYPE};
    if (drawn->picture)
        app_picture_draw(&pen, area, CHART_TYPE, drawn->picture);
    else if (drawn->sweep->view == KRN_VIEW_BOOK)
        (void)app_story_plot(&pen, area, CHART_TYPE, drawn->sweep, 0.0, drawn->headline, NULL);
    else
        (void)app_light_plot(&pen, area, CHART_TYPE, drawn->sweep);
    app_svg_end(&svg);
    fputs("</figure>\n", out);
}

char *app_html_topic(enum krn_topic topic, const struct app_picture_facts *facts)
{
    struct app_picture *picture = krn_alloc(1, sizeof *picture);
    app_picture_make(topic, facts, picture);
    const unsigned trust = app_probes_trust(facts->probes, topic);
    const enum app_verdict none = app_trust_no_verdict(trust);
    const struct app_phrase doubt =
        app_phrase("%s: %s", app_verdict_entry(none)->says, app_trust_first(trust));
    const struct drawn drawn = {
        .picture = picture,
        .caption = picture->sentence[0] ? picture->sentence
                   : none               ? doubt.text
                                        : app_topics[topic]->panel_title,
        .height = picture->bar_count > 0 ? 1.5f * CHART_TYPE * ((float)picture->bar_count + 2.0f)
                                         : CHART_HEIGHT};
    char *markup = krn_printed(write_figure, &drawn);
    free(picture);
    return markup;
}

char *app_html_sweep(const struct app_sweep *sweep)
{
    struct app_story_headline headline = {.count = 0};
    if (sweep->view == KRN_VIEW_BOOK)
        app_story_headline_of(sweep, KRN_DUEL_BAND_PERCENT, &headline);
    const struct drawn drawn = {
        .sweep = sweep,
        .headline = &headline,
        .caption = headline.count > 0 ? headline.text[headline.count - 1] : "",
        .height = sweep->view == KRN_VIEW_BOOK ? CHART_HEIGHT : 2 * CHART_HEIGHT};
    return krn_printed(write_figure, &drawn);
}

/* --- histograms --- */

enum { BINS = 32, BIN_WIDTH = 4, HISTOGRAM_HEIGHT = 40 };

struct histogram {
    size_t bins[BINS], n;
    double low, high, most; /* ms: the ends of the bins, and the slowest sample */
};

static void write_histogram(FILE *out, const void *of)
{
    const struct histogram *histogram = of;
    const struct app_number low = app_number_time(histogram->low),
                            high = app_number_time(histogram->high),
                            most = app_number_time(histogram->most);
    size_t highest = 1;
    for (int b = 0; b < BINS; b++)
        highest = histogram->bins[b] > highest ? histogram->bins[b] : highest;
    fprintf(out, "<svg viewBox=\"0 0 %d %d\"><path d=\"M0 %d", BINS * BIN_WIDTH, HISTOGRAM_HEIGHT,
            HISTOGRAM_HEIGHT);
    for (int b = 0; b < BINS; b++)
        fprintf(out, "V%.0fh%d",
                (double)HISTOGRAM_HEIGHT * (1.0 - (double)histogram->bins[b] / (double)highest),
                BIN_WIDTH);
    fprintf(out, "V%dz\"/></svg><span>%s %s – %s %s", HISTOGRAM_HEIGHT, low.value, low.unit,
            high.value, high.unit);
    if (histogram->most > histogram->high)
        fprintf(out, ", the last bar to %s %s", most.value, most.unit);
    fprintf(out, "; n = %zu</span>", histogram->n);
}

char *app_html_histogram(const struct app_result *result, int side)
{
    double *samples = krn_alloc(app_result_samples(result), sizeof *samples);
    const size_t pooled = app_result_pool(result, false, samples);
    struct histogram histogram = {.n = 0};
    for (size_t i = 0; i < pooled; i++)
        if (side < 0 || (int)(i % 2) == side)
            samples[histogram.n++] = samples[i];
    char *markup = NULL;
    if (histogram.n > 0) {
        krn_sort(samples, histogram.n);
        histogram.low = samples[0];
        histogram.high = samples[(histogram.n - 1) * 99 / 100];
        histogram.most = samples[histogram.n - 1];
        const double width = (histogram.high - histogram.low) / BINS;
        for (size_t i = 0; i < histogram.n; i++) {
            const double at = width > 0.0 ? (samples[i] - histogram.low) / width : 0.0;
            histogram.bins[at < BINS ? (int)at : BINS - 1]++;
        }
        markup = krn_printed(write_histogram, &histogram);
    }
    free(samples);
    return markup;
}
