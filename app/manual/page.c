/* app/manual/page.c - the manual page, in the macros of man(7). */
#include "manual/manual.h"

#include "base/environment.h"
#include "command/entry.h"
#include "command/help.h"

#include <string.h>

/* Writes a line of text. man(7) gives a meaning to backslashes, and to a point or an apostrophe at
 * the start of a line; without a backslash, a hyphen may become a dash that no shell knows. */
static void put(FILE *out, const char *text)
{
    if (text[0] == '.' || text[0] == '\'')
        fputs("\\&", out);
    for (; *text != 0; text++) {
        if (*text == '-')
            fputs("\\-", out);
        else if (*text == '\\')
            fputs("\\e", out);
        else
            fputc(*text, out);
    }
    fputc('\n', out);
}

/* Writes a paragraph with a bold term. */
static void put_term(FILE *out, const char *term, const char *text)
{
    fputs(".TP\n.B ", out);
    put(out, term);
    put(out, text);
}

static void write_options(FILE *out)
{
    size_t count;
    const struct app_command_entry *entries = app_commands(&count);
    fputs(".SH OPTIONS\n", out);
    put(out, "An option and its value are two words, or one with \"=\" between them.");
    for (int section = 0; section < APP_SECTION_COUNT; section++) {
        fputs(".SS ", out);
        put(out, app_section_title((enum app_section)section));
        for (size_t i = 0; i < count; i++) {
            char flag[APP_HELP_TEXT_MAX], limits[APP_HELP_TEXT_MAX];
            if (entries[i].flag == NULL || entries[i].section != (enum app_section)section)
                continue;
            app_help_flag(&entries[i], flag, sizeof flag);
            app_help_limits(&entries[i], limits, sizeof limits);
            put_term(out, flag, entries[i].help);
            if (limits[0] != 0) {
                char text[APP_HELP_TEXT_MAX + 2];
                snprintf(text, sizeof text, "(%s)", limits);
                put(out, text);
            }
        }
    }
}

static void write_keys(FILE *out)
{
    struct app_help_line lines[APP_HELP_LINES_MAX];
    const size_t n = app_help_keys(lines);
    fputs(".SH KEYS\n", out);
    put(out, "In the window:");
    for (size_t i = 0; i < n; i++)
        put_term(out, lines[i].keys, lines[i].text);
}

static void write_benches(FILE *out)
{
    fputs(".SH BENCHMARKS\n", out);
    put(out, "The names that --bench takes:");
#define LINE(name, what) put_term(out, #name, what);
#define TOPIC(id, name, what) LINE(name, what)
    APP_BENCHES(LINE, TOPIC)
#undef LINE
#undef TOPIC
    put(out, app_help_formula());
}

static void write_exits(FILE *out)
{
    size_t count;
    const struct app_help_exit *exits = app_help_exits(&count);
    fputs(".SH EXIT STATUS\n", out);
    for (size_t i = 0; i < count; i++) {
        char code[8];
        snprintf(code, sizeof code, "%d", exits[i].code);
        put_term(out, code, exits[i].meaning);
    }
}

/* Writes a section of terms. */
static void write_terms(FILE *out, const char *title, const char *const terms[][2], size_t count)
{
    fprintf(out, ".SH %s\n", title);
    for (size_t i = 0; i < count; i++)
        put_term(out, terms[i][0], terms[i][1]);
}

void app_manual_page(FILE *out, const char *date)
{
    static const char *const variables[][2] = {
        {"OMP_NUM_THREADS",
         "Number of threads of the CPU backend; the default is one per logical processor."},
        {"SPHERESCOPE_CPU_LEVEL",
         "Instruction-set level of the CPU backend: base, v2, v3 or v4; the default is the best "
         "that the processor has."},
        {"SPHERESCOPE_FONTS", "With the value builtin, text is drawn without the system's fonts."},
        {"XDG_CONFIG_HOME", "Folder of settings; the default is ~/.config."},
    };
    static const char *const files[][2] = {
        {"$XDG_CONFIG_HOME/spherescope/settings",
         "Size, theme and HUD size of the window as you left it. Options win over it; talks, "
         "replays, recordings and runs without a window do not read it."},
        {"$XDG_CONFIG_HOME/user-dirs.dirs",
         "Names the pictures folder, into which the window saves screenshots and results. Without "
         "it, they go to ~/Pictures."},
    };
    static const char *const examples[][2] = {
        {"spherescope --spheres 2000 --storage constant",
         "Opens the window with 2000 spheres in constant memory."},
        {"spherescope --bench all --json results.json",
         "Runs every benchmark without a window, and writes the results."},
        {"spherescope --duel book/global,book/constant", "Tells which of two modes is faster."},
        {"spherescope --talk four-claims --presenter",
         "Gives a talk, with a second window for its notes."},
    };
    fputs(".TH SPHERESCOPE 1 ", out);
    fprintf(out, "\"%s\" \"Spherescope %s\" \"User Commands\"\n", date, app_version_number());
    fputs(".SH NAME\n", out);
    put(out, "spherescope - live GPU benchmark that renders spheres");
    fputs(".SH SYNOPSIS\n.B spherescope\n.RI [ option ...]\n.SH DESCRIPTION\n", out);
    put(out, "Opens a window in which a ray tracer renders spheres and its kernel is timed on "
             "every frame. Keys change the memory that the kernel reads from, the kernel and the "
             "scene. Panels beside the picture measure the same device, and a board gives a "
             "verdict on what published texts claim about its speed.");
    fputs(".PP\n", out);
    put(out, "Without a CUDA device, the CPU backend renders and is measured. Without a display, "
             "the program renders one picture and prints the table of modes.");
    write_options(out);
    write_keys(out);
    write_benches(out);
    write_exits(out);
    write_terms(out, "ENVIRONMENT", variables, sizeof variables / sizeof *variables);
    write_terms(out, "FILES", files, sizeof files / sizeof *files);
    write_terms(out, "EXAMPLES", examples, sizeof examples / sizeof *examples);
}
