/* app/base/files.h - the pictures folder, whole-file reads, and atomic writes. */
#ifndef APP_FILES_H
#define APP_FILES_H

#include "base/limits.h"

#include "krn/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Finds the folder for screenshots: XDG_PICTURES_DIR from the user's user-dirs.dirs, else
 * $HOME/Pictures. Creates the folder if it is missing. Falls back to "." when neither is writable
 * or HOME is not set. */
void app_pictures_folder(char folder[APP_PATH_MAX]);

/* Writes the path of a file in the user's folder of settings: $XDG_CONFIG_HOME, else
 * $HOME/.config. A relative path in a variable does not count. Returns false when neither is set or
 * the path is too long. */
bool app_config_path(const char *name, char path[APP_PATH_MAX]);

/* Writes where a file is, the user's own folder as "~": "in ~/Pictures: a.png". */
void app_describe_place(const char *path, char *text, size_t size);

/* Writes a new file atomically; never overwrites an existing file.
 * Errors: KRN_REFUSED (the file exists), KRN_FAILED with the system's reason. */
enum krn_code app_write_new_file(const char *path, const void *bytes, size_t count,
                                 struct krn_error *error);

/* Replaces the content of path atomically: writes a temporary file in the same folder, flushes it
 * to disk, and renames it. Readers never see a partial file, and a failure leaves the old file in
 * place. "-" is stdout. Pipes and devices are written to directly.
 * Errors: KRN_FAILED with the system's reason. */
enum krn_code app_write_file(const char *path, const void *bytes, size_t count,
                             struct krn_error *error);

/* Returns true when both paths lead to one file, however they are spelled: through links, "./" or
 * another folder. The file may be missing. "-" is stdout, which may be a file. Different names of a
 * device or a pipe are not one file. */
bool app_same_file(const char *a, const char *b);

/* Occupies the descriptors of stdin, stdout and stderr that the caller has closed. A file that is
 * opened later would otherwise take their numbers, and receive what is printed. Printing to them
 * fails. */
void app_occupy_streams(void);

/* Checks that app_write_file can write to path: creates a temporary file in the same folder and
 * removes it. Changes nothing, and does not open pipes and devices.
 * Errors: KRN_FAILED with the system's reason. */
enum krn_code app_check_output(const char *path, struct krn_error *error);

/* Reads a whole regular file or pipe and appends a zero byte, which *count does not include. The
 * caller frees *bytes.
 * Errors: KRN_REFUSED (a folder, or longer than max_bytes), KRN_FAILED (not readable, interrupted),
 * KRN_NO_MEMORY. */
enum krn_code app_read_file(const char *path, size_t max_bytes, char **bytes, size_t *count,
                            struct krn_error *error);

/* Returns true when a regular file begins with these bytes; false also when it cannot be read. */
bool app_file_begins(const char *path, const void *bytes, size_t count);

/* A path shortened for use in a message: a long path keeps its end, and '?' replaces what may
 * not be printed (complain.h). */
struct app_short_path {
    char text[100];
};
struct app_short_path app_shorten(const char *path);

#endif
