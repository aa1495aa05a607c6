/* app/measure/class_run.c - follows a folder of kernels, and tries, times and ranks them in turn.
 */

#include "base/environment.h"
#include "base/files.h"
#include "base/process.h"
#include "measure/mode_run.h"

#include "krn/memory.h"
#include "krn/mine.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* The time between two looks at the folder, that for which a page of rows stays, and the age from
 * which a file's time tells of every change. */
static const double look_s = 0.3, page_s = 6.0;
static const time_t while_s = 5;

/* A kernel is timed until it has this many pairs, or the time is up and it has the least that an
 * interval at the board's level needs; the first pairs load it and wake the device. */
enum { PAIRS = 240, LEAST = 20, WARM_UP = 2 };
static const double warm_s = 0.05, most_s = 2.0, burst_s = 0.03, lost_s = 20.0;

enum { BOOK, OWN, SIDES };

struct entry {
    char name[256];       /* of the file */
    uint64_t touched;     /* when: a number of that time */
    uint64_t seen, tried; /* its version at the last look, and the one that was tried; 0: none */
    unsigned turn;        /* when it was tried last */
    bool still;           /* it was the same at the look before */
    double ms[PAIRS];     /* row.time.samples_ms */
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
    struct entry entries[APP_CLASS_MAX];                 /* without a name: unused */
    struct entry book;                                   /* beside the newest of them */
    double looked_s;                                     /* 0: not yet */
    enum { IDLE, TRIES, TIMES, CHECKS } step;
    struct entry *now; /* of that step */
    unsigned turns;    /* so far */
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
    struct app_class *self = krn_alloc(1, sizeof *self);
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
    snprintf(self->book.row.file, sizeof self->book.row.file, "the book's kernel");
    self->view.rows[0] = &self->book.row;
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
    free(self);
}

bool app_class_measures(const struct app_class *self)
{
    return self != NULL && self->step >= TIMES;
}

/* --- the folder --- */

/* Accepts kernels and headers. */
static int is_source(const struct dirent *file)
{
    const char *const dot = strrchr(file->d_name, '.');
    return file->d_name[0] != '.' && dot != NULL &&
           (strcmp(dot, ".cu") == 0 || strcmp(dot, ".h") == 0 || strcmp(dot, ".cuh") == 0);
}

static const char *path_of(struct app_class *self, const char *name)
{
    snprintf(self->path, sizeof self->path, "%s/%s", self->folder, name);
    return self->path;
}

/* Returns the entry of a file, or the first unused one. */
static struct entry *find(struct app_class *self, const char *name)
{
    struct entry *found = self->entries;
    for (int i = APP_CLASS_MAX; i-- > 0 && strcmp(found->name, name) != 0;)
        if (self->entries[i].name[0] == 0 || strcmp(self->entries[i].name, name) == 0)
            found = &self->entries[i];
    return found;
}

/* Looks at the files, and drops those that are gone. Shares may be slow, and their times coarse: a
 * file is read unless it and all headers have not been touched for a while. */
static void look(struct app_class *self, double now_s)
{
    struct app_class_view *const view = &self->view;
    struct dirent **names = NULL;
    struct stat status = {.st_size = 0};
    const bool first = self->looked_s <= 0.0;
    uint64_t headers = APP_HASH_BEGIN;
    time_t newest = 0;
    int kernels = 0;
    if (!first && now_s - self->looked_s < look_s)
        return;
    const int found = scandir(self->folder, &names, is_source, alphasort);
    self->looked_s = now_s;
    view->why[0] = 0;
    for (int i = 0; i < found; i++) {
        struct dirent *const file = names[i];
        if (strcmp(strrchr(file->d_name, '.'), ".cu") == 0) { /* to the front, in their order */
            names[i] = names[kernels];
            names[kernels++] = file;
        } else if (stat(path_of(self, file->d_name), &status) == 0) {
            headers = app_hash_on(headers, &status.st_ctim, sizeof status.st_ctim);
            newest = status.st_ctime > newest ? status.st_ctime : newest;
        }
    }
    if (found < 0)
        snprintf(view->why, sizeof view->why, "The folder %s cannot be read: %s.",
                 app_shorten(self->folder).text, strerror(errno));
    else if (kernels > APP_CLASS_MAX)
        snprintf(view->why, sizeof view->why,
                 "%s has %d kernel files, and the board has room for %d.",
                 app_shorten(self->folder).text, kernels, APP_CLASS_MAX);
    else
        view->count = kernels;
    for (int i = 0; i < APP_CLASS_MAX && view->why[0] == 0; i++) {
        struct entry *const entry = &self->entries[i];
        int k = 0;
        while (k < kernels && strcmp(entry->name, names[k]->d_name) != 0)
            k++;
        if (k == kernels) {
            self->step = self->now == entry ? IDLE : self->step;
            memset(entry, 0, sizeof *entry);
        }
    }
    for (int k = 0; k < kernels && view->why[0] == 0; k++) {
        const char *const name = names[k]->d_name;
        struct entry *const entry = find(self, name);
        snprintf(entry->name, sizeof entry->name, "%s", name);
        snprintf(entry->row.file, sizeof entry->row.file, "%.*s", APP_MINE_NAME - 1, name);
        app_make_printable(entry->row.file);
        (void)stat(path_of(self, name), &status);
        const time_t touched_s = status.st_ctime > newest ? status.st_ctime : newest;
        const uint64_t touched = app_hash_on(headers, &status.st_ctim, sizeof status.st_ctim),
                       before = entry->seen;
        if (touched != entry->touched || time(NULL) - touched_s < while_s || before == 0)
            entry->seen = app_mine_version(self->path);
        entry->touched = touched;
        entry->still = first || entry->seen == before;
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
static void end_turn(struct app_class *self, const char *why)
{
    struct app_class_row *row = &self->now->row;
    const char *const own = strstr(why, row->file);
    if (own != NULL && (own == why || own[-1] == '/'))
        why = own + strlen(row->file) + strspn(own + strlen(row->file), ":, ");
    snprintf(row->why, sizeof row->why, "%s", why);
    app_make_printable(row->why);
    row->time.valid = why[0] == 0;
    self->step = IDLE;
}

/* Gives the kernel its turn that waits and has had none for the longest time. */
static enum krn_code begin_turn(struct app_class *self, struct krn_error *error)
{
    struct entry *next = NULL;
    for (int i = 0; i < APP_CLASS_MAX; i++) {
        struct entry *const entry = &self->entries[i];
        if (entry->still && entry->tried != entry->seen && (!next || entry->turn < next->turn))
            next = entry;
    }
    if (next == NULL)
        return KRN_OK;
    self->now = next;
    self->step = TRIES;
    next->turn = ++self->turns;
    next->tried = next->seen;
    const enum krn_code code = self->engine != NULL ? KRN_OK : connect(self, error);
    if (code == KRN_OK)
        app_engine_point_mine(self->engine, path_of(self, next->name));
    return code;
}

/* Follows the trial of the kernel, and prepares to time it. */
static void follow_trial(struct app_class *self, double now_s)
{
    const struct app_mine_status *mine = app_engine_mine(self->engine);
    const enum krn_backend_id backend = self->state.spec.backend;
    (void)app_engine_follow_mine(self->engine, &self->state, now_s);
    if (mine->fault)
        end_turn(self, mine->text);
    if (mine->fault || !mine->ready)
        return;
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
    struct entry *const entry = self->now, *const entries[SIDES] = {&self->book, entry};
    struct krn_telemetry_reading telemetry;
    const double tick_ms = measurement->overheads.tick_ms;
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
    app_measure_judge(self->engine, &now, measurement);
    entry->tick = 0.0;
    for (int side = 0; side < SIDES; side++) {
        struct app_mode_time *const time = &entries[side]->row.time;
        memcpy(entries[side]->ms, sides[side].samples_ms, self->n * sizeof *entry->ms);
        *time = sides[side];
        time->samples_ms = entries[side]->ms;
        time->of_limit = app_of_limit(time->net.value, &measurement->limit);
        entry->tick += tick_ms / time->ms.median;
    }
    for (size_t i = 0; i < self->n; i++)
        entry->speed[i] = self->book.ms[i] / entry->ms[i];
    krn_sort(entry->speed, self->n);
    self->book.row.speed = app_estimate_plain(1.0);
    memcpy(entry->row.hash, mine->hash, sizeof entry->row.hash);
    end_turn(self, sides[OWN].verified == APP_VERIFIED_FALSE ? sides[OWN].verified_text : "");
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
    if (backend != self->state.spec.backend) {
        disconnect(self);
        self->book.row.speed.valid = false;
        for (int i = 0; i < APP_CLASS_MAX; i++) {
            self->entries[i].tried = 0;
            self->entries[i].row.time.valid = false;
        }
    }
    self->state.spec.backend = backend;
    look(self, now_s);
    const enum krn_code code = take_step(self, now_s, error);
    if (code != KRN_OK && code != KRN_CANCELLED) {
        end_turn(self, error->text);
        disconnect(self);
    }
    return code == KRN_LOST ? code : KRN_OK;
}

/* --- the board --- */

/* Orders rows by rank and speed, then those with a sentence, then those that wait. */
static int by_rank(const void *a, const void *b)
{
    const struct app_class_row *const rows[2] = {*(const struct app_class_row *const *)a,
                                                 *(const struct app_class_row *const *)b};
    double places[2];
    for (int i = 0; i < 2; i++)
        places[i] = rows[i]->rank > 0 ? rows[i]->rank : APP_CLASS_MAX + 1 + (rows[i]->why[0] == 0);
    const double later = fabs(places[0] - places[1]) > 0.0
                             ? places[0] - places[1]
                             : rows[1]->speed.value - rows[0]->speed.value;
    return later < 0.0 ? -1 : later > 0.0 ? 1 : strcmp(rows[0]->file, rows[1]->file);
}

const struct app_class_view *app_class_current(struct app_class *self, double now_s)
{
    struct app_class_view *const view = &self->view;
    const struct app_class_row **const rows = view->rows + 1;
    const double level = 1.0 - 0.01 / (view->count > 0 ? view->count : 1);
    view->timed = view->waiting = view->faster = 0;
    view->trust = 0;
    view->limit = self->measurement.limit;
    view->spheres = self->measurement.spheres;
    view->turn = (unsigned)(now_s / page_s);
    for (int i = 0, k = 0; i < APP_CLASS_MAX; i++) {
        const struct entry *const entry = &self->entries[i];
        struct app_class_row *const row = &self->entries[i].row;
        const size_t n = row->time.ms.n;
        if (entry->name[0] == 0)
            continue;
        rows[k++] = row;
        row->tested = self->step != IDLE && self->now == entry;
        row->waits = row->tested || entry->tried != entry->seen;
        row->speed = (struct app_estimate){.valid = false};
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
    view->settled = view->why[0] != 0 || (self->looked_s > 0.0 && view->waiting == 0);
    for (int i = 0; i < APP_CLASS_MAX; i++) {
        struct app_class_row *const row = &self->entries[i].row;
        row->rank = row->speed.valid;
        for (int j = 0; j < view->count && row->speed.valid; j++)
            row->rank += rows[j]->speed.valid && rows[j]->speed.low > row->speed.high;
    }
    qsort(rows, (size_t)view->count, sizeof *rows, by_rank);
    return view;
}
