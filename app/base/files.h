/* app/base/files.h - whole-file reads, and atomic writes. */
#pragma once

#include "base/value.h"

#include "krn/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* Replaces the content of path atomically: writes a temporary file in the same folder, flushes it
 * to disk, and renames it. Readers never see a partial file, and a failure leaves the old file in
 * place. A file that cannot be replaced, because something is mounted on it or its folder belongs
 * to others, is overwritten. "-" is stdout. Descriptors, pipes and devices are written to directly.
 * Errors: KRN_FAILED with the system's reason. */
enum krn_code app_write_file(const char *path, const void *bytes, size_t count,
                             struct krn_error *error);

/* Does the same for a new file, whose name it takes first, with an empty file; never overwrites an
 * existing file. Errors: also KRN_REFUSED (the file exists). */
enum krn_code app_write_new_file(const char *path, const void *bytes, size_t count,
                                 struct krn_error *error);

/* Does what app_write_file does with what cannot be made again: when the path fails, the temporary
 * file is kept, in the folder of temporary files if the path's own has no room. Its name is part of
 * the error. */
enum krn_code app_save_output(const char *path, const void *bytes, size_t count,
                              struct krn_error *error);

/* An output that another program writes. */
struct app_output {
    char path[APP_PATH_MAX];      /* behind symbolic links, which stay */
    char part[APP_PATH_MAX + 32]; /* the temporary file; "": there is none */
    int guard;                    /* of the part (base/process.h) */
    int descriptor;               /* -1: none of this process */
    bool direct;                  /* not a regular file, so that there is no part */
    bool present;
    struct stat old; /* when present */
};

/* Creates an empty part for a path. Errors: KRN_FAILED with the system's reason. */
enum krn_code app_output_begin(struct app_output *output, const char *path,
                               struct krn_error *error);

/* Puts the complete part, of at least a byte, into its place, as app_save_output does. */
enum krn_code app_output_end(struct app_output *output, struct krn_error *error);

/* Removes the part if there is one. */
void app_output_drop(struct app_output *output);

/* Returns the descriptor of this process that a path is a name of: 1 for "-", /dev/stdout,
 * /proc/self/fd/1, and links to them; -1: none. */
int app_descriptor_of(const char *path);

/* Returns true when both paths lead to one file, however they are spelled: through links, "./" or
 * another folder. The file may be missing. "-" is stdout, which may be a file. A character device
 * is not one file, and neither are different names of a pipe. */
bool app_same_file(const char *a, const char *b);

/* Occupies the descriptors of stdin, stdout and stderr that the caller has closed. A file that is
 * opened later would otherwise take their numbers, and receive what is printed. Printing to them
 * fails. */
void app_occupy_streams(void);

/* Checks that app_write_file can write to path: opens the file or, where there is none, creates a
 * temporary file in its folder and removes it. Changes nothing, and does not open pipes and
 * devices. Errors: KRN_FAILED with the system's reason. */
enum krn_code app_check_output(const char *path, struct krn_error *error);

/* Reads a whole regular file or pipe and appends a zero byte, which *count does not include. The
 * caller frees *bytes. A file that gzip has packed is unpacked, whatever its name; max_bytes, less
 * than 4 GiB, holds for both sizes.
 * Errors: KRN_REFUSED (a folder, longer than max_bytes, or its packed bytes are cut or damaged),
 * KRN_FAILED (not readable, interrupted), KRN_NO_MEMORY. */
enum krn_code app_read_file(const char *path, size_t max_bytes, char **bytes, size_t *count,
                            struct krn_error *error);

/* Reads a regular file as app_read_file does, and never waits for a pipe's writer. folder: NULL, or
 * the real path of a folder in which the file must lie or below, also behind symbolic links.
 * Errors: also KRN_REFUSED (another kind of file, or outside the folder). */
enum krn_code app_read_regular(const char *path, const char *folder, size_t max_bytes, char **bytes,
                               size_t *count, struct krn_error *error);

/* Moves *text past a byte order mark, which *length then does not include either. Errors:
 * KRN_REFUSED, where the text, which messages call `source`, is UTF-16 or UTF-32 or has zero bytes.
 */
enum krn_code app_text_begin(const char **text, size_t *length, const char *source,
                             struct krn_error *error);

/* Returns true when a real path is below that of a folder. */
bool app_path_below(const char *path, const char *folder);

/* Returns true when a regular file begins with these bytes; false also when it cannot be read. */
bool app_file_begins(const char *path, const void *bytes, size_t count);

/* A path shortened for use in a message: a long path keeps its end, and '?' replaces what may
 * not be printed (complain.h). */
struct app_short_path {
    char text[100];
};
struct app_short_path app_shorten(const char *path);

/* Continues FNV-1a (G. Fowler, L. C. Noll, P. Vo), 64 bits, from `hash`; APP_HASH_BEGIN begins one.
 */
#define APP_HASH_BEGIN 0xcbf29ce484222325u
uint64_t app_hash_on(uint64_t hash, const void *bytes, size_t count);
