/* kernels/cpu/device/level.h - names of functions that are compiled once for every instruction-set
 * level. */
#ifndef KRN_CPU_LEVEL_H
#define KRN_CPU_LEVEL_H

#include "cpu/trace/kernels.h"

#define KRN_JOIN_(a, b) a##b
#define KRN_JOIN(a, b) KRN_JOIN_(a, b)
#define KRN_TEXT_(a) #a
#define KRN_TEXT(a) KRN_TEXT_(a)
#define KRN_LEVEL(name) KRN_JOIN(name##_, KRN_CPU_LEVEL)

void KRN_LEVEL(krn_cpu_strip)(const struct krn_cpu_scene *scene, int pixels_per_thread,
                              const struct krn_view *view, const struct krn_image *image,
                              const struct krn_cpu_scratch *scratch);
void KRN_LEVEL(krn_cpu_sort)(const struct krn_cpu_scene *scene, const struct krn_cpu_bins *bins);
void KRN_LEVEL(krn_cpu_binned)(const struct krn_cpu_scene *scene, const struct krn_cpu_bins *bins,
                               const struct krn_view *view, const struct krn_image *image,
                               const struct krn_cpu_scratch *scratch);
extern const struct krn_cpu_probe_kernels KRN_LEVEL(krn_cpu_probe_kernels);

#endif
