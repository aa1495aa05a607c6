/* app/record/tables.h - a results record as CSV and as Markdown. */
#ifndef APP_TABLES_H
#define APP_TABLES_H

/* One row a result, one header line; columns are the record's names: what identifies a result,
 * its parameters, its metrics, and what speaks for or against it. Quoted as RFC 4180 has it. To be
 * freed; NULL: memory is full. */
char *app_table_csv(const char *record);

/* A table for people, of the record's results. To be freed; NULL: memory is full. */
char *app_table_markdown(const char *record);

#endif
