/* Texts that name keys and flags: --help, the help screen, README.md, docs/reference.md. Where the
 * last one does not match the command table, the test writes the right page into the build folder
 * and says how to copy it. */
#include "base/files.h"
#include "command/command.h"
#include "command/entry.h"
#include "keys.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* True when text holds word with no letter, digit or dash behind it. */
static bool holds(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
        if (!isalnum((unsigned char)at[length]) && at[length] != '-')
            return true;
    return false;
}

/* Returns the text of --help, or a table of the reference page, to be freed. */
static char *text_of(const char *table)
{
    static char *text; /* static: gcc 12 takes a local one for what the text points to */
    static size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    if (table == NULL)
        app_help_write(out);
    else
        assert_true(app_help_markdown(out, table));
    assert_int_equal(fclose(out), 0);
    return text;
}

TEST(test_every_flag_is_explained)
{
    size_t count;
    const struct app_command_entry *entries = app_commands(&count);
    TEST_FREED char *help = text_of(NULL), *options = text_of("options");
    for (size_t i = 0; i < count; i++) {
        char limits[64];
        if (entries[i].flag == NULL)
            continue;
        assert_true(holds(help, entries[i].flag));
        assert_true(holds(options, entries[i].flag));
        assert_non_null(strstr(options, entries[i].help));
        app_value_limits(&entries[i].value, limits, sizeof limits);
        assert_non_null(strstr(help, limits));
        assert_non_null(strstr(options, limits));
    }
    for (int code = 0; code <= 4; code++) {
        char text[16];
        snprintf(text, sizeof text, "  %d ", code);
        assert_non_null(strstr(help, text));
    }
}

/* What completions offer is valid. */
TEST(test_offered_values)
{
    size_t count, offered = 0;
    struct app_given given;
    const struct app_command_entry *entries = app_commands(&count);
    for (size_t i = 0; i < count; i++)
        for (const char *const *at = entries[i].value.offered; at != NULL && *at != NULL; at++) {
            assert_true(app_value_parse(&entries[i].value, *at, &given));
            offered++;
        }
    assert_true(offered > 0);
}

TEST(test_help_fits_a_terminal)
{
    TEST_FREED char *help = text_of(NULL);
    for (const char *line = help; *line != 0;) {
        const size_t length = strcspn(line, "\n");
        assert_true(length <= 100);
        assert_true(length == 0 || line[length - 1] != ' ');
        assert_true(line[length] == '\n');
        line += length + 1;
    }
}

/* Every key is shown by its name, or lies in a run like "1-4". */
TEST(test_every_key_is_shown)
{
    struct app_help_line lines[APP_HELP_LINES_MAX];
    size_t count;
    const struct app_command_entry *entries = app_commands(&count);
    const size_t n = app_help_keys(lines);
    TEST_FREED char *help = text_of(NULL), *keys = text_of("keys");
    assert_true(n > 10 && n < APP_HELP_LINES_MAX);
    for (size_t i = 0; i < count; i++) {
        const char *text = NULL;
        for (int k = 0; k < APP_BINDINGS_MAX && entries[i].keys[k].step != APP_STEP_NONE; k++) {
            const struct app_binding *b = &entries[i].keys[k];
            text = b->help != NULL ? b->help : text;
            assert_non_null(text);
            size_t line = 0;
            while (line < n && lines[line].text != text)
                line++;
            assert_true(line < n);
            assert_int_equal(lines[line].section, entries[i].section);
            char name[24];
            app_key_name(b->key, b->ctrl, name, sizeof name);
            const char *shown = lines[line].keys;
            const char *dash = strchr(shown, '-');
            const bool in_run = dash != NULL && dash > shown && b->key < APP_KEY_UP &&
                                dash[-1] <= b->key && b->key <= dash[1];
            assert_true(holds(shown, name) || in_run);
            assert_non_null(strstr(help, shown));
            assert_non_null(strstr(keys, text));
        }
    }
}

TEST(test_names_of_keys)
{
    static const struct {
        int key;
        bool ctrl;
        const char *name;
    } names[] = {
        {'A', false, "A"},
        {APP_KEY_SPACE, false, "Space"},
        {'+', true, "Ctrl +"},
        {APP_KEY_F1, false, "F1"},
        {APP_KEY_F12, false, "F12"},
        {APP_KEY_PAGE_DOWN, true, "Ctrl PageDown"},
        {APP_KEY_ESCAPE, false, "Esc"},
        {3, false, "?"},
        {-1, false, "?"},
    };
    char text[24];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        app_key_name(names[i].key, names[i].ctrl, text, sizeof text);
        assert_string_equal(text, names[i].name);
    }
}

/* What a text calls a key is what the table binds. */
TEST(test_hints)
{
    static const struct {
        const char *command, *key;
    } keys[] = {{"measure", "B"},    {"help", "H"},     {"leave", "Esc"},
                {"duel", "Tab"},     {"hold", "Enter"}, {"fullscreen", "F"},
                {"motion", "Space"}, {"band", ""},      {"no such", ""}};
    static const struct {
        const char *text, *filled;
    } texts[] = {{"press {quit} again", "press Q again"},
                 {"{help} or {leave} closes this", "H or Esc closes this"},
                 {"no key", "no key"},
                 {"", ""},
                 {"{no such} {help", "{no such} {help"},
                 {"{}{{warm}}", "{}{W}"}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_string_equal(app_key_hint(keys[i].command).text, keys[i].key);
    /* The storages' keys are one run, without the key for the next storage. */
    const struct app_key_hint storages = app_key_hint("storage");
    assert_int_equal(strncmp(storages.text, "1-", 2), 0);
    assert_int_equal(strlen(storages.text), 3);
    char filled[64];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        app_key_hints(texts[i].text, filled, sizeof filled);
        assert_string_equal(filled, texts[i].filled);
    }
    char narrow[8];
    app_key_hints("press {quit} again", narrow, sizeof narrow);
    assert_string_equal(narrow, "press Q");
    app_key_hints("because of {leave}", narrow, sizeof narrow);
    assert_string_equal(narrow, "because");
}

/* Copies page to out with the text between <!-- NAME --> and <!-- /NAME --> replaced by table.
 * False when the page lacks the markers. */
static bool replace_part(FILE *out, const char **page, const char *name, const char *table)
{
    char begin[32], end[32];
    snprintf(begin, sizeof begin, "<!-- %s -->\n", name);
    snprintf(end, sizeof end, "<!-- /%s -->\n", name);
    const char *from = strstr(*page, begin);
    const char *to = from != NULL ? strstr(from, end) : NULL;
    if (to == NULL)
        return false;
    from += strlen(begin);
    fwrite(*page, 1, (size_t)(from - *page), out);
    fputs(table, out);
    *page = to;
    return true;
}

/* Returns the reference page with today's tables, to be freed. */
static char *expected_reference(const char *page)
{
    static const char *const parts[] = {"words", "keys", "options", "benchmarks", "exits"};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        TEST_FREED char *table = text_of(parts[i]);
        if (!replace_part(out, &page, parts[i], table))
            fail_msg("docs/reference.md lacks <!-- %s --> ... <!-- /%s -->", parts[i], parts[i]);
    }
    fputs(page, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

TEST(test_reference_page)
{
    TEST_FREED char *page = NULL;
    size_t length;
    TEST_OK(app_read_file(TEST_SOURCE_DIR "/docs/reference.md", 1 << 20, &page, &length, &error));
    TEST_FREED char *expected = expected_reference(page);
    if (strcmp(page, expected) != 0) {
        FILE *out = fopen(TEST_BINARY_DIR "/reference.md", "wb");
        assert_non_null(out);
        fputs(expected, out);
        assert_int_equal(fclose(out), 0);
        fail_msg("docs/reference.md does not match the command table. Update it:\n"
                 "cp %s/reference.md %s/docs/reference.md",
                 TEST_BINARY_DIR, TEST_SOURCE_DIR);
    }
}

/* Returns true when the state after the press of a key is what the key's row says. */
static bool as_told(const char *row, int key, const struct app_state *before)
{
    switch (key) {
    case APP_KEY_TAB:
        return !before->spec.duel.on && state.spec.duel.on &&
               krn_mode_equal(state.spec.duel.other, facts.left.mode) &&
               strstr(row, "the last one");
    case APP_KEY_UP:
        return state.spec.recipe.count == 2 * before->spec.recipe.count &&
               strstr(row, "twice the spheres");
    case 'K':
        return strstr(row, krn_kernel_name(state.spec.duel.other.kernel)) &&
               strstr(row, "right side");
    case 'P':
        return state.look.panels == APP_PANELS_COMPACT && state.look.page == APP_SUBJECT_CLAIMS;
    case 'N':
        return before->look.page == APP_SUBJECT_CLAIMS ? state.look.page == APP_SUBJECT_STORY
                                                       : app_subject_topic(state.look.page) >= 0;
    case 'H':
        return state.look.help && state.look.help_page == APP_HELP_FIRST &&
               strstr(row, "first keys");
    default:
        return (int)state.spec.mode.storage == key - '1' &&
               strstr(row, krn_storage_name(state.spec.mode.storage));
    }
}

/* Whoever presses the keys of README.md one after another sees what it says. */
TEST_WITH(test_first_keys_of_the_readme, start, NULL)
{
    TEST_FREED char *page = NULL;
    size_t length;
    char name[24], known[24];
    TEST_OK(app_read_file(TEST_SOURCE_DIR "/README.md", 1 << 20, &page, &length, &error));
    facts.empty_subjects = 1u << APP_SUBJECT_CLASS; /* no folder is given */
    char *row = strstr(page, "| Press |");
    assert_non_null(row);
    for (row = strtok(row, "\n"); row[0] == '|'; row = strtok(NULL, "\n")) {
        int taken = 0;
        for (char *at = row + 1; sscanf(at, "%*[^`|]`%23[^`]`%n", name, &taken) == 1;) {
            int key = APP_KEY_SPACE;
            do
                app_key_name(key, false, known, sizeof known);
            while (strcmp(known, name) != 0 && ++key < APP_KEY_COUNT);
            at += taken;
            for (int left = strncmp(at, ", a few times", 13) == 0 ? 3 : 1; left > 0; left--) {
                const struct app_state before = state;
                if (press(key) != APP_DONE || !as_told(row, key, &before))
                    fail_msg("%s of \"%s\": %s", name, row, reply.text);
                facts.has_left = true; /* as the session does: */
                if (!krn_mode_equal(before.spec.mode, state.spec.mode))
                    facts.left = app_state_side(&before, 0);
            }
        }
    }
    for (int help = APP_HELP_FIRST + 1; help < APP_HELP_PAGES; help++)
        gives('H', state.look.help_page, help);
}
