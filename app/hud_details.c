#include "hud_parts.h"
#include "numbers.h"
#include "value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float label_width = 66.0f, line_height = 1.35f * APP_TEXT_SMALL;

/* A row: a label and what it stands for, in at most two lines. No label: a warning. */
struct row {
    const char *label;
    char text[400];
};

enum { ROWS = 10 };

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
    const int count = hud->engine->scene.count;
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
    const struct krn_summary kernel = app_hud_summary(hud);
    const double tests = (double)hud->state->width * hud->state->height * hud->engine->scene.count;
    const struct app_number per_s = app_number_rate(
        kernel.n && kernel.median > 0.0 ? tests / kernel.median * 1e3 : -1.0, "tests/s");
    const struct app_number ms = app_number_time(hud->frame.n ? hud->frame.median : -1.0);
    const double fps = hud->frame.n && hud->frame.median > 0.0 ? 1e3 / hud->frame.median : -1.0;
    rate->label = "rate";
    const int used =
        snprintf(rate->text, sizeof rate->text, "%s %s, nominal", per_s.value, per_s.unit);
    if (kernel.n && hud->state->mode.kernel == KRN_KERNEL_BINNED && used > 0) {
        const struct app_number lists =
            app_number_time(krn_series_summary(&hud->engine->lists[hud->state->backend]).median);
        snprintf(rate->text + used, sizeof rate->text - (size_t)used, "; %s %s of it to sort",
                 lists.value, lists.unit);
    }
    frame->label = "frame";
    snprintf(frame->text, sizeof frame->text, "%s %s, %s fps, limited by %s", ms.value, ms.unit,
             app_number_plain(fps, "").value, limited_by(hud, &kernel));
}

static void describe_device(const struct app_hud *hud, struct row *device, struct row *clock)
{
    const struct krn_device_info *info =
        krn_device_describe(app_engine_device(hud->engine, hud->state));
    device->label = info->backend == KRN_BACKEND_CUDA ? "cuda" : "cpu";
    if (info->backend == KRN_BACKEND_CUDA)
        snprintf(device->text, sizeof device->text, "%s, CUDA %s, driver for CUDA %s", info->name,
                 info->runtime, info->driver);
    else
        snprintf(device->text, sizeof device->text,
                 "%s, %s, %d threads; all storages read the same caches", info->name, info->runtime,
                 info->processors);
    clock->label = "times";
    snprintf(clock->text, sizeof clock->text, "kernel by %s", info->clock);
}

/* Returns how many rows there are. */
static int describe(const struct app_hud *hud, struct row rows[ROWS])
{
    memset(rows, 0, ROWS * sizeof *rows);
    describe_scene(hud, &rows[0], &rows[1]);
    describe_speed(hud, &rows[2], &rows[3]);
    describe_device(hud, &rows[4], &rows[5]);
    rows[6].label = "blit";
    /* On the CPU backend there is one rung: nothing was missed. */
    const bool fell = hud->blit.used != hud->blit.asked && hud->state->backend == KRN_BACKEND_CUDA;
    snprintf(rows[6].text, sizeof rows[6].text, "%s%s%s", app_blit_name(hud->blit.used),
             fell ? ", asked for: " : "", fell ? app_blit_name(hud->blit.asked) : "");
    rows[7].label = "OpenGL";
    snprintf(rows[7].text, sizeof rows[7].text, "%s%s", hud->gl->renderer,
             hud->gl->software ? ", software" : "");
    int count = 8;
    if (fell)
        snprintf(rows[count++].text, sizeof rows->text, "%s", hud->blit.reason);
    if (hud->standing && hud->standing[0])
        snprintf(rows[count++].text, sizeof rows->text, "%s", hud->standing);
    return count;
}

static int draw_row(const struct app_brush *brush, const struct row *row, float x, float y,
                    float width, bool draw)
{
    const float indent = row->label ? label_width * brush->unit : 20.0f * brush->unit;
    const ren_colour colour = row->label ? brush->colours->text : brush->colours->warn;
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
    /* As high as it must be; rows that do not fit are left out from the end, warnings last. */
    const int room = (int)((card.h / u - 44.0f) / line_height);
    int lines = 0;
    for (int i = 0; i < count; i++)
        lines += draw_row(brush, &rows[i], 0, 0, inner, false);
    while (lines > room && count > 8) {
        lines -= draw_row(brush, &rows[--count], 0, 0, inner, false);
    }
    card.h = fminf(card.h, ((float)lines * line_height + 44.0f) * u);
    if (layout->column)
        card.y = layout->details.y + layout->details.h - card.h;
    app_draw_card(brush, card);
    const float x = card.x + (APP_PAD + 6.0f) * u;
    float y = card.y + 24.0f * u;
    for (int i = 0; i < count; i++)
        y += (float)draw_row(brush, &rows[i], x, y, inner, true) * line_height * u;
    app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, card.x + card.w - APP_PAD * u,
                  card.y + card.h - 12.0f * u, REN_ALIGN_RIGHT, brush->colours->text, "H help");
    return card.y;
}
