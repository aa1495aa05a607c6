/* ren/png.h - PNG files with one UTF-8 text chunk. Needs no OpenGL context. */
#pragma once

#include "krn/error.h"

#include <stddef.h>
#include <stdint.h>

enum {
    REN_PNG_SIDE_MAX = 16384,
    REN_PNG_TEXT_BYTES_MAX = 64 << 20,
    REN_PNG_FILE_BYTES_MAX = 1 << 30 /* of a file that is read */
};

/* A picture and the text that its file carries. */
struct ren_png {
    int width, height;   /* pixels, 1 to REN_PNG_SIDE_MAX each */
    const uint8_t *rgba; /* 4 * width * height bytes, top row first; alpha is not written */
    const char *key;     /* the text's name: 1 to 79 letters, digits, - or _ */
    const char *text;    /* UTF-8; NULL: none */
};

/* Makes the bytes of an 8-bit RGB PNG file, its text as an iTXt chunk; *bytes are to be freed.
 * Errors: KRN_REFUSED (size, text or key), KRN_NO_MEMORY, KRN_FAILED. */
enum krn_code ren_png_encode(const struct ren_png *picture, uint8_t **bytes, size_t *count,
                             struct krn_error *error);

/* Reads the text of the first iTXt, tEXt or zTXt chunk `key`, before or behind the pixels; *text is
 * to be freed. NULL: the file has no such chunk.
 * Errors: KRN_REFUSED (not a PNG, or damaged), KRN_FAILED (not readable), KRN_NO_MEMORY. */
enum krn_code ren_png_read_text(const char *path, const char *key, char **text,
                                struct krn_error *error);

/* Reads the picture's size alone. Errors: as ren_png_read_text. */
enum krn_code ren_png_read_size(const char *path, int *width, int *height, struct krn_error *error);
