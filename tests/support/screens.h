/* tests/support/screens.h - draws cards on screens, which are sizes of the window with a theme, and
 * checks their layout. A test takes three sizes and two themes; with the argument "all", every one.
 */
#pragma once

#include "offscreen.h"
#include "seen.h"

#include "hud/draw.h"
#include "hud/parts.h"

#include <stdlib.h>

static const int screen_sizes[][2] = {{1280, 720},  {1080, 1920}, {1024, 768},
                                      {1920, 1200}, {3840, 2160}, {3440, 1440}};
/* The light theme has the layout of the dark one. */
static const enum app_theme screen_themes[] = {APP_THEME_DARK, APP_THEME_PROJECTOR,
                                               APP_THEME_LIGHT};

/* The screen that is drawn. */
static struct screen {
    int width, height;
    struct app_layout layout;
    struct app_draw_witness witness;
    struct app_brush brush;
    struct ren_list *list;
    const struct app_hud *hud; /* what is drawn; NULL: not all of the HUD */
    struct seen seen;
    char name[192];
    int wrong; /* errors of all screens since screens_done */
    bool every;
} screen;

/* Sets the size of the screen with this number, and its theme; false: there are no more. */
static inline bool screen_at(int number, struct app_state *state)
{
    const int sizes = screen.every ? (int)(sizeof screen_sizes / sizeof *screen_sizes) : 3,
              themes = screen.every ? APP_THEME_COUNT : 2;
    screen.width = screen_sizes[number % sizes][0];
    screen.height = screen_sizes[number % sizes][1];
    state->look.theme = screen_themes[number / sizes % themes];
    return number < sizes * themes;
}

/* Begins a frame of the screen's size, with `unit` pixels per unit. */
static inline void screen_frame(enum app_theme theme, float unit, const char *name)
{
    screen.witness = seen_begin(&screen.seen);
    screen.list =
        test_frame_begin(screen.width, screen.height, app_theme_colours(theme)->background);
    screen.brush =
        (struct app_brush){renderer, screen.list, app_theme_colours(theme), unit, &screen.witness};
    snprintf(screen.name, sizeof screen.name, "%s_%s_%dx%d", name, app_theme_names[theme],
             screen.width, screen.height);
}

/* Makes the layout of a state, and begins its frame. */
static inline void screen_begin(const struct app_state *state, const char *name)
{
    screen.layout = app_layout_make(state, screen.width, screen.height, 1.0f);
    screen_frame(state->look.theme, screen.layout.unit, name);
}

/* Counts an error of the screen. */
static inline void screen_error(const char *what, const char *text)
{
    print_error("%s: %s %s\n", screen.name, what, text);
    screen.wrong++;
}

/* Ends the frame, and checks its texts as seen_wrong does. */
static inline void screen_end(float u, bool whole)
{
    screen.wrong += seen_wrong(&screen.seen, u, whole, screen.name);
}

/* Checks whether a text that contains `part` is on the screen. */
static inline void screen_must(const char *part, bool there)
{
    if ((seen_count(&screen.seen, part) > 0) != there)
        screen_error(there ? "lacks" : "has", part);
}

/* Expects that the screens since the last call had no error. */
static inline void screens_done(void)
{
    const int wrong = screen.wrong;
    screen.wrong = 0;
    assert_int_equal(wrong, 0);
}

/* Runs the tests of a program that needs nothing but the renderer; returns its exit code. */
static inline int screens_run(int argc, char **argv, CMFixtureFunction setup,
                              CMFixtureFunction teardown)
{
    screen.every = argc > 1 && strcmp(argv[1], "all") == 0;
    const int unable = test_screen_open(-1);
    return unable ? unable : test_screen_run(setup, teardown);
}
