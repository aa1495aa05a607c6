/* app/measure/probe_run.h - headless measurement of one topic's probes, each verified against the
 * host. */
#ifndef APP_PROBE_RUN_H
#define APP_PROBE_RUN_H

#include "judge/probe_result.h"

#include "krn/error.h"
#include "krn/interval.h"
#include "krn/telemetry.h"

#include <stdbool.h>
#include <stdio.h>

enum { APP_PROBE_SAMPLES = 300 };

/* A probe's samples, in the order in which they were taken. */
struct app_probe_samples {
    double ms[APP_PROBE_SAMPLES], cycles[APP_PROBE_SAMPLES];
    size_t n;
    bool settled; /* samples before that are not among them */
    enum krn_stop stop;
    char verified_text[160]; /* what was compared, or what is wrong */
};

/* One topic, measured; its own copies throughout. Zeroed is empty. */
struct app_probe_run {
    enum krn_topic topic;
    struct krn_device_info device;
    struct krn_probe *probes;          /* view.count of them */
    struct app_probe_result *probed;   /* the same */
    struct app_probe_samples *samples; /* the same */
    struct app_probes_view view;
    struct krn_telemetry_reading telemetry; /* when the last sample was taken */
    double empty_kernel_ms;
    double seconds;     /* that it took, verification left out */
    char left_out[320]; /* why some of the topic's series are not there, a sentence; "" */
};

/* Measures all probes of `topic`, in turns of a few runs so that drift meets all of them alike. The
 * first run of a turn meets the caches of another probe and is dropped, and a probe's first samples
 * are when its last ones have settled. A probe ends when the interval of its median is narrower
 * than APP_MEASURE_WIDTH, or with APP_PROBE_SAMPLES; all end with `seconds`, each with one sample
 * at least. 0 < frames < APP_PROBE_SAMPLES: exactly so many samples
 * instead, unless the time is up. Then each is run
 * once more and its whole result held against the host's. progress: NULL, or a terminal that gets
 * one line, rewritten. Errors: as krn_probes_open; what was measured until then is in *run all the
 * same. */
enum krn_code app_probe_run_topic(struct krn_device *device, struct krn_telemetry *telemetry,
                                  enum krn_topic topic, int frames, double seconds, FILE *progress,
                                  struct app_probe_run *run, struct krn_error *error);
void app_probe_run_free(struct app_probe_run *run);

/* False when a check or a verification found something wrong. */
bool app_probe_run_right(const struct app_probe_run *run);

/* One view of several runs on one device; its array is allocated and to be freed. NULL probed when
 * there is nothing, or memory is full. */
struct app_probes_view app_probe_runs_view(const struct app_probe_run *runs, int count);

/* What a check saw, in words. */
void app_check_text(const struct krn_check *check, char *text, size_t size);

#endif
