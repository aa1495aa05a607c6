#include "hud/parts.h"

#include "anatomy/anatomy.h"
#include "base/files.h"
#include "base/numbers.h"
#include "base/value.h"
#include "command/keys.h"
#include "engine/work.h"
#include "info/info.h"
#include "judge/estimate.h"
#include "judge/trust.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns true when the picture reaches OpenGL by another way than the one asked for. On the CPU
 * backend there is one way only, so nothing is missed. */
static bool hud_blit_fell(const struct app_hud *hud)
{
    return hud->blit.used != hud->blit.asked && !hud->device->can.host_images;
}

const char *app_hud_limit(const struct app_hud *hud)
{
    const struct app_limit_facts facts = {
        .vsync = hud->state->vsync,
        .refresh_hz = hud->refresh_hz,
        .frame_ms = hud->frame.median,
        .kernel_ms = hud->now[0].ms.median,
        .host_kernel = hud->device->can.host_processors,
        .software_gl = hud->gl->software,
    };
    return app_frame_limit(&facts);
}

static void describe_scene(const struct app_hud *hud, struct app_hud_row *scene,
                           struct app_hud_row *image)
{
    const struct app_state *state = hud->state;
    const int count = state->recipe.count;
    char from[120] = "", zoom[32] = "fit";
    scene->label = "scene";
    if (state->scene == APP_SCENE_RANDOM) {
        app_format(from, sizeof from, "seed %llu, radii %.4g to %.4g",
                   (unsigned long long)state->recipe.seed, (double)state->recipe.radius_min,
                   (double)state->recipe.radius_max);
    } else {
        const char *slash = strrchr(state->scene_path, '/');
        snprintf(from, sizeof from, "%s", app_shorten(slash ? slash + 1 : state->scene_path).text);
    }
    snprintf(scene->text, sizeof scene->text, "%d sphere%s, %s", count, count == 1 ? "" : "s",
             from);
    image->label = "image";
    if (app_state_view(state) == KRN_VIEW_LIGHT)
        app_hud_light_words(&state->light, zoom, sizeof zoom);
    else if (state->zoom > 0.0)
        app_format(zoom, sizeof zoom, "%.3g pixels per unit", state->zoom);
    snprintf(image->text, sizeof image->text, "%d×%d, %s%s%s", state->width, state->height, zoom,
             state->follow_pane ? ", follows the pane" : "", state->motion ? "" : ", still");
}

void app_hud_light_words(const struct krn_light *light, char *text, size_t size)
{
    snprintf(text, size, "%d bounce%s, %d sample%s", light->bounces, light->bounces == 1 ? "" : "s",
             light->samples, light->samples == 1 ? "" : "s");
}

/* Returns the counted rays of the light view per second; "n/a" as long as they or the kernel's time
 * are not known. */
static struct app_number hud_rays_per_s(const struct app_hud *hud)
{
    return app_number_rate(app_rays_per_s(hud->rays ? hud->rays->sum : 0.0, hud->now[0].ms.median),
                           "rays/s");
}

/* Writes the rate of the view: "7.52 T tests/s, nominal", "3.1 G rays/s, counted", and the time to
 * sort the spheres first. */
static void describe_rate(const struct app_hud *hud, struct app_hud_row *rate)
{
    const struct app_mode_time *now = &hud->now[0];
    const struct app_state *state = hud->state;
    const double tests = (double)state->width * state->height * state->recipe.count;
    const bool light = app_state_view(state) == KRN_VIEW_LIGHT;
    const struct app_number per_s =
        light ? hud_rays_per_s(hud)
              : app_number_rate(now->ms.median > 0.0 ? tests / now->ms.median * 1e3 : -1.0,
                                "tests/s");
    const char *how = "not counted here";
    if (!light)
        how = "nominal";
    else if (hud->rays && hud->rays->sum > 0.0)
        how = hud->rays->sampled ? "counted in one frame" : "counted";
    else if (hud->rays && !hud->rays->failed)
        how = "not counted yet";
    rate->label = "rate";
    const int used =
        snprintf(rate->text, sizeof rate->text, "%s %s, %s", per_s.value, per_s.unit, how);
    const struct app_number part = app_number_time(now->binning_ms);
    if (now->ms.n && now->binning_ms > 0.0 && used > 0)
        snprintf(rate->text + used, sizeof rate->text - (size_t)used, "; %s %s of it for %s",
                 part.value, part.unit, light ? "the tree" : "binning");
}

static void describe_speed(const struct app_hud *hud, struct app_hud_row *rate,
                           struct app_hud_row *frame)
{
    const double frame_ms = hud->frame.n ? hud->frame.median : -1.0;
    const struct app_number ms =
        app_number_time_as(frame_ms, app_number_keep_unit(hud->time_like_ms, frame_ms));
    const double fps = hud->frame.n && hud->frame.median > 0.0 ? 1e3 / hud->frame.median : -1.0;
    describe_rate(hud, rate);
    frame->label = "frame";
    snprintf(frame->text, sizeof frame->text, "%s %s, %s fps, limited by %s", ms.value, ms.unit,
             app_number_plain(fps, "").value, app_hud_limit(hud));
}

/* Writes clocks, power and temperature: "1980 MHz, 127 W, 40 °C"; unknown ones are left out. */
static void hud_describe_clocks(const struct app_hud *hud, struct app_hud_row *row)
{
    const struct krn_telemetry_reading *now = &hud->telemetry;
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
             hud->state->warm ? ", kept warm" : "");
    if (row->text[0] != 0)
        memmove(row->text, row->text + 2, strlen(row->text + 2) + 1);
    else
        snprintf(row->text, sizeof row->text, "n/a");
}

/* Writes what the kernel's time contains: "raw 6.18 µs, overhead 3.52, net 2.66; no other frame on
 * the GPU". Whether other programs use the device is another matter: a reason to doubt the time. */
static void describe_kernel(const struct app_hud *hud, struct app_hud_row *row)
{
    const struct app_mode_time *now = &hud->now[0];
    const double raw_ms = now->ms.n > 0 ? now->ms.median : -1.0,
                 net_ms = app_net_ms(raw_ms, now->overhead_ms);
    const double like_ms = app_number_keep_unit(hud->time_like_ms, raw_ms);
    const struct app_number raw = app_number_time_as(raw_ms, like_ms),
                            overhead = app_number_time_as(now->overhead_ms, like_ms),
                            net = app_number_time_as(net_ms, like_ms);
    char parts[160] = "", before[96] = "";
    if (net_ms > 0.0)
        snprintf(parts, sizeof parts, ", overhead %s, net %s", overhead.value, net.value);
    else if (now->overhead_ms > 0.0)
        snprintf(parts, sizeof parts, ", all of it overhead");
    if (now->regime == APP_REGIME_IDLE)
        snprintf(before, sizeof before, "; no other frame on the %s", hud->device->can.noun);
    else if (now->regime != APP_REGIME_UNKNOWN)
        snprintf(before, sizeof before, "; %squeued behind other frames",
                 now->regime == APP_REGIME_MIXED ? "at times " : "");
    row->label = "kernel";
    if (raw_ms > 0.0)
        snprintf(row->text, sizeof row->text, "raw %s %s%s%s", raw.value, raw.unit, parts, before);
    else
        snprintf(row->text, sizeof row->text, "no reading yet");
}

static void describe_device(const struct app_hud *hud, struct app_hud_row *device,
                            struct app_hud_row *clock)
{
    const struct krn_device_info *info = hud->device;
    device->label = krn_backend_name(info->backend);
    clock->label = "times";
    if (!info->can.host_processors) {
        snprintf(device->text, sizeof device->text, "%s, CUDA %s, driver %s for CUDA %s",
                 info->name, info->runtime, hud->telemetry.driver, info->driver);
        const struct app_number floor = app_number_time(hud->empty_kernel_ms);
        snprintf(clock->text, sizeof clock->text, "kernel by %s, launch floor %s %s", info->clock,
                 floor.value, floor.unit);
    } else {
        snprintf(device->text, sizeof device->text, "%s, %d %s", info->name, info->processors,
                 info->runtime);
        snprintf(clock->text, sizeof clock->text, "%s; all storages read the same caches",
                 info->clock);
    }
    if (hud->now[0].recorded)
        snprintf(clock->text, sizeof clock->text, "kernel by %s, as recorded",
                 hud->recorded->panels.probes.device->clock);
}

const struct app_mode_time *app_hud_worse(const struct app_hud *hud)
{
    return &hud->now[hud->sides == 2
                         ? app_verified_worse(hud->now[0].verified, hud->now[1].verified)
                         : 0];
}

void app_hud_describe_picture(const struct app_hud *hud, struct app_hud_row *row)
{
    static const char *const words[] = {"not verified when recorded", "✓ verified when recorded",
                                        "✗ WRONG when recorded"};
    const struct app_verify_status *status = &hud->verified;
    const struct app_mode_time *shown = app_hud_worse(hud);
    const char *where = shown->recorded ? " here" : "";
    const bool wrong_here = status->verified == APP_VERIFIED_FALSE,
               wrong_then = shown->recorded && shown->verified == APP_VERIFIED_FALSE;
    char age[32], here[sizeof status->text + 64];
    app_number_age(status->age_s, age, sizeof age);
    if (wrong_here)
        snprintf(here, sizeof here, "✗ WRONG%s, seen %s: %s", where, age, status->text);
    else if (status->verified == APP_VERIFIED_TRUE)
        snprintf(here, sizeof here, "✓ verified%s %s", where, age);
    else
        snprintf(here, sizeof here, "%s%s", shown->recorded ? "here " : "", status->text);
    row->label = "picture";
    row->grave = wrong_then || wrong_here;
    if (!shown->recorded) {
        snprintf(row->text, sizeof row->text, "%s", here);
        return;
    }
    /* Recorded numbers stand on the recorded picture; a wrong one comes first. */
    const char *then = shown->valid ? words[shown->verified] : "not recorded",
               *why = shown->verified_reason ? shown->verified_reason : "";
    if (wrong_here && !wrong_then)
        snprintf(row->text, sizeof row->text, "%s; %s", here, then);
    else if (wrong_then && !wrong_here && why[0])
        snprintf(row->text, sizeof row->text, "%s: %s; %s", then, why, here);
    else
        snprintf(row->text, sizeof row->text, "%s; %s", then, here);
}

/* Writes the gravest reasons of the trust light that no other row tells; returns how many rows. */
static int hud_describe_trust(const struct app_hud *hud,
                              struct app_hud_row rows[APP_HUD_REASONS + 1])
{
    const bool told_blit = hud_blit_fell(hud);
    const unsigned told = 1u << APP_TRUST_NOT_VERIFIED | 1u << APP_TRUST_WRONG_PICTURE |
                          (told_blit ? 1u << APP_TRUST_GL_ELSEWHERE | 1u << APP_TRUST_INTEROP_OFF |
                                           1u << APP_TRUST_SOFTWARE_GL
                                     : 0u);
    int count = 0, more = 0;
    for (int i = 0; i < APP_TRUST_COUNT; i++) {
        const struct app_trust_entry *reason = app_trust_entry((enum app_trust_reason)i);
        if (!(hud->trust & ~told & 1u << i))
            continue;
        if (count == APP_HUD_REASONS) {
            more++;
            continue;
        }
        rows[count].grave = reason->level == APP_TRUST_RED;
        rows[count].brief = reason->words;
        app_key_hints(reason->sentence, rows[count++].text, sizeof rows->text);
    }
    if (more > 0)
        snprintf(rows[count++].text, sizeof rows->text, "and %d more", more);
    return count;
}

static void describe_output(const struct app_hud *hud, bool fell, struct app_hud_row *blit,
                            struct app_hud_row *gl)
{
    blit->label = "blit";
    snprintf(blit->text, sizeof blit->text, "%s%s%s", app_blit_names[hud->blit.used],
             fell ? ", asked for: " : "", fell ? app_blit_names[hud->blit.asked] : "");
    gl->label = "OpenGL";
    snprintf(gl->text, sizeof gl->text, "%s%s", hud->gl->renderer,
             hud->gl->software ? ", software" : "");
}

int app_hud_describe(const struct app_hud *hud, struct app_hud_row rows[APP_HUD_ROWS])
{
    memset(rows, 0, APP_HUD_ROWS * sizeof *rows);
    const bool fell = hud_blit_fell(hud);
    int count = 0;
    if (hud->now[0].recorded) {
        rows[count].label = "shows";
        snprintf(rows[count++].text, sizeof rows->text, "%s; here the %s renders the picture",
                 hud->recorded->stamp, hud->device->can.noun);
    }
    struct app_hud_row *device = &rows[count++];
    if (hud->device->can.telemetry)
        hud_describe_clocks(hud, &rows[count++]);
    app_hud_describe_picture(hud, &rows[count++]);
    describe_kernel(hud, &rows[count++]);
    /* A counted rate, or one with the time to sort, weighs more than a nominal one alone. */
    const bool weighs = app_state_view(hud->state) == KRN_VIEW_LIGHT ||
                        (hud->now[0].ms.n && hud->now[0].binning_ms > 0.0);
    const int rate = weighs ? 3 : 5, clock = weighs ? 4 : 3, blit = weighs ? 5 : 4;
    describe_scene(hud, &rows[count], &rows[count + 1]);
    describe_device(hud, device, &rows[count + clock]);
    describe_speed(hud, &rows[count + rate], &rows[count + 2]);
    describe_output(hud, fell, &rows[count + blit], &rows[count + 6]);
    count += 7;
    if (hud->device->can.warps) {
        rows[count].label = "takes";
        snprintf(rows[count++].text, sizeof rows->text, "%s",
                 app_kernel_text(krn_kernels_main(&hud->kernels)).text);
    }
    if (hud->gate_drops > 0)
        snprintf(rows[count++].text, sizeof rows->text, "%lu reading%s dropped: the host was late",
                 hud->gate_drops, hud->gate_drops == 1 ? "" : "s");
    if (fell)
        snprintf(rows[count++].text, sizeof rows->text, "%s", hud->blit.reason);
    if (hud->fallback_reason && hud->fallback_reason[0])
        snprintf(rows[count++].text, sizeof rows->text, "%s", hud->fallback_reason);
    if (hud->scene_note && hud->scene_note[0])
        snprintf(rows[count++].text, sizeof rows->text, "%s", hud->scene_note);
    count += hud_describe_trust(hud, &rows[count]);
    return count;
}

static const float label_width = 66.0f, line_height = 1.35f * APP_TEXT_SMALL;

static int draw_row(const struct app_brush *brush, const struct app_hud_row *row, float x, float y,
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

/* Returns the row to leave out where room is short: warnings beyond the gravest, whose number the
 * trust light tells, once few labelled rows are left; before that the last labelled one. */
static int row_to_leave_out(const struct app_hud_row *rows, int count)
{
    enum { KEPT = 6 };
    int labelled = 0, warnings = 0, last_labelled = 0;
    for (int i = 0; i < count; i++) {
        labelled += rows[i].label != NULL;
        warnings += rows[i].label == NULL;
        last_labelled = rows[i].label ? i : last_labelled;
    }
    return warnings > 0 && labelled <= (warnings > 1 ? KEPT : 1) ? count - 1 : last_labelled;
}

float app_hud_details(const struct app_brush *brush, const struct app_layout *layout,
                      const struct app_hud *hud)
{
    struct ren_rect card = layout->details;
    if (card.w <= 0.0f)
        return layout->pane.h;
    const float u = brush->unit, inner = card.w - (2.0f * APP_PAD + 6.0f) * u;
    struct app_hud_row rows[APP_HUD_ROWS];
    int count = app_hud_describe(hud, rows);
    /* The card is as high as its rows need; where that is too high, rows are left out. */
    const int room = (int)((card.h / u - 44.0f) / line_height);
    int lines = 0;
    for (int i = 0; i < count; i++)
        lines += draw_row(brush, &rows[i], 0, 0, inner, false);
    while (lines > room && count > 0) {
        const int i = row_to_leave_out(rows, count);
        lines -= draw_row(brush, &rows[i], 0, 0, inner, false);
        memmove(&rows[i], &rows[i + 1], (size_t)(--count - i) * sizeof *rows);
    }
    if (count == 0)
        return layout->pane.h;
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
                  app_hud_help_hint().text);
    return card.y;
}

/* Writes the run in one line: "20 spheres · 1024×1024 · interop · 2900 fps · NVIDIA H200"; without
 * the device, which the panels name, and without the frames where there is less room. In the light
 * view its rate is in the place of the blit: "20 spheres · 1024×1024 · 3.1 G rays/s · 2900 fps". */
static void describe_run(const struct app_hud *hud, char texts[3][512])
{
    const struct app_state *state = hud->state;
    const bool recorded = hud->now[0].recorded;
    const bool light = app_state_view(state) == KRN_VIEW_LIGHT && !recorded;
    const struct app_number per_s = hud_rays_per_s(hud);
    char rays[96], frames[48] = "";
    snprintf(rays, sizeof rays, "%s%s %s", state->duel.on ? "A " : "", per_s.value, per_s.unit);
    if (hud->frame.n && hud->frame.median > 0.0)
        snprintf(frames, sizeof frames, " · %s fps",
                 app_number_plain(1e3 / hud->frame.median, "").value);
    const int used =
        snprintf(texts[2], sizeof texts[2], "%s%s%d sphere%s · %d×%d · %s",
                 recorded ? hud->recorded->shorter : "", recorded ? " · " : "", state->recipe.count,
                 state->recipe.count == 1 ? "" : "s", state->width, state->height,
                 light ? rays : app_blit_names[hud->blit.used]);
    snprintf(texts[1], sizeof texts[1], "%.*s%s", used, texts[2], frames);
    snprintf(texts[0], sizeof texts[0], "%.*s%s · %s", used, texts[2], frames, hud->device->name);
}

/* Finds the gravest complaint about the run; false when there is none. */
static bool find_complaint(const struct app_hud *hud, struct app_hud_row *complaint)
{
    struct app_hud_row trust[APP_HUD_REASONS + 1] = {{0}};
    app_hud_describe_picture(hud, complaint);
    if (complaint->grave)
        return true;
    if (hud_describe_trust(hud, trust) > 0) {
        *complaint = trust[0];
        return true;
    }
    const char *reason = hud_blit_fell(hud) ? hud->blit.reason : hud->fallback_reason;
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
    hud_describe_clocks(hud, &clocks);
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
    char runs[3][512];
    describe_run(hud, runs);
    const char *const texts[] = {runs[0], runs[1], runs[2], NULL};
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
