/* Comparisons: two records, which a zero byte separates; without one, a record with itself. */
#include "input.h"

#include "records/compare.h"

static const double band_percent = 1.0;

static bool contains(const uint8_t *data, size_t size, const char *word)
{
    const size_t length = strlen(word);
    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(data + i, word, length) == 0)
            return true;
    return false;
}

/* A page has these words only if names in the input have. */
static void check_numbers(const char *page, const uint8_t *data, size_t size)
{
    static const char *const words[] = {"nan", "inf"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        input_check(strstr(page, words[i]) == NULL || contains(data, size, words[i]),
                    "a page without numbers that are none");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct input_file first, other;
    const uint8_t *zero = size > 0 ? memchr(data, 0, size) : NULL;
    const size_t length = zero != NULL ? (size_t)(zero - data) : size;
    input_file_put(&first, data, length);
    if (zero != NULL)
        input_file_put(&other, zero + 1, size - length - 1);
    struct krn_error error = {0};
    struct app_compare_counts counts;
    char *rest[] = {zero != NULL ? other.path : first.path};
    const struct app_paths paths = {first.path, rest, 1};
    char *page = NULL;
    size_t written = 0;
    FILE *out = open_memstream(&page, &written);
    input_check(out != NULL, "memory for a page");
    const enum krn_code code =
        app_compare(&paths, band_percent, APP_STYLE_TEXT, out, &counts, &error);
    fclose(out);
    if (code != KRN_OK)
        input_check_sentence(error.text);
    else
        check_numbers(page, data, size);
    free(page);
    return 0;
}
