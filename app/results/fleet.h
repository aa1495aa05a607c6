/* app/results/fleet.h - finds the machines or GPUs that differ from all others of a comparison. */
#ifndef APP_FLEET_H
#define APP_FLEET_H

#include "results/sides.h"
#include "table/table.h"

#include <stdio.h>

enum { APP_FLEET_MIN = 3 }; /* sides; of two, nothing tells which one is the odd one */

/* Prints one table with a row per side: how fast it is beside all others, as a number, in words
 * and as a plot. Every result that all sides have is compared with the same result of the others
 * (app_compare_times); a side is called FASTER or SLOWER when most of its results are, and WRONG
 * when one is wrong, which also keeps it out of the others. */
void app_fleet_print(const struct app_side *sides, size_t count, double band_percent,
                     enum app_style style, FILE *out);

/* Does the same with the devices of one record, if its processes ran on several. */
void app_fleet_print_devices(const struct app_results *results, double band_percent,
                             enum app_style style, FILE *out);

#endif
