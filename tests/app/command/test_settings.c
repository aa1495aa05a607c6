/* The user's settings: where they are, what a file may hold, and who wins. */
#include "files.h"
#include "folder.h"

#include "command/options.h"

#include <sys/stat.h>

static struct app_settings settings;
static struct app_state state;
static struct app_run run;

/* Makes a new folder the place of the settings. */
static int begin(void **unused)
{
    return make_folder(unused) || setenv("XDG_CONFIG_HOME", folder, 1) ||
           mkdir(in("spherescope"), 0700);
}

static void put(const char *text)
{
    test_file_put_text(in("spherescope/settings"), text);
}

/* Parses a command line of one option, or of none, and puts the settings beneath it. */
static void start(const char *option, const char *value)
{
    char *const argv[] = {"spherescope", (char *)option, (char *)value};
    const int argc = option == NULL ? 1 : value == NULL ? 2 : 3;
    TEST_OK(app_options_parse(argc, argv, &state, &run, &error));
    app_settings_apply(&settings, &state, &run);
}

TEST_WITH(test_values_and_options, begin, remove_folder)
{
    put("\xef\xbb\xbf# mine\n\n window=1600x900 \r\ntheme = projector\nhud-scale = 1.25\n");
    TEST_OK(app_settings_read(&settings, &error));
    start(NULL, NULL);
    assert_int_equal(state.look.theme, APP_THEME_PROJECTOR);
    assert_true(state.look.hud_scale == 1.25);
    assert_int_equal(run.window_width, 1600);
    assert_int_equal(run.window_height, 900);
    assert_true(run.window_given);
    start("--theme", "light");
    assert_int_equal(state.look.theme, APP_THEME_LIGHT);
    assert_int_equal(run.window_width, 1600);
    start("--window", "640x480");
    assert_int_equal(state.look.theme, APP_THEME_PROJECTOR);
    assert_int_equal(run.window_width, 640);
    start("--hud-scale", "2");
    assert_true(state.look.hud_scale == 2.0);
}

/* A wrong line is left out, and the lines around it count. The sentence names file and line. */
TEST_WITH(test_wrong_lines, begin, remove_folder)
{
    static const char *const wrong[] = {
        "theme = pink",      "theme",         "= dark",        "window = 0x0",
        "window = 99999x10", "spheres = 5",   "\x1b[2J",       "hud-scale = nan",
        "hud-scale = ",      "window = 1280", "backend = cuda"};
    char text[200];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(text, sizeof text, "hud-scale = 2\n%s\ntheme = light\n", wrong[i]);
        put(text);
        TEST_FAILS(app_settings_read(&settings, &error), KRN_REFUSED,
                   "settings, line 2 is not a setting");
        start(NULL, NULL);
        assert_true(state.look.hud_scale == 2.0);
        assert_int_equal(state.look.theme, APP_THEME_LIGHT);
        assert_int_equal(run.window_width, app_run_default().window_width);
    }
}

/* What cannot be read is told of, and leaves the defaults. */
TEST_WITH(test_unreadable, begin, remove_folder)
{
    TEST_FREED char *large = test_alloc(100001);
    memset(large, 'x', 100000);
    large[100000] = 0;
    put(large);
    TEST_FAILS(app_settings_read(&settings, &error), KRN_FAILED, "The settings are not used");
    put("\xff\xfet");
    TEST_FAILS(app_settings_read(&settings, &error), KRN_FAILED,
               "settings is UTF-16 text; save it");
    assert_int_equal(unlink(in("spherescope/settings")), 0);
    assert_int_equal(mkdir(in("spherescope/settings"), 0777), 0);
    assert_int_equal(app_settings_read(&settings, &error), KRN_FAILED);
    start(NULL, NULL);
    assert_int_equal(state.look.theme, app_state_default().look.theme);
    TEST_FAILS(app_settings_write(&settings, &error), KRN_FAILED, "The settings were not saved");
}

TEST_WITH(test_keeps_changes_only, begin, remove_folder)
{
    memset(&settings, 0, sizeof settings);
    assert_int_equal(rmdir(in("spherescope")), 0);
    start(NULL, NULL);
    struct app_state end = state;
    struct app_run end_run = run;
    const struct app_settings_view first = {&state, &run}, last = {&end, &end_run};
    end.spec.motion = !state.spec.motion;
    assert_false(app_settings_note(&settings, first, last));
    end.look.theme = APP_THEME_LIGHT;
    end.look.hud_scale = 1.1;
    assert_true(app_settings_note(&settings, first, last));
    TEST_OK(app_settings_write(&settings, &error));

    TEST_OK(app_settings_read(&settings, &error));
    start(NULL, NULL);
    assert_int_equal(state.look.theme, APP_THEME_LIGHT);
    assert_true(state.look.hud_scale == 1.1);
    assert_false(run.window_given);
    /* Another change joins them. */
    end = state;
    end_run = run;
    end_run.window_width = 800;
    assert_true(app_settings_note(&settings, first, last));
    TEST_OK(app_settings_write(&settings, &error));
    TEST_OK(app_settings_read(&settings, &error));
    start(NULL, NULL);
    assert_int_equal(run.window_width, 800);
    assert_int_equal(state.look.theme, APP_THEME_LIGHT);
    struct stat status;
    assert_int_equal(stat(in("spherescope"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0700);
}

/* Runs that must look alike on every machine have no settings. */
TEST_WITH(test_which_runs, begin, remove_folder)
{
    static const char *const without[][2] = {{"--offscreen", NULL},
                                             {"--bench", "timer"},
                                             {"--duel", "book/global,book/constant"},
                                             {"--screenshot", "a.png"},
                                             {"--frames", "3"},
                                             {"--seconds", "3"},
                                             {"--sweep", "spheres=1..2"},
                                             {"--talk", "ray-tracer"},
                                             {"--replay", "a.png"},
                                             {"--video", "a.mp4"},
                                             {"--record-frames", "a"},
                                             {"--record", "a.json"}};
    static const char *const with[][2] = {{NULL, NULL},
                                          {"--spheres", "5"},
                                          {"--json", "a.json"},
                                          {"--play", "h200"},
                                          {"--fullscreen", NULL}};
    memset(&settings, 0, sizeof settings);
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        start(without[i][0], without[i][1]);
        assert_false(app_run_keeps_settings(&run));
    }
    for (size_t i = 0; i < sizeof with / sizeof *with; i++) {
        start(with[i][0], with[i][1]);
        assert_true(app_run_keeps_settings(&run));
    }
}

/* Without XDG_CONFIG_HOME, and with a relative one, ~/.config counts; without HOME, no folder. */
TEST_WITH(test_places, begin, remove_folder)
{
    TEST_FREED char *before = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
    assert_int_equal(setenv("HOME", folder, 1), 0);
    assert_int_equal(setenv("XDG_CONFIG_HOME", "relative", 1), 0);
    memset(&settings, 0, sizeof settings);
    snprintf(settings.values[1], APP_SETTING_MAX, "light");
    TEST_OK(app_settings_write(&settings, &error));
    assert_int_equal(access(in(".config/spherescope/settings"), R_OK), 0);
    memset(&settings, 0, sizeof settings);
    unsetenv("XDG_CONFIG_HOME");
    TEST_OK(app_settings_read(&settings, &error));
    assert_string_equal(settings.values[1], "light");
    unsetenv("HOME");
    TEST_OK(app_settings_read(&settings, &error));
    assert_string_equal(settings.values[1], "");
    TEST_OK(app_settings_write(&settings, &error));
    if (before != NULL)
        setenv("HOME", before, 1);
}
