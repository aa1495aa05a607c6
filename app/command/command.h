/* app/command/command.h - applies commands to a state.
 *
 * app_apply is a pure function: it takes a state and a command and returns the new state and a
 * message for the screen. Nothing here knows a window, and every function is thread safe.
 */
#pragma once

#include "command/entry.h"

#include "krn/error.h"

#include <stddef.h>
#include <stdio.h>

/* Checks that every field is in its range, as the command table has it, and that the modes can
 * render the number of spheres. Errors: KRN_REFUSED; the message names the field. */
enum krn_code app_state_check(const struct app_state *state, struct krn_error *error);

/* Returns the situation that the state is in. */
enum app_when app_situation(const struct app_state *state);

/* Returns the entry that a key is bound to in a situation and fills *argument with what the key
 * does; NULL when the key has no binding. With Ctrl, a key that the talk has taken does what it
 * does without a talk. */
const struct app_command_entry *app_command_by_key(int key, bool ctrl, enum app_when now,
                                                   struct app_argument *argument);

/* Applies the command to *state, or refuses it and gives the reason in *reply. Changes nothing
 * else. In a duel, the commands of the mode (storage, kernel, pixels per thread) change side B.
 * Refuses values out of range, modes that do not exist and backends that are not available. When
 * facts->live, asks for confirmation (APP_ASKED) before a change whose predicted frame takes longer
 * than APP_SLOW_MS. */
enum app_outcome app_apply(struct app_state *state, const struct app_facts *facts,
                           const struct app_command_entry *entry,
                           const struct app_argument *argument, struct app_reply *reply);

/* Applies the command that a key is bound to. */
enum app_outcome app_press(struct app_state *state, const struct app_facts *facts, int key,
                           bool ctrl, struct app_reply *reply);

/* A movement of the mouse, or clicks. */
struct app_drag {
    double across, down; /* with the left button held, in heights of the window */
    double wheel;        /* notches, away from the hand */
    int clicks;          /* with the left button, less those with the right one */
};

/* Orbits the camera of the light view as if the picture were dragged along, half a turn per height
 * of the window, and moves it nearer with the wheel: gives the value of --camera to app_apply.
 * Leaves in *drag the part of the movement that was too short for a hundredth; add the next
 * movement to it, so that many short ones add up. Nothing is left at a limit of the camera, and of
 * a movement that is ignored, as in other views, or refused. */
enum app_outcome app_drag(struct app_state *state, const struct app_facts *facts,
                          struct app_drag *drag, struct app_reply *reply);

/* Applies the command without checking the resulting combination. Options come in any order, so
 * they are checked together at the end, by app_state_check. */
enum app_outcome app_change(struct app_state *state, const struct app_facts *facts,
                            const struct app_command_entry *entry,
                            const struct app_argument *argument, struct app_reply *reply);

/* Returns the most bytes that an option's text, or each path of its list, may have. */
size_t app_command_bytes_max(const struct app_command_entry *entry);

/* Read and store the entry's value in the struct that entry->place names. app_command_put returns
 * false, and stores nothing, when a text is too long. */
struct app_given app_command_get(const struct app_command_entry *entry, const void *from);
bool app_command_put(const struct app_command_entry *entry, const struct app_given *given,
                     void *into);

/* Formats the entry's current value; "" when it has none. When run is not NULL, an option that is
 * stored there is read from it; when run is NULL, the value comes from state alone. */
void app_command_show(const struct app_command_entry *entry, const struct app_state *state,
                      const struct app_run *run, char *text, size_t size);

/* Returns the nominal tests of a picture, the unit of rates. Book view: pixels x spheres. Light
 * view: rays x spheres; for the tree kernel, rays x the logarithm of the number of spheres, plus
 * the cost of building the tree. The number of rays is an estimate: two per sample, and after each
 * reflection half as many as before it. */
double app_nominal_tests(struct krn_mode mode, double pixels, int spheres,
                         const struct krn_light *light);

/* Says how much memory the state's spheres take, in one sentence; "" unless the scene is large. */
void app_say_memory(const struct app_state *state, char *text, size_t size);

#define APP_SLOW_MS 1000.0 /* predicted kernel time of a frame that needs confirmation */

/* Predicts the kernel time of the state's frame in ms, both sides of a duel together: nominal tests
 * divided by the last rate measured for the mode, else by the slowest rate measured on its backend
 * in the mode's view, else by a cautious estimate. */
double app_predict_ms(const struct app_state *state, const struct app_facts *facts);

/* Lowers the samples of a light picture, then halves the spheres of a random scene, or the image,
 * until the predicted frame takes no longer than APP_SLOW_MS. Returns true when it has changed the
 * state. */
bool app_lighten(struct app_state *state, const struct app_facts *facts);

/* Says in *reply why the lighter state is shown in place of the wanted one. */
void app_say_lighter(struct app_reply *reply, const struct app_state *wanted,
                     const struct app_state *lighter, const struct app_facts *facts);

/* --- help texts from the command table: --help, the help screen and the tables of
 * docs/reference.md, the manual page, and the completions of shells --- */

/* Returns the title of a section: "Scene". */
const char *app_section_title(enum app_section section);

/* One line of the help screen. */
struct app_help_line {
    enum app_section section; /* lines of one section follow each other */
    char keys[48];            /* "1-4", "F or F11", "Ctrl + or Ctrl =" */
    const char *text;
};

enum { APP_HELP_LINES_MAX = 64 };

/* Fills lines, at most APP_HELP_LINES_MAX; returns their number. */
size_t app_help_keys(struct app_help_line lines[APP_HELP_LINES_MAX]);

enum { APP_HELP_TEXT_MAX = 256 };

/* One row of help: an option, a key, a benchmark, a word or an exit code. */
struct app_help_row {
    bool option, code;            /* code: the term is typed as it is */
    const char *section;          /* the title of the options' section that begins here; or NULL */
    char term[APP_HELP_TEXT_MAX]; /* "--spheres N", "F or F11" */
    const char *text;
    char limits[APP_HELP_TEXT_MAX]; /* "1..1000000, default 20"; "": none */
};

/* Prints every row of a part: options, keys, benchmarks, words or exits, as docs/reference.md names
 * its tables. Returns false when there is no such part. */
bool app_help_each(const char *part, FILE *out,
                   void (*print)(FILE *out, const struct app_help_row *row));

/* Returns the definitions of "of limit" and "rays/s", one line, for --help and the help
 * screen. */
const char *app_help_formula(void);

/* Writes the text of --help. */
void app_help_write(FILE *out);

/* Writes a part as a table of Markdown. Returns false when there is no such part. */
bool app_help_markdown(FILE *out, const char *part);

struct app_word {
    const char *term, *meaning; /* one line each */
};

/* Returns the table, in the order of the help screen, and its length. */
const struct app_word *app_words(size_t *count);

/* --- what write_manual.c writes when the project is built --- */

/* Writes the page spherescope(1). date is that of the release: "2026-11-23". */
void app_manual_page(FILE *out, const char *date);

/* Write a completion of every option and its values. */
void app_completion_bash(FILE *out);
void app_completion_zsh(FILE *out);
void app_completion_fish(FILE *out);
