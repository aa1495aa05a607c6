#include "hud/story/plot.h"

#include "base/value.h"
#include "command/keys.h"
#include "hud/draw.h"
#include "hud/theme.h"
#include "topics/topic.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The card is drawn for this width; sizes in units. */
enum { WIDTH = 700, PAD = 14, TITLE = 22, SENTENCE = 18, LINE = 20 };

/* A card lower than this, in units, has no captions. */
static const float low_card = 420.0f;

/* Returns the bytes of constant memory up to which reads are fast, as the topic's walk measures
 * them; 0: unknown. */
static double cache_bytes_of(const struct app_panels_view *panels)
{
    if (panels == NULL || panels->probes.count == 0)
        return 0.0;
    struct app_analysis analysis;
    memset(&analysis, 0, sizeof analysis);
    app_topic_analyse(KRN_TOPIC_CONSTANT, &panels->probes, &analysis);
    const struct app_estimate bytes = app_finding(&analysis, "fast-bytes")->value;
    return bytes.valid ? bytes.value : 0.0;
}

/* Writes how far the measurement is. */
static void state_of(const struct app_story_view *view, char *text, size_t size)
{
    if (view->why[0])
        snprintf(text, size, "stopped");
    else if (view->done)
        snprintf(text, size, "complete");
    else if (!view->begun && view->least == 0)
        snprintf(text, size, "%s", ""); /* the card says it */
    else if (view->paused)
        app_format(text, size, "%.0f %%, {story} goes on", floor(100.0 * view->progress));
    else
        app_format(text, size, "filling %.0f %%", floor(100.0 * view->progress));
}

/* Draws title and state; returns the next baseline. */
static float draw_title(const struct app_brush *brush, struct ren_rect card, float y,
                        const struct app_story_view *view)
{
    const float u = brush->unit, x = card.x + PAD * u, right = card.x + card.w - PAD * u;
    char state[64], text[64];
    state_of(view, state, sizeof state);
    app_key_hints(state, text, sizeof text);
    const char *const title[] = {"Kernel time against spheres", NULL};
    if (view->recorded) {
        const float room =
            right - x - 10.0f * u - app_draw_widest(brush, REN_FACE_SANS_BOLD, TITLE, title);
        app_stamp_tape(brush, card);
        app_stamp_draw(brush, 12.0f, right, y, REN_ALIGN_RIGHT, room, view->recorded);
        app_draw_text(brush, REN_FACE_SANS_BOLD, TITLE, x, y, REN_ALIGN_LEFT, brush->colours->text,
                      title[0]);
        return y + LINE * u;
    }
    float end =
        right - app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT_LARGE, right, y, REN_ALIGN_RIGHT,
                              view->why[0] ? brush->colours->bad : brush->colours->quiet, text);
    end -= 10.0f * u;
    end -= app_draw_mark(brush, APP_TEXT, end, y, REN_ALIGN_RIGHT, view->trust);
    app_draw_text_in(brush, REN_FACE_SANS_BOLD, TITLE, x, y, end - 10.0f * u - x,
                     brush->colours->text, title[0]);
    return y + LINE * u;
}

/* Draws what was measured, and on what; returns the next baseline. */
static float draw_subject(const struct app_brush *brush, struct ren_rect card, float y,
                          const struct app_story_view *view, const char *device)
{
    const float u = brush->unit, x = card.x + PAD * u, width = card.w - 2.0f * PAD * u;
    char image[48], samples[64] = "", doubt[64] = "", texts[3][256];
    snprintf(image, sizeof image, "%d×%d pixels", view->width, view->height);
    if (view->least > 0) {
        const char *first = app_trust_first(view->trust);
        snprintf(samples, sizeof samples, "; %zu+ samples each%s", view->least,
                 view->recorded ? "" : ", this run");
        snprintf(doubt, sizeof doubt, "%s%s", first[0] ? "; " : "", first);
    }
    snprintf(texts[0], sizeof texts[0], "%s, %s, the book's recipe, seed 1%s%s", device, image,
             samples, doubt);
    snprintf(texts[1], sizeof texts[1], "%s, %s%s%s", device, image, samples, doubt);
    snprintf(texts[2], sizeof texts[2], "%s%s%s", image, samples, doubt);
    const char *const fits[] = {texts[0], texts[1], texts[2], NULL};
    app_draw_text_fit(brush, REN_FACE_SANS, APP_TEXT_SMALL, x, y, width, brush->colours->quiet,
                      fits);
    return y + 1.25f * LINE * u;
}

/* Writes the names of the curves whose pictures are wrong; "" when none is. */
static void list_wrong(const struct app_sweep *sweep, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int k = 0; k < KRN_KERNEL_COUNT; k++)
        for (int s = 0; s < KRN_STORAGE_COUNT; s++)
            if (sweep->wrong[k][s] && used < size)
                used += (size_t)snprintf(
                    text + used, size - used, "%s%s/%s",
                    used > 0 ? ", " : "✗ WRONG picture: ", krn_kernel_name((enum krn_kernel)k),
                    krn_storage_name((enum krn_storage)s));
}

/* Draws the alarm, or what the curves say; returns the next baseline. */
static float draw_sentences(const struct app_brush *brush, struct ren_rect card, float y, int most,
                            const struct app_story_view *view)
{
    const float u = brush->unit, x = card.x + PAD * u, width = card.w - 2.0f * PAD * u;
    char wrong[256];
    list_wrong(view->sweep, wrong, sizeof wrong);
    if (wrong[0]) {
        app_draw_text_in(brush, REN_FACE_SANS_BOLD, SENTENCE, x, y, width, brush->colours->bad,
                         wrong);
        ren_list_outline(brush->list, card, APP_RADIUS * u, 2.0f * u, brush->colours->bad);
        y += 1.2f * LINE * u;
        most--;
    }
    for (int i = 0; i < view->headline.count && i < most; i++) {
        app_draw_text_in(brush, REN_FACE_SANS_BOLD, SENTENCE, x, y, width, brush->colours->text,
                         view->headline.text[i]);
        y += 1.2f * LINE * u;
    }
    return y;
}

/* Returns the captions below the curves; their number. */
static int captions_of(const struct app_story_view *view, double cache_bytes, char texts[4][200])
{
    int n = 0;
    if (view->left_out[0])
        snprintf(texts[n++], sizeof texts[0], "%s", view->left_out);
    if (view->sweep->one_storage) {
        snprintf(texts[n++], sizeof texts[0],
                 "A CPU reads every storage through the same caches: one curve per kernel.");
        snprintf(texts[n++], sizeof texts[0],
                 "Dashed: book. Solid: strip with its fastest K. Thick: spheres sorted into "
                 "tiles.");
        return n;
    }
    snprintf(texts[n++], sizeof texts[0],
             "Dashed: book. Solid: strip with its fastest K. Thick: sorted into tiles. Colour: "
             "storage.");
    snprintf(texts[n++], sizeof texts[0],
             "All lanes of a warp read one address, the same sphere: a broadcast.");
    if (cache_bytes > 0.0)
        app_format(texts[n++], sizeof texts[0],
                   "Bands: %.0f spheres of 28 bytes or %.0f of 16 fit the %.0f KiB cache, %d or %d "
                   "the 64 KiB.",
                   floor(cache_bytes / 28.0), floor(cache_bytes / 16.0), cache_bytes / 1024.0,
                   KRN_CONSTANT_SPHERES, KRN_CONSTANT_PACKED);
    else
        snprintf(texts[n++], sizeof texts[0],
                 "Bands: %d spheres of 28 bytes or %d of 16 fit the 64 KiB.", KRN_CONSTANT_SPHERES,
                 KRN_CONSTANT_PACKED);
    return n;
}

/* Draws a sentence in the middle of a card without points. */
static void draw_absence(const struct app_brush *brush, struct ren_rect card, float y,
                         const struct app_story_view *view)
{
    const float u = brush->unit, width = card.w - 4.0f * PAD * u;
    char hinted[APP_NOTICE_MAX], doubt[128];
    snprintf(doubt, sizeof doubt, "No time may be quoted: %s. {measure} measures again.",
             app_trust_first(view->trust));
    const char *text = view->why[0]                        ? view->why
                       : app_trust_no_verdict(view->trust) ? doubt
                       : view->begun                       ? "measuring the first points"
                                     : "not measured yet: {story} measures it";
    app_key_hints(text, hinted, sizeof hinted);
    app_draw_lines(brush, REN_FACE_SANS, APP_TEXT_LARGE, card.x + 2.0f * PAD * u,
                   y + 2.0f * LINE * u, width, 4, brush->colours->quiet, hinted, true);
}

void app_story_panel(const struct app_brush *given, struct ren_rect area,
                     const struct app_story_view *view, const char *device,
                     const struct app_panels_view *panels)
{
    static const struct app_story_view nothing;
    struct app_brush brush = *given;
    if (area.w <= 0.0f || area.h <= 0.0f)
        return;
    if (view == NULL)
        view = &nothing;
    brush.unit = area.w / WIDTH;
    const float u = brush.unit, x = area.x + PAD * u, width = area.w - 2.0f * PAD * u;
    const bool low = area.h < low_card * u;
    char captions[4][200];
    const double cache_bytes = cache_bytes_of(panels);
    app_draw_panel(&brush, area);
    float y = draw_title(&brush, area, area.y + 28.0f * u, view);
    y = draw_subject(&brush, area, y + 2.0f * u, view, device);
    if (view->least == 0) {
        draw_absence(&brush, area, y, view);
        return;
    }
    y = draw_sentences(&brush, area, y + 2.0f * u, low ? 1 : APP_HEADLINES + 1, view);
    const int n = low ? 0 : captions_of(view, cache_bytes, captions);
    const float below = area.y + area.h - ((float)n * LINE + 10.0f) * u;
    const struct ren_rect plot = {x, y - 8.0f * u, width, below - y};
    if (!app_story_plot(&brush, plot, view->sweep, cache_bytes))
        draw_absence(&brush, area, y, view);
    for (int i = 0; i < n; i++)
        app_draw_text_in(&brush, REN_FACE_SANS, APP_TEXT_SMALL, x,
                         below + ((float)i * LINE + 16.0f) * u, width, brush.colours->quiet,
                         captions[i]);
}
