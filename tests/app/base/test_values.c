/* The values of options: every table entry is tested with valid and invalid values of its kind. */
#include "parsed.h"

#include <math.h>

static void accept_value(const struct app_command_entry *entry, const char *value)
{
    char joined[TEXT_MAX];
    if (strcmp(entry->flag, "--heatmap") == 0 && strcmp(value, "rays") == 0) {
        assert_refused("light view", entry->flag, value);
        assert_accepted("--view", "light", entry->flag, value);
        assert_accepted(entry->flag, value, "--view", "light");
        assert_accepted(entry->flag, value, "--bench", "raytrace", "--modes", "tree/*");
        return;
    }
    assert_accepted(entry->flag, value);
    const struct app_state spaced = state;
    const struct app_run spaced_run = run;
    snprintf(joined, sizeof joined, "%s=%s", entry->flag, value);
    assert_accepted(joined);
    assert_memory_equal(&state, &spaced, sizeof state);
    if (entry->value.list) { /* the list points into the command line */
        assert_string_equal(run.compare.first, value);
        return;
    }
    assert_memory_equal(&run, &spaced_run, sizeof run);
}

/* Writes a value that the entry accepts. */
static void good_value(const struct app_command_entry *entry, char *text, size_t size)
{
    const struct app_value *value = &entry->value;
    switch (value->kind) {
    case APP_VALUE_NONE:
        text[0] = 0;
        break;
    case APP_VALUE_SWITCH:
        snprintf(text, size, "off");
        break;
    case APP_VALUE_CHOICE:
    case APP_VALUE_NAMES:
        snprintf(text, size, "%s", value->choices[0]);
        break;
    case APP_VALUE_INTEGER:
    case APP_VALUE_REAL:
        snprintf(text, size, "%.0f", ceil(value->low));
        break;
    case APP_VALUE_SEED:
        snprintf(text, size, "7");
        break;
    case APP_VALUE_RANGE:
        snprintf(text, size, "%.0f:%.0f", ceil(value->low), floor(value->high));
        break;
    case APP_VALUE_SPANS:
        snprintf(text, size, "%s=%d..%d", value->spans[0].name, value->spans[0].low,
                 value->spans[0].high);
        break;
    case APP_VALUE_SIZE:
        snprintf(text, size, "%.0fx%.0f", value->low, value->high);
        break;
    case APP_VALUE_PATH:
        snprintf(text, size, "some file%s", value->suffix != NULL ? value->suffix : "");
        break;
    case APP_VALUE_TEXT:
        snprintf(text, size, "%s", value->example);
        break;
    }
}

static bool is_number(enum app_value_kind kind)
{
    return kind == APP_VALUE_INTEGER || kind == APP_VALUE_REAL || kind == APP_VALUE_SEED;
}

static void drive_number(const struct app_command_entry *entry)
{
    static const char *const wrong[] = {
        "nan", "NaN", "inf",  "-inf", "infinity", "1e308",   "-1e308", "1e999", "20x",   "20 ",
        " 20", "2 0", "1,5",  "1.5.", "0x10",     "+20",     "--",     "-",     ".",     "e5",
        "1e",  "1e+", "20\n", "\t20", "½",        "12three", "20;",    "$20",   "20:30",
    };
    const struct app_value *value = &entry->value;
    char text[64];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (strcmp(wrong[i], "--") != 0)
            refuse_value(entry, wrong[i]);
    refuse_value(entry, "99999999999999999999999999");
    if (value->kind == APP_VALUE_SEED) {
        accept_value(entry, "0");
        accept_value(entry, "2147483648");
        accept_value(entry, "18446744073709551615");
        refuse_value(entry, "18446744073709551616");
        refuse_value(entry, "-1");
        refuse_value(entry, "1.5");
        return;
    }
    refuse_value(entry, "2147483648");
    refuse_value(entry, "-2147483649");
    const bool whole = value->kind == APP_VALUE_INTEGER;
    const double ends[2] = {value->low, value->high};
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, "%.17g", ends[i]);
        accept_value(entry, text);
        const double out =
            whole ? ends[i] + 2 * i - 1 : nextafter(ends[i], i == 0 ? -INFINITY : INFINITY);
        snprintf(text, sizeof text, "%.17g", out);
        refuse_value(entry, text);
    }
    if (whole)
        refuse_value(entry, "1.5");
}

static void drive_pair(const struct app_command_entry *entry)
{
    static const char *const wrong[] = {
        "20",
        "20:",
        ":20",
        "x20",
        "20x",
        "20 x20",
        "20x 20",
        "20x20x20",
        "1:2:3",
        "nan:20",
        "20:nan",
        "inf:inf",
        "20:inf",
        "1e308:1e308",
        "20,30",
        "-1x20",
        "20x-1",
        "2147483648x20",
        "20x2147483648",
        "2147483648:2147483649",
        "5:4",
        "0:5",
        "20X20",
        "20.5x20",
        "0x20",
        "20x0",
        "xx",
        "::",
        "20x20 ",
        "20:30 ",
    };
    const struct app_value *value = &entry->value;
    const char *format = value->kind == APP_VALUE_SIZE ? "%.17gx%.17g" : "%.17g:%.17g";
    const double step = value->kind == APP_VALUE_SIZE ? 1 : 1e-9;
    char text[96];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refuse_value(entry, wrong[i]);
    const struct {
        double a, b;
        bool good;
    } pairs[] = {
        {value->low, value->low, true},          {value->high, value->high, true},
        {value->low, value->high, true},         {value->low - step, value->high, false},
        {value->low, value->high + step, false}, {value->high + step, value->high + step, false},
        {value->low - step, value->low, false},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        snprintf(text, sizeof text, format, pairs[i].a, pairs[i].b);
        if (pairs[i].good)
            accept_value(entry, text);
        else
            refuse_value(entry, text);
    }
}

static void drive_words(const struct app_command_entry *entry)
{
    static const char *const wrong[] = {"ON",      "On",     "yes",  "true", "1",     "0",
                                        "global ", " off",   "nan",  "inf",  "1e308", "2147483648",
                                        "x",       "off,on", "all,", ",all", ",",     "globall"};
    /* The choices of K are numbers, and all but the first need another kernel
     * (test_combinations). */
    const bool pixels = strcmp(entry->name, "pixels") == 0;
    const bool numbers = pixels || strcmp(entry->name, "samples") == 0;
    /* Names of files and devices are free; a list of them has no gap. */
    const bool names = strcmp(entry->name, "play") == 0;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const bool gap = wrong[i][0] == ',' || wrong[i][strlen(wrong[i]) - 1] == ',';
        if ((!numbers || strcmp(wrong[i], "1") != 0) && (!names || gap))
            refuse_value(entry, wrong[i]);
    }
    if (entry->value.choices != NULL && !pixels)
        for (int i = 0; entry->value.choices[i] != NULL; i++)
            accept_value(entry, entry->value.choices[i]);
}

static void drive_path(const struct app_command_entry *entry)
{
    char text[TEXT_MAX];
    if (entry->value.suffix != NULL) {
        refuse_value(entry, "nan");
        refuse_value(entry, entry->value.suffix);
        refuse_value(entry, "picture.jpg");
    }
    memset(text, 'a', sizeof text);
    const char *suffix = entry->value.suffix != NULL ? entry->value.suffix : ".png";
    const size_t start = APP_PATH_MAX - strlen(suffix);
    snprintf(text + start, sizeof text - start, "%s", suffix);
    assert_int_equal(strlen(text), APP_PATH_MAX);
    assert_refused(entry->flag, entry->flag, text);
    memmove(text, text + 1, APP_PATH_MAX);
    accept_value(entry, text);
}

static void drive_spans(const struct app_command_entry *entry)
{
    static const char *const wrong[] = {"=1..8", "1..",           "..",      "1.5..2", "1...2",
                                        "1.2",   "1:8",           "5..4",    "a..b",   "1..8 ",
                                        " 1..8", "1..2147483648", "1..2..3", "",       "-1..2",
                                        "+1..2", "1..nan"};
    const struct app_value *value = &entry->value;
    char text[128], all[128] = "", turned[128] = "";
    refuse_value(entry, "1..8");
    refuse_value(entry, "pixels=1..8");
    for (const struct app_span_kind *kind = value->spans; kind->name != NULL; kind++) {
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            snprintf(text, sizeof text, "%s=%s", kind->name, wrong[i]);
            refuse_value(entry, text);
        }
        refuse_value(entry, kind->name);
        for (int i = 0; i < 4; i++) {
            const int low = kind->low - (i == 1), high = kind->high + (i == 2);
            snprintf(text, sizeof text, "%s=%d..%d", kind->name, i == 3 ? high : low, high);
            if (i == 0 || i == 3)
                accept_value(entry, text);
            else
                refuse_value(entry, text);
        }
        char before[64];
        snprintf(before, sizeof before, "%.60s", all);
        snprintf(turned, sizeof turned, "%.60s%s%.60s", text, before[0] != 0 ? "," : "", before);
        snprintf(all, sizeof all, "%.60s%s%.60s", before, before[0] != 0 ? "," : "", text);
    }
    accept_value(entry, all);
    accept_value(entry, turned); /* in the other order */
    snprintf(text, sizeof text, "%.120s,", all);
    refuse_value(entry, text);
}

TEST(test_every_entry)
{
    size_t count, driven = 0;
    const struct app_command_entry *entries = app_commands(&count);
    for (size_t i = 0; i < count; i++) {
        const struct app_command_entry *entry = &entries[i];
        const char *other = strcmp(entry->name, "hud") == 0 ? "--vsync" : "--hud";
        char text[128], joined[256];
        if (entry->flag == NULL)
            continue;
        driven++;
        good_value(entry, text, sizeof text);
        if (entry->value.kind == APP_VALUE_NONE) {
            assert_accepted(entry->flag);
            assert_refused(entry->flag, entry->flag, entry->flag);
            snprintf(joined, sizeof joined, "%s=", entry->flag);
            assert_refused(entry->flag, joined);
            snprintf(joined, sizeof joined, "%s=on", entry->flag);
            assert_refused(entry->flag, joined);
            assert_refused("on", entry->flag, "on");
            continue;
        }
        accept_value(entry, text);
        assert_refused(entry->flag, entry->flag);
        assert_refused(entry->flag, entry->flag, other, "on");
        assert_refused(entry->flag, entry->flag, "");
        snprintf(joined, sizeof joined, "%s=", entry->flag);
        assert_refused(entry->flag, joined);
        assert_refused(entry->flag, entry->flag, text, entry->flag, text);
        snprintf(joined, sizeof joined, "%s=%s", entry->flag, text);
        assert_refused(entry->flag, joined, other, "on", entry->flag, text);
        if (entry->value.word != NULL)
            accept_value(entry, entry->value.word);
        if (is_number(entry->value.kind))
            drive_number(entry);
        else if (entry->value.kind == APP_VALUE_RANGE || entry->value.kind == APP_VALUE_SIZE)
            drive_pair(entry);
        else if (entry->value.kind == APP_VALUE_SPANS)
            drive_spans(entry);
        else if (entry->value.kind == APP_VALUE_PATH)
            drive_path(entry);
        else
            drive_words(entry);
    }
    assert_true(driven >= 26);
}
