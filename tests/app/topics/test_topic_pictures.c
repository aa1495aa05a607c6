/* The topics' pictures: a sentence that follows from the numbers, and none without them. */
#include "panel_boards.h"

#include <ctype.h>

static struct app_picture picture;

static int addresses = 8; /* per warp, that the picture of constant memory marks */

static void make(const struct board *board, int topic)
{
    const struct app_picture_facts facts = {.probes = &board->view.probes,
                                            .addresses = addresses,
                                            .modes = board->view.modes,
                                            .mode_count = board->view.mode_count};
    app_picture_make((enum krn_topic)topic, &facts, &picture);
}

/* Returns how many numbers of this device the picture shows: what is predicted, computed or
 * published is quiet. */
static size_t numbers_of(void)
{
    size_t count = 0;
    for (size_t i = 0; i < picture.chart.series_count; i++)
        for (size_t p = 0; p < picture.series[i].n; p++)
            count += isfinite(picture.series[i].y[p]) && picture.series[i].ink != APP_INK_QUIET;
    for (size_t i = 0; i < picture.bar_count; i++)
        count += picture.bars[i].value > 0.0 && picture.bars[i].ink != APP_INK_QUIET;
    return count;
}

/* What every topic says of a recorded H100 and of a CPU; NULL: nothing, as it has no numbers there.
 */
TEST(test_sentences)
{
    static const char *const gpu[KRN_TOPIC_COUNT] = {
        [KRN_TOPIC_TIMER] = "Without a barrier the host's clock sees 4.55 µs of 104 µs",
        [KRN_TOPIC_SAXPY] =
            "SAXPY reaches 92 % of the memory's bandwidth, the article's kernel 77 %",
        [KRN_TOPIC_PEAK] = "Below 21.1 operations a byte, memory is the limit",
        [KRN_TOPIC_TRANSFER] = "Pinned memory reaches the GPU at 54.3 GB/s, pageable at 7.19 GB/s",
        [KRN_TOPIC_CONSTANT] =
            "32 addresses in a warp: constant memory takes 31.4× as long, global 1.01×",
        [KRN_TOPIC_ILP] = "Four chains reach 90 % of the peak with 128 threads, one with 480",
        [KRN_TOPIC_MEMLAT] =
            "8 loads per thread reach 85 % of the best rate at 25 % occupancy, 1 at 100 %",
        [KRN_TOPIC_LATENCY] = "A read takes 700 cycles from memory, 39.0 from the nearest cache",
        [KRN_TOPIC_OPERANDS] = "Registers deliver 11.8× as many operands as shared memory",
        [KRN_TOPIC_ACCESS] = "Reads of neighbours are 22.6× faster than random ones",
        [KRN_TOPIC_ATOMICS] = "A counter for each thread is 413× faster than one for all",
        [KRN_TOPIC_BOUNCES] =
            "8 bounces: the tree kernel is 2.14× faster from global memory than from constant",
        [KRN_TOPIC_BANKS] = "Reads 32 words apart take 31.7× as long, 33 words apart 1.00×",
        [KRN_TOPIC_WHERE] = "Constant memory beats global memory in 7 of 35 cases"};
    static struct board board;
    fill_gpu(&board);
    for (int topic = 0; topic < KRN_TOPIC_COUNT; topic++) {
        make(&board, topic);
        assert_string_equal(picture.sentence, gpu[topic]);
        assert_true(numbers_of() > 0);
    }
    fill_cpu(&board);
    for (int topic = 0; topic < KRN_TOPIC_COUNT; topic++) {
        make(&board, topic);
        assert_int_equal(picture.sentence[0] != '\0', numbers_of() > 0);
    }
}

/* Before any measurement no picture shows a number; of wrong or throttled ones no sentence is made.
 */
TEST(test_no_sentence)
{
    static struct board board;
    fill_empty(&board);
    for (int topic = 0; topic < KRN_TOPIC_COUNT; topic++) {
        make(&board, topic);
        if (picture.sentence[0] != 0 || numbers_of() > 0)
            fail_msg("%s: %s", krn_topic_name((enum krn_topic)topic), picture.sentence);
    }
    fill_gpu(&board);
    for (int i = 0; i < board.count; i++)
        board.results[i].trust.reasons = APP_TRUST_BIT(APP_TRUST_THROTTLED);
    for (int topic = 0; topic < KRN_TOPIC_COUNT; topic++) {
        make(&board, topic);
        assert_string_equal(picture.sentence, "");
    }
}

/* The dot of constant memory stands at the chosen number of addresses; at one, the walks have dots
 * where spheres lie, with 28 bytes each, and with fewer where that makes a difference. */
TEST(test_addresses)
{
    static struct board board;
    fill_gpu(&board);
    addresses = 1;
    make(&board, KRN_TOPIC_CONSTANT);
    assert_string_equal(picture.sentence, "One address: constant memory takes 28.0 cycles up to "
                                          "2 KiB, then 98.0; global 41.1");
    assert_int_equal(picture.chart.mark_count, 5);
    assert_true(picture.marks[0].x == 28.0 * 100);
    for (addresses = 2; addresses <= 32; addresses *= 2) {
        make(&board, KRN_TOPIC_CONSTANT);
        assert_int_equal(picture.chart.mark_count, 1);
        assert_true(picture.marks[0].x == addresses);
    }
}

int main(void)
{
    return tests_run(NULL, NULL);
}
