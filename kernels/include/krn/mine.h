/* krn/mine.h - a kernel of the user's own: a file of CUDA C, compiled while the program runs.
 *
 * The file is as assets/kernels/spherescope.h says. NVRTC compiles it for a GPU, which it does on a
 * machine without one, too; the system's C++ compiler for the CPU. Compile and first run it in a
 * process of its own: a compiler may take for ever, and a kernel may end its process.
 *
 * Thread safety: as krn/device.h.
 */
#pragma once

#include "krn/device.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { KRN_MINE_BYTES_MAX = 48 << 10, KRN_MINE_NAME_MAX = 64 };

/* A compiled kernel. */
struct krn_mine {
    char kernel[KRN_MINE_NAME_MAX]; /* the function's name */
    enum krn_storage storage;       /* KRN_STORAGE_GLOBAL, or _CONSTANT where it declares `scene` */
    void *image;                    /* code for the GPU, or a shared library; malloc's */
    size_t bytes;
    /* malloc's: the version to run first on a GPU, loaded as `image`. What it may not read or write
     * does not reach the GPU, where more than this process may fail after it; krn_device_render
     * then returns KRN_REFUSED. NULL: the CPU's code. */
    char *guarded;
    int line; /* of the file, that a refusal to compile it names; 0: none */
};

/* Compiles the text of a file for the device; errors call it `file`. Compilers look for headers in
 * quotes in the current folder. folder: an existing one, for what the C++ compiler reads and
 * writes; whoever made it empties it. Errors: KRN_REFUSED: what is wrong with the file or a header,
 * a sentence with line, message and, of the file, the line's text; KRN_UNAVAILABLE: there is no
 * compiler, with the cure; KRN_NO_MEMORY, KRN_FAILED. */
enum krn_code krn_device_compile_mine(const struct krn_device *device, const char *file,
                                      const char *text, const char *folder, struct krn_mine *mine,
                                      struct krn_error *error);

/* Compiles likewise, with NVRTC for GPUs of this compute capability, without a device. */
enum krn_code krn_mine_compile_cuda(int major, int minor, const char *file, const char *text,
                                    struct krn_mine *mine, struct krn_error *error);

/* Makes a sentence, with the line, which goes to *line, of what krn_device_render says after a
 * guarded kernel has read or written outside of the frame, the scene and its own variables. file,
 * text: those that were compiled. Returns false for other errors, which stay. */
bool krn_mine_told(const char *file, const char *text, int *line, struct krn_error *error);

/* Copies line `number` of a text, 1 the first, without the white space around it. */
void krn_mine_line(const char *text, int number, char *line, size_t size);

/* Loads a kernel that was compiled for this kind of device, in the place of the one before; NULL:
 * unloads that one. Waits for frames in flight. Errors, after which the old one stays: KRN_REFUSED,
 * KRN_UNAVAILABLE, KRN_FAILED, KRN_LOST. */
enum krn_code krn_device_load_mine(struct krn_device *device, const struct krn_mine *mine,
                                   struct krn_error *error);

#ifdef __cplusplus
}
#endif
