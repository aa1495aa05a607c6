/* Every reason of the trust light, with its condition just met and just not met. */
#include "files.h"

#include "base/environment.h"
#include "model/verdict.h"

#include <sys/stat.h>

static struct krn_summary samples(size_t n, double p5, double median, double p95)
{
    const struct krn_summary s = {n,   p5, p5, 0.5 * (p5 + median), median, 0.5 * (median + p95),
                                  p95, p95};
    return s;
}

/* Returns facts that give no reason. */
static struct app_trust_facts sound(void)
{
    const struct app_trust_facts facts = {
        .throttle_known = true,
        .throttle = KRN_THROTTLE_IDLE | KRN_THROTTLE_APPLICATION,
        .clock_mhz = 1980,
        .clock_max_mhz = 1980,
        .samples = samples(240, 1.0, 1.01, 1.02),
        .memory_clock_mhz = 3201,
        .memory_clock_max_mhz = 3201,
        .overhead_ms = 0.0035,
        .bytes = 2147e6,
        .l2_bytes = 60e6,
        .rate = 3021,
        .rate_possible = 4814,
        .has_picture = true,
        .verified = APP_VERIFIED_TRUE,
    };
    return facts;
}

static void assert_only(const struct app_trust_facts *facts, enum app_trust_reason reason,
                        const char *id, enum app_trust_level level)
{
    const char *ids[APP_TRUST_COUNT];
    const unsigned found = app_trust_find(facts);
    assert_int_equal(found, 1u << reason);
    assert_int_equal(app_trust_ids(found, ids), 1);
    assert_string_equal(ids[0], id);
    assert_int_equal(app_trust_level(found), level);
    assert_string_equal(app_trust_entry(reason)->id, id);
}

static void assert_none(const struct app_trust_facts *facts)
{
    assert_int_equal(app_trust_find(facts), 0);
}

TEST(test_no_reason)
{
    const struct app_trust_facts good = sound(), unknown = {0};
    assert_none(&good);
    assert_none(&unknown);
    assert_int_equal(app_trust_level(0), APP_TRUST_GREEN);
}

TEST(test_clocks)
{
    static const unsigned slow[] = {KRN_THROTTLE_POWER, KRN_THROTTLE_HEAT, KRN_THROTTLE_HARDWARE,
                                    KRN_THROTTLE_SYNC};
    struct app_trust_facts f = sound();
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
        f.throttle = slow[i] | KRN_THROTTLE_IDLE;
        assert_only(&f, APP_TRUST_THROTTLED, "throttled", APP_TRUST_RED);
    }
    f.throttle_known = false;
    assert_none(&f);
    f = sound();
    f.clock_mhz = 0.899 * f.clock_max_mhz;
    assert_only(&f, APP_TRUST_LOW_CLOCK, "low-clock", APP_TRUST_AMBER);
    f.clock_mhz = 0.9 * f.clock_max_mhz + 1e-6;
    assert_none(&f);
    f.clock_mhz = 0;
    assert_none(&f);
    f = sound();
    f.memory_clock_mhz = 0.899 * f.memory_clock_max_mhz;
    assert_only(&f, APP_TRUST_LOW_MEMORY_CLOCK, "low-memory-clock", APP_TRUST_AMBER);
    f.memory_clock_mhz = 0.9 * f.memory_clock_max_mhz + 1e-6;
    assert_none(&f);
    f.memory_clock_mhz = 0; /* unknown */
    assert_none(&f);
    f.memory_clock_mhz = 405;
    f.rate_possible = 0; /* no percentage of the memory's bandwidth rests on it */
    assert_none(&f);
}

/* From the telemetry library's answer to the reason shown. */
TEST(test_from_the_driver)
{
    static const struct {
        const char *how;
        unsigned reasons;
    } cases[] = {
        {"", 0},
        {"throttled", 1u << APP_TRUST_THROTTLED | 1u << APP_TRUST_LOW_CLOCK},
        {"slow memory", 1u << APP_TRUST_LOW_MEMORY_CLOCK},
        {"display", 1u << APP_TRUST_DISPLAY_LIMITED},
        {"refused", 0},
        {"lost", 0},
    };
    setenv("SPHERESCOPE_NVML", FAKE_NVML, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct krn_telemetry_reading reading;
        struct app_trust_facts f = sound();
        setenv("FAKE_NVML", cases[i].how, 1);
        krn_telemetry_query("0000:06:00.0", &reading);
        app_trust_telemetry(&f, &reading, i % 2 == 0);
        assert_int_equal(app_trust_find(&f), cases[i].reasons);
    }
}

TEST(test_display)
{
    struct app_trust_facts f = sound();
    f.throttle = KRN_THROTTLE_DISPLAY;
    assert_only(&f, APP_TRUST_DISPLAY_LIMITED, "display-limited", APP_TRUST_AMBER);
    f = sound();
    f.display_waits = true; /* but its clock is known to be high */
    assert_none(&f);
    f.clock_mhz = 0;
    assert_only(&f, APP_TRUST_DISPLAY_LIMITED, "display-limited", APP_TRUST_AMBER);
    f.clock_mhz = 500;
    assert_int_equal(app_trust_find(&f),
                     1u << APP_TRUST_DISPLAY_LIMITED | 1u << APP_TRUST_LOW_CLOCK);
}

TEST(test_busy_cores)
{
    struct app_trust_facts f = sound();
    f.core_share = 0.95;
    assert_none(&f);
    f.core_share = 0.85;
    assert_only(&f, APP_TRUST_CORES_BUSY, "cores-busy", APP_TRUST_AMBER);
    f.core_share = 0.0; /* unknown, as on a GPU */
    assert_none(&f);
}

TEST(test_heat_map)
{
    struct app_trust_facts f = sound();
    f.heat_map = true;
    assert_only(&f, APP_TRUST_HEAT_MAP, "heat-map", APP_TRUST_AMBER);
}

TEST(test_opengl)
{
    struct app_trust_facts f = sound();
    f.interop_off = true;
    assert_only(&f, APP_TRUST_INTEROP_OFF, "interop-off", APP_TRUST_AMBER);
    f.gl_elsewhere = true;
    assert_only(&f, APP_TRUST_GL_ELSEWHERE, "gl-elsewhere", APP_TRUST_AMBER);
    f.gl_software = true;
    assert_only(&f, APP_TRUST_SOFTWARE_GL, "software-gl", APP_TRUST_AMBER);
}

TEST(test_samples)
{
    struct app_trust_facts f = sound();
    f.samples = samples(20, 0.96, 1.0, 1.0601);
    assert_only(&f, APP_TRUST_SPREAD, "spread", APP_TRUST_AMBER);
    f.samples = samples(20, 0.96, 1.0, 1.0599);
    assert_none(&f);
    /* Below 20 samples the quartiles count: one outlier is no spread. */
    f.samples = samples(6, 1.0, 1.0, 1.0);
    f.samples.p5 = 0.5;
    f.samples.p95 = 1.5;
    assert_none(&f);
    f.samples.p75 = 1.0409;
    assert_none(&f);
    f.samples.p75 = 1.0411;
    assert_only(&f, APP_TRUST_SPREAD, "spread", APP_TRUST_AMBER);
    f.samples.n = 19;
    assert_only(&f, APP_TRUST_SPREAD, "spread", APP_TRUST_AMBER);
    f.samples.n = 5;
    assert_only(&f, APP_TRUST_FEW_SAMPLES, "few-samples", APP_TRUST_AMBER);
    f.samples = samples(3, 1.0, 1.0, 1.0);
    assert_only(&f, APP_TRUST_FEW_SAMPLES, "few-samples", APP_TRUST_AMBER);
    f.runs = true; /* three runs are enough */
    assert_none(&f);
    f.samples.n = 2;
    assert_only(&f, APP_TRUST_FEW_SAMPLES, "few-samples", APP_TRUST_AMBER);
    f = sound();
    f.not_settled = true;
    assert_only(&f, APP_TRUST_NOT_SETTLED, "not-settled", APP_TRUST_AMBER);
    f = sound();
    f.wandering = true;
    assert_only(&f, APP_TRUST_WANDERING, "wandering", APP_TRUST_AMBER);
    f = sound();
    f.samples = samples(6, 0.03499, 0.03499, 0.03499);
    assert_only(&f, APP_TRUST_NEAR_FLOOR, "near-floor", APP_TRUST_AMBER);
    f.samples = samples(6, 0.03501, 0.03501, 0.03501);
    assert_none(&f);
    f.samples = samples(0, 0, 0, 0);
    assert_none(&f);
    f = sound();
    app_trust_dropped(&f, 10, 91);
    assert_none(&f);
    app_trust_dropped(&f, 10, 90);
    assert_only(&f, APP_TRUST_LATE_HOST, "late-host", APP_TRUST_AMBER);
    app_trust_dropped(&f, 3, 0);
    assert_only(&f, APP_TRUST_LATE_HOST, "late-host", APP_TRUST_AMBER);
    app_trust_dropped(&f, 0, 0);
    assert_none(&f);
}

/* From samples in their order to the reasons. */
TEST(test_order_of_samples)
{
    enum { N = 240 };
    double flat[N], late[N], slow[N];
    struct krn_series series = {.count = 0};
    for (int i = 0; i < N; i++) {
        const double noise = i % 2 ? 1e-3 : 0.0;
        flat[i] = 1.0 + noise;
        late[i] = 1.0 + noise + (i >= N - 30 ? 0.03 : 0.0);
        slow[i] = 1.0 + noise + 0.025 * i / N;
        krn_series_push(&series, slow[i]);
    }
    struct app_trust_facts f = sound();
    app_trust_samples(&f, flat, N);
    assert_int_equal(f.samples.n, N);
    assert_none(&f);
    app_trust_samples(&f, late, N);
    assert_only(&f, APP_TRUST_NOT_SETTLED, "not-settled", APP_TRUST_AMBER);
    app_trust_samples(&f, slow, N);
    assert_only(&f, APP_TRUST_WANDERING, "wandering", APP_TRUST_AMBER);
    f = sound();
    app_trust_series(&f, &series);
    assert_only(&f, APP_TRUST_WANDERING, "wandering", APP_TRUST_AMBER);
    /* Too few samples can neither settle nor wander. */
    app_trust_samples(&f, late + N - 59, 59);
    assert_none(&f);
}

TEST(test_bandwidth)
{
    struct app_trust_facts f = sound();
    f.bytes = f.l2_bytes;
    assert_only(&f, APP_TRUST_L2_RESIDENT, "l2-resident", APP_TRUST_AMBER);
    f.bytes = f.l2_bytes + 1;
    assert_only(&f, APP_TRUST_PARTLY_CACHED, "partly-cached", APP_TRUST_AMBER);
    f.bytes = 4.0 * f.l2_bytes - 1;
    assert_only(&f, APP_TRUST_PARTLY_CACHED, "partly-cached", APP_TRUST_AMBER);
    f.bytes = 4.0 * f.l2_bytes;
    assert_none(&f);
    f.rate = f.rate_possible;
    assert_none(&f);
    f.rate = f.rate_possible * 1.0001;
    assert_only(&f, APP_TRUST_OVER_THEORETICAL, "over-theoretical", APP_TRUST_RED);
    f.rate_possible = 0;
    assert_none(&f);
}

TEST(test_picture_and_recording)
{
    struct app_trust_facts f = sound();
    f.verified = APP_VERIFIED_UNKNOWN;
    assert_only(&f, APP_TRUST_NOT_VERIFIED, "not-verified", APP_TRUST_AMBER);
    f.verified = APP_VERIFIED_FALSE;
    assert_only(&f, APP_TRUST_WRONG_PICTURE, "wrong-picture", APP_TRUST_RED);
    f.has_picture = false;
    assert_none(&f);
    f.recorded = true;
    assert_only(&f, APP_TRUST_RECORDED, "recorded", APP_TRUST_AMBER);
}

TEST(test_battery)
{
    static const char folder[] = TEST_BINARY_DIR "/power_supply";
    mkdir(folder, 0777);
    mkdir(TEST_BINARY_DIR "/power_supply/AC", 0777);
    mkdir(TEST_BINARY_DIR "/power_supply/BAT0", 0777);
    mkdir(TEST_BINARY_DIR "/power_supply/mouse", 0777);
    static const struct {
        const char *online, *status, *mouse;
        bool battery;
    } cases[] = {
        {"1\n", "Charging\n", "Discharging\n", false},
        {"0\n", "Discharging\n", "Full\n", true},
        {"0\n", "Full\n", "Discharging\n", false},
        {"1\n", "Discharging\n", "Full\n", false},
        {"", "Discharging", "", true},
        {"", "", "", false},
    };
    setenv("SPHERESCOPE_POWER_SUPPLY", folder, 1);
    test_file_put_text(TEST_BINARY_DIR "/power_supply/AC/type", "Mains\n");
    test_file_put_text(TEST_BINARY_DIR "/power_supply/BAT0/type", "Battery\n");
    test_file_put_text(TEST_BINARY_DIR "/power_supply/mouse/type", "Battery\n");
    test_file_put_text(TEST_BINARY_DIR "/power_supply/mouse/scope", "Device\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_file_put_text(TEST_BINARY_DIR "/power_supply/AC/online", cases[i].online);
        test_file_put_text(TEST_BINARY_DIR "/power_supply/BAT0/status", cases[i].status);
        test_file_put_text(TEST_BINARY_DIR "/power_supply/mouse/status", cases[i].mouse);
        if (app_on_battery() != cases[i].battery)
            fail_msg("case %zu", i);
    }
    setenv("SPHERESCOPE_POWER_SUPPLY", "/nowhere", 1);
    assert_false(app_on_battery());
    struct app_trust_facts f = sound();
    f.on_battery = true;
    assert_only(&f, APP_TRUST_ON_BATTERY, "on-battery", APP_TRUST_AMBER);
}

/* Ids follow the schema and are unique; each reason has a sentence; the gravest comes first. */
TEST(test_table)
{
    for (int i = 0; i < APP_TRUST_COUNT; i++) {
        const struct app_trust_entry *entry = app_trust_entry((enum app_trust_reason)i);
        assert_int_equal(strspn(entry->id, "abcdefghijklmnopqrstuvwxyz0123456789-"),
                         strlen(entry->id));
        assert_true(entry->sentence[strlen(entry->sentence) - 1] == '.');
        assert_true(entry->level == APP_TRUST_AMBER || entry->level == APP_TRUST_RED);
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(entry->id, app_trust_entry((enum app_trust_reason)j)->id);
            assert_true(app_trust_entry((enum app_trust_reason)j)->level >= entry->level);
        }
    }
    for (int i = 0; i < APP_TRUST_COUNT; i++) {
        const struct app_trust_entry *entry = app_trust_entry((enum app_trust_reason)i);
        assert_int_equal(app_trust_of_id(entry->id), 1u << i);
        assert_true(entry->words[0] != 0 && strlen(entry->words) < strlen(entry->sentence));
        assert_string_equal(app_trust_first(~0u << i), entry->words);
        const bool red = entry->level == APP_TRUST_RED;
        assert_int_equal(app_trust_no_verdict(1u << i) != APP_VERDICT_NONE, red);
    }
    assert_int_equal(app_trust_of_id("none"), 0);
    assert_string_equal(app_trust_first(0), "");
    assert_int_equal(app_trust_no_verdict(0), APP_VERDICT_NONE);
    assert_int_equal(app_trust_no_verdict(1u << APP_TRUST_WRONG_PICTURE), APP_VERDICT_WRONG);
    assert_int_equal(app_trust_no_verdict(1u << APP_TRUST_THROTTLED | 1u << APP_TRUST_SPREAD),
                     APP_VERDICT_DO_NOT_QUOTE);
    const char *ids[APP_TRUST_COUNT];
    assert_int_equal(app_trust_ids((1u << APP_TRUST_COUNT) - 1, ids), APP_TRUST_COUNT);
    assert_int_equal(app_trust_level(1u << APP_TRUST_SPREAD | 1u << APP_TRUST_THROTTLED),
                     APP_TRUST_RED);
}

/* The page and the schema of records list the same ids in the same order. */
TEST(test_lists)
{
    static const struct {
        const char *path, *before, *after;
    } lists[] = {
        {TEST_SOURCE_DIR "/docs/measuring.md", "| `", "` | "},
        {TEST_SOURCE_DIR "/assets/results.schema.json", "          \"", "\""},
    };
    enum { MOST = 1 << 20 };
    TEST_FREED char *text = test_alloc(MOST);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        FILE *file = fopen(lists[i].path, "rb");
        assert_non_null(file);
        const size_t n = fread(text, 1, MOST - 1, file);
        fclose(file);
        text[n] = 0;
        const char *at = text;
        for (int r = 0; r < APP_TRUST_COUNT; r++) {
            const struct app_trust_entry *entry = app_trust_entry((enum app_trust_reason)r);
            char wanted[128];
            snprintf(wanted, sizeof wanted, "%s%s%s%s", lists[i].before, entry->id, lists[i].after,
                     i > 0 ? "" : app_trust_word(entry->level));
            at = strstr(at, wanted);
            if (at == NULL)
                fail_msg("%s lacks %s in its place", lists[i].path, wanted);
        }
    }
}
