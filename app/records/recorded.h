/* app/records/recorded.h - a recorded run: what a device measured, read from its records, for a
 * machine that has no such device.
 *
 * A run may consist of several records of one device, such as --bench all and a sweep. Where two of
 * them have the same measurement, the first one counts. Nothing is interpolated: a mode, a number
 * of spheres or a size that no record has gives no number.
 *
 * Everything but reading and freeing is a pure function; a run does not change after it was read.
 */
#pragma once

#include "base/value.h"
#include "model/estimate.h"
#include "model/model.h"
#include "model/sweep.h"
#include "model/trust.h"
#include "spec/state.h"
#include "topics/claims.h"

#include "krn/error.h"
#include "krn/stats.h"

#include <stdbool.h>
#include <stddef.h>

/* The device whose records stand in for a GPU that is missing. */
#define APP_RECORDED_DEFAULT "h200"

enum { APP_RECORDED_FILES_MAX = 16 };

struct app_recorded_names {
    char paths[APP_RECORDED_FILES_MAX][APP_PATH_MAX];
    int count;
};

/* Lists the files that `names` stands for (app_recorded_open); folder: of the shipped records, ""
 * for none. Errors: as app_recorded_open. */
enum krn_code app_recorded_list(const char *names, const char *folder,
                                struct app_recorded_names *list, struct krn_error *error);

/* --- claims and origin of a record --- */

/* Returns what a record's benchmark `book` says of constant memory; the rest is empty. */
struct app_claim_facts app_results_book_facts(const struct app_results *results);

/* Fills all claims from the results of a record and probes (app_results_probes), NULL for its own;
 * depends on nothing else. */
void app_results_judge(const struct app_results *results, const struct app_probes_view *probes,
                       double band_percent, struct app_claim claims[APP_CLAIM_COUNT]);

/* Writes the sentence that a record with copied results has: the device that measured them, and the
 * date. */
void app_origin_sentence(const char *name, const char *date, char *text, size_t size);

/* --- runs --- */

enum { APP_RECORDED_MODES_MAX = 5000 }; /* of a run: one mode with one scene and size */

struct app_recorded;

/* What the screen shows of a run whatever the mode. The texts and arrays live as long as the run.
 */
struct app_recorded_view {
    char name[128]; /* of the device: "NVIDIA H200" */
    char brief[32]; /* the same in one word: "H200" */
    char date[16];  /* "2026-11-22"; "n/a": the records do not say */
    /* Its probes, claims and story as panels show them. Their trust has APP_TRUST_RECORDED. */
    struct app_panels_view panels;
};

/* Reads a run from files and names joined by commas. A name without a slash that does not end in
 * ".json" or ".json.gz" is that of a shipped device: "h200" stands for all records of assets/runs
 * whose names contain it. Errors: KRN_REFUSED (no record, too many, or records of two devices),
 * KRN_UNAVAILABLE (no such shipped device, or the program's assets are not found), KRN_FAILED,
 * KRN_NO_MEMORY. */
enum krn_code app_recorded_open(const char *names, double band_percent,
                                struct app_recorded **recorded, struct krn_error *error);
void app_recorded_close(struct app_recorded *recorded); /* NULL is fine */

const struct app_recorded_view *app_recorded_view(const struct app_recorded *recorded);

/* Finds the time of a mode for the scene, size and zoom of the state; the pose does not count,
 * because records are of a still scene. */
struct app_mode_time app_recorded_find(const struct app_recorded *recorded,
                                       const struct app_state *state, struct krn_mode mode);

/* Fills the story plot of the state's seed, radii, size and zoom; *view, zeroed or filled before,
 * has a sweep to be freed. */
void app_recorded_story(const struct app_recorded *recorded, const struct app_state *state,
                        double band_percent, struct app_story_view *view);

/* Returns the records behind the run, and their number. */
const struct app_results *app_recorded_records(const struct app_recorded *recorded, size_t *count);

struct app_recorded_loader;

/* Starts to read a run (app_recorded_open) in a thread of its own, so that a window's first frames
 * do not wait for megabytes of samples. NULL: no thread; then there is no run. */
struct app_recorded_loader *app_recorded_loader_start(const char *names, double band_percent);

/* Makes a loader that has a run already, which it closes. */
struct app_recorded_loader *app_recorded_loader_of(struct app_recorded *recorded);

/* Returns the run; NULL: it is not there yet, or could not be read. The loader keeps it. NULL is
 * fine. */
const struct app_recorded *app_recorded_loader_poll(struct app_recorded_loader *loader);

/* Does the same, but waits for the end of reading. */
const struct app_recorded *app_recorded_loader_wait(struct app_recorded_loader *loader);

/* Waits for the thread and closes the run. NULL is fine. */
void app_recorded_loader_close(struct app_recorded_loader *loader);

/* Lists the numbers of spheres that were recorded in the state's view at its size, seed, zoom or
 * camera, ascending; none of a scene from a file. */
struct app_sweep_values app_recorded_counts(const struct app_recorded *recorded,
                                            const struct app_state *state);
