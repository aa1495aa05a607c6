/* app/base/value.c - the kinds of value, their texts and their description. */
#include "base/value.h"

#include <errno.h>
#include <float.h>
#include <limits.h>
#include <locale.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void app_locale_begin(void)
{
    const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c != (locale_t)0)
        uselocale(c);
}

void app_format(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, size, format, arguments);
    va_end(arguments);
}

struct app_phrase app_phrase(const char *format, ...)
{
    struct app_phrase phrase;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(phrase.text, sizeof phrase.text, format, arguments);
    va_end(arguments);
    return phrase;
}

void app_append(char *text, size_t size, const char *separator, const char *format, ...)
{
    va_list arguments;
    const size_t before = strlen(text);
    app_format(text + before, size - before, "%s", before > 0 ? separator : "");
    const size_t used = strlen(text);
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

void app_write_markup(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '&' || *text == '<' || *text == '>')
            fputs(*text == '&' ? "&amp;" : *text == '<' ? "&lt;" : "&gt;", out);
        else
            fputc(*text, out);
}

static size_t count_digits(const char *text)
{
    return strspn(text, "0123456789");
}

bool app_parse_uint64(const char *text, uint64_t *number)
{
    const size_t digits = count_digits(text);
    if (digits == 0 || text[digits] != 0)
        return false;
    errno = 0;
    const unsigned long long parsed = strtoull(text, NULL, 10);
    if (errno != 0 || parsed > UINT64_MAX)
        return false;
    *number = parsed;
    return true;
}

bool app_parse_int(const char *text, int *number)
{
    const size_t sign = text[0] == '-';
    const size_t digits = count_digits(text + sign);
    if (digits == 0 || text[sign + digits] != 0)
        return false;
    errno = 0;
    const long parsed = strtol(text, NULL, 10);
    if (errno != 0 || parsed < INT_MIN || parsed > INT_MAX)
        return false;
    *number = (int)parsed;
    return true;
}

/* Returns the length of the decimal number at the start of text, such as "-12.5e-3"; 0 when there
 * is none. Accepts what strtod accepts, except hexadecimal numbers, blanks, NaN and infinity. */
static size_t span_real(const char *text)
{
    size_t n = text[0] == '-';
    const size_t whole = count_digits(text + n);
    n += whole;
    size_t fraction = 0;
    if (text[n] == '.') {
        fraction = count_digits(text + n + 1);
        n += 1 + fraction;
    }
    if (whole + fraction == 0)
        return 0;
    if (text[n] == 'e' || text[n] == 'E') {
        const size_t sign = text[n + 1] == '-' || text[n + 1] == '+';
        const size_t digits = count_digits(text + n + 1 + sign);
        if (digits == 0)
            return 0;
        n += 1 + sign + digits;
    }
    return n;
}

bool app_parse_real(const char *text, double *number)
{
    const size_t n = span_real(text);
    if (n == 0 || text[n] != 0)
        return false;
    char *end = NULL;
    const double parsed = strtod(text, &end);
    if (end != text + n || !(parsed >= -DBL_MAX && parsed <= DBL_MAX))
        return false;
    *number = parsed;
    return true;
}

/* Copies the text before `separator` into part and returns the text after it. Returns NULL when
 * there is no separator or the first part does not fit. */
static const char *split(const char *text, char separator, char *part, size_t size)
{
    const char *at = strchr(text, separator);
    if (at == NULL || (size_t)(at - text) >= size)
        return NULL;
    memcpy(part, text, (size_t)(at - text));
    part[at - text] = 0;
    return at + 1;
}

static bool between(double number, double low, double high)
{
    return number >= low && number <= high;
}

static int find_choice(const struct app_value *value, const char *text, size_t length)
{
    for (int i = 0; value->choices[i] != NULL; i++)
        if (strlen(value->choices[i]) == length && memcmp(value->choices[i], text, length) == 0)
            return i;
    return -1;
}

/* Accepts a comma-separated list of choices without repetition. */
static bool parse_names(const struct app_value *value, const char *text)
{
    unsigned long long seen = 0;
    for (;;) {
        const size_t length = strcspn(text, ",");
        const int choice = find_choice(value, text, length);
        if (choice < 0 || (seen >> choice & 1) != 0)
            return false;
        seen |= 1ull << choice;
        if (text[length] == 0)
            return true;
        text += length + 1;
    }
}

static bool parse_pair(const struct app_value *value, const char *text, struct app_given *given)
{
    char part[64];
    const bool size = value->kind == APP_VALUE_SIZE;
    const char *rest = split(text, size ? 'x' : ':', part, sizeof part);
    if (rest == NULL)
        return false;
    return size ? app_parse_int(part, &given->width) && app_parse_int(rest, &given->height)
                : app_parse_real(part, &given->low) && app_parse_real(rest, &given->high);
}

/* Parses the first `length` bytes of text, such as "spheres=1..20", into the span of that name.
 * Returns false for a name that is unknown or was given before, and for other texts. */
static bool parse_span(const struct app_value *value, const char *text, size_t length,
                       struct app_given *given)
{
    char whole[64], part[64];
    if (length >= sizeof whole)
        return false;
    memcpy(whole, text, length);
    whole[length] = 0;
    const char *ends = split(whole, '=', part, sizeof part);
    for (int i = 0; ends != NULL && value->spans[i].name != NULL; i++) {
        struct app_span *span = &given->spans[i];
        if (strcmp(part, value->spans[i].name) != 0)
            continue;
        const char *high = split(ends, '.', part, sizeof part);
        if (span->on || high == NULL || high[0] != '.')
            return false;
        span->on = true;
        return app_parse_int(part, &span->low) && app_parse_int(high + 1, &span->high);
    }
    return false;
}

/* Parses "spheres=1..20,bounces=0..8", in any order. */
static bool parse_spans(const struct app_value *value, const char *text, struct app_given *given)
{
    for (;;) {
        const size_t length = strcspn(text, ",");
        if (!parse_span(value, text, length, given))
            return false;
        if (text[length] == 0)
            return true;
        text += length + 1;
    }
}

/* Parses text by the value's kind, without checking its range. */
static bool read_text(const struct app_value *value, const char *text, struct app_given *given)
{
    switch (value->kind) {
    case APP_VALUE_NONE:
        given->on = true;
        return text[0] == 0;
    case APP_VALUE_SWITCH:
        given->on = strcmp(text, "on") == 0;
        return given->on || strcmp(text, "off") == 0;
    case APP_VALUE_CHOICE:
        given->choice = find_choice(value, text, strlen(text));
        return true;
    case APP_VALUE_INTEGER:
        return app_parse_int(text, &given->integer);
    case APP_VALUE_SEED:
        return app_parse_uint64(text, &given->seed);
    case APP_VALUE_REAL:
    case APP_VALUE_SINGLE:
        return app_parse_real(text, &given->real);
    case APP_VALUE_RANGE:
    case APP_VALUE_SIZE:
        return parse_pair(value, text, given);
    case APP_VALUE_SPANS:
        return parse_spans(value, text, given);
    case APP_VALUE_NAMES:
    case APP_VALUE_PATH:
    case APP_VALUE_TEXT:
        given->text = text;
        return true;
    }
    return false;
}

static bool ends_in(const char *text, const char *suffix)
{
    const size_t n = strlen(text), m = strlen(suffix);
    return n > m && strcasecmp(text + n - m, suffix) == 0;
}

bool app_value_is_joined(const char *text)
{
    const size_t length = strlen(text);
    return length > 0 && text[0] != ',' && text[length - 1] != ',' && strstr(text, ",,") == NULL;
}

int app_value_choices(const struct app_value *value)
{
    int count = 0;
    while (value->choices != NULL && value->choices[count] != NULL)
        count++;
    return count;
}

/* Returns true when a span is on, and every one that is on lies in the range of its kind. */
static bool allows_spans(const struct app_value *value, const struct app_span *spans)
{
    bool some = false;
    for (int i = 0; value->spans[i].name != NULL; i++) {
        const struct app_span *span = &spans[i];
        if (span->on && !(value->spans[i].low <= span->low && span->low <= span->high &&
                          span->high <= value->spans[i].high))
            return false;
        some = some || span->on;
    }
    return some;
}

bool app_value_allows(const struct app_value *value, const struct app_given *given)
{
    const double low = value->low, high = value->high;
    const char *text = given->text;
    if (given->word)
        return value->word != NULL;
    switch (value->kind) {
    case APP_VALUE_NONE:
        return given->on;
    case APP_VALUE_SWITCH:
    case APP_VALUE_SEED:
        return true;
    case APP_VALUE_CHOICE:
        return given->choice >= 0 && given->choice < app_value_choices(value);
    case APP_VALUE_INTEGER:
        return between(given->integer, low, high);
    case APP_VALUE_REAL:
    case APP_VALUE_SINGLE:
        return between(given->real, low, high);
    case APP_VALUE_RANGE:
        return between(given->low, low, high) && between(given->high, given->low, high);
    case APP_VALUE_SPANS:
        return allows_spans(value, given->spans);
    case APP_VALUE_SIZE:
        return between(given->width, low, high) && between(given->height, low, high);
    case APP_VALUE_NAMES:
        return text != NULL && parse_names(value, text);
    case APP_VALUE_PATH:
        return text != NULL && text[0] != 0 &&
               (value->suffix == NULL || ends_in(text, value->suffix)) &&
               (!value->list || app_value_is_joined(text));
    case APP_VALUE_TEXT:
        return text != NULL && value->check(text);
    }
    return false;
}

bool app_value_parse(const struct app_value *value, const char *text, struct app_given *given)
{
    struct app_given parsed;
    memset(&parsed, 0, sizeof parsed);
    parsed.word = value->word != NULL && strcmp(text, value->word) == 0;
    if (parsed.word)
        parsed.text = text;
    else if (!read_text(value, text, &parsed))
        return false;
    if (!app_value_allows(value, &parsed))
        return false;
    *given = parsed;
    return true;
}

/* Joins the choices by ", " and the last two by `last`: "a, b or c". When `last` is "|", it joins
 * all of them: "a|b|c". */
static void join_choices(const struct app_value *value, const char *last, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; value->choices[i] != NULL && used < size; i++) {
        const bool final = value->choices[i + 1] == NULL;
        const char *separator = i == 0 ? "" : final || last[0] == '|' ? last : ", ";
        used += (size_t)snprintf(text + used, size - used, "%s%s", separator, value->choices[i]);
    }
}

/* Appends to text what the format says; cuts what does not fit. */
__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size,
                                                         const char *format, ...)
{
    va_list arguments;
    const size_t used = strlen(text);
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

static void format_spans(const struct app_value *value, const struct app_span *spans, char *text,
                         size_t size)
{
    for (int i = 0; value->spans[i].name != NULL; i++)
        if (spans[i].on)
            append(text, size, "%s%s=%d..%d", text[0] != 0 ? "," : "", value->spans[i].name,
                   spans[i].low, spans[i].high);
}

void app_value_text(const struct app_value *value, const struct app_given *given, char *text,
                    size_t size)
{
    const enum app_value_kind kind = value->kind;
    const bool ranged = kind == APP_VALUE_CHOICE || kind == APP_VALUE_INTEGER ||
                        kind == APP_VALUE_REAL || kind == APP_VALUE_SINGLE;
    text[0] = 0;
    if (given->word)
        append(text, size, "%s", value->word);
    else if (value->list || (ranged && !app_value_allows(value, given)))
        return;
    else if (kind == APP_VALUE_NONE || kind == APP_VALUE_SWITCH)
        append(text, size, "%s", given->on ? "on" : "off");
    else if (kind == APP_VALUE_CHOICE)
        append(text, size, "%s", value->choices[given->choice]);
    else if (kind == APP_VALUE_INTEGER)
        append(text, size, "%d", given->integer);
    else if (kind == APP_VALUE_SEED)
        append(text, size, "%llu", (unsigned long long)given->seed);
    else if (kind == APP_VALUE_RANGE)
        append(text, size, "%.7g:%.7g", given->low, given->high);
    else if (kind == APP_VALUE_SIZE)
        append(text, size, "%dx%d", given->width, given->height);
    else if (kind == APP_VALUE_SPANS)
        format_spans(value, given->spans, text, size);
    else if (ranged)
        append(text, size, "%.6g", given->real);
    else
        append(text, size, "%s", given->text);
}

/* Describes the spans: "spheres=A..B with 1 <= A <= B <= 1000000, bounces=A..B with ... ". */
static void describe_spans(const struct app_value *value, char *text, size_t size)
{
    text[0] = 0;
    for (int i = 0; value->spans[i].name != NULL; i++)
        append(text, size, "%s%s=A..B with %d <= A <= B <= %d", i > 0 ? ", " : "",
               value->spans[i].name, value->spans[i].low, value->spans[i].high);
    if (value->spans[1].name != NULL)
        append(text, size, ", or both joined by a comma");
}

struct bound {
    char text[32];
};

static struct bound bound(double number)
{
    struct bound text;
    snprintf(text.text, sizeof text.text, "%.12g", number);
    return text;
}

void app_value_limits(const struct app_value *value, char *text, size_t size)
{
    text[0] = 0;
    switch (value->kind) {
    case APP_VALUE_INTEGER:
    case APP_VALUE_REAL:
    case APP_VALUE_RANGE:
    case APP_VALUE_SIZE:
        snprintf(text, size, "%s..%s", bound(value->low).text, bound(value->high).text);
        break;
    case APP_VALUE_SPANS:
        for (int i = 0; value->spans[i].name != NULL; i++)
            append(text, size, "%s%s %d..%d", i > 0 ? ", " : "", value->spans[i].name,
                   value->spans[i].low, value->spans[i].high);
        break;
    case APP_VALUE_SEED:
        snprintf(text, size, "0..%llu", (unsigned long long)UINT64_MAX);
        break;
    default:
        break;
    }
}

void app_value_metavar(const struct app_value *value, char *text, size_t size)
{
    static const char *const usual[] = {
        [APP_VALUE_NONE] = "",
        [APP_VALUE_SWITCH] = "on|off",
        [APP_VALUE_CHOICE] = "",
        [APP_VALUE_INTEGER] = "N",
        [APP_VALUE_NAMES] = "NAME[,NAME...]",
        [APP_VALUE_SEED] = "N",
        [APP_VALUE_REAL] = "X",
        [APP_VALUE_SINGLE] = "X",
        [APP_VALUE_RANGE] = "A:B",
        [APP_VALUE_SPANS] = "",
        [APP_VALUE_SIZE] = "WxH",
        [APP_VALUE_PATH] = "FILE",
        [APP_VALUE_TEXT] = "TEXT",
    };
    char own[128];
    if (value->metavar != NULL)
        snprintf(own, sizeof own, "%s", value->metavar);
    else if (value->kind == APP_VALUE_CHOICE)
        join_choices(value, "|", own, sizeof own);
    else if (value->kind == APP_VALUE_SPANS) {
        own[0] = 0;
        for (int i = 0; value->spans[i].name != NULL; i++)
            append(own, sizeof own, "%s%s=A..B", i > 0 ? "," : "", value->spans[i].name);
    } else
        snprintf(own, sizeof own, "%s", usual[value->kind]);
    if (value->word == NULL)
        snprintf(text, size, "%s", own);
    else if (value->kind == APP_VALUE_PATH)
        snprintf(text, size, "%s|%s", own, value->word);
    else
        snprintf(text, size, "%s|%s", value->word, own);
}

void app_value_describe(const struct app_value *value, char *text, size_t size)
{
    char what[224], names[192];
    const struct bound low = bound(value->low), high = bound(value->high);
    switch (value->kind) {
    case APP_VALUE_NONE:
        snprintf(what, sizeof what, "no value");
        break;
    case APP_VALUE_SWITCH:
        snprintf(what, sizeof what, "on or off");
        break;
    case APP_VALUE_CHOICE:
        if (value->takes != NULL)
            snprintf(what, sizeof what, "%s, as in %s", value->takes, value->example);
        else
            join_choices(value, " or ", what, sizeof what);
        break;
    case APP_VALUE_NAMES:
        join_choices(value, ", ", names, sizeof names);
        snprintf(what, sizeof what, "different names separated by commas (%.150s)", names);
        break;
    case APP_VALUE_INTEGER:
        snprintf(what, sizeof what, "an integer from %s to %s", low.text, high.text);
        break;
    case APP_VALUE_SEED:
        snprintf(what, sizeof what, "an integer from 0 to %llu", (unsigned long long)UINT64_MAX);
        break;
    case APP_VALUE_REAL:
    case APP_VALUE_SINGLE:
        snprintf(what, sizeof what, "a number from %s to %s", low.text, high.text);
        break;
    case APP_VALUE_RANGE:
        snprintf(what, sizeof what, "A:B with %s <= A <= B <= %s", low.text, high.text);
        break;
    case APP_VALUE_SPANS:
        describe_spans(value, what, sizeof what);
        break;
    case APP_VALUE_SIZE:
        snprintf(what, sizeof what, "WxH, integers from %s to %s", low.text, high.text);
        break;
    case APP_VALUE_PATH:
        snprintf(what, sizeof what, "%s%s%s",
                 value->list ? "file names, also joined by commas" : "a file name",
                 value->suffix != NULL ? " that ends in " : "",
                 value->suffix != NULL ? value->suffix : "");
        break;
    case APP_VALUE_TEXT:
        snprintf(what, sizeof what, "%s, as in %s", value->takes, value->example);
        break;
    }
    snprintf(text, size, "%s%s%s%s%s", value->word != NULL ? value->word : "",
             value->word != NULL ? " or " : "", what, value->unit != NULL ? ", in " : "",
             value->unit != NULL ? value->unit : "");
}
