/* app/base/json_read.c - a reader for untrusted JSON. */
#include "base/json_read.h"

#include "base/complain.h"
#include "base/files.h"
#include "krn/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void app_json_enter(struct app_json_reader *reader, const char *key, size_t element)
{
    if (reader->depth < APP_JSON_STEPS_MAX)
        reader->steps[reader->depth] = (struct app_json_step){key, element};
    reader->depth++;
}

void app_json_leave(struct app_json_reader *reader)
{
    reader->depth--;
}

static enum krn_code fail_line(const struct app_json_reader *reader, size_t line, const char *what)
{
    char text[280];
    snprintf(text, sizeof text, "%s", what);
    app_make_printable(text); /* the parser's messages quote the file's characters */
    return KRN_FAIL(reader->error, KRN_REFUSED, "%s, line %zu: %s.",
                    app_shorten(reader->source).text, line, text);
}

enum krn_code app_json_fail(const struct app_json_reader *reader, const char *what, ...)
{
    char path[64] = "", detail[200], text[280];
    size_t used = 0;
    const size_t depth = reader->depth < APP_JSON_STEPS_MAX ? reader->depth : APP_JSON_STEPS_MAX;
    for (size_t i = 0; i < depth && used < sizeof path; i++) {
        const struct app_json_step *step = &reader->steps[i];
        const size_t room = sizeof path - used;
        used += (size_t)(step->key != NULL
                             ? snprintf(path + used, room, "%s%s", i > 0 ? "." : "", step->key)
                             : snprintf(path + used, room, "[%zu]", step->element));
    }
    va_list arguments;
    va_start(arguments, what);
    vsnprintf(detail, sizeof detail, what, arguments);
    va_end(arguments);
    snprintf(text, sizeof text, "%s %s", path[0] != 0 ? path : "the outermost value", detail);
    app_make_printable(text); /* it quotes the file's characters */
    return KRN_FAIL(reader->error, KRN_REFUSED, "%s: %s.", app_shorten(reader->source).text, text);
}

enum krn_code app_json_check_members(const struct app_json_reader *reader, const json_t *object,
                                     const char *const *known)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        bool found = false;
        for (size_t i = 0; known[i] != NULL && !found; i++)
            found = strcmp(key, known[i]) == 0;
        if (!found)
            return app_json_fail(reader, "has an unknown member \"%.40s\"", key);
    }
    return KRN_OK;
}

enum krn_code app_json_require(struct app_json_reader *reader, const json_t *object,
                               const char *key, json_type type, json_t **value)
{
    enum krn_code code = KRN_OK;
    *value = json_object_get(object, key);
    app_json_enter(reader, key, 0);
    if (*value == NULL)
        code = app_json_fail(reader, "is missing");
    else if (json_typeof(*value) != type)
        code = app_json_fail(reader, "must be %s",
                             type == JSON_STRING    ? "a string"
                             : type == JSON_ARRAY   ? "an array"
                             : type == JSON_OBJECT  ? "an object"
                             : type == JSON_INTEGER ? "an integer"
                                                    : "of another type");
    app_json_leave(reader);
    return code;
}

/* A text that is read may be large; values that are built are small. The parser reports an
 * allocation that fails as a wrong text, hence the second flag; and it goes on after one, so that
 * all that follow have to fail. */
static _Thread_local bool reading, memory_was_full;

static void *allocate(size_t size)
{
    if (!reading)
        return krn_grow(NULL, 1, size);
    void *memory = memory_was_full ? NULL : malloc(size);
    memory_was_full = memory == NULL;
    return memory;
}

void app_json_begin(void)
{
    json_set_alloc_funcs(allocate, free);
}

/* Returns what is wrong with a text, for a user: some of the parser's messages are for its
 * programmer. */
static const char *words_of(const json_error_t *problem)
{
    switch (json_error_code(problem)) {
    case json_error_null_character:
        return "a text contains \\u0000";
    case json_error_null_byte_in_key:
        return "the name of a member contains \\u0000";
    default:
        return problem->text;
    }
}

/* Returns what a text is that others give in the place of the file; NULL: it may be JSON. */
static const char *name_other(const char *text)
{
    static const char lfs[] = "version https://git-lfs";
    text += strspn(text, " \t\r\n");
    if (strncmp(text, lfs, strlen(lfs)) == 0)
        return "a Git LFS pointer, not the file it stands for: git lfs pull fetches that";
    if (strncasecmp(text, "<!doctype", 9) == 0 || strncasecmp(text, "<html", 5) == 0)
        return "a page of HTML, not JSON: perhaps a download's page in the place of the file";
    return NULL;
}

/* Checks nesting and number of values without parsing the text, which may be no JSON. */
static enum krn_code check_size(const struct app_json_reader *reader,
                                const struct app_json_bounds *bounds)
{
    size_t line = 1, depth = 0, values = 0;
    bool quoted = false;
    for (size_t i = 0; i < reader->length; i++) {
        const char now = reader->text[i];
        if (now == '"')
            quoted = !quoted;
        line += now == '\n';
        i += quoted && now == '\\'; /* past the character that it escapes */
        if (quoted)
            continue;
        const bool opens = now == '[' || now == '{';
        values += opens || now == ',' || now == ':';
        depth += opens;
        depth -= (now == ']' || now == '}') && depth > 0;
        if (depth > bounds->depth)
            return fail_line(reader, line, "brackets are nested too deeply");
    }
    return values > bounds->values ? fail_line(reader, 1, "the file has too many values") : KRN_OK;
}

enum krn_code app_json_load(const struct app_json_reader *reader,
                            const struct app_json_bounds *bounds, json_t **root)
{
    struct app_json_reader own = *reader;
    reader = &own;
    const struct app_short_path source = app_shorten(reader->source);
    if (reader->length > bounds->bytes)
        return KRN_FAIL(reader->error, KRN_REFUSED, "%s is larger than the limit of %zu MiB.",
                        source.text, bounds->bytes >> 20);
    enum krn_code code = app_text_begin(&own.text, &own.length, own.source, own.error);
    if (code == KRN_OK && strspn(own.text, " \t\r\n") == own.length)
        code = fail_line(reader, 1, "the file is empty");
    if (code == KRN_OK && name_other(own.text))
        code = fail_line(reader, 1, name_other(own.text));
    KRN_THEN(code, check_size(reader, bounds));
    if (code != KRN_OK)
        return code;
    json_error_t problem;
    memory_was_full = false;
    reading = true;
    *root = json_loadb(reader->text, reader->length, JSON_REJECT_DUPLICATES, &problem);
    reading = false;
    if (memory_was_full) { /* a value may be there all the same, with a part of its text */
        json_decref(*root);
        *root = NULL;
        return KRN_FAIL(reader->error, KRN_NO_MEMORY, "No memory to read %s.", source.text);
    }
    if (*root != NULL)
        return KRN_OK;
    return fail_line(reader, problem.line > 0 ? (size_t)problem.line : 1, words_of(&problem));
}
