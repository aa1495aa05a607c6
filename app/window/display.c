/* app/window/display.c - monitors, the loss of an X11 display and its errors, and a stale mark. */
#define _POSIX_C_SOURCE 200809L
#include "window/display.h"

#include "base/complain.h"
#include "command/options.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- monitors, chosen by their areas --- */

/* Returns the size of what two areas share, in square units. */
static long long shared(struct app_area a, struct app_area b)
{
    const int left = a.x > b.x ? a.x : b.x, top = a.y > b.y ? a.y : b.y;
    const int right = a.x + a.width < b.x + b.width ? a.x + a.width : b.x + b.width;
    const int bottom = a.y + a.height < b.y + b.height ? a.y + a.height : b.y + b.height;
    return right > left && bottom > top ? (long long)(right - left) * (bottom - top) : 0;
}

bool app_monitors_overlap(const struct app_monitor *a, const struct app_monitor *b)
{
    return shared(a->area, b->area) > 0;
}

int app_monitors_next(const struct app_monitor *monitors, int count, int index)
{
    for (int i = 1; i < count; i++) {
        const struct app_monitor *next = &monitors[(index + i) % count];
        if (next->area.width > 0 && !app_monitors_overlap(next, &monitors[index]))
            return (index + i) % count;
    }
    return index;
}

struct app_stage app_monitors_stage(const struct app_monitor *monitors, int count, int show)
{
    static const char *const built_in[] = {"eDP", "LVDS", "DSI"};
    int laptop = 0;
    for (int i = count - 1; i >= 0; i--)
        for (size_t k = 0; k < sizeof built_in / sizeof *built_in; k++)
            if (strncmp(monitors[i].name, built_in[k], strlen(built_in[k])) == 0)
                laptop = i;
    if (show < 0)
        show = app_monitors_next(monitors, count, laptop);
    const bool taken = app_monitors_overlap(&monitors[laptop], &monitors[show]);
    return (struct app_stage){show, taken ? app_monitors_next(monitors, count, show) : laptop};
}

int app_monitors_at(const struct app_monitor *monitors, int count, struct app_area area)
{
    int most = count > 0 ? 0 : -1;
    for (int i = 1; i < count; i++)
        if (shared(monitors[i].area, area) > shared(monitors[most].area, area))
            most = i;
    return most;
}

bool app_monitors_show(const struct app_monitor *monitors, int count, struct app_area area)
{
    long long shown = 0;
    for (int i = 0; i < count; i++) {
        bool again = false; /* a mirrored one */
        for (int k = 0; k < i; k++)
            again = again || app_monitors_overlap(&monitors[i], &monitors[k]);
        shown += again ? 0 : shared(monitors[i].area, area);
    }
    return shown >= (long long)area.width * area.height;
}

struct app_area app_monitor_fit(const struct app_monitor *monitor, struct app_area area)
{
    const struct app_area all = monitor->area;
    /* Leaves room for a frame and a panel. */
    const int width = area.width > all.width ? all.width * 9 / 10 : area.width;
    const int height = area.height > all.height ? all.height * 9 / 10 : area.height;
    return (struct app_area){all.x + (all.width - width) / 2, all.y + (all.height - height) / 2,
                             width, height};
}

/* --- the loss and the errors of a display --- */

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

/* --- the mark of a window manager that has ended without a word ---
 *
 * GLFW 3.3 aborts there: it looks at the manager's window, which is gone, and then keeps its
 * handler of errors for good (detectEWMH in its x11_init.c). Without the mark it finds no window
 * manager, which is true. */

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
