/* The frame anatomy's card: its texts fit and overlap nothing, in every size, whatever the frame.
 * `test_anatomy_panel mono` runs the same tests with a monospaced font only. PANELS_PICTURES=FOLDER
 * writes every card to FOLDER as PNG, for inspection; the times on them are made up. */
#include "mono_font.h"
#include "offscreen.h"
#include "saved.h"
#include "seen.h"

#include "hud/anatomy/panel.h"
#include "hud/layout.h"
#include "hud/theme.h"

#include <stdlib.h>

/* Kinds of frames. */
enum kind { EMPTY, VSYNC, FREE, CPU, MISSING, LATE, KINDS };
static const char *const kind_names[KINDS] = {"empty", "vsync", "free", "cpu", "missing", "late"};

static void add(struct app_anatomy_view *view, enum app_lane_id lane, enum app_phase phase,
                double begin_us, double end_us)
{
    assert_true(app_lane_add(&view->frame.lanes[lane], phase, 1e-3 * begin_us, 1e-3 * end_us));
}

static void add_host(struct app_anatomy_view *view, bool cpu, double length_us)
{
    const double kernel_us = cpu ? 9000.0 : 21.0;
    double at = 3.0;
    const struct {
        enum app_phase phase;
        double us;
    } parts[] = {
        {APP_PHASE_INPUT, 4.1},    {APP_PHASE_PANELS, 0.7},       {APP_PHASE_MAP, 38.0},
        {APP_PHASE_POSE, 9.0},     {APP_PHASE_KERNEL, kernel_us}, {APP_PHASE_COPY, 52.0},
        {APP_PHASE_VERIFY, 61.0},  {APP_PHASE_PICTURE, 48.0},     {APP_PHASE_LAYOUT, 380.0},
        {APP_PHASE_OVERLAY, 96.0}, {APP_PHASE_SWAP, 0.0}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const double end = parts[i].phase == APP_PHASE_SWAP ? length_us : at + parts[i].us;
        add(view, APP_LANE_CPU, parts[i].phase, at, end);
        at = end + 1.5;
    }
}

static struct app_anatomy_view view_of(enum kind kind)
{
    struct app_anatomy_view view = {.frames = kind == EMPTY ? 0 : APP_ANATOMY_FRAMES, .draws = 1};
    const double length_us = kind == VSYNC || kind == MISSING ? 16667.0
                             : kind == CPU                    ? 10200.0
                                                              : 840.0;
    const bool device = kind != CPU;
    struct app_lane *cpu = &view.frame.lanes[APP_LANE_CPU], *gpu = &view.frame.lanes[APP_LANE_GPU];
    view.limit = kind == VSYNC || kind == MISSING ? "vsync"
                 : kind == CPU                    ? "drawing on the CPU"
                                                  : "the GPU's kernel";
    if (kind == EMPTY)
        return view;
    add_host(&view, kind == CPU, length_us);
    const double shift = kind == LATE ? 700.0 : kind == CPU ? 8800.0 : 60.0;
    if (device) {
        add(&view, APP_LANE_GPU, APP_PHASE_POSE, shift - 8.0, shift + 5.0);
        add(&view, APP_LANE_GPU, APP_PHASE_KERNEL, shift + 20.0, shift + 41.3);
        add(&view, APP_LANE_GPU, APP_PHASE_COPY, shift + 43.0, shift + 55.0);
        view.device_tie_ms = 0.0063;
    }
    if (kind != MISSING) {
        add(&view, APP_LANE_GPU, APP_PHASE_PICTURE, shift + 160.0, shift + 330.0);
        add(&view, APP_LANE_GPU, APP_PHASE_OVERLAY, shift + 520.0, shift + 618.0);
        view.gl_tie_ms = 0.00087;
    } else {
        gpu->count = 0;
        snprintf(view.missing, sizeof view.missing,
                 "This OpenGL has no timer queries (ARB_timer_query).");
    }
    view.host_kernel = view.software_gl = kind == CPU;
    snprintf(view.gl, sizeof view.gl, "llvmpipe (LLVM 15.0.6, 256 bits)");
    cpu->span_ms = 1e-3 * length_us;
    gpu->span_ms = kind == LATE ? 1.318 : cpu->span_ms;
    view.length_ms = 1e-3 * length_us;
    for (int lane = 0; lane < APP_LANES; lane++) {
        for (int phase = 0; phase < APP_PHASE_COUNT; phase++)
            view.phases_ms[lane][phase] =
                app_lane_phase(&view.frame.lanes[lane], (enum app_phase)phase);
        view.spans_ms[lane] = view.frame.lanes[lane].span_ms;
        view.gaps_ms[lane] = app_lane_gaps(&view.frame.lanes[lane]);
        assert_true(app_lane_mismatch(&view.frame.lanes[lane]) < 0.03);
    }
    return view;
}

/* Draws one card and returns the number of errors of its layout. Text is at least 12 units high:
 * its box has the height of its line. */
static int draw(const struct app_anatomy_view *view, struct ren_rect area, float unit, int width,
                int height, enum app_theme theme, const char *name)
{
    static struct seen seen;
    const struct app_draw_witness witness = seen_begin(&seen);
    const struct app_colours *colours = app_theme_colours(theme);
    struct ren_list *list = test_frame_begin(width, height, colours->background);
    const struct app_brush brush = {renderer, list, colours, unit, &witness};
    const struct ren_metrics face = ren_face_metrics(renderer, REN_FACE_SANS);
    int wrong = 0;
    app_anatomy_panel(&brush, area, view);
    test_save(list, width, height, "anatomy", name);
    for (int i = 0; i < seen.text_count; i++)
        if (seen.texts[i].h < 0.99f * 12.0f * unit * (face.cap_height + 0.5f * face.descent)) {
            print_error("%s: \"%s\" is too small\n", name, seen.words[i]);
            wrong++;
        }
    return wrong + seen_wrong(&seen, unit, false, name);
}

static void test_every_card_fits(void **unused)
{
    (void)unused;
    /* Areas in units, and pixels per unit; the first is the smallest. */
    static const struct {
        float w, h, unit;
    } areas[] = {{300.0f, 200.0f, 1.0f}, {300.0f, 200.0f, 2.5f}, {300.0f, 600.0f, 1.0f},
                 {640.0f, 220.0f, 1.0f}, {440.0f, 330.0f, 1.5f}, {1240.0f, 680.0f, 1.0f}};
    int wrong = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        const struct app_anatomy_view view = view_of((enum kind)kind);
        for (size_t i = 0; i < sizeof areas / sizeof *areas; i++) {
            const float u = areas[i].unit, w = areas[i].w * u, h = areas[i].h * u;
            char name[96];
            snprintf(name, sizeof name, "%sanatomy_%s_%zu", fonts, kind_names[kind], i);
            wrong += draw(&view, (struct ren_rect){10.0f, 10.0f, w, h}, u, (int)w + 20, (int)h + 20,
                          (enum app_theme)(i % APP_THEME_COUNT), name);
        }
    }
    assert_int_equal(wrong, 0);
}

/* On the screen, in place of the panels. */
static void test_every_screen_fits(void **unused)
{
    (void)unused;
    static const int sizes[][2] = {{1280, 720}, {3840, 2160}, {1920, 1080}, {1080, 1920}};
    int wrong = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        const struct app_anatomy_view view = view_of((enum kind)kind);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            struct app_state state = app_state_default();
            char name[96];
            state.anatomy = APP_ANATOMY_ON;
            state.theme = i == 2 ? APP_THEME_PROJECTOR : i == 3 ? APP_THEME_LIGHT : APP_THEME_DARK;
            const struct app_layout layout =
                app_layout_make(&state, sizes[i][0], sizes[i][1], 1.0f);
            assert_true(layout.anatomy && !layout.story && layout.shown == APP_PANELS_OFF);
            snprintf(name, sizeof name, "%sanatomy_%s_%dx%d", fonts, kind_names[kind], sizes[i][0],
                     sizes[i][1]);
            wrong += draw(&view, layout.panels, layout.unit, sizes[i][0], sizes[i][1], state.theme,
                          name);
        }
    }
    assert_int_equal(wrong, 0);
    struct app_state state = app_state_default();
    state.anatomy = APP_ANATOMY_RECORD; /* the panels stay */
    const struct app_layout layout = app_layout_make(&state, 1280, 720, 1.0f);
    assert_true(!layout.anatomy && layout.shown == APP_PANELS_FULL);
}

int main(int argc, char **argv)
{
    const int unable = mono_screen_open(argc, argv);
    if (unable)
        return unable;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_card_fits),
                                       cmocka_unit_test(test_every_screen_fits)};
    const int failed = cmocka_run_group_tests_name("anatomy_panel", tests, NULL, NULL);
    test_screen_close();
    return failed;
}
