/* app/model/estimate.h - a number with its interval, and what each process measured; the time of a
 * mode, under which conditions it was taken, and what is known of its picture.
 *
 * Every function but app_trace_push is pure and thread safe.
 */
#pragma once

#include "base/value.h"

#include "krn/across.h"
#include "krn/device.h"
#include "krn/mode.h"
#include "krn/properties.h"
#include "krn/reference.h"

#include <stdbool.h>
#include <stddef.h>

/* A board of claims is read as a whole, so its rows share one chance in a hundred of a wrong word
 * (Bonferroni): each rests on an interval at this level, 99.9412 %. From one process's samples,
 * order statistics hold it, from 12 samples on. Simulated with 12 to 24 of them, a bootstrapped
 * interval misses the median 3 to 4 times as often, a stretched 95 % interval up to 17 times. */
enum { APP_BOARD_ROWS = 17, APP_BOARD_SAMPLES = 12 };
#define APP_BOARD_LEVEL (1.0 - 0.01 / APP_BOARD_ROWS)

/* With two processes or more, `value` is their geometric mean and the interval is Student's t over
 * them: it speaks about other runs as well. With one process, the interval is from its samples
 * alone, and everything that shows it says "this run". */
struct app_estimate {
    bool valid; /* false: not measured, or the metric does not apply */
    bool has_interval;
    double value, low, high;        /* low <= value <= high */
    double level;                   /* of the interval; 0: KRN_INTERVAL_LEVEL */
    double widen;                   /* half the clock's tick as a fraction of the value */
    size_t processes;               /* valid: 1 at least */
    double each[KRN_PROCESSES_MAX]; /* the processes' values, in the order of the run */
    int number[KRN_PROCESSES_MAX];  /* the processes' numbers in the run, 1 for the first */
    unsigned trust;                 /* enum app_trust_reason bits of everything that it rests on */
    bool copied;                    /* from the record of another run */
    size_t recorded;                /* copied: the processes of that run; 0: unknown */
};

/* The time of a mode of the ray tracer with the work of its frames. */
struct app_mode_work {
    struct krn_mode mode;
    double flops, bytes;    /* of one frame (engine/work.h) */
    struct app_estimate ms; /* its kernel time */
};

/* Returns a number that has neither an interval nor processes. */
struct app_estimate app_estimate_plain(double value);

/* Returns what one process measured; the interval, of this run, is widened by the tick. interval
 * may be invalid. tick: in the unit of `value`. */
struct app_estimate app_estimate_of_run(double value, struct krn_interval interval, double tick);

/* Sums up the values of several processes, each > 0; one of them gives no interval. The processes
 * get the numbers 1, 2, ... */
struct app_estimate app_estimate_of_processes(const double *each, size_t processes, double widen);

/* Returns a value proportional to the estimate, factor > 0, or its reciprocal times the factor. */
struct app_estimate app_estimate_times(struct app_estimate estimate, double factor);
struct app_estimate app_estimate_into(double factor, struct app_estimate estimate);

/* Returns the estimate with its interval at another level, which is then the one that decides. That
 * of one process stays as it is: whoever made it chose the level. */
struct app_estimate app_estimate_at(struct app_estimate estimate, double level);

/* Returns the ratio a / b, at the level of a. Where the same two processes or more measured both,
 * what a process does to both sides alike cancels: the interval is Student's t of these processes'
 * ratios, and other processes do not count. Where several measured each side, but not the same
 * ones, there is no interval. Else it combines the intervals of a and b on the logarithmic scale
 * (G. Y. Zou, A. Donner, Construction of confidence limits about effect measures, 2008). The
 * reasons to doubt either apply to the ratio. */
struct app_estimate app_estimate_ratio(struct app_estimate a, struct app_estimate b);

/* Returns the interval that decides a verdict, at KRN_VERDICT_LEVEL; of one process, or at a level
 * of its own, the interval as it is. Invalid: there is none. */
struct krn_interval app_estimate_verdict_interval(struct app_estimate estimate);

/* Returns the raw time without the overhead of an empty kernel of the same grid, ms; 0 (unknown)
 * when the overhead is unknown (0) or the raw time is not longer. */
double app_net_ms(double raw_ms, double overhead_ms);

/* Returns what one process measured without its overhead, ms. The interval combines both. */
struct app_estimate app_estimate_net(struct app_estimate raw, struct krn_overhead overhead);

/* Near the floor a net time depends on how alike an empty kernel and one that works start: below
 * this many times the overhead, tables and the screen leave it out. */
#define APP_NET_LEAST 2.0

/* A net time as a multiple of the limit's, krn_device_limit. */
struct app_of_limit {
    double times; /* 0: unknown */
    bool least;   /* it is that or more: the limit's interval is wider than APP_LIMIT_WIDTH of it */
};
#define APP_LIMIT_WIDTH 0.1
struct app_of_limit app_of_limit(double net_ms, const struct krn_limit *limit);

/* The state of the device when frames were queued. */
enum app_regime {
    APP_REGIME_UNKNOWN, /* nothing was measured */
    APP_REGIME_IDLE,    /* no earlier work was queued or running, as in runs without a window */
    APP_REGIME_BUSY,    /* earlier work was, as in a window whose frames queue up */
    APP_REGIME_MIXED    /* more than 5 % of the frames were of either kind */
};

/* Returns the regime of `busy` of n frames. */
enum app_regime app_regime_of(size_t busy, size_t n);

/* Returns the name in records: "idle", "busy", "mixed", "n/a"; never NULL. */
const char *app_regime_name(enum app_regime regime);

/* --- the time of a mode --- */

/* The result of a verification of a picture. */
enum app_verified { APP_VERIFIED_UNKNOWN, APP_VERIFIED_TRUE, APP_VERIFIED_FALSE };

/* Returns the side of a duel, 0 for a or 1 for b, whose picture decides for both: a wrong one, else
 * one that is not verified. */
static inline int app_verified_worse(enum app_verified a, enum app_verified b)
{
    return a == APP_VERIFIED_FALSE || b == APP_VERIFIED_TRUE ? 0 : 1;
}

/* The state of one mode's verification. */
struct app_verify_status {
    enum app_verified verified;
    struct krn_verdict verdict; /* of a wrong picture; zeroed: there is none */
    size_t rounded;             /* pixels of a right picture that are not the bytes of all modes */
    double age_s;               /* seconds since the picture was last found right or wrong */
    char text[192];             /* what was compared, what is wrong, or why nothing is known */
};

/* The time of one mode of the ray tracer: of this run, or of another one whose record is shown. */
struct app_mode_time {
    bool recorded; /* another run measured it */
    bool valid;    /* false: it has no sample */
    enum krn_backend_id backend;
    struct krn_mode mode;
    struct krn_summary ms;      /* of all samples; n is 0: not valid */
    const double *samples_ms;   /* ms.n entries in the order of measurement, of a recorded one those
                                   of all processes; NULL: a series has them */
    struct app_estimate median; /* ms, with the reasons to doubt it */
    double overhead_ms, tick_ms;
    struct app_estimate net; /* the median without the overhead, ms */
    struct app_of_limit of_limit;
    double binning_ms; /* of the time, to sort spheres or build a tree: lists_median_ms in records;
                          0: unknown, or none, as on a GPU up to 4096 spheres */
    enum app_verified verified;   /* the picture */
    char verified_text[192];      /* what was compared, or why nothing was */
    char missing[APP_NOTICE_MAX]; /* why there is no number, a sentence; "": there is one */
    /* Of one measured here alone: */
    enum krn_stop stop;
    enum app_regime regime;
    double batched_ms; /* one launch among several in one pair of time stamps; 0: not measured */
    /* Frames that gave no reading because the host was late; in a duel, those of both sides. */
    unsigned long gate_drops;
    const char *scope;                   /* what lies between the time stamps */
    struct krn_kernel_attributes kernel; /* of this scene and view; zeroed: unknown */
    /* Of a recorded one alone: */
    const struct app_result *result; /* that it is from */
};

/* Sets what follows from samples in the order of measurement, which the caller keeps. */
void app_mode_time_sum_up(struct app_mode_time *time, const double *samples_ms, size_t n,
                          double tick_ms);

/* Returns rays per second, given a kernel time in ms; < 0: unknown. */
double app_rays_per_s(double rays, double ms);

/* --- the newest times, for the plot of the details --- */

enum { APP_TRACE_CAPACITY = 480 };

/* Zeroed, it is empty. */
struct app_trace {
    double ms[APP_TRACE_CAPACITY];
    double sorted[APP_TRACE_CAPACITY]; /* the same times in ascending order */
    struct krn_mode mode[APP_TRACE_CAPACITY];
    enum krn_backend_id backend[APP_TRACE_CAPACITY];
    signed char side[APP_TRACE_CAPACITY]; /* of a duel: 0 is A, 1 is B; -1: no duel */
    int next, count;
};

/* Adds a reading; the oldest one makes room for it. side: as in struct app_trace. */
void app_trace_push(struct app_trace *trace, enum krn_backend_id backend,
                    const struct krn_reading *reading, int side);

/* Index of sample i; sample 0 is the oldest. */
int app_trace_index(const struct app_trace *trace, int i);

/* --- the user's kernel --- */

enum { APP_MINE_NAME = 48, APP_MINE_HASH = 17 };

/* The numbers in a sentence on the user's kernel. All 0: it has none. */
struct app_mine_numbers {
    int line;                   /* of the file */
    struct krn_verdict verdict; /* of a wrong picture */
    size_t rounded;             /* pixels of right pictures that are not the book's */
};

/* What is known of the file of --kernel-file. */
struct app_mine_status {
    bool ready;                /* a version is loaded on the state's backend: */
    enum krn_storage storage;  /* its own */
    char hash[APP_MINE_HASH];  /* of its text and headers: FNV-1a, 64 bits, hexadecimal */
    char file[APP_MINE_NAME];  /* the file's name without its folder */
    char text[APP_NOTICE_MAX]; /* what is to be said of the newest version, a sentence; "": nothing
                                */
    struct app_mine_numbers numbers;
    bool fault;         /* it is what is wrong with that version */
    const char *source; /* the newest text that could be read; "": none yet */
    unsigned told;      /* counts these sentences */
};

/* --- the kernels of a folder (measure/mode_run.h) --- */

enum { APP_CLASS_MAX = 64 };

/* A file of the folder, or the book's kernel. */
struct app_class_row {
    char file[APP_MINE_NAME]; /* its name */
    char hash[APP_MINE_HASH]; /* of the text that was timed last; "": none was */
    char why[APP_NOTICE_MAX]; /* why it has no time; "": it has one, or waits */
    bool waits, tested;       /* its newest version has not been tested, or is now */
    int rank;                 /* 1 + the kernels that are surely faster; 0: no time */
    struct app_mode_time time;
    /* How many times as fast as the book's kernel from global memory: the median over pairs of
     * frames. The intervals of all rows hold at once at 99 % (Bonferroni): one kernel is surely
     * faster than another where its interval lies above the other's. */
    struct app_estimate speed;
};

struct app_class_view {
    /* The book's kernel beside the newest file, and the files in the order of the board. */
    const struct app_class_row *rows[1 + APP_CLASS_MAX];
    int count, timed, waiting; /* files */
    bool settled;              /* every file, as it stood at the last look, has its row */
    int faster;                /* that many are surely faster than the book's kernel */
    char why[APP_NOTICE_MAX];  /* what is wrong with the folder; "": nothing */
    unsigned turn;             /* of the rows that take turns on screen */
    struct krn_limit limit;
    const struct app_state *state; /* what they all render */
    const char *scene;             /* app_workload_scene */
    int spheres;
    unsigned trust; /* enum app_trust_reason bits of all times */
};
