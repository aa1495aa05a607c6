#include "base/numbers.h"
#include "hud/parts.h"
#include "hud/rows.h"

#include <stdio.h>
#include <string.h>

/* How much of the run the line tells. */
enum parts { LEAST, WITH_FRAMES, WITH_DEVICE };

/* Writes the run in one line: "20 spheres · 1024×1024 · interop · 2900 fps · NVIDIA H200"; without
 * the device, which the panels name, and without the frames where there is less room. In the light
 * view its rate is in the place of the blit: "20 spheres · 1024×1024 · 3.1 G rays/s · 2900 fps". */
static void describe_run(const struct app_hud *hud, enum parts parts, char *text, size_t size)
{
    const int count = app_engine_scene(hud->engine)->count;
    const bool light = app_state_view(hud->state) == KRN_VIEW_LIGHT && !hud->play;
    char rate[48] = "", rays[96];
    const struct app_number per_s = app_hud_rays_per_s(hud);
    snprintf(rays, sizeof rays, "%s%s %s", hud->state->duel.on ? "A " : "", per_s.value,
             per_s.unit);
    if (hud->frame.n && hud->frame.median > 0.0 && parts != LEAST)
        snprintf(rate, sizeof rate, " · %s fps",
                 app_number_plain(1e3 / hud->frame.median, "").value);
    const char *stamp = hud->play ? hud->recorded->shorter : "";
    snprintf(text, size, "%s%s%d sphere%s · %d×%d · %s%s%s%s", stamp, stamp[0] ? " · " : "", count,
             count == 1 ? "" : "s", hud->state->width, hud->state->height,
             light ? rays : app_blit_name(hud->blit.used), rate, parts == WITH_DEVICE ? " · " : "",
             parts == WITH_DEVICE ? hud->device->name : "");
}

/* Finds the gravest complaint about the run; false when there is none. */
static bool find_complaint(const struct app_hud *hud, struct app_hud_row *complaint)
{
    struct app_hud_row trust[APP_HUD_REASONS + 1] = {{0}};
    app_hud_describe_picture(hud, complaint);
    if (complaint->grave)
        return true;
    if (app_hud_describe_trust(hud, trust) > 0) {
        *complaint = trust[0];
        return true;
    }
    const char *reason = app_hud_blit_fell(hud) ? hud->blit.reason : hud->fallback_reason;
    if (!reason || !reason[0])
        return false;
    snprintf(complaint->text, sizeof complaint->text, "%s", reason);
    return true;
}

/* Draws a complaint behind an exclamation mark. */
static void draw_complaint(const struct app_brush *brush, const struct app_hud_row *complaint,
                           float x, float y, float right)
{
    const ren_colour colour = complaint->grave ? brush->colours->bad : brush->colours->warn;
    x += app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, x, y, REN_ALIGN_LEFT, colour,
                       "!") +
         7.0f * brush->unit;
    const char *const texts[] = {complaint->text, complaint->brief, NULL};
    app_draw_text_fit(brush, REN_FACE_SANS, APP_TEXT_SMALL, x, y, right - x, colour, texts);
}

/* Draws the device's clocks and the verdict on the picture. */
static void draw_health(const struct app_brush *brush, const struct app_hud *hud, float x, float y,
                        float right)
{
    struct app_hud_row picture = {0}, clocks = {0};
    char text[1024];
    const bool known = hud->device->can.telemetry;
    app_hud_describe_picture(hud, &picture);
    app_hud_describe_clocks(hud, &clocks);
    snprintf(text, sizeof text, "%s%spicture %s", known ? clocks.text : "", known ? " · " : "",
             picture.text);
    app_draw_text_in(brush, REN_FACE_SANS, APP_TEXT_SMALL, x, y, right - x, brush->colours->quiet,
                     text);
}

void app_hud_footer(const struct app_brush *brush, const struct app_layout *layout,
                    const struct app_hud *hud)
{
    const struct ren_rect card = layout->footer;
    if (card.w <= 0.0f)
        return;
    const float u = brush->unit, x = card.x + (APP_PAD + 6.0f) * u;
    const float right = card.x + card.w - APP_PAD * u;
    char text[512], shorter[128], shortest[128];
    describe_run(hud, WITH_DEVICE, text, sizeof text);
    describe_run(hud, WITH_FRAMES, shorter, sizeof shorter);
    describe_run(hud, LEAST, shortest, sizeof shortest);
    const char *const texts[] = {text, shorter, shortest, NULL};
    app_draw_card(brush, card);
    float y = card.y + 24.0f * u;
    const float help =
        app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, right, y, REN_ALIGN_RIGHT,
                      brush->colours->text, app_hud_help_hint().text);
    app_draw_text_fit(brush, REN_FACE_SANS, APP_TEXT_SMALL, x, y, right - x - help - 12.0f * u,
                      brush->colours->text, texts);
    y += 23.0f * u;
    struct app_hud_row complaint = {0};
    if (find_complaint(hud, &complaint))
        draw_complaint(brush, &complaint, x, y, right);
    else
        draw_health(brush, hud, x, y, right);
}
