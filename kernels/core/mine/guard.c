/* Reads PTX by statements, and puts a check of the address before each access to memory. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "core/mine/mine.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An access to memory that is not mapped ends more than the process: after it, OpenGL and CUDA do
 * not run together on an H100 any more (docs/adding.md). So a kernel is first run as PTX, in which
 * guard.inc looks at each address before it is used. What a GPU stops without harm stays as it is:
 * traps, endless loops, faults of shared, local and constant memory. */

/* --- PTX, as tokens: NVRTC writes it, but inline assembly puts its own words between --- */

struct walk {
    const char *file, *source;
    const char *at; /* where the next statement begins */
    FILE *out, *own, *defined,
        *called; /* the guarded text; mine_own's values; names of functions */
    char *own_text, *defined_text, *called_text;
    long user;      /* the file's number in .loc; 0: none */
    long line;      /* of the file, at this place */
    int depth;      /* of braces round functions */
    bool begun;     /* a function has been met */
    bool check;     /* within mine_check */
    unsigned block; /* mine_shape's threads: x, and y << 16 */
    int *refused;   /* the line of an instruction that is refused */
    struct krn_error *error;
};

/* A stretch of the text. */
struct piece {
    const char *at, *end;
};

static bool begins(const char *at, const char *word)
{
    return strncmp(at, word, strlen(word)) == 0;
}

static bool is(struct piece piece, const char *word)
{
    const size_t length = (size_t)(piece.end - piece.at);
    return strlen(word) == length && memcmp(piece.at, word, length) == 0;
}

static bool is_any(struct piece piece, const char *const *words)
{
    while (*words != NULL && !is(piece, *words))
        words++;
    return *words != NULL;
}

static bool is_word(const char *at)
{
    return isalnum((unsigned char)*at) || (*at != 0 && strchr("_$%.", *at) != NULL);
}

/* Returns the first token from `at` on, without the white space and comments before it: a text in
 * quotes, a word with its dots and colons in pairs, as in st.shared::cta.u8, or one character. It
 * is empty at the end. */
static struct piece next_token(const char *at)
{
    for (;;) {
        at += strspn(at, " \t\r\n\f\v");
        const char *end = begins(at, "//")   ? strchr(at, '\n')
                          : begins(at, "/*") ? strstr(at + 2, "*/")
                                             : at;
        if (end == at)
            break;
        at = end == NULL ? at + strlen(at) : end + (*end == '*' ? 2 : 1);
    }
    const char *end = at;
    if (*at == '"') {
        end += 1 + strcspn(at + 1, "\"");
        end += *end == '"';
    } else if (is_word(at)) {
        while (is_word(end) || (begins(end, "::") && is_word(end + 2)))
            end += *end == ':' ? 2 : 1;
    } else {
        end += *at != 0;
    }
    return (struct piece){at, end};
}

static struct piece after(struct piece token)
{
    return next_token(token.end);
}

/* Returns true when one of the parts of an operation's name is `word`: ".global". */
static bool has_part(const char *name, const char *word)
{
    const size_t length = strlen(word);
    while ((name = strstr(name, word)) != NULL && name[length] != '.' && name[length] != ':' &&
           name[length] != 0)
        name++;
    return name != NULL;
}

static void put(struct walk *walk, const char *end)
{
    fwrite(walk->at, 1, (size_t)(end - walk->at), walk->out);
    walk->at = end;
}

static enum krn_code refuse(const struct walk *walk, struct piece name, const char *why)
{
    char printed[400];
    snprintf(printed, sizeof printed, "%s(%ld): error: %.*s %s", walk->file, walk->line,
             (int)(name.end - name.at), name.at, why);
    return krn_mine_refuse(walk->file, walk->source, printed, walk->refused, walk->error);
}

/* Returns the last token of a directive that no semicolon ends, and notes the line that .loc tells:
 * code of other files is at the line that it was inlined into. */
static struct piece end_of_line(struct walk *walk, struct piece first)
{
    struct piece last = after(first), next;
    bool found = false;
    if (is(first, ".version") || is(first, ".address_size"))
        return last;
    if (is(first, ".loc"))
        for (struct piece file = last;;) {
            const struct piece line = after(file);
            if (!found && strtol(file.at, NULL, 10) == walk->user &&
                strtol(line.at, NULL, 10) > 0) {
                walk->line = strtol(line.at, NULL, 10);
                found = true;
            }
            last = after(line); /* the column */
            if (!is(after(last), ",") || !is(next = after(after(last)), "function_name"))
                return last;
            while (next.at < next.end && !is(next, "inlined_at") && !is(next, ";"))
                next = after(last = next); /* a label, and perhaps a sum, and a comma */
            if (!is(next, "inlined_at"))
                return last;
            file = after(next);
        }
    if (is(first, ".file"))
        last = after(last);             /* the name */
    while (is(next = after(last), ",")) /* .file's time and bytes, .target's options */
        last = after(next);
    return last;
}

/* Returns the bytes of an operation or a declaration from the words between dots: ".v4.f32": 16. */
static unsigned bytes_of(const char *name)
{
    char kind[3];
    unsigned bytes = 0, vector = 1, bits;
    for (const char *at = strchr(name, '.'); at != NULL; at = strchr(at + 1, '.')) {
        unsigned pack = 1;
        if (sscanf(at, ".v%u", &vector) < 1 && sscanf(at, ".%2[bfsu]%ux%u", kind, &bits, &pack) > 1)
            bytes = bits / 8 * pack;
    }
    return bytes * vector;
}

/* Notes a variable of the file in global memory: ".global .align 4 .b8 name[400] = {...};". */
static void note_variable(struct walk *walk, struct piece first)
{
    struct piece name = first, token = after(first);
    char type[16] = "";
    for (; !is(token, "[") && !is(token, "=") && !is(token, ";") && token.at < token.end;
         token = after(token)) {
        if (*token.at == '.')
            snprintf(type, sizeof type, "%.*s", (int)(token.end - token.at), token.at);
        name = token;
    }
    uint64_t bytes = bytes_of(type);
    for (; is(token, "["); token = after(after(after(token))))
        bytes *= strtoull(after(token).at, NULL, 10);
    if (is(name, "mine_shape")) { /* {x, x >> 8, 0, 0, y, y >> 8, ...}, as bytes */
        unsigned byte[6] = {0};
        token = after(token);
        for (int i = 0; i < 6 && !is(token, "}") && token.at < token.end;
             i++, token = after(after(token)))
            byte[i] = (unsigned)strtoul(after(token).at, NULL, 10);
        walk->block = byte[0] | byte[1] << 8 | byte[4] << 16 | byte[5] << 24;
    }
    if (!is(name, "mine_guard"))
        fprintf(walk->own, "generic(%.*s), %" PRIu64 ", ", (int)(name.end - name.at), name.at,
                bytes);
}

/* Puts the head of a function, up to its brace, or a declaration. A kernel without bounds gets
 * those of its launch: with the guard's calls, it needs more registers than a large block may have.
 */
static enum krn_code put_function(struct walk *walk, struct piece first, struct piece end)
{
    struct piece name = first, token;
    bool bounds = false;
    while (!is(name, ".func") && !is(name, ".entry"))
        name = after(name);
    const bool entry = is(name, ".entry");
    token = after(name);
    if (is(token, "(")) { /* what it returns */
        while (!is(token, ")") && token.at < end.at)
            token = after(token);
        token = after(token);
    }
    for (name = token; token.at < end.at; token = after(token))
        bounds = bounds || is(token, ".maxntid") || is(token, ".reqntid");
    if (is(end, ";")) {
        put(walk, end.end);
        return KRN_OK;
    }
    walk->check = is(name, "mine_check");
    walk->line = 0; /* until .loc tells: a header's is none of the file */
    fprintf(walk->defined, "\n%.*s\n", (int)(name.end - name.at), name.at);
    if (!walk->begun && fflush(walk->own) == 0)
        fprintf(walk->out,
                "\n.func mine_check(.param .b64 a, .param .b32 b, .param .b32 c);\n"
                ".global .align 8 .u64 mine_own[] = {%s0, 0};\n",
                walk->own_text);
    walk->begun = true;
    put(walk, end.at);
    if (entry && !bounds && walk->block != 0)
        fprintf(walk->out, ".maxntid %u, %u, 1\n", walk->block & 0xffff, walk->block >> 16);
    walk->depth = 1;
    put(walk, end.end);
    return KRN_OK;
}

/* Takes a statement outside of functions. */
static enum krn_code take_declaration(struct walk *walk, struct piece first)
{
    static const char *const lines[] = {".version", ".target", ".address_size",
                                        ".file",    ".loc",    NULL},
                             *const known[] = {".extern", ".visible", ".weak", ".const",
                                               ".global", ".shared",  ".func", ".entry",
                                               ".pragma", ".section", NULL};
    bool function = false, global = false, own = false, data = is(first, ".section");
    struct piece token = first;
    if (is_any(first, lines)) {
        put(walk, end_of_line(walk, first).end);
        return KRN_OK;
    }
    if (!is_any(first, known))
        return refuse(walk, first, "is not understood");
    for (; token.at < token.end && !is(token, ";"); token = after(token)) {
        function = function || is(token, ".func") || is(token, ".entry");
        global = global || is(token, ".global");
        own = own || is(token, "mine_own");
        if ((function && is(token, "{")) || (data && is(token, "}")))
            break;
    }
    if (function)
        return put_function(walk, first, token);
    if (own) /* comes again, filled */
        walk->at = token.end;
    else if (global)
        note_variable(walk, first);
    put(walk, token.end);
    return KRN_OK;
}

/* Notes the function that is called: "call (r), name, (a);". */
static enum krn_code note_call(struct walk *walk, struct piece name, struct piece operand)
{
    if (is(operand, "(")) {
        while (!is(operand, ")") && !is(operand, ";") && operand.at < operand.end)
            operand = after(operand);
        operand = after(after(operand));
    }
    if (*operand.at == '%')
        return refuse(walk, name, "through a pointer may go anywhere");
    fprintf(walk->called, "%ld %.*s\n", walk->line, (int)(operand.end - operand.at), operand.at);
    return KRN_OK;
}

/* Refuses calls of functions that are not in the text: the driver's, which reach memory unseen. */
static enum krn_code check_calls(struct walk *walk)
{
    char name[130], line[140];
    int read = 0;
    for (const char *at = walk->called_text;
         sscanf(at, "%ld %127s%n", &walk->line, name, &read) == 2; at += read) {
        snprintf(line, sizeof line, "\n%s\n", name);
        const struct piece piece = {name, name + strlen(name)};
        if (strcmp(name, "vprintf") == 0)
            return refuse(walk, (struct piece){name + 1, piece.end}, krn_mine_no_printing);
        if (strstr(walk->defined_text, line) == NULL && strcmp(name, "__assertfail") != 0)
            return refuse(walk, piece, "is called, and is not a function of the file");
    }
    return KRN_OK;
}

/* Takes a statement of a function: puts a call before an access to memory. */
static enum krn_code take_instruction(struct walk *walk, struct piece first)
{
    static const char *const known[] = {".reg",         ".param",         ".local",
                                        ".shared",      ".pragma",        ".branchtargets",
                                        ".calltargets", ".callprototype", NULL},
                             *const own[] = {"%mine_at", "mine_check", "mine_guard", "mine_own",
                                             NULL};
    struct piece token = first, name, open = {NULL, NULL}, end;
    const char *const begin = first.at;
    char operation[160];
    int brackets = 0, braces = 0;
    if (is(first, ".loc") || is(first, ".file")) {
        put(walk, end_of_line(walk, first).end);
        return KRN_OK;
    }
    if (is_word(first.at) && is(after(first), ":")) { /* a label */
        put(walk, after(first).end);
        return KRN_OK;
    }
    for (end = first; end.at < end.end && !is(end, ";"); end = after(end)) {
        brackets += is(end, "[");
        open = is(end, "[") ? end : open;
        braces += is(end, "{") - is(end, "}");
        if (!walk->check && (is_any(end, own) || braces < 0))
            return refuse(walk, end, "is not understood");
    }
    if (walk->check || (*first.at == '.' && is_any(first, known))) {
        put(walk, end.end);
        return KRN_OK;
    }
    if (is(token, "@")) { /* a predicate */
        token = after(token);
        token = after(is(token, "!") ? after(token) : token);
    }
    name = token;
    const char *const predicate_end = name.at;
    snprintf(operation, sizeof operation, "%.*s", (int)(token.end - token.at), token.at);
    while (*(token = after(token)).at == '.') { /* "ld .global.u8" is one operation, too */
        const size_t used = strlen(operation);
        snprintf(operation + used, sizeof operation - used, "%.*s", (int)(token.end - token.at),
                 token.at);
        name.end = token.end;
    }
    if (!isalpha((unsigned char)*name.at) || strlen(operation) + 1 == sizeof operation)
        return refuse(walk, name, "is not understood");
    const bool global = has_part(operation, ".global"),
               local = has_part(operation, ".param") || has_part(operation, ".shared") ||
                       has_part(operation, ".local") || has_part(operation, ".const");
    const bool load = begins(operation, "ld.") || begins(operation, "ldu."),
               store = begins(operation, "st."),
               atomic = begins(operation, "atom.") || begins(operation, "red.");
    enum krn_code code = begins(operation, "call") ? note_call(walk, name, token) : KRN_OK;
    if (code == KRN_OK && brackets > 0 && !begins(operation, "prefetch") && (global || !local)) {
        const struct piece base = after(open);
        struct piece close = after(base);
        long long offset = 0;
        if (is(close, "+")) {
            const bool minus = is(after(close), "-");
            const struct piece number = minus ? after(after(close)) : after(close);
            char *rest;
            offset = strtoll(number.at, &rest, 0) * (minus ? -1 : 1);
            close = rest == number.end ? after(number) : number;
        }
        if ((!load && !store && !atomic) || local || brackets > 1 || !is(close, "]") ||
            bytes_of(operation) == 0)
            return refuse(walk, name, "hides the memory that it uses");
        fprintf(walk->out,
                "\n{\n.reg .b64 %%mine_at;\n.param .b64 mine_a;\n.param .b32 mine_b;\n"
                ".param .b32 mine_c;\nmov.u64 %%mine_at, %.*s;\n"
                "add.s64 %%mine_at, %%mine_at, %lld;\nst.param.b64 [mine_a], %%mine_at;\n"
                "st.param.b32 [mine_b], %u;\nst.param.b32 [mine_c], %ld;\n"
                "%.*s call mine_check, (mine_a, mine_b, mine_c);\n}\n",
                (int)(base.end - base.at), base.at, offset, bytes_of(operation),
                8 * walk->line + 4 + 2 * !load + !global, (int)(predicate_end - begin), begin);
    }
    if (code == KRN_OK)
        put(walk, end.end);
    return code;
}

enum krn_code krn_mine_guard_ptx(const char *file, const char *source, const char *ptx,
                                 char **guarded, int *line, struct krn_error *error)
{
    struct walk walk = {.file = file, .source = source, .at = ptx, .refused = line, .error = error};
    const size_t name = strlen(file);
    size_t bytes, own_bytes, defined_bytes, called_bytes;
    *guarded = NULL;
    for (const char *at = ptx; (at = strstr(at, "\t.file\t")) != NULL; at++) {
        const char *const number = at + strlen("\t.file\t"), *const end =
                                                                 number + strcspn(number, "\n");
        if ((size_t)(end - number) > name + 2 && begins(end - name - 1, file) &&
            strchr("/\"", end[-(ptrdiff_t)name - 2]) != NULL)
            walk.user = strtol(number, NULL, 10);
    }
    walk.out = open_memstream(guarded, &bytes);
    walk.own = open_memstream(&walk.own_text, &own_bytes);
    walk.defined = open_memstream(&walk.defined_text, &defined_bytes);
    walk.called = open_memstream(&walk.called_text, &called_bytes);
    FILE *const files[] = {walk.out, walk.own, walk.defined, walk.called};
    enum krn_code code = KRN_OK;
    bool whole = walk.out && walk.own && walk.defined && walk.called;
    for (struct piece token; whole && code == KRN_OK;) {
        token = next_token(walk.at);
        if (token.at == token.end)
            break;
        if (walk.depth > 0 && (is(token, "{") || is(token, "}"))) {
            walk.depth += is(token, "{") ? 1 : -1;
            put(&walk, token.end);
        } else if (walk.depth > 0) {
            code = take_instruction(&walk, token);
        } else {
            code = take_declaration(&walk, token);
        }
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        whole = files[i] != NULL && fclose(files[i]) == 0 && whole;
    if (code == KRN_OK)
        code = whole ? check_calls(&walk)
                     : KRN_FAIL(error, KRN_NO_MEMORY, "No memory to try a kernel.");
    free(walk.own_text);
    free(walk.defined_text);
    free(walk.called_text);
    if (code != KRN_OK) {
        free(*guarded);
        *guarded = NULL;
    }
    return code;
}

/* --- what it has found --- */

enum krn_code krn_mine_guard_tell(const struct krn_mine_guard *guard, struct krn_error *error)
{
    const bool writes = guard->place & 2;
    const char *const does = writes ? "writes" : "reads";
    const unsigned line = guard->place / 8;
    const int64_t near = 1 << 20, size = guard->pitch_bytes * guard->height,
                  offset = (int64_t)(guard->address - guard->pixels),
                  at = (int64_t)(guard->address - guard->spheres);
    const int64_t one = sizeof(struct krn_sphere), bytes = (int64_t)guard->sphere_bytes;
    if (guard->uneven_bytes != 0)
        return KRN_FAIL(error, KRN_REFUSED,
                        "(%u): error: %s %u bytes at an address that is no multiple of %u", line,
                        does, guard->uneven_bytes, guard->uneven_bytes);
    /* How far it is from the one and from the other. */
    const int64_t from_frame = offset < 0      ? -offset
                               : offset < size ? 0
                                               : offset - size,
                  from_scene = at < 0       ? -at
                               : at < bytes ? 0
                                            : at - bytes;
    if (bytes > 0 && from_scene < near && from_scene <= from_frame)
        return KRN_FAIL(error, KRN_REFUSED,
                        "(%u): error: %s spheres[%" PRId64
                        "], and the kernel may only read %" PRId64 " of them",
                        line, does, (at < 0 ? at - one + 1 : at) / one, bytes / one);
    if (offset > -size && offset < 2 * size) {
        int64_t y = (offset < 0 ? offset - guard->pitch_bytes + 1 : offset) / guard->pitch_bytes,
                x = offset - y * guard->pitch_bytes;
        if (x > (guard->pitch_bytes + guard->row_bytes) / 2) { /* left of the next row */
            x -= guard->pitch_bytes;
            y++;
        }
        return KRN_FAIL(
            error, KRN_REFUSED,
            "(%u): error: %s outside of the frame, pixel (%" PRId64 ", %" PRId64 ") of %dx%d", line,
            does, (x < 0 ? x - 3 : x) / 4, y, guard->row_bytes / 4, guard->height);
    }
    return KRN_FAIL(error, KRN_REFUSED,
                    "(%u): error: %s at address 0x%" PRIx64
                    ", which is neither the frame's nor the scene's nor a variable's",
                    line, does, guard->address);
}
