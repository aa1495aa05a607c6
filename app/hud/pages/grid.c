#include "hud/pages/grid.h"

#include "command/keys.h"
#include "hud/draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns the first probe of the topic whose result is wrong; NULL: none. */
static const struct app_probe_result *wrong_of(const struct app_panels_view *view,
                                               enum krn_topic topic)
{
    for (int i = 0; i < view->probes.count; i++) {
        const struct app_probe_result *result = &view->probes.results[i];
        if (result->probe->topic == topic && result->n > 0 &&
            result->verified == APP_VERIFIED_FALSE)
            return result;
    }
    return NULL;
}

static bool offered(const struct app_panels_view *view, enum krn_topic topic)
{
    for (int i = 0; i < view->probes.count; i++)
        if (view->probes.results[i].probe->topic == topic)
            return true;
    return false;
}

/* Says why a topic has no numbers. */
static const char *absence(const struct app_panels_view *view, enum krn_topic topic, bool recorded,
                           struct app_panel_words *words)
{
    if (view->refused[topic])
        return view->refused[topic];
    if (!offered(view, topic))
        return recorded ? "not in the recorded run" : "not offered by this device";
    *words = app_panel_not_yet(view);
    return words->text;
}

/* Reports why no number may be quoted, in place of the subtitle and by a frame round the card.
 * wrong: a wrong result; NULL: the reason is another. */
static void draw_alarm(const struct app_brush *brush, struct ren_rect card, float x, float y,
                       float width, const struct app_probe_result *wrong, const char *reason)
{
    char text[128];
    snprintf(text, sizeof text, "✗ %s: %s", wrong ? "WRONG RESULT" : "DO NOT QUOTE",
             wrong ? wrong->probe->series : reason);
    app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_PANEL_SMALL, x, y, width, brush->colours->bad,
                     text);
    ren_list_outline(brush->list, card, APP_RADIUS * brush->unit, 2.0f * brush->unit,
                     brush->colours->bad);
}

/* Draws the age of readings that are kept, in the colour of the values, so that it is noticed;
 * returns its width. */
static float draw_age(const struct app_brush *brush, float x, float y, enum ren_align align,
                      double age_s)
{
    char text[32];
    app_panel_age_text(age_s, text, sizeof text);
    if (!text[0])
        return 0.0f;
    return app_draw_text(brush, REN_FACE_SANS_BOLD, APP_PANEL_SMALL, x, y, align,
                         brush->colours->text, text);
}

/* Returns the backend that the panels show; without one, the layout is that of the CPU. */
static enum krn_backend_id backend_of(const struct app_panels_view *view)
{
    return view->probes.device ? view->probes.device->backend : KRN_BACKEND_CPU;
}

/* Draws a few words in the middle, or a sentence on as many lines as fit. */
static void draw_absence(const struct app_brush *brush, struct ren_rect area, const char *text)
{
    const float line = 1.35f * APP_TEXT * brush->unit;
    const int room = (int)(area.h / line);
    const int lines =
        app_draw_lines(brush, REN_FACE_SANS, APP_TEXT, 0.0f, 0.0f, area.w, room, 0, text, false);
    if (lines > 1)
        app_draw_lines(brush, REN_FACE_SANS, APP_TEXT, area.x,
                       area.y + (area.h - line * (float)(lines - 2)) / 2.0f, area.w, room,
                       brush->colours->quiet, text, true);
    else
        app_draw_text(brush, REN_FACE_SANS, APP_TEXT, area.x + area.w / 2.0f,
                      area.y + area.h / 2.0f, REN_ALIGN_CENTRE, brush->colours->quiet, text);
}

/* Draws the reason beside the mark, as long as there is room behind the title. */
static void draw_doubt(const struct app_brush *brush, const struct app_panel_doubt *doubt,
                       float title_end, float mark, float y)
{
    const float gap = 6.0f * brush->unit;
    const char *const tries[] = {doubt->text, app_trust_first(doubt->reasons)};
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        const float width =
            ren_text_width(brush->renderer, REN_FACE_SANS, APP_PANEL_SMALL * brush->unit, tries[i]);
        if (title_end + 3.0f * gap + width > mark)
            continue;
        app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, mark - gap, y, REN_ALIGN_RIGHT,
                      app_trust_colour(brush, app_trust_level(doubt->reasons)), tries[i]);
        return;
    }
}

/* Draws the least number of samples in as many words as `room` has space for; returns its width. */
static float draw_samples(const struct app_brush *brush, float right, float y, float room, size_t n)
{
    static const char *const words[] = {"+ samples each", "+ samples", "+"};
    char text[64];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        snprintf(text, sizeof text, "%zu%s", n, words[i]);
        if (ren_text_width(brush->renderer, REN_FACE_SANS, APP_PANEL_SMALL * brush->unit, text) <=
            room)
            break;
    }
    return app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, right, y, REN_ALIGN_RIGHT,
                         brush->colours->quiet, text);
}

/* Draws a topic's card. stamp: of a recorded view, NULL: the view is live. label: names the device
 * of a live view beside a recorded one; "": none. */
static void draw_full(const struct app_brush *brush, struct ren_rect card, enum krn_topic panel,
                      const struct app_panels_view *view, const struct app_recorded_view *stamp,
                      const char *label)
{
    const float u = brush->unit, x = card.x + APP_PANEL_PAD * u;
    const float right = card.x + card.w - APP_PANEL_PAD * u;
    const struct app_colours *c = brush->colours;
    const size_t n = app_panel_samples(view, panel);
    const struct app_probe_result *wrong = wrong_of(view, panel);
    app_draw_panel(brush, card);
    struct app_panel_doubt doubt = app_panel_doubt(view, panel);
    if (stamp && app_trust_first(doubt.reasons) ==
                     app_trust_entry(APP_TRUST_RECORDED)->words) /* its stamp says so */
        doubt = (struct app_panel_doubt){.reasons = 0};
    const bool alarm = wrong || app_trust_no_verdict(doubt.reasons);
    float end = right;
    bool below = false;
    if (stamp) {
        const char *const whole[] = {app_topic_of(panel)->panel_title, NULL};
        const float room = right - x - 19.0f * u -
                           app_draw_widest(brush, REN_FACE_SANS_BOLD, APP_PANEL_TITLE, whole);
        app_stamp_tape(brush, card);
        /* Where the title leaves no room, the stamp is on the line below it. */
        below = room < app_stamp_least(brush, 12.0f);
        const float width =
            app_stamp_draw(brush, 12.0f, right, card.y + (below ? 37.0f : 21.0f) * u,
                           REN_ALIGN_RIGHT, below ? right - x : room, stamp);
        end -= below ? 0.0f : 9.0f * u + width;
    } else if (label[0]) {
        end -= 9.0f * u + app_draw_text(brush, REN_FACE_SANS_BOLD, APP_PANEL_SMALL, right,
                                        card.y + 21.0f * u, REN_ALIGN_RIGHT, c->text, label);
    }
    if (n > 0 && !stamp) {
        const float gap = 9.0f * u;
        const char *const whole[] = {app_topic_of(panel)->panel_title, NULL};
        /* The title, a mark and an age come first. */
        const float title = app_draw_widest(brush, REN_FACE_SANS_BOLD, APP_PANEL_TITLE, whole);
        char age_text[32];
        app_panel_age_text(app_panel_age(view, panel, NULL), age_text, sizeof age_text);
        const char *const ages[] = {age_text, NULL};
        const float rest =
            (doubt.reasons ? 22.0f * u : 0.0f) +
            (age_text[0] ? gap + app_draw_widest(brush, REN_FACE_SANS_BOLD, APP_PANEL_SMALL, ages)
                         : 0.0f);
        end -= draw_samples(brush, end, card.y + 21.0f * u, end - x - title - rest - gap, n);
        const float age = draw_age(brush, end - gap, card.y + 21.0f * u, REN_ALIGN_RIGHT,
                                   app_panel_age(view, panel, NULL));
        end -= age > 0.0f ? age + gap : 0.0f;
        /* The frame of an alarm is mark enough. */
        const float mark = app_draw_mark(brush, APP_PANEL_SMALL, end - gap, card.y + 21.0f * u,
                                         REN_ALIGN_RIGHT, alarm ? 0 : doubt.reasons);
        end -= mark > 0.0f ? mark + gap : 0.0f;
    }
    const struct app_topic *topic = app_topic_of(panel);
    const char *const titles[] = {topic->panel_title, topic->shorter, NULL};
    const float title = app_draw_text_fit(brush, REN_FACE_SANS_BOLD, APP_PANEL_TITLE, x,
                                          card.y + 21.0f * u, end - 9.0f * u - x, c->text, titles);
    struct app_picture picture;
    app_panel_picture(view, panel, &picture);
    const float y = card.y + 37.0f * u, line = 1.35f * APP_PANEL_TEXT * u;
    float top = card.y + (below ? 46.0f : 29.0f) * u;
    if (alarm) {
        draw_alarm(brush, card, x, y, right - x, wrong, doubt.text);
        top = y + 9.0f * u;
    } else {
        draw_doubt(brush, &doubt, x + title, end, card.y + 21.0f * u);
        const float width = right - x;
        const int lines = app_draw_lines(brush, REN_FACE_SANS_BOLD, APP_PANEL_TEXT, x, y, width, 4,
                                         0, picture.sentence, false);
        /* Where it would take more than half of the card, the chart comes first. */
        if (picture.sentence[0] && lines < 4) {
            const float from = y + (below ? line : 0.0f);
            app_draw_lines(brush, REN_FACE_SANS_BOLD, APP_PANEL_TEXT, x, from, width, lines,
                           c->text, picture.sentence, true);
            top = from - 8.0f * u + line * (float)lines;
        }
    }
    const struct ren_rect area = {x, top, right - x, card.y + card.h - 9.0f * u - top};
    struct app_panel_words words;
    /* Recorded numbers have the stamp's colour. */
    struct app_colours colours = *c;
    struct app_brush body = *brush;
    colours.text = stamp ? c->stamp : c->text;
    body.colours = &colours;
    if (n > 0) {
        const struct app_pen pen = app_draw_pen(&body);
        app_picture_draw(&pen, area, APP_PANEL_SMALL * u, &picture);
    } else {
        draw_absence(brush, area, absence(view, panel, stamp != NULL, &words));
    }
}

/* Draws a topic of this device, of the recorded run, or of both side by side; a topic that one of
 * them does not offer then leaves its place to the other. */
static void draw_sides(const struct app_brush *brush, struct ren_rect cell, enum krn_topic panel,
                       enum app_panel_side side, const struct app_panels_view *view)
{
    const struct app_recorded_view *recorded = view->recorded;
    const bool both = side == APP_SIDE_BOTH;
    const bool own = both ? offered(view, panel) : side == APP_SIDE_OWN,
               other = both ? offered(&recorded->panels, panel) : side != APP_SIDE_OWN;
    const float gap = APP_PANEL_GAP * brush->unit;
    struct ren_rect left = cell, right = cell;
    if (own && other) {
        left.w = right.w = (cell.w - gap) / 2.0f;
        right.x = left.x + left.w + gap;
    }
    char label[48];
    snprintf(label, sizeof label, "this %s",
             view->probes.device ? view->probes.device->can.noun : "device");
    if (own || !other)
        draw_full(brush, right, panel, view, NULL, label);
    if (other)
        draw_full(brush, left, panel, &recorded->panels, recorded, "");
}

/* Returns a headline's number, and the age of the oldest reading behind it. */
static struct app_estimate headline_of(const struct app_panels_view *view, enum krn_topic topic,
                                       const struct app_headline *headline, double *age_s)
{
    const struct app_probes_view *probes = &view->probes;
    const struct app_probe_result *result =
        app_probe_result_find(probes, topic, headline->series, headline->x);
    const struct app_estimate own = app_metric_of(probes, result, headline->metric);
    *age_s = app_panel_age(view, topic, result);
    if (!headline->over)
        return own;
    const struct app_probe_result *over =
        app_probe_result_find(probes, topic, headline->over, headline->over_x);
    *age_s = fmax(*age_s, app_panel_age(view, topic, over));
    return app_estimate_ratio(app_metric_of(probes, over, headline->metric), own);
}

struct app_page_headline app_page_headline(const struct app_panels_view *view, enum krn_topic topic)
{
    const struct app_headline *headline = &app_topic_of(topic)->headline[backend_of(view)];
    struct app_page_headline shown = {.caption = headline->caption};
    shown.said = app_describe(headline_of(view, topic, headline, &shown.age_s),
                              headline->over ? (struct app_form){.unit = "×"}
                                             : app_metric_form(headline->metric, 0.0));
    return shown;
}

/* Writes this device's number below a recorded one: "this CPU 21.3 GB/s, copy". */
static void describe_own(const struct app_panels_view *view, enum krn_topic panel, char *text,
                         size_t size)
{
    const struct app_page_headline own = app_page_headline(view, panel);
    const char *noun = view->probes.device ? view->probes.device->can.noun : "device";
    if (own.said.estimate.valid && !app_trust_no_verdict(own.said.estimate.trust))
        snprintf(text, size, "this %s %s %s, %s", noun, own.said.number.value, own.said.number.unit,
                 own.caption);
    else
        snprintf(text, size, "this %s: %s", noun, offered(view, panel) ? "–" : "not offered");
}

/* Draws one topic's number: title and caption on the left, the number on the right, its age
 * below. */
static void draw_headline(const struct app_brush *brush, struct ren_rect box, enum krn_topic panel,
                          const struct app_panels_view *beside)
{
    const struct app_recorded_view *stamp =
        beside->recorded && offered(&beside->recorded->panels, panel) ? beside->recorded : NULL;
    const struct app_panels_view *view = stamp ? &stamp->panels : beside;
    const float u = brush->unit, right = box.x + box.w;
    const struct app_colours *c = brush->colours;
    const struct app_topic *topic = app_topic_of(panel);
    const struct app_headline *headline = &topic->headline[backend_of(view)];
    const struct app_page_headline shown = app_page_headline(view, panel);
    const struct app_estimate estimate = shown.said.estimate;
    const double age_s = shown.age_s;
    const struct app_probe_result *wrong = wrong_of(view, panel);
    const float y = box.y + box.h / 2.0f - 5.0f * u, size = 24.0f;
    /* The number is centred on both lines, but leaves room for its age below. */
    const float number_y = y + 6.0f * u, below = y + 20.0f * u;
    float room = box.w;
    const enum app_verdict none = app_trust_no_verdict(estimate.trust);
    if (estimate.valid && none) {
        room -= app_draw_text(brush, REN_FACE_SANS_BOLD, APP_PANEL_TITLE, right, number_y,
                              REN_ALIGN_RIGHT, c->bad, app_verdict_word(none));
    } else if (estimate.valid) {
        /* The × of a ratio is one of its digits. */
        const struct app_described *said = &shown.said;
        const char *value = headline->over ? said->text : said->number.value;
        float unit =
            app_draw_text(brush, REN_FACE_SANS, APP_PANEL_TEXT, right, number_y, REN_ALIGN_RIGHT,
                          c->text, headline->over ? "" : said->number.unit);
        unit += unit > 0.0f ? 5.0f * u : 0.0f;
        /* Digits of equal width keep the number's end in place. */
        room -= unit + app_draw_text(brush, REN_FACE_MONO_BOLD, size, right - unit, number_y,
                                     REN_ALIGN_RIGHT, stamp ? c->stamp : c->text, value);
    }
    char caption[APP_NOTICE_MAX];
    struct app_panel_words words;
    const char *reason = estimate.valid && !stamp ? app_trust_first(estimate.trust) : "";
    snprintf(caption, sizeof caption, "%s · %s%s%zu+ samples", headline->caption, reason,
             reason[0] ? " · " : "", app_panel_samples(view, panel));
    if (wrong || !estimate.valid)
        snprintf(caption, sizeof caption, "%s",
                 wrong ? "✗ WRONG RESULT" : absence(view, panel, stamp != NULL, &words));
    if (stamp)
        describe_own(beside, panel, caption, sizeof caption);
    float under = box.w, mark = 0.0f;
    if (estimate.valid && stamp)
        under -= app_stamp_small(brush, right, below + 3.0f * u, REN_ALIGN_RIGHT);
    else if (estimate.valid)
        under -= draw_age(brush, right, below, REN_ALIGN_RIGHT, age_s);
    if (estimate.valid && !wrong && !stamp)
        mark = app_draw_mark(brush, APP_PANEL_SMALL, box.x, below, REN_ALIGN_LEFT, estimate.trust);
    mark += mark > 0.0f ? 5.0f * u : 0.0f;
    const char *const titles[] = {topic->panel_title, topic->shorter, NULL};
    app_draw_text_fit(brush, REN_FACE_SANS_BOLD, 14.0f, box.x, y, room - 8.0f * u, c->text, titles);
    char shorter[APP_NOTICE_MAX];
    const bool known = estimate.valid && !wrong;
    if (stamp)
        snprintf(shorter, sizeof shorter, "%.*s", (int)strcspn(caption, ","), caption);
    else if (known)
        snprintf(shorter, sizeof shorter, "%s · %s", headline->caption, reason);
    else /* the first clause of a reason */
        snprintf(shorter, sizeof shorter, "%.*s", (int)strcspn(caption, ",;"), caption);
    const char *brief = reason[0] ? reason : headline->caption;
    const char *const captions[] = {caption, !known || reason[0] ? shorter : brief,
                                    known && !stamp ? brief : NULL, NULL};
    app_draw_text_fit(brush, wrong ? REN_FACE_SANS_BOLD : REN_FACE_SANS, APP_PANEL_SMALL,
                      box.x + mark, below, under - mark - 8.0f * u, wrong ? c->bad : c->quiet,
                      captions);
}

/* Draws the stamp of the recorded run in front of the number of a text's page, as long as the room
 * beside the title allows; returns the width that it takes. */
static float draw_heading_stamp(const struct app_brush *brush, float x, float right, float y,
                                const char *const *titles, const struct app_recorded_view *recorded)
{
    const float gap = 10.0f * brush->unit;
    const char *const whole[] = {titles[0], NULL};
    const float room =
        right - x - 2.0f * gap - app_draw_widest(brush, REN_FACE_SANS_BOLD, 18.0f, whole);
    if (room < 90.0f * brush->unit)
        return 0.0f;
    return gap + app_stamp_draw(brush, 12.0f, right - 4.0f * brush->unit, y - brush->unit,
                                REN_ALIGN_RIGHT, room, recorded);
}

void app_page_panel(const struct app_brush *brush, struct ren_rect card, enum krn_topic topic,
                    const struct app_panels_view *view, const struct app_recorded_view *stamp)
{
    draw_full(brush, card, topic, view, stamp, "");
}

/* Draws the page's title with its part, its text's author, title and year, and the key of the next
 * part or page. */
static void draw_heading(const struct app_brush *brush, struct ren_rect card,
                         const struct app_page_contents *contents,
                         const struct app_panels_view *view)
{
    const float u = brush->unit, x = card.x + APP_PANEL_PAD * u;
    const float right = card.x + card.w - APP_PANEL_PAD * u;
    const struct app_colours *c = brush->colours;
    const struct app_text_entry *text = contents->text;
    char next[64], where[32], whole[256], brief[128];
    app_draw_panel(brush, card);
    char title[2][64], part[16] = "";
    app_key_hints(contents->part < contents->parts ? "{page} next part" : "{page} next page", next,
                  sizeof next);
    if (contents->parts > 1)
        snprintf(part, sizeof part, " %d/%d", contents->part, contents->parts);
    snprintf(title[0], sizeof title[0], "%s%s", text ? text->subject : "Published claims", part);
    snprintf(title[1], sizeof title[1], "%s%s", text ? text->subject : "Claims", part);
    snprintf(where, sizeof where, "%d/%d", (int)contents->page + 1, (int)APP_PAGE_COUNT);
    const float y = card.y + 19.5f * u, below = card.y + 35.5f * u;
    const float number =
        app_draw_text(brush, REN_FACE_SANS_BOLD, 14.0f, right, y, REN_ALIGN_RIGHT, c->text, where);
    const char *const titles[] = {title[0], title[1], NULL};
    float end = right - number - 8.0f * u;
    if (text && view->recorded)
        end -= draw_heading_stamp(brush, x, end, y, titles, view->recorded);
    app_draw_text_fit(brush, REN_FACE_SANS_BOLD, 18.0f, x, y, end - x, c->text, titles);
    const float hint = app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, right, below,
                                     REN_ALIGN_RIGHT, c->quiet, next);
    const float room = right - hint - 10.0f * u - x;
    if (text) {
        const char *const sources[] = {whole, brief, text->author, text->published, NULL};
        app_board_source(text, true, whole, sizeof whole);
        app_board_source(text, false, brief, sizeof brief);
        app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_SMALL, x, below, room, c->quiet, sources);
        return;
    }
    if (view->recorded)
        app_stamp_tape(brush, card);
    app_board_device(brush, x, below, room, view);
    app_board_progress(brush, card, view);
}

static void draw_page(const struct app_brush *given, struct ren_rect area,
                      const struct app_page_choice *choice, const struct app_panels_view *view,
                      const struct app_cell *story)
{
    struct app_page_contents contents;
    struct app_cells cells;
    app_page_part(choice->page, story != NULL, area.w, area.h, &choice->type, choice->part,
                  &contents);
    app_cells_make(&contents.needs, area, contents.unit, &cells);
    struct app_brush brush = *given;
    brush.unit = cells.unit;
    draw_heading(&brush, cells.heading, &contents, view);
    for (int i = 0; i < contents.panel_count; i++)
        if (view->recorded)
            draw_sides(&brush, cells.panels[i], contents.panels[i], contents.sides[i], view);
        else
            draw_full(&brush, cells.panels[i], contents.panels[i], view, NULL, "");
    if (contents.story && story != NULL)
        story->draw(&brush, cells.panels[contents.panel_count], story->data, view);
    if (contents.row_count > 0)
        app_board_draw(&brush, cells.board, &contents, cells.lines, view);
}

/* Draws a page as a column: one number for each panel, and the claims. */
static void draw_column(const struct app_brush *given, struct ren_rect area,
                        enum app_panels_page page, const struct app_panels_view *view)
{
    struct app_page_contents contents;
    struct app_cells cells;
    app_page_contents(page, false, &contents);
    app_cells_make_column(&contents.needs, area, &cells);
    struct app_brush brush = *given;
    brush.unit = cells.unit;
    const float u = brush.unit, pad = APP_PANEL_PAD * u;
    draw_heading(&brush, cells.heading, &contents, view);
    for (int i = 0; i < contents.panel_count; i++) {
        struct ren_rect box = cells.panels[i];
        if (i == 0) {
            struct ren_rect card = box;
            card.h *= (float)contents.panel_count;
            app_draw_panel(&brush, card);
            if (view->recorded)
                app_stamp_tape(&brush, card);
        } else {
            ren_list_line(brush.list, box.x + pad, box.y, box.x + box.w - pad, box.y,
                          fmaxf(1.0f, u), brush.colours->edge);
        }
        box.x += pad;
        box.w -= 2.0f * pad;
        draw_headline(&brush, box, contents.panels[i], view);
    }
    if (contents.row_count > 0)
        app_board_draw(&brush, cells.board, &contents, cells.lines, view);
}

/* Draws the reason why there are no panels. */
static void draw_why(const struct app_brush *brush, struct ren_rect area, const char *why)
{
    const float u = brush->unit, width = area.w - 4.0f * APP_PANEL_PAD * u;
    app_draw_panel(brush, area);
    const int lines =
        app_draw_lines(brush, REN_FACE_SANS, APP_TEXT, 0.0f, 0.0f, width, 8, 0, why, false);
    app_draw_lines(brush, REN_FACE_SANS, APP_TEXT, area.x + 2.0f * APP_PANEL_PAD * u,
                   area.y + (area.h - 1.35f * APP_TEXT * u * (float)(lines - 2)) / 2.0f, width, 8,
                   brush->colours->text, why, true);
}

void app_hud_panels(const struct app_brush *given, const struct ren_rect *area,
                    const struct app_page_choice *choice, const struct app_panels_view *view,
                    const struct app_cell *story)
{
    const enum app_panels size = choice->size;
    if (size == APP_PANELS_OFF || area->w <= 0.0f)
        return;
    if (view->why && view->why[0] && !view->recorded) {
        struct app_brush brush = *given;
        const struct app_page_type *type = &choice->type;
        brush.unit = area->w / (size == APP_PANELS_FULL ? APP_PANELS_WIDTH : APP_COMPACT_WIDTH);
        if (size == APP_PANELS_FULL)
            brush.unit = fmaxf(brush.unit, type->least) * fmaxf(type->scale, 1.0f);
        const float inset = APP_GAP * brush.unit;
        draw_why(&brush,
                 (struct ren_rect){area->x + inset, area->y + inset, area->w - 2.0f * inset,
                                   area->h - 2.0f * inset},
                 view->why);
    } else if (size == APP_PANELS_FULL) {
        draw_page(given, *area, choice, view, story);
    } else {
        draw_column(given, *area, choice->page, view);
    }
}
