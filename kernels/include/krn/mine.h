/* krn/mine.h - a kernel of the user's own: a file of CUDA C, compiled while the program runs.
 *
 * The file is as assets/kernels/spherescope.h says. NVRTC compiles it for a GPU, which it does on a
 * machine without one, too; the system's C++ compiler for the CPU. Compile and first run it in a
 * process of its own: a compiler may take for ever, and a kernel may end its process.
 *
 * Thread safety: as krn/device.h.
 */
#ifndef KRN_MINE_H
#define KRN_MINE_H

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
    char *guarded; /* malloc's: what krn_device_try_mine runs; NULL: the CPU's code */
};

/* Compiles the text of a file for the device; errors call it `file`. folder: an existing one, for
 * what the C++ compiler reads and writes; whoever made it empties it. Errors: KRN_REFUSED: what is
 * wrong with the file, a sentence with line, message and the line's text; KRN_UNAVAILABLE: there is
 * no compiler, with the cure; KRN_NO_MEMORY, KRN_FAILED. */
enum krn_code krn_device_compile_mine(const struct krn_device *device, const char *file,
                                      const char *text, const char *folder, struct krn_mine *mine,
                                      struct krn_error *error);

/* Compiles likewise, with NVRTC for GPUs of this compute capability, without a device. */
enum krn_code krn_mine_compile_cuda(int major, int minor, const char *file, const char *text,
                                    struct krn_mine *mine, struct krn_error *error);

/* Runs a compiled kernel once, on the scene that is set, and refuses one that reads or
 * writes outside of the frame, the scene and its own variables: in this run, such an access does
 * not reach the GPU, where more than this process may fail after it. file, text: those that were
 * compiled. Unloads the loaded kernel. On the CPU, does nothing. Errors: KRN_REFUSED: a sentence
 * with the line; KRN_UNAVAILABLE, KRN_FAILED, KRN_LOST. */
enum krn_code krn_device_try_mine(struct krn_device *device, const struct krn_mine *mine,
                                  const char *file, const char *text, struct krn_pose pose,
                                  const struct krn_view *view, const struct krn_image *image,
                                  struct krn_error *error);

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
#endif
