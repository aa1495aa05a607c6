/* Clocks, power and throttling from an NVML that works, is missing, is broken or is slow. */
#include "expect.h"
#include "krn/telemetry.h"
#include "timing.h"

#include <stdio.h>

static const char gpu[] = "0000:06:00.0";

static struct krn_telemetry_reading query(const char *library, const char *how, const char *pci_id)
{
    struct krn_telemetry_reading reading;
    memset(&reading, 0x55, sizeof reading);
    setenv("SPHERESCOPE_NVML", library, 1);
    setenv("FAKE_NVML", how, 1);
    krn_telemetry_query(pci_id, &reading);
    return reading;
}

static void assert_nothing_known(const struct krn_telemetry_reading *reading)
{
    assert_string_equal(reading->driver, "n/a");
    assert_true(reading->clock_mhz == 0 && reading->clock_max_mhz == 0 &&
                reading->memory_clock_mhz == 0 && reading->memory_clock_max_mhz == 0 &&
                reading->power_w == 0 && reading->temperature_c == 0);
    assert_false(reading->throttle_known);
    assert_int_equal(reading->throttle, 0);
}

TEST(test_normal)
{
    const struct krn_telemetry_reading r = query(FAKE_NVML, "", gpu);
    assert_true(r.valid && r.throttle_known);
    assert_string_equal(r.driver, "580.95.05");
    assert_true(r.clock_mhz == 1980 && r.clock_max_mhz == 1980);
    assert_true(r.memory_clock_mhz == 3201 && r.memory_clock_max_mhz == 3201);
    assert_true(r.power_w > 127.39 && r.power_w < 127.41 && r.temperature_c == 40);
    assert_int_equal(r.throttle, 0);
    assert_string_equal(r.reason, "");
}

TEST(test_throttled)
{
    char text[64], small[8];
    const struct krn_telemetry_reading r = query(FAKE_NVML, "throttled", gpu);
    assert_true(r.clock_mhz == 1200);
    assert_int_equal(r.throttle, KRN_THROTTLE_POWER | KRN_THROTTLE_HEAT);
    assert_true(r.throttle & KRN_THROTTLE_SLOWS);
    krn_throttle_text(r.throttle, text, sizeof text);
    assert_string_equal(text, "power cap, heat");
    krn_throttle_text(r.throttle, small, sizeof small);
    assert_string_equal(small, "power c");
    krn_throttle_text(0, text, sizeof text);
    assert_string_equal(text, "none");
    const struct krn_telemetry_reading d = query(FAKE_NVML, "display", gpu);
    assert_int_equal(d.throttle, KRN_THROTTLE_DISPLAY);
    assert_false(d.throttle & KRN_THROTTLE_SLOWS);
}

TEST(test_not_there)
{
    static const struct {
        const char *library, *how, *pci_id, *words;
    } cases[] = {
        {"/nowhere/libnvidia-ml.so.1", "", gpu, "cannot be loaded"},
        {TEST_SOURCE_DIR "/CMakeLists.txt", "", gpu, "cannot be loaded"},
        {FAKE_NVML_EMPTY, "", gpu, "not NVML"},
        {FAKE_NVML, "no driver", gpu, "driver is not loaded"},
        {FAKE_NVML, "", "0000:07:00.0", "does not know this GPU"},
        {FAKE_NVML, "", "n/a", "does not know this GPU"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct krn_telemetry_reading r =
            query(cases[i].library, cases[i].how, cases[i].pci_id);
        assert_false(r.valid);
        assert_nothing_known(&r);
        test_has(r.reason, cases[i].words);
    }
}

TEST(test_refused_and_huge)
{
    static const char *const hows[] = {"refused", "lost"};
    for (int i = 0; i < 2; i++) {
        const struct krn_telemetry_reading r = query(FAKE_NVML, hows[i], gpu);
        assert_true(r.valid && r.clock_mhz == 0 && r.power_w == 0 && r.temperature_c == 0);
        assert_string_equal(r.driver, i == 0 ? "n/a" : "580.95.05");
    }
    const struct krn_telemetry_reading r = query(FAKE_NVML, "huge", gpu);
    assert_true(r.valid && r.clock_mhz == 0 && r.clock_max_mhz == 0 && r.memory_clock_mhz == 0 &&
                r.power_w == 0 && r.temperature_c == 0);
    assert_int_equal(strlen(r.driver), sizeof r.driver - 1);
    assert_int_equal(r.throttle, (1 << KRN_THROTTLE_COUNT) - 1);
}

/* Watches the GPU of the stand-in, which answers as `how` says. */
static struct krn_telemetry *watch(const char *how)
{
    setenv("SPHERESCOPE_NVML", FAKE_NVML, 1);
    setenv("FAKE_NVML", how, 1);
    struct krn_telemetry *telemetry = krn_telemetry_open(gpu);
    assert_non_null(telemetry);
    return telemetry;
}

TEST(test_watching)
{
    struct krn_telemetry_reading r;
    struct krn_telemetry *telemetry = watch("throttled");
    assert_true(krn_telemetry_wait(telemetry, 20.0));
    krn_telemetry_read(telemetry, &r);
    assert_true(r.valid && r.clock_mhz == 1200 && r.samples >= 1);

    /* A throttle reason stays in throttle_seen until the next mark, however short it was. */
    setenv("FAKE_NVML", "display", 1);
    assert_true(krn_telemetry_wait(telemetry, 20.0));
    krn_telemetry_read(telemetry, &r);
    assert_int_equal(r.throttle, KRN_THROTTLE_DISPLAY);
    assert_true(r.throttle_seen & KRN_THROTTLE_POWER && r.throttle_seen & KRN_THROTTLE_DISPLAY);
    krn_telemetry_mark(telemetry);
    krn_telemetry_read(telemetry, &r);
    assert_int_equal(r.throttle_seen, KRN_THROTTLE_DISPLAY);
    krn_telemetry_close(telemetry);
}

static struct krn_telemetry_reading next(struct krn_telemetry *telemetry, const char *how)
{
    struct krn_telemetry_reading reading;
    setenv("FAKE_NVML", how, 1);
    assert_true(krn_telemetry_wait(telemetry, 20.0));
    krn_telemetry_read(telemetry, &reading);
    return reading;
}

/* The lowest clocks since the mark stay, but not those of an idle GPU between two runs. */
TEST(test_lowest_clocks)
{
    struct krn_telemetry_reading r;
    struct krn_telemetry *telemetry = watch("idle");
    r = next(telemetry, "idle");
    assert_true(r.clock_mhz == 345 && r.clock_low_mhz == 345); /* nothing better is known */
    krn_telemetry_mark(telemetry);
    r = next(telemetry, "");
    assert_true(r.clock_low_mhz == 1980 && r.memory_clock_low_mhz == 3201);
    r = next(telemetry, "idle");
    assert_true(r.clock_mhz == 345 && r.clock_low_mhz == 1980);
    r = next(telemetry, "throttled");
    assert_true(r.clock_low_mhz == 1200 && r.memory_clock_low_mhz == 3201);
    r = next(telemetry, "slow memory");
    assert_true(r.clock_mhz == 1980 && r.clock_low_mhz == 1200 && r.memory_clock_low_mhz == 2619);
    r = next(telemetry, "lost"); /* a reading without clocks changes nothing */
    assert_true(r.clock_mhz == 0 && r.clock_low_mhz == 1200 && r.memory_clock_low_mhz == 2619);
    r = next(telemetry, "");
    krn_telemetry_mark(telemetry);
    krn_telemetry_read(telemetry, &r);
    assert_true(r.clock_low_mhz == 1980 && r.memory_clock_low_mhz == 3201);
    krn_telemetry_close(telemetry);
}

/* A reader never waits for a slow driver. */
TEST(test_slow_library)
{
    struct krn_telemetry_reading r;
    struct krn_telemetry *telemetry = watch("slow");
    assert_true(krn_telemetry_wait(telemetry, 20.0));
    double longest = 0;
    const double start = test_clock_s();
    while (test_clock_s() < start + 0.7) {
        const double before = test_clock_s();
        krn_telemetry_read(telemetry, &r);
        const double took = test_clock_s() - before;
        longest = took > longest ? took : longest;
    }
    assert_true(r.cost_ms > 250); /* six calls of 50 ms */
    print_message("a look takes %.0f ms, a reader waited %.3f ms at most\n", r.cost_ms,
                  longest * 1e3);
    krn_telemetry_close(telemetry);
}

TEST(test_watching_nothing)
{
    struct krn_telemetry_reading r;
    setenv("SPHERESCOPE_NVML", "/nowhere/at/all.so", 1);
    struct krn_telemetry *telemetry = krn_telemetry_open(gpu);
    assert_non_null(telemetry);
    krn_telemetry_wait(telemetry, 20.0);
    krn_telemetry_read(telemetry, &r);
    assert_nothing_known(&r);
    assert_non_null(strstr(r.reason, "cannot be loaded"));
    krn_telemetry_close(telemetry);

    krn_telemetry_read(NULL, &r);
    assert_nothing_known(&r);
    assert_false(krn_telemetry_wait(NULL, 1.0));
    krn_telemetry_mark(NULL);
    krn_telemetry_close(NULL);
    for (int i = 0; i < 50; i++)
        krn_telemetry_close(krn_telemetry_open(gpu));
}
