/* Access patterns: sectors per warp, compared with a count of marked bytes; and the arithmetic of
 * the panels. */
#include "core/probes/cycle.h"

#include "pictures.h"

#include "krn/access.h"
#include "krn/probe.h"

/* The state of a small random number generator. */
static uint64_t drawn = 1;

static uint64_t draw(uint64_t below)
{
    drawn = drawn * 6364136223846793005ull + 1442695040888963407ull;
    return (drawn >> 33) % below;
}

/* Counts sectors by marking the sector of every byte read. */
static int count_marks(const uint64_t *lanes, int count, int element_bytes, int sector_bytes)
{
    enum { SECTORS = 1 << 14 };
    static bool marked[SECTORS];
    int n = 0;
    memset(marked, 0, sizeof marked);
    for (int lane = 0; lane < count; lane++) {
        for (int byte = 0; byte < element_bytes; byte++) {
            const uint64_t at = lanes[lane] * (uint64_t)element_bytes + (uint64_t)byte,
                           sector = at / (uint64_t)sector_bytes;
            assert_true(sector < SECTORS);
            n += !marked[sector];
            marked[sector] = true;
        }
    }
    return n;
}

TEST(sectors_are_those_of_the_bytes)
{
    static const int sectors[] = {32, 64, 128};
    static const uint64_t spreads[] = {1, 2, 40, 300, 5000};
    for (int round = 0; round < 20000; round++) {
        uint64_t lanes[KRN_LANES];
        const int sector = sectors[draw(3)], count = 1 + (int)draw(KRN_LANES),
                  width = 1 + (int)draw((uint64_t)sector);
        const uint64_t spread = spreads[draw(5)];
        for (int lane = 0; lane < count; lane++)
            lanes[lane] = draw(spread);
        assert_int_equal(krn_sectors(lanes, count, width, sector),
                         count_marks(lanes, count, width, sector));
    }
}

static double sectors_of(enum krn_pattern pattern, uint64_t parameter)
{
    return krn_pattern_sectors(pattern, parameter, (uint64_t)1 << 20, 64, KRN_SECTOR_BYTES);
}

TEST(patterns_have_known_sectors)
{
    static const struct {
        enum krn_pattern pattern;
        uint64_t parameter;
        double sectors;
    } known[] = {
        {KRN_PATTERN_OFFSET, 0, 4.0},    {KRN_PATTERN_OFFSET, 1, 5.0},
        {KRN_PATTERN_OFFSET, 7, 5.0},    {KRN_PATTERN_OFFSET, 8, 4.0},
        {KRN_PATTERN_STRIDE, 1, 4.0},    {KRN_PATTERN_STRIDE, 2, 8.0},
        {KRN_PATTERN_STRIDE, 4, 16.0},   {KRN_PATTERN_STRIDE, 8, 32.0},
        {KRN_PATTERN_STRIDE, 32, 32.0},  {KRN_PATTERN_CHUNK, 1024, 32.0},
        {KRN_PATTERN_BROADCAST, 0, 1.0},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_true(sectors_of(known[i].pattern, known[i].parameter) == known[i].sectors);
    const double random = sectors_of(KRN_PATTERN_RANDOM, 0);
    assert_true(random > 31.9 && random <= 32.0);
    /* A CPU cache line is as large as two sectors. */
    assert_true(krn_pattern_sectors(KRN_PATTERN_OFFSET, 0, 1024, 4, KRN_LINE_BYTES) == 2.0);
    assert_true(krn_pattern_sectors(KRN_PATTERN_OFFSET, 0, 1024, 0, KRN_LINE_BYTES) == 0.0);
}

TEST(least_reaching)
{
    const double x[] = {32, 64, 96, 128}, y[] = {0.2, 0.5, 0.4, 0.9};
    assert_true(krn_least_reaching(x, y, 4, 0.5) == 64.0);
    assert_true(krn_least_reaching(x, y, 4, 0.1) == 32.0);
    assert_true(krn_least_reaching(x, y, 4, 0.6) == 128.0);
    assert_true(krn_least_reaching(x, y, 4, 0.95) == -1.0);
    assert_true(krn_least_reaching(x, y, 0, 0.0) == -1.0);
    const double none[] = {NAN, 1.0};
    assert_true(krn_least_reaching(x, none, 2, 0.5) == 64.0);
}

TEST(law_and_ceilings)
{
    assert_true(krn_little(4.0, 128.0) == 512.0);
    assert_true(krn_little(18.0, 32.0) == 576.0);
    /* A Tesla M2050, with the peaks of the published article on SAXPY: 148 GB/s, 1030 and 515
     * GFLOP/s.
     */
    struct krn_device_info info = {.backend = KRN_BACKEND_CUDA,
                                   .processors = 14,
                                   .fma_lanes = 32,
                                   .dfma_lanes = 16,
                                   .clock_max_mhz = 1150.0,
                                   .memory_clock_mhz = 1546.0,
                                   .memory_bus_bits = 384};
    struct krn_ceilings most = krn_ceilings_of(&info);
    assert_true(fabs(most.bandwidth_gbps - 148.4) < 0.1);
    assert_true(fabs(most.gflops - 1030.4) < 0.1);
    assert_true(fabs(most.gflops_double - 515.2) < 0.1);
    assert_true(most.fma_per_cycle == 32.0 && most.dfma_per_cycle == 16.0);
    info.memory_clock_mhz = 0.0; /* unknown */
    assert_true(krn_ceilings_of(&info).bandwidth_gbps == 0.0);
    info.backend = KRN_BACKEND_CPU;
    most = krn_ceilings_of(&info);
    assert_true(most.bandwidth_gbps == 0.0 && most.fma_per_cycle == 0.0 && most.gflops == 0.0);
    assert_true(most.dfma_per_cycle == 0.0 && most.gflops_double == 0.0);
}

/* A cycle visits every line once and then begins anew; place and line are inverse. */
TEST(cycles_visit_every_line)
{
    static const uint32_t sizes[] = {1, 2, 8, 12, 64, 96, 160, 224, 1024, 3072, 8192, 65536 * 3};
    static bool visited[65536 * 3];
    for (size_t s = 0; s < 2 * sizeof sizes / sizeof *sizes; s++) {
        const uint32_t lines = sizes[s / 2];
        const struct krn_cycle cycle = s % 2 ? krn_cycle_ascending(lines) : krn_cycle_of(lines);
        uint32_t near = 0;
        assert_int_equal(krn_cycle_lines(cycle), lines);
        memset(visited, 0, sizeof visited);
        for (uint32_t place = 0; place < lines; place++) {
            const uint32_t line = krn_cycle_line(cycle, place);
            assert_true(line < lines && !visited[line]);
            visited[line] = true;
            assert_int_equal(krn_cycle_place(cycle, line), place);
            near += krn_cycle_line(cycle, (size_t)place + 1) == line + 1;
        }
        assert_int_equal(krn_cycle_line(cycle, lines), krn_cycle_line(cycle, 0));
        /* Neighbours in the walk are neighbours in memory where that is asked for. */
        if (lines >= 1024)
            assert_true(s % 2 ? near == lines - 1 : near < lines / 100);
    }
}
