/* kernels/core/mine/mine.h - what compilers of the user's kernel share (private to kernels/). */
#ifndef KRN_CORE_MINE_H
#define KRN_CORE_MINE_H

#include "krn/mine.h"

/* What the file's `frame` is. */
struct krn_mine_frame {
    void *pixels;
    int pitch_bytes, width, height;
    float unit;
    int spheres;
};

/* What a tried kernel reads and writes by right, in bytes, and what it did first against that.
 * guard.inc lists the same members. */
struct krn_mine_guard {
    uint64_t pixels;
    int64_t pitch_bytes;
    int32_t row_bytes, height;
    uint64_t spheres, sphere_bytes; /* only read */
    uint32_t place;                 /* 8 x line + 4, and 2: it writes; 0: nothing */
    uint32_t uneven_bytes;          /* of an access that is not aligned to its size; 0: it is */
    uint64_t address;
};

/* The embedded texts: assets/kernels/spherescope.h and those beside this file. */
extern const char krn_mine_spherescope_h[], krn_mine_after_inc[], krn_mine_guard_inc[],
    krn_mine_math_constants_inc[];

/* Why printf is refused. */
extern const char krn_mine_no_printing[];

/* Compiles a prepared text for mine->kernel and mine->storage, and sets mine's image and guarded.
 * context: the caller's. *line: as krn_mine_refuse sets it. Errors: as
 * krn_device_compile_mine. */
typedef enum krn_code krn_mine_compiler(const void *context, const char *file, const char *source,
                                        const char *text, struct krn_mine *mine, int *line,
                                        struct krn_error *error);

/* Compiles a file: puts spherescope.h before its text and after.inc behind it, and finds the kernel
 * among the names that follow __global__. Errors: as krn_device_compile_mine. */
enum krn_code krn_mine_compile(const char *file, const char *source, krn_mine_compiler *compile,
                               const void *context, struct krn_mine *mine, struct krn_error *error);

/* Puts a call of guard.inc's mine_check before each access to global memory; the caller frees the
 * text. ptx: as NVRTC makes it of a prepared text with guard.inc behind it. Errors: KRN_REFUSED: an
 * instruction whose addresses have no check, at *line; KRN_NO_MEMORY. */
enum krn_code krn_mine_guard_ptx(const char *file, const char *source, const char *ptx,
                                 char **guarded, int *line, struct krn_error *error);

/* Says what a tried kernel did, with "(LINE): error: " before it, as behind a file's name in what
 * krn_mine_refuse takes. Returns KRN_REFUSED. */
enum krn_code krn_mine_guard_tell(const struct krn_mine_guard *guard, struct krn_error *error);

/* Makes a sentence of what a compiler has printed: the first error in it, with the file, the line
 * and that line's text. *line: that line; 0: it is not the file's, and may be the name's that was
 * tried; -1: it is the file's or a header's, wherever. Returns KRN_REFUSED. */
enum krn_code krn_mine_refuse(const char *file, const char *source, const char *printed, int *line,
                              struct krn_error *error);

#endif
