/* app/write_plots.c - a program of the build: draws the plots of docs/kernels.md from recorded
 * runs. Usage: write_plots RUNS FOLDER. Its output depends on the runs alone, byte for byte. */
#include "records/io.h"
#include "topics/chart.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 860, HEIGHT = 480, SIZE = 14, LINES = 9, POINTS = 64, STRIP_KS = 5 };

/* A line of a plot: a mode's median times. */
struct line {
    const char *name, *variant; /* with K's place open in a plot over K: "strip/global%s" */
    enum app_ink ink;
    bool dashed, strong;
    double x[POINTS], y[POINTS];
    size_t n;
};

static double median_of(const struct app_result *result)
{
    return result ? app_result_metric(result, APP_M_MEDIAN_MS).value : NAN;
}

/* Draws the title, where the numbers are from, and the chart. */
static int write_plot(const char *folder, const char *file, const char *title, const char *run,
                      const struct app_results *results, const struct app_chart *chart)
{
    char path[1024], source[256];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    snprintf(source, sizeof source, "%s, driver %s, %.10s, assets/runs/%s", results->device.name,
             results->telemetry.driver, results->time_utc, run);
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        perror(path);
        return 1;
    }
    struct app_svg svg = {out, false};
    const struct app_pen pen = app_svg_begin(&svg, WIDTH, HEIGHT);
    pen.text(pen.to, true, 1.4f * SIZE, SIZE, 2.0f * SIZE, REN_ALIGN_LEFT, APP_INK_TEXT, title);
    app_chart_draw(&pen,
                   (struct ren_rect){SIZE, 3.0f * SIZE, WIDTH - 2 * SIZE, HEIGHT - 5.5f * SIZE},
                   SIZE, chart);
    pen.text(pen.to, false, 0.8f * SIZE, WIDTH - SIZE, HEIGHT - 0.8f * SIZE, REN_ALIGN_RIGHT,
             APP_INK_QUIET, source);
    app_svg_end(&svg);
    const int failed = ferror(out) != 0;
    if (fclose(out) == 0 && !failed)
        return 0;
    perror(path);
    return 1;
}

static struct app_series series_of(const struct line *line)
{
    return (struct app_series){.name = line->name,
                               .ink = line->ink,
                               .x = line->x,
                               .y = line->y,
                               .n = line->n,
                               .dashed = line->dashed,
                               .strong = line->strong};
}

/* Kernel time against pixels per thread. */
static int by_pixels(const char *folder, const char *run, const struct app_results *results)
{
    static struct line lines[] = {
        {.name = "strip, global", .variant = "global", .ink = APP_INK_STORAGE + KRN_STORAGE_GLOBAL},
        {.name = "strip, constant",
         .variant = "constant",
         .ink = APP_INK_STORAGE + KRN_STORAGE_CONSTANT},
        {.name = "strip, shared",
         .variant = "shared",
         .ink = APP_INK_STORAGE + KRN_STORAGE_SHARED,
         .dashed = true}};
    const struct app_level levels[] = {
        {"book, constant", APP_INK_STORAGE + KRN_STORAGE_CONSTANT,
         median_of(app_results_find(results, 0, "raytrace", "book/constant")), 0.3f},
        {"book, global", APP_INK_STORAGE + KRN_STORAGE_GLOBAL,
         median_of(app_results_find(results, 0, "raytrace", "book/global")), 0.3f},
        {"binned", APP_INK_TEXT,
         median_of(app_results_find(results, 0, "raytrace", "binned/global")), 0.3f}};
    struct app_series series[3];
    for (size_t l = 0; l < 3; l++) {
        for (int k = 1; k <= 16; k *= 2) {
            char variant[64];
            snprintf(variant, sizeof variant, k > 1 ? "strip/%s/%d" : "strip/%s", lines[l].variant,
                     k);
            lines[l].x[lines[l].n] = k;
            lines[l].y[lines[l].n++] = median_of(app_results_find(results, 0, "raytrace", variant));
        }
        series[l] = series_of(&lines[l]);
    }
    const struct app_chart chart = {
        .x = {"pixels per thread", APP_AXIS_PLAIN, APP_SCALE_POWERS, 0, 0},
        .y = {"kernel time", APP_AXIS_TIME, APP_SCALE_LOG, 0, 0},
        .series = series,
        .series_count = 3,
        .levels = levels,
        .level_count = 3};
    return write_plot(folder, "kernels-by-pixels.svg",
                      "2339 spheres, 3840×2160: more pixels per thread share every sphere", run,
                      results, &chart);
}

/* Kernel time against the number of spheres. */
static int by_spheres(const char *folder, const char *run, const struct app_results *results)
{
    static struct line lines[] = {
        {.name = "book, constant",
         .variant = "book/constant",
         .ink = APP_INK_STORAGE + KRN_STORAGE_CONSTANT,
         .dashed = true},
        {.name = "book, global",
         .variant = "book/global",
         .ink = APP_INK_STORAGE + KRN_STORAGE_GLOBAL,
         .dashed = true},
        {.name = "strip, constant",
         .variant = "strip/constant",
         .ink = APP_INK_STORAGE + KRN_STORAGE_CONSTANT},
        {.name = "strip, global, K = 8",
         .variant = "strip/global/8",
         .ink = APP_INK_STORAGE + KRN_STORAGE_GLOBAL},
        {.name = "binned", .variant = "binned/global", .ink = APP_INK_TEXT, .strong = true}};
    enum { COUNT = sizeof lines / sizeof *lines };
    struct app_series series[COUNT];
    for (size_t l = 0; l < COUNT; l++) {
        for (const struct app_result *r = results->results; r < results->results + results->count;
             r++) {
            if (strcmp(r->benchmark, "raytrace") != 0 ||
                strcmp(r->variant, lines[l].variant) != 0 || lines[l].n == POINTS)
                continue;
            lines[l].x[lines[l].n] = app_result_number(r, APP_W_SPHERES, NAN);
            lines[l].y[lines[l].n++] = median_of(r);
        }
        series[l] = series_of(&lines[l]);
    }
    const struct app_chart chart = {.x = {"spheres", APP_AXIS_PLAIN, APP_SCALE_LOG, 0, 0},
                                    .y = {"kernel time", APP_AXIS_TIME, APP_SCALE_LOG, 0, 0},
                                    .series = series,
                                    .series_count = COUNT};
    return write_plot(folder, "kernels-by-spheres.svg",
                      "1024×1024: the kernel's idea matters more than the memory", run, results,
                      &chart);
}

int main(int argc, char *argv[])
{
    static const struct {
        const char *run;
        int (*draw)(const char *folder, const char *run, const struct app_results *results);
    } plots[] = {{"nvidia-h200-raytrace-2339-spheres-4k.json.gz", by_pixels},
                 {"nvidia-h200-all.json.gz", by_spheres}};
    if (argc != 3) {
        fputs("usage: write_plots RUNS FOLDER\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof plots / sizeof *plots; i++) {
        char path[1024];
        struct app_results results;
        struct krn_error error;
        snprintf(path, sizeof path, "%s/%s", argv[1], plots[i].run);
        if (app_results_read_file(path, &results, &error) != KRN_OK) {
            fprintf(stderr, "%s\n", error.text);
            return 1;
        }
        const int failed = plots[i].draw(argv[2], plots[i].run, &results);
        app_results_free(&results);
        if (failed)
            return 1;
    }
    return 0;
}
