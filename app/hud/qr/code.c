#include "hud/qr/code.h"

#include "base/environment.h"
#include "base/numbers.h"
#include "command/mode.h"
#include "judge/trust.h"

#include "krn/interval.h"

#include <stdio.h>
#include <stdlib.h>
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

/* Appends a mode with the median of its times and, in brackets, the interval. */
static void append_time(char text[APP_QR_TEXT_MAX], struct krn_mode mode,
                        const struct krn_series *series, double tick_ms)
{
    char name[APP_MODE_TEXT_MAX];
    const size_t used = strlen(text), room = APP_QR_TEXT_MAX - used;
    const struct krn_summary s = krn_series_summary(series);
    const struct krn_interval i = krn_interval_widen(krn_series_interval(series), tick_ms);
    const int decimals = app_number_decimals(s.median, i.valid ? i.high - i.low : 0.0);
    app_mode_text(mode, name, sizeof name);
    if (s.n == 0)
        snprintf(text + used, room, "; %s not timed", name);
    else if (!i.valid)
        snprintf(text + used, room, "; %s %s ms (n %zu)", name,
                 app_number_fixed(s.median, decimals, "").value, (size_t)s.n);
    else
        snprintf(text + used, room, "; %s %s ms [%s, %s] (this run, n %zu)", name,
                 app_number_fixed(s.median, decimals, "").value,
                 app_number_fixed(i.low, decimals, "").value,
                 app_number_fixed(i.high, decimals, "").value, (size_t)s.n);
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
    const struct app_duel *duel = state->duel.on ? app_engine_duel(hud->engine) : NULL;
    char date[32] = "n/a";
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(date, sizeof date, "%Y-%m-%dT%H:%MZ", &utc);
    snprintf(text, APP_QR_TEXT_MAX, "Spherescope %.40s; %.40s, %s", app_version_text(),
             hud->device->name, krn_backend_name(state->backend));
    if (duel) {
        append_time(text, duel->modes[0], &duel->sides[0], hud->tick_ms);
        append_time(text, duel->modes[1], &duel->sides[1], hud->tick_ms);
    } else {
        append_time(text, state->mode, app_engine_series(hud->engine, state->backend, state->mode),
                    hud->tick_ms);
    }
    const size_t used = strlen(text);
    snprintf(text + used, APP_QR_TEXT_MAX - used, "; %d spheres, %dx%d; %s, %s; %s",
             app_engine_scene(hud->engine)->count, state->width, state->height,
             word_of(hud->verified.verified), app_trust_word(app_trust_level(hud->trust)), date);
}

static bool same_modes(const struct app_qr *qr, const struct app_state *state)
{
    return qr->backend == state->backend && krn_mode_equal(qr->modes[0], state->mode) &&
           qr->duel == state->duel.on &&
           (!state->duel.on || krn_mode_equal(qr->modes[1], state->duel.other));
}

void app_qr_follow(struct app_qr *qr, const struct app_hud *hud, double now_s)
{
    const double period_s = 1.0;
    const struct app_state *state = hud->state;
    char text[APP_QR_TEXT_MAX];
    const bool made = qr->code.side > 0;
    if (made && same_modes(qr, state) && now_s >= qr->made_s && now_s < qr->made_s + period_s)
        return;
    qr->made_s = now_s;
    qr->backend = state->backend;
    qr->modes[0] = state->mode;
    qr->modes[1] = state->duel.other;
    qr->duel = state->duel.on;
    app_qr_describe(hud, text);
    if (made && strcmp(text, qr->text) == 0)
        return;
    memcpy(qr->text, text, sizeof text);
    (void)app_qr_encode(text, &qr->code);
}
