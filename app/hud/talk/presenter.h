/* app/hud/talk/presenter.h - draws the presenter's view of a talk: notes, next step, time. */
#ifndef APP_HUD_PRESENTER_H
#define APP_HUD_PRESENTER_H

#include "hud/draw.h"
#include "talk/talk.h"

/* What the view shows. */
struct app_presenter_shown {
    const struct app_talk *talk;
    const struct app_talk_view *view;
    double elapsed_s; /* since the talk began */
    char clock[16];   /* the time of day: "14:05" */
};

/* Draws the view into a frame of width x height pixels. */
void app_hud_presenter(const struct app_brush *brush, float width, float height,
                       const struct app_presenter_shown *shown);

#endif
