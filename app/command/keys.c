/* app/command/keys.c - keys in words, for help and for hints on screen. */
#include "command/entry.h"

#include <ctype.h>
#include <string.h>

/* How the keys are named now. A label is what to press for a character that the board prints with
 * AltGr or nowhere; "": the character. */
static struct {
    char labels[128][16];
    enum app_when now;
} shown;

static int upper(int character)
{
    return character > 0 && character < 128 ? toupper(character) : character;
}

const struct app_binding *app_binding_of(int key, bool ctrl, enum app_when now,
                                         const struct app_command_entry **entry)
{
    size_t count;
    const struct app_command_entry *entries = app_commands(&count);
    const struct app_binding *found = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct app_binding *keys = entries[i].keys;
        for (int k = 0; k < APP_BINDINGS_MAX && keys[k].step != APP_STEP_NONE; k++) {
            if (keys[k].key != key || keys[k].ctrl != ctrl || keys[k].when > now ||
                (found != NULL && keys[k].when <= found->when))
                continue;
            found = &keys[k];
            *entry = &entries[i];
        }
    }
    return found;
}

bool app_key_taken(int key, enum app_when now)
{
    const struct app_command_entry *entry;
    const struct app_binding *usual = app_binding_of(key, false, APP_WHEN_ALWAYS, &entry);
    return usual != NULL && usual != app_binding_of(key, false, now, &entry);
}

/* Returns true when a command has the key in some situation, with Ctrl or without. */
static bool is_bound(int key)
{
    const struct app_command_entry *entry;
    return app_binding_of(key, false, APP_WHEN_TYPING, &entry) != NULL ||
           app_binding_of(key, true, APP_WHEN_TYPING, &entry) != NULL;
}

int app_key_of(const struct app_key_press *press, enum app_when now)
{
    const int alone = upper(press->alone), typed = upper(press->typed), place = press->place;
    const int changed = typed != alone ? typed : APP_KEY_NONE;
    const bool guesses = now >= APP_WHEN_QUESTION && !press->ctrl && place >= '0' && place <= '9' &&
                         !(alone > 0 && alone < 128 && isalnum(alone));
    const int candidates[] = {changed, press->lacks || guesses ? place : APP_KEY_NONE, alone,
                              place};
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++)
        if (candidates[i] != APP_KEY_NONE && is_bound(candidates[i]))
            return candidates[i];
    return APP_KEY_NONE;
}

bool app_board_lacks(const struct app_board *board, int character)
{
    for (int i = 0; i < board->count; i++)
        for (int level = 0; level < 4; level++)
            if (upper(board->caps[i].prints[level]) == character)
                return false;
    return (board->whole && character > ' ' && character < 127) ||
           (character >= 'A' && character <= 'Z');
}

/* Writes a character of Latin-1, a letter in upper case, as UTF-8; "" for any other. */
static void write_latin(int character, char text[3])
{
    const bool lower = character >= 0xe0 && character <= 0xfe && character != 0xf7;
    const int c = lower ? character - 0x20 : upper(character);
    const bool wide = c >= 0xa1 && c <= 0xff;
    text[0] = (char)(wide ? 0xc0 | c >> 6 : c > ' ' && c < 127 ? c : 0);
    text[1] = (char)(wide ? 0x80 | (c & 0x3f) : 0);
    text[2] = 0;
}

/* Writes what to press for a character other than a letter or digit, whose keys have it on their
 * caps; "" where the layout prints it without AltGr, or where its key has no other label. */
static void write_label(const struct app_board *board, int character, char *label, size_t size)
{
    const struct app_cap *best = NULL;
    int with = 4; /* the level that prints it, or 4: none, the place counts */
    char cap[3];
    label[0] = 0;
    for (int i = 0; i < board->count; i++) {
        const struct app_cap *key = &board->caps[i];
        int level = 0;
        while (level < 4 && key->prints[level] != character)
            level++;
        if (level < with || (level == 4 && with == 4 && key->place == character)) {
            best = key;
            with = level;
        }
    }
    if (best == NULL || with < 2)
        return;
    write_latin(best->prints[0], cap);
    if (cap[0] != 0)
        snprintf(label, size, "%s%s", with == 2 ? "AltGr " : with == 3 ? "AltGr Shift " : "", cap);
}

void app_keys_use(const struct app_board *board)
{
    for (int c = 0; c < 128; c++) {
        shown.labels[c][0] = 0;
        if (board->whole && ispunct(c))
            write_label(board, c, shown.labels[c], sizeof shown.labels[c]);
    }
}

void app_keys_follow(enum app_when now)
{
    shown.now = now;
}

void app_key_name(int key, bool ctrl, char *text, size_t size)
{
    static const char *const names[] = {"Up",    "Down", "Left",   "Right",
                                        "Home",  "End",  "PageUp", "PageDown",
                                        "Enter", "Tab",  "Esc",    "Backspace"};
    const char *prefix = ctrl ? "Ctrl " : "";
    if (key == APP_KEY_SPACE)
        snprintf(text, size, "%sSpace", prefix);
    else if (key >= APP_KEY_UP && key <= APP_KEY_BACKSPACE)
        snprintf(text, size, "%s%s", prefix, names[key - APP_KEY_UP]);
    else if (key >= APP_KEY_F1 && key <= APP_KEY_F12)
        snprintf(text, size, "%sF%d", prefix, key - APP_KEY_F1 + 1);
    else if (key > 0 && key < 128 && shown.labels[key][0] != 0)
        snprintf(text, size, "%s%s", prefix, shown.labels[key]);
    else
        snprintf(text, size, "%s%c", prefix, key > ' ' && key < 127 ? key : '?');
}

void app_keys_join(char *text, size_t size, const struct app_binding *keys, int k, bool first)
{
    char name[24];
    app_key_name(keys[k].key, keys[k].ctrl, name, sizeof name);
    const size_t used = strlen(text);
    if (first) {
        snprintf(text, size, "%s", name);
        return;
    }
    const bool same = keys[k].step == keys[k - 1].step && keys[k].text == keys[k - 1].text;
    const bool run = keys[k].key == keys[k - 1].key + 1 && keys[k].key < APP_KEY_UP;
    if (run && used >= 2 && text[used - 2] == '-')
        text[used - 1] = (char)keys[k].key;
    else
        snprintf(text + used, size - used, "%s%s", same ? " or " : run ? "-" : " ", name);
}

/* Writes the keys before the next one with a help of its own; of keys that do the same, the first.
 */
static void write_hint(const struct app_command_entry *entry, char *text, size_t size)
{
    struct app_binding keys[APP_BINDINGS_MAX];
    memcpy(keys, entry->keys, sizeof keys);
    if (keys[0].when == APP_WHEN_ALWAYS && app_key_taken(keys[0].key, shown.now))
        keys[0].ctrl = true;
    text[0] = 0;
    for (int k = 0; k < APP_BINDINGS_MAX && keys[k].step != APP_STEP_NONE; k++) {
        if (k > 0 && keys[k].help != NULL)
            return;
        if (k == 0 || keys[k].step != keys[k - 1].step || keys[k].text != keys[k - 1].text)
            app_keys_join(text, size, keys, k, k == 0);
    }
}

struct app_key_hint app_key_hint(const char *command)
{
    struct app_key_hint hint = {""};
    const struct app_command_entry *entry = app_command_by_name(command);
    if (entry != NULL)
        write_hint(entry, hint.text, sizeof hint.text);
    return hint;
}

void app_key_hints(const char *text, char *out, size_t size)
{
    size_t used = 0;
    out[0] = 0;
    while (*text != 0 && used + 1 < size) {
        const size_t length = *text == '{' ? strcspn(text + 1, "}") : 0;
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)length, text + 1);
        const struct app_command_entry *entry =
            length > 0 && text[1 + length] == '}' ? app_command_by_name(name) : NULL;
        if (entry == NULL) {
            out[used++] = *text++;
            out[used] = 0;
            continue;
        }
        write_hint(entry, out + used, size - used);
        used += strlen(out + used);
        text += length + 2;
    }
}
