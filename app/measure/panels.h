/* app/measure/panels.h - the live panels: decides which probe runs when, and keeps the results.
 *
 * Probes run in the gaps between frames. They take at most a share of the time, and no slice that
 * is known to take longer than APP_SLICE_MS, so that they do not disturb the ray tracer's times.
 * Longer ones run only when the person asks (app_panels_remeasure). Topics take turns, so that
 * every panel fills from the start. The caller passes the time.
 */
#pragma once

#include "engine/engine.h"
#include "engine/work.h"
#include "measure/book_window.h"
#include "measure/panel_probes.h"
#include "model/probe_result.h"
#include "topics/claims.h"

struct app_panels_live;

/* Creates the panels; nothing is allocated on a device yet. share_percent: 0..50. */
struct app_panels_live *app_panels_open(double share_percent, double band_percent);
void app_panels_close(struct app_panels_live *panels);

/* Sets a function that is called before a frame's first slice. It waits until no other work uses
 * the device, so that no slice shares it with the drawing of a frame. */
void app_panels_set_idle_hook(struct app_panels_live *panels, void (*settle)(void *who), void *who);

/* Sets a function that returns true while other threads of this program compute: no process is
 * started meanwhile. */
void app_panels_set_busy_hook(struct app_panels_live *panels, bool (*busy)(void *who), void *who);

/* Frees what lies on a backend's device, before it is closed or lost. Its numbers are dropped, and
 * a round that measures it ends. */
void app_panels_release(struct app_panels_live *panels, enum krn_backend_id backend);

/* Runs slices between two frames, as many as the share has paid for and APP_SLICE_MS in all at
 * most, and waits for them, so that their whole cost is known and paid for. The first call for a
 * backend allocates all memory that its probes need. state->hold: readings are dropped. A probe
 * that cannot be started is left out; when all are, the panels close. Errors: KRN_LOST; others
 * become `why`. */
enum krn_code app_panels_frame(struct app_panels_live *panels, struct app_engine *engine,
                               const struct app_state *state, double now_s,
                               struct krn_error *error);

/* Ends a round, because the panels are hidden. Their numbers stay. */
void app_panels_pause(struct app_panels_live *panels);

/* Drops all numbers and measures every probe again, long ones too, and the book's window in
 * processes of its own. Refused probes and panels are tried again. */
void app_panels_remeasure(struct app_panels_live *panels);

/* Returns why a backend has no panels, a sentence; "": it has, or has not been tried. */
const char *app_panels_why(const struct app_panels_live *panels, enum krn_backend_id backend);

/* Returns true while another process measures on the device, or is due: the times of frames mean
 * nothing meanwhile. None is due while numbers are held or other threads compute. */
bool app_panels_child_running(const struct app_panels_live *panels);

/* Returns what is known of the state's backend; valid until the next call. */
const struct app_panels_view *app_panels_current(struct app_panels_live *panels,
                                                 const struct app_engine *engine,
                                                 const struct app_state *state, double now_s);

/* Returns what slices took so far: for tests. */
struct app_panels_spent app_panels_spent(const struct app_panels_live *panels);
