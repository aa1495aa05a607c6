/* app/engine/engine.h - renders and measures what the state asks for; knows no OpenGL.
 *
 * Windows, offscreen pictures and benchmarks all go through it: state -> scene (uploaded once) ->
 * pose -> kernel between two time stamps -> readings -> statistics per mode. The engine is opaque:
 * what others need, the functions below return. Pointers that they return stay valid until the
 * engine is closed; what lies behind them changes with app_engine_poll.
 */
#pragma once

#include "base/value.h"
#include "command/entry.h"
#include "engine/mine.h"
#include "engine/readings.h"
#include "model/estimate.h"
#include "spec/state.h"

#include "krn/device.h"
#include "krn/error.h"
#include "krn/scene.h"
#include "krn/stats.h"
#include "krn/telemetry.h"

#include <stdbool.h>
#include <stdint.h>

/* Returns the real path of the folder in which a scene file must lie or below, also behind symbolic
 * links; NULL: it may lie anywhere. */
typedef const char *app_scene_folder(const void *context, const char *path);

struct app_engine;

/* --- opening and closing --- */

/* Creates an engine, connects the backend that `run` asks for and sets state->backend. auto: the
 * CUDA device, or the CPU backend with the reason in `notice` (else ""). Errors, after which
 * *engine is NULL: KRN_UNAVAILABLE when a backend or a device that was asked for is not available
 * (exit code 4), KRN_NO_MEMORY. */
enum krn_code app_engine_open(struct app_engine **engine, const struct app_run *run,
                              struct app_state *state, char notice[APP_NOTICE_MAX],
                              struct krn_error *error);

/* Creates an engine for another scene on the same devices, connected to nothing yet and without
 * telemetry. Its device is one of its own; what it shares with the other's are constant banks. */
struct app_engine *app_engine_beside(const struct app_engine *engine);

/* Closes every device and frees the engine; NULL is fine. */
void app_engine_close(struct app_engine *engine);

/* Closes one backend's device, because it is lost, and drops its numbers. */
void app_engine_drop(struct app_engine *engine, enum krn_backend_id backend);

/* Lets the CPU backend take the place of a lost device, and writes the reason into `notice`.
 * Returns false, and changes nothing, when `run` names the backend or the device, or when the CPU
 * backend itself has failed. */
bool app_engine_replace(struct app_engine *engine, const struct app_run *run,
                        struct app_state *state, char notice[APP_NOTICE_MAX],
                        const struct krn_error *why);

/* Returns true when app_engine_replace has replaced this backend: connecting it again may help. */
bool app_engine_has_replaced(const struct app_engine *engine, enum krn_backend_id backend);

/* Connects the backend and uploads the scene that *state names, as far as they changed. A scene
 * file's number of spheres goes into state->recipe.count. A failure leaves intact what ran before:
 * put the old state back and go on. Errors: KRN_REFUSED (mode or scene), KRN_UNAVAILABLE,
 * KRN_NO_MEMORY, KRN_FAILED; KRN_LOST: close the device with app_engine_drop. */
enum krn_code app_engine_adopt(struct app_engine *engine, struct app_state *state,
                               struct krn_error *error);

/* Puts a copy of a scene and of the note on it in the place of the file at `path`, which is then
 * never opened. Errors: KRN_NO_MEMORY. */
enum krn_code app_engine_set_file(struct app_engine *engine, const char *path,
                                  const struct krn_scene *scene, const char *note,
                                  struct krn_error *error);

/* Keeps scene files in the folder that folder_of(context, path) returns for them: whoever gives a
 * talk has not named the files of its steps. The context must outlive the engine's use. */
void app_engine_confine(struct app_engine *engine, app_scene_folder *folder_of,
                        const void *context);

/* Forgets that the scene is on the backend's device: other programs have written its constant
 * memory. The next app_engine_adopt uploads it again. */
void app_engine_forget_upload(struct app_engine *engine, enum krn_backend_id backend);

/* --- connection and scene --- */

/* Returns the device of the state's backend, after app_engine_adopt. */
struct krn_device *app_engine_device(const struct app_engine *engine,
                                     const struct app_state *state);

/* Returns the device of a backend; NULL when it is not connected. */
struct krn_device *app_engine_connected(const struct app_engine *engine,
                                        enum krn_backend_id backend);

/* Returns the ordinal of the device that the backend connects to. */
int app_engine_ordinal(const struct app_engine *engine, enum krn_backend_id backend);

/* Returns the telemetry of the backend's device; NULL, which krn/telemetry.h accepts, where it has
 * none. */
struct krn_telemetry *app_engine_monitor(const struct app_engine *engine,
                                         enum krn_backend_id backend);

/* Reads the newest clocks, power and temperature of the backend's device. */
void app_engine_telemetry(const struct app_engine *engine, enum krn_backend_id backend,
                          struct krn_telemetry_reading *reading);

/* Returns the scene that app_engine_adopt loaded. */
const struct krn_scene *app_engine_scene(const struct app_engine *engine);

/* Returns the note on the file of that scene; "": there is none. */
const char *app_engine_scene_note(const struct app_engine *engine);

/* Returns the view that the state asks for. */
struct krn_view app_engine_view(const struct app_state *state);

/* Returns the view of the newest frame; zeroed before the first. */
struct krn_view app_engine_current_view(const struct app_engine *engine);

/* Returns the nominal intersection tests of one frame of this scene and view: pixels x spheres. */
double app_engine_tests(const struct app_engine *engine);

/* Returns the number of scenes and views so far: numbers of another epoch belong to another
 * picture.
 */
uint32_t app_engine_epoch(const struct app_engine *engine);

/* Returns the half width of the band, in percent, within which a duel calls its sides equal. */
double app_engine_band_percent(const struct app_engine *engine);

/* --- rendering --- */

/* Applies the frame's pose to the scene on the device. Optional: the calls below do it where it was
 * not done. Errors: as krn_device_set_pose. */
enum krn_code app_engine_pose(struct app_engine *engine, const struct app_state *state,
                              struct krn_error *error);

/* Poses and renders one frame into image. On a GPU it returns before the frame is done. Errors: as
 * krn_device_render. */
enum krn_code app_engine_render(struct app_engine *engine, const struct app_state *state,
                                const struct krn_image *image, struct krn_error *error);

/* Renders both modes of the state's duel, one right after the other; which one comes first
 * alternates. images: A's and B's, may be one and the same unless the duel crosses backends
 * (app_duel_crosses). A duel of other modes, another backend, scene or view starts anew. now_s:
 * when the frame began. Errors: as app_engine_render. */
enum krn_code app_engine_render_duel(struct app_engine *engine, const struct app_state *state,
                                     const struct krn_image *const images[2], double now_s,
                                     struct krn_error *error);

/* Renders a frame of the A/A duel of one side (0: A, 1: B) of the state's duel: that side twice,
 * one right after the other, into its image; where the duel crosses backends, the other side
 * renders untimed before each. It ends with the duel. Errors: as app_engine_render. */
enum krn_code app_engine_render_aa(struct app_engine *engine, const struct app_state *state,
                                   int side, const struct krn_image *const images[2], double now_s,
                                   struct krn_error *error);

/* Returns the number of extra launches that keep a device busy half of the time, given the times of
 * the kernel and the frame in ms; 0 when the kernel alone does. */
int app_warm_launches(double kernel_ms, double frame_ms);

/* Launches the state's kernel `launches` more times, untimed, into an image of its own. */
enum krn_code app_engine_extra(struct app_engine *engine, const struct app_state *state,
                               int launches, struct krn_error *error);

/* --- readings --- */

/* Takes all readings that are ready; returns how many of them count. */
int app_engine_poll(struct app_engine *engine);

/* Takes the backend's next reading that counts, and copies it to *reading; false: none is ready. */
bool app_engine_take(struct app_engine *engine, enum krn_backend_id backend,
                     struct krn_reading *reading);

/* Holds the numbers: readings that come meanwhile are dropped. */
void app_engine_set_hold(struct app_engine *engine, bool hold);

/* Returns the times of a mode on a backend, ms, for this scene and view. */
const struct krn_series *app_engine_series(const struct app_engine *engine,
                                           enum krn_backend_id backend, struct krn_mode mode);

/* Returns the part of a mode's times that sorts the spheres into tiles or a tree, ms; empty where
 * the kernel does not. */
const struct krn_series *app_engine_binning(const struct app_engine *engine,
                                            enum krn_backend_id backend, struct krn_mode mode);

/* Returns what lies between the time stamps of a kernel's newest reading, in words; NULL before it.
 */
const char *app_engine_scope(const struct app_engine *engine, enum krn_backend_id backend,
                             enum krn_kernel kernel);

/* Measures the overhead of the state's mode for the view of the newest frame (krn_device_overhead)
 * and the view's limit (krn_device_limit), unless they were measured or failed before. Call it
 * between frames: it waits for the newest frame, and on a GPU takes about 1 ms, with the limit
 * 5 ms. */
void app_engine_measure_overhead(struct app_engine *engine, const struct app_state *state);

/* Returns the overhead of a mode for this scene and view. */
struct krn_overhead app_engine_overhead(const struct app_engine *engine,
                                        enum krn_backend_id backend, struct krn_mode mode);

/* Returns the limit of this scene and view on a backend; zeroed: unknown. */
struct krn_limit app_engine_limit(const struct app_engine *engine, enum krn_backend_id backend);

/* Returns the state of the device when a mode's newest frames were queued. */
enum app_regime app_engine_regime(const struct app_engine *engine, enum krn_backend_id backend,
                                  struct krn_mode mode);

/* Returns the fraction of CPU time that this process received during the backend's newest kernels;
 * 0 when it is unknown, as on a GPU. When it is well under 1, other programs compute too, and the
 * scheduler's time slices determine how long a frame takes. */
double app_engine_core_share(const struct app_engine *engine, enum krn_backend_id backend);

/* Returns the share of the backend's newest launches that gave no time because the host was late.
 */
double app_engine_late_share(const struct app_engine *engine, enum krn_backend_id backend);

/* Fills in the rates of all modes that have been measured, tests per ms. */
void app_engine_facts(const struct app_engine *engine, struct app_facts *facts);

/* Returns the running duel; NULL when the last frame belonged to none. */
const struct app_duel *app_engine_duel(const struct app_engine *engine);

/* Returns the running A/A duel of one side; NULL when there is none. */
const struct app_duel *app_engine_aa(const struct app_engine *engine);

/* Ends the running duel and its A/A duel; the next frame of a duel starts a new one. */
void app_engine_stop_duel(struct app_engine *engine);

/* Returns the newest kernel times of all modes, in the order of their frames. */
const struct app_trace *app_engine_trace(const struct app_engine *engine);

/* --- background frames --- */

/* Renders the frame's scene, in its present pose, once more into an image of its own. Errors:
 * KRN_REFUSED when the scene does not fit the mode, else as app_engine_render. */
enum krn_code app_engine_render_background(struct app_engine *engine, const struct app_state *state,
                                           enum app_background which, struct krn_error *error);

/* Returns true until the background frame's reading has come or is given up. */
bool app_engine_background_busy(const struct app_engine *engine);

/* Gives up the reading of the background frame that is under way. */
void app_engine_give_up_background(struct app_engine *engine);

/* Returns the time of the newest background frame in ms, whether it counts or not; < 0: it gave no
 * reading. */
double app_engine_background_ms(const struct app_engine *engine);

/* Returns the times of background frames on a backend, ms, for this scene and view. */
const struct krn_series *app_engine_background(const struct app_engine *engine,
                                               enum krn_backend_id backend,
                                               enum app_background which);

/* Drops the times of a backend's background frames. */
void app_engine_forget_background(struct app_engine *engine, enum krn_backend_id backend);

/* --- the kernel of --kernel-file --- */

/* Has the engine follow another file (app_mine_point), or its first one. */
void app_engine_point_mine(struct app_engine *engine, const char *path);

/* Follows the file (app_mine_follow), and begins anew with another version. Returns true then. Call
 * it between frames. */
bool app_engine_follow_mine(struct app_engine *engine, const struct app_state *state, double now_s);

/* Waits for the file's present version (app_mine_await). Without a window, app_engine_adopt waits
 * for trials from then on. */
enum krn_code app_engine_await_mine(struct app_engine *engine, const struct app_state *state,
                                    bool window, struct krn_error *error);

/* Has the file's kernel try the adopted scene in the state's size (app_mine_try). *tried: it may
 * render now; wait: until then. Errors: as app_mine_try, KRN_CANCELLED. */
enum krn_code app_engine_try_mine(struct app_engine *engine, const struct app_state *state,
                                  bool wait, bool *tried, struct krn_error *error);

/* Returns what that kernel, as it is in the file, did wrong in a frame that was timed, a sentence;
 * "": nothing was seen. Random rows of random frames are compared with the reference. Before each
 * timed frame of the book view, whichever kernel renders it, the image is filled with other bytes,
 * and where the motion stands still, its pose differs from the last one by an invisible random
 * angle: a picture that was kept is wrong. */
const char *app_engine_mine_wrong(const struct app_engine *engine);

/* Returns what is known of the file; NULL: none was named. */
const struct app_mine_status *app_engine_mine(const struct app_engine *engine);

/* --- for tests --- */

/* Creates an engine that is connected to nothing. */
struct app_engine *app_engine_new(const struct app_run *run);

/* Connects the engine to a device that the test made; app_engine_close closes it. */
void app_engine_lend(struct app_engine *engine, struct krn_device *device);

/* Renders side B of duels on `rival`, a device of the same backend whose scene the test chose, so
 * that the true ratio is known. NULL ends that. The rival stays the caller's. */
void app_engine_set_rival(struct app_engine *engine, struct krn_device *rival);
