/* app/records/csv.c - a record as a table of comma-separated values. */
#include "records/io.h"

#include "krn/memory.h"

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

/* The keys of the columns: those of workloads first. */
struct columns {
    const char **keys;
    size_t count;
};

/* Adds a key that the columns lack. The number of processes has a column of its own. */
static void add_column(struct columns *columns, const char *key)
{
    for (size_t i = 0; i < columns->count; i++)
        if (strcmp(columns->keys[i], key) == 0)
            return;
    if (strcmp(key, app_members[APP_O_PROCESSES].key) == 0)
        return;
    columns->keys = krn_grow(columns->keys, columns->count + 1, sizeof *columns->keys);
    columns->keys[columns->count++] = key;
}

/* Returns true when results of one benchmark may have a member: its description begins with what
 * has it, "duel: pairs", or else all have. */
static bool may_have(const struct app_result *result, const struct app_member_row *row)
{
    const char *colon = strchr(row->what, ':');
    char of[32] = "";
    if (row->list == APP_LIST_W || colon == NULL)
        return row->list != APP_LIST_W || result->workload.count > 0;
    snprintf(of, sizeof of, "%.*s", (int)(colon - row->what), row->what);
    return strstr(of, result->probe != NULL ? "probe" : result->benchmark) != NULL ||
           ((strstr(of, "kernel") != NULL || strcmp(of, "light view") == 0) &&
            result->workload.count > 0);
}

/* Lists the columns: every member that results of the record's benchmarks may have, so that all
 * runs of a command have the same ones, and what else a record has. */
static struct columns list_columns(const struct app_results *results)
{
    struct columns columns = {.keys = NULL};
    for (int m = 0; m < APP_MEMBERS_COUNT; m++)
        for (size_t r = 0; r < results->count; r++) {
            if (!may_have(&results->results[r], &app_members[m]))
                continue;
            add_column(&columns, app_members[m].key);
            for (int end = 0; end < 2 && app_members[m].sum == APP_SUM_CENTRE; end++)
                add_column(&columns, app_member_bound((enum app_member)m, end == 1));
            break;
        }
    for (int list = 0; list < APP_LIST_COUNT; list++)
        for (size_t r = 0; r < results->count; r++) {
            const struct app_pairs pairs =
                app_result_list(&results->results[r], (enum app_member_list)list);
            for (size_t i = 0; i < pairs.count; i++)
                add_column(&columns, pairs.pairs[i].key);
        }
    return columns;
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
    const struct app_pair *behind = find(result, app_members[APP_O_PROCESSES].key);
    fprintf(out, ",%.0f,", behind != NULL ? behind->number : (double)result->process_count);
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
    struct columns columns = list_columns(results);
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
    return krn_printed(write_csv, results);
}
