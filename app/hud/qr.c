/* The QR code of the numbers on screen, or of a page's address: its text, its size, and its modules
 * as rectangles. */
#include "hud/parts.h"

#include "spec/state.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#ifdef SPHERESCOPE_QR
#include <qrencode.h>

bool app_qr_available(void)
{
    return true;
}

bool app_qr_encode(const char *text, struct app_qr_code *code)
{
    memset(code, 0, sizeof *code);
    QRcode *made = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1);
    const bool fits = made != NULL && made->width <= APP_QR_SIDE_MAX;
    if (fits) {
        code->side = made->width;
        for (int y = 0; y < made->width; y++)
            for (int x = 0; x < made->width; x++)
                code->dark[y][x] = made->data[y * made->width + x] & 1;
    }
    QRcode_free(made);
    return fits;
}

#else

bool app_qr_available(void)
{
    return false;
}

bool app_qr_encode(const char *text, struct app_qr_code *code)
{
    (void)text;
    memset(code, 0, sizeof *code);
    return false;
}

#endif

/* Appends formatted text in ASCII; what does not fit is cut off. */
__attribute__((format(printf, 2, 3))) static void append(char text[APP_QR_TEXT_MAX],
                                                         const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, APP_QR_TEXT_MAX - used, format, arguments);
    va_end(arguments);
    for (char *at = text + used; *at != 0; at++)
        if ((unsigned char)*at >= 0x80)
            *at = '?';
}

/* Appends a mode with the median of its times and, in brackets, its interval and what that covers:
 * "this run" or "5 processes". */
static void append_time(char text[APP_QR_TEXT_MAX], const struct app_mode_time *time)
{
    const struct app_estimate *e = &time->median;
    const size_t processes = e->recorded > 0 ? e->recorded : e->processes;
    const struct app_described said =
        app_describe(*e, (struct app_form){.unit = "ms", .digits = APP_DIGITS_WIDTH});
    char name[APP_MODE_TEXT_MAX], whose[32] = "this run";
    krn_mode_name(time->mode, name, sizeof name);
    if (time->recorded)
        snprintf(whose, sizeof whose, "%zu process%s", processes, processes == 1 ? "" : "es");
    if (!time->valid)
        append(text, "; %s not %s", name, time->recorded ? "recorded" : "timed");
    else if (said.interval[0])
        append(text, "; %s %s %s (%s, n %zu)", name, said.text, said.interval, whose, time->ms.n);
    else
        append(text, "; %s %s (n %zu)", name, said.text, time->ms.n);
}

/* Appends what the program needs to draw the picture again: the name of the scene's file, or what a
 * random scene has other than the book's, and the options of the light view. The camera is the one
 * on screen, wherever its path has led it. */
static void append_options(char text[APP_QR_TEXT_MAX], const struct app_state *state)
{
    const struct krn_scene_recipe *recipe = &state->spec.recipe, book = krn_scene_book();
    const struct krn_light light = app_state_light(state);
    const char *slash = strrchr(state->spec.scene_path, '/');
    char camera[64];
    if (state->spec.scene == APP_SCENE_FILE)
        append(text, ", --scene %.40s",
               app_shorten(slash ? slash + 1 : state->spec.scene_path).text);
    else if (recipe->seed != book.seed)
        append(text, ", --seed %llu", (unsigned long long)recipe->seed);
    if (state->spec.scene == APP_SCENE_RANDOM &&
        (recipe->radius_min != book.radius_min || recipe->radius_max != book.radius_max))
        append(text, ", --radii %.6g:%.6g", (double)recipe->radius_min, (double)recipe->radius_max);
    if (app_state_view(state) != KRN_VIEW_LIGHT)
        return;
    app_camera_format(&light.camera, camera, sizeof camera);
    append(text, ", --camera %s --bounces %d --samples %d", camera, light.bounces, light.samples);
}

static const char *word_of(enum app_verified verified)
{
    return verified == APP_VERIFIED_TRUE    ? "verified"
           : verified == APP_VERIFIED_FALSE ? "WRONG PICTURE"
                                            : "not verified";
}

void app_qr_describe(const struct app_hud *hud, char text[APP_QR_TEXT_MAX])
{
    const struct app_state *state = hud->state;
    char date[32] = "n/a";
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(date, sizeof date, "%Y-%m-%dT%H:%MZ", &utc);
    snprintf(text, APP_QR_TEXT_MAX, "Spherescope %.40s; ", app_version_text());
    if (hud->now[0].recorded)
        append(text, "%.40s, recorded %s", hud->recorded->name, hud->recorded->date);
    else
        append(text, "%.40s, %s", hud->device->name, krn_backend_name(state->spec.backend));
    for (int side = 0; side < hud->sides; side++)
        append_time(text, &hud->now[side]);
    append(text, "; %d spheres, %dx%d", state->spec.recipe.count, state->spec.width,
           state->spec.height);
    append_options(text, state);
    append(text, "; %s, %s; %s", word_of(app_hud_worse(hud)->verified),
           app_trust_word(app_trust_level(hud->trust)), date);
}

static bool same_modes(const struct app_qr *qr, const struct app_state *state)
{
    return qr->backend == state->spec.backend && krn_mode_equal(qr->modes[0], state->spec.mode) &&
           qr->duel == state->spec.duel.on &&
           (!state->spec.duel.on || krn_mode_equal(qr->modes[1], state->spec.duel.other));
}

void app_qr_follow(struct app_qr *qr, const struct app_hud *hud, double now_s)
{
    const double period_s = 1.0;
    const struct app_state *state = hud->state;
    char text[APP_QR_TEXT_MAX];
    const char *url = state->look.page_url;
    if (url[0] != 0) {
        if (strcmp(url, qr->text) != 0)
            (void)app_qr_encode(url, &qr->code);
        snprintf(qr->text, sizeof qr->text, "%s", url);
        qr->made_s = now_s - 2.0 * period_s; /* the numbers come back at once */
        return;
    }
    const bool made = qr->code.side > 0;
    if (made && same_modes(qr, state) && now_s >= qr->made_s && now_s < qr->made_s + period_s)
        return;
    qr->made_s = now_s;
    qr->backend = state->spec.backend;
    qr->modes[0] = state->spec.mode;
    qr->modes[1] = state->spec.duel.other;
    qr->duel = state->spec.duel.on;
    app_qr_describe(hud, text);
    if (made && strcmp(text, qr->text) == 0)
        return;
    memcpy(qr->text, text, sizeof text);
    (void)app_qr_encode(text, &qr->code);
}

enum { MODULE_LEAST = 3 }; /* pixels */

int app_qr_place(const struct app_layout *layout, int side, struct ren_rect *rect)
{
    /* Pixels of a module in a frame of 1280 x 720, where 61 of them take a quarter of the height.
     */
    const float usual = 3.4f, margin = APP_MARGIN * layout->unit;
    const struct ren_rect room = layout->shown == APP_PANELS_FULL ? layout->page : layout->pane;
    const int modules = side + 2 * APP_QR_QUIET;
    const float fits = fminf(room.w - 2.0f * margin, 0.6f * room.h) / (float)modules;
    const int module = (int)fminf(fmaxf(usual * layout->unit, MODULE_LEAST), fits);
    const float size = (float)(modules * module);
    *rect = (struct ren_rect){floorf(room.x + room.w - margin - size), floorf(room.y + margin),
                              size, size};
    return module < MODULE_LEAST ? 0 : module;
}

/* Draws a code whose corner is that of *rect, with so many pixels per module; 0: none. */
static void draw_code(const struct app_brush *brush, struct ren_rect rect, int module,
                      const struct app_qr_code *code)
{
    if (module == 0)
        return;
    app_draw_shape(brush, rect, 0.0f, APP_QR_LIGHT);
    const float size = (float)module, quiet = (float)(APP_QR_QUIET * module);
    for (int y = 0; y < code->side; y++) {
        for (int x = 0; x < code->side; x++) {
            int run = 0;
            while (x + run < code->side && code->dark[y][x + run])
                run++;
            if (run > 0)
                ren_list_fill(brush->list,
                              (struct ren_rect){rect.x + quiet + (float)x * size,
                                                rect.y + quiet + (float)y * size, (float)run * size,
                                                size},
                              0.0f, APP_QR_DARK);
            x += run;
        }
    }
}

void app_hud_qr(const struct app_brush *brush, const struct app_layout *layout,
                const struct app_qr_code *code)
{
    struct ren_rect rect = {0};
    const int module = code->side > 0 ? app_qr_place(layout, code->side, &rect) : 0;
    draw_code(brush, rect, module, code);
}

void app_hud_page_url(const struct app_brush *brush, const struct app_layout *layout,
                      const char *url, const struct app_qr_code *code)
{
    static const char said[] = "Scan, tap, measure",
                      none[] = "This build lacks libqrencode, which makes QR codes. Open:";
    const struct ren_rect room = layout->shown == APP_PANELS_FULL ? layout->page : layout->pane;
    const float u = layout->unit, margin = APP_MARGIN * u, line = 1.6f * APP_TYPE_TITLE * u;
    const float texts = code->side > 0 ? 2.0f * line : 2.5f * line;
    const int modules = code->side + 2 * APP_QR_QUIET;
    const float most = fminf(room.w, room.h - texts) - 2.0f * margin;
    const int module = code->side > 0 ? (int)fmaxf(most / (float)modules, 0.0f) : 0;
    const float size = (float)(module * modules);
    const float x = room.x + margin, width = room.w - 2.0f * margin;
    float y = room.y + 0.5f * (room.h - size - texts) + 0.7f * line;
    ren_list_fill(brush->list, room, 0.0f, (ren_colour)brush->colours->background << 8 | 0xffu);
    app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_TYPE_TITLE, x, y, width, brush->colours->text,
                     code->side > 0 ? said : none);
    y += 0.3f * line;
    draw_code(brush,
              (struct ren_rect){floorf(room.x + 0.5f * (room.w - size)), floorf(y), size, size},
              module, code);
    app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_TYPE_TITLE, x, y + size + 0.8f * line, width,
                     brush->colours->text, url);
}
