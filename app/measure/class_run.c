/* app/measure/class_run.c - follows a folder of kernels, and tries, times and ranks them in turn.
 */
#include "measure/class_run.h"

#include "base/clock.h"
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
#include <time.h>

/* The time between two looks at the folder, and that for which a page of rows stays. */
static const double look_s = 0.3, page_s = 6.0;

/* A kernel is timed until it has this many pairs, or the time is up and it has the least that an
 * interval at the board's level needs; the first pairs load it and wake the device. */
enum { PAIRS = 240, LEAST = 20, WARM_UP = 2 };
static const double warm_s = 0.05, most_s = 2.0, burst_s = 0.03, lost_s = 20.0;

enum { BOOK, OWN, SIDES };

struct entry {
    char name[256];       /* of the file */
    uint64_t touched;     /* when: a number of that time */
    uint64_t seen, tried; /* its version at the last look, and the one that was tried; 0: none */
    bool still;           /* it was the same at the look before */
    double own_ms[PAIRS]; /* row.time.samples_ms */
    double speed[PAIRS];  /* of each pair, ascending */
    double tick;          /* of the clock, as a fraction of the speed */
    struct app_class_row row;
};

struct app_class {
    struct app_engine *show, *engine; /* engine: NULL: it is not connected */
    void (*settle)(void *who);
    void *who;
    struct app_state state;
    struct krn_image image;
    char folder[APP_PATH_MAX], path[APP_PATH_MAX + 260]; /* path: of one of its files */
    struct entry *entries[APP_CLASS_MAX];                /* by name */
    double looked_s;                                     /* 0: not yet */
    enum { IDLE, TRIES, TIMES, CHECKS } step;
    struct entry *now; /* of that step */
    unsigned told;     /* of the engine's mine, when its trial began */
    double start_s;    /* of TIMES */
    int runs;
    size_t n;
    struct app_measurement measurement; /* of the kernel whose turn it is, and the book's */
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
    self->view.state = &self->state;
    self->view.scene = self->measurement.scene[KRN_VIEW_BOOK];
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
    for (int i = 0; i < self->view.count; i++)
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
    for (int i = 0; i < self->view.count; i++)
        settled = settled && self->entries[i]->tried == self->entries[i]->seen;
    return settled || self->view.why[0] != 0;
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

static const char *path_of(struct app_class *self, const char *name)
{
    snprintf(self->path, sizeof self->path, "%s/%s", self->folder, name);
    return self->path;
}

/* Notes the version of a file: a number that is another one for another content or time. Shares may
 * be slow, and their times coarse: a file is read unless it has not been touched for a while. */
static void note_version(struct entry *entry, const char *path)
{
    static const time_t while_s = 5;
    struct stat status = {.st_size = 0};
    struct krn_error error = {.text = ""};
    char *bytes = NULL;
    size_t count = 0;
    (void)stat(path, &status);
    const uint64_t touched = app_hash_on(APP_HASH_BEGIN, &status.st_ctim, sizeof status.st_ctim),
                   time_hash = app_hash_on(APP_HASH_BEGIN, &status.st_mtim, sizeof status.st_mtim),
                   before = entry->seen;
    if (touched != entry->touched || time(NULL) - status.st_ctime < while_s || before == 0) {
        (void)app_read_regular(path, NULL, KRN_MINE_BYTES_MAX, &bytes, &count, &error);
        entry->seen = 1u | (bytes != NULL ? app_hash_on(time_hash, bytes, count)
                                          : app_hash_on(time_hash, error.text, strlen(error.text)));
    }
    free(bytes);
    entry->touched = touched;
    entry->still = entry->seen == before;
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
    struct app_class_view *const view = &self->view;
    struct dirent **names = NULL;
    struct entry *entries[APP_CLASS_MAX];
    const bool first = self->looked_s <= 0.0;
    int n = 0, old = 0;
    if (!first && now_s - self->looked_s < look_s)
        return;
    const int found = scandir(self->folder, &names, is_kernel, by_name);
    self->looked_s = now_s;
    view->why[0] = 0;
    if (found < 0)
        snprintf(view->why, sizeof view->why, "The folder %s cannot be read: %s.",
                 app_shorten(self->folder).text, strerror(errno));
    else if (found > APP_CLASS_MAX)
        snprintf(view->why, sizeof view->why,
                 "%s has %d kernel files, and the board has room for %d.",
                 app_shorten(self->folder).text, found, APP_CLASS_MAX);
    for (int i = 0; i < found && view->why[0] == 0; i++) {
        const char *const name = names[i]->d_name;
        for (; old < view->count && strcmp(self->entries[old]->name, name) < 0; old++)
            drop(self, self->entries[old]);
        const bool known = old < view->count && strcmp(self->entries[old]->name, name) == 0;
        struct entry *const entry = known ? self->entries[old++] : app_alloc(1, sizeof *entry);
        snprintf(entry->name, sizeof entry->name, "%s", name);
        snprintf(entry->row.file, sizeof entry->row.file, "%.*s", APP_MINE_NAME - 1, name);
        app_make_printable(entry->row.file);
        note_version(entry, path_of(self, name));
        entry->still = entry->still || first;
        entries[n++] = entry;
    }
    for (; old < view->count && view->why[0] == 0; old++)
        drop(self, self->entries[old]);
    if (view->why[0] == 0) {
        memcpy(self->entries, entries, (size_t)n * sizeof *entries);
        view->count = n;
    }
    for (int i = 0; i < found; i++)
        free(names[i]);
    free(names);
}

/* --- one kernel --- */

static enum krn_code connect(struct app_class *self, struct krn_error *error)
{
    const struct app_spec *spec = &self->state.spec;
    self->engine = app_engine_beside(self->show);
    enum krn_code code = app_engine_adopt(self->engine, &self->state, error);
    if (code == KRN_OK)
        code = krn_device_alloc_image(app_engine_device(self->engine, &self->state), spec->width,
                                      spec->height, &self->image, error);
    if (code != KRN_OK)
        return code;
    app_measurement_begin(&self->measurement, self->engine, &self->state);
    self->measurement.count = SIDES;
    app_workload_scene(KRN_VIEW_BOOK, app_engine_scene(self->engine),
                       self->measurement.scene[KRN_VIEW_BOOK]);
    return KRN_OK;
}

/* Ends the turn of the kernel: with what is wrong with it, of which its name is left out, or with
 * its time. */
static void end_turn(struct app_class *self, const char *why,
                     const struct app_mine_numbers *numbers)
{
    struct app_class_row *row = &self->now->row;
    const char *const own = strstr(why, row->file);
    if (own != NULL && (own == why || own[-1] == '/'))
        why = own + strlen(row->file) + strspn(own + strlen(row->file), ":, ");
    snprintf(row->why, sizeof row->why, "%s", why);
    app_make_printable(row->why);
    row->numbers = *numbers;
    row->time.valid = why[0] == 0;
    self->step = IDLE;
}

/* Gives the next kernel that waits its turn. */
static enum krn_code begin_turn(struct app_class *self, struct krn_error *error)
{
    const int count = self->view.count;
    int from = 0;
    for (int i = 0; i < count; i++)
        from = self->entries[i] == self->now ? i + 1 : from;
    for (int i = 0; i < count && self->step == IDLE; i++) {
        struct entry *const entry = self->entries[(from + i) % count];
        if (!entry->still || entry->tried == entry->seen)
            continue;
        self->now = entry;
        self->step = TRIES;
        entry->tried = entry->seen;
    }
    const enum krn_code code =
        self->step == IDLE || self->engine != NULL ? KRN_OK : connect(self, error);
    if (code == KRN_OK && self->step == TRIES) {
        app_engine_point_mine(self->engine, path_of(self, self->now->name));
        self->told = app_engine_mine(self->engine)->told;
    }
    return code;
}

/* Follows the trial of the kernel, and prepares to time it. */
static void follow_trial(struct app_class *self, double now_s)
{
    const struct app_mine_status *mine = app_engine_mine(self->engine);
    const enum krn_backend_id backend = self->state.spec.backend;
    (void)app_engine_follow_mine(self->engine, &self->state, now_s);
    if (mine->told == self->told)
        return;
    if (mine->fault || !mine->ready) {
        end_turn(self, mine->text, &mine->numbers);
        return;
    }
    for (int side = 0; side < SIDES; side++)
        self->measurement.modes[side] = (struct app_mode_time){
            .backend = backend,
            .mode = side == BOOK ? self->state.spec.mode
                                 : (struct krn_mode){KRN_KERNEL_MINE, mine->storage, 1},
            .regime = APP_REGIME_IDLE};
    /* The next process starts meanwhile: it works on the GPU after the times are taken. */
    if (!krn_backend_get(backend)->can->host_processors)
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

/* Times pairs of frames for a while; the book's and the user's come first in turns. A frame before
 * them does not count: after a pause, and with the caches and the processors as the show has left
 * them, whichever side came first took another time than in all later pairs. */
static enum krn_code time_pairs(struct app_class *self, struct krn_error *error)
{
    const double begin_s = app_clock_s();
    double ms[SIDES];
    enum krn_code code = time_frame(self, 1 - self->runs % SIDES, &ms[BOOK], error);
    while (code == KRN_OK && self->step == TIMES && !app_must_stop()) {
        const double passed_s = app_clock_s() - self->start_s;
        const int first = self->runs++ % SIDES;
        code = time_frame(self, first, &ms[first], error);
        if (code == KRN_OK)
            code = time_frame(self, 1 - first, &ms[1 - first], error);
        if (code == KRN_OK && ms[BOOK] > 0.0 && ms[OWN] > 0.0 && self->runs > WARM_UP &&
            passed_s >= warm_s) {
            self->measurement.samples_ms[BOOK][self->n] = ms[BOOK];
            self->measurement.samples_ms[OWN][self->n++] = ms[OWN];
        }
        if (self->n == PAIRS || (self->n >= LEAST && passed_s > most_s) || passed_s > lost_s)
            self->step = CHECKS;
        if (app_clock_s() - begin_s >= burst_s)
            break;
    }
    return code;
}

/* Sums up what was timed, verifies the picture, and fills in the row. */
static enum krn_code check(struct app_class *self, struct krn_error *error)
{
    static const struct app_verify_limits limits = {HUGE_VAL, false};
    struct app_measurement *const measurement = &self->measurement;
    struct app_mode_time *const sides = measurement->modes;
    const struct app_mine_status *const mine = app_engine_mine(self->engine);
    struct entry *const entry = self->now;
    struct krn_telemetry_reading telemetry;
    const double tick_ms = measurement->overheads.tick_ms;
    char why[APP_NOTICE_MAX] = "";
    if (self->n < LEAST)
        return KRN_FAIL(error, KRN_FAILED, "%s gave too few readings.", mine->file);
    for (int side = 0; side < SIDES; side++)
        app_mode_time_sum_up(&sides[side], measurement->samples_ms[side], self->n, tick_ms);
    enum krn_code code = app_measure_overheads(self->engine, &self->state, measurement, error);
    if (code == KRN_OK)
        code = app_measure_verify(self->engine, &self->state, &limits, measurement, error);
    if (code != KRN_OK)
        return code;
    app_engine_telemetry(self->show, self->state.spec.backend, &telemetry);
    const struct app_conditions now = {.telemetry = &telemetry, .on_battery = app_on_battery()};
    app_measure_judge(self->engine, &self->state, &now, measurement);
    for (size_t i = 0; i < self->n; i++) {
        entry->own_ms[i] = measurement->samples_ms[OWN][i];
        entry->speed[i] = measurement->samples_ms[BOOK][i] / entry->own_ms[i];
    }
    krn_sort(entry->speed, self->n);
    entry->tick = tick_ms / sides[OWN].ms.median + tick_ms / sides[BOOK].ms.median;
    entry->row.time = sides[OWN];
    entry->row.time.samples_ms = entry->own_ms;
    entry->row.time.of_limit = app_of_limit(sides[OWN].net.value, &measurement->limit);
    memcpy(entry->row.hash, mine->hash, sizeof entry->row.hash);
    if (sides[OWN].verified == APP_VERIFIED_FALSE)
        snprintf(why, sizeof why, "%s: %s", mine->file, sides[OWN].verified_text);
    end_turn(self, why, &mine->numbers);
    return KRN_OK;
}

/* Takes the next step of the kernel whose turn it is. */
static enum krn_code take_step(struct app_class *self, double now_s, struct krn_error *error)
{
    const enum krn_backend_id backend = self->state.spec.backend;
    const bool shares = krn_backend_get(backend)->can->distinct_storages; /* the constant banks */
    enum krn_code code = self->step == IDLE ? begin_turn(self, error) : KRN_OK;
    if (code == KRN_OK && self->step == TRIES)
        follow_trial(self, now_s);
    if (code != KRN_OK || self->step < TIMES)
        return code;
    if (self->settle != NULL)
        self->settle(self->who);
    code = krn_device_sync(app_engine_connected(self->show, backend), error);
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

enum krn_code app_class_frame(struct app_class *self, enum krn_backend_id backend, double now_s,
                              struct krn_error *error)
{
    static const struct app_mine_numbers none;
    if (backend != self->state.spec.backend) {
        disconnect(self);
        for (int i = 0; i < self->view.count; i++) {
            self->entries[i]->tried = 0;
            self->entries[i]->row.time.valid = false;
        }
    }
    self->state.spec.backend = backend;
    look(self, now_s);
    const enum krn_code code = take_step(self, now_s, error);
    if (code != KRN_OK && code != KRN_CANCELLED) {
        end_turn(self, error->text, &none);
        disconnect(self);
    }
    return code == KRN_LOST ? code : KRN_OK;
}

/* --- the board --- */

/* Orders rows by rank and speed, then those with a sentence, then those that wait. */
static int by_rank(const void *a, const void *b)
{
    const struct app_class_row *const *const x = a, *const *const y = b;
    const int places[2] = {(*x)->rank > 0 ? (*x)->rank : APP_CLASS_MAX + ((*x)->why[0] == 0) + 1,
                           (*y)->rank > 0 ? (*y)->rank : APP_CLASS_MAX + ((*y)->why[0] == 0) + 1};
    if (places[0] != places[1])
        return places[0] - places[1];
    if ((*x)->rank > 0 && fabs((*x)->speed.value - (*y)->speed.value) > 0.0)
        return (*x)->speed.value > (*y)->speed.value ? -1 : 1;
    return strcmp((*x)->file, (*y)->file);
}

const struct app_class_view *app_class_current(struct app_class *self, double now_s)
{
    struct app_class_view *const view = &self->view;
    const double level = 1.0 - 0.01 / (view->count > 0 ? view->count : 1);
    view->timed = view->waiting = view->faster = 0;
    view->trust = 0;
    view->limit = self->measurement.limit;
    view->book = self->measurement.modes[BOOK].median;
    view->spheres = self->measurement.spheres;
    view->turn = (unsigned)(now_s / page_s);
    for (int i = 0; i < view->count; i++) {
        const struct entry *const entry = self->entries[i];
        struct app_class_row *const row = &self->entries[i]->row;
        const size_t n = row->time.ms.n;
        view->rows[i] = row;
        row->tested = self->step != IDLE && self->now == entry;
        row->waits = row->tested || entry->tried != entry->seen;
        row->speed.valid = false;
        if (row->time.valid) {
            const double median = krn_quantile_sorted(entry->speed, n, 0.5);
            row->speed = app_estimate_of_run(median, krn_interval_order(entry->speed, n, level),
                                             median * entry->tick);
            row->speed.level = level;
            view->trust |= row->time.median.trust;
        }
        view->waiting += row->waits;
        view->timed += row->time.valid;
        view->faster += row->speed.valid && row->speed.low > 1.0;
    }
    for (int i = 0; i < view->count; i++) {
        struct app_class_row *const row = &self->entries[i]->row;
        row->rank = row->speed.valid;
        for (int j = 0; j < view->count && row->speed.valid; j++)
            row->rank += view->rows[j]->speed.valid && view->rows[j]->speed.low > row->speed.high;
    }
    qsort(view->rows, (size_t)view->count, sizeof *view->rows, by_rank);
    return view;
}
