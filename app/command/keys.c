/* app/command/keys.c - keys in words, for help and for hints on screen. */
#include "command/keys.h"

#include <stdio.h>
#include <string.h>

void app_key_name(int key, bool ctrl, char *text, size_t size)
{
    static const struct {
        int key;
        const char *name;
    } names[] = {
        {APP_KEY_SPACE, "Space"},
        {APP_KEY_UP, "Up"},
        {APP_KEY_DOWN, "Down"},
        {APP_KEY_LEFT, "Left"},
        {APP_KEY_RIGHT, "Right"},
        {APP_KEY_HOME, "Home"},
        {APP_KEY_END, "End"},
        {APP_KEY_PAGE_UP, "PageUp"},
        {APP_KEY_PAGE_DOWN, "PageDown"},
        {APP_KEY_ENTER, "Enter"},
        {APP_KEY_TAB, "Tab"},
        {APP_KEY_ESCAPE, "Esc"},
        {APP_KEY_BACKSPACE, "Backspace"},
    };
    const char *prefix = ctrl ? "Ctrl " : "";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].key == key) {
            snprintf(text, size, "%s%s", prefix, names[i].name);
            return;
        }
    }
    if (key >= APP_KEY_F1 && key <= APP_KEY_F12)
        snprintf(text, size, "%sF%d", prefix, key - APP_KEY_F1 + 1);
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

static const struct app_command_entry *find(const char *command, size_t length)
{
    size_t count;
    const struct app_command_entry *entries = app_commands(&count);
    for (size_t i = 0; i < count; i++)
        if (strncmp(entries[i].name, command, length) == 0 && entries[i].name[length] == 0)
            return &entries[i];
    return NULL;
}

/* Writes the keys before the next one with a help of its own; of keys that do the same, the first.
 */
static void write_hint(const struct app_command_entry *entry, char *text, size_t size)
{
    const struct app_binding *keys = entry->keys;
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
    const struct app_command_entry *entry = find(command, strlen(command));
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
        const struct app_command_entry *entry =
            length > 0 && text[1 + length] == '}' ? find(text + 1, length) : NULL;
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
