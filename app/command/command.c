/* app/command/command.c - values of entries in a state, and the application of commands to it. */
#include "command/command.h"

#include <math.h>
#include <string.h>

enum { BENCH_MAX = sizeof(((struct app_run *)0)->bench) };

/* A value of two numbers is kept in two adjacent members. */
#define PAIR(type, a, b)                                                                           \
    _Static_assert(offsetof(struct type, b) == offsetof(struct type, a) + 4, #a " and " #b)
PAIR(app_run, window_width, window_height);
PAIR(app_state, spec.width, spec.height);
PAIR(app_state, spec.recipe.radius_min, spec.recipe.radius_max);

enum app_when app_situation(const struct app_state *state)
{
    const struct app_talk_view *talk = &state->talk;
    if (!talk->on)
        return talk->steps > 0 ? APP_WHEN_OPEN : APP_WHEN_ALWAYS;
    if (talk->asks == APP_ASKS_NOTHING || talk->revealed)
        return APP_WHEN_TALK;
    return talk->typed[0] != 0 && !talk->committed ? APP_WHEN_TYPING : APP_WHEN_QUESTION;
}

const struct app_command_entry *app_command_by_key(int key, bool ctrl, enum app_when now,
                                                   struct app_argument *argument)
{
    const struct app_command_entry *found;
    const struct app_binding *binding = ctrl && app_key_taken(key, now)
                                            ? app_binding_of(key, false, APP_WHEN_ALWAYS, &found)
                                            : app_binding_of(key, ctrl, now, &found);
    if (binding == NULL)
        return NULL;
    memset(argument, 0, sizeof *argument);
    argument->step = binding->step;
    argument->covered = binding->covered;
    if (binding->text != NULL && !app_value_parse(&found->value, binding->text, &argument->given))
        return NULL; /* an error in the table, which a test detects */
    return found;
}

size_t app_command_bytes_max(const struct app_command_entry *entry)
{
    const size_t capacity = entry->value.kind == APP_VALUE_NAMES  ? BENCH_MAX
                            : entry->value.kind == APP_VALUE_TEXT ? APP_MODES_MAX
                                                                  : APP_PATH_MAX;
    return capacity - 1;
}

/* The part of struct app_given that is kept as it is, by kind; of the other kinds, floats, a text
 * or pointers are kept. */
#define MEMBERS(first, last)                                                                       \
    {                                                                                              \
        offsetof(struct app_given, first), offsetof(struct app_given, last) +                      \
                                               sizeof(((struct app_given *)0)->last) -             \
                                               offsetof(struct app_given, first)                   \
    }
static const struct {
    size_t at, size;
} kept[] = {
    [APP_VALUE_NONE] = MEMBERS(on, on),
    [APP_VALUE_SWITCH] = MEMBERS(on, on),
    [APP_VALUE_CHOICE] = MEMBERS(choice, choice),
    [APP_VALUE_INTEGER] = MEMBERS(integer, integer),
    [APP_VALUE_SEED] = MEMBERS(seed, seed),
    [APP_VALUE_REAL] = MEMBERS(real, real),
    [APP_VALUE_SPANS] = MEMBERS(spans, spans),
    [APP_VALUE_SIZE] = MEMBERS(width, height),
    [APP_VALUE_TEXT] = {0, 0},
};

struct app_given app_command_get(const struct app_command_entry *entry, const void *from)
{
    const struct app_value *value = &entry->value;
    const enum app_value_kind kind = value->kind;
    const unsigned char *at = (const unsigned char *)from + entry->offset;
    struct app_given given;
    float floats[2] = {0.0f, 0.0f};
    memset(&given, 0, sizeof given);
    memcpy((unsigned char *)&given + kept[kind].at, at, kept[kind].size);
    if (kind == APP_VALUE_CHOICE && value->numbers) {
        const int wanted = given.choice;
        int number = 0;
        for (given.choice = 0; value->choices[given.choice] != NULL; given.choice++)
            if (app_parse_int(value->choices[given.choice], &number) && number == wanted)
                break;
    } else if (kind == APP_VALUE_CHOICE) {
        given.choice -= (int)value->low;
    } else if (kind == APP_VALUE_SINGLE || kind == APP_VALUE_RANGE) {
        memcpy(floats, at, kind == APP_VALUE_RANGE ? sizeof floats : sizeof *floats);
        given.real = given.low = (double)floats[0];
        given.high = (double)floats[1];
    } else if (kept[kind].size == 0) {
        given.text = (const char *)at;
    } else if (value->word != NULL) {
        given.word = kind == APP_VALUE_INTEGER ? given.integer == APP_DEVICE_ALL
                                               : !(given.real < 0.0 || given.real > 0.0);
    }
    return given;
}

/* Stores a text, or the pointers of a list. */
static bool put_text(const struct app_command_entry *entry, const struct app_given *given, void *at)
{
    const struct app_paths paths = {given->text, given->rest, given->rest_count};
    const size_t most = app_command_bytes_max(entry);
    bool good = given->text != NULL && strlen(given->text) <= most;
    for (int i = 0; i < given->rest_count; i++)
        good = good && given->rest[i][0] != 0 && strlen(given->rest[i]) <= most;
    if (good && entry->value.list)
        memcpy(at, &paths, sizeof paths);
    else if (good)
        memcpy(memset(at, 0, most + 1), given->text, strlen(given->text));
    return good;
}

bool app_command_put(const struct app_command_entry *entry, const struct app_given *given,
                     void *into)
{
    const struct app_value *value = &entry->value;
    const enum app_value_kind kind = value->kind;
    unsigned char *at = (unsigned char *)into + entry->offset;
    const float single = (float)given->real, range[2] = {(float)given->low, (float)given->high};
    struct app_given own = *given;
    if (kind == APP_VALUE_CHOICE && value->numbers)
        (void)app_parse_int(value->choices[given->choice], &own.choice);
    else if (kind == APP_VALUE_CHOICE)
        own.choice += (int)value->low;
    else if (kind == APP_VALUE_INTEGER && given->word)
        own.integer = APP_DEVICE_ALL;
    if (kind == APP_VALUE_SINGLE)
        memcpy(at, &single, sizeof single);
    else if (kind == APP_VALUE_RANGE)
        memcpy(at, range, sizeof range);
    else if (kept[kind].size == 0)
        return put_text(entry, given, at);
    else
        memcpy(at, (const unsigned char *)&own + kept[kind].at, kept[kind].size);
    return true;
}

void app_command_show(const struct app_command_entry *entry, const struct app_state *state,
                      const struct app_run *run, char *text, size_t size)
{
    const bool of_run = entry->place == APP_PLACE_RUN && run != NULL;
    text[0] = 0;
    if (!of_run && entry->show != NULL) {
        entry->show(state, text, size);
    } else if (of_run || entry->place == APP_PLACE_STATE) {
        const struct app_given given =
            of_run ? app_command_get(entry, run) : app_command_get(entry, state);
        app_value_text(&entry->value, &given, text, size);
    }
}

enum krn_code app_state_check(const struct app_state *state, struct krn_error *error)
{
    const struct krn_scene_recipe *recipe = &state->spec.recipe;
    size_t count;
    const struct app_command_entry *entries = app_commands(&count);
    for (size_t i = 0; i < count; i++) {
        const enum app_value_kind kind = entries[i].value.kind;
        if (entries[i].json == NULL || kind == APP_VALUE_NONE || kind == APP_VALUE_PATH)
            continue;
        const struct app_given given = app_command_get(&entries[i], state);
        if (!app_value_allows(&entries[i].value, &given))
            return KRN_FAIL(error, KRN_REFUSED, "%s is out of range.", entries[i].title);
    }
    if (!(recipe->radius_min <= recipe->radius_max))
        return KRN_FAIL(error, KRN_REFUSED, "The largest radius is out of range.");
    if (memchr(state->spec.scene_path, 0, sizeof state->spec.scene_path) == NULL)
        return KRN_FAIL(error, KRN_REFUSED,
                        "The path of the scene file is too long; at most %zu bytes.",
                        sizeof state->spec.scene_path - 1);
    if ((state->spec.scene == APP_SCENE_FILE) != (state->spec.scene_path[0] != 0))
        return KRN_FAIL(error, KRN_REFUSED,
                        "A scene from a file needs a path, and only such a scene has one.");
    enum krn_code code = krn_light_check(&state->spec.light, error);
    KRN_THEN(code, krn_mode_check(state->spec.mode, recipe->count, error));
    if (code == KRN_OK) /* a duel that is off may have left a mode for fewer spheres */
        code =
            krn_mode_check(state->spec.duel.other, state->spec.duel.on ? recipe->count : 0, error);
    if (code != KRN_OK || !state->spec.duel.on)
        return code;
    if (krn_mode_view(state->spec.duel.other) != app_state_view(state))
        return KRN_FAIL(error, KRN_REFUSED,
                        "A duel compares two modes of one view, but the %s kernel draws the %s "
                        "view and the %s kernel the %s view.",
                        krn_kernel_name(state->spec.mode.kernel),
                        krn_view_name(app_state_view(state)),
                        krn_kernel_name(state->spec.duel.other.kernel),
                        krn_view_name(krn_mode_view(state->spec.duel.other)));
    return KRN_OK;
}

/* Sets the entry's value in state, toggles it, advances it to the next choice, or moves it by one,
 * which its `change` checks. Returns false where there is no value, or no such step. */
static bool store(struct app_state *state, const struct app_command_entry *entry,
                  const struct app_argument *argument)
{
    const enum app_value_kind kind = entry->value.kind;
    const enum app_step step = argument->step;
    if (entry->place != APP_PLACE_STATE)
        return false;
    struct app_given given = app_command_get(entry, state);
    if (step == APP_STEP_SET)
        given = argument->given;
    else if (step == APP_STEP_TOGGLE && (kind == APP_VALUE_NONE || kind == APP_VALUE_SWITCH))
        given.on = !given.on;
    else if (step == APP_STEP_NEXT && kind == APP_VALUE_CHOICE)
        given.choice = (given.choice + 1) % app_value_choices(&entry->value);
    else if ((step == APP_STEP_MORE || step == APP_STEP_LESS) && kind == APP_VALUE_INTEGER)
        given.integer += step == APP_STEP_MORE ? 1 : -1;
    else
        return false;
    return app_command_put(entry, &given, state);
}

/* A value of the state can be set; other steps are possible when one of the entry's keys has them.
 */
static bool can_step(const struct app_command_entry *entry, enum app_step step)
{
    bool can = step == APP_STEP_SET && entry->place != APP_PLACE_RUN;
    for (int k = 0; k < APP_BINDINGS_MAX && entry->keys[k].step != APP_STEP_NONE; k++)
        can = can || entry->keys[k].step == step;
    return can;
}

static enum app_outcome refuse(struct app_reply *reply, const char *what, const char *why)
{
    snprintf(reply->text, sizeof reply->text, "%.100s%.250s", what, why);
    return APP_REFUSED;
}

enum app_outcome app_change(struct app_state *state, const struct app_facts *facts,
                            const struct app_command_entry *entry,
                            const struct app_argument *argument, struct app_reply *reply)
{
    char bytes[48];
    const bool sets = argument->step == APP_STEP_SET;
    struct app_state before;
    struct app_reply said = {""};
    enum app_outcome outcome = APP_DONE;
    memcpy(&before, state, sizeof before);
    snprintf(bytes, sizeof bytes, "; at most %zu bytes.", app_command_bytes_max(entry));
    if (sets && !app_value_allows(&entry->value, &argument->given)) {
        char takes[256];
        app_value_describe(&entry->value, takes, sizeof takes);
        snprintf(reply->text, sizeof reply->text, "%.40s takes %s.", entry->title, takes);
        return APP_REFUSED;
    }
    if (!can_step(entry, argument->step))
        outcome =
            refuse(&said, entry->title, " cannot be changed that way while the program runs.");
    else if (entry->random && state->spec.scene == APP_SCENE_FILE)
        outcome = refuse(&said, "The scene comes from a file, which sets its spheres.", "");
    /* Options set the values of any view, because key and talk may show it later. */
    else if (entry->light != NULL && !sets && app_state_view(state) != KRN_VIEW_LIGHT)
        outcome = refuse(&said, entry->light, " the light view; {view} shows it.");
    else if (!store(state, entry, argument) && sets && entry->place == APP_PLACE_STATE)
        outcome = refuse(&said, "The text is too long", bytes);
    else if (entry->change != NULL)
        outcome = entry->change(state, &before, facts, argument, &said);
    else
        state->requests |= entry->request;
    if (outcome != APP_DONE)
        memcpy(state, &before, sizeof before);
    app_key_hints(said.text, reply->text, sizeof reply->text);
    return outcome;
}

static double rate_of(enum krn_backend_id backend, struct krn_mode mode,
                      const struct app_facts *facts)
{
    return facts
        ->rate[backend][mode.kernel][mode.storage][krn_pixels_index(mode.pixels_per_thread)];
}

/* Returns the slowest rate measured on a backend in a view; infinity: none was. */
static double slowest_rate(enum krn_backend_id backend, enum krn_view_kind view,
                           const struct app_facts *facts)
{
    double rate = INFINITY;
    for (int i = 0; i < KRN_MODES; i++) {
        const double other = rate_of(backend, krn_mode_at(i), facts);
        if (other > 0 && krn_mode_view(krn_mode_at(i)) == view)
            rate = fmin(rate, other);
    }
    return rate;
}

double app_nominal_tests(struct krn_mode mode, double pixels, int spheres,
                         const struct krn_light *light)
{
    /* A visit of the tree costs some tests, and building it some per sphere and level. */
    const double visit = 4.0, build = 8.0, levels = log2(spheres + 1.0);
    const double rays = pixels * light->samples * 2.0 * (2.0 - ldexp(1.0, -light->bounces));
    if (krn_mode_view(mode) == KRN_VIEW_BOOK)
        return pixels * spheres;
    return mode.kernel == KRN_KERNEL_TREE ? rays * visit * levels + build * spheres * levels
                                          : rays * spheres;
}

static double predict_side_ms(const struct app_state *state, const struct app_facts *facts,
                              struct app_duel_side side)
{
    const struct krn_mode mode = side.mode;
    /* A ray of the light view in any direction is tested more slowly than one of the book's. */
    const double slower = krn_mode_view(mode) == KRN_VIEW_LIGHT ? 4.0 : 1.0;
    const double tests = app_nominal_tests(mode, (double)state->spec.width * state->spec.height,
                                           state->spec.recipe.count, &state->spec.light);
    double rate = rate_of(side.backend, mode, facts);
    if (!(rate > 0)) {
        rate = slowest_rate(side.backend, krn_mode_view(mode), facts);
        if (!isfinite(rate)) /* a light mode, and no other was measured */
            rate = slowest_rate(side.backend, KRN_VIEW_BOOK, facts) / slower;
        /* Never measured. An unnecessary question costs less than a display watchdog that kills a
         * long launch. */
        if (!isfinite(rate))
            rate = krn_backend_get(side.backend)->can->tests_per_ms / slower;
    }
    return tests / rate;
}

double app_predict_ms(const struct app_state *state, const struct app_facts *facts)
{
    double ms = 0.0;
    for (int side = 0; side <= state->spec.duel.on; side++)
        ms += predict_side_ms(state, facts, app_state_side(state, side));
    return ms;
}

void app_say_memory(const struct app_state *state, char *text, size_t size)
{
    const double giga = 1e-9, spheres = state->spec.recipe.count;
    const struct krn_capabilities *can = krn_backend_get(state->spec.backend)->can;
    const double device = giga * spheres * can->sphere_bytes,
                 host = giga * spheres * (double)(sizeof(struct krn_sphere) + sizeof(float));
    text[0] = 0;
    if (state->spec.recipe.count <= KRN_LARGE_SPHERES)
        return;
    if (can->host_processors)
        app_format(text, size, "%d spheres take %.2g GB of memory", state->spec.recipe.count,
                   host + device);
    else
        app_format(text, size,
                   "%d spheres take %.2g GB of the %s's memory and %.2g GB of the host's",
                   state->spec.recipe.count, device, can->noun, host);
}

/* Lowers the samples of a light picture. Where there is one per pixel, halves the spheres of a
 * random scene or the image, whichever exceeds the default further. Returns false when nothing is
 * left to halve. */
static bool halve(struct app_state *state)
{
    if (app_state_view(state) == KRN_VIEW_LIGHT && state->spec.light.samples > 1) {
        state->spec.light.samples /= 4;
        return true;
    }
    const struct app_state usual = app_state_default();
    const double spheres = (double)state->spec.recipe.count / usual.spec.recipe.count;
    const double pixels = (double)state->spec.width * state->spec.height /
                          ((double)usual.spec.width * usual.spec.height);
    if (state->spec.scene == APP_SCENE_RANDOM && state->spec.recipe.count > 1 &&
        (spheres >= pixels || state->spec.width * state->spec.height == 1)) {
        state->spec.recipe.count /= 2;
        return true;
    }
    if (state->spec.width == 1 && state->spec.height == 1)
        return false;
    state->spec.width = state->spec.fixed_width = state->spec.width > 1 ? state->spec.width / 2 : 1;
    state->spec.height = state->spec.fixed_height =
        state->spec.height > 1 ? state->spec.height / 2 : 1;
    state->spec.follow_pane = false;
    return true;
}

bool app_lighten(struct app_state *state, const struct app_facts *facts)
{
    bool changed = false;
    while (app_predict_ms(state, facts) > APP_SLOW_MS && halve(state))
        changed = true;
    return changed;
}

/* Writes " with N samples" for a light picture with several samples per pixel, else "". */
static void describe_samples(const struct app_state *state, char *text, size_t size)
{
    text[0] = 0;
    if (app_state_view(state) == KRN_VIEW_LIGHT && state->spec.light.samples > 1)
        snprintf(text, size, " with %d samples", state->spec.light.samples);
}

/* Writes the frame and its predicted time: "N spheres at WxH on BACKEND would take about T per
 * frame". */
static void describe_slow(const struct app_state *state, double ms, char *text, size_t size)
{
    char time[32], samples[32];
    describe_samples(state, samples, sizeof samples);
    if (ms < 99500)
        app_format(time, sizeof time, "%.2g s", ms / 1000);
    else if (ms < 120 * 60000.0)
        app_format(time, sizeof time, "%.0f min", ms / 60000);
    else
        app_format(time, sizeof time, "%.0f h", ms / 3600000);
    snprintf(text, size, "%d spheres at %dx%d%s on %s would take about %s per frame",
             state->spec.recipe.count, state->spec.width, state->spec.height, samples,
             krn_backend_name(state->spec.backend), time);
}

/* Asks before a frame that would be too slow, and before a large scene takes more memory. Returns
 * false when there is nothing to ask. */
static bool asks(struct app_reply *reply, const struct app_state *now, const struct app_state *next,
                 const struct app_facts *facts)
{
    char slow[160] = "", memory[128] = "";
    const double now_ms = app_predict_ms(now, facts), next_ms = app_predict_ms(next, facts);
    /* A recorded run has the time already; its picture gets lighter. */
    if (next_ms > APP_SLOW_MS && next_ms > now_ms && !facts->plays)
        describe_slow(next, next_ms, slow, sizeof slow);
    if (next->spec.recipe.count > now->spec.recipe.count || next->spec.backend != now->spec.backend)
        app_say_memory(next, memory, sizeof memory);
    if (slow[0] == 0 && memory[0] == 0)
        return false;
    snprintf(reply->text, sizeof reply->text, "%s%s%s; press again to do it anyway", slow,
             slow[0] != 0 && memory[0] != 0 ? "; " : "", memory);
    return true;
}

void app_say_lighter(struct app_reply *reply, const struct app_state *wanted,
                     const struct app_state *lighter, const struct app_facts *facts)
{
    char slow[160], samples[32];
    describe_slow(wanted, app_predict_ms(wanted, facts), slow, sizeof slow);
    describe_samples(lighter, samples, sizeof samples);
    snprintf(reply->text, sizeof reply->text, "%s; shown: %d at %dx%d%s", slow,
             lighter->spec.recipe.count, lighter->spec.width, lighter->spec.height, samples);
}

/* Returns true for entries that change the mode of a duel's side. Compares names, since some of
 * these entries have no offset. */
static bool changes_mode(const struct app_command_entry *entry)
{
    static const char *const names[] = {"kernel", "pixels", "storage", "backend"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(entry->name, names[i]) == 0)
            return true;
    return false;
}

static void swap_sides(struct app_state *state)
{
    const struct app_duel_side a = app_state_side(state, 0), b = app_state_side(state, 1);
    state->spec.mode = b.mode;
    state->spec.backend = b.backend;
    state->spec.duel.other = a.mode;
    state->spec.duel.backend = 1 + (int)a.backend;
}

enum app_outcome app_apply(struct app_state *state, const struct app_facts *facts,
                           const struct app_command_entry *entry,
                           const struct app_argument *argument, struct app_reply *reply)
{
    size_t count;
    const struct app_pending question = {
        .command = (int)(entry - app_commands(&count)) + 1,
        .step = (int)argument->step,
        .choice = argument->given.choice,
        .asked_s = facts->now_s,
    };
    struct app_state next = *state;
    if (next.pending.command != question.command || next.pending.step != question.step ||
        next.pending.choice != question.choice)
        memset(&next.pending, 0, sizeof next.pending);
    const bool confirmed = next.pending.command != 0;

    /* Commands change state->mode, which is side A, so B takes its place while they run. */
    const bool of_b = next.spec.duel.on && changes_mode(entry) &&
                      (!facts->stands_in || strcmp(entry->name, "backend") != 0);
    if (of_b)
        swap_sides(&next);
    enum app_outcome outcome = app_change(&next, facts, entry, argument, reply);
    if (of_b)
        swap_sides(&next);
    if (!app_state_crosses(&next))
        next.spec.duel.backend = 0;
    struct krn_error error;
    if (outcome == APP_DONE && app_state_check(&next, &error) != KRN_OK) {
        snprintf(reply->text, sizeof reply->text, "%s", error.text);
        outcome = APP_REFUSED;
    }
    const struct krn_mode changed = of_b ? next.spec.duel.other : next.spec.mode;
    if (outcome == APP_DONE && changed.kernel == KRN_KERNEL_MINE && facts->has_mine &&
        changed.storage != facts->mine_storage) {
        snprintf(reply->text, sizeof reply->text,
                 "The file of the mine kernel decides its storage, which is %s.",
                 krn_storage_name(facts->mine_storage));
        outcome = APP_REFUSED;
    }
    if (outcome == APP_DONE && facts->live && !confirmed && asks(reply, state, &next, facts))
        outcome = APP_ASKED;
    if (outcome == APP_ASKED) {
        state->pending = question;
        return outcome;
    }
    memset(&next.pending, 0, sizeof next.pending);
    memset(&state->pending, 0, sizeof state->pending);
    if (outcome == APP_DONE) {
        memcpy(state, &next, sizeof next);
        char value[APP_NOTICE_MAX - 64];
        const struct app_command_entry *shown = of_b ? app_command_by_name("duel") : entry;
        app_command_show(shown, state, NULL, value, sizeof value);
        if (reply->text[0] == 0 && value[0] != 0)
            snprintf(reply->text, sizeof reply->text, "%.40s: %s", shown->title, value);
        if (argument->covered && facts->shown == APP_PANELS_FULL) {
            const struct app_reply said = *reply;
            char text[sizeof said.text];
            snprintf(text, sizeof text, "%.240s, behind the page: {panels} ends it", said.text);
            app_key_hints(text, reply->text, sizeof reply->text);
        }
    }
    return outcome;
}

enum app_outcome app_press(struct app_state *state, const struct app_facts *facts, int key,
                           bool ctrl, struct app_reply *reply)
{
    struct app_argument argument;
    const struct app_command_entry *entry =
        app_command_by_key(key, ctrl, app_situation(state), &argument);
    reply->text[0] = 0;
    return entry != NULL ? app_apply(state, facts, entry, &argument, reply) : APP_IGNORED;
}

static double limit(double value, float low, float high)
{
    return fmin(fmax(value, (double)low), (double)high);
}

enum app_outcome app_drag(struct app_state *state, const struct app_facts *facts,
                          struct app_drag *drag, struct app_reply *reply)
{
    const double degrees = 180.0, notch = 1.1; /* per height of the window; nearer per notch */
    const struct krn_camera *camera = &state->spec.light.camera;
    const struct app_command_entry *entry = app_command_by_name("camera");
    const struct app_drag given = *drag;
    struct app_argument argument;
    char text[96];
    memset(drag, 0, sizeof *drag);
    reply->text[0] = 0;
    const bool moves = given.across < 0.0 || given.across > 0.0 || given.down < 0.0 ||
                       given.down > 0.0 || given.wheel < 0.0 || given.wheel > 0.0;
    if (app_state_view(state) != KRN_VIEW_LIGHT || !moves)
        return APP_IGNORED;
    const double yaw = remainder((double)camera->yaw - degrees * given.across, 360.0);
    const double pitch =
        limit((double)camera->pitch + degrees * given.down, KRN_PITCH_MIN, KRN_PITCH_MAX);
    const double distance = limit((double)camera->distance * pow(notch, -given.wheel),
                                  KRN_DISTANCE_MIN, KRN_DISTANCE_MAX);
    app_format(text, sizeof text, "%.2f:%.2f:%.2f", yaw, pitch, distance);
    memset(&argument, 0, sizeof argument);
    argument.step = APP_STEP_SET;
    if (!app_value_parse(&entry->value, text, &argument.given)) /* a movement without end */
        return APP_IGNORED;
    const enum app_outcome outcome = app_apply(state, facts, entry, &argument, reply);
    if (outcome == APP_DONE) {
        drag->across = remainder((double)camera->yaw - yaw, 360.0) / degrees;
        drag->down = (pitch - (double)camera->pitch) / degrees;
        drag->wheel = log((double)camera->distance / distance) / log(notch);
    }
    return outcome;
}
