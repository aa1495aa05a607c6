/* app/window/monitors.h - which monitor shows what. Nothing here asks the display. */
#ifndef APP_MONITORS_H
#define APP_MONITORS_H

#include <stdbool.h>

/* A rectangle of the desktop, in screen units. */
struct app_area {
    int x, y, width, height;
};

/* A monitor as it is now. Whoever needs one asks anew, because it may be gone at any time. */
struct app_monitor {
    char name[32]; /* on X11 that of its connector, as "eDP-1" */
    struct app_area area;
    double refresh_hz; /* 0: not known */
};

/* The monitors of a talk, by index; they are the same one where the hall sees the notes. */
struct app_stage {
    int show, notes;
};

/* Chooses the monitors of a talk, of at least one: the notes go to the laptop's own, which its
 * connector tells, or else to the first, which is the primary one, and the show to another. show
 * >= 0 is the user's choice. Of two monitors that overlap, as mirrored ones do, neither is another.
 */
struct app_stage app_monitors_stage(const struct app_monitor *monitors, int count, int show);

bool app_monitors_overlap(const struct app_monitor *a, const struct app_monitor *b);

/* Returns the next monitor after `index` that does not overlap it; `index` when there is none. */
int app_monitors_next(const struct app_monitor *monitors, int count, int index);

/* Returns the monitor that shows most of the area, the first one when none shows any, and -1 when
 * there are no monitors. */
int app_monitors_at(const struct app_monitor *monitors, int count, struct app_area area);

/* Returns true when monitors show all of the area. */
bool app_monitors_show(const struct app_monitor *monitors, int count, struct app_area area);

/* Returns the area in the middle of the monitor, made smaller where it would not fit. */
struct app_area app_monitor_fit(const struct app_monitor *monitor, struct app_area area);

#endif
