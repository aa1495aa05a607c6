/* app/manual/completion.c - completions of options and their values for bash, zsh and fish. */
#include "manual/manual.h"

#include "command/command.h"

#include <string.h>

/* What an option's value may be, as far as a shell can complete it. */
struct offer {
    const char *const *words; /* a list that ends with NULL, or NULL */
    const char *word;         /* another word, or NULL */
    bool joined;              /* several words joined by commas are a value, too */
    enum app_file_use file;   /* APP_FILE_NONE: no files */
    const char *suffix;       /* of the files, or NULL */
    bool list;                /* takes several arguments */
};

static struct offer offer_of(const struct app_value *value)
{
    static const char *const on_off[] = {"on", "off", NULL};
    struct offer offer = {.words = value->offered, .word = value->word};
    if (value->kind == APP_VALUE_SWITCH)
        offer.words = on_off;
    else if (value->kind == APP_VALUE_CHOICE || value->kind == APP_VALUE_NAMES)
        offer.words = value->choices;
    offer.joined = value->kind == APP_VALUE_NAMES;
    offer.file = value->file;
    offer.suffix = value->suffix;
    offer.list = value->list;
    /* A lone dash is shorter than what completes it. */
    if (offer.word != NULL && strcmp(offer.word, "-") == 0)
        offer.word = NULL;
    return offer;
}

/* Writes the words of an offer, with blanks between them. */
static void put_words(FILE *out, const struct offer *offer)
{
    const char *separator = "";
    if (offer->word != NULL) {
        fputs(offer->word, out);
        separator = " ";
    }
    for (size_t i = 0; offer->words != NULL && offer->words[i] != NULL; i++) {
        fprintf(out, "%s%s", separator, offer->words[i]);
        separator = " ";
    }
}

static bool has_words(const struct offer *offer)
{
    return offer->words != NULL || offer->word != NULL;
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
    const struct offer offer = offer_of(&entry->value);
    if (entry->value.kind == APP_VALUE_NONE)
        return;
    fprintf(out, "    %s)\n", entry->flag);
    if (has_words(&offer)) {
        fprintf(out, "        _spherescope_%s '", offer.joined ? "joined" : "words");
        put_words(out, &offer);
        fputs("'\n", out);
    }
    if (offer.file == APP_FOLDER_FILLED)
        fputs("        _spherescope_files -d\n", out);
    else if (offer.file != APP_FILE_NONE)
        fprintf(out, "        _spherescope_files -f %s\n", offer.suffix ? offer.suffix : "");
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
    const struct offer offer = offer_of(&entry->value);
    const bool takes = entry->value.kind != APP_VALUE_NONE;
    char metavar[128];
    app_value_metavar(&entry->value, metavar, sizeof metavar);
    fprintf(out, "    '%s%s[", entry->flag, takes && !offer.list ? "=" : "");
    put_quoted(out, entry->help, "\\[]:");
    fputs("]", out);
    if (takes) {
        fputs(offer.list ? ":*--*:" : ":", out);
        put_quoted(out, metavar, "\\:");
        fputc(':', out);
    }
    if (offer.joined) {
        fputs("{_values -s , name ", out);
        put_words(out, &offer);
        fputc('}', out);
    } else if (offer.file != APP_FILE_NONE) {
        if (has_words(&offer)) {
            fputs("{compadd -- ", out);
            put_words(out, &offer);
            fputs("; ", out);
        }
        if (offer.file == APP_FOLDER_FILLED)
            fputs("_files -/", out);
        else if (offer.suffix != NULL)
            fprintf(out, "_files -g \"*%s\"", offer.suffix);
        else
            fputs("_files", out);
        if (has_words(&offer))
            fputc('}', out);
    } else if (has_words(&offer)) {
        fputc('(', out);
        put_words(out, &offer);
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
    const struct offer offer = offer_of(&entry->value);
    const bool files = offer.file != APP_FILE_NONE;
    fprintf(out, "complete -c spherescope -l %s", entry->flag + 2);
    if (entry->value.kind != APP_VALUE_NONE)
        fputs(files && offer.file != APP_FOLDER_FILLED ? " -r -F" : " -x", out);
    if (offer.joined) {
        fputs(" -a '(__fish_append , ", out);
        put_words(out, &offer);
        fputs(")'", out);
    } else if (offer.file == APP_FOLDER_FILLED) {
        fputs(" -a '(__fish_complete_directories)'", out);
    } else if (has_words(&offer)) {
        fputs(" -a '", out);
        put_words(out, &offer);
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
