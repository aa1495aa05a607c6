/* app/record/state_json.h - conversion of a state to and from JSON, for record.c. */
#ifndef APP_RECORD_STATE_H
#define APP_RECORD_STATE_H

#include "base/json_read.h"
#include "command/state.h"

/* Returns the state as a new JSON object, which the caller owns; NULL when memory is full. */
json_t *app_state_to_json(const struct app_state *state);

/* Reads the state from `object`, which is the value at the reader's position. Leaves *state
 * unchanged on failure. Errors: KRN_REFUSED. */
enum krn_code app_state_from_json(struct app_json_reader *reader, const json_t *object,
                                  struct app_state *state);

/* Returns a JSON string. When text is not UTF-8, '?' replaces its bytes above 127. NULL when memory
 * is full. */
json_t *app_json_from_text(const char *text);

/* Returns a JSON number, an integer when the number is whole; NULL when memory is full or the
 * number is not finite. */
json_t *app_json_from_number(double number);

#endif
