/* app/window/window_manager.c - a window manager that has ended without a word, whose mark stays on
 * the display. GLFW 3.3 aborts there: it looks at the manager's window, which is gone, and then
 * keeps its handler of errors for good (detectEWMH in its x11_init.c). Without the mark it finds no
 * window manager, which is true. */
#define _POSIX_C_SOURCE 200809L
#include "window/window.h"

#include "base/complain.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW_TYPE = 33, REPLACE = 0 }; /* XA_WINDOW and PropModeReplace, of X.h and Xatom.h */

/* Functions of Xlib, whose headers nothing else needs. */
static struct {
    int (*XInitThreads)(void);
    void *(*XOpenDisplay)(const char *name);
    unsigned long (*XDefaultRootWindow)(void *display);
    unsigned long (*XInternAtom)(void *display, const char *name, int existing);
    int (*XGetWindowProperty)(void *display, unsigned long window, unsigned long property,
                              long offset, long length, int removes, unsigned long wanted,
                              unsigned long *type, int *format, unsigned long *count,
                              unsigned long *left, unsigned char **value);
    int (*XChangeProperty)(void *display, unsigned long window, unsigned long property,
                           unsigned long type, int format, int mode, const unsigned char *value,
                           int count);
    int (*XDeleteProperty)(void *display, unsigned long window, unsigned long property);
    int (*XSync)(void *display, int discards);
    int (*XFree)(void *memory);
    int (*(*XSetErrorHandler)(int (*handler)(void *, void *)))(void *display, void *event);
    int (*XCloseDisplay)(void *display);
} xlib;

static bool load_xlib(void)
{
    static const struct {
        const char *name;
        void *function;
    } functions[] = {
        {"XInitThreads", &xlib.XInitThreads},
        {"XOpenDisplay", &xlib.XOpenDisplay},
        {"XDefaultRootWindow", &xlib.XDefaultRootWindow},
        {"XInternAtom", &xlib.XInternAtom},
        {"XGetWindowProperty", &xlib.XGetWindowProperty},
        {"XChangeProperty", &xlib.XChangeProperty},
        {"XDeleteProperty", &xlib.XDeleteProperty},
        {"XSync", &xlib.XSync},
        {"XFree", &xlib.XFree},
        {"XSetErrorHandler", &xlib.XSetErrorHandler},
        {"XCloseDisplay", &xlib.XCloseDisplay},
    };
    void *library = dlopen("libX11.so.6", RTLD_LAZY);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *symbol = library ? dlsym(library, functions[i].name) : NULL;
        if (!symbol)
            return false;
        memcpy(functions[i].function, &symbol, sizeof symbol);
    }
    return true;
}

/* Takes the place of Xlib's handler, which ends the program. */
static int ignore(void *display, void *event)
{
    (void)display;
    (void)event;
    return 0;
}

/* Returns the window that a mark names; 0: there is no mark. */
static unsigned long read_mark(void *display, unsigned long window, unsigned long mark)
{
    unsigned long type, count = 0, left, found = 0;
    int format;
    unsigned char *value = NULL;
    if (xlib.XGetWindowProperty(display, window, mark, 0, 1, 0, WINDOW_TYPE, &type, &format, &count,
                                &left, &value) == 0 &&
        count == 1)
        memcpy(&found, value, sizeof found);
    if (value)
        xlib.XFree(value);
    return found;
}

void app_stale_mark_hide(struct app_stale_mark *hidden)
{
    memset(hidden, 0, sizeof *hidden);
    if (!getenv("DISPLAY") || !load_xlib())
        return;
    xlib.XInitThreads(); /* as GLFW does, before anything else */
    void *display = xlib.XOpenDisplay(NULL);
    if (!display)
        return;
    int (*const before)(void *, void *) = xlib.XSetErrorHandler(ignore);
    const unsigned long root = xlib.XDefaultRootWindow(display);
    const unsigned long mark = xlib.XInternAtom(display, "_NET_SUPPORTING_WM_CHECK", 1);
    const unsigned long manager = mark ? read_mark(display, root, mark) : 0;
    if (manager && !read_mark(display, manager, mark)) {
        xlib.XDeleteProperty(display, root, mark);
        *hidden = (struct app_stale_mark){display, root, mark, manager};
    }
    xlib.XSync(display, 0);
    xlib.XSetErrorHandler(before);
    if (!hidden->display)
        xlib.XCloseDisplay(display);
}

void app_stale_mark_show(const struct app_stale_mark *hidden)
{
    if (!hidden->display)
        return;
    if (!read_mark(hidden->display, hidden->root, hidden->mark)) /* no new one has come */
        xlib.XChangeProperty(hidden->display, hidden->root, hidden->mark, WINDOW_TYPE, 32, REPLACE,
                             (const unsigned char *)&hidden->manager, 1);
    xlib.XSync(hidden->display, 0);
    xlib.XCloseDisplay(hidden->display);
    app_complain("The display's window manager has ended: start it again if windows stay without "
                 "frames.");
}
