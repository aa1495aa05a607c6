/* The keys of the spotlight, and those that go through the parts of a page. */
#include "keys.h"

/* The key goes through the parts of a page and then to the next one, wherever a smaller or larger
 * window has left the part. */
TEST_WITH(test_parts_of_pages, start, NULL)
{
    state.backend = KRN_BACKEND_CUDA;
    facts.page_parts = 3;
    for (int part = 1; part <= 3; part++) {
        assert_true(state.page == APP_PAGE_CLAIMS && state.part == part);
        assert_int_equal(press('N'), APP_DONE);
    }
    assert_true(state.page == APP_PAGE_METRICS && state.part == 1);
    replies(APP_DONE, 'N', "Page: metrics/2");
    facts.page_parts = 1; /* the window has grown */
    gives('N', state.page == APP_PAGE_BOOK && state.part == 1, true);
    assert_string_equal(reply.text, "Page: book");
    facts.page_parts = 2;
    press('N');
    assert_int_equal(press('-'), APP_DONE); /* the marker's panel is on this page */
    assert_true(state.page == APP_PAGE_BOOK && state.part == 2);
    done("NN-");
    assert_true(state.page == APP_PAGE_BOOK && state.part == 1);
    state.part = APP_PARTS_MAX + 1;
    assert_int_equal(app_state_check(&state, &error), KRN_REFUSED);
    state.part = 1;
    facts.page_parts = 0;
}

/* Key X goes round; N and Ctrl N go through the parts of a subject and the subjects, which begin
 * with that of the page; Esc leaves a whole screen before full screen. */
TEST_WITH(test_spotlight, start, NULL)
{
    says(APP_REFUSED, CTRL | 'N', "X turns it on");
    gives('X', state.spotlight, APP_SPOTLIGHT_SIDE);
    assert_string_equal(reply.text, "Spotlight: side");
    gives('X', state.spotlight, APP_SPOTLIGHT_WHOLE);
    state.fullscreen = state.device_card = true;
    gives(APP_KEY_ESCAPE, !state.device_card && state.spotlight == APP_SPOTLIGHT_WHOLE, true);
    gives(APP_KEY_ESCAPE, state.fullscreen && state.spotlight == APP_SPOTLIGHT_OFF, true);
    press('X');
    press(APP_KEY_ESCAPE); /* beside the picture, it stays */
    assert_true(!state.fullscreen && state.spotlight == APP_SPOTLIGHT_SIDE);

    state.panels = APP_PANELS_OFF;
    assert_int_equal(state.subject, APP_SUBJECT_PAGE);
    facts.subject = APP_SUBJECT_CLAIMS;
    facts.subject_parts = 2;
    gives('N', state.subject == APP_SUBJECT_CLAIMS && state.subject_part == 2, true);
    assert_string_equal(reply.text, "Spotlight: claims 2/2");
    gives('N', state.subject == APP_SUBJECT_PLOT && state.subject_part == 1, true);
    assert_string_equal(reply.text, "Spotlight: plot");
    facts.subject = APP_SUBJECT_PLOT;
    facts.subject_parts = 1;
    assert_int_equal(press('B'), APP_REFUSED);
    gives(CTRL | 'N', state.subject, APP_SUBJECT_CLAIMS);
    assert_int_equal(state.page, APP_PAGE_CLAIMS); /* the pages below stay */
    facts.subject = APP_SUBJECT_CLAIMS;
    assert_int_equal(press('B'), APP_DONE);
    state.subject_part = APP_PARTS_MAX; /* the window has grown */
    facts.subject_parts = 3;
    gives(CTRL | 'N', state.subject_part, 2);

    /* All subjects in a circle, forth and back, each under its name. */
    facts.subject_parts = 1;
    state.subject = APP_SUBJECT_CLAIMS;
    state.subject_part = 1;
    for (int i = 0; i < APP_SUBJECT_COUNT - 1; i++) {
        const enum app_subject subject = state.subject;
        assert_int_equal(state.subject, APP_SUBJECT_CLAIMS + i);
        const int topic = app_subject_topic(subject), claim = app_subject_claim(subject);
        assert_true(topic < 0 || app_subject_of_topic(topic) == subject);
        assert_true(claim < 0 || app_subject_of_claim(claim) == subject);
        assert_true(topic < 0 || claim < 0);
        press('N');
    }
    assert_int_equal(state.subject, APP_SUBJECT_CLAIMS);
    for (int i = 1; i < APP_SUBJECT_COUNT; i++)
        press_ctrl('N');
    assert_int_equal(state.subject, APP_SUBJECT_CLAIMS);

    /* Another page has another first subject. */
    state.spotlight = APP_SPOTLIGHT_OFF;
    state.panels = APP_PANELS_FULL;
    gives('N', state.subject, APP_SUBJECT_PAGE);
    facts.subject_parts = 0;
    state.subject = APP_SUBJECT_COUNT;
    assert_int_equal(app_state_check(&state, &error), KRN_REFUSED);
    state.subject = APP_SUBJECT_PAGE;
    static const char *const wrong[] = {"", "claim", "claims/0", "claims/x", "saxpy/99", "/1"};
    const struct app_value *value = &app_command_by_name("subject")->value;
    struct app_given given;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(app_value_parse(value, wrong[i], &given));
    assert_true(app_value_parse(value, "claims/3", &given));
    assert_true(given.choice == APP_SUBJECT_CLAIMS && given.integer == 3);
}

/* A key whose effect a spotlight covers says so: the state changes all the same. */
TEST_WITH(test_covered_keys, start, NULL)
{
    static const struct {
        int key;
        bool side; /* covered beside the picture, too */
    } covered[] = {{'P', true},
                   {'Y', true},
                   {'G', false},
                   {'Z', false},
                   {APP_KEY_SPACE, false},
                   {APP_KEY_LEFT, false},
                   {APP_KEY_RIGHT, false}};
    facts.pane_width = facts.pane_height = 512;
    for (int shown = APP_SPOTLIGHT_OFF; shown < APP_SPOTLIGHT_COUNT; shown++)
        for (size_t i = 0; i < sizeof covered / sizeof *covered; i++) {
            state = app_state_default();
            state.spotlight = facts.spotlight = (enum app_spotlight)shown;
            state.subject = APP_SUBJECT_CLAIMS;
            state.duel.on = covered[i].key == APP_KEY_LEFT || covered[i].key == APP_KEY_RIGHT;
            state.duel.other = (struct krn_mode){KRN_KERNEL_BOOK, KRN_STORAGE_SHARED, 1};
            const struct app_state before = state;
            assert_int_equal(press(covered[i].key), APP_DONE);
            assert_memory_not_equal(&state, &before, sizeof state);
            const bool hidden =
                shown == APP_SPOTLIGHT_WHOLE || (shown == APP_SPOTLIGHT_SIDE && covered[i].side);
            assert_true(reply.text[0] != 0);
            if ((strstr(reply.text, "behind the spotlight: X ends it") != NULL) != hidden)
                fail_msg("key %d: %s", covered[i].key, reply.text);
        }
    /* With the page's subject, the spotlight itself shows the story plot. */
    state = app_state_default();
    state.spotlight = facts.spotlight = APP_SPOTLIGHT_WHOLE;
    assert_int_equal(press('Y'), APP_DONE);
    assert_null(strstr(reply.text, "behind"));
    /* What stays visible says nothing of the spotlight. */
    static const int seen[] = {'3', 'K', 'T', 'U', 'N', 'H'};
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        assert_int_equal(press(seen[i]), APP_DONE);
        assert_null(strstr(reply.text, "behind"));
    }
    state = app_state_default();
    state.spotlight = APP_SPOTLIGHT_SIDE;
    state.heat = KRN_HEAT_TESTS;
    says(APP_DONE, 'X', "over the heat map");
    /* The keys of the addresses bring their panel into the spotlight. */
    state = app_state_default();
    state.backend = KRN_BACKEND_CUDA;
    state.spotlight = APP_SPOTLIGHT_WHOLE;
    state.subject = APP_SUBJECT_PLOT;
    gives('-', state.subject, APP_SUBJECT_TOPIC_CONSTANT);
    state = app_state_default();
    facts.spotlight = APP_SPOTLIGHT_OFF;
}

/* The phases of frames are collected for the spotlight, too, and have no measurement to repeat. */
TEST_WITH(test_anatomy_in_the_spotlight, start, NULL)
{
    state = app_state_default();
    state.subject = APP_SUBJECT_ANATOMY;
    assert_false(app_state_collects_anatomy(&state));
    state.spotlight = APP_SPOTLIGHT_SIDE;
    assert_true(app_state_collects_anatomy(&state));
    facts.subject = APP_SUBJECT_ANATOMY;
    says(APP_REFUSED, 'B', "every frame");
    state.subject = APP_SUBJECT_PLOT;
    assert_false(app_state_collects_anatomy(&state));
    state.anatomy = APP_ANATOMY_RECORD;
    assert_true(app_state_collects_anatomy(&state));
    state = app_state_default();
    facts.subject = APP_SUBJECT_PAGE;
}
