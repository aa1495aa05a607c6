/* app/command/keys.h - keys in words, for help and for hints on screen.
 *
 * A text on screen that names a key takes it from the table of commands: with app_key_hint where it
 * is written, or as "{command}" in a constant that app_key_hints fills in where it is shown.
 */
#ifndef APP_KEYS_H
#define APP_KEYS_H

#include "command/entry.h"

/* Writes a key's name: "Space", "Ctrl +", "F11". */
void app_key_name(int key, bool ctrl, char *text, size_t size);

/* Appends the name of keys[k] to text, or with `first` begins it: joins keys that do the same by
 * "or", and a run of characters by a dash. */
void app_keys_join(char *text, size_t size, const struct app_binding *keys, int k, bool first);

struct app_key_hint {
    char text[24];
};

/* Returns the key of a command, by the command's name: "B", "Tab", "1-4"; "" when it has none. Of
 * several keys that do the same it is the first. */
struct app_key_hint app_key_hint(const char *command);

/* Copies text to out with every "{command}" replaced by that command's key: "press {quit} again"
 * becomes "press Q again". */
void app_key_hints(const char *text, char *out, size_t size);

#endif
