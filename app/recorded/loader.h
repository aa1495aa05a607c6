/* app/recorded/loader.h - reads a recorded run in a thread of its own, so that a window's first
 * frames do not wait for megabytes of samples. */
#ifndef APP_RECORDED_LOADER_H
#define APP_RECORDED_LOADER_H

#include "recorded/recorded.h"

struct app_recorded_loader;

/* Starts to read a run (app_recorded_open). NULL: no thread; then there is no run. */
struct app_recorded_loader *app_recorded_loader_start(const char *names, double band_percent);

/* Makes a loader that has a run already, which it closes. */
struct app_recorded_loader *app_recorded_loader_of(struct app_recorded *recorded);

/* Returns the run; NULL: it is not there yet, or could not be read. The loader keeps it. NULL is
 * fine. */
const struct app_recorded *app_recorded_loader_poll(struct app_recorded_loader *loader);

/* Does the same, but waits for the end of reading. */
const struct app_recorded *app_recorded_loader_wait(struct app_recorded_loader *loader);

/* Waits for the thread and closes the run. NULL is fine. */
void app_recorded_loader_close(struct app_recorded_loader *loader);

#endif
