/* app/records/state_json.c - states, scenes and properties as JSON values. */
#include "records/json.h"

#include "command/command.h"

#include "krn/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The objects of a state, their members in the order of the file, and those that older records
 * lack: the start state's value stands. Of every member, the command table has the rest. Cosine and
 * sine of the pose follow from its time: records carry them for other programs, and the reader
 * ignores them. Hashes, spheres and note of a file scene are not part of the state. */
enum { MEMBERS_MAX = 24 };
/* clang-format off */
static const struct group {
    const char *key; /* "": the state's object itself */
    const char *members[MEMBERS_MAX], *later[MEMBERS_MAX];
    const char *other[12]; /* members that the command table does not have */
} groups[] = {
    {"",
     {"backend", "kernel", "storage", "pixels_per_thread", "blit", "warm", "width", "height",
      "follow_pane", "fixed_width", "fixed_height", "zoom", "motion", "fullscreen", "vsync", "hud",
      "help", "hud_scale", "theme", "panels"},
     {"heatmap", "anatomy", "page", "help_page", "details", "code", "qr", "addresses"},
     {"scene", "pose", "duel", "light", "story", "part", "spotlight", "subject", "subject_part",
      "device_card"}},
    {"scene", {"kind", "count", "seed", "radius_min", "radius_max", "path"}, {NULL},
     {"hash", "light_hash", "spheres", "note"}},
    {"pose", {"time_s"}, {NULL}, {"cosine", "sine"}},
    {"duel", {"on", "kernel", "storage", "pixels_per_thread", "divider"}, {"backend"}, {NULL}},
    {"light",
     {"yaw", "pitch", "distance", "camera_path", "bounces", "samples", "other_kernel",
      "other_pixels_per_thread"}, {NULL}, {NULL}},
};
/* clang-format on */

json_t *app_json_from_text(const char *text)
{
    json_t *value = json_string(text);
    if (value != NULL)
        return value;
    char *plain = krn_copy(text);
    for (char *at = plain; *at != 0; at++)
        *at = (char)((unsigned char)*at < 128 ? *at : '?');
    value = json_string(plain);
    free(plain);
    return value;
}

json_t *app_json_from_number(double number)
{
    const bool whole = fabs(number) < 1e15 && number == floor(number);
    return whole ? json_integer((json_int_t)number) : json_real(number);
}

void app_json_put(json_t *object, const char *key, const char *text)
{
    if (text != NULL)
        json_object_set_new(object, key, app_json_from_text(text));
}

json_t *app_json_from_pairs(struct app_pairs list)
{
    json_t *object = json_object();
    for (size_t i = 0; i < list.count; i++)
        json_object_set_new(object, list.pairs[i].key,
                            list.pairs[i].text != NULL
                                ? app_json_from_text(list.pairs[i].text)
                                : app_json_from_number(list.pairs[i].number));
    return object;
}

/* Returns the entry of a member. */
static const struct app_command_entry *find(const struct group *group, const char *key)
{
    size_t count, i = 0;
    const struct app_command_entry *entries = app_commands(&count);
    const size_t length = strlen(group->key);
    while (entries[i].json == NULL || strncmp(entries[i].json, group->key, length) != 0 ||
           strcmp(entries[i].json + length + (length > 0), key) != 0)
        i++;
    return &entries[i];
}

static json_t *value_to_json(const struct app_value *value, const struct app_given *given)
{
    struct app_given name = *given;
    char text[64];
    if (!given->word && (value->kind == APP_VALUE_REAL || value->kind == APP_VALUE_SINGLE))
        return json_real(given->real);
    if (value->kind == APP_VALUE_NONE || value->kind == APP_VALUE_SWITCH)
        return json_boolean(given->on);
    if (value->kind == APP_VALUE_PATH)
        return app_json_from_text(given->text);
    app_value_text(value, &name, text, sizeof text);
    return value->kind == APP_VALUE_INTEGER || value->numbers ? json_integer(atoi(text))
                                                              : json_string(text);
}

static void members_to_json(const struct group *group, const char *const *keys,
                            const struct app_state *state, json_t *object)
{
    for (; *keys != NULL; keys++) {
        const struct app_command_entry *entry = find(group, *keys);
        const struct app_given given = app_command_get(entry, state);
        json_object_set_new(object, *keys, value_to_json(&entry->value, &given));
    }
}

json_t *app_state_to_json(const struct app_state *state)
{
    json_t *root = json_object();
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        json_t *object = groups[g].key[0] != 0 ? json_object() : root;
        if (object != root)
            json_object_set_new(root, groups[g].key, object);
        members_to_json(&groups[g], groups[g].members, state, object);
        members_to_json(&groups[g], groups[g].later, state, object);
    }
    const struct krn_pose pose = krn_pose_at(state->spec.motion_s);
    json_t *written = json_object_get(root, "pose");
    json_object_set_new(written, "cosine", json_real((double)pose.cosine));
    json_object_set_new(written, "sine", json_real((double)pose.sine));
    return root;
}

/* Reads a value by its kind. Returns false for another, and what it must be in `takes`. */
static bool value_from_json(const struct app_value *value, const json_t *json,
                            struct app_given *given, char *takes, size_t size)
{
    const char *text = json_string_value(json);
    char digits[24];
    memset(given, 0, sizeof *given);
    app_value_describe(value, takes, size);
    if (value->kind == APP_VALUE_NONE || value->kind == APP_VALUE_SWITCH) {
        given->on = json_is_true(json);
        snprintf(takes, size, "true or false");
        return json_is_boolean(json);
    }
    if (value->kind == APP_VALUE_PATH) {
        given->text = text;
        snprintf(takes, size, "a string of fewer than %d bytes", APP_PATH_MAX);
        return text != NULL && strlen(text) == json_string_length(json) &&
               strlen(text) < APP_PATH_MAX;
    }
    if (value->kind == APP_VALUE_REAL || value->kind == APP_VALUE_SINGLE) {
        given->real = json_number_value(json);
        given->word = text != NULL && value->word != NULL && strcmp(text, value->word) == 0;
        return (given->word || json_is_number(json)) && app_value_allows(value, given);
    }
    if (value->kind == APP_VALUE_INTEGER || value->numbers) {
        snprintf(digits, sizeof digits, "%lld", (long long)json_integer_value(json));
        text = json_is_integer(json) ? digits : NULL;
    }
    if (value->kind == APP_VALUE_SEED)
        snprintf(takes, size, "a string of digits, a number below 2^64");
    return text != NULL && app_value_parse(value, text, given);
}

static enum krn_code read_members(struct app_json_reader *reader, const struct group *group,
                                  bool later, const json_t *object, struct app_state *state)
{
    const char *const *keys = later ? group->later : group->members;
    enum krn_code code = KRN_OK;
    for (; *keys != NULL && code == KRN_OK; keys++) {
        const struct app_command_entry *entry = find(group, *keys);
        const json_t *json = json_object_get(object, *keys);
        struct app_given given;
        char takes[200];
        if (json == NULL && later)
            continue;
        app_json_enter(reader, *keys, 0);
        if (json == NULL)
            code = app_json_fail(reader, "is missing");
        else if (!value_from_json(&entry->value, json, &given, takes, sizeof takes)) {
            /* A page or a card that this program no longer has is the start state's. */
            if (!later || entry->value.kind != APP_VALUE_CHOICE || !json_is_string(json))
                code = app_json_fail(reader, "must be %s", takes);
        } else
            (void)app_command_put(entry, &given, state);
        app_json_leave(reader);
    }
    return code;
}

static enum krn_code read_group(struct app_json_reader *reader, const struct group *group,
                                const json_t *object, struct app_state *state)
{
    const char *const *lists[] = {group->members, group->later, group->other};
    const char *names[2 * MEMBERS_MAX + 12] = {NULL};
    size_t n = 0;
    for (int i = 0; i < 3; i++)
        for (const char *const *at = lists[i]; *at != NULL; at++)
            names[n++] = *at;
    if (!json_is_object(object))
        return app_json_fail(reader, object == NULL ? "is missing" : "must be an object");
    enum krn_code code = app_json_check_members(reader, object, names);
    KRN_THEN(code, read_members(reader, group, false, object, state));
    return code == KRN_OK ? read_members(reader, group, true, object, state) : code;
}

enum krn_code app_state_from_json(struct app_json_reader *reader, const json_t *object,
                                  struct app_state *state)
{
    struct app_state result = app_state_default();
    enum krn_code code = KRN_OK;
    for (size_t g = 0; g < sizeof groups / sizeof *groups && code == KRN_OK; g++) {
        const char *key = groups[g].key;
        const json_t *inner = key[0] != 0 ? json_object_get(object, key) : object;
        if (inner == NULL && strcmp(key, "light") == 0) /* older records lack it, too */
            continue;
        if (inner != object)
            app_json_enter(reader, key, 0);
        code = read_group(reader, &groups[g], inner, &result);
        if (inner != object)
            app_json_leave(reader);
    }
    struct krn_error combination;
    if (code == KRN_OK && app_state_check(&result, &combination) != KRN_OK)
        code = app_json_fail(reader, "cannot be rendered: %s", combination.text);
    if (code == KRN_OK)
        memcpy(state, &result, sizeof *state);
    return code;
}

/* --- the spheres of a file scene --- */

/* Numbers of a sphere; one that is partly a mirror has its share as well. */
enum { NUMBERS = 7, MIRROR_NUMBERS };

void app_scene_to_json(json_t *object, const struct krn_scene *scene)
{
    json_t *spheres = json_array();
    json_object_set_new(object, "spheres", spheres);
    for (int i = 0; i < scene->count; i++) {
        const struct krn_sphere *s = &scene->spheres[i];
        const float mirror = scene->mirrors != NULL ? scene->mirrors[i] : 0.0f;
        const float numbers[] = {s->x, s->y, s->z, s->radius, s->r, s->g, s->b, mirror};
        json_t *sphere = json_array();
        json_array_append_new(spheres, sphere);
        for (int n = 0; n < (mirror > 0.0f ? MIRROR_NUMBERS : NUMBERS); n++)
            json_array_append_new(sphere, json_real((double)numbers[n]));
    }
}

static enum krn_code read_sphere(struct app_json_reader *reader, const json_t *value,
                                 struct krn_sphere *sphere, float *mirror)
{
    float numbers[MIRROR_NUMBERS] = {0.0f};
    const size_t size = json_array_size(value);
    if (!json_is_array(value) || (size != NUMBERS && size != MIRROR_NUMBERS))
        return app_json_fail(reader, "must be an array of %d or %d numbers", NUMBERS,
                             MIRROR_NUMBERS);
    for (size_t n = 0; n < size; n++) {
        const json_t *number = json_array_get(value, n);
        const double most = (double)KRN_COORDINATE_MAX;
        if (!json_is_number(number) || !(fabs(json_number_value(number)) <= most))
            return app_json_fail(reader, "must have numbers of at most %d", (int)most);
        numbers[n] = (float)json_number_value(number);
    }
    *sphere = (struct krn_sphere){.x = numbers[0],
                                  .y = numbers[1],
                                  .z = numbers[2],
                                  .radius = numbers[3],
                                  .r = numbers[4],
                                  .g = numbers[5],
                                  .b = numbers[6]};
    *mirror = numbers[NUMBERS];
    return KRN_OK;
}

static enum krn_code read_spheres(struct app_json_reader *reader, const json_t *spheres, int count,
                                  struct krn_scene *scene)
{
    if (!json_is_array(spheres) || json_array_size(spheres) > APP_RECORD_SPHERES_MAX)
        return app_json_fail(reader, "must be an array of at most %d spheres",
                             APP_RECORD_SPHERES_MAX);
    if (json_array_size(spheres) != (size_t)count)
        return app_json_fail(reader, "must have as many spheres as `count` says: %d", count);
    enum krn_code code = krn_scene_alloc(scene, count, reader->error);
    for (size_t i = 0; i < (size_t)count && code == KRN_OK; i++) {
        app_json_enter(reader, NULL, i);
        code =
            read_sphere(reader, json_array_get(spheres, i), &scene->spheres[i], &scene->mirrors[i]);
        app_json_leave(reader);
    }
    struct krn_error problem;
    if (code == KRN_OK && krn_scene_check(scene, &problem) != KRN_OK)
        code = app_json_fail(reader, "cannot be rendered: %s", problem.text);
    return code;
}

enum krn_code app_scene_from_json(struct app_json_reader *reader, const json_t *object, int count,
                                  struct krn_scene *scene)
{
    const json_t *spheres = json_object_get(object, "spheres");
    struct krn_scene read = {.spheres = NULL};
    if (spheres == NULL)
        return KRN_OK;
    app_json_enter(reader, "spheres", 0);
    const enum krn_code code = read_spheres(reader, spheres, count, &read);
    app_json_leave(reader);
    if (code == KRN_OK)
        *scene = read;
    else
        krn_scene_free(&read);
    return code;
}

/* --- properties --- */

static json_t *value_of(const struct krn_property *property)
{
    char version[48];
    if (!property->known)
        return json_null();
    switch (property->kind) {
    case KRN_PROPERTY_TEXT:
        return app_json_from_text(property->text);
    case KRN_PROPERTY_FLAG:
        return json_boolean(property->values[0] != 0);
    case KRN_PROPERTY_VERSION:
        snprintf(version, sizeof version, "%lld.%lld", (long long)property->values[0],
                 (long long)property->values[1]);
        return json_string(version);
    case KRN_PROPERTY_COUNT:
    case KRN_PROPERTY_BYTES:
    case KRN_PROPERTY_BITS:
    case KRN_PROPERTY_KHZ:
        break;
    }
    if (property->count == 1)
        return json_integer(property->values[0]);
    json_t *array = json_array();
    for (int i = 0; i < property->count; i++)
        json_array_append_new(array, json_integer(property->values[i]));
    return array;
}

json_t *app_properties_to_json(const struct krn_property *list, int count)
{
    json_t *object = json_object();
    for (int i = 0; i < count; i++)
        json_object_set_new(object, list[i].key, value_of(&list[i]));
    return object;
}
