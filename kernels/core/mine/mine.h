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
    uint32_t unused;
    uint64_t address;
};

/* The embedded texts: assets/kernels/spherescope.h, after.inc and guard.inc. */
extern const char krn_mine_spherescope_h[], krn_mine_after_inc[], krn_mine_guard_inc[];

/* Reads which kernel the file has, and makes the text that is compiled; the caller frees it.
 * cpu: for a C++ compiler. Errors: KRN_REFUSED, KRN_NO_MEMORY. */
enum krn_code krn_mine_prepare(const char *file, const char *source, bool cpu,
                               struct krn_mine *mine, char **text, struct krn_error *error);

/* Puts a call of guard.inc's mine_check before each access to global memory; the caller frees the
 * text. ptx: as NVRTC makes it of a prepared text with guard.inc behind it. Errors: KRN_REFUSED: an
 * instruction whose addresses have no check; KRN_NO_MEMORY. */
enum krn_code krn_mine_guard_ptx(const char *file, const char *source, const char *ptx,
                                 char **guarded, struct krn_error *error);

/* Says what a tried kernel did, with "(LINE): error: " before it, as behind a file's name in what
 * krn_mine_refuse takes. Returns KRN_REFUSED. */
enum krn_code krn_mine_guard_tell(const struct krn_mine_guard *guard, struct krn_error *error);

/* Makes a sentence of what a compiler has printed: the first error in it, with the file, the line
 * and that line's text. Returns KRN_REFUSED. */
enum krn_code krn_mine_refuse(const char *file, const char *source, const char *printed,
                              struct krn_error *error);

#endif
