/* A shipped talk in a session without a GPU: every question has an answer, no answer is on screen
 * before its question, keys change a step and the next one restores its own state.
 * PANELS_PICTURES=FOLDER writes every step of both talks to FOLDER, in the size TALK_SIZE. */
#include "offscreen.h"
#include "seen.h"

#include "base/environment.h"
#include "command/keys.h"
#include "window/session.h"
#include "window/talk/session_talk.h"

#include "ren/png.h"

#include <stdlib.h>

static int width = 1280, height = 720;

static struct app_session session;
static struct app_environment environment;
static struct app_engine *engine;
static struct app_recorded_loader *loader;
static struct app_state start_state;
static struct app_run run;
static struct app_talk *talk;
static struct seen seen;
static struct app_draw_witness witness;
static double now_s;
static const char *talk_name;

static void open_session(const char *name, bool play)
{
    struct krn_error error;
    char notice[APP_NOTICE_MAX], path[512];
    talk_name = name;
    run = app_run_default();
    run.backend = KRN_BACKEND_CPU;
    run.panel_share = 0.0; /* this machine measures nothing beside the frames */
    start_state = app_state_default();
    start_state.vsync = false;
    TEST_OK(app_engine_open(&engine, &run, &start_state, notice, &error), error);
    snprintf(path, sizeof path, "%s/assets/talks/%s.json", TEST_SOURCE_DIR, name);
    TEST_OK(app_talk_read(path, &start_state, &talk, &error), error);
    const struct app_session_start start = {.engine = engine,
                                            .renderer = renderer,
                                            .environment = &environment,
                                            .state = &start_state,
                                            .run = &run,
                                            .context = "",
                                            .fallback_reason = "",
                                            .talk = talk,
                                            .recorded = loader,
                                            .play = play,
                                            .live = true};
    app_session_open(&session, &start);
    session.witness = &witness;
    now_s = 0.0;
}

static void close_session(void)
{
    app_session_close(&session);
    app_engine_close(engine);
    app_talk_free(talk);
}

/* Draws frames; the witness has seen the last one. */
static void frames(int count)
{
    const struct app_session_target target = {width, height, 1.0f};
    struct krn_error error;
    for (; count > 0; count--) {
        now_s += 10.0; /* no notice stays */
        session.state.requests &= ~(unsigned)APP_REQUEST_MEASURE;
        witness = seen_begin(&seen);
        TEST_OK(app_session_frame(&session, &target, now_s, &error), error);
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

static void save(const char *name)
{
    const char *folder = getenv("PANELS_PICTURES");
    char path[512];
    struct krn_error error;
    if (!folder)
        return;
    unsigned char *rgba = malloc(4 * (size_t)width * (size_t)height);
    assert_non_null(rgba);
    TEST_OK(ren_frame_read(renderer, rgba, &error), error);
    snprintf(path, sizeof path, "%s/step_%s_%dx%d.png", folder, name, width, height);
    TEST_OK(ren_png_write(path, &(struct ren_png){width, height, rgba, "", NULL}, true, &error),
            error);
    free(rgba);
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
    char name[96];
    frames(2);
    snprintf(name, sizeof name, "%s_%s_%02d", talk_name, session.play ? "recorded" : "cpu",
             number + 1);
    save(name);
    assert_int_equal(session.state.talk.step, number);
    assert_int_equal(app_session_talk_fault(&session)[0], 0);
    /* No claim that a later question asks about has a number on screen. */
    bool hidden[APP_CLAIM_COUNT];
    app_talk_hidden(talk, &session.state.talk, hidden);
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        const struct app_claim *claim = recorded_claim((enum app_claim_id)i);
        if (hidden[i] && has(claim->interval[0] ? claim->interval : claim->now))
            fail_msg("step %s tells claim %s", step->id, claim->id);
    }
    if (question->asks == APP_ASKS_NOTHING)
        return;
    if (question->source.kind == APP_SOURCE_CLAIM)
        assert_true(hidden[question->source.claim]);
    press('1');
    if (question->asks == APP_ASKS_NUMBER)
        press(APP_KEY_ENTER);
    press(APP_KEY_ENTER);
    frames(1);
    snprintf(name, sizeof name, "%s_%s_%02d_reveal", talk_name, session.play ? "recorded" : "cpu",
             number + 1);
    save(name);
    assert_true(session.state.talk.revealed);
    /* The recorded run answers, stamped; alone, or beside this machine. */
    const struct app_talk_shown *shown = &session.shown_talk;
    const struct app_talk_measured *answer = session.play ? &shown->measured : &shown->recorded;
    assert_true(answer->valid && answer->number[0]);
    assert_true(answer->trust & APP_TRUST_BIT(APP_TRUST_RECORDED));
    assert_true(session.play == (shown->recorded_device == NULL));
    assert_true(app_talk_answer(shown)->valid && shown->guess.text[0]);
    if ((!has("RECORDED NVIDIA H200") && !has("RECORDED H200")) || !has(answer->number))
        fail_msg("step %s does not show the recorded answer %s", step->id, answer->number);
    if (question->source.kind == APP_SOURCE_CLAIM)
        assert_string_equal(answer->number, recorded_claim(question->source.claim)->now);
}

static void give(const char *name, bool play)
{
    open_session(name, play);
    for (int i = 0; i < talk->step_count; i++) {
        check_step(i);
        press(APP_KEY_PAGE_DOWN);
    }
    close_session();
}

static void test_on_a_cpu(void **unused)
{
    (void)unused;
    give("four-claims", false);
}

static void test_from_a_recorded_run(void **unused)
{
    (void)unused;
    give("four-claims", true);
}

static void test_all_pictures(void **unused)
{
    (void)unused;
    if (!getenv("PANELS_PICTURES"))
        skip(); /* its scenes are slow on a CPU */
    give("ray-tracer", false);
}

/* X and N change the step on screen; the next step and the step back have their own states. */
static void test_keys_of_the_spotlight(void **unused)
{
    (void)unused;
    struct krn_error error;
    struct app_state expected;
    open_session("four-claims", true);
    frames(1);
    press(APP_KEY_PAGE_DOWN);
    frames(1);
    assert_int_equal(session.state.spotlight, APP_SPOTLIGHT_SIDE);
    assert_int_equal(session.state.subject, APP_SUBJECT_CLAIM_CONSTANT_KERNEL);
    press('X');
    frames(1);
    assert_int_equal(session.facts.spotlight, APP_SPOTLIGHT_WHOLE);
    press('N');
    assert_int_equal(session.state.subject, APP_SUBJECT_CLAIM_CONSTANT_KERNEL + 1);
    frames(1);
    press('P'); /* a panel that nobody sees */
    assert_non_null(strstr(session.notice, "behind the spotlight"));
    press('X');
    assert_int_equal(session.state.spotlight, APP_SPOTLIGHT_OFF);
    press('N'); /* the page of the panels: not the step's */
    frames(1);
    press(APP_KEY_PAGE_DOWN);
    for (int step = 2; step >= 1; step--) {
        TEST_OK(app_talk_state(talk, &session.talk_start, step, &expected, &error), error);
        assert_int_equal(session.state.talk.step, step);
        assert_int_equal(session.state.spotlight, APP_SPOTLIGHT_SIDE);
        assert_int_equal(session.state.subject, APP_SUBJECT_CLAIM_CONSTANT_KERNEL);
        assert_true(session.state.panels == expected.panels && session.state.page == expected.page);
        assert_int_equal(session.state.subject_part, expected.subject_part);
        frames(1);
        press('X');
        press('N');
        press(APP_KEY_PAGE_UP);
    }
    /* The step before the spotlight has none, and Home restores a step. */
    assert_int_equal(session.state.talk.step, 0);
    assert_int_equal(session.state.spotlight, APP_SPOTLIGHT_OFF);
    press('X');
    press(APP_KEY_HOME);
    assert_int_equal(session.state.spotlight, APP_SPOTLIGHT_OFF);
    close_session();
}

/* A step that points at something that is not there has a fault. */
static void test_faults(void **unused)
{
    (void)unused;
    open_session("four-claims", true);
    frames(1);
    assert_int_equal(app_session_talk_fault(&session)[0], 0);
    session.state.spotlight = APP_SPOTLIGHT_WHOLE;
    session.state.subject = APP_SUBJECT_STORY;
    session.state.width = session.state.height = 96; /* no record has this size */
    frames(1);
    assert_non_null(strstr(app_session_talk_fault(&session), "story plot shows nothing"));
    session.state.spotlight = APP_SPOTLIGHT_OFF;
    struct app_talk_step *step = &talk->steps[session.state.talk.step];
    step->question.asks = APP_ASKS_NUMBER;
    step->question.text = step->question.unit = "ms";
    step->question.source.kind = APP_SOURCE_TIME;
    step->question.source.modes[0] = session.state.mode;
    frames(1);
    assert_non_null(strstr(app_session_talk_fault(&session), "nothing answers its question: not "
                                                             "recorded: 96"));
    session.play = false; /* this machine measures the time itself */
    assert_int_equal(app_session_talk_fault(&session)[0], 0);
    close_session();
}

int main(void)
{
    const char *size = getenv("TALK_SIZE");
    if (size && sscanf(size, "%dx%d", &width, &height) != 2)
        return 1;
    const int unable = test_screen_open(-1);
    if (unable)
        return unable;
    loader = app_recorded_loader_start(TEST_SOURCE_DIR
                                       "/assets/runs/nvidia-h200-all.json," TEST_SOURCE_DIR
                                       "/assets/runs/nvidia-h200-sweep.json",
                                       1.0);
    if (!loader || !app_recorded_loader_wait(loader))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_on_a_cpu),     cmocka_unit_test(test_from_a_recorded_run),
        cmocka_unit_test(test_all_pictures), cmocka_unit_test(test_keys_of_the_spotlight),
        cmocka_unit_test(test_faults),
    };
    const int failed = cmocka_run_group_tests_name("talk_steps", tests, NULL, NULL);
    app_recorded_loader_close(loader);
    test_screen_close();
    return failed;
}
