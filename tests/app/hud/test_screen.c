/* The whole HUD over a picture: no card covers another one or most of the picture, and what has to
 * be there is there. */
#include "huds.h"
#include "screens.h"

#include "hud/parts.h"

static const char long_notice[] =
    "Saved in ~/Pictures/talks/2026: spherescope-20261122-180000-constant.png";

static const struct krn_device_info cpu = {
    .backend = KRN_BACKEND_CPU,
    .name = "AMD EPYC",
    .clock = "monotonic clock",
    .runtime = "threads, v4",
    .processors = 2,
    .can = {.noun = "CPU", .host_processors = true, .host_images = true}};

/* Returns the HUD of a state on the CPU with times of both sides of a duel. */
static struct app_hud timed_hud(const struct app_state *state)
{
    static const struct krn_duel_result faster = {.pairs = 400,
                                                  .blocks = 40,
                                                  .block_pairs = 10,
                                                  .valid = true,
                                                  .ratio = 1.2,
                                                  .low = 1.199,
                                                  .high = 1.201,
                                                  .so_far = KRN_RATIO_FASTER};
    const struct krn_series a = hud_series(0.997, 0.9975, 0.998), b = hud_series(1.196, 1.197, 1.2);
    struct app_hud hud = hud_of(state, &cpu);
    hud.gl = ren_describe(renderer);
    hud.now[0] = hud_time(state->backend, state->mode, &a);
    hud.now[1] = hud_time(state->backend, state->duel.other, &b);
    hud.duel = &faster;
    hud.comparison = app_comparison_of_duel(hud.duel);
    hud.frame = hud.now[0].ms;
    hud.time_like_ms = 1.0;
    return hud;
}

static struct app_state state_of_duel(void)
{
    struct app_state state = app_state_default();
    state.mode = (struct krn_mode){KRN_KERNEL_STRIP, KRN_STORAGE_CONSTANT, 16};
    state.duel.other = (struct krn_mode){KRN_KERNEL_BOOK, KRN_STORAGE_READONLY, 1};
    return state;
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
    struct app_state state = state_of_duel();
    const unsigned trust = APP_TRUST_BIT(APP_TRUST_SPREAD) | APP_TRUST_BIT(APP_TRUST_SOFTWARE_GL) |
                           APP_TRUST_BIT(APP_TRUST_ON_BATTERY);
    for (int i = 0; screen_at(i / APP_PANELS_COUNT / 8, &state); i++) {
        const int variant = i % 8;
        state.panels = (enum app_panels)(i / 8 % APP_PANELS_COUNT);
        state.duel.on = variant & 1;
        state.hold = variant & 2;
        if (screen.width < screen.height)
            continue;
        struct app_hud hud = timed_hud(&state);
        hud.trust = hud.now[0].median.trust = hud.now[1].median.trust = trust;
        hud.notice = variant & 4 ? long_notice : "";
        hud.fallback_reason = "This build has no CUDA backend: install NVIDIA's driver and "
                              "CUDA Toolkit, and build again.";
        char name[64];
        snprintf(name, sizeof name, "%s%s%s%s", app_panels_names[state.panels],
                 state.duel.on ? "_duel" : "", state.hold ? "_held" : "",
                 variant & 4 ? "_notice" : "");
        check_screen(&hud, name);
    }
    screens_done();
}

/* When the CPU runs in a GPU's place, every screen says so. */
TEST(test_fallback)
{
    struct app_state state = state_of_duel();
    struct app_hud hud = timed_hud(&state);
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
