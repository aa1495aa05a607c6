/* app/io/state_json.c - states, scenes and properties as JSON values. */
#include "io/json.h"

#include "base/memory.h"
#include "base/value.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { CHOICE, INTEGER, REAL, FLAG, SINGLE, SEED, PATH, ZOOM };

/* A field of the state and the JSON member that stores it. */
struct member {
    const char *key;
    enum kind kind;
    size_t offset;
    const char *(*name)(int); /* CHOICE: the text of a value */
    double low, high;         /* CHOICE, INTEGER, REAL, SINGLE: inclusive */
    bool later;               /* older records lack it: the start state's value stands */
};

/* Defines the name of a CHOICE from a function that takes its enum. */
#define NAME(name, function, type)                                                                 \
    static const char *name(int i)                                                                 \
    {                                                                                              \
        return function((enum type)i);                                                             \
    }
NAME(backend_name, krn_backend_name, krn_backend_id)
NAME(kernel_name, krn_kernel_name, krn_kernel)
NAME(storage_name, krn_storage_name, krn_storage)
NAME(blit_name, app_blit_name, ren_blit)
NAME(kind_name, app_scene_kind_name, app_scene_kind)
NAME(theme_name, app_theme_name, app_theme)
NAME(panels_name, app_panels_name, app_panels)
NAME(page_name, app_page_name, app_panels_page)
NAME(anatomy_name, app_anatomy_name, app_anatomy_mode)
NAME(spotlight_name, app_spotlight_name, app_spotlight)
NAME(subject_name, app_subject_name, app_subject)
NAME(help_page_name, app_help_page_name, app_help_page)
NAME(heat_name, krn_heat_name, krn_heat)

#define AT(field) offsetof(struct app_state, field)
#define RADIUS_RANGE NULL, KRN_RADIUS_MIN, KRN_RADIUS_MAX, false
#define NO_RANGE NULL, 0, 0, false

static const struct member state_members[] = {
    {"backend", CHOICE, AT(backend), backend_name, 0, KRN_BACKEND_COUNT - 1, false},
    {"kernel", CHOICE, AT(mode.kernel), kernel_name, 0, KRN_KERNEL_COUNT - 1, false},
    {"storage", CHOICE, AT(mode.storage), storage_name, 0, KRN_STORAGE_COUNT - 1, false},
    {"pixels_per_thread", INTEGER, AT(mode.pixels_per_thread), NULL, 1, KRN_PIXELS_MAX, false},
    {"blit", CHOICE, AT(blit), blit_name, 0, REN_BLIT_COUNT - 1, false},
    {"warm", FLAG, AT(warm), NO_RANGE},
    {"width", INTEGER, AT(width), NULL, 1, KRN_SIZE_MAX, false},
    {"height", INTEGER, AT(height), NULL, 1, KRN_SIZE_MAX, false},
    {"follow_pane", FLAG, AT(follow_pane), NO_RANGE},
    {"fixed_width", INTEGER, AT(fixed_width), NULL, 1, KRN_SIZE_MAX, false},
    {"fixed_height", INTEGER, AT(fixed_height), NULL, 1, KRN_SIZE_MAX, false},
    {"zoom", ZOOM, AT(zoom), NULL, APP_ZOOM_MIN, APP_ZOOM_MAX, false},
    {"motion", FLAG, AT(motion), NO_RANGE},
    {"fullscreen", FLAG, AT(fullscreen), NO_RANGE},
    {"vsync", FLAG, AT(vsync), NO_RANGE},
    {"hud", FLAG, AT(hud), NO_RANGE},
    {"help", FLAG, AT(help), NO_RANGE},
    {"hud_scale", REAL, AT(hud_scale), NULL, APP_HUD_SCALE_MIN, APP_HUD_SCALE_MAX, false},
    {"theme", CHOICE, AT(theme), theme_name, 0, APP_THEME_COUNT - 1, false},
    {"panels", CHOICE, AT(panels), panels_name, 0, APP_PANELS_COUNT - 1, false},
    {"story", FLAG, AT(story), NULL, 0, 0, true},
    {"heatmap", CHOICE, AT(heat), heat_name, 0, KRN_HEAT_COUNT - 1, true},
    {"anatomy", CHOICE, AT(anatomy), anatomy_name, 0, APP_ANATOMY_MODES - 1, true},
    {"page", CHOICE, AT(page), page_name, 0, APP_PAGE_COUNT - 1, true},
    {"part", INTEGER, AT(part), NULL, 1, APP_PARTS_MAX, true},
    {"spotlight", CHOICE, AT(spotlight), spotlight_name, 0, APP_SPOTLIGHT_COUNT - 1, true},
    {"subject", CHOICE, AT(subject), subject_name, 0, APP_SUBJECT_COUNT - 1, true},
    {"subject_part", INTEGER, AT(subject_part), NULL, 1, APP_PARTS_MAX, true},
    {"help_page", CHOICE, AT(help_page), help_page_name, 0, APP_HELP_PAGES - 1, true},
    {"device_card", FLAG, AT(device_card), NULL, 0, 0, true},
    {"qr", FLAG, AT(qr), NULL, 0, 0, true},
    {"addresses", INTEGER, AT(addresses), NULL, 1, KRN_LANES, true},
};

static const struct member scene_members[] = {
    {"kind", CHOICE, AT(scene), kind_name, 0, APP_SCENE_KIND_COUNT - 1, false},
    {"count", INTEGER, AT(recipe.count), NULL, KRN_SPHERES_MIN, KRN_SPHERES_MAX, false},
    {"seed", SEED, AT(recipe.seed), NO_RANGE},
    {"radius_min", SINGLE, AT(recipe.radius_min), RADIUS_RANGE},
    {"radius_max", SINGLE, AT(recipe.radius_max), RADIUS_RANGE},
    {"path", PATH, AT(scene_path), NO_RANGE},
};

static const struct member pose_members[] = {
    {"time_s", REAL, AT(motion_s), NULL, 0, APP_MOTION_S_MAX, false},
};

static const struct member duel_members[] = {
    {"on", FLAG, AT(duel.on), NO_RANGE},
    {"kernel", CHOICE, AT(duel.other.kernel), kernel_name, 0, KRN_KERNEL_COUNT - 1, false},
    {"storage", CHOICE, AT(duel.other.storage), storage_name, 0, KRN_STORAGE_COUNT - 1, false},
    {"pixels_per_thread", INTEGER, AT(duel.other.pixels_per_thread), NULL, 1, KRN_PIXELS_MAX,
     false},
    {"divider", REAL, AT(duel.divider), NULL, APP_DIVIDER_MIN, APP_DIVIDER_MAX, false},
};

static const struct member light_members[] = {
    {"yaw", SINGLE, AT(light.camera.yaw), NULL, -KRN_YAW_MAX, KRN_YAW_MAX, false},
    {"pitch", SINGLE, AT(light.camera.pitch), NULL, KRN_PITCH_MIN, KRN_PITCH_MAX, false},
    {"distance", SINGLE, AT(light.camera.distance), NULL, KRN_DISTANCE_MIN, KRN_DISTANCE_MAX,
     false},
    {"camera_path", FLAG, AT(camera_path), NO_RANGE},
    {"bounces", INTEGER, AT(light.bounces), NULL, 0, KRN_BOUNCES_MAX, false},
    {"samples", INTEGER, AT(light.samples), NULL, 1, 16, false},
    {"other_kernel", CHOICE, AT(other_view.kernel), kernel_name, 0, KRN_KERNEL_COUNT - 1, false},
    {"other_pixels_per_thread", INTEGER, AT(other_view.pixels_per_thread), NULL, 1, KRN_PIXELS_MAX,
     false},
};

/* The objects inside the state's object. Cosine and sine of the pose follow from its time: records
 * carry them for other programs, and the reader ignores them. Hashes, spheres and note of a file
 * scene are not part of the state. */
static const struct group {
    const char *key; /* NULL: the state's object itself */
    const struct member *members;
    size_t count;
    const char *other[5]; /* names of members that are not in `members`; ends with NULL */
    bool later;           /* older records lack it */
} groups[] = {
    {NULL,
     state_members,
     sizeof state_members / sizeof *state_members,
     {"scene", "pose", "duel", "light", NULL},
     false},
    {"scene",
     scene_members,
     sizeof scene_members / sizeof *scene_members,
     {"hash", "light_hash", "spheres", "note", NULL},
     false},
    {"pose",
     pose_members,
     sizeof pose_members / sizeof *pose_members,
     {"cosine", "sine", NULL},
     false},
    {"duel", duel_members, sizeof duel_members / sizeof *duel_members, {NULL}, false},
    {"light", light_members, sizeof light_members / sizeof *light_members, {NULL}, true},
};

enum { MEMBERS_MAX = 48 };
_Static_assert(sizeof state_members / sizeof *state_members + 5 <= MEMBERS_MAX,
               "every group fits into `names`");

json_t *app_json_from_text(const char *text)
{
    json_t *value = json_string(text);
    if (value != NULL)
        return value;
    char *plain = app_copy(text);
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

static json_t *member_to_json(const struct member *member, const struct app_state *state)
{
    const char *at = (const char *)state + member->offset;
    int integer = 0;
    double real = 0;
    float single = 0;
    bool flag = false;
    uint64_t seed = 0;
    char digits[32];
    switch (member->kind) {
    case CHOICE:
        memcpy(&integer, at, sizeof integer);
        return json_string(member->name(integer));
    case INTEGER:
        memcpy(&integer, at, sizeof integer);
        return json_integer(integer);
    case REAL:
        memcpy(&real, at, sizeof real);
        return json_real(real);
    case ZOOM:
        memcpy(&real, at, sizeof real);
        return real > 0 ? json_real(real) : json_string("fit");
    case SINGLE:
        memcpy(&single, at, sizeof single);
        return json_real((double)single);
    case FLAG:
        memcpy(&flag, at, sizeof flag);
        return json_boolean(flag);
    case SEED:
        memcpy(&seed, at, sizeof seed);
        snprintf(digits, sizeof digits, "%llu", (unsigned long long)seed);
        return json_string(digits);
    case PATH:
        return app_json_from_text(at);
    }
    return NULL;
}

json_t *app_state_to_json(const struct app_state *state)
{
    json_t *root = json_object();
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        json_t *object = groups[g].key != NULL ? json_object() : root;
        if (groups[g].key != NULL)
            json_object_set_new(root, groups[g].key, object);
        for (size_t i = 0; i < groups[g].count; i++)
            json_object_set_new(object, groups[g].members[i].key,
                                member_to_json(&groups[g].members[i], state));
    }
    const struct krn_pose pose = krn_pose_at(state->motion_s);
    json_t *written = json_object_get(root, "pose");
    json_object_set_new(written, "cosine", json_real((double)pose.cosine));
    json_object_set_new(written, "sine", json_real((double)pose.sine));
    return root;
}

static enum krn_code read_choice(const struct app_json_reader *reader, const struct member *member,
                                 const json_t *value, char *at)
{
    char names[128] = "";
    for (int i = 0; i <= (int)member->high; i++) {
        if (json_is_string(value) && strcmp(json_string_value(value), member->name(i)) == 0) {
            memcpy(at, &i, sizeof i);
            return KRN_OK;
        }
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", member->name(i));
    }
    return app_json_fail(reader, "must be one of: %s", names);
}

static enum krn_code read_number(const struct app_json_reader *reader, const struct member *member,
                                 const json_t *value, char *at)
{
    char range[64];
    const bool whole = member->kind == INTEGER;
    const double number = json_number_value(value);
    if (!json_is_number(value) || (whole && !json_is_integer(value)) ||
        !(number >= member->low && number <= member->high)) {
        app_format(range, sizeof range, "%.12g to %.12g", member->low, member->high);
        return app_json_fail(reader, "must be %s from %s", whole ? "an integer" : "a number",
                             range);
    }
    const int integer = whole ? (int)number : 0;
    const float single = member->kind == SINGLE ? (float)number : 0;
    if (whole)
        memcpy(at, &integer, sizeof integer);
    else if (member->kind == SINGLE)
        memcpy(at, &single, sizeof single);
    else
        memcpy(at, &number, sizeof number);
    return KRN_OK;
}

static enum krn_code read_text(const struct app_json_reader *reader, const struct member *member,
                               const json_t *value, char *at)
{
    const char *text = json_string_value(value);
    uint64_t seed = 0;
    if (member->kind == SEED) {
        if (text == NULL || !app_parse_uint64(text, &seed))
            return app_json_fail(reader, "must be a string of digits, a number below 2^64");
        memcpy(at, &seed, sizeof seed);
        return KRN_OK;
    }
    if (text == NULL || json_string_length(value) >= APP_PATH_MAX ||
        strlen(text) != json_string_length(value))
        return app_json_fail(reader, "must be a string of fewer than %d bytes", APP_PATH_MAX);
    memset(at, 0, APP_PATH_MAX);
    memcpy(at, text, strlen(text) + 1);
    return KRN_OK;
}

static enum krn_code read_member(const struct app_json_reader *reader, const struct member *member,
                                 const json_t *value, struct app_state *state)
{
    char *at = (char *)state + member->offset;
    const double fit = 0;
    if (value == NULL)
        return member->later ? KRN_OK : app_json_fail(reader, "is missing");
    switch (member->kind) {
    case CHOICE:
        return read_choice(reader, member, value, at);
    case FLAG: {
        const bool flag = json_is_true(value);
        if (!json_is_boolean(value))
            return app_json_fail(reader, "must be true or false");
        memcpy(at, &flag, sizeof flag);
        return KRN_OK;
    }
    case SEED:
    case PATH:
        return read_text(reader, member, value, at);
    case ZOOM:
        if (json_is_string(value) && strcmp(json_string_value(value), "fit") == 0) {
            memcpy(at, &fit, sizeof fit);
            return KRN_OK;
        }
        return read_number(reader, member, value, at);
    case INTEGER:
    case REAL:
    case SINGLE:
        return read_number(reader, member, value, at);
    }
    return KRN_OK;
}

static enum krn_code read_group(struct app_json_reader *reader, const struct group *group,
                                const json_t *object, struct app_state *state)
{
    const char *names[MEMBERS_MAX + 1] = {NULL};
    size_t n = 0;
    for (size_t i = 0; i < group->count; i++)
        names[n++] = group->members[i].key;
    for (size_t i = 0; group->other[i] != NULL; i++)
        names[n++] = group->other[i];
    if (!json_is_object(object))
        return app_json_fail(reader, object == NULL ? "is missing" : "must be an object");
    enum krn_code code = app_json_check_members(reader, object, names);
    for (size_t i = 0; i < group->count && code == KRN_OK; i++) {
        const struct member *member = &group->members[i];
        app_json_enter(reader, member->key, 0);
        code = read_member(reader, member, json_object_get(object, member->key), state);
        app_json_leave(reader);
    }
    return code;
}

enum krn_code app_state_from_json(struct app_json_reader *reader, const json_t *object,
                                  struct app_state *state)
{
    struct app_state result = app_state_default();
    enum krn_code code = KRN_OK;
    for (size_t g = 0; g < sizeof groups / sizeof *groups && code == KRN_OK; g++) {
        const char *key = groups[g].key;
        if (groups[g].later && json_object_get(object, key) == NULL)
            continue;
        if (key != NULL)
            app_json_enter(reader, key, 0);
        code = read_group(reader, &groups[g], key != NULL ? json_object_get(object, key) : object,
                          &result);
        if (key != NULL)
            app_json_leave(reader);
    }
    if (code != KRN_OK)
        return code;
    struct krn_error combination;
    if (app_state_check(&result, &combination) != KRN_OK)
        return app_json_fail(reader, "cannot be rendered: %s", combination.text);
    memcpy(state, &result, sizeof *state);
    return KRN_OK;
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
