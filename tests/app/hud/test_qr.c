/* The QR code: when it changes, and its place. Without libqrencode there is no code. Drawn codes
 * are decoded by tests/program/program.py. */
#include "hud/parts.h"

#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "huds.h"

/* In the corner of the pane, or of a page in the whole window, as large as a reader needs. */
TEST(test_place)
{
    static const int sizes[][2] = {{1280, 720}, {1920, 1080}, {3840, 2160}, {1080, 1920},
                                   {800, 600},  {640, 480},   {320, 240},   {2560, 1080}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int shown = 0; shown < APP_THEME_COUNT * APP_PANELS_COUNT; shown++) {
            struct app_state state = app_state_default();
            struct ren_rect rect;
            state.look.theme = (enum app_theme)(shown % APP_THEME_COUNT);
            state.look.panels = (enum app_panels)(shown / APP_THEME_COUNT);
            const struct app_layout layout = app_layout_make(&state, sizes[i][0], sizes[i][1], 1);
            const struct ren_rect room =
                layout.shown == APP_PANELS_FULL ? layout.page : layout.pane;
            for (int side = 69; side <= APP_QR_SIDE_MAX; side += 16) { /* usual, and longest */
                const int module = app_qr_place(&layout, side, &rect);
                assert_true(module >= 3 || (module == 0 && sizes[i][1] <= 600));
                if (module == 0)
                    continue;
                assert_int_equal((int)rect.w, (side + 2 * APP_QR_QUIET) * module);
                assert_true(rect.x >= room.x && rect.x + rect.w <= room.x + room.w);
                assert_true(rect.y >= room.y && rect.y + rect.h <= room.y + room.h);
            }
        }
}

TEST(test_it_changes_seldom)
{
    static const struct krn_device_info device = {.name = "A CPU"};
    char before[APP_QR_TEXT_MAX];
    struct app_state state = app_state_default();
    struct app_qr qr = {0};
    state.spec.width = 64;
    state.spec.height = 48;
    struct app_hud hud = hud_of(&state, &device);
    app_qr_follow(&qr, &hud, 10.0);
    assert_non_null(strstr(qr.text, "A CPU, cpu; book/global not timed; 20 spheres, 64x48; not "));
    assert_int_equal(qr.code.side > 0, app_qr_available());
    /* The address of a page stands in their place, at once, and goes at once. */
    snprintf(state.look.page_url, sizeof state.look.page_url, "https://example.org/");
    app_qr_follow(&qr, &hud, 10.0);
    assert_string_equal(qr.text, state.look.page_url);
    assert_int_equal(qr.code.side, app_qr_available() ? 25 : 0);
    state.look.page_url[0] = 0;
    app_qr_follow(&qr, &hud, 10.0);
    assert_non_null(strstr(qr.text, "A CPU, cpu; book/global not timed; 20 spheres, 64x48; not "));
    if (!app_qr_available())
        return;
    memcpy(before, qr.text, sizeof before);
    const struct krn_series series = hud_series(0.98, 1.0, 1.1);
    hud.now[0] = hud_time(state.spec.backend, state.spec.mode, &series);
    app_qr_follow(&qr, &hud, 10.9);
    assert_string_equal(qr.text, before);
    app_qr_follow(&qr, &hud, 11.0);
    assert_non_null(strstr(qr.text, "this run, n 240"));
    assert_true(strlen(qr.text) >= 120 && strlen(qr.text) < APP_QR_TEXT_MAX - 1);
    state.spec.mode.storage = KRN_STORAGE_CONSTANT; /* a new mode is shown at once */
    hud = hud_of(&state, &device);
    app_qr_follow(&qr, &hud, 11.1);
    assert_non_null(strstr(qr.text, "book/constant not timed"));
    /* The light view's options, for a shell; the camera where the path has led it. */
    assert_null(strstr(qr.text, "--"));
    state.spec.mode = (struct krn_mode){KRN_KERNEL_TREE, KRN_STORAGE_GLOBAL, 1};
    state.spec.light.camera = (struct krn_camera){-90.0f, 12.5f, 1.82f};
    state.spec.light.bounces = 3;
    state.spec.light.samples = 4;
    app_qr_follow(&qr, &hud, 11.2);
    assert_non_null(
        strstr(qr.text, "64x48, --camera -90:12.5:1.82 --bounces 3 --samples 4; not verified"));
    state.spec.camera_path = true;
    state.spec.motion_s = APP_CAMERA_PATH_SECONDS / 8.0;
    state.spec.recipe.seed = 5;
    state.spec.recipe.radius_max = 60.5f;
    app_qr_follow(&qr, &hud, 12.3);
    assert_non_null(strstr(qr.text, "64x48, --seed 5, --radii 20:60.5, --camera -45:12.5:1.82 "));
    state.spec.scene = APP_SCENE_FILE; /* without its folder, and in ASCII */
    snprintf(state.spec.scene_path, sizeof state.spec.scene_path, "a/folder/pl\u00e4za.json");
    app_qr_follow(&qr, &hud, 13.4);
    assert_non_null(strstr(qr.text, "64x48, --scene pl??za.json, --camera "));
}

static bool says_of_picture(const struct app_hud *hud, const char *word)
{
    char text[APP_QR_TEXT_MAX], wanted[64];
    app_qr_describe(hud, text);
    snprintf(wanted, sizeof wanted, " spheres, 64x48; %s, ", word);
    return strstr(text, wanted) != NULL;
}

/* Where a recorded run is on screen, the numbers are its own, with its device and processes, and
 * so is the word on the picture, whatever this machine has found. */
TEST(test_recorded)
{
    static const struct app_recorded_view view = {.name = "NVIDIA H200", .date = "2026-11-22"};
    static const struct krn_device_info device = {.name = "A CPU"};
    const double each[] = {0.0213, 0.0212, 0.0214};
    char text[APP_QR_TEXT_MAX];
    struct app_state state = app_state_default();
    state.spec.width = 64;
    state.spec.height = 48;
    struct app_hud hud = hud_of(&state, &device);
    struct app_mode_time *const now = hud.now;
    hud.recorded = &view;
    now[0].recorded = now[1].recorded = true;
    hud.verified.verified = APP_VERIFIED_TRUE;
    app_qr_describe(&hud, text);
    assert_non_null(strstr(text, "; NVIDIA H200, recorded 2026-11-22; book/global not recorded;"));
    assert_true(says_of_picture(&hud, "not verified"));
    now[0].valid = true;
    now[0].ms.n = 300;
    now[0].median = app_estimate_of_processes(each, 3, 0.0);
    now[0].median.low = 0.0210;
    now[0].median.high = 0.0216;
    app_qr_describe(&hud, text);
    assert_non_null(strstr(text, "; book/global 0.0213 ms [0.0210, 0.0216] (3 processes, n 300);"));
    assert_null(strstr(text, "this run"));
    assert_null(strstr(text, "A CPU"));
    const struct app_estimate near = now[0].median;
    now[0].median.low = 1e-9;
    now[0].median.high = 5e5;
    app_qr_describe(&hud, text);
    assert_non_null(strstr(text, "; book/global 0.0213 ms [<0.0021, >0.2130] (3 processes, n "));
    now[0].median = near;
    now[0].verified = APP_VERIFIED_FALSE;
    assert_true(says_of_picture(&hud, "WRONG PICTURE"));
    now[0].verified = APP_VERIFIED_TRUE;
    hud.verified.verified = APP_VERIFIED_FALSE;
    now[1].verified = APP_VERIFIED_FALSE; /* on screen in a duel only */
    assert_true(says_of_picture(&hud, "verified"));
    state.spec.duel.on = true;
    hud.sides = 2;
    now[1].mode = state.spec.duel.other =
        (struct krn_mode){KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT, 1};
    now[1].valid = true;
    now[1].ms.n = 60;
    now[1].median = app_estimate_plain(0.5);
    app_qr_describe(&hud, text);
    assert_non_null(strstr(text, "(3 processes, n 300); book/constant 0.500 ms (n 60); 20 sph"));
    /* A duel has the worse of both sides: a wrong picture, else one that is not verified. */
    static const struct {
        enum app_verified sides[2];
        const char *word;
    } duels[] = {
        {{APP_VERIFIED_TRUE, APP_VERIFIED_TRUE}, "verified"},
        {{APP_VERIFIED_TRUE, APP_VERIFIED_UNKNOWN}, "not verified"},
        {{APP_VERIFIED_UNKNOWN, APP_VERIFIED_TRUE}, "not verified"},
        {{APP_VERIFIED_UNKNOWN, APP_VERIFIED_FALSE}, "WRONG PICTURE"},
        {{APP_VERIFIED_FALSE, APP_VERIFIED_UNKNOWN}, "WRONG PICTURE"},
        {{APP_VERIFIED_TRUE, APP_VERIFIED_FALSE}, "WRONG PICTURE"},
        {{APP_VERIFIED_FALSE, APP_VERIFIED_TRUE}, "WRONG PICTURE"},
    };
    for (size_t i = 0; i < sizeof duels / sizeof *duels; i++) {
        for (int side = 0; side < 2; side++)
            now[side].verified = duels[i].sides[side];
        assert_true(says_of_picture(&hud, duels[i].word));
    }
}

/* Checks that a text has both modes and ends with its date, with room to spare for the longest
 * version and a million spheres. */
static void check_whole(const char *text, const char *first, const char *second)
{
    static const char last[] = "2026-11-22T17:05Z";
    const size_t length = strlen(text);
    const size_t more = 40 - strlen(app_version_text()) + strlen("1000000") - strlen("20");
    const char *at = strstr(text, first);
    assert_non_null(at);
    assert_non_null(strstr(at, second));
    assert_int_equal(text[length - 1], 'Z');
    assert_int_equal(text[length - strlen(last)], '2');
    assert_true(length + more < APP_QR_TEXT_MAX);
}

/* The longest text, a duel of the light view with every option, is whole: with this run's times,
 * and with recorded ones, which are longer. */
TEST(test_longest)
{
    static const struct krn_device_info device = {
        .name = "NVIDIA H200 NVL with a name that is as long as any"};
    static const struct app_recorded_view view = {
        .name = "NVIDIA H200 NVL with a name that is as long as any", .date = "2026-11-22"};
    const struct krn_series series = hud_series(0.0211234, 0.0213456, 0.0222345);
    char text[APP_QR_TEXT_MAX];
    struct app_state state = app_state_default();
    state.spec.width = state.spec.height = KRN_SIZE_MAX;
    state.spec.mode = (struct krn_mode){KRN_KERNEL_BRUTE, KRN_STORAGE_CONSTANT, 1};
    state.spec.duel.on = true;
    state.spec.duel.other = (struct krn_mode){KRN_KERNEL_TREE, KRN_STORAGE_CONSTANT, 1};
    state.spec.light.camera = (struct krn_camera){-0.00012345678f, 12.3456783f, 1.23456776f};
    state.spec.light.bounces = KRN_BOUNCES_MAX;
    state.spec.light.samples = 16;
    state.spec.recipe.seed = UINT64_MAX;
    state.spec.recipe.radius_min = 0.0123457f;
    state.spec.recipe.radius_max = 12345.6f;
    struct app_hud hud = hud_of(&state, &device);
    for (int side = 0; side < 2; side++)
        hud.now[side] = hud_time(state.spec.backend, hud.now[side].mode, &series);
    app_qr_describe(&hud, text);
    check_whole(text, "; brute/constant ", "; tree/constant ");

    hud.recorded = &view;
    for (int side = 0; side < 2; side++) {
        struct app_mode_time *now = &hud.now[side];
        now->recorded = true;
        now->verified = APP_VERIFIED_FALSE;
        now->ms.n = 100000;
        now->median.value = 0.021345;
        now->median.low = 0.021344;
        now->median.high = 0.021346;
        now->median.processes = 10;
    }
    hud.trust = APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
    app_qr_describe(&hud, text);
    check_whole(text, "; brute/constant 0.021345 ms [0.021344, 0.021346] (10 processes, n 100000)",
                "; tree/constant 0.021345 ms [0.021344, 0.021346] (10 processes, n 100000); 20 ");
    assert_non_null(strstr(text,
                           ", --seed 18446744073709551615, --radii 0.0123457:12345.6, "
                           "--camera -0.00012345678:12.345678:1.2345678 --bounces 8 --samples 16; "
                           "WRONG PICTURE, Do not quote; 20"));
    struct app_qr_code code; /* a text that fills the room has a code */
    memset(text, 'a', sizeof text - 1);
    assert_int_equal(app_qr_encode(text, &code), app_qr_available());
}
