#include "core/device/tick.h"

#include <math.h>

double krn_tick_of(const double *readings, int n, double rounding)
{
    double least = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            const double step = fabs(readings[i] - readings[j]);
            if (step > rounding && !(least > 0.0 && least <= step))
                least = step;
        }
    return least;
}
