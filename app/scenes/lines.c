#include "scenes/lines.h"

#include "base/complain.h"
#include "base/files.h"
#include "base/value.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct app_lines app_lines_begin(const char *text, size_t length, const char *source,
                                 struct krn_error *error)
{
    static const char mark[] = "\xef\xbb\xbf";
    const size_t skip = length >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    return (struct app_lines){
        .source = source, .next = text + skip, .end = text + length, .error = error};
}

bool app_lines_next(struct app_lines *lines)
{
    if (lines->next >= lines->end)
        return false;
    const char *end = memchr(lines->next, '\n', (size_t)(lines->end - lines->next));
    lines->line = lines->next;
    lines->length = (size_t)((end != NULL ? end : lines->end) - lines->next);
    lines->next = end != NULL ? end + 1 : lines->end;
    if (lines->length > 0 && lines->line[lines->length - 1] == '\r')
        lines->length--;
    lines->number++;
    return true;
}

enum krn_code app_lines_fail(const struct app_lines *lines, const char *what, ...)
{
    char text[240];
    va_list arguments;
    va_start(arguments, what);
    vsnprintf(text, sizeof text, what, arguments);
    va_end(arguments);
    app_make_printable(text); /* it may quote the file's characters */
    return KRN_FAIL(lines->error, KRN_REFUSED, "%s, line %zu: %s.", app_shorten(lines->source).text,
                    lines->number > 0 ? lines->number : 1, text);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

struct app_field app_lines_field(const struct app_lines *lines, size_t begin, size_t end)
{
    struct app_field field;
    end = end < lines->length ? end : lines->length;
    while (begin < end && is_blank(lines->line[begin]))
        begin++;
    while (begin < end && is_blank(lines->line[end - 1]))
        end--;
    const size_t length = begin < end ? end - begin : 0, most = sizeof field.text - 1;
    const size_t kept = length < most ? length : most;
    memcpy(field.text, lines->line + (kept > 0 ? begin : 0), kept);
    field.text[kept] = 0;
    if (kept < length) /* what is cut must not pass for a number */
        field.text[kept - 1] = '?';
    for (size_t i = 0; i < kept; i++) /* a zero byte would hide what follows it */
        field.text[i] = field.text[i] != 0 ? field.text[i] : '?';
    return field;
}

struct app_field app_lines_word(const struct app_lines *lines, size_t *at)
{
    while (*at < lines->length && is_blank(lines->line[*at]))
        ++*at;
    const size_t begin = *at;
    while (*at < lines->length && !is_blank(lines->line[*at]))
        ++*at;
    return app_lines_field(lines, begin, *at);
}

enum krn_code app_lines_number(const struct app_lines *lines, const struct app_field *field,
                               const char *name, double low, double high, double *number)
{
    double read;
    if (app_parse_real(field->text, &read) && read >= low && read <= high) {
        *number = read;
        return KRN_OK;
    }
    char range[64];
    app_format(range, sizeof range, "%.7g to %.7g", low, high);
    if (field->text[0] == 0)
        return app_lines_fail(lines, "%s is missing", name);
    return app_lines_fail(lines, "%s must be a number from %s, not \"%s\"", name, range,
                          field->text);
}
