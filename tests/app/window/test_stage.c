/* Which monitors a talk takes, and where a window stays in view, for arrangements of monitors. */
#include "expect.h"

#include "window/display.h"

struct arrangement {
    const char *what;
    struct app_monitor monitors[4];
    int show; /* the user's choice; -1: none */
    struct app_stage stage;
};

#define LEFT                                                                                       \
    {                                                                                              \
        0, 0, 1024, 768                                                                            \
    }
#define RIGHT                                                                                      \
    {                                                                                              \
        1024, 0, 1920, 1080                                                                        \
    }
#define ABOVE                                                                                      \
    {                                                                                              \
        0, -1080, 1920, 1080                                                                       \
    }

static const struct arrangement arrangements[] = {
    {"one", {{"HDMI-1", LEFT, 60}}, -1, {0, 0}},
    {"the primary is the laptop's", {{"DUMMY0", LEFT, 60}, {"DUMMY1", RIGHT, 60}}, -1, {1, 0}},
    {"the projector is primary", {{"HDMI-1", RIGHT, 60}, {"eDP-1", LEFT, 60}}, -1, {0, 1}},
    {"a hybrid laptop", {{"DP-1", LEFT, 60}, {"eDP-1-0", RIGHT, 60}}, -1, {0, 1}},
    {"an old laptop", {{"VGA1", LEFT, 60}, {"LVDS1", RIGHT, 60}}, -1, {0, 1}},
    {"a small computer", {{"HDMI-A-1", LEFT, 60}, {"DSI-1", RIGHT, 60}}, -1, {0, 1}},
    {"a connector that only ends so", {{"DP-1", LEFT, 60}, {"VDSI", RIGHT, 60}}, -1, {1, 0}},
    {"mirrored", {{"eDP-1", LEFT, 60}, {"HDMI-1", LEFT, 60}}, -1, {0, 0}},
    {"mirrored in another size",
     {{"eDP-1", {0, 0, 1920, 1200}, 60}, {"HDMI-1", LEFT, 60}},
     -1,
     {0, 0}},
    {"mirrored, and a third",
     {{"eDP-1", LEFT, 60}, {"HDMI-1", LEFT, 60}, {"DP-1", RIGHT, 60}},
     -1,
     {2, 0}},
    {"three", {{"DP-1", LEFT, 60}, {"eDP-1", RIGHT, 60}, {"DP-2", ABOVE, 60}}, -1, {2, 1}},
    {"the user's choice",
     {{"eDP-1", LEFT, 60}, {"DP-1", RIGHT, 60}, {"DP-2", ABOVE, 60}},
     1,
     {1, 0}},
    {"the show on the laptop", {{"eDP-1", LEFT, 60}, {"DP-1", RIGHT, 60}}, 0, {0, 1}},
    {"the show on a mirrored one", {{"eDP-1", LEFT, 60}, {"HDMI-1", LEFT, 60}}, 1, {1, 1}},
    {"switched off meanwhile", {{"eDP-1", LEFT, 60}, {"HDMI-1", {0, 0, 0, 0}, 0}}, -1, {0, 0}},
};

static int count_of(const struct app_monitor *monitors)
{
    int count = 0;
    while (count < 4 && monitors[count].name[0] != 0)
        count++;
    return count;
}

TEST(test_stage)
{
    for (size_t i = 0; i < sizeof arrangements / sizeof *arrangements; i++) {
        const struct arrangement *a = &arrangements[i];
        const struct app_stage found =
            app_monitors_stage(a->monitors, count_of(a->monitors), a->show);
        if (found.show != a->stage.show || found.notes != a->stage.notes)
            fail_msg("%s: show %d, notes %d", a->what, found.show, found.notes);
    }
}

/* A window is on the monitor that shows most of it, and one in nobody's view is brought back. */
TEST(test_view)
{
    static const struct app_monitor two[] = {{"eDP-1", LEFT, 60}, {"HDMI-1", RIGHT, 60}},
                                    same[] = {{"eDP-1", LEFT, 60}, {"HDMI-1", LEFT, 60}};
    static const struct {
        struct app_area area;
        int at;
        bool seen;           /* whole, on the two */
        struct app_area fit; /* on the first */
    } windows[] = {
        {{100, 100, 640, 360}, 0, true, {192, 204, 640, 360}},
        {{800, 100, 640, 360}, 1, true, {192, 204, 640, 360}},
        {{500, 100, 640, 360}, 0, true, {192, 204, 640, 360}},
        {{500, 600, 640, 360}, 0, false, {192, 204, 640, 360}},
        {{1100, 100, 1280, 720}, 1, true, {51, 24, 921, 720}},
        {{4000, 100, 1024, 768}, 0, false, {0, 0, 1024, 768}},
        {{2900, 1000, 1920, 1080}, 1, false, {51, 38, 921, 691}},
    };
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        const struct app_area area = windows[i].area, fit = app_monitor_fit(&two[0], area);
        assert_int_equal(app_monitors_at(two, 2, area), windows[i].at);
        assert_int_equal(app_monitors_show(two, 2, area), windows[i].seen);
        assert_memory_equal(&fit, &windows[i].fit, sizeof fit);
        assert_true(app_monitors_show(two, 1, fit));
    }
    assert_int_equal(app_monitors_at(two, 0, windows[0].area), -1);
    /* Half of the window is on both, which are one place. */
    assert_false(app_monitors_show(same, 2, (struct app_area){512, 0, 1024, 768}));
    assert_int_equal(app_monitors_next(two, 2, 1), 0);
    assert_int_equal(app_monitors_next(same, 2, 1), 1);
}
