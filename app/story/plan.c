#include "story/plan.h"

#include <math.h>

struct app_story_plan app_story_plan_default(void)
{
    const struct app_story_plan plan = {
        .counts = {10, 20, 50, 100, 200, 500, 1000, 2000, 5000},
        .count = 9,
        .width = 1024,
        .height = 1024,
    };
    return plan;
}

void app_story_order(int count, int order[APP_CURVE_COUNTS])
{
    bool taken[APP_CURVE_COUNTS] = {false};
    int n = 0;
    if (count <= 0)
        return;
    order[n++] = 0;
    taken[0] = true;
    if (count > 1) {
        order[n++] = count - 1;
        taken[count - 1] = true;
    }
    /* The middle of every gap, then those of the gaps that this leaves. */
    while (n < count) {
        int middles[APP_CURVE_COUNTS], found = 0;
        for (int low = 0, high = 1; high < count; high++) {
            if (!taken[high])
                continue;
            if (high - low > 1)
                middles[found++] = (low + high) / 2;
            low = high;
        }
        for (int i = 0; i < found; i++) {
            order[n++] = middles[i];
            taken[middles[i]] = true;
        }
    }
}

double app_story_predict_ms(const int *counts, const double *ms, int count, int at)
{
    int below = -1, before = -1, above = -1;
    if (ms[at] > 0.0)
        return ms[at];
    for (int i = 0; i < at; i++)
        if (ms[i] > 0.0) {
            before = below;
            below = i;
        }
    for (int i = count - 1; i > at; i--)
        if (ms[i] > 0.0)
            above = i;
    if (below < 0)
        return above < 0 ? -1.0 : ms[above];
    /* Two noisy times may seem not to grow at all. */
    const double short_step = 3.0, least_slope = 0.5, step = (double)counts[at] / counts[below];
    double slope = 1.0;
    if (before >= 0 && step <= short_step)
        slope = log(ms[below] / ms[before]) / log((double)counts[below] / counts[before]);
    slope = fmin(fmax(slope, least_slope), 1.0);
    const double grown_ms = ms[below] * pow(step, slope);
    return above < 0 ? grown_ms : fmin(grown_ms, ms[above]);
}

void app_story_compare(const uint64_t *hashes, const bool *hashed, int count,
                       enum app_verified *verified)
{
    int most = 0, pictures = 0, best = 0;
    for (int i = 0; i < count; i++) {
        int equal = 0;
        for (int other = 0; hashed[i] && other < count; other++)
            equal += hashed[other] && hashes[other] == hashes[i];
        pictures += hashed[i];
        if (equal > most) {
            most = equal;
            best = i;
        }
    }
    for (int i = 0; i < count; i++)
        verified[i] = !hashed[i] || pictures < 2  ? APP_VERIFIED_UNKNOWN
                      : hashes[i] == hashes[best] ? APP_VERIFIED_TRUE
                                                  : APP_VERIFIED_FALSE;
}
