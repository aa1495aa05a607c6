/* kernels/cpu/trace/level.h - names of functions that are compiled once per instruction-set level.
 */
#ifndef KRN_CPU_LEVEL_H
#define KRN_CPU_LEVEL_H

#define KRN_JOIN_(a, b) a##b
#define KRN_JOIN(a, b) KRN_JOIN_(a, b)
#define KRN_LEVEL(name) KRN_JOIN(name##_, KRN_CPU_LEVEL)

#endif
