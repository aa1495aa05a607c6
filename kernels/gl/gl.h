/* kernels/gl/gl.h - a device of the backend gl. */
#pragma once

#include "gl/calls.h"
#include "krn/probe.h"

enum {
    KRN_GL_PAIRS = 64,   /* of time stamps that wait to be read */
    KRN_GL_FLIGHT = 4,   /* frames that are queued at most */
    KRN_GL_SHAPES = 4,   /* of launches whose overhead is kept */
    KRN_GL_MEASURED = 31 /* launches of an overhead */
};

/* A launch: a program, its groups, and the frame that it is told of. */
struct krn_gl_launch {
    unsigned program, image; /* image: a buffer; 0: none */
    bool fresh;              /* the program has never run */
    struct krn_mode mode;    /* whose storage is bound */
    int group_x, group_y, groups_x, groups_y;
    int rows;          /* of groups in a band, which is a dispatch of its own */
    int width, height; /* 0: the shader reads no size */
    float unit;        /* 0: nor this */
};

struct krn_gl_pair {
    unsigned queries[2];
    struct krn_mode mode;
    uint64_t tag;
    double tests; /* pixels times spheres */
    bool busy;
};

struct krn_gl_device {
    struct krn_device base; /* must be first */
    struct krn_gl *gl;
    unsigned loan;
    bool fused, roots, quotients; /* GLSL's fma(), sqrt() and / round once */

    /* Programs, made at first use; of the second kernel, one per K. */
    unsigned book[KRN_STORAGE_COUNT], strip[KRN_STORAGE_COUNT][KRN_PIXELS_COUNT];
    unsigned rotate, empty[2], limit;

    /* The scene: as given; rotated, in 28 bytes a sphere; in the 32 of a uniform block; packed; the
     * colours. */
    unsigned given, rotated, padded, packed, materials, textures[2];
    struct krn_pose pose;
    bool posed;

    struct krn_gl_pair pairs[KRN_GL_PAIRS];
    int first, waiting;
    krn_gl_sync flight[KRN_GL_FLIGHT]; /* the oldest first */
    int flying;
    unsigned measures[KRN_GL_MEASURED][2];
    double ms_per_test[KRN_KERNEL_COUNT][KRN_STORAGE_COUNT]; /* the last one; 0: none yet */
    struct krn_gl_shape {
        int group_x, groups_x, groups_y; /* 0: empty */
        struct krn_overhead overhead;
    } shapes[KRN_GL_SHAPES];
    int next_shape;
};

/* Fills a mode's launch, and makes its program. Errors: KRN_FAILED. */
enum krn_code krn_gl_launch_of(struct krn_gl_device *device, struct krn_mode mode,
                               const struct krn_view *view, struct krn_gl_launch *launch,
                               struct krn_error *error);

/* Makes a launch of the same shape that does nothing. Errors: KRN_FAILED. */
enum krn_code krn_gl_launch_empty(struct krn_gl_device *device, struct krn_gl_launch *launch,
                                  struct krn_error *error);

/* Makes the launch that gives the limit of a view. Errors: KRN_FAILED. */
enum krn_code krn_gl_launch_limit(struct krn_gl_device *device, const struct krn_view *view,
                                  struct krn_gl_launch *launch, struct krn_error *error);

/* Binds what a launch needs, and runs it band by band. */
void krn_gl_run(struct krn_gl_device *device, const struct krn_gl_launch *launch);

/* Rotates the scene into every layout. */
enum krn_code krn_gl_rotate(struct krn_gl_device *device, struct krn_pose pose,
                            struct krn_error *error);

/* Sees whether GLSL's fma(), sqrt() and / round once, where other results would show it. Errors:
 * KRN_FAILED. */
enum krn_code krn_gl_see_exact(struct krn_gl_device *device, struct krn_error *error);

/* Returns how many spheres a mode's storage holds, 0: all. */
int krn_gl_room(const struct krn_gl *gl, struct krn_mode mode);

extern const struct krn_device_ops krn_gl_ops;

/* Opens the probes of the topic where, which give the device other scenes. Errors: KRN_UNAVAILABLE
 * where it is not asked for, and those of alloc_image. */
enum krn_code krn_gl_open_probes(struct krn_device *device, unsigned topics, size_t bytes_max,
                                 struct krn_probes **probes, struct krn_error *error);

/* Returns the time between two stamps whose counter has so many bits; it may have begun anew. */
double krn_gl_ms_between(uint64_t start, uint64_t stop, int bits);

/* Measures the tick and the overheads of a new device. */
enum krn_code krn_gl_see_clock(struct krn_gl_device *device, struct krn_error *error);
