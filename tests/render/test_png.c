/* PNG files: reading returns what was written, no file is overwritten, and no temporary file
 * remains. */
#include "files.h"
#include "no_overrides.h"

#include "ren/png.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/spherescope-png-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[4][256];
    static int next;
    char *out = path[next++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", folder, name);
    return out;
}

static uint8_t *noise(int width, int height)
{
    size_t n = (size_t)width * (size_t)height * 4;
    uint8_t *rgba = malloc(n);
    assert_non_null(rgba);
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
    char *bytes = malloc(1 << 22);
    assert_non_null(bytes);
    *n = fread(bytes, 1, 1 << 22, file);
    fclose(file);
    return bytes;
}

static void same_pixels(const char *path, int width, int height, const uint8_t *rgba)
{
    struct krn_error error;
    int w = 0, h = 0;
    uint8_t *read = NULL;
    assert_int_equal(ren_png_read(path, &w, &h, &read, &error), KRN_OK);
    assert_int_equal(w, width);
    assert_int_equal(h, height);
    assert_memory_equal(read, rgba, (size_t)width * (size_t)height * 4);
    free(read);
}

TEST(test_round_trip)
{
    static const int sizes[][2] = {{1, 1}, {1, 300}, {300, 1}, {17, 5}, {640, 360}};
    static const char text[] = "{\"gpu\":\"H200\",\"unit\":\"µs\",\"kanji\":\"球\",\"face\":\"😀\"}";
    struct krn_error error;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        int w = sizes[i][0], h = sizes[i][1];
        uint8_t *rgba = noise(w, h);
        const char *path = in_folder("round.png");
        assert_int_equal(
            ren_png_write(path, &(struct ren_png){w, h, rgba, "spherescope", text}, true, &error),
            0);
        same_pixels(path, w, h, rgba);
        char *read = NULL;
        assert_int_equal(ren_png_read_text(path, "spherescope", &read, &error), KRN_OK);
        assert_string_equal(read, text);
        free(read);
        assert_int_equal(ren_png_read_text(path, "other", &read, &error), KRN_REFUSED);
        assert_null(read);
        free(rgba);
    }
    assert_int_equal(test_file_count(folder), 1);
    unlink(in_folder("round.png"));
}

TEST(test_texts)
{
    struct krn_error error;
    uint8_t *rgba = noise(4, 4);
    const char *path = in_folder("text.png");
    static const size_t lengths[] = {0, 1, 1000, 1 << 20};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        char *text = malloc(lengths[i] + 1), *read = NULL;
        assert_non_null(text);
        for (size_t k = 0; k < lengths[i]; k++)
            text[k] = (char)(32 + (k * 7919 + k / 95) % 95);
        text[lengths[i]] = '\0';
        assert_int_equal(
            ren_png_write(path, &(struct ren_png){4, 4, rgba, "spherescope", text}, true, &error),
            0);
        assert_int_equal(ren_png_read_text(path, "spherescope", &read, &error), KRN_OK);
        assert_string_equal(read, text);
        free(read);
        free(text);
    }
    char *read = NULL;
    assert_int_equal(ren_png_write(path, &(struct ren_png){4, 4, rgba, NULL, NULL}, true, &error),
                     KRN_OK);
    assert_int_equal(ren_png_read_text(path, "spherescope", &read, &error), KRN_REFUSED);
    /* PNG forbids this key; no file remains. */
    unlink(path);
    char key[81];
    memset(key, 'k', sizeof key - 1);
    key[sizeof key - 1] = '\0';
    assert_int_equal(ren_png_write(path, &(struct ren_png){4, 4, rgba, key, "t"}, true, &error),
                     KRN_REFUSED);
    assert_int_equal(ren_png_write(path, &(struct ren_png){4, 4, rgba, "", "t"}, true, &error),
                     KRN_REFUSED);
    assert_int_equal(ren_png_write(path, &(struct ren_png){4, 4, rgba, " k", "t"}, true, &error),
                     KRN_REFUSED);
    assert_int_equal(test_file_count(folder), 0);
    free(rgba);
}

TEST(test_never_overwrites)
{
    struct krn_error error;
    uint8_t *rgba = noise(8, 8);
    const char *path = in_folder("mine.png");
    test_file_put(path, "precious", 8);
    assert_int_equal(ren_png_write(path, &(struct ren_png){8, 8, rgba, NULL, NULL}, false, &error),
                     KRN_REFUSED);
    assert_non_null(strstr(error.text, path));
    size_t n;
    char *bytes = file_bytes(path, &n);
    assert_int_equal(n, 8);
    assert_memory_equal(bytes, "precious", 8);
    free(bytes);
    assert_int_equal(test_file_count(folder), 1);

    /* A dangling link takes its name as well. */
    const char *link_path = in_folder("link.png");
    assert_int_equal(symlink("nowhere", link_path), 0);
    assert_int_equal(
        ren_png_write(link_path, &(struct ren_png){8, 8, rgba, NULL, NULL}, false, &error),
        KRN_REFUSED);
    unlink(link_path);

    assert_int_equal(ren_png_write(path, &(struct ren_png){8, 8, rgba, NULL, NULL}, true, &error),
                     KRN_OK);
    same_pixels(path, 8, 8, rgba);

    /* Replacing through a link replaces the file that it leads to. */
    assert_int_equal(symlink("mine.png", link_path), 0);
    uint8_t *other = noise(9, 9);
    assert_int_equal(
        ren_png_write(link_path, &(struct ren_png){9, 9, other, NULL, NULL}, true, &error), KRN_OK);
    struct stat there;
    assert_int_equal(lstat(link_path, &there), 0);
    assert_true(S_ISLNK(there.st_mode));
    same_pixels(path, 9, 9, other);
    free(other);
    unlink(link_path);
    unlink(path);
    assert_int_equal(ren_png_write(path, &(struct ren_png){8, 8, rgba, NULL, NULL}, false, &error),
                     KRN_OK);
    unlink(path);
    free(rgba);
    assert_int_equal(test_file_count(folder), 0);
}

TEST(test_mode_follows_umask)
{
    struct krn_error error;
    uint8_t pixel[4] = {1, 2, 3, 255};
    mode_t old = umask(027);
    assert_int_equal(ren_png_write(in_folder("m.png"), &(struct ren_png){1, 1, pixel, NULL, NULL},
                                   false, &error),
                     0);
    umask(old);
    struct stat there;
    assert_int_equal(stat(in_folder("m.png"), &there), 0);
    assert_int_equal(there.st_mode & 0777, 0640);
    unlink(in_folder("m.png"));
}

TEST(test_write_failures)
{
    struct krn_error error;
    uint8_t *rgba = noise(200, 200);
    for (int replace = 0; replace < 2; replace++) {
        assert_int_equal(ren_png_write("/dev/full", &(struct ren_png){200, 200, rgba, NULL, NULL},
                                       replace, &error),
                         KRN_FAILED);
        assert_non_null(strstr(error.text, strerror(ENOSPC)));
        assert_non_null(strstr(error.text, "/dev/full"));
        struct stat there;
        assert_int_equal(stat("/dev/full", &there), 0);
        assert_true(S_ISCHR(there.st_mode));

        const char *missing = in_folder("no/such/folder.png");
        assert_int_equal(
            ren_png_write(missing, &(struct ren_png){200, 200, rgba, NULL, NULL}, replace, &error),
            KRN_FAILED);
        assert_non_null(strstr(error.text, strerror(ENOENT)));
        assert_non_null(strstr(error.text, "; make its folder first, or name another."));
        assert_non_null(strstr(error.text, missing));
        /* A long path leaves room for the reason and the cure. */
        char longer[600];
        snprintf(longer, sizeof longer, "%s/no/%0400d.png", folder, 0);
        assert_int_equal(
            ren_png_write(longer, &(struct ren_png){200, 200, rgba, NULL, NULL}, replace, &error),
            KRN_FAILED);
        assert_non_null(strstr(error.text, "0000.png cannot be written: "));
        assert_int_equal(error.text[strlen(error.text) - 1], '.');

        assert_int_equal(
            ren_png_write(folder, &(struct ren_png){200, 200, rgba, NULL, NULL}, replace, &error),
            KRN_FAILED);
        assert_non_null(strstr(error.text, strerror(EISDIR)));
        assert_int_equal(
            ren_png_write("", &(struct ren_png){200, 200, rgba, NULL, NULL}, replace, &error),
            KRN_FAILED);
    }
    /* The longest name that a folder allows leaves room for a temporary file beside it. */
    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(
        ren_png_write(path, &(struct ren_png){200, 200, rgba, NULL, NULL}, false, &error), KRN_OK);
    unlink(path);
    assert_int_equal(
        ren_png_write("x.png", &(struct ren_png){0, 1, rgba, NULL, NULL}, false, &error),
        KRN_REFUSED);
    assert_int_equal(
        ren_png_write("x.png", &(struct ren_png){1, 16385, rgba, NULL, NULL}, false, &error),
        KRN_REFUSED);
    assert_int_equal(test_file_count(folder), 0);
    free(rgba);
}

TEST(test_read_only_folder)
{
    struct krn_error error;
    uint8_t pixel[4] = {1, 2, 3, 255};
    /* Not even root can create a file here. */
    assert_int_equal(
        ren_png_write("/proc/r.png", &(struct ren_png){1, 1, pixel, NULL, NULL}, false, &error),
        KRN_FAILED);
    assert_non_null(strstr(error.text, "/proc/r.png"));
    assert_int_equal(chmod(folder, 0500), 0);
    test_override_permissions(false);
    assert_int_equal(ren_png_write(in_folder("r.png"), &(struct ren_png){1, 1, pixel, NULL, NULL},
                                   false, &error),
                     KRN_FAILED);
    assert_non_null(strstr(error.text, strerror(EACCES)));
    assert_int_equal(chmod(folder, 0700), 0);
    const char *path = in_folder("locked.png");
    int width = 0, height = 0;
    uint8_t *rgba = NULL;
    test_file_put(path, "x", 1);
    assert_int_equal(chmod(path, 0), 0);
    assert_int_equal(ren_png_read(path, &width, &height, &rgba, &error), KRN_FAILED);
    assert_non_null(strstr(error.text, strerror(EACCES)));
    test_override_permissions(true);
    unlink(path);
}

TEST(test_unreadable)
{
    struct krn_error error;
    int w, h;
    uint8_t *rgba = NULL;
    char *text = NULL;
    static const struct {
        const char *path;
        enum krn_code code;
    } cases[] = {{"/tmp", KRN_FAILED}, {"/dev/zero", KRN_FAILED}, {"/nowhere.png", KRN_FAILED}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(ren_png_read(cases[i].path, &w, &h, &rgba, &error), cases[i].code);
        assert_non_null(strstr(error.text, cases[i].path));
        assert_int_equal(ren_png_read_text(cases[i].path, "k", &text, &error), cases[i].code);
    }
    const char *pipe_path = in_folder("pipe.png");
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_int_equal(ren_png_read_text(pipe_path, "k", &text, &error), KRN_FAILED);
    unlink(pipe_path);

    const char *path = in_folder("garbage.png");
    static const char *const garbage[] = {
        "", "x", "\x89PNG\r\n\x1a", "\x89PNG\r\n\x1a\n", "{\"schema\":1}", "GIF89a.............."};
    for (size_t i = 0; i < sizeof garbage / sizeof garbage[0]; i++) {
        test_file_put(path, garbage[i], strlen(garbage[i]));
        assert_int_equal(ren_png_read(path, &w, &h, &rgba, &error), KRN_REFUSED);
        assert_int_equal(ren_png_read_text(path, "k", &text, &error), KRN_REFUSED);
        assert_null(rgba);
        assert_null(text);
    }
    unlink(path);
}

TEST(test_damaged)
{
    struct krn_error error;
    uint8_t *rgba = noise(13, 7);
    const char *path = in_folder("whole.png"), *part = in_folder("part.png");
    static const char text[] = "{\"schema\":\"spherescope\",\"unit\":\"µs\"}";
    assert_int_equal(
        ren_png_write(path, &(struct ren_png){13, 7, rgba, "spherescope", text}, false, &error),
        KRN_OK);
    size_t n;
    char *bytes = file_bytes(path, &n);
    int w, h;
    size_t with_text = 0;
    for (size_t length = 0; length < n; length++) { /* the file truncated at every byte */
        test_file_put(part, bytes, length);
        uint8_t *pixels = NULL;
        char *read = NULL;
        /* The pixels end before the end chunk, which may be missing. */
        if (ren_png_read(part, &w, &h, &pixels, &error) == KRN_OK)
            assert_true(length > n - 16 && memcmp(pixels, rgba, 13 * 7 * 4) == 0);
        free(pixels);
        if (ren_png_read_text(part, "spherescope", &read, &error) == KRN_OK) {
            assert_string_equal(read, text);
            with_text++;
        } else {
            assert_int_equal(error.code, KRN_REFUSED);
        }
        free(read);
    }
    assert_true(with_text > 0 && with_text < n);
    for (size_t i = 8; i < n;
         i++) { /* each byte changed: reading returns, with an error or without */
        for (int bit = 0; bit < 8; bit += 3) {
            bytes[i] = (char)(bytes[i] ^ (1 << bit));
            test_file_put(part, bytes, n);
            bytes[i] = (char)(bytes[i] ^ (1 << bit));
            uint8_t *pixels = NULL;
            char *read = NULL;
            ren_png_read(part, &w, &h, &pixels, &error);
            free(pixels);
            ren_png_read_text(part, "spherescope", &read, &error);
            free(read);
        }
    }
    free(bytes);
    free(rgba);
    unlink(path);
    unlink(part);
}

TEST(test_many_frames)
{
    struct krn_error error;
    uint8_t *rgba = noise(64, 64);
    for (int i = 0; i < 200; i++) /* memory and descriptors are released */
        assert_int_equal(ren_png_write(in_folder("f.png"),
                                       &(struct ren_png){64, 64, rgba, "k", "v"}, true, &error),
                         KRN_OK);
    unlink(in_folder("f.png"));
    free(rgba);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    int failed = tests_run(NULL, NULL);
    rmdir(folder);
    return failed;
}
