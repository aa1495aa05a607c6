/* The command line: every row of the table is driven with every wrong value that its kind knows. */
#include "command.h"
#include "options.h"
#include "sweep.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS_MAX = 16, TEXT_MAX = 2048 };

static struct app_state state;
static struct app_run run;
static struct krn_error error;

/* Parses the words up to NULL. */
static enum krn_code parse(const char *first, ...)
{
    char *words[WORDS_MAX] = {(char *)"spherescope"};
    int n = 1;
    va_list more;
    va_start(more, first);
    for (const char *word = first; word != NULL && n < WORDS_MAX; word = va_arg(more, const char *))
        words[n++] = (char *)word;
    va_end(more);
    memset(&error, 0, sizeof error);
    return app_options_parse(n, words, &state, &run, &error);
}

#define assert_accepted(...)                                                                       \
    do {                                                                                           \
        if (parse(__VA_ARGS__, (const char *)NULL) != KRN_OK)                                      \
            fail_msg("%s", error.text);                                                            \
    } while (0)

/* Refused in one line that names `named`. */
static void check_refusal(enum krn_code code, const char *named, const char *value)
{
    if (code != KRN_REFUSED)
        fail_msg("%s \"%s\" was not refused", named, value);
    if (strstr(error.text, named) == NULL || strchr(error.text, '\n') != NULL)
        fail_msg("\"%s\" is no line about %s", error.text, named);
}

#define assert_refused(named, ...)                                                                 \
    check_refusal(parse(__VA_ARGS__, (const char *)NULL), (named), "...")

static void refuse_value(const struct app_command_row *row, const char *value)
{
    char joined[TEXT_MAX], takes[256];
    check_refusal(parse(row->flag, value, (const char *)NULL), row->flag, value);
    app_value_describe(&row->value, takes, sizeof takes);
    assert_non_null(strstr(error.text, takes));
    snprintf(joined, sizeof joined, "%s=%s", row->flag, value);
    check_refusal(parse(joined, (const char *)NULL), row->flag, value);
}

static void accept_value(const struct app_command_row *row, const char *value)
{
    char joined[TEXT_MAX];
    assert_accepted(row->flag, value);
    const struct app_state spaced = state;
    const struct app_run spaced_run = run;
    snprintf(joined, sizeof joined, "%s=%s", row->flag, value);
    assert_accepted(joined);
    assert_memory_equal(&state, &spaced, sizeof state);
    if (row->value.list) { /* it points into the command line */
        assert_string_equal(run.compare.first, value);
        return;
    }
    assert_memory_equal(&run, &spaced_run, sizeof run);
}

/* A value that the row takes. */
static void good_value(const struct app_command_row *row, char *text, size_t size)
{
    const struct app_value *value = &row->value;
    switch (value->kind) {
    case APP_VALUE_NONE:
        text[0] = 0;
        break;
    case APP_VALUE_SWITCH:
        snprintf(text, size, "off");
        break;
    case APP_VALUE_CHOICE:
    case APP_VALUE_NAMES:
        snprintf(text, size, "%s", value->choices[0]);
        break;
    case APP_VALUE_INTEGER:
    case APP_VALUE_REAL:
        snprintf(text, size, "%.0f", ceil(value->low));
        break;
    case APP_VALUE_SEED:
        snprintf(text, size, "7");
        break;
    case APP_VALUE_RANGE:
        snprintf(text, size, "%.0f:%.0f", ceil(value->low), floor(value->high));
        break;
    case APP_VALUE_SPAN:
        snprintf(text, size, "%s=%.0f..%.0f", value->choices[0], value->low, value->high);
        break;
    case APP_VALUE_SIZE:
        snprintf(text, size, "%.0fx%.0f", value->low, value->high);
        break;
    case APP_VALUE_PATH:
        snprintf(text, size, "some file%s", value->suffix != NULL ? value->suffix : "");
        break;
    case APP_VALUE_TEXT:
        snprintf(text, size, "%s", value->example);
        break;
    }
}

static bool is_number(enum app_value_kind kind)
{
    return kind == APP_VALUE_INTEGER || kind == APP_VALUE_REAL || kind == APP_VALUE_SEED;
}

static void drive_number(const struct app_command_row *row)
{
    static const char *const wrong[] = {
        "nan", "NaN", "inf",  "-inf", "infinity", "1e308",   "-1e308", "1e999", "20x",   "20 ",
        " 20", "2 0", "1,5",  "1.5.", "0x10",     "+20",     "--",     "-",     ".",     "e5",
        "1e",  "1e+", "20\n", "\t20", "½",        "12three", "20;",    "$20",   "20:30",
    };
    const struct app_value *value = &row->value;
    char text[64];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (strcmp(wrong[i], "--") != 0)
            refuse_value(row, wrong[i]);
    refuse_value(row, "99999999999999999999999999");
    if (value->kind == APP_VALUE_SEED) {
        accept_value(row, "0");
        accept_value(row, "2147483648");
        accept_value(row, "18446744073709551615");
        refuse_value(row, "18446744073709551616");
        refuse_value(row, "-1");
        refuse_value(row, "1.5");
        return;
    }
    refuse_value(row, "2147483648");
    refuse_value(row, "-2147483649");
    const bool whole = value->kind == APP_VALUE_INTEGER;
    const double ends[2] = {value->low, value->high};
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, "%.17g", ends[i]);
        accept_value(row, text);
        const double out =
            whole ? ends[i] + 2 * i - 1 : nextafter(ends[i], i == 0 ? -INFINITY : INFINITY);
        snprintf(text, sizeof text, "%.17g", out);
        refuse_value(row, text);
    }
    if (whole)
        refuse_value(row, "1.5");
}

static void drive_pair(const struct app_command_row *row)
{
    static const char *const wrong[] = {
        "20",
        "20:",
        ":20",
        "x20",
        "20x",
        "20 x20",
        "20x 20",
        "20x20x20",
        "1:2:3",
        "nan:20",
        "20:nan",
        "inf:inf",
        "20:inf",
        "1e308:1e308",
        "20,30",
        "-1x20",
        "20x-1",
        "2147483648x20",
        "20x2147483648",
        "2147483648:2147483649",
        "5:4",
        "0:5",
        "20X20",
        "20.5x20",
        "0x20",
        "20x0",
        "xx",
        "::",
        "20x20 ",
        "20:30 ",
    };
    const struct app_value *value = &row->value;
    const char *format = value->kind == APP_VALUE_SIZE ? "%.17gx%.17g" : "%.17g:%.17g";
    const double step = value->kind == APP_VALUE_SIZE ? 1 : 1e-9;
    char text[96];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refuse_value(row, wrong[i]);
    const struct {
        double a, b;
        bool good;
    } pairs[] = {
        {value->low, value->low, true},          {value->high, value->high, true},
        {value->low, value->high, true},         {value->low - step, value->high, false},
        {value->low, value->high + step, false}, {value->high + step, value->high + step, false},
        {value->low - step, value->low, false},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        snprintf(text, sizeof text, format, pairs[i].a, pairs[i].b);
        if (pairs[i].good)
            accept_value(row, text);
        else
            refuse_value(row, text);
    }
}

static void drive_words(const struct app_command_row *row)
{
    static const char *const wrong[] = {"ON",      "On",     "yes",  "true", "1",     "0",
                                        "global ", " off",   "nan",  "inf",  "1e308", "2147483648",
                                        "x",       "off,on", "all,", ",all", ",",     "globall"};
    /* K's words are numbers, and all but the first need another kernel (test_combinations). */
    const bool pixels = strcmp(row->name, "pixels") == 0;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (!pixels || strcmp(wrong[i], "1") != 0)
            refuse_value(row, wrong[i]);
    if (row->value.choices != NULL && !pixels)
        for (int i = 0; row->value.choices[i] != NULL; i++)
            accept_value(row, row->value.choices[i]);
}

static void drive_path(const struct app_command_row *row)
{
    char text[TEXT_MAX];
    if (row->value.suffix != NULL) {
        refuse_value(row, "nan");
        refuse_value(row, row->value.suffix);
        refuse_value(row, "picture.jpg");
    }
    memset(text, 'a', sizeof text);
    snprintf(text + APP_PATH_MAX - 4, sizeof text - APP_PATH_MAX + 4, ".png");
    assert_int_equal(strlen(text), APP_PATH_MAX);
    assert_refused(row->flag, row->flag, text);
    memmove(text, text + 1, APP_PATH_MAX);
    accept_value(row, text);
}

static void drive_span(const struct app_command_row *row)
{
    static const char *const wrong[] = {"=1..20", "1..",           "..",      "1.5..2", "1...2",
                                        "1.2",    "1:20",          "5..4",    "a..b",   "1..20 ",
                                        " 1..20", "1..2147483648", "1..2..3", "",       "-1..2",
                                        "+1..2",  "1..nan"};
    const struct app_value *value = &row->value;
    char text[96];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(text, sizeof text, "%s=%s", value->choices[0], wrong[i]);
        refuse_value(row, text);
    }
    refuse_value(row, "1..20");
    refuse_value(row, "pixels=1..20");
    refuse_value(row, value->choices[0]);
    for (int i = 0; i < 4; i++) {
        const double low = value->low - (i == 1), high = value->high + (i == 2);
        snprintf(text, sizeof text, "%s=%.0f..%.0f", value->choices[0], i == 3 ? high : low, high);
        if (i == 0 || i == 3)
            accept_value(row, text);
        else
            refuse_value(row, text);
    }
}

static void test_sweeps(void **unused)
{
    (void)unused;
    assert_accepted("--sweep", "spheres=20..2000");
    assert_true(run.sweep_low == 20 && run.sweep_high == 2000);
    assert_accepted("--sweep", "spheres=7..7", "--scene", "book", "--screenshot", "a.png");
    assert_refused("--sweep", "--sweep", "spheres=1..20", "--bench", "all");
    assert_refused("--sweep", "--sweep", "spheres=1..20", "--duel", "book/global,book/global");
    assert_refused("--sweep", "--sweep", "spheres=1..20", "--compare", "a.json");
    assert_refused("--sweep", "--sweep", "spheres=1..20", "--offscreen");
    assert_refused("--sweep", "--sweep", "spheres=1..20", "--fullscreen");
    assert_refused("--sweep", "--sweep", "spheres=1..20", "--spheres", "20");
    assert_refused("--sweep", "--sweep", "spheres=1..20", "--scene", "a.json");
    /* Both ends, and 1, 2 and 5 times the powers of ten between. */
    int counts[APP_SWEEP_COUNTS];
    assert_int_equal(app_sweep_counts(7, 7, counts), 1);
    assert_int_equal(counts[0], 7);
    static const int expected[] = {3, 5, 10, 20, 50, 100, 101};
    assert_int_equal(app_sweep_counts(3, 101, counts), 7);
    assert_memory_equal(counts, expected, sizeof expected);
    assert_int_equal(app_sweep_counts(1, KRN_SPHERES_MAX, counts), 19);
    assert_int_equal(counts[18], KRN_SPHERES_MAX);
    for (int low = 1; low <= 11; low++)
        for (int high = low; high <= KRN_SPHERES_MAX; high += 1 + high / 7) {
            const int n = app_sweep_counts(low, high, counts);
            assert_true(n >= 1 && n <= APP_SWEEP_COUNTS);
            assert_true(counts[0] == low && counts[n - 1] == high);
            for (int i = 1; i < n; i++)
                assert_true(counts[i - 1] < counts[i]);
        }
}

static void test_every_row(void **unused)
{
    (void)unused;
    size_t count, driven = 0;
    const struct app_command_row *rows = app_commands(&count);
    for (size_t i = 0; i < count; i++) {
        const struct app_command_row *row = &rows[i];
        const char *other = strcmp(row->name, "hud") == 0 ? "--vsync" : "--hud";
        char text[128], joined[256];
        if (row->flag == NULL)
            continue;
        driven++;
        good_value(row, text, sizeof text);
        if (row->value.kind == APP_VALUE_NONE) {
            assert_accepted(row->flag);
            assert_refused(row->flag, row->flag, row->flag);
            snprintf(joined, sizeof joined, "%s=", row->flag);
            assert_refused(row->flag, joined);
            snprintf(joined, sizeof joined, "%s=on", row->flag);
            assert_refused(row->flag, joined);
            assert_refused("on", row->flag, "on");
            continue;
        }
        accept_value(row, text);
        assert_refused(row->flag, row->flag);
        assert_refused(row->flag, row->flag, other, "on");
        assert_refused(row->flag, row->flag, "");
        snprintf(joined, sizeof joined, "%s=", row->flag);
        assert_refused(row->flag, joined);
        assert_refused(row->flag, row->flag, text, row->flag, text);
        snprintf(joined, sizeof joined, "%s=%s", row->flag, text);
        assert_refused(row->flag, joined, other, "on", row->flag, text);
        if (row->value.word != NULL)
            accept_value(row, row->value.word);
        if (is_number(row->value.kind))
            drive_number(row);
        else if (row->value.kind == APP_VALUE_RANGE || row->value.kind == APP_VALUE_SIZE)
            drive_pair(row);
        else if (row->value.kind == APP_VALUE_SPAN)
            drive_span(row);
        else if (row->value.kind == APP_VALUE_PATH)
            drive_path(row);
        else
            drive_words(row);
    }
    assert_true(driven >= 26);
}

static void test_duels(void **unused)
{
    (void)unused;
    static const char *const wrong[] = {"book/global",  "book/global,",
                                        ",book/global", "book/global,book/texture",
                                        "a,b",          "book/global,book/global/two",
                                        "nan",          "1e308"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refuse_value(app_command_by_flag("--duel"), wrong[i]);
    assert_accepted("--duel", "book/global,book/constant", "--band", "0.5", "--seconds", "3");
    assert_true(run.duel && state.duel.on && run.band_percent == 0.5);
    assert_int_equal(state.mode.storage, KRN_STORAGE_GLOBAL);
    assert_int_equal(state.duel.other.storage, KRN_STORAGE_CONSTANT);
    assert_accepted("--duel", "book/shared,book/shared");
    assert_true(run.band_percent == 1.0);
    assert_refused("--duel", "--duel", "book/global,book/constant", "--spheres", "2341");
    assert_refused("--duel", "--duel", "book/global/2,book/global");
    assert_refused("--duel", "--duel", "book/global,book/global", "--bench", "all");
    assert_refused("--duel", "--duel", "book/global,book/global", "--storage", "shared");
    assert_refused("--offscreen", "--duel", "book/global,book/global", "--screenshot", "a.png");
    assert_accepted("--duel", "book/global,book/global", "--screenshot", "a.png", "--offscreen");
}

static void test_defaults(void **unused)
{
    (void)unused;
    assert_int_equal(parse(NULL), KRN_OK);
    const struct app_state start = app_state_default();
    const struct app_run plain = app_run_default();
    assert_memory_equal(&state, &start, sizeof state);
    assert_memory_equal(&run, &plain, sizeof run);
    assert_int_equal(run.backend, -1);
    assert_int_equal(state.recipe.count, 20);
    assert_int_equal(state.width, 1024);
    assert_int_equal(run.window_width, 1280);
    assert_int_equal(run.window_height, 720);
    assert_true(state.motion);
    assert_false(run.motion_given || run.window_given);
    assert_true(app_state_unit(&state) == 1.0f);
    assert_int_equal(app_state_check(&state, &error), KRN_OK);
}

static void test_values_arrive(void **unused)
{
    (void)unused;
    assert_accepted("--backend", "cpu", "--storage=shared", "--blit", "pbo", "--spheres", "200",
                    "--radii=2.5:12", "--seed", "18446744073709551615");
    assert_int_equal(run.backend, KRN_BACKEND_CPU);
    assert_int_equal(state.backend, KRN_BACKEND_CPU);
    assert_int_equal(state.mode.storage, KRN_STORAGE_SHARED);
    assert_int_equal(state.blit, REN_BLIT_PBO);
    assert_int_equal(state.recipe.count, 200);
    assert_true(state.recipe.radius_min == 2.5f && state.recipe.radius_max == 12.0f);
    assert_true(state.recipe.seed == UINT64_MAX);
    assert_accepted("--size", "1920x1080", "--zoom", "1.25", "--window", "640x480", "--fullscreen",
                    "--vsync", "off", "--motion", "off", "--hud", "off");
    assert_int_equal(state.width, 1920);
    assert_int_equal(state.height, 1080);
    assert_int_equal(state.fixed_height, 1080);
    assert_true(state.zoom == 1.25);
    assert_true(app_state_unit(&state) == 0.8f);
    assert_int_equal(run.window_width, 640);
    assert_int_equal(run.window_height, 480);
    assert_true(state.fullscreen && !state.vsync && !state.motion && !state.hud);
    assert_true(run.motion_given && run.window_given);
    assert_accepted("--pixels-per-thread", "4", "--kernel", "strip", "--storage", "constant");
    assert_int_equal(state.mode.kernel, KRN_KERNEL_STRIP);
    assert_int_equal(state.mode.storage, KRN_STORAGE_CONSTANT);
    assert_int_equal(state.mode.pixels_per_thread, 4);
    assert_accepted("--kernel", "strip");
    assert_int_equal(state.mode.pixels_per_thread, KRN_PIXELS_START);
    assert_accepted("--zoom", "fit", "--theme", "projector", "--hud-scale", "1.5", "--monitor", "1",
                    "--device", "3", "--frames", "7");
    assert_true(state.zoom == 0);
    assert_int_equal(state.theme, APP_THEME_PROJECTOR);
    assert_true(state.hud_scale == 1.5);
    assert_int_equal(run.monitor, 1);
    assert_int_equal(run.device, 3);
    assert_int_equal(run.frames, 7);
    assert_accepted("--offscreen", "--seconds", "2.5", "--screenshot", "a.PNG", "--json", "-",
                    "--scene", "spheres.json");
    assert_true(run.offscreen && run.seconds == 2.5);
    assert_string_equal(run.screenshot, "a.PNG");
    assert_string_equal(run.json, "-");
    assert_int_equal(state.scene, APP_SCENE_FILE);
    assert_string_equal(state.scene_path, "spheres.json");
    assert_accepted("--bench", "raytrace", "--list-devices", "--info", "--version", "--help");
    assert_string_equal(run.bench, "raytrace");
    assert_true(run.list_devices && run.info && run.version && run.help);
    assert_accepted("--json=--odd");
    assert_string_equal(run.json, "--odd");
}

static void test_what_is_no_option(void **unused)
{
    (void)unused;
    assert_refused("20", "20");
    assert_refused("file.json", "--hud", "on", "file.json");
    assert_refused("--", "--");
    assert_refused("-", "-");
    assert_refused("--nonsense", "--nonsense");
    assert_null(strstr(error.text, "did you mean"));
    assert_refused("--spheres", "--sphere", "20");
    assert_non_null(strstr(error.text, "did you mean --spheres"));
    assert_refused("--storage", "--stroage=global");
    assert_refused("--help", "-h");
    assert_refused("--fullscreen", "--full-screen");
    assert_refused("\"\"", "");
    assert_refused("?", "--a\nb");
    char text[TEXT_MAX];
    memset(text, '-', sizeof text - 1);
    text[sizeof text - 1] = 0;
    assert_refused("--help", text);
    assert_refused("--help", "--spheresspheresspheresspheresspheresspheres");
}

static void test_exclusions(void **unused)
{
    (void)unused;
    static const char *const pairs[][4] = {
        {"--scene", "a.json", "--spheres", "40"},    {"--scene", "a.json", "--radii", "2:3"},
        {"--scene", "a.json", "--seed", "4"},        {"--backend", "cpu", "--device", "0"},
        {"--bench", "all", "--screenshot", "a.png"}, {"--bench", "all", "--monitor", "0"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const char *const *p = pairs[i];
        assert_refused(p[0], p[0], p[1], p[2], p[3]);
        assert_non_null(strstr(error.text, p[2]));
        assert_refused(p[2], p[2], p[3], p[0], p[1]);
        assert_non_null(strstr(error.text, p[0]));
    }
    assert_refused("--fullscreen", "--offscreen", "--fullscreen");
    assert_refused("--monitor", "--offscreen", "--monitor", "0");
    assert_refused("--fullscreen", "--bench", "all", "--fullscreen");
    assert_accepted("--backend", "cuda", "--device", "0");
    assert_accepted("--device", "0");

    assert_accepted("--scene", "book", "--spheres", "40", "--seed", "9");
    const struct app_state one_way = state;
    assert_accepted("--seed", "9", "--spheres", "40", "--scene", "book");
    assert_memory_equal(&state, &one_way, sizeof state);
    assert_int_equal(state.recipe.count, 40);
}

static void test_combinations(void **unused)
{
    (void)unused;
    assert_accepted("--storage", "constant", "--spheres", "2340");
    assert_accepted("--spheres", "2340", "--storage", "constant");
    assert_refused("--storage", "--storage", "constant", "--spheres", "2341");
    assert_non_null(strstr(error.text, "--spheres"));
    assert_non_null(strstr(error.text, "2340"));
    assert_refused("--storage", "--storage", "shared", "--kernel", "binned");
    for (int i = 0; i < KRN_PIXELS_COUNT; i++) {
        char k[16];
        snprintf(k, sizeof k, "%d", krn_pixels_at(i));
        assert_accepted("--pixels-per-thread", k, "--kernel", "strip");
        assert_int_equal(state.mode.pixels_per_thread, krn_pixels_at(i));
        if (krn_pixels_at(i) > 1)
            assert_refused("--pixels-per-thread", "--pixels-per-thread", k);
    }
    assert_refused("--pixels-per-thread", "--pixels-per-thread", "3", "--kernel", "strip");
    assert_refused("--storage", "--spheres", "1000000", "--storage", "constant");
}

static void test_names_are_the_kernels(void **unused)
{
    (void)unused;
    const struct app_command_row *row = app_command_by_name("storage");
    for (int i = 0; i < KRN_STORAGE_COUNT; i++)
        assert_string_equal(row->value.choices[i], krn_storage_name((enum krn_storage)i));
    assert_null(row->value.choices[KRN_STORAGE_COUNT]);
    row = app_command_by_name("backend");
    for (int i = 0; i < KRN_BACKEND_COUNT; i++)
        assert_string_equal(row->value.choices[i + 1], krn_backend_name((enum krn_backend_id)i));
    assert_null(row->value.choices[KRN_BACKEND_COUNT + 1]);
    row = app_command_by_name("theme");
    for (int i = 0; i < APP_THEME_COUNT; i++)
        assert_string_equal(row->value.choices[i], app_theme_name((enum app_theme)i));
    row = app_command_by_name("blit");
    for (int i = 0; i < REN_BLIT_COUNT; i++)
        assert_string_equal(row->value.choices[i], app_blit_name((enum ren_blit)i));
}

static void test_comma_locale(void **unused)
{
    (void)unused;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8",  "fr_FR.UTF-8",
                                        "de_DE",       "da_DK.UTF-8", "pl_PL.UTF-8"};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && found == NULL; i++)
        found = setlocale(LC_ALL, names[i]);
    if (found == NULL)
        print_message("no locale with a decimal comma is installed; C alone was tried\n");
    char text[64];
    assert_accepted("--zoom", "1.25");
    assert_true(state.zoom == 1.25);
    assert_refused("--zoom", "--zoom", "1,25");
    app_format(text, sizeof text, "%.2f", 0.5);
    assert_string_equal(text, "0.50");
    app_command_show(app_command_by_name("hud-scale"), &state, NULL, text, sizeof text);
    app_value_limits(&app_command_by_name("radii")->value, text, sizeof text);
    assert_string_equal(text, "0.01..100000");
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row),
        cmocka_unit_test(test_duels),
        cmocka_unit_test(test_sweeps),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_values_arrive),
        cmocka_unit_test(test_what_is_no_option),
        cmocka_unit_test(test_exclusions),
        cmocka_unit_test(test_combinations),
        cmocka_unit_test(test_names_are_the_kernels),
        cmocka_unit_test(test_comma_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
