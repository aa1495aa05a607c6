/* app/bench/outputs.c - what a run writes: its record as files, and the page of --html. */
#include "bench/program.h"

#include "base/files.h"
#include "print/print.h"
#include "records/io.h"

#include "krn/memory.h"

#include <stdlib.h>
#include <string.h>

/* stdout receives a file when requested. */
FILE *app_words_stream(const struct app_run *run)
{
    const char *paths[APP_OUTPUTS_MAX];
    for (size_t n = app_run_outputs(run, paths); n > 0; n--)
        if (strcmp(paths[n - 1], "-") == 0)
            return stderr;
    return stdout;
}

bool app_wants_results(const struct app_run *run)
{
    return run->json[0] || run->csv[0] || run->prometheus[0] || run->html[0];
}

enum krn_code app_lose_output(enum krn_code before, enum krn_code code, const struct krn_error *why,
                              struct krn_error *error)
{
    if (code == KRN_OK)
        return before;
    if (before != KRN_OK)
        app_complain(error->text);
    *error = *why;
    return before != KRN_OK ? before : code;
}

/* Writes a text and frees it, also where the file before it could not be written, which `before`
 * and *error tell. Returns as app_lose_output does. */
static enum krn_code write_text(const char *path, char *text, enum krn_code before,
                                struct krn_error *error)
{
    struct krn_error why;
    const enum krn_code code = app_save_output(path, text, strlen(text), &why);
    free(text);
    return app_lose_output(before, code, &why, error);
}

/* Returns the name of the file that Prometheus reads without its folder and suffix. */
static char *stem_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *stem = krn_copy(slash != NULL ? slash + 1 : path), *dot = strrchr(stem, '.');
    if (dot != NULL && dot > stem)
        *dot = 0;
    return stem;
}

/* A page in one of the styles of HTML. */
struct styled {
    const struct app_web_page *page;
    enum app_style style;
};

static void write_page(FILE *out, const void *of)
{
    const struct app_web_page *page = ((const struct styled *)of)->page;
    const enum app_style style = ((const struct styled *)of)->style;
    app_html_begin(page->records, page->png, page->png_bytes, out);
    if (style == APP_STYLE_HTML_BRIEF)
        fputs("<p>Histograms are left out: the page would be larger than 2 MB.</p>\n", out);
    if (page->talk) {
        fputs("<div class=\"facts\">", out);
        app_table_print(page->talk, style, out);
        fputs("</div>\n", out);
    }
    for (size_t i = 0; i < page->count; i++) {
        app_html_facts(&page->records[i], out);
        app_results_print(&page->records[i], style, out);
        app_fleet_print_devices(&page->records[i], page->band_percent, style, out);
    }
    app_html_end(out);
}

char *app_web_page_text(const struct app_web_page *page)
{
    struct styled styled = {page, APP_STYLE_HTML};
    char *text = app_html_contents(krn_printed(write_page, &styled));
    if (strlen(text) <= APP_WEB_PAGE_MAX)
        return text;
    free(text);
    styled.style = APP_STYLE_HTML_BRIEF;
    return app_html_contents(krn_printed(write_page, &styled));
}

void app_web_page_free(struct app_web_page *page)
{
    if (page->talk)
        app_table_free(page->talk);
    free(page->png);
}

enum krn_code app_write_results(const struct app_run *run, const struct app_results *results,
                                const struct app_web_page *page, struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    if (run->json[0])
        code = write_text(run->json, app_results_text(results), code, error);
    if (run->csv[0])
        code = write_text(run->csv, app_results_csv(results), code, error);
    if (run->prometheus[0]) {
        char *stem = stem_of(run->prometheus);
        code = write_text(run->prometheus, app_results_prometheus(results, stem), code, error);
        free(stem);
    }
    if (run->html[0])
        code = write_text(run->html, app_web_page_text(page), code, error);
    return code;
}

enum krn_code app_output_name(char path[APP_PATH_MAX], const char *folder, time_t when,
                              enum krn_storage storage, int choice, const char *suffix,
                              struct krn_error *error)
{
    struct tm local;
    char stamp[32];
    if (localtime_r(&when, &local) == NULL ||
        strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &local) == 0)
        snprintf(stamp, sizeof stamp, "00000000-000000");
    const int n = snprintf(path, APP_PATH_MAX, "%s/spherescope-%s-%s%s%s", folder, stamp,
                           krn_storage_name(storage),
                           choice > 1 ? app_phrase("-%d", choice).text : "", suffix);
    if (n < 0 || n >= APP_PATH_MAX)
        return KRN_FAIL(error, KRN_REFUSED, "The path of the pictures folder is too long: %s",
                        app_shorten(folder).text);
    return KRN_OK;
}
