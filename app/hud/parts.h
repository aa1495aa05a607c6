/* app/hud/parts.h - what stands over and beside the picture. */
#pragma once

#include "command/entry.h"
#include "hud/draw.h"
#include "krn/duel.h"
#include "krn/heat.h"
#include "krn/properties.h"
#include "model/anatomy.h"
#include "model/estimate.h"
#include "model/sweep.h"
#include "model/verdict.h"
#include "records/recorded.h"
#include "ren/blit.h"
#include "ren/context.h"
#include "ren/list.h"
#include "spec/state.h"
#include "talk/talk.h"

#include <stdbool.h>

/* --- everything that the HUD shows in one frame, as values --- */

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

/* --- its parts --- */

/* Writes what tells a mode from another one: "CONSTANT", "STRIP 8", or "CONSTANT STRIP 8"; its
 * storage where they are equal. */
void app_hud_name(struct krn_mode mode, struct krn_mode other, char *text, size_t size);

/* Returns the colour of a side of the duel: its storage's, and another one for B where both are
 * equal. */
ren_colour app_hud_side_colour(const struct app_brush *brush, const struct app_state *state,
                               int side);

/* Returns the side whose picture decides for all that is on screen: in a duel the worse one. */
const struct app_mode_time *app_hud_worse(const struct app_hud *hud);

/* Writes the name of the device that measures, or of the recorded one, without memory and cores:
 * "NVIDIA H100". */
void app_hud_device(const struct app_hud *hud, bool recorded, char *text, size_t size);

/* Writes where recorded numbers come from: "recorded, NVIDIA H200, 23 Nov 2026". */
void app_hud_source(const struct app_recorded_view *recorded, char *text, size_t size);

/* Writes who claimed something: "M. Harris, How to ..., 2012, on a Tesla M2050"; or without the
 * title. */
void app_hud_author(enum app_text text, const char *device, bool title, char *out, size_t size);

/* Names what keeps the frame rate where it is. */
const char *app_hud_limit(const struct app_hud *hud);

/* Draw what the state's page shows into `rect`: a topic, a claim or the board; and the pages of the
 * story plot, of the frame anatomy and of a folder's kernels. wide: there is room for larger type.
 */
void app_hud_page(const struct app_brush *brush, struct ren_rect rect, const struct app_hud *hud);
void app_hud_story(const struct app_brush *brush, struct ren_rect area, bool wide,
                   const struct app_hud *hud);
void app_hud_anatomy(const struct app_brush *brush, struct ren_rect area, bool wide,
                     const struct app_hud *hud);
void app_hud_class(const struct app_brush *brush, struct ren_rect area, bool wide,
                   const struct app_hud *hud);

/* A number on an axis, with its name above it. */
struct app_hud_dot {
    double value; /* 0: not known, and left out */
    const char *name;
    ren_colour colour;
    bool hollow;
};

/* Returns where a value lies on an axis: of factors from 1/end to `end`, or of sizes from zero. */
float app_hud_place(struct ren_rect axis, bool factor, double end, double value);

void app_hud_draw_dot(const struct app_brush *brush, float x, float y, float radius, bool hollow,
                      ren_colour colour);

/* Writes the side that a claim is about, with which its sentence begins: "constant". */
void app_hud_side(const struct app_claim_entry *entry, char *text, size_t size);

/* Draws an axis into `area`, with names in rows above it, in the order of the dots: of factors,
 * with "the same" in its middle, or of sizes from zero. side: which of two is slower or
 * faster there; "": it is known. */
void app_hud_axis(const struct app_brush *brush, struct ren_rect area, bool factor,
                  const char *side, const struct app_hud_dot *dots, int count);

/* Draws a bar for each number of a claim about several; nothing for another one. */
void app_hud_claim_parts(const struct app_brush *brush, struct ren_rect area,
                         const struct app_claim *claim);

/* Draws the details over the whole screen. */
void app_hud_details(const struct app_brush *brush, const struct app_layout *layout,
                     const struct app_hud *hud);

/* Draws the code of the kernel on screen over the whole screen, but for a talk's strip. */
void app_hud_code(const struct app_brush *brush, const struct app_layout *layout,
                  const struct app_hud *hud);

/* What is wrong with the user's kernel, as it is shown. */
struct app_mine_fault {
    char title[APP_MINE_NAME + 24]; /* "own.cu, line 4" */
    char message[APP_NOTICE_MAX];   /* without the line's text */
    char code[160], before[160];    /* the text of that line, and of the one before */
};

/* Shows the fault of the newest version or, where that has none, of its picture on screen. */
void app_hud_mine_fault(const struct app_hud *hud, struct app_mine_fault *fault);

/* Writes how the picture of the user's kernel compares: "same picture as the book's kernel",
 * "right, 12 pixels rounded otherwise", in brief "same picture", "right, 12 rounded"; "": nothing
 * runs, or the newest version has a fault. */
void app_hud_picture(const struct app_hud *hud, bool brief, char *text, size_t size);

/* Returns true when the notice tells what is wrong with the user's kernel. */
bool app_hud_mine_noticed(const struct app_hud *hud);

/* Draws what is wrong with the user's kernel as a block over the pane; the picture of a version
 * before is dimmed. Returns false, and draws nothing, where nothing is wrong. */
bool app_hud_mine(const struct app_brush *brush, const struct app_layout *layout,
                  const struct app_hud *hud);

/* The embedded files of assets/kernels. */
extern const char app_teaching_book_global_cu[], app_teaching_book_readonly_cu[],
    app_teaching_book_constant_cu[], app_teaching_book_shared_cu[], app_teaching_strip_cu[];

/* Draws the state's page of the help screen: the first keys, of a talk on screen its own; every
 * key, from the command table; the words on screen; how every number is computed, from the topics;
 * or how verdicts are reached. */
void app_hud_help(const struct app_brush *brush, const struct app_layout *layout,
                  const struct app_state *state);

/* --- what a step of a talk says: a strip, the page of a question, the presenter's view --- */

/* Returns the height of the strip in a frame of width x height pixels, with `unit` pixels per unit:
 * the same at every step of the talk, so that nothing jumps. 0: no step says anything. */
float app_hud_talk_height(const struct ren_renderer *renderer, const struct app_talk *talk,
                          float unit, float width, float height);

/* Draws the strip of the step into its rectangle. notice: a line for the speaker, in small type,
 * which covers nothing. */
void app_hud_talk(const struct app_brush *brush, struct ren_rect strip,
                  const struct app_talk_shown *shown, const char *notice);

/* Draws the page of a step's question over the whole screen: what was claimed, the room's guess,
 * and after the reveal what was measured. Nothing moves when the guess or the measurement comes.
 * source: where the numbers come from. */
void app_hud_question(const struct app_brush *brush, const struct app_layout *layout,
                      const struct app_talk_shown *shown, const char *source);

/* Writes what was measured: of a factor "1.20× slower", or where its interval contains 1, and so no
 * side is known, "1.53× slower to 1.79× faster"; else as it is. */
void app_hud_measured(const struct app_described *said, bool factor, char *text, size_t size);

/* What the presenter's view shows. */
struct app_presenter_shown {
    const struct app_talk *talk;
    const struct app_talk_view *view;
    int spheres[2];                     /* of this step, and of the next one */
    double elapsed_s;                   /* since the talk began */
    char clock[16];                     /* the time of day: "14:05" */
    char warning[APP_NOTICE_MAX];       /* a sentence for the speaker; "": none */
    float slide_aspect;                 /* width by height of what the hall sees; 0: no slide */
    const struct app_talk_shown *shown; /* the step's question; NULL: nothing is known of it */
};

/* Draws the view into a frame of width x height pixels. Returns the place of the slide, which the
 * caller draws; 0 x 0 where the notes need the room. */
struct ren_rect app_hud_presenter(const struct app_brush *brush, float width, float height,
                                  const struct app_presenter_shown *shown);

/* --- a QR code of the numbers on screen, where the build has libqrencode (SPHERESCOPE_QR) --- */

enum {
    APP_QR_TEXT_MAX = 505, /* bytes of the text, including the zero: what version 17 holds */
    APP_QR_SIDE_MAX = 85,  /* modules of version 17 */
    APP_QR_QUIET = 4       /* modules of the quiet zone on each side */
};

/* A code, square by square: a module is dark or light. */
struct app_qr_code {
    int side; /* modules, without the quiet zone; 0: there is no code */
    bool dark[APP_QR_SIDE_MAX][APP_QR_SIDE_MAX]; /* rows from the top */
};

/* The code on screen, and what it was made of. */
struct app_qr {
    struct app_qr_code code;
    char text[APP_QR_TEXT_MAX];
    double made_s;
    enum krn_backend_id backend;
    struct krn_mode modes[2]; /* the second one is that of a duel */
    bool duel;
};

/* Returns false when this build has no libqrencode. */
bool app_qr_available(void);

/* Encodes a text of less than APP_QR_TEXT_MAX bytes at error level M, which survives the loss of
 * 15 % of the code. Returns false, with code->side 0, when there is no memory or no libqrencode. */
bool app_qr_encode(const char *text, struct app_qr_code *code);

/* Writes version, device, mode, time with interval, scene, image, the options that repeat the
 * picture, trust and date, in ASCII: about 200 characters, 250 in the light view, 320 in a duel
 * of it. A recorded duel of the light view, with long names and every option, has about 470. */
void app_qr_describe(const struct app_hud *hud, char text[APP_QR_TEXT_MAX]);

/* Brings the code up to date: that of the page's address, if there is one; else when a second has
 * passed since the last time, or when the mode has changed. *qr is zeroed before the first call. */
void app_qr_follow(struct app_qr *qr, const struct app_hud *hud, double now_s);

/* Finds the place of a code, quiet zone included: the right upper corner of the picture's part of
 * the frame, or of a page in the whole window. A module is a whole number of pixels, 3 at least.
 * Returns the pixels of a module; 0: there is no room. */
int app_qr_place(const struct app_layout *layout, int side, struct ren_rect *rect);

/* Draws the code; nothing where there is no room. Dark on light in every theme, because not every
 * reader knows the inverse. */
void app_hud_qr(const struct app_brush *brush, const struct app_layout *layout,
                const struct app_qr_code *code);

/* Draws the address of a page with its code in the middle, as large as there is room for; without a
 * code, a sentence that says why. */
void app_hud_page_url(const struct app_brush *brush, const struct app_layout *layout,
                      const char *url, const struct app_qr_code *code);

/* --- the picture of a sweep's record --- */

/* Draws a title, what was measured on which device, and the curves (print/print.h). `state` has the
 * picture's size. */
void app_sweep_picture(const struct app_brush *brush, float width, float height,
                       const struct app_results *results, const struct app_sweep *sweep,
                       const struct app_state *state);
