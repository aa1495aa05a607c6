/* app/anatomy/lane.h - the parts of one lane of a frame, and the gaps between them. */
#ifndef APP_ANATOMY_LANE_H
#define APP_ANATOMY_LANE_H

#include "anatomy/phases.h"

enum { APP_LANE_PARTS = 24 };

/* A part; milliseconds from the frame's beginning. */
struct app_part {
    enum app_phase phase;
    double begin_ms, end_ms;
};

/* The parts in the order of their beginnings, once app_lane_sort was called. */
struct app_lane {
    struct app_part parts[APP_LANE_PARTS];
    int count;
    double span_ms; /* the lane reaches from 0 to here */
};

/* Appends a part; one of no or of negative length is left out. Returns false when the lane is full.
 */
bool app_lane_add(struct app_lane *lane, enum app_phase phase, double begin_ms, double end_ms);

void app_lane_sort(struct app_lane *lane);

/* Returns the sum of the parts of one phase, and of all parts. */
double app_lane_phase(const struct app_lane *lane, enum app_phase phase);
double app_lane_parts(const struct app_lane *lane);

/* Returns the time between 0 and the span that no part of a sorted lane covers. */
double app_lane_gaps(const struct app_lane *lane);

/* Returns by how much parts and gaps of a sorted lane differ from its span, as a fraction of it:
 * parts that overlap, or that lie outside of the span. */
double app_lane_mismatch(const struct app_lane *lane);

#endif
