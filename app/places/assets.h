/* app/places/assets.h - finds the files that the program comes with: recorded runs, talks, scenes.
 */
#ifndef APP_ASSETS_H
#define APP_ASSETS_H

#include "base/limits.h"

#include <stdbool.h>

/* Finds a file or folder by its name below assets/: "runs", "talks/ray-tracer.json". Looks from the
 * place of the program, so an installation can be moved: in the prefix that the program is
 * installed in, beside it, and in the sources that its build folder lies in. Returns false, and
 * leaves path undefined, when there is none. */
bool app_assets_find(const char *name, char path[APP_PATH_MAX]);

#endif
