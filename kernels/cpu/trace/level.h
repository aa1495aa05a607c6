/* kernels/cpu/trace/level.h - names of functions that are compiled once per instruction-set level.
 */
#ifndef KRN_CPU_LEVEL_H
#define KRN_CPU_LEVEL_H

#define KRN_JOIN_(a, b) a##b
#define KRN_JOIN(a, b) KRN_JOIN_(a, b)
#define KRN_LEVEL(name) KRN_JOIN(name##_, KRN_CPU_LEVEL)

/* Unrolls the loop that follows whole, so that an array that it indexes can stay in registers. With
 * a count, clang unrolls only after it has placed arrays in memory. */
#ifdef __clang__
#define KRN_UNROLL _Pragma("clang loop unroll(full)")
#else
#define KRN_UNROLL _Pragma("GCC unroll 16")
#endif

#endif
