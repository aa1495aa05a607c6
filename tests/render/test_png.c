/* PNG files: reading returns what was encoded. */
#include "files.h"
#include "no_overrides.h"

#include "ren/png.h"

#include <errno.h>
#include <fcntl.h>
#include <png.h>
#include <sys/stat.h>

static char folder[] = "/tmp/spherescope-png-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[4][256];
    static int next;
    char *out = path[next++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", folder, name);
    return out;
}

static enum krn_code write_png(const char *path, const struct ren_png *picture,
                               struct krn_error *why)
{
    TEST_FREED uint8_t *bytes = NULL;
    size_t count = 0;
    const enum krn_code code = ren_png_encode(picture, &bytes, &count, why);
    if (code == KRN_OK)
        test_file_put(path, bytes, count);
    return code;
}

static uint8_t *noise(int width, int height)
{
    size_t n = (size_t)width * (size_t)height * 4;
    uint8_t *rgba = test_alloc(n);
    uint32_t state = 1;
    for (size_t i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        rgba[i] = i % 4 == 3 ? 255 : (uint8_t)(state >> 24);
    }
    return rgba;
}

static char *file_bytes(const char *path, size_t *n)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = test_alloc(1 << 22);
    *n = fread(bytes, 1, 1 << 22, file);
    fclose(file);
    return bytes;
}

static void same_pixels(const char *path, int width, int height, const uint8_t *rgba)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    TEST_FREED uint8_t *read = test_alloc((size_t)width * (size_t)height * 4);
    assert_true(png_image_begin_read_from_file(&image, path));
    assert_true(image.width == (png_uint_32)width && image.height == (png_uint_32)height);
    image.format = PNG_FORMAT_RGBA;
    assert_true(png_image_finish_read(&image, NULL, read, 0, NULL));
    assert_memory_equal(read, rgba, (size_t)width * (size_t)height * 4);
}

TEST(test_round_trip)
{
    static const int sizes[][2] = {{1, 1}, {1, 300}, {300, 1}, {17, 5}, {640, 360}};
    static const char text[] = "{\"gpu\":\"H200\",\"unit\":\"µs\",\"kanji\":\"球\",\"face\":\"😀\"}";
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        int w = sizes[i][0], h = sizes[i][1];
        TEST_FREED uint8_t *rgba = noise(w, h);
        const char *path = in_folder("round.png");
        assert_int_equal(
            write_png(path, &(struct ren_png){w, h, rgba, "spherescope", text}, &error), 0);
        same_pixels(path, w, h, rgba);
        TEST_FREED char *read = NULL, *other = NULL;
        TEST_OK(ren_png_read_text(path, "spherescope", &read, &error));
        assert_string_equal(read, text);
        TEST_OK(ren_png_read_text(path, "other", &other, &error));
        assert_null(other);
    }
    assert_int_equal(test_file_count(folder), 1);
    unlink(in_folder("round.png"));
}

TEST(test_texts)
{
    TEST_FREED uint8_t *rgba = noise(4, 4);
    const char *path = in_folder("text.png");
    static const size_t lengths[] = {0, 1, 1000, 1 << 20};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        TEST_FREED char *text = malloc(lengths[i] + 1), *read = NULL;
        assert_non_null(text);
        for (size_t k = 0; k < lengths[i]; k++)
            text[k] = (char)(32 + (k * 7919 + k / 95) % 95);
        text[lengths[i]] = '\0';
        assert_int_equal(
            write_png(path, &(struct ren_png){4, 4, rgba, "spherescope", text}, &error), 0);
        TEST_OK(ren_png_read_text(path, "spherescope", &read, &error));
        assert_string_equal(read, text);
    }
    char *read = NULL;
    TEST_OK(write_png(path, &(struct ren_png){4, 4, rgba, NULL, NULL}, &error));
    TEST_OK(ren_png_read_text(path, "spherescope", &read, &error));
    assert_null(read);
    /* PNG forbids this key; no file remains. */
    unlink(path);
    char key[81];
    memset(key, 'k', sizeof key - 1);
    key[sizeof key - 1] = '\0';
    assert_int_equal(write_png(path, &(struct ren_png){4, 4, rgba, key, "t"}, &error), KRN_REFUSED);
    assert_int_equal(write_png(path, &(struct ren_png){4, 4, rgba, "", "t"}, &error), KRN_REFUSED);
    assert_int_equal(write_png(path, &(struct ren_png){4, 4, rgba, " k", "t"}, &error),
                     KRN_REFUSED);
    TEST_FREED char *text = test_alloc((size_t)REN_PNG_TEXT_BYTES_MAX + 2);
    memset(text, ' ', (size_t)REN_PNG_TEXT_BYTES_MAX + 1);
    TEST_FAILS(write_png(path, &(struct ren_png){4, 4, rgba, "k", text}, &error), KRN_REFUSED,
               "text is limited to");
    assert_int_equal(test_file_count(folder), 0);
}

TEST(test_sizes)
{
    uint8_t pixel[4] = {1, 2, 3, 255}, *bytes = NULL;
    size_t count = 0;
    static const int sizes[][2] = {{0, 1}, {1, 0}, {1, 16385}, {16385, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        assert_int_equal(
            ren_png_encode(&(struct ren_png){sizes[i][0], sizes[i][1], pixel, NULL, NULL}, &bytes,
                           &count, &error),
            KRN_REFUSED);
    assert_null(bytes);
}

TEST(test_without_permission)
{
    const char *path = in_folder("locked.png");
    char *text = NULL;
    test_file_put(path, "x", 1);
    assert_int_equal(chmod(path, 0), 0);
    test_override_permissions(false);
    assert_int_equal(ren_png_read_text(path, "k", &text, &error), KRN_FAILED);
    assert_non_null(strstr(error.text, strerror(EACCES)));
    test_override_permissions(true);
    unlink(path);
}

/* corpus_png has files that are no PNG files. */
TEST(test_unreadable)
{
    int w, h;
    char *text = NULL;
    static const char *const paths[] = {"/tmp", "/dev/zero", "/nowhere.png"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        TEST_FAILS(ren_png_read_size(paths[i], &w, &h, &error), KRN_FAILED, paths[i]);
        TEST_FAILS(ren_png_read_text(paths[i], "k", &text, &error), KRN_FAILED, paths[i]);
    }
    const char *pipe_path = in_folder("pipe.png");
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_int_equal(ren_png_read_text(pipe_path, "k", &text, &error), KRN_FAILED);
    unlink(pipe_path);
}

enum place { NOWHERE, BEFORE, BEHIND };

/* Writes a picture as other programs do. form: the compression of libpng's text. */
static void write_as_others(const char *path, int depth, int colour, bool interlaced,
                            enum place place, int form)
{
    enum { SIDE = 9 };
    png_byte row[8 * SIDE] = {0};
    png_color palette[4] = {{0, 0, 0}, {9, 9, 9}, {99, 0, 0}, {0, 99, 0}};
    const bool latin1 = form < PNG_ITXT_COMPRESSION_NONE;
    char key[] = "spherescope", other[] = "Software", utf8[] = "1 \u00b5s", latin[] = "1 \xb5s";
    png_text texts[] = {{.compression = PNG_TEXT_COMPRESSION_NONE, .key = other, .text = other},
                        {.compression = form, .key = key, .text = latin1 ? latin : utf8}};
    FILE *file = fopen(path, "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png), end = png_create_info_struct(png);
    assert_true(file && info && end);
    png_init_io(png, file);
    png_set_IHDR(png, info, SIDE, SIDE, depth, colour,
                 interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (colour == PNG_COLOR_TYPE_PALETTE)
        png_set_PLTE(png, info, palette, 4);
    png_set_text(png, place == BEHIND ? end : info, texts, place == NOWHERE ? 1 : 2);
    png_write_info(png, info);
    for (int pass = png_set_interlace_handling(png); pass > 0; pass--)
        for (int y = 0; y < SIDE; y++)
            png_write_row(png, row);
    png_write_end(png, end);
    png_destroy_info_struct(png, &end);
    png_destroy_write_struct(&png, &info);
    fclose(file);
}

/* Every kind of pixels, and a text in every form, before the pixels, behind them, or nowhere. A
 * file without the text is whole, and is damaged when it is cut anywhere. */
TEST(test_files_of_other_programs)
{
    static const int kinds[][2] = {
        {1, PNG_COLOR_TYPE_GRAY},       {16, PNG_COLOR_TYPE_GRAY}, {2, PNG_COLOR_TYPE_PALETTE},
        {8, PNG_COLOR_TYPE_PALETTE},    {8, PNG_COLOR_TYPE_RGB},   {16, PNG_COLOR_TYPE_RGB_ALPHA},
        {8, PNG_COLOR_TYPE_GRAY_ALPHA},
    };
    const char *path = in_folder("other.png"), *part = in_folder("part.png");
    for (size_t kind = 0; kind < 2 * sizeof kinds / sizeof *kinds; kind++) {
        const int depth = kinds[kind / 2][0], colour = kinds[kind / 2][1];
        for (enum place place = NOWHERE; place <= BEHIND; place++) {
            for (int form = PNG_TEXT_COMPRESSION_NONE; form <= PNG_ITXT_COMPRESSION_zTXt; form++) {
                TEST_FREED char *text = NULL;
                write_as_others(path, depth, colour, kind % 2 == 1, place, form);
                TEST_OK(ren_png_read_text(path, "spherescope", &text, &error));
                if (place == NOWHERE)
                    assert_null(text);
                else
                    assert_string_equal(text, "1 \u00b5s");
            }
            size_t n;
            TEST_FREED char *bytes = file_bytes(path, &n);
            for (size_t length = 8; length < n && place == NOWHERE; length++) {
                char *text = NULL;
                test_file_put(part, bytes, length);
                TEST_FAILS(ren_png_read_text(part, "spherescope", &text, &error), KRN_REFUSED,
                           "This PNG file is damaged");
            }
        }
    }
    unlink(path);
    unlink(part);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    int failed = tests_run(NULL, NULL);
    rmdir(folder);
    return failed;
}
