/* A shipped talk in a session without a GPU: every question has an answer, no answer is on screen
 * before its question, keys change a step and the next one restores its own state. */
#include "seen.h"
#include "sessions.h"

#include "command/entry.h"
#include "window/front.h"
#include "window/session.h"

#include "krn/memory.h"
#include "ren/png.h"

#include <math.h>

static struct app_recorded_loader *loader;
static struct app_talk *talk;
static struct seen seen;
static struct app_draw_witness witness;
static const char *talk_name;
static struct app_session_target target;

static void open_session(const char *name, bool play)
{
    char path[512];
    talk_name = name;
    target = (struct app_session_target){1280, 720, 1.0f};
    test_session_defaults(KRN_BACKEND_CPU);
    run.panel_share = 0.0; /* this machine measures nothing beside the frames */
    snprintf(path, sizeof path, "%s/assets/talks/%s.json", TEST_SOURCE_DIR, name);
    TEST_OK(app_talk_read(path, &start_state, &talk, &error));
    struct app_session_start start = test_session_start();
    start.talk = talk;
    start.recorded = loader;
    start.play = play;
    app_session_open(&session, &start);
    session.witness = &witness;
}

static void close_session(void)
{
    (void)test_session_close(NULL);
    app_talk_free(talk);
}

/* Draws frames; the witness has seen the last one. */
static void draw(int count)
{
    for (; count > 0; count--) {
        now_s += 10.0; /* no notice stays */
        session.state.requests &= ~(unsigned)APP_REQUEST_MEASURE;
        witness = seen_begin(&seen);
        TEST_OK(app_session_frame(&session, &target, now_s, &error));
    }
}

static void press(int key)
{
    app_session_press(&session, key, false, now_s);
}

static bool has(const char *part)
{
    for (int t = 0; t < seen.text_count; t++)
        if (strstr(seen.words[t], part))
            return true;
    return false;
}

static void write_escaped(FILE *out, const void *text)
{
    app_write_markup(out, text);
}

/* Returns the number of a claim in the recorded run. */
static const struct app_claim *recorded_claim(enum app_claim_id id)
{
    return &app_recorded_view(app_recorded_loader_wait(loader))->panels.claims[id];
}

/* Checks what a step shows, before and after its answer. */
static void check_step(int number)
{
    const struct app_talk_step *step = &talk->steps[number];
    const struct app_talk_question *question = &step->question;
    draw(2);
    assert_int_equal(session.state.talk.step, number);
    assert_int_equal(app_session_talk_fault(&session)[0], 0);
    /* No claim that a later question asks about has a number on screen. */
    bool hidden[APP_CLAIM_COUNT];
    app_talk_hidden(talk, &session.state.talk, hidden);
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        const struct app_claim *claim = recorded_claim((enum app_claim_id)i);
        if (hidden[i] && has(claim->now.interval[0] ? claim->now.interval : claim->now.text))
            fail_msg("step %s tells claim %s", step->id, claim->of->id);
    }
    if (question->asks == APP_ASKS_NOTHING)
        return;
    if (question->source.kind == APP_SOURCE_CLAIM)
        assert_true(hidden[question->source.claim]);
    press('1');
    if (question->asks == APP_ASKS_NUMBER)
        press(APP_KEY_ENTER);
    press(APP_KEY_ENTER);
    draw(1);
    assert_true(session.state.talk.revealed);
    /* The recorded run answers, and says so; alone, or beside this machine. */
    const struct app_talk_shown *shown = &session.shown_talk;
    const struct app_talk_measured *answer = session.play ? &shown->measured : &shown->recorded;
    assert_true(answer->valid && answer->said.text[0]);
    assert_true(answer->said.estimate.trust & APP_TRUST_BIT(APP_TRUST_RECORDED));
    assert_true(session.play == (shown->recorded_device == NULL));
    assert_true(app_talk_answer(shown)->valid && shown->guess.text[0]);
    /* Less than the same speed reads as a factor of slowness. */
    const bool slower = question->source.kind != APP_SOURCE_TIME && answer->said.estimate.valid &&
                        answer->said.estimate.value < 1.0;
    if (!has("recorded, NVIDIA H200") ||
        !(has(slower ? "slower" : answer->said.text) || has(answer->said.number.value) ||
          (shown->claim && shown->claim->part_count > 0 && has("threads: "))))
        fail_msg("step %s does not show the recorded answer %s", step->id, answer->said.text);
    if (question->source.kind == APP_SOURCE_CLAIM)
        assert_string_equal(answer->said.text, recorded_claim(question->source.claim)->now.text);
}

/* Fails unless a page has a text. */
static void on_page(const char *page, const char *text)
{
    TEST_FREED char *markup = krn_printed(write_escaped, text);
    if (!strstr(page, markup))
        fail_msg("\"%s\" is not on the page", text);
}

/* Checks that the page to take home has the steps, their questions, the guesses and the answers. */
static void check_page(void)
{
    struct app_web_page page;
    struct app_results results = app_session_record(&session);
    TEST_OK(app_session_page(&session, &results, 1280, 720, &page, &error));
    TEST_FREED char *text = app_web_page_text(&page);
    on_page(text, talk->title);
    assert_non_null(strstr(text, "src=\"data:image/png;base64,iVBOR"));
    assert_in_range(strlen(text), 10000, APP_WEB_PAGE_MAX);
    for (int i = 0; i < talk->step_count; i++) {
        const struct app_talk_question *question = &talk->steps[i].question;
        on_page(text, question->asks == APP_ASKS_NOTHING ? talk->steps[i].caption : question->text);
        if (question->asks == APP_ASKS_CHOICE)
            on_page(text, question->answers[0].text);
        if (question->asks != APP_ASKS_NOTHING && question->source.kind == APP_SOURCE_CLAIM)
            on_page(text, recorded_claim(question->source.claim)->now.text);
    }
    app_web_page_free(&page);
    app_results_free(&results);
}

static void give(const char *name, bool play)
{
    open_session(name, play);
    for (int i = 0; i < talk->step_count; i++) {
        check_step(i);
        press(APP_KEY_PAGE_DOWN);
    }
    check_page();
    close_session();
}

TEST(test_on_a_cpu)
{
    give("four-claims", false);
}

TEST(test_from_a_recorded_run)
{
    give("four-claims", true);
}

/* Sends the mouse to the session, seconds later, and checks where the talk is then. */
static void move_mouse(struct app_drag mouse, double later_s, int step)
{
    now_s += later_s;
    app_session_drag(&session, &mouse, now_s);
    assert_int_equal(session.state.talk.step, step);
}

/* Clicks and the wheel step, the wheel not faster than an audience reads; a key that is held down
 * does not, where one press does. */
TEST(test_mouse_and_held_keys)
{
    const struct app_drag click = {.clicks = 1}, right = {.clicks = -1}, drag = {.across = 0.3},
                          towards = {.wheel = -1.0}, away = {.wheel = 0.1};
    struct app_key_press held = {.place = APP_KEY_RIGHT};
    open_session("ray-tracer", true);
    draw(1);
    move_mouse(drag, 0.0, 0);
    move_mouse(click, 0.0, 1);
    move_mouse(right, 0.0, 0);
    move_mouse(right, 0.0, 0);
    assert_non_null(strstr(session.notice, "first step"));
    move_mouse((struct app_drag){.clicks = 2}, 0.0, 2);
    assert_false(session.state.talk.revealed);
    move_mouse(click, 0.0, 2);
    assert_true(session.state.talk.revealed);
    move_mouse(right, 0.0, 1);
    move_mouse(towards, 1.0, 2);
    move_mouse(towards, 0.39, 2);
    assert_false(session.state.talk.revealed);
    move_mouse(towards, 0.02, 2);
    assert_true(session.state.talk.revealed);
    move_mouse((struct app_drag){.wheel = -5.0}, 0.5, 3);
    move_mouse(away, 0.5, 2);
    move_mouse(away, 0.1, 2);
    assert_true(session.state.talk.revealed);
    app_session_key(&session, &held, now_s);
    assert_int_equal(session.state.talk.step, 3);
    held.repeated = true;
    app_session_key(&session, &held, now_s);
    assert_int_equal(session.state.talk.step, 3);
    const double divider = session.state.spec.duel.divider;
    held.ctrl = true;
    app_session_key(&session, &held, now_s);
    assert_true(session.state.spec.duel.on && session.state.spec.duel.divider > divider);
    /* Without the talk the mouse is the camera's. */
    press(APP_KEY_ESCAPE);
    press(APP_KEY_TAB);
    press('L');
    if (app_state_view(&session.state) !=
        KRN_VIEW_LIGHT) /* a busy machine asks about slow frames */
        press('L');
    assert_int_equal(app_state_view(&session.state), KRN_VIEW_LIGHT);
    const float distance = session.state.spec.light.camera.distance;
    move_mouse((struct app_drag){.wheel = 3.0, .clicks = 1}, 1.0, 3);
    assert_false(session.state.talk.on);
    assert_true(session.state.spec.light.camera.distance < distance);
    close_session();
}

/* Keys change the step on screen; the steps before and after it, and Home, restore a step's state.
 */
TEST(test_keys_of_pages)
{
    static const struct {
        int key, step;
    } ways[] = {{APP_KEY_PAGE_DOWN, 1},
                {APP_KEY_PAGE_DOWN, 2},
                {APP_KEY_PAGE_UP, 1},
                {APP_KEY_PAGE_UP, 0},
                {APP_KEY_HOME, 0}};
    open_session("ray-tracer", true);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct app_state expected;
        session.state.look.panels = APP_PANELS_FULL;
        press('N');
        draw(1);
        assert_int_equal(session.facts.shown, APP_PANELS_FULL);
        press('Z');
        assert_non_null(strstr(session.notice, "behind the page"));
        press(ways[i].key);
        TEST_OK(app_talk_state(talk, &session.talk_start, ways[i].step, &expected, &error));
        assert_int_equal(session.state.talk.step, ways[i].step);
        assert_int_equal(session.state.look.panels, expected.look.panels);
        assert_int_equal(session.state.look.page, expected.look.page);
    }
    close_session();
}

/* Returns the height of the text that is `text`; 0: there is none. */
static float height_of(const char *text)
{
    for (int t = 0; t < seen.text_count; t++)
        if (strcmp(seen.words[t], text) == 0)
            return seen.texts[t].h;
    return 0.0f;
}

/* A guess is as large as the answer that takes its place. */
TEST(test_large_guess)
{
    open_session("four-claims", true);
    press(APP_KEY_PAGE_DOWN);
    draw(1);
    const float large = height_of("?");
    press('1');
    press('.');
    press('5');
    draw(1);
    assert_true(large > 0.0f && height_of("1.5×") == large);
    close_session();
}

/* In a talk, help begins with the talk's own keys. */
TEST(test_help)
{
    open_session("four-claims", true);
    press('H');
    draw(1);
    assert_true(has("PageDown") && has("PageUp") && has("F5") && !has("more or fewer spheres"));
    press(APP_KEY_ESCAPE);
    press(APP_KEY_ESCAPE);
    press('H');
    draw(1);
    assert_true(!has("PageDown") && has("more or fewer spheres"));
    close_session();
}

/* What a key or a slow picture lets the program say ends with its step. */
TEST(test_notices)
{
    open_session("four-claims", true);
    app_session_say(&session, APP_TONE_WARNED, now_s, "20 spheres take a while");
    press('U');
    assert_true(session.notice_until_s > now_s);
    press(APP_KEY_PAGE_DOWN);
    assert_true(session.notice_until_s <= now_s);
    press(APP_KEY_PAGE_UP);
    press(APP_KEY_PAGE_UP);
    assert_non_null(strstr(session.notice, "first step"));
    assert_true(session.notice_until_s > now_s);
    close_session();
}

/* Lets the step on screen ask how many times as fast `first` is as `second`, and reveals it. */
static void ask_ratio(struct krn_mode first, struct krn_mode second)
{
    struct app_talk_question *question = &talk->steps[session.state.talk.step].question;
    question->asks = session.state.talk.asks = APP_ASKS_NUMBER;
    question->text = "How many times as fast?";
    question->unit = "";
    question->source.kind = APP_SOURCE_RATIO;
    question->source.modes[0] = first;
    question->source.modes[1] = second;
    session.state.talk.revealed = true;
}

/* Returns the answer of now: without a frame, which would measure more. */
static struct app_talk_measured answer(unsigned trust)
{
    const struct app_talk_evidence evidence = {.trust = trust, .band_percent = 1.0};
    return app_session_talk_show(&session, &evidence, "CPU")->measured;
}

/* Opens a session whose frames take little time. */
static void open_small(const char *name)
{
    open_session(name, false);
    session.state.spec.follow_pane = false;
    session.state.spec.width = session.state.spec.height = 64;
    session.state.look.panels = APP_PANELS_OFF;
    target.width = target.height = 64;
}

/* A running duel answers a question about its two modes, from either side. */
TEST(test_ratio_of_a_duel)
{
    const struct krn_mode book = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1},
                          strip = {KRN_KERNEL_STRIP, KRN_STORAGE_GLOBAL, 4};
    open_small("four-claims");
    session.state.spec.mode = book;
    session.state.spec.duel.on = true;
    session.state.spec.duel.other = strip;
    ask_ratio(book, strip);
    draw(1);
    assert_false(answer(0).valid);
    assert_string_equal(answer(0).why, "not measured yet");
    const struct krn_duel_result *result = krn_duel_result_of(&app_engine_duel(engine)->statistic);
    for (int i = 0; i < 2000 && !result->valid; i++)
        draw(1);
    assert_true(result->valid);
    assert_true(answer(0).valid);
    const struct app_described forward = answer(0).said;
    assert_true(forward.estimate.valid && forward.estimate.has_interval);
    const struct krn_series *sides = app_engine_duel(engine)->ms;
    const struct app_comparison shown = app_comparison_of_duel(
        result, krn_series_summary(&sides[0]).median, krn_series_summary(&sides[1]).median);
    const struct app_estimate *f = &shown.ratio;
    assert_memory_equal(&forward.estimate.value, &f->value, sizeof f->value);
    assert_true(forward.estimate.low == f->low && forward.estimate.high == f->high);
    assert_int_equal(forward.verdict, shown.verdict);
    ask_ratio(strip, book);
    const struct app_described back = answer(0).said;
    const struct app_estimate *b = &back.estimate;
    assert_true(b->value == 1.0 / f->value);
    assert_true(b->low == 1.0 / f->high && b->high == 1.0 / f->low);
    assert_true(b->low <= b->value && b->value <= b->high);
    const bool decided = result->so_far == KRN_RATIO_FASTER || result->so_far == KRN_RATIO_SLOWER;
    assert_int_equal(forward.verdict != back.verdict, decided);
    /* A wrong picture has no verdict, whatever the times are. */
    const unsigned wrong = APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
    assert_int_equal(answer(wrong).said.estimate.trust, wrong);
    assert_int_equal(answer(wrong).said.verdict, APP_VERDICT_WRONG);
    close_session();
}

static void show(struct krn_mode mode)
{
    session.state.spec.mode = mode;
    draw(APP_TOGGLE_SAMPLES + 10);
}

/* Without a duel of the two modes, the times answer that each had while it was on screen. */
TEST(test_ratio_of_two_visits)
{
    const struct krn_mode book = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1},
                          binned = {KRN_KERNEL_BINNED, KRN_STORAGE_GLOBAL, 1};
    open_small("four-claims");
    session.state.spec.duel.on = false;
    ask_ratio(book, binned);
    show(book);
    assert_false(answer(0).valid); /* the other one has not been shown */
    show(binned);
    const struct app_comparison toggle = app_toggle_compare(
        (struct app_toggle_side){app_engine_series(engine, KRN_BACKEND_CPU, binned), 0.0},
        (struct app_toggle_side){app_engine_series(engine, KRN_BACKEND_CPU, book), 0.0}, 1.0);
    const struct app_described ratio = answer(0).said;
    assert_true(toggle.ratio.valid && ratio.estimate.has_interval);
    assert_true(ratio.estimate.value == toggle.ratio.value &&
                ratio.estimate.low == toggle.ratio.low && ratio.estimate.high == toggle.ratio.high);
    assert_int_equal(ratio.verdict, toggle.verdict);

    /* A question about one of them has its median; one about a claim has to wait for the panels. */
    struct app_talk_source *source = &talk->steps[session.state.talk.step].question.source;
    source->kind = APP_SOURCE_TIME;
    assert_true(answer(0).said.estimate.value ==
                krn_series_summary(app_engine_series(engine, KRN_BACKEND_CPU, book)).median);
    source->kind = APP_SOURCE_CLAIM;
    source->claim = APP_CLAIM_CONSTANT_KERNEL;
    assert_false(answer(0).valid);
    assert_string_equal(answer(0).why, "not measured yet");

    /* Two storages of a CPU are one memory, whatever their times. */
    const struct krn_mode constant = {KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT, 1};
    show(constant);
    ask_ratio(constant, book);
    assert_false(answer(0).valid);
    assert_string_equal(answer(0).why, "the same caches here: no difference to expect");
    close_session();
}

/* A recorded run answers about modes that it has, and says so of one that it lacks. */
TEST(test_recorded_ratios)
{
    const struct krn_mode book = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1},
                          constant = {KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT, 1};
    open_session("four-claims", true);
    draw(1);
    const struct app_recorded *recorded = app_recorded_loader_wait(loader);
    const struct app_mode_time of_book = app_recorded_find(recorded, &session.state, book),
                               of_constant = app_recorded_find(recorded, &session.state, constant);
    assert_true(of_book.valid && of_constant.valid);
    ask_ratio(constant, book);
    draw(1);
    const struct app_talk_measured ratio = session.shown_talk.measured;
    assert_true(ratio.valid);
    const double wanted = of_book.ms.median / of_constant.ms.median;
    assert_true(fabs(ratio.said.estimate.value / wanted - 1.0) < 1e-9);
    assert_int_equal(app_session_talk_fault(&session)[0], 0);
    session.state.spec.recipe.count = 5000; /* too many for constant memory */
    const struct app_mode_time missing = app_recorded_find(recorded, &session.state, constant);
    assert_true(app_recorded_find(recorded, &session.state, book).valid && !missing.valid);
    ask_ratio(book, constant);
    session.played.state = session.state;
    const struct app_talk_evidence evidence = {.recorded = recorded, .band_percent = 1.0};
    const struct app_talk_shown *shown = app_session_talk_show(&session, &evidence, "H200");
    assert_false(shown->measured.valid);
    assert_string_equal(shown->measured.why, missing.missing);
    assert_non_null(strstr(app_session_talk_fault(&session), missing.missing));
    close_session();
}

/* Every frame of a played run adds the next sample of each mode on screen to the trace. */
TEST(test_played_samples)
{
    open_session("four-claims", true);
    (void)app_recorded_loader_wait(loader);
    draw(3);
    const struct app_trace *trace = &session.played.trace;
    const struct app_mode_time time =
        app_recorded_find(session.played.recorded, &session.played.state, session.state.spec.mode);
    assert_true(time.valid && time.ms.n > 3);
    assert_int_equal(trace->count, 3);
    for (int i = 0; i < 3; i++) {
        assert_true(trace->ms[i] == time.samples_ms[i]);
        assert_int_equal(trace->side[i], -1);
    }
    session.state.spec.duel.on = true;
    session.state.spec.duel.other = (struct krn_mode){KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT, 1};
    draw(1);
    assert_int_equal(trace->count, 5);
    assert_int_equal(trace->side[3], 0);
    assert_int_equal(trace->side[4], 1);
    session.state.spec.recipe.count = 40; /* was not recorded */
    draw(1);
    assert_int_equal(trace->count, 5);
    close_session();
}

/* What a later question asks about is hidden on the panels of this machine, too; the panels' own
 * numbers stay. */
TEST(test_hidden_claims)
{
    static struct app_claim claims[APP_CLAIM_COUNT];
    struct app_panels_view view = {.claims = claims};
    struct app_hud hud = {.panels = &view};
    bool hidden[APP_CLAIM_COUNT], any = false, all = true;
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        claims[i] = *recorded_claim((enum app_claim_id)i);
        snprintf(claims[i].now.text, sizeof claims[i].now.text, "%d×", 1000 + i);
    }
    open_session("four-claims", false);
    app_talk_hidden(talk, &session.state.talk, hidden);
    app_session_talk_hide(&session, &hud);
    assert_ptr_not_equal(hud.panels, &view);
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d×", 1000 + i);
        assert_string_equal(claims[i].now.text, number);
        assert_int_equal(strcmp(hud.panels->claims[i].now.text, number) == 0, !hidden[i]);
        any = any || hidden[i];
        all = all && hidden[i];
    }
    assert_true(any && !all);
    close_session();
}

/* Counts the texts on screen that are cut, outside of it, on one another, or no number. */
static int count_wrong(const char *where, float u, const int size[2])
{
    int wrong = 0;
    for (int t = 0; t < seen.text_count; t++) {
        const struct ren_rect screen = {0.0f, 0.0f, (float)size[0], (float)size[1]};
        const char *end = strstr(seen.words[t], "…"), *on = "";
        for (int o = 0; o < t; o++)
            if (overlap(seen.texts[t], seen.texts[o], 0.8f * u))
                on = seen.words[o];
        if ((end && end[3] == 0) || on[0] || strcmp(seen.words[t], "–") == 0 ||
            !inside(seen.texts[t], screen, 0.5f)) {
            print_error("%s: \"%s\" \"%s\"\n", where, seen.words[t], on);
            wrong++;
        }
    }
    return wrong;
}

/* Draws the step on screen in every size and size of text, the themes in turn; returns what is
 * wrong. */
static int draw_all(const char *what)
{
    static const int sizes[][2] = {{1920, 1080}, {1024, 768}, {3840, 2160}, {1080, 1920}};
    int wrong = 0, shapes = 0;
    for (int i = 0; i < 2 * 4; i++) {
        const int *size = sizes[i % 4];
        char where[160];
        session.state.look.theme = (enum app_theme)(i % APP_THEME_COUNT);
        session.state.look.hud_scale = i / 4 ? 1.5 : 1.0;
        const struct app_layout layout = app_layout_make_above(
            &session.state, app_session_talk_strip(&session, size[0], size[1], 1.0f), size[0],
            size[1], 1.0f);
        witness = seen_begin(&seen);
        app_session_draw_hud(&session, &layout, now_s, ren_list_begin(renderer));
        snprintf(where, sizeof where, "%s, step %d%s, %s, %dx%d, %g", talk_name,
                 session.state.talk.step + 1, what, app_theme_names[session.state.look.theme],
                 size[0], size[1], session.state.look.hud_scale);
        wrong += count_wrong(where, layout.unit, size);
        shapes = i == 0 ? seen.shape_count : shapes;
        if (seen.shape_count < shapes)
            print_error("%s: %d of %d bars\n", where, seen.shape_count, shapes);
        wrong += seen.shape_count < shapes;
    }
    return wrong;
}

/* In every size, and size of text, all that a step says and all its bars are there. */
TEST(test_every_text_is_whole)
{
    static const char *const names[] = {"four-claims", "ray-tracer", "make-it-faster"};
    int wrong = 0;
    for (int t = 0; t < 3; t++) {
        open_session(names[t], true);
        session.facts.live = false;
        for (int i = 0; i < talk->step_count; i++) {
            session.trial.wanted = session.state;
            session.state.spec.width = session.state.spec.height = 64;
            session.trial.lighter = session.state;
            session.notice[0] = 0;
            draw(2);
            wrong += draw_all("");
            if (session.state.talk.asks != APP_ASKS_NOTHING) {
                for (const char *key = session.state.talk.answers > 0 ? "1" : "12.3"; *key; key++)
                    press(*key);
                press(APP_KEY_PAGE_DOWN);
                wrong += draw_all(" revealed");
            }
            press(APP_KEY_PAGE_DOWN);
        }
        close_session();
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const int unable = test_screen_open(-1);
    if (unable)
        return unable;
    loader = app_recorded_loader_start(APP_RECORDED_DEFAULT, 1.0);
    if (!loader || !app_recorded_loader_wait(loader))
        return 1;
    const int failed = tests_run(NULL, NULL);
    app_recorded_loader_close(loader);
    test_screen_close();
    return failed;
}
