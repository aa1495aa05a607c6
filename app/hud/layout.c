#include "hud/layout.h"

#include "hud/theme.h"

#include <math.h>
#include <string.h>

/* Gives a part of the frame to the panels or the plot, and the rest to the picture: `width` pixels
 * on the right, or all of the width and `height` pixels below. */
static void divide(struct app_layout *layout, float width, float height)
{
    const struct ren_rect screen = layout->screen;
    layout->pane = layout->panels = screen;
    if (height > 0.0f) {
        layout->panels.h = height;
        layout->pane.h = layout->panels.y = screen.h - height;
        return;
    }
    layout->panels.w = width;
    layout->pane.w = layout->panels.x = screen.w - width;
}

/* Returns the height of a part below the picture; 0: the frame is not high enough for one. */
static float height_below(const struct app_layout *layout)
{
    const float w = layout->screen.w, h = layout->screen.h;
    /* The picture is square as a rule: what it leaves beside it has room for the cards. */
    return w < 0.8f * h ? floorf(fmaxf(fminf(0.63f * h, 1.15f * w), h - w)) : 0.0f;
}

/* Returns the width of a part on the right: no wider than lines are good to read. */
static float width_beside(const struct app_layout *layout)
{
    return floorf(fminf(0.62f * layout->screen.w, 1.1f * layout->screen.h));
}

/* Divides the frame: the picture and its HUD left, the panels right. A full page takes up to 62 %
 * of the width, so that its text can be read from afar; its least size is three quarters of the
 * normal one. Where it does not fit, or leaves no room for the main card, a compact page takes its
 * place; where that does not fit either, there are no panels. A full page takes
 * its normal size from its room: it fills the window's height. HUD size and theme enlarge its type,
 * and what then has no room moves to further parts. A compact page follows the HUD's size and theme
 * as far as it fits. */
static void place_panels(struct app_layout *layout, enum app_panels wanted, float unit, float least)
{
    const float w = layout->screen.w, h = layout->screen.h, below = height_below(layout);
    const float pane = APP_HUD_WIDTH + 2.0f * APP_MARGIN;
    const float enough = least * (1.0f - 1e-3f); /* rounding */
    layout->shown = APP_PANELS_OFF;
    divide(layout, 0.0f, 0.0f);
    if (wanted == APP_PANELS_FULL && below > 0.0f && app_pages_unit(w, below) >= enough) {
        layout->shown = APP_PANELS_FULL;
        divide(layout, w, below);
    } else if (wanted == APP_PANELS_FULL) {
        const float width = width_beside(layout);
        if (fminf(app_pages_unit(width, h), (w - width) / pane) >= enough) {
            layout->shown = APP_PANELS_FULL;
            divide(layout, width, 0.0f);
        }
    }
    if (wanted == APP_PANELS_OFF || layout->shown != APP_PANELS_OFF)
        return;
    /* Text of a compact page is as large as that of a full one. */
    const float fits = fminf(w / (APP_COMPACT_WIDTH + pane), app_pages_column_unit(w, h));
    if (fits < enough)
        return;
    layout->shown = APP_PANELS_COMPACT;
    divide(layout, floorf(APP_COMPACT_WIDTH * fminf(1.27f * unit, fits)), 0.0f);
}

/* Gives the place of a full page to the story plot or the frame anatomy, if its text can be read
 * there and the main card fits beside it. Returns whether it has. */
static bool place_story(struct app_layout *layout, float least)
{
    const float below = height_below(layout), enough = least * (1.0f - 1e-3f);
    const float width = below > 0.0f ? layout->screen.w : width_beside(layout);
    const float height = below > 0.0f ? below : layout->screen.h;
    layout->shown = APP_PANELS_OFF;
    const bool fits = fminf(width / APP_STORY_WIDTH, height / APP_STORY_HEIGHT) >= enough;
    divide(layout, fits ? width : 0.0f, fits ? below : 0.0f);
    return fits;
}

/* Places the cards in a column left of the picture. */
static void place_column(struct app_layout *layout, float beside)
{
    const float u = layout->unit, w = layout->pane.w, h = layout->pane.h;
    const float margin = APP_MARGIN * u, gap = APP_GAP * u;
    layout->picture.x = w - layout->picture.w;
    /* All room beside the picture, up to where lines get too long to read. */
    layout->main.w = fminf(beside, 1.4f * APP_HUD_WIDTH * u);
    /* The main card grows with its width, as long as the others keep their room. */
    layout->main.h = fminf(layout->main.w * APP_HUD_HEIGHT / APP_HUD_WIDTH,
                           fmaxf(h - 500.0f * u, APP_HUD_HEIGHT * u));
    const float top = layout->main.y + layout->main.h + gap;
    layout->plot = (struct ren_rect){margin, top, layout->main.w, h - top - margin};
    layout->details = layout->plot;
    layout->details.h -= (APP_PLOT_HEIGHT - 20.0f) * u + gap;
    layout->details.y = h - margin - layout->details.h;
}

/* Keeps most of the picture free of cards: where a pane without details is wider than the picture,
 * the cards stand on its left and the picture on its right; else the plot gets lower. */
static void uncover_picture(struct app_layout *layout)
{
    const float u = layout->unit, enough = 0.55f;
    struct ren_rect *picture = &layout->picture;
    const struct ren_rect main = layout->main;
    if (layout->pane.w >= 1.6f * main.w && layout->pane.w > picture->w) {
        picture->x = layout->pane.w - picture->w;
        layout->plot.w = main.w;
        layout->cards_left = true;
        return;
    }
    const float top = fmaxf(main.y + main.h, picture->y),
                wanted = fminf(enough * picture->h, picture->y + picture->h - top),
                higher = wanted - (layout->plot.y - top),
                spare = layout->plot.h - APP_PLOT_LEAST * u;
    const float change = fminf(fmaxf(higher, 0.0f), fmaxf(spare, 0.0f));
    layout->plot.y += change;
    layout->plot.h -= change;
}

/* Places the cards in the picture's corners. */
static void place_corners(struct app_layout *layout)
{
    const float u = layout->unit, w = layout->pane.w, h = layout->pane.h;
    const float margin = APP_MARGIN * u, gap = APP_GAP * u;
    const float details = APP_DETAILS_WIDTH * u;
    /* Beside panels the picture is small, and details would cover the rest of it. */
    const bool beside = layout->panels.w > 0.0f;
    const bool fits = !beside && w >= layout->main.w + details + 2.0f * margin + gap;
    if (beside)
        layout->footer = (struct ren_rect){margin, h - margin - APP_FOOTER_HEIGHT * u,
                                           w - 2.0f * margin, APP_FOOTER_HEIGHT * u};
    const float below = layout->footer.w > 0.0f ? layout->footer.y - gap : h - margin;
    /* The picture keeps clear of the footer where it can. */
    if (layout->footer.w > 0.0f)
        layout->picture.y = floorf(fmaxf((below - layout->picture.h) / 2.0f, 0.0f));
    layout->plot = (struct ren_rect){margin, below - APP_PLOT_HEIGHT * u, w - 2.0f * margin,
                                     APP_PLOT_HEIGHT * u};
    layout->details = (struct ren_rect){w - margin - details, margin, fits ? details : 0.0f,
                                        layout->plot.y - gap - margin};
    if (layout->footer.w > 0.0f)
        uncover_picture(layout);
}

/* Hangs the banner of held numbers below the main card, or beside a column over the picture, so
 * that nothing moves when the numbers are held. */
static void place_held(struct app_layout *layout)
{
    const float u = layout->unit, margin = APP_MARGIN * u;
    layout->held = layout->main;
    layout->held.h = APP_HELD_HEIGHT * u;
    if (layout->column) {
        layout->held.x = layout->picture.x + margin;
        layout->held.w = fminf(layout->main.w, layout->picture.w - 2.0f * margin);
    } else {
        layout->held.y += layout->main.h + 0.5f * APP_GAP * u;
    }
}

static void place_cards(struct app_layout *layout, bool hud, bool held)
{
    const float u = layout->unit, w = layout->pane.w, h = layout->pane.h;
    const float margin = APP_MARGIN * u;
    const float beside = w - layout->picture.w - 2.0f * margin;
    layout->column = hud && beside >= 0.95f * APP_HUD_WIDTH * u;
    layout->main = (struct ren_rect){margin, margin, APP_HUD_WIDTH * u, APP_HUD_HEIGHT * u};
    layout->held = (struct ren_rect){margin, margin, 0.0f, 0.0f};
    layout->cards_left = false;
    layout->footer = (struct ren_rect){margin, h - margin, 0.0f, 0.0f};
    if (layout->column)
        place_column(layout, beside);
    else
        place_corners(layout);
    if (held)
        place_held(layout);
}

/* The least height of a frame for which text of 12 units keeps 1.7 % of it. */
static const float least_height = 705.0f;

/* Counts the parts of the page that the state shows. pairs: with a recorded run. */
static void count_parts(struct app_layout *layout, const struct app_state *state, bool pairs)
{
    const float scale = (float)state->hud_scale * app_theme_scale(state->theme);
    layout->type = (struct app_page_type){(layout->screen.h + layout->strip.h) / least_height,
                                          fmaxf(scale, 1.0f), pairs};
    layout->parts = layout->shown != APP_PANELS_OFF;
    layout->page_unit = layout->shown == APP_PANELS_COMPACT
                            ? app_pages_column_unit(layout->panels.w, layout->panels.h)
                            : 0.0f;
    if (layout->shown != APP_PANELS_FULL)
        return;
    struct app_page_contents contents;
    app_page_part(state->page, true, layout->panels.w, layout->panels.h, &layout->type, state->part,
                  &contents);
    layout->parts = contents.parts;
    layout->page_unit = contents.unit;
}

/* Places the legend of a heat map. */
static void place_legend(struct app_layout *layout, bool hud)
{
    const float u = layout->unit, margin = APP_MARGIN * u, gap = APP_GAP * u;
    const bool corners = hud && !layout->column;
    const float left = layout->column ? layout->picture.x : 0.0f;
    const float room = layout->pane.w - left - 2.0f * margin;
    /* Alone on the picture, it is larger than the cards. */
    const float larger = corners ? 1.0f : fminf(fmaxf(room / (APP_LEGEND_WIDTH * u), 1.0f), 1.2f);
    struct ren_rect legend = {0.0f, 0.0f, fminf(room, larger * APP_LEGEND_WIDTH * u),
                              larger * APP_LEGEND_HEIGHT * u};
    legend.x = corners ? margin : floorf(left + margin + (room - legend.w) / 2.0f);
    legend.y = (corners ? layout->plot.y - gap : layout->pane.h - margin) - legend.h;
    const bool crowded = legend.y < layout->main.y + layout->main.h + gap;
    if (corners && (layout->footer.w > 0.0f || crowded)) {
        legend.y = layout->plot.y + layout->plot.h - legend.h;
        layout->plot.w = 0.0f;
    }
    if (corners && layout->details.w > 0.0f && legend.x + legend.w + gap > layout->details.x)
        layout->details.h = fminf(layout->details.h, legend.y - gap - layout->details.y);
    layout->legend = legend;
}

/* Returns the first subject of what the layout shows without a spotlight. */
static enum app_subject subject_of_page(const struct app_layout *layout,
                                        const struct app_state *state)
{
    struct app_page_contents contents;
    if (state->story)
        return APP_SUBJECT_STORY;
    if (state->anatomy == APP_ANATOMY_ON)
        return APP_SUBJECT_ANATOMY;
    if (layout->shown == APP_PANELS_FULL)
        app_page_part(state->page, true, layout->panels.w, layout->panels.h, &layout->type,
                      state->part, &contents);
    else
        app_page_contents(state->page, false, &contents);
    return app_spotlight_of_page(&contents);
}

/* Gives the spotlight its place. Beside the picture it has that of the panels, and more of a high
 * frame. On the whole screen it covers the rest, which keeps its size: the image must not change
 * with it. */
static void place_spotlight(struct app_layout *layout, const struct app_state *state, float least)
{
    const enum app_subject page = subject_of_page(layout, state);
    const struct ren_rect screen = layout->screen;
    const float below = height_below(layout) > 0.0f ? floorf(0.7f * screen.h) : 0.0f;
    const float pane = APP_HUD_WIDTH + 2.0f * APP_MARGIN;
    const float width =
        below > 0.0f ? screen.w
                     : fmaxf(width_beside(layout), floorf(app_spotlight_least_width(screen.h)));
    const bool beside = state->spotlight == APP_SPOTLIGHT_SIDE &&
                        (below > 0.0f || (screen.w - width) / pane >= least * (1.0f - 1e-3f));
    struct app_state shown = *state;
    if (beside)
        divide(layout, width, below);
    else
        shown.spotlight = APP_SPOTLIGHT_WHOLE;
    layout->shown = APP_PANELS_OFF;
    layout->story = layout->anatomy = false;
    app_spotlight_place(&shown, page, screen.h, beside ? layout->panels : screen,
                        &layout->spotlight);
    const enum app_subject subject = layout->spotlight.subject;
    layout->measures_story = subject == APP_SUBJECT_STORY;
    layout->measures_panels = subject == APP_SUBJECT_CLAIMS || app_subject_topic(subject) >= 0 ||
                              app_subject_claim(subject) >= 0;
}

struct app_layout app_layout_make(const struct app_state *state, int width, int height,
                                  float content_scale)
{
    return app_layout_make_above(state, 0.0f, width, height, content_scale);
}

struct app_layout app_layout_make_above(const struct app_state *state, float strip, int width,
                                        int height, float content_scale)
{
    const float w = (float)width, h = (float)height;
    /* In a window that is higher than wide, main card and details share the width. */
    const float across = APP_HUD_WIDTH + APP_DETAILS_WIDTH + 2.0f * APP_GAP + 2.0f * APP_MARGIN;
    float unit = fmaxf(fminf(w / 1280.0f, h / 720.0f), fminf(w / across, h / 1280.0f));
    unit = fmaxf(unit, 0.75f * content_scale);
    unit *= (float)state->hud_scale * app_theme_scale(state->theme);

    struct app_layout layout;
    memset(&layout, 0, sizeof layout);
    layout.screen = (struct ren_rect){0.0f, 0.0f, w, h - strip};
    layout.strip = (struct ren_rect){0.0f, h - strip, w, strip};
    layout.spotlight = (struct app_spotlight_place){.shown = APP_SPOTLIGHT_OFF};
    if (state->story)
        layout.story = place_story(&layout, 0.6f * content_scale);
    else if (state->anatomy == APP_ANATOMY_ON)
        layout.anatomy = place_story(&layout, 0.6f * content_scale);
    else
        place_panels(&layout, state->panels, unit, 0.75f * content_scale);
    count_parts(&layout, state, false);
    layout.measures_panels = layout.shown != APP_PANELS_OFF;
    layout.measures_story = layout.story;
    if (state->spotlight != APP_SPOTLIGHT_OFF)
        place_spotlight(&layout, state, 0.75f * content_scale);
    /* The main card and the plot must fit, whatever size was asked for. */
    const float high = layout.panels.w > 0.0f ? 440.0f + APP_FOOTER_HEIGHT : 440.0f;
    unit = fminf(unit,
                 fminf(layout.pane.w / (APP_HUD_WIDTH + 2.0f * APP_MARGIN), layout.pane.h / high));
    /* Above the panels, the cards beside the picture have half of the width. */
    const float most = layout.panels.y > 0.0f && state->hud ? 0.5f * layout.pane.w : layout.pane.w;
    const float scale = fminf(most / (float)state->width, layout.pane.h / (float)state->height);
    /* Whole pixels, so that a picture at its own size is not smeared. */
    layout.picture.w = roundf((float)state->width * scale);
    layout.picture.h = roundf((float)state->height * scale);
    layout.picture.x = floorf((layout.pane.w - layout.picture.w) / 2.0f);
    layout.picture.y = floorf((layout.pane.h - layout.picture.h) / 2.0f);
    /* Above the panels, the cards rather stay small beside the picture than cover it. */
    const float beside = layout.pane.w - layout.picture.w;
    if (layout.panels.y > 0.0f && beside >= 0.3f * layout.pane.w)
        unit = fminf(unit, beside / (0.96f * APP_HUD_WIDTH + 2.0f * APP_MARGIN));
    layout.unit = fmaxf(unit, 0.1f);
    place_cards(&layout, state->hud, state->hold);
    if (app_state_shows_heat(state))
        place_legend(&layout, state->hud);
    return layout;
}

void app_layout_pair(struct app_layout *layout, const struct app_state *state)
{
    if (layout->spotlight.shown == APP_SPOTLIGHT_OFF)
        count_parts(layout, state, true);
}

bool app_layout_is_larger(const struct app_layout *layout, const struct app_layout *than)
{
    const float enough = 1.005f; /* rounding */
    return layout->unit > enough * than->unit || layout->page_unit > enough * than->page_unit ||
           layout->main.h > enough * than->main.h;
}
