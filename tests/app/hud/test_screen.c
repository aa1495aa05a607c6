/* The whole HUD over a picture: no card covers another one or most of the picture, and what has to
 * be there is there. PANELS_PICTURES=FOLDER writes every screen to FOLDER as PNG. */
#include "offscreen.h"
#include "saved.h"
#include "seen.h"

#include "hud/hud.h"
#include "hud/parts.h"

#include <stdlib.h>

static const int sizes[][2] = {{1280, 720}, {1920, 1080}, {3840, 2160}, {1024, 768}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const char long_notice[] =
    "Saved in ~/Pictures/talks/2026: spherescope-20261122-180000-constant.png";

/* Opens an engine on the CPU with readings of both sides of a duel. */
static struct app_engine *open_engine(struct app_state *state)
{
    struct krn_error error;
    struct app_run run = app_run_default();
    struct app_engine *engine;
    char notice[APP_NOTICE_MAX];
    run.backend = KRN_BACKEND_CPU;
    *state = app_state_default();
    state->duel.on = true;
    state->mode = (struct krn_mode){KRN_KERNEL_STRIP, KRN_STORAGE_CONSTANT, 16};
    state->duel.other = (struct krn_mode){KRN_KERNEL_BOOK, KRN_STORAGE_READONLY, 1};
    TEST_OK(app_engine_open(&engine, &run, state, notice, &error), error);
    TEST_OK(app_engine_adopt(engine, state, &error), error);
    struct krn_device *device = app_engine_device(engine, state);
    struct krn_image image;
    TEST_OK(krn_device_alloc_image(device, state->width, state->height, &image, &error), error);
    const struct krn_image *const images[2] = {&image, &image};
    TEST_OK(app_engine_render_duel(engine, state, images, 0.0, &error), error);
    krn_device_free_image(device, &image);
    struct app_duel *duel = (struct app_duel *)app_engine_duel(engine);
    struct krn_series *series =
        (struct krn_series *)app_engine_series(engine, KRN_BACKEND_CPU, state->mode);
    for (int i = 0; i < 400; i++) {
        bool a_first;
        const uint32_t number = app_duel_begin(duel, 0.005 * i, &a_first);
        const double ms = 0.997 + 1e-3 * (i * 101 % 240 / 239.0);
        app_duel_add_reading(duel, number, 0, ms);
        app_duel_add_reading(duel, number, 1, 1.2 * ms);
        assert_true(krn_series_push(series, ms));
    }
    return engine;
}

/* Returns the index of the first text that contains `part`; -1: there is none. */
static int find_text(const struct seen *seen, const char *part)
{
    for (int t = 0; t < seen->text_count; t++)
        if (strstr(seen->words[t], part))
            return t;
    return -1;
}

/* Returns the part of the picture that no card covers. */
static float uncovered(const struct app_layout *layout, const struct seen *seen)
{
    enum { STEPS = 48 };
    int count = 0;
    for (int i = 0; i < STEPS * STEPS; i++) {
        const struct ren_rect at = {
            layout->picture.x + layout->picture.w * ((float)(i % STEPS) + 0.5f) / STEPS,
            layout->picture.y + layout->picture.h * ((float)(i / STEPS) + 0.5f) / STEPS, 0.0f,
            0.0f};
        bool covered = false;
        for (int c = 0; c < seen->card_count && !covered; c++)
            covered = inside(at, seen->cards[c], 0.0f);
        count += !covered;
    }
    return (float)count / (STEPS * STEPS);
}

/* Draws a screen and returns the number of errors. */
static int check_screen(const struct app_hud *hud, const int *size, const char *name)
{
    static struct seen seen;
    const struct app_state *state = hud->state;
    const struct app_layout layout = app_layout_make(state, size[0], size[1], 1.0f);
    const struct app_draw_witness witness = seen_begin(&seen);
    struct app_hud shown = *hud;
    int wrong = 0;
    shown.witness = &witness;
    struct ren_list *list =
        test_frame_begin(size[0], size[1], app_theme_colours(state->theme)->background);
    app_hud_draw(renderer, list, &layout, &shown);
    test_save(list, size[0], size[1], "screen", name);
    wrong += seen_wrong(&seen, 0.9f * layout.unit, false, name);
    for (int c = 0; c < seen.card_count; c++)
        for (int d = 0; d < c; d++)
            if (overlap(seen.cards[c], seen.cards[d], 0.5f)) {
                print_error("%s: card %d is on card %d\n", name, c, d);
                wrong++;
            }
    /* A notice and the banner of a hold pass. */
    const bool calm = !hud->notice[0] && !state->hold && !state->duel.on;
    if (calm && uncovered(&layout, &seen) < 0.5f) {
        print_error("%s: only %.0f %% of the picture is free\n", name,
                    (double)(100.0f * uncovered(&layout, &seen)));
        wrong++;
    }
    const int held = find_text(&seen, "HELD"), title = find_text(&seen, "CONSTANT");
    if (find_text(&seen, " help") < 0 || (held >= 0) != state->hold || title < 0 ||
        (held >= 0 && seen.texts[held].h < (state->duel.on ? 1.0f : 0.75f) * seen.texts[title].h)) {
        print_error("%s: a text is missing or small\n", name);
        wrong++;
    }
    if (hud->notice[0] && find_text(&seen, "spherescope-20261122-180000-constant.png") < 0) {
        print_error("%s: the file's name is cut\n", name);
        wrong++;
    }
    /* Both sides are named on the card, beside the divider, and in the plot's legend. */
    for (int side = 0; side < 2 && state->duel.on; side++) {
        int names = 0;
        for (int t = 0; t < seen.text_count; t++)
            names += seen.words[t][0] == "AB"[side] &&
                     (seen.words[t][1] == '\0' || seen.words[t][1] == ' ');
        if (names < 3) {
            print_error("%s: side %d has %d names\n", name, side, names);
            wrong++;
        }
    }
    /* Where there is a card of details, room is made for the weightiest. */
    if (state->panels == APP_PANELS_OFF && size[0] * 9 == size[1] * 16 &&
        (find_text(&seen, "picture") < 0 || find_text(&seen, "scene") < 0 ||
         find_text(&seen, "image") < 0)) {
        print_error("%s: details are missing\n", name);
        wrong++;
    }
    return wrong;
}

static void test_screens(void **unused)
{
    (void)unused;
    struct app_state state;
    struct app_engine *engine = open_engine(&state);
    const struct krn_device *device = app_engine_device(engine, &state);
    const struct krn_summary kernel =
        krn_series_summary(app_engine_series(engine, KRN_BACKEND_CPU, state.mode));
    const unsigned trust = APP_TRUST_BIT(APP_TRUST_SPREAD) | APP_TRUST_BIT(APP_TRUST_SOFTWARE_GL) |
                           APP_TRUST_BIT(APP_TRUST_ON_BATTERY);
    int wrong = 0;
    for (int i = 0; i < SIZES * APP_THEME_COUNT * APP_PANELS_COUNT * 8; i++) {
        const int *size = sizes[i % SIZES];
        state.theme = (enum app_theme)(i / SIZES % APP_THEME_COUNT);
        state.panels = (enum app_panels)(i / SIZES / APP_THEME_COUNT % APP_PANELS_COUNT);
        const int variant = i / SIZES / APP_THEME_COUNT / APP_PANELS_COUNT;
        state.duel.on = variant & 1;
        state.hold = variant & 2;
        const struct app_hud hud = {
            .state = &state,
            .engine = engine,
            .device = krn_device_describe(device),
            .gl = ren_describe(renderer),
            .kernel = kernel,
            .time_like_ms = 1.0,
            .frame = kernel,
            .trust = trust,
            .side_trust = {trust, trust},
            .verified = {.text = "not verified yet"},
            .notice = variant & 4 ? long_notice : "",
            .fallback_reason = "This build has no CUDA backend: install NVIDIA's driver and "
                               "CUDA Toolkit, and build again.",
        };
        char name[160];
        snprintf(name, sizeof name, "%s%s%s%s_%s_%dx%d", app_panels_name(state.panels),
                 state.duel.on ? "_duel" : "", state.hold ? "_held" : "",
                 variant & 4 ? "_notice" : "", app_theme_name(state.theme), size[0], size[1]);
        wrong += check_screen(&hud, size, name);
    }
    assert_int_equal(wrong, 0);
    app_engine_close(engine);
}

/* Returns whether a screen has a text that contains `part`. */
static bool says(const struct app_hud *hud, const int *size, const char *part)
{
    static struct seen seen;
    const struct app_layout layout = app_layout_make(hud->state, size[0], size[1], 1.0f);
    const struct app_draw_witness witness = seen_begin(&seen);
    struct app_hud shown = *hud;
    shown.witness = &witness;
    app_hud_draw(renderer, test_frame_begin(size[0], size[1], 0), &layout, &shown);
    return find_text(&seen, part) >= 0;
}

/* When the CPU runs in a GPU's place, every screen says so. */
static void test_fallback(void **unused)
{
    (void)unused;
    struct app_state state;
    struct app_engine *engine = open_engine(&state);
    struct app_hud hud = {
        .state = &state,
        .engine = engine,
        .device = krn_device_describe(app_engine_device(engine, &state)),
        .gl = ren_describe(renderer),
        .verified = {.text = "not verified yet"},
        .notice = "",
    };
    int wrong = 0;
    state.duel.on = false;
    for (int i = 0; i < SIZES * APP_PANELS_COUNT; i++) {
        const int *size = sizes[i % SIZES];
        state.panels = (enum app_panels)(i / SIZES);
        hud.fallback_reason = "No NVIDIA GPU was found.";
        const bool told = says(&hud, size, hud.fallback_reason);
        hud.fallback_reason = "";
        if (!told || says(&hud, size, "No NVIDIA")) {
            print_error("%s, %dx%d: a reason that is %s\n", app_panels_name(state.panels), size[0],
                        size[1], told ? "not there" : "not shown");
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
    app_engine_close(engine);
}

/* A mode is named by what tells it from the other one. */
static void test_names(void **unused)
{
    (void)unused;
    static const struct {
        struct krn_mode a, b;
        const char *name;
    } cases[] = {
        {{KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1},
         {KRN_KERNEL_STRIP, KRN_STORAGE_GLOBAL, 8},
         "BOOK"},
        {{KRN_KERNEL_STRIP, KRN_STORAGE_GLOBAL, 8},
         {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1},
         "STRIP 8"},
        {{KRN_KERNEL_STRIP, KRN_STORAGE_GLOBAL, 8},
         {KRN_KERNEL_STRIP, KRN_STORAGE_GLOBAL, 16},
         "STRIP 8"},
        {{KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1},
         {KRN_KERNEL_BOOK, KRN_STORAGE_SHARED, 1},
         "GLOBAL"},
        {{KRN_KERNEL_STRIP, KRN_STORAGE_TEXTURE, 4},
         {KRN_KERNEL_BOOK, KRN_STORAGE_SHARED, 1},
         "TEXTURE STRIP 4"},
        {{KRN_KERNEL_BOOK, KRN_STORAGE_SHARED, 1},
         {KRN_KERNEL_BOOK, KRN_STORAGE_SHARED, 1},
         "SHARED"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[64];
        app_hud_name(cases[i].a, cases[i].b, name, sizeof name);
        assert_string_equal(name, cases[i].name);
    }
}

int main(void)
{
    const int unable = test_screen_open(-1);
    if (unable)
        return unable;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_screens),
        cmocka_unit_test(test_fallback),
        cmocka_unit_test(test_names),
    };
    const int failed = cmocka_run_group_tests_name("screen", tests, NULL, NULL);
    test_screen_close();
    return failed;
}
