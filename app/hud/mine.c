/* The kernel of --kernel-file on screen: what is known of its picture in a few words, and what is
 * wrong with it as a block over the picture. */
#include "hud/parts.h"

#include "krn/mine.h"

#include <math.h>
#include <string.h>

/* Removes from a compiler's message the line that ends it, which may be cut there. */
static void cut_line(char *message, const char *line)
{
    for (char *at = message; line[0] && (at = strstr(at, ": ")) != NULL; at++)
        if (strncmp(at + 2, line, strlen(at + 2)) == 0)
            *at = 0;
}

/* Returns the verdict on the picture that the fault is of; its `wrong` is 0 for other faults. */
static const struct krn_verdict *verdict_of(const struct app_hud *hud)
{
    return hud->mine->fault ? &hud->mine->numbers.verdict : &hud->verified.verdict;
}

void app_hud_mine_fault(const struct app_hud *hud, struct app_mine_fault *fault)
{
    const struct app_mine_status *mine = hud->mine;
    const struct krn_verdict *verdict = verdict_of(hud);
    const int line = mine->fault ? mine->numbers.line : 0;
    const char *text = mine->fault ? mine->text : hud->verified.text;
    memset(fault, 0, sizeof *fault);
    snprintf(fault->title, sizeof fault->title, "%s", mine->file);
    if (line > 0) {
        const size_t own = strlen(mine->file);
        snprintf(fault->title + own, sizeof fault->title - own, ", line %d", line);
        krn_mine_line(mine->source, line, fault->code, sizeof fault->code);
        if (line > 1)
            krn_mine_line(mine->source, line - 1, fault->before, sizeof fault->before);
        app_make_printable(fault->code);
        app_make_printable(fault->before);
    }
    if (strncmp(text, fault->title, strlen(fault->title)) == 0)
        text += strlen(fault->title);
    text += strspn(text, ": ");
    if (verdict->wrong > 0)
        snprintf(fault->message, sizeof fault->message,
                 "%zu of %zu pixels are wrong, the first at (%d, %d)", verdict->wrong,
                 verdict->compared, verdict->first_x, verdict->first_y);
    else
        snprintf(fault->message, sizeof fault->message, "%s", text);
    cut_line(fault->message, fault->code);
}

void app_hud_picture(const struct app_hud *hud, bool brief, char *text, size_t size)
{
    const bool mine = hud->now[0].mode.kernel == KRN_KERNEL_MINE && hud->mine;
    const size_t tried = mine ? hud->mine->numbers.rounded : 0,
                 rounded = tried > 0 ? tried : hud->verified.rounded;
    text[0] = 0;
    if (mine && (hud->mine->fault || !hud->mine->ready))
        return;
    if (rounded > 0)
        snprintf(text, size, brief ? "right, %zu rounded" : "right, %zu pixels rounded otherwise",
                 rounded);
    else if (mine)
        snprintf(text, size, brief ? "same picture" : "same picture as the book's kernel");
}

/* Draws a colour of the first wrong pixel, as a patch and in numbers. */
static void draw_colour(const struct app_brush *brush, float x, float y, const char *name,
                        const uint8_t colour[4])
{
    const float u = brush->unit, side = APP_TYPE_LARGE * u;
    char text[48];
    const struct ren_rect patch = {x, y - 0.85f * side, 2.0f * side, side};
    ren_list_fill(brush->list, patch, 0.0f,
                  (ren_colour)colour[0] << 24 | (ren_colour)colour[1] << 16 |
                      (ren_colour)colour[2] << 8 | 0xffu);
    ren_list_outline(brush->list, patch, 0.0f, fmaxf(1.0f, u), brush->colours->quiet);
    snprintf(text, sizeof text, "%s %d %d %d %d", name, colour[0], colour[1], colour[2], colour[3]);
    app_draw_text(brush, REN_FACE_SANS, APP_TYPE_LARGE, x + 2.4f * side, y, REN_ALIGN_LEFT,
                  brush->colours->text, text);
}

bool app_hud_mine_noticed(const struct app_hud *hud)
{
    return hud->mine && hud->mine->fault && hud->notice &&
           strcmp(hud->notice, hud->mine->text) == 0;
}

/* Returns true when something is wrong with the version on screen, or with a newer one. Where no
 * version is on screen, it goes with its notice, so that it does not stand over a show. */
static bool has_fault(const struct app_hud *hud)
{
    const struct app_mode_time *worse = app_hud_worse(hud);
    const bool shown = app_state_has_mine(hud->state);
    if (hud->mine && hud->mine->fault && (shown || app_hud_mine_noticed(hud)))
        return true;
    return hud->mine && shown && worse->mode.kernel == KRN_KERNEL_MINE && !worse->recorded &&
           worse->verified == APP_VERIFIED_FALSE;
}

bool app_hud_mine(const struct app_brush *brush, const struct app_layout *layout,
                  const struct app_hud *hud)
{
    const struct app_colours *c = brush->colours;
    const struct ren_rect pane = layout->pane;
    const float u = brush->unit, margin = APP_MARGIN * u, pad = APP_PAD * u,
                inner = pane.w - 2.0f * (margin + pad), left = pane.x + margin + pad;
    struct app_mine_fault fault;
    if (!has_fault(hud))
        return false;
    app_hud_mine_fault(hud, &fault);
    const struct krn_verdict *verdict = verdict_of(hud);
    const bool runs = !hud->mine->fault;
    const char *closing = runs               ? "It has no verdict."
                          : hud->mine->ready ? "The last good version is still running."
                                             : "No version of it runs yet.";
    /* The lines are as large as they fit, down to the type of the last row. A compiler's quotes are
     * told apart in the type of code. */
    const enum ren_face face = fault.code[0] ? REN_FACE_MONO : REN_FACE_SANS_BOLD;
    const float mono = fmaxf(ren_text_width(brush->renderer, REN_FACE_MONO, u, fault.code),
                             ren_text_width(brush->renderer, REN_FACE_MONO, u, fault.before)),
                code = fmaxf(fminf(APP_TYPE_LARGE, inner / fmaxf(mono, 1.0f)), APP_TYPE_BODY),
                size = app_draw_fit_words(brush, face, APP_TYPE_LARGE, inner, fault.message);
    const int lines = app_draw_lines(brush, face, size, 0, 0, inner, 4, 0, fault.message, false);
    const bool coloured = verdict->wrong > 0;
    const float high =
        2.0f * pad + u * (1.2f * APP_TYPE_TITLE + 1.35f * size * (float)lines +
                          (fault.code[0] ? 2.0f * APP_TYPE_LARGE : 0.0f) +
                          (fault.before[0] ? 1.35f * code : 0.0f) +
                          (coloured ? 3.0f * APP_TYPE_LARGE : 0.0f) + 1.6f * APP_TYPE_BODY);
    const struct ren_rect card = {pane.x + margin, pane.y + fmaxf(0.5f * (pane.h - high), 0.0f),
                                  pane.w - 2.0f * margin, high};
    if (!runs) /* the picture is that of an older version */
        ren_list_fill(brush->list, pane, 0.0f, (ren_colour)c->background << 8 | 0xb8u);
    app_draw_card(brush, card);
    ren_list_fill(brush->list, (struct ren_rect){card.x, card.y, 8.0f * u, card.h}, 0.0f, c->bad);
    float y = card.y + pad + 0.8f * APP_TYPE_TITLE * u;
    app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_TYPE_TITLE, left, y, inner, c->bad,
                     fault.title);
    y += 1.2f * APP_TYPE_TITLE * u;
    app_draw_lines(brush, face, size, left, y, inner, 4, c->text, fault.message, true);
    y += 1.35f * size * (float)lines * u;
    if (fault.code[0]) {
        y += 0.6f * APP_TYPE_LARGE * u;
        if (fault.before[0]) {
            app_draw_text_in(brush, REN_FACE_MONO, code, left, y, inner, c->quiet, fault.before);
            y += 1.35f * code * u;
        }
        app_draw_text_in(brush, REN_FACE_MONO, code, left, y, inner, c->bad, fault.code);
        y += 1.4f * APP_TYPE_LARGE * u;
    }
    if (coloured) {
        y += 0.2f * APP_TYPE_LARGE * u;
        draw_colour(brush, left, y, "expected", verdict->expected);
        draw_colour(brush, left, y + 1.3f * APP_TYPE_LARGE * u, "got", verdict->actual);
        y += 2.8f * APP_TYPE_LARGE * u;
    }
    app_draw_text_in(brush, REN_FACE_SANS, APP_TYPE_BODY, left, y + 0.3f * APP_TYPE_BODY * u, inner,
                     c->text, closing);
    return true;
}
