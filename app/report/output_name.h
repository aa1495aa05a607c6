/* app/report/output_name.h - names of the files that keys write into the pictures folder. */
#ifndef APP_OUTPUT_NAME_H
#define APP_OUTPUT_NAME_H

#include "base/limits.h"

#include "krn/device.h"
#include "krn/error.h"

#include <time.h>

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

#endif
