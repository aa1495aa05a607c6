/* app/results/collect.h - turns a results record into a text of another format. */
#ifndef APP_COLLECT_H
#define APP_COLLECT_H

#include <jansson.h>
#include <stdio.h>

/* Reads a record, given as JSON text, and collects what `write` prints of it. The caller frees the
 * text; NULL when memory is full. */
char *app_record_collect(const char *record, void (*write)(const json_t *root, FILE *out));

/* Returns a text of an object; "" when it has none with that key. */
const char *app_record_text_of(const json_t *object, const char *key);

#endif
