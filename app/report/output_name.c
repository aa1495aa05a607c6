#include "report/output_name.h"

#include "base/files.h"

#include <stdio.h>

enum krn_code app_screenshot_name(char path[APP_PATH_MAX], const char *folder, time_t when,
                                  enum krn_storage storage, int choice, struct krn_error *error)
{
    return app_output_name(path, folder, when, storage, choice, ".png", error);
}

enum krn_code app_output_name(char path[APP_PATH_MAX], const char *folder, time_t when,
                              enum krn_storage storage, int choice, const char *suffix,
                              struct krn_error *error)
{
    struct tm local;
    char stamp[32], number[16] = "";
    if (localtime_r(&when, &local) == NULL ||
        strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &local) == 0)
        snprintf(stamp, sizeof stamp, "00000000-000000");
    if (choice > 1)
        snprintf(number, sizeof number, "-%d", choice);
    const int n = snprintf(path, APP_PATH_MAX, "%s/spherescope-%s-%s%s%s", folder, stamp,
                           krn_storage_name(storage), number, suffix);
    if (n < 0 || n >= APP_PATH_MAX)
        return KRN_FAIL(error, KRN_REFUSED, "The path of the pictures folder is too long: %s",
                        app_shorten(folder).text);
    return KRN_OK;
}
