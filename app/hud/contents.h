/* app/hud/contents.h - everything that the HUD shows in one frame, as values. */
#ifndef APP_HUD_CONTENTS_H
#define APP_HUD_CONTENTS_H

#include "anatomy/anatomy.h"
#include "command/state.h"
#include "engine/engine.h"
#include "engine/verify.h"
#include "engine/work.h"
#include "heat/heat.h"
#include "hud/draw.h"
#include "hud/layout.h"
#include "measure/panels.h"
#include "recorded/replay.h"
#include "story/story.h"
#include "talk/talk.h"

#include "krn/properties.h"
#include "ren/blit.h"
#include "ren/context.h"
#include "ren/list.h"

/* The mode that was left last, for the comparison with the one on screen. */
struct app_hud_before {
    bool valid;
    enum krn_backend_id backend;
    struct krn_mode mode;
    double tick_ms; /* of the clock behind its times; 0: unknown */
    unsigned trust; /* enum app_trust_reason bits, as it was left */
};

struct app_qr_code;

enum app_tone { APP_TONE_SAID, APP_TONE_WARNED };

struct app_hud {
    const struct app_state *state;
    const struct app_engine *engine;
    const struct krn_device_info *device; /* the one that renders */
    const struct ren_gl_info *gl;
    struct ren_blit_status blit;
    struct app_hud_before before;
    struct krn_summary kernel; /* of the mode on screen, ms */
    double time_like_ms;      /* a time whose unit the main card and the plot use; <= 0: none yet */
    struct krn_summary frame; /* of whole frames, ms */
    double overhead_ms;       /* of the mode on screen; 0: not known */
    enum app_regime regime;   /* of the mode on screen */
    unsigned long gate_drops; /* readings dropped because the host was late */
    const struct app_rays *rays; /* of the picture in the light view; NULL: not counted */
    double tick_ms;              /* of the clock of the readings; 0: not known */
    double empty_kernel_ms;      /* an empty kernel on the device that renders; 0: not known */
    double refresh_hz;           /* of the display; 0: none */
    struct krn_telemetry_reading telemetry;
    struct app_verify_status verified; /* of the mode on screen; in a duel, of the worse side */
    unsigned trust;                    /* enum app_trust_reason bits; in a duel, of both sides */
    unsigned side_trust[2];            /* of a duel's sides */
    struct krn_kernels kernels;        /* of the mode on screen; count 0: not known */
    const struct krn_property
        *properties; /* of the device that renders; NULL: the card is closed */
    int property_count;
    const char *notice; /* "" or NULL: none */
    enum app_tone tone;
    const char *fallback_reason;          /* why less works than was asked for; "" or NULL: none */
    const struct app_panels_view *panels; /* beside the picture; NULL: none */
    const struct app_qr_code *qr;         /* NULL: none is shown */
    const struct app_heat *heat;          /* painted over the picture; NULL: none */
    const struct app_story_view *story;   /* what the story plot shows; NULL: nothing */
    const struct app_recorded_view *recorded; /* a recorded run; NULL: none */
    bool play; /* the recorded run's numbers are on the cards, in place of this machine's */
    struct app_replay_shown shown;            /* of the recorded run, the modes on screen */
    struct app_recorded_mode recorded_before; /* with play, the mode that was left */
    const struct app_trace *trace;            /* of the plot; NULL: the engine's */
    const struct app_anatomy_view *anatomy;   /* of the last frames; NULL: it is off */
    const struct app_draw_witness *witness;   /* of tests; NULL: none */
    const struct app_talk_shown *talk;        /* in the layout's strip; NULL: nothing */
};

/* Appends the HUD to list. */
void app_hud_draw(const struct ren_renderer *renderer, struct ren_list *list,
                  const struct app_layout *layout, const struct app_hud *hud);

#endif
