/* app/front.c - opens the shared object with all that draws. */
#include "window/front.h"

#include "base/files.h"
#include "command/options.h"

#include <dlfcn.h>

#define OBJECT "spherescope-window.so"

enum krn_code app_front_open(const struct app_front **front, struct krn_error *error)
{
    static const char *const folders[] = {"", "../lib/spherescope/"};
    char path[APP_PATH_MAX];
    *front = NULL;
    if (!app_beside_find(folders, sizeof folders / sizeof *folders, OBJECT, path))
        return KRN_FAIL(error, KRN_UNAVAILABLE,
                        "There is no window and no picture: " OBJECT " is not beside the program. "
                        "A build with SPHERESCOPE_GUI=OFF has none.");
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    *front = object ? dlsym(object, "app_front_table") : NULL;
    if (*front)
        return KRN_OK;
    const char *why = dlerror();
    return KRN_FAIL(error, KRN_UNAVAILABLE,
                    "There is no window and no picture, which need OpenGL, EGL and X11: %s. Debian "
                    "and Ubuntu have them as libgl1, libopengl0, libegl1 and libx11-6, Fedora as "
                    "libglvnd-glx, libglvnd-opengl, libglvnd-egl and libX11.",
                    why ? app_shorten(why).text : OBJECT);
}
