/* app/record/state_json.h - a state as the JSON object that records carry. For record.c alone. */
#ifndef APP_RECORD_STATE_H
#define APP_RECORD_STATE_H

#include "base/json_read.h"
#include "command/state.h"

/* NULL when memory is full. */
json_t *app_state_to_json(const struct app_state *state);

/* The reader is at the object. *state is untouched on failure. */
enum krn_code app_state_from_json(struct app_json_reader *reader, const json_t *object,
                                  struct app_state *state);

/* A text as JSON: where it is no UTF-8, with question marks for its bytes above 127. */
json_t *app_json_from_text(const char *text);

#endif
