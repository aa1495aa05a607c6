/* PNG files on a disk that fails, a file system without links, and without memory: what is said,
 * and that the old file stays and no part of a new one. The functions below stand between the
 * program and the C library. */
#include "files.h"

#include "ren/png.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { SIDE = 64 };

static char folder[] = "/tmp/spherescope-png-faults-XXXXXX";
static char path[64];
static uint8_t rgba[4 * SIDE * SIDE];
static const struct ren_png picture = {SIDE, SIDE, rgba, "spherescope", "{\"a\": 1}"};
static struct krn_error error;

/* --- the C library --- */

static struct {
    const char *calls[2]; /* names of functions that fail; NULL: none */
    int at;               /* the number of fread's call that fails */
} fault;

static bool fails(const char *call)
{
    for (size_t i = 0; i < sizeof fault.calls / sizeof *fault.calls; i++)
        if (fault.calls[i] && strcmp(fault.calls[i], call) == 0)
            return true;
    return false;
}

int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __real_link(const char *from, const char *to);
int __wrap_link(const char *from, const char *to);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);
FILE *__real_fdopen(int fd, const char *mode);
FILE *__wrap_fdopen(int fd, const char *mode);
size_t __real_fread(void *to, size_t size, size_t count, FILE *file);
size_t __wrap_fread(void *to, size_t size, size_t count, FILE *file);

static int refuse(int code)
{
    errno = code;
    return -1;
}

int __wrap_fsync(int fd)
{
    return fails("fsync") ? refuse(EIO) : __real_fsync(fd);
}

int __wrap_link(const char *from, const char *to)
{
    return fails("link") ? refuse(EPERM) : __real_link(from, to);
}

int __wrap_rename(const char *from, const char *to)
{
    return fails("rename") ? refuse(EIO) : __real_rename(from, to);
}

int __wrap_fclose(FILE *file)
{
    const int closed = __real_fclose(file);
    return fails("fclose") ? refuse(ENOSPC) : closed;
}

FILE *__wrap_fdopen(int fd, const char *mode)
{
    if (!fails("fdopen"))
        return __real_fdopen(fd, mode);
    errno = ENOMEM;
    return NULL;
}

/* Puts a folder in the place of the file, which cannot be read. */
size_t __wrap_fread(void *to, size_t size, size_t count, FILE *file)
{
    if (fails("fread") && --fault.at == 0) {
        const int other = open("/", O_RDONLY | O_DIRECTORY);
        assert_true(other >= 0 && dup2(other, fileno(file)) >= 0);
        close(other);
        setvbuf(file, NULL, _IONBF, 0);
        fseek(file, 0, SEEK_SET);
    }
    return __real_fread(to, size, count, file);
}

static int begin(void **unused)
{
    (void)unused;
    memset(&fault, 0, sizeof fault);
    unlink(path);
    return 0;
}

/* --- writing --- */

static void put_old(void)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs("old", file) >= 0 && __real_fclose(file) == 0);
}

/* Checks that the picture cannot be written, that the sentence has these words, and that the folder
 * is as before. */
static void stays_unwritten(enum krn_code code, const char *words)
{
    for (int old = 0; old < 2; old++) {
        if (old)
            put_old();
        assert_int_equal(ren_png_write(path, &picture, true, &error), code);
        assert_non_null(strstr(error.text, words));
        assert_non_null(strstr(error.text, path));
        assert_int_equal(test_file_count(folder), old);
        if (old) {
            char text[8] = "";
            FILE *file = fopen(path, "rb");
            assert_non_null(file);
            assert_int_equal(__real_fread(text, 1, sizeof text, file), 3);
            __real_fclose(file);
            assert_string_equal(text, "old");
        }
    }
    unlink(path);
}

TEST_WITH(test_a_disk_that_fails, begin, NULL)
{
    static const struct {
        const char *call;
        enum krn_code code;
        const char *words;
    } faults[] = {
        {"fsync", KRN_FAILED, "cannot be written: Input/output error; "},
        {"fclose", KRN_FAILED, "cannot be written: No space left on device; "},
        {"rename", KRN_FAILED, "cannot be written: Input/output error; "},
        {"fdopen", KRN_NO_MEMORY, "cannot be written: Cannot allocate memory; "},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        fault.calls[0] = faults[i].call;
        stays_unwritten(faults[i].code, faults[i].words);
    }
}

/* Without links, a new file is written all the same, and an old one is not overwritten. */
TEST_WITH(test_a_file_system_without_links, begin, NULL)
{
    int width, height;
    uint8_t *read = NULL;
    fault.calls[0] = "link";
    TEST_OK(ren_png_write(path, &picture, false, &error), error);
    TEST_OK(ren_png_read(path, &width, &height, &read, &error), error);
    assert_memory_equal(read, rgba, sizeof rgba);
    free(read);
    assert_int_equal(test_file_count(folder), 1);
    assert_int_equal(ren_png_write(path, &picture, false, &error), KRN_REFUSED);
    assert_non_null(strstr(error.text, "is there already and is not overwritten"));
    unlink(path);
    fault.calls[1] = "rename";
    assert_int_equal(ren_png_write(path, &picture, false, &error), KRN_FAILED);
    assert_int_equal(test_file_count(folder), 0);
}

/* A socket is neither a file nor a device that a picture can be written into. */
TEST_WITH(test_a_socket, begin, NULL)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const int made = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(name.sun_path, sizeof name.sun_path, "%s", path);
    assert_true(made >= 0 && bind(made, (struct sockaddr *)&name, sizeof name) == 0);
    assert_int_equal(ren_png_write(path, &picture, true, &error), KRN_FAILED);
    assert_non_null(strstr(error.text, strerror(ENXIO)));
    assert_int_equal(test_file_count(folder), 1);
    close(made);
}

TEST_WITH(test_a_text_that_is_too_long, begin, NULL)
{
    struct ren_png other = picture;
    char *text = malloc((size_t)REN_PNG_TEXT_BYTES_MAX + 2);
    assert_non_null(text);
    memset(text, ' ', (size_t)REN_PNG_TEXT_BYTES_MAX + 1);
    text[REN_PNG_TEXT_BYTES_MAX + 1] = 0;
    other.text = text;
    assert_int_equal(ren_png_write(path, &other, true, &error), KRN_REFUSED);
    assert_non_null(strstr(error.text, "text is limited to"));
    assert_int_equal(test_file_count(folder), 0);
    free(text);
}

/* --- reading --- */

/* Reads pixels or text. */
static enum krn_code read_back(bool pixels)
{
    int width, height;
    uint8_t *read = NULL;
    char *text = NULL;
    const enum krn_code code = pixels ? ren_png_read(path, &width, &height, &read, &error)
                                      : ren_png_read_text(path, "spherescope", &text, &error);
    assert_int_equal(code == KRN_OK, pixels ? read != NULL : text != NULL);
    if (code == KRN_OK && pixels)
        assert_memory_equal(read, rgba, sizeof rgba);
    else if (code == KRN_OK)
        assert_string_equal(text, picture.text);
    free(read);
    free(text);
    return code;
}

TEST_WITH(test_a_disk_that_cannot_be_read, begin, NULL)
{
    TEST_OK(ren_png_write(path, &picture, true, &error), error);
    for (int pixels = 0; pixels < 2; pixels++) {
        int failures = 0;
        fault.calls[0] = "fread";
        for (int n = 1; n <= 12; n++) {
            fault.at = n;
            if (read_back(pixels != 0) == KRN_OK)
                continue;
            assert_int_equal(error.code, KRN_FAILED);
            assert_non_null(strstr(error.text, "The picture could not be read"));
            failures++;
        }
        assert_true(failures >= 8);
        fault.calls[0] = "fdopen";
        assert_int_equal(read_back(pixels != 0), KRN_NO_MEMORY);
        assert_non_null(strstr(error.text, "Out of memory for reading"));
        fault.calls[0] = NULL;
        TEST_OK(read_back(pixels != 0), error);
    }
}

/* Whichever allocation fails, the call succeeds or says that memory is full. */
TEST_WITH(test_no_memory, begin, NULL)
{
    int refused[3] = {0};
    for (int what = 0; what < 3; what++) {
        for (int n = 1; n <= 30; n++) {
            char which[32];
            if (what > 0)
                TEST_OK(ren_png_write(path, &picture, true, &error), error);
            snprintf(which, sizeof which, "any-alloc:%d", n);
            krn_fail_calls(which);
            const enum krn_code code =
                what == 0 ? ren_png_write(path, &picture, true, &error) : read_back(what == 1);
            krn_fail_calls(NULL);
            assert_true(code == KRN_OK || code == KRN_NO_MEMORY);
            assert_int_equal(test_file_count(folder), what > 0 || code == KRN_OK);
            refused[what] += code != KRN_OK;
            unlink(path);
        }
        assert_true(refused[what] > 0);
    }
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/picture.png", folder);
    for (size_t i = 0; i < sizeof rgba; i++)
        rgba[i] = i % 4 == 3 ? 255 : (uint8_t)(i * 2654435761u >> 13);
    const int failed = tests_run(NULL, NULL);
    begin(NULL);
    rmdir(folder);
    return failed;
}
