/* app/command/entry.h - the command table, which defines every key, every option and every field of
 * the state that a record keeps.
 *
 * The key bindings, the command line, --help, docs/reference.md, the steps of talks, the settings
 * and the state in records are all derived from it.
 */
#pragma once

#include "base/value.h"
#include "model/sweep.h"
#include "spec/state.h"

#include "krn/topics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- the options of a run that keys do not change --- */

/* File names that point into the command line. */
struct app_paths {
    const char *first; /* NULL: none */
    char *const *rest;
    int rest_count;
};

enum { APP_MODES_MAX = 512 }; /* bytes of --modes, including the terminating zero */

enum { APP_DEVICE_ALL = -1 }; /* every CUDA device, one after another */

/* Processes of --narrow before it first looks at their intervals. */
enum { APP_NARROW_FIRST = 8 };

struct app_run {
    int backend;       /* enum krn_backend_id, or -1: auto */
    int device;        /* ordinal of the CUDA device, or APP_DEVICE_ALL */
    int devices;       /* GPUs that the processes share in turns, with APP_DEVICE_ALL; else 0 */
    bool device_given; /* --device was on the command line: no other device may take over */
    bool offscreen;
    int window_width, window_height;
    int monitor;       /* index of the monitor to start on, or -1: not given */
    int frames;        /* number of frames after which the run ends; 0: no limit */
    double seconds;    /* time after which the run ends; 0: no limit */
    bool motion_given; /* --motion was on the command line */
    bool size_given;   /* --size was on the command line */
    /* The size, theme or HUD size of the window was on the command line, or is a setting. */
    bool window_given, theme_given, hud_scale_given;
    bool qr_given;                    /* --qr on was on the command line */
    bool scene_given;                 /* --scene was on the command line */
    char screenshot[APP_PATH_MAX];    /* "": none */
    char json[APP_PATH_MAX];          /* "": none, "-": stdout */
    char csv[APP_PATH_MAX];           /* as json */
    char prometheus[APP_PATH_MAX];    /* "": none */
    char html[APP_PATH_MAX];          /* as json */
    char replay[APP_PATH_MAX];        /* "": none */
    char record_frames[APP_PATH_MAX]; /* a folder; "": none */
    char video[APP_PATH_MAX];         /* "": none */
    bool markdown;
    struct app_paths compare;
    bool fail_on_slower;
    char kernel_file[APP_PATH_MAX]; /* "": none */
    bool kernel_folder;             /* it is a folder, whose files are ranked */
    bool kernel_given;              /* --kernel was on the command line */
    char bench[128];                /* "": none */
    char modes[APP_MODES_MAX];      /* patterns of --modes (app_mode_chosen); "": every mode */
    int processes;                  /* that --bench, --sweep and --duel measure in */
    uint64_t order_seed;            /* of the order in which they measure */
    bool processes_given, order_seed_given, narrow;
    struct app_span sweep[APP_SWEEP_AXES]; /* --sweep, by axis; none on: no sweep */
    char play[APP_PATH_MAX];   /* files and names of a recorded run (recorded.h); "": none */
    char record[APP_PATH_MAX]; /* file of a run to record; "": none */
    bool duel;                 /* --duel was on the command line */
    double band_percent;       /* half-width of the duel's indifference band, percent */
    double panel_share;        /* share of the time that panels may take, percent */
    char talk[APP_PATH_MAX];   /* a talk's file or name; "": none */
    bool check;                /* walk through the talk without a window */
    bool presenter;            /* open the presenter's window */
    bool list_devices, info, version, help;
};

/* Returns the defaults: auto backend, a 1280 x 720 window, no limits. */
struct app_run app_run_default(void);

/* Returns true when the run is a sweep. */
bool app_run_sweeps(const struct app_run *run);

/* Returns true when the run is a benchmark, a sweep or a duel without a window. */
bool app_run_measures(const struct app_run *run);

/* Returns true when the command line names the backend or the device: nothing takes its place. */
bool app_run_names_device(const struct app_run *run);

/* Returns true when the run records its frames. */
bool app_run_records(const struct app_run *run);

/* Returns true when nothing on the command line decides the size of a window's picture: it follows
 * its pane. */
bool app_run_follows_pane(const struct app_run *run);

/* Returns true when --bench asks for this benchmark, by name or with all others. */
bool app_run_benches(const struct app_run *run, const char *name);

/* --- keys, and the table --- */

/* A printable key is its ASCII character in the user's keyboard layout, letters in upper case. The
 * other keys have numbers of their own. */
enum app_key {
    APP_KEY_NONE = 0,
    APP_KEY_SPACE = ' ',
    APP_KEY_UP = 256,
    APP_KEY_DOWN,
    APP_KEY_LEFT,
    APP_KEY_RIGHT,
    APP_KEY_HOME,
    APP_KEY_END,
    APP_KEY_PAGE_UP,
    APP_KEY_PAGE_DOWN,
    APP_KEY_ENTER,
    APP_KEY_TAB,
    APP_KEY_ESCAPE,
    APP_KEY_BACKSPACE,
    APP_KEY_F1,
    APP_KEY_F2,
    APP_KEY_F3,
    APP_KEY_F4,
    APP_KEY_F5,
    APP_KEY_F6,
    APP_KEY_F7,
    APP_KEY_F8,
    APP_KEY_F9,
    APP_KEY_F10,
    APP_KEY_F11,
    APP_KEY_F12,
    APP_KEY_COUNT
};

/* How a command changes its value. */
enum app_step {
    APP_STEP_NONE, /* ends a list of bindings */
    APP_STEP_SET,  /* to the argument's value */
    APP_STEP_TOGGLE,
    APP_STEP_NEXT,
    APP_STEP_DOUBLE,
    APP_STEP_HALVE,
    APP_STEP_MORE,
    APP_STEP_LESS,
    APP_STEP_DO /* runs an action; there is no value */
};

/* When a binding is valid. Each situation includes those before it; of the bindings of a key, the
 * one of the narrowest situation is used. */
enum app_when {
    APP_WHEN_ALWAYS,
    APP_WHEN_OPEN,     /* a talk is open, on screen or left */
    APP_WHEN_TALK,     /* the talk is on screen */
    APP_WHEN_QUESTION, /* its step has a question that is not answered yet */
    APP_WHEN_TYPING    /* a part of a number is typed */
};

struct app_binding {
    int key; /* enum app_key */
    bool ctrl;
    enum app_step step;
    const char *text; /* with APP_STEP_SET: the value, as on the command line */
    const char *help; /* NULL: help lists the key together with the previous binding */
    enum app_when when;
    bool covered; /* a page in the whole window covers what the key changes */
};

enum { APP_BINDINGS_MAX = 14 };

enum app_section {
    APP_SECTION_RENDER, /* backend, kernel and their settings */
    APP_SECTION_SCENE,  /* spheres, image and view */
    APP_SECTION_SCREEN, /* window, HUD and panels */
    APP_SECTION_TALK,   /* giving a talk */
    APP_SECTION_RUN,    /* what a run measures and writes */
    APP_SECTION_ANSWER, /* what the program reports about itself */
    APP_SECTION_COUNT
};

/* The argument of a command: the step and, with APP_STEP_SET, the value. */
struct app_argument {
    enum app_step step;
    struct app_given given;
    bool covered; /* of the key's binding */
};

/* A message for the screen, one line; "" for none. */
struct app_reply {
    char text[APP_NOTICE_MAX];
};

enum app_outcome {
    APP_DONE,
    APP_REFUSED, /* the reply gives the reason; only state->pending may have changed */
    APP_ASKED,   /* as refused, but the command succeeds when it is repeated */
    APP_IGNORED  /* the key has no binding; nothing has changed */
};

/* Where an entry's value is stored. */
enum app_place {
    APP_PLACE_NONE,  /* nowhere: the entry is an action */
    APP_PLACE_STATE, /* at `offset` in struct app_state */
    APP_PLACE_RUN    /* at `offset` in struct app_run: an option that keys do not change */
};

/* What an option needs of its run, as bits. A window offers all of it. */
enum app_use {
    APP_USE_WINDOW = 1 << 0,
    APP_USE_PICTURE = 1 << 1, /* a picture that is drawn at the end */
    APP_USE_FRAMES = 1 << 2,  /* pictures of the scene */
    APP_USE_RESULTS = 1 << 3, /* results that are written */
    APP_USE_MODES = 1 << 4,   /* modes to choose from */
    APP_USE_SHOWN = 1 << 5,   /* a record that is shown */
    APP_USE_TALK = 1 << 6
};

#define APP_QUIT_AGAIN_S 2.0 /* seconds within which a second Q quits a full-screen session */

/* An entry with a flag is set by options, and one of the state by the steps of talks; one with keys
 * by keys; one with `json` by records. */
struct app_command_entry {
    const char *name;  /* never changes: scripts and tests refer to it */
    const char *title; /* the name in messages */
    const char *flag;  /* "--storage"; NULL: not an option */
    const char *help;  /* one line about the option */
    const char *json;  /* the member of a record's state, "light.bounces"; NULL: of none */
    enum app_section section;
    struct app_value value;
    enum app_place place;
    size_t offset;
    size_t given;      /* a bool of struct app_run: the option was given; 0: none tells it */
    const char *light; /* "Bounces belong to": its keys change the light view alone; or NULL */
    bool random;       /* it changes a random scene, and none from a file */
    unsigned request;  /* enum app_request: what its key asks of the session; 0: nothing */
    /* A run that the option chooses: in messages, "a sweep", and what it offers. NULL: it chooses
     * none. */
    const char *run;
    unsigned offers, needs; /* enum app_use; needs: of the run that another option chooses */
    const char *instead;    /* what to do where the run has no use for it; or NULL */
    /* Changes the state beyond the value at `offset`, which is stored; NULL: that is all. `before`
     * is the state as it was. A refusal undoes both. May fill the reply; an empty reply becomes
     * "title: value". */
    enum app_outcome (*change)(struct app_state *state, const struct app_state *before,
                               const struct app_facts *facts, const struct app_argument *argument,
                               struct app_reply *reply);
    /* Formats the value where that at `offset` is not enough; NULL: it is enough. */
    void (*show)(const struct app_state *state, char *text, size_t size);
    struct app_binding keys[APP_BINDINGS_MAX];
};

/* Returns the table, in the order of help. */
const struct app_command_entry *app_commands(size_t *count);

/* Return the entry with this name or flag; NULL when there is none. */
const struct app_command_entry *app_command_by_name(const char *name);
const struct app_command_entry *app_command_by_flag(const char *flag);

/* --- keys in words, for help and for hints on screen --- */

/* A text on screen that names a key takes it from the table of commands: with app_key_hint where it
 * is written, or as "{command}" in a constant that app_key_hints fills in where it is shown. */

/* Writes a key's name: "Space", "Ctrl +", "F11". */
void app_key_name(int key, bool ctrl, char *text, size_t size);

/* Appends the name of keys[k] to text, or with `first` begins it: joins keys that do the same by
 * "or", and a run of characters by a dash. */
void app_keys_join(char *text, size_t size, const struct app_binding *keys, int k, bool first);

/* A press of a key. A character is of Unicode; 0: none. */
struct app_key_press {
    int place;  /* the key at this place on a US board, enum app_key; APP_KEY_NONE: there is none */
    int alone;  /* what the key prints alone */
    int typed;  /* what it prints with Shift and AltGr as they are held */
    bool lacks; /* no key of the layout prints the character that `place` is on a US board */
    bool ctrl, repeated;
};

/* Returns the key that a press stands for in a situation: what it prints with Shift or AltGr, else
 * what it prints alone, if a command has that key; else the key at its place on a US board. A place
 * goes first where the layout prints its character nowhere, and where a guess awaits its digit.
 * APP_KEY_NONE: no command has it. */
int app_key_of(const struct app_key_press *press, enum app_when now);

/* Returns a key's binding in a situation, and its entry; NULL: it has none. */
const struct app_binding *app_binding_of(int key, bool ctrl, enum app_when now,
                                         const struct app_command_entry **entry);

/* Returns true when a talk gives a key another meaning than it has without one. */
bool app_key_taken(int key, enum app_when now);

/* What the keys of a board print in the layout in use, each alone, with Shift, with AltGr and with
 * both. */
struct app_board {
    struct app_cap {
        int place, prints[4]; /* as in struct app_key_press */
    } caps[64];
    int count;
    bool whole; /* false: what keys print with Shift or AltGr is not known */
};

/* Returns true when no key of the board prints the character; where the board is not whole, only a
 * letter is taken to be missing. */
bool app_board_lacks(const struct app_board *board, int character);

/* Make the names of keys, from now on, those of this board, and those of this situation: of a
 * command whose key a talk has taken, "Ctrl Enter". At the start they are those of a US board and
 * of no talk. Only the thread that shows texts may call these. */
void app_keys_use(const struct app_board *board);
void app_keys_follow(enum app_when now);

struct app_key_hint {
    char text[24];
};

/* Returns the key of a command, by the command's name: "B", "Tab", "1-4"; "" when it has none. Of
 * several keys that do the same it is the first. */
struct app_key_hint app_key_hint(const char *command);

/* Copies text to out with every "{command}" replaced by that command's key: "press {quit} again"
 * becomes "press Q again". */
void app_key_hints(const char *text, char *out, size_t size);

/* --- the change and show functions of entries that are more than a field --- */

/* Only the command table uses them; struct app_command_entry describes their contract. */

#define APP_UNUSED __attribute__((unused))
#define APP_ACTION(name)                                                                           \
    enum app_outcome app_change_##name(                                                            \
        APP_UNUSED struct app_state *state, APP_UNUSED const struct app_state *before,             \
        APP_UNUSED const struct app_facts *facts, APP_UNUSED const struct app_argument *argument,  \
        APP_UNUSED struct app_reply *reply)
#define APP_SHOW(name) void app_show_##name(const struct app_state *state, char *text, size_t size)

/* clang-format off */
APP_ACTION(backend); APP_ACTION(view); APP_ACTION(kernel); APP_ACTION(pixels); APP_ACTION(duel);
APP_ACTION(blit); APP_ACTION(scene); APP_ACTION(spheres); APP_ACTION(seed); APP_ACTION(zoom);
APP_ACTION(size); APP_ACTION(follow); APP_ACTION(bounces); APP_ACTION(camera); APP_ACTION(orbit);
APP_ACTION(page_url);
APP_ACTION(tilt); APP_ACTION(dolly); APP_ACTION(camera_path); APP_ACTION(hud_scale);
APP_ACTION(page); APP_ACTION(claim); APP_ACTION(addresses);
APP_ACTION(help); APP_ACTION(details); APP_ACTION(code); APP_ACTION(leave); APP_ACTION(home);
APP_ACTION(measure); APP_ACTION(story); APP_ACTION(heat); APP_ACTION(anatomy); APP_ACTION(quit);
APP_ACTION(talk); APP_ACTION(talk_next); APP_ACTION(talk_previous); APP_ACTION(talk_blank);
APP_ACTION(talk_guess); APP_ACTION(talk_reveal);

APP_SHOW(backend); APP_SHOW(view); APP_SHOW(duel); APP_SHOW(scene); APP_SHOW(camera); APP_SHOW(page_url);
APP_SHOW(follow); APP_SHOW(page);
/* clang-format on */
