/* Calls libpng, whose errors jump, and limits what a file may ask for. */
#include "ren/png.h"

#include <errno.h>
#include <fcntl.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    /* The most memory that libpng may allocate while it reads one file. The largest text passes
     * through three buffers. */
    READ_BYTES_MOST = 5 * REN_PNG_TEXT_BYTES_MAX,
    FIRST_BYTES = 1 << 16
};

/* The state of one picture being encoded or read. libpng returns errors by longjmp, so values that
 * change on the way live here and not in local variables. */
struct codec {
    png_structp png;
    png_infop info;
    FILE *file;        /* that is read */
    uint8_t *bytes;    /* encoded so far */
    size_t used, room; /* of `bytes` */
    int system;        /* errno of the call that failed; 0: the data is at fault; -1: see message */
    char message[128]; /* libpng's error message */
    size_t allocated;
};

static void on_error(png_structp png, png_const_charp message)
{
    struct codec *codec = png_get_error_ptr(png);
    snprintf(codec->message, sizeof codec->message, "%s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void on_write(png_structp png, png_bytep data, size_t n)
{
    struct codec *codec = png_get_io_ptr(png);
    while (codec->room - codec->used < n) {
        const size_t room = codec->room > 0 ? 2 * codec->room : FIRST_BYTES;
        uint8_t *larger = realloc(codec->bytes, room);
        if (!larger) {
            codec->system = ENOMEM;
            png_error(png, "memory is full");
        }
        codec->bytes = larger;
        codec->room = room;
    }
    memcpy(codec->bytes + codec->used, data, n);
    codec->used += n;
}

static void on_flush(png_structp png)
{
    (void)png;
}

static void on_read(png_structp png, png_bytep data, size_t n)
{
    struct codec *codec = png_get_io_ptr(png);
    if (fread(data, 1, n, codec->file) == n)
        return;
    if (ferror(codec->file))
        codec->system = errno;
    png_error(png, "it ends too early");
}

/* Limits memory: a small file can ask for a lot of it, many times. */
static png_voidp on_malloc(png_structp png, png_alloc_size_t n)
{
    struct codec *codec = png_get_mem_ptr(png);
    if (n > READ_BYTES_MOST - codec->allocated)
        return NULL;
    codec->allocated += n;
    void *memory = malloc(n);
    if (!memory)
        codec->system = ENOMEM; /* libpng may go on without a text */
    return memory;
}

static void on_free(png_structp png, png_voidp memory)
{
    (void)png;
    free(memory);
}

/* Rejects a name that PNG forbids: libpng would change it, and the text could not be found
 * again. */
static bool is_key(const char *key)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    size_t n = strspn(key, allowed);
    return n >= 1 && n <= 79 && key[n] == '\0';
}

static void encode(struct codec *codec, const struct ren_png *picture)
{
    png_structp png = codec->png;
    const png_uint_32 width = (png_uint_32)picture->width, height = (png_uint_32)picture->height;
    png_set_write_fn(png, codec, on_write, on_flush);
    png_set_user_limits(png, REN_PNG_SIDE_MAX, REN_PNG_SIDE_MAX);
    /* For flat cards and smooth spheres, one cheap filter and a low level compress almost as well
     * as the best. */
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    png_set_compression_level(png, 3);
    png_set_IHDR(png, codec->info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (picture->text) {
        /* png_set_text copies both strings; its struct predates const. */
        png_text chunk = {.compression = PNG_ITXT_COMPRESSION_zTXt,
                          .key = (png_charp)picture->key,
                          .text = (png_charp)picture->text,
                          .itxt_length = strlen(picture->text)};
        png_set_text(png, codec->info, &chunk, 1);
    }
    png_write_info(png, codec->info);
    png_set_filler(png, 0, PNG_FILLER_AFTER);
    for (size_t y = 0; y < height; y++)
        png_write_row(png, picture->rgba + y * width * 4);
    png_write_end(png, NULL);
}

static enum krn_code check_picture(const struct ren_png *picture, struct krn_error *error)
{
    const int width = picture->width, height = picture->height;
    if (width < 1 || height < 1 || width > REN_PNG_SIDE_MAX || height > REN_PNG_SIDE_MAX)
        return KRN_FAIL(error, KRN_REFUSED,
                        "A PNG file of %d x %d pixels is not written; 1 x 1 to %d x %d are.", width,
                        height, REN_PNG_SIDE_MAX, REN_PNG_SIDE_MAX);
    if (picture->text && strlen(picture->text) > REN_PNG_TEXT_BYTES_MAX)
        return KRN_FAIL(error, KRN_REFUSED, "A PNG file's text is limited to %d MiB.",
                        REN_PNG_TEXT_BYTES_MAX >> 20);
    if (picture->text && !is_key(picture->key))
        return KRN_FAIL(error, KRN_REFUSED,
                        "A PNG file's text needs a name of 1 to 79 letters, digits, - or _.");
    return KRN_OK;
}

/* Encodes into codec->bytes. After false, codec holds the reason. */
static bool write_stream(struct codec *codec, const struct ren_png *picture)
{
    codec->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, codec, on_error, on_warning);
    codec->info = codec->png ? png_create_info_struct(codec->png) : NULL;
    if (!codec->info)
        codec->system = ENOMEM;
    else if (setjmp(png_jmpbuf(codec->png)) == 0)
        encode(codec, picture);
    else if (codec->system == 0)
        codec->system = -1;
    png_destroy_write_struct(&codec->png, &codec->info);
    return codec->system == 0;
}

enum krn_code ren_png_encode(const struct ren_png *picture, uint8_t **bytes, size_t *count,
                             struct krn_error *error)
{
    struct codec codec = {0};
    const enum krn_code code = check_picture(picture, error);
    if (code != KRN_OK)
        return code;
    if (write_stream(&codec, picture)) {
        *bytes = codec.bytes;
        *count = codec.used;
        return KRN_OK;
    }
    free(codec.bytes);
    if (codec.system == ENOMEM)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a PNG file.");
    return KRN_FAIL(error, KRN_FAILED, "No PNG file can be made: %s; choose a smaller picture.",
                    codec.message);
}

/* Opens path for reading if it is a regular file with PNG's signature. */
static enum krn_code read_open(struct codec *codec, const char *path, struct krn_error *error)
{
    memset(codec, 0, sizeof *codec);
    struct stat there;
    /* A pipe stays unopened: its writer would take the end of this look for the end of its reader.
     */
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return KRN_FAIL(error, KRN_FAILED, "The picture could not be read (not a file): %s", path);
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* nor may opening one block */
    if (fd < 0 || fstat(fd, &there) != 0) {
        int system = errno;
        if (fd >= 0)
            close(fd);
        return KRN_FAIL(error, KRN_FAILED, "The picture could not be read (%s): %s",
                        strerror(system), path);
    }
    if (!S_ISREG(there.st_mode)) {
        close(fd);
        return KRN_FAIL(error, KRN_FAILED, "The picture could not be read (not a file): %s", path);
    }
    if (there.st_size > REN_PNG_FILE_BYTES_MAX) {
        close(fd);
        return KRN_FAIL(error, KRN_REFUSED, "A PNG file of more than %d MiB is not read: %s",
                        REN_PNG_FILE_BYTES_MAX >> 20, path);
    }
    codec->file = fdopen(fd, "rb");
    if (!codec->file) {
        close(fd);
        return KRN_FAIL(error, KRN_NO_MEMORY, "Out of memory for reading %s", path);
    }
    uint8_t signature[8];
    const size_t got = fread(signature, 1, 8, codec->file);
    if (got == 8 && png_sig_cmp(signature, 0, 8) == 0)
        return KRN_OK;
    bool unreadable = ferror(codec->file) != 0;
    fclose(codec->file);
    if (unreadable)
        return KRN_FAIL(error, KRN_FAILED, "The picture could not be read: %s", path);
    if (got >= 4 && png_sig_cmp(signature, 0, 4) == 0)
        return KRN_FAIL(error, KRN_REFUSED, "This PNG file is damaged (its first bytes): %s", path);
    return KRN_FAIL(error, KRN_REFUSED, "This is not a PNG file: %s", path);
}

static void decode_begin(struct codec *codec)
{
    png_set_read_fn(codec->png, codec, on_read);
    png_set_sig_bytes(codec->png, 8);
    png_set_user_limits(codec->png, REN_PNG_SIDE_MAX, REN_PNG_SIDE_MAX);
    png_set_chunk_malloc_max(codec->png, REN_PNG_TEXT_BYTES_MAX + 1024);
    png_read_info(codec->png, codec->info);
}

/* Reads the file with `decode`. After false, codec->system or codec->message holds the reason. */
static bool read_stream(struct codec *codec, void (*decode)(struct codec *codec))
{
    codec->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, codec, on_error, on_warning, codec,
                                          on_malloc, on_free);
    codec->info = codec->png ? png_create_info_struct(codec->png) : NULL;
    if (!codec->info) {
        codec->system = ENOMEM;
        return false;
    }
    if (setjmp(png_jmpbuf(codec->png)) != 0) {
        if (codec->system == 0)
            codec->system = -1;
        return false;
    }
    decode_begin(codec);
    decode(codec);
    return codec->system == 0;
}

static void read_close(struct codec *codec)
{
    png_destroy_read_struct(&codec->png, &codec->info, NULL);
    fclose(codec->file);
}

static enum krn_code read_failed(const struct codec *codec, const char *path,
                                 struct krn_error *error)
{
    if (codec->system == ENOMEM)
        return KRN_FAIL(error, KRN_NO_MEMORY, "Out of memory for the picture %s", path);
    if (codec->system > 0)
        return KRN_FAIL(error, KRN_FAILED, "The picture could not be read (%s): %s",
                        strerror(codec->system), path);
    return KRN_FAIL(error, KRN_REFUSED, "This PNG file is damaged (%s): %s", codec->message, path);
}

/* Reads what follows the pixels, which are checked and dropped. */
static void decode_end(struct codec *codec)
{
    png_structp png = codec->png;
    const int passes = png_set_interlace_handling(png);
    png_read_update_info(png, codec->info);
    for (int pass = 0; pass < passes; pass++)
        for (png_uint_32 y = png_get_image_height(png, codec->info); y > 0; y--)
            png_read_row(png, NULL, NULL);
    png_read_end(png, codec->info);
}

static void decode_nothing(struct codec *codec)
{
    (void)codec;
}

/* Copies a chunk's text as UTF-8; a tEXt chunk holds Latin-1. */
static char *copy_text(const png_text *chunk)
{
    bool latin1 = chunk->compression < PNG_ITXT_COMPRESSION_NONE;
    size_t n = latin1 ? chunk->text_length : chunk->itxt_length;
    char *copy = malloc(n * (latin1 ? 2 : 1) + 1);
    if (!copy)
        return NULL;
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)chunk->text[i];
        if (latin1 && c >= 0x80) {
            copy[k++] = (char)(0xC0 | c >> 6);
            c = 0x80 | (c & 0x3F);
        }
        copy[k++] = (char)c;
    }
    copy[k] = '\0';
    return copy;
}

static const png_text *find_text(struct codec *codec, const char *key)
{
    png_textp chunks = NULL;
    int n = 0;
    png_get_text(codec->png, codec->info, &chunks, &n);
    for (int i = 0; i < n; i++) {
        if (strcmp(chunks[i].key, key) == 0)
            return &chunks[i];
    }
    return NULL;
}

enum krn_code ren_png_read_text(const char *path, const char *key, char **text,
                                struct krn_error *error)
{
    *text = NULL;
    /* We write the text before the pixels; another program may have moved it behind them. */
    void (*const depths[])(struct codec *) = {decode_nothing, decode_end};
    enum krn_code code = KRN_OK;
    for (size_t i = 0; i < 2 && code == KRN_OK && !*text; i++) {
        struct codec codec;
        code = read_open(&codec, path, error);
        if (code != KRN_OK)
            return code;
        if (!read_stream(&codec, depths[i])) {
            code = read_failed(&codec, path, error);
        } else {
            const png_text *chunk = find_text(&codec, key);
            *text = chunk ? copy_text(chunk) : NULL;
            if (chunk && !*text)
                code = KRN_FAIL(error, KRN_NO_MEMORY, "Out of memory for the text of %s", path);
        }
        read_close(&codec);
    }
    return code;
}

enum krn_code ren_png_read_size(const char *path, int *width, int *height, struct krn_error *error)
{
    struct codec codec;
    enum krn_code code = read_open(&codec, path, error);
    if (code != KRN_OK)
        return code;
    if (read_stream(&codec, decode_nothing)) {
        *width = (int)png_get_image_width(codec.png, codec.info);
        *height = (int)png_get_image_height(codec.png, codec.info);
    } else {
        code = read_failed(&codec, path, error);
    }
    read_close(&codec);
    return code;
}
