/* The steps of the shipped talks: their texts fit, can be read from the last row, and do not jump.
 */
#include "huds.h"
#include "screens.h"

#include "hud/parts.h"

#include <math.h>

static const char *const names[] = {"four-claims", "ray-tracer", "make-it-faster"};
enum { TALKS = 3 };

static struct app_talk *talks[TALKS];
static const struct app_state *start_state(void)
{
    static struct app_state state;
    state = app_state_default();
    return &state;
}

static int read_talks(void **unused)
{
    (void)unused;
    for (int i = 0; i < TALKS; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/assets/talks/%s.json", TEST_SOURCE_DIR, names[i]);
        TEST_OK(app_talk_read(path, start_state(), &talks[i], &error));
    }
    return 0;
}

static int free_talks(void **unused)
{
    (void)unused;
    for (int i = 0; i < TALKS; i++)
        app_talk_free(talks[i]);
    return 0;
}

/* Returns a ratio that a duel has measured. */
static struct app_talk_measured measured_ratio(void)
{
    struct app_estimate ratio = app_estimate_plain(0.8273);
    ratio.valid = ratio.has_interval = true;
    ratio.low = 0.8253;
    ratio.high = 0.8296;
    return app_talk_measured(
        app_describe(ratio, (struct app_form){.unit = "×", .verdict = APP_VERDICT_SLOWER}), "");
}

/* Draws a step and checks that its texts are whole, apart, large enough, and on their side of the
 * strip's edge. */
static void check_step(struct app_state *state, const struct app_talk_shown *shown,
                       const char *name)
{
    static const struct krn_device_info device = {.name = "NVIDIA H200", .can = {.noun = "GPU"}};
    const struct ren_metrics face = ren_face_metrics(renderer, REN_FACE_SANS);
    const struct seen *seen = &screen.seen;
    struct app_hud hud = hud_of(state, &device);
    screen_frame(state->look.theme, screen.layout.unit, name);
    hud.talk = shown;
    hud.notice = "1000 spheres at 1024x1024 on cpu take 2 s per frame";
    hud.witness = &screen.witness;
    app_hud_draw(renderer, screen.list, &screen.layout, &hud);
    const float strip = screen.layout.strip.y, high = (float)screen.height,
                least = 0.7f * 0.03f * fminf(high, 0.75f * (float)screen.width);
    for (int t = 0; t < seen->text_count; t++) {
        const struct ren_rect box = seen->texts[t];
        const size_t length = strlen(seen->words[t]);
        if (box.x < -0.5f || box.x + box.w > (float)screen.width + 0.5f || box.y + box.h > high)
            screen_error("outside:", seen->words[t]);
        if (box.y < strip && box.y + box.h > strip)
            screen_error("on the strip's edge:", seen->words[t]);
        /* The speaker's line covers nothing, and is for who stands near. */
        const bool notice = strcmp(seen->words[t], hud.notice) == 0;
        if (notice && box.y < strip)
            screen_error("outside of the strip:", seen->words[t]);
        if (!notice && box.h / (face.cap_height + 0.5f * face.descent) < least)
            screen_error("small:", seen->words[t]);
        if (length >= 3 && strcmp(seen->words[t] + length - 3, "…") == 0)
            screen_error("cut:", seen->words[t]);
        for (int o = 0; o < t; o++)
            if (overlap(box, seen->texts[o], 0.8f * screen.layout.unit))
                screen_error("overlap:", seen->words[t]);
    }
    screen_must(hud.notice, true);
}

/* Returns where a text stands; no width: nowhere. */
static struct ren_rect place_of(const struct seen *seen, const char *text)
{
    for (int t = 0; t < seen->text_count; t++)
        if (strcmp(seen->words[t], text) == 0)
            return seen->texts[t];
    return (struct ren_rect){0};
}

/* Every step, before and after the answer: nothing that stays jumps at a press. */
TEST(test_every_step)
{
    struct app_state of_screen = *start_state();
    for (int at = 0; screen_at(at, &of_screen); at++)
        for (int t = 0; t < TALKS; t++)
            for (int i = 0; i < talks[t]->step_count; i++) {
                struct app_state state;
                char name[64];
                TEST_OK(app_talk_state(talks[t], start_state(), i, &state, &error));
                state.look.theme = of_screen.look.theme;
                const float unit = app_layout_make(&state, screen.width, screen.height, 1.0f).unit;
                const float strip = app_hud_talk_height(renderer, talks[t], unit,
                                                        (float)screen.width, (float)screen.height);
                screen.layout =
                    app_layout_make_above(&state, strip, screen.width, screen.height, 1.0f);
                assert_true(strip > 0.0f && strip <= 0.31f * (float)screen.height);
                struct app_talk_shown shown = {.talk = talks[t],
                                               .step = &talks[t]->steps[i],
                                               .view = &state.talk,
                                               .spheres = 1000,
                                               .device = "NVIDIA H200"};
                const struct app_talk_question *question = &shown.step->question;
                snprintf(name, sizeof name, "%s_%02d", names[t], i + 1);
                check_step(&state, &shown, name);
                if (question->asks == APP_ASKS_NOTHING) {
                    screen_must("{count}", false);
                    continue;
                }
                const struct ren_rect axis = place_of(&screen.seen, "same speed"),
                                      first = place_of(&screen.seen, "1");
                state.talk.choice = question->asks == APP_ASKS_CHOICE;
                snprintf(state.talk.typed, sizeof state.talk.typed, "%s",
                         question->asks == APP_ASKS_NUMBER ? "1.3" : "");
                shown.measured = measured_ratio();
                shown.guess = app_talk_judge(question, &state.talk, &shown.measured);
                state.talk.revealed = true;
                strcat(name, "_reveal");
                check_step(&state, &shown, name);
                screen_must("your guess", true);
                const struct ren_rect axis_now = place_of(&screen.seen, "same speed"),
                                      first_now = place_of(&screen.seen, "1");
                if (memcmp(&axis, &axis_now, sizeof axis) != 0 ||
                    memcmp(&first, &first_now, sizeof first) != 0)
                    screen_error("something", "jumps at a press");
            }
    screens_done();
}

/* The presenter's view holds the notes of every step, whole, at usual sizes of its window, beside
 * or below the slide; where the window is small, the notes alone. */
TEST(test_presenter)
{
    static const int views[][2] = {{960, 540}, {1920, 1080}, {800, 600}, {600, 900}, {320, 240}};
    static const float aspects[] = {16.0f / 9.0f, 4.0f / 3.0f, 9.0f / 16.0f};
    enum { VIEWS = 5, ASPECTS = 3 };
    for (int t = 0; t < TALKS; t++)
        for (int i = 0; i < talks[t]->step_count; i++)
            for (int v = 0; v < VIEWS * ASPECTS; v++) {
                const float width = (float)views[v % VIEWS][0], height = (float)views[v % VIEWS][1],
                            aspect = aspects[v / VIEWS];
                const struct app_talk_view view = {
                    .steps = talks[t]->step_count, .step = i, .on = true, .blank = i % 2 == 1};
                struct app_presenter_shown shown = {.talk = talks[t],
                                                    .view = &view,
                                                    .elapsed_s = 100.0 * i,
                                                    .clock = "14:05",
                                                    .slide_aspect = aspect};
                snprintf(shown.warning, sizeof shown.warning, "%s",
                         i % 2 == 1 ? "There is one monitor, which shows the notes, too: close or "
                                      "move them."
                                    : "");
                screen.width = views[v % VIEWS][0];
                screen.height = views[v % VIEWS][1];
                screen_frame(APP_THEME_DARK, 1.0f, names[t]);
                const struct ren_rect slide =
                    app_hud_presenter(&screen.brush, width, height, &shown);
                screen_end(fminf(height / 540.0f, width / 600.0f), true);
                /* The last word of the notes is there. */
                screen_must(shown.warning, true);
                screen_must(strrchr(talks[t]->steps[i].notes, ' ') + 1, true);
                if (width < 400.0f) {
                    assert_float_equal(slide.w, 0.0f, 0.0f);
                    continue;
                }
                assert_true(fmaxf(slide.w / width, slide.h / height) > 0.2f);
                assert_float_equal(slide.w, slide.h * aspect, 1.0f);
                assert_true(inside(slide, screen.seen.shapes[0], 0.0f));
                assert_true(inside(slide, (struct ren_rect){0, 0, width, height}, 0.0f));
            }
    screens_done();
}

int main(int argc, char **argv)
{
    return screens_run(argc, argv, read_talks, free_talks);
}
