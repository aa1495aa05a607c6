/* app/window/display.c - catches errors of Xlib and the loss of the display. */
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

/* Xlib's XErrorEvent. */
struct refusal {
    int type;
    void *display;
    unsigned long resource, serial;
    unsigned char error, request, minor;
};
typedef int on_refusal(void *display, struct refusal *refusal);
typedef on_refusal *set_refusal(on_refusal *handler);

/* Xlib's XClientMessageEvent, and Xinerama's XineramaScreenInfo. */
struct message {
    int type;
    unsigned long serial;
    int sent;
    void *display;
    unsigned long window, name;
    int format;
    long data[5];
    long rest[12]; /* of an XEvent */
};
struct screen {
    int number;
    short x, y, width, height;
};

static bool lost, survives;
static int randr; /* the number of the extension's requests */
static on_refusal *usual;

/* Reads a function's address from a library; false where there is none. */
static bool find(void *library, const char *name, void *function)
{
    /* POSIX has a function's address in a void *; C has no cast between the two. */
    void *symbol = library ? dlsym(library, name) : NULL;
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

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
    if (find(library, "XSetIOErrorHandler", &set_handler))
        set_handler(end);
}

/* Takes the place of the handler that ends the process: a monitor may go between GLFW's question
 * for its modes and the request that uses the answer. */
static int forgive(void *display, struct refusal *refusal)
{
    return refusal->request == randr || !usual ? 0 : usual(display, refusal);
}

void app_display_watch(void *display)
{
    set_error *set_handler = NULL;
    set_exit *set_exit_handler = NULL;
    set_refusal *set_refusal_handler = NULL;
    int (*query)(void *display, const char *name, int *request, int *event, int *error) = NULL;
    int event, error;
    /* The library is loaded already, by GLFW, and stays loaded when this handle is closed. */
    void *library = display ? dlopen("libX11.so.6", RTLD_LAZY | RTLD_LOCAL) : NULL;
    if (!library)
        return;
    if (find(library, "XSetIOErrorHandler", &set_handler))
        set_handler(note_loss);
    survives = find(library, "XSetIOErrorExitHandler", &set_exit_handler) && set_handler;
    if (survives)
        set_exit_handler(display, stay, NULL);
    if (find(library, "XSetErrorHandler", &set_refusal_handler) &&
        find(library, "XQueryExtension", &query) && query(display, "RANDR", &randr, &event, &error))
        usual = set_refusal_handler(forgive);
    dlclose(library);
}

/* Returns the number that the X server's list of monitors has now for the one at this place; -1:
 * not known. */
static int number_of(void *display, void *library, struct app_area area)
{
    struct screen *(*query)(void *display, int *count) = NULL;
    int (*release)(void *data) = NULL;
    int count = 0, number = -1;
    void *xinerama = dlopen("libXinerama.so.1", RTLD_LAZY | RTLD_LOCAL);
    struct screen *screens = NULL;
    if (find(library, "XFree", &release) && find(xinerama, "XineramaQueryScreens", &query))
        screens = query(display, &count);
    for (int i = 0; screens && i < count && number < 0; i++)
        if (screens[i].x == area.x && screens[i].y == area.y && screens[i].width == area.width &&
            screens[i].height == area.height)
            number = i;
    if (screens)
        release(screens);
    if (xinerama)
        dlclose(xinerama);
    return number;
}

void app_display_fill(void *display, unsigned long window, struct app_area area)
{
    unsigned long (*root)(void *display) = NULL;
    unsigned long (*intern)(void *display, const char *name, int existing) = NULL;
    int (*send)(void *display, unsigned long window, int propagate, long mask,
                struct message *message) = NULL;
    void *library = display ? dlopen("libX11.so.6", RTLD_LAZY | RTLD_LOCAL) : NULL;
    const int number = library ? number_of(display, library, area) : -1;
    if (number >= 0 && find(library, "XDefaultRootWindow", &root) &&
        find(library, "XInternAtom", &intern) && find(library, "XSendEvent", &send)) {
        enum { CLIENT_MESSAGE = 33, FROM_APPLICATION = 1 };
        const long to_manager = 1L << 19 | 1L << 20; /* who manages the root window's children */
        struct message message = {.type = CLIENT_MESSAGE,
                                  .window = window,
                                  .name = intern(display, "_NET_WM_FULLSCREEN_MONITORS", 0),
                                  .format = 32,
                                  .data = {number, number, number, number, FROM_APPLICATION}};
        send(display, root(display), 0, to_manager, &message);
    }
    if (library)
        dlclose(library);
}

bool app_display_map(void *display, unsigned long window)
{
    int (*map)(void *display, unsigned long window) = NULL;
    void *library = display ? dlopen("libX11.so.6", RTLD_LAZY | RTLD_LOCAL) : NULL;
    if (find(library, "XMapWindow", &map))
        map(display, window);
    if (library)
        dlclose(library);
    return map != NULL;
}
