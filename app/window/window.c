#include "window/window.h"

#include "base/memory.h"

/* GLEW loads OpenGL, in render/. */
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS = 64 };

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
    GLFWmonitor *monitor; /* the one for full screen */
    bool fullscreen, vsync;
    bool hides;                             /* the mouse pointer */
    double refresh_hz;                      /* of the monitor; 0: not known */
    int x, y, width, height;                /* the window's, to leave full screen with */
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
    return hypot(across - window->pressed_across, down - window->pressed_down);
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

static GLFWmonitor *pick_monitor(int wanted, struct krn_error *error)
{
    int count = 0;
    GLFWmonitor **monitors = glfwGetMonitors(&count);
    if (wanted < 0)
        return glfwGetPrimaryMonitor();
    if (wanted < count)
        return monitors[wanted];
    KRN_FAIL(error, KRN_UNAVAILABLE, "There is no monitor %d: this display has %d, counted from 0.",
             wanted, count);
    return NULL;
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
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
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

/* Makes a window whose context tells when the driver has reset it or, where there is none, one
 * whose context does not. Returns NULL on failure. */
static GLFWwindow *create(int width, int height, const char *title)
{
    GLFWwindow *made = NULL;
    static const int robustness[] = {GLFW_LOSE_CONTEXT_ON_RESET, GLFW_NO_ROBUSTNESS};
    for (size_t i = 0; !made && i < sizeof robustness / sizeof *robustness; i++) {
        glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, robustness[i]);
        made = glfwCreateWindow(width, height, title, NULL, NULL);
    }
    return made;
}

/* Moves the window to the middle of its monitor. */
static void centre(const struct app_window *window, const struct app_run *run)
{
    int x, y, width, height;
    glfwGetMonitorWorkarea(window->monitor, &x, &y, &width, &height);
    glfwSetWindowPos(window->handle, x + (width - run->window_width) / 2,
                     y + (height - run->window_height) / 2);
}

/* Asks for the monitor's refresh rate, which takes a round trip to the X server. */
static void read_refresh(struct app_window *window)
{
    const GLFWvidmode *mode = window->monitor ? glfwGetVideoMode(window->monitor) : NULL;
    window->refresh_hz = mode && mode->refreshRate > 0 ? mode->refreshRate : 0.0;
}

/* Makes the context current and the window ready for keys. */
static void prepare(struct app_window *window, const struct app_state *state)
{
    listen(window->handle, window);
    find_board(window);
    glfwMakeContextCurrent(window->handle);
    glfwSwapInterval(state->vsync ? 1 : 0);
    window->vsync = state->vsync;
    snprintf(window->text, sizeof window->text, "GLFW window, %s", platform_name());
    read_refresh(window);
    app_window_follow(window, state);
}

enum krn_code app_window_open(struct app_window **window, const struct app_run *run,
                              const struct app_state *state, struct krn_error *error)
{
    if (!glfwInit())
        return glfw_failed(error, "No window can be opened");
    struct app_window *made = app_alloc(1, sizeof *made);
    enum krn_code code = KRN_OK;
    struct krn_error which = {.code = KRN_OK};
    made->monitor = pick_monitor(run->monitor, &which);
    if (which.code != KRN_OK) {
        *error = which;
        code = which.code;
        goto fail_terminate;
    }
    set_hints(run);
    made->handle = create(run->window_width, run->window_height, "Spherescope");
    if (!made->handle) {
        code = glfw_failed(error, "No window with OpenGL 3.3 can be opened");
        goto fail_terminate;
    }
    if (run->monitor >= 0 && made->monitor)
        centre(made, run);
    prepare(made, state);
    *window = made;
    return KRN_OK;

fail_terminate:
    free(made);
    glfwTerminate();
    return code;
}

/* Returns a monitor on which the window is not; NULL: there is none. */
static GLFWmonitor *other_monitor(const struct app_window *window)
{
    int count = 0;
    GLFWmonitor **monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; i++)
        if (monitors[i] != window->monitor)
            return monitors[i];
    return NULL;
}

enum krn_code app_window_open_second(struct app_window **second, struct app_window *first,
                                     const char *title, struct krn_error *error)
{
    struct app_window *made = app_alloc(1, sizeof *made);
    *second = NULL;
    glfwWindowHint(GLFW_FOCUSED, GLFW_FALSE);
    glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);
    made->second = true;
    made->monitor = other_monitor(first);
    made->handle = create(960, 540, title);
    if (!made->handle) {
        free(made);
        return glfw_failed(error, "No second window can be opened");
    }
    if (made->monitor) {
        int x, y;
        glfwGetMonitorPos(made->monitor, &x, &y);
        glfwSetWindowPos(made->handle, x, y);
        glfwMaximizeWindow(made->handle);
    }
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

void *app_window_display(void)
{
    /* GLFW's native header needs that of Xlib, which is not needed for anything else; and a GLFW
     * for Wayland alone lacks the function. */
    void *(*get)(void) = NULL;
    void *program = dlopen(NULL, RTLD_LAZY);
    void *symbol = program ? dlsym(program, "glfwGetX11Display") : NULL;
    memcpy(&get, &symbol, sizeof symbol);
    void *display = get ? get() : NULL;
    if (program)
        dlclose(program);
    return display;
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

static void enter_fullscreen(struct app_window *window)
{
    const GLFWvidmode *mode = window->monitor ? glfwGetVideoMode(window->monitor) : NULL;
    if (!mode)
        return;
    glfwGetWindowPos(window->handle, &window->x, &window->y);
    glfwGetWindowSize(window->handle, &window->width, &window->height);
    glfwSetWindowMonitor(window->handle, window->monitor, 0, 0, mode->width, mode->height,
                         mode->refreshRate);
}

static void leave_fullscreen(struct app_window *window)
{
    if (window->width == 0)
        return;
    glfwSetWindowMonitor(window->handle, NULL, window->x, window->y, window->width, window->height,
                         GLFW_DONT_CARE);
}

void app_window_follow(struct app_window *window, const struct app_state *state)
{
    if (window->fullscreen != state->fullscreen) {
        if (state->fullscreen)
            enter_fullscreen(window);
        else
            leave_fullscreen(window);
        window->fullscreen = state->fullscreen;
        read_refresh(window);
        /* Some drivers reset the swap interval when the mode changes. */
        glfwSwapInterval(state->vsync ? 1 : 0);
    }
    const bool hides = state->fullscreen && !app_state_shows_heat(state);
    if (window->hides != hides) {
        glfwSetInputMode(window->handle, GLFW_CURSOR,
                         hides ? GLFW_CURSOR_HIDDEN : GLFW_CURSOR_NORMAL);
        window->hides = hides;
    }
    if (window->vsync != state->vsync) {
        glfwSwapInterval(state->vsync ? 1 : 0);
        window->vsync = state->vsync;
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
    *width = window->width;
    *height = window->height;
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
