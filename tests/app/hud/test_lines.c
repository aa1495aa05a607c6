/* Lines of text: no line ends between a number and its unit, whatever the width, and the lines
 * together are the text. */
#include "offscreen.h"
#include "seen.h"

#include "hud/draw.h"
#include "talk/talk.h"
#include "topics/claims.h"

#include <math.h>

static void expect_word(const char *text, const char *word)
{
    const size_t length = app_draw_word(text);
    if (length != strlen(word) || strncmp(text, word, length) != 0)
        fail_msg("the first word of \"%s\" is \"%.*s\"", text, (int)length, text);
}

TEST(test_words)
{
    expect_word("", "");
    expect_word("spheres are 20", "spheres");
    expect_word("20 spheres", "20");
    expect_word("74.6 % of the peak", "74.6 %");
    expect_word("74.6 %.", "74.6 %.");
    expect_word("(0.83 ms) is less", "(0.83 ms)");
    expect_word("13.4 ms, then 53 µs", "13.4 ms,");
    expect_word("1024 × 1024 pixels: all", "1024 × 1024 pixels:");
    expect_word("1.5 times as fast", "1.5 times");
    expect_word("110.4 GB/s", "110.4 GB/s");
    expect_word("2  %", "2"); /* two blanks are no unit's */
    expect_word("5 multiprocessors", "5");
    expect_word("K 8 % 3", "K");
    expect_word("a × b", "a");
    expect_word("20 ", "20");
}

/* Returns true when a line that begins with this text has lost its number. */
static bool begins_with_unit(const char *line)
{
    static const char *const units[] = {"%",     "×",      "ms",    "µs",  "s",   "GB/s",
                                        "GiB/s", "cycles", "times", "fps", "MHz", "pixels"};
    const size_t length = strcspn(line, " .,;:)");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i]) == length && strncmp(line, units[i], length) == 0)
            return true;
    return false;
}

/* Breaks a text at every width from that of its longest word. */
static void check_text(const char *text)
{
    static struct seen seen;
    const struct app_draw_witness witness = seen_begin(&seen);
    struct ren_list *list = test_frame_begin(64, 64, 0);
    const struct app_brush brush = {renderer, list, app_theme_colours(APP_THEME_DARK), 1.0f,
                                    &witness};
    const float size = 20.0f, whole = ren_text_width(renderer, REN_FACE_SANS, size, text);
    float least = 0.0f;
    for (const char *at = text; *at; at += app_draw_word(at), at += strspn(at, " ")) {
        char word[256];
        snprintf(word, sizeof word, "%.*s", (int)app_draw_word(at), at);
        least = fmaxf(least, ren_text_width(renderer, REN_FACE_SANS, size, word));
    }
    for (float width = least; width < whole + 8.0f; width += 8.0f) {
        char joined[512] = "";
        seen.text_count = 0;
        const int lines =
            app_draw_lines(&brush, REN_FACE_SANS, size, 0.0f, 0.0f, width, 99, 0, text, true);
        assert_int_equal(lines, seen.text_count);
        for (int i = 0; i < lines; i++) {
            const char *before = i > 0 ? seen.words[i - 1] : " ";
            const char last = before[strlen(before) - 1];
            if (last >= '0' && last <= '9' && begins_with_unit(seen.words[i]))
                fail_msg("\"%s\" | \"%s\"", seen.words[i - 1], seen.words[i]);
            assert_true(strlen(joined) + strlen(seen.words[i]) + 1 < sizeof joined);
            strcat(strcat(joined, i > 0 ? " " : ""), seen.words[i]);
        }
        assert_string_equal(joined, text);
    }
}

TEST(test_no_line_loses_a_unit)
{
    static const char *const names[] = {"four-claims", "ray-tracer", "make-it-faster"};
    const struct app_state start = app_state_default();
    check_text("From 0.48 GiB/s to 3.48 GiB/s, 7.26 times, in 20 ms at 797 MHz: 74.6 % of 1 %.");
    check_text("1000 spheres at 1024x1024 on cpu would take about 1.4 s per frame");
    for (int i = 0; i < APP_CLAIM_COUNT; i++)
        check_text(app_claim_entry_of((enum app_claim_id)i)->says);
    for (size_t t = 0; t < sizeof names / sizeof *names; t++) {
        char path[512];
        struct app_talk *talk;
        snprintf(path, sizeof path, "%s/assets/talks/%s.json", TEST_SOURCE_DIR, names[t]);
        TEST_OK(app_talk_read(path, &start, &talk, &error));
        for (int i = 0; i < talk->step_count; i++) {
            char filled[256];
            app_talk_fill_in(talk->steps[i].caption, 1000, filled, sizeof filled);
            check_text(filled);
            app_talk_fill_in(talk->steps[i].question.text ? talk->steps[i].question.text : "", 1000,
                             filled, sizeof filled);
            check_text(filled);
            for (int line = 0; line < talk->steps[i].body_count; line++) {
                app_talk_fill_in(talk->steps[i].body[line], 1000, filled, sizeof filled);
                check_text(filled);
            }
        }
        app_talk_free(talk);
    }
}

int main(void)
{
    const int unable = test_screen_open(-1);
    return unable ? unable : test_screen_run(NULL, NULL);
}
