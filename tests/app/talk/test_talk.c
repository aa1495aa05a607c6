/* Talks: every way in which a file can be wrong, the states of the steps, the keys of a talk, and
 * guesses against measurements. */
#include "keys.h"

#include "base/files.h"
#include "talk/talk.h"

#define HEAD "{\"schema\": \"spherescope-talk-1\", \"title\": \"T\", \"minutes\": 2, \"steps\": ["
#define TAIL "]}"
#define STEP(more) HEAD "{\"id\": \"one\", \"minutes\": 1" more "}" TAIL
#define MEASURED "\"measured\": {\"claim\": \"constant-kernel\"}"
#define NUMBER(more)                                                                               \
    ", \"question\": {\"text\": \"q\", \"kind\": \"number\", \"lowest\": 0, \"highest\": 9" more "}"
#define CHOICE(answers)                                                                            \
    ", \"question\": {\"text\": \"q\", \"kind\": \"choice\", \"answers\": [" answers               \
    "], " MEASURED "}"

#define RATIO NUMBER(", \"measured\": {\"ratio\": \"book/global,book/shared\"}")
#define DUEL ", \"set\": {\"duel\": \"book/shared,book/global\"}"

/* Parses a copy in memory of its exact size, so that a sanitizer reports reads past its end. */
static enum krn_code parse(const char *text, struct app_talk **talk)
{
    const size_t length = strlen(text);
    TEST_FREED char *copy = test_alloc(length + 1);
    memcpy(copy, text, length + 1);
    memset(&error, 0, sizeof error);
    return app_talk_parse(copy, length, "some/talk.json", talk, &error);
}

static struct app_talk *parse_good(const char *text)
{
    struct app_talk *talk = NULL;
    TEST_OK(parse(text, &talk));
    return talk;
}

/* Expects a refusal in one line that names the file and contains `words`. */
static void refuse(const char *text, const char *words)
{
    struct app_talk *talk = NULL;
    if (parse(text, &talk) != KRN_REFUSED)
        fail_msg("not refused: %.200s", text);
    assert_null(talk);
    if (strstr(error.text, words) == NULL || strstr(error.text, "some/talk.json") == NULL ||
        strchr(error.text, '\n') != NULL)
        fail_msg("\"%s\" lacks \"%s\" or the file", error.text, words);
}

/* Expects a refusal that also names the step. */
static void refuse_step(const char *text, const char *words)
{
    refuse(text, words);
    if (strstr(error.text, "step one") == NULL)
        fail_msg("\"%s\" does not name the step", error.text);
}

TEST(test_wrong_files)
{
    refuse("", "empty");
    refuse("{", "line 1");
    refuse("[]", "must be an object");
    refuse("{\"title\": \"a\\u0000b\"}", "line 1: a text contains \\u0000.");
    refuse("{\"a\\u0000b\": 1}", "line 1: the name of a member contains \\u0000.");
    refuse("{}", "schema");
    refuse("{\"schema\": \"spherescope-talk-2\"}", "spherescope-talk-1");
    refuse("{\"schema\": \"spherescope-talk-1\"}", "title is missing");
    refuse(HEAD TAIL, "1 to 100 steps");
    refuse(HEAD "1" TAIL, "must be an object with an id");
    refuse(HEAD "{}" TAIL, "id is missing");
    refuse(HEAD "{\"id\": \"One\"}" TAIL, "a-z");
    refuse(HEAD "{\"id\": \"\"}" TAIL, "1 to 32");
    refuse(HEAD "{\"id\": \"a\", \"minutes\": 1}, {\"id\": \"a\", \"minutes\": 1}" TAIL,
           "earlier step");
    refuse("{\"schema\": \"spherescope-talk-1\", \"title\": \"T\", \"minutes\": 2, \"more\": 1, "
           "\"steps\": []}",
           "unknown member");
}

TEST(test_wrong_steps)
{
    refuse_step(HEAD "{\"id\": \"one\"}" TAIL, "minutes is missing");
    refuse_step(STEP(", \"minute\": 1"), "unknown member");
    /* The longest sentence is whole. */
    refuse_step(STEP(", \"set\": {\"page\": \"?\"}"), ", as in constant-kernel.");
    refuse_step(STEP(", \"caption\": 1"), "text of 1 to 120");
    refuse_step(STEP(", \"caption\": \"a\\nb\""), "one line");
    refuse_step(STEP(", \"caption\": \"a\\u001bb\""), "one line");
    refuse_step(STEP(", \"notes\": \"\""), "1 to 2000");
    refuse_step(STEP(", \"body\": \"x\""), "1 to 3 texts");
    refuse_step(STEP(", \"body\": [\"a\", \"b\", \"c\", \"d\"]"), "1 to 3 texts");
    refuse_step(STEP(", \"do\": [\"quit\"]"), "measure");
    refuse_step(STEP(", \"do\": \"measure\""), "measure");
    refuse_step(STEP(", \"reveal\": \"x\""), "no question");
    refuse_step(STEP(", \"set\": []"), "object of at most");
    refuse_step(STEP(", \"set\": {\"storag\": \"global\"}"), "not an option that a step can set");
    refuse_step(STEP(", \"set\": {\"json\": \"x.json\"}"), "not an option that a step can set");
    refuse_step(STEP(", \"set\": {\"backend\": \"cpu\"}"), "not an option that a step can set");
    refuse_step(STEP(", \"set\": {\"storage\": \"disk\"}"), "takes global");
    refuse_step(STEP(", \"set\": {\"spheres\": \"0\"}"), "takes an integer");
    refuse_step(STEP(", \"set\": {\"spheres\": 20}"), "text");
    refuse_step(STEP(", \"set\": {\"fullscreen\": \"yes\"}"), "on or off");
    refuse_step(STEP(", \"set\": {\"scene\": \"/etc/passwd\"}"), "below the talk's folder");
    refuse_step(STEP(", \"set\": {\"scene\": \"../x.json\"}"), "below the talk's folder");
    refuse_step(STEP(", \"set\": {\"scene\": \"a/../../x.json\"}"), "below the talk's folder");
}

TEST(test_wrong_questions)
{
    refuse_step(STEP(", \"question\": {\"text\": \"q\"}"), "choice or number");
    refuse_step(STEP(NUMBER("")), "measured must be");
    refuse_step(STEP(NUMBER(", \"measured\": {}")), "claim, ratio or time");
    refuse_step(STEP(NUMBER(", \"measured\": {\"claim\": \"no-claim\"}")), "id of a claim");
    refuse_step(STEP(NUMBER(", \"measured\": {\"ratio\": \"book/global\"}")), "two modes");
    refuse_step(STEP(NUMBER(", \"measured\": {\"ratio\": \"strip/global/3,book/global\"}")),
                "two modes");
    refuse_step(STEP(NUMBER(", \"measured\": {\"time\": \"book/global/8\"}")), "a mode");
    refuse_step(STEP(NUMBER(", \"measured\": {\"time\": \"book\"}")), "a mode");
    refuse_step(STEP(NUMBER(", \"measured\": {\"time\": \"book/global\"}")), "unit must be");
    refuse_step(STEP(NUMBER(", \"answers\": [], " MEASURED)), "unknown member");
    refuse_step(STEP(", \"question\": {\"text\": \"q\", \"kind\": \"number\", \"lowest\": 3, "
                     "\"highest\": 2, " MEASURED "}"),
                "highest must be");
    refuse_step(STEP(CHOICE("{\"text\": \"a\"}")), "2 to 5 answers");
    refuse_step(STEP(CHOICE("{\"text\": \"a\"}, 1")), "object with a text");
    refuse_step(STEP(CHOICE("{\"text\": \"a\"}, {\"text\": \"b\", \"from\": 2, \"to\": 1}")),
                "empty range");
    refuse_step(STEP(CHOICE("{\"text\": \"a\"}, {\"text\": \"b\", \"verdict\": \"MAYBE\"}")),
                "verdict");
}

/* A talk of four steps: a mode, a choice, a number, and another scene. */
static const char four[] =
    HEAD "{\"id\": \"a\", \"minutes\": 1, \"caption\": \"A\", \"set\": {\"storage\": \"shared\", "
         "\"hud\": \"off\"}},"
         "{\"id\": \"b\", \"minutes\": 2, \"set\": {\"pixels-per-thread\": \"8\", \"kernel\": "
         "\"strip\"}, \"question\": {\"text\": \"q\", \"kind\": \"choice\", \"answers\": "
         "[{\"text\": \"x\", \"to\": 1}, {\"text\": \"y\", \"from\": 1}, {\"text\": \"z\"}], "
         "\"measured\": {\"ratio\": \"strip/shared/8,book/shared\"}}},"
         "{\"id\": \"c\", \"minutes\": 0.5, \"do\": [\"measure\"], \"question\": {\"text\": \"q\", "
         "\"kind\": \"number\", \"unit\": \"µs\", \"lowest\": 1, \"highest\": 500, \"measured\": "
         "{\"time\": \"strip/shared/8\"}}},"
         "{\"id\": \"d\", \"minutes\": 1, \"caption\": \"D\", \"set\": {\"spheres\": \"100\", "
         "\"theme\": \"light\", \"fullscreen\": \"on\", \"duel\": "
         "\"book/global,book/constant\"}}" TAIL;

TEST(test_states_depend_on_the_steps_alone)
{
    struct app_talk *talk = parse_good(four);
    const struct app_state begin = app_state_default();
    struct app_state states[4], again;
    for (int i = 0; i < 4; i++)
        TEST_OK(app_talk_state(talk, &begin, i, &states[i], &error));
    assert_int_equal(states[0].spec.mode.storage, KRN_STORAGE_SHARED);
    assert_false(states[0].look.hud);
    /* The kernel comes first, whatever the order in the file: it would reset the pixels. */
    assert_int_equal(states[1].spec.mode.kernel, KRN_KERNEL_STRIP);
    assert_int_equal(states[1].spec.mode.pixels_per_thread, 8);
    assert_int_equal(states[2].spec.mode.storage, KRN_STORAGE_SHARED);
    assert_int_equal(states[3].spec.recipe.count, 100);
    assert_true(states[3].look.fullscreen && states[3].spec.duel.on);
    assert_int_equal(states[3].talk.step, 3);
    for (int i = 3; i >= 0; i--) {
        TEST_OK(app_talk_state(talk, &begin, i, &again, &error));
        assert_memory_equal(&again, &states[i], sizeof again);
    }
    assert_true(app_talk_minutes_before(talk, 3) == 3.5);
    app_talk_free(talk);
}

TEST(test_impossible_steps)
{
    struct app_talk *talk =
        parse_good(STEP(", \"set\": {\"storage\": \"constant\", \"spheres\": \"5000\"}"));
    const struct app_state begin = app_state_default();
    struct app_state now = begin;
    TEST_FAILS(app_talk_state(talk, &begin, 0, &now, &error), KRN_REFUSED, "step one: ");
    assert_memory_equal(&now, &begin, sizeof now);
    app_talk_free(talk);
}

/* A step sets the view and what belongs to it, and the next step may go on from there. */
TEST(test_steps_of_the_light_view)
{
    struct app_talk *talk = parse_good(
        HEAD "{\"id\": \"a\", \"minutes\": 1, \"set\": {\"samples\": \"4\", \"camera\": "
             "\"30:20:2.5\", \"bounces\": \"2\", \"camera-path\": \"on\", \"view\": "
             "\"light\"}},"
             "{\"id\": \"b\", \"minutes\": 1, \"set\": {\"kernel\": \"tree\", \"bounces\": "
             "\"0\"}},"
             "{\"id\": \"c\", \"minutes\": 1, \"set\": {\"view\": \"book\"}},"
             "{\"id\": \"d\", \"minutes\": 1, \"set\": {\"duel\": "
             "\"brute/global,tree/global\"}}" TAIL);
    const struct app_state begin = app_state_default();
    struct app_state now;
    TEST_OK(app_talk_state(talk, &begin, 0, &now, &error));
    assert_int_equal(now.spec.mode.kernel, KRN_KERNEL_BRUTE);
    assert_true(now.spec.light.samples == 4 && now.spec.light.bounces == 2 && now.spec.camera_path);
    assert_true(now.spec.light.camera.yaw == 30.0f && now.spec.light.camera.distance == 2.5f);
    TEST_OK(app_talk_state(talk, &begin, 1, &now, &error));
    assert_true(now.spec.mode.kernel == KRN_KERNEL_TREE && now.spec.light.samples == 4);
    assert_int_equal(now.spec.light.bounces, 0);
    TEST_OK(app_talk_state(talk, &begin, 2, &now, &error));
    assert_int_equal(now.spec.mode.kernel, KRN_KERNEL_BOOK);
    TEST_OK(app_talk_state(talk, &begin, 3, &now, &error));
    assert_true(now.spec.mode.kernel == KRN_KERNEL_BRUTE &&
                now.spec.duel.other.kernel == KRN_KERNEL_TREE);
    app_talk_free(talk);
    talk = parse_good(STEP(", \"set\": {\"view\": \"book\", \"kernel\": \"tree\"}"));
    TEST_FAILS(app_talk_state(talk, &begin, 0, &now, &error), KRN_REFUSED,
               "step one: set.view: book, but the tree kernel");
    app_talk_free(talk);
    refuse_step(STEP(", \"set\": {\"camera\": \"1:2\"}"), "YAW:PITCH:DISTANCE");
    refuse_step(STEP(", \"set\": {\"samples\": \"2\"}"), "1, 4 or 16");
}

TEST(test_paths_are_below_the_talk)
{
    struct app_talk *talk = parse_good(STEP(", \"set\": {\"scene\": \"more/x.json\"}"));
    const struct app_state begin = app_state_default();
    struct app_state now;
    TEST_OK(app_talk_state(talk, &begin, 0, &now, &error));
    assert_string_equal(now.spec.scene_path, "some/more/x.json");
    app_talk_free(talk);
}

/* ---- keys ---- */

static struct app_talk *given;
static struct app_state begin_state;

static int open_talk(void **unused)
{
    start(unused);
    given = parse_good(four);
    begin_state = state;
    TEST_OK(app_talk_state(given, &begin_state, 0, &state, &error));
    return 0;
}

static int close_talk(void **unused)
{
    (void)unused;
    app_talk_free(given);
    return 0;
}

/* Press a key as a session does. */
static enum app_outcome hit_with(bool ctrl, int key)
{
    const struct app_state before = state;
    const enum app_outcome outcome = app_press(&state, &facts, key, ctrl, &reply);
    TEST_OK(app_talk_follow(given, &begin_state, &before, &state, &error));
    return outcome;
}

static enum app_outcome hit(int key)
{
    return hit_with(false, key);
}

static void hit_all(const char *keys)
{
    for (; *keys != 0; keys++)
        assert_int_equal(hit(*keys), APP_DONE);
}

TEST_WITH(test_keys_without_a_talk, open_talk, close_talk)
{
    state = app_state_default();
    state.look.panels = APP_PANELS_COMPACT;
    const int keys[] = {APP_KEY_PAGE_DOWN, APP_KEY_PAGE_UP, APP_KEY_F5, APP_KEY_BACKSPACE, '9'};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_int_equal(press(keys[i]), APP_IGNORED);
    assert_int_equal(press('B'), APP_DONE);
    assert_true((state.requests & APP_REQUEST_MEASURE) != 0);
    gives('2', state.spec.mode.storage, 1);
}

TEST_WITH(test_steps_by_keys, open_talk, close_talk)
{
    const struct app_state first = state;
    assert_int_equal(hit(APP_KEY_PAGE_UP), APP_REFUSED);
    hit(APP_KEY_PAGE_DOWN);
    assert_int_equal(state.talk.step, 1);
    assert_int_equal(state.spec.mode.kernel, KRN_KERNEL_STRIP);
    hit(APP_KEY_PAGE_DOWN); /* the question's answer */
    assert_true(state.talk.revealed);
    assert_int_equal(state.talk.step, 1);
    hit(APP_KEY_PAGE_DOWN);
    assert_int_equal(state.talk.step, 2);
    assert_true((state.requests & APP_REQUEST_MEASURE) != 0);
    state.requests = 0;
    hit(APP_KEY_PAGE_DOWN);
    hit(APP_KEY_PAGE_DOWN);
    assert_int_equal(state.talk.step, 3);
    assert_int_equal(hit(APP_KEY_PAGE_DOWN), APP_REFUSED);
    /* Going back gives the same states, and does not measure again. */
    hit(APP_KEY_PAGE_UP);
    assert_int_equal(state.requests, 0);
    hit(APP_KEY_PAGE_UP);
    hit(APP_KEY_PAGE_UP);
    assert_memory_equal(&state, &first, sizeof state);
}

TEST_WITH(test_improvisation_ends_with_the_step, open_talk, close_talk)
{
    hit('3');
    hit('U');
    assert_int_equal(state.spec.mode.storage, KRN_STORAGE_CONSTANT);
    hit(APP_KEY_HOME);
    assert_int_equal(state.spec.mode.storage, KRN_STORAGE_SHARED);
    assert_false(state.look.hud);
    assert_int_equal(state.requests, 0);
    /* What belongs to the room stays; the fourth step sets the theme, the third does not. */
    hit('T');
    hit('T');
    assert_int_equal(state.look.theme, APP_THEME_PROJECTOR);
    hit(APP_KEY_PAGE_DOWN);
    assert_int_equal(state.look.theme, APP_THEME_PROJECTOR);
    for (int i = 0; i < 4; i++)
        hit(APP_KEY_PAGE_DOWN);
    assert_int_equal(state.talk.step, 3);
    assert_int_equal(state.look.theme, APP_THEME_LIGHT);
    hit(APP_KEY_PAGE_UP);
    assert_int_equal(state.look.theme, APP_THEME_PROJECTOR);
}

TEST_WITH(test_leaving_and_blanking, open_talk, close_talk)
{
    hit('F');
    hit('H');
    hit(APP_KEY_ESCAPE); /* closes the help */
    assert_true(state.talk.on && !state.look.help);
    hit(APP_KEY_ESCAPE); /* leaves the talk */
    assert_true(!state.talk.on && state.look.fullscreen);
    hit(APP_KEY_ESCAPE);
    assert_true(!state.look.fullscreen && (state.requests & APP_REQUEST_QUIT) == 0);
    hit('3');
    hit(APP_KEY_PAGE_DOWN); /* returns to the same step, with its state */
    assert_true(state.talk.on);
    assert_int_equal(state.talk.step, 0);
    assert_int_equal(state.spec.mode.storage, KRN_STORAGE_SHARED);
    hit(APP_KEY_ESCAPE);
    hit(APP_KEY_F5);
    assert_true(state.talk.on);
    hit('.');
    assert_true(state.talk.blank);
    hit('B');
    assert_false(state.talk.blank);
    assert_int_equal(state.requests, 0);
    hit('B');
    hit(APP_KEY_PAGE_DOWN); /* first shows the screen again */
    assert_true(!state.talk.blank && state.talk.step == 0);
    state.look.fullscreen = false;
    assert_int_equal(hit('Q'), APP_ASKED);
    facts.now_s += 1.0;
    assert_int_equal(hit('Q'), APP_DONE);
    assert_true((state.requests & APP_REQUEST_QUIT) != 0);
}

TEST_WITH(test_a_choice, open_talk, close_talk)
{
    hit(APP_KEY_PAGE_DOWN);
    const struct krn_mode mode = state.spec.mode;
    assert_int_equal(hit('4'), APP_REFUSED);
    assert_int_equal(hit('0'), APP_REFUSED);
    hit_all("12");
    assert_int_equal(state.talk.choice, 2);
    assert_true(krn_mode_equal(state.spec.mode, mode));
    hit(APP_KEY_ENTER);
    assert_true(state.talk.revealed && !state.look.hold);
    hit('1'); /* the storage's key again */
    assert_int_equal(state.spec.mode.storage, KRN_STORAGE_GLOBAL);
    assert_int_equal(state.talk.choice, 2);
    hit(APP_KEY_ENTER);
    assert_true(state.talk.step == 2 && !state.look.hold);
    /* On the way back it is as it was left; who comes from before it has not guessed yet. */
    hit(APP_KEY_PAGE_UP);
    assert_true(state.talk.step == 1 && state.talk.revealed && state.talk.choice == 2);
    hit(APP_KEY_PAGE_UP);
    hit(APP_KEY_PAGE_DOWN);
    assert_true(state.talk.step == 1 && !state.talk.revealed && state.talk.choice == 0);
}

/* Whatever a remote control sends goes on or back, and does what it does without a talk only with
 * Ctrl, or when the talk has been left. */
TEST_WITH(test_remote_controls, open_talk, close_talk)
{
    static const int on[] = {APP_KEY_PAGE_DOWN, APP_KEY_RIGHT, APP_KEY_DOWN, APP_KEY_ENTER,
                             APP_KEY_SPACE},
                     back[] = {APP_KEY_PAGE_UP, APP_KEY_LEFT, APP_KEY_UP};
    const struct app_state first = state;
    for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
        hit(on[i]);
        assert_int_equal(state.talk.step, 1);
        hit(on[i]); /* the question's answer */
        assert_true(state.talk.step == 1 && state.talk.revealed);
        hit(on[i]);
        assert_int_equal(state.talk.step, 2);
        state.requests = 0;
        for (int k = 0; k < 2; k++)
            hit(back[i % 3]);
        assert_memory_equal(&state, &first, sizeof state);
        hit('.');
        hit(on[i]); /* shows the screen again */
        assert_memory_equal(&state, &first, sizeof state);
    }
    const int spheres = state.spec.recipe.count;
    hit_with(true, APP_KEY_UP);
    assert_int_equal(state.spec.recipe.count, 2 * spheres);
    hit_with(true, APP_KEY_DOWN);
    assert_int_equal(state.spec.recipe.count, spheres);
    hit_with(true, APP_KEY_ENTER);
    assert_true(state.look.hold);
    hit_with(true, APP_KEY_ENTER);
    const bool motion = state.spec.motion;
    hit_with(true, APP_KEY_SPACE);
    assert_int_equal(state.spec.motion, !motion);
    hit(APP_KEY_TAB);
    const double divider = state.spec.duel.divider;
    hit_with(true, APP_KEY_LEFT);
    assert_true(state.spec.duel.divider < divider);
    hit_with(true, APP_KEY_RIGHT);
    assert_true(hit_with(true, 'B') != APP_IGNORED && !state.talk.blank);
    assert_int_equal(hit_with(true, 'Q'), APP_IGNORED);
    assert_int_equal(state.talk.step, 0);
    hit(APP_KEY_DOWN);
    hit_with(true, '3'); /* at a question, 3 is a guess */
    assert_true(state.talk.choice == 0 && state.spec.duel.on
                    ? state.spec.duel.other.storage == KRN_STORAGE_CONSTANT
                    : state.spec.mode.storage == KRN_STORAGE_CONSTANT);
    hit(APP_KEY_ESCAPE);
    const struct app_state left = state;
    hit(APP_KEY_UP);
    assert_true(!state.talk.on && state.spec.recipe.count == 2 * left.spec.recipe.count);
    assert_int_equal(hit_with(true, APP_KEY_UP), APP_REFUSED); /* the light view's camera */
    assert_int_equal(state.talk.step, left.talk.step);
}

/* The hints on screen name what the keys do now. */
TEST(test_hints_in_a_talk)
{
    assert_string_equal(app_key_hint("hold").text, "Enter");
    app_keys_follow(APP_WHEN_TALK);
    assert_string_equal(app_key_hint("hold").text, "Ctrl Enter");
    assert_string_equal(app_key_hint("measure").text, "Ctrl B");
    assert_string_equal(app_key_hint("help").text, "H");
    assert_string_equal(app_key_hint("storage").text, "1-5");
    app_keys_follow(APP_WHEN_QUESTION);
    assert_string_equal(app_key_hint("storage").text, "Ctrl 1-5");
    app_keys_follow(APP_WHEN_OPEN);
    assert_string_equal(app_key_hint("hold").text, "Enter");
}

TEST_WITH(test_a_number, open_talk, close_talk)
{
    for (int i = 0; i < 3; i++)
        hit(APP_KEY_PAGE_DOWN);
    assert_int_equal(state.talk.step, 2);
    hit('.'); /* nothing is typed: a remote control's key */
    assert_true(state.talk.blank);
    hit('.');
    hit_all("12,5"); /* as a German keypad has it */
    assert_string_equal(state.talk.typed, "12.5");
    assert_int_equal(hit('.'), APP_REFUSED);
    hit(APP_KEY_BACKSPACE);
    hit('7');
    assert_string_equal(state.talk.typed, "12.7");
    hit(APP_KEY_ENTER);
    assert_true(state.talk.committed && !state.talk.revealed);
    hit('8'); /* another guess */
    assert_string_equal(state.talk.typed, "8");
    hit_all("0000000000");
    assert_int_equal(hit('0'), APP_REFUSED);
    hit(APP_KEY_ENTER);
    hit(APP_KEY_ENTER);
    assert_true(state.talk.revealed);
    hit(APP_KEY_ENTER);
    hit(APP_KEY_PAGE_UP);
    assert_true(state.talk.revealed);
    assert_string_equal(state.talk.typed, "80000000000");
}

/* ---- guesses ---- */

static struct app_talk_measured ratio_of(double value, double low, double high)
{
    struct app_estimate ratio = app_estimate_plain(value);
    ratio.valid = ratio.has_interval = true;
    ratio.low = low;
    ratio.high = high;
    return app_talk_measured(
        app_describe(ratio, (struct app_form){.unit = "×", .verdict = APP_VERDICT_SLOWER}), "");
}

TEST(test_guesses_of_numbers)
{
    const struct app_talk_question question = {.asks = APP_ASKS_NUMBER,
                                               .unit = "×",
                                               .lowest = 0.1,
                                               .highest = 10,
                                               .source = {.kind = APP_SOURCE_RATIO}};
    const struct app_talk_measured measured = ratio_of(0.827, 0.825, 0.83);
    const struct {
        const char *typed;
        enum app_talk_outcome outcome;
        const char *comment;
    } cases[] = {
        {"1.5", APP_GUESS_WRONG, "1.81 times too high"},
        {"0.828", APP_GUESS_RIGHT, "within the interval"},
        {"0.9", APP_GUESS_RIGHT, "within 10 %"},
        {"0.4", APP_GUESS_WRONG, "2.07 times too low"},
        {"0", APP_GUESS_WRONG, "too low"},
        {"11", APP_GUESS_WRONG, "13.3 times too high"},
        {"", APP_GUESS_NONE, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct app_talk_view view = {.revealed = true};
        snprintf(view.typed, sizeof view.typed, "%s", cases[i].typed);
        const struct app_talk_guess guess = app_talk_judge(&question, &view, &measured);
        assert_int_equal(guess.outcome, cases[i].outcome);
        assert_string_equal(guess.comment, cases[i].comment);
    }
    /* Without a number there is a guess, and nothing to compare it with. */
    const struct app_talk_view view = {.typed = "1.5"};
    const struct app_talk_measured none =
        app_talk_measured((struct app_described){.verdict = APP_VERDICT_NONE}, "");
    const struct app_talk_guess guess = app_talk_judge(&question, &view, &none);
    assert_int_equal(guess.outcome, APP_GUESS_NONE);
    assert_string_equal(guess.text, "1.5×");
}

TEST(test_guesses_of_choices)
{
    struct app_talk_question question = {.asks = APP_ASKS_CHOICE, .answer_count = 3};
    const struct app_talk_answer answers[] = {{"slower", APP_VERDICT_NONE, true, 0, 0.99},
                                              {"same", APP_VERDICT_NONE, true, 0.99, 1.01},
                                              {"faster", APP_VERDICT_FASTER, false, 0, 0}};
    memcpy(question.answers, answers, sizeof answers);
    const struct {
        int choice;
        struct app_talk_measured measured;
        enum app_talk_outcome outcome;
        const char *comment;
    } cases[] = {
        {1, ratio_of(0.8, 0.7, 0.9), APP_GUESS_RIGHT, "right"},
        {3, ratio_of(0.8, 0.7, 0.9), APP_GUESS_WRONG, "measured: slower"},
        {1, ratio_of(0.98, 0.97, 1.0), APP_GUESS_OPEN, "too close to tell"},
        {0, ratio_of(0.8, 0.7, 0.9), APP_GUESS_NONE, ""},
        {2, app_talk_measured((struct app_described){.verdict = APP_VERDICT_NONE}, "x"),
         APP_GUESS_NONE, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct app_talk_view view = {.choice = cases[i].choice, .revealed = true};
        const struct app_talk_guess guess = app_talk_judge(&question, &view, &cases[i].measured);
        assert_int_equal(guess.outcome, cases[i].outcome);
        assert_string_equal(guess.comment, cases[i].comment);
    }
    const struct app_talk_measured measured = app_talk_measured(
        app_describe(app_estimate_plain(2.0), (struct app_form){.verdict = APP_VERDICT_FASTER}),
        "");
    const struct app_talk_view view = {.choice = 3, .revealed = true};
    assert_int_equal(app_talk_judge(&question, &view, &measured).outcome, APP_GUESS_RIGHT);
}

TEST(test_guesses_of_times)
{
    struct app_talk_question question = {.asks = APP_ASKS_NUMBER,
                                         .unit = "µs",
                                         .lowest = 1,
                                         .highest = 500,
                                         .source = {.kind = APP_SOURCE_TIME}};
    const struct app_talk_measured measured = app_talk_measured(
        app_describe(app_estimate_plain(0.02), (struct app_form){.quantity = APP_QUANTITY_TIME}),
        "");
    assert_true(measured.valid);
    struct app_talk_view view = {.typed = "40"};
    assert_string_equal(app_talk_judge(&question, &view, &measured).comment, "2.00 times too high");
    question.unit = "ms";
    view = (struct app_talk_view){.typed = "0.02"};
    assert_int_equal(app_talk_judge(&question, &view, &measured).outcome, APP_GUESS_RIGHT);
}

/* ---- the check ---- */

static enum krn_code show(void *context, struct app_state *shown, struct krn_error *why)
{
    const int *refused = context;
    return shown->talk.step == *refused ? KRN_FAIL(why, KRN_FAILED, "cannot be shown") : KRN_OK;
}

static enum krn_code check_text(const char *text, int refused)
{
    struct app_talk *talk = parse_good(text);
    const struct app_state begin = app_state_default();
    FILE *out = tmpfile();
    assert_non_null(out);
    const enum krn_code code = app_talk_check(talk, &begin, show, &refused, NULL, out, &error);
    fclose(out);
    app_talk_free(talk);
    return code;
}

TEST(test_checks)
{
    TEST_OK(check_text(STEP(", \"set\": {\"page\": \"saxpy\"}"), -1));
    TEST_FAILS(check_text(STEP(""), -1), KRN_FAILED, "step one: it shows nothing");
    TEST_FAILS(check_text(STEP(", \"caption\": \"x\""), 0), KRN_FAILED,
               "step one: cannot be shown");
    /* The second step compares its mode with that of the first; a duel shows both. */
    TEST_OK(check_text(four, -1));
    TEST_FAILS(check_text(STEP(RATIO), -1), KRN_FAILED,
               "some/talk.json, step one: its question rests on a mode");
    assert_non_null(strstr(error.text, "with this scene."));
    TEST_OK(check_text(STEP(RATIO DUEL), -1));
}

TEST(test_shipped_talks)
{
    static const char *const names[] = {"four-claims", "ray-tracer", "make-it-faster"};
    const struct app_state begin = app_state_default();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        struct app_talk *talk = NULL;
        snprintf(path, sizeof path, "%s/assets/talks/%s.json", TEST_SOURCE_DIR, names[i]);
        TEST_OK(app_talk_read(path, &begin, &talk, &error));
        /* A speaker has something to say on every step, and of what is on screen: a question's page
         * hides the picture; and a duel has its names. */
        for (int step = 0; step < talk->step_count; step++) {
            const struct app_talk_step *of = &talk->steps[step];
            const bool asks = of->question.asks != APP_ASKS_NOTHING;
            struct app_state shown;
            TEST_OK(app_talk_state(talk, &begin, step, &shown, &error));
            assert_true(of->notes[0] != 0 && !(asks && strstr(of->notes, "of the line")));
            assert_true(asks || !shown.spec.duel.on || shown.look.hud);
        }
        app_talk_free(talk);
    }
}
