#include "story/curves.h"

#include "judge/trust.h"

#include <string.h>

void app_curves_begin(struct app_curves *curves, enum krn_view_kind view, const int *counts,
                      int count, bool one_storage)
{
    memset(curves, 0, sizeof *curves);
    memcpy(curves->counts, counts, (size_t)count * sizeof *counts);
    curves->count = count;
    curves->one_storage = one_storage;
    for (int kernel = 0; kernel < KRN_KERNEL_COUNT; kernel++)
        for (int storage = 0; storage < KRN_STORAGE_COUNT; storage++) {
            const struct krn_kernel_info *info = krn_kernel_describe((enum krn_kernel)kernel);
            if (info->view != view || !(info->storages >> storage & 1) ||
                (one_storage && storage != KRN_STORAGE_GLOBAL))
                continue;
            struct app_curve *curve = &curves->curves[curves->n++];
            curve->kernel = (enum krn_kernel)kernel;
            curve->storage = (enum krn_storage)storage;
        }
}

static int index_of(const struct app_curves *curves, enum krn_kernel kernel,
                    enum krn_storage storage)
{
    for (int i = 0; i < curves->n; i++)
        if (curves->curves[i].kernel == kernel && curves->curves[i].storage == storage)
            return i;
    return -1;
}

const struct app_curve *app_curves_find(const struct app_curves *curves, enum krn_kernel kernel,
                                        enum krn_storage storage)
{
    const int i = index_of(curves, kernel, storage);
    return i < 0 ? NULL : &curves->curves[i];
}

void app_curves_offer(struct app_curves *curves, struct krn_mode mode, int at,
                      const struct app_estimate *ms)
{
    const int i = index_of(curves, mode.kernel, mode.storage);
    if (i < 0 || !ms->valid || !(ms->value > 0.0))
        return;
    struct app_curve *curve = &curves->curves[i];
    if (ms->trust & APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE))
        curve->wrong = true;
    if (app_trust_no_verdict(ms->trust) ||
        (curve->ms[at].valid && curve->ms[at].value <= ms->value))
        return;
    curve->ms[at] = *ms;
    curve->pixels_per_thread[at] = mode.pixels_per_thread;
}

int app_curve_points(const struct app_curve *curve, int count)
{
    int points = 0;
    for (int i = 0; i < count; i++)
        points += curve->ms[i].valid;
    return points;
}
