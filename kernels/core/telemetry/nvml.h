/* kernels/core/telemetry/nvml.h - the NVML queries behind krn/telemetry.h. */
#ifndef KRN_NVML_H
#define KRN_NVML_H

#include "krn/telemetry.h"

struct krn_nvml;

/* Loads the library and finds the GPU. On failure returns NULL and writes the reason, a sentence,
 * to why. */
struct krn_nvml *krn_nvml_open(const char *pci_id, char *why, size_t size);
void krn_nvml_close(struct krn_nvml *nvml);

/* Fills the reading, except throttle_seen, the lowest clocks, samples and cost_ms. */
void krn_nvml_query(struct krn_nvml *nvml, struct krn_telemetry_reading *reading);

#endif
