/* app/records/io.h - records as texts: JSON, which is read again, and others.
 *
 * The JSON's schema id is "spherescope-results-2"; assets/results.schema.json describes it. Numbers
 * that are not known are left out. The seed is a decimal string, because many JSON readers store
 * numbers as doubles and would lose the low bits of a 64-bit integer. A PNG carries the record in
 * the text chunk APP_RECORD_KEY.
 */
#pragma once

#include "model/model.h"

#define APP_RECORD_KEY "spherescope"

enum { APP_RECORD_BYTES_MAX = 128 << 20 }; /* of a record that is read */

/* Reads a record from its text, which messages call `source`. On failure, *results is empty. A
 * record whose picture cannot be rendered is a record all the same: picture.problem says why.
 * Errors: KRN_REFUSED (not a record; the message names line and member), KRN_NO_MEMORY. */
enum krn_code app_results_read(const char *text, size_t length, const char *source,
                               struct app_results *results, struct krn_error *error);

/* Reads a record from a file. Errors: also KRN_FAILED (the file cannot be read). */
enum krn_code app_results_read_file(const char *path, struct app_results *results,
                                    struct krn_error *error);

/* Each formats a record as a text, which the caller frees. */

/* JSON, one line per part and per result. */
char *app_results_text(const struct app_results *results);

/* The same without the samples. */
char *app_results_brief_text(const struct app_results *results);

/* Pillow opens no picture whose text is larger. */
enum { APP_PICTURE_TEXT_MAX = 1 << 20 };

/* The same for a PNG file: as much of the record as is smaller than that. It loses its samples
 * first, and then probes and other results; a note says so. */
char *app_results_picture_text(const struct app_results *results);

/* CSV (RFC 4180): a header line, then one line per result. Columns are named as in the JSON:
 * identity, parameters, metrics, verification, trust, machine. */
char *app_results_csv(const struct app_results *results);

/* Prometheus's text format 0.0.4, as node_exporter's textfile collector reads it: gauges in base
 * units (seconds, bytes), whose labels are the members that identify a result. run: a name that
 * tells this record's series from those of other files in the collector's folder. */
char *app_results_prometheus(const struct app_results *results, const char *run);
