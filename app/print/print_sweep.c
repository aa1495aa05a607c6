/* A sweep: every mode's time against the number of spheres or bounces, in the light view its rays
 * per second, and the fastest mode at each point. */
#include "print/print.h"

#include "spec/state.h"

#include <string.h>

/* What the cells of a matrix hold. */
enum quantity { TIME, RATE };

/* Adds a time or a rate with the letters of the reasons to doubt it. */
static void add_cell(struct app_page *page, struct app_table *table,
                     const struct app_sweep_cell *cell, enum quantity quantity, unsigned common)
{
    char marks[APP_TRUST_COUNT + 1];
    const struct app_estimate rate = app_sweep_rate(cell);
    if (!cell->result || !cell->median.valid || (quantity == RATE && !rate.valid)) {
        app_table_cell(table, "-");
        return;
    }
    if (cell->result->verified == APP_VERIFIED_FALSE) {
        app_table_cell(table, "WRONG");
        return;
    }
    const struct app_number number =
        quantity == TIME ? app_number_time(cell->median.value) : app_number_rate(rate.value, "");
    app_page_marks(page, cell->result->trust.reasons & ~common, marks, sizeof marks);
    app_table_cell(table, "%s%s%s%s%.*s", marks, marks[0] ? " " : "", number.value,
                   number.unit[0] ? " " : "", quantity == RATE ? 1 : (int)sizeof number.unit,
                   number.unit);
    app_page_detail(page, table, cell->result, -1);
}

/* Returns a mode as the fastest of several, or "": none has a verdict. Where all storages are the
 * same memory, "strip / * / 8" names any of them, as --modes does. */
static struct app_phrase fastest_name(const struct app_sweep *sweep, int fastest)
{
    char whole[APP_MODE_TEXT_MAX];
    if (fastest < 0)
        return (struct app_phrase){""};
    const struct krn_mode mode = krn_mode_at(fastest);
    const char *storage = krn_storage_name(mode.storage);
    krn_mode_name(mode, whole, sizeof whole);
    return app_phrase("%s/%s%s", krn_kernel_name(mode.kernel), sweep->one_storage ? "*" : storage,
                      strstr(whole, storage) + strlen(storage));
}

/* Notes the fastest mode of each point; consecutive points with the same mode share an entry. */
static void note_fastest(const struct app_sweep *sweep, struct app_table *table)
{
    char line[1024] = "";
    for (int i = 0, next = 1; i < sweep->points; i = next++) {
        const struct app_phrase name = fastest_name(sweep, app_sweep_fastest(sweep, i, -1, -1, -1));
        while (next < sweep->points &&
               strcmp(name.text,
                      fastest_name(sweep, app_sweep_fastest(sweep, next, -1, -1, -1)).text) == 0)
            next++;
        if (!name.text[0])
            continue;
        app_append(line, sizeof line, ", ", "%s at %s", name.text,
                   app_sweep_point_text(sweep, i).text);
        if (next > i + 1)
            app_append(line, sizeof line, next > i + 2 ? " to " : " and ", "%s",
                       app_sweep_point_text(sweep, next - 1).text);
    }
    app_table_note(table, "%s%s", line[0] ? "Fastest: " : "Nothing was measured.", line);
}

static void note_wrong(const struct app_sweep *sweep, struct app_table *table)
{
    for (int m = 0; m < KRN_MODES_MAX; m++)
        for (int i = 0; i < sweep->points; i++) {
            char where[APP_WORKLOAD_POINT];
            if (app_sweep_has_both(sweep))
                app_workload_point(app_sweep_spheres(sweep, i), app_sweep_bounces(sweep, i), where);
            else
                app_format(where, sizeof where, " at %s", app_sweep_point_text(sweep, i).text);
            if (sweep->cells[i][m].result)
                app_page_wrong(table, sweep->cells[i][m].result, "picture", where);
        }
}

/* Returns the reasons that hold for all cells. */
static unsigned common_reasons(const struct app_sweep *sweep)
{
    unsigned common = ~0u;
    for (int m = 0; m < KRN_MODES_MAX; m++)
        for (int i = 0; i < sweep->points; i++)
            if (sweep->cells[i][m].result)
                common &= sweep->cells[i][m].result->trust.reasons;
    return common;
}

/* Returns what the points are: "spheres", "bounces" or "spheres, bounces". */
static const char *axes_name(const struct app_sweep *sweep)
{
    return app_sweep_has_both(sweep)  ? "spheres, bounces"
           : sweep->bounces.count > 1 ? "bounces"
                                      : "spheres";
}

/* Says below a title what varies, and what all points share. */
static void describe(const struct app_sweep *sweep, struct app_table *table)
{
    const struct app_result *first = sweep->one;
    char spheres[48] = "", bounces[48] = "", light[96] = "";
    const double samples = app_result_number(first, APP_W_SAMPLES, 1.0);
    const bool both = app_sweep_has_both(sweep), over_bounces = sweep->bounces.count > 1;
    if (sweep->spheres.count == 1)
        snprintf(spheres, sizeof spheres, "; %d sphere%s", sweep->spheres.at[0],
                 sweep->spheres.at[0] == 1 ? "" : "s");
    if (!over_bounces)
        snprintf(bounces, sizeof bounces, ", %d bounce%s", sweep->bounces.at[0],
                 sweep->bounces.at[0] == 1 ? "" : "s");
    if (sweep->view == KRN_VIEW_LIGHT)
        app_format(light, sizeof light, "; light view%s, %.0f sample%s per pixel", bounces, samples,
                   samples > 1.0 ? "s" : "");
    app_table_about(table, "Over the number of %s%s; %.0fx%.0f pixels%s",
                    both           ? "spheres and of bounces"
                    : over_bounces ? "bounces"
                                   : "spheres",
                    spheres, app_result_number(first, APP_W_WIDTH, 0.0),
                    app_result_number(first, APP_W_HEIGHT, 0.0), light);
}

/* Returns the rays of a frame at a point, which are the same for every mode; 0: not counted. */
static double rays_at(const struct app_sweep *sweep, int point)
{
    for (int m = 0; m < KRN_MODES_MAX; m++) {
        const struct app_result *result = sweep->cells[point][m].result;
        const double rays = result ? app_result_number(result, APP_M_RAYS, 0.0) : 0.0;
        if (rays > 0.0)
            return rays;
    }
    return 0.0;
}

static void add_rays(const struct app_sweep *sweep, int point, struct app_table *table)
{
    const double rays = rays_at(sweep, point);
    const struct app_number number = app_number_rate(rays > 0.0 ? rays : -1.0, "");
    app_table_cell(table, "%s%s%.1s", number.value, number.unit[0] ? " " : "", number.unit);
}

/* Adds a row per mode and a column per point; when both axes vary, a row per point and a column per
 * mode, whose storage stands below its kernel. */
static void add_matrix(struct app_page *page, const struct app_sweep *sweep,
                       struct app_table *table, enum quantity quantity, unsigned common)
{
    const bool by_point = app_sweep_has_both(sweep);
    int modes[KRN_MODES_MAX], count = 0;
    for (int m = 0; m < KRN_MODES_MAX; m++)
        if (sweep->measured[m])
            modes[count++] = m;
    const int rows = by_point ? sweep->points : count, columns = by_point ? count : sweep->points;
    char text[APP_MODE_TEXT_MAX];
    app_table_column(table, by_point ? axes_name(sweep) : "kernel/storage/K", APP_ALIGN_LEFT);
    if (by_point && quantity == RATE)
        app_table_column(table, "rays", APP_ALIGN_RIGHT);
    for (int c = 0; c < columns; c++) {
        const struct krn_mode mode = krn_mode_at(modes[by_point ? c : 0]);
        const struct app_phrase head = by_point ? app_phrase("%s %s", krn_kernel_name(mode.kernel),
                                                             krn_storage_name(mode.storage))
                                                : app_sweep_point_text(sweep, c);
        app_table_column(table, head.text, APP_ALIGN_RIGHT);
    }
    for (int r = 0; r < rows; r++) {
        krn_mode_name(krn_mode_at(modes[by_point ? 0 : r]), text, sizeof text);
        app_table_row(table);
        app_table_cell(table, "%s", by_point ? app_sweep_point_text(sweep, r).text : text);
        if (by_point && quantity == RATE)
            add_rays(sweep, r, table);
        for (int c = 0; c < columns; c++)
            add_cell(page, table, &sweep->cells[by_point ? r : c][modes[by_point ? c : r]],
                     quantity, common);
    }
    if (by_point || quantity == TIME)
        return;
    app_table_row(table);
    app_table_cell(table, "rays of a frame");
    for (int i = 0; i < sweep->points; i++)
        add_rays(sweep, i, table);
}

/* Prints the medians or the rates of every mode at every point. */
static void print_matrix(struct app_page *page, const struct app_sweep *sweep,
                         enum quantity quantity)
{
    const unsigned common = common_reasons(sweep);
    struct app_table *table = app_table_new(quantity == TIME ? "Sweep, median time of the kernel"
                                                             : "Sweep, rays per second");
    unsigned storages = 0;
    if (page->style >= APP_STYLE_HTML && quantity == TIME)
        app_table_figure(table, app_html_sweep(sweep));
    describe(sweep, table);
    app_page_common(page, table, common);
    add_matrix(page, sweep, table, quantity, common);
    for (int m = 0; m < KRN_MODES_MAX; m++)
        storages |= sweep->measured[m] ? 1u << krn_mode_at(m).storage : 0u;
    if (quantity == RATE) {
        app_table_note(table, "Rays are counted: from the eye, off mirrors and towards the sun.");
        app_page_print(page, table);
        return;
    }
    if (!app_sweep_has_both(sweep)) /* else the next table has a row for every point */
        note_fastest(sweep, table);
    note_wrong(sweep, table);
    app_page_same_caches(table, sweep->one->backend, storages);
    app_page_print(page, table);
}

enum { SHOWS_POINT = APP_SHOWS_OWN, SHOWS_NEXT, LEAD = -1 /* no member of a result */ };

/* A point with its fastest mode, whose result is the row's, and the next one. */
struct point_row {
    struct app_row row;
    struct app_phrase point, next;
    struct app_estimate lead;
};

static bool write_point(struct app_table *table, const struct app_column *column, const void *of)
{
    const struct point_row *row = of;
    if (column->shows == SHOWS_POINT)
        return app_table_cell(table, "%s", row->point.text);
    if (column->shows == SHOWS_NEXT)
        return app_table_cell(table, "%s", row->next.text);
    if (column->of == LEAD)
        return app_page_value(row->row.page, table, column, &row->lead, "x");
    return app_page_write(table, column, &row->row);
}

/* Prints the fastest mode at each point with its interval, and how far the next one is away. */
static void print_fastest(struct app_page *page, const struct app_sweep *sweep)
{
    const struct app_column columns[] = {
        {axes_name(sweep), APP_ALIGN_RIGHT, .shows = SHOWS_POINT},
        {"fastest", .shows = APP_SHOWS_NAME},
        APP_COLUMNS_TIMES,
        {"next", .shows = SHOWS_NEXT},
        APP_COLUMNS_VALUE("lead", LEAD),
        {"rays/s", APP_ALIGN_RIGHT, .shows = APP_SHOWS_RAYS, .of = APP_M_RAYS_PER_S},
        {"n", APP_ALIGN_RIGHT, .shows = APP_SHOWS_SAMPLES}};
    struct app_table *table = app_page_table(
        page,
        app_phrase("Fastest mode at each number of %s",
                   app_sweep_has_both(sweep) ? "spheres and bounces" : axes_name(sweep))
            .text,
        APP_COLUMNS(columns));
    app_table_about(table, "lead: how many times as fast as the next mode");
    for (int i = 0; i < sweep->points; i++) {
        const int fastest = app_sweep_fastest(sweep, i, -1, -1, -1),
                  next = app_sweep_fastest(sweep, i, -1, -1, fastest);
        if (fastest < 0)
            continue;
        const struct app_phrase name = fastest_name(sweep, fastest);
        struct point_row row = {.row = {page, sweep->cells[i][fastest].result, .name = name.text,
                                        .rays = sweep->view == KRN_VIEW_LIGHT},
                                .point = app_sweep_point_text(sweep, i),
                                .next = fastest_name(sweep, next)};
        if (next >= 0)
            row.lead =
                app_estimate_ratio(sweep->cells[i][next].median, sweep->cells[i][fastest].median);
        app_table_add(table, write_point, &row);
    }
    app_page_print(page, table);
}

void app_print_sweep(struct app_page *page, const struct app_sweep *sweep)
{
    bool rays = false;
    print_matrix(page, sweep, TIME);
    for (int i = 0; i < sweep->points; i++)
        rays = rays || rays_at(sweep, i) > 0.0;
    if (rays)
        print_matrix(page, sweep, RATE);
    print_fastest(page, sweep);
}
