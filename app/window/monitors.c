/* app/window/monitors.c - chooses monitors by their areas. */
#include "window/window.h"

#include <string.h>

/* Returns the size of what two areas share, in square units. */
static long long shared(struct app_area a, struct app_area b)
{
    const int left = a.x > b.x ? a.x : b.x, top = a.y > b.y ? a.y : b.y;
    const int right = a.x + a.width < b.x + b.width ? a.x + a.width : b.x + b.width;
    const int bottom = a.y + a.height < b.y + b.height ? a.y + a.height : b.y + b.height;
    return right > left && bottom > top ? (long long)(right - left) * (bottom - top) : 0;
}

bool app_monitors_overlap(const struct app_monitor *a, const struct app_monitor *b)
{
    return shared(a->area, b->area) > 0;
}

int app_monitors_next(const struct app_monitor *monitors, int count, int index)
{
    for (int i = 1; i < count; i++) {
        const struct app_monitor *next = &monitors[(index + i) % count];
        if (next->area.width > 0 && !app_monitors_overlap(next, &monitors[index]))
            return (index + i) % count;
    }
    return index;
}

struct app_stage app_monitors_stage(const struct app_monitor *monitors, int count, int show)
{
    static const char *const built_in[] = {"eDP", "LVDS", "DSI"};
    int laptop = 0;
    for (int i = count - 1; i >= 0; i--)
        for (size_t k = 0; k < sizeof built_in / sizeof *built_in; k++)
            if (strncmp(monitors[i].name, built_in[k], strlen(built_in[k])) == 0)
                laptop = i;
    if (show < 0)
        show = app_monitors_next(monitors, count, laptop);
    const bool taken = app_monitors_overlap(&monitors[laptop], &monitors[show]);
    return (struct app_stage){show, taken ? app_monitors_next(monitors, count, show) : laptop};
}

int app_monitors_at(const struct app_monitor *monitors, int count, struct app_area area)
{
    int most = count > 0 ? 0 : -1;
    for (int i = 1; i < count; i++)
        if (shared(monitors[i].area, area) > shared(monitors[most].area, area))
            most = i;
    return most;
}

bool app_monitors_show(const struct app_monitor *monitors, int count, struct app_area area)
{
    long long shown = 0;
    for (int i = 0; i < count; i++) {
        bool again = false; /* a mirrored one */
        for (int k = 0; k < i; k++)
            again = again || app_monitors_overlap(&monitors[i], &monitors[k]);
        shown += again ? 0 : shared(monitors[i].area, area);
    }
    return shown >= (long long)area.width * area.height;
}

struct app_area app_monitor_fit(const struct app_monitor *monitor, struct app_area area)
{
    const struct app_area all = monitor->area;
    /* Leaves room for a frame and a panel. */
    const int width = area.width > all.width ? all.width * 9 / 10 : area.width;
    const int height = area.height > all.height ? all.height * 9 / 10 : area.height;
    return (struct app_area){all.x + (all.width - width) / 2, all.y + (all.height - height) / 2,
                             width, height};
}
