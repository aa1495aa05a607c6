/* app/hud/parts.h - what stands over and beside the picture (inside app/hud only). */
#ifndef APP_HUD_PARTS_H
#define APP_HUD_PARTS_H

#include "command/entry.h"
#include "hud/contents.h"
#include "hud/draw.h"
#include "hud/layout.h"

/* Writes what tells a mode from another one: "CONSTANT", "STRIP 8", or "CONSTANT STRIP 8"; its
 * storage where they are equal. */
void app_hud_name(struct krn_mode mode, struct krn_mode other, char *text, size_t size);

/* Returns the colour of a side of the duel: its storage's, and another one for B where both are
 * equal. */
ren_colour app_hud_side_colour(const struct app_brush *brush, const struct app_state *state,
                               int side);

/* Returns the side whose picture decides for all that is on screen: in a duel the worse one. */
const struct app_mode_time *app_hud_worse(const struct app_hud *hud);

/* The block's sizes in units: wide with its bars, if need be less, or narrow without. */
enum {
    APP_BLOCK_WIDE = 600,
    APP_BLOCK_LEAST = 560,
    APP_BLOCK_NARROW = 400,
    APP_BLOCK_HEIGHT = 256
};

/* Returns the place of the block in the lower left corner of the pane. */
struct ren_rect app_hud_block(const struct app_layout *layout);

/* Returns the part of the pane right of the block or, where that is narrow, above it; things stand
 * in its lower right corner. */
struct ren_rect app_hud_corner(const struct app_layout *layout);

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

/* Draws the legend of the heat map. */
void app_hud_heat(const struct app_brush *brush, const struct app_layout *layout,
                  const struct app_heat *heat);

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
void app_hud_mine_picture(const struct app_hud *hud, bool brief, char *text, size_t size);

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

#endif
