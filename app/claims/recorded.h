/* app/claims/recorded.h - the constant-memory ratios of recorded runs of other devices.
 *
 * The numbers are those of the records in assets/runs; the test record_claims compares them with
 * these files and prints the entry of a new record.
 */
#ifndef APP_CLAIM_RECORDED_H
#define APP_CLAIM_RECORDED_H

#include "judge/estimate.h"

#include <stddef.h>

struct app_recorded_device {
    const char *file; /* in assets/runs: "nvidia-h200-all.json.gz" */
    const char *name; /* of the device: "NVIDIA H200" */
    const char *date; /* "2026-11-22" */
    /* How many times as fast the book's kernel is from constant memory as from global memory, on
     * the book's scene. */
    struct app_estimate kernel_ratio;
};

enum { APP_RECORDED_MAX = 16 };

/* Fills the list of recorded devices; returns their number. */
size_t app_recorded_devices(struct app_recorded_device devices[APP_RECORDED_MAX]);

#endif
