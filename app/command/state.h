/* app/command/state.h - everything that a key or an option can change, as plain data.
 *
 * app_apply (command.h) is a pure function from state and command to state; the session reads the
 * state each frame and makes it true. A results record carries it whole, so it is also what a
 * replay needs.
 */
#ifndef APP_STATE_H
#define APP_STATE_H

#include "base/limits.h"

#include "krn/device.h"
#include "krn/scene.h"
#include "ren/blit.h"

#include <stdbool.h>
#include <stdint.h>

/* Ranges that options, keys and records share. */
#define APP_ZOOM_MIN 0.001
#define APP_ZOOM_MAX 1000.0
#define APP_HUD_SCALE_MIN 0.5
#define APP_HUD_SCALE_MAX 3.0
#define APP_MOTION_S_MAX 1e9
#define APP_DIVIDER_MIN 0.05
#define APP_DIVIDER_MAX 0.95

/* The side panels beside the picture: none, one column of numbers, or all with their drawings. */
enum app_panels { APP_PANELS_OFF, APP_PANELS_COMPACT, APP_PANELS_FULL, APP_PANELS_COUNT };

enum app_theme { APP_THEME_DARK, APP_THEME_LIGHT, APP_THEME_PROJECTOR, APP_THEME_COUNT };

enum app_scene_kind {
    APP_SCENE_RANDOM, /* drawn from the recipe; the book's scene is one of them */
    APP_SCENE_FILE,   /* read from scene_path */
    APP_SCENE_KIND_COUNT
};

/* One-shot wishes that app_apply cannot fulfil itself; the session clears them. */
enum app_request {
    APP_REQUEST_SCREENSHOT = 1 << 0,
    APP_REQUEST_QUIT = 1 << 1,
    APP_REQUEST_HOME = 1 << 2,
    APP_REQUEST_RESULTS = 1 << 3,
    APP_REQUEST_MEASURE = 1 << 4 /* the panels, again */
};

/* Two modes side by side on every frame: the state's own mode is A. */
struct app_duel_view {
    bool on;
    struct krn_mode other; /* B */
    double divider;        /* A's share of the picture's width */
};

/* A question that the same command, given again, answers with yes (command.h). */
struct app_pending {
    int command; /* 1 + the entry's place in the command table; 0: no question is open */
    int step, choice;
    double asked_s; /* when it was asked, in app_facts.now_s */
};

struct app_state {
    /* what renders, and how */
    enum krn_backend_id backend;
    struct krn_mode mode;
    enum ren_blit blit;
    bool warm; /* extra launches keep the GPU from idle clocks */

    /* what is rendered */
    enum app_scene_kind scene;
    struct krn_scene_recipe recipe; /* its count follows the file when scene is a file */
    char scene_path[APP_PATH_MAX];  /* "" unless scene is a file */
    int width, height;              /* of the image, pixels */
    bool follow_pane;               /* the image takes the size of its pane */
    int fixed_width, fixed_height;  /* the size to come back to when it follows no longer */
    double zoom;                    /* pixels per scene unit; 0 is fit */
    bool motion;
    double motion_s; /* the motion's clock, seconds; the pose is a function of it */
    struct app_duel_view duel;

    /* how it is shown */
    bool fullscreen, vsync, hud, help;
    bool hold;        /* the numbers stand still */
    double hud_scale; /* 1 is normal */
    enum app_theme theme;
    enum app_panels panels;

    unsigned requests; /* enum app_request bits */
    struct app_pending pending;
};

/* Facts that decide whether a command is refused; the session keeps them up to date. */
struct app_facts {
    bool has_backend[KRN_BACKEND_COUNT];
    char no_backend[KRN_BACKEND_COUNT][APP_NOTICE_MAX]; /* why not, a sentence */
    /* last measured nominal rate, tests per ms (pixels x spheres / kernel ms), 0: not measured */
    double rate[KRN_BACKEND_COUNT][KRN_KERNEL_COUNT][KRN_STORAGE_COUNT][KRN_PIXELS_COUNT];
    int pane_width, pane_height; /* pixels of the picture's pane, for follow_pane */
    bool no_room;                /* panels are wanted and the window is too small for any */
    double now_s;                /* monotonic, for the second press of Q */
    bool live;                   /* headless runs refuse no slow frame */
};

/* The start state: book scene, 1024 x 1024, global memory, motion on, cpu backend (the one that is
 * always there), interop asked for. */
struct app_state app_state_default(void);

/* The book's scene, whatever was there before. */
void app_state_set_book(struct app_state *state);

/* Scene units per pixel of the state's image: 1024 / height at fit, else 1 / zoom. */
float app_state_unit(const struct app_state *state);

/* Gives the image the size of its pane when it follows it; to be called after a resize. Unknown
 * sizes (0) are left out, larger ones than KRN_SIZE_MAX are cut. True when the size changed. */
bool app_state_follow(struct app_state *state, const struct app_facts *facts);

/* KRN_OK when every field is in its range and the mode can render the count; else KRN_REFUSED,
 * naming the field. */
enum krn_code app_state_check(const struct app_state *state, struct krn_error *error);

/* Names as in options and records; never NULL, "?" when out of range. */
const char *app_theme_name(enum app_theme theme);
const char *app_panels_name(enum app_panels panels);
const char *app_blit_name(enum ren_blit blit); /* as ren_blit_name, which needs render's library */
const char *app_scene_kind_name(enum app_scene_kind kind);

/* File names of the command line: not copies. */
struct app_paths {
    const char *first; /* NULL: none */
    char *const *rest;
    int rest_count;
};

/* Options of one run; keys do not change them. */
struct app_run {
    int backend; /* enum krn_backend_id, or -1: auto */
    int device;  /* ordinal on the cuda backend */
    bool offscreen;
    int window_width, window_height;
    int monitor;       /* -1: the primary one */
    int frames;        /* 0: not limited by count */
    double seconds;    /* 0: not limited by time */
    bool motion_given; /* --motion was on the command line */
    bool window_given;
    char screenshot[APP_PATH_MAX]; /* "": none */
    char json[APP_PATH_MAX];       /* "": none, "-": stdout */
    char csv[APP_PATH_MAX];        /* as json */
    bool markdown;
    struct app_paths compare;
    bool fail_on_slower;
    char bench[64];            /* "": none */
    int sweep_low, sweep_high; /* sphere counts; 0: no sweep */
    bool duel;                 /* --duel was on the command line */
    double band_percent;       /* of indifference */
    double panel_share;        /* of the time that panels may take, percent */
    bool panels_given;         /* --panels was on the command line */
    bool list_devices, info, version, help;
};

/* No option given: auto backend, a 1280 x 720 window, no limits. */
struct app_run app_run_default(void);

#endif
