/* The details: everything that the numbers on screen rest on, in small type. */
#include "hud/parts.h"

#include "records/info.h"

#include <math.h>
#include <string.h>

/* A row: a label and its text, in at most two lines. No label: a warning. */
struct row {
    const char *label;
    const char *brief; /* the same in a few words; NULL: there are none */
    bool grave;        /* drawn in the colour of what is wrong */
    char text[512];
};

/* The rows of a device with everything to tell, and all reasons to doubt it. */
enum { REASONS = APP_TRUST_COUNT, ROWS = 20 + REASONS + 1 };

/* Returns true when the picture reaches OpenGL by another way than the one asked for. On the CPU
 * backend there is one way only, so nothing is missed. */
static bool blit_fell(const struct app_hud *hud)
{
    return hud->blit.used != hud->blit.asked && !hud->device->can.host_images;
}

const char *app_hud_limit(const struct app_hud *hud)
{
    const struct app_limit_facts facts = {
        .vsync = hud->state->look.vsync,
        .refresh_hz = hud->refresh_hz,
        .frame_ms = hud->frame.median,
        .kernel_ms = hud->now[0].ms.median,
        .host_kernel = hud->device->can.host_processors,
        .software_gl = hud->gl->software,
    };
    return app_frame_limit(&facts);
}

static void light_words(const struct krn_light *light, char *text, size_t size)
{
    snprintf(text, size, "%d bounce%s, %d sample%s", light->bounces, light->bounces == 1 ? "" : "s",
             light->samples, light->samples == 1 ? "" : "s");
}

static void describe_scene(const struct app_hud *hud, struct row *scene, struct row *image)
{
    const struct app_state *state = hud->state;
    const int count = state->spec.recipe.count;
    char from[120] = "", zoom[32] = "fit";
    scene->label = "scene";
    if (state->spec.scene == APP_SCENE_RANDOM) {
        app_format(from, sizeof from, "seed %llu, radii %.4g to %.4g",
                   (unsigned long long)state->spec.recipe.seed,
                   (double)state->spec.recipe.radius_min, (double)state->spec.recipe.radius_max);
    } else {
        const char *slash = strrchr(state->spec.scene_path, '/');
        snprintf(from, sizeof from, "%s",
                 app_shorten(slash ? slash + 1 : state->spec.scene_path).text);
    }
    snprintf(scene->text, sizeof scene->text, "%d sphere%s, %s", count, count == 1 ? "" : "s",
             from);
    image->label = "image";
    if (app_state_view(state) == KRN_VIEW_LIGHT)
        light_words(&state->spec.light, zoom, sizeof zoom);
    else if (state->spec.zoom > 0.0)
        app_format(zoom, sizeof zoom, "%.3g pixels per unit", state->spec.zoom);
    snprintf(image->text, sizeof image->text, "%d×%d, %s%s%s", state->spec.width,
             state->spec.height, zoom, state->spec.follow_pane ? ", follows the pane" : "",
             state->spec.motion ? "" : ", still");
}

/* Returns the counted rays of the light view per second; "n/a" as long as they or the kernel's time
 * are not known. */
static struct app_number rays_per_s(const struct app_hud *hud)
{
    return app_number_rate(app_rays_per_s(hud->rays, hud->now[0].ms.median), "rays/s");
}

/* Writes the time of the view as a multiple of the limit: "3.0× the time of only reading the
 * spheres and writing the picture"; in the light view its rate: "3.1 G rays/s, counted". */
static void describe_rate(const struct app_hud *hud, struct row *rate)
{
    const struct app_mode_time *now = &hud->now[0];
    const struct app_of_limit of = now->of_limit;
    const bool light = app_state_view(hud->state) == KRN_VIEW_LIGHT;
    const struct app_number per_s = rays_per_s(hud), part = app_number_time(now->binning_ms);
    const char *how = "not counted here";
    if (hud->rays > 0.0)
        how = hud->rays_sampled ? "counted in one frame" : "counted";
    else if (hud->rays_awaited)
        how = "not counted yet";
    rate->label = light ? "rate" : "limit";
    if (light)
        snprintf(rate->text, sizeof rate->text, "%s %s, %s", per_s.value, per_s.unit, how);
    else if (of.times > 0.0)
        snprintf(rate->text, sizeof rate->text,
                 "%s%s× the time of only reading the spheres and writing the picture",
                 of.least ? "more than " : "", app_number_plain(of.times, "").value);
    else
        snprintf(rate->text, sizeof rate->text, APP_NOT_YET);
    if (now->ms.n && now->binning_ms > 0.0)
        app_append(rate->text, sizeof rate->text, "; ", "%s %s %s", part.value, part.unit,
                   light ? "of a frame builds the tree" : "of a frame sorts the spheres");
}

static void describe_speed(const struct app_hud *hud, struct row *rate, struct row *frame)
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
static void describe_clocks(const struct app_hud *hud, struct row *row)
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
             hud->state->spec.warm ? ", kept warm" : "");
    if (row->text[0] != 0)
        memmove(row->text, row->text + 2, strlen(row->text + 2) + 1);
    else
        snprintf(row->text, sizeof row->text, "n/a");
}

/* Writes what the kernel's time contains: "raw 21.4 µs, overhead 3.36, net 18.1 [17.9, 18.2]; no
 * other frame on the GPU". Whether other programs use the device is another matter: a reason to
 * doubt the time. */
static void describe_kernel(const struct app_hud *hud, struct row *row)
{
    const struct app_mode_time *now = &hud->now[0];
    const double raw_ms = now->ms.n > 0 ? now->ms.median : -1.0;
    const double like_ms = app_number_keep_unit(hud->time_like_ms, raw_ms);
    const struct app_number raw = app_number_time_as(raw_ms, like_ms),
                            overhead = app_number_time_as(now->overhead_ms, like_ms);
    const struct app_described net =
        app_describe(now->net, (struct app_form){.quantity = APP_QUANTITY_TIME, .like = like_ms});
    char parts[160] = "", before[96] = "";
    if (now->net.valid && now->net.value < APP_NET_LEAST * now->overhead_ms)
        snprintf(parts, sizeof parts, ", overhead %s, net below twice that", overhead.value);
    else if (now->net.valid)
        snprintf(parts, sizeof parts, ", overhead %s, net %s%s%s", overhead.value, net.number.value,
                 net.interval[0] ? " " : "", net.interval);
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

static void describe_device(const struct app_hud *hud, struct row *device, struct row *clock)
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
        snprintf(clock->text, sizeof clock->text, "%s; storages: %s", info->clock,
                 app_verdict_entry(APP_VERDICT_SAME_CACHES)->says);
    }
    if (hud->now[0].recorded)
        snprintf(clock->text, sizeof clock->text, "kernel by %s, as recorded",
                 hud->recorded->panels.probes.device->clock);
}

static void describe_picture(const struct app_hud *hud, struct row *row)
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
    else if (status->verified == APP_VERIFIED_TRUE && status->rounded > 0)
        snprintf(here, sizeof here, "✓ verified%s %s, %zu pixels rounded otherwise", where, age,
                 status->rounded);
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
               *why = shown->verified_text;
    if (wrong_here && !wrong_then)
        snprintf(row->text, sizeof row->text, "%s; %s", here, then);
    else if (wrong_then && !wrong_here && why[0])
        snprintf(row->text, sizeof row->text, "%s: %s; %s", then, why, here);
    else
        snprintf(row->text, sizeof row->text, "%s; %s", then, here);
}

/* Writes the gravest reasons of the trust light that no other row tells; returns how many rows. */
static int describe_trust(const struct app_hud *hud, struct row rows[REASONS + 1])
{
    const bool told_blit = blit_fell(hud);
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
        rows[count].brief = reason->words;
        app_key_hints(reason->sentence, rows[count++].text, sizeof rows->text);
    }
    if (more > 0)
        snprintf(rows[count++].text, sizeof rows->text, "and %d more", more);
    return count;
}

static void describe_output(const struct app_hud *hud, bool fell, struct row *blit, struct row *gl)
{
    blit->label = "blit";
    snprintf(blit->text, sizeof blit->text, "%s%s%s", app_blit_names[hud->blit.used],
             fell ? ", asked for: " : "", fell ? app_blit_names[hud->blit.asked] : "");
    gl->label = "OpenGL";
    snprintf(gl->text, sizeof gl->text, "%s%s", hud->gl->renderer,
             hud->gl->software ? ", software" : "");
}

static int describe(const struct app_hud *hud, struct row rows[ROWS])
{
    memset(rows, 0, ROWS * sizeof *rows);
    const bool fell = blit_fell(hud);
    int count = 0;
    if (hud->now[0].recorded) {
        rows[count].label = "shows";
        char source[192];
        app_hud_source(hud->recorded, source, sizeof source);
        snprintf(rows[count++].text, sizeof rows->text, "%s; here the %s renders the picture",
                 source, hud->device->can.noun);
    }
    struct row *device = &rows[count++];
    if (hud->device->can.telemetry)
        describe_clocks(hud, &rows[count++]);
    describe_picture(hud, &rows[count++]);
    describe_kernel(hud, &rows[count++]);
    describe_scene(hud, &rows[count], &rows[count + 1]);
    describe_speed(hud, &rows[count + 3], &rows[count + 2]);
    describe_device(hud, device, &rows[count + 4]);
    describe_output(hud, fell, &rows[count + 5], &rows[count + 6]);
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
    count += describe_trust(hud, &rows[count]);
    return count;
}

/* Writes the median with its interval and spread: "median of 240: 27.4 µs, 95 % [27.3, 27.5], p5 to
 * p95 27.1 to 28.0 µs". */
static void describe_median(const struct app_hud *hud, int side, struct row *row)
{
    const struct app_mode_time *now = &hud->now[side];
    const double like_ms = app_number_keep_unit(hud->time_like_ms, now->ms.median);
    const struct app_described said = app_describe(
        now->median, (struct app_form){.quantity = APP_QUANTITY_TIME, .like = like_ms});
    row->label = hud->sides < 2 ? "median" : side == 0 ? "A" : "B";
    if (now->ms.n == 0 && !now->median.valid)
        snprintf(row->text, sizeof row->text, "%s",
                 now->missing[0] ? now->missing : "no sample yet");
    else
        snprintf(row->text, sizeof row->text, "%s of %zu, 95 %% %s, p5 to p95 %s to %s", said.text,
                 now->ms.n, said.interval[0] ? said.interval : "not known",
                 app_number_time_as(now->ms.p5, like_ms).value,
                 app_number_time_as(now->ms.p95, like_ms).value);
}

/* Writes the ratio of what is compared, with its verdict as records have it. */
static bool describe_ratio(const struct app_hud *hud, struct row *row)
{
    const struct app_form form = {
        .unit = "×", .digits = APP_DIGITS_RATIO, .verdict = hud->comparison.verdict};
    const struct app_described said = app_describe(hud->comparison.ratio, form);
    char pairs[48] = "";
    row->label = "ratio";
    if (hud->duel)
        snprintf(pairs, sizeof pairs, ", %zu pairs", hud->duel->pairs);
    app_format(row->text, sizeof row->text, "%s %s %s, band %g %%%s", said.text, said.interval,
               app_verdict_word(said.verdict), hud->band_percent, pairs);
    return said.estimate.valid;
}

/* A column of text that flows downwards, in small type. */
struct column {
    const struct app_brush *brush;
    float x, y, width, label, bottom; /* pixels */
};

static const float line_height = 1.35f * APP_TYPE_DETAIL;

static void write_row(struct column *column, const char *label, ren_colour colour, const char *text)
{
    const struct app_brush *brush = column->brush;
    const float u = brush->unit, indent = label ? column->label : 0.0f;
    if (column->y + line_height * u > column->bottom)
        return;
    if (label)
        app_draw_text_in(brush, REN_FACE_SANS, APP_TYPE_DETAIL, column->x, column->y,
                         indent - 8.0f * u, brush->colours->quiet, label);
    const int lines = app_draw_lines(brush, REN_FACE_SANS, APP_TYPE_DETAIL, column->x + indent,
                                     column->y, column->width - indent, 3, colour, text, true);
    column->y += line_height * u * (float)(lines > 0 ? lines : 1);
}

/* Writes the device's properties, and what the kernel on screen takes of a multiprocessor. */
static void write_device(struct column *column, const struct app_hud *hud)
{
    const ren_colour ink = column->brush->colours->text;
    const struct krn_kernel_attributes *kernel = krn_kernels_main(&hud->kernels);
    for (int i = 0; i < hud->property_count; i++)
        /* The title tells the name, unless it is that of a recorded run's device. */
        if (strcmp(hud->properties[i].key, "name") != 0 || hud->now[0].recorded)
            write_row(column,
                      strcmp(hud->properties[i].key, "name") != 0 ? hud->properties[i].key
                                                                  : "picture by",
                      ink, app_property_text(&hud->properties[i]).text);
    for (int i = 0; krn_kernel_known(kernel) && i < APP_RESOURCES; i++) {
        const struct app_resource *resource = &app_resources[i];
        char text[160];
        app_format(text, sizeof text, "%s %s",
                   app_grouped(llrint(app_kernel_number(kernel, resource->member))).text,
                   resource->unit);
        write_row(column, resource->words, ink, text);
    }
}

/* Draws the kernel's time of the newest frames. */
static void draw_trace(const struct app_brush *given, struct ren_rect area,
                       const struct app_hud *hud)
{
    static double x[KRN_STORAGE_COUNT][APP_TRACE_CAPACITY],
        y[KRN_STORAGE_COUNT][APP_TRACE_CAPACITY];
    struct app_brush brush = *given;
    struct app_series series[KRN_STORAGE_COUNT];
    size_t count = 0;
    const struct app_trace *trace = hud->trace;
    double most = 0.0;
    for (int s = 0; s < KRN_STORAGE_COUNT; s++) {
        size_t n = 0;
        for (int i = 0; i < trace->count; i++) {
            const int at = app_trace_index(trace, i);
            if ((int)trace->mode[at].storage != s)
                continue;
            x[s][n] = i;
            y[s][n++] = trace->ms[at];
            most = fmax(most, trace->ms[at]);
        }
        if (n > 0)
            series[count++] = (struct app_series){.name = krn_storage_name((enum krn_storage)s),
                                                  .ink = (enum app_ink)(APP_INK_STORAGE + s),
                                                  .x = x[s],
                                                  .y = y[s],
                                                  .n = n};
    }
    const struct app_level floor = {"launch floor", APP_INK_QUIET, hud->empty_kernel_ms, 0.4f};
    const struct app_chart chart = {
        .x = {"frames", APP_AXIS_PLAIN, APP_SCALE_LINEAR, 0.0, fmax(trace->count, 2)},
        .y = {"kernel time", APP_AXIS_TIME, APP_SCALE_LINEAR, 0.0, 1.1 * most},
        .series = series,
        .series_count = count,
        .levels = &floor,
        .level_count = hud->empty_kernel_ms > 0.0 && hud->empty_kernel_ms < most};
    const struct app_pen pen = app_draw_pen(&brush);
    if (count > 0)
        app_chart_draw(&pen, area, APP_TYPE_DETAIL * brush.unit, &chart);
}

void app_hud_details(const struct app_brush *brush, const struct app_layout *layout,
                     const struct app_hud *hud)
{
    const float u = brush->unit, margin = APP_MARGIN * u;
    const struct app_colours *c = brush->colours;
    const struct ren_rect card = layout->screen;
    const bool beside = card.w >= 900.0f * u;
    struct row rows[ROWS] = {{0}};
    char title[192], closing[64];
    ren_list_fill(brush->list, card, 0.0f, (ren_colour)c->background << 8 | 0xffu);
    app_key_hints(hud->still ? "" : "{details} closes", closing, sizeof closing);
    const float end = app_draw_text(brush, REN_FACE_SANS, APP_TYPE_BODY, card.w - margin,
                                    margin + 22.0f * u, REN_ALIGN_RIGHT, c->quiet, closing);
    snprintf(title, sizeof title, "What the numbers rest on: %s",
             hud->now[0].recorded ? hud->recorded->name : hud->device->name);
    app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_TYPE_BODY, margin, margin + 22.0f * u,
                     card.w - 2.5f * margin - end, c->text, title);
    struct column column = {brush,
                            margin,
                            margin + 60.0f * u,
                            (beside ? 0.56f * card.w : card.w) - 2.0f * margin,
                            76.0f * u,
                            card.h - margin};
    for (int side = 0; side < hud->sides; side++) {
        struct row row = {0};
        describe_median(hud, side, &row);
        write_row(&column, row.label, c->text, row.text);
    }
    struct row ratio = {0};
    if (describe_ratio(hud, &ratio))
        write_row(&column, ratio.label, c->text, ratio.text);
    const int count = describe(hud, rows);
    for (int i = 0; i < count; i++)
        write_row(&column, rows[i].label ? rows[i].label : "!",
                  rows[i].grave   ? c->bad
                  : rows[i].label ? c->text
                                  : c->warn,
                  rows[i].text);
    const struct ren_rect plot = {margin, column.y, column.width, column.bottom - column.y};
    if (beside && plot.h > 120.0f * u)
        draw_trace(brush, plot, hud);
    if (beside) {
        column.x = 0.56f * card.w;
        column.y = margin + 60.0f * u;
        column.width = 0.44f * card.w - margin;
    }
    column.label = 0.55f * column.width;
    write_device(&column, hud);
}
