#include "base/numbers.h"
#include "base/value.h"
#include "command/keys.h"
#include "hud/parts.h"
#include "judge/trust.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float label_width = 66.0f, line_height = 1.35f * APP_TEXT_SMALL;

/* A row: a label and what it stands for, in at most two lines. No label: a warning. */
struct row {
    const char *label;
    bool grave; /* in the colour of what is wrong */
    char text[400];
};

enum { ROWS = 16, REASONS = 3 };

/* The key of the help screen: "H help". */
static struct app_key_hint help_hint(void)
{
    struct app_key_hint hint;
    app_key_hints("{help} help", hint.text, sizeof hint.text);
    return hint;
}

/* What keeps the frame rate where it is. */
static const char *limited_by(const struct app_hud *hud, const struct krn_summary *kernel)
{
    if (hud->state->vsync && hud->refresh_hz > 0.0 &&
        fabs(hud->frame.median * hud->refresh_hz / 1e3 - 1.0) < 0.1)
        return "vsync";
    if (kernel->n && kernel->median > 0.5 * hud->frame.median)
        return hud->state->backend == KRN_BACKEND_CUDA ? "the GPU's kernel" : "the CPU's kernel";
    return hud->gl->software ? "drawing on the CPU" : "the host";
}

static void describe_scene(const struct app_hud *hud, struct row *scene, struct row *image)
{
    const struct app_state *state = hud->state;
    const int count = app_engine_scene(hud->engine)->count;
    char from[120] = "", zoom[32] = "fit";
    scene->label = "scene";
    if (state->scene == APP_SCENE_RANDOM) {
        app_format(from, sizeof from, "seed %llu, radii %.4g to %.4g",
                   (unsigned long long)state->recipe.seed, (double)state->recipe.radius_min,
                   (double)state->recipe.radius_max);
    } else {
        const char *slash = strrchr(state->scene_path, '/');
        snprintf(from, sizeof from, "%.100s", slash ? slash + 1 : state->scene_path);
    }
    snprintf(scene->text, sizeof scene->text, "%d sphere%s, %s", count, count == 1 ? "" : "s",
             from);
    image->label = "image";
    if (state->zoom > 0.0)
        app_format(zoom, sizeof zoom, "%.3g pixels a unit", state->zoom);
    snprintf(image->text, sizeof image->text, "%d×%d, %s%s%s", state->width, state->height, zoom,
             state->follow_pane ? ", follows the pane" : "", state->motion ? "" : ", still");
}

static void describe_speed(const struct app_hud *hud, struct row *rate, struct row *frame)
{
    const struct krn_summary kernel = hud->kernel;
    const double tests =
        (double)hud->state->width * hud->state->height * app_engine_scene(hud->engine)->count;
    const struct app_number per_s = app_number_rate(
        kernel.n && kernel.median > 0.0 ? tests / kernel.median * 1e3 : -1.0, "tests/s");
    const struct app_number ms = app_number_time(hud->frame.n ? hud->frame.median : -1.0);
    const double fps = hud->frame.n && hud->frame.median > 0.0 ? 1e3 / hud->frame.median : -1.0;
    rate->label = "rate";
    const int used =
        snprintf(rate->text, sizeof rate->text, "%s %s, nominal", per_s.value, per_s.unit);
    if (kernel.n && hud->state->mode.kernel == KRN_KERNEL_BINNED && used > 0) {
        const struct app_number bins = app_number_time(
            krn_series_summary(app_engine_binning(hud->engine, hud->state->backend)).median);
        snprintf(rate->text + used, sizeof rate->text - (size_t)used, "; %s %s of it to sort",
                 bins.value, bins.unit);
    }
    frame->label = "frame";
    snprintf(frame->text, sizeof frame->text, "%s %s, %s fps, limited by %s", ms.value, ms.unit,
             app_number_plain(fps, "").value, limited_by(hud, &kernel));
}

/* "1980 MHz, 127 W, 40 °C"; what is not known is left out. */
static void describe_telemetry(const struct krn_telemetry_reading *now, bool warm, struct row *row)
{
    char clock[32] = "", power[32] = "", heat[32] = "", held[96] = "";
    if (now->clock_mhz > 0.0)
        app_format(clock, sizeof clock, ", %.0f MHz", now->clock_mhz);
    if (now->power_w > 0.0)
        app_format(power, sizeof power, ", %.0f W", now->power_w);
    if (now->temperature_c > 0.0)
        app_format(heat, sizeof heat, ", %.0f °C", now->temperature_c);
    const unsigned slows = now->throttle & (KRN_THROTTLE_SLOWS | KRN_THROTTLE_DISPLAY);
    if (slows != 0) {
        snprintf(held, sizeof held, ", held by ");
        krn_throttle_text(slows, held + strlen(held), sizeof held - strlen(held));
    }
    row->label = "clocks";
    snprintf(row->text, sizeof row->text, "%s%s%s%s%s", clock, power, heat, held,
             warm ? ", kept warm" : "");
    if (row->text[0] != 0)
        memmove(row->text, row->text + 2, strlen(row->text + 2) + 1);
    else
        snprintf(row->text, sizeof row->text, "n/a");
}

static void describe_device(const struct app_hud *hud, struct row *device, struct row *clock)
{
    const struct krn_device_info *info =
        krn_device_describe(app_engine_device(hud->engine, hud->state));
    device->label = info->backend == KRN_BACKEND_CUDA ? "cuda" : "cpu";
    clock->label = "times";
    if (info->backend == KRN_BACKEND_CUDA) {
        snprintf(device->text, sizeof device->text, "%s, CUDA %s, driver %s for CUDA %s",
                 info->name, info->runtime, hud->telemetry.driver, info->driver);
        const struct app_number floor = app_number_time(hud->empty_kernel_ms);
        snprintf(clock->text, sizeof clock->text, "kernel by %s, launch floor %s %s", info->clock,
                 floor.value, floor.unit);
    } else {
        snprintf(device->text, sizeof device->text, "%s, %s, %d threads", info->name, info->runtime,
                 info->processors);
        snprintf(clock->text, sizeof clock->text, "%s; all storages read the same caches",
                 info->clock);
    }
}

/* The badge: whether the picture is right, and since when that is known. */
static void describe_picture(const struct app_hud *hud, struct row *row)
{
    const struct app_verify_status *status = &hud->verified;
    char age[32];
    app_number_age(status->age_s, age, sizeof age);
    row->label = "picture";
    row->grave = status->verified == APP_VERIFIED_FALSE;
    if (status->verified == APP_VERIFIED_TRUE)
        snprintf(row->text, sizeof row->text, "✓ verified %s", age);
    else if (row->grave)
        snprintf(row->text, sizeof row->text, "✗ WRONG, seen %s: %s", age, status->text);
    else
        snprintf(row->text, sizeof row->text, "%s", status->text);
}

/* The gravest reasons of the trust light that no other row tells. */
static int describe_trust(const struct app_hud *hud, bool told_blit, struct row *rows)
{
    const unsigned told = 1u << APP_TRUST_NOT_VERIFIED | 1u << APP_TRUST_WRONG_PICTURE |
                          (told_blit ? 1u << APP_TRUST_GL_ELSEWHERE | 1u << APP_TRUST_INTEROP_OFF |
                                           1u << APP_TRUST_SOFTWARE_GL
                                     : 0u);
    int count = 0, more = 0;
    for (int i = 0; i < APP_TRUST_COUNT; i++) {
        const struct app_trust_entry *reason = app_trust_entry((enum app_trust_reason)i);
        if (!(hud->trust & ~told & 1u << i))
            continue;
        if (count == REASONS) {
            more++;
            continue;
        }
        rows[count].grave = reason->level == APP_TRUST_RED;
        app_key_hints(reason->sentence, rows[count++].text, sizeof rows->text);
    }
    if (more > 0)
        snprintf(rows[count++].text, sizeof rows->text, "and %d more", more);
    return count;
}

static void describe_output(const struct app_hud *hud, bool fell, struct row *blit, struct row *gl)
{
    blit->label = "blit";
    snprintf(blit->text, sizeof blit->text, "%s%s%s", app_blit_name(hud->blit.used),
             fell ? ", asked for: " : "", fell ? app_blit_name(hud->blit.asked) : "");
    gl->label = "OpenGL";
    snprintf(gl->text, sizeof gl->text, "%s%s", hud->gl->renderer,
             hud->gl->software ? ", software" : "");
}

/* Rows in the order of their weight: where room is short, the last ones go. Returns how many. */
static int describe(const struct app_hud *hud, struct row rows[ROWS])
{
    memset(rows, 0, ROWS * sizeof *rows);
    /* On the CPU backend there is one rung: nothing was missed. */
    const bool fell = hud->blit.used != hud->blit.asked && hud->state->backend == KRN_BACKEND_CUDA;
    int count = 0;
    struct row *device = &rows[count++];
    if (hud->state->backend == KRN_BACKEND_CUDA)
        describe_telemetry(&hud->telemetry, hud->state->warm, &rows[count++]);
    describe_picture(hud, &rows[count++]);
    describe_scene(hud, &rows[count], &rows[count + 1]);
    describe_device(hud, device, &rows[count + 3]);
    describe_speed(hud, &rows[count + 5], &rows[count + 2]);
    describe_output(hud, fell, &rows[count + 4], &rows[count + 6]);
    count += 7;
    if (fell)
        snprintf(rows[count++].text, sizeof rows->text, "%s", hud->blit.reason);
    if (hud->fallback_reason && hud->fallback_reason[0])
        snprintf(rows[count++].text, sizeof rows->text, "%s", hud->fallback_reason);
    count += describe_trust(hud, fell, &rows[count]);
    return count;
}

static int draw_row(const struct app_brush *brush, const struct row *row, float x, float y,
                    float width, bool draw)
{
    const float indent = row->label ? label_width * brush->unit : 20.0f * brush->unit;
    const ren_colour colour = row->grave   ? brush->colours->bad
                              : row->label ? brush->colours->text
                                           : brush->colours->warn;
    if (draw)
        app_draw_text(brush, row->label ? REN_FACE_SANS : REN_FACE_SANS_BOLD, APP_TEXT_SMALL, x, y,
                      REN_ALIGN_LEFT, row->label ? brush->colours->quiet : colour,
                      row->label ? row->label : "!");
    return app_draw_lines(brush, REN_FACE_SANS, APP_TEXT_SMALL, x + indent, y, width - indent,
                          row->label ? 2 : 3, colour, row->text, draw);
}

float app_hud_details(const struct app_brush *brush, const struct app_layout *layout,
                      const struct app_hud *hud)
{
    struct ren_rect card = layout->details;
    if (card.w <= 0.0f)
        return layout->screen.h;
    const float u = brush->unit, inner = card.w - (2.0f * APP_PAD + 6.0f) * u;
    struct row rows[ROWS];
    int count = describe(hud, rows);
    /* As high as it must be. Where that is too much, rows go from the end; warnings stay longest.
     */
    const int room = (int)((card.h / u - 44.0f) / line_height);
    int lines = 0;
    for (int i = 0; i < count; i++)
        lines += draw_row(brush, &rows[i], 0, 0, inner, false);
    for (int i = count - 1; i >= 0 && lines > room; i--)
        if (rows[i].label || i == 0) {
            lines -= draw_row(brush, &rows[i], 0, 0, inner, false);
            memmove(&rows[i], &rows[i + 1], (size_t)(--count - i) * sizeof *rows);
        }
    if (lines > room)
        return layout->screen.h;
    card.h = fminf(card.h, ((float)lines * line_height + 44.0f) * u);
    if (layout->column)
        card.y = layout->details.y + layout->details.h - card.h;
    app_draw_card(brush, card);
    const float x = card.x + (APP_PAD + 6.0f) * u;
    float y = card.y + 24.0f * u;
    for (int i = 0; i < count; i++)
        y += (float)draw_row(brush, &rows[i], x, y, inner, true) * line_height * u;
    app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, card.x + card.w - APP_PAD * u,
                  card.y + card.h - 12.0f * u, REN_ALIGN_RIGHT, brush->colours->text,
                  help_hint().text);
    return card.y;
}

/* "NVIDIA H200  20 spheres  1024×1024  interop  2900 fps", and below what speaks against the
 * numbers, else how the device and the picture are. */
void app_hud_footer(const struct app_brush *brush, const struct app_layout *layout,
                    const struct app_hud *hud)
{
    const struct ren_rect card = layout->footer;
    if (card.w <= 0.0f)
        return;
    const float u = brush->unit, x = card.x + (APP_PAD + 6.0f) * u;
    const float right = card.x + card.w - APP_PAD * u;
    const struct app_colours *c = brush->colours;
    const struct app_state *state = hud->state;
    const struct krn_device_info *info = krn_device_describe(app_engine_device(hud->engine, state));
    const int count = app_engine_scene(hud->engine)->count;
    char text[1024];
    snprintf(text, sizeof text, "%d sphere%s · %d×%d · %s", count, count == 1 ? "" : "s",
             state->width, state->height, app_blit_name(hud->blit.used));
    if (hud->frame.n && hud->frame.median > 0.0) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, " · %s fps",
                 app_number_plain(1e3 / hud->frame.median, "").value);
    }
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, " · %s", info->name);

    app_draw_card(brush, card);
    float y = card.y + 24.0f * u;
    const float help = app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, right, y,
                                     REN_ALIGN_RIGHT, c->text, help_hint().text);
    app_draw_text_in(brush, REN_FACE_SANS, APP_TEXT_SMALL, x, y, right - x - help - 12.0f * u,
                     c->text, text);
    y += 23.0f * u;
    struct row picture = {0}, clocks = {0}, trust[REASONS + 1] = {{0}};
    describe_picture(hud, &picture);
    describe_telemetry(&hud->telemetry, state->warm, &clocks);
    const bool fell = hud->blit.used != hud->blit.asked && state->backend == KRN_BACKEND_CUDA;
    const char *said = NULL;
    ren_colour colour = c->warn;
    if (picture.grave) {
        said = picture.text;
        colour = c->bad;
    } else if (describe_trust(hud, fell, trust) > 0) {
        said = trust[0].text;
        colour = trust[0].grave ? c->bad : c->warn;
    } else if (fell || (hud->fallback_reason && hud->fallback_reason[0])) {
        said = fell ? hud->blit.reason : hud->fallback_reason;
    }
    if (said) {
        const float mark = app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, x, y,
                                         REN_ALIGN_LEFT, colour, "!") +
                           7.0f * u;
        app_draw_text_in(brush, REN_FACE_SANS, APP_TEXT_SMALL, x + mark, y, right - x - mark,
                         colour, said);
        return;
    }
    const bool cuda = state->backend == KRN_BACKEND_CUDA;
    snprintf(text, sizeof text, "%s%spicture %s", cuda ? clocks.text : "", cuda ? " · " : "",
             picture.text);
    app_draw_text_in(brush, REN_FACE_SANS, APP_TEXT_SMALL, x, y, right - x, c->quiet, text);
}
