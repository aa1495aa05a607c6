/* app/command/command.h - the one table of commands; keys, options, help and
 * docs/reference.md are made from it.
 *
 * An entry may have keys, a flag, or both. What a key does to the state is app_apply, a pure
 * function: state in, state out, and a line for the notice on screen. Nothing here knows a window.
 */
#ifndef APP_COMMAND_H
#define APP_COMMAND_H

#include "command/entry.h"

/* NULL when there is none. */
const struct app_command_entry *app_command_by_name(const char *name);
const struct app_command_entry *app_command_by_flag(const char *flag);

/* The entry that a key is bound to, and what pressing it means; NULL when there is none. */
const struct app_command_entry *app_command_by_key(int key, bool ctrl,
                                                   struct app_argument *argument);

/* Does the command, or says why not. In a duel the keys of the mode (storage, kernel, pixels per
 * thread) change side B. Pure but for *state and *reply. Refused are values out of
 * range, a combination that does not exist, a backend that is not there, and, when facts->live, a
 * frame that would take over APP_SLOW_MS by the last measured rate (asked instead). */
enum app_outcome app_apply(struct app_state *state, const struct app_facts *facts,
                           const struct app_command_entry *entry,
                           const struct app_argument *argument, struct app_reply *reply);

/* app_command_by_key and app_apply in one. */
enum app_outcome app_press(struct app_state *state, const struct app_facts *facts, int key,
                           bool ctrl, struct app_reply *reply);

/* The change alone, without looking at the combination: options are given in any order and judged
 * together at the end (app_state_check). */
enum app_outcome app_change(struct app_state *state, const struct app_facts *facts,
                            const struct app_command_entry *entry,
                            const struct app_argument *argument, struct app_reply *reply);

/* Puts an option's value into *run; entry->place is APP_PLACE_RUN. False when a text is too long.
 */
bool app_run_set(struct app_run *run, const struct app_command_entry *entry,
                 const struct app_given *given);

/* The value that an entry has in words; "" when it has none. run NULL: what keys change, in state;
 * else what the option sets, there or in run. */
void app_command_show(const struct app_command_entry *entry, const struct app_state *state,
                      const struct app_run *run, char *text, size_t size);

#define APP_SLOW_MS 1000.0

/* Kernel time in ms that state's frame is predicted to take, both sides of a duel together: nominal
 * tests by the mode's last measured rate; else by the slowest one measured on its backend; else by
 * a cautious guess. */
double app_predict_ms(const struct app_state *state, const struct app_facts *facts);

#endif
