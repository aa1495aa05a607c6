/* app/command/run.h - the options of a run that keys do not change. */
#pragma once

#include "base/value.h"
#include "model/sweep.h"

#include <stdbool.h>
#include <stdint.h>

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
