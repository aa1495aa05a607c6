/* Every option of the command table: its good values come back as texts, at the ends of their range
 * and by every name; every kind of bad command line is refused: a value that is missing, empty, not
 * a number, infinite, outside its range, too large for its type or followed by more text; an option
 * that is misspelled or given twice; and every pair of options in both orders. A new entry of the
 * table is covered without a change here. */
#include "parsed.h"

#include <ctype.h>
#include <math.h>

static unsigned long cases;

/* Checks that a command line is refused with one complete sentence that names the flag. */
static void refuse(const char *named, const char *first, const char *second, const char *third,
                   const char *fourth)
{
    cases++;
    if (parse(first, second, third, fourth, (const char *)NULL) != KRN_REFUSED)
        fail_msg("not refused: %s %s %s %s", first, second ? second : "", third ? third : "",
                 fourth ? fourth : "");
    const size_t length = strlen(error.text);
    if (strstr(error.text, named) == NULL || strchr(error.text, '\n') != NULL || length == 0 ||
        error.text[length - 1] != '.' || length >= sizeof error.text - 1)
        fail_msg("\"%s\" is no sentence about %s", error.text, named);
    for (const char *c = error.text; *c != 0; c++)
        if (iscntrl((unsigned char)*c))
            fail_msg("\"%s\" has a control character", error.text);
}

/* Another option, for this one to stand before or behind. */
static const char *other_than(const struct app_command_entry *entry)
{
    return strcmp(entry->name, "hud") == 0 ? "--vsync=on" : "--hud=on";
}

/* Refuses the value behind the flag, before and after another option, and joined to the flag. */
static void refuse_everywhere(const struct app_command_entry *entry, const char *value)
{
    const char *flag = entry->flag, *other = other_than(entry);
    char joined[TEXT_MAX + 64];
    snprintf(joined, sizeof joined, "%s=%s", flag, value);
    refuse(flag, joined, NULL, NULL, NULL);
    refuse(flag, other, joined, NULL, NULL);
    refuse(flag, joined, other, NULL, NULL);
    if (strncmp(value, "--", 2) == 0) /* alone, this is another option */
        return;
    refuse(flag, flag, value, NULL, NULL);
    refuse(flag, other, flag, value, NULL);
    refuse(flag, flag, value, other, NULL);
}

/* Writes a value at the low or high end of what the entry takes; "" for no value. */
static void write_end(const struct app_command_entry *entry, bool high, char *text, size_t size)
{
    const struct app_value *value = &entry->value;
    const double end = high ? value->high : value->low;
    const int choices = app_value_choices(value), choice = high && choices > 0 ? choices - 1 : 0;
    char path[128];
    snprintf(path, sizeof path, "missing/%s%s", entry->name, value->suffix ? value->suffix : "");
    struct app_given given = {.on = high,
                              .choice = choice,
                              .integer = (int)end,
                              .seed = high ? UINT64_MAX : 0,
                              .real = end,
                              .low = end,
                              .high = end,
                              .width = (int)end,
                              .height = (int)end,
                              .text = value->kind == APP_VALUE_PATH    ? path
                                      : value->kind == APP_VALUE_NAMES ? value->choices[choice]
                                                                       : value->example};
    for (int i = 0; value->spans != NULL && value->spans[i].name != NULL; i++) {
        const int number = high ? value->spans[i].high : value->spans[i].low;
        given.spans[i] = (struct app_span){high || i == 0, number, number}; /* the first, or all */
    }
    text[0] = 0;
    if (value->list)
        snprintf(text, size, "%s", path);
    else if (value->kind != APP_VALUE_NONE)
        app_value_text(value, &given, text, size);
}

static bool ends_in(const char *text, const char *suffix)
{
    const size_t n = strlen(text), m = strlen(suffix);
    return n > m && strcmp(text + n - m, suffix) == 0;
}

/* Returns true when the table says that the entry takes this text. */
static bool table_takes(const struct app_value *value, const char *text)
{
    const bool digits = text[0] != 0 && strspn(text, "0123456789") == strlen(text);
    if (value->word != NULL && strcmp(text, value->word) == 0)
        return true;
    switch (value->kind) {
    case APP_VALUE_SEED: /* 64 bits are any number of 19 digits */
        return digits && strlen(text) <= 19;
    case APP_VALUE_INTEGER:
    case APP_VALUE_REAL:
        return digits && strtod(text, NULL) >= value->low && strtod(text, NULL) <= value->high;
    case APP_VALUE_CHOICE:
    case APP_VALUE_NAMES:
        for (int i = 0; i < app_value_choices(value); i++)
            if (strcmp(text, value->choices[i]) == 0)
                return true;
        return false;
    case APP_VALUE_PATH:
        return (value->suffix == NULL || ends_in(text, value->suffix)) &&
               (!value->list || app_value_is_joined(text));
    case APP_VALUE_TEXT:
        return value->check(text);
    default:
        return false;
    }
}

/* Numbers, and what stands where a number should. */
static void drive_texts(const struct app_command_entry *entry)
{
    static const char *const texts[] = {
        "nan",        "NaN",        "-nan",        "nan(1)",
        "inf",        "-inf",       "INF",         "infinity",
        "2147483648", "4294967296", "-2147483649", "9223372036854775808",
        "1e308",      "-1e308",     "1e999",       "-1e999",
        "-1",         "0x10",       "1e",          "+1",
        " 1",         "1 ",         "one",         "--",
        "-",          "\xff\xfe",   "1\xc2\xbd",   "$(true)",
        "%s%n",       "ON",         "true",        "99999999999999999999999999",
        "\t",         "1\n2",       "\033[31m",    "1,5",
        ",",          ",,",         ",1",          "1,",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!table_takes(&entry->value, texts[i]))
            refuse_everywhere(entry, texts[i]);
    /* A text far longer than any value, and than any message. */
    static char much[TEXT_MAX];
    memset(much, '9', sizeof much - 1);
    refuse_everywhere(entry, much);
}

/* A good value with something behind it or before it. */
static void drive_junk(const struct app_command_entry *entry)
{
    static const char *const junk[] = {"x", " ", "\n", ";", "%", "\x01", ":", "=", "/", "0x", "e"};
    char good[128], text[256];
    for (int high = 0; high < 2; high++) {
        write_end(entry, high != 0, good, sizeof good);
        for (size_t i = 0; i < sizeof junk / sizeof *junk; i++) {
            snprintf(text, sizeof text, "%s%s", good, junk[i]);
            if (!table_takes(&entry->value, text))
                refuse_everywhere(entry, text);
            snprintf(text, sizeof text, "%s%s", junk[i], good);
            if (!table_takes(&entry->value, text))
                refuse_everywhere(entry, text);
        }
    }
}

/* Every span beyond its ends, with its ends swapped, twice, and beside a name that there is not. */
static void drive_spans(const struct app_command_entry *entry)
{
    char text[128];
    for (const struct app_span_kind *kind = entry->value.spans; kind->name != NULL; kind++) {
        const int ends[][2] = {{kind->low - 1, kind->high},
                               {kind->low, kind->high + 1},
                               {kind->low - 1, kind->low - 1},
                               {kind->high + 1, kind->high + 1},
                               {kind->high, kind->low}};
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
            snprintf(text, sizeof text, "%s=%d..%d", kind->name, ends[i][0], ends[i][1]);
            refuse_everywhere(entry, text);
        }
        static const char *const joins[] = {
            "%1$s,%1$s",        "%1$s,",     ",%1$s",     "%1$s,,%1$s",
            "%1$s,pixels=1..2", "%1$s;%1$s", "%1$s, %1$s"};
        char good[64];
        snprintf(good, sizeof good, "%s=%d..%d", kind->name, kind->low, kind->high);
        for (size_t i = 0; i < sizeof joins / sizeof *joins; i++) {
            char joined[160];
            snprintf(joined, sizeof joined, joins[i], good);
            refuse_everywhere(entry, joined);
        }
    }
}

/* The least step outside of the range, at both ends and in both parts of a pair. */
static void drive_range(const struct app_command_entry *entry)
{
    const struct app_value *value = &entry->value;
    const bool real = value->kind == APP_VALUE_REAL || value->kind == APP_VALUE_RANGE;
    char text[128];
    for (int high = 0; high < 2; high++) {
        const double end = high ? value->high : value->low;
        const double out = real ? nextafter(end, high ? INFINITY : -INFINITY) : end + 2 * high - 1;
        switch (value->kind) {
        case APP_VALUE_INTEGER:
        case APP_VALUE_REAL:
            snprintf(text, sizeof text, "%.17g", out);
            refuse_everywhere(entry, text);
            break;
        case APP_VALUE_RANGE:
        case APP_VALUE_SIZE:
            for (int part = 0; part < 3; part++) {
                const double a = part == 1 ? end : out, b = part == 0 ? end : out;
                snprintf(text, sizeof text, "%.17g%c%.17g", a,
                         value->kind == APP_VALUE_SIZE ? 'x' : ':', b);
                refuse_everywhere(entry, text);
            }
            break;
        default:
            break;
        }
    }
    if (value->kind == APP_VALUE_RANGE) {
        snprintf(text, sizeof text, "%.17g:%.17g", value->high, value->low);
        refuse_everywhere(entry, text); /* the ends, swapped */
    }
    if (value->kind == APP_VALUE_SPANS)
        drive_spans(entry);
    if (value->kind == APP_VALUE_SEED)
        refuse_everywhere(entry, "18446744073709551616");
}

/* No value, and the option twice: F is the flag, E an empty word, V a value, J flag and value in
 * one word, N the same without the value, and O another option. */
static void drive_count(const struct app_command_entry *entry)
{
    static const char *const without[] = {"FF", "FOF", "N", "J"};
    static const char *const with[] = {"N",   "F",   "FE",  "FO",   "OF", "JJ",
                                       "JOJ", "FVJ", "JFV", "FVFV", "JF", "FVF"};
    const bool none = entry->value.kind == APP_VALUE_NONE;
    char value[128], joined[256], empty[64];
    write_end(entry, false, value, sizeof value);
    snprintf(joined, sizeof joined, "%s=%s", entry->flag, none ? "on" : value);
    snprintf(empty, sizeof empty, "%s=", entry->flag);
    for (size_t i = 0; i < (none ? 4 : sizeof with / sizeof *with); i++) {
        const char *words[4] = {NULL};
        for (size_t w = 0; (none ? without : with)[i][w] != 0; w++) {
            const char way = (none ? without : with)[i][w];
            words[w] = way == 'F'   ? entry->flag
                       : way == 'E' ? ""
                       : way == 'V' ? value
                       : way == 'J' ? joined
                       : way == 'N' ? empty
                                    : other_than(entry);
        }
        refuse(entry->flag, words[0], words[1], words[2], words[3]);
    }
}

/* Misspelled flags. */
static void drive_unknown(const struct app_command_entry *entry)
{
    const char *flag = entry->flag;
    char wrong[64];
    const size_t length = strlen(flag);
    for (int way = 0; way < 6; way++) {
        snprintf(wrong, sizeof wrong, "%s%s", way == 2 ? "-" : "", way == 1 ? flag + 1 : flag);
        if (way == 0)
            wrong[length - 1] = 0;
        else if (way == 3)
            wrong[length] = 'q', wrong[length + 1] = 0;
        else if (way == 4)
            wrong[2] = (char)toupper((unsigned char)wrong[2]);
        else if (way == 5)
            wrong[1] = '+';
        if (app_command_by_flag(wrong) != NULL || strcmp(wrong, "-h") == 0)
            continue;
        refuse(wrong, wrong, NULL, NULL, NULL);
        refuse(wrong, "--hud=on", wrong, NULL, NULL);
    }
}

/* Clears what differs where a path is at another place of the command line: a pointer, and the
 * bytes behind the last member. */
static void forget_place(struct app_paths *paths)
{
    const struct app_paths own = *paths;
    memset(paths, 0, sizeof *paths);
    paths->first = own.first;
    paths->rest_count = own.rest_count;
}

/* Accepts a value as two words and as one; its text, as the program shows it, means the same. */
static void accept(const struct app_command_entry *entry, const char *value)
{
    const bool light = strcmp(value, "rays") == 0, strip = strcmp(entry->name, "pixels") == 0;
    const char *with = light                        ? "--view=light"
                       : strip                      ? "--kernel=strip"
                       : strcmp(value, "mine") == 0 ? "--kernel-file=mine.cu"
                                                    : other_than(entry);
    char joined[TEXT_MAX + 64], shown[TEXT_MAX];
    assert_accepted(with, entry->flag, value);
    const struct app_state before = state;
    struct app_run run_before = run;
    forget_place(&run_before.compare);
    app_command_show(entry, &state, &run, shown, sizeof shown);
    for (int way = 0; way < 2; way++) {
        if (way > 0 && (entry->value.list || entry->value.kind == APP_VALUE_NONE ||
                        strcmp(entry->name, "duel") == 0 || shown[0] == 0))
            continue;
        snprintf(joined, sizeof joined, "%s=%s", entry->flag, way == 0 ? value : shown);
        assert_accepted(joined, with);
        forget_place(&run.compare);
        assert_memory_equal(&state, &before, sizeof state);
        if (!entry->value.list)
            assert_memory_equal(&run, &run_before, sizeof run);
    }
}

TEST(test_every_good_value)
{
    size_t count;
    const struct app_command_entry *entries = app_commands(&count);
    for (size_t i = 0; i < count; i++) {
        const struct app_value *value = &entries[i].value;
        char text[TEXT_MAX];
        if (entries[i].flag == NULL)
            continue;
        if (value->kind == APP_VALUE_NONE) {
            assert_accepted(entries[i].flag);
            continue;
        }
        for (int high = 0; high < 2; high++) {
            write_end(&entries[i], high != 0, text, sizeof text);
            accept(&entries[i], text);
        }
        for (int n = 0; n < app_value_choices(value); n++)
            accept(&entries[i], value->choices[n]);
        for (size_t n = 0; value->offered != NULL && value->offered[n] != NULL; n++)
            accept(&entries[i], value->offered[n]);
        if (value->word != NULL)
            accept(&entries[i], value->word);
        if (value->kind != APP_VALUE_PATH)
            continue;
        /* The longest path, and one of a byte more. */
        memset(text, 'a', sizeof text);
        const char *suffix = value->suffix != NULL ? value->suffix : ".png";
        const size_t start = APP_PATH_MAX - strlen(suffix);
        snprintf(text + start, sizeof text - start, "%s", suffix);
        assert_refused(entries[i].flag, entries[i].flag, text);
        accept(&entries[i], text + 1);
    }
}

TEST(test_every_bad_value)
{
    size_t count, flags = 0;
    const struct app_command_entry *entries = app_commands(&count);
    cases = 0;
    for (size_t i = 0; i < count; i++) {
        if (entries[i].flag == NULL)
            continue;
        flags++;
        drive_count(&entries[i]);
        drive_unknown(&entries[i]);
        if (entries[i].value.kind == APP_VALUE_NONE)
            continue;
        drive_texts(&entries[i]);
        drive_junk(&entries[i]);
        drive_range(&entries[i]);
    }
    print_message("%zu options, %lu bad command lines\n", flags, cases);
    assert_true(flags > 40 && cases > 100 * flags);
}

/* The words of an option with a good value. */
struct word {
    char text[192];
};

static struct word good_word(const struct app_command_entry *entry)
{
    struct word word;
    char value[128];
    write_end(entry, false, value, sizeof value);
    snprintf(word.text, sizeof word.text, "%s%s%s", entry->flag, value[0] != 0 ? "=" : "", value);
    return word;
}

/* The order of two options does not matter, and a refusal names both, or what is missing. */
TEST(test_every_pair)
{
    size_t count;
    unsigned long pairs = 0, refused = 0;
    const struct app_command_entry *entries = app_commands(&count);
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++) {
            const char *a = entries[i].flag, *b = entries[j].flag;
            if (a == NULL || b == NULL)
                continue;
            const struct word first = good_word(&entries[i]), second = good_word(&entries[j]);
            const enum krn_code code = parse(first.text, second.text, (const char *)NULL);
            const struct app_state of_one = state;
            forget_place(&run.compare);
            const struct app_run run_one = run;
            const struct krn_error said = error;
            if (parse(second.text, first.text, (const char *)NULL) != code)
                fail_msg("%s and %s: the order matters", first.text, second.text);
            forget_place(&run.compare);
            pairs++;
            refused += code != KRN_OK;
            if (code != KRN_OK) {
                assert_int_equal(code, KRN_REFUSED);
                assert_string_equal(said.text, error.text);
                if (strstr(said.text, a) == NULL || strstr(said.text, b) == NULL ||
                    strchr(said.text, '\n') != NULL)
                    fail_msg("%s and %s: \"%s\" does not name both", a, b, said.text);
            } else if (memcmp(&of_one, &state, sizeof state) != 0 ||
                       memcmp(&run_one, &run, sizeof run) != 0) {
                fail_msg("%s and %s: the order changes the run", first.text, second.text);
            }
        }
    print_message("%lu pairs of options, %lu exclude each other\n", pairs, refused);
    assert_true(pairs > 1000 && refused > 40 && refused < pairs / 2);
}

/* Every option that names a file says what happens to it; app_run_outputs lists those that are
 * written. */
TEST(test_files_have_a_use)
{
    size_t count, written = 0;
    const struct app_command_entry *entries = app_commands(&count);
    for (size_t i = 0; i < count; i++) {
        const struct app_value *value = &entries[i].value;
        const char *paths[APP_OUTPUTS_MAX];
        if (entries[i].flag == NULL)
            continue;
        if (value->kind == APP_VALUE_PATH)
            assert_int_not_equal(value->file, APP_FILE_NONE);
        else if (value->kind != APP_VALUE_TEXT)
            assert_int_equal(value->file, APP_FILE_NONE);
        if (value->file == APP_FILE_NONE || value->list)
            continue;
        const struct word word = good_word(&entries[i]);
        assert_accepted(word.text);
        const size_t outputs = app_run_outputs(&run, paths);
        if (value->file != APP_FILE_WRITTEN) {
            assert_int_equal(outputs, 0);
            continue;
        }
        written++;
        assert_int_equal(entries[i].place, APP_PLACE_RUN);
        assert_true(outputs >= 1 && strncmp(paths[0], "missing/", 8) == 0);
    }
    assert_true(written >= 5 && written <= APP_OUTPUTS_MAX);
}
