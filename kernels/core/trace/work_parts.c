#include "core/trace/work_parts.h"

#include "krn/error.h"

#include <math.h>

bool krn_work_abandoned(const struct krn_work_frame *frame)
{
    return frame->large && krn_cancelled();
}

struct krn_work_span krn_work_hits(const struct krn_work_frame *frame, struct krn_packed sphere,
                                   float row)
{
    const double unit = (double)frame->view.unit, half = frame->view.width / 2;
    const double chord = sqrt((double)row), x = (double)sphere.x;
    const double margin = 1.5 + 2e-6 * ((fabs(x) + chord) / unit + half);
    const double low = (x - chord) / unit + half - margin,
                 high = (x + chord) / unit + half + margin;
    const double most = frame->padded;
    struct krn_work_span span = {low < 0.0    ? 0
                                 : low > most ? frame->padded
                                              : (int)low,
                                 high < 0.0 ? -1 : (int)fmin(high, most - 1.0)};
    while (span.first <= span.last &&
           !(krn_pixel_residual(frame->x[span.first] - sphere.x, row) > 0.0f))
        span.first++;
    while (span.first <= span.last &&
           !(krn_pixel_residual(frame->x[span.last] - sphere.x, row) > 0.0f))
        span.last--;
    return span;
}

int krn_work_win(const struct krn_work_frame *frame, struct krn_packed sphere, float row,
                 struct krn_work_span span)
{
    int wins = 0;
    for (int i = span.first; i <= span.last; i++) {
        const float depth = sqrtf(krn_pixel_residual(frame->x[i] - sphere.x, row)) + sphere.z;
        if (!(depth > frame->depth[i]))
            continue;
        frame->depth[i] = depth;
        wins += i < frame->view.width;
    }
    return wins;
}
