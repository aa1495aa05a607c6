/* app/paths.h - where files go, and how they are written whole or not at all. */
#ifndef APP_PATHS_H
#define APP_PATHS_H

#include "state.h"

#include "krn/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* The folder for screenshots: XDG_PICTURES_DIR of the user's user-dirs.dirs; else $HOME/Pictures;
 * one that is missing is made. When neither can be had (no HOME, read-only): ".". */
void app_pictures_folder(char folder[APP_PATH_MAX]);

/* The name of a screenshot: FOLDER/spherescope-YYYYMMDD-HHMMSS-STORAGE.png in local time; choice 1
 * is that, choice n ends in "-n.png". It is not looked whether the file exists: the writer refuses
 * to replace one, and the caller then takes the next choice.
 * Errors: KRN_REFUSED (the path is too long). */
enum krn_code app_screenshot_name(char path[APP_PATH_MAX], const char *folder, time_t when,
                                  enum krn_storage storage, int choice, struct krn_error *error);

/* The same for another kind of file: suffix ".json". */
enum krn_code app_output_name(char path[APP_PATH_MAX], const char *folder, time_t when,
                              enum krn_storage storage, int choice, const char *suffix,
                              struct krn_error *error);

/* Writes a new file, whole or not at all, and never over an existing one.
 * Errors: KRN_REFUSED (there is one already), KRN_FAILED with the system's reason. */
enum krn_code app_write_new_file(const char *path, const void *bytes, size_t count,
                                 struct krn_error *error);

/* Writes bytes to path, replacing what is there: beside it, to the disk, then renamed, so that
 * nobody meets half a file and a failure leaves the old one. "-" is stdout. What is no regular file
 * (a pipe, a device) is written to directly.
 * Errors: KRN_FAILED with the system's reason. */
enum krn_code app_write_file(const char *path, const void *bytes, size_t count,
                             struct krn_error *error);

/* Reads a whole regular file (or pipe) and adds a zero byte behind it; to be freed by the caller.
 * Errors: KRN_REFUSED (a directory, or more than most bytes), KRN_FAILED (not readable),
 * KRN_NO_MEMORY. */
enum krn_code app_read_file(const char *path, size_t most, char **bytes, size_t *count,
                            struct krn_error *error);

/* A path short enough for a sentence, control characters replaced: its end when it is long. */
struct app_short_path {
    char text[100];
};
struct app_short_path app_shorten(const char *path);

#endif
