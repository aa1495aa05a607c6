/* app/command/manual_page.c - the manual page, in the macros of man(7). */
#include "command/help.h"

#include "base/environment.h"
#include "command/entry.h"

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

static void write_row(FILE *out, const struct app_help_row *row)
{
    if (row->section != NULL) {
        fputs(".SS ", out);
        put(out, row->section);
    }
    put_term(out, row->term, row->text);
    if (row->limits[0] != 0) {
        char text[APP_HELP_TEXT_MAX + 2];
        snprintf(text, sizeof text, "(%s)", row->limits);
        put(out, text);
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
    fputs(".SH OPTIONS\n", out);
    put(out, "An option and its value are two words, or one with \"=\" between them.");
    app_help_each("options", out, write_row);
    fputs(".SH KEYS\n", out);
    put(out, "In the window:");
    app_help_each("keys", out, write_row);
    fputs(".SH BENCHMARKS\n", out);
    put(out, "The names that --bench takes:");
    app_help_each("benchmarks", out, write_row);
    put(out, app_help_formula());
    fputs(".SH EXIT STATUS\n", out);
    app_help_each("exits", out, write_row);
    write_terms(out, "ENVIRONMENT", variables, sizeof variables / sizeof *variables);
    write_terms(out, "FILES", files, sizeof files / sizeof *files);
    write_terms(out, "EXAMPLES", examples, sizeof examples / sizeof *examples);
}
