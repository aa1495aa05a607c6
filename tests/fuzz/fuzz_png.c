/* PNG files: the record, the size and the pixels. Reads every input twice: as it is, and with the
 * check sums of its chunks corrected, which mutations break. */
#include "input.h"

#include "record/record.h"

#include "ren/png.h"

#include <zlib.h>

enum { SIGNATURE = 8, FRAME = 12, PIXELS_MAX = 1 << 16 };

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

static void read_all(const uint8_t *data, size_t size)
{
    static struct input_file input;
    struct krn_error error = {0};
    int width = 0, height = 0;
    char *text = NULL;
    uint8_t *rgba = NULL;
    input_file_put(&input, data, size);
    if (ren_png_read_text(input.path, APP_RECORD_KEY, &text, &error) != KRN_OK)
        input_check(text == NULL && error.text[0] != 0, "a refusal leaves no text");
    free(text);
    if (ren_png_read_size(input.path, &width, &height, &error) != KRN_OK)
        return;
    input_check(width >= 1 && height >= 1, "a size of at least one pixel");
    /* Large pictures take long with sanitizers. */
    if ((int64_t)width * height > PIXELS_MAX)
        return;
    if (ren_png_read(input.path, &width, &height, &rgba, &error) != KRN_OK)
        input_check(rgba == NULL && error.text[0] != 0, "a refusal leaves no pixels");
    free(rgba);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
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
