/* app/record/record.h - the results record, the JSON format of screenshots and benchmarks.
 *
 * The schema id is "spherescope-results-2"; assets/results.schema.json describes it. A record holds
 * what one process measured; merge.h joins the records of several. Numbers that are not finite are
 * left out. The seed is a decimal string, because many JSON readers store
 * numbers as doubles and would lose the low bits of a 64-bit integer. A PNG carries the record in
 * the text chunk APP_RECORD_KEY.
 */
#ifndef APP_RECORD_H
#define APP_RECORD_H

#include "base/environment.h"
#include "command/state.h"
#include "judge/trust.h"
#include "record/pair.h"

#include "krn/device.h"
#include "krn/error.h"
#include "krn/properties.h"
#include "krn/scene.h"
#include "krn/telemetry.h"
#include "ren/blit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define APP_RECORD_KEY "spherescope"

/* The machine that produced the results. NULL and 0 mean "not known"; the record leaves such
 * members out. */
struct app_record_machine {
    const struct app_environment *environment; /* not NULL */
    const struct krn_device_info *device;      /* the device that renders */
    const struct krn_overheads *overheads;
    const char *gl_vendor, *gl_renderer, *gl_version, *gl_context; /* context: a description */
    bool gl_software;
    const struct ren_blit_status *blit;            /* NULL: nothing was drawn on a screen */
    const struct krn_telemetry_reading *telemetry; /* of `device` */
    const struct krn_property *properties;         /* of `device`; NULL: not known */
    int property_count;
    const struct krn_scene *scene; /* of a file, for replay; NULL: the state's recipe makes it */
    const char *scene_note;        /* on that file; NULL or "": none */
};

/* One measurement by this process. benchmark, variant and scope must not be NULL; an array may be
 * NULL when its count is 0. */
struct app_result {
    const char *benchmark; /* "raytrace" */
    const char *variant;   /* "book/global" */
    enum krn_backend_id backend;
    const char *regime;              /* app_regime_name; NULL: none applies, "n/a" */
    const struct app_pair *workload; /* what is rendered (workload.h) */
    size_t workload_count;
    const struct app_pair *parameters; /* what identifies the mode or probe */
    size_t parameter_count;
    const struct app_pair *outcome; /* verdicts, and numbers that do not identify it */
    size_t outcome_count;
    const struct app_pair *metrics; /* numbers; K_low and K_high (low_ms, high_ms): this run's */
    size_t metric_count;
    const char *scope; /* what happens between the two time stamps, in words */
    const double *samples_ms;
    const double *cycles; /* sample_count entries; NULL: not counted */
    size_t sample_count;
    enum app_verified verified;
    const char *verified_reason; /* why it was not verified, or what is wrong; NULL with TRUE */
    const char *const *trust;    /* ids of the reasons to doubt the number: "near-floor" */
    size_t trust_count;
    const char *stop; /* the stop rule that ended it: "narrow", "time", "count"; NULL: none */
    bool complete;    /* false: interrupted before its stop rule */
};

/* A record under construction. Not thread safe. */
struct app_record;

/* Creates a record without results. */
struct app_record *app_record_new(const struct app_record_machine *machine,
                                  const struct app_state *state);

/* Continues a record: new results are added to those of the text, which messages call `source`.
 * Errors: KRN_REFUSED, KRN_NO_MEMORY. */
enum krn_code app_record_resume(const char *text, size_t length, const char *source,
                                struct app_record **record, struct krn_error *error);

/* Appends a copy of *result, as the result of process 1. */
void app_record_add(struct app_record *record, const struct app_result *result);

/* Replaces the device's telemetry by a reading taken during the measurement. */
void app_record_set_telemetry(struct app_record *record,
                              const struct krn_telemetry_reading *reading);

/* Replaces the ids of the reasons to doubt the whole record; a new record has none. */
void app_record_set_trust(struct app_record *record, const char *const *ids, size_t count);

/* Stores the hash of the linear picture that the state renders (krn_device_hash). */
void app_record_set_picture(struct app_record *record, uint64_t hash);

/* Names the device that measured the results which were copied from another record, and that
 * record's time. telemetry: NULL or not valid when it is not known. */
void app_record_set_recorded(struct app_record *record, const struct krn_device_info *device,
                             const struct krn_overheads *overheads,
                             const struct krn_telemetry_reading *telemetry, const char *time_utc);

/* Adds a sentence about the record, once. */
void app_record_note(struct app_record *record, const char *sentence);

/* Marks the record as incomplete: a requested result is missing. */
void app_record_set_incomplete(struct app_record *record);

/* Formats the record as text, which the caller frees. A record is complete when every result is
 * complete and none is missing. */
char *app_record_text(struct app_record *record);

/* Returns true while every result is complete and none is missing. */
bool app_record_is_complete(const struct app_record *record);

void app_record_free(struct app_record *record); /* accepts NULL */

/* Reads the state from the text of a record of either schema, which messages call `source`.
 * Overwrites *state on success, with requests and pending cleared; leaves it unchanged on failure.
 * A missing, unknown, ill-typed or out-of-range member is an error that names it. Errors:
 * KRN_REFUSED, KRN_NO_MEMORY. */
enum krn_code app_record_read_state(const char *text, size_t length, const char *source,
                                    struct app_state *state, struct krn_error *error);

/* What a record says about its picture. */
struct app_record_picture {
    struct app_state state;
    struct krn_scene scene; /* the spheres of a file scene; count 0: the record has none */
    char scene_note[APP_SCENE_NOTE_MAX]; /* on the file; "": none */
    /* Of a file scene as each view draws it, by app_workload_scene_in; "": unknown. */
    char scene_hash[KRN_VIEW_COUNT][24];
    bool has_hash; /* older records have none, nor those of benchmarks */
    uint64_t hash; /* of the linear picture */
};

/* Reads the state as app_record_read_state does, and what else is needed to render its picture
 * again. On success, the caller frees picture->scene. Opens no file. Errors: KRN_REFUSED,
 * KRN_NO_MEMORY. */
enum krn_code app_record_read_picture(const char *text, size_t length, const char *source,
                                      struct app_record_picture *picture, struct krn_error *error);

#endif
