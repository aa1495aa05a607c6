/* The keys of pages: which page is where, one claim at a time, and what a page in the whole window
 * covers. */
#include "keys.h"

#include "topics/claims.h"

enum { FIRST = APP_SUBJECT_CLAIM_SAXPY, LAST = FIRST + APP_CLAIM_COUNT - 1 };

/* The screen shows what the state asks for. */
TEST_WITH(test_pages, start, NULL)
{
    enum { OFF = APP_PANELS_OFF, SIDE = APP_PANELS_COMPACT, FULL = APP_PANELS_FULL };
    static const struct {
        int key, panels, page;
        const char *words;
    } presses[] = {
        {'P', SIDE, APP_SUBJECT_CLAIMS, "Page: compact"},
        {'N', SIDE, APP_SUBJECT_STORY, "Page: story"},
        {CTRL | 'N', SIDE, APP_SUBJECT_CLAIMS, "Page: claims"},
        {'P', FULL, APP_SUBJECT_CLAIMS, "Page: full"},
        {'P', OFF, APP_SUBJECT_CLAIMS, "Page: off"},
        {'Y', SIDE, APP_SUBJECT_STORY, "Story plot: measures between frames"},
        {'A', SIDE, APP_SUBJECT_ANATOMY, "Page: anatomy"},
        {'P', FULL, APP_SUBJECT_ANATOMY, "Page: full"},
        {'Y', FULL, APP_SUBJECT_STORY, "Story plot"},
        {'Y', OFF, APP_SUBJECT_STORY, "Page: off"},
        {'X', FULL, FIRST, "Page: saxpy-bandwidth"},
        {CTRL | 'X', FULL, LAST, "Page: "},
        {'X', FULL, FIRST, "Page: "},
        {'X', FULL, FIRST + 1, "Page: saxpy-bound"},
        {APP_KEY_ESCAPE, OFF, FIRST + 1, ""},
        {'X', FULL, FIRST, "Page: "},
        {'N', FULL, APP_SUBJECT_STORY, "Page: story"},
        {'P', OFF, APP_SUBJECT_STORY, "Page: off"},
        {'P', SIDE, APP_SUBJECT_STORY, "Page: compact"},
        {'X', SIDE, FIRST, "Page: "},
        {APP_KEY_ESCAPE, SIDE, FIRST, ""},
    };
    says(APP_REFUSED, 'N', "P shows one");
    says(APP_REFUSED, 'B', "P shows one");
    for (size_t i = 0; i < sizeof presses / sizeof *presses; i++) {
        facts.shown = state.look.panels;
        says(APP_DONE, presses[i].key, presses[i].words);
        if ((int)state.look.panels != presses[i].panels || (int)state.look.page != presses[i].page)
            fail_msg("press %zu: panels %d, page %d", i, state.look.panels, state.look.page);
    }
    state.look.hold = true;
    says(APP_REFUSED, 'B', "Enter releases them");
    state.look.hold = false;
    gives('B', state.requests, APP_REQUEST_MEASURE);
    facts.shown = APP_PANELS_FULL; /* where a side has no room */
    gives(APP_KEY_ESCAPE, state.look.panels, APP_PANELS_OFF);
    /* In a talk Escape leaves the talk. */
    state.look.panels = APP_PANELS_FULL;
    state.talk.on = true;
    gives(APP_KEY_ESCAPE, state.talk.on, false);
    assert_int_equal(state.look.panels, APP_PANELS_FULL);
}

/* The topics with numbers in a circle, forth and back. */
TEST_WITH(test_pages_in_turn, start, NULL)
{
    facts.empty_subjects = 1u << APP_SUBJECT_TOPIC_TIMER | 1u << APP_SUBJECT_TOPIC_CONSTANT;
    state.look.panels = APP_PANELS_COMPACT;
    for (int t = -2; t < KRN_TOPIC_COUNT; t++) {
        const enum app_subject now = t == -2   ? APP_SUBJECT_STORY
                                     : t == -1 ? APP_SUBJECT_CLASS
                                               : (enum app_subject)(APP_SUBJECT_TOPIC_TIMER + t);
        if (facts.empty_subjects >> now & 1)
            continue;
        const enum app_subject before = state.look.page;
        gives('N', state.look.page, now);
        gives(CTRL | 'N', state.look.page, before);
        press('N');
        assert_true(t < 0 || (app_subject_topic(now) == t && app_subject_claim(now) < 0));
    }
    gives('N', state.look.page, APP_SUBJECT_CLAIMS);
    for (int c = 0; c < APP_CLAIM_COUNT; c++) {
        gives('X', app_subject_claim(state.look.page), c);
        assert_int_equal(app_subject_topic(state.look.page), -1);
        assert_int_equal(app_subject_of_claim(c), state.look.page);
    }
    facts.empty_subjects = ~0u;
    gives('N', state.look.page, APP_SUBJECT_STORY);
    gives('N', state.look.page, APP_SUBJECT_CLAIMS);
    facts.empty_subjects = 0;
    state.look.page = APP_SUBJECT_COUNT;
    assert_int_equal(app_state_check(&state, &error), KRN_REFUSED);
}

/* A key whose effect the page covers says so: the state changes all the same. */
TEST_WITH(test_covered_keys, start, NULL)
{
    static const int covered[] = {'G', 'Z', APP_KEY_SPACE, APP_KEY_LEFT, APP_KEY_RIGHT},
                     seen[] = {'3', 'K', 'T', 'U', 'N', 'H'};
    facts.pane_width = facts.pane_height = 512;
    for (int shown = APP_PANELS_OFF; shown < APP_PANELS_COUNT; shown++) {
        facts.shown = (enum app_panels)shown;
        for (size_t i = 0; i < sizeof covered / sizeof *covered; i++) {
            state = app_state_default();
            state.spec.duel.on = covered[i] >= APP_KEY_UP;
            state.spec.duel.other = (struct krn_mode){KRN_KERNEL_BOOK, KRN_STORAGE_SHARED, 1};
            const struct app_state before = state;
            says(APP_DONE, covered[i],
                 shown == APP_PANELS_FULL ? "behind the page: P ends it" : "");
            assert_memory_not_equal(&state, &before, sizeof state);
            assert_true(shown == APP_PANELS_FULL || strstr(reply.text, "behind") == NULL);
        }
        state = app_state_default();
        state.look.panels = APP_PANELS_FULL;
        for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
            assert_int_equal(press(seen[i]), APP_DONE);
            assert_null(strstr(reply.text, "behind"));
        }
    }
    facts.shown = APP_PANELS_OFF;
}

/* The phases of frames are collected for their page, or for the record. */
TEST_WITH(test_anatomy, start, NULL)
{
    assert_false(app_state_collects_anatomy(&state));
    gives('A', app_state_collects_anatomy(&state), true);
    says(APP_REFUSED, 'B', "every frame");
    gives('A', app_state_collects_anatomy(&state), false);
    state.look.anatomy = APP_ANATOMY_RECORD;
    assert_true(app_state_collects_anatomy(&state));
}
