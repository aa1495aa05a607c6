/* PNG files: the record and the size. Reads every input twice: as it is, and with the
 * check sums of its chunks corrected, which mutations break. Mutations of large compressed texts
 * are left out: each would take a thousand times as long as another, most of it in the sanitizer.
 */
#include "input.h"

#include "records/io.h"

#include "ren/png.h"

#include <zlib.h>

enum { SIGNATURE = 8, FRAME = 12, INFLATED_MAX = 1 << 17 };

static uint32_t big_endian(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Corrects the check sums in place. */
static void correct(uint8_t *bytes, size_t size)
{
    for (size_t at = SIGNATURE; at + FRAME <= size;) {
        const size_t length = big_endian(bytes + at);
        if (length > size - at - FRAME)
            return;
        const uint32_t sum = (uint32_t)crc32(0, bytes + at + 4, (uInt)length + 4);
        uint8_t *to = bytes + at + 8 + length;
        for (int i = 0; i < 4; i++)
            to[i] = (uint8_t)(sum >> (24 - 8 * i));
        at += FRAME + length;
    }
}

#ifdef FUZZ_MUTATES
/* Returns the bytes that a stream inflates to, or a number above INFLATED_MAX. */
static size_t inflated(const uint8_t *bytes, size_t size)
{
    static uint8_t out[1 << 15];
    z_stream stream = {.next_in = (Bytef *)bytes, .avail_in = (uInt)size};
    if (inflateInit(&stream) != Z_OK)
        return 0;
    do {
        stream.next_out = out;
        stream.avail_out = sizeof out;
    } while (inflate(&stream, Z_NO_FLUSH) == Z_OK && stream.total_out <= INFLATED_MAX);
    inflateEnd(&stream);
    return stream.total_out;
}

/* Returns true when the chunks of a file, but for its pixels, need much memory. */
static bool is_large(const uint8_t *bytes, size_t size)
{
    size_t sum = 0;
    for (size_t at = SIGNATURE; at + FRAME <= size && sum <= INFLATED_MAX;) {
        const size_t length = big_endian(bytes + at);
        const uint8_t *chunk = bytes + at + 8;
        if (length > size - at - FRAME) /* libpng allocates what a cut chunk claims */
            return length > INFLATED_MAX;
        /* Compressed data follow one, two or three texts that end with 0, and two bytes. */
        const int texts = memcmp(chunk - 4, "iTXt", 4) == 0 ? 3
                          : memcmp(chunk - 4, "zTXt", 4) == 0 || memcmp(chunk - 4, "iCCP", 4) == 0
                              ? 1
                              : 0;
        size_t skip = 0;
        for (int i = 0; i < texts; i++) {
            while (skip < length && chunk[skip] != 0)
                skip++;
            skip += i == 0 && texts == 3 ? 3 : 1;
        }
        skip += texts == 1;
        if (texts > 0 && skip < length)
            sum += inflated(chunk + skip, length - skip);
        at += FRAME + length;
    }
    return sum > INFLATED_MAX;
}
#endif

/* What a reader got from the last good file. */
struct got {
    void *bytes;
    size_t count;
};
static struct got good_text, good_size;

/* Checks what a reader got, NULL where it refused the file with the sentence `refusal`, and frees
 * it. The record lies before the pixels, and no reader needs the last bytes: a cut file is refused,
 * or gives exactly what the whole one gives. */
static void answer(struct got *good, void *bytes, size_t count, const char *refusal)
{
    const bool same = bytes != NULL && good->bytes != NULL && count == good->count &&
                      memcmp(bytes, good->bytes, count) == 0;
    if (same && input_feed.demand == INPUT_REFUSED)
        input_feed.answers++;
    else
        input_answer(bytes != NULL, refusal);
    if (input_feed.demand == INPUT_ACCEPTED) {
        free(good->bytes);
        *good = (struct got){bytes, count};
    } else {
        free(bytes);
    }
}

static void read_all(const uint8_t *data, size_t size)
{
    static struct input_file input;
    struct krn_error error = {0};
    char *text = NULL;
    input_file_put(&input, data, size);
    const bool sound = ren_png_read_text(input.path, APP_RECORD_KEY, &text, &error) == KRN_OK;
    input_check(sound || text == NULL, "a refusal leaves no text");
    if (text != NULL || !sound)
        answer(&good_text, text, text != NULL ? strlen(text) : 0, error.text);
    int *sides = malloc(2 * sizeof *sides);
    input_check(sides != NULL, "memory for a size");
    if (ren_png_read_size(input.path, &sides[0], &sides[1], &error) == KRN_OK) {
        input_check(sides[0] >= 1 && sides[1] >= 1, "a size of at least one pixel");
    } else {
        free(sides);
        sides = NULL;
    }
    answer(&good_size, sides, 2 * sizeof *sides, error.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
#ifdef FUZZ_MUTATES
    if (is_large(data, size))
        return -1; /* does not join the corpus */
#endif
    read_all(data, size);
    if (size < SIGNATURE)
        return 0;
    uint8_t *copy = malloc(size);
    input_check(copy != NULL, "memory for the input");
    memcpy(copy, data, size);
    correct(copy, size);
    if (memcmp(copy, data, size) != 0)
        read_all(copy, size);
    free(copy);
    return 0;
}
