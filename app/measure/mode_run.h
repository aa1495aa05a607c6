/* app/measure/mode_run.h - headless measurements: every mode of the ray tracer, each verified. */
#ifndef APP_MEASURE_H
#define APP_MEASURE_H

#include "engine/engine.h"
#include "judge/verified.h"

#include "krn/error.h"
#include "krn/interval.h"
#include "krn/stats.h"

#include <stdio.h>

enum { APP_MEASURE_SAMPLES = 1000, APP_MEASURE_BATCH = 20 };

/* High end less low end of the interval, over the median. */
#define APP_MEASURE_WIDTH 0.01

/* What one mode gave. */
struct app_mode_result {
    struct krn_mode mode;
    char refused[APP_NOTICE_MAX];           /* why the mode cannot render this scene; "": it can */
    double samples_ms[APP_MEASURE_SAMPLES]; /* in the order in which they were taken */
    size_t n;
    struct krn_summary summary;
    struct krn_interval interval; /* of the median, bootstrapped */
    bool settled;                 /* samples before that are not among them */
    enum krn_stop stop;
    double binning_ms; /* median of the part that sorts spheres into lists; 0: there is none */
    double batched_ms; /* of one launch among APP_MEASURE_BATCH; 0: not near the floor */
    const char *scope; /* what lies between the time stamps */
    enum app_verified verified;
    char verified_text[192]; /* what was compared, or why not */
};

struct app_measurement {
    struct app_mode_result modes[KRN_MODES];
    int count;
    double tests; /* nominal, a frame: pixels x spheres */
    struct krn_overheads overheads;
    struct krn_telemetry_reading telemetry; /* when the last sample was taken */
};

/* Measures every mode on the state's backend, with the state's scene, view and pose, in turns of a
 * few frames so that drift meets all of them alike. A mode's first samples are dropped when its
 * last ones have settled. It ends when the interval of its median is narrower than
 * APP_MEASURE_WIDTH, after APP_MEASURE_SAMPLES samples, or with `seconds` in all; every mode gets
 * one sample at least. frames > 0: exactly so many samples instead, unless the time is up, and
 * none is dropped. Each mode's picture is held against the double-precision reference.
 * progress: NULL, or a terminal that gets one line, rewritten. */
enum krn_code app_measure_modes(struct app_engine *engine, struct app_state *state, int frames,
                                double seconds, FILE *progress, struct app_measurement *measurement,
                                struct krn_error *error);

/* Renders each mode once more and holds the whole picture against the reference. Interrupted, the
 * pictures stay unverified. */
enum krn_code app_measure_verify(const struct app_engine *engine, const struct app_state *state,
                                 struct app_measurement *measurement, struct krn_error *error);

/* False when a picture was wrong. */
bool app_measure_all_right(const struct app_measurement *measurement);

/* The table, for people. */
void app_measure_print(const struct app_measurement *measurement, const struct app_engine *engine,
                       const struct app_state *state, FILE *out);

#endif
