/* The keymaps of many layouts, as the window reads them from an X server: on each every command and
 * every digit of a guess can be reached, and a press stands for what the key prints. KEYBOARDS
 * names other layouts, as in "fr fr:bepo". */
#include "expect.h"

#include "command/command.h"
#include "command/entry.h"
#include "window/window.h"

#include <ctype.h>
#include <stdio.h>

enum { SHIFT = 1, ALTGR = 2, LEVELS = 4 };

static const char layouts[] =
    "us us:dvorak us:colemak us:intl us:altgr-intl us:dvp gb ie fr fr:oss fr:bepo fr:azerty be ch "
    "ch:fr de de:nodeadkeys de:neo at it es latam pt br nl se no dk fi is ee lt lv pl cz cz:qwerty "
    "sk hu si hr rs ro tr tr:f al mt ca ca:fr vn ru ua by bg bg:phonetic kz gr il ara ir th ge am "
    "in in:eng jp kr cn ma";

static struct app_window *window;
static struct app_board board;

static int open_window(void **unused)
{
    struct app_run run = app_run_default();
    const struct app_state state = app_state_default();
    (void)unused;
    run.window_width = run.window_height = 64;
    TEST_OK(app_window_open(&window, &run, &state, &error));
    return 0;
}

static int close_window(void **unused)
{
    (void)unused;
    app_window_close(window);
    return 0;
}

/* Gives the X server a layout, "fr" or "fr:bepo", and reads the board. */
static void use_layout(const char *layout)
{
    char command[160];
    const int name = (int)strcspn(layout, ":");
    snprintf(command, sizeof command, "setxkbmap -layout %.*s -variant '%s'", name, layout,
             layout[name] ? layout + name + 1 : "");
    if (system(command) != 0)
        fail_msg("%s fails", command);
    app_window_poll(window);
    app_window_board(window, &board);
    assert_true(board.whole && board.count >= 47);
}

static int press_of(const struct app_cap *cap, int level, bool ctrl, enum app_when now)
{
    return app_key_of(&(struct app_key_press){.place = cap->place,
                                              .alone = cap->prints[0],
                                              .typed = cap->prints[level],
                                              .lacks = app_board_lacks(&board, cap->place),
                                              .ctrl = ctrl},
                      now);
}

/* Returns what a press of the key at a US place stands for. */
static int at(int place, int level, enum app_when now)
{
    for (int i = 0; i < board.count; i++)
        if (board.caps[i].place == place)
            return press_of(&board.caps[i], level, false, now);
    return APP_KEY_NONE;
}

/* Returns true when some press stands for a key that does what the entry's binding does. */
static bool is_reached(const struct app_command_entry *entry, const struct app_binding *wanted,
                       enum app_when now)
{
    for (int i = 0; i < board.count * LEVELS; i++) {
        const struct app_command_entry *other;
        const struct app_binding *found =
            app_binding_of(press_of(&board.caps[i / LEVELS], i % LEVELS, wanted->ctrl, now),
                           wanted->ctrl, now, &other);
        if (found && other == entry && found->step == wanted->step && found->text == wanted->text)
            return true;
    }
    return false;
}

static void check_bindings(const char *layout, enum app_when now)
{
    size_t count;
    const struct app_command_entry *entries = app_commands(&count), *entry;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < APP_BINDINGS_MAX && entries[i].keys[k].step != APP_STEP_NONE; k++) {
            const struct app_binding *binding = &entries[i].keys[k];
            /* At a question the digits' row is for the guess: what else it prints alone, as the
             * minus of bepo, waits until the answer. */
            const bool waits = now >= APP_WHEN_QUESTION && binding->when == APP_WHEN_ALWAYS &&
                               !binding->ctrl && ispunct(binding->key);
            if (binding->key > ' ' && binding->key < 127 && !waits &&
                app_binding_of(binding->key, binding->ctrl, now, &entry) == binding &&
                !is_reached(&entries[i], binding, now))
                fail_msg("%s: in situation %d, %s%c (%s) cannot be reached", layout, (int)now,
                         binding->ctrl ? "Ctrl " : "", binding->key, entries[i].name);
        }
}

/* What a key prints with Shift or AltGr, else alone, is what it stands for, where a command has it
 * and its place is not the only one of another. */
static void check_prints(const char *layout)
{
    const struct app_command_entry *entry;
    for (int i = 0; i < board.count * LEVELS; i++) {
        const struct app_cap *cap = &board.caps[i / LEVELS];
        const int level = i % LEVELS, typed = cap->prints[level];
        const bool bound = typed > ' ' && typed < 127 &&
                           app_binding_of(toupper(typed), false, APP_WHEN_TYPING, &entry);
        if (bound && (typed != cap->prints[0] || !app_board_lacks(&board, cap->place)) &&
            toupper(typed) != toupper(cap->prints[0]) &&
            press_of(cap, level, false, APP_WHEN_ALWAYS) != toupper(typed))
            fail_msg("%s: %c is not what it prints", layout, typed);
    }
}

TEST_WITH(test_every_command_on_every_layout, open_window, close_window)
{
    char layout[32];
    int used = 0, length;
    const char *list = getenv("KEYBOARDS") ? getenv("KEYBOARDS") : layouts;
    for (; sscanf(list, " %31s%n", layout, &length) == 1; list += length, used++) {
        use_layout(layout);
        for (int now = APP_WHEN_ALWAYS; now <= APP_WHEN_TYPING; now++)
            check_bindings(layout, (enum app_when)now);
        check_prints(layout);
        /* The digits' row needs no Shift at a question, wherever the layout has its digits. */
        for (int digit = '0'; digit <= '9'; digit++) {
            const int key = at(digit, 0, APP_WHEN_QUESTION);
            if (key < '0' || key > '9')
                fail_msg("%s: at a question, the key %c is %d", layout, digit, key);
        }
    }
    print_message("%d layouts\n", used);
    assert_true(used > 0);
}

TEST_WITH(test_keys_of_layouts, open_window, close_window)
{
    static const struct {
        const char *layout;
        int place, level;
        bool asked; /* a question is open */
        int key;
    } rows[] = {
        {"us", '3', 0, false, '3'},       {"us", '3', SHIFT, false, '3'},
        {"us", '=', SHIFT, false, '+'},   {"fr", '1', 0, false, '1'},
        {"fr", '1', SHIFT, false, '1'},   {"fr", '6', 0, false, '-'},
        {"fr", '6', 0, true, '6'},        {"fr", '6', SHIFT, false, '6'},
        {"fr", '5', ALTGR, false, '['},   {"fr", '[', 0, false, '['}, /* a dead key */
        {"fr", ']', 0, false, ']'},       {"fr", 'Q', 0, false, 'A'},
        {"fr", ';', 0, false, 'M'},       {"fr", 'M', 0, false, ','},
        {"fr", ',', SHIFT, false, '.'},   {"be", ',', SHIFT, false, '.'},
        {"de", 'Y', 0, false, 'Z'},       {"de", '[', 0, false, '['},
        {"de", ']', 0, false, '+'},       {"de", '9', ALTGR, false, ']'},
        {"de", '0', SHIFT, false, '='},   {"de", '0', SHIFT, true, '='},
        {"cz", '1', 0, false, '+'},       {"cz", '1', 0, true, '1'},
        {"cz", '1', SHIFT, false, '1'},   {"gr", 'Q', 0, false, 'Q'},
        {"gr", 'Q', SHIFT, false, 'Q'},   {"il", 'Q', 0, false, 'Q'},
        {"bg", 'Q', 0, false, 'Q'}, /* prints a comma */
        {"ru", 'C', 0, false, 'C'},       {"th", '3', 0, false, '3'},
        {"tr", 'I', 0, false, 'I'},       {"tr", 'I', SHIFT, false, 'I'},
        {"tr", '\'', 0, false, 'I'},      {"us:dvorak", 'V', 0, false, 'K'},
        {"us:dvorak", '.', 0, true, 'V'}, {"fr:bepo", '4', ALTGR, false, '['},
        {"fr:bepo", '4', 0, false, '4'},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (i == 0 || strcmp(rows[i].layout, rows[i - 1].layout) != 0)
            use_layout(rows[i].layout);
        const int key =
            at(rows[i].place, rows[i].level, rows[i].asked ? APP_WHEN_QUESTION : APP_WHEN_ALWAYS);
        if (key != rows[i].key)
            fail_msg("%s, %c, level %d: %c in place of %c", rows[i].layout, rows[i].place,
                     rows[i].level, key, rows[i].key);
    }
}

/* Texts name keys as they are on the board. */
TEST_WITH(test_names_on_layouts, open_window, close_window)
{
    static const struct {
        const char *layout, *pixels, *addresses, *bounces, *storage;
    } rows[] = {
        {"us", "[ ]", "- +", ", .", "1-5"},
        {"fr", "AltGr ( AltGr )", "- +", ", .", "1-5"},
        {"de", "AltGr 8 AltGr 9", "- +", ", .", "1-5"},
        {"ch", "AltGr \u00dc AltGr 9", "- +", ", .", "1-5"},
        {"ru", "[ ]", "- +", ", .", "1-5"},
        {"us", "[ ]", "- +", ", .", "1-5"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        use_layout(rows[i].layout);
        app_keys_use(&board);
        assert_string_equal(app_key_hint("pixels").text, rows[i].pixels);
        assert_string_equal(app_key_hint("addresses").text, rows[i].addresses);
        assert_string_equal(app_key_hint("bounces").text, rows[i].bounces);
        assert_string_equal(app_key_hint("storage").text, rows[i].storage);
    }
}

/* Where only GLFW tells what keys print, it is known of keys alone; a key is completed by what it
 * types. */
TEST(test_presses_without_a_keymap)
{
    static const struct {
        struct app_key_press press;
        int key;
    } rows[] = {
        {{.place = '1', .alone = '&', .typed = '&'}, '1'},
        {{.place = '6', .alone = '-', .typed = '-'}, '-'},
        {{.place = '6', .alone = '-', .typed = '6'}, '6'},
        {{.place = '8', .alone = '8', .typed = '['}, '['},
        {{.place = 'Z', .alone = 'y', .typed = 'y', .ctrl = true}, 'Y'},
        {{.place = 'Q', .alone = ',', .typed = ',', .lacks = true}, 'Q'},
        {{.place = 'Q', .alone = 0x439, .typed = 0x419}, 'Q'},
        {{.place = APP_KEY_PAGE_DOWN, .alone = '3', .typed = '3'}, '3'}, /* with NumLock */
        {{.place = APP_KEY_PAGE_DOWN}, APP_KEY_PAGE_DOWN},
        {{.place = APP_KEY_NONE, .alone = 'q', .typed = 'Q'}, 'Q'},
        {{.place = ';', .alone = ';', .typed = ':'}, APP_KEY_NONE},
        {{.place = -1, .alone = -5, .typed = 0x7fffffff}, APP_KEY_NONE},
    };
    const struct app_board alone = {.caps = {{'Q', {'a'}}, {'A', {'q'}}, {'1', {'&'}}}, .count = 3};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(app_key_of(&rows[i].press, APP_WHEN_ALWAYS), rows[i].key);
    assert_true(app_board_lacks(&alone, 'Z') && !app_board_lacks(&alone, 'A'));
    assert_false(app_board_lacks(&alone, '1'));
}
