/* app/io/csv.c - a record as a table of comma-separated values. */
#include "io/io.h"

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

/* Writes a cell of a list of pairs; nothing for a missing one. */
static void write_pair(FILE *out, const struct app_pair *pair)
{
    char number[40];
    fputc(',', out);
    if (pair != NULL)
        write_text(out, app_pair_text(pair, number));
}

/* The lists of a result, each with a column for every key that any result has. */
static const size_t lists[] = {
    offsetof(struct app_result, workload), offsetof(struct app_result, parameters),
    offsetof(struct app_result, outcome), offsetof(struct app_result, metrics)};
enum { LISTS = sizeof lists / sizeof *lists };

static const struct app_pairs *list_of(const struct app_result *result, size_t list)
{
    return (const struct app_pairs *)((const char *)result + lists[list]);
}

/* The keys of a list in all results, in order of first appearance. */
struct columns {
    const char **keys;
    size_t count;
};

static bool has_key(const struct columns *columns, const char *key)
{
    for (size_t i = 0; i < columns->count; i++)
        if (strcmp(columns->keys[i], key) == 0)
            return true;
    return false;
}

static struct columns columns_of(const struct app_results *results, size_t list)
{
    struct columns columns = {.keys = NULL};
    for (size_t r = 0; r < results->count; r++) {
        const struct app_pairs *own = list_of(&results->results[r], list);
        for (size_t i = 0; i < own->count; i++) {
            if (has_key(&columns, own->pairs[i].key))
                continue;
            columns.keys = app_grow(columns.keys, columns.count + 1, sizeof *columns.keys);
            columns.keys[columns.count++] = own->pairs[i].key;
        }
    }
    return columns;
}

static void write_result(FILE *out, const struct app_results *results,
                         const struct app_result *result, const struct columns columns[LISTS])
{
    static const char *const verified[] = {
        [APP_VERIFIED_UNKNOWN] = "", [APP_VERIFIED_TRUE] = "true", [APP_VERIFIED_FALSE] = "false"};
    const char *const names[] = {result->benchmark, result->variant,
                                 krn_backend_name(result->backend), result->regime};
    const char *const machine[] = {results->has_device ? results->device.name : "", results->host,
                                   results->time_utc, results->version, results->git};
    const char *ids[APP_TRUST_COUNT];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        fputs(i > 0 ? "," : "", out);
        write_text(out, names[i]);
    }
    for (size_t list = 0; list < LISTS; list++)
        for (size_t i = 0; i < columns[list].count; i++)
            write_pair(out, app_pairs_find(*list_of(result, list), columns[list].keys[i]));
    fprintf(out, ",%zu,", result->process_count);
    write_text(out, result->scope);
    fprintf(out, ",%s,", verified[result->verified]);
    write_text(out, result->verified_reason != NULL ? result->verified_reason : "");
    fputc(',', out);
    const size_t n = app_trust_ids(result->trust.reasons, ids);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%s", i > 0 ? " " : "", ids[i]);
    for (size_t i = 0; i < result->trust.others.count; i++)
        fprintf(out, "%s%s", n + i > 0 ? " " : "", result->trust.others.texts[i]);
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
    struct columns columns[LISTS];
    fputs("benchmark,variant,backend,regime", out);
    for (size_t list = 0; list < LISTS; list++) {
        columns[list] = columns_of(results, list);
        for (size_t i = 0; i < columns[list].count; i++)
            fprintf(out, ",%s", columns[list].keys[i]);
    }
    fputs(",processes,scope,verified,verified_reason,trust,complete,device,host,time_utc,version,"
          "git\r\n",
          out);
    for (size_t r = 0; r < results->count; r++)
        write_result(out, results, &results->results[r], columns);
    for (size_t list = 0; list < LISTS; list++)
        free(columns[list].keys);
}

char *app_results_csv(const struct app_results *results)
{
    return app_printed(write_csv, results);
}
