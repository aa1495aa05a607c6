/* app/command/folders.h - the program's assets, and the user's folders of pictures and of settings.
 */
#ifndef APP_FOLDERS_H
#define APP_FOLDERS_H

#include "base/limits.h"
#include "command/run.h"
#include "spec/state.h"

#include "krn/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Finds the folder for screenshots: XDG_PICTURES_DIR from the user's user-dirs.dirs, else
 * $HOME/Pictures. Creates the folder if it is missing. Falls back to "." when neither is writable
 * or HOME is not set. */
void app_pictures_folder(char folder[APP_PATH_MAX]);

/* Writes where a file is, the user's own folder as "~": "in ~/Pictures: a.png". */
void app_describe_place(const char *path, char *text, size_t size);

/* Finds a file or folder by its name below assets/: "runs", "talks/ray-tracer.json". Looks from the
 * place of the program, so an installation can be moved: in the prefix that the program is
 * installed in, beside it, and in the sources that its build folder lies in. Returns false, and
 * leaves path undefined, when there is none. */
bool app_assets_find(const char *name, char path[APP_PATH_MAX]);

enum { APP_SETTINGS_COUNT = 3, APP_SETTING_MAX = 32 };

/* The window as its user left it: the file spherescope/settings in the folder of settings. A
 * setting is an option of the command table, which wins over it. The file has a line "name = value"
 * per setting; lines that begin with '#' are comments. The values as options spell them; "": not
 * set. Zeroed, none is set. */
struct app_settings {
    char values[APP_SETTINGS_COUNT][APP_SETTING_MAX];
};

/* Returns true when a run uses and keeps settings: its window ends when the user closes it, and
 * shows nothing that another machine must show in the same way, such as a talk or a screenshot. */
bool app_run_keeps_settings(const struct app_run *run);

/* Reads the user's settings; without a file, none is set. Errors: KRN_FAILED (not readable),
 * KRN_REFUSED (a line is not a setting); the message names the file. *settings has the lines that
 * are right. */
enum krn_code app_settings_read(struct app_settings *settings, struct krn_error *error);

/* Puts the settings into *state and *run, except those that the command line gives. */
void app_settings_apply(const struct app_settings *settings, struct app_state *state,
                        struct app_run *run);

/* A window's state, and its run with the window's size. */
struct app_settings_view {
    const struct app_state *state;
    const struct app_run *run;
};

/* Sets what differs between the window's start and its end. Returns true when something does. */
bool app_settings_note(struct app_settings *settings, struct app_settings_view start,
                       struct app_settings_view end);

/* Replaces the file, and makes its folder. Does nothing when there is neither XDG_CONFIG_HOME nor
 * HOME. Errors: KRN_FAILED with the system's reason. */
enum krn_code app_settings_write(const struct app_settings *settings, struct krn_error *error);

#endif
