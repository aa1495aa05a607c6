/* app/command/manual.c - the manual page in the macros of man(7), and completions for shells. */
#include "command/command.h"

#include <string.h>

/* --- the manual page --- */

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

/* --- completions of options and their values for bash, zsh and fish --- */

/* Returns the words that a value may be; NULL: there are none but perhaps its own. */
static const char *const *words_of(const struct app_value *value)
{
    static const char *const on_off[] = {"on", "off", NULL};
    return value->kind == APP_VALUE_SWITCH                                     ? on_off
           : value->kind == APP_VALUE_CHOICE || value->kind == APP_VALUE_NAMES ? value->choices
                                                                               : value->offered;
}

/* Returns the word that replaces the value. A lone dash is shorter than what completes it. */
static const char *word_of(const struct app_value *value)
{
    return value->word != NULL && strcmp(value->word, "-") != 0 ? value->word : NULL;
}

static bool has_words(const struct app_value *value)
{
    return words_of(value) != NULL || word_of(value) != NULL;
}

/* Writes the words of a value, with blanks between them. */
static void put_words(FILE *out, const struct app_value *value)
{
    const char *separator = word_of(value) != NULL ? " " : "";
    fputs(word_of(value) != NULL ? word_of(value) : "", out);
    for (const char *const *at = words_of(value); at != NULL && *at != NULL; at++) {
        fprintf(out, "%s%s", separator, *at);
        separator = " ";
    }
}

/* Writes text with a backslash before each of these characters. An apostrophe ends and begins the
 * shell's quotes anew. */
static void put_quoted(FILE *out, const char *text, const char *special)
{
    for (; *text != 0; text++) {
        if (*text == '\'') {
            fputs("'\\''", out);
            continue;
        }
        if (strchr(special, *text) != NULL)
            fputc('\\', out);
        fputc(*text, out);
    }
}

/* Calls `write` for every option of the command table. */
static void for_options(FILE *out, void (*write)(FILE *out, const struct app_command_entry *entry))
{
    size_t count;
    const struct app_command_entry *entries = app_commands(&count);
    for (size_t i = 0; i < count; i++)
        if (entries[i].flag != NULL)
            write(out, &entries[i]);
}

/* --- bash --- */

static void put_flag(FILE *out, const struct app_command_entry *entry)
{
    fprintf(out, " %s", entry->flag);
}

/* Writes the case of an option that takes a value. */
static void put_bash_case(FILE *out, const struct app_command_entry *entry)
{
    const struct app_value *value = &entry->value;
    if (value->kind == APP_VALUE_NONE)
        return;
    fprintf(out, "    %s)\n", entry->flag);
    if (has_words(value)) {
        fprintf(out, "        _spherescope_%s '",
                value->kind == APP_VALUE_NAMES ? "joined" : "words");
        put_words(out, value);
        fputs("'\n", out);
    }
    if (value->file == APP_FOLDER_FILLED)
        fputs("        _spherescope_files -d\n", out);
    else if (value->file != APP_FILE_NONE)
        fprintf(out, "        _spherescope_files -f %s\n", value->suffix ? value->suffix : "");
    fputs("        return ;;\n", out);
}

void app_completion_bash(FILE *out)
{
    fputs(
        "# bash completion for spherescope, generated from the command table.\n"
        "\n"
        "_spherescope_words() {\n"
        "    COMPREPLY+=($(compgen -W \"$1\" -- \"$word\"))\n"
        "}\n"
        "\n"
        "# Names joined by commas: completes the last one.\n"
        "_spherescope_joined() {\n"
        "    local before=\n"
        "    [[ $word != *,* ]] || before=${word%,*},\n"
        "    COMPREPLY+=($(compgen -P \"$before\" -W \"$1\" -- \"${word##*,}\"))\n"
        "}\n"
        "\n"
        "# _spherescope_files -d|-f [SUFFIX]: folders are offered, too, as the way to files.\n"
        "_spherescope_files() {\n"
        "    local name\n"
        "    while IFS= read -r name; do\n"
        "        [[ -d $name || $name == *\"${2-}\" ]] && COMPREPLY+=(\"$name\")\n"
        "    done < <(compgen \"$1\" -- \"$word\")\n"
        "    compopt -o filenames 2>/dev/null\n"
        "}\n"
        "\n"
        "_spherescope() {\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} IFS=$' \\n'\n"
        "    COMPREPLY=()\n"
        "    # bash takes the \"=\" of --option=value for a word of its own.\n"
        "    if [[ $word == = ]]; then\n"
        "        word=\n"
        "    elif [[ $option == = ]]; then\n"
        "        option=${COMP_WORDS[COMP_CWORD-2]}\n"
        "    fi\n"
        "    case $option in\n",
        out);
    for_options(out, put_bash_case);
    fputs("    esac\n"
          "    COMPREPLY=($(compgen -W '",
          out);
    for_options(out, put_flag);
    fputs("' -- \"$word\"))\n"
          "}\n"
          "complete -F _spherescope spherescope\n",
          out);
}

/* --- zsh --- */

static void put_zsh_argument(FILE *out, const struct app_command_entry *entry)
{
    const struct app_value *value = &entry->value;
    const bool takes = value->kind != APP_VALUE_NONE;
    char metavar[128];
    app_value_metavar(value, metavar, sizeof metavar);
    fprintf(out, "    '%s%s[", entry->flag, takes && !value->list ? "=" : "");
    put_quoted(out, entry->help, "\\[]:");
    fputs("]", out);
    if (takes) {
        fputs(value->list ? ":*--*:" : ":", out);
        put_quoted(out, metavar, "\\:");
        fputc(':', out);
    }
    if (value->kind == APP_VALUE_NAMES) {
        fputs("{_values -s , name ", out);
        put_words(out, value);
        fputc('}', out);
    } else if (value->file != APP_FILE_NONE) {
        if (has_words(value)) {
            fputs("{compadd -- ", out);
            put_words(out, value);
            fputs("; ", out);
        }
        if (value->file == APP_FOLDER_FILLED)
            fputs("_files -/", out);
        else if (value->suffix != NULL)
            fprintf(out, "_files -g \"*%s\"", value->suffix);
        else
            fputs("_files", out);
        if (has_words(value))
            fputc('}', out);
    } else if (has_words(value)) {
        fputc('(', out);
        put_words(out, value);
        fputc(')', out);
    } else if (takes) {
        fputc(' ', out); /* a value that cannot be completed */
    }
    fputs("' \\\n", out);
}

void app_completion_zsh(FILE *out)
{
    fputs("#compdef spherescope\n"
          "# zsh completion for spherescope, generated from the command table.\n"
          "\n"
          "_arguments \\\n",
          out);
    for_options(out, put_zsh_argument);
    fputs("    '(-h --help)-h[print help]'\n", out);
}

/* --- fish --- */

static void put_fish_option(FILE *out, const struct app_command_entry *entry)
{
    const struct app_value *value = &entry->value;
    const bool files = value->file != APP_FILE_NONE;
    fprintf(out, "complete -c spherescope -l %s", entry->flag + 2);
    if (value->kind != APP_VALUE_NONE)
        fputs(files && value->file != APP_FOLDER_FILLED ? " -r -F" : " -x", out);
    if (value->kind == APP_VALUE_NAMES) {
        fputs(" -a '(__fish_append , ", out);
        put_words(out, value);
        fputs(")'", out);
    } else if (value->file == APP_FOLDER_FILLED) {
        fputs(" -a '(__fish_complete_directories)'", out);
    } else if (has_words(value)) {
        fputs(" -a '", out);
        put_words(out, value);
        fputs("'", out);
    }
    fputs(" -d '", out);
    for (const char *at = entry->help; *at != 0; at++) {
        if (*at == '\'' || *at == '\\')
            fputc('\\', out);
        fputc(*at, out);
    }
    fputs("'\n", out);
}

void app_completion_fish(FILE *out)
{
    fputs("# fish completion for spherescope, generated from the command table.\n"
          "complete -c spherescope -f\n",
          out);
    for_options(out, put_fish_option);
}
