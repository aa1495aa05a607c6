/* app/record/record_json.h - a whole record as a JSON value. */
#ifndef APP_RECORD_JSON_H
#define APP_RECORD_JSON_H

#include "base/json_read.h"

/* The longest record that is read. */
extern const struct app_json_bounds app_record_bounds;

/* Parses the reader's text as a record, of which only the schema is checked. The caller releases
 * *root. Errors: KRN_REFUSED, KRN_NO_MEMORY. */
enum krn_code app_record_parse(struct app_json_reader *reader, json_t **root);

/* Does the same, checks that the record has an environment, and replaces what may not be printed
 * (base/complain.h) by '?'. */
enum krn_code app_record_load(struct app_json_reader *reader, json_t **root);

/* Formats a record with one line per part and per result. The caller frees the text. */
char *app_record_print(const json_t *root);

/* Returns the key of a result: two results with equal keys measured the same. The caller frees it.
 */
char *app_record_key(const json_t *result);

#endif
