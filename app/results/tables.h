/* app/results/tables.h - results records as CSV tables and as metrics for Prometheus. */
#ifndef APP_TABLES_H
#define APP_TABLES_H

#include <jansson.h>
#include <stdio.h>

/* Formats a record, given as JSON text, as CSV (RFC 4180): a header line, then one line per result.
 * Columns are named as in the record: identity, parameters, metrics, verification, trust, machine.
 * The caller frees the text; NULL when memory is full. */
char *app_table_csv(const char *record);

/* Reads a record, given as JSON text, and collects what `write` prints of it. The caller frees the
 * text; NULL when memory is full. */
char *app_record_collect(const char *record, void (*write)(const json_t *root, FILE *out));

/* Returns a text of an object; "" when it has none with that key. */
const char *app_record_text_of(const json_t *object, const char *key);

/* Formats a record, given as JSON text, in Prometheus's text format 0.0.4, as node_exporter's
 * textfile collector reads it: gauges in base units (seconds, bytes), whose labels are the members
 * that identify a result. The caller frees the text; NULL when memory is full. */
char *app_prometheus_text(const char *record);

#endif
