/* app/places/assets.c - finds the files that the program comes with. */
#include "places/assets.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool app_assets_find(const char *name, char path[APP_PATH_MAX])
{
    /* The last one is for a folder of several builds. */
    static const char *const folders[] = {"../share/spherescope", "assets", "../assets",
                                          "../../assets"};
    char program[APP_PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0 || length >= APP_PATH_MAX - 1)
        return false;
    program[length] = 0;
    const char *slash = strrchr(program, '/');
    for (size_t i = 0; slash != NULL && i < sizeof folders / sizeof *folders; i++) {
        const int written = snprintf(path, APP_PATH_MAX, "%.*s%s/%s", (int)(slash - program) + 1,
                                     program, folders[i], name);
        if (written > 0 && written < APP_PATH_MAX && access(path, F_OK) == 0)
            return true;
    }
    return false;
}
