#include "anatomy/lane.h"

#include <math.h>

bool app_lane_add(struct app_lane *lane, enum app_phase phase, double begin_ms, double end_ms)
{
    if (lane->count == APP_LANE_PARTS)
        return false;
    if (end_ms > begin_ms)
        lane->parts[lane->count++] = (struct app_part){phase, begin_ms, end_ms};
    return true;
}

void app_lane_sort(struct app_lane *lane)
{
    for (int i = 1; i < lane->count; i++) {
        const struct app_part part = lane->parts[i];
        int at = i;
        for (; at > 0 && lane->parts[at - 1].begin_ms > part.begin_ms; at--)
            lane->parts[at] = lane->parts[at - 1];
        lane->parts[at] = part;
    }
}

double app_lane_phase(const struct app_lane *lane, enum app_phase phase)
{
    double sum = 0.0;
    for (int i = 0; i < lane->count; i++)
        if (lane->parts[i].phase == phase)
            sum += lane->parts[i].end_ms - lane->parts[i].begin_ms;
    return sum;
}

double app_lane_parts(const struct app_lane *lane)
{
    double sum = 0.0;
    for (int i = 0; i < lane->count; i++)
        sum += lane->parts[i].end_ms - lane->parts[i].begin_ms;
    return sum;
}

double app_lane_gaps(const struct app_lane *lane)
{
    double covered = 0.0, gaps = 0.0;
    for (int i = 0; i < lane->count; i++) {
        gaps += fmax(fmin(lane->parts[i].begin_ms, lane->span_ms) - covered, 0.0);
        covered = fmax(covered, lane->parts[i].end_ms);
    }
    return gaps + fmax(lane->span_ms - covered, 0.0);
}

double app_lane_mismatch(const struct app_lane *lane)
{
    return lane->span_ms > 0.0
               ? fabs(app_lane_parts(lane) + app_lane_gaps(lane) - lane->span_ms) / lane->span_ms
               : 0.0;
}
