#include "judge/timing.h"

double app_net_ms(double raw_ms, double overhead_ms)
{
    return overhead_ms > 0.0 && raw_ms > overhead_ms ? raw_ms - overhead_ms : 0.0;
}

enum app_regime app_regime_of(size_t busy, size_t n)
{
    const double most_others = 0.05 * (double)n;
    if (n == 0)
        return APP_REGIME_UNKNOWN;
    if ((double)busy <= most_others)
        return APP_REGIME_IDLE;
    return (double)(n - busy) <= most_others ? APP_REGIME_BUSY : APP_REGIME_MIXED;
}

const char *app_regime_name(enum app_regime regime)
{
    static const char *const names[] = {"n/a", "idle", "busy", "mixed"};
    return regime >= APP_REGIME_UNKNOWN && regime <= APP_REGIME_MIXED ? names[regime] : names[0];
}
