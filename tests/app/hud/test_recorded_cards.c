/* The cards of a recorded run: the numbers of the record, a stamp on every card, and no number for
 * what was not recorded. */
#include "huds.h"
#include "screens.h"

#include "hud/parts.h"
#include "hud/spotlight/spoken.h"
#include "recorded/playback.h"

#include <string.h>

static struct app_recorded *recorded;
static const struct krn_device_info cpu = {
    .backend = KRN_BACKEND_CPU, .name = "a CPU", .can = {.host_processors = true, .noun = "CPU"}};

enum card { CARD_MAIN, CARD_DUEL, CARD_PLOT, CARDS };

static bool has(const char *part)
{
    return seen_count(&screen.seen, part) > 0;
}

static bool has_end(const char *end)
{
    const struct seen *seen = &screen.seen;
    for (int t = 0; t < seen->text_count; t++) {
        const size_t length = strlen(seen->words[t]);
        if (length >= strlen(end) && strcmp(seen->words[t] + length - strlen(end), end) == 0)
            return true;
    }
    return false;
}

/* Compares what the cards compare. */
static void compare(struct app_hud *hud)
{
    hud->comparison = app_compare_times((hud->sides == 2 ? hud->now[1] : hud->before).median,
                                        hud->now[0].median, 1.0);
}

/* Returns the HUD of a state that has left a mode (NULL: none), with the record's numbers. */
static struct app_hud recorded_hud(const struct app_state *state, const struct krn_mode *before)
{
    static struct app_playback playback;
    struct app_hud hud = hud_of(state, &cpu);
    free(playback.story.sweep);
    memset(&playback, 0, sizeof playback);
    assert_true(app_playback_find(&playback, recorded, state, before, 1.0));
    for (int frame = 0; frame < 100; frame++)
        app_playback_frame(&playback, KRN_BACKEND_CPU);
    hud.recorded = app_recorded_view(recorded);
    hud.now[0] = playback.modes[0];
    hud.now[1] = playback.modes[1];
    hud.before = playback.before;
    hud.story = &playback.story;
    hud.trace = &playback.trace;
    hud.trust = hud.now[0].median.trust;
    compare(&hud);
    return hud;
}

/* Returns the HUD of a state with this machine's numbers, beside which there is the record. */
static struct app_hud live_hud(const struct app_state *state, const struct krn_device_info *device)
{
    struct app_hud hud = recorded_hud(state, NULL);
    const struct krn_series series = hud_series(1.0, 1.1, 1.3);
    hud.device = device;
    hud.ghost = hud.now[0];
    hud.now[0] = hud_time(state->backend, state->mode, &series);
    hud.trust = 0;
    return hud;
}

static void see(enum card card, const struct app_hud *hud)
{
    static const char *const names[] = {"main", "duel", "plot"};
    screen_begin(hud->state, names[card]);
    if (card == CARD_MAIN)
        app_hud_main(&screen.brush, &screen.layout, hud);
    else if (card == CARD_DUEL)
        app_hud_duel(&screen.brush, &screen.layout, hud);
    else
        app_hud_plot(&screen.brush, &screen.layout.plot, hud);
    screen_end("recorded",
               card == CARD_PLOT ? screen.layout.unit : screen.layout.main.h / APP_HUD_HEIGHT,
               true);
}

/* Every card has a stamp and fits, with and without numbers, in every theme. */
TEST(test_stamped)
{
    struct app_state state = app_state_default();
    state.duel.other.storage = KRN_STORAGE_CONSTANT;
    for (int i = 0; screen_at(i / CARDS / 2, &state); i++) {
        const enum card card = (enum card)(i % CARDS);
        const bool known = i / CARDS % 2;
        state.recipe.count = known ? 20 : 40;
        state.duel.on = card == CARD_DUEL;
        const struct app_hud hud = recorded_hud(&state, NULL);
        see(card, &hud);
        if (seen_starts(&screen.seen, "RECORDED") != 1)
            screen_error("no stamp,", "or several");
        if (card != CARD_PLOT && !known) {
            screen_must("not recorded: 40 spheres", true);
            screen_must("µs", false);
        }
    }
    screens_done();
}

/* The cards show what the record has: 21.4 µs, and the book's kernel slower from constant memory.
 */
TEST(test_numbers)
{
    struct app_state state = app_state_default();
    (void)screen_at(0, &state);
    struct app_hud hud = recorded_hud(&state, NULL);
    char number[32];
    snprintf(number, sizeof number, "%s", app_number_time(hud.now[0].ms.median).value);
    see(CARD_MAIN, &hud);
    assert_true(has(number));
    assert_true(has("median of 300"));
    /* After a toggle, the comparison is that of two recorded modes. */
    struct app_state constant = state;
    constant.mode.storage = KRN_STORAGE_CONSTANT;
    hud = recorded_hud(&constant, &state.mode);
    see(CARD_MAIN, &hud);
    assert_true(has("0.829") && has("SLOWER"));
    assert_false(has("same caches")); /* that is true of this CPU, not of the recorded GPU */
    constant.duel.on = true;
    constant.duel.other = state.mode;
    hud = recorded_hud(&constant, NULL);
    see(CARD_DUEL, &hud);
    assert_true(has("0.829") && has("SLOWER") && has("5 processes"));
    /* So it does of a copy of the record, whose number of processes may be unknown. */
    struct app_estimate *first = &hud.now[1].median;
    first->copied = true;
    static const char *const ends[] = {"]", "], 1 process", "], 2 processes"};
    for (size_t i = 0; i < 3; i++) {
        first->recorded = i;
        compare(&hud);
        see(CARD_DUEL, &hud);
        assert_true(has_end(ends[i]));
    }
}

/* The details say how much of the recorded time goes to binning, above what short cards leave out.
 */
TEST(test_binning)
{
    struct app_recorded *const before = recorded;
    TEST_OK(app_recorded_open(TEST_SOURCE_DIR "/assets/runs/nvidia-h200-sweep.json.gz", 1.0,
                              &recorded, &error));
    struct app_state state = app_state_default();
    state.mode.kernel = KRN_KERNEL_BINNED;
    state.recipe.count = 5000;
    const struct app_hud hud = recorded_hud(&state, NULL);
    struct app_hud_row rows[APP_HUD_ROWS];
    const int count = app_hud_describe(&hud, rows);
    int told = 0, told_at = -1, times_at = -1;
    for (int r = 0; r < count; r++) {
        const bool tells = strstr(rows[r].text, "; 22.4 µs of it for binning") != NULL;
        told += tells;
        told_at = tells ? r : told_at;
        times_at = rows[r].label && strcmp(rows[r].label, "times") == 0 ? r : times_at;
    }
    assert_int_equal(told, 1);
    assert_true(told_at < times_at);
    app_recorded_close(recorded);
    recorded = before;
}

/* Multiplies a recorded median, and gives it the ends that two processes which differ give. */
static void set_far_ends(struct app_mode_time *mode, double times)
{
    struct app_estimate *e = &mode->median;
    const double each[] = {0.5 * times * e->value, 2.0 * times * e->value};
    const unsigned trust = e->trust;
    *e = app_estimate_of_processes(each, 2, 0.0);
    e->trust = trust;
}

/* Ends that are orders of magnitude away are shown as beyond a limit, on every card and screen,
 * without cutting a text. */
TEST(test_far_ends)
{
    const struct app_state state = app_state_default();
    struct app_state constant = state;
    constant.mode.storage = KRN_STORAGE_CONSTANT;
    constant.duel.other = state.mode;
    for (int i = 0; screen_at(i / 2, &constant); i++) {
        constant.theme = APP_THEME_DARK;
        constant.duel.on = i % 2 == 1;
        struct app_hud hud = recorded_hud(&constant, &state.mode);
        for (int side = 0; side < 2; side++)
            set_far_ends(&hud.now[side], 1.0);
        /* The card has room for the interval of a ratio with few decimals. */
        set_far_ends(&hud.before, 150.0);
        compare(&hud);
        see(constant.duel.on ? CARD_DUEL : CARD_MAIN, &hud);
        screen_must(constant.duel.on ? "[<0.083, >8.2" : "[<12, >124", true);
        if (!constant.duel.on)
            screen_must("95 % [<2.58, >258]", true);
        struct app_spoken spoken;
        app_spoken_kernel(&hud, &spoken);
        assert_string_equal(spoken.interval, "[<2.58, >258] n 300");
    }
    screens_done();
}

/* The spotlights on the kernel's time and on the story plot say the record's number as well, and
 * none where nothing was recorded. */
TEST(test_spotlight_says_the_record)
{
    void (*const fill[])(const struct app_hud *, struct app_spoken *) = {app_spoken_kernel,
                                                                         app_spoken_story};
    struct app_state state = app_state_default();
    for (int i = 0; i < 2; i++) {
        struct app_spoken spoken;
        struct app_hud hud = recorded_hud(&state, NULL);
        fill[i](&hud, &spoken);
        const struct app_number number = app_number_time(hud.now[0].ms.median);
        char now[48];
        snprintf(now, sizeof now, "%s %s", number.value, number.unit);
        assert_string_equal(spoken.now, now);
        assert_non_null(strstr(spoken.interval, "n 300"));
        assert_non_null(strstr(spoken.device, "ecorded"));
        state.recipe.count = 40;
        hud = recorded_hud(&state, NULL);
        fill[i](&hud, &spoken);
        assert_string_equal(spoken.now, "–");
        assert_string_equal(spoken.interval, "");
        assert_non_null(strstr(spoken.remark, "not recorded: 40 spheres"));
        state.recipe.count = 20;
        hud = live_hud(&state, &cpu);
        fill[i](&hud, &spoken);
        assert_string_equal(spoken.now, "1.10 ms");
        assert_null(strstr(spoken.device, "ecorded"));
    }
}

/* Checks the row that tells about the picture. */
static void check_picture(const struct app_hud *hud, const char *text, bool grave)
{
    struct app_hud_row row = {0};
    app_hud_describe_picture(hud, &row);
    assert_string_equal(row.label, "picture");
    assert_string_equal(row.text, text);
    assert_int_equal(row.grave, grave);
}

/* Recorded numbers stand beside the verdict on the recorded pictures. This machine's picture has
 * its own, and whichever is wrong is told as wrong. */
TEST(test_picture_of_both_machines)
{
    struct app_state state = app_state_default();
    struct app_hud hud = recorded_hud(&state, NULL);
    struct app_mode_time *modes = hud.now;
    assert_int_equal(modes[0].verified, APP_VERIFIED_TRUE);
    hud.verified = (struct app_verify_status){.text = "not verified yet"};
    check_picture(&hud, "✓ verified when recorded; here not verified yet", false);
    hud.verified.verified = APP_VERIFIED_TRUE;
    check_picture(&hud, "✓ verified when recorded; ✓ verified here 0 s ago", false);
    modes[0].verified = APP_VERIFIED_UNKNOWN; /* however right this machine's picture is */
    check_picture(&hud, "not verified when recorded; ✓ verified here 0 s ago", false);
    modes[0].verified = APP_VERIFIED_FALSE;
    modes[0].verified_reason = "7 pixels differ";
    check_picture(&hud, "✗ WRONG when recorded: 7 pixels differ; ✓ verified here 0 s ago", true);
    snprintf(hud.verified.text, sizeof hud.verified.text, "9 pixels differ");
    hud.verified.verified = APP_VERIFIED_FALSE;
    check_picture(&hud, "✗ WRONG when recorded; ✗ WRONG here, seen 0 s ago: 9 pixels differ", true);
    modes[0].verified = APP_VERIFIED_TRUE;
    check_picture(&hud, "✗ WRONG here, seen 0 s ago: 9 pixels differ; ✓ verified when recorded",
                  true);
    hud.sides = 2; /* B's recorded picture counts as well */
    modes[1].verified = APP_VERIFIED_FALSE;
    check_picture(&hud, "✗ WRONG when recorded; ✗ WRONG here, seen 0 s ago: 9 pixels differ", true);
    state.recipe.count = 40;
    hud = recorded_hud(&state, NULL);
    hud.verified = (struct app_verify_status){.verified = APP_VERIFIED_TRUE};
    check_picture(&hud, "not recorded; ✓ verified here 0 s ago", false);
    hud = live_hud(&state, &cpu);
    hud.verified = (struct app_verify_status){.verified = APP_VERIFIED_TRUE};
    check_picture(&hud, "✓ verified 0 s ago", false);
}

/* Beside live numbers of another device, the plot has the recorded median's name, and only there;
 * the same device has no ghost. */
TEST(test_ghost)
{
    struct krn_device_info device = cpu;
    struct app_state state = app_state_default();
    struct app_hud hud = live_hud(&state, &device);
    for (int at = 0; screen_at(at, &state); at++) {
        see(CARD_PLOT, &hud);
        assert_int_equal(seen_starts(&screen.seen, "RECORDED H200 21.4 µs"), 1);
        assert_int_equal(seen_starts(&screen.seen, "RECORDED"), 1);
    }
    (void)screen_at(0, &state);
    see(CARD_MAIN, &hud);
    assert_int_equal(seen_starts(&screen.seen, "REC"), 0);
    snprintf(device.name, sizeof device.name, "NVIDIA H200");
    see(CARD_PLOT, &hud);
    assert_int_equal(seen_starts(&screen.seen, "REC"), 0);
    snprintf(device.name, sizeof device.name, "another GPU");
    state.recipe.count = 40;
    hud = live_hud(&state, &device);
    see(CARD_PLOT, &hud);
    assert_int_equal(seen_starts(&screen.seen, "REC"), 0);
}

int main(int argc, char **argv)
{
    const int unable = screens_open(argc, argv);
    if (unable)
        return unable;
    if (app_recorded_open(TEST_SOURCE_DIR "/assets/runs/nvidia-h200-all.json.gz", 1.0, &recorded,
                          &error) != KRN_OK)
        return 1;
    const int failed = tests_run(NULL, NULL);
    app_recorded_close(recorded);
    test_screen_close();
    return failed;
}
