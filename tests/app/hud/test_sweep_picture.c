/* The plot of a sweep: its texts fit and overlap nothing, whatever varies; which lines and numbers
 * it has. The times are made up. */
#include "screens.h"

#include "command/mode.h"
#include "hud/sweep/picture.h"
#include "judge/trust.h"

#include <math.h>

/* What a made-up record has. */
struct made {
    const char *name;
    int spheres, bounces; /* how many of each */
    bool cpu, book;
    const char *modes; /* patterns; "": every mode of the view */
    bool wrong;        /* the pictures of one mode */
    bool uncounted;    /* rays: the time was up */
};

static const struct made kinds[] = {
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
enum { KINDS = sizeof kinds / sizeof *kinds };

static const int counts[] = {20, 50, 100, 200, 500, 1000, 2000};
static struct app_sweep sweep;
static struct app_result reads[KRN_MODES][APP_SWEEP_POINTS];
static struct app_pair pairs[APP_SWEEP_POINTS];
static struct app_results results;

/* Returns a time in ms that grows like that of an H200: with the spheres, of a tree more slowly,
 * and with the rays of each bounce. */
static double time_of(struct krn_mode mode, int spheres, int bounces)
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
    memset(&sweep, 0, sizeof sweep);
    memset(&results, 0, sizeof results);
    results.device.backend = kind->cpu ? KRN_BACKEND_CPU : KRN_BACKEND_CUDA;
    results.device.can.distinct_storages = !kind->cpu;
    results.run.processes = 5;
    results.complete = !kind->cpu;
    snprintf(results.device.name, sizeof results.device.name, "NVIDIA H200");
    snprintf(results.device.clock, sizeof results.device.clock, "CUDA events");
    sweep.view = view;
    sweep.spheres.count = kind->spheres;
    memcpy(sweep.spheres.at, counts, (size_t)kind->spheres * sizeof *counts);
    sweep.bounces.count = kind->bounces;
    for (int b = 0; b < kind->bounces; b++)
        sweep.bounces.at[b] = b;
    sweep.points = kind->spheres * kind->bounces;
    for (int m = 0; m < KRN_MODES; m++)
        for (int at = 0; at < sweep.points; at++) {
            const struct krn_mode mode = krn_mode_at(m);
            struct app_result *read = &reads[m][at];
            if (krn_mode_view(mode) != view || !app_mode_chosen(kind->modes, mode))
                continue;
            const int spheres = app_sweep_spheres(&sweep, at),
                      bounces = app_sweep_bounces(&sweep, at);
            const double ms = time_of(mode, spheres, bounces);
            pairs[at] = (struct app_pair){app_members[APP_M_RAYS].key,
                                          1e6 * (2.0 - pow(0.6, bounces)), NULL};
            memset(read, 0, sizeof *read);
            read->metrics =
                (struct app_pairs){&pairs[at], view == KRN_VIEW_LIGHT && !kind->uncounted};
            read->verified = APP_VERIFIED_TRUE;
            if (kind->wrong && mode.kernel == KRN_KERNEL_TREE)
                read->trust.reasons = APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
            sweep.measured[m] = true;
            sweep.cells[m][at].result = read;
            sweep.cells[m][at].median = app_estimate_of_run(
                ms, (struct krn_interval){.valid = true, .low = 0.97 * ms, .high = 1.04 * ms}, 0.0);
        }
}

/* Draws a picture of the screen's size, and returns what was seen. */
static const struct seen *draw_in(const char *name, enum app_theme theme, float unit)
{
    struct app_state state = app_state_default();
    const float w = (float)screen.width, h = (float)screen.height;
    state.theme = theme;
    screen_frame(theme, unit, name);
    see_card(&screen.seen, (struct ren_rect){0.0f, 0.0f, w, h});
    app_sweep_picture(&screen.brush, w, h, &results, &sweep, &state);
    screen_end("sweep", unit, fonts[0] == 0 && screen.width >= 1280);
    return &screen.seen;
}

/* Draws it in a small window, in the size that the program chooses. */
static const struct seen *draw(const char *name)
{
    struct app_state state = app_state_default();
    (void)screen_at(0, &state);
    return draw_in(name, state.theme,
                   app_layout_make(&state, screen.width, screen.height, 1.0f).unit);
}

static int times_seen(const struct seen *seen, const char *word)
{
    int n = 0;
    for (int t = 0; t < seen->text_count; t++)
        n += strcmp(seen->words[t], word) == 0;
    return n;
}

TEST(test_every_picture_fits)
{
    struct app_state state = app_state_default();
    for (int k = 0; k < KINDS; k++) {
        make(&kinds[k]);
        for (int at = 0; screen_at(at, &state); at++)
            if (screen.width > screen.height)
                draw_in(kinds[k].name, state.theme,
                        app_layout_make(&state, screen.width, screen.height, 1.0f).unit);
    }
    screens_done();
}

/* What varies decides which charts there are, and which lines they have. */
TEST(test_charts_have_their_lines)
{
    for (int k = 0; k < KINDS; k++) {
        const struct made *kind = &kinds[k];
        const bool both = kind->spheres > 1 && kind->bounces > 1;
        make(kind);
        const struct seen *seen = draw(kind->name);
        if (kind->book) {
            assert_int_equal(times_seen(seen, "rays per second"), 0);
            assert_int_equal(times_seen(seen, "Kernel time against sphere count"), 1);
            continue;
        }
        assert_int_equal(times_seen(seen, "median kernel time"), !both);
        assert_int_equal(times_seen(seen, "rays per second"), !both);
        /* One line per mode in both charts; on a CPU one per kernel. */
        const char *tree = kind->cpu ? "tree" : "tree/constant";
        assert_int_equal(times_seen(seen, tree), both ? 0 : 2);
        assert_int_equal(times_seen(seen, "tree/shared"), 0);
        /* A chart per kernel, whose lines are named by their bounces. */
        const int charts = !both ? 0 : kind->modes[0] || kind->wrong ? 1 : 2;
        assert_int_equal(times_seen(seen, "bounces"), charts);
        if (both && !kind->wrong) {
            assert_int_equal(times_seen(seen, "0"), charts);
            assert_int_equal(times_seen(seen, "3"), 0); /* not one of the lines that are chosen */
            assert_int_equal(times_seen(seen, "8"), kind->bounces == 9 ? charts : 0);
            assert_int_equal(times_seen(seen, "2"), charts);
        }
        assert_int_equal(times_seen(seen, kind->cpu ? "rays per second, brute"
                                                    : "rays per second, brute, fastest storage"),
                         both && !kind->modes[0]);
    }
    screens_done();
}

/* A kernel with a wrong picture has no point, and its chart is left out. */
TEST(test_wrong_pictures_have_no_point)
{
    const struct made wrong_tree = {"wrong_tree", 7, 3, false, false, "tree/*", true, false};
    make(&wrong_tree);
    const struct seen *seen = draw(wrong_tree.name);
    assert_int_equal(seen->text_count,
                     3); /* the title, what was measured, and why there is no plot */
    assert_int_equal(times_seen(seen, "No mode has a time that may be quoted."), 1);
    screens_done();
}

/* Without counted rays there are no rates. The charts of spheres and bounces, which show only
 * rates, say so; a sweep of bounces alone shows its times. */
TEST(test_uncounted_rays_have_no_rate)
{
    const struct made both = {"uncounted", 7, 3, false, false, "", false, true},
                      bounces = {"uncounted_bounces", 1, 9, false, false, "", false, true};
    make(&both);
    const struct seen *seen = draw(both.name);
    assert_int_equal(seen->text_count, 3);
    assert_int_equal(times_seen(seen, "Rays were not counted: there are no rates to plot."), 1);
    make(&bounces);
    seen = draw(bounces.name);
    assert_int_equal(times_seen(seen, "Kernel time against bounces"), 1);
    assert_int_equal(times_seen(seen, "median kernel time"), 1);
    assert_int_equal(times_seen(seen, "rays per second"), 0);
    assert_int_equal(times_seen(seen, "The picture is too small for a plot."), 0);
    screens_done();
}

static const struct seen *draw_sized(const char *name, int width, int height, float unit)
{
    screen.width = width;
    screen.height = height;
    return draw_in(name, APP_THEME_DARK, unit);
}

/* Charts that have no room beside each other stand one above another; without that room either, the
 * last one stands alone, and a sentence takes the place of all. */
TEST(test_charts_find_room)
{
    static const char brute[] = "rays per second, b", tree[] = "rays per second, t";
    make(&kinds[2]);
    const struct seen *seen = draw_sized("room_above", 620, 1000, 1.0f);
    assert_true(seen_starts(seen, brute) == 1 && seen_starts(seen, tree) == 1);
    seen = draw_sized("room_alone", 620, 420, 1.0f);
    assert_true(seen_starts(seen, brute) == 0 && seen_starts(seen, tree) == 1);
    seen = draw_sized("room_none", 400, 250, 1.0f);
    assert_int_equal(seen_starts(seen, "The picture"), 1);
    assert_int_equal(seen->text_count, 3);
    /* The names of all modes, which need more height than half of the picture has. */
    make(&kinds[1]);
    seen = draw_sized("room_names", 640, 360, 0.75f);
    assert_int_equal(seen_starts(seen, "tree/"), KRN_BITS(KRN_TREE_STORAGES));
    screens_done();
}

int main(int argc, char **argv)
{
    return screens_run(argc, argv, NULL, NULL);
}
