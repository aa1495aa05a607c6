/* app/command/folders.c - the user's folders: of pictures, and of settings. */
#include "command/options.h"

#include "base/files.h"
#include "command/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of user-dirs.dirs, which is usually shorter than a kilobyte. */
enum { USER_DIRS_BYTES_MAX = 65536 };

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Creates the folder if it is missing. Returns true when files can be created in it. */
static bool ensure_folder(const char *path)
{
    if (path[0] == 0)
        return false;
    if (!is_folder(path) && mkdir(path, 0777) != 0)
        return false;
    return access(path, W_OK | X_OK) == 0;
}

/* Concatenates a, b and c. When they are too long, empties path and returns false. */
static bool join(char path[APP_PATH_MAX], const char *a, const char *b, const char *c)
{
    const int n = snprintf(path, APP_PATH_MAX, "%s%s%s", a, b, c);
    if (n < 0 || n >= APP_PATH_MAX) {
        path[0] = 0;
        return false;
    }
    return true;
}

/* Parses a line XDG_PICTURES_DIR="..." of user-dirs.dirs: "$HOME/..." or an absolute path, quoted,
 * with backslashes before special characters (the format of xdg-user-dirs). Returns false for any
 * other line. */
static bool parse_user_dirs(const char *line, const char *home, char folder[APP_PATH_MAX])
{
    static const char key[] = "XDG_PICTURES_DIR=\"";
    line += strspn(line, " \t");
    if (strncmp(line, key, sizeof key - 1) != 0)
        return false;
    line += sizeof key - 1;
    const char *prefix = "";
    if (strncmp(line, "$HOME", 5) == 0) {
        prefix = home;
        line += 5;
    }
    char rest[APP_PATH_MAX];
    size_t n = 0;
    for (; *line != 0 && *line != '"' && *line != '\n'; line++) {
        if (*line == '\\' && line[1] != 0)
            line++;
        if (n + 1 >= sizeof rest)
            return false;
        rest[n++] = *line;
    }
    rest[n] = 0;
    return *line == '"' && join(folder, prefix, rest, "") && folder[0] == '/';
}

/* Writes the path of a file in the user's folder of settings: $XDG_CONFIG_HOME, else
 * $HOME/.config. A relative path in a variable does not count. Returns false when neither is set or
 * the path is too long. */
static bool config_path(const char *name, char path[APP_PATH_MAX])
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    char folder[APP_PATH_MAX];
    if (config != NULL && config[0] == '/')
        return join(path, config, "/", name);
    return home != NULL && home[0] == '/' && join(folder, home, "/.config/", "") &&
           join(path, folder, name, "");
}

static bool read_user_dirs(const char *home, char folder[APP_PATH_MAX])
{
    char path[APP_PATH_MAX], *text = NULL, value[APP_PATH_MAX];
    size_t length = 0;
    struct krn_error error;
    bool found = false;
    if (!config_path("user-dirs.dirs", path) ||
        app_read_regular(path, NULL, USER_DIRS_BYTES_MAX, &text, &length, &error) != KRN_OK)
        return false;
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (parse_user_dirs(line, home, value)) { /* as in a shell, the last assignment wins */
            memcpy(folder, value, sizeof value);
            found = true;
        }
    }
    free(text);
    return found;
}

void app_pictures_folder(char folder[APP_PATH_MAX])
{
    const char *home = getenv("HOME");
    if (home != NULL && home[0] == '/') {
        if (read_user_dirs(home, folder) && ensure_folder(folder))
            return;
        if (join(folder, home, "/Pictures", "") && ensure_folder(folder))
            return;
    }
    snprintf(folder, APP_PATH_MAX, ".");
}

void app_describe_place(const char *path, char *text, size_t size)
{
    const char *slash = strrchr(path, '/'), *home = getenv("HOME");
    char folder[APP_PATH_MAX];
    const size_t own = home != NULL && home[0] == '/' && home[1] != 0 ? strlen(home) : 0;
    const int length = slash ? (int)(slash - path) : 0;
    const bool inside = own > 0 && (size_t)length >= own && strncmp(path, home, own) == 0 &&
                        (path[own] == '/' || path[own] == 0);
    if (!slash)
        snprintf(folder, sizeof folder, ".");
    else if (length == 0)
        snprintf(folder, sizeof folder, "/");
    else
        snprintf(folder, sizeof folder, "%s%.*s", inside ? "~" : "",
                 length - (inside ? (int)own : 0), path + (inside ? own : 0));
    snprintf(text, size, "in %s: %s", app_shorten(folder).text,
             app_shorten(slash ? slash + 1 : path).text);
}

bool app_beside_find(const char *const folders[], size_t count, const char *name,
                     char path[APP_PATH_MAX])
{
    char program[APP_PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0 || length >= APP_PATH_MAX - 1)
        return false;
    program[length] = 0;
    const char *slash = strrchr(program, '/');
    for (size_t i = 0; slash != NULL && i < count; i++) {
        const int written = snprintf(path, APP_PATH_MAX, "%.*s%s%s", (int)(slash - program) + 1,
                                     program, folders[i], name);
        if (written > 0 && written < APP_PATH_MAX && access(path, F_OK) == 0)
            return true;
    }
    return false;
}

bool app_assets_find(const char *name, char path[APP_PATH_MAX])
{
    /* The last one is for a folder of several builds. */
    static const char *const folders[] = {"../share/spherescope/", "assets/", "../assets/",
                                          "../../assets/"};
    return app_beside_find(folders, sizeof folders / sizeof *folders, name, path);
}

enum { FILE_BYTES_MAX = 4096 };

/* The options that are settings. */
static const char *const settable[APP_SETTINGS_COUNT] = {"window", "theme", "hud-scale"};

bool app_run_keeps_settings(const struct app_run *run)
{
    return !run->offscreen && !app_run_measures(run) && !app_run_records(run) &&
           run->compare.first == NULL && run->screenshot[0] == 0 && run->replay[0] == 0 &&
           run->talk[0] == 0 && run->frames == 0 && run->seconds == 0.0;
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
        if (strcmp(settable[i], name) != 0)
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
    if (!config_path("spherescope/settings", path) ||
        (stat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)))
        return KRN_OK;
    code = app_read_regular(path, NULL, FILE_BYTES_MAX, &text, &length, &why);
    const char *begin = text;
    KRN_THEN(code, app_text_begin(&begin, &length, path, &why));
    char *next = code == KRN_OK ? text + (begin - text) : NULL;
    if (code != KRN_OK)
        code = KRN_FAIL(error, KRN_FAILED, "The settings are not used: %s", why.text);
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
        const struct app_command_entry *entry = app_command_by_name(settable[i]);
        bool *given = (bool *)((char *)run + entry->given);
        struct app_argument argument = {.step = APP_STEP_SET};
        struct app_reply reply;
        if (*given || settings->values[i][0] == 0 ||
            !app_value_parse(&entry->value, settings->values[i], &argument.given))
            continue;
        *given = entry->place == APP_PLACE_RUN
                     ? app_command_put(entry, &argument.given, run)
                     : app_change(state, &facts, entry, &argument, &reply) == APP_DONE;
    }
}

bool app_settings_note(struct app_settings *settings, struct app_settings_view start,
                       struct app_settings_view end)
{
    bool differs = false;
    for (size_t i = 0; i < APP_SETTINGS_COUNT; i++) {
        const struct app_command_entry *entry = app_command_by_name(settable[i]);
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
    if (!config_path("spherescope/settings", path))
        return KRN_OK;
    size_t used = strlen(text);
    for (size_t i = 0; i < APP_SETTINGS_COUNT; i++)
        if (settings->values[i][0] != 0)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s = %s\n", settable[i],
                                     settings->values[i]);
    make_folders(path);
    if (app_write_file(path, text, used, &why) == KRN_OK)
        return KRN_OK;
    return KRN_FAIL(error, KRN_FAILED, "The settings were not saved: %s", why.text);
}
