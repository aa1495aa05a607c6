/* krn/error.h - errors as return values.
 *
 * A function that can fail returns an enum krn_code and fills the caller's struct krn_error. Only
 * main() prints errors and ends the process, except for small allocations (krn/memory.h): the
 * caller decides whether to report an error on stderr, show it on screen, or try an alternative.
 */
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum krn_code {
    KRN_OK = 0,
    KRN_REFUSED,     /* the request is invalid; nothing has changed */
    KRN_UNAVAILABLE, /* this machine or this build lacks what was requested */
    KRN_NO_MEMORY,   /* host or device memory is full; nothing has changed */
    KRN_LOST,        /* the device or context has become unusable: close it and open another */
    KRN_FAILED,      /* any other error */
    KRN_CANCELLED    /* krn_cancel has ended the work, and its output is undefined */
};

/* A failure. */
struct krn_error {
    enum krn_code code;
    char text[320];      /* a sentence for the user: what failed, why, and what to do */
    char expression[96]; /* the foreign API call that failed; "" for none */
    const char *file;    /* where the error was raised */
    int line;
};

/* Fills *error, unless it is NULL, and returns code, so that a function can end with
 * "return KRN_FAIL(...)". Formats the text like snprintf, but always with a decimal point, and
 * truncates it to its buffer. To a text of KRN_NO_MEMORY without a colon, it adds what to do. */
#if defined(__GNUC__)
__attribute__((format(printf, 6, 7)))
#endif
enum krn_code
krn_error_set(struct krn_error *error, enum krn_code code, const char *file, int line,
              const char *expression, const char *format, ...);

#define KRN_FAIL(error, code, ...)                                                                 \
    krn_error_set((error), (code), __FILE__, __LINE__, "", __VA_ARGS__)

/* Makes a call unless one before it has failed; evaluates to the code of the first failure. For
 * every API whose success is 0. */
#define KRN_THEN(code, call) ((code) = (code) == 0 ? (call) : (code))

/* Returns what the user can do about a file that cannot be written for this reason, an errno: "make
 * its folder first, or name another". */
const char *krn_write_cure(int reason);

/* Returns true on a Linux that Windows runs (WSL): its driver and its display are those of Windows,
 * so that other things help there. */
bool krn_on_wsl(void);

/* The APIs whose calls can be made to fail. HOST: the system, for what the CPU backend needs. NONE:
 * no call, but a fault of another kind, such as a wrong result. */
enum krn_api { KRN_API_CUDA, KRN_API_GL, KRN_API_ALLOC, KRN_API_HOST, KRN_API_NONE };

/* Injects failures into calls of foreign APIs, for tests of error handling. `which` is the name of
 * a function, such as "cudaGraphicsMapResources", or all calls of an API: "any-cuda", "any-gl",
 * "any-alloc". Every call of it fails. With a count, "cudaGraphicsMapResources:3", only the third
 * call from now on fails. NULL ends the injection. The environment variable SPHERESCOPE_FAIL does
 * the same from the start of the program; its value "count" makes the program print at its end how
 * often it made each of these calls. "aligned_alloc" names the CPU backend's allocations, and
 * "krn_grow" the program's small ones; all others fail only where tests/support/wrap_alloc.c is
 * linked. */
void krn_fail_calls(const char *which);

/* Returns true when the call `expression` of an API must fail. The call macros of each API use
 * it. */
bool krn_call_fails(enum krn_api api, const char *expression);

/* Abandons what the host's processors compute, in progress or begun later: frames, probes and
 * reference pictures of any length end within some milliseconds. Their output is undefined: the CPU
 * backend's functions that render, hash, measure or verify return KRN_CANCELLED. Kernels that run
 * on a GPU are not affected. May be called from any thread and from a signal handler. */
void krn_cancel(void);

/* Returns true from krn_cancel until krn_cancel_end. */
bool krn_cancelled(void);

/* Allows work again. Call it while no work is in progress. */
void krn_cancel_end(void);

#ifdef __cplusplus
}
#endif
