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

/* A press of a key. A character is of Unicode; 0: none. */
struct app_key_press {
    int place;  /* the key at this place on a US board, enum app_key; APP_KEY_NONE: there is none */
    int alone;  /* what the key prints alone */
    int typed;  /* what it prints with Shift and AltGr as they are held */
    bool lacks; /* no key of the layout prints the character that `place` is on a US board */
    bool ctrl, repeated;
};

/* Returns the key that a press stands for in a situation: what it prints with Shift or AltGr, else
 * what it prints alone, if a command has that key; else the key at its place on a US board. A place
 * goes first where the layout prints its character nowhere, and where a guess awaits its digit.
 * APP_KEY_NONE: no command has it. */
int app_key_of(const struct app_key_press *press, enum app_when now);

/* Returns a key's binding in a situation, and its entry; NULL: it has none. */
const struct app_binding *app_binding_of(int key, bool ctrl, enum app_when now,
                                         const struct app_command_entry **entry);

/* Returns true when a talk gives a key another meaning than it has without one. */
bool app_key_taken(int key, enum app_when now);

/* What the keys of a board print in the layout in use, each alone, with Shift, with AltGr and with
 * both. */
struct app_board {
    struct app_cap {
        int place, prints[4]; /* as in struct app_key_press */
    } caps[64];
    int count;
    bool whole; /* false: what keys print with Shift or AltGr is not known */
};

/* Returns true when no key of the board prints the character; where the board is not whole, only a
 * letter is taken to be missing. */
bool app_board_lacks(const struct app_board *board, int character);

/* Make the names of keys, from now on, those of this board, and those of this situation: of a
 * command whose key a talk has taken, "Ctrl Enter". At the start they are those of a US board and
 * of no talk. Only the thread that shows texts may call these. */
void app_keys_use(const struct app_board *board);
void app_keys_follow(enum app_when now);

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
