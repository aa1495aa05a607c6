#include "window/talk/awake.h"

#include "base/memory.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* XScreenSaverSuspend of libXss; the display counts its calls. */
typedef void suspend_function(void *display, int suspend);

struct app_awake {
    void *display;
    suspend_function *suspend;
};

struct app_awake *app_awake_begin(void *display)
{
    const char *other = getenv("SPHERESCOPE_XSS");
    if (!display)
        return NULL;
    struct app_awake *awake = app_alloc(1, sizeof *awake);
    awake->display = display;
    void *library = dlopen(other && other[0] ? other : "libXss.so.1", RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, "XScreenSaverSuspend") : NULL;
    if (!symbol) {
        if (library)
            dlclose(library);
        free(awake);
        return NULL;
    }
    /* POSIX has a function's address in a void *; C has no cast between the two. */
    memcpy(&awake->suspend, &symbol, sizeof symbol);
    awake->suspend(display, 1);
    return awake;
}

void app_awake_end(struct app_awake *awake)
{
    if (!awake)
        return;
    /* The library stays loaded: Xlib calls it once more when the display is closed. */
    awake->suspend(awake->display, 0);
    free(awake);
}
