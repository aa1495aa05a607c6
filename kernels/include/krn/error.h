/* krn/error.h - errors as values.
 *
 * A function that can fail returns an enum krn_code and fills the struct krn_error that it was
 * given. Nothing below main() prints or ends the process: the caller decides whether an error is a
 * sentence on stderr, a notice on screen or the signal to take the next rung of a ladder.
 */
#ifndef KRN_ERROR_H
#define KRN_ERROR_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum krn_code {
    KRN_OK = 0,
    KRN_REFUSED,     /* the request cannot be met as asked; what was running is untouched */
    KRN_UNAVAILABLE, /* this machine or this build does not have it */
    KRN_NO_MEMORY,   /* host or device memory is full; what was running is untouched */
    KRN_LOST,        /* the device or context is unusable from now on: close it, take another */
    KRN_FAILED       /* anything else */
};

/* One failure. text is a whole sentence for a person: what, why, what to do. expression, file and
 * line say where it came from; expression is empty when no call of a foreign API failed. */
struct krn_error {
    enum krn_code code;
    char text[320];
    char expression[96];
    const char *file;
    int line;
};

/* Fills *error (when not NULL) and returns code, so that a failing function can end with
 * "return KRN_FAIL(...)". The text is printf-formatted and cut, never overrun. */
#if defined(__GNUC__)
__attribute__((format(printf, 6, 7)))
#endif
enum krn_code
krn_error_set(struct krn_error *error, enum krn_code code, const char *file, int line,
              const char *expression, const char *format, ...);

#define KRN_FAIL(error, code, ...)                                                                 \
    krn_error_set((error), (code), __FILE__, __LINE__, "", __VA_ARGS__)

/* Makes calls of foreign APIs fail on purpose, to hold what is promised of their failures. `which`
 * is the called function's name, "cudaGraphicsMapResources": every call of it fails; or with a
 * count, "cudaGraphicsMapResources:3": the third one from now on. NULL: none. The environment
 * variable SPHERESCOPE_FAIL does the same from the start. "aligned_alloc" is the memory of the CPU
 * backend: it fails as if there were none. Not for threads that call foreign APIs
 * meanwhile. */
void krn_fail_calls(const char *which);

/* For the call macros of each API: true when the call `expression` shall fail. */
bool krn_call_fails(const char *expression);

#ifdef __cplusplus
}
#endif
#endif
