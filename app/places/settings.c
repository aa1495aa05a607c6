/* app/places/settings.c - the window as its user left it. */
#include "places/settings.h"

#include "base/files.h"
#include "command/command.h"
#include "places/folders.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_BYTES_MAX = 4096 };

/* The options that are settings, and the member of a run that tells that the command line has one.
 */
static const struct {
    const char *name;
    size_t given;
} settable[APP_SETTINGS_COUNT] = {
    {"window", offsetof(struct app_run, window_given)},
    {"theme", offsetof(struct app_run, theme_given)},
    {"hud-scale", offsetof(struct app_run, hud_scale_given)},
};

bool app_run_keeps_settings(const struct app_run *run)
{
    return !run->offscreen && !app_run_measures(run) && !app_run_records(run) &&
           run->compare.first == NULL && run->screenshot[0] == 0 && run->replay[0] == 0 &&
           run->talk[0] == 0 && run->frames == 0 && run->seconds == 0.0;
}

static bool find_file(char path[APP_PATH_MAX])
{
    return app_config_path("spherescope/settings", path);
}

/* Removes blanks from both ends of a text, in place. */
static char *trim(char *text)
{
    text += strspn(text, " \t\r");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r", text[length - 1]) != NULL)
        text[--length] = 0;
    return text;
}

/* Takes a line "name = value". Returns false when it is not a setting. */
static bool take_line(struct app_settings *settings, char *line)
{
    struct app_given given;
    char *equals = strchr(line, '=');
    if (equals == NULL)
        return false;
    *equals = 0;
    const char *name = trim(line), *value = trim(equals + 1);
    for (size_t i = 0; i < APP_SETTINGS_COUNT; i++) {
        if (strcmp(settable[i].name, name) != 0)
            continue;
        if (strlen(value) >= APP_SETTING_MAX ||
            !app_value_parse(&app_command_by_name(name)->value, value, &given))
            return false;
        snprintf(settings->values[i], APP_SETTING_MAX, "%s", value);
        return true;
    }
    return false;
}

enum krn_code app_settings_read(struct app_settings *settings, struct krn_error *error)
{
    char path[APP_PATH_MAX], *text = NULL;
    struct krn_error why;
    struct stat status;
    size_t length = 0;
    int number = 0;
    enum krn_code code = KRN_OK;
    memset(settings, 0, sizeof *settings);
    if (!find_file(path) || (stat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)))
        return KRN_OK;
    if (app_read_regular(path, NULL, FILE_BYTES_MAX, &text, &length, &why) != KRN_OK)
        return KRN_FAIL(error, KRN_FAILED, "The settings are not used: %s", why.text);
    char *next = text;
    while (next != NULL) {
        char *line = next;
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = 0;
        number++;
        line = trim(line);
        if (line[0] != 0 && line[0] != '#' && !take_line(settings, line) && code == KRN_OK)
            code = KRN_FAIL(error, KRN_REFUSED,
                            "%s, line %d is not a setting and is ignored. Settings are window, "
                            "theme and hud-scale, with values as their options take.",
                            app_shorten(path).text, number);
    }
    free(text);
    return code;
}

void app_settings_apply(const struct app_settings *settings, struct app_state *state,
                        struct app_run *run)
{
    const struct app_facts facts = {.live = false};
    for (size_t i = 0; i < APP_SETTINGS_COUNT; i++) {
        const struct app_command_entry *entry = app_command_by_name(settable[i].name);
        bool *given = (bool *)((char *)run + settable[i].given);
        struct app_argument argument = {.step = APP_STEP_SET};
        struct app_reply reply;
        if (*given || settings->values[i][0] == 0 ||
            !app_value_parse(&entry->value, settings->values[i], &argument.given))
            continue;
        *given = entry->place == APP_PLACE_RUN
                     ? app_run_set(run, entry, &argument.given)
                     : app_change(state, &facts, entry, &argument, &reply) == APP_DONE;
    }
}

bool app_settings_note(struct app_settings *settings, struct app_settings_view start,
                       struct app_settings_view end)
{
    bool differs = false;
    for (size_t i = 0; i < APP_SETTINGS_COUNT; i++) {
        const struct app_command_entry *entry = app_command_by_name(settable[i].name);
        char before[APP_SETTING_MAX], after[APP_SETTING_MAX];
        app_command_show(entry, start.state, start.run, before, sizeof before);
        app_command_show(entry, end.state, end.run, after, sizeof after);
        if (strcmp(before, after) == 0)
            continue;
        memcpy(settings->values[i], after, sizeof after);
        differs = true;
    }
    return differs;
}

/* Makes the folders above a file, as the XDG Base Directory Specification asks: for the user alone.
 */
static void make_folders(const char *path)
{
    char folder[APP_PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        (void)mkdir(folder, 0700); /* what fails here fails below, with a reason */
        *slash = '/';
    }
}

enum krn_code app_settings_write(const struct app_settings *settings, struct krn_error *error)
{
    char path[APP_PATH_MAX],
        text[FILE_BYTES_MAX] = "# The window of Spherescope as it was left. Options override it.\n";
    struct krn_error why;
    if (!find_file(path))
        return KRN_OK;
    size_t used = strlen(text);
    for (size_t i = 0; i < APP_SETTINGS_COUNT; i++)
        if (settings->values[i][0] != 0)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s = %s\n", settable[i].name,
                                     settings->values[i]);
    make_folders(path);
    if (app_write_file(path, text, used, &why) == KRN_OK)
        return KRN_OK;
    return KRN_FAIL(error, KRN_FAILED, "The settings were not saved: %s", why.text);
}
