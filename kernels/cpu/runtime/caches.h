/* kernels/cpu/runtime/caches.h - what Linux tells about the caches (private to kernels/cpu). */
#ifndef KRN_CPU_CACHES_H
#define KRN_CPU_CACHES_H

#include <stdint.h>

/* Returns a number of a processor's cache, such as "level" or "size", which is in bytes; the first
 * one of a list. index: as Linux counts the caches, instructions' included. -1: the system does not
 * tell, or its number is negative or absurdly large. */
int64_t krn_cpu_cache_number(long processor, int index, const char *which);

#endif
