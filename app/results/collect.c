#include "results/collect.h"

#include "base/memory.h"
#include "record/record_json.h"

#include <stdlib.h>
#include <string.h>

struct job {
    void (*write)(const json_t *root, FILE *out);
    json_t *root;
};

static void do_job(FILE *out, const void *context)
{
    const struct job *job = context;
    job->write(job->root, out);
}

char *app_record_collect(const char *record, void (*write)(const json_t *root, FILE *out))
{
    struct job job = {.write = write};
    struct krn_error ignored;
    struct app_json_reader reader = {
        .text = record, .length = strlen(record), .source = "a record", .error = &ignored};
    if (app_record_load(&reader, &job.root) != KRN_OK)
        return NULL;
    char *text = app_printed(do_job, &job);
    json_decref(job.root);
    return text;
}

const char *app_record_text_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_string(value) ? json_string_value(value) : "";
}
