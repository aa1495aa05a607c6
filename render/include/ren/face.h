/* ren/face.h - the typefaces that text is drawn in. */
#ifndef REN_FACE_H
#define REN_FACE_H

enum ren_face {
    REN_FACE_SANS,
    REN_FACE_SANS_BOLD,
    REN_FACE_MONO, /* tabular: every digit has the same advance */
    REN_FACE_MONO_BOLD,
    REN_FACE_COUNT
};

/* Vertical measures of a face at 1 pixel size; multiply by the size. */
struct ren_metrics {
    float ascent, descent; /* above and below the baseline, both > 0 */
    float cap_height;      /* of "H" */
};

#endif
