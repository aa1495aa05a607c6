/* app/record/record.h - the results record: what screenshots, benchmarks, comparison and replay
 * share.
 *
 * JSON, schema id "spherescope-results-1", described by assets/results.schema.json. Numbers that
 * are not finite are left out. The seed is a decimal string, since JSON numbers are doubles in many
 * readers and lose the low bits of 64. In a PNG the record is the text chunk APP_RECORD_KEY.
 */
#ifndef APP_RECORD_H
#define APP_RECORD_H

#include "base/environment.h"
#include "command/state.h"
#include "judge/verified.h"

#include "krn/device.h"
#include "krn/error.h"
#include "krn/telemetry.h"
#include "ren/blit.h"

#include <stdbool.h>
#include <stddef.h>

#define APP_RECORD_SCHEMA "spherescope-results-1"
#define APP_RECORD_KEY "spherescope"

/* What is known of the devices; NULL and 0 are "not known" and are left out. */
struct app_record_machine {
    const struct app_environment *environment; /* not NULL */
    const struct krn_device_info *device;      /* the one that renders */
    const struct krn_overheads *overheads;
    const char *gl_vendor, *gl_renderer, *gl_version, *gl_context; /* context in words */
    bool gl_software;
    const struct ren_blit_status *blit;            /* NULL: no picture was put on a screen */
    const struct krn_telemetry_reading *telemetry; /* of the device; NULL: not known */
};

/* One parameter or metric: a number, or with text != NULL a text (parameters only). */
struct app_pair {
    const char *key; /* lower case, with its unit: "median_ms" */
    double number;
    const char *text;
};

/* One measurement. All is copied. benchmark, variant and scope are not NULL; an array may be when
 * its count is 0. */
struct app_result {
    const char *benchmark; /* "raytrace" */
    const char *variant;   /* "book/global" */
    enum krn_backend_id backend;
    const struct app_pair *parameters;
    size_t parameter_count;
    const struct app_pair *metrics;
    size_t metric_count;
    const char *scope; /* what lies between the time stamps, in words */
    const double *samples_ms;
    size_t sample_count;
    enum app_verified verified;
    const char *verified_reason; /* why it is not known, or what is wrong; NULL with TRUE */
    const char *const *trust;    /* ids of what speaks against the number: "near-floor" */
    size_t trust_count;
    const char *stop; /* which rule ended it: "narrow", "time", "count"; NULL: none did */
    bool complete;    /* false: ended before its stop rule did */
};

struct app_record;

/* A record without results. NULL when memory is full. */
struct app_record *app_record_new(const struct app_record_machine *machine,
                                  const struct app_state *state);

/* Adds a copy of result; false when memory is full (the record is then unusable). */
bool app_record_add(struct app_record *record, const struct app_result *result);

/* What the device did while it was measured, in place of what it did before. */
bool app_record_set_telemetry(struct app_record *record,
                              const struct krn_telemetry_reading *reading);

/* What speaks against the record as a whole, as ids; none before the first call. */
bool app_record_set_trust(struct app_record *record, const char *const *ids, size_t count);

/* Something that was asked for is missing: the record is incomplete, whatever its results are. */
void app_record_set_incomplete(struct app_record *record);

/* The record as text, to be freed by the caller; NULL when memory is full. A record is complete
 * when all its results are and none is missing. */
char *app_record_text(struct app_record *record);

void app_record_free(struct app_record *record); /* NULL is fine */

/* Reads the state of a record. source is what sentences call it. *state is overwritten on success
 * (requests and pending cleared), untouched on failure. A field that is missing, of the wrong type,
 * out of range or unknown is an error that names it.
 * Errors: KRN_REFUSED, KRN_NO_MEMORY. */
enum krn_code app_record_read_state(const char *text, size_t length, const char *source,
                                    struct app_state *state, struct krn_error *error);

#endif
