/* The cards over the picture: their texts fit, whatever the values, and no important text is cut.
 */
#include "huds.h"
#include "screens.h"

#include "command/help.h"
#include "hud/parts.h"
#include "topics/topic.h"

#include <stdlib.h>

#define MODE(kernel, storage, pixels)                                                              \
    {                                                                                              \
        KRN_KERNEL_##kernel, KRN_STORAGE_##storage, pixels                                         \
    }
#define BEFORE(on, kernel, storage, pixels, reasons)                                               \
    {                                                                                              \
        .valid = true, .backend = KRN_BACKEND_##on, .mode = MODE(kernel, storage, pixels),         \
        .median.trust = reasons                                                                    \
    }
#define WRONG_PICTURE APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE)
#define THROTTLED APP_TRUST_BIT(APP_TRUST_THROTTLED)

/* The values on the card: times in ms, and the mode that it compares with. */
static const struct told {
    const char *name, *must; /* a text that must be shown */
    double median_ms, least_ms, most_ms, before_ms;
    bool hold;
    struct krn_mode mode;
    struct app_mode_time before;
} tolds[] = {
    {"slow", "SLOWER", 1.79, 1.6, 2.34, 0.0218, false, MODE(BOOK, GLOBAL, 1),
     BEFORE(CUDA, BOOK, GLOBAL, 1, 0)},
    {"held", "same caches", 1.0, 0.793, 1.55, 0.9, true, MODE(BOOK, CONSTANT, 1),
     BEFORE(CPU, BOOK, READONLY, 1, 0)},
    {"long", "HELD", 0.998, 0.0123, 998.0, 0.00218, true, MODE(STRIP, CONSTANT, 16),
     BEFORE(CUDA, STRIP, READONLY, 16, 0)},
    {"before_wrong", "WRONG", 0.998, 0.9, 1.1, 0.00218, false, MODE(BOOK, GLOBAL, 1),
     BEFORE(CUDA, STRIP, READONLY, 16, WRONG_PICTURE)},
    {"before_hot", "DO NOT QUOTE", 0.998, 0.9, 1.1, 0.00218, false, MODE(BOOK, GLOBAL, 1),
     BEFORE(CPU, BOOK, READONLY, 1, THROTTLED)},
    {"light", "SLOWER", 1.79, 1.6, 2.34, 0.0218, false, MODE(TREE, READONLY, 1),
     BEFORE(CUDA, BRUTE, CONSTANT, 1, 0)},
    {"first", "21.7", 21.7, 21.5, 22.1, 0.0, false, MODE(BOOK, GLOBAL, 1), {0}},
};
enum { TOLDS = sizeof tolds / sizeof *tolds };

/* A device whose storages are all the same memory. */
static const struct krn_device_info host = {.name = "CPU",
                                            .can = {.noun = "CPU", .host_processors = true}};

TEST(test_main_card)
{
    struct app_state state = app_state_default();
    for (int at = 0; screen_at(at, &state); at++)
        for (int i = 0; i < TOLDS * APP_PANELS_COUNT; i++) {
            const struct told *told = &tolds[i % TOLDS];
            const struct krn_series now =
                hud_series(told->least_ms, told->median_ms, told->most_ms);
            const struct krn_series left =
                hud_series(0.98 * told->before_ms, told->before_ms, 1.1 * told->before_ms);
            state.panels = (enum app_panels)(i / TOLDS);
            state.mode = told->mode;
            state.hold = told->hold;
            struct app_hud hud = hud_of(&state, &host);
            hud.now[0] = hud_time(state.backend, told->mode, &now);
            hud.before = told->before;
            hud.before.ms = krn_series_summary(&left);
            if (told->before.valid)
                hud.comparison = app_toggle_compare((struct app_toggle_side){&left, 0.0},
                                                    (struct app_toggle_side){&now, 0.0}, 1.0);
            hud.comparison.ratio.trust = told->before.median.trust;
            screen_begin(&state, told->name);
            app_hud_main(&screen.brush, &screen.layout, &hud);
            app_hud_held(&screen.brush, &screen.layout);
            screen_end("hud", screen.layout.main.h / APP_HUD_HEIGHT, true);
            screen_must(told->must, true);
            screen_must("HELD", told->hold);
            screen_must("240, 95 % [", true); /* the number of samples, and the interval */
        }
    screens_done();
}

/* The duel's card tells each verdict, what is seen so far, and why there is no interval. It judges
 * both sides, and gives no verdict on numbers that may not be quoted. */
TEST(test_duel_card)
{
#define RESULT(is_valid, is_firm, r, l, h, is, seems)                                              \
    {                                                                                              \
        .pairs = 2000, .blocks = 40, .block_pairs = 50, .valid = is_valid, .firm = is_firm,        \
        .ratio = r, .low = l, .high = h, .verdict = KRN_RATIO_##is, .so_far = KRN_RATIO_##seems    \
    }
#define FASTER RESULT(true, true, 1.1, 1.09, 1.11, FASTER, FASTER)
    static const struct {
        const char *name;
        struct krn_duel_result result;
        enum app_trust_reason a, b; /* COUNT: none */
        const char *must[3];        /* NULL: no more */
    } cases[] = {
        {"sound", FASTER, APP_TRUST_COUNT, APP_TRUST_COUNT, {"Numbers hold", "FASTER", "1.10"}},
        {"near",
         FASTER,
         APP_TRUST_NEAR_FLOOR,
         APP_TRUST_COUNT,
         {"Caution: 1 reason", "FASTER", "A: near floor"}},
        {"both",
         FASTER,
         APP_TRUST_SPREAD,
         APP_TRUST_SPREAD,
         {"Caution: 1 reason", "FASTER", "A and B: wide"}},
        {"wrong",
         FASTER,
         APP_TRUST_COUNT,
         APP_TRUST_WRONG_PICTURE,
         {"Do not quote", "WRONG", "B: wrong"}},
        {"hot",
         FASTER,
         APP_TRUST_THROTTLED,
         APP_TRUST_THROTTLED,
         {"Do not quote", "No verdict", "A and B"}},
        {"begins",
         RESULT(false, false, 1.0, 0.0, 0.0, CANNOT_TELL, CANNOT_TELL),
         APP_TRUST_COUNT,
         APP_TRUST_COUNT,
         {"CAN'T TELL", "no interval yet"}},
        {"so_far",
         RESULT(true, false, 1.03, 1.02, 1.04, CANNOT_TELL, FASTER),
         APP_TRUST_COUNT,
         APP_TRUST_COUNT,
         {"FASTER", "so far"}},
        {"firm",
         RESULT(true, true, 0.971, 0.969, 0.973, SLOWER, SLOWER),
         APP_TRUST_COUNT,
         APP_TRUST_COUNT,
         {"SLOWER", "A is 0.97"}},
        {"same",
         RESULT(true, true, 1.0, 0.999, 1.001, SAME, SAME),
         APP_TRUST_COUNT,
         APP_TRUST_COUNT,
         {"SAME", "95 %"}},
        {"wandering",
         RESULT(false, true, 1.01, 0.0, 0.0, WANDERING, WANDERING),
         APP_TRUST_COUNT,
         APP_TRUST_COUNT,
         {"WANDERING", "wander apart"}},
        {"far",
         RESULT(true, true, 1.0, 1e-5, 1e5, SAME, SAME),
         APP_TRUST_COUNT,
         APP_TRUST_COUNT,
         {"SAME", "95 % [<0.10, >"}},
    };
    enum { CASES = sizeof cases / sizeof *cases };
    const struct krn_series a = hud_series(1.23, 1.2305, 1.231), b = hud_series(1.35, 1.36, 1.37);
    struct app_state state = app_state_default();
    state.duel.on = true;
    state.mode = (struct krn_mode)MODE(STRIP, CONSTANT, 16);
    state.duel.other = (struct krn_mode)MODE(STRIP, READONLY, 16);
    for (int at = 0; screen_at(at, &state); at++)
        for (int i = 0; i < CASES * APP_PANELS_COUNT; i++) {
            const int c = i % CASES;
            state.panels = (enum app_panels)(i / CASES);
            struct app_hud hud = hud_of(&state, &host);
            hud.duel = &cases[c].result;
            hud.comparison = app_comparison_of_duel(hud.duel);
            hud.now[0] = hud_time(state.backend, state.mode, &a);
            hud.now[1] = hud_time(state.backend, state.duel.other, &b);
            if (cases[c].a < APP_TRUST_COUNT)
                hud.now[0].median.trust = APP_TRUST_BIT(cases[c].a);
            if (cases[c].b < APP_TRUST_COUNT)
                hud.now[1].median.trust = APP_TRUST_BIT(cases[c].b);
            hud.trust = hud.now[0].median.trust | hud.now[1].median.trust;
            screen_begin(&state, cases[c].name);
            app_hud_duel(&screen.brush, &screen.layout, &hud);
            screen_end("hud_duel", screen.layout.main.h / APP_HUD_HEIGHT, true);
            for (int m = 0; m < 3 && cases[c].must[m]; m++)
                screen_must(cases[c].must[m], true);
            if (app_trust_no_verdict(hud.trust)) {
                screen_must("times as fast", false);
                screen_must("1.10", false);
            }
        }
    screens_done();
}

static const struct krn_kernels four_kernels = {.count = 4,
                                                .list = {[3] = {.registers = 40,
                                                                .static_shared_bytes = 16384,
                                                                .dynamic_shared_bytes = 232448,
                                                                .local_bytes = 128,
                                                                .constant_bytes = 65536,
                                                                .threads_max = 1024,
                                                                .threads = 256,
                                                                .blocks = 1073741824.0,
                                                                .blocks_per_processor = 6,
                                                                .occupancy = 0.75}}};

/* Returns the row of the details with this label, or the one that contains `part`; or NULL. */
static const char *row_of(const struct app_hud *hud, const char *label, const char *part)
{
    static struct app_hud_row rows[APP_HUD_ROWS];
    for (int r = 0, count = app_hud_describe(hud, rows); r < count; r++)
        if (label ? rows[r].label && strcmp(rows[r].label, label) == 0
                  : strstr(rows[r].text, part) != NULL)
            return rows[r].text;
    return NULL;
}

/* The details tell what the kernel's time contains, and how many readings were dropped. */
TEST(test_details_of_the_time)
{
    static const struct {
        double raw_ms, overhead_ms;
        enum app_regime regime;
        unsigned long drops;
        const char *kernel, *dropped; /* NULL: there is no such row */
        const char *noun;             /* of the device; NULL: a GPU */
    } cases[] = {
        {0.00618, 0.0035, APP_REGIME_IDLE, 0,
         "raw 6.18 µs, overhead 3.50, net 2.68; no other frame on the GPU", NULL, NULL},
        /* A CPU that other programs use is not idle. */
        {0.618, 0.0, APP_REGIME_IDLE, 0, "raw 618 µs; no other frame on the CPU", NULL, "CPU"},
        {1.79, 0.0035, APP_REGIME_BUSY, 1,
         "raw 1.79 ms, overhead 0.00350, net 1.79; queued behind other frames",
         "1 reading dropped: the host was late", NULL},
        {0.0034, 0.0035, APP_REGIME_MIXED, 27,
         "raw 3.40 µs, all of it overhead; at times queued behind other frames",
         "27 readings dropped: the host was late", NULL},
        {0.00618, 0.0, APP_REGIME_IDLE, 0, "raw 6.18 µs; no other frame on the GPU", NULL, NULL},
        {0.0, 0.0, APP_REGIME_UNKNOWN, 0, "no reading yet", NULL, NULL},
    };
    const struct app_state state = app_state_default();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct krn_device_info device = {
            .name = "GPU", .can = {.noun = cases[i].noun ? cases[i].noun : "GPU"}};
        struct app_hud hud = hud_of(&state, &device);
        hud.now[0].ms =
            (struct krn_summary){.n = cases[i].raw_ms > 0.0 ? 100 : 0, .median = cases[i].raw_ms};
        hud.now[0].overhead_ms = cases[i].overhead_ms;
        hud.now[0].regime = cases[i].regime;
        hud.gate_drops = cases[i].drops;
        const char *dropped = row_of(&hud, NULL, "dropped");
        assert_string_equal(row_of(&hud, "kernel", NULL), cases[i].kernel);
        assert_string_equal(dropped ? dropped : "", cases[i].dropped ? cases[i].dropped : "");
    }
    /* What the kernel takes is told for GPUs, and the note on a scene's file. */
    static const char note[] = "1 column of the table is not read: mass.";
    const struct krn_device_info warps = {.name = "GPU", .can = {.noun = "GPU", .warps = true}};
    struct app_hud with = hud_of(&state, &warps);
    with.kernels = four_kernels;
    assert_string_equal(row_of(&with, "takes", NULL),
                        "40 registers, occupancy 75 %, 6 blocks of 256 threads, shared "
                        "248 832 bytes, constant 65 536 bytes, spilled 128 bytes");
    assert_null(row_of(&with, NULL, note));
    with.scene_note = note;
    assert_string_equal(row_of(&with, NULL, note), note);
}

/* Returns true when the text was drawn, in one line or in several. */
static bool has_whole(const struct seen *seen, const char *text)
{
    for (int t = 0; t < seen->text_count; t++) {
        const char *rest = text;
        for (int line = t; line < seen->text_count; line++) {
            const size_t length = strlen(seen->words[line]);
            if (strncmp(seen->words[line], rest, length) != 0)
                break;
            rest += length;
            if (!*rest)
                return true;
            rest += strspn(rest, " ");
        }
    }
    return false;
}

/* Checks that the text is drawn, and whole. */
static void must_whole(const char *text)
{
    if (!has_whole(&screen.seen, text))
        screen_error("not whole:", text);
}

/* Every line of a page of the help is there: keys, words, formulas, or the rules of verdicts. */
static void check_help_page(enum app_help_page page)
{
    struct app_help_line lines[APP_HELP_LINES_MAX];
    const size_t count = app_help_keys(lines);
    for (size_t line = 0; page == APP_HELP_KEYS && line < count; line++)
        must_whole(lines[line].text);
    size_t terms;
    const struct app_word *words = app_words(&terms);
    for (size_t i = 0; page == APP_HELP_WORDS && i < terms; i++) {
        must_whole(words[i].term);
        must_whole(words[i].meaning);
    }
    for (int i = 0; page == APP_HELP_WORDS && i < APP_TRUST_COUNT; i++)
        must_whole(app_trust_entry((enum app_trust_reason)i)->words);
    for (int topic = 0; page == APP_HELP_FORMULAS && topic < KRN_TOPIC_COUNT; topic++)
        for (int i = 0; app_topic_of((enum krn_topic)topic)->formulas[i]; i++)
            must_whole(app_topic_of((enum krn_topic)topic)->formulas[i]);
    for (int v = APP_VERDICT_NOT_MEASURED; page == APP_HELP_VERDICTS && v < APP_VERDICTS; v++)
        must_whole(app_verdict_entry((enum app_verdict)v)->rule);
}

/* The rate of a view: nominal tests, or counted rays with the time to build the tree. */
TEST(test_rates)
{
    static const struct {
        struct krn_mode mode;
        struct app_rays rays;
        double binning_ms;
        const char *rate, *image;
    } cases[] = {
        {{KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1},
         {.sum = 5e6},
         0.0,
         "21.0 G tests/s, nominal",
         "1024×1024, fit"},
        {{KRN_KERNEL_BRUTE, KRN_STORAGE_CONSTANT, 1},
         {.sum = 5e6},
         0.0,
         "5.00 G rays/s, counted",
         "1024×1024, 4 bounces, 1 sample"},
        {{KRN_KERNEL_TREE, KRN_STORAGE_TEXTURE, 1},
         {.sum = 5e6, .sampled = true},
         0.125,
         "5.00 G rays/s, counted in one frame; 125 µs of it for the tree",
         "1024×1024, 4 bounces, 1 sample"},
        {{KRN_KERNEL_TREE, KRN_STORAGE_GLOBAL, 1},
         {.sum = 0.0},
         0.25,
         "– rays/s, not counted yet; 250 µs of it for the tree",
         "1024×1024, 4 bounces, 1 sample"},
        {{KRN_KERNEL_BRUTE, KRN_STORAGE_GLOBAL, 1},
         {.failed = true},
         0.0,
         "– rays/s, not counted here",
         "1024×1024, 4 bounces, 1 sample"},
    };
    const struct krn_device_info device = {.name = "GPU", .can = {.noun = "GPU"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct app_state state = app_state_default();
        app_state_set_mode(&state, cases[i].mode);
        struct app_hud hud = hud_of(&state, &device);
        hud.now[0].ms = (struct krn_summary){.n = 100, .median = 1.0};
        hud.now[0].binning_ms = cases[i].binning_ms;
        hud.rays = &cases[i].rays;
        assert_string_equal(row_of(&hud, "rate", NULL), cases[i].rate);
        assert_string_equal(row_of(&hud, "image", NULL), cases[i].image);
    }
}

/* Every page of the help is drawn uncut, on its card and over no other text. */
TEST(test_help_screen)
{
    struct app_state state = app_state_default();
    for (int at = 0; screen_at(at, &state); at++)
        for (int i = 0; i < APP_HELP_PAGES; i++) {
            const enum app_help_page page = (enum app_help_page)i;
            screen_begin(&state, app_help_page_names[page]);
            app_hud_help(&screen.brush, &screen.layout, page);
            screen_end("hud_help", screen.layout.unit, true);
            check_help_page(page);
            /* Nothing is below 0.9 % of the shorter side; a wide font may shrink. */
            const int shorter = screen.width < screen.height ? screen.width : screen.height;
            for (int t = 0; t < screen.seen.text_count && !fonts[0]; t++)
                if (screen.seen.texts[t].h < 0.009f * (float)shorter)
                    screen_error("too small:", screen.seen.words[t]);
        }
    screens_done();
}

/* A GPU's properties as a driver tells them, and some that it refuses. */
static const struct krn_property gpu_properties[] = {
#define NUMBER(key, kind, value)                                                                   \
    {                                                                                              \
        key, "-", KRN_PROPERTY_##kind, .published = true, .known = true, .count = 1, .values = {   \
            value                                                                                  \
        }                                                                                          \
    }
#define OTHER(key, kind, value)                                                                    \
    {                                                                                              \
        key, "-", KRN_PROPERTY_##kind, .known = (value) >= 0, .count = 1, .values = { value }      \
    }
#define THREE(key, x, y, z)                                                                        \
    {                                                                                              \
        key, "-", KRN_PROPERTY_COUNT, .published = true, .known = true, .count = 3, .values = {    \
            x,                                                                                     \
            y,                                                                                     \
            z                                                                                      \
        }                                                                                          \
    }
    {"name", "-", KRN_PROPERTY_TEXT, .published = true, .known = true,
     .text = "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition"},
    NUMBER("totalGlobalMem", BYTES, 150109470720),
    NUMBER("sharedMemPerBlock", BYTES, 49152),
    NUMBER("regsPerBlock", COUNT, 65536),
    NUMBER("warpSize", COUNT, 32),
    NUMBER("memPitch", BYTES, 2147483647),
    NUMBER("maxThreadsPerBlock", COUNT, 1024),
    THREE("maxThreadsDim", 1024, 1024, 64),
    THREE("maxGridSize", 2147483647, 65535, 65535),
    NUMBER("totalConstMem", BYTES, 65536),
    {"major.minor", "-", KRN_PROPERTY_VERSION, .published = true, .known = true, .count = 2,
     .values = {12, 0}},
    NUMBER("clockRate", KHZ, 1980000),
    NUMBER("textureAlignment", BYTES, 512),
    {"deviceOverlap", "-", KRN_PROPERTY_FLAG, .published = true, .count = 1},
    NUMBER("multiProcessorCount", COUNT, 132),
    OTHER("memoryClockRate", KHZ, 3201000),
    OTHER("memoryBusWidth", BITS, 6016),
    OTHER("l2CacheSize", BYTES, 62914560),
    OTHER("persistingL2CacheMaxSize", BYTES, -1),
    OTHER("maxThreadsPerMultiProcessor", COUNT, 2048),
    OTHER("maxBlocksPerMultiProcessor", COUNT, 32),
    OTHER("regsPerMultiprocessor", COUNT, 65536),
    OTHER("sharedMemPerMultiprocessor", BYTES, 233472),
    OTHER("sharedMemPerBlockOptin", BYTES, 232448),
    OTHER("reservedSharedMemPerBlock", BYTES, 1024),
    OTHER("singleToDoublePrecisionPerfRatio", COUNT, 2),
    OTHER("asyncEngineCount", COUNT, 3),
    OTHER("concurrentKernels", FLAG, 1),
    OTHER("ECCEnabled", FLAG, 1),
    OTHER("integrated", FLAG, 0),
    OTHER("kernelExecTimeoutEnabled", FLAG, 0),
    OTHER("computeMode", COUNT, 0),
};

/* The device card shows every property and what the kernel takes, whole, on every screen. */
TEST(test_device_card)
{
    static const char *const gpu[] = {"150 109 470 720 bytes (139.8 GiB)",
                                      "2 147 483 647 x 65 535 x 65 535",
                                      "1 980 000 kHz (1.98 GHz)",
                                      "12.0",
                                      "not known",
                                      "6016 bit",
                                      "computeMode",
                                      "75 %",
                                      "6 at a time, grid of 1 073 741 824",
                                      "232 448 bytes",
                                      "128 bytes",
                                      "binned/global",
                                      "D or Esc closes this",
                                      NULL},
                             *const cpu[] = {"totalMemory", "vectorWidth", "A CPU has no registers",
                                             NULL};
    struct krn_property list[KRN_PROPERTIES_MAX];
    struct krn_device_info info[] = {
        {.backend = KRN_BACKEND_CUDA, .can = {.noun = "GPU", .warps = true}},
        {.backend = KRN_BACKEND_CPU, .can = {.noun = "CPU"}}};
    int count = 0;
    assert_int_equal(krn_properties_read(KRN_BACKEND_CPU, 0, list, &count, NULL), KRN_OK);
    snprintf(info[0].name, sizeof info[0].name, "%s", gpu_properties[0].text);
    snprintf(info[1].name, sizeof info[1].name, "%s", list[0].text);
    struct app_state state = app_state_default();
    state.mode = (struct krn_mode){KRN_KERNEL_BINNED, KRN_STORAGE_GLOBAL, 1};
    const struct app_hud huds[] = {
        {.state = &state,
         .device = &info[0],
         .kernels = four_kernels,
         .properties = gpu_properties,
         .property_count = sizeof gpu_properties / sizeof *gpu_properties},
        {.state = &state, .device = &info[1], .properties = list, .property_count = count}};
    for (int at = 0; screen_at(at, &state); at++)
        for (int h = 0; h < 2; h++) {
            screen_begin(&state, krn_backend_name(info[h].backend));
            app_hud_device(&screen.brush, &screen.layout, &huds[h]);
            screen_end("hud_device", screen.layout.unit, true);
            for (const char *const *must = h == 0 ? gpu : cpu; *must; must++)
                screen_must(*must, true);
        }
    screens_done();
}

/* The legend of the plot has room for every storage, beside the title; in a monospaced font, some
 * only by their keys. */
TEST(test_plot_legend)
{
    static struct app_trace trace;
    struct app_state state = app_state_default();
    struct app_hud hud = hud_of(&state, &host);
    hud.trace = &trace;
    for (int at = 0; screen_at(at, &state); at++)
        for (int storages = 1; storages <= KRN_STORAGE_COUNT; storages++) {
            memset(&trace, 0, sizeof trace);
            for (int s = 0; s < 100 * storages; s++) {
                const struct krn_reading reading = {
                    .ms = 0.0217, .mode = {KRN_KERNEL_BOOK, (enum krn_storage)(s / 100), 1}};
                app_trace_push(&trace, KRN_BACKEND_CPU, &reading, -1);
                state.mode = reading.mode;
            }
            screen_begin(&state, krn_storage_name(state.mode.storage));
            if (screen.layout.plot.h <= 0.0f)
                continue;
            app_hud_plot(&screen.brush, &screen.layout.plot, &hud);
            screen_end("hud_plot", screen.layout.unit, false);
            if (!fonts[0])
                screen_must(krn_storage_name(state.mode.storage), true);
        }
    screens_done();
}

int main(int argc, char **argv)
{
    return screens_run(argc, argv, NULL, NULL);
}
