/* app/record/record_json.h - records, states and properties as JSON values. */
#ifndef APP_RECORD_JSON_H
#define APP_RECORD_JSON_H

#include "base/json_read.h"
#include "command/state.h"

#include "krn/across.h"
#include "krn/properties.h"
#include "krn/scene.h"

#include <jansson.h>
#include <stdbool.h>

/* The longest record that is read. */
extern const struct app_json_bounds app_record_bounds;

/* Parses the reader's text as a record, of which only the schema is checked. The caller releases
 * *root. Errors: KRN_REFUSED, KRN_NO_MEMORY. */
enum krn_code app_record_parse(struct app_json_reader *reader, json_t **root);

/* Does the same, checks that the record has an environment, and replaces what may not be printed
 * (base/complain.h) by '?'. */
enum krn_code app_record_load(struct app_json_reader *reader, json_t **root);

/* Formats a record with one line per part and per result. The caller frees the text. */
char *app_record_print(const json_t *root);

/* Returns the key of a result: two results with equal keys measured the same. The caller frees it.
 */
char *app_record_key(const json_t *result);

/* Returns an object with one member per property: a text, a number, an array of numbers, or true or
 * false; null for what is not known. The caller owns it. */
json_t *app_properties_to_json(const struct krn_property *list, int count);

/* Returns the attributes as an object, null when they are not known. The caller owns it. */
json_t *app_kernel_to_json(const struct krn_kernel_attributes *kernel);

/* Returns the state as a new JSON object, which the caller owns. */
json_t *app_state_to_json(const struct app_state *state);

/* Reads the state from `object`, which is the value at the reader's position. Leaves *state
 * unchanged on failure. Errors: KRN_REFUSED. */
enum krn_code app_state_from_json(struct app_json_reader *reader, const json_t *object,
                                  struct app_state *state);

/* Adds the hashes of a scene, one per view, to `object`, the "scene" of a state, and its spheres if
 * there are at most APP_RECORD_SPHERES_MAX. A sphere is an array of x, y, z, radius, red, green and
 * blue; as a double, every float keeps its value. */
void app_scene_to_json(json_t *object, const struct krn_scene *scene);

/* Reads the spheres from `object`, which is the value at the reader's position. Leaves *scene
 * unchanged when there are none; else the caller frees it with krn_scene_free. count: the number of
 * spheres that the state names. Errors: KRN_REFUSED, KRN_NO_MEMORY. */
enum krn_code app_scene_from_json(struct app_json_reader *reader, const json_t *object, int count,
                                  struct krn_scene *scene);

/* Returns a JSON string. When text is not UTF-8, '?' replaces its bytes above 127. */
json_t *app_json_from_text(const char *text);

/* Returns a JSON number, an integer when the number is whole; NULL when the number is not finite.
 */
json_t *app_json_from_number(double number);

/* Sums up a result's `processes` in its other members: metrics, trust, stop. */
void app_record_sum_up(json_t *result);

/* Returns the metric of a result's processes, summed up at `level` and widened by the clock's tick.
 */
struct krn_across app_record_across(const json_t *processes, const char *metric, double level);

/* What the clock's part of a metric follows from; a number is 0 where it is unknown. */
struct app_metric_times {
    double value;      /* of the metric; for a time, in ms */
    double median_ms;  /* the time that a rate follows from */
    double a_ms, b_ms; /* the times that a duel's "ratio" follows from: both tick */
    double tick_ms;
};

/* Returns the fraction of a metric's value by which the clock's tick may change it. 0: the tick is
 * unknown, or another clock counts. */
double app_metric_widen(const char *metric, const struct app_metric_times *times);

#endif
