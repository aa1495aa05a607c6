/* Keys at random: 100000 presses from the command table and beside it, with a talk, pages and
 * the facts of changing machines. After each the state is valid, a refusal says why and changes
 * nothing, and help lists every key that did something. The seed is printed when a check fails;
 * TEST_SEED sets another. */
#include "keys.h"

#include "command/command.h"
#include "talk/talk.h"

enum { PRESSES = 100000 };

static uint32_t seed, first_seed;

static uint32_t next_random(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static struct app_binding random_binding(void)
{
    size_t count;
    const struct app_command_entry *entries = app_commands(&count);
    for (;;) {
        const struct app_binding binding =
            entries[next_random() % count].keys[next_random() % APP_BINDINGS_MAX];
        if (binding.step != APP_STEP_NONE)
            return binding;
    }
}

/* Draws what the session finds on a frame: backends, rates, the pane, and what is on screen. */
static void draw_facts(void)
{
    facts.now_s += next_random() % 100 / 50.0;
    facts.has_backend[KRN_BACKEND_CUDA] = next_random() % 4 != 0;
    facts.pane_width = (int)(next_random() % 20000);
    facts.pane_height = (int)(next_random() % 5000);
    facts.shown = (enum app_panels)(next_random() % APP_PANELS_COUNT);
    facts.empty_subjects = next_random();
    facts.has_left = next_random() % 2 == 0;
    facts.left.mode = krn_mode_at((int)(next_random() % KRN_MODES));
    facts.left.backend = (enum krn_backend_id)(next_random() % KRN_BACKEND_COUNT);
    facts.rate[next_random() % KRN_BACKEND_COUNT][0][next_random() % KRN_STORAGE_COUNT]
              [next_random() % KRN_PIXELS_COUNT] = next_random() * 10.0;
}

/* Returns true when a line of the help screen lists the command's keys. */
static bool is_listed(const struct app_command_entry *entry, enum app_section section)
{
    struct app_help_line lines[APP_HELP_LINES_MAX];
    const size_t n = app_help_keys(lines);
    bool listed = false;
    for (int k = 0; k < APP_BINDINGS_MAX && entry->keys[k].step != APP_STEP_NONE; k++)
        for (size_t i = 0; i < n && entry->keys[k].help != NULL; i++)
            listed = listed || (lines[i].section == section &&
                                strcmp(lines[i].text, entry->keys[k].help) == 0);
    return listed;
}

/* Presses a key as a session does; checks state and reply. */
static enum app_outcome press_one(const struct app_talk *talk, struct app_state *begin, int key,
                                  bool ctrl)
{
    const struct app_state before = state;
    const enum app_outcome outcome = app_press(&state, &facts, key, ctrl, &reply);
    if (outcome != APP_DONE && !same_state(&before, &state))
        fail_msg("seed %u, key %d: %s, but the state has changed", first_seed, key, reply.text);
    if ((outcome == APP_REFUSED || outcome == APP_ASKED) != (reply.text[0] != 0) &&
        outcome != APP_DONE)
        fail_msg("seed %u, key %d: outcome %d with \"%s\"", first_seed, key, (int)outcome,
                 reply.text);
    assert_null(strchr(reply.text, '\n'));
    if (app_talk_follow(talk, begin, &before, &state, &error) != KRN_OK)
        print_message("%s\n", error.text);
    if (app_state_check(&state, &error) != KRN_OK)
        fail_msg("seed %u, key %d: %s", first_seed, key, error.text);
    return outcome;
}

TEST_WITH(test_random_keys, start, NULL)
{
    const char *asked = getenv("TEST_SEED");
    struct app_talk *talk = NULL;
    struct app_state begin = state;
    unsigned outcomes[4] = {0}, situations[APP_WHEN_QUESTION + 2] = {0};
    size_t entries;
    const struct app_command_entry *table = app_commands(&entries);
    bool *used = calloc(entries, sizeof *used);
    assert_non_null(used);
    seed = first_seed = asked ? (uint32_t)strtoul(asked, NULL, 10) : 7;
    TEST_OK(app_talk_read(TEST_SOURCE_DIR "/assets/talks/four-claims.json", &begin, &talk, &error));
    TEST_OK(app_talk_state(talk, &begin, 0, &state, &error));
    for (int i = 0; i < PRESSES; i++) {
        const struct app_binding binding = random_binding();
        const bool bound = next_random() % 8 != 0;
        const int key = bound ? binding.key : (int)(next_random() % APP_KEY_COUNT);
        const bool ctrl = bound ? binding.ctrl : next_random() % 2 == 0;
        struct app_argument argument;
        draw_facts();
        const enum app_when now = app_situation(&state);
        const struct app_command_entry *entry = app_command_by_key(key, ctrl, now, &argument);
        const enum app_outcome outcome = press_one(talk, &begin, key, ctrl);
        assert_true((outcome == APP_IGNORED) == (entry == NULL));
        outcomes[outcome]++;
        situations[(size_t)now < sizeof situations / sizeof *situations ? now : 0]++;
        if (entry != NULL)
            used[entry - table] = true;
        state.requests = 0;
    }
    print_message("done %u, refused %u, asked %u, no such key %u\n", outcomes[APP_DONE],
                  outcomes[APP_REFUSED], outcomes[APP_ASKED], outcomes[APP_IGNORED]);
    for (int i = 0; i < 4; i++)
        assert_true(outcomes[i] > 100);
    assert_true(situations[APP_WHEN_OPEN] > 100 && situations[APP_WHEN_TALK] > 100 &&
                situations[APP_WHEN_QUESTION] > 100);
    for (size_t i = 0; i < entries; i++) {
        if (table[i].keys[0].step == APP_STEP_NONE)
            continue;
        if (!used[i] || !is_listed(&table[i], table[i].section))
            fail_msg("seed %u: %s was %s", first_seed, table[i].name,
                     used[i] ? "pressed, but help does not list it" : "never reached");
    }
    free(used);
    app_talk_free(talk);
}
