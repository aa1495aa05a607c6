/* The code of the kernel on screen: the file of --kernel-file, or a teaching version; of kernels
 * that no twelve lines can show, a caption. In a duel, the lines of both sides in one text, as a
 * diff has them. */
#include "hud/parts.h"

#include "spec/state.h"

#include <math.h>
#include <string.h>

/* The columns of a teaching version, and those that a longer line is cut to: it must not make all
 * lines small. */
enum { LINES_MAX = 24, COLUMNS = 60, COLUMNS_MAX = 80, BYTES = 4 * COLUMNS_MAX + 8 };

/* Whose a line is; or it is the one with the fault. */
enum side { SIDE_A, SIDE_B, SIDE_BOTH, SIDE_FAULT };

struct code {
    bool caption, teaching;
    int count; /* of all lines; those up to LINES_MAX are here */
    struct {
        enum side side;
        char text[BYTES];
    } lines[2 * LINES_MAX];
};

static const char file_head[] = "using namespace teaching;";

/* The teaching version of a kernel from a storage; or its caption, three lines. */
static const struct entry {
    enum krn_kernel kernel;
    int storages; /* a set */
    bool caption;
    const char *text;
} entries[] = {
    {KRN_KERNEL_BOOK, 1 << KRN_STORAGE_GLOBAL, false, app_teaching_book_global_cu},
    {KRN_KERNEL_BOOK, 1 << KRN_STORAGE_READONLY, false, app_teaching_book_readonly_cu},
    {KRN_KERNEL_BOOK, 1 << KRN_STORAGE_CONSTANT, false, app_teaching_book_constant_cu},
    {KRN_KERNEL_BOOK, 1 << KRN_STORAGE_SHARED, false, app_teaching_book_shared_cu},
    {KRN_KERNEL_BOOK, 1 << KRN_STORAGE_TEXTURE, true,
     "The code is that of book/global, but on a GPU\n"
     "each number of a sphere is a texel of a texture:\n"
     "tex1Dfetch<float>(texture, 7 * n + member)."},
    {KRN_KERNEL_STRIP, KRN_EVERY_STORAGE, false, app_teaching_strip_cu},
    {KRN_KERNEL_BINNED, KRN_EVERY_STORAGE, true,
     "The picture is divided into tiles, and each tile\n"
     "has a list of the spheres that touch it.\n"
     "A pixel tests only the spheres of its own tile."},
    {KRN_KERNEL_SPLAT, KRN_EVERY_STORAGE, true,
     "No pixel looks for spheres: each sphere goes to\n"
     "its pixels and writes its depth and its number.\n"
     "The greatest depth stays, on a GPU by atomicMax."},
    {KRN_KERNEL_BRUTE, KRN_EVERY_STORAGE, true,
     "A ray goes from the camera to the nearest sphere,\n"
     "then to the sun, and on as a mirror reflects it.\n"
     "Each of these rays tests every sphere."},
    {KRN_KERNEL_TREE, KRN_EVERY_STORAGE, true,
     "Boxes hold the spheres, and larger boxes hold\n"
     "those: a tree, which every frame builds anew.\n"
     "A ray that misses a box skips all that is in it."},
};

/* Returns where the shown part of a kernel's file begins: behind what every teaching version begins
 * with, else at the line of the kernel. */
static const char *begin_of(const char *text)
{
    const char *head = strstr(text, file_head), *kernel = text;
    if (head)
        return head + strlen(file_head) + strspn(head + strlen(file_head), "\r\n");
    for (const char *at = text; (at = strstr(at, "__global__")) != NULL; at++)
        kernel = at;
    while (kernel > text && kernel[-1] != '\n')
        kernel--;
    return kernel;
}

/* Adds the line at `text`, with blanks for tabs. */
static void add_line(struct code *code, const char *text, size_t length)
{
    const int at = code->count++;
    if (at >= LINES_MAX)
        return;
    char *line = code->lines[at].text;
    while (length > 0 && strchr(" \t\r", text[length - 1]) != NULL)
        length--;
    size_t used = 0, columns = 0;
    for (size_t i = 0; i < length && used < BYTES - 8; i++) {
        const bool begins = ((unsigned char)text[i] & 0xc0) != 0x80; /* a character of UTF-8 */
        const size_t wide = text[i] == '\t' ? 4 - columns % 4 : 1;
        if (begins && columns + wide > COLUMNS_MAX - (i + 1 < length)) {
            used += (size_t)sprintf(line + used, "…");
            break;
        }
        memset(line + used, text[i] == '\t' ? ' ' : text[i], wide);
        used += wide;
        columns += begins ? wide : 0;
    }
    line[used] = 0;
    app_make_printable(line);
    code->lines[at].side = SIDE_BOTH;
}

/* Takes the lines of a text up to the one that ends a function. */
static void take_lines(struct code *code, const char *text)
{
    for (bool end = false; *text && !end; text += *text == '\n') {
        const size_t length = strcspn(text, "\n");
        end = text[0] == '}';
        add_line(code, text, length);
        text += length;
    }
}

/* Gives the strip's lines another number of pixels per thread in the place of 8. */
static void put_pixels(struct code *code, int pixels)
{
    for (int i = 0; i < code->count; i++) {
        char line[BYTES], *at = code->lines[i].text;
        snprintf(line, sizeof line, "%s", at);
        const char *eight = strchr(line, '8');
        if (eight)
            snprintf(at, BYTES, "%.*s%d%s", (int)(eight - line), line, pixels, eight + 1);
    }
}

/* Finds the code of a mode. */
static void find(struct krn_mode mode, const struct app_mine_status *mine, struct code *code)
{
    memset(code, 0, sizeof *code);
    if (mode.kernel == KRN_KERNEL_MINE) {
        code->caption = !mine || !mine->source[0];
        const char *begin = code->caption ? "There is no file to show." : begin_of(mine->source);
        take_lines(code, begin);
        int line = !code->caption && mine->fault ? mine->numbers.line : 0;
        for (const char *at = begin; line > 0 && at > mine->source; at--)
            line -= at[-1] == '\n';
        if (line > 0 && line <= code->count && line <= LINES_MAX)
            code->lines[line - 1].side = SIDE_FAULT;
        return;
    }
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        const struct entry *entry = &entries[i];
        if (entry->kernel != mode.kernel || !(entry->storages >> mode.storage & 1))
            continue;
        code->caption = entry->caption;
        code->teaching = !entry->caption;
        take_lines(code, entry->caption ? entry->text : begin_of(entry->text));
        if (entry->kernel == KRN_KERNEL_STRIP)
            put_pixels(code, mode.pixels_per_thread);
    }
}

static bool same_line(const char *a, const char *b)
{
    return strcmp(a + strspn(a, " "), b + strspn(b, " ")) == 0;
}

/* Merges two codes by their longest common subsequence of lines, as diff does. */
static void merge(const struct code *a, const struct code *b, struct code *both)
{
    const int rows = a->count < LINES_MAX ? a->count : LINES_MAX,
              columns = b->count < LINES_MAX ? b->count : LINES_MAX;
    int common[LINES_MAX + 1][LINES_MAX + 1] = {{0}}; /* of the lines from here on */
    for (int i = rows - 1; i >= 0; i--)
        for (int j = columns - 1; j >= 0; j--)
            common[i][j] = same_line(a->lines[i].text, b->lines[j].text) ? 1 + common[i + 1][j + 1]
                           : common[i + 1][j] > common[i][j + 1]         ? common[i + 1][j]
                                                                         : common[i][j + 1];
    *both = (struct code){.teaching = a->teaching || b->teaching};
    for (int i = 0, j = 0; i < rows || j < columns;) {
        const bool same = i < rows && j < columns && same_line(a->lines[i].text, b->lines[j].text);
        const bool of_a =
            same || j == columns || (i < rows && common[i + 1][j] >= common[i][j + 1]);
        both->lines[both->count] = of_a ? a->lines[i] : b->lines[j];
        enum side *side = &both->lines[both->count++].side;
        if (*side != SIDE_FAULT)
            *side = same ? SIDE_BOTH : of_a ? SIDE_A : SIDE_B;
        i += of_a;
        j += same || !of_a;
    }
    both->count += a->count - rows + b->count - columns;
}

/* Writes what is to be known of the code. Returns true when it is a fault. */
static bool write_note(const struct app_hud *hud, const struct code sides[2], bool merged,
                       char *text, size_t size)
{
    const struct krn_mode modes[] = {hud->state->spec.mode, hud->state->spec.duel.other};
    bool other_storage = false;
    int teaching = 0;
    text[0] = 0;
    for (int side = 0; side < (merged ? 2 : 1); side++) {
        const struct krn_mode mode = modes[side];
        teaching += sides[side].teaching;
        other_storage = other_storage ||
                        (mode.kernel == KRN_KERNEL_STRIP && mode.storage != KRN_STORAGE_GLOBAL);
        if (mode.kernel == KRN_KERNEL_MINE && hud->mine && hud->mine->fault) {
            struct app_mine_fault fault;
            app_hud_mine_fault(hud, &fault);
            if (hud->mine->numbers.line > 0)
                snprintf(text, size, "line %d: %.280s", hud->mine->numbers.line, fault.message);
            else
                snprintf(text, size, "%s", hud->mine->text);
            return true;
        }
    }
    if (teaching > 0)
        snprintf(text, size, "%s%s; the time is the full kernel's",
                 !merged || teaching == 2 ? "Shortened"
                 : sides[0].teaching      ? "A is shortened"
                                          : "B is shortened",
                 other_storage ? ", from global memory" : " to fit the page");
    return false;
}

/* Writes a mode and its time: "strip/global/4: 5.89 µs". The code of a version with a fault is not
 * what runs. */
static void write_name(const struct app_hud *hud, int side, char *text, size_t size)
{
    const struct krn_mode mode = side == 0 ? hud->state->spec.mode : hud->state->spec.duel.other;
    const struct app_mode_time *now = &hud->now[side];
    char name[APP_MODE_TEXT_MAX];
    krn_mode_name(mode, name, sizeof name);
    const bool users = mode.kernel == KRN_KERNEL_MINE && hud->mine;
    if (users)
        snprintf(name, sizeof name, "%s", hud->mine->file);
    const struct app_form form = {.quantity = APP_QUANTITY_TIME,
                                  .like =
                                      app_number_keep_unit(hud->time_like_ms, now->median.value)};
    const struct app_number time = app_describe(now->median, form).number;
    if (now->median.valid && krn_mode_equal(now->mode, mode) && !(users && hud->mine->fault))
        app_format(text, size, "%s: %s %s", name, time.value, time.unit);
    else
        snprintf(text, size, "%s", name);
}

/* Draws the lines into `area`, as large as they fit; merged: with the sides of a duel beside them.
 */
static void draw_lines(const struct app_brush *brush, const struct app_state *state,
                       struct ren_rect area, const struct code *code, bool merged)
{
    const struct app_colours *c = brush->colours;
    const enum ren_face face = code->caption ? REN_FACE_SANS : REN_FACE_MONO;
    const float u = brush->unit, at_100 = ren_text_width(brush->renderer, face, 100.0f, "0");
    const int shown = code->count < LINES_MAX ? code->count : LINES_MAX, more = code->count - shown;
    float widest = code->caption ? 0.0f : COLUMNS * at_100;
    for (int i = 0; i < shown; i++)
        widest = fmaxf(widest, ren_text_width(brush->renderer, face, 100.0f, code->lines[i].text));
    const float gutter = merged ? 2.5f * at_100 : 0.0f, rows = (float)(shown + (more > 0));
    const float pixels = fminf(100.0f * area.w / (widest + gutter), area.h / (1.25f * rows)),
                size = pixels / u, left = area.x + 0.01f * gutter * pixels;
    float y = area.y + pixels;
    for (int i = 0; i < shown; i++, y += 1.25f * pixels) {
        const enum side side = code->lines[i].side;
        ren_colour ink = merged ? c->quiet : c->text;
        if (side != SIDE_BOTH) {
            ink = side == SIDE_FAULT ? c->bad : app_hud_side_colour(brush, state, side == SIDE_B);
            ren_list_fill(brush->list,
                          (struct ren_rect){left - 0.6f * 0.01f * at_100 * pixels,
                                            y - 0.95f * pixels, 0.15f * pixels, 1.25f * pixels},
                          0.0f, ink);
            app_draw_text(brush, REN_FACE_MONO_BOLD, size, area.x, y, REN_ALIGN_LEFT, ink,
                          side == SIDE_FAULT ? ""
                          : side == SIDE_B   ? "B"
                                             : "A");
        }
        /* Blanks at a line's beginning are no text. */
        const char *text = code->lines[i].text;
        const size_t indent = strspn(text, " ");
        app_draw_text(brush, face, size, left + 0.01f * at_100 * pixels * (float)indent, y,
                      REN_ALIGN_LEFT, ink, text + indent);
    }
    char rest[32];
    snprintf(rest, sizeof rest, "%d more line%s", more, more == 1 ? "" : "s");
    if (more > 0)
        app_draw_text(brush, REN_FACE_SANS, size, left, y, REN_ALIGN_LEFT, c->quiet, rest);
}

void app_hud_code(const struct app_brush *given, const struct app_layout *layout,
                  const struct app_hud *hud)
{
    struct app_brush own = *given, *brush = &own;
    const struct app_colours *c = brush->colours;
    const struct app_state *state = hud->state;
    const struct ren_rect card = layout->screen;
    /* Lines are as large as they fit; a larger title would make them smaller. */
    own.unit = fminf(own.unit, fminf((card.h + layout->strip.h) / 720.0f, card.w / 960.0f));
    const float u = own.unit, margin = APP_MARGIN * u;
    static const char *const letters[] = {"B", "A"}; /* as the comparison has them */
    struct code sides[2], both;
    char names[2][96], title[224], longer[336], closing[80], note[APP_NOTICE_MAX], device[128];
    find(state->spec.mode, hud->mine, &sides[0]);
    find(state->spec.duel.other, hud->mine, &sides[1]);
    const bool merged = state->spec.duel.on && !sides[0].caption && !sides[1].caption;
    if (merged)
        merge(&sides[0], &sides[1], &both);
    app_hud_device(hud, false, device, sizeof device);
    const bool fault = write_note(hud, sides, merged, note, sizeof note);
    write_name(hud, 0, names[0], sizeof names[0]);
    write_name(hud, 1, names[1], sizeof names[1]);
    snprintf(title, sizeof title, merged ? "A %s, B %s" : "%s", names[0], names[1]);
    snprintf(longer, sizeof longer, "%s", title);
    const struct app_said said =
        app_comparison_say(&hud->comparison, letters, !hud->now[0].recorded);
    if (merged && hud->sides == 2 && said.firm && said.faster >= 0 && !fault)
        snprintf(longer, sizeof longer, "%s: %s %s", title, letters[said.faster], said.text);
    ren_list_fill(brush->list, card, 0.0f, (ren_colour)c->background << 8 | 0xffu);
    if (hud->now[0].recorded)
        snprintf(closing, sizeof closing, "recorded, %s", hud->recorded->brief);
    else if (hud->talk) /* whose questions may be answered by a recorded device */
        snprintf(closing, sizeof closing, "on %.70s", device);
    else
        app_key_hints("{code} closes", closing, sizeof closing);
    float y = margin + APP_TYPE_BODY * u;
    const float end = app_draw_text(brush, REN_FACE_SANS, APP_TYPE_BODY, card.w - margin, y,
                                    REN_ALIGN_RIGHT, c->quiet, closing);
    const char *const titles[] = {longer, title, NULL};
    app_draw_text_fit(brush, REN_FACE_SANS_BOLD, APP_TYPE_LARGE, margin, y,
                      card.w - 2.5f * margin - end, c->text, titles);
    y += 1.5f * APP_TYPE_BODY * u;
    const float room = card.w - 2.0f * margin,
                wide = ren_text_width(brush->renderer, REN_FACE_SANS, APP_TYPE_LARGE * u, note),
                size = wide <= room ? APP_TYPE_LARGE : APP_TYPE_BODY;
    const int lines = app_draw_lines(brush, REN_FACE_SANS, size, margin, y, room, 3,
                                     fault ? c->bad : c->text, note, true);
    y += 1.35f * (float)lines * size * u;
    draw_lines(brush, state,
               (struct ren_rect){margin, y, card.w - 2.0f * margin, card.h - y - margin},
               merged ? &both : &sides[0], merged);
}
