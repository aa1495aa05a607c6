/* app/spec/state.h - everything that a key or an option can change, as plain data.
 *
 * app_apply (command.h) is a pure function from a state and a command to a new state. The session
 * reads the state on every frame and renders accordingly. A results record contains the whole
 * state, so that a run can be repeated from it.
 */
#pragma once

#include "base/value.h"
#include "spec/subjects.h"

#include "krn/access.h"
#include "krn/device.h"
#include "krn/heat.h"
#include "krn/light.h"
#include "krn/scene.h"
#include "ren/blit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- modes as texts, KERNEL/STORAGE[/K]; in a duel of two backends with BACKEND: before it --- */

enum { APP_MODE_TEXT_MAX = 48 };

/* Parses the first `length` bytes of text. Returns false when they name no mode that exists: every
 * mode from here has an index. */
bool app_mode_parse(const char *text, size_t length, struct krn_mode *mode);

/* A side of a duel. */
struct app_duel_side {
    enum krn_backend_id backend;
    struct krn_mode mode;
};

bool app_duel_side_equal(struct app_duel_side a, struct app_duel_side b);

/* Formats a side's mode; named, as in a duel of two backends: "gl:book/constant". */
void app_duel_side_text(struct app_duel_side side, bool named, char *text, size_t size);

/* Parses two modes, "A,B". backends: those that stand before the modes, as in
 * "cuda:book/global,gl:book/global", -1: none; NULL where none may. */
bool app_modes_parse(const char *text, struct krn_mode modes[2], int backends[2]);

/* Returns true when one of the patterns, separated by commas, names the mode. A pattern is
 * KERNEL/STORAGE[/K], where * stands for any kernel, storage or K; without K it is 1. "" chooses
 * every mode. */
bool app_mode_chosen(const char *patterns, struct krn_mode mode);

/* Returns the view whose modes a run with these patterns measures: `view`, unless they choose modes
 * of another view alone. */
enum krn_view_kind app_mode_patterns_view(const char *patterns, enum krn_view_kind view);

/* Return the first mode of a view, which takes any number of spheres, and the number of its modes.
 */
struct krn_mode app_mode_first(enum krn_view_kind view);
int app_mode_count(enum krn_view_kind view);

/* Returns true when one pattern names modes of the one view alone, and another one of the other. */
bool app_mode_patterns_mix(const char *patterns);

/* Returns false when a pattern is empty or names no mode. */
bool app_mode_patterns_check(const char *patterns);

/* Returns true when a pattern names modes of the kernel of --kernel-file alone. */
bool app_mode_patterns_mine(const char *patterns);

/* --- the state --- */

enum { APP_PAGE_URL_MAX = 121 }; /* bytes of --page-url, including the terminating zero */

/* Ranges that options, keys and records share. */
#define APP_ZOOM_MIN 0.001
#define APP_ZOOM_MAX 1000.0
#define APP_HUD_SCALE_MIN 0.5
#define APP_HUD_SCALE_MAX 3.0
#define APP_MOTION_S_MAX 1e9
#define APP_DIVIDER_MIN 0.05
#define APP_DIVIDER_MAX 0.95
#define APP_CAMERA_PATH_SECONDS 120.0 /* of motion for one round of the camera's path */

/* A page of measurements: off, beside the picture, or in the whole window. */
enum app_panels { APP_PANELS_OFF, APP_PANELS_COMPACT, APP_PANELS_FULL, APP_PANELS_COUNT };

/* The pages of the help screen: the first keys of a talk, all keys, the words on screen, how
 * numbers are computed, and how verdicts are found. */
enum app_help_page {
    APP_HELP_FIRST,
    APP_HELP_KEYS,
    APP_HELP_WORDS,
    APP_HELP_FORMULAS,
    APP_HELP_VERDICTS,
    APP_HELP_PAGES
};

enum app_theme { APP_THEME_DARK, APP_THEME_LIGHT, APP_THEME_PROJECTOR, APP_THEME_COUNT };

/* The phases of frames: collected while their page is shown, or for the record as well. */
enum app_anatomy_mode { APP_ANATOMY_OFF, APP_ANATOMY_RECORD, APP_ANATOMY_MODES };

enum app_scene_kind {
    APP_SCENE_RANDOM, /* generated from the recipe; the book's scene is one of these */
    APP_SCENE_FILE,   /* read from scene_path */
    APP_SCENE_KIND_COUNT
};

/* One-shot requests. app_apply sets them; the session serves and clears them. */
enum app_request {
    APP_REQUEST_SCREENSHOT = 1 << 0,
    APP_REQUEST_QUIT = 1 << 1,
    APP_REQUEST_HOME = 1 << 2,
    APP_REQUEST_RESULTS = 1 << 3,
    APP_REQUEST_MEASURE = 1 << 4, /* measure the panels again */
    APP_REQUEST_RECORD = 1 << 5,  /* record a run, or cancel the one in progress */
    APP_REQUEST_MONITOR = 1 << 6, /* go to another monitor */
    APP_REQUEST_PAGE = 1 << 7
};

/* Two modes side by side on every frame. A is the state's mode. */
struct app_duel_view {
    bool on;
    struct krn_mode other; /* B */
    int backend;           /* 1 + B's backend; 0: A's */
    double divider;        /* A's share of the picture's width */
};

/* A kernel with its pixels per thread. */
struct app_kernel_choice {
    enum krn_kernel kernel;
    int pixels_per_thread;
};

/* What the step of a talk asks the room. */
enum app_talk_asks { APP_ASKS_NOTHING, APP_ASKS_CHOICE, APP_ASKS_NUMBER };

enum {
    APP_TALK_STEPS_MAX = 100,
    APP_TALK_TYPED_MAX = 12 /* bytes of a typed number, including the terminating zero */
};

/* What the room said to a question. */
struct app_talk_said {
    int choice;                     /* the answer that it chose, 1 for the first; 0: none */
    char typed[APP_TALK_TYPED_MAX]; /* the number that it guessed; "": none */
};

/* A talk on screen, as far as keys change it (talk/talk.h). Zeroed, no talk is open. */
struct app_talk_view {
    int steps;               /* of the talk; 0: none is open */
    int step;                /* the one on screen, 0 for the first */
    bool on;                 /* the talk is shown; else keys work as without one */
    bool blank;              /* the screen is black */
    enum app_talk_asks asks; /* the kind of the step's question */
    int answers;             /* of a choice */
    int choice;              /* the answer that the room chose, 1 for the first; 0: none yet */
    char typed[APP_TALK_TYPED_MAX]; /* the number that the room guessed; "": none yet */
    bool committed;                 /* the number is complete */
    bool revealed;                  /* the measurement stands against the guess */
    struct app_talk_said said[APP_TALK_STEPS_MAX]; /* until each step's reveal, for the recap */
};

/* A command that waits for confirmation: repeating it confirms it (APP_ASKED in command.h). */
struct app_pending {
    int command; /* 1 + the entry's index in the command table; 0: none is waiting */
    int step, choice;
    double asked_s; /* app_facts.now_s at the first press */
};

/* What is rendered. */
struct app_spec {
    enum krn_backend_id backend;
    struct krn_mode mode;
    enum ren_blit blit;
    bool warm; /* extra launches keep the GPU from idle clocks */

    enum app_scene_kind scene;
    struct krn_scene_recipe recipe; /* with APP_SCENE_FILE, the count is that of the file */
    char scene_path[APP_PATH_MAX];  /* "" unless scene is APP_SCENE_FILE */
    int width, height;              /* pixels of the image */
    bool follow_pane;               /* the image has the size of its pane */
    int fixed_width, fixed_height;  /* the size that returns when follow_pane ends */
    double zoom;                    /* pixels per scene unit; 0 is fit */
    bool motion;
    double motion_s; /* animation time in seconds, from which the pose is computed */
    struct app_duel_view duel;

    /* light view */
    struct krn_light light; /* as keys and options set it */
    bool camera_path;       /* the camera's yaw advances with motion_s */
};

/* What is on screen. */
struct app_look {
    struct app_kernel_choice other_view; /* the kernel that the key for the other view returns to */
    bool fullscreen, vsync, hud, help;
    bool details;     /* everything that a number rests on, over the picture */
    bool code;        /* the code of the kernel on screen, over the picture */
    bool hold;        /* the numbers on screen are frozen */
    bool own;         /* this CPU's numbers, also where a recorded run stands in for a GPU */
    double hud_scale; /* 1 is normal */
    enum app_theme theme;
    enum app_panels panels;
    enum app_subject page;           /* also while panels are off */
    enum krn_heat heat;              /* what the picture shows in place of its colours */
    bool qr;                         /* a QR code of the numbers, in a corner */
    char page_url[APP_PAGE_URL_MAX]; /* shown as a QR code in the middle; "": none */
    enum app_anatomy_mode anatomy;
    enum app_help_page help_page; /* the page shown while help is on */
    int addresses;                /* per warp, that the panel of constant memory marks */
};

struct app_state {
    struct app_spec spec;
    struct app_look look;
    struct app_talk_view talk;
    unsigned requests; /* enum app_request bits */
    struct app_pending pending;
};

/* Facts about the machine and the session that app_apply needs; the session updates them. */
struct app_facts {
    bool has_backend[KRN_BACKEND_COUNT];
    char no_backend[KRN_BACKEND_COUNT][APP_NOTICE_MAX]; /* why a backend is missing, a sentence */
    /* last measured rate in nominal tests (app_nominal_tests) per ms of kernel time; 0: none yet */
    double rate[KRN_BACKEND_COUNT][KRN_KERNEL_COUNT][KRN_STORAGE_COUNT][KRN_PIXELS_COUNT];
    int pane_width, pane_height; /* pixels of the picture's pane; 0: not known yet */
    bool has_mine;               /* the kernel of --kernel-file is loaded, with this storage: */
    enum krn_storage mine_storage;
    bool stands_in;  /* a recorded run takes the place of a GPU that is not there */
    bool plays;      /* a recorded run is on screen, which has these numbers of spheres next to */
    int fewer, more; /* those of the picture; 0: none */
    bool has_left;   /* another mode was on screen before this one: */
    struct app_duel_side left;
    enum app_panels shown;   /* of the panels: the whole window where a side has no room */
    unsigned empty_subjects; /* as bits: they have nothing to show, and pages pass them over */
    double now_s;            /* app_clock_s() */
    bool live;               /* a window is open: slow frames need confirmation */
};

/* Returns the start state: the book's scene at 1024 x 1024, book kernel from global memory, motion
 * on, interop blit, and the cpu backend, which is always available. */
struct app_state app_state_default(void);

/* Replaces the scene by the book's. */
void app_state_set_book(struct app_state *state);

/* Returns true when the image is the book's: its scene, its size, its zoom, no rotation. */
bool app_state_is_book(const struct app_state *state);

/* Returns true when both states name the same scene: the same file, or the same recipe. */
bool app_state_same_scene(const struct app_state *a, const struct app_state *b);

/* Returns true when both render the same scene into the same view, whatever the mode. */
bool app_state_same_picture(const struct app_state *a, const struct app_state *b);

/* Returns scene units per pixel of the image: 1024 / height at fit, else 1 / zoom. */
float app_state_unit(const struct app_state *state);

/* Returns one side of the state's duel, 0: A, which alone is rendered without one, 1: B. */
struct app_duel_side app_state_side(const struct app_state *state, int side);

/* Returns true in a duel whose sides have different backends. */
bool app_state_crosses(const struct app_state *state);

/* Returns the view that the state's mode draws. */
enum krn_view_kind app_state_view(const struct app_state *state);

/* Sets the state's mode. When that changes the view, keeps the kernel that is left as the one to
 * return to. */
void app_state_set_mode(struct app_state *state, struct krn_mode mode);

/* Gives the modes of the kernel of --kernel-file the book's kernel: another backend has to compile
 * it first. */
void app_state_leave_mine(struct app_state *state);

/* Returns true when one of the state's modes is of that kernel. */
bool app_state_has_mine(const struct app_state *state);

/* Returns the light of the state's picture: with camera_path, its yaw is that at motion_s. */
struct krn_light app_state_light(const struct app_state *state);

/* Parses "YAW:PITCH:DISTANCE", each in its range. Returns false, with *camera unchanged, for other
 * texts. */
bool app_camera_parse(const char *text, struct krn_camera *camera);

/* Writes the camera as --camera takes it, in the fewest digits, 6 to 9, that restore every bit. */
void app_camera_format(const struct krn_camera *camera, char *text, size_t size);

/* Returns true when both lights are equal in every field. */
bool app_light_same(const struct krn_light *a, const struct krn_light *b);

/* Returns why the view on screen does not have this heat map, in a sentence; NULL: it has. */
const char *app_state_heat_refused(const struct app_state *state, enum krn_heat heat);

/* Returns true when the picture is a heat map. A duel shows two pictures and none, and the light
 * view has none. */
bool app_state_shows_heat(const struct app_state *state);

/* Returns true when that subject's page is on screen. */
bool app_state_shows(const struct app_state *state, enum app_subject subject);

/* Returns true when the phases of frames are collected: for the screen or for the record. */
bool app_state_collects_anatomy(const struct app_state *state);

/* With follow_pane, sets the image's size to its pane's, at most KRN_SIZE_MAX; on a backend that
 * computes on the host's processors, to at most 1280 x 720 in the pane's proportions. Returns true
 * when the size changed. */
bool app_state_follow(struct app_state *state, const struct app_facts *facts);

/* Names as options and records spell them; NULL follows the last one. */
extern const char *const app_theme_names[APP_THEME_COUNT + 1];
extern const char *const app_panels_names[APP_PANELS_COUNT + 1];
extern const char *const app_help_page_names[APP_HELP_PAGES + 1];
extern const char *const app_anatomy_names[APP_ANATOMY_MODES + 1];
extern const char *const app_blit_names[REN_BLIT_COUNT + 1];
