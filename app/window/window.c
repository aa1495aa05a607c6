/* app/window/window.c - GLFW: keys by what they print, the mouse, windows on monitors. */
#include "window/window.h"

#include "krn/memory.h"
#include "window/display.h"

/* GLEW loads OpenGL, in render/. */
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS = 64, MONITORS_MAX = 32 };

/* The farthest movement of a click, in screen units. */
static const double click_units = 5.0;

/* Xlib's XkbLookupKeySym and XkbGetState, which tell what keys print. The build does not need its
 * headers: a KeyCode is an unsigned char, a KeySym an unsigned long, and an XkbStateRec, 18 bytes
 * long, begins with the group of the keyboard. */
typedef int look_up_key(void *display, unsigned char code, unsigned modifiers, unsigned *rest,
                        unsigned long *symbol);
typedef int get_state(void *display, unsigned device, unsigned char state[64]);
enum {
    X_SHIFT = 1 << 0,
    X_NUM_LOCK = 1 << 4,
    X_ALTGR = 1 << 7, /* Mod5, which the maps of all layouts give to it */
    X_GROUP_SHIFT = 13,
    X_CORE_KEYBOARD = 0x100,
    X_LEVEL3_SHIFT = 0xfe03 /* the symbol of AltGr */
};

struct app_window {
    GLFWwindow *handle;
    bool fullscreen, vsync;
    bool hides;                             /* the mouse pointer */
    double refresh_hz;                      /* of the monitor; 0: not known */
    struct app_area area;                   /* the window's, to leave full screen with */
    struct app_area filled;                 /* the monitor's, when full screen began */
    struct app_area sought;                 /* the monitor's that it was sent to */
    int asked;                              /* times since then; 0: that is over */
    unsigned changed;                       /* monitors_changed then */
    double look_s;                          /* when to look where it is, GLFW's time */
    unsigned gone;                          /* monitors_gone, when the window was last settled */
    bool adrift;                            /* a monitor has gone, and there is none left */
    struct app_window_event events[EVENTS]; /* a ring */
    int first, waiting;
    double across, down; /* the mouse pointer's place at the last movement, in screen units */
    double pressed_across, pressed_down; /* where a button was pressed */
    bool drags;                          /* the pointer has left that place since */
    struct {
        void *display;
        look_up_key *look_up; /* NULL: GLFW tells what keys print */
        get_state *get_state;
        unsigned group; /* of the keyboard: the layout in use, shifted as in an event's state */
        bool altgr;     /* is held */
    } xlib;
    struct app_board board;
    bool types; /* the newest event is a key's that awaits what it prints, from GLFW */
    char text[64];
    bool second; /* another window is open before it and after it */
};

static bool make_current(void *owner)
{
    if (glfwGetCurrentContext() != owner)
        glfwMakeContextCurrent(owner);
    return true;
}

struct krn_gl_context app_window_context(struct app_window *window)
{
    return (struct krn_gl_context){glfwGetProcAddress, make_current, window->handle};
}

/* Keys that print nothing; those of the keypad print digits with NumLock. */
static const struct {
    int glfw, key;
} named_keys[] = {
    {GLFW_KEY_UP, APP_KEY_UP},           {GLFW_KEY_DOWN, APP_KEY_DOWN},
    {GLFW_KEY_LEFT, APP_KEY_LEFT},       {GLFW_KEY_RIGHT, APP_KEY_RIGHT},
    {GLFW_KEY_HOME, APP_KEY_HOME},       {GLFW_KEY_END, APP_KEY_END},
    {GLFW_KEY_PAGE_UP, APP_KEY_PAGE_UP}, {GLFW_KEY_PAGE_DOWN, APP_KEY_PAGE_DOWN},
    {GLFW_KEY_ENTER, APP_KEY_ENTER},     {GLFW_KEY_KP_ENTER, APP_KEY_ENTER},
    {GLFW_KEY_TAB, APP_KEY_TAB},         {GLFW_KEY_ESCAPE, APP_KEY_ESCAPE},
    {GLFW_KEY_SPACE, APP_KEY_SPACE},     {GLFW_KEY_BACKSPACE, APP_KEY_BACKSPACE},
    {GLFW_KEY_KP_7, APP_KEY_HOME},       {GLFW_KEY_KP_8, APP_KEY_UP},
    {GLFW_KEY_KP_9, APP_KEY_PAGE_UP},    {GLFW_KEY_KP_4, APP_KEY_LEFT},
    {GLFW_KEY_KP_6, APP_KEY_RIGHT},      {GLFW_KEY_KP_1, APP_KEY_END},
    {GLFW_KEY_KP_2, APP_KEY_DOWN},       {GLFW_KEY_KP_3, APP_KEY_PAGE_DOWN},
};

/* Returns the key at this place on a US board. */
static int place_of(int glfw_key)
{
    for (size_t i = 0; i < sizeof named_keys / sizeof *named_keys; i++)
        if (named_keys[i].glfw == glfw_key)
            return named_keys[i].key;
    if (glfw_key >= GLFW_KEY_F1 && glfw_key <= GLFW_KEY_F12)
        return APP_KEY_F1 + (glfw_key - GLFW_KEY_F1);
    return glfw_key >= 0 && glfw_key < 128 ? glfw_key : APP_KEY_NONE;
}

/* Returns the symbol of a key in the layout in use, with modifiers of X. */
static unsigned long symbol_of(const struct app_window *window, int scancode, unsigned modifiers)
{
    unsigned long symbol = 0;
    unsigned rest;
    if (scancode < 0 || scancode > 255 ||
        !window->xlib.look_up(window->xlib.display, (unsigned char)scancode,
                              modifiers | window->xlib.group, &rest, &symbol))
        return 0;
    return symbol;
}

/* Returns the character of a symbol of X: of ASCII or Latin-1, of the keypad, or of Unicode. Older
 * symbols of other alphabets have none here, as no command has such a key. */
static int character_of(unsigned long symbol)
{
    if ((symbol >= 0x20 && symbol < 0x7f) || (symbol >= 0xa0 && symbol < 0x100))
        return (int)symbol;
    if ((symbol >= 0xffaa && symbol <= 0xffb9) || symbol == 0xffbd)
        return (int)(symbol - 0xff80);
    return symbol >= 0x01000100 && symbol <= 0x0110ffff ? (int)(symbol - 0x01000000) : 0;
}

/* Returns the character that GLFW knows of a key alone. What the keypad's digits print depends on
 * NumLock. */
static int name_of(int glfw_key, int scancode)
{
    const bool digit = glfw_key >= GLFW_KEY_KP_0 && glfw_key <= GLFW_KEY_KP_DECIMAL;
    const char *name = digit ? NULL : glfwGetKeyName(glfw_key, scancode);
    return name && name[0] > 0 && name[1] == '\0' ? name[0] : 0;
}

void app_window_board(struct app_window *window, struct app_board *board)
{
    enum { CAPS = sizeof board->caps / sizeof *board->caps };
    static const unsigned modifiers[] = {0, X_SHIFT, X_ALTGR, X_SHIFT | X_ALTGR};
    unsigned char state[64] = {0};
    memset(board, 0, sizeof *board);
    board->whole = window->xlib.look_up != NULL;
    if (window->xlib.get_state)
        (void)window->xlib.get_state(window->xlib.display, X_CORE_KEYBOARD, state);
    window->xlib.group = (state[0] & 3u) << X_GROUP_SHIFT;
    for (int key = GLFW_KEY_SPACE + 1; key <= GLFW_KEY_WORLD_2 && board->count < CAPS; key++) {
        const int scancode = glfwGetKeyScancode(key);
        struct app_cap *cap = &board->caps[board->count];
        if (scancode <= 0)
            continue;
        cap->place = place_of(key);
        for (int level = 0; board->whole && level < 4; level++)
            cap->prints[level] = character_of(symbol_of(window, scancode, modifiers[level]));
        if (!board->whole)
            cap->prints[0] = name_of(key, scancode);
        board->count++;
    }
}

/* Reads the board, and names the keys accordingly. */
static void read_board(struct app_window *window)
{
    app_window_board(window, &window->board);
    app_keys_use(&window->board);
}

/* Finds Xlib's functions, where the window is one of X. */
static void find_board(struct app_window *window)
{
    /* The handle stays open; GLFW has loaded the library, too. */
    window->xlib.display = app_window_display();
    void *library = window->xlib.display ? dlopen("libX11.so.6", RTLD_LAZY | RTLD_LOCAL) : NULL;
    void *look_up = library ? dlsym(library, "XkbLookupKeySym") : NULL;
    void *state = library ? dlsym(library, "XkbGetState") : NULL;
    memcpy(&window->xlib.look_up, &look_up, sizeof look_up);
    memcpy(&window->xlib.get_state, &state, sizeof state);
    read_board(window);
}

/* Adds an event; NULL: the ring is full. */
static struct app_window_event *add_event(struct app_window *window)
{
    if (window->waiting == EVENTS)
        return NULL;
    struct app_window_event *event = &window->events[(window->first + window->waiting++) % EVENTS];
    memset(event, 0, sizeof *event);
    return event;
}

/* Returns the newest event; there must be one. */
static struct app_window_event *newest_event(struct app_window *window)
{
    return &window->events[(window->first + window->waiting + EVENTS - 1) % EVENTS];
}

static void on_key(GLFWwindow *handle, int key, int scancode, int action, int modifiers)
{
    struct app_window *window = glfwGetWindowUserPointer(handle);
    const unsigned locks = modifiers & GLFW_MOD_NUM_LOCK ? X_NUM_LOCK : 0;
    const unsigned shift = modifiers & GLFW_MOD_SHIFT ? X_SHIFT : 0;
    window->types = false;
    if (action == GLFW_PRESS)
        read_board(window);
    if (window->xlib.look_up && symbol_of(window, scancode, 0) == X_LEVEL3_SHIFT)
        window->xlib.altgr = action != GLFW_RELEASE;
    if (action == GLFW_RELEASE || modifiers & (GLFW_MOD_ALT | GLFW_MOD_SUPER))
        return;
    struct app_window_event *event = add_event(window);
    if (!event)
        return;
    const unsigned held = locks | shift | (window->xlib.altgr ? X_ALTGR : 0);
    struct app_key_press *press = &event->key;
    event->is_key = true;
    press->place = place_of(key);
    press->lacks = app_board_lacks(&window->board, press->place);
    press->ctrl = modifiers & GLFW_MOD_CONTROL;
    press->repeated = action == GLFW_REPEAT;
    window->types = !window->xlib.look_up;
    press->alone = press->typed =
        window->types ? name_of(key, scancode) : character_of(symbol_of(window, scancode, locks));
    if (!window->types)
        press->typed = character_of(symbol_of(window, scancode, held));
}

/* Completes the newest event where GLFW tells what its key prints. It does not with Ctrl. */
static void on_character(GLFWwindow *handle, unsigned character)
{
    struct app_window *window = glfwGetWindowUserPointer(handle);
    if (window->types && window->waiting > 0)
        newest_event(window)->key.typed = (int)character;
    window->types = false;
}

/* Returns the movement of the newest event if it is of the mouse, else that of a new one; NULL: the
 * ring is full. */
static struct app_drag *mouse_event(struct app_window *window)
{
    struct app_window_event *event = newest_event(window);
    window->types = false;
    if (window->waiting == 0 || event->is_key)
        event = add_event(window);
    return event ? &event->mouse : NULL;
}

/* Returns how far the pointer is from where a button was pressed. */
static double moved(const struct app_window *window, double across, double down)
{
    const double x = across - window->pressed_across, y = down - window->pressed_down;
    return sqrt(x * x + y * y);
}

static void on_move(GLFWwindow *handle, double across, double down)
{
    struct app_window *window = glfwGetWindowUserPointer(handle);
    const bool held = glfwGetMouseButton(handle, GLFW_MOUSE_BUTTON_LEFT) == GLFW_PRESS;
    int width, height = 0;
    window->drags = window->drags || moved(window, across, down) > click_units;
    if (held && !window->drags) /* the drag begins with all of the movement */
        return;
    if (held && handle == window->handle)
        glfwGetWindowSize(handle, &width, &height);
    struct app_drag *mouse = height > 0 ? mouse_event(window) : NULL;
    if (mouse) {
        mouse->across += (across - window->across) / height;
        mouse->down += (down - window->down) / height;
    }
    window->across = across;
    window->down = down;
}

static void on_wheel(GLFWwindow *handle, double across, double notches)
{
    struct app_drag *mouse = mouse_event(glfwGetWindowUserPointer(handle));
    (void)across;
    if (mouse)
        mouse->wheel += notches;
}

static void on_button(GLFWwindow *handle, int button, int action, int modifiers)
{
    struct app_window *window = glfwGetWindowUserPointer(handle);
    const int clicks = button == GLFW_MOUSE_BUTTON_LEFT    ? 1
                       : button == GLFW_MOUSE_BUTTON_RIGHT ? -1
                                                           : 0;
    if (clicks == 0)
        return;
    if (action == GLFW_PRESS) {
        window->pressed_across = window->across;
        window->pressed_down = window->down;
        window->drags = modifiers & (GLFW_MOD_ALT | GLFW_MOD_SUPER); /* a window manager's */
        return;
    }
    struct app_drag *mouse = window->drags ? NULL : mouse_event(window);
    if (mouse)
        mouse->clicks += clicks;
}

/* Lets a window tell `window` its keys and its mouse. */
static void listen(GLFWwindow *handle, struct app_window *window)
{
    glfwSetWindowUserPointer(handle, window);
    glfwSetInputMode(handle, GLFW_LOCK_KEY_MODS, GLFW_TRUE);
    glfwSetKeyCallback(handle, on_key);
    glfwSetCharCallback(handle, on_character);
    glfwSetCursorPosCallback(handle, on_move);
    glfwSetMouseButtonCallback(handle, on_button);
    glfwSetScrollCallback(handle, on_wheel);
}

/* The numbers of monitors that have gone, and that have gone or come. */
static unsigned monitors_gone, monitors_changed;

static void on_monitor(GLFWmonitor *monitor, int event)
{
    (void)monitor;
    monitors_gone += event == GLFW_DISCONNECTED;
    monitors_changed++;
}

/* Lists the monitors, in the order of glfwGetMonitors, and returns how many there are. */
static int list_monitors(struct app_monitor list[MONITORS_MAX])
{
    int count = 0;
    GLFWmonitor **monitors = glfwGetMonitors(&count);
    count = count < MONITORS_MAX ? count : MONITORS_MAX;
    for (int i = 0; i < count; i++) {
        const GLFWvidmode *mode = glfwGetVideoMode(monitors[i]);
        struct app_monitor *monitor = &list[i];
        memset(monitor, 0, sizeof *monitor);
        snprintf(monitor->name, sizeof monitor->name, "%s", glfwGetMonitorName(monitors[i]));
        glfwGetMonitorPos(monitors[i], &monitor->area.x, &monitor->area.y);
        if (mode) {
            monitor->area.width = mode->width;
            monitor->area.height = mode->height;
            monitor->refresh_hz = mode->refreshRate;
        }
    }
    return count;
}

static struct app_area area_of(const struct app_window *window)
{
    struct app_area area;
    glfwGetWindowPos(window->handle, &area.x, &area.y);
    glfwGetWindowSize(window->handle, &area.width, &area.height);
    return area;
}

/* Returns the index of the monitor that GLFW has filled with the window; -1: none. */
static int filled_by(const struct app_window *window, int count)
{
    int all;
    GLFWmonitor **monitors = glfwGetMonitors(&all);
    const GLFWmonitor *filled = glfwGetWindowMonitor(window->handle);
    for (int i = 0; filled && i < count; i++)
        if (monitors[i] == filled)
            return i;
    return -1;
}

/* Returns the index of the window's monitor; -1: there are no monitors. */
static int monitor_of(const struct app_window *window, const struct app_monitor *list, int count)
{
    const struct app_area area = area_of(window);
    const int filled = filled_by(window, count);
    /* A window manager may fill another one when an output has gone for a moment. */
    for (int i = 0; i < count; i++)
        if (memcmp(&list[i].area, &area, sizeof area) == 0)
            return i;
    return filled >= 0 ? filled : app_monitors_at(list, count, area);
}

/* Fails with GLFW's reason for the last failure. */
static enum krn_code glfw_failed(struct krn_error *error, const char *what)
{
    const char *reason = NULL;
    glfwGetError(&reason);
    return KRN_FAIL(error, KRN_UNAVAILABLE, "%s: %s.", what, reason ? reason : "no reason given");
}

static const char *platform_name(void)
{
    return strstr(glfwGetVersionString(), "Wayland") && !strstr(glfwGetVersionString(), "X11")
               ? "Wayland"
               : "X11";
}

static void set_hints(const struct app_run *run)
{
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, run->window_given ? GLFW_FALSE : GLFW_TRUE);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "spherescope");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "spherescope");
}

/* Makes a window that is not shown yet, with OpenGL 4.3, which computes, or else 3.3. Its context
 * tells when the driver has reset it, where there is such a one. Returns NULL on failure. `placed`:
 * its size is fixed until it is shown. A window manager that tiles windows lets such a window
 * choose its place. */
static GLFWwindow *create(int width, int height, const char *title, bool placed)
{
    GLFWwindow *made = NULL;
    static const int robustness[] = {GLFW_LOSE_CONTEXT_ON_RESET, GLFW_NO_ROBUSTNESS};
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_RESIZABLE, placed ? GLFW_FALSE : GLFW_TRUE);
    for (size_t i = 0; !made && i < 4; i++) {
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, i < 2 ? 4 : 3);
        glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, robustness[i % 2]);
        made = glfwCreateWindow(width, height, title, NULL, NULL);
    }
    return made;
}

/* Asks for the monitor's refresh rate, which takes round trips to the X server. */
static void read_refresh(struct app_window *window)
{
    struct app_monitor list[MONITORS_MAX];
    const int at = monitor_of(window, list, list_monitors(list));
    window->refresh_hz = at >= 0 ? list[at].refresh_hz : 0.0;
}

/* Gives the window this place on the desktop, outside full screen. */
static void place(struct app_window *window, struct app_area area)
{
    glfwSetWindowMonitor(window->handle, NULL, area.x, area.y, area.width, area.height,
                         GLFW_DONT_CARE);
}

/* GLFW's functions for X11, whose header needs that of Xlib, which is not needed for anything else;
 * a GLFW for Wayland alone lacks them. */
__attribute__((weak)) void *glfwGetX11Display(void);
__attribute__((weak)) unsigned long glfwGetX11Window(GLFWwindow *handle);

void *app_window_display(void)
{
    return glfwGetX11Display ? glfwGetX11Display() : NULL;
}

static unsigned long x_window_of(const struct app_window *window)
{
    return glfwGetX11Window ? glfwGetX11Window(window->handle) : 0;
}

/* Notes that the window was sent to a monitor. Window managers take their time. */
static void expect(struct app_window *window, const struct app_monitor *monitor)
{
    if (!app_window_display()) /* other systems do not tell where a window is */
        return;
    window->sought = monitor->area;
    window->changed = monitors_changed;
    window->look_s = glfwGetTime() + 0.5 * (1 << window->asked);
    window->asked++;
}

/* Fills a monitor with the window, once it is seen: GLFW would wait without end for one that is
 * not. window->area is where it returns to. */
static void fill(struct app_window *window, const struct app_monitor *list, int index)
{
    int count;
    const struct app_monitor *monitor = &list[index];
    window->filled = monitor->area;
    expect(window, monitor);
    if (!glfwGetWindowAttrib(window->handle, GLFW_VISIBLE))
        return;
    glfwSetWindowMonitor(window->handle, glfwGetMonitors(&count)[index], 0, 0, monitor->area.width,
                         monitor->area.height, (int)monitor->refresh_hz);
    app_display_fill(app_window_display(), x_window_of(window), monitor->area);
}

/* Sends the window to an area of a monitor, and in full screen lets it fill that monitor. */
static void send_to(struct app_window *window, const struct app_monitor *list, int index,
                    struct app_area area)
{
    place(window, area);
    if (!window->fullscreen) {
        expect(window, &list[index]);
        return;
    }
    window->area = area;
    fill(window, list, index);
}

/* Shows the window, on a monitor; index -1: where the window manager puts it. glfwShowWindow would
 * wait without end where a window manager keeps it behind another one. */
static void show(struct app_window *window, const struct app_monitor *list, int index)
{
    struct app_area area = area_of(window);
    const double end_s = glfwGetTime() + 1.0;
    if (index >= 0) {
        area = app_monitor_fit(&list[index], area);
        glfwSetWindowPos(window->handle, area.x, area.y);
    }
    if (!app_display_map(app_window_display(), x_window_of(window)))
        glfwShowWindow(window->handle);
    while (!glfwGetWindowAttrib(window->handle, GLFW_VISIBLE) && glfwGetTime() < end_s)
        glfwWaitEventsTimeout(0.02);
    glfwSetWindowAttrib(window->handle, GLFW_RESIZABLE, GLFW_TRUE);
    if (index >= 0)
        send_to(window, list, index, area);
}

/* Makes the context current and the window ready for keys. */
static void prepare(struct app_window *window, const struct app_state *state)
{
    listen(window->handle, window);
    find_board(window);
    glfwMakeContextCurrent(window->handle);
    glfwSwapInterval(state->look.vsync ? 1 : 0);
    window->vsync = state->look.vsync;
    snprintf(window->text, sizeof window->text, "GLFW window, %s", platform_name());
    read_refresh(window);
    app_window_follow(window, state);
}

/* Starts GLFW. */
static enum krn_code begin(struct krn_error *error)
{
    struct app_stale_mark hidden;
    const char *x11 = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    app_stale_mark_hide(&hidden);
    const bool begun = glfwInit();
    app_stale_mark_show(&hidden);
    if (begun)
        return KRN_OK;
    if ((!x11 || !x11[0]) && krn_on_wsl())
        return KRN_FAIL(
            error, KRN_UNAVAILABLE,
            "No window can be opened: WSL has not set DISPLAY; run \"wsl --update\" and "
            "\"wsl --shutdown\" in Windows, or start with --offscreen.");
    if ((!x11 || !x11[0]) && wayland && wayland[0])
        return KRN_FAIL(
            error, KRN_UNAVAILABLE,
            "No window can be opened: DISPLAY is not set, so this Wayland session has no "
            "XWayland; install xwayland, or start with --offscreen.");
    return glfw_failed(error, "No window can be opened");
}

enum krn_code app_window_open(struct app_window **window, const struct app_run *run,
                              const struct app_state *state, struct krn_error *error)
{
    const enum krn_code begun = begin(error);
    if (begun != KRN_OK)
        return begun;
    struct app_window *made = krn_alloc(1, sizeof *made);
    enum krn_code code = KRN_OK;
    struct app_monitor list[MONITORS_MAX];
    const int count = list_monitors(list);
    int start = run->monitor;
    if (start >= count) {
        code =
            KRN_FAIL(error, KRN_UNAVAILABLE,
                     "There is no monitor %d: this display has %d, counted from 0.", start, count);
        goto fail_terminate;
    }
    if (start < 0 && run->presenter && count > 1)
        start = app_monitors_stage(list, count, -1).show;
    set_hints(run);
    made->area = (struct app_area){.width = run->window_width, .height = run->window_height};
    if (start >= 0)
        made->area = app_monitor_fit(&list[start], made->area);
    made->handle = create(made->area.width, made->area.height, "Spherescope", start >= 0);
    if (!made->handle) {
        code = glfw_failed(error, "No window with OpenGL 3.3 can be opened");
        goto fail_terminate;
    }
    glfwSetMonitorCallback(on_monitor);
    made->fullscreen = start >= 0 && state->look.fullscreen;
    show(made, list, start);
    glfwFocusWindow(made->handle);
    prepare(made, state);
    if (start >= 0)
        made->refresh_hz = list[start].refresh_hz;
    *window = made;
    return KRN_OK;

fail_terminate:
    free(made);
    glfwTerminate();
    return code;
}

enum krn_code app_window_open_second(struct app_window **second, struct app_window *first,
                                     const struct app_run *run, const char *title,
                                     struct krn_error *error)
{
    struct app_monitor list[MONITORS_MAX];
    const int count = list_monitors(list);
    struct app_window *made = krn_alloc(1, sizeof *made);
    int at = -1;
    *second = NULL;
    glfwWindowHint(GLFW_FOCUSED, GLFW_FALSE);
    glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);
    made->second = true;
    if (count > 1) {
        const int wanted = run->monitor < count ? run->monitor : -1;
        const struct app_stage stage = app_monitors_stage(list, count, wanted);
        at = stage.notes != stage.show ? stage.notes : -1;
    }
    made->handle = create(960, 540, title, at >= 0);
    if (!made->handle) {
        free(made);
        return glfw_failed(error, "No second window can be opened");
    }
    show(made, list, at);
    if (at >= 0)
        glfwMaximizeWindow(made->handle);
    listen(made->handle, first);
    /* Only the first window waits for its display. */
    glfwMakeContextCurrent(made->handle);
    glfwSwapInterval(0);
    glfwMakeContextCurrent(first->handle);
    *second = made;
    return KRN_OK;
}

void app_window_use(struct app_window *window)
{
    glfwMakeContextCurrent(window->handle);
}

void app_window_close(struct app_window *window)
{
    if (!window)
        return;
    glfwDestroyWindow(window->handle);
    if (!window->second)
        glfwTerminate();
    free(window);
}

const char *app_window_describe(const struct app_window *window)
{
    return window->text;
}

void app_window_poll(struct app_window *window)
{
    int width, height;
    glfwGetFramebufferSize(window->handle, &width, &height);
    if (width > 0 && height > 0)
        glfwPollEvents();
    else
        glfwWaitEventsTimeout(0.1);
}

void app_window_wait(struct app_window *window)
{
    (void)window;
    glfwWaitEventsTimeout(0.1);
}

void app_window_limit(struct app_window *window, int most)
{
    glfwSetWindowSizeLimits(window->handle, GLFW_DONT_CARE, GLFW_DONT_CARE, most, most);
}

bool app_window_take(struct app_window *window, struct app_window_event *event)
{
    if (window->waiting == 0)
        return false;
    *event = window->events[window->first];
    window->first = (window->first + 1) % EVENTS;
    window->waiting--;
    return true;
}

bool app_window_pointer(const struct app_window *window, float *x, float *y)
{
    double across, down;
    int width, height, wide, high;
    if (!glfwGetWindowAttrib(window->handle, GLFW_HOVERED))
        return false;
    /* GLFW tells the place in screen units, which may be larger than pixels. */
    glfwGetCursorPos(window->handle, &across, &down);
    glfwGetWindowSize(window->handle, &width, &height);
    glfwGetFramebufferSize(window->handle, &wide, &high);
    if (width <= 0 || height <= 0)
        return false;
    *x = (float)(across * wide / width);
    *y = (float)(down * high / height);
    return true;
}

bool app_window_closed(const struct app_window *window)
{
    return glfwWindowShouldClose(window->handle);
}

/* Moves the window to another monitor, as it is: in full screen, maximised, or in its size. */
static void move_to(struct app_window *window, const struct app_monitor *list, int index)
{
    const bool maximised =
        !window->fullscreen && glfwGetWindowAttrib(window->handle, GLFW_MAXIMIZED);
    const struct app_area area =
        app_monitor_fit(&list[index], window->fullscreen ? window->area : area_of(window));
    if (maximised) /* or it would stay where it is */
        glfwRestoreWindow(window->handle);
    send_to(window, list, index, area);
    if (maximised)
        glfwMaximizeWindow(window->handle);
}

bool app_window_arrive(struct app_window *window)
{
    enum { ASKED_MOST = 3 };
    struct app_monitor list[MONITORS_MAX];
    if (window->asked == 0 || glfwGetTime() < window->look_s ||
        !glfwGetWindowAttrib(window->handle, GLFW_VISIBLE))
        return true;
    if (window->changed != monitors_changed) { /* app_window_settle has decided since */
        window->asked = 0;
        return true;
    }
    const int count = list_monitors(list), at = app_monitors_at(list, count, area_of(window));
    const bool whole = !window->fullscreen || glfwGetWindowMonitor(window->handle);
    int sought = 0;
    while (sought < count && memcmp(&list[sought].area, &window->sought, sizeof list->area) != 0)
        sought++;
    const bool there = at == sought || sought == count; /* or the monitor has gone */
    if (sought < count && !(there && whole) && window->asked < ASKED_MOST) {
        move_to(window, list, sought);
        return true;
    }
    window->asked = 0;
    return there;
}

void app_window_refill(struct app_window *window)
{
    struct app_monitor list[MONITORS_MAX];
    const int at = window->fullscreen ? filled_by(window, list_monitors(list)) : -1;
    if (at >= 0 && list[at].area.width > 0 &&
        memcmp(&list[at].area, &window->filled, sizeof window->filled) != 0)
        move_to(window, list, at);
}

bool app_window_exchange(struct app_window *first, struct app_window *second)
{
    struct app_monitor list[MONITORS_MAX];
    const int count = list_monitors(list);
    if (count == 0)
        return false;
    const int here = monitor_of(first, list, count);
    int there = second ? monitor_of(second, list, count) : here;
    if (app_monitors_overlap(&list[here], &list[there]))
        there = app_monitors_next(list, count, here);
    if (there == here)
        return false;
    first->asked = 0;
    move_to(first, list, there);
    if (second) {
        second->asked = 0;
        move_to(second, list, here);
    }
    first->refresh_hz = list[there].refresh_hz;
    glfwSwapInterval(first->vsync ? 1 : 0);
    return true;
}

enum app_sharing app_window_sharing(const struct app_window *first, const struct app_window *second)
{
    struct app_monitor list[MONITORS_MAX];
    const int count = list_monitors(list);
    if (count == 0)
        return APP_SHARING_NONE;
    const int one = monitor_of(first, list, count), two = monitor_of(second, list, count);
    return !app_monitors_overlap(&list[one], &list[two]) ? APP_SHARING_NONE
           : count == 1                                  ? APP_SHARING_ALL
           : app_monitors_next(list, count, one) == one  ? APP_SHARING_MIRRORED
                                                         : APP_SHARING_ONE;
}

bool app_window_settle(struct app_window *window)
{
    struct app_monitor list[MONITORS_MAX];
    if (window->gone == monitors_gone && !window->adrift)
        return false;
    const bool left = window->fullscreen && !glfwGetWindowMonitor(window->handle);
    const bool stays = window->fullscreen && !left;
    const int count = list_monitors(list);
    window->gone = monitors_gone;
    window->adrift = count == 0;
    if (count == 0 && !left)
        return false;
    struct app_area area = window->fullscreen ? window->area : area_of(window);
    const bool seen = count == 0 || app_monitors_show(list, count, area);
    if (!seen)
        area = app_monitor_fit(&list[app_monitors_at(list, count, area)], area);
    if (stays)
        window->area = area;
    else if (left || (!seen && !glfwGetWindowAttrib(window->handle, GLFW_MAXIMIZED)))
        place(window, area);
    if (left) {
        window->fullscreen = false;
        glfwSwapInterval(window->vsync ? 1 : 0);
    }
    if (!window->second)
        read_refresh(window);
    return left;
}

void app_window_follow(struct app_window *window, const struct app_state *state)
{
    struct app_monitor list[MONITORS_MAX];
    int count;
    /* Without a monitor, full screen waits for one. */
    if (window->fullscreen != state->look.fullscreen && (count = list_monitors(list)) > 0) {
        window->asked = 0; /* or the window would be sent back from where it is moved since */
        if (state->look.fullscreen) {
            window->area = area_of(window);
            fill(window, list, monitor_of(window, list, count));
        } else {
            place(window, window->area);
        }
        window->fullscreen = state->look.fullscreen;
        read_refresh(window);
        /* Some drivers reset the swap interval when the mode changes. */
        glfwSwapInterval(state->look.vsync ? 1 : 0);
    }
    const bool hides = state->look.fullscreen && !app_state_shows_heat(state);
    if (window->hides != hides) {
        glfwSetInputMode(window->handle, GLFW_CURSOR,
                         hides ? GLFW_CURSOR_HIDDEN : GLFW_CURSOR_NORMAL);
        window->hides = hides;
    }
    if (window->vsync != state->look.vsync) {
        glfwSwapInterval(state->look.vsync ? 1 : 0);
        window->vsync = state->look.vsync;
    }
}

void app_window_size(const struct app_window *window, int *width, int *height, float *scale)
{
    float other;
    glfwGetFramebufferSize(window->handle, width, height);
    glfwGetWindowContentScale(window->handle, scale, &other);
}

bool app_window_extent(const struct app_window *window, int *width, int *height)
{
    if (glfwGetWindowAttrib(window->handle, GLFW_ICONIFIED) ||
        glfwGetWindowAttrib(window->handle, GLFW_MAXIMIZED))
        return false;
    *width = window->area.width;
    *height = window->area.height;
    if (!window->fullscreen)
        glfwGetWindowSize(window->handle, width, height);
    return *width > 0 && *height > 0;
}

double app_window_refresh(const struct app_window *window)
{
    return window->refresh_hz;
}

void app_window_swap(struct app_window *window)
{
    glfwSwapBuffers(window->handle);
}
