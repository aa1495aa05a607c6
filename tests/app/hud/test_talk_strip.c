/* The strip of a talk: its texts fit, are large enough for the last row, and lie below everything
 * else, for every step of the shipped talks. */
#include "huds.h"
#include "screens.h"

#include "hud/talk.h"

static const char *const names[] = {"four-claims", "ray-tracer"};
enum { TALKS = 2 };

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

/* Returns the type's size in pixels of a text whose box the witness saw. */
static float size_of(enum ren_face face, struct ren_rect box)
{
    const struct ren_metrics metrics = ren_face_metrics(renderer, face);
    return box.h / (metrics.cap_height + 0.5f * metrics.descent);
}

/* Checks that a text, or its first line, is shown in type of at least `part` of the height. */
static void check_size(const char *text, enum ren_face face, float part)
{
    const struct seen *seen = &screen.seen;
    const float height = (float)screen.height;
    const char *name = screen.name;
    if (text[0] == 0)
        return;
    for (int i = 0; i < seen->text_count; i++) {
        const size_t length = strlen(seen->words[i]);
        if (length == 0 || strncmp(text, seen->words[i], length) != 0)
            continue;
        if (size_of(face, seen->texts[i]) < part * height)
            fail_msg("%s: \"%s\" is %.1f of %.0f pixels high", name, text,
                     (double)size_of(face, seen->texts[i]), (double)height);
        return;
    }
    fail_msg("%s: \"%s\" is not shown", name, text);
}

/* Draws a step's strip and checks what is seen. A wide font may cut texts in a narrow frame. */
static void check_strip(struct app_talk_shown *shown, enum app_theme theme, const char *name)
{
    const float w = (float)screen.width, h = (float)screen.height;
    const float strip = app_hud_talk_height(renderer, shown->talk, shown->view, w, h);
    assert_true(strip > 0.0f && strip <= (w < h ? 0.65f : 0.5f) * h);
    screen_frame(theme, 1.0f, name);
    app_hud_talk(&screen.brush, (struct ren_rect){0.0f, h - strip, w, strip}, h, shown);
    screen_end("talk", h / 720.0f, w > h || !fonts[0]);
    const struct app_talk_step *step = shown->step;
    if (fonts[0] && w < h)
        return;
    if (!shown->view->revealed) {
        check_size(step->caption, REN_FACE_SANS_BOLD, APP_TALK_CAPTION_PART);
        if (step->body_count > 0)
            check_size(step->body[0], REN_FACE_SANS, APP_TALK_BODY_PART);
        if (step->question.asks != APP_ASKS_NOTHING)
            check_size(step->question.text, REN_FACE_SANS_BOLD, APP_TALK_CAPTION_PART);
    } else {
        check_size(shown->measured.said.text, REN_FACE_SANS_BOLD, APP_TALK_HEADLINE_PART);
        check_size(step->reveal, REN_FACE_SANS_BOLD, APP_TALK_CAPTION_PART);
        check_size(app_verdict_entry(shown->measured.said.verdict)->says, REN_FACE_SANS_BOLD,
                   APP_TALK_BODY_PART);
    }
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

static void check_step(const struct app_talk *talk, int number, enum app_theme theme,
                       const char *name)
{
    const float w = (float)screen.width, h = (float)screen.height;
    struct app_state state;
    char whole[128];
    TEST_OK(app_talk_state(talk, start_state(), number, &state, &error));
    struct app_talk_shown shown = {
        .talk = talk,
        .step = &talk->steps[number],
        .view = &state.talk,
        .measured = app_talk_measured((struct app_described){.verdict = APP_VERDICT_NONE}, ""),
        .device = "NVIDIA H200"};
    const struct app_talk_question *question = &shown.step->question;
    check_strip(&shown, theme, name);
    if (question->asks == APP_ASKS_NOTHING)
        return;
    const float before = app_hud_talk_height(renderer, talk, &state.talk, w, h);
    state.talk.choice = question->asks == APP_ASKS_CHOICE;
    snprintf(state.talk.typed, sizeof state.talk.typed, "%s",
             question->asks == APP_ASKS_NUMBER ? "1.5" : "");
    shown.guess = app_talk_judge(question, &state.talk, &shown.measured);
    snprintf(whole, sizeof whole, "%s_guess", name);
    check_strip(&shown, theme, whole);
    /* The picture above stands still while somebody types. */
    assert_true(before == app_hud_talk_height(renderer, talk, &state.talk, w, h));
    state.talk.revealed = true;
    shown.measured = measured_ratio();
    shown.guess = app_talk_judge(question, &state.talk, &shown.measured);
    snprintf(whole, sizeof whole, "%s_reveal", name);
    check_strip(&shown, theme, whole);
}

/* Sets the next screen's size and theme; a talk is not given in windows of 4 to 3. */
static bool next(int at, struct app_state *state)
{
    const bool more = screen_at(at, state);
    if (screen.width == 1024)
        screen.width = screen.height * 16 / 9;
    return more;
}

TEST(test_every_step)
{
    struct app_state state;
    for (int at = 0; next(at, &state); at++)
        for (int t = 0; t < TALKS; t++)
            for (int i = 0; i < talks[t]->step_count; i++) {
                char name[64];
                snprintf(name, sizeof name, "%s_%02d", names[t], i + 1);
                check_step(talks[t], i, state.theme, name);
            }
    screens_done();
}

/* Picture and page lie above the strip, and beside each other on a wide frame. */
TEST(test_everything_else_is_above)
{
    struct app_state of_screen;
    for (int at = 0; next(at, &of_screen); at++)
        for (int t = 0; t < TALKS; t++)
            for (int i = 0; i < talks[t]->step_count; i++) {
                struct app_state state;
                TEST_OK(app_talk_state(talks[t], start_state(), i, &state, &error));
                state.theme = of_screen.theme;
                const float w = (float)screen.width, h = (float)screen.height;
                const float strip = app_hud_talk_height(renderer, talks[t], &state.talk, w, h);
                const struct app_layout layout =
                    app_layout_make_above(&state, strip, screen.width, screen.height, 1.0f);
                const struct ren_rect above = {0.0f, 0.0f, w, h - strip};
                assert_true(layout.strip.y + layout.strip.h == h);
                assert_true(inside(layout.pane, above, 0.5f));
                assert_true(inside(layout.page, above, 0.5f) || layout.page.w == 0.0f);
                assert_true(inside(layout.picture, layout.pane, 1.0f));
                if (w > h)
                    assert_int_equal(layout.shown, state.panels);
            }
}

/* A page in the whole window leaves the strip its place, and what it says can be read. */
TEST(test_strip_is_below_a_page)
{
    static const struct krn_device_info device = {.name = "NVIDIA H200"};
    struct app_state of_screen;
    for (int at = 0; next(at, &of_screen); at++) {
        struct app_state state;
        TEST_OK(app_talk_state(talks[0], start_state(), 0, &state, &error));
        state.panels = APP_PANELS_FULL;
        const float w = (float)screen.width, h = (float)screen.height;
        const float strip = app_hud_talk_height(renderer, talks[0], &state.talk, w, h);
        const struct app_layout layout =
            app_layout_make_above(&state, strip, screen.width, screen.height, 1.0f);
        const struct ren_rect above = {0.0f, 0.0f, w, h - strip};
        const struct app_talk_shown shown = {
            .talk = talks[0], .step = &talks[0]->steps[0], .view = &state.talk};
        screen_frame(state.theme, 1.0f, "page");
        const struct seen *seen = &screen.seen;
        struct app_hud hud = hud_of(&state, &device);
        hud.talk = &shown;
        hud.witness = &screen.witness;
        app_hud_draw(renderer, screen.list, &layout, &hud);
        int below = 0;
        for (int t = 0; t < seen->text_count; t++) {
            const bool of_strip = inside(seen->texts[t], layout.strip, 0.5f);
            if (!of_strip && !inside(seen->texts[t], above, 0.5f))
                fail_msg("%s: \"%s\" is on the strip's edge", screen.name, seen->words[t]);
            below += of_strip;
        }
        assert_true(strip > 0.0f && below > 0);
        screen_end("talk", h / 720.0f, false);
    }
    screens_done();
}

/* The presenter's view holds the notes of every step, whole, at usual sizes of its window. */
TEST(test_presenter)
{
    static const int views[][2] = {{960, 540}, {1920, 1080}, {800, 600}};
    for (int t = 0; t < TALKS; t++)
        for (int i = 0; i < talks[t]->step_count; i++)
            for (int v = 0; v < 3; v++) {
                const struct app_talk_view view = {
                    .steps = talks[t]->step_count, .step = i, .on = true, .blank = i % 2 == 1};
                struct app_presenter_shown shown = {
                    .talk = talks[t], .view = &view, .elapsed_s = 100.0 * i, .clock = "14:05"};
                snprintf(shown.warning, sizeof shown.warning, "%s",
                         i % 2 == 1 ? "There is one monitor, which shows the notes, too." : "");
                screen.width = views[v][0];
                screen.height = views[v][1];
                screen_frame(APP_THEME_DARK, 1.0f, names[t]);
                app_hud_presenter(&screen.brush, (float)views[v][0], (float)views[v][1], &shown);
                screen_end("presenter", (float)views[v][1] / 540.0f, !fonts[0]);
                /* The last word of the notes is there. */
                screen_must(shown.warning, true);
                screen_must(strrchr(talks[t]->steps[i].notes, ' ') + 1, true);
            }
    screens_done();
}

int main(int argc, char **argv)
{
    return screens_run(argc, argv, read_talks, free_talks);
}
