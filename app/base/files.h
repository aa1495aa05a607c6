/* app/base/files.h - where files go, and how they are written whole or not at all. */
#ifndef APP_FILES_H
#define APP_FILES_H

#include "base/limits.h"

#include "krn/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The folder for screenshots: XDG_PICTURES_DIR of the user's user-dirs.dirs; else $HOME/Pictures;
 * one that is missing is made. When neither can be had (no HOME, read-only): ".". */
void app_pictures_folder(char folder[APP_PATH_MAX]);

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
