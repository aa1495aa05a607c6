/* Pages of measurements: a message, one chart, and where the numbers come from. */

#include "hud/parts.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* A page while it is drawn, from its top downwards. */
struct page {
    struct app_brush brush;
    const struct app_hud *hud;
    struct ren_rect area; /* what is left of it, pixels */
    bool wide;            /* its width has room for text beside numbers */
};

/* In units. */
static const float wide_page = 880.0f, source_height = 40.0f;

/* Draws a message in as many lines as it needs, and takes them from the page. */
static void say(struct page *page, enum ren_face face, float size, ren_colour colour, int most,
                const char *text)
{
    const float u = page->brush.unit;
    if (!text[0])
        return;
    const int lines =
        app_draw_lines(&page->brush, face, size, page->area.x, page->area.y + size * u,
                       page->area.w, most, colour, text, true);
    const float used = (1.35f * (float)lines * size + 0.3f * size) * u;
    page->area.y += used;
    page->area.h -= used;
}

/* Draws the page's message in the largest type in which it takes `most` lines at most. */
static void say_message(struct page *page, ren_colour colour, int most, const char *text)
{
    const float size =
        page->wide && app_draw_lines(&page->brush, REN_FACE_SANS_BOLD, APP_TYPE_TITLE, 0, 0,
                                     page->area.w, 9, 0, text, false) <= most
            ? APP_TYPE_TITLE
            : APP_TYPE_LARGE;
    say(page, REN_FACE_SANS_BOLD, size, colour, 4, text);
}

/* Draws where the numbers come from at the lower right, and takes its line from the page. */
static void say_source(struct page *page, const struct app_panels_view *view,
                       const struct app_recorded_view *recorded, const char *sure)
{
    char text[256] = "", device[128];
    const float u = page->brush.unit;
    if (recorded)
        app_hud_source(recorded, text, sizeof text);
    else if (view && view->probes.device && view->again)
        app_format(text, sizeof text, "measuring again, %.0f %%", floor(100.0 * view->progress));
    else if (view && view->probes.device) {
        app_hud_device(page->hud, false, device, sizeof device);
        snprintf(text, sizeof text, "on %s", device);
    }
    const size_t length = strlen(text);
    if (length > 0 && sure[0] && !(view && view->again && !recorded))
        app_append(text, sizeof text, "; ", "%s", sure);
    if (ren_text_width(page->brush.renderer, REN_FACE_SANS, APP_TYPE_BODY * u, text) > page->area.w)
        text[length] = 0;
    page->area.h -= source_height * u;
    const float right = page->area.x + page->area.w,
                wide = ren_text_width(page->brush.renderer, REN_FACE_SANS, APP_TYPE_BODY * u, text);
    app_draw_text_in(
        &page->brush, REN_FACE_SANS, APP_TYPE_BODY, right - fminf(wide + 1.0f, page->area.w),
        page->area.y + page->area.h + 32.0f * u, page->area.w, page->brush.colours->quiet, text);
}

/* Returns true when probes of a topic were measured in a view. */
static bool has_topic(const struct app_panels_view *view, enum krn_topic topic, bool measured)
{
    for (int i = 0; view && i < view->probes.count; i++)
        if (app_result_is_of(&view->probes.results[i], topic, NULL) &&
            (!measured || app_result_samples(&view->probes.results[i]) > 0))
            return true;
    return false;
}

/* Returns where the numbers of a topic come from. *recorded: a recorded run, which stands in where
 * it is played, and for what it has and this machine does not measure; NULL: this machine. */
static const struct app_panels_view *view_of(const struct page *page, enum krn_topic topic,
                                             const struct app_recorded_view **recorded)
{
    const struct app_hud *hud = page->hud;
    const bool stands_in = hud->recorded && (hud->now[0].recorded ||
                                             (!has_topic(hud->panels, topic, false) &&
                                              has_topic(&hud->recorded->panels, topic, false)));
    *recorded = stands_in ? hud->recorded : NULL;
    return *recorded ? &(*recorded)->panels : hud->panels;
}

/* ---- a topic ---- */

/* Makes a topic's picture from a view. */
static void make_picture(const struct page *page, enum krn_topic topic,
                         const struct app_panels_view *view, struct app_picture *picture)
{
    const struct app_picture_facts facts = {.probes = &view->probes,
                                            .addresses = page->hud->state->look.addresses,
                                            .modes = view->modes,
                                            .mode_count = view->mode_count};
    app_picture_make(topic, &facts, picture);
}

static void draw_picture(struct page *page, const struct app_picture *picture)
{
    const struct app_pen pen = app_draw_pen(&page->brush);
    if (!app_picture_draw(&pen, page->area, APP_TYPE_BODY * page->brush.unit, picture))
        app_draw_left_out(&page->brush);
}

static void draw_topic(struct page *page, enum krn_topic topic)
{
    const struct app_colours *c = page->brush.colours;
    const struct app_recorded_view *recorded;
    const struct app_panels_view *view = view_of(page, topic, &recorded);
    const unsigned trust = app_probes_trust(&view->probes, topic);
    struct app_picture picture;
    make_picture(page, topic, view, &picture);
    say_message(page, c->text, 2,
                picture.sentence[0] ? picture.sentence : app_topics[topic]->panel_title);
    if (app_trust_no_verdict(trust)) {
        char text[128];
        snprintf(text, sizeof text, "%s: %s", app_verdict_entry(app_trust_no_verdict(trust))->says,
                 app_trust_first(trust));
        say(page, REN_FACE_SANS_BOLD, APP_TYPE_BODY, c->warn, 1, text);
    }
    if (view->why && view->why[0]) {
        say(page, REN_FACE_SANS, APP_TYPE_BODY, c->quiet, 6, view->why);
        return;
    }
    if (view->refused[topic] && !has_topic(view, topic, true)) {
        say(page, REN_FACE_SANS, APP_TYPE_BODY, c->quiet, 6, view->refused[topic]);
        return;
    }
    char sure[64] = "";
    const double widest = app_picture_widest(&picture);
    if (picture.sure)
        snprintf(sure, sizeof sure, "%s", picture.sure);
    else if (widest > 0.0)
        app_format(sure, sizeof sure, "95 %% intervals, at most ±%.2g %%", widest);
    say_source(page, view, recorded, sure);
    draw_picture(page, &picture);
}

/* ---- claims ---- */

/* The verdicts of the board: claims that hold as said come last. */
static const enum app_verdict ranks[] = {
    APP_VERDICT_INVERTED,  APP_VERDICT_FAILS, APP_VERDICT_DEPENDS,      APP_VERDICT_SMALLER,
    APP_VERDICT_BELOW,     APP_VERDICT_WRONG, APP_VERDICT_DO_NOT_QUOTE, APP_VERDICT_NONE,
    APP_VERDICT_CANT_TELL, APP_VERDICT_ABOVE, APP_VERDICT_LARGER,       APP_VERDICT_HOLDS};
enum { RANKS = sizeof ranks / sizeof *ranks };

static const struct app_panels_view *claims_of(const struct page *page,
                                               const struct app_recorded_view **recorded)
{
    *recorded = page->hud->now[0].recorded ? page->hud->recorded : NULL;
    return *recorded ? &(*recorded)->panels : page->hud->panels;
}

static bool is_ratio(const struct app_claim *row)
{
    return row->of->rule == APP_RULE_RATIO || row->of->rule == APP_RULE_FASTER;
}

/* Writes this device's number, with its interval if `sure`. */
static void write_now(const struct app_claim *row, bool sure, char *text, size_t size)
{
    const struct app_estimate *now = &row->now.estimate;
    /* A ratio of times that stands for itself, not below two numbers of its own. */
    const bool speed =
                   row->of->rule == APP_RULE_RATIO && (row->now.interval[0] || !now->has_interval),
               slower = speed && now->high < 1.0;
    app_hud_measured(&row->now, speed, text, size);
    if (!sure || !row->now.interval[0] || !now->has_interval || !(now->low > 0.0) ||
        (speed && now->low < 1.0 && now->high > 1.0)) /* the interval stands there already */
        return;
    const struct app_number least = app_number_plain(slower ? 1.0 / now->high : now->low, ""),
                            most = app_number_plain(slower ? 1.0 / now->low : now->high, "");
    const char *const times = speed ? "×" : "", *side = slower ? " slower" : " faster";
    if (strcmp(least.value, most.value) != 0)
        app_append(text, size, ", ", "from %s%s to %s%s%s", least.value, times, most.value, times,
                   speed ? side : "");
}

/* Writes the verdict on a claim; of one that holds by more than was said, both. */
static void write_verdict(const struct app_claim *row, char *text, size_t size)
{
    const enum app_verdict verdict = row->now.verdict;
    const bool more = verdict != APP_VERDICT_HOLDS && app_verdict_agrees(verdict, row->of->rule);
    snprintf(text, size, "%s%s", more ? "holds: " : "", app_verdict_entry(verdict)->says);
}

/* Returns true when a claim's number lies on an axis. */
static bool has_axis(const struct app_claim *row)
{
    const enum app_rule rule = row->of->rule;
    return row->now.estimate.valid && row->now.estimate.value > 0.0 && rule != APP_RULE_OWN &&
           rule != APP_RULE_BOUND && rule != APP_RULE_GREATER;
}

/* Draws the published number and this device's, or those of several devices. */
static void draw_numbers(struct page *page, const struct app_claim *row, const char *device)
{
    const struct app_colours *c = page->brush.colours;
    const bool devices = row->part_count > 0;
    char now[64], side[32], names[APP_CLAIM_PARTS][256];
    struct app_hud_dot dots[APP_CLAIM_PARTS] = {
        {row->of->claimed, names[0], c->quiet, true},
        {row->now.estimate.value, names[1],
         app_sense_colour(c, app_verdict_entry(row->now.verdict)->sense), false}};
    write_now(row, false, now, sizeof now);
    if (row->of->then[0])
        snprintf(names[0], sizeof names[0], "%s, %s", row->of->device, row->of->then);
    else
        snprintf(names[0], sizeof names[0], "holds below this");
    snprintf(names[1], sizeof names[1], "%s, %s", device, now);
    for (int i = 0; devices && i < row->part_count; i++) {
        const struct app_claim_part *part = &row->parts[i];
        snprintf(names[i], sizeof names[i], "%s, %s", part->name, part->text);
        dots[i] =
            (struct app_hud_dot){part->value, names[i], part->fails ? c->bad : c->good, false};
    }
    const float high = fminf(page->area.h, 230.0f * page->brush.unit);
    page->area.y += 0.5f * (page->area.h - high);
    page->area.h = high;
    app_hud_side(row->of, side, sizeof side);
    app_hud_axis(&page->brush, page->area, devices || is_ratio(row), side, dots,
                 devices ? row->part_count : 2);
}

static void draw_claim(struct page *page, int claim)
{
    const struct app_colours *c = page->brush.colours;
    const struct app_claim_entry *entry = app_claim_entry_of((enum app_claim_id)claim);
    const struct app_recorded_view *recorded;
    /* What is known of constant memory comes from frames and processes. */
    const struct app_panels_view *view = entry->topic == KRN_TOPIC_CONSTANT
                                             ? claims_of(page, &recorded)
                                             : view_of(page, entry->topic, &recorded);
    const struct app_claim *row = view->claims ? &view->claims[claim] : NULL;
    char author[256], text[512], now[128], said[64], hint[256], device[128];
    app_hud_author(entry->text, entry->device, true, author, sizeof author);
    say(page, REN_FACE_SANS, APP_TYPE_BODY, c->quiet, 3, author);
    snprintf(text, sizeof text, "%s: %s", app_text_of(entry->text)->speaker, entry->says);
    say_message(page, c->text, 2, text);
    say_source(page, view, recorded,
               !row || !row->now.interval[0] ? ""
               : row->few[0]                 ? "95 % interval"
                                             : "99.94 % interval");
    if (!row || row->hidden)
        return;
    const bool devices = claim == APP_CLAIM_CONSTANT_OTHERS;
    if (!app_verdict_is_judged(row->now.verdict) && !row->few[0]) {
        app_key_hints(row->note[0] ? row->note : "not measured yet: {measure} measures it", hint,
                      sizeof hint);
        say(page, REN_FACE_SANS, APP_TYPE_BODY, c->quiet, 4, hint);
        return;
    }
    const struct app_verdict_entry *verdict = app_verdict_entry(row->now.verdict);
    app_hud_device(page->hud, recorded != NULL, device, sizeof device);
    write_now(row, true, now, sizeof now);
    write_verdict(row, said, sizeof said);
    snprintf(text, sizeof text, "%s %s", verdict->sign, said);
    if (row->few[0])
        snprintf(text, sizeof text, "%s", row->few);
    page->area.y += 16.0f * page->brush.unit;
    page->area.h -= 16.0f * page->brush.unit;
    say(page, REN_FACE_SANS_BOLD, APP_TYPE_TITLE, app_sense_colour(c, verdict->sense), 2, text);
    if (devices)
        snprintf(text, sizeof text, "faster on %s", now);
    else
        snprintf(text, sizeof text, "%s: %s", device, now);
    if (row->part_count == 0 || page->area.h > 170.0f * page->brush.unit) /* else bars say it */
        say(page, REN_FACE_SANS_BOLD, APP_TYPE_LARGE, c->text, 3, text);
    if (row->method[0] && page->area.h > 170.0f * page->brush.unit) {
        const float wide = ren_text_width(page->brush.renderer, REN_FACE_SANS,
                                          APP_TYPE_BODY * page->brush.unit, row->method),
                    line = (wide > page->area.w ? 3.0f : 1.6f) * APP_TYPE_BODY * page->brush.unit;
        struct page below = *page;
        below.area.y += page->area.h - line;
        say(&below, REN_FACE_SANS, APP_TYPE_BODY, c->quiet, 2, row->method);
        page->area.h -= line;
    }
    if (row->part_count > 0 && !devices)
        app_hud_claim_parts(&page->brush, page->area, row);
    else if (page->area.h < 140.0f * page->brush.unit) /* of the axis and its names */
        app_draw_left_out(&page->brush);
    else if (has_axis(row) || devices)
        draw_numbers(page, row, device);
    else if (entry->topic == KRN_TOPIC_CONSTANT)
        say(page, REN_FACE_SANS, APP_TYPE_LARGE, c->quiet, 4, row->note);
    else if (row->of->rule == APP_RULE_BOUND || row->of->rule == APP_RULE_GREATER ||
             row->of->rule == APP_RULE_OWN) {
        struct app_picture picture;
        make_picture(page, entry->topic, view, &picture);
        draw_picture(page, &picture);
    }
}

/* ---- the board ---- */

/* Returns true when a talk on screen has not asked about a claim: its board recaps its own. */
static bool leaves_out(const struct page *page, int claim)
{
    const struct app_talk *talk = page->hud->talk ? page->hud->talk->talk : NULL;
    bool asks = false;
    for (int i = 0; talk && i < talk->step_count; i++) {
        const struct app_talk_question *question = &talk->steps[i].question;
        if (question->asks == APP_ASKS_NOTHING || question->source.kind != APP_SOURCE_CLAIM)
            continue;
        asks = true;
        if ((int)question->source.claim == claim)
            return false;
    }
    return asks;
}

/* Writes what the board says: "8 of 17 hold; constant memory slows the book's kernel". */
static void write_count(const struct page *page, const struct app_claim *claims, char *text,
                        size_t size)
{
    int hold = 0, reversed = 0, judged = 0;
    for (int i = 0; claims && i < APP_CLAIM_COUNT; i++) {
        if (leaves_out(page, i))
            continue;
        const enum app_verdict verdict = claims[i].now.verdict;
        hold += app_verdict_agrees(verdict, claims[i].of->rule);
        reversed += verdict == APP_VERDICT_INVERTED;
        judged += app_verdict_is_judged(verdict);
    }
    snprintf(text, size, "%s", "What five texts said about GPUs");
    if (judged == 0)
        return;
    snprintf(text, size, "%d of %d hold", hold, judged);
    if (claims[APP_CLAIM_CONSTANT_KERNEL].now.verdict == APP_VERDICT_INVERTED)
        snprintf(text, size, "%d of %d hold; constant memory slows the book's kernel", hold,
                 judged);
    else if (reversed > 0)
        snprintf(text, size, "%d of %d hold; %d %s reversed", hold, judged, reversed,
                 reversed == 1 ? "is" : "are");
}

/* The columns of the board, in units; 0: the page has no room for one. What is left has the claims.
 */
struct columns {
    float said, axis, now, words;
};

static const float gap_width = 12.0f, sign_width = 36.0f; /* of a verdict's sign */

/* Returns the first columns that leave the claims the room that they need. */
static struct columns columns_of(const struct page *page)
{
    static const struct columns ways[] = {{156.0f, 182.0f, 318.0f, 234.0f},
                                          {0.0f, 0.0f, 318.0f, 268.0f},
                                          {0.0f, 0.0f, 318.0f, 36.0f},
                                          {0.0f, 0.0f, 0.0f, 36.0f}};
    const float u = page->brush.unit;
    float claims = 0.0f;
    for (int i = 0; i < APP_CLAIM_COUNT; i++)
        claims =
            fmaxf(claims, ren_text_width(page->brush.renderer, REN_FACE_SANS, APP_TYPE_BODY * u,
                                         app_claim_entry_of((enum app_claim_id)i)->shorter));
    size_t at = 0;
    while (at + 1 < sizeof ways / sizeof *ways &&
           page->area.w - claims <
               (ways[at].said + ways[at].axis + ways[at].now + ways[at].words + gap_width) * u)
        at++;
    return ways[at];
}

/* Writes what the room of a talk on screen said to a claim; "": nothing. */
static void write_guess(const struct app_talk_shown *shown, int claim, char *text, size_t size)
{
    text[0] = 0;
    for (int i = 0; shown && i < shown->talk->step_count; i++) {
        const struct app_talk_question *question = &shown->talk->steps[i].question;
        const struct app_talk_said *said = &shown->view->said[i];
        if (question->asks == APP_ASKS_NOTHING || question->source.kind != APP_SOURCE_CLAIM ||
            (int)question->source.claim != claim)
            continue;
        if (said->typed[0])
            snprintf(text, size, "your guess: %s%s%s", said->typed,
                     strcmp(question->unit, "×") == 0 ? "" : " ", question->unit);
        else if (said->choice > 0)
            snprintf(text, size, "your guess: %s", question->answers[said->choice - 1].text);
    }
}

/* Draws the row of a claim, with the room's guess below it; first: of its verdict, which is then in
 * words, as less and more always are. */
static void draw_row(const struct app_brush *brush, const struct columns *columns,
                     struct ren_rect row, const struct app_claim *claim, const char *guess,
                     bool first)
{
    const struct app_colours *c = brush->colours;
    const struct app_verdict_entry *verdict = app_verdict_entry(claim->now.verdict);
    const ren_colour colour = app_sense_colour(c, verdict->sense);
    const float u = brush->unit, y = row.y + 0.5f * row.h + 8.0f * u,
                words = row.x + row.w - columns->words * u, now = words - columns->now * u,
                said = now - (columns->axis + columns->said) * u, gap = gap_width * u;
    const struct ren_rect axis = {now - columns->axis * u + gap, row.y + 0.5f * row.h,
                                  (columns->axis - 36.0f) * u, 0.0f};
    const char *const texts[] = {claim->of->claim, claim->of->shorter, NULL};
    char text[64];
    if (first)
        ren_list_line(brush->list, row.x, row.y, row.x + row.w, row.y, fmaxf(1.0f, u), c->faint);
    app_draw_text_fit(brush, REN_FACE_SANS, APP_TYPE_BODY, row.x, guess[0] ? y - 0.22f * row.h : y,
                      said - row.x - gap, c->text, texts);
    app_draw_text_in(brush, REN_FACE_SANS, APP_TYPE_BODY, row.x, y + 0.22f * row.h,
                     said - row.x - gap, c->quiet, guess);
    snprintf(text, sizeof text, "%s%s", claim->of->then,
             !claim->few[0] && claim->of->rule == APP_RULE_RATIO && strstr(claim->of->then, "×")
                 ? " faster"
                 : "");
    if (columns->said > 0.0f)
        app_draw_text_in(brush, REN_FACE_SANS, APP_TYPE_BODY, said, y, columns->said * u - gap,
                         c->quiet, text);
    write_now(claim, false, text, sizeof text);
    if (columns->now > 0.0f)
        app_draw_text_in(brush, REN_FACE_SANS, APP_TYPE_BODY, now, y, columns->now * u - gap,
                         c->text, text);
    snprintf(text, sizeof text, "%s", verdict->sign);
    app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TYPE_BODY, words, y, REN_ALIGN_LEFT, colour, text);
    write_verdict(claim, text, sizeof text);
    char *than = strstr(text, " than said");
    if (than && columns->said > 0.0f) /* it stands there */
        *than = '\0';
    if ((first || than) && columns->words > sign_width)
        app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_TYPE_BODY, words + sign_width * u, y,
                         (columns->words - sign_width) * u, colour, text);
    const double then = claim->of->claimed;
    const enum app_rule rule = claim->of->rule;
    if (!(columns->axis > 0.0f) || !has_axis(claim) || !(then > 0.0) || rule == APP_RULE_LESS ||
        rule == APP_RULE_LEAST)
        return;
    /* One scale for all: this device's number relative to the published one, a tenth to ten times.
     * An interval that decides nothing is a line without a dot. */
    const struct app_estimate *at = &claim->now.estimate;
    const bool open = claim->now.verdict == APP_VERDICT_CANT_TELL && at->has_interval;
    const float a = app_hud_place(axis, true, 10.0, 1.0),
                from = open ? app_hud_place(axis, true, 10.0, at->low / then) : a,
                to = app_hud_place(axis, true, 10.0, (open ? at->high : at->value) / then);
    ren_list_line(brush->list, from, axis.y, to, axis.y, fmaxf(2.0f, 4.0f * u), colour);
    app_hud_draw_dot(brush, a, axis.y, 7.0f * u, true, c->quiet);
    if (!open)
        app_hud_draw_dot(brush, to, axis.y, 7.0f * u, false, colour);
}

/* Draws the names of n claims that hold as said side by side, below a heading that counts them. */
static void draw_held(const struct app_brush *brush, struct ren_rect row,
                      const struct app_claim *claims, const int *order, int n, int across)
{
    const struct app_verdict_entry *verdict = app_verdict_entry(APP_VERDICT_HOLDS);
    const float wide = row.w / (float)across, u = brush->unit;
    char text[64];
    snprintf(text, sizeof text, "%s  %d hold as said", verdict->sign, n);
    ren_list_line(brush->list, row.x, row.y, row.x + row.w, row.y, fmaxf(1.0f, u),
                  brush->colours->faint);
    app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TYPE_BODY, row.x, row.y + 0.5f * row.h + 8.0f * u,
                  REN_ALIGN_LEFT, app_sense_colour(brush->colours, verdict->sense), text);
    for (int i = 0; i < n; i++) {
        const char *const texts[] = {claims[order[i]].of->claim, claims[order[i]].of->shorter,
                                     NULL};
        app_draw_text_fit(brush, REN_FACE_SANS, APP_TYPE_BODY, row.x + (float)(i % across) * wide,
                          row.y + (1.5f + (float)(i / across)) * row.h + 8.0f * u,
                          wide - gap_width * u, brush->colours->text, texts);
    }
}

static void draw_board(struct page *page)
{
    const struct app_colours *c = page->brush.colours;
    const struct app_recorded_view *recorded;
    const struct app_panels_view *view = claims_of(page, &recorded);
    const struct app_claim *claims = view->claims;
    char count[128], hint[128];
    int order[APP_CLAIM_COUNT], n = 0, held = 0;
    for (int r = 0; claims && r < RANKS; r++)
        for (int i = 0; i < APP_CLAIM_COUNT; i++)
            if (claims[i].now.verdict == ranks[r] && !leaves_out(page, i)) {
                order[n++] = i;
                held += ranks[r] == APP_VERDICT_HOLDS;
            }
    const char *few = n > 0 ? claims[order[n - 1]].few : "";
    write_count(page, claims, count, sizeof count);
    say_message(page, c->text, 1, few[0] ? few : count);
    say_source(page, view, recorded, few[0] ? "" : "99 % sure of all at once");
    if (n == 0) {
        app_key_hints(view->why && view->why[0] ? view->why
                                                : APP_NOT_YET "; {measure} measures everything now",
                      hint, sizeof hint);
        say(page, REN_FACE_SANS, APP_TYPE_BODY, c->quiet, 4, hint);
        return;
    }
    const float usual = 26.0f * page->brush.unit;
    const int across = (int)(page->area.w / (380.0f * page->brush.unit));
    if (across < 2 || page->area.h > 1.5f * usual * ((float)n + 1.0f))
        held = 0; /* there is room for their numbers */
    const int full = n - held;
    const float rows = (float)(full + 1 + (held > 0 ? 1 + (held + across - 1) / across : 0));
    page->brush.unit *= fminf(page->area.h / (rows * usual), 1.0f);
    const struct columns columns = columns_of(page);
    const float u = page->brush.unit,
                high = fminf((page->hud->talk ? 84.0f : 64.0f) * u, page->area.h / rows);
    struct ren_rect row = {page->area.x, page->area.y, page->area.w, high};
    const float right = row.x + row.w - columns.words * u, y = row.y + 0.7f * high;
    /* The signs of the dots stand before the columns of their numbers. */
    const float sign = columns.axis > 0.0f ? 22.0f * u : 0.0f;
    const struct {
        float wide, x;
        enum ren_align align;
        const char *text;
    } heads[] = {
        {1.0f, row.x, REN_ALIGN_LEFT, "claim"},
        {columns.said, right - (columns.now + columns.axis + columns.said) * u + sign,
         REN_ALIGN_LEFT, "said"},
        {columns.axis, right - (columns.now + columns.axis - 12.0f) * u, REN_ALIGN_LEFT, "less"},
        {columns.axis, right - (columns.now + 24.0f) * u, REN_ALIGN_RIGHT, "more"},
        {columns.now, right - columns.now * u + sign, REN_ALIGN_LEFT, "measured"},
        {few[0] ? 0.0f : columns.words - sign_width, right, REN_ALIGN_LEFT, "verdict"}};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (heads[i].wide > 0.0f)
            app_draw_text(&page->brush, REN_FACE_SANS, APP_TYPE_BODY, heads[i].x, y, heads[i].align,
                          c->quiet, heads[i].text);
    for (int measured = 0; measured < 2 && columns.axis > 0.0f; measured++)
        app_hud_draw_dot(&page->brush, heads[measured ? 4 : 1].x - 15.0f * u, y - 8.0f * u,
                         7.0f * u, !measured, c->quiet);
    for (int i = 0; i < full; i++) {
        char guess[128];
        write_guess(page->hud->talk, order[i], guess, sizeof guess);
        char words[2][64] = {"", ""};
        for (int of = 0; of < 2 && of <= i; of++)
            write_verdict(&claims[order[i - of]], words[of], sizeof *words);
        const bool first = strcmp(words[0], words[1]) != 0;
        row.y += high;
        draw_row(&page->brush, &columns, row, &claims[order[i]], high >= 56.0f * u ? guess : "",
                 first);
    }
    row.y += high;
    if (held > 0)
        draw_held(&page->brush, row, claims, order + full, held, across);
}

void app_hud_page(const struct app_brush *brush, struct ren_rect rect, const struct app_hud *hud)
{
    const float margin = APP_MARGIN * brush->unit;
    struct page page = {
        *brush,
        hud,
        {rect.x + margin, rect.y + margin, rect.w - 2.0f * margin, rect.h - 1.4f * margin},
        rect.w >= wide_page * brush->unit};
    const enum app_subject subject = hud->state->look.page;
    const int topic = app_subject_topic(subject), claim = app_subject_claim(subject);
    if (subject == APP_SUBJECT_STORY)
        app_hud_story(brush, page.area, page.wide, hud);
    else if (subject == APP_SUBJECT_ANATOMY)
        app_hud_anatomy(brush, page.area, page.wide, hud);
    else if (subject == APP_SUBJECT_CLASS)
        app_hud_class(brush, page.area, page.wide, hud);
    else if (!hud->panels)
        return;
    else if (topic >= 0)
        draw_topic(&page, (enum krn_topic)topic);
    else if (claim >= 0)
        draw_claim(&page, claim);
    else
        draw_board(&page);
}
