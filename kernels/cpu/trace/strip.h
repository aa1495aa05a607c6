/* kernels/cpu/trace/strip.h - the strip and binned kernels of one instruction-set level. */
#ifndef KRN_CPU_STRIP_H
#define KRN_CPU_STRIP_H

#include "cpu/trace/kernels.h"
#include "cpu/trace/level.h"

void KRN_LEVEL(krn_cpu_strip)(struct krn_cpu_team *team, const struct krn_cpu_scene *scene,
                              int pixels_per_thread, const struct krn_view *view,
                              const struct krn_image *image, const struct krn_cpu_scratch *scratch);
void KRN_LEVEL(krn_cpu_sort)(struct krn_cpu_team *team, const struct krn_cpu_scene *scene,
                             const struct krn_cpu_bins *bins);
void KRN_LEVEL(krn_cpu_binned)(struct krn_cpu_team *team, const struct krn_cpu_scene *scene,
                               const struct krn_cpu_bins *bins, const struct krn_view *view,
                               const struct krn_image *image,
                               const struct krn_cpu_scratch *scratch);

#endif
