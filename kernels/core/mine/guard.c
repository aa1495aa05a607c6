#define _GNU_SOURCE /* memmem */
#include "core/mine/mine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An access to memory that is not mapped ends more than the process: after it, OpenGL and CUDA do
 * not run together on an H100 any more (docs/adding.md). So a kernel is first run as PTX, in which
 * guard.inc looks at each address before it is used. What a GPU stops without harm stays as it is:
 * traps, endless loops, faults of shared, local and constant memory. */

/* --- PTX --- */

struct walk {
    const char *file, *source;
    FILE *out, *own; /* the guarded text; mine_own's values */
    char *own_text;
    long user;  /* the file's number in .loc; 0: none */
    long line;  /* of the file, at this place */
    int depth;  /* of braces round functions */
    bool begun; /* a function has been met */
    bool check; /* within mine_check */
    struct krn_error *error;
};

#define BLANK " \t\r\n"

/* A stretch of the text. */
struct piece {
    const char *at, *end;
};

static bool has(struct piece piece, const char *word)
{
    return memmem(piece.at, (size_t)(piece.end - piece.at), word, strlen(word)) != NULL;
}

static bool begins(const char *at, const char *word)
{
    return strncmp(at, word, strlen(word)) == 0;
}

static void put(struct walk *walk, struct piece piece)
{
    fwrite(piece.at, 1, (size_t)(piece.end - piece.at), walk->out);
}

static const char *skip_comment(const char *at)
{
    const char *const end = begins(at, "//") ? strchr(at, '\n') : strstr(at, "*/");
    return end == NULL ? at + strlen(at) : end + (*end == '*' ? 2 : 1);
}

/* Returns the piece from `at` on: white space and a comment, a brace, a label, a line of the
 * assembler, the head of a function, or a statement. */
static struct piece next_piece(const char *at)
{
    static const char *const lines[] = {".version", ".target", ".address_size", ".file", ".loc"};
    const size_t white = strspn(at, BLANK);
    const char *end = at;
    if (white > 0)
        return (struct piece){at, at + white};
    if (begins(at, "//") || begins(at, "/*"))
        return (struct piece){at, skip_comment(at)};
    if (*at == '{' || *at == '}')
        return (struct piece){at, at + 1};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (begins(at, lines[i]))
            return (struct piece){at, at + strcspn(at, "\n")};
    for (; *end != 0 && *end != ';'; end++) {
        const struct piece piece = {at, end};
        if (begins(end, "//") || begins(end, "/*"))
            end = skip_comment(end) - 1;
        else if (*end == ':' && end[1] != ':' && end[-1] != ':')
            break;
        else if (*end == '{' && *at == '.' && (has(piece, ".func") || has(piece, ".entry")))
            return piece;
    }
    return (struct piece){at, end + (*end != 0)};
}

/* Notes the line of the file; code of other files is at the line that it was inlined into. */
static void note_line(struct walk *walk, struct piece loc)
{
    static const char inlined[] = "inlined_at";
    const char *const into = memmem(loc.at, (size_t)(loc.end - loc.at), inlined, strlen(inlined));
    const char *const places[] = {loc.at + strlen(".loc"),
                                  into != NULL ? into + strlen(inlined) : NULL};
    for (int i = 0; i < 2 && places[i] != NULL; i++) {
        char *end;
        const long file = strtol(places[i], &end, 10), line = strtol(end, NULL, 10);
        if (file == walk->user && line > 0) {
            walk->line = line;
            return;
        }
    }
}

/* Returns the bytes of an operation or a declaration from the words between dots: ".v4.f32": 16. */
static unsigned bytes_of(struct piece words)
{
    char text[160], kind[3];
    unsigned bytes = 0, vector = 1, bits;
    snprintf(text, sizeof text, "%.*s", (int)(words.end - words.at), words.at);
    for (const char *at = strchr(text, '.'); at != NULL; at = strchr(at + 1, '.')) {
        unsigned pack = 1;
        if (sscanf(at, ".v%u", &vector) < 1 && sscanf(at, ".%2[bfsu]%ux%u", kind, &bits, &pack) > 1)
            bytes = bits / 8 * pack;
    }
    return bytes * vector;
}

/* Notes a variable of the file in global memory: ".global .align 4 .b8 name[400] = {...};". */
static void note_variable(struct walk *walk, struct piece statement)
{
    const char *end = memchr(statement.at, '=', (size_t)(statement.end - statement.at));
    end = end != NULL ? end : statement.end - 1;
    while (end[-1] == ' ')
        end--;
    const char *name = end;
    while (name[-1] != ' ' && name[-1] != '\t')
        name--;
    uint64_t bytes = bytes_of((struct piece){statement.at, name});
    for (const char *at = name; at < end; at++)
        bytes *= *at == '[' ? strtoull(at + 1, NULL, 10) : 1;
    fprintf(walk->own, "generic(%.*s), %" PRIu64 ", ", (int)strcspn(name, "[ =;"), name, bytes);
}

static enum krn_code refuse(const struct walk *walk, struct piece name, const char *why)
{
    char printed[400];
    snprintf(printed, sizeof printed, "%s(%ld): error: %.*s %s", walk->file, walk->line,
             (int)(name.end - name.at), name.at, why);
    return krn_mine_refuse(walk->file, walk->source, printed, walk->error);
}

/* Returns true when a call goes to the address in a register: "call (r), %rd4, (a), p;". */
static bool is_indirect(struct piece arguments)
{
    const char *at = arguments.at + strspn(arguments.at, BLANK);
    if (*at == '(') {
        at += strcspn(at, ")") + 1;
        at += strspn(at, BLANK ",");
    }
    return at < arguments.end && *at == '%';
}

/* Puts the call before an access. */
static enum krn_code guard(struct walk *walk, struct piece statement)
{
    const size_t predicate = *statement.at == '@' ? strcspn(statement.at, BLANK) : 0;
    struct piece name = {statement.at + predicate, NULL};
    name.at += strspn(name.at, BLANK);
    name.end = name.at + strcspn(name.at, BLANK ";");
    const char *const open = memchr(statement.at, '[', (size_t)(statement.end - statement.at));
    const bool global = has(name, ".global"), local = has(name, ".param") || has(name, ".shared") ||
                                                      has(name, ".local") || has(name, ".const");
    const bool load = begins(name.at, "ld"), store = begins(name.at, "st."),
               atomic = begins(name.at, "atom.") || begins(name.at, "red.");
    if (begins(name.at, "call") && is_indirect((struct piece){name.end, statement.end}))
        return refuse(walk, name, "through a pointer may go anywhere");
    if (open == NULL || *name.at == '.' || (local && !global) || begins(name.at, "prefetch"))
        return KRN_OK;
    const char *const close = strchr(open, ']');
    const char *const plus = memchr(open, '+', (size_t)(close - open)), *const base_end =
                                                                            plus != NULL ? plus
                                                                                         : close;
    char *end = (char *)close;
    const long long offset = plus != NULL ? strtoll(plus + 1, &end, 0) : 0;
    if ((!load && !store && !atomic) || local || end + strspn(end, BLANK) != close ||
        memchr(close, '[', (size_t)(statement.end - close)))
        return refuse(walk, name, "hides the memory that it uses");
    fprintf(walk->out,
            "{\n.reg .b64 %%mine;\n.param .b64 mine_a;\n.param .b32 mine_b;\n.param .b32 mine_c;\n"
            "mov.u64 %%mine, %.*s;\nadd.s64 %%mine, %%mine, %lld;\nst.param.b64 [mine_a], %%mine;\n"
            "st.param.b32 [mine_b], %u;\nst.param.b32 [mine_c], %ld;\n"
            "%.*s call mine_check, (mine_a, mine_b, mine_c);\n}\n",
            (int)(base_end - open - 1), open + 1, offset, bytes_of(name),
            8 * walk->line + 4 + 2 * !load + !global, (int)predicate, statement.at);
    return KRN_OK;
}

/* Takes one piece. */
static enum krn_code take(struct walk *walk, struct piece piece)
{
    static const char own[] = "mine_own[";
    const bool head = *piece.at == '.' && (has(piece, ".func") || has(piece, ".entry"));
    enum krn_code code = KRN_OK;
    if (*piece.at == '{' || *piece.at == '}') {
        walk->depth += *piece.at == '{' ? 1 : -1;
        walk->check = walk->check && walk->depth > 0;
    } else if (begins(piece.at, ".loc")) {
        note_line(walk, piece);
    } else if (walk->depth == 0 && *piece.at == '.' && has(piece, ".global")) {
        if (has(piece, own)) /* comes again, filled */
            return KRN_OK;
        if (!has(piece, " mine_guard["))
            note_variable(walk, piece);
    } else if (head && piece.end[-1] != ';') {
        walk->check = has(piece, " mine_check(");
        if (!walk->begun && fflush(walk->own) == 0)
            fprintf(walk->out,
                    ".func mine_check(.param .b64 a, .param .b32 b, .param .b32 c);\n"
                    ".global .align 8 .u64 mine_own[] = {%s0, 0};\n",
                    walk->own_text);
        walk->begun = true;
    } else if (walk->depth > 0 && !walk->check && strchr(BLANK "/", *piece.at) == NULL) {
        code = guard(walk, piece);
    }
    put(walk, piece);
    return code;
}

enum krn_code krn_mine_guard_ptx(const char *file, const char *source, const char *ptx,
                                 char **guarded, struct krn_error *error)
{
    struct walk walk = {.file = file, .source = source, .error = error};
    const size_t name = strlen(file);
    size_t bytes, own_bytes;
    enum krn_code code = KRN_OK;
    *guarded = NULL;
    for (const char *at = ptx; (at = strstr(at, "\t.file\t")) != NULL; at++) {
        const char *const line = at + strlen("\t.file\t"), *const end = line + strcspn(line, "\n");
        if ((size_t)(end - line) > name + 2 && begins(end - name - 1, file) &&
            strchr("/\"", end[-(ptrdiff_t)name - 2]) != NULL)
            walk.user = strtol(line, NULL, 10);
    }
    walk.out = open_memstream(guarded, &bytes);
    walk.own = open_memstream(&walk.own_text, &own_bytes);
    if (walk.out == NULL || walk.own == NULL)
        code = KRN_FAIL(error, KRN_NO_MEMORY, "No memory to try a kernel.");
    for (struct piece piece = {ptx, ptx}; code == KRN_OK && *piece.end != 0;) {
        piece = next_piece(piece.end);
        code = take(&walk, piece);
    }
    if (walk.own != NULL)
        fclose(walk.own);
    if (walk.out != NULL && (fclose(walk.out) != 0) && code == KRN_OK)
        code = KRN_FAIL(error, KRN_NO_MEMORY, "No memory to try a kernel.");
    free(walk.own_text);
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
