/* app/engine/engine.c - connects devices, keeps scene and view as the state says, and launches
 * frames, background frames and pairs of a duel. */
#define _DEFAULT_SOURCE /* getentropy */
#include "engine/engine.h"

#include "base/process.h"
#include "command/command.h"
#include "krn/memory.h"
#include "scenes/scenes.h"
#include "spec/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Makes the scene that a state names: a generated one, or one from a file. The command line may
 * name a pipe, whose writer the start then waits for. Once something is shown, a scene file is a
 * regular one, so that no pipe can stop the show. Zeroed, it reads every file. */
struct scene_source {
    bool started;            /* a scene has been made and taken */
    char path[APP_PATH_MAX]; /* of the file that `scene` takes the place of; "": none */
    struct krn_scene scene;  /* its own copy */
    struct app_scene_note note;
    app_scene_folder *folder_of; /* NULL: files may lie anywhere */
    const void *context;
};

static enum krn_code read_file(const struct scene_source *source, const char *path,
                               struct krn_scene *scene, struct app_scene_note *note,
                               struct krn_error *error)
{
    const char *folder = source->folder_of ? source->folder_of(source->context, path) : NULL;
    if (source->path[0] != 0 && strcmp(source->path, path) == 0) {
        *note = source->note;
        return krn_scene_copy(scene, &source->scene, error);
    }
    return folder || source->started ? app_scene_read_regular(path, folder, scene, note, error)
                                     : app_scene_read(path, scene, note, error);
}

/* One backend's device. */
struct connection {
    struct krn_device *device;       /* NULL: not connected */
    struct krn_telemetry *telemetry; /* NULL: the device has none */
    unsigned uploaded;               /* serial of the scene on the device; 0: none */
};

struct app_engine {
    struct connection connections[KRN_BACKEND_COUNT];
    bool replaced[KRN_BACKEND_COUNT]; /* by the CPU backend, before the first frame */
    struct krn_device *rival;         /* renders side B of duels in tests; NULL: none */
    int ordinal;                      /* of the CUDA device to connect to */
    bool beside;                      /* app_engine_beside: another engine has the telemetry */
    double band_percent;

    struct krn_scene scene;
    struct app_scene_note note; /* on the scene's file */
    struct app_state chosen;    /* the state that the scene was made from */
    struct scene_source source;
    unsigned serial; /* counts scenes; 0: none yet */
    struct krn_view view;
    struct krn_light light; /* of the newest frame's state: without the camera's path */
    bool camera_path;

    struct app_readings readings;
    struct app_mine *mine; /* NULL: no --kernel-file */
    bool waits;         /* for a new scene's and size's trial by that kernel: there is no window */
    struct watch {      /* over that kernel while it is timed */
        double check_s; /* when the next check may be, by app_clock_s */
        double timed_s, turn;     /* the motion of the newest timed frame, and what is added to its
                                   * angle if it stays */
        char hash[APP_MINE_HASH]; /* of the version that was wrong */
        char wrong[192];
    } watch;

    uint32_t known_epoch; /* whose scene and view these are of */
    struct known {
        bool tried[KRN_MODES_MAX];
        struct krn_overhead overheads[KRN_MODES_MAX]; /* zeroed: it could not be measured */
        bool limit_tried;
        struct krn_limit limit; /* zeroed: likewise */
    } known[KRN_BACKEND_COUNT];

    struct krn_image spare;          /* what extra launches and background frames write */
    struct krn_device *spare_device; /* the device that it lies on; NULL: there is none */
};

static enum krn_code connect(struct app_engine *engine, enum krn_backend_id id,
                             struct krn_error *error)
{
    struct connection *connection = &engine->connections[id];
    if (connection->device)
        return KRN_OK;
    connection->uploaded = 0;
    const enum krn_code code =
        krn_backend_get(id)->connect(app_engine_ordinal(engine, id), &connection->device, error);
    if (code == KRN_OK && !engine->beside && krn_backend_get(id)->can->telemetry)
        connection->telemetry = krn_telemetry_open(krn_device_describe(connection->device)->pci_id);
    return code;
}

/* Connects the CUDA device, or else the CPU backend, with the reason in notice. */
static enum krn_code connect_any(struct app_engine *engine, struct app_state *state,
                                 char notice[APP_NOTICE_MAX], struct krn_error *error)
{
    struct krn_error why;
    state->spec.backend = KRN_BACKEND_CUDA;
    if (connect(engine, KRN_BACKEND_CUDA, &why) == KRN_OK)
        return KRN_OK;
    snprintf(notice, APP_NOTICE_MAX, "%s", why.text);
    state->spec.backend = KRN_BACKEND_CPU;
    return connect(engine, KRN_BACKEND_CPU, error);
}

struct app_engine *app_engine_new(const struct app_run *run)
{
    struct app_engine *engine = krn_alloc(1, sizeof *engine);
    engine->ordinal = run->device;
    engine->band_percent = run->band_percent;
    if (run->kernel_file[0] != 0 && !run->kernel_folder)
        app_engine_point_mine(engine, run->kernel_file);
    return engine;
}

struct app_engine *app_engine_beside(const struct app_engine *engine)
{
    struct app_engine *other = krn_alloc(1, sizeof *other);
    other->ordinal = engine->ordinal;
    other->band_percent = engine->band_percent;
    other->beside = true;
    return other;
}

enum krn_code app_engine_open(struct app_engine **engine, const struct app_run *run,
                              struct app_state *state, char notice[APP_NOTICE_MAX],
                              struct krn_error *error)
{
    notice[0] = '\0';
    *engine = app_engine_new(run);
    enum krn_code code;
    if (app_run_names_device(run)) {
        state->spec.backend =
            run->backend >= 0 ? (enum krn_backend_id)run->backend : KRN_BACKEND_CUDA;
        code = connect(*engine, state->spec.backend, error);
    } else {
        code = connect_any(*engine, state, notice, error);
    }
    if (code != KRN_OK) {
        app_engine_close(*engine);
        *engine = NULL;
    }
    return code;
}

void app_engine_close(struct app_engine *engine)
{
    if (engine == NULL)
        return;
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        app_engine_drop(engine, (enum krn_backend_id)id);
    app_mine_free(engine->mine);
    krn_scene_free(&engine->scene);
    krn_scene_free(&engine->source.scene);
    free(engine);
}

void app_engine_drop(struct app_engine *engine, enum krn_backend_id backend)
{
    struct connection *connection = &engine->connections[backend];
    if (engine->spare_device != NULL && engine->spare_device == connection->device) {
        krn_device_free_image(engine->spare_device, &engine->spare);
        engine->spare_device = NULL;
    }
    app_readings_drop(&engine->readings, backend);
    memset(&engine->known[backend], 0, sizeof *engine->known);
    krn_telemetry_close(connection->telemetry);
    krn_device_close(connection->device);
    memset(connection, 0, sizeof *connection);
}

bool app_engine_replace(struct app_engine *engine, const struct app_run *run,
                        struct app_state *state, char notice[APP_NOTICE_MAX],
                        const struct krn_error *why)
{
    if (app_run_names_device(run) || state->spec.backend == KRN_BACKEND_CPU)
        return false;
    app_engine_drop(engine, state->spec.backend);
    engine->replaced[state->spec.backend] = true;
    state->spec.backend = KRN_BACKEND_CPU;
    app_state_leave_mine(state);
    snprintf(notice, APP_NOTICE_MAX, "%s", why->text);
    return true;
}

bool app_engine_has_replaced(const struct app_engine *engine, enum krn_backend_id backend)
{
    return engine->replaced[backend];
}

enum krn_code app_engine_set_file(struct app_engine *engine, const char *path,
                                  const struct krn_scene *scene, const char *note,
                                  struct krn_error *error)
{
    krn_scene_free(&engine->source.scene);
    snprintf(engine->source.note.text, sizeof engine->source.note.text, "%s", note);
    snprintf(engine->source.path, sizeof engine->source.path, "%s", path);
    return krn_scene_copy(&engine->source.scene, scene, error);
}

void app_engine_confine(struct app_engine *engine, app_scene_folder *folder_of, const void *context)
{
    engine->source.folder_of = folder_of;
    engine->source.context = context;
}

/* Takes a scene, which the engine frees, in place of its own. */
static void adopt_scene(struct app_engine *engine, const struct app_state *state,
                        struct krn_scene scene, const struct app_scene_note *note)
{
    krn_scene_free(&engine->scene);
    engine->scene = scene;
    engine->note = *note;
    engine->source.started = true;
    engine->chosen = *state;
    engine->serial++;
    app_readings_begin_epoch(&engine->readings);
}

enum krn_code app_engine_adopt(struct app_engine *engine, struct app_state *state,
                               struct krn_error *error)
{
    const bool changes = engine->serial == 0 || !app_state_same_scene(&engine->chosen, state);
    struct krn_scene made = {.spheres = NULL};
    struct app_scene_note note = {""};
    enum krn_code code = KRN_OK;
    for (int side = 0; side <= state->spec.duel.on; side++)
        KRN_THEN(code, connect(engine, app_state_side(state, side).backend, error));
    if (code == KRN_OK && changes)
        code = state->spec.scene == APP_SCENE_FILE
                   ? read_file(&engine->source, state->spec.scene_path, &made, &note, error)
                   : krn_scene_generate(&made, &state->spec.recipe, error);
    if (code != KRN_OK)
        return code;
    const struct krn_scene *scene = changes ? &made : &engine->scene;
    /* A state's modes suit its recipe already; how much a file holds is only known now. */
    if (state->spec.scene == APP_SCENE_FILE) {
        state->spec.recipe.count = scene->count;
        code = krn_mode_check(state->spec.mode, scene->count, error);
        if (code == KRN_OK && state->spec.duel.on)
            code = krn_mode_check(state->spec.duel.other, scene->count, error);
    }
    /* A scene for which the device lacks memory leaves the one that it has, and the engine keeps
     * that one, too: nothing needs to be loaded once more. */
    const unsigned serial = engine->serial + changes;
    for (int side = 0; code == KRN_OK && side <= state->spec.duel.on; side++) {
        struct connection *connection = &engine->connections[app_state_side(state, side).backend];
        if (connection->uploaded != serial)
            code = krn_device_set_scene(connection->device, scene, error);
        if (code == KRN_OK)
            connection->uploaded = serial;
    }
    if (code != KRN_OK) { /* side A may have the new scene already */
        struct connection *a = &engine->connections[state->spec.backend];
        a->uploaded = a->uploaded == engine->serial ? a->uploaded : 0;
        krn_scene_free(&made);
        return code;
    }
    if (changes)
        adopt_scene(engine, state, made, &note);
    bool tried;
    return engine->waits ? app_engine_try_mine(engine, state, true, &tried, error) : KRN_OK;
}

void app_engine_forget_upload(struct app_engine *engine, enum krn_backend_id backend)
{
    engine->connections[backend].uploaded = 0;
}

struct krn_device *app_engine_device(const struct app_engine *engine, const struct app_state *state)
{
    return engine->connections[state->spec.backend].device;
}

struct krn_device *app_engine_connected(const struct app_engine *engine,
                                        enum krn_backend_id backend)
{
    return engine->connections[backend].device;
}

int app_engine_ordinal(const struct app_engine *engine, enum krn_backend_id backend)
{
    return backend == KRN_BACKEND_CUDA ? engine->ordinal : 0;
}

struct krn_telemetry *app_engine_monitor(const struct app_engine *engine,
                                         enum krn_backend_id backend)
{
    return engine->connections[backend].telemetry;
}

void app_engine_telemetry(const struct app_engine *engine, enum krn_backend_id backend,
                          struct krn_telemetry_reading *reading)
{
    krn_telemetry_read(app_engine_monitor(engine, backend), reading);
}

struct krn_view app_engine_view(const struct app_state *state)
{
    const struct krn_view view = {.width = state->spec.width,
                                  .height = state->spec.height,
                                  .unit = app_state_unit(state),
                                  .light = app_state_light(state)};
    return view;
}

const struct krn_scene *app_engine_scene(const struct app_engine *engine)
{
    return &engine->scene;
}

const char *app_engine_scene_note(const struct app_engine *engine)
{
    return engine->note.text;
}

struct krn_view app_engine_current_view(const struct app_engine *engine)
{
    return engine->view;
}

double app_engine_tests(const struct app_engine *engine)
{
    return (double)engine->view.width * engine->view.height * engine->scene.count;
}

uint32_t app_engine_epoch(const struct app_engine *engine)
{
    return engine->readings.epoch;
}

double app_engine_band_percent(const struct app_engine *engine)
{
    return engine->band_percent;
}

/* Takes in the state's view; another light begins anew. A camera on its path is like a rotating
 * scene: one view. */
static void adopt_view(struct app_engine *engine, const struct app_state *state)
{
    if (!app_light_same(&state->spec.light, &engine->light) ||
        state->spec.camera_path != engine->camera_path)
        app_readings_begin_epoch(&engine->readings);
    engine->view = app_engine_view(state);
    app_readings_begin_size(&engine->readings, &engine->view);
    engine->light = state->spec.light;
    engine->camera_path = state->spec.camera_path;
}

/* --- the watch over the user's kernel --- */

/* The share of the timed frames that are checked. */
static const double check_chance = 1.0 / 12.0;

/* Returns true where a frame may be compared with one of that kernel: all are treated alike. */
static bool watches(const struct app_engine *engine, const struct app_state *state)
{
    return engine->mine != NULL && app_mine_status(engine->mine)->ready &&
           app_state_view(state) == KRN_VIEW_BOOK;
}

/* Returns a number from 0 to 1 that no kernel can foresee. */
static double draw(void)
{
    uint32_t bits = 0;
    (void)!getentropy(&bits, sizeof bits);
    return bits / 4294967296.0;
}

/* Returns the pose of the next timed frame: one that stays turns a little, by at most a fiftieth of
 * a pixel at fit zoom, but in a picture that is kept. */
static struct krn_pose pose_of(const struct app_engine *engine, const struct app_state *state)
{
    const struct krn_pose pose = krn_pose_at(state->spec.motion_s);
    const float turn = (float)engine->watch.turn;
    const bool moves = state->spec.motion_s < engine->watch.timed_s ||
                       state->spec.motion_s > engine->watch.timed_s;
    if (moves || !watches(engine, state) ||
        state->requests & (APP_REQUEST_SCREENSHOT | APP_REQUEST_PAGE))
        return pose;
    return (struct krn_pose){pose.cosine - turn * pose.sine, pose.sine + turn * pose.cosine};
}

/* Turns the next frame's pose to the other side, so that rounding never gives the same pose twice
 * in a row. */
static void turn_on(struct app_engine *engine, const struct app_state *state)
{
    const double turn_max = 2e-5;
    if (watches(engine, state))
        engine->watch.turn =
            (engine->watch.turn > 0.0 ? -turn_max : turn_max) * (0.1 + 0.9 * draw());
}

/* Renders a timed frame, at times over bytes that may pass for a picture's. */
static enum krn_code render_timed(struct app_engine *engine, const struct app_state *state,
                                  struct krn_device *device, struct krn_mode mode,
                                  const struct krn_image *image, uint64_t tag,
                                  struct krn_error *error)
{
    static const uint8_t bytes[] = {0, 0x5a, 255};
    const enum krn_code code =
        watches(engine, state) ? krn_device_fill(device, image, bytes[(int)(3.0 * draw())], error)
                               : KRN_OK;
    engine->watch.timed_s = state->spec.motion_s;
    return code == KRN_OK ? krn_device_render(device, mode, &engine->view, image, tag, error)
                          : code;
}

/* Decides by chance whether a frame is checked. Checks take a tenth of the time at most, and in a
 * window no scene is checked whose rows would hold up a frame. */
static bool is_due(const struct app_engine *engine, struct krn_mode mode, double chance)
{
    const double tests_max = 1e8;
    return mode.kernel == KRN_KERNEL_MINE && draw() < chance &&
           app_clock_s() >= engine->watch.check_s && app_engine_mine_wrong(engine)[0] == 0 &&
           (engine->waits || (double)engine->view.width * engine->scene.count <= tests_max);
}

/* Compares neighbouring rows of what the kernel has rendered with the reference. The scene is this
 * process's own: a kernel may have written the device's. other: it is not the one on screen. */
static enum krn_code check_rows(struct app_engine *engine, struct krn_device *device,
                                const struct krn_scene *scene, struct krn_pose pose,
                                const struct krn_image *image, bool other, struct krn_error *error)
{
    enum { ROWS = 96 };
    const double start_s = app_clock_s(), tests = 2e7;
    const struct krn_view view = engine->view;
    const double affordable = tests / ((double)view.width * scene->count);
    const int count = (int)fmax(fmin(fmin(affordable, ROWS), view.height), 1.0),
              first = (int)(draw() * (view.height - count + 1));
    const struct krn_image part = {(char *)image->pixels + (size_t)first * image->pitch_bytes,
                                   image->pitch_bytes, view.width, count};
    uint8_t *pixels = krn_alloc((size_t)count, 4 * (size_t)view.width);
    struct krn_reference reference = {.rgba = NULL};
    int rows[ROWS];
    for (int i = 0; i < count; i++)
        rows[i] = first + i;
    enum krn_code code = krn_device_read(device, &part, pixels, error);
    KRN_THEN(code,
             krn_reference_rows(&reference, scene, pose, &view, rows, count, NULL, NULL, error));
    if (code == KRN_OK) {
        const struct app_mine_status *mine = app_mine_status(engine->mine);
        const struct krn_verdict verdict = krn_reference_compare(&reference, pixels);
        const uint8_t *e = verdict.expected, *a = verdict.actual;
        if (verdict.wrong > 0) {
            memcpy(engine->watch.hash, mine->hash, sizeof mine->hash);
            app_format(engine->watch.wrong, sizeof engine->watch.wrong,
                       "%s renders %zu of %dx%d pixels%s wrong while timed, the first at (%d, %d): "
                       "expected %d %d %d %d, got %d %d %d %d",
                       mine->file, verdict.wrong, view.width, count,
                       other ? " of another scene" : "", verdict.first_x, first + verdict.first_y,
                       e[0], e[1], e[2], e[3], a[0], a[1], a[2], a[3]);
        }
    }
    krn_reference_free(&reference);
    free(pixels);
    engine->watch.check_s = app_clock_s() + 10.0 * (app_clock_s() - start_s);
    return code;
}

/* Lets the user's kernel render the scene upside down and in other colours where its next timed
 * frame will be: it may know the scene on screen. */
static enum krn_code check_other(struct app_engine *engine, const struct app_state *state,
                                 struct krn_device *device, struct krn_mode mode,
                                 struct krn_pose pose, const struct krn_image *image,
                                 struct krn_error *error)
{
    unsigned *uploaded = &engine->connections[krn_device_describe(device)->backend].uploaded;
    struct krn_scene other;
    if (engine->scene.count > KRN_CONSTANT_SPHERES || !is_due(engine, mode, 1.0 / 24.0))
        return KRN_OK;
    enum krn_code code = krn_scene_copy(&other, &engine->scene, error);
    if (code != KRN_OK)
        return code;
    for (struct krn_sphere *s = other.spheres; s < other.spheres + other.count; s++)
        *s = (struct krn_sphere){s->g, s->r, s->b, s->radius, s->x, -s->y, s->z};
    *uploaded = 0;
    code = krn_device_set_scene(device, &other, error);
    KRN_THEN(code, krn_device_set_pose(device, pose, error));
    KRN_THEN(code, render_timed(engine, state, device, mode, image, KRN_UNTIMED, error));
    KRN_THEN(code, check_rows(engine, device, &other, pose, image, true, error));
    krn_scene_free(&other);
    KRN_THEN(code, krn_device_set_scene(device, &engine->scene, error));
    if (code == KRN_OK)
        *uploaded = engine->serial;
    return code;
}

enum krn_code app_engine_pose(struct app_engine *engine, const struct app_state *state,
                              struct krn_error *error)
{
    return krn_device_set_pose(app_engine_device(engine, state), pose_of(engine, state), error);
}

enum krn_code app_engine_render(struct app_engine *engine, const struct app_state *state,
                                const struct krn_image *image, struct krn_error *error)
{
    adopt_view(engine, state);
    app_duel_stop(&engine->readings.duel);
    struct krn_device *device = app_engine_device(engine, state);
    const struct krn_mode mode = state->spec.mode;
    const struct krn_pose pose = pose_of(engine, state);
    enum krn_code code = check_other(engine, state, device, mode, pose, image, error);
    KRN_THEN(code, krn_device_set_pose(device, pose, error));
    const uint64_t tag = app_readings_frame_tag(&engine->readings);
    KRN_THEN(code, render_timed(engine, state, device, mode, image, tag, error));
    if (code == KRN_OK && is_due(engine, mode, check_chance))
        code = check_rows(engine, device, &engine->scene, pose, image, false, error);
    turn_on(engine, state);
    return code;
}

int app_warm_launches(double kernel_ms, double frame_ms)
{
    /* The frame must hardly get longer, and each launch costs the host some microseconds. */
    const double busy = 0.5, most_ms = 8.0;
    enum { MOST = 200 };
    if (!(kernel_ms > 0.0) || !(frame_ms > 0.0))
        return 0;
    const double wanted_ms = fmin(busy * frame_ms, most_ms) - kernel_ms;
    const double launches = wanted_ms / kernel_ms;
    return !(launches >= 1.0) ? 0 : launches > MOST ? MOST : (int)launches;
}

/* Allocates an image of the view's size that is never shown, if there is none yet. */
static enum krn_code spare_image(struct app_engine *engine, struct krn_device *device,
                                 struct krn_error *error)
{
    const struct krn_view *view = &engine->view;
    if (engine->spare_device == device && engine->spare.width == view->width &&
        engine->spare.height == view->height)
        return KRN_OK;
    if (engine->spare_device != NULL)
        krn_device_free_image(engine->spare_device, &engine->spare);
    engine->spare_device = device;
    const enum krn_code code =
        krn_device_alloc_image(device, view->width, view->height, &engine->spare, error);
    if (code != KRN_OK)
        engine->spare_device = NULL;
    return code;
}

enum krn_code app_engine_render_background(struct app_engine *engine, const struct app_state *state,
                                           enum app_background which, struct krn_error *error)
{
    const struct krn_mode mode = app_background_mode(which);
    struct krn_device *device = app_engine_device(engine, state);
    enum krn_code code = spare_image(engine, device, error);
    const uint64_t tag = app_readings_background_tag(&engine->readings, which);
    KRN_THEN(code, render_timed(engine, state, device, mode, &engine->spare, tag, error));
    engine->readings.background_busy = code == KRN_OK;
    engine->readings.background_ms = -1.0;
    return code;
}

enum krn_code app_engine_extra(struct app_engine *engine, const struct app_state *state,
                               int launches, struct krn_error *error)
{
    const struct krn_view view = engine->view;
    struct krn_device *device = app_engine_device(engine, state);
    enum krn_code code = launches > 0 ? spare_image(engine, device, error) : KRN_OK;
    for (int i = 0; code == KRN_OK && i < launches; i++)
        code =
            krn_device_render(device, state->spec.mode, &view, &engine->spare, KRN_UNTIMED, error);
    return code;
}

/* Who renders a side of a duel, and into what. */
struct seat {
    struct krn_device *device;
    struct krn_mode mode;
    const struct krn_image *image;
};

/* Renders a frame of a duel. between: who renders before each turn of an A/A duel whose side
 * otherwise takes turns with another backend; NULL: nobody. Two backends never share the GPU: each
 * turn waits for its end. The untimed launch that it begins with finds the other one's caches and
 * clocks; the timed one does not. */
static enum krn_code render_pair(struct app_engine *engine, const struct app_state *state,
                                 struct app_duel *duel, const struct seat seats[2],
                                 const struct seat *between, double now_s, struct krn_error *error)
{
    const struct krn_pose pose = pose_of(engine, state);
    const bool crosses = between != NULL || app_duel_crosses(duel);
    enum krn_code code = KRN_OK;
    for (int side = 0; code == KRN_OK && side < 2; side++)
        code = check_other(engine, state, seats[side].device, seats[side].mode, pose,
                           seats[side].image, error);
    for (int side = 0; code == KRN_OK && side < 2; side++)
        code = krn_device_set_pose(seats[side].device, pose, error);
    if (between)
        KRN_THEN(code, krn_device_set_pose(between->device, pose, error));
    bool a_first, checked = false;
    const uint32_t number = app_duel_begin(duel, now_s, &a_first);
    for (int turn = 0; code == KRN_OK && turn < 2; turn++) {
        const int side = a_first ? turn : 1 - turn;
        const struct seat *seat = &seats[side];
        const uint64_t tag =
            checked ? KRN_UNTIMED
                    : app_readings_duel_tag(&engine->readings, duel == &engine->readings.aa, number,
                                            side);
        for (int i = between ? 0 : 1; code == KRN_OK && crosses && i < 2; i++) {
            const struct seat *first = i == 0 ? between : seat;
            code = krn_device_render(first->device, first->mode, &engine->view, first->image,
                                     KRN_UNTIMED, error);
            KRN_THEN(code, krn_device_sync(first->device, error));
        }
        KRN_THEN(code,
                 render_timed(engine, state, seat->device, seat->mode, seat->image, tag, error));
        /* The other side would follow after a pause, and perhaps into this image: it does not
         * count then. */
        checked = code == KRN_OK && is_due(engine, seat->mode, check_chance);
        if (checked)
            code =
                check_rows(engine, seat->device, &engine->scene, pose, seat->image, false, error);
        /* Without this wait, two streams would share the GPU. */
        if (code == KRN_OK && (crosses || engine->rival))
            code = krn_device_sync(seat->device, error);
    }
    turn_on(engine, state);
    return code;
}

/* Starts a duel unless it is running. One of two backends gets the floor of each. */
static void start_duel(struct app_engine *engine, const struct app_state *state,
                       struct app_duel *duel, const struct app_duel_side sides[2], bool crosses)
{
    if (duel->on && app_duel_side_equal(duel->sides[0], sides[0]) &&
        app_duel_side_equal(duel->sides[1], sides[1]))
        return;
    double tick_ms = 0.0;
    app_duel_start(duel, sides, engine->band_percent);
    for (int side = 0; side < 2; side++) {
        struct app_state own = *state;
        own.spec.backend = sides[side].backend;
        own.spec.mode = sides[side].mode;
        tick_ms = fmax(tick_ms, krn_device_overheads(app_engine_device(engine, &own)).tick_ms);
        if (!crosses)
            continue;
        /* Anew: the clocks may have been low the last time. */
        engine->known[own.spec.backend].tried[krn_mode_index(own.spec.mode)] = false;
        app_engine_measure_overhead(engine, &own);
        duel->floor_ms[side] = app_engine_overhead(engine, own.spec.backend, own.spec.mode).ms;
    }
    krn_duel_set_tick(&duel->statistic, tick_ms);
}

/* Returns who renders a side of the state's duel. */
static struct seat seat_of(const struct app_engine *engine, const struct app_state *state, int side,
                           const struct krn_image *image)
{
    const struct app_duel_side of = app_state_side(state, side);
    return (struct seat){side == 1 && engine->rival ? engine->rival
                                                    : engine->connections[of.backend].device,
                         of.mode, image};
}

enum krn_code app_engine_render_duel(struct app_engine *engine, const struct app_state *state,
                                     const struct krn_image *const images[2], double now_s,
                                     struct krn_error *error)
{
    const struct seat seats[2] = {seat_of(engine, state, 0, images[0]),
                                  seat_of(engine, state, 1, images[1])};
    const struct app_duel_side sides[2] = {app_state_side(state, 0), app_state_side(state, 1)};
    adopt_view(engine, state);
    start_duel(engine, state, &engine->readings.duel, sides, app_state_crosses(state));
    return render_pair(engine, state, &engine->readings.duel, seats, NULL, now_s, error);
}

enum krn_code app_engine_render_aa(struct app_engine *engine, const struct app_state *state,
                                   int side, const struct krn_image *const images[2], double now_s,
                                   struct krn_error *error)
{
    const bool crosses = app_state_crosses(state);
    const struct seat own = seat_of(engine, state, side, images[side]),
                      other = seat_of(engine, state, 1 - side, images[1 - side]);
    const struct seat seats[2] = {own, own};
    const struct app_duel_side sides[2] = {app_state_side(state, side),
                                           app_state_side(state, side)};
    start_duel(engine, state, &engine->readings.aa, sides, crosses);
    return render_pair(engine, state, &engine->readings.aa, seats, crosses ? &other : NULL, now_s,
                       error);
}

const struct app_duel *app_engine_duel(const struct app_engine *engine)
{
    return engine->readings.duel.on ? &engine->readings.duel : NULL;
}

const struct app_duel *app_engine_aa(const struct app_engine *engine)
{
    return engine->readings.aa.on ? &engine->readings.aa : NULL;
}

void app_engine_stop_duel(struct app_engine *engine)
{
    app_duel_stop(&engine->readings.duel);
    app_duel_stop(&engine->readings.aa);
}

void app_engine_set_rival(struct app_engine *engine, struct krn_device *rival)
{
    engine->rival = rival;
}

void app_engine_lend(struct app_engine *engine, struct krn_device *device)
{
    struct connection *connection = &engine->connections[krn_device_describe(device)->backend];
    memset(connection, 0, sizeof *connection);
    connection->device = device;
}

const struct app_trace *app_engine_trace(const struct app_engine *engine)
{
    return &engine->readings.trace;
}

static int poll_device(struct app_engine *engine, struct krn_device *device)
{
    struct krn_reading reading;
    int taken = 0;
    while (device && app_readings_take(&engine->readings, device, &reading))
        taken++;
    return taken;
}

int app_engine_poll(struct app_engine *engine)
{
    int taken = poll_device(engine, engine->rival);
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        taken += poll_device(engine, engine->connections[id].device);
    return taken;
}

bool app_engine_take(struct app_engine *engine, enum krn_backend_id backend,
                     struct krn_reading *reading)
{
    return app_readings_take(&engine->readings, engine->connections[backend].device, reading);
}

void app_engine_set_hold(struct app_engine *engine, bool hold)
{
    engine->readings.hold = hold;
}

const struct krn_series *app_engine_series(const struct app_engine *engine,
                                           enum krn_backend_id backend, struct krn_mode mode)
{
    return app_readings_series(&engine->readings, backend, mode);
}

const struct krn_series *app_engine_binning(const struct app_engine *engine,
                                            enum krn_backend_id backend, struct krn_mode mode)
{
    return &app_readings_sized(&engine->readings, backend)->binning[mode.kernel][mode.storage];
}

const char *app_engine_scope(const struct app_engine *engine, enum krn_backend_id backend,
                             enum krn_kernel kernel)
{
    return engine->readings.backends[backend].scope[kernel];
}

void app_engine_measure_overhead(struct app_engine *engine, const struct app_state *state)
{
    const int mode = krn_mode_index(state->spec.mode);
    struct krn_device *device = app_engine_device(engine, state);
    struct known *known = &engine->known[state->spec.backend];
    struct krn_error unread;
    if (engine->known_epoch != engine->readings.epoch)
        memset(engine->known, 0, sizeof engine->known);
    engine->known_epoch = engine->readings.epoch;
    if (!known->tried[mode])
        (void)krn_device_overhead(device, state->spec.mode, &engine->view, &known->overheads[mode],
                                  &unread);
    if (!known->limit_tried)
        (void)krn_device_limit(device, &engine->view, &known->limit, &unread);
    known->tried[mode] = known->limit_tried = true;
}

struct krn_overhead app_engine_overhead(const struct app_engine *engine,
                                        enum krn_backend_id backend, struct krn_mode mode)
{
    return engine->known_epoch == engine->readings.epoch
               ? engine->known[backend].overheads[krn_mode_index(mode)]
               : (struct krn_overhead){.ms = 0.0};
}

struct krn_limit app_engine_limit(const struct app_engine *engine, enum krn_backend_id backend)
{
    return engine->known_epoch == engine->readings.epoch ? engine->known[backend].limit
                                                         : (struct krn_limit){.net_ms = 0.0};
}

enum app_regime app_engine_regime(const struct app_engine *engine, enum krn_backend_id backend,
                                  struct krn_mode mode)
{
    return app_readings_regime(&engine->readings, backend, mode);
}

double app_engine_core_share(const struct app_engine *engine, enum krn_backend_id backend)
{
    const struct krn_device *device = app_engine_connected(engine, backend);
    const struct app_backend_readings *own = &engine->readings.backends[backend];
    if (device == NULL || !(own->wall_ms > 0.0))
        return 0.0;
    return own->cpu_ms / own->wall_ms / krn_device_describe(device)->processors;
}

double app_engine_late_share(const struct app_engine *engine, enum krn_backend_id backend)
{
    const struct app_backend_readings *own = &engine->readings.backends[backend];
    return own->late > 0.0 ? own->late / (own->late + own->timed) : 0.0;
}

bool app_engine_background_busy(const struct app_engine *engine)
{
    return engine->readings.background_busy;
}

void app_engine_give_up_background(struct app_engine *engine)
{
    engine->readings.background_busy = false;
}

double app_engine_background_ms(const struct app_engine *engine)
{
    return engine->readings.background_ms;
}

const struct krn_series *app_engine_background(const struct app_engine *engine,
                                               enum krn_backend_id backend,
                                               enum app_background which)
{
    return &app_readings_sized(&engine->readings, backend)->background[which];
}

void app_engine_forget_background(struct app_engine *engine, enum krn_backend_id backend)
{
    app_readings_forget_background(&engine->readings, backend);
}

static struct app_mine_picture picture_of(const struct app_engine *engine,
                                          const struct app_state *state)
{
    const bool book = app_state_view(state) == KRN_VIEW_BOOK;
    return (struct app_mine_picture){.view = app_engine_view(state),
                                     .pose = krn_pose_at(state->spec.motion_s),
                                     .scene = engine->serial != 0 && book ? &engine->scene : NULL,
                                     .serial = engine->serial};
}

void app_engine_point_mine(struct app_engine *engine, const char *path)
{
    if (engine->mine == NULL)
        engine->mine = app_mine_new(path);
    else
        app_mine_point(engine->mine, path);
}

bool app_engine_follow_mine(struct app_engine *engine, const struct app_state *state, double now_s)
{
    const struct app_mine_picture picture = picture_of(engine, state);
    if (engine->mine == NULL || app_engine_device(engine, state) == NULL ||
        !app_mine_follow(engine->mine, state->spec.backend,
                         app_engine_ordinal(engine, state->spec.backend),
                         app_engine_device(engine, state), &picture, now_s))
        return false;
    app_engine_stop_duel(engine);
    app_readings_begin_epoch(&engine->readings);
    return true;
}

enum krn_code app_engine_await_mine(struct app_engine *engine, const struct app_state *state,
                                    bool window, struct krn_error *error)
{
    const struct app_mine_picture picture = picture_of(engine, state);
    engine->waits = !window;
    return app_mine_await(engine->mine, state->spec.backend,
                          app_engine_ordinal(engine, state->spec.backend),
                          app_engine_device(engine, state), &picture, !window, error);
}

enum krn_code app_engine_try_mine(struct app_engine *engine, const struct app_state *state,
                                  bool wait, bool *tried, struct krn_error *error)
{
    const struct timespec moment = {0, 2000000};
    const struct app_mine_picture picture = picture_of(engine, state);
    *tried = engine->mine == NULL || picture.scene == NULL;
    while (!*tried) {
        const enum krn_code code = app_mine_try(
            engine->mine, state->spec.backend, app_engine_ordinal(engine, state->spec.backend),
            app_engine_device(engine, state), &picture, tried, error);
        if (code != KRN_OK || !wait)
            return code;
        if (app_interrupted())
            return KRN_FAIL(error, KRN_CANCELLED, "The work was cancelled.");
        if (!*tried)
            nanosleep(&moment, NULL);
    }
    return KRN_OK;
}

const char *app_engine_mine_wrong(const struct app_engine *engine)
{
    return engine->mine != NULL &&
                   strcmp(engine->watch.hash, app_mine_status(engine->mine)->hash) == 0
               ? engine->watch.wrong
               : "";
}

const struct app_mine_status *app_engine_mine(const struct app_engine *engine)
{
    return engine->mine != NULL ? app_mine_status(engine->mine) : NULL;
}

void app_engine_facts(const struct app_engine *engine, struct app_facts *facts)
{
    const struct app_mine_status *mine = app_engine_mine(engine);
    facts->has_mine = mine != NULL && mine->ready;
    facts->mine_storage = facts->has_mine ? mine->storage : KRN_STORAGE_GLOBAL;
    const double pixels = (double)engine->view.width * engine->view.height;
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        for (int i = 0; i < KRN_MODES_MAX; i++) {
            const struct krn_mode mode = krn_mode_at(i);
            const struct krn_series *series =
                app_engine_series(engine, (enum krn_backend_id)id, mode);
            /* A rate outlives the numbers it came from: it predicts the next scene. */
            if (series->count > 0)
                facts->rate[id][mode.kernel][mode.storage]
                           [krn_pixels_index(mode.pixels_per_thread)] =
                    app_nominal_tests(mode, pixels, engine->scene.count, &engine->light) /
                    app_readings_undisturbed(series);
        }
}
