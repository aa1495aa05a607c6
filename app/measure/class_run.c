/* app/measure/class_run.c - follows a folder of kernels, and tries, times and ranks them in turn.
 */
#include "measure/class_run.h"

#include "base/clock.h"
#include "base/complain.h"
#include "base/environment.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "measure/mode_run.h"

#include "krn/mine.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The time between two looks at the folder, and that for which a page of rows stays. */
static const double look_s = 0.3, page_s = 6.0;

/* A kernel is timed until it has this many pairs, or the time is up and it has the least that an
 * interval at the board's level needs; the first pairs load it and wake the device. */
enum { PAIRS = 240, LEAST = 20, WARM_UP = 2 };
static const double warm_s = 0.05, most_s = 2.0, burst_s = 0.03, lost_s = 20.0;

enum { BOOK, OWN, SIDES };

enum { PATH_BYTES = APP_PATH_MAX + 260 };

struct entry {
    char name[256]; /* of the file */
    uint64_t seen,
        taken;  /* number of its content at the last look, and of the one that was tried */
    bool still; /* it was the same at the look before */
    double own_ms[PAIRS]; /* row.time.samples_ms */
    double speed[PAIRS];  /* of each pair, ascending */
    struct app_class_row row;
};

struct app_class {
    struct app_engine *show, *engine; /* engine: NULL: it is not connected */
    void (*settle)(void *who);
    void *who;
    struct app_state state;
    struct krn_image image;
    char folder[APP_PATH_MAX];
    char why[APP_NOTICE_MAX], failed[APP_NOTICE_MAX]; /* of the folder, of the device; "": well */
    struct entry *entries[APP_CLASS_MAX];             /* by name */
    int count;
    double looked_s; /* 0: not yet */
    enum { IDLE, TRIES, TIMES, CHECKS } step;
    struct entry *now; /* of that step */
    unsigned told;     /* of the engine's mine, when its trial began */
    double start_s;    /* of TIMES */
    int runs;
    size_t n;
    double speed[PAIRS]; /* in the order of measurement */
    struct app_measurement measurement;
    struct app_class_view view;
};

struct app_class *app_class_open(struct app_engine *engine, const struct app_state *state,
                                 const char *folder, void (*settle)(void *who), void *who)
{
    const struct app_state usual = app_state_default();
    struct app_class *self = app_alloc(1, sizeof *self);
    self->show = engine;
    self->settle = settle;
    self->who = who;
    self->state = *state;
    self->state.spec.motion = self->state.spec.duel.on = false;
    self->state.spec.motion_s = 0.0;
    self->state.spec.mode = usual.spec.mode;
    if (state->spec.follow_pane) {
        self->state.spec.width = usual.spec.width;
        self->state.spec.height = usual.spec.height;
    }
    snprintf(self->folder, sizeof self->folder, "%s", folder);
    return self;
}

static void disconnect(struct app_class *self)
{
    if (self->engine != NULL)
        krn_device_free_image(app_engine_connected(self->engine, self->state.spec.backend),
                              &self->image);
    app_engine_close(self->engine);
    self->engine = NULL;
    self->step = IDLE;
}

void app_class_close(struct app_class *self)
{
    if (self == NULL)
        return;
    disconnect(self);
    for (int i = 0; i < self->count; i++)
        free(self->entries[i]);
    free(self);
}

bool app_class_measures(const struct app_class *self)
{
    return self != NULL && self->step >= TIMES;
}

bool app_class_settled(const struct app_class *self)
{
    bool settled = self->looked_s > 0.0 && self->step == IDLE;
    for (int i = 0; i < self->count; i++)
        settled = settled && self->entries[i]->taken == self->entries[i]->seen;
    return settled || self->why[0] != 0 || self->failed[0] != 0;
}

/* --- the folder --- */

static int is_kernel(const struct dirent *file)
{
    const size_t length = strlen(file->d_name);
    return file->d_name[0] != '.' && length > 3 && strcmp(file->d_name + length - 3, ".cu") == 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void path_of(const struct app_class *self, const char *name, char path[PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "%s/%s", self->folder, name);
}

/* Continues FNV-1a, 64 bits. */
static uint64_t hash_on(uint64_t hash, const void *bytes, size_t count)
{
    for (const unsigned char *at = bytes, *end = at + count; at < end; at++)
        hash = (hash ^ *at) * 0x100000001b3u;
    return hash;
}

/* Returns a number that is another one for another content or time of a file; never 0. */
static uint64_t version_of(const struct app_class *self, const char *name)
{
    struct stat status = {.st_size = 0};
    struct krn_error error = {.text = ""};
    char path[PATH_BYTES], *bytes = NULL;
    size_t count = 0;
    path_of(self, name, path);
    (void)stat(path, &status);
    const bool read =
        app_read_regular(path, NULL, KRN_MINE_BYTES_MAX, &bytes, &count, &error) == KRN_OK;
    uint64_t hash = hash_on(0xcbf29ce484222325u, &status.st_mtim, sizeof status.st_mtim);
    hash = read ? hash_on(hash, bytes, count) : hash_on(hash, error.text, strlen(error.text));
    free(bytes);
    return hash | 1u;
}

static void drop(struct app_class *self, struct entry *entry)
{
    if (self->now == entry) {
        self->now = NULL;
        self->step = IDLE;
    }
    free(entry);
}

/* Looks at the files, and drops those that are gone. */
static void look(struct app_class *self, double now_s)
{
    struct dirent **names = NULL;
    struct entry *entries[APP_CLASS_MAX];
    const bool first = self->looked_s <= 0.0;
    int n = 0, old = 0;
    if (!first && now_s - self->looked_s < look_s)
        return;
    const int found = scandir(self->folder, &names, is_kernel, by_name);
    self->looked_s = now_s;
    self->why[0] = 0;
    if (found < 0)
        snprintf(self->why, sizeof self->why, "The folder %s cannot be read: %s.",
                 app_shorten(self->folder).text, strerror(errno));
    else if (found > APP_CLASS_MAX)
        snprintf(self->why, sizeof self->why,
                 "%s has %d kernel files, and the board has room for %d.",
                 app_shorten(self->folder).text, found, APP_CLASS_MAX);
    for (int i = 0; i < found && self->why[0] == 0; i++) {
        const char *const name = names[i]->d_name;
        for (; old < self->count && strcmp(self->entries[old]->name, name) < 0; old++)
            drop(self, self->entries[old]);
        const bool known = old < self->count && strcmp(self->entries[old]->name, name) == 0;
        struct entry *const entry = known ? self->entries[old++] : app_alloc(1, sizeof *entry);
        snprintf(entry->name, sizeof entry->name, "%s", name);
        snprintf(entry->row.file, sizeof entry->row.file, "%.*s", APP_MINE_NAME - 1, name);
        app_make_printable(entry->row.file);
        const uint64_t seen = version_of(self, name);
        entry->still = first || seen == entry->seen;
        entry->seen = seen;
        entries[n++] = entry;
    }
    if (self->why[0] == 0) {
        for (; old < self->count; old++)
            drop(self, self->entries[old]);
        memcpy(self->entries, entries, (size_t)n * sizeof *entries);
        self->count = n;
    }
    for (int i = 0; i < found; i++)
        free(names[i]);
    free(names);
}

/* --- one kernel --- */

static enum krn_code connect(struct app_class *self, struct krn_error *error)
{
    self->engine = app_engine_beside(self->show);
    const enum krn_code code = app_engine_adopt(self->engine, &self->state, error);
    return code == KRN_OK ? krn_device_alloc_image(app_engine_device(self->engine, &self->state),
                                                   self->state.spec.width, self->state.spec.height,
                                                   &self->image, error)
                          : code;
}

/* Ends the turn of the kernel with a sentence, or with a time. */
static void end_turn(struct app_class *self, const char *why,
                     const struct app_mine_numbers *numbers)
{
    struct app_class_row *row = &self->now->row;
    snprintf(row->why, sizeof row->why, "%s", why);
    app_make_printable(row->why);
    row->numbers = *numbers;
    if (why[0] != 0)
        row->hash[0] = 0;
    row->time.valid = row->time.valid && why[0] == 0;
    self->step = IDLE;
}

/* Gives the next kernel that waits its turn. */
static void begin_turn(struct app_class *self)
{
    char path[PATH_BYTES];
    int from = 0;
    for (int i = 0; i < self->count; i++)
        from = self->entries[i] == self->now ? i + 1 : from;
    for (int i = 0; i < self->count; i++) {
        struct entry *const entry = self->entries[(from + i) % self->count];
        if (!entry->still || entry->taken == entry->seen)
            continue;
        path_of(self, entry->name, path);
        app_engine_point_mine(self->engine, path);
        self->told = app_engine_mine(self->engine)->told;
        self->now = entry;
        self->step = TRIES;
        entry->taken = entry->seen;
        return;
    }
}

/* Follows the trial of the kernel, and prepares to time it. */
static void follow_trial(struct app_class *self, double now_s)
{
    const struct app_mine_status *mine = app_engine_mine(self->engine);
    struct app_measurement *measurement = &self->measurement;
    (void)app_engine_follow_mine(self->engine, &self->state, now_s);
    if (mine->told == self->told)
        return;
    if (mine->fault || !mine->ready) {
        end_turn(self, mine->text, &mine->numbers);
        return;
    }
    const struct krn_limit limit = measurement->limit;
    app_measurement_begin(measurement, self->engine, &self->state);
    measurement->limit = limit;
    measurement->count = SIDES;
    measurement->modes[BOOK].mode = self->state.spec.mode;
    measurement->modes[OWN].mode = (struct krn_mode){KRN_KERNEL_MINE, mine->storage, 1};
    for (int side = 0; side < SIDES; side++)
        measurement->modes[side].backend = self->state.spec.backend;
    /* The next process starts meanwhile; where it shares a GPU alone, it works there later. */
    if (!krn_backend_get(self->state.spec.backend)->can->host_processors)
        (void)app_engine_follow_mine(self->engine, &self->state, now_s + 1.0);
    self->step = TIMES;
    self->start_s = app_clock_s();
    self->runs = 0;
    self->n = 0;
}

/* Renders a frame of a side. *ms: 0: it gave no reading. */
static enum krn_code time_frame(struct app_class *self, int side, double *ms,
                                struct krn_error *error)
{
    struct app_mode_time *const time = &self->measurement.modes[side];
    struct app_state state = self->state;
    struct krn_reading reading;
    state.spec.mode = time->mode;
    *ms = 0.0;
    enum krn_code code = app_engine_render(self->engine, &state, &self->image, error);
    if (code == KRN_OK)
        code = krn_device_sync(app_engine_device(self->engine, &state), error);
    while (code == KRN_OK && app_engine_take(self->engine, state.spec.backend, &reading)) {
        *ms = reading.ms;
        time->scope = reading.scope;
    }
    return code;
}

/* Times pairs of frames, of which the first is the book's and the user's in turns. */
static enum krn_code time_pairs(struct app_class *self, struct krn_error *error)
{
    const double begin_s = app_clock_s();
    enum krn_code code = KRN_OK;
    do {
        const double passed_s = app_clock_s() - self->start_s;
        double ms[SIDES];
        const int first = self->runs++ % SIDES;
        code = time_frame(self, first, &ms[first], error);
        if (code == KRN_OK)
            code = time_frame(self, 1 - first, &ms[1 - first], error);
        if (code == KRN_OK && ms[BOOK] > 0.0 && ms[OWN] > 0.0 && self->runs > WARM_UP &&
            passed_s >= warm_s) {
            self->measurement.samples_ms[BOOK][self->n] = ms[BOOK];
            self->measurement.samples_ms[OWN][self->n] = ms[OWN];
            self->speed[self->n++] = ms[BOOK] / ms[OWN];
        }
        if (self->n == PAIRS || (self->n >= LEAST && passed_s > most_s) || passed_s > lost_s)
            self->step = CHECKS;
    } while (code == KRN_OK && self->step == TIMES && app_clock_s() - begin_s < burst_s &&
             !app_must_stop());
    return code;
}

/* Sums up what was timed, verifies the picture, and fills in the row. */
static enum krn_code check(struct app_class *self, struct krn_error *error)
{
    const struct app_verify_limits limits = {HUGE_VAL, false};
    const enum krn_backend_id backend = self->state.spec.backend;
    struct app_measurement *const measurement = &self->measurement;
    struct app_mode_time *const own = &measurement->modes[OWN];
    const struct app_mine_status *const mine = app_engine_mine(self->engine);
    struct app_mine_numbers numbers = mine->numbers;
    struct entry *const entry = self->now;
    struct krn_telemetry_reading telemetry;
    char why[APP_NOTICE_MAX] = "";
    if (self->n < LEAST) {
        end_turn(self, "Its frames gave too few readings.", &numbers);
        return KRN_OK;
    }
    for (int side = 0; side < SIDES; side++) {
        app_mode_time_sum_up(&measurement->modes[side], measurement->samples_ms[side], self->n,
                             measurement->overheads.tick_ms);
        measurement->modes[side].regime = APP_REGIME_IDLE;
    }
    enum krn_code code = app_measure_overheads(self->engine, &self->state, measurement, error);
    if (code == KRN_OK)
        code = app_measure_verify(self->engine, &self->state, &limits, measurement, error);
    if (code != KRN_OK)
        return code;
    app_engine_telemetry(self->show, backend, &telemetry);
    const struct app_conditions now = {.telemetry = &telemetry, .on_battery = app_on_battery()};
    app_measure_judge(self->engine, &self->state, &now, measurement);
    memcpy(entry->own_ms, measurement->samples_ms[OWN], self->n * sizeof *entry->own_ms);
    memcpy(entry->speed, self->speed, self->n * sizeof *entry->speed);
    krn_sort(entry->speed, self->n);
    entry->row.time = *own;
    entry->row.time.samples_ms = entry->own_ms;
    entry->row.time.of_limit = app_of_limit(own->net.value, &measurement->limit);
    entry->row.tick = measurement->overheads.tick_ms / own->ms.median +
                      measurement->overheads.tick_ms / measurement->modes[BOOK].ms.median;
    memcpy(entry->row.hash, mine->hash, sizeof entry->row.hash);
    if (own->verified == APP_VERIFIED_FALSE)
        snprintf(why, sizeof why, "%s: %s", mine->file, own->verified_text);
    end_turn(self, why, &numbers);
    return KRN_OK;
}

/* Takes the next step of the kernel whose turn it is. */
static enum krn_code take_step(struct app_class *self, double now_s, struct krn_error *error)
{
    const enum krn_backend_id backend = self->state.spec.backend;
    const bool shares = krn_backend_get(backend)->can->distinct_storages; /* the constant banks */
    if (self->step == IDLE)
        begin_turn(self);
    if (self->step == TRIES)
        follow_trial(self, now_s);
    if (self->step < TIMES)
        return KRN_OK;
    if (self->settle != NULL)
        self->settle(self->who);
    enum krn_code code = krn_device_sync(app_engine_connected(self->show, backend), error);
    if (shares)
        app_engine_forget_upload(self->engine, backend);
    if (code == KRN_OK)
        code = app_engine_adopt(self->engine, &self->state, error);
    if (code == KRN_OK)
        code = self->step == TIMES ? time_pairs(self, error) : check(self, error);
    if (shares)
        app_engine_forget_upload(self->show, backend);
    return code;
}

/* Closes the device, and forgets what was measured on it. */
static void begin_anew(struct app_class *self)
{
    disconnect(self);
    self->failed[0] = 0;
    self->measurement.limit = (struct krn_limit){0.0, 0.0, {false, 0.0, 0.0}};
    for (int i = 0; i < self->count; i++) {
        self->entries[i]->taken = 0;
        self->entries[i]->row.time.valid = false;
        self->entries[i]->row.why[0] = 0;
    }
}

void app_class_lose(struct app_class *self, enum krn_backend_id backend)
{
    if (self != NULL && backend == self->state.spec.backend)
        begin_anew(self);
}

enum krn_code app_class_frame(struct app_class *self, enum krn_backend_id backend, double now_s,
                              struct krn_error *error)
{
    const struct app_mine_numbers none = {.line = 0};
    enum krn_code code = KRN_OK;
    if (backend != self->state.spec.backend)
        begin_anew(self);
    self->state.spec.backend = backend;
    look(self, now_s);
    if (self->failed[0] != 0)
        return KRN_OK;
    if (self->engine == NULL)
        code = connect(self, error);
    if (code != KRN_OK) {
        disconnect(self);
        snprintf(self->failed, sizeof self->failed, "%s", error->text);
    } else if ((code = take_step(self, now_s, error)) != KRN_OK && code != KRN_CANCELLED) {
        end_turn(self, error->text, &none);
    }
    return code == KRN_LOST ? code : KRN_OK;
}

/* --- the board --- */

/* Orders rows by rank and speed, then those with a sentence, then those that wait. */
static int by_rank(const void *a, const void *b)
{
    const struct app_class_row *const rows[2] = {a, b};
    const double places[2] = {rows[0]->place, rows[1]->place};
    if (places[0] < places[1] || places[0] > places[1])
        return places[0] < places[1] ? -1 : 1;
    if (rows[0]->rank > 0 && rows[0]->speed.value != rows[1]->speed.value)
        return rows[0]->speed.value > rows[1]->speed.value ? -1 : 1;
    return strcmp(rows[0]->file, rows[1]->file);
}

const struct app_class_view *app_class_current(struct app_class *self, double now_s)
{
    struct app_class_view *const view = &self->view;
    const double level = 1.0 - 0.01 / (self->count > 0 ? self->count : 1);
    memset(view, 0, sizeof *view);
    view->state = &self->state;
    view->limit = self->measurement.limit;
    view->book = self->measurement.modes[BOOK].median;
    view->count = self->count;
    view->turn = (unsigned)(now_s / page_s);
    snprintf(view->why, sizeof view->why, "%s", self->failed[0] ? self->failed : self->why);
    if (self->step != IDLE)
        snprintf(view->now, sizeof view->now, "%s", self->now->row.file);
    view->spheres = self->measurement.spheres;
    if (self->engine != NULL)
        app_workload_scene(KRN_VIEW_BOOK, app_engine_scene(self->engine), view->scene);
    for (int i = 0; i < self->count; i++) {
        const struct entry *const entry = self->entries[i];
        struct app_class_row *const row = &view->rows[i];
        const size_t n = entry->row.time.ms.n;
        *row = entry->row;
        row->waits = entry->taken != entry->seen || (self->step != IDLE && self->now == entry);
        if (row->time.valid) {
            const double median = krn_quantile_sorted(entry->speed, n, 0.5);
            row->speed = app_estimate_of_run(median, krn_interval_order(entry->speed, n, level),
                                             median * row->tick);
            row->speed.level = level;
            row->speed.trust = row->time.median.trust;
        }
    }
    for (int i = 0; i < self->count; i++) {
        struct app_class_row *const row = &view->rows[i];
        view->waiting += row->waits;
        view->timed += row->time.valid;
        view->faster += row->speed.valid && row->speed.low > 1.0;
        for (int j = 0; j < self->count && row->time.valid; j++)
            row->rank += view->rows[j].time.valid && view->rows[j].speed.low > row->speed.high;
        row->rank += row->time.valid;
        row->place = row->rank > 0 ? row->rank : row->why[0] != 0 ? 1000 : 1001;
    }
    qsort(view->rows, (size_t)self->count, sizeof *view->rows, by_rank);
    return view;
}
