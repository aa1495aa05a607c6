/* input.h - what the fuzz targets share: copies of an input, as a text and as a file.
 *
 * A target defines LLVMFuzzerTestOneInput. With libFuzzer it is fed with mutations; in every other
 * build feed.c feeds it the files of its corpus.
 */
#ifndef TEST_FUZZ_INPUT_H
#define TEST_FUZZ_INPUT_H

#define _GNU_SOURCE /* memfd_create */

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the process, which the fuzzer reports as a finding, unless `holds`. */
static inline void input_check(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "broken: %s\n", what);
    abort();
}

/* Returns a copy of exact size that ends with a zero byte, so that a sanitizer reports reads past
 * its end. */
static inline char *input_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    input_check(text != NULL, "memory for the input");
    if (size > 0)
        memcpy(text, data, size);
    text[size] = 0;
    return text;
}

/* A file that holds an input, in memory: a disk would be waited for at every input. */
struct input_file {
    int file;
    char path[64];
};

static inline void input_file_put(struct input_file *input, const uint8_t *data, size_t size)
{
    if (input->path[0] == 0) {
        input->file = memfd_create("input", MFD_CLOEXEC);
        input_check(input->file >= 0, "a file in memory");
        snprintf(input->path, sizeof input->path, "/proc/self/fd/%d", input->file);
    }
    input_check(ftruncate(input->file, 0) == 0 &&
                    pwrite(input->file, data, size, 0) == (ssize_t)size,
                "writing the input");
}

/* Checks a refusal: one line that ends with a full stop and has no control character. */
static inline void input_check_sentence(const char *text)
{
    const size_t length = strlen(text);
    input_check(length > 1, "a refusal without a reason");
    for (size_t i = 0; i < length; i++)
        input_check((unsigned char)text[i] >= ' ' && text[i] != 127,
                    "a refusal in one line without control characters");
}

#endif
