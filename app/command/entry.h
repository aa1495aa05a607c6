/* app/command/entry.h - an entry of the table of commands: its keys, its option, what they change.
 */
#ifndef APP_ENTRY_H
#define APP_ENTRY_H

#include "base/value.h"
#include "command/state.h"

#include <stdbool.h>
#include <stddef.h>

/* Keys: a printable one is its character in ASCII, letters in upper case; others follow. The
 * character is that of the user's layout. */
enum app_key {
    APP_KEY_NONE = 0,
    APP_KEY_SPACE = ' ',
    APP_KEY_UP = 256,
    APP_KEY_DOWN,
    APP_KEY_LEFT,
    APP_KEY_RIGHT,
    APP_KEY_HOME,
    APP_KEY_END,
    APP_KEY_PAGE_UP,
    APP_KEY_PAGE_DOWN,
    APP_KEY_ENTER,
    APP_KEY_TAB,
    APP_KEY_ESCAPE,
    APP_KEY_F1,
    APP_KEY_F2,
    APP_KEY_F3,
    APP_KEY_F4,
    APP_KEY_F5,
    APP_KEY_F6,
    APP_KEY_F7,
    APP_KEY_F8,
    APP_KEY_F9,
    APP_KEY_F10,
    APP_KEY_F11,
    APP_KEY_F12,
    APP_KEY_COUNT
};

/* How a command changes what it is about. */
enum app_step {
    APP_STEP_NONE, /* ends a list of bindings */
    APP_STEP_SET,  /* to the value given */
    APP_STEP_TOGGLE,
    APP_STEP_NEXT,
    APP_STEP_DOUBLE,
    APP_STEP_HALVE,
    APP_STEP_MORE,
    APP_STEP_LESS,
    APP_STEP_DO /* no value: an action */
};

struct app_binding {
    int key; /* enum app_key */
    bool ctrl;
    enum app_step step;
    const char *text; /* with APP_STEP_SET: the value, in the words of the option */
    const char *help; /* NULL: shown together with the binding before */
};

enum { APP_BINDINGS_MAX = 6 };

enum app_section {
    APP_SECTION_RENDER, /* what renders, and how */
    APP_SECTION_SCENE,  /* what is rendered */
    APP_SECTION_SCREEN, /* how it is shown */
    APP_SECTION_RUN,    /* what a run does and writes */
    APP_SECTION_ANSWER, /* what the program says about itself */
    APP_SECTION_COUNT
};

/* A command as it is given: how, and with APP_STEP_SET which value. */
struct app_argument {
    enum app_step step;
    struct app_given given;
};

/* A line for the notice on screen; "" when there is nothing to say. */
struct app_reply {
    char text[APP_NOTICE_MAX];
};

enum app_outcome {
    APP_DONE,
    APP_REFUSED, /* the reply says why; the state is as it was, but for `pending` */
    APP_ASKED,   /* as refused, but the same command given again does it */
    APP_IGNORED  /* no such key; nothing is touched */
};

/* Where an entry's value lives. */
enum app_place {
    APP_PLACE_NONE,  /* nowhere: an action */
    APP_PLACE_STATE, /* at `offset` in struct app_state */
    APP_PLACE_RUN    /* at `offset` in struct app_run: an option only, keys have `change` */
};

/* In full screen the key to quit is pressed twice within this time, in seconds. */
#define APP_QUIT_AGAIN_S 2.0

struct app_command_entry {
    const char *name;  /* stable: records, talks and tests use it */
    const char *title; /* as in notices */
    const char *flag;  /* "--storage", or NULL: no option */
    const char *help;  /* of the option, one line */
    enum app_section section;
    struct app_value value;
    enum app_place place;
    size_t offset;
    /* How a command changes the state where putting the value at `offset` is not enough. May fill
     * the reply; an empty one becomes "title: value". */
    enum app_outcome (*change)(struct app_state *state, const struct app_facts *facts,
                               const struct app_argument *argument, struct app_reply *reply);
    /* The entry's value in words, where that at `offset` is not enough. */
    void (*show)(const struct app_state *state, char *text, size_t size);
    struct app_binding keys[APP_BINDINGS_MAX];
};

/* The table, in the order in which help shows it. */
const struct app_command_entry *app_commands(size_t *count);

#endif
