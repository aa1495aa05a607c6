/* app/judge/trust.h - what speaks against a number: one table of reasons, judged from plain facts.
 */
#ifndef APP_TRUST_H
#define APP_TRUST_H

#include "judge/verified.h"

#include "krn/stats.h"
#include "krn/telemetry.h"
#include "ren/blit.h"
#include "ren/context.h"

#include <stdbool.h>
#include <stddef.h>

/* Gravest first: screens show the first ones. */
enum app_trust_reason {
    APP_TRUST_WRONG_PICTURE,
    APP_TRUST_OVER_THEORETICAL,
    APP_TRUST_THROTTLED,
    APP_TRUST_LOW_CLOCK,
    APP_TRUST_NEAR_FLOOR,
    APP_TRUST_SPREAD,
    APP_TRUST_NOT_SETTLED,
    APP_TRUST_L2_RESIDENT,
    APP_TRUST_CORES_BUSY,
    APP_TRUST_ON_BATTERY,
    APP_TRUST_DISPLAY_LIMITED,
    APP_TRUST_NOT_VERIFIED,
    APP_TRUST_RECORDED,
    APP_TRUST_SOFTWARE_GL,
    APP_TRUST_GL_ELSEWHERE,
    APP_TRUST_INTEROP_OFF,
    APP_TRUST_COUNT
};

enum app_trust_level { APP_TRUST_GREEN, APP_TRUST_AMBER, APP_TRUST_RED };

struct app_trust_entry {
    const char *id; /* in records: "near-floor" */
    enum app_trust_level level;
    const char *sentence; /* for a person */
};

/* The entry of a reason. */
const struct app_trust_entry *app_trust_entry(enum app_trust_reason reason);

/* What is known; zero is "not known, or does not apply". */
struct app_trust_facts {
    bool throttle_known;
    unsigned throttle; /* enum krn_throttle bits while it was measured */
    double clock_mhz, clock_max_mhz;
    double core_share; /* of its processors' time, what the CPU backend got */
    bool on_battery;
    bool display_waits; /* the device idles until the display takes a frame */
    bool gl_software, gl_elsewhere, interop_off;
    struct krn_summary samples;
    bool not_settled; /* the newest samples still drift */
    double empty_kernel_ms;
    double bytes, l2_bytes;     /* bytes that a bandwidth benchmark goes over */
    double rate, rate_possible; /* what was reached, and what the hardware can, in one unit */
    bool has_picture;           /* verified says something */
    enum app_verified verified;
    bool recorded;
};

/* Reasons as bits 1 << enum app_trust_reason. Pure. */
unsigned app_trust_find(const struct app_trust_facts *facts);
enum app_trust_level app_trust_level(unsigned reasons);

/* "Sound", "With care", "Do not quote": never colour alone. */
const char *app_trust_word(enum app_trust_level level);

/* The ids of the reasons, gravest first; returns how many there are. */
size_t app_trust_ids(unsigned reasons, const char *ids[APP_TRUST_COUNT]);

/* Puts what telemetry knows into facts: with `since`, all throttling since it was marked. */
void app_trust_telemetry(struct app_trust_facts *facts, const struct krn_telemetry_reading *reading,
                         bool since);

/* Puts what is known of OpenGL into facts. */
void app_trust_screen(struct app_trust_facts *facts, const struct krn_capabilities *can,
                      const struct ren_gl_info *gl, const struct ren_blit_status *blit);

#endif
