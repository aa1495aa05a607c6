/* app/records/csv.c - a record as a table of comma-separated values. */
#include "records/io.h"

#include "base/memory.h"
#include "base/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_text(FILE *out, const char *text)
{
    double number;
    /* A spreadsheet would compute what begins like a formula; after an apostrophe, it is a text. */
    const bool formula =
        text[0] != 0 && strchr("=+-@\t\r", text[0]) != NULL && !app_parse_real(text, &number);
    if (!formula && strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, out);
        return;
    }
    fputs(formula ? "\"'" : "\"", out);
    for (; *text != 0; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

/* Returns the value of a key in any list of a result, in none of which it is twice; NULL: it is in
 * none. */
static const struct app_pair *find(const struct app_result *result, const char *key)
{
    const struct app_pair *pair = NULL;
    for (int list = 0; list < APP_LIST_COUNT && pair == NULL; list++)
        pair = app_pairs_find(app_result_list(result, (enum app_member_list)list), key);
    return pair;
}

/* The keys of all results: those of workloads first, each in order of first appearance. */
struct columns {
    const char **keys;
    size_t count;
};

static void add_columns(struct columns *columns, struct app_pairs list)
{
    for (size_t i = 0; i < list.count; i++) {
        size_t at = 0;
        while (at < columns->count && strcmp(columns->keys[at], list.pairs[i].key) != 0)
            at++;
        if (at < columns->count)
            continue;
        columns->keys = app_grow(columns->keys, at + 1, sizeof *columns->keys);
        columns->keys[columns->count++] = list.pairs[i].key;
    }
}

static void write_result(FILE *out, const struct app_results *results,
                         const struct app_result *result, const struct columns *columns)
{
    static const char *const verified[] = {
        [APP_VERIFIED_UNKNOWN] = "", [APP_VERIFIED_TRUE] = "true", [APP_VERIFIED_FALSE] = "false"};
    const char *const names[] = {result->benchmark, result->variant,
                                 krn_backend_name(result->backend), result->regime};
    const char *const machine[] = {results->has_device ? results->device.name : "", results->host,
                                   results->time_utc, results->version, results->git};
    char ids[512];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        fputs(i > 0 ? "," : "", out);
        write_text(out, names[i]);
    }
    for (size_t i = 0; i < columns->count; i++) {
        const struct app_pair *pair = find(result, columns->keys[i]);
        char number[APP_PAIR_NUMBER];
        fputc(',', out);
        if (pair != NULL)
            write_text(out, app_pair_text(pair, number));
    }
    fprintf(out, ",%zu,", result->process_count);
    write_text(out, result->scope);
    fprintf(out, ",%s,", verified[result->verified]);
    write_text(out, result->verified_reason != NULL ? result->verified_reason : "");
    fputc(',', out);
    app_trust_list(result->trust.reasons, ids, sizeof ids);
    fputs(ids, out);
    for (size_t i = 0; i < result->trust.others.count; i++)
        fprintf(out, "%s%s", ids[0] != 0 || i > 0 ? " " : "", result->trust.others.texts[i]);
    fprintf(out, ",%s", result->complete ? "true" : "false");
    for (size_t i = 0; i < sizeof machine / sizeof *machine; i++) {
        fputc(',', out);
        write_text(out, machine[i]);
    }
    fputs("\r\n", out);
}

static void write_csv(FILE *out, const void *context)
{
    const struct app_results *results = context;
    struct columns columns = {.keys = NULL};
    for (int list = 0; list < APP_LIST_COUNT; list++)
        for (size_t r = 0; r < results->count; r++)
            add_columns(&columns,
                        app_result_list(&results->results[r], (enum app_member_list)list));
    fputs("benchmark,variant,backend,regime", out);
    for (size_t i = 0; i < columns.count; i++)
        fprintf(out, ",%s", columns.keys[i]);
    fputs(",processes,scope,verified,verified_reason,trust,complete,device,host,time_utc,version,"
          "git\r\n",
          out);
    for (size_t r = 0; r < results->count; r++)
        write_result(out, results, &results->results[r], &columns);
    free(columns.keys);
}

char *app_results_csv(const struct app_results *results)
{
    return app_printed(write_csv, results);
}
