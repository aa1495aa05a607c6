/* input.h - what the fuzz targets share: copies of an input, as a text and as a file.
 *
 * A target defines LLVMFuzzerTestOneInput. With libFuzzer it is fed with mutations; in every other
 * build feed.c feeds it the files of its corpus.
 */
#pragma once

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

/* What feed.c knows about the next input, and a reader has to say about it. */
enum input_demand {
    INPUT_ANYTHING, /* accepts it, or refuses it with a sentence */
    INPUT_ACCEPTED, /* a good file */
    INPUT_REFUSED,  /* a part of a good file that ends too early */
    INPUT_LINE,     /* the same of a text: the sentence names one of its lines */
};

/* One variable per program, also where there is no feed.c. */
__attribute__((weak)) struct {
    enum input_demand demand;
    int lines;   /* of the input */
    int answers; /* that readers gave to the input */
} input_feed;

/* Checks the sentence about an input, or about the line of it that the sentence names. */
static inline void input_check_line(const char *text)
{
    static const char before[] = ", line ";
    const char *named = strstr(text, before);
    const long line = named != NULL ? strtol(named + strlen(before), NULL, 10) : 0;
    if (line < 1 || line > input_feed.lines)
        fprintf(stderr, "a text of %d lines: \"%s\"\n", input_feed.lines, text);
    input_check(line >= 1 && line <= input_feed.lines, "a refusal that names a line of the text");
}

/* Checks what a reader says about an input; `text` is the sentence with which it refuses. */
static inline void input_answer(bool accepted, const char *text)
{
    input_feed.answers++;
    if (!accepted)
        input_check_sentence(text);
    if (!accepted && input_feed.demand == INPUT_ACCEPTED)
        fprintf(stderr, "%s\n", text);
    input_check(accepted || input_feed.demand != INPUT_ACCEPTED, "a good file is accepted");
    input_check(!accepted || input_feed.demand <= INPUT_ACCEPTED, "a cut file is refused");
    if (input_feed.demand == INPUT_LINE)
        input_check_line(text);
}
