/* app/hud/talk.h - draws what a step of a talk says into a strip below everything else, and
 * the presenter's view. */
#ifndef APP_HUD_TALK_H
#define APP_HUD_TALK_H

#include "hud/draw.h"
#include "talk/talk.h"

/* Least sizes of the strip's type, as parts of the frame's height. */
#define APP_TALK_CAPTION_PART 0.045f
#define APP_TALK_BODY_PART 0.03f
#define APP_TALK_HEADLINE_PART 0.08f

/* Returns the height that a step's strip takes of a frame of width x height pixels; 0: the step
 * says nothing. It depends on neither the guess nor the measurement, so that the picture above
 * stands still while both change. */
float app_hud_talk_height(const struct ren_renderer *renderer, const struct app_talk *talk,
                          const struct app_talk_view *view, float width, float height);

/* Draws the strip into its rectangle of a frame of that height. */
void app_hud_talk(const struct app_brush *brush, struct ren_rect strip, float height,
                  const struct app_talk_shown *shown);

/* What the view shows. */
struct app_presenter_shown {
    const struct app_talk *talk;
    const struct app_talk_view *view;
    double elapsed_s;             /* since the talk began */
    char clock[16];               /* the time of day: "14:05" */
    char warning[APP_NOTICE_MAX]; /* a sentence for the speaker; "": none */
};

/* Draws the view into a frame of width x height pixels. */
void app_hud_presenter(const struct app_brush *brush, float width, float height,
                       const struct app_presenter_shown *shown);

#endif
