/* The user's settings: where they are, what a file may hold, and who wins. */
#include "command/options.h"
#include "expect.h"
#include "places/folders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[256], file[300];
static struct app_settings settings;
static struct app_state state;
static struct app_run run;

static int make_folder(void **unused)
{
    (void)unused;
    snprintf(folder, sizeof folder, "%s/test_settings_XXXXXX", TEST_BINARY_DIR);
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(file, sizeof file, "%s/spherescope/settings", folder);
    return setenv("XDG_CONFIG_HOME", folder, 1);
}

static int remove_folder(void **unused)
{
    (void)unused;
    char inner[300];
    snprintf(inner, sizeof inner, "%s/spherescope", folder);
    (void)unlink(file);
    (void)rmdir(file);
    (void)rmdir(inner);
    return rmdir(folder);
}

static void put(const char *text)
{
    char inner[300];
    snprintf(inner, sizeof inner, "%s/spherescope", folder);
    (void)mkdir(inner, 0777);
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

/* Parses a command line of one option, or of none, and puts the settings beneath it. */
static void start(const char *option, const char *value)
{
    char *const argv[] = {"spherescope", (char *)option, (char *)value};
    const int argc = option == NULL ? 1 : value == NULL ? 2 : 3;
    assert_int_equal(app_options_parse(argc, argv, &state, &run, &error), KRN_OK);
    app_settings_apply(&settings, &state, &run);
}

TEST_WITH(test_no_file, make_folder, remove_folder)
{
    assert_int_equal(app_settings_read(&settings, &error), KRN_OK);
    start(NULL, NULL);
    const struct app_state usual = app_state_default();
    const struct app_run common = app_run_default();
    assert_int_equal(state.theme, usual.theme);
    assert_true(state.hud_scale == usual.hud_scale);
    assert_int_equal(run.window_width, common.window_width);
    assert_false(run.window_given);
}

TEST_WITH(test_values_and_options, make_folder, remove_folder)
{
    put("# mine\n\n window=1600x900 \r\ntheme = projector\nhud-scale = 1.25\n");
    assert_int_equal(app_settings_read(&settings, &error), KRN_OK);
    start(NULL, NULL);
    assert_int_equal(state.theme, APP_THEME_PROJECTOR);
    assert_true(state.hud_scale == 1.25);
    assert_int_equal(run.window_width, 1600);
    assert_int_equal(run.window_height, 900);
    assert_true(run.window_given);
    start("--theme", "light");
    assert_int_equal(state.theme, APP_THEME_LIGHT);
    assert_int_equal(run.window_width, 1600);
    start("--window", "640x480");
    assert_int_equal(state.theme, APP_THEME_PROJECTOR);
    assert_int_equal(run.window_width, 640);
    start("--hud-scale", "2");
    assert_true(state.hud_scale == 2.0);
}

/* A wrong line is left out, and the lines around it count. The sentence names file and line. */
TEST_WITH(test_wrong_lines, make_folder, remove_folder)
{
    static const char *const wrong[] = {
        "theme = pink",      "theme",         "= dark",        "window = 0x0",
        "window = 99999x10", "spheres = 5",   "\x1b[2J",       "hud-scale = nan",
        "hud-scale = ",      "window = 1280", "backend = cuda"};
    char text[200];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(text, sizeof text, "hud-scale = 2\n%s\ntheme = light\n", wrong[i]);
        put(text);
        assert_int_equal(app_settings_read(&settings, &error), KRN_REFUSED);
        assert_non_null(strstr(error.text, "settings, line 2 is not a setting"));
        start(NULL, NULL);
        assert_true(state.hud_scale == 2.0);
        assert_int_equal(state.theme, APP_THEME_LIGHT);
        assert_int_equal(run.window_width, app_run_default().window_width);
    }
}

/* What cannot be read is told of, and leaves the defaults. */
TEST_WITH(test_unreadable, make_folder, remove_folder)
{
    char *large = malloc(100001);
    assert_non_null(large);
    memset(large, 'x', 100000);
    large[100000] = 0;
    put(large);
    free(large);
    assert_int_equal(app_settings_read(&settings, &error), KRN_FAILED);
    assert_non_null(strstr(error.text, "The settings are not used"));
    assert_int_equal(unlink(file), 0);
    assert_int_equal(mkdir(file, 0777), 0);
    assert_int_equal(app_settings_read(&settings, &error), KRN_FAILED);
    start(NULL, NULL);
    assert_int_equal(state.theme, app_state_default().theme);
    assert_int_equal(app_settings_write(&settings, &error), KRN_FAILED);
    assert_non_null(strstr(error.text, "The settings were not saved"));
}

TEST_WITH(test_keeps_changes_only, make_folder, remove_folder)
{
    memset(&settings, 0, sizeof settings);
    start(NULL, NULL);
    struct app_state end = state;
    struct app_run end_run = run;
    const struct app_settings_view first = {&state, &run}, last = {&end, &end_run};
    end.motion = !state.motion;
    assert_false(app_settings_note(&settings, first, last));
    end.theme = APP_THEME_LIGHT;
    end.hud_scale = 1.1;
    assert_true(app_settings_note(&settings, first, last));
    assert_int_equal(app_settings_write(&settings, &error), KRN_OK);

    assert_int_equal(app_settings_read(&settings, &error), KRN_OK);
    start(NULL, NULL);
    assert_int_equal(state.theme, APP_THEME_LIGHT);
    assert_true(state.hud_scale == 1.1);
    assert_false(run.window_given);
    /* Another change joins them. */
    end = state;
    end_run = run;
    end_run.window_width = 800;
    assert_true(app_settings_note(&settings, first, last));
    assert_int_equal(app_settings_write(&settings, &error), KRN_OK);
    assert_int_equal(app_settings_read(&settings, &error), KRN_OK);
    start(NULL, NULL);
    assert_int_equal(run.window_width, 800);
    assert_int_equal(state.theme, APP_THEME_LIGHT);
    struct stat status;
    char inner[300];
    snprintf(inner, sizeof inner, "%s/spherescope", folder);
    assert_int_equal(stat(inner, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0700);
}

/* Runs that must look alike on every machine have no settings. */
TEST_WITH(test_which_runs, make_folder, remove_folder)
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
TEST_WITH(test_places, make_folder, remove_folder)
{
    char path[APP_PATH_MAX], home[300];
    snprintf(home, sizeof home, "%s/.config/spherescope/settings", folder);
    char *before = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
    assert_int_equal(setenv("HOME", folder, 1), 0);
    assert_int_equal(setenv("XDG_CONFIG_HOME", "relative", 1), 0);
    memset(&settings, 0, sizeof settings);
    snprintf(settings.values[1], APP_SETTING_MAX, "light");
    assert_int_equal(app_settings_write(&settings, &error), KRN_OK);
    assert_int_equal(access(home, R_OK), 0);
    memset(&settings, 0, sizeof settings);
    unsetenv("XDG_CONFIG_HOME");
    assert_int_equal(app_settings_read(&settings, &error), KRN_OK);
    assert_string_equal(settings.values[1], "light");
    unsetenv("HOME");
    assert_int_equal(app_settings_read(&settings, &error), KRN_OK);
    assert_string_equal(settings.values[1], "");
    assert_int_equal(app_settings_write(&settings, &error), KRN_OK);
    assert_int_equal(unlink(home), 0);
    snprintf(path, sizeof path, "%s/.config/spherescope", folder);
    assert_int_equal(rmdir(path), 0);
    snprintf(path, sizeof path, "%s/.config", folder);
    assert_int_equal(rmdir(path), 0);
    if (before != NULL)
        setenv("HOME", before, 1);
    free(before);
}
