/* kernels/core/telemetry/nvml.h - the few questions that are put to NVML (inside kernels/core
 * only). */
#ifndef KRN_NVML_H
#define KRN_NVML_H

#include "krn/telemetry.h"

struct krn_nvml;

/* Loads the library and finds the GPU. NULL: it is not there, and why. */
struct krn_nvml *krn_nvml_open(const char *pci_id, char *why, size_t size);
void krn_nvml_close(struct krn_nvml *nvml);

/* Asks everything once; throttle_seen, samples and cost_ms are left alone. */
void krn_nvml_ask(struct krn_nvml *nvml, struct krn_telemetry_reading *reading);

#endif
