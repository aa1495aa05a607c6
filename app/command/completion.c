/* app/command/completion.c - completions of options and their values for bash, zsh and fish. */
#include "command/help.h"

#include "command/command.h"

#include <string.h>

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
