/* app/command/help.c - builds help texts from the command table. */
#include "command/command.h"

#include "command/options.h"
#include "model/verdict.h"

#include <string.h>

enum { COLUMNS = 96, FLAG_WIDTH = 30, KEY_WIDTH = 18 };

const char *app_section_title(enum app_section section)
{
    static const char *const titles[APP_SECTION_COUNT] = {
        [APP_SECTION_RENDER] = "Rendering",   [APP_SECTION_SCENE] = "Scene",
        [APP_SECTION_SCREEN] = "Display",     [APP_SECTION_RUN] = "Run and output",
        [APP_SECTION_ANSWER] = "Information", [APP_SECTION_TALK] = "Talk",
    };
    return titles[section];
}

size_t app_help_keys(struct app_help_line lines[APP_HELP_LINES_MAX])
{
    size_t count, n = 0;
    const struct app_command_entry *entries = app_commands(&count);
    for (int section = 0; section < APP_SECTION_COUNT; section++) {
        for (size_t i = 0; i < count; i++) {
            const struct app_binding *keys = entries[i].keys;
            if (entries[i].section != (enum app_section)section)
                continue;
            for (int k = 0; k < APP_BINDINGS_MAX && keys[k].step != APP_STEP_NONE; k++) {
                const bool first = keys[k].help != NULL;
                if (first && n == APP_HELP_LINES_MAX)
                    return n;
                if (first) {
                    lines[n].section = (enum app_section)section;
                    lines[n].text = keys[k].help;
                    n++;
                }
                if (n > 0)
                    app_keys_join(lines[n - 1].keys, sizeof lines[n - 1].keys, keys, k, first);
            }
        }
    }
    return n;
}

/* Writes range and default of an option; either part may be missing. */
static void write_limits(const struct app_command_entry *entry, char *text, size_t size)
{
    const struct app_state state = app_state_default();
    const struct app_run run = app_run_default();
    char limits[64], value[APP_HELP_TEXT_MAX / 2] = "";
    app_value_limits(&entry->value, limits, sizeof limits);
    const bool clock = entry->value.kind == APP_VALUE_SEED && entry->place == APP_PLACE_RUN;
    if (entry->value.kind != APP_VALUE_NONE && !clock) /* a run's seed comes from the clock */
        app_command_show(entry, &state, &run, value, sizeof value);
    snprintf(text, size, "%s%s%s%s", limits, limits[0] != 0 && value[0] != 0 ? ", " : "",
             value[0] != 0 ? "default " : "", value);
}

/* The program's exit codes, in a word and in a sentence. */
static const struct {
    enum app_exit code;
    const char *word, *meaning;
} exits[] = {
    {APP_EXIT_DONE, "done", "done"},
    {APP_EXIT_FAILED, "failed",
     "failed, interrupted by a signal, or the display has gone under the window; a talk that "
     "cannot be read or is not valid, or a step that --check finds wrong; with "
     "--fail-on-slower also: a result is slower"},
    {APP_EXIT_USAGE, "usage", "wrong usage: the command line is not valid"},
    {APP_EXIT_WRONG, "verification failed",
     "verification failed: a picture or a result is wrong, or a replayed picture differs"},
    {APP_EXIT_UNAVAILABLE, "not available here",
     "not available here: the device, the display, the monitor or the backend that you asked "
     "for is missing; with --fail-on-slower also: too few processes, results without a "
     "verdict, or results that a side lacks"},
};

bool app_help_each(const char *part, FILE *out,
                   void (*print)(FILE *out, const struct app_help_row *row))
{
    struct app_help_row row = {.option = strcmp(part, "options") == 0};
    size_t count;
    row.code = row.option || strcmp(part, "benchmarks") == 0;
    if (row.option) {
        const struct app_command_entry *entries = app_commands(&count);
        int section = -1;
        for (size_t i = 0; i < count; i++) {
            if (entries[i].flag == NULL)
                continue;
            char metavar[128];
            app_value_metavar(&entries[i].value, metavar, sizeof metavar);
            row.section =
                section != (int)entries[i].section ? app_section_title(entries[i].section) : NULL;
            section = (int)entries[i].section;
            snprintf(row.term, sizeof row.term, "%s%s%s", entries[i].flag,
                     metavar[0] != 0 ? " " : "", metavar);
            row.text = entries[i].help;
            write_limits(&entries[i], row.limits, sizeof row.limits);
            print(out, &row);
        }
    } else if (strcmp(part, "keys") == 0) {
        struct app_help_line lines[APP_HELP_LINES_MAX];
        count = app_help_keys(lines);
        for (size_t i = 0; i < count; i++) {
            snprintf(row.term, sizeof row.term, "%s", lines[i].keys);
            row.text = lines[i].text;
            print(out, &row);
        }
    } else if (strcmp(part, "benchmarks") == 0) {
#define LINE(name, what)                                                                           \
    snprintf(row.term, sizeof row.term, #name);                                                    \
    row.text = what;                                                                               \
    print(out, &row);
#define TOPIC(id, name, what) LINE(name, what)
        APP_BENCHES(LINE, TOPIC)
    } else if (strcmp(part, "words") == 0) {
        const struct app_word *words = app_words(&count);
        for (size_t i = 0; i < count; i++) {
            snprintf(row.term, sizeof row.term, "%s", words[i].term);
            row.text = words[i].meaning;
            print(out, &row);
        }
    } else if (strcmp(part, "exits") == 0) {
        for (size_t i = 0; i < sizeof exits / sizeof *exits; i++) {
            snprintf(row.term, sizeof row.term, "%d", (int)exits[i].code);
            row.text = exits[i].meaning;
            print(out, &row);
        }
    } else {
        return false;
    }
    return true;
}

/* Writes text, wrapped; every line from the second on is indented by `indent` blanks. */
static void wrap(FILE *out, const char *text, int indent)
{
    int column = indent;
    for (size_t at = 0; text[at] != 0;) {
        const int word = (int)strcspn(text + at, " ");
        if (column > indent && column + 1 + word > COLUMNS) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', out);
            column++;
        }
        fprintf(out, "%.*s", word, text + at);
        column += word;
        at += (size_t)word;
        at += text[at] == ' ';
    }
    fputc('\n', out);
}

/* Writes left and right in two columns; right is wrapped in its column. */
static void two_columns(FILE *out, const char *left, int width, const char *right)
{
    if ((int)strlen(left) + 2 > width)
        fprintf(out, "  %s\n  %*s", left, width, "");
    else
        fprintf(out, "  %-*s", width, left);
    wrap(out, right, width + 2);
}

static void write_row(FILE *out, const struct app_help_row *row)
{
    two_columns(out, row->term, KEY_WIDTH, row->text);
}

static void write_option(FILE *out, const struct app_help_row *row)
{
    char text[2 * APP_HELP_TEXT_MAX];
    if (row->section != NULL)
        fprintf(out, "\n%s\n", row->section);
    snprintf(text, sizeof text, row->limits[0] != 0 ? "%s (%s)" : "%s", row->text, row->limits);
    two_columns(out, row->term, FLAG_WIDTH, text);
}

void app_help_write(FILE *out)
{
    fputs("Usage: spherescope [options]\n\n", out);
    wrap(out,
         "Opens a window in which a ray tracer renders spheres and its kernel is timed on every "
         "frame. Without a display it renders one picture offscreen and prints the table of modes.",
         0);
    app_help_each("options", out, write_option);
    fputs("\nKeys in the window\n", out);
    app_help_each("keys", out, write_row);
    fputs("\nBenchmarks\n", out);
    app_help_each("benchmarks", out, write_row);
    fprintf(out, "\n%s\n", app_help_formula());
    fputs("\nExit codes\n", out);
    for (size_t i = 0; i < sizeof exits / sizeof *exits; i++)
        fprintf(out, "%s%d %s", i == 0 ? "  " : "   ", (int)exits[i].code, exits[i].word);
    fputc('\n', out);
}

/* Writes text into a cell of a Markdown table. */
static void cell(FILE *out, const char *text)
{
    for (; *text != 0; text++) {
        if (*text == '|')
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void write_cells(FILE *out, const struct app_help_row *row)
{
    fputs(row->code ? "| `" : "| ", out);
    cell(out, row->term);
    fputs(row->code ? "` | " : " | ", out);
    cell(out, row->text);
    fputs(row->option ? " | " : "", out);
    cell(out, row->limits);
    fputs(" |\n", out);
}

bool app_help_markdown(FILE *out, const char *part)
{
    static const char *const heads[][2] = {
        {"options", "| Option | What it does | Range and default |"},
        {"keys", "| Key | What it does |"},
        {"benchmarks", "| Benchmark | What it measures |"},
        {"words", "| Word | Meaning |"},
        {"exits", "| Code | Meaning |"}};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (strcmp(heads[i][0], part) == 0)
            fprintf(out, "%s\n| --- | --- |%s\n", heads[i][1], i == 0 ? " --- |" : "");
    return app_help_each(part, out, write_cells);
}

const char *app_help_formula(void)
{
    return "Of limit = net time / that of only reading spheres and writing pixels; rays/s = rays / "
           "kernel time.";
}

/* Terms without a word are verdicts, in the order of app_words(). */
static struct app_word words[] = {
    {"kernel time", "time of the kernel alone: no copies, nothing of the host"},
    {"median", "half of the samples are shorter; up to 240 of this mode count"},
    {"95 % [a, b]", "confidence interval of the median, for this run"},
    {"p5–p95", "nine tenths of the samples lie between these two"},
    {"launch floor", "time of an empty kernel: no kernel can be faster"},
    {"net", "time without that of an empty kernel of the same shape"},
    {"tests/s", "pixels × spheres / time; tests that a kernel skips count too"},
    {"rays/s", "light view: counted rays of a frame / kernel time"},
    {"bounce", "a reflection; a ray of the light view takes up to 8"},
    {"tree", "a hierarchy of boxes around the spheres, built in every frame"},
    {"storage", "memory that the kernel reads the spheres from"},
    {"K", "pixels that each thread of the strip kernel computes"},
    {"ratio", "time of the mode before over time of this one: above 1 is faster"},
    {NULL, "the difference lies within the band of indifference"},
    {NULL, "the interval allows more than one verdict"},
    {"duel", "two modes on every frame, in turns, from the same pose"},
    {"so far", "true of this run; without it, no drift of a few seconds explains it"},
    {NULL, "a side drifts so slowly that another run would find another value"},
    {"claim", "what a published text says about speed, with its number then"},
    {"blit", "way of the picture from the kernel's buffer to OpenGL"},
    {"verified", "compared with a reference computed in double precision"},
    {"occupancy", "warps resident on a multiprocessor, of the most that it can hold"},
    {"chains, ILP", "independent operations that one thread has under way"},
    {"coalesced", "neighbouring threads read neighbouring words, in few sectors"},
    {"sector", "32 bytes, the least that a GPU moves from memory"},
    {"intensity", "floating-point operations per byte of memory traffic"},
};

const struct app_word *app_words(size_t *count)
{
    static const enum app_verdict named[] = {APP_VERDICT_SAME, APP_VERDICT_CANT_TELL,
                                             APP_VERDICT_WANDERING};
    size_t n = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].term == NULL)
            words[i].term = app_verdict_word(named[n++]);
    *count = sizeof words / sizeof *words;
    return words;
}
