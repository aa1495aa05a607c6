/* app/results/tables.h - results records as CSV tables. */
#ifndef APP_TABLES_H
#define APP_TABLES_H

/* Formats a record, given as JSON text, as CSV (RFC 4180): a header line, then one line per result.
 * Columns are named as in the record: identity, parameters, metrics, verification, trust, machine.
 * The caller frees the text; NULL when memory is full. */
char *app_table_csv(const char *record);

#endif
