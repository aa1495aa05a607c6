#include "core/mine/mine.h"

#include "core/device/backend.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- reading a file, as far as its kernel needs it --- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Puts blanks in the place of comments; texts in quotes stay. */
static void blank_comments(char *text)
{
    for (char *at = text; *at != 0;) {
        const char quote = *at;
        if (quote == '"' || quote == '\'') {
            do
                at += *at == '\\' && at[1] != 0 ? 2 : 1;
            while (*at != 0 && *at != quote && *at != '\n');
            at += *at != 0;
        } else if (quote == '/' && (at[1] == '/' || at[1] == '*')) {
            const char *end = at[1] == '/' ? at + strcspn(at, "\n") : strstr(at + 2, "*/");
            end = end == NULL ? at + strlen(at) : end + 2 * (at[1] == '*');
            for (; at < end; at++)
                *at = *at == '\n' ? '\n' : ' ';
        } else {
            at++;
        }
    }
}

/* Returns the first place of a whole word between `at` and `end`, which may be NULL; NULL: none. */
static const char *find_word(const char *text, const char *at, const char *end, const char *word)
{
    const size_t length = strlen(word);
    while ((at = strstr(at, word)) != NULL && (end == NULL || at < end)) {
        if ((at == text || !is_word(at[-1])) && !is_word(at[length]))
            return at;
        at += length;
    }
    return NULL;
}

/* Copies the word before the parenthesis of the arguments, which follow __global__ at `at`. */
static void copy_name(const char *at, char name[KRN_MINE_NAME_MAX])
{
    for (at += strcspn(at, "(;{"); *at == '('; at += strcspn(at, "(;{")) {
        const char *end = at, *begin;
        while (isspace((unsigned char)end[-1]))
            end--;
        for (begin = end; is_word(begin[-1]); begin--)
            ;
        snprintf(name, KRN_MINE_NAME_MAX, "%.*s", (int)(end - begin), begin);
        if (strcmp(name, "__launch_bounds__") != 0 && strcmp(name, "__attribute__") != 0)
            return;
        int depth = 0;
        do
            depth += (*at == '(') - (*at == ')');
        while (*at++ != 0 && depth > 0);
    }
    name[0] = 0;
}

/* Words that compilers take, and why they are refused: for every device, or for the CPU alone. */
static const struct {
    const char *word, *why;
    bool cpu;
} refused[] = {
    {"printf", "is not for a kernel on stage: it would print in every frame", false},
    {"__shared__", "needs a GPU: on a CPU the threads of a block run one after another", true},
    {"__syncthreads", "needs a GPU: on a CPU the threads of a block run one after another", true},
};

static enum krn_code read_text(const char *file, const char *text, bool cpu, struct krn_mine *mine,
                               struct krn_error *error)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const char *at = find_word(text, text, NULL, refused[i].word);
        int line = 1;
        if (at == NULL || (refused[i].cpu && !cpu))
            continue;
        for (const char *before = text; before < at; before++)
            line += *before == '\n';
        return KRN_FAIL(error, KRN_REFUSED, "%s, line %d: %s %s.", file, line, refused[i].word,
                        refused[i].why);
    }
    const char *const kernel = find_word(text, text, NULL, "__global__");
    if (kernel != NULL)
        copy_name(kernel, mine->kernel);
    if (mine->kernel[0] == 0 || find_word(text, kernel + 1, NULL, "__global__") != NULL)
        return KRN_FAIL(error, KRN_REFUSED,
                        "%s has %s, and needs one: extern \"C\" __global__ void NAME(const sphere "
                        "*spheres, frame frame).",
                        file, mine->kernel[0] == 0 ? "no kernel" : "more than one kernel");
    const char *const c_names = strstr(text, "extern \"C\"");
    if (c_names == NULL || c_names > kernel)
        return KRN_FAIL(error, KRN_REFUSED,
                        "%s: write extern \"C\" before __global__, so that the kernel is found by "
                        "its name, %s.",
                        file, mine->kernel);
    for (const char *at = text; (at = find_word(text, at, NULL, "__constant__")) != NULL; at++)
        if (find_word(text, at, at + strcspn(at, ";"), "scene") != NULL)
            mine->storage = KRN_STORAGE_CONSTANT;
    return KRN_OK;
}

static enum krn_code read_source(const char *file, const char *source, bool cpu,
                                 struct krn_mine *mine, struct krn_error *error)
{
    const size_t bytes = strlen(source) + 1;
    char *const text = malloc(bytes);
    *mine = (struct krn_mine){.storage = KRN_STORAGE_GLOBAL};
    if (text == NULL)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory to compile a kernel.");
    memcpy(text, source, bytes);
    blank_comments(text);
    const enum krn_code code = read_text(file, text, cpu, mine, error);
    free(text);
    return code;
}

enum krn_code krn_mine_prepare(const char *file, const char *source, bool cpu,
                               struct krn_mine *mine, char **text, struct krn_error *error)
{
    const enum krn_code code = read_source(file, source, cpu, mine, error);
    *text = NULL;
    if (code != KRN_OK)
        return code;
    const size_t room = strlen(krn_mine_spherescope_h) + strlen(source) + strlen(file) +
                        strlen(krn_mine_after_inc) + 320;
    *text = malloc(room);
    if (*text == NULL)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory to compile a kernel.");
    snprintf(*text, room,
             "#line 1 \"spherescope.h\"\n%s\n#line 1 \"%s\"\n%s\n#line 1 \"spherescope\"\n#define "
             "MINE_KERNEL %s\n%s%s",
             krn_mine_spherescope_h, file, source, mine->kernel,
             mine->storage == KRN_STORAGE_CONSTANT ? "#define MINE_CONSTANT\n" : "",
             krn_mine_after_inc);
    return KRN_OK;
}

/* --- what a compiler says --- */

void krn_mine_line(const char *text, int number, char *line, size_t size)
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
    krn_mine_line(colon != NULL ? colon + 1 : begin, 1, message, sizeof message);
    if (strncmp(message, "static", strlen("static")) == 0) { /* an assertion: its own sentence */
        const char *quote = strchr(message, '"'), *last = strrchr(message, ':');
        const char *own_words = quote != NULL ? quote + 1 : last != NULL ? last + 2 : message;
        memmove(message, own_words, strlen(own_words) + 1);
        message[strcspn(message, "\"")] = 0;
    }
    if (number <= 0)
        return KRN_FAIL(error, KRN_REFUSED, "%s: %s.", file, message);
    krn_mine_line(source, number, line, sizeof line);
    return KRN_FAIL(error, KRN_REFUSED, "%s, line %d: %s: %s", file, number, message, line);
}

/* --- on a device --- */

enum krn_code krn_device_compile_mine(const struct krn_device *device, const char *file,
                                      const char *text, const char *folder, struct krn_mine *mine,
                                      struct krn_error *error)
{
    return device->ops->compile_mine(device, file, text, folder, mine, error);
}

enum krn_code krn_device_try_mine(struct krn_device *device, const struct krn_mine *mine,
                                  const char *file, const char *text, struct krn_pose pose,
                                  const struct krn_view *view, const struct krn_image *image,
                                  struct krn_error *error)
{
    struct krn_mine tried = *mine;
    struct krn_error found;
    char printed[sizeof found.text + 64];
    tried.image = mine->guarded;
    if (mine->guarded == NULL)
        return KRN_OK;
    enum krn_code code = krn_device_load_mine(device, &tried, error);
    if (code != KRN_OK)
        return code;
    code = krn_device_set_pose(device, pose, &found);
    if (code == KRN_OK)
        code = krn_device_render(device, (struct krn_mode){KRN_KERNEL_MINE, mine->storage, 1}, view,
                                 image, KRN_UNTIMED, &found);
    if (code == KRN_REFUSED && found.text[0] == '(') { /* the guard's */
        snprintf(printed, sizeof printed, "%s%s", file, found.text);
        code = krn_mine_refuse(file, text, printed, error);
    } else if (code != KRN_OK && error != NULL) {
        *error = found;
    }
    const enum krn_code unloaded =
        code == KRN_LOST ? code : krn_device_load_mine(device, NULL, code == KRN_OK ? error : NULL);
    return code == KRN_OK ? unloaded : code;
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
