/* app/command/command.c - lookup of commands, and their application to a state. */
#include "command/command.h"

#include "command/keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BENCH_MAX = sizeof(((struct app_run *)0)->bench) };

_Static_assert(offsetof(struct app_run, window_height) ==
                   offsetof(struct app_run, window_width) + sizeof(int),
               "put() writes width and height as two adjacent ints");

const struct app_command_entry *app_command_by_name(const char *name)
{
    size_t count;
    const struct app_command_entry *entries = app_commands(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(entries[i].name, name) == 0)
            return &entries[i];
    return NULL;
}

const struct app_command_entry *app_command_by_flag(const char *flag)
{
    size_t count;
    const struct app_command_entry *entries = app_commands(&count);
    for (size_t i = 0; i < count; i++)
        if (entries[i].flag != NULL && strcmp(entries[i].flag, flag) == 0)
            return &entries[i];
    return NULL;
}

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

/* Stores a value at base + entry->offset, in the representation of its kind. */
static bool put(void *base, const struct app_command_entry *entry, const struct app_given *given)
{
    unsigned char *at = (unsigned char *)base + entry->offset;
    const int number = entry->value.kind == APP_VALUE_CHOICE ? given->choice + (int)entry->value.low
                       : given->word                         ? APP_DEVICE_ALL
                                                             : given->integer;
    const int pair[2] = {given->width, given->height};
    if (entry->value.list) {
        const struct app_paths paths = {given->text, given->rest, given->rest_count};
        bool good = given->text != NULL && strlen(given->text) < APP_PATH_MAX;
        for (int i = 0; i < given->rest_count; i++)
            good = good && given->rest[i][0] != 0 && strlen(given->rest[i]) < APP_PATH_MAX;
        if (good)
            memcpy(at, &paths, sizeof paths);
        return good;
    }
    const size_t most = app_command_bytes_max(entry);
    switch (entry->value.kind) {
    case APP_VALUE_NONE:
    case APP_VALUE_SWITCH:
        memcpy(at, &given->on, sizeof given->on);
        return true;
    case APP_VALUE_CHOICE:
    case APP_VALUE_INTEGER:
        memcpy(at, &number, sizeof number);
        return true;
    case APP_VALUE_REAL:
        memcpy(at, &given->real, sizeof given->real);
        return true;
    case APP_VALUE_SPANS:
        memcpy(at, given->spans, sizeof given->spans);
        return true;
    case APP_VALUE_SIZE:
        memcpy(at, pair, sizeof pair);
        return true;
    case APP_VALUE_NAMES:
    case APP_VALUE_PATH:
    case APP_VALUE_TEXT:
        if (given->text == NULL || strlen(given->text) > most)
            return false;
        memset(at, 0, most + 1);
        memcpy(at, given->text, strlen(given->text));
        return true;
    case APP_VALUE_SEED:
        memcpy(at, &given->seed, sizeof given->seed);
        return true;
    case APP_VALUE_RANGE:
        break; /* entries of these kinds have a change function */
    }
    return false;
}

bool app_run_set(struct app_run *run, const struct app_command_entry *entry,
                 const struct app_given *given)
{
    return entry->place == APP_PLACE_RUN && put(run, entry, given);
}

static void show_field(const void *base, const struct app_command_entry *entry, char *text,
                       size_t size)
{
    const struct app_value *value = &entry->value;
    const unsigned char *at = (const unsigned char *)base + entry->offset;
    bool on = false;
    int pair[2] = {0, 0};
    struct app_span spans[APP_SPANS_MAX];
    double real = 0;
    switch (value->kind) {
    case APP_VALUE_NONE:
    case APP_VALUE_SWITCH:
        memcpy(&on, at, sizeof on);
        snprintf(text, size, "%s", on ? "on" : "off");
        break;
    case APP_VALUE_CHOICE:
        memcpy(pair, at, sizeof *pair);
        pair[0] -= (int)value->low;
        if (pair[0] >= 0 && pair[0] < app_value_choices(value))
            snprintf(text, size, "%s", value->choices[pair[0]]);
        break;
    case APP_VALUE_INTEGER: /* a number out of range means "not given" */
        memcpy(pair, at, sizeof *pair);
        if (pair[0] >= value->low && pair[0] <= value->high)
            snprintf(text, size, "%d", pair[0]);
        break;
    case APP_VALUE_REAL:
        memcpy(&real, at, sizeof real);
        if (real >= value->low && real <= value->high)
            app_format(text, size, "%.6g", real);
        break;
    case APP_VALUE_SPANS:
        memcpy(spans, at, sizeof spans);
        app_value_format_spans(value, spans, text, size);
        break;
    case APP_VALUE_SIZE:
        memcpy(pair, at, sizeof pair);
        snprintf(text, size, "%dx%d", pair[0], pair[1]);
        break;
    case APP_VALUE_NAMES:
    case APP_VALUE_PATH:
    case APP_VALUE_TEXT:
        if (value->list) /* the default is empty, and no key shows a list */
            break;
        snprintf(text, size, "%s", (const char *)at);
        break;
    case APP_VALUE_SEED:
    case APP_VALUE_RANGE:
        break;
    }
}

void app_command_show(const struct app_command_entry *entry, const struct app_state *state,
                      const struct app_run *run, char *text, size_t size)
{
    text[0] = 0;
    if (entry->place == APP_PLACE_RUN && run != NULL)
        show_field(run, entry, text, size);
    else if (entry->show != NULL)
        entry->show(state, text, size);
    else if (entry->place == APP_PLACE_STATE)
        show_field(state, entry, text, size);
}

/* Toggles the entry's value in state, or advances it to the next choice. */
static bool step_field(struct app_state *state, const struct app_command_entry *entry,
                       enum app_step step)
{
    const unsigned char *at = (const unsigned char *)state + entry->offset;
    struct app_given given;
    memset(&given, 0, sizeof given);
    if (step == APP_STEP_TOGGLE &&
        (entry->value.kind == APP_VALUE_NONE || entry->value.kind == APP_VALUE_SWITCH)) {
        bool on;
        memcpy(&on, at, sizeof on);
        given.on = !on;
    } else if (step == APP_STEP_NEXT && entry->value.kind == APP_VALUE_CHOICE) {
        int now;
        memcpy(&now, at, sizeof now);
        given.choice = (now - (int)entry->value.low + 1) % app_value_choices(&entry->value);
    } else {
        return false;
    }
    return put(state, entry, &given);
}

/* Every entry can be set; the other steps are possible when one of the entry's keys has them. */
static bool can_step(const struct app_command_entry *entry, enum app_step step)
{
    if (step == APP_STEP_SET)
        return true;
    for (int k = 0; k < APP_BINDINGS_MAX && entry->keys[k].step != APP_STEP_NONE; k++)
        if (entry->keys[k].step == step)
            return true;
    return false;
}

enum app_outcome app_change(struct app_state *state, const struct app_facts *facts,
                            const struct app_command_entry *entry,
                            const struct app_argument *argument, struct app_reply *reply)
{
    reply->text[0] = 0;
    if (argument->step == APP_STEP_SET && !app_value_allows(&entry->value, &argument->given)) {
        char takes[256];
        app_value_describe(&entry->value, takes, sizeof takes);
        snprintf(reply->text, sizeof reply->text, "%.40s takes %s.", entry->title, takes);
        return APP_REFUSED;
    }
    const bool possible = can_step(entry, argument->step);
    if (possible && entry->change != NULL) {
        struct app_reply said = {""};
        const enum app_outcome outcome = entry->change(state, facts, argument, &said);
        app_key_hints(said.text, reply->text, sizeof reply->text);
        return outcome;
    }
    if (possible && entry->place == APP_PLACE_STATE &&
        (argument->step == APP_STEP_SET ? put(state, entry, &argument->given)
                                        : step_field(state, entry, argument->step)))
        return APP_DONE;
    snprintf(reply->text, sizeof reply->text,
             "%s cannot be changed that way while the program runs.", entry->title);
    return APP_REFUSED;
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

static double predict_mode_ms(const struct app_state *state, const struct app_facts *facts,
                              struct krn_mode mode)
{
    /* A ray of the light view in any direction is tested more slowly than one of the book's. */
    const double slower = krn_mode_view(mode) == KRN_VIEW_LIGHT ? 4.0 : 1.0;
    const double tests = app_nominal_tests(mode, (double)state->width * state->height,
                                           state->recipe.count, &state->light);
    double rate = rate_of(state->backend, mode, facts);
    if (!(rate > 0)) {
        rate = slowest_rate(state->backend, krn_mode_view(mode), facts);
        if (!isfinite(rate)) /* a light mode, and no other was measured */
            rate = slowest_rate(state->backend, KRN_VIEW_BOOK, facts) / slower;
        /* Never measured. An unnecessary question costs less than a display watchdog that kills a
         * long launch. */
        if (!isfinite(rate))
            rate = krn_backend_get(state->backend)->can->tests_per_ms / slower;
    }
    return tests / rate;
}

double app_predict_ms(const struct app_state *state, const struct app_facts *facts)
{
    const double other = state->duel.on ? predict_mode_ms(state, facts, state->duel.other) : 0.0;
    return predict_mode_ms(state, facts, state->mode) + other;
}

/* Lowers the samples of a light picture. Where there is one per pixel, halves the spheres of a
 * random scene or the image, whichever exceeds the default further. Returns false when nothing is
 * left to halve. */
static bool halve(struct app_state *state)
{
    if (app_state_view(state) == KRN_VIEW_LIGHT && state->light.samples > 1) {
        state->light.samples /= 4;
        return true;
    }
    const struct app_state usual = app_state_default();
    const double spheres = (double)state->recipe.count / usual.recipe.count;
    const double pixels =
        (double)state->width * state->height / ((double)usual.width * usual.height);
    if (state->scene == APP_SCENE_RANDOM && state->recipe.count > 1 &&
        (spheres >= pixels || state->width * state->height == 1)) {
        state->recipe.count /= 2;
        return true;
    }
    if (state->width == 1 && state->height == 1)
        return false;
    state->width = state->fixed_width = state->width > 1 ? state->width / 2 : 1;
    state->height = state->fixed_height = state->height > 1 ? state->height / 2 : 1;
    state->follow_pane = false;
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
    if (app_state_view(state) == KRN_VIEW_LIGHT && state->light.samples > 1)
        snprintf(text, size, " with %d samples", state->light.samples);
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
             state->recipe.count, state->width, state->height, samples,
             krn_backend_name(state->backend), time);
}

static void say_slow(struct app_reply *reply, const struct app_state *state, double ms)
{
    char slow[160];
    describe_slow(state, ms, slow, sizeof slow);
    snprintf(reply->text, sizeof reply->text, "%s; press again to do it anyway", slow);
}

void app_say_lighter(struct app_reply *reply, const struct app_state *wanted,
                     const struct app_state *lighter, const struct app_facts *facts)
{
    char slow[160], samples[32];
    describe_slow(wanted, app_predict_ms(wanted, facts), slow, sizeof slow);
    describe_samples(lighter, samples, sizeof samples);
    snprintf(reply->text, sizeof reply->text, "%s; shown: %d at %dx%d%s", slow,
             lighter->recipe.count, lighter->width, lighter->height, samples);
}

/* Returns true for entries that change the state's mode. Compares names, since some of these
 * entries have no offset. */
static bool changes_mode(const struct app_command_entry *entry)
{
    static const char *const names[] = {"kernel", "pixels", "storage"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(entry->name, names[i]) == 0)
            return true;
    return false;
}

/* Adds to the reply where the effect of a key will be seen, when a spotlight covers it. With the
 * page's own subject, the spotlight follows the story plot. */
static void say_covered(const struct app_state *state, const struct app_facts *facts,
                        const struct app_command_entry *entry, const struct app_argument *argument,
                        struct app_reply *reply)
{
    const bool followed = state->subject == APP_SUBJECT_PAGE && strcmp(entry->name, "story") == 0;
    struct app_reply said = *reply;
    if (argument->covered == APP_SPOTLIGHT_OFF || facts->spotlight < argument->covered || followed)
        return;
    snprintf(said.text, sizeof said.text, "%.240s, behind the spotlight: {spotlight} ends it",
             reply->text);
    app_key_hints(said.text, reply->text, sizeof reply->text);
}

static void swap_sides(struct app_state *state)
{
    const struct krn_mode a = state->mode;
    state->mode = state->duel.other;
    state->duel.other = a;
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
    const bool of_b = next.duel.on && changes_mode(entry);
    if (of_b)
        swap_sides(&next);
    enum app_outcome outcome = app_change(&next, facts, entry, argument, reply);
    if (of_b)
        swap_sides(&next);
    struct krn_error error;
    if (outcome == APP_DONE && app_state_check(&next, &error) != KRN_OK) {
        snprintf(reply->text, sizeof reply->text, "%s", error.text);
        outcome = APP_REFUSED;
    }
    if (outcome == APP_DONE && facts->live && !confirmed) {
        const double now_ms = app_predict_ms(state, facts), next_ms = app_predict_ms(&next, facts);
        if (next_ms > APP_SLOW_MS && next_ms > now_ms) {
            say_slow(reply, &next, next_ms);
            outcome = APP_ASKED;
        }
    }
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
        say_covered(state, facts, entry, argument, reply);
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
    const struct krn_camera *camera = &state->light.camera;
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
