/* The spotlight: every subject, on the side and on the whole screen, is inside the frame, has no
 * text over another, and can be read from the last row. The times are made up. */
#include "frames.h"
#include "hud/spotlight/spoken.h"
#include "huds.h"
#include "panel_boards.h"
#include "screens.h"
#include "story_boards.h"

#include "claims/claims.h"
#include "hud/qr/card.h"

/* What all screens of a test share. */
static struct app_story_view *stories[KINDS];
static struct app_anatomy_view anatomy;

static int make_stories(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < KINDS; kind++)
        stories[kind] = story_board_of((enum kind)kind);
    return 0;
}

static int free_stories(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < KINDS; kind++)
        story_board_free(stories[kind]);
    return 0;
}

/* Returns the size of a text in pixels. */
static float size_of(const struct seen *seen, int t)
{
    const struct ren_metrics sans = ren_face_metrics(renderer, REN_FACE_SANS);
    return seen->texts[t].h / (sans.cap_height + 0.5f * sans.descent);
}

/* Checks that the last row can read every text, and the number: 3 % and 8 % of the shorter side. */
static void check_sizes(void)
{
    const struct seen *seen = &screen.seen;
    const float frame = fminf((float)screen.width, (float)screen.height);
    const float slack = 0.98f; /* faces differ in the height of their capitals */
    float most = 0.0f;
    for (int t = 0; t < seen->text_count; t++) {
        most = fmaxf(most, size_of(seen, t));
        if (size_of(seen, t) < slack * 0.03f * frame)
            screen_error("too small:", seen->words[t]);
    }
    if (most < slack * 0.08f * frame)
        screen_error("no number", "can be read from afar");
}

/* Checks that numbers of a recorded run say so, and that none claims to be of this run. */
static void check_recorded(enum app_subject subject)
{
    if (subject == APP_SUBJECT_PLOT || subject == APP_SUBJECT_STORY ||
        subject == APP_SUBJECT_ANATOMY)
        return; /* of this machine */
    if (subject == APP_SUBJECT_TOPIC_BANKS)
        return; /* newer than the run */
    screen_must("this run", false);
    if (seen_count(&screen.seen, "RECORDED") + seen_count(&screen.seen, ", recorded") == 0)
        screen_error("recorded numbers", "look live");
}

/* Draws one screen and checks it. */
static void check_screen(const struct app_state *state, const struct board *board,
                         const struct app_story_view *story, bool whole, bool numbers,
                         const char *name)
{
    const struct krn_series series = hud_series(0.0831, 0.0931, 0.1029);
    struct app_hud hud = hud_of(state, &board->device);
    hud.now[0] = hud_time(state->backend, state->mode, &series);
    hud.panels = &board->view;
    hud.story = story;
    hud.anatomy = &anatomy;
    hud.empty_kernel_ms = 0.002;
    screen_begin(state, name);
    const struct app_spotlight_place *place = &screen.layout.spotlight;
    app_spotlight_draw(&screen.brush, place, &hud);
    snprintf(screen.name, sizeof screen.name, "%s%s_%s_%s%d_%s_%dx%d", fonts, name,
             app_spotlight_names[place->shown], app_subject_name(place->subject), place->part,
             app_theme_names[state->theme], screen.width, screen.height);
    /* With wider letters, long names may be cut. */
    screen_end("spotlight", 0.75f * place->unit, whole && !fonts[0]);
    screen_cards_apart();
    for (int c = 0; c < screen.seen.card_count; c++) {
        assert_true(inside(screen.seen.cards[c], screen.layout.screen, 0.5f));
        assert_true(place->shown == APP_SPOTLIGHT_WHOLE ||
                    inside(screen.seen.cards[c], screen.layout.panels, 0.5f));
    }
    if (board->view.recorded)
        check_recorded(place->subject);
    /* A narrow frame and wide letters leave less for the number. */
    if (numbers && !(fonts[0] && screen.width < screen.height))
        check_sizes();
}

/* Draws every subject of a board, all parts of it, on every screen. */
static void each_screen(int index, enum kind kind)
{
    static struct board board;
    boards[index].fill(&board);
    /* Without numbers, sentences take the place of the large ones. */
    const bool numbers = boards[index].fill != fill_why;
    anatomy = frames_of(kind == CPU     ? FRAMES_CPU
                        : kind == EMPTY ? FRAMES_EMPTY
                        : kind == WRONG ? FRAMES_MISSING
                                        : FRAMES_VSYNC);
    struct app_state state = app_state_default();
    state.mode.storage = KRN_STORAGE_GLOBAL;
    for (int i = 0; screen_at(i / 2, &state); i++)
        for (int subject = APP_SUBJECT_PAGE + 1; subject < APP_SUBJECT_COUNT; subject++) {
            int parts = 1;
            state.spotlight = i % 2 ? APP_SPOTLIGHT_WHOLE : APP_SPOTLIGHT_SIDE;
            state.subject = (enum app_subject)subject;
            for (state.subject_part = 1; state.subject_part <= parts; state.subject_part++) {
                check_screen(&state, &board, stories[kind], boards[index].whole, numbers,
                             boards[index].name);
                assert_int_equal(screen.layout.spotlight.shown, state.spotlight);
                parts = screen.layout.spotlight.parts;
            }
        }
    screens_done();
}

/* Defines test_NAME, which checks all screens of a board. */
#define TEST_BOARD(name, index, kind)                                                              \
    TEST(test_##name)                                                                              \
    {                                                                                              \
        each_screen(index, kind);                                                                  \
    }
TEST_BOARD(gpu, 0, COMPLETE)
TEST_BOARD(cpu, 1, CPU)
TEST_BOARD(empty, 2, EMPTY)
TEST_BOARD(wrong, 3, WRONG)
TEST_BOARD(wide, 4, FILLING)
TEST_BOARD(why, 5, STOPPED)
TEST_BOARD(doubted, 14, FILLING)
TEST_BOARD(throttled, 15, THROTTLED)
TEST_BOARD(recorded, 17, CPU)

/* A claim is a sentence with an author, a year and a GPU, and this device's answer. */
TEST(test_spoken)
{
    static struct board board;
    struct app_spoken spoken;
    fill_gpu(&board);
    app_spoken_claim(&board.view, APP_CLAIM_CONSTANT_KERNEL, &spoken);
    assert_string_equal(spoken.source, "J. Sanders and E. Kandrot, CUDA by Example, 6.3, 2010, on "
                                       "a GTX 280:");
    assert_string_equal(spoken.brief, "J. Sanders and E. Kandrot, 2010, on a GTX 280:");
    assert_string_equal(spoken.sentence,
                        "Constant memory makes the ray tracer's kernel faster, 1.5 times.");
    assert_string_equal(spoken.device, "This NVIDIA H200, this run:");
    assert_string_equal(spoken.now, board.claims[APP_CLAIM_CONSTANT_KERNEL].now.text);
    assert_string_equal(spoken.interval, board.claims[APP_CLAIM_CONSTANT_KERNEL].now.interval);
    assert_int_equal(spoken.verdict, APP_VERDICT_INVERTED);
    app_spoken_claim(&board.view, APP_CLAIM_ACCESS, &spoken);
    assert_string_equal(spoken.brief, "A tutorial, on a 797 MHz GPU:");
    app_spoken_topic(&board.view, KRN_TOPIC_CONSTANT, &spoken);
    assert_int_equal(spoken.verdict, APP_VERDICT_INVERTED);
    app_spoken_topic(&board.view, KRN_TOPIC_TRANSFER, &spoken);
    assert_false(spoken.judged);
    assert_non_null(strstr(spoken.source, "No text claims"));
    assert_non_null(strstr(spoken.now, "GB/s"));
    fill_empty(&board);
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        app_spoken_claim(&board.view, i, &spoken);
        assert_string_equal(spoken.now, "–");
        assert_true(spoken.remark[0] && !spoken.interval[0]);
    }
    for (int i = 0; i < KRN_TOPIC_COUNT; i++) {
        const int claim = app_claim_of_topic((enum krn_topic)i);
        app_spoken_topic(&board.view, i, &spoken);
        assert_string_equal(spoken.now, "–");
        assert_true(claim < 0 ||
                    app_claim_entry_of((enum app_claim_id)claim)->topic == (enum krn_topic)i);
    }
}

/* All claims are on the parts, once and in order, and each part has at least one. */
TEST(test_rows)
{
    static const float cards[][2] = {{695.0f, 348.0f}, {424.0f, 384.0f},   {209.0f, 348.0f},
                                     {209.0f, 284.0f}, {2000.0f, 4000.0f}, {50.0f, 50.0f}};
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
        struct app_spotlight_rows rows;
        app_spotlight_rows(cards[i][0], cards[i][1], &rows);
        assert_in_range(rows.parts, 1, APP_CLAIM_COUNT);
        assert_true(rows.first[0] == 0 && rows.first[rows.parts] == APP_CLAIM_COUNT);
        for (int part = 0; part < rows.parts; part++)
            assert_true(rows.first[part] < rows.first[part + 1]);
        assert_int_equal(rows.parts == 1, cards[i][1] > 1000.0f);
    }
}

/* The subject of the page is its first topic, or its claims; the picture keeps its size below a
 * whole screen; and what the spotlight shows is measured. */
TEST(test_place)
{
    struct app_state state = app_state_default();
    state.spotlight = APP_SPOTLIGHT_WHOLE;
    struct app_layout l = app_layout_make(&state, 1280, 720, 1.0f);
    assert_int_equal(l.spotlight.subject, APP_SUBJECT_CLAIMS);
    assert_true(l.measures_panels && !l.measures_story);
    assert_true(l.spotlight.parts > 1 && l.shown == APP_PANELS_OFF);
    state.spotlight = APP_SPOTLIGHT_OFF;
    const struct app_layout off = app_layout_make(&state, 1280, 720, 1.0f);
    assert_true(off.pane.w == l.pane.w && off.pane.h == l.pane.h);
    state.page = APP_PAGE_BOOK;
    state.spotlight = APP_SPOTLIGHT_SIDE;
    l = app_layout_make(&state, 1280, 720, 1.0f);
    assert_int_equal(l.spotlight.subject, APP_SUBJECT_TOPIC_CONSTANT);
    state.panels = APP_PANELS_OFF;
    l = app_layout_make(&state, 1280, 720, 1.0f);
    assert_true(l.measures_panels && l.panels.w > 0.0f);
    state.story = true;
    l = app_layout_make(&state, 1280, 720, 1.0f);
    assert_int_equal(l.spotlight.subject, APP_SUBJECT_STORY);
    assert_true(l.measures_story && !l.measures_panels && !l.story);
    state.subject = APP_SUBJECT_PLOT;
    l = app_layout_make(&state, 1280, 720, 1.0f);
    assert_true(!l.measures_story && !l.measures_panels);
    state.story = false;
    state.anatomy = APP_ANATOMY_ON;
    state.subject = APP_SUBJECT_PAGE;
    l = app_layout_make(&state, 1280, 720, 1.0f);
    assert_int_equal(l.spotlight.subject, APP_SUBJECT_ANATOMY);
    assert_true(!l.measures_story && !l.measures_panels && !l.anatomy);
    state.anatomy = APP_ANATOMY_OFF;
    state.subject = APP_SUBJECT_CLAIM_ILP;
    l = app_layout_make(&state, 1280, 720, 2.0f); /* too small for a side: the whole screen */
    assert_int_equal(l.spotlight.shown, APP_SPOTLIGHT_WHOLE);
    assert_true(l.measures_panels && l.spotlight.edge.h > 0.0f);
    state.hud = false;
    l = app_layout_make(&state, 1280, 720, 2.0f);
    assert_true(l.spotlight.edge.h == 0.0f);
}

/* A QR code has a corner of the whole screen, which the subject leaves free. */
TEST(test_code)
{
    struct app_state sized;
    for (int s = 0; screen_at(s, &sized); s++)
        for (int strip = 0; strip < 2; strip++)
            for (int subject = APP_SUBJECT_PAGE + 1; subject < APP_SUBJECT_COUNT; subject++)
                for (int hud = 0; hud < 2; hud++) {
                    struct app_state state = app_state_default();
                    struct ren_rect rect = {0.0f, 0.0f, 0.0f, 0.0f};
                    const float below = strip ? 0.3f * (float)screen.height : 0.0f;
                    state.spotlight = APP_SPOTLIGHT_WHOLE;
                    state.subject = (enum app_subject)subject;
                    state.qr = true;
                    state.hud = hud;
                    const struct app_layout layout =
                        app_layout_make_above(&state, below, screen.width, screen.height, 1.0f);
                    const struct app_spotlight_place *place = &layout.spotlight;
                    assert_true(app_qr_place(&layout, &state, 61, &rect) >= 3);
                    assert_true(inside(rect, layout.screen, 0.0f));
                    assert_false(overlap(rect, place->area, 0.0f));
                    assert_false(overlap(rect, place->edge, 0.0f));
                    assert_true(place->area.w >= 0.6f * layout.screen.w ||
                                place->area.h >= 0.5f * layout.screen.h);
                }
    struct app_state state = app_state_default();
    struct ren_rect rect;
    state.spotlight = APP_SPOTLIGHT_WHOLE;
    const struct app_layout without = app_layout_make(&state, 1280, 720, 1.0f);
    assert_true(without.spotlight.code.w == 0.0f);
    state.qr = true; /* a tiny window has no room, and the session says so */
    const struct app_layout tiny = app_layout_make(&state, 320, 200, 1.0f);
    assert_int_equal(app_qr_place(&tiny, &state, 61, &rect), 0);
}

int main(int argc, char **argv)
{
    return screens_run(argc, argv, make_stories, free_stories);
}
