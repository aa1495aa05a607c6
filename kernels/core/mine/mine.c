#include "core/mine/mine.h"

#include "core/device/backend.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char arguments[] = "(const sphere *spheres, frame frame)";

/* --- reading a file, as far as its kernel needs it --- */

/* A word, a character, or the end of the text, where length is 0. */
struct token {
    const char *text;
    size_t length;
    int line;
};

struct reader {
    const char *at;
    int line;
};

static void skip(struct reader *reader, size_t count)
{
    for (; count > 0 && *reader->at != 0; count--)
        reader->line += *reader->at++ == '\n';
}

/* Skips a comment or a text in quotes. Returns false when there is none. */
static bool skip_comment(struct reader *reader)
{
    const char *at = reader->at;
    size_t length = 0;
    if (strncmp(at, "//", 2) == 0) {
        length = strcspn(at, "\n");
    } else if (strncmp(at, "/*", 2) == 0) {
        const char *end = strstr(at + 2, "*/");
        length = end != NULL ? (size_t)(end + 2 - at) : strlen(at);
    } else {
        return false;
    }
    skip(reader, length);
    return true;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static struct token next_token(struct reader *reader)
{
    while (isspace((unsigned char)*reader->at) || skip_comment(reader))
        if (isspace((unsigned char)*reader->at))
            skip(reader, 1);
    struct token token = {reader->at, 0, reader->line};
    const char quote = *reader->at;
    if (quote == '"' || quote == '\'') {
        do
            token.length +=
                token.text[token.length] == '\\' && token.text[token.length + 1] ? 2 : 1;
        while (token.text[token.length] != 0 && token.text[token.length] != quote &&
               token.text[token.length] != '\n');
        token.length += token.text[token.length] == quote;
    } else {
        while (is_word(token.text[token.length]))
            token.length++;
        token.length += token.length == 0 && quote != 0;
    }
    skip(reader, token.length);
    return token;
}

static bool is(struct token token, const char *text)
{
    return token.length == strlen(text) && memcmp(token.text, text, token.length) == 0;
}

/* Skips what stands in parentheses, the first of which has been read. */
static void skip_parentheses(struct reader *reader)
{
    for (int depth = 1; depth > 0;) {
        const struct token token = next_token(reader);
        depth += is(token, "(") - is(token, ")");
        if (token.length == 0)
            return;
    }
}

/* Reads the name between __global__ and the arguments. */
static struct token read_name(struct reader *reader)
{
    struct token name = {"", 0, 0}, token = next_token(reader);
    for (; token.length > 0 && !is(token, ";") && !is(token, "{"); token = next_token(reader)) {
        const bool open = is(token, "(");
        if (open && !is(name, "__launch_bounds__") && !is(name, "__attribute__"))
            return name;
        if (open)
            skip_parentheses(reader);
        else
            name = token;
    }
    return (struct token){"", 0, 0};
}

/* Returns true when a declaration behind __constant__ names `scene`. */
static bool names_scene(struct reader *reader)
{
    bool found = false;
    for (struct token token = next_token(reader); token.length > 0 && !is(token, ";");
         token = next_token(reader))
        found = found || is(token, "scene");
    return found;
}

static enum krn_code refuse_word(const char *file, struct token token, const char *why,
                                 struct krn_error *error)
{
    return KRN_FAIL(error, KRN_REFUSED, "%s, line %d: %.*s %s.", file, token.line,
                    (int)token.length, token.text, why);
}

static enum krn_code read_source(const char *file, const char *source, bool cpu,
                                 struct krn_mine *mine, struct krn_error *error)
{
    struct reader reader = {source, 1};
    struct token token = next_token(&reader), before = token;
    bool c_names = false;
    int kernels = 0;
    *mine = (struct krn_mine){.storage = KRN_STORAGE_GLOBAL};
    for (; token.length > 0; before = token, token = next_token(&reader)) {
        c_names = c_names || (is(before, "extern") && is(token, "\"C\""));
        if (is(token, "printf"))
            return refuse_word(file, token,
                               "is not for a kernel on stage: it would print in every "
                               "frame",
                               error);
        if (cpu && (is(token, "__shared__") || is(token, "__syncthreads")))
            return refuse_word(file, token,
                               "needs a GPU: on the CPU backend the threads of a "
                               "block run one after another",
                               error);
        if (is(token, "__constant__") && names_scene(&reader))
            mine->storage = KRN_STORAGE_CONSTANT;
        if (!is(token, "__global__"))
            continue;
        const struct token name = read_name(&reader);
        kernels++;
        if (name.length > 0 && name.length < sizeof mine->kernel)
            snprintf(mine->kernel, sizeof mine->kernel, "%.*s", (int)name.length, name.text);
    }
    if (kernels != 1 || mine->kernel[0] == 0)
        return KRN_FAIL(error, KRN_REFUSED,
                        "%s has %s, and needs one: extern \"C\" __global__ void NAME%s.", file,
                        kernels == 0  ? "no kernel"
                        : kernels > 1 ? "more than one kernel"
                                      : "no kernel with a name that can be read",
                        arguments);
    return c_names ? KRN_OK
                   : KRN_FAIL(error, KRN_REFUSED,
                              "%s: write extern \"C\" before __global__, so that the kernel is "
                              "found by its name, %s.",
                              file, mine->kernel);
}

enum krn_code krn_mine_prepare(const char *file, const char *source, bool cpu,
                               struct krn_mine *mine, char **text, struct krn_error *error)
{
    const enum krn_code code = read_source(file, source, cpu, mine, error);
    *text = NULL;
    if (code != KRN_OK)
        return code;
    const size_t room = strlen(krn_mine_spherescope_h) + strlen(source) + strlen(file) +
                        strlen(krn_mine_after_inc) + 256;
    *text = malloc(room);
    if (*text == NULL)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory to compile a kernel.");
    snprintf(*text, room,
             "%s\n#line 1 \"%s\"\n%s\n#line 1 \"spherescope\"\n#define MINE_KERNEL %s\n%s%s",
             krn_mine_spherescope_h, file, source, mine->kernel,
             mine->storage == KRN_STORAGE_CONSTANT ? "#define MINE_CONSTANT\n" : "",
             krn_mine_after_inc);
    return KRN_OK;
}

/* --- what a compiler says --- */

/* Copies line `number` of a text without the white space around it. */
static void copy_line(const char *text, int number, char *line, size_t size)
{
    for (; number > 1 && *text != 0; number--) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    text += strspn(text, " \t");
    size_t length = strcspn(text, "\r\n");
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    snprintf(line, size, "%.*s", (int)length, text);
}

enum krn_code krn_mine_refuse(const char *file, const char *source, const char *printed,
                              struct krn_error *error)
{
    char message[160], line[72] = "";
    const char *found = strstr(printed, "error");
    if (found == NULL)
        return KRN_FAIL(error, KRN_REFUSED, "%s: the compiler failed and did not say why.", file);
    const char *begin = found;
    while (begin > printed && begin[-1] != '\n')
        begin--;
    const char *const colon = strchr(found, ':');
    const size_t own = strlen(file);
    /* "FILE:12:5: error: ..." or "FILE(12): error: ..." */
    const int number = strncmp(begin, file, own) == 0 ? (int)strtol(begin + own + 1, NULL, 10) : 0;
    copy_line(colon != NULL ? colon + 1 : begin, 1, message, sizeof message);
    if (strncmp(message, "static", strlen("static")) == 0) { /* an assertion: its own sentence */
        const char *quote = strchr(message, '"'), *last = strrchr(message, ':');
        const char *own_words = quote != NULL ? quote + 1 : last != NULL ? last + 2 : message;
        memmove(message, own_words, strlen(own_words) + 1);
        message[strcspn(message, "\"")] = 0;
    }
    if (number <= 0)
        return KRN_FAIL(error, KRN_REFUSED, "%s: %s.", file, message);
    copy_line(source, number, line, sizeof line);
    return KRN_FAIL(error, KRN_REFUSED, "%s, line %d: %s: %s", file, number, message, line);
}

/* --- on a device --- */

enum krn_code krn_device_compile_mine(const struct krn_device *device, const char *file,
                                      const char *text, const char *folder, struct krn_mine *mine,
                                      struct krn_error *error)
{
    return device->ops->compile_mine(device, file, text, folder, mine, error);
}

enum krn_code krn_device_load_mine(struct krn_device *device, const struct krn_mine *mine,
                                   struct krn_error *error)
{
    struct krn_mine_loaded loaded = {.block_x = 0};
    const enum krn_code code = device->ops->load_mine(device, mine, &loaded, error);
    if (code != KRN_OK)
        return code;
    if (mine != NULL)
        loaded.storage = mine->storage;
    device->mine = loaded;
    memset(device->kept_kernels, 0, sizeof device->kept_kernels);
    return KRN_OK;
}
