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

/* The embedded texts: assets/kernels/spherescope.h, and after.inc. */
extern const char krn_mine_spherescope_h[], krn_mine_after_inc[];

/* Reads which kernel the file has, and makes the text that is compiled; the caller frees it.
 * cpu: for a C++ compiler. Errors: KRN_REFUSED, KRN_NO_MEMORY. */
enum krn_code krn_mine_prepare(const char *file, const char *source, bool cpu,
                               struct krn_mine *mine, char **text, struct krn_error *error);

/* Makes a sentence of what a compiler has printed: the first error in it, with the file, the line
 * and that line's text. Returns KRN_REFUSED. */
enum krn_code krn_mine_refuse(const char *file, const char *source, const char *printed,
                              struct krn_error *error);

#endif
