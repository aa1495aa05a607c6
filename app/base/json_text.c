/* app/base/json_text.c - line numbers and size of a JSON text. */
#include "base/json_text.h"

#include <stdbool.h>
#include <string.h>

struct cursor {
    const char *at, *end;
};

static char peek(const struct cursor *c)
{
    return c->at < c->end ? *c->at : 0;
}

static void skip_blanks(struct cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\n' || *c->at == '\r'))
        c->at++;
}

/* Moves from the opening quote past the closing one. */
static void skip_string(struct cursor *c)
{
    for (c->at++; c->at < c->end && *c->at != '"'; c->at++)
        if (*c->at == '\\' && c->at + 1 < c->end)
            c->at++;
    if (c->at < c->end)
        c->at++;
}

/* Moves past the value at the cursor. Counts brackets instead of recursing, so that nesting cannot
 * exhaust the stack. */
static void skip_value(struct cursor *c)
{
    size_t depth = 0;
    while (c->at < c->end) {
        const char now = *c->at;
        if (depth == 0 && (now == ',' || now == '}' || now == ']'))
            return;
        if (now == '"') {
            skip_string(c);
            continue;
        }
        depth += now == '[' || now == '{';
        depth -= now == ']' || now == '}';
        c->at++;
    }
}

/* Moves to the member or element. When it does not exist, returns false and does not move. */
static bool enter(struct cursor *c, const struct app_json_step *step)
{
    struct cursor inner = *c;
    skip_blanks(&inner);
    if (peek(&inner) != (step->key != NULL ? '{' : '['))
        return false;
    inner.at++;
    for (size_t i = 0;; i++) {
        bool here = i == step->element;
        skip_blanks(&inner);
        if (inner.at == inner.end || peek(&inner) == '}' || peek(&inner) == ']')
            return false;
        if (step->key != NULL) {
            const char *name = inner.at + 1;
            const size_t length = strlen(step->key);
            skip_string(&inner);
            here = (size_t)(inner.at - name) == length + 1 && memcmp(name, step->key, length) == 0;
            skip_blanks(&inner);
            inner.at += peek(&inner) == ':';
            skip_blanks(&inner);
        }
        if (here) {
            *c = inner;
            return true;
        }
        skip_value(&inner);
        inner.at += peek(&inner) == ',';
    }
}

size_t app_json_line(const char *text, size_t length, const struct app_json_step *steps,
                     size_t count)
{
    struct cursor c = {text, text + length};
    skip_blanks(&c);
    for (size_t i = 0; i < count && enter(&c, &steps[i]); i++)
        continue;
    size_t line = 1;
    for (const char *at = text; at < c.at; at++)
        line += *at == '\n';
    return line;
}

struct app_json_size app_json_measure(const char *text, size_t length, size_t max_depth)
{
    struct app_json_size size = {0, 0, 0};
    struct cursor c = {text, text + length};
    size_t line = 1, depth = 0;
    while (c.at < c.end) {
        const char now = *c.at;
        if (now == '"') {
            skip_string(&c);
            continue;
        }
        line += now == '\n';
        size.values += now == ',' || now == ':' || now == '[' || now == '{';
        depth += now == '[' || now == '{';
        if (depth > 0)
            depth -= now == ']' || now == '}';
        if (depth > size.depth)
            size.depth = depth;
        if (depth > max_depth && size.deep_line == 0)
            size.deep_line = line;
        c.at++;
    }
    return size;
}
