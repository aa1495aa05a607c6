#include "results/collect.h"

#include "record/record_json.h"

#include <stdlib.h>
#include <string.h>

char *app_record_collect(const char *record, void (*write)(const json_t *root, FILE *out))
{
    char *text = NULL;
    size_t size = 0;
    json_t *root = NULL;
    struct krn_error ignored;
    struct app_json_reader reader = {
        .text = record, .length = strlen(record), .source = "a record", .error = &ignored};
    if (app_record_load(&reader, &root) != KRN_OK)
        return NULL;
    FILE *out = open_memstream(&text, &size);
    bool failed = out == NULL;
    if (out != NULL) {
        write(root, out);
        failed = ferror(out) != 0;
        failed = fclose(out) != 0 || failed;
    }
    json_decref(root);
    if (failed) {
        free(text);
        return NULL;
    }
    return text;
}

const char *app_record_text_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_string(value) ? json_string_value(value) : "";
}
