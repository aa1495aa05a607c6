/* kernels/cpu/heat/heat.h - the sphere tests of each pixel on the CPU backend (private to
 * kernels/cpu).
 *
 * The counts follow cpu/trace/set.c and cpu/trace/strip.c, which contain none of this: the book's
 * loop tests every sphere; the other kernels intersect the spheres of a band of rows, or of a
 * tile's list, with those vectors of a row that they can cover. K orders that work and changes no
 * count. */
#ifndef KRN_CPU_HEAT_H
#define KRN_CPU_HEAT_H

#include "cpu/trace/kernels.h"
#include "krn/heat.h"

/* Counts the tests of a frame of book, strip or binned kernel; costs has one element per pixel. The
 * bins (NULL but for the binned kernel) are sorted. */
void krn_cpu_heat_book(struct krn_cpu_team *team, int spheres, const struct krn_view *view,
                       uint32_t *costs);
void krn_cpu_heat_boxes(struct krn_cpu_team *team, const struct krn_cpu_scene *scene,
                        const struct krn_cpu_bins *bins, const struct krn_view *view,
                        const struct krn_cpu_scratch *scratch, uint32_t *costs);

/* Finds sum, least and most. */
void krn_cpu_heat_sum(const uint32_t *tests, size_t pixels, struct krn_heat_costs *costs);

/* Writes the colours of the costs into an image of the same size. */
void krn_cpu_heat_paint(struct krn_cpu_team *team, const uint32_t *costs, uint32_t scale,
                        const struct krn_image *image);

#endif
