/* app/records/json.h - states, scenes, properties and texts as JSON values. */
#pragma once

#include "base/json_read.h"
#include "model/model.h"
#include "spec/state.h"

#include "krn/properties.h"
#include "krn/scene.h"

/* Returns a JSON string. When text is not UTF-8, '?' replaces its bytes above 127. */
json_t *app_json_from_text(const char *text);

/* Returns a JSON number, an integer when the number is whole; NULL when the number is not finite.
 */
json_t *app_json_from_number(double number);

/* Sets a member to a text; NULL: leaves it out. */
void app_json_put(json_t *object, const char *key, const char *text);

/* Returns an object with one member per pair. */
json_t *app_json_from_pairs(struct app_pairs list);

/* Returns an object with one member per property: a text, a number, an array of numbers, or true or
 * false; null for what is not known. The caller owns it. */
json_t *app_properties_to_json(const struct krn_property *list, int count);

/* Returns the state as a new JSON object, which the caller owns. */
json_t *app_state_to_json(const struct app_state *state);

/* Reads the state from `object`, which is the value at the reader's position. Leaves *state
 * unchanged on failure. Errors: KRN_REFUSED. */
enum krn_code app_state_from_json(struct app_json_reader *reader, const json_t *object,
                                  struct app_state *state);

/* Adds the spheres of a scene to `object`, the "scene" of a state. A sphere is an array of x, y, z,
 * radius, red, green and blue; as a double, every float keeps its value. */
void app_scene_to_json(json_t *object, const struct krn_scene *scene);

/* Reads the spheres from `object`, which is the value at the reader's position. Leaves *scene
 * unchanged when there are none; else the caller frees it with krn_scene_free. count: the number of
 * spheres that the state names. Errors: KRN_REFUSED, KRN_NO_MEMORY. */
enum krn_code app_scene_from_json(struct app_json_reader *reader, const json_t *object, int count,
                                  struct krn_scene *scene);
