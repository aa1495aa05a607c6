/* The story plot and the plot of a sweep: their texts fit and overlap nothing, whatever is
 * measured or varies; which lines and numbers a sweep's has. The times are made up. */
#include "screens.h"

#include "story_boards.h"

#include "hud/parts.h"
#include "print/print.h"
#include "spec/state.h"

#include <math.h>

static int times_seen(const struct seen *seen, const char *word)
{
    int n = 0;
    for (int t = 0; t < seen->text_count; t++)
        n += strcmp(seen->words[t], word) == 0;
    return n;
}

/* Its curves for an audience, and all of them; nothing without a point or without room. */
TEST(test_story_plot)
{
    static const struct {
        const char *word;
        int few, all; /* lines with that name */
    } lines[] = {{"book, constant", 1, 0}, {"book/constant", 0, 1},
                 {"book/shared", 0, 1},    {"strip", 1, 0},
                 {"binned", 1, 0},         {"constant cache, 64 KiB", 0, 1},
                 {"limit", 1, 1},          {"own.cu", 1, 1}};
    const struct app_mark own = {"own.cu", APP_INK_STORAGE, 50.0, 0.02, false};
    struct app_state state = app_state_default();
    for (int kind = 0; kind < KINDS; kind++) {
        struct app_story_view *view = story_board_of((enum kind)kind);
        for (int at = 0; screen_at(at, &state); at++)
            for (int few = 0; few < 2; few++) {
                screen_begin(&state, kind_names[kind]);
                const float u = screen.layout.unit;
                const struct app_pen pen = app_draw_pen(&screen.brush);
                const struct ren_rect area = {8 * u, 8 * u, (float)screen.width - 16 * u,
                                              (float)screen.height - 16 * u};
                see_card(&screen.seen, screen.layout.screen);
                const bool drawn = app_story_plot(&pen, area, 22.0f * u, view->sweep, 65536.0,
                                                  few ? &view->headline : NULL, &own);
                assert_int_equal(drawn, kind != EMPTY && kind != STOPPED && kind != THROTTLED);
                if (!drawn)
                    continue;
                for (size_t i = 0; i < sizeof lines / sizeof *lines && kind == COMPLETE; i++)
                    if (times_seen(&screen.seen, lines[i].word) !=
                        (few ? lines[i].few : lines[i].all))
                        screen_error(few ? "few:" : "all:", lines[i].word);
                screen_end(u, true);
                assert_false(app_story_plot(&pen, (struct ren_rect){0, 0, 5 * u, 5 * u}, 22.0f * u,
                                            view->sweep, 0.0, NULL, NULL));
            }
        story_board_free(view);
    }
    screens_done();
}

/* --- the plot of a sweep --- */

/* What a made-up record has. */
struct made {
    const char *name;
    int spheres, bounces; /* how many of each */
    bool cpu, book;
    const char *modes; /* patterns; "": every mode of the view */
    bool wrong;        /* the pictures of one mode */
    bool uncounted;    /* rays: the time was up */
};

static const struct made records[] = {
    {"spheres", 7, 1, false, false, "", false, false},
    {"bounces", 1, 9, false, false, "", false, false},
    {"both", 7, 9, false, false, "", false, false},
    {"few", 7, 3, false, false, "", false, false},
    {"tree", 7, 9, false, false, "tree/*", false, false},
    {"cpu", 7, 9, true, false, "", false, false},
    {"cpu_bounces", 1, 9, true, false, "", false, false},
    {"wrong", 7, 2, false, false, "", true, false},
    {"point", 1, 1, false, false, "", false, false},
    {"book", 7, 1, false, true, "", false, false},
};
enum { RECORDS = sizeof records / sizeof *records };

static const int counts[] = {20, 50, 100, 200, 500, 1000, 2000};
static struct app_sweep *sweep;
static struct app_result reads[KRN_MODES][APP_SWEEP_POINTS];
static struct app_pair pairs[APP_SWEEP_POINTS];
static struct app_results results;

/* Returns a time in ms that grows like that of an H200: with the spheres, of a tree more slowly,
 * and with the rays of each bounce. */
static double time_like_h200(struct krn_mode mode, int spheres, int bounces)
{
    static const double by_storage[] = {1.0, 0.99, 1.34, 0.96, 1.6};
    _Static_assert(sizeof by_storage / sizeof *by_storage == KRN_STORAGE_COUNT,
                   "every storage needs a factor");
    const double rays = 2.0 - pow(0.55, bounces);
    const double tests =
        mode.kernel == KRN_KERNEL_TREE ? 4.0 * log2(spheres) * (1.0 + 0.2 * bounces) : spheres;
    return by_storage[mode.storage] * (0.01 + 0.002 * tests * rays);
}

/* Makes a record's sweep. */
static void make(const struct made *kind)
{
    const enum krn_view_kind view = kind->book ? KRN_VIEW_BOOK : KRN_VIEW_LIGHT;
    struct app_sweep_values over = {.count = kind->spheres}, under = {.count = kind->bounces};
    memset(&results, 0, sizeof results);
    results.device.backend = kind->cpu ? KRN_BACKEND_CPU : KRN_BACKEND_CUDA;
    results.device.can.distinct_storages = !kind->cpu;
    results.run.processes = 5;
    results.complete = !kind->cpu;
    snprintf(results.device.name, sizeof results.device.name, "NVIDIA H200");
    snprintf(results.device.clock, sizeof results.device.clock, "CUDA events");
    memcpy(over.at, counts, (size_t)kind->spheres * sizeof *counts);
    for (int b = 0; b < kind->bounces; b++)
        under.at[b] = b;
    free(sweep);
    sweep = app_sweep_new(view, &over, &under);
    sweep->one_storage = kind->cpu;
    for (int m = 0; m < KRN_MODES; m++)
        for (int at = 0; at < sweep->points; at++) {
            const struct krn_mode mode = krn_mode_at(m);
            struct app_result *read = &reads[m][at];
            if (krn_mode_view(mode) != view || !app_mode_chosen(kind->modes, mode))
                continue;
            const int spheres = app_sweep_spheres(sweep, at),
                      bounces = app_sweep_bounces(sweep, at);
            const double ms = time_like_h200(mode, spheres, bounces);
            pairs[at] = (struct app_pair){app_members[APP_M_RAYS].key,
                                          1e6 * (2.0 - pow(0.6, bounces)), NULL};
            memset(read, 0, sizeof *read);
            read->metrics =
                (struct app_pairs){&pairs[at], view == KRN_VIEW_LIGHT && !kind->uncounted};
            read->verified = APP_VERIFIED_TRUE;
            if (kind->wrong && mode.kernel == KRN_KERNEL_TREE)
                read->trust.reasons = APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
            const struct app_estimate median = app_estimate_of_run(
                ms, (struct krn_interval){.valid = true, .low = 0.97 * ms, .high = 1.04 * ms}, 0.0);
            app_sweep_put(sweep, m, at, &median, read);
        }
}

/* Draws a picture of the screen's size, and returns what was seen. */
static const struct seen *draw_record_in(const char *name, enum app_theme theme, float unit)
{
    struct app_state state = app_state_default();
    const float w = (float)screen.width, h = (float)screen.height;
    state.look.theme = theme;
    screen_frame(theme, unit, name);
    see_card(&screen.seen, (struct ren_rect){0.0f, 0.0f, w, h});
    app_sweep_picture(&screen.brush, w, h, &results, sweep, &state);
    screen_end(unit, (float)screen.width >= 1280.0f * unit);
    return &screen.seen;
}

/* Draws it in a small window, in the size that the program chooses. */
static const struct seen *draw_record(const char *name)
{
    struct app_state state = app_state_default();
    (void)screen_at(0, &state);
    return draw_record_in(name, state.look.theme,
                          app_layout_make(&state, screen.width, screen.height, 1.0f).unit);
}

TEST(test_every_picture_fits)
{
    struct app_state state = app_state_default();
    for (int k = 0; k < RECORDS; k++) {
        make(&records[k]);
        for (int at = 0; screen_at(at, &state); at++)
            if (screen.width > screen.height)
                draw_record_in(records[k].name, state.look.theme,
                               app_layout_make(&state, screen.width, screen.height, 1.0f).unit);
    }
    screens_done();
}

/* What varies decides which charts there are, and which lines they have: one per mode in both
 * charts, on a CPU one per kernel; of spheres and bounces, a chart per kernel, whose lines are
 * named by those bounces that are chosen. A kernel with a wrong picture has no point, and its chart
 * is left out; without counted rays there are no rates. */
TEST(test_charts_have_their_lines)
{
    static const struct made wrong = {"wrong_tree", 7, 3, false, false, "tree/*", true, false},
                             uncounted = {"uncounted", 7, 3, false, false, "", false, true},
                             alone = {"alone", 1, 9, false, false, "", false, true};
    static const struct {
        const struct made *made;
        const char *text;
        int times;
    } seen[] = {
        {&records[0], "Kernel time and rays per second against sphere count", 1},
        {&records[0], "median kernel time", 1},
        {&records[0], "rays per second", 1},
        {&records[0], "tree/constant", 2},
        {&records[0], "tree/shared", 0},
        {&records[1], "Kernel time and rays per second against bounces", 1},
        {&records[1], "tree/constant", 2},
        {&records[2], "median kernel time", 0},
        {&records[2], "rays per second, brute, fastest storage", 1},
        {&records[2], "0 bounces", 2},
        {&records[2], "3 bounces", 0},
        {&records[2], "8 bounces", 2},
        {&records[3], "2 bounces", 2},
        {&records[3], "8 bounces", 0},
        {&records[4], "rays per second, brute, fastest storage", 0},
        {&records[5], "rays per second, brute", 1},
        {&records[6], "tree", 2},
        {&records[6], "tree/constant", 0},
        {&records[9], "rays per second", 0},
        {&records[9], "Kernel time against sphere count", 1},
        {&wrong, "No mode has a time that may be quoted.", 1},
        {&uncounted, "Rays were not counted: there are no rates to plot.", 1},
        {&alone, "Kernel time against bounces", 1},
        {&alone, "median kernel time", 1},
        {&alone, "rays per second", 0},
        {&alone, "The picture is too small for a plot.", 0},
    };
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        make(seen[i].made);
        const struct seen *of = draw_record(seen[i].made->name);
        if (times_seen(of, seen[i].text) != seen[i].times)
            fail_msg("%s: \"%s\" %d times", seen[i].made->name, seen[i].text,
                     times_seen(of, seen[i].text));
        if (seen[i].made == &wrong || seen[i].made == &uncounted)
            assert_int_equal(of->text_count, 3); /* title, subject, and why there is no plot */
    }
    screens_done();
}

static const struct seen *draw_sized(const char *name, int width, int height, float unit)
{
    screen.width = width;
    screen.height = height;
    return draw_record_in(name, APP_THEME_DARK, unit);
}

/* Charts that have no room beside each other stand one above another; without that room either, the
 * last one stands alone, and a sentence takes the place of all. */
TEST(test_charts_find_room)
{
    static const char brute[] = "rays per second, b", tree[] = "rays per second, t";
    make(&records[2]);
    const struct seen *seen = draw_sized("room_above", 620, 1000, 1.0f);
    assert_true(seen_starts(seen, brute) == 1 && seen_starts(seen, tree) == 1);
    seen = draw_sized("room_alone", 620, 300, 1.0f);
    assert_true(seen_starts(seen, brute) == 0 && seen_starts(seen, tree) == 1);
    seen = draw_sized("room_none", 400, 200, 1.0f);
    assert_int_equal(seen_starts(seen, "The picture"), 1);
    assert_int_equal(seen->text_count, 3);
    /* The names of all modes, which need more height than half of the picture has. */
    make(&records[1]);
    seen = draw_sized("room_names", 640, 360, 0.75f);
    assert_int_equal(seen_starts(seen, "tree/"), KRN_BITS(KRN_TREE_STORAGES));
    screens_done();
}

int main(int argc, char **argv)
{
    return screens_run(argc, argv, NULL, NULL);
}
