/* app/engine/mine.h - the kernel of --kernel-file: follows the file, and lets a process of its own
 * compile, run and verify each version. Only what has passed there is loaded, and until then the
 * version before stays: no file can stop the show. */
#pragma once

#include "base/value.h"
#include "model/estimate.h"
#include "spec/state.h"

#include "krn/mine.h"

struct app_mine;

/* A picture that the kernel is to render; the view is the book's. */
struct app_mine_picture {
    struct krn_view view;
    struct krn_pose pose;
    const struct krn_scene *scene; /* NULL: there is none yet */
    unsigned serial;               /* another one for each scene */
    int spheres;                   /* within a job: the scene's */
};

/* Returns the number of a file's present version: another one for another text, header or time. */
uint64_t app_mine_version(const char *path);

/* Opens nothing yet. */
struct app_mine *app_mine_new(const char *path);

/* Follows another file from now on, with the same process, and forgets the one before. */
void app_mine_point(struct app_mine *mine, const char *path);

/* Ends its process and frees it; NULL is fine. */
void app_mine_free(struct app_mine *mine);

/* Looks whether the file has changed, has a changed one tested, the last test being the picture,
 * and loads onto the device what has passed. Never waits. Returns true when another version was
 * loaded.
 */
bool app_mine_follow(struct app_mine *mine, enum krn_backend_id backend, int ordinal,
                     struct krn_device *device, const struct app_mine_picture *picture,
                     double now_s);

/* Follows the file until its present version has passed or failed. patient: there is no window,
 * so pictures may take minutes, from now on. Errors: KRN_REFUSED: the fault; KRN_CANCELLED. */
enum krn_code app_mine_await(struct app_mine *mine, enum krn_backend_id backend, int ordinal,
                             struct krn_device *device, const struct app_mine_picture *picture,
                             bool patient, struct krn_error *error);

/* Has the loaded version try a picture, unless it has rendered one of this size and scene in a
 * process before. Never waits: *tried is false while that goes on; call it again. Errors:
 * KRN_REFUSED: what the kernel does wrong there; KRN_FAILED. */
enum krn_code app_mine_try(struct app_mine *mine, enum krn_backend_id backend, int ordinal,
                           struct krn_device *device, const struct app_mine_picture *picture,
                           bool *tried, struct krn_error *error);

const struct app_mine_status *app_mine_status(const struct app_mine *mine);

/* Gives the state's modes of this kernel the storage that its file has. */
void app_mine_adapt(const struct app_mine_status *status, struct app_state *state);

/* Returns true when this process is one that tests a kernel, after it has done so. */
bool app_mine_child_main(int argc, char *const argv[], int *exit_code);
