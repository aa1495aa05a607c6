/* app/hud/hud.h - what is drawn over the picture: cards, plot, notices, help. */
#ifndef APP_HUD_H
#define APP_HUD_H

#include "command/state.h"
#include "engine/engine.h"
#include "engine/verify.h"
#include "hud/theme.h"
#include "measure/panels.h"

#include "ren/blit.h"
#include "ren/context.h"
#include "ren/list.h"

/* A mode as the HUD compares it with the one before. */
struct app_hud_before {
    bool valid;
    enum krn_backend_id backend;
    struct krn_mode mode;
    double median_ms; /* when it was left */
};

enum app_tone { APP_TONE_SAID, APP_TONE_WARNED };

/* Everything that the HUD shows; it asks nobody else. */
struct app_hud {
    const struct app_state *state;
    const struct app_engine *engine;
    const struct ren_gl_info *gl;
    struct ren_blit_status blit;
    struct app_hud_before before;
    struct krn_summary kernel; /* of the mode on screen, ms */
    struct krn_summary frame;  /* of whole frames, ms */
    double refresh_hz;         /* of the display; 0: none */
    struct krn_telemetry_reading telemetry;
    struct app_verify_status verified; /* the picture of the mode on screen */
    unsigned trust;                    /* enum app_trust_reason bits */
    const char *notice;                /* "" or NULL: none */
    enum app_tone tone;
    const char *fallback_reason;          /* what stays wrong, a sentence; "" or NULL: nothing */
    const struct app_panels_view *panels; /* beside the picture; NULL: none */
};

/* Appends the HUD to list. */
void app_hud_draw(const struct ren_renderer *renderer, struct ren_list *list,
                  const struct app_layout *layout, const struct app_hud *hud);

#endif
