/* app/command/options.h - what the user gives the program: options, settings and folders. */
#pragma once

#include "base/value.h"
#include "command/entry.h"
#include "spec/state.h"

#include "krn/error.h"

#include <stdbool.h>
#include <stddef.h>

/* --- the command line --- */

/* Sets *state and *run to the defaults and applies the options in argv, which the command table
 * defines. "--flag value" and "--flag=value" are equivalent. Paths in *run point into argv.
 * Errors: KRN_REFUSED with a one-line message that names the option and its valid values; the
 * program then exits with APP_EXIT_USAGE. With --replay, *state is the default: what options change
 * in it depends on the record, and app_options_restore follows. */
enum krn_code app_options_parse(int argc, char *const argv[], struct app_state *state,
                                struct app_run *run, struct krn_error *error);

/* Sets *state to the state of a record and applies the same options to it. Errors: as
 * app_options_parse. */
enum krn_code app_options_restore(int argc, char *const argv[], const struct app_state *recorded,
                                  struct app_state *state, struct krn_error *error);

/* Returns a sentence that names an option in *run and the options of which it needs one; NULL: no
 * option is missing. */
const char *app_run_lacks(const struct app_run *run);

enum { APP_OUTPUTS_MAX = 8 };

/* Lists the files that the options of *run write, and returns how many there are. Folders are not
 * among them. */
size_t app_run_outputs(const struct app_run *run, const char *paths[APP_OUTPUTS_MAX]);

/* The program's exit codes. */
enum app_exit {
    APP_EXIT_DONE = 0,
    APP_EXIT_FAILED = 1,
    APP_EXIT_USAGE = 2,
    APP_EXIT_WRONG = 3,      /* a result failed verification */
    APP_EXIT_UNAVAILABLE = 4 /* this machine or build lacks what was requested */
};

/* --- assets, the folder of pictures, and settings --- */

/* Finds the folder for screenshots: XDG_PICTURES_DIR from the user's user-dirs.dirs, else
 * $HOME/Pictures. Creates the folder if it is missing. Falls back to "." when neither is writable
 * or HOME is not set. */
void app_pictures_folder(char folder[APP_PATH_MAX]);

/* Writes where a file is, the user's own folder as "~": "in ~/Pictures: a.png". */
void app_describe_place(const char *path, char *text, size_t size);

/* Finds a file by its name in one of the folders, which are seen from that of the program and end
 * with a slash. Returns false, and leaves path undefined, when it is in none. */
bool app_beside_find(const char *const folders[], size_t count, const char *name,
                     char path[APP_PATH_MAX]);

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
