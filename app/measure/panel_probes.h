/* app/measure/panel_probes.h - one backend's probes on the panels: their samples, and which of them
 * are short enough to run between frames (inside panels.c only). */
#ifndef APP_PANEL_PROBES_H
#define APP_PANEL_PROBES_H

#include "command/state.h"
#include "judge/probe_result.h"

#include "krn/probe.h"
#include "krn/stats.h"

/* Runs that tell how long a slice is: one that was disturbed says nothing. */
enum { APP_PANEL_LAST = 5 };

/* One probe's samples. */
struct app_panel_slot {
    struct krn_series ms, cycles;
    unsigned runs;       /* begun since the round began; the first one loads and is no sample */
    bool refused;        /* it did not start: left alone until a round */
    unsigned taken_runs; /* ever */
    double slice_ms;     /* of the newest run; 0: none yet */
    double last_ms[APP_PANEL_LAST]; /* of the last runs, by taken_runs */
    bool is_long;                   /* what they say; before the first, the probe's guess */
    double taken_s;
};

struct app_panel_probes {
    struct krn_probes *probes; /* NULL: there are none, `why` says so once it was tried */
    bool tried;
    char why[APP_NOTICE_MAX + 16];
    struct app_probe_result *probed;
    struct app_panel_slot *slots;
    int count;
    int next[KRN_TOPIC_COUNT];                     /* where each topic goes on */
    char refused[KRN_TOPIC_COUNT][APP_NOTICE_MAX]; /* why the first that was refused was; "" */
    struct krn_device_info device;
};

/* Takes all memory at once; what cannot be had is a reason, not an error. */
void app_panel_probes_open(struct app_panel_probes *side, struct krn_device *device);
void app_panel_probes_close(struct app_panel_probes *side);

/* How long a slice of this probe takes, ms: as it did, else as it should. */
double app_panel_slice_ms(const struct app_panel_probes *side, int index);

/* Over APP_SLICE_MS: the median of its last slices (the lower one of two); the first one alone only
 * where it should be so. */
bool app_panel_is_long(const struct app_panel_probes *side, int index);

/* Runs of a probe in a round that was asked for. */
unsigned app_panel_asked_runs(const struct app_panel_probes *side, int index);

/* The topic's next probe that may run, and the turn goes on to the one behind it; -1: none. again:
 * in a round that was asked for. */
int app_panel_next(struct app_panel_probes *side, int topic, bool again);

/* A run was started, whether it will give a reading or not. */
void app_panel_started(struct app_panel_probes *side, int index);

/* It could not be started: the others go on. */
void app_panel_refuse(struct app_panel_probes *side, int index, const char *why);

/* None is left that runs or has run. */
bool app_panel_all_refused(const struct app_panel_probes *side);

/* Why a topic's probes or some of them are not there; NULL: nothing was refused. */
const char *app_panel_refusal(const struct app_panel_probes *side, int topic);

/* Begins all anew, refused ones too; returns how many runs a round takes. */
int app_panel_forget(struct app_panel_probes *side);

/* Every probe has had the runs of a round, or was refused. */
bool app_panel_round_done(const struct app_panel_probes *side);

/* Takes a reading into samples and numbers; with hold only its length. */
void app_panel_add_reading(struct app_panel_probes *side, const struct krn_probe_reading *reading,
                           bool hold, double now_s);

#endif
