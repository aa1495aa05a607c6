/* app/measure/panels.h - the live panels: which probe runs when, and what they gave.
 *
 * Probes run in the gaps between frames: at most a share of the time, no slice that is known to
 * take over APP_SLICE_MS, so that the ray tracer's numbers stay where they are. What takes longer
 * runs only when it was asked for (app_panels_remeasure). Topics take turns, so that every panel
 * fills from the start. Time is handed in.
 */
#ifndef APP_PANELS_H
#define APP_PANELS_H

#include "engine/engine.h"
#include "judge/probe_result.h"
#include "measure/book_window.h"
#include "measure/budget.h"
#include "topics/claims.h"

/* What the screen shows of them. */
struct app_panels_view {
    struct app_probes_view probes;        /* count 0: not there, `why` says so */
    const struct app_claim *claims;       /* APP_CLAIM_COUNT rows */
    const char *why;                      /* no panels: the reason as a sentence; "" */
    const char *refused[KRN_TOPIC_COUNT]; /* why some of a topic are not there; NULL: all are */
    bool again;           /* a full round is under way, of all probes, long ones too */
    double progress;      /* of it, 0..1 */
    double share_percent; /* of the time, that slices may take */
};

struct app_panels_live;

/* share_percent: 0..50. NULL when memory is full. Nothing is connected or allocated yet. */
struct app_panels_live *app_panels_open(double share_percent, double band_percent);
void app_panels_close(struct app_panels_live *panels); /* NULL is fine */

/* Called before a frame's first slice: waits until nobody else uses the device, so that no slice
 * shares it with the drawing of a frame. */
void app_panels_set_idle_hook(struct app_panels_live *panels, void (*settle)(void *who), void *who);

/* Threads of this program that compute: while busy(who), no other process is started. */
void app_panels_set_busy_hook(struct app_panels_live *panels, bool (*busy)(void *who), void *who);

/* Gives back what lies on a device, before it is closed or lost; its numbers go too, and a round
 * that measures it ends. */
void app_panels_release(struct app_panels_live *panels, enum krn_backend_id backend);

/* Between frames: runs as many slices as the share has paid for, APP_SLICE_MS in all at most, and
 * waits for them, so that everything they cost is known and paid for. The first call for a backend
 * takes all memory that its probes need. hold: readings are dropped. A probe that cannot be started
 * is left alone; where all are, the panels close. Errors: KRN_LOST; others become `why`. */
enum krn_code app_panels_frame(struct app_panels_live *panels, struct app_engine *engine,
                               const struct app_state *state, double now_s,
                               struct krn_error *error);

/* Panels are not shown: a round that was asked for ends. What was measured stays. */
void app_panels_pause(struct app_panels_live *panels);

/* Measures all again from nothing: every probe, long ones too, the book's window in processes of
 * its own. What was refused is tried again, panels that could not be had too. */
void app_panels_remeasure(struct app_panels_live *panels);

/* Why that backend has no panels, a sentence; "": it has, or was not tried. */
const char *app_panels_why(const struct app_panels_live *panels, enum krn_backend_id backend);

/* True while another process measures on the device, or is due: frames' times say nothing then.
 * None is due while numbers are held or somebody else computes. */
bool app_panels_child_running(const struct app_panels_live *panels);

/* What is known of the state's backend; valid until the next call. */
const struct app_panels_view *app_panels_current(struct app_panels_live *panels,
                                                 const struct app_engine *engine,
                                                 const struct app_state *state, double now_s);

/* The samples of probe `index` of that backend; NULL when there is none. */
const struct krn_series *app_panels_series(const struct app_panels_live *panels,
                                           enum krn_backend_id backend, int index);

/* What slices took so far: for tests. */
struct app_panels_spent app_panels_spent(const struct app_panels_live *panels);

#endif
