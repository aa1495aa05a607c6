/* app/spec/state.c - the start state, what follows from a state, and the names of its values. */
#include "spec/state.h"

#include "krn/duel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    START_SIZE = 1024,
    HOST_WIDTH_MAX = 1280, /* of an image that follows its pane, computed by the host */
    HOST_HEIGHT_MAX = 720,
    START_ADDRESSES = 8
};
#define FIT_UNITS 1024.0 /* scene units that span the height at fit */

void app_state_set_book(struct app_state *state)
{
    /* copied by field, so that the padding stays zero and states can be compared as bytes */
    const struct krn_scene_recipe book = krn_scene_book();
    state->spec.recipe.count = book.count;
    state->spec.recipe.seed = book.seed;
    state->spec.recipe.radius_min = book.radius_min;
    state->spec.recipe.radius_max = book.radius_max;
    state->spec.scene = APP_SCENE_RANDOM;
    memset(state->spec.scene_path, 0, sizeof state->spec.scene_path);
}

enum krn_view_kind app_state_view(const struct app_state *state)
{
    return krn_mode_view(state->spec.mode);
}

struct app_duel_side app_state_side(const struct app_state *state, int side)
{
    const struct app_duel_view *duel = &state->spec.duel;
    if (side == 0)
        return (struct app_duel_side){state->spec.backend, state->spec.mode};
    return (struct app_duel_side){duel->backend > 0 ? (enum krn_backend_id)(duel->backend - 1)
                                                    : state->spec.backend,
                                  duel->other};
}

bool app_state_crosses(const struct app_state *state)
{
    return state->spec.duel.on && app_state_side(state, 1).backend != state->spec.backend;
}

void app_state_set_mode(struct app_state *state, struct krn_mode mode)
{
    if (krn_mode_view(mode) != app_state_view(state)) {
        /* A key returns to it, when the user's may have another storage or backend. */
        state->look.other_view.kernel =
            state->spec.mode.kernel == KRN_KERNEL_MINE ? KRN_KERNEL_BOOK : state->spec.mode.kernel;
        state->look.other_view.pixels_per_thread = state->spec.mode.pixels_per_thread;
    }
    state->spec.mode = mode;
}

bool app_state_has_mine(const struct app_state *state)
{
    return state->spec.mode.kernel == KRN_KERNEL_MINE ||
           (state->spec.duel.on && state->spec.duel.other.kernel == KRN_KERNEL_MINE);
}

void app_state_leave_mine(struct app_state *state)
{
    if (state->spec.mode.kernel == KRN_KERNEL_MINE)
        state->spec.mode.kernel = KRN_KERNEL_BOOK;
    if (state->spec.duel.other.kernel == KRN_KERNEL_MINE)
        state->spec.duel.other.kernel = KRN_KERNEL_BOOK;
}

struct krn_light app_state_light(const struct app_state *state)
{
    struct krn_light light = state->spec.light;
    const double turned = 360.0 * state->spec.motion_s / APP_CAMERA_PATH_SECONDS;
    if (state->spec.camera_path)
        light.camera.yaw = (float)remainder((double)light.camera.yaw + turned, 360.0);
    return light;
}

bool app_light_same(const struct krn_light *a, const struct krn_light *b)
{
    return a->camera.yaw == b->camera.yaw && a->camera.pitch == b->camera.pitch &&
           a->camera.distance == b->camera.distance && a->bounces == b->bounces &&
           a->samples == b->samples;
}

bool app_state_is_book(const struct app_state *state)
{
    struct app_state book = *state;
    app_state_set_book(&book);
    return app_state_same_scene(&book, state) && state->spec.width == START_SIZE &&
           state->spec.height == START_SIZE && state->spec.motion_s == 0.0 &&
           app_state_unit(state) == 1.0f && app_state_view(state) == KRN_VIEW_BOOK;
}

bool app_state_same_scene(const struct app_state *a, const struct app_state *b)
{
    if (a->spec.scene != b->spec.scene)
        return false;
    if (a->spec.scene == APP_SCENE_FILE)
        return strcmp(a->spec.scene_path, b->spec.scene_path) == 0;
    return a->spec.recipe.count == b->spec.recipe.count &&
           a->spec.recipe.seed == b->spec.recipe.seed &&
           a->spec.recipe.radius_min == b->spec.recipe.radius_min &&
           a->spec.recipe.radius_max == b->spec.recipe.radius_max;
}

bool app_state_same_picture(const struct app_state *a, const struct app_state *b)
{
    return app_state_same_scene(a, b) && a->spec.width == b->spec.width &&
           a->spec.height == b->spec.height && a->spec.follow_pane == b->spec.follow_pane &&
           a->spec.zoom == b->spec.zoom && app_light_same(&a->spec.light, &b->spec.light) &&
           a->spec.camera_path == b->spec.camera_path;
}

struct app_state app_state_default(void)
{
    struct app_state state;
    memset(&state, 0, sizeof state);
    state.spec.backend = KRN_BACKEND_CPU;
    state.spec.mode.kernel = KRN_KERNEL_BOOK;
    state.spec.mode.storage = KRN_STORAGE_GLOBAL;
    state.spec.mode.pixels_per_thread = 1;
    state.spec.blit = REN_BLIT_INTEROP;
    app_state_set_book(&state);
    state.spec.width = state.spec.fixed_width = START_SIZE;
    state.spec.height = state.spec.fixed_height = START_SIZE;
    state.spec.motion = true;
    state.spec.duel.other = state.spec.mode;
    state.spec.duel.divider = 0.5;
    state.spec.light = krn_light_default();
    state.look.other_view.kernel = KRN_KERNEL_BRUTE;
    state.look.other_view.pixels_per_thread = krn_kernel_describe(KRN_KERNEL_BRUTE)->pixels_start;
    state.look.vsync = true;
    state.look.hud = true;
    state.look.hud_scale = 1.0;
    state.look.theme = APP_THEME_DARK;
    state.look.addresses = START_ADDRESSES;
    return state;
}

float app_state_unit(const struct app_state *state)
{
    return (float)(state->spec.zoom > 0 ? 1.0 / state->spec.zoom : FIT_UNITS / state->spec.height);
}

const char *app_state_heat_refused(const struct app_state *state, enum krn_heat heat)
{
    if (heat == KRN_HEAT_OFF || app_state_view(state) == krn_heat_view(heat))
        return NULL;
    return heat == KRN_HEAT_RAYS
               ? "The heat map of rays belongs to the light view."
               : "This heat map belongs to the book view; the light view has one of rays.";
}

bool app_state_shows_heat(const struct app_state *state)
{
    return state->look.heat != KRN_HEAT_OFF && !state->spec.duel.on &&
           app_state_view(state) == krn_heat_view(state->look.heat);
}

bool app_state_shows(const struct app_state *state, enum app_subject subject)
{
    return state->look.panels != APP_PANELS_OFF && state->look.page == subject;
}

bool app_state_collects_anatomy(const struct app_state *state)
{
    return state->look.anatomy == APP_ANATOMY_RECORD || app_state_shows(state, APP_SUBJECT_ANATOMY);
}

bool app_state_follow(struct app_state *state, const struct app_facts *facts)
{
    const bool host = krn_backend_get(state->spec.backend)->can->host_processors ||
                      (state->spec.duel.on &&
                       krn_backend_get(app_state_side(state, 1).backend)->can->host_processors);
    const double most_wide = host ? HOST_WIDTH_MAX : KRN_SIZE_MAX,
                 most_high = host ? HOST_HEIGHT_MAX : KRN_SIZE_MAX;
    if (!state->spec.follow_pane || facts->pane_width < 1 || facts->pane_height < 1)
        return false;
    const double scale =
        fmin(fmin(most_wide / facts->pane_width, most_high / facts->pane_height), 1.0);
    const int width = (int)fmax(round(scale * facts->pane_width), 1.0),
              height = (int)fmax(round(scale * facts->pane_height), 1.0);
    const bool changed = width != state->spec.width || height != state->spec.height;
    state->spec.width = width;
    state->spec.height = height;
    return changed;
}

bool app_camera_parse(const char *text, struct krn_camera *camera)
{
    static const float low[] = {-KRN_YAW_MAX, KRN_PITCH_MIN, KRN_DISTANCE_MIN},
                       high[] = {KRN_YAW_MAX, KRN_PITCH_MAX, KRN_DISTANCE_MAX};
    float numbers[3];
    for (int i = 0; i < 3; i++) {
        char part[32];
        double number;
        const size_t length = strcspn(text, ":");
        if (length >= sizeof part || (text[length] == ':') != (i < 2))
            return false;
        memcpy(part, text, length);
        part[length] = 0;
        text += length + 1;
        if (!app_parse_real(part, &number) || number < (double)low[i] || number > (double)high[i])
            return false;
        numbers[i] = (float)number;
    }
    *camera = (struct krn_camera){numbers[0], numbers[1], numbers[2]};
    return true;
}

/* Writes a number in the fewest digits that restore it. */
static void format_part(float number, char *text, size_t size)
{
    double read = 0.0;
    for (int digits = 6; digits <= 9 && (float)read != number; digits++) {
        app_format(text, size, "%.*g", digits, (double)number);
        (void)app_parse_real(text, &read);
    }
}

void app_camera_format(const struct krn_camera *camera, char *text, size_t size)
{
    char yaw[24] = "0", pitch[24] = "0", distance[24] = "0";
    format_part(camera->yaw, yaw, sizeof yaw);
    format_part(camera->pitch, pitch, sizeof pitch);
    format_part(camera->distance, distance, sizeof distance);
    snprintf(text, size, "%s:%s:%s", yaw, pitch, distance);
}

const char *const app_theme_names[] = {"dark", "light", "projector", NULL};
const char *const app_panels_names[] = {"off", "compact", "full", NULL};
const char *const app_help_page_names[] = {"first", "keys", "words", "formulas", "verdicts", NULL};
const char *const app_anatomy_names[] = {"off", "record", NULL};
const char *const app_blit_names[] = {"interop", "pbo", "copy", NULL};

/* --- the order of subjects: pages of their own, then topics, then claims --- */

#define OTHER(ID, name) name,
#define TOPIC(ID, name, what) #name,
#define CLAIM(ID, id, ...) id,
const char *const app_subject_names[] = {APP_SUBJECTS(OTHER) KRN_TOPICS(TOPIC) APP_CLAIMS(CLAIM)
                                             NULL};

#define COUNT_OTHER(ID, name) +1
#define COUNT_TOPIC(ID, name, what) +1
enum { OTHERS = 0 APP_SUBJECTS(COUNT_OTHER), TOPICS = 0 KRN_TOPICS(COUNT_TOPIC) };

int app_subject_topic(enum app_subject subject)
{
    const int topic = (int)subject - OTHERS;
    return topic >= 0 && topic < TOPICS ? topic : -1;
}

int app_subject_claim(enum app_subject subject)
{
    const int claim = (int)subject - OTHERS - TOPICS;
    return claim >= 0 && subject < APP_SUBJECT_COUNT ? claim : -1;
}

enum app_subject app_subject_of_claim(int claim)
{
    return (enum app_subject)(OTHERS + TOPICS + claim);
}

enum app_subject app_subject_step(enum app_subject subject, int step, unsigned empty)
{
    int at = subject < OTHERS + TOPICS ? (int)subject : 0;
    do
        at = (at + step + OTHERS + TOPICS) % (OTHERS + TOPICS);
    while (at == APP_SUBJECT_ANATOMY || (at > APP_SUBJECT_STORY && (empty >> at & 1)));
    return (enum app_subject)at;
}

/* --- modes as texts --- */

bool app_mode_parse(const char *text, size_t length, struct krn_mode *mode)
{
    char own[APP_MODE_TEXT_MAX];
    if (length >= sizeof own)
        return false;
    memcpy(own, text, length);
    own[length] = 0;
    char *storage = strchr(own, '/');
    if (storage == NULL)
        return false;
    *storage++ = 0;
    struct krn_mode found = {KRN_KERNEL_COUNT, KRN_STORAGE_COUNT, 1};
    char *pixels = strchr(storage, '/');
    if (pixels != NULL) {
        *pixels++ = 0;
        if (!app_parse_int(pixels, &found.pixels_per_thread))
            return false;
    }
    for (int k = 0; k < KRN_KERNEL_COUNT; k++)
        if (strcmp(own, krn_kernel_name((enum krn_kernel)k)) == 0)
            found.kernel = (enum krn_kernel)k;
    for (int s = 0; s < KRN_STORAGE_COUNT; s++)
        if (strcmp(storage, krn_storage_name((enum krn_storage)s)) == 0)
            found.storage = (enum krn_storage)s;
    if (krn_mode_index(found) < 0)
        return false;
    *mode = found;
    return true;
}

bool app_duel_side_equal(struct app_duel_side a, struct app_duel_side b)
{
    return a.backend == b.backend && krn_mode_equal(a.mode, b.mode);
}

void app_duel_side_text(struct app_duel_side side, bool named, char *text, size_t size)
{
    char mode[APP_MODE_TEXT_MAX];
    krn_mode_name(side.mode, mode, sizeof mode);
    snprintf(text, size, "%s%s%s", named ? krn_backend_name(side.backend) : "", named ? ":" : "",
             mode);
}

bool app_modes_parse(const char *text, struct krn_mode modes[2], int backends[2])
{
    for (int side = 0; side < 2; side++) {
        const size_t length = side ? strlen(text) : strcspn(text, ","),
                     prefix = strcspn(text, ":") + 1;
        int backend = -1;
        for (int id = 0; prefix < length && id < KRN_BACKEND_COUNT; id++) {
            const char *name = krn_backend_name((enum krn_backend_id)id);
            if (strlen(name) == prefix - 1 && strncmp(text, name, prefix - 1) == 0)
                backend = id;
        }
        const size_t named = backend >= 0 ? prefix : 0;
        if ((named > 0 && !backends) || !app_mode_parse(text + named, length - named, &modes[side]))
            return false;
        if (backends)
            backends[side] = backend;
        text += length + (text[length] == ',');
    }
    return true;
}

/* Returns true when the pattern's next part, up to a slash or a comma, is * or the name. Moves *at
 * behind the part and its slash. */
static bool part_matches(const char **at, const char *name)
{
    const size_t length = strcspn(*at, "/,");
    const bool any = length == 1 && **at == '*';
    const bool same = length == strlen(name) && strncmp(*at, name, length) == 0;
    *at += length + ((*at)[length] == '/');
    return any || same;
}

/* Matches the one pattern at `at`, which ends at a comma or at the end of the text. */
static bool pattern_matches(const char *at, struct krn_mode mode)
{
    char pixels[16];
    if (at[0] == ',' || at[0] == 0)
        return false;
    snprintf(pixels, sizeof pixels, "%d", mode.pixels_per_thread);
    const bool kernel = part_matches(&at, krn_kernel_name(mode.kernel));
    const bool storage = part_matches(&at, krn_storage_name(mode.storage));
    const bool without = at[0] == ',' || at[0] == 0;
    const bool same =
        without ? at[-1] != '/' && mode.pixels_per_thread == 1 : part_matches(&at, pixels);
    return kernel && storage && same && at[-1] != '/' && (at[0] == ',' || at[0] == 0);
}

static const char *next_pattern(const char *at)
{
    const char *comma = strchr(at, ',');
    return comma != NULL ? comma + 1 : NULL;
}

bool app_mode_chosen(const char *patterns, struct krn_mode mode)
{
    if (patterns[0] == 0)
        return true;
    for (const char *at = patterns; at != NULL; at = next_pattern(at))
        if (pattern_matches(at, mode))
            return true;
    return false;
}

enum krn_view_kind app_mode_patterns_view(const char *patterns, enum krn_view_kind view)
{
    enum krn_view_kind other = view;
    for (int m = 0; m < KRN_MODES_MAX; m++) {
        if (!app_mode_chosen(patterns, krn_mode_at(m)))
            continue;
        other = krn_mode_view(krn_mode_at(m));
        if (other == view)
            return view;
    }
    return other;
}

struct krn_mode app_mode_first(enum krn_view_kind view)
{
    int m = 0;
    while (m + 1 < KRN_MODES && krn_mode_view(krn_mode_at(m)) != view)
        m++;
    return krn_mode_at(m);
}

int app_mode_count(enum krn_view_kind view)
{
    int count = 0;
    for (int m = 0; m < KRN_MODES; m++)
        count += krn_mode_view(krn_mode_at(m)) == view;
    return count;
}

bool app_mode_patterns_mix(const char *patterns)
{
    unsigned alone = 0;
    for (const char *at = patterns[0] != 0 ? patterns : NULL; at != NULL; at = next_pattern(at)) {
        unsigned views = 0;
        for (int m = 0; m < KRN_MODES_MAX; m++)
            if (pattern_matches(at, krn_mode_at(m)))
                views |= 1u << krn_mode_view(krn_mode_at(m));
        if (views != 0 && (views & (views - 1)) == 0)
            alone |= views;
    }
    return (alone & (alone - 1)) != 0;
}

/* Returns true when each pattern matches one of the first `count` modes. */
static bool all_match(const char *patterns, int count)
{
    for (const char *at = patterns; at != NULL; at = next_pattern(at)) {
        bool found = false;
        for (int m = 0; m < count && !found; m++)
            found = pattern_matches(at, krn_mode_at(m));
        if (!found)
            return false;
    }
    return true;
}

bool app_mode_patterns_check(const char *patterns)
{
    return all_match(patterns, KRN_MODES_MAX);
}

bool app_mode_patterns_mine(const char *patterns)
{
    return patterns[0] != 0 && !all_match(patterns, KRN_MODES);
}
