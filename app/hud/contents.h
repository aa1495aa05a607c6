/* app/hud/contents.h - everything that the HUD shows in one frame, as values. */
#pragma once

#include "hud/draw.h"
#include "model/anatomy.h"
#include "model/estimate.h"
#include "model/sweep.h"
#include "model/verdict.h"
#include "records/recorded.h"
#include "spec/state.h"
#include "talk/talk.h"

#include "krn/duel.h"
#include "krn/heat.h"
#include "krn/properties.h"
#include "ren/blit.h"
#include "ren/context.h"
#include "ren/list.h"

struct app_qr_code;

enum app_tone { APP_TONE_SAID, APP_TONE_WARNED };

/* The heat map of the picture on screen (window/heat.c). All members 0 is a valid initial state. */
struct app_heat {
    bool valid; /* the members below belong to a picture */
    enum krn_heat quantity;
    enum krn_backend_id backend;
    struct krn_mode mode;
    uint32_t epoch;  /* of scene and view */
    double motion_s; /* the pose whose costs are kept */
    struct krn_heat_costs costs;
    uint32_t scale; /* the cost at the upper end of the colours: that of 99 % of pixels or more */
    double found_s, duration_s; /* when the costs were found, and how long that took */
    struct {                    /* the pixel under the mouse pointer */
        bool valid;
        int column, row; /* from the upper left corner */
        uint32_t cost;
        double found_s; /* of the costs that it was read from */
    } at;
};

struct app_hud {
    const struct app_state *state;

    /* The machine that renders. */
    const struct krn_device_info *device;
    const struct ren_gl_info *gl;
    struct ren_blit_status blit;
    double refresh_hz; /* of the display; 0: none */
    struct krn_telemetry_reading telemetry;
    struct krn_kernels kernels;            /* of the mode on screen; count 0: not known */
    const struct krn_property *properties; /* NULL: the details are closed */
    int property_count;
    const struct app_mine_status *mine; /* NULL: no --kernel-file */
    bool still;                         /* no window: no key can be pressed */
    const char *fallback_reason;        /* why less works than was asked for; "" or NULL: none */

    /* The picture that it renders. */
    const char *scene_note;            /* on the scene's file; "" or NULL: none */
    double rays;                       /* of the picture in the light view; 0: not counted */
    bool rays_sampled, rays_awaited;   /* counted in one frame of many; not yet */
    struct krn_summary frame;          /* of whole frames, ms */
    struct app_verify_status verified; /* in a duel, of the worse side */
    const struct app_heat *heat;       /* painted over the picture; NULL: none */

    /* The numbers, which this machine measures or a recorded run has: now[0].recorded tells. */
    int sides;                   /* modes on screen: 1, or in a duel 2 */
    struct app_mode_time now[2]; /* the mode on screen, or A and B */
    struct app_mode_time before; /* the mode that was left; not valid: none */
    /* The kernel's times from each storage that was on screen, ms; of the user's kernel, the
     * book's. Not valid: it was not on screen. */
    struct app_estimate storages[KRN_STORAGE_COUNT];
    struct app_comparison comparison;       /* of `before` with now[0]; in a duel, of A with B */
    const struct krn_duel_result *duel;     /* NULL: this machine measures none */
    unsigned trust;                         /* enum app_trust_reason bits of everything on screen */
    double band_percent;                    /* the half width of the band of indifference */
    double time_like_ms;                    /* a time whose unit main card and plot use; 0: none */
    double empty_kernel_ms;                 /* on the device that measured; 0: not known */
    unsigned long gate_drops;               /* readings dropped because the host was late */
    const struct app_trace *trace;          /* of the plot */
    const struct app_story_view *story;     /* what the story plot shows; NULL: nothing */
    const struct app_panels_view *panels;   /* of the page; NULL: none */
    const struct app_anatomy_view *anatomy; /* of the last frames; NULL: it is off */
    const struct app_class_view *class_board; /* of a folder's kernels; NULL: none was named */
    const struct app_recorded_view *recorded; /* the recorded run on screen; NULL: none */

    const char *notice; /* "" or NULL: none */
    enum app_tone tone;
    const struct app_talk_shown *talk;      /* in the layout's strip; NULL: nothing */
    const struct app_qr_code *qr;           /* NULL: none is shown */
    const struct app_draw_witness *witness; /* of tests and of --check; NULL: none */
};

/* Appends the HUD to list. */
void app_hud_draw(const struct ren_renderer *renderer, struct ren_list *list,
                  const struct app_layout *layout, const struct app_hud *hud);
