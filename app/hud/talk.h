/* app/hud/talk.h - draws what a step of a talk says: a strip below everything else, the page of a
 * question, and the presenter's view. */
#ifndef APP_HUD_TALK_H
#define APP_HUD_TALK_H

#include "hud/draw.h"
#include "hud/layout.h"
#include "talk/talk.h"

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

/* Writes what was measured: of a factor "1.2× slower"; else as it is. */
void app_hud_measured(const struct app_described *said, bool factor, char *text, size_t size);

/* What the presenter's view shows. */
struct app_presenter_shown {
    const struct app_talk *talk;
    const struct app_talk_view *view;
    int spheres;                        /* on screen */
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

#endif
