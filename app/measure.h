/* app/measure.h - headless measurements: every mode of the ray tracer, each verified. */
#ifndef APP_MEASURE_H
#define APP_MEASURE_H

#include "engine.h"
#include "record.h"

#include "krn/error.h"
#include "krn/stats.h"

#include <stdio.h>

enum { APP_MEASURE_SAMPLES = 200 };

/* What one mode gave. */
struct app_measured {
    struct krn_mode mode;
    char refused[APP_NOTICE_MAX];           /* why the mode cannot render this scene; "": it can */
    double samples_ms[APP_MEASURE_SAMPLES]; /* in the order in which they were taken */
    size_t n;
    struct krn_summary summary;
    double lists_ms;   /* median of the part that sorts spheres into lists; 0: there is none */
    const char *scope; /* what lies between the time stamps */
    enum app_verified verified;
    char verified_text[160]; /* what was compared, or why not */
};

struct app_measurement {
    struct app_measured modes[KRN_MODES];
    int count;
    double tests; /* nominal, a frame: pixels x spheres */
    struct krn_floors floors;
};

/* Measures every mode on the state's backend, with the state's scene, view and pose, in turns of a
 * few frames so that drift meets all of them alike. Ends after APP_MEASURE_SAMPLES samples a mode,
 * `frames` when > 0, or `seconds` in all, whatever comes first; every mode gets one sample at
 * least. Each mode's picture is held against the double-precision reference.
 * progress: NULL, or a terminal that gets one line, rewritten. */
enum krn_code app_measure_modes(struct app_engine *engine, struct app_state *state, int frames,
                                double seconds, FILE *progress, struct app_measurement *measurement,
                                struct krn_error *error);

/* False when a picture was wrong. */
bool app_measure_all_right(const struct app_measurement *measurement);

/* The table, for people. */
void app_measure_print(const struct app_measurement *measurement, const struct app_engine *engine,
                       const struct app_state *state, FILE *out);

#endif
