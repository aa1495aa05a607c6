/* tests/support/fault_class.h - makes one call out of a class of calls fail.
 *
 * Calls form a class when they call the same function through the same callers in the same phase of
 * a run. A run that measures makes another number of calls each time, but its classes recur, so
 * "the third call of this class" names a call that the next run makes, too.
 *
 * FAULT_CLASSES=FILE in the environment makes the program append its classes to FILE at its end, a
 * line per class: identity, kind, number of calls, function. With FAULT_CLASS=KIND:IDENTITY:N as
 * well, the Nth call of that class fails; with FAULT_CLASS=KIND:IDENTITY:N:lost, so does every call
 * of the CUDA runtime from there on, on the stand-in or on a real GPU (wrap_calls.c). FILE then
 * receives a line that tells which call has failed, and who called it, as offsets for addr2line,
 * instead of the classes.
 */
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counts a call, and returns true when it must fail. kind: a word of small letters; call: the
 * name of the function, up to its end or a parenthesis. */
bool fault_class_fails(const char *kind, const char *call);

/* Returns true when the device must be lost, once. */
bool fault_class_loses(void);

/* Begins the next phase of the run. */
void fault_class_next_phase(void);

#ifdef __cplusplus
}
#endif
