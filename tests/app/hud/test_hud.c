/* The cards over the picture: their texts fit, whatever the values, and no important text is cut.
 */
#include "machine.h"
#include "owned.h"
#include "screens.h"

#include "command/help.h"
#include "hud/parts.h"
#include "topics/topic.h"

#include <stdlib.h>

#define MODE(kernel, storage, pixels)                                                              \
    {                                                                                              \
        KRN_KERNEL_##kernel, KRN_STORAGE_##storage, pixels                                         \
    }
#define BEFORE(backend, kernel, storage, pixels, trust)                                            \
    {                                                                                              \
        true, KRN_BACKEND_##backend, MODE(kernel, storage, pixels), 0.0, trust                     \
    }
#define WRONG_PICTURE APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE)
#define THROTTLED APP_TRUST_BIT(APP_TRUST_THROTTLED)

/* The values on the card: times in ms, and the mode that it compares with. */
static const struct told {
    const char *name, *must; /* a text that must be shown */
    double median_ms, least_ms, most_ms, before_ms;
    bool hold;
    struct krn_mode mode;
    struct app_hud_before before;
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

/* Fills a mode's series with 240 samples about a median, in an order without drift. */
static const struct krn_series *fill(struct app_engine *engine, enum krn_backend_id backend,
                                     struct krn_mode mode, double least_ms, double median_ms,
                                     double most_ms)
{
    struct krn_series *series = (struct krn_series *)app_engine_series(engine, backend, mode);
    krn_series_clear(series);
    for (int i = 0; i < 240; i++) {
        const double t = i * 101 % 240 / 239.0;
        const double ms = t < 0.5 ? least_ms + 2.0 * t * (median_ms - least_ms)
                                  : median_ms + (2.0 * t - 1.0) * (most_ms - median_ms);
        assert_true(krn_series_push(series, ms));
    }
    return series;
}

/* A device whose storages are all the same memory. */
static const struct krn_device_info host = {.name = "CPU",
                                            .can = {.noun = "CPU", .host_processors = true}};

TEST(test_main_card)
{
    const struct app_run run = app_run_default();
    struct app_engine *engine = app_engine_new(&run);
    struct app_state state = app_state_default();
    assert_non_null(engine);
    state.backend = KRN_BACKEND_CPU;
    for (int at = 0; screen_at(at, &state); at++)
        for (int i = 0; i < TOLDS * APP_PANELS_COUNT; i++) {
            const struct told *told = &tolds[i % TOLDS];
            state.panels = (enum app_panels)(i / TOLDS);
            state.mode = told->mode;
            state.hold = told->hold;
            struct app_hud hud = {
                .state = &state, .engine = engine, .device = &host, .before = told->before};
            hud.kernel = krn_series_summary(fill(engine, state.backend, told->mode, told->least_ms,
                                                 told->median_ms, told->most_ms));
            if (told->before.valid)
                fill(engine, told->before.backend, told->before.mode, 0.98 * told->before_ms,
                     told->before_ms, 1.1 * told->before_ms);
            screen_begin(&state, told->name);
            app_hud_main(&screen.brush, &screen.layout, &hud);
            app_hud_held(&screen.brush, &screen.layout);
            screen_end("hud", screen.layout.main.h / APP_HUD_HEIGHT, true);
            screen_must(told->must, true);
            screen_must("HELD", told->hold);
            screen_must("240, 95 % [", true); /* the number of samples, and the interval */
        }
    screens_done();
    app_engine_close(engine);
}

/* Opens an engine on the CPU with a duel under way, of two modes with long names, and feeds it:
 * B takes `slower` times as long as A. */
static struct app_engine *open_duel(struct app_state *state, double slower)
{
    struct app_run run = app_run_default();
    struct app_engine *engine;
    char notice[APP_NOTICE_MAX];
    run.backend = KRN_BACKEND_CPU;
    *state = app_state_default();
    state->width = state->height = 16;
    state->duel.on = true;
    state->mode = (struct krn_mode){KRN_KERNEL_STRIP, KRN_STORAGE_CONSTANT, 16};
    state->duel.other = (struct krn_mode){KRN_KERNEL_STRIP, KRN_STORAGE_READONLY, 16};
    TEST_OK(app_engine_open(&engine, &run, state, notice, &error));
    TEST_OK(app_engine_adopt(engine, state, &error));
    struct krn_device *device = app_engine_device(engine, state);
    struct krn_image image = test_image(device, 16, 16);
    const struct krn_image *const images[2] = {&image, &image};
    TEST_OK(app_engine_render_duel(engine, state, images, 0.0, &error));
    krn_device_free_image(device, &image);
    struct app_duel *duel = (struct app_duel *)app_engine_duel(engine);
    assert_non_null(duel);
    for (int i = 0; i < 2000; i++) {
        bool a_first;
        const uint32_t number = app_duel_begin(duel, 0.005 * i, &a_first);
        const double ms = 1.23 + 1e-3 * (i * 101 % 240 / 239.0);
        app_duel_add_reading(duel, number, 0, ms);
        app_duel_add_reading(duel, number, 1, slower * ms * (1.0 + 1e-3 * (i * 37 % 200 / 199.0)));
    }
    return engine;
}

static void draw_duel(const struct app_hud *hud, const char *name)
{
    screen_begin(hud->state, name);
    app_hud_duel(&screen.brush, &screen.layout, hud);
    screen_end("hud_duel", screen.layout.main.h / APP_HUD_HEIGHT, true);
}

/* The duel's card judges both sides, and gives no verdict on numbers that may not be quoted. */
TEST(test_duel_card)
{
    static const struct {
        const char *name;
        enum app_trust_reason a, b; /* COUNT: none */
        const char *must[3];
    } cases[] = {
        {"sound", APP_TRUST_COUNT, APP_TRUST_COUNT, {"Numbers hold", "FASTER", "1.10"}},
        {"near",
         APP_TRUST_NEAR_FLOOR,
         APP_TRUST_COUNT,
         {"Caution: 1 reason", "FASTER", "A: near floor"}},
        {"both",
         APP_TRUST_SPREAD,
         APP_TRUST_SPREAD,
         {"Caution: 1 reason", "FASTER", "A and B: wide"}},
        {"wrong", APP_TRUST_COUNT, APP_TRUST_WRONG_PICTURE, {"Do not quote", "WRONG", "B: wrong"}},
        {"hot",
         APP_TRUST_THROTTLED,
         APP_TRUST_THROTTLED,
         {"Do not quote", "No verdict", "A and B"}},
    };
    enum { CASES = sizeof cases / sizeof *cases };
    struct app_state state;
    struct app_engine *engine = open_duel(&state, 1.1);
    for (int at = 0; screen_at(at, &state); at++)
        for (int i = 0; i < CASES * APP_PANELS_COUNT; i++) {
            const int c = i % CASES;
            state.panels = (enum app_panels)(i / CASES);
            const unsigned a = cases[c].a < APP_TRUST_COUNT ? APP_TRUST_BIT(cases[c].a) : 0,
                           b = cases[c].b < APP_TRUST_COUNT ? APP_TRUST_BIT(cases[c].b) : 0;
            const struct app_hud hud = {
                .state = &state, .engine = engine, .trust = a | b, .side_trust = {a, b}};
            draw_duel(&hud, cases[c].name);
            for (int m = 0; m < 3; m++)
                screen_must(cases[c].must[m], true);
            if (app_trust_no_verdict(a | b)) {
                screen_must("times as fast", false);
                screen_must("1.10", false);
            }
        }
    screens_done();
    app_engine_close(engine);
}

/* Feeds a duel from its start with readings of a simulated machine, whose sides wander by `wander`
 * for 3 s at a time. */
static void feed_simulated(struct app_duel *duel, double seconds, double ratio, double wander)
{
    struct test_machine m = test_gpu;
    m.wander = wander;
    m.wander_s = 3.0;
    struct test_noise noise = test_noise_seed(4);
    struct test_side sides[2] = {test_side_begin(&noise, &m), test_side_begin(&noise, &m)};
    app_duel_start(duel, duel->backend, duel->modes[0], duel->modes[1], 1.0);
    for (double at_s = 0.0; at_s < seconds; at_s += 1.0 / m.fps) {
        bool a_first;
        const uint32_t number = app_duel_begin(duel, at_s, &a_first);
        for (int side = 0; side < 2; side++)
            app_duel_add_reading(
                duel, number, side,
                test_side_ms(&noise, &m, &sides[side], side, at_s, side == 1 ? ratio : 1.0));
    }
}

/* The duel's card tells each verdict, what is seen so far, and why there is no interval. */
TEST(test_duel_verdicts)
{
    static const struct {
        const char *name, *must[2];
        double seconds, ratio, wander;
        double far; /* > 0: replaces the ends of the interval by 1 / far and far */
    } cases[] = {
        {"begins", {"CAN'T TELL", "no interval yet"}, 0.5, 1.0, 0.0, 0.0},
        {"so_far", {"FASTER", "so far"}, 3.0, 1.03, 0.0, 0.0},
        {"firm", {"SLOWER", "A is 0.97"}, 13.0, 1.0 / 1.03, 0.0, 0.0},
        {"same", {"SAME", "95 %"}, 12.0, 1.0, 0.0, 0.0},
        {"wandering", {"WANDERING", "wander apart"}, 12.0, 1.0, 0.02, 0.0},
        {"far", {"SAME", "95 % [<0.10, >"}, 12.0, 1.0, 0.0, 1e5},
    };
    struct app_state state;
    struct app_engine *engine = open_duel(&state, 1.0);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        feed_simulated((struct app_duel *)app_engine_duel(engine), cases[c].seconds, cases[c].ratio,
                       cases[c].wander);
        struct krn_duel_result *result =
            &((struct app_duel *)app_engine_duel(engine))->statistic.result;
        if (cases[c].far > 0.0) {
            result->low = 1.0 / cases[c].far;
            result->high = cases[c].far;
        }
        const struct app_hud hud = {.state = &state, .engine = engine};
        for (int at = 0; screen_at(at, &state); at++)
            for (int panels = 0; panels < APP_PANELS_COUNT; panels++) {
                state.panels = (enum app_panels)panels;
                draw_duel(&hud, cases[c].name);
                screen_must(cases[c].must[0], true);
                screen_must(cases[c].must[1], true);
            }
    }
    screens_done();
    app_engine_close(engine);
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
    const struct app_run run = app_run_default();
    struct app_engine *engine = app_engine_new(&run);
    assert_non_null(engine);
    const struct app_state state = app_state_default();
    const struct ren_gl_info gl = {.software = false};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct krn_device_info device = {
            .name = "GPU", .can = {.noun = cases[i].noun ? cases[i].noun : "GPU"}};
        const struct app_hud hud = {
            .state = &state,
            .engine = engine,
            .device = &device,
            .gl = &gl,
            .kernel = {.n = cases[i].raw_ms > 0.0 ? 100 : 0, .median = cases[i].raw_ms},
            .overhead_ms = cases[i].overhead_ms,
            .regime = cases[i].regime,
            .gate_drops = cases[i].drops,
        };
        const char *dropped = row_of(&hud, NULL, "dropped");
        assert_string_equal(row_of(&hud, "kernel", NULL), cases[i].kernel);
        assert_string_equal(dropped ? dropped : "", cases[i].dropped ? cases[i].dropped : "");
    }
    /* What the kernel takes is told for GPUs. */
    const struct krn_device_info warps = {.name = "GPU", .can = {.noun = "GPU", .warps = true}};
    const struct app_hud with = {
        .state = &state, .engine = engine, .device = &warps, .gl = &gl, .kernels = four_kernels};
    assert_string_equal(row_of(&with, "takes", NULL),
                        "40 registers, occupancy 75 %, 6 blocks of 256 threads, shared "
                        "248 832 bytes, constant 65 536 bytes, spilled 128 bytes");
    app_engine_close(engine);
}

/* The details keep the note on a scene's file. */
TEST(test_details_of_the_scene)
{
    static const char note[] = "1 column of the table is not read: mass.";
    struct app_state state;
    struct app_engine *engine = open_duel(&state, 1.0);
    const struct krn_device_info device = {.name = "CPU", .can = {.noun = "CPU"}};
    const struct ren_gl_info gl = {.software = false};
    const struct app_hud hud = {.state = &state, .engine = engine, .device = &device, .gl = &gl};
    assert_null(row_of(&hud, NULL, note));
    TEST_OK(app_engine_set_file(engine, "a.csv", app_engine_scene(engine), note, &error));
    state.scene = APP_SCENE_FILE;
    snprintf(state.scene_path, sizeof state.scene_path, "a.csv");
    TEST_OK(app_engine_adopt(engine, &state, &error));
    assert_string_equal(row_of(&hud, NULL, note), note);
    app_engine_close(engine);
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
        const char *rate, *image;
    } cases[] = {
        {{KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1},
         {.sum = 5e6},
         "21.0 G tests/s, nominal",
         "1024×1024, fit"},
        {{KRN_KERNEL_BRUTE, KRN_STORAGE_CONSTANT, 1},
         {.sum = 5e6},
         "5.00 G rays/s, counted",
         "1024×1024, 4 bounces, 1 sample"},
        {{KRN_KERNEL_TREE, KRN_STORAGE_TEXTURE, 1},
         {.sum = 5e6, .sampled = true},
         "5.00 G rays/s, counted in one frame; 125 µs of it for the tree",
         "1024×1024, 4 bounces, 1 sample"},
        {{KRN_KERNEL_TREE, KRN_STORAGE_GLOBAL, 1},
         {.sum = 0.0},
         "– rays/s, not counted yet; 250 µs of it for the tree",
         "1024×1024, 4 bounces, 1 sample"},
        {{KRN_KERNEL_BRUTE, KRN_STORAGE_GLOBAL, 1},
         {.failed = true},
         "– rays/s, not counted here",
         "1024×1024, 4 bounces, 1 sample"},
    };
    const struct app_run run = app_run_default();
    struct app_engine *engine = app_engine_new(&run);
    assert_non_null(engine);
    const struct krn_mode texture = cases[2].mode, global = cases[3].mode;
    krn_series_push((struct krn_series *)app_engine_binning(engine, KRN_BACKEND_CPU, texture),
                    0.125);
    krn_series_push((struct krn_series *)app_engine_binning(engine, KRN_BACKEND_CPU, global), 0.25);
    ((struct krn_scene *)app_engine_scene(engine))->count = 20;
    const struct krn_device_info device = {.name = "GPU", .can = {.noun = "GPU"}};
    const struct ren_gl_info gl = {.software = false};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct app_state state = app_state_default();
        app_state_set_mode(&state, cases[i].mode);
        const struct app_hud hud = {.state = &state,
                                    .engine = engine,
                                    .device = &device,
                                    .gl = &gl,
                                    .kernel = {.n = 100, .median = 1.0},
                                    .rays = &cases[i].rays};
        assert_string_equal(row_of(&hud, "rate", NULL), cases[i].rate);
        assert_string_equal(row_of(&hud, "image", NULL), cases[i].image);
    }
    ((struct krn_scene *)app_engine_scene(engine))->count = 0;
    app_engine_close(engine);
}

/* Every page of the help is drawn uncut, on its card and over no other text. */
TEST(test_help_screen)
{
    struct app_state state = app_state_default();
    for (int at = 0; screen_at(at, &state); at++)
        for (int i = 0; i < APP_HELP_PAGES; i++) {
            const enum app_help_page page = (enum app_help_page)i;
            screen_begin(&state, app_help_page_name(page));
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
    const struct app_hud hud = {.state = &state, .device = &host, .trace = &trace};
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
