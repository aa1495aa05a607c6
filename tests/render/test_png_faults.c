/* PNG files on a disk that cannot be read, and without memory: what is said. The functions below
 * stand between the program and the C library. */
#include "files.h"

#include "ren/png.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDE = 64 };

static char folder[] = "/tmp/spherescope-png-faults-XXXXXX";
static char path[64];
static uint8_t rgba[4 * SIDE * SIDE];
static const struct ren_png picture = {SIDE, SIDE, rgba, "spherescope", "{\"a\": 1}"};

/* --- the C library --- */

static struct {
    const char *call; /* the name of the function that fails; NULL: none */
    int at;           /* the number of fread's call that fails */
} fault;

static bool fails(const char *call)
{
    return fault.call && strcmp(fault.call, call) == 0;
}

FILE *__real_fdopen(int fd, const char *mode);
FILE *__wrap_fdopen(int fd, const char *mode);
size_t __real_fread(void *to, size_t size, size_t count, FILE *file);
size_t __wrap_fread(void *to, size_t size, size_t count, FILE *file);

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

static enum krn_code write_png(const struct ren_png *what)
{
    TEST_FREED uint8_t *bytes = NULL;
    size_t count = 0;
    const enum krn_code code = ren_png_encode(what, &bytes, &count, &error);
    assert_int_equal(code == KRN_OK, bytes != NULL);
    if (code == KRN_OK)
        test_file_put(path, bytes, count);
    return code;
}

TEST_WITH(test_a_text_that_is_too_long, begin, NULL)
{
    struct ren_png other = picture;
    TEST_FREED char *text = test_alloc((size_t)REN_PNG_TEXT_BYTES_MAX + 2);
    memset(text, ' ', (size_t)REN_PNG_TEXT_BYTES_MAX + 1);
    text[REN_PNG_TEXT_BYTES_MAX + 1] = 0;
    other.text = text;
    TEST_FAILS(write_png(&other), KRN_REFUSED, "text is limited to");
    assert_int_equal(test_file_count(folder), 0);
}

/* --- reading --- */

/* Reads pixels or text. */
static enum krn_code read_back(bool pixels)
{
    int width, height;
    TEST_FREED uint8_t *read = NULL;
    TEST_FREED char *text = NULL;
    const enum krn_code code = pixels ? ren_png_read(path, &width, &height, &read, &error)
                                      : ren_png_read_text(path, "spherescope", &text, &error);
    assert_int_equal(code == KRN_OK, pixels ? read != NULL : text != NULL);
    if (code == KRN_OK && pixels)
        assert_memory_equal(read, rgba, sizeof rgba);
    else if (code == KRN_OK)
        assert_string_equal(text, picture.text);
    return code;
}

TEST_WITH(test_a_disk_that_cannot_be_read, begin, NULL)
{
    TEST_OK(write_png(&picture));
    for (int pixels = 0; pixels < 2; pixels++) {
        int failures = 0;
        fault.call = "fread";
        for (int n = 1; n <= 12; n++) {
            fault.at = n;
            if (read_back(pixels != 0) == KRN_OK)
                continue;
            TEST_FAILS(error.code, KRN_FAILED, "The picture could not be read");
            failures++;
        }
        assert_true(failures >= 8);
        fault.call = "fdopen";
        TEST_FAILS(read_back(pixels != 0), KRN_NO_MEMORY, "Out of memory for reading");
        fault.call = NULL;
        TEST_OK(read_back(pixels != 0));
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
                TEST_OK(write_png(&picture));
            snprintf(which, sizeof which, "any-alloc:%d", n);
            krn_fail_calls(which);
            const enum krn_code code = what == 0 ? write_png(&picture) : read_back(what == 1);
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
