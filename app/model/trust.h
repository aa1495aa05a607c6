/* app/model/trust.h - reasons to doubt a number: the trust light.
 *
 * One function judges, app_trust_find, from facts that app/engine/verify.c and
 * app/measure/probe_run.c gather. The reasons travel as bits with every number that rests on
 * them: struct app_estimate, probe and mode results, duels, claims, records.
 *
 * Every function is pure and thread safe.
 */
#pragma once

#include "model/estimate.h"

#include "krn/stats.h"
#include "krn/telemetry.h"
#include "ren/blit.h"
#include "ren/context.h"

#include <stdbool.h>
#include <stddef.h>

/* Reasons to doubt a number, most serious first: screens show the first ones. */
enum app_trust_reason {
    APP_TRUST_WRONG_PICTURE,
    APP_TRUST_OVER_THEORETICAL,
    APP_TRUST_THROTTLED,
    APP_TRUST_LOW_CLOCK,
    APP_TRUST_LOW_MEMORY_CLOCK,
    APP_TRUST_NEAR_FLOOR,
    APP_TRUST_WANDERING,
    APP_TRUST_SPREAD,
    APP_TRUST_NOT_SETTLED,
    APP_TRUST_FEW_SAMPLES,
    APP_TRUST_L2_RESIDENT,
    APP_TRUST_PARTLY_CACHED,
    APP_TRUST_LATE_HOST,
    APP_TRUST_CORES_BUSY,
    APP_TRUST_ON_BATTERY,
    APP_TRUST_DISPLAY_LIMITED,
    APP_TRUST_HEAT_MAP,
    APP_TRUST_NOT_VERIFIED,
    APP_TRUST_RECORDED,
    APP_TRUST_SOFTWARE_GL,
    APP_TRUST_GL_ELSEWHERE,
    APP_TRUST_INTEROP_OFF,
    APP_TRUST_COUNT
};

/* A reason's bit in a set of reasons. */
#define APP_TRUST_BIT(reason) (1u << (reason))

enum app_trust_level { APP_TRUST_GREEN, APP_TRUST_AMBER, APP_TRUST_RED };

struct app_trust_entry {
    const char *id; /* the name in records: "near-floor" */
    enum app_trust_level level;
    const char *words;    /* the reason in a few words, for tables and panels: "near floor" */
    const char *sentence; /* the message on screen */
};

/* Returns the entry of a reason. */
const struct app_trust_entry *app_trust_entry(enum app_trust_reason reason);

/* Facts about a measurement; zero means "not known" or "does not apply". */
struct app_trust_facts {
    bool throttle_known;
    unsigned throttle;               /* enum krn_throttle bits during the measurement */
    double clock_mhz, clock_max_mhz; /* the lowest clock during the measurement */
    double memory_clock_mhz, memory_clock_max_mhz; /* judged where rate_possible is known */
    double core_share; /* fraction of CPU time that the CPU backend's threads received */
    bool on_battery;
    bool display_waits; /* the device idles until the display takes a frame */
    bool heat_map;      /* the kernels of a heat map ran between those that were timed */
    bool gl_software, gl_elsewhere, interop_off;
    struct krn_summary samples;
    bool runs;            /* each sample is a process or a warm run of its own: three are enough */
    bool not_settled;     /* the latest samples still drift */
    bool wandering;       /* the samples drift more slowly than the measurement lasts */
    double overhead_ms;   /* empty kernels of the same grid and number */
    double dropped_share; /* of all launches, those without a reading because the host was late */
    double bytes, l2_bytes;     /* footprint of a bandwidth benchmark, size of the L2 cache */
    double rate, rate_possible; /* measured rate and theoretical peak, in the same unit */
    bool has_picture;           /* `verified` applies: to a picture or another result */
    enum app_verified verified;
    bool recorded;
};

/* Returns the reasons that apply, as bits. */
unsigned app_trust_find(const struct app_trust_facts *facts);

/* Returns the level of the most serious reason. */
enum app_trust_level app_trust_level(unsigned reasons);

/* Returns "Numbers hold", "Caution" or "Do not quote", which accompany the colour on screen. */
const char *app_trust_word(enum app_trust_level level);

/* Returns the most serious reason in a few words; "" when there is none. */
const char *app_trust_first(unsigned reasons);

/* Writes the ids of all reasons, most serious first: "low-clock few-samples"; "" when there is
 * none. */
void app_trust_list(unsigned reasons, char *text, size_t size);

/* Stores the ids of the reasons, most serious first, and returns their number. */
size_t app_trust_ids(unsigned reasons, const char *ids[APP_TRUST_COUNT]);

/* Returns the bit of the reason with that id; 0: there is none. */
unsigned app_trust_of_id(const char *id);

/* --- facts from one source each --- */

/* Sets the facts that telemetry knows. With `since`, the lowest clocks and all throttling since
 * krn_telemetry_mark count, else the newest. */
void app_trust_telemetry(struct app_trust_facts *facts, const struct krn_telemetry_reading *reading,
                         bool since);

/* Set the facts about samples, which are in the order of measurement. */
void app_trust_samples(struct app_trust_facts *facts, const double *samples, size_t n);
void app_trust_series(struct app_trust_facts *facts, const struct krn_series *series);

/* Sets the share of launches that gave no time (`dropped`); n launches gave one. */
void app_trust_dropped(struct app_trust_facts *facts, unsigned long dropped, size_t n);

/* Sets the facts about OpenGL. */
void app_trust_screen(struct app_trust_facts *facts, const struct krn_capabilities *can,
                      const struct ren_gl_info *gl, const struct ren_blit_status *blit);
