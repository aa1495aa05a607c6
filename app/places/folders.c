/* app/places/folders.c - the user's folders: of pictures, and of settings. */
#include "places/folders.h"

#include "base/files.h"

#include <stdio.h>
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

bool app_config_path(const char *name, char path[APP_PATH_MAX])
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
    if (!app_config_path("user-dirs.dirs", path) ||
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
