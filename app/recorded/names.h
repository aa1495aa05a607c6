/* app/recorded/names.h - finds the files of a recorded run. */
#ifndef APP_RECORDED_NAMES_H
#define APP_RECORDED_NAMES_H

#include "base/limits.h"

#include "krn/error.h"

#include <stdbool.h>

/* The device whose records stand in for a GPU that is missing. */
#define APP_RECORDED_DEFAULT "h200"

enum { APP_RECORDED_FILES_MAX = 16 };

struct app_recorded_names {
    char paths[APP_RECORDED_FILES_MAX][APP_PATH_MAX];
    int count;
};

/* Finds the folder of the shipped records: beside an installed program, else in the source tree.
 * Returns false when there is none. */
bool app_recorded_folder(char folder[APP_PATH_MAX]);

/* Lists the files that `names` stands for (app_recorded_open); folder: of the shipped records, ""
 * for none. Errors: as app_recorded_open. */
enum krn_code app_recorded_list(const char *names, const char *folder,
                                struct app_recorded_names *list, struct krn_error *error);

#endif
