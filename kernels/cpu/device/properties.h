/* kernels/cpu/device/properties.h - the name of the host's processor. */
#ifndef KRN_CPU_PROPERTIES_H
#define KRN_CPU_PROPERTIES_H

#include <stddef.h>

/* Copies the processor's name; "CPU" when the system does not tell. */
void krn_cpu_name(char *name, size_t size);

#endif
