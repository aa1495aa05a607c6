/* tests/support/keys.h - helpers of tests of keys: a state without a window, key presses, and
 * checks for refusals. */
#pragma once

#include "expect.h"

#include "command/command.h"
#include "spec/state.h"

#include <stdbool.h>
#include <string.h>

static struct app_state state;
static struct app_facts facts;
static struct app_reply reply;

static inline int start(void **unused)
{
    (void)unused;
    state = app_state_default();
    memset(&facts, 0, sizeof facts);
    facts.live = true;
    facts.has_backend[KRN_BACKEND_CUDA] = facts.has_backend[KRN_BACKEND_CPU] = true;
    facts.now_s = 100;
    for (int b = 0; b < KRN_BACKEND_COUNT; b++)
        for (int k = 0; k < KRN_KERNEL_COUNT; k++)
            for (int s = 0; s < KRN_STORAGE_COUNT; s++)
                for (int p = 0; p < KRN_PIXELS_COUNT; p++)
                    facts.rate[b][k][s][p] = 1e12;
    return 0;
}

static inline enum app_outcome press(int key)
{
    return app_press(&state, &facts, key, false, &reply);
}

/* Presses keys that print a character, each of which is done. */
static inline void done(const char *keys)
{
    for (; *keys != 0; keys++)
        assert_int_equal(press(*keys), APP_DONE);
}

static inline enum app_outcome press_ctrl(int key)
{
    return app_press(&state, &facts, key, true, &reply);
}

/* Compares byte by byte, except for the pending question. */
static inline bool same_state(const struct app_state *a, const struct app_state *b)
{
    struct app_state left = *a, right = *b;
    memset(&left.pending, 0, sizeof left.pending);
    memset(&right.pending, 0, sizeof right.pending);
    return memcmp(&left, &right, sizeof left) == 0;
}

enum { CTRL = 1 << 16 }; /* added to a key: with Ctrl */

/* Checks how a press ends and that the reply has these words; one that is not done changes nothing.
 */
static inline void says(enum app_outcome outcome, int key, const char *words)
{
    const struct app_state before = state;
    assert_int_equal(app_press(&state, &facts, key & ~CTRL, (key & CTRL) != 0, &reply), outcome);
    test_has(reply.text, words);
    assert_true(outcome == APP_DONE || same_state(&before, &state));
}

/* Presses a key, which is done, and checks what it leaves. */
#define gives(key, value, expected)                                                                \
    do {                                                                                           \
        assert_int_equal(app_press(&state, &facts, (key) & ~CTRL, ((key)&CTRL) != 0, &reply),      \
                         APP_DONE);                                                                \
        assert_int_equal(value, expected);                                                         \
    } while (0)

/* As says(), of a reply that is these words. */
static inline void replies(enum app_outcome outcome, int key, const char *words)
{
    says(outcome, key, words);
    assert_string_equal(reply.text, words);
}

/* Checks that the key is refused or needs confirmation, with a reason, and changes nothing. */
static inline void assert_stopped(enum app_outcome outcome, int key)
{
    const struct app_state before = state;
    assert_int_equal(press(key), outcome);
    assert_true(same_state(&before, &state));
    assert_true(strlen(reply.text) > 10);
}

#define assert_says(words) assert_non_null(strstr(reply.text, (words)))
