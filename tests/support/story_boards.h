/* tests/support/story_boards.h - made-up story plots for tests of drawing. */
#pragma once

#include "expect.h"

#include "measure/mode_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Kinds of boards. */
enum kind { EMPTY, FILLING, COMPLETE, WRONG, CPU, STOPPED, THROTTLED, KINDS };
static const char *const kind_names[KINDS] = {"empty", "filling", "complete", "wrong",
                                              "cpu",   "stopped", "throttled"};

static inline struct app_estimate made_up(double ms, unsigned trust)
{
    const struct krn_interval interval = {true, 0.99 * ms, 1.02 * ms};
    struct app_estimate estimate = app_estimate_of_run(ms, interval, 0.0);
    estimate.trust = trust;
    return estimate;
}

/* Returns a plausible time of a mode on a GPU, or on a CPU. */
static inline double time_of(struct krn_mode mode, int spheres, bool cpu)
{
    static const double by_storage[] = {1.0, 0.97, 0.62, 0.8, 1.6};
    _Static_assert(sizeof by_storage / sizeof *by_storage == KRN_STORAGE_COUNT,
                   "every storage needs a factor");
    const double n = spheres;
    if (mode.kernel == KRN_KERNEL_BOOK)
        return cpu ? 0.4 * n : 0.004 + 0.0011 * n * by_storage[mode.storage];
    if (mode.kernel == KRN_KERNEL_STRIP)
        return (cpu ? 0.004 * n : 0.004 + 0.00012 * n * (1.0 + 0.02 * by_storage[mode.storage])) *
               (1.0 + 0.1 * fabs(mode.pixels_per_thread - 8.0));
    return cpu ? 0.3 + 0.01 * n : 0.02 + 0.00008 * n;
}

static inline struct app_story_view *story_board_of(enum kind kind)
{
    static const struct app_sweep_values counts = {{10, 20, 50, 100, 200, 500, 1000, 2000, 5000},
                                                   9};
    struct app_story_view *view = calloc(1, sizeof *view);
    assert_non_null(view);
    view->width = view->height = 1024;
    view->begun = kind != EMPTY;
    view->done = kind == COMPLETE || kind == CPU;
    view->progress = kind == FILLING ? 0.37 : 1.0;
    view->sweep = app_sweep_new(KRN_VIEW_BOOK, &counts, NULL);
    view->sweep->one_storage = kind == CPU;
    if (kind == STOPPED)
        snprintf(view->why, sizeof view->why,
                 "No memory for the image: cudaMalloc failed with out of memory.");
    for (int m = 0; m < KRN_MODES && kind != EMPTY && kind != STOPPED; m++)
        for (int at = 0; at < counts.count; at++) {
            const struct krn_mode mode = krn_mode_at(m);
            const bool wrong = kind == WRONG && mode.storage == KRN_STORAGE_CONSTANT;
            const struct app_estimate ms =
                made_up(time_of(mode, counts.at[at], kind == CPU),
                        wrong               ? APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE)
                        : kind == THROTTLED ? APP_TRUST_BIT(APP_TRUST_THROTTLED)
                                            : 0);
            if (krn_mode_view(mode) != KRN_VIEW_BOOK ||
                (kind == CPU && mode.storage != KRN_STORAGE_GLOBAL) ||
                krn_mode_check(mode, counts.at[at], &error) != KRN_OK ||
                (kind == FILLING && (at + m) % 3 == 1) || (kind == CPU && ms.value > 100.0))
                continue;
            app_sweep_put(view->sweep, m, at, &ms, NULL);
            view->sweep->limit_ms[at] = 0.0042 + 1e-7 * counts.at[at];
            view->least = 6;
            view->trust |= ms.trust | (kind == FILLING ? APP_TRUST_BIT(APP_TRUST_NEAR_FLOOR) : 0);
        }
    if (kind == CPU)
        snprintf(view->left_out, sizeof view->left_out,
                 "Left out, over 100 ms per frame: book from 500 spheres.");
    app_story_headline_of(view->sweep, 1.0, &view->headline);
    return view;
}

static inline void story_board_free(struct app_story_view *view)
{
    free(view->sweep);
    free(view);
}
