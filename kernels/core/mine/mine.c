/* Finds the kernel in a file of CUDA C, and tells compilers' messages by the file's own lines. */
#define _GNU_SOURCE /* memmem */
#include "core/mine/mine.h"

#include "core/device/backend.h"
#include "krn/memory.h"

#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- reading a file, as far as its kernel needs it --- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Puts blanks in the place of comments; texts in quotes stay. Returns the comment that does not
 * end; NULL: all do. */
static const char *blank_comments(char *text)
{
    const char *unclosed = NULL;
    for (char *at = text; *at != 0;) {
        const char quote = *at;
        if (quote == '"' || quote == '\'') {
            do
                at += *at == '\\' && at[1] != 0 ? 2 : 1;
            while (*at != 0 && *at != quote && *at != '\n');
            at += *at != 0;
        } else if (quote == '/' && (at[1] == '/' || at[1] == '*')) {
            const char *end = at[1] == '/' ? at + strcspn(at, "\n") : strstr(at + 2, "*/");
            unclosed = end == NULL ? at : NULL;
            end = end == NULL ? at + strlen(at) : end + 2 * (at[1] == '*');
            for (; at < end; at++)
                *at = *at == '\n' ? '\n' : ' ';
        } else {
            at++;
        }
    }
    return unclosed;
}

static int line_of(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
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

/* Copies the word before the parenthesis of the arguments, which follow __global__ at `at`, where
 * attributes with parentheses may stand before it; "": there is none. */
static void copy_name(const char *at, char name[KRN_MINE_NAME_MAX])
{
    name[0] = 0;
    for (at += strcspn(at, "(;{"); *at == '('; at += strcspn(at, "(;{")) {
        const char *end = at, *begin;
        while (isspace((unsigned char)end[-1]))
            end--;
        for (begin = end; is_word(begin[-1]); begin--)
            ;
        const bool attribute =
            end - begin > 4 && memcmp(begin, "__", 2) == 0 && memcmp(end - 2, "__", 2) == 0;
        if (!attribute && end - begin < KRN_MINE_NAME_MAX) {
            snprintf(name, KRN_MINE_NAME_MAX, "%.*s", (int)(end - begin), begin);
            return;
        }
        int depth = 0;
        do
            depth += (*at == '(') - (*at == ')');
        while (*at++ != 0 && depth > 0);
    }
}

/* Lists the names that follow __global__, each once; which of them #if leaves, a compiler knows. */
enum { NAMES_MAX = 8 };

static int list_names(const char *text, char names[NAMES_MAX][KRN_MINE_NAME_MAX])
{
    int count = 0;
    for (const char *at = text; (at = find_word(text, at, NULL, "__global__")) != NULL; at++) {
        if (count == NAMES_MAX)
            break;
        copy_name(at, names[count]);
        int same = 0;
        while (strcmp(names[same], names[count]) != 0)
            same++;
        count += names[count][0] != 0 && same == count;
    }
    return count;
}

/* Returns true when code, for a GPU or a CPU, has a symbol of this name. */
static bool has_symbol(const struct krn_mine *mine, const char *name)
{
    const char *at = mine->image, *const end = at + mine->bytes;
    const size_t bytes = strlen(name) + 1;
    while ((at = memmem(at, (size_t)(end - at), name, bytes)) != NULL &&
           (at == mine->image || (at[-1] != 0 && at[-1] != '.')))
        at++;
    return at != NULL;
}

const char krn_mine_no_printing[] = "is not for a kernel on stage: it would print in every frame";

/* Words that are refused, and why; all but the first only where a C++ compiler does not know them.
 */
static const struct {
    const char *words, *why;
} refused[] = {
    {"printf", krn_mine_no_printing},
    {"__shared__|__sync[a-z_]*|__threadfence[a-z_]*|cooperative_groups",
     "needs a GPU: on a CPU the threads of a block run one after another"},
    {"__(shfl|ballot|any|all|activemask|match|reduce)[a-z_]*", "needs a GPU: a CPU has no warps"},
    {"atomic[A-Z][A-Za-z_]*", "needs a GPU: a kernel on a CPU has no atomic operations"},
    {"clock|clock64|__nanosleep", "needs a GPU: a kernel on a CPU has no clock"},
};

/* Makes the text that is compiled, for a kernel of this name. */
static char *join(const char *file, const char *source, const struct krn_mine *mine)
{
    const size_t room = strlen(krn_mine_spherescope_h) + strlen(source) + strlen(file) +
                        strlen(krn_mine_after_inc) + 320;
    char *const text = krn_alloc(room, 1);
    snprintf(text, room,
             "#line 1 \"spherescope.h\"\n%s\n#line 1 \"%s\"\n%s\n#line 1 \"spherescope\"\n"
             "#define MINE_KERNEL %s\n%s%s",
             krn_mine_spherescope_h, file, source, mine->kernel,
             mine->storage == KRN_STORAGE_CONSTANT ? "#define MINE_CONSTANT\n" : "",
             krn_mine_after_inc);
    return text;
}

/* Compiles with the first of the names that the compiler knows, and with `scene` where it does. */
static enum krn_code compile_names(const char *file, const char *source, const char *plain,
                                   krn_mine_compiler *compile, const void *context,
                                   struct krn_mine *mine, struct krn_error *error)
{
    char names[NAMES_MAX][KRN_MINE_NAME_MAX];
    const int count = list_names(plain, names);
    const char *const c_names = strstr(plain, "extern \"C\"");
    bool scene = false;
    int line = 0;
    enum krn_code code = KRN_REFUSED;
    if (count == 0)
        return KRN_FAIL(error, KRN_REFUSED,
                        "%s has no kernel, and needs one: extern \"C\" __global__ void NAME(const "
                        "sphere *spheres, frame frame).",
                        file);
    if (c_names == NULL || c_names > find_word(plain, plain, NULL, "__global__"))
        return KRN_FAIL(error, KRN_REFUSED,
                        "%s: write extern \"C\" before __global__, so that the kernel is found by "
                        "its name, %s.",
                        file, names[0]);
    for (const char *at = plain; (at = find_word(plain, at, NULL, "__constant__")) != NULL; at++)
        scene = scene || find_word(plain, at, at + strcspn(at, ";"), "scene") != NULL;
    for (int i = 0; i < (scene ? 2 : 1) * count; i++) {
        line = 0;
        free(mine->image);
        free(mine->guarded);
        mine->image = mine->guarded = NULL;
        memcpy(mine->kernel, names[i % count], sizeof mine->kernel);
        mine->storage = scene && i < count ? KRN_STORAGE_CONSTANT : KRN_STORAGE_GLOBAL;
        char *const text = join(file, source, mine);
        code = compile(context, file, source, text, mine, &line, error);
        free(text);
        if (code != KRN_REFUSED || line != 0) /* another name does not mend it */
            break;
    }
    mine->line = line > 0 ? line : 0;
    for (int i = 0; code == KRN_OK && i < count; i++)
        if (strcmp(names[i], mine->kernel) != 0 && has_symbol(mine, names[i]))
            code = KRN_FAIL(error, KRN_REFUSED, "%s has more than one kernel, %s and %s.", file,
                            mine->kernel, names[i]);
    return code;
}

enum krn_code krn_mine_compile(const char *file, const char *source, krn_mine_compiler *compile,
                               const void *context, struct krn_mine *mine, struct krn_error *error)
{
    /* What a C++ compiler makes of printf, which it knows where a header declares it. */
    static const char *const prints[] = {"printf", "puts", "putchar", "__printf_chk"};
    char *const plain = krn_copy(source);
    *mine = (struct krn_mine){.storage = KRN_STORAGE_GLOBAL};
    const char *const unclosed = blank_comments(plain);
    if (unclosed != NULL)
        mine->line = line_of(plain, unclosed);
    enum krn_code code =
        unclosed == NULL
            ? compile_names(file, source, plain, compile, context, mine, error)
            : KRN_FAIL(error, KRN_REFUSED, "%s, line %d: a comment begins here and does not end.",
                       file, mine->line);
    for (size_t i = 0; code == KRN_OK && i < sizeof prints / sizeof *prints; i++) {
        const char *const at = find_word(plain, plain, NULL, "printf");
        if (!has_symbol(mine, prints[i]))
            continue;
        if (at == NULL) { /* a header's */
            code = KRN_FAIL(error, KRN_REFUSED, "%s: printf %s.", file, krn_mine_no_printing);
            continue;
        }
        mine->line = line_of(plain, at);
        code = KRN_FAIL(error, KRN_REFUSED, "%s, line %d: printf %s.", file, mine->line,
                        krn_mine_no_printing);
    }
    free(plain);
    if (code != KRN_OK) {
        free(mine->image);
        free(mine->guarded);
        mine->image = mine->guarded = NULL;
    }
    return code;
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

enum krn_code krn_mine_refuse(const char *file, const char *source, const char *printed, int *line,
                              struct krn_error *error)
{
    /* What a linker and assemblers say have no "error" in the line that tells. */
    static const char *const signs[] = {"undefined reference", "Unresolved", "error", "Error"};
    char message[160], text[72] = "";
    const char *found = NULL;
    for (size_t i = 0; found == NULL && i < sizeof signs / sizeof *signs; i++)
        found = strstr(printed, signs[i]);
    if (found == NULL)
        return KRN_FAIL(error, KRN_REFUSED, "%s: the compiler failed and did not say why.", file);
    const char *begin = found;
    while (begin > printed && begin[-1] != '\n')
        begin--;
    const char *const colon = strchr(found, ':');
    const char *const slash = memrchr(begin, '/', (size_t)(found - begin));
    const size_t own = strlen(file);
    char header[100] = "", sign[2] = "";
    int number = 0;
    /* "FILE:12:5: error: ..." or, from NVRTC, "FILE(12): error: ..."; a header has its folder. */
    if (strncmp(begin, file, own) == 0 && sscanf(begin + own, "%1[:(]%d", sign, &number) == 2) {
        *line = number;
    } else if (sscanf(slash != NULL ? slash + 1 : begin, "%99[^:(]%1[:(]%d", header, sign,
                      &number) == 3 &&
               strncmp(header, "spherescope", strlen("spherescope")) != 0) {
        *line = -1;
        file = header;
    } else {
        *line = number = 0;
    }
    krn_mine_line(colon != NULL && strchr("eE", *found) != NULL ? colon + 1 : found, 1, message,
                  sizeof message);
    if (strncmp(message, "static", strlen("static")) == 0) { /* an assertion: its own sentence */
        const char *quote = strchr(message, '"'), *last = strrchr(message, ':');
        const char *own_words = quote != NULL ? quote + 1 : last != NULL ? last + 2 : message;
        memmove(message, own_words, strlen(own_words) + 1);
        message[strcspn(message, "\"")] = 0;
        if (strstr(message, "arguments") == NULL) /* those of another name may be right */
            *line = -1;
    }
    if (*line <= 0 && file != header)
        return KRN_FAIL(error, KRN_REFUSED, "%s: %s.", file, message);
    for (size_t i = 0; i < (sign[0] == ':' ? sizeof refused / sizeof *refused : 1); i++) {
        char words[100];
        regex_t regex;
        regmatch_t word = {-1, -1};
        snprintf(words, sizeof words, "\\<(%s)\\>", refused[i].words);
        if (regcomp(&regex, words, REG_EXTENDED) != 0)
            continue;
        (void)regexec(&regex, message, 1, &word, 0);
        regfree(&regex);
        if (word.rm_so >= 0)
            return KRN_FAIL(error, KRN_REFUSED, "%s, line %d: %.*s %s.", file, number,
                            (int)(word.rm_eo - word.rm_so), message + word.rm_so, refused[i].why);
    }
    if (file == header)
        return KRN_FAIL(error, KRN_REFUSED, "%s, line %d: %s.", file, number, message);
    krn_mine_line(source, *line, text, sizeof text);
    return KRN_FAIL(error, KRN_REFUSED, "%s, line %d: %s: %s", file, *line, message, text);
}

/* --- on a device --- */

enum krn_code krn_device_compile_mine(const struct krn_device *device, const char *file,
                                      const char *text, const char *folder, struct krn_mine *mine,
                                      struct krn_error *error)
{
    return device->ops->compile_mine(device, file, text, folder, mine, error);
}

bool krn_mine_told(const char *file, const char *text, int *line, struct krn_error *error)
{
    char printed[sizeof error->text + 64];
    if (error->text[0] != '(')
        return false;
    snprintf(printed, sizeof printed, "%s%s", file, error->text);
    (void)krn_mine_refuse(file, text, printed, line, error);
    return true;
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
