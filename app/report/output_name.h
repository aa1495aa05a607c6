/* app/report/output_name.h - names of the files that keys write into the pictures folder. */
#ifndef APP_OUTPUT_NAME_H
#define APP_OUTPUT_NAME_H

#include "base/limits.h"

#include "krn/device.h"
#include "krn/error.h"

#include <time.h>

/* Writes the name of a screenshot: FOLDER/spherescope-YYYYMMDD-HHMMSS-STORAGE.png in local time for
 * choice 1, "-n.png" at the end for choice n. Does not check whether the file exists: the writer
 * refuses to replace one, and the caller then takes the next choice. Errors: KRN_REFUSED (the path
 * is too long). */
enum krn_code app_screenshot_name(char path[APP_PATH_MAX], const char *folder, time_t when,
                                  enum krn_storage storage, int choice, struct krn_error *error);

/* Writes the name of another kind of file: suffix ".json". */
enum krn_code app_output_name(char path[APP_PATH_MAX], const char *folder, time_t when,
                              enum krn_storage storage, int choice, const char *suffix,
                              struct krn_error *error);

#endif
