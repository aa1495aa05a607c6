/* app/panels.h - the live panels: which probe runs when, and what they gave.
 *
 * Probes run in the gaps between frames: at most `share` of the time, no slice above
 * APP_SLICE_MS, so that the ray tracer's numbers stay where they are. What takes longer runs only
 * when it was asked for (app_panels_again).
 */
#ifndef APP_PANELS_H
#define APP_PANELS_H

#include "claims.h"
#include "engine.h"
#include "probed.h"

#define APP_SLICE_MS 2.0

/* What the screen shows of them. */
struct app_panels_view {
    struct app_probes_view probes;  /* count 0: not there, `why` says so */
    const struct app_claim *claims; /* APP_CLAIM_COUNT rows */
    const char *why;                /* no panels: the reason as a sentence; "" */
    bool again;                     /* a full round is under way, of all probes, long ones too */
    double progress;                /* of it, 0..1 */
    double share_percent;           /* of the time, that slices may take */
};

#endif
