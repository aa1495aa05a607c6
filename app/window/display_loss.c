#include "window/window.h"

#include "base/complain.h"
#include "command/options.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* Xlib's functions and their handlers; Display is an opaque type here, so that the build does not
 * need Xlib's headers. */
typedef int on_error(void *display);
typedef void on_exit_of(void *display, void *user);
typedef on_error *set_error(on_error *handler);
typedef void set_exit(void *display, on_exit_of *handler, void *user);

static bool lost, survives;

bool app_display_lost(void)
{
    return lost;
}

/* Takes the place of Xlib's handler, which prints a line of its own. */
static int note_loss(void *display)
{
    (void)display;
    lost = true;
    if (!survives) /* Xlib ends the process when this function returns */
        app_complain("The display is gone: its X server has ended or closed the connection. No "
                     "results are written: libX11 is older than 1.7.");
    return 0;
}

/* Takes the place of the handler that ends the process. */
static void stay(void *display, void *user)
{
    (void)display;
    (void)user;
}

/* Ends the process at once: returning would end it too, but with the functions that libraries have
 * registered for a normal end, while one of them creates the window. */
static int end(void *display)
{
    (void)display;
    app_complain("The display is gone: its X server has ended or closed the connection before the "
                 "window was there. Start again when there is a display, or use --offscreen.");
    _exit(APP_EXIT_FAILED);
}

void app_display_guard(void)
{
    set_error *set_handler = NULL;
    /* The handle stays open, and with it the library, which GLFW may not have loaded yet. */
    void *library = dlopen("libX11.so.6", RTLD_LAZY | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, "XSetIOErrorHandler") : NULL;
    memcpy(&set_handler, &symbol, sizeof symbol);
    if (set_handler)
        set_handler(end);
}

void app_display_watch(void *display)
{
    set_error *set_handler = NULL;
    set_exit *set_exit_handler = NULL;
    /* The library is loaded already, by GLFW, and stays loaded when this handle is closed. */
    void *library = display ? dlopen("libX11.so.6", RTLD_LAZY | RTLD_LOCAL) : NULL;
    if (!library)
        return;
    /* POSIX has a function's address in a void *; C has no cast between the two. */
    void *symbol = dlsym(library, "XSetIOErrorHandler");
    memcpy(&set_handler, &symbol, sizeof symbol);
    symbol = dlsym(library, "XSetIOErrorExitHandler");
    memcpy(&set_exit_handler, &symbol, sizeof symbol);
    if (set_handler)
        set_handler(note_loss);
    survives = set_handler && set_exit_handler;
    if (survives)
        set_exit_handler(display, stay, NULL);
    dlclose(library);
}
