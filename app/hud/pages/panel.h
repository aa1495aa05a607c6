/* app/hud/pages/panel.h - what the card of a topic says beside its picture (topics/picture.h). */
#ifndef APP_HUD_PANEL_H
#define APP_HUD_PANEL_H

#include "hud/draw.h"
#include "measure/panels.h"
#include "topics/topic.h"

/* In units. Text below APP_PANEL_SMALL cannot be read from the back of a room. */
enum {
    APP_PANEL_PAD = 12,
    APP_PANEL_GAP = 8,
    APP_PANEL_SMALL = 12,
    APP_PANEL_TEXT = 13,
    APP_PANEL_TITLE = 16,
    APP_PANEL_NUMBER = 34
};

/* Makes the picture of what a panel shows. */
void app_panel_picture(const struct app_panels_view *view, enum krn_topic topic,
                       struct app_picture *picture);

/* The reasons to doubt a topic's numbers. */
struct app_panel_doubt {
    unsigned reasons; /* of all its measured probes */
    char text[80];    /* the most serious one: "in the L2 cache", "4 of 10: in the L2 cache"; "" */
};
struct app_panel_doubt app_panel_doubt(const struct app_panels_view *view, enum krn_topic topic);

struct app_panel_words {
    char text[64];
};

/* Returns "not measured yet", followed by the key that starts a round unless a round is running. */
struct app_panel_words app_panel_not_yet(const struct app_panels_view *view);

/* Returns the least number of samples among the topic's measured probes; 0: none was measured. */
size_t app_panel_samples(const struct app_panels_view *view, enum krn_topic topic);

/* Returns the age of the topic's readings in seconds, or of probe `of` alone when it is not NULL;
 * 0: none was measured. Probes that run between frames count with the newest of them: the next turn
 * replaces every one, and single ages would swing. Probes that run on request only, and every probe
 * during a hold, keep their numbers; of these the oldest counts. */
double app_panel_age(const struct app_panels_view *view, enum krn_topic topic,
                     const struct app_probe_result *of);

/* Writes "2 min ago"; "" for an age at which the next reading may be under way. */
void app_panel_age_text(double age_s, char *text, size_t size);

#endif
