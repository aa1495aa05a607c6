/* app/engine/verify_job.h - compares pictures with the double-precision reference, on a thread of
 * its own (inside app/engine only). */
#pragma once

#include "krn/device.h"
#include "krn/error.h"
#include "krn/reference.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct app_verify_job;

/* A job about a scene, which is copied, in a pose, drawn as modes of `kind` do. rounds: they may
 * round otherwise than all modes of the view promise. NULL when memory is full. */
struct app_verify_job *app_verify_job_new(const struct krn_scene *scene, struct krn_pose pose,
                                          enum krn_view_kind kind, const struct krn_view *view,
                                          bool rounds);

/* Cancels the thread, waits for it and frees the job; NULL is fine. */
void app_verify_job_free(struct app_verify_job *job);

/* Copies the picture at `image` from the device, unless one with the same hash has been copied
 * already. *index: its place. most: different pictures that are kept. Before the thread starts.
 * Errors: KRN_NO_MEMORY, KRN_FAILED (too many), as krn_device_read. */
enum krn_code app_verify_job_add(struct app_verify_job *job, struct krn_device *device,
                                 const struct krn_image *image, uint64_t hash, int most, int *index,
                                 struct krn_error *error);

/* Returns the number of different pictures. */
int app_verify_job_pictures(const struct app_verify_job *job);

/* Starts the thread; returns false when the system provides none. */
bool app_verify_job_start(struct app_verify_job *job);

/* Returns true while the thread computes. */
bool app_verify_job_running(const struct app_verify_job *job);

/* Waits for the thread. Errors: those of krn_reference_render. */
enum krn_code app_verify_job_finish(struct app_verify_job *job, struct krn_error *error);

/* Returns the verdict on a picture, after app_verify_job_finish. */
const struct krn_verdict *app_verify_job_verdict(const struct app_verify_job *job, int index);

/* Returns how many pixels of a picture are not the bytes that all modes of the view promise;
 * counted where `rounds`, or where pictures differ. */
size_t app_verify_job_rounded(const struct app_verify_job *job, int index);

/* Writes that verdict as a sentence. */
void app_verify_job_text(const struct app_verify_job *job, int index, char *text, size_t size);

/* Returns the number of pixels that the reference would draw; each costs about 10 ns. In the light
 * view it follows rays through a tree, and a large scene is compared with the CPU's splat kernel
 * and, in 64 rows, by brute force: the number is that of pixels which cost as much. */
double app_verify_pixels(const struct krn_scene *scene, enum krn_view_kind kind,
                         const struct krn_view *view);
