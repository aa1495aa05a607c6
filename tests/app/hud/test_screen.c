/* The whole HUD over a picture: no card covers another one or most of the picture, and what has to
 * be there is there. */
#include "owned.h"
#include "screens.h"

#include "hud/contents.h"
#include "hud/parts.h"

static const char long_notice[] =
    "Saved in ~/Pictures/talks/2026: spherescope-20261122-180000-constant.png";

/* Opens an engine on the CPU with readings of both sides of a duel. */
static struct app_engine *open_engine(struct app_state *state)
{
    struct app_run run = app_run_default();
    struct app_engine *engine;
    char notice[APP_NOTICE_MAX];
    run.backend = KRN_BACKEND_CPU;
    *state = app_state_default();
    state->duel.on = true;
    state->mode = (struct krn_mode){KRN_KERNEL_STRIP, KRN_STORAGE_CONSTANT, 16};
    state->duel.other = (struct krn_mode){KRN_KERNEL_BOOK, KRN_STORAGE_READONLY, 1};
    TEST_OK(app_engine_open(&engine, &run, state, notice, &error));
    TEST_OK(app_engine_adopt(engine, state, &error));
    struct krn_device *device = app_engine_device(engine, state);
    struct krn_image image = test_image(device, state->width, state->height);
    const struct krn_image *const images[2] = {&image, &image};
    TEST_OK(app_engine_render_duel(engine, state, images, 0.0, &error));
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

/* Draws a screen and checks it. */
static void check_screen(struct app_hud *hud, const char *name)
{
    const struct app_state *state = hud->state;
    const struct seen *seen = &screen.seen;
    screen_begin(state, name);
    hud->witness = &screen.witness;
    app_hud_draw(renderer, screen.list, &screen.layout, hud);
    screen_end("screen", 0.9f * screen.layout.unit, false);
    screen_cards_apart();
    /* A notice and the banner of a hold pass. */
    const bool calm = !hud->notice[0] && !state->hold && !state->duel.on;
    if (calm && uncovered(&screen.layout, seen) < 0.5f)
        screen_error("most of the picture", "is covered");
    const int held = find_text(seen, "HELD"), title = find_text(seen, "CONSTANT");
    if (find_text(seen, " help") < 0 || (held >= 0) != state->hold || title < 0 ||
        (held >= 0 && seen->texts[held].h < (state->duel.on ? 1.0f : 0.75f) * seen->texts[title].h))
        screen_error("a text", "is missing or small");
    if (hud->notice[0])
        screen_must("spherescope-20261122-180000-constant.png", true);
    /* Both sides are named on the card, beside the divider, and in the plot's legend. */
    for (int side = 0; side < 2 && state->duel.on; side++) {
        int names = 0;
        for (int t = 0; t < seen->text_count; t++)
            names += seen->words[t][0] == "AB"[side] &&
                     (seen->words[t][1] == '\0' || seen->words[t][1] == ' ');
        if (names < 3)
            screen_error("too few names of side", side == 0 ? "A" : "B");
    }
    /* Where there is a card of details, room is made for the weightiest. */
    if (state->panels == APP_PANELS_OFF && screen.width * 9 == screen.height * 16) {
        screen_must("picture", true);
        screen_must("scene", true);
        screen_must("image", true);
    }
}

TEST(test_screens)
{
    struct app_state state;
    struct app_engine *engine = open_engine(&state);
    const struct krn_device *device = app_engine_device(engine, &state);
    const struct krn_summary kernel =
        krn_series_summary(app_engine_series(engine, KRN_BACKEND_CPU, state.mode));
    const unsigned trust = APP_TRUST_BIT(APP_TRUST_SPREAD) | APP_TRUST_BIT(APP_TRUST_SOFTWARE_GL) |
                           APP_TRUST_BIT(APP_TRUST_ON_BATTERY);
    for (int i = 0; screen_at(i / APP_PANELS_COUNT / 8, &state); i++) {
        const int variant = i % 8;
        state.panels = (enum app_panels)(i / 8 % APP_PANELS_COUNT);
        state.duel.on = variant & 1;
        state.hold = variant & 2;
        if (screen.width < screen.height)
            continue;
        struct app_hud hud = {
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
        char name[64];
        snprintf(name, sizeof name, "%s%s%s%s", app_panels_name(state.panels),
                 state.duel.on ? "_duel" : "", state.hold ? "_held" : "",
                 variant & 4 ? "_notice" : "");
        check_screen(&hud, name);
    }
    screens_done();
    app_engine_close(engine);
}

/* When the CPU runs in a GPU's place, every screen says so. */
TEST(test_fallback)
{
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
    state.duel.on = false;
    for (int i = 0; screen_at(i / APP_PANELS_COUNT / 2, &state); i++) {
        state.panels = (enum app_panels)(i / 2 % APP_PANELS_COUNT);
        if (screen.width < screen.height)
            continue;
        hud.fallback_reason = i % 2 ? "" : "No NVIDIA GPU was found.";
        screen_begin(&state, "fallback");
        hud.witness = &screen.witness;
        app_hud_draw(renderer, screen.list, &screen.layout, &hud);
        screen_must("No NVIDIA GPU was found.", i % 2 == 0);
    }
    screens_done();
    app_engine_close(engine);
}

/* A mode is named by what tells it from the other one. */
TEST(test_names)
{
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

int main(int argc, char **argv)
{
    return screens_run(argc, argv, NULL, NULL);
}
