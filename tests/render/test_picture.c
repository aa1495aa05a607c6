/* The blit ladder, offscreen: the frame shows the bytes that the kernel wrote, on every rung, at
 * every size, from every backend. */
#include "shown.h"

static struct krn_device *devices[KRN_BACKEND_COUNT];

TEST(every_rung_shows_the_same)
{
    static const int sizes[][2] = {{64, 64}, {1, 1}, {333, 129}, {1024, 1024}, {7, 500}};
    TEST_SCENE scene = test_scene(40, 2, 20, 120);
    for (int id = 0; id < KRN_BACKEND_COUNT; id++) {
        if (!devices[id])
            continue;
        TEST_OK(krn_device_set_scene(devices[id], &scene, &error));
        TEST_OK(krn_device_set_pose(devices[id], krn_pose_at(2.0), &error));
        for (int blit = 0; blit < REN_BLIT_COUNT; blit++)
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
                show_and_compare(devices[id], (enum ren_blit)blit,
                                 test_view(sizes[i][0], sizes[i][1]));
                const struct ren_blit_status status = ren_picture_status(renderer);
                assert_int_equal(status.asked, blit);
                if (id == KRN_BACKEND_CPU)
                    assert_int_equal(status.used, REN_BLIT_COPY);
                assert_int_equal(status.used == status.asked, status.reason[0] == '\0');
            }
        ren_picture_release(renderer);
    }
}

TEST(size_and_backend_change_200_times)
{
    TEST_SCENE scene = test_scene(5, 2, 20, 120);
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        if (devices[id])
            TEST_OK(krn_device_set_scene(devices[id], &scene, &error));
    for (int i = 0; i < 200; i++) {
        struct krn_device *device = devices[i % KRN_BACKEND_COUNT];
        device = device ? device : devices[KRN_BACKEND_CPU];
        show_and_compare(device, (enum ren_blit)(i % REN_BLIT_COUNT),
                         test_view(1 + i * 37 % 200, 1 + i * 53 % 150));
    }
    ren_picture_release(renderer);
}

TEST(shrunk_pictures_are_averaged)
{
    struct krn_device *device = devices[KRN_BACKEND_CPU];
    TEST_SCENE scene = test_scene(1, 1, 20, 120);
    scene.spheres[0] = (struct krn_sphere){1, 1, 1, 5000, 0, 0, 0}; /* white everywhere */
    TEST_OK(krn_device_set_scene(device, &scene, &error));
    const struct krn_view view = test_view(1000, 1000);
    struct krn_image image;
    TEST_OK(ren_picture_begin(renderer, device, REN_BLIT_COPY, 1000, 1000, &image, &error));
    /* Alternating black and white columns: a shrunk picture is grey, never black or white. */
    for (int j = 0; j < view.height; j++)
        for (int i = 0; i < view.width; i++)
            memset((uint8_t *)image.pixels + (size_t)j * image.pitch_bytes + 4 * (size_t)i,
                   i % 2 ? 255 : 0, 4);
    TEST_OK(ren_picture_end(renderer, &error));
    TEST_OK(ren_frame_begin(renderer, 250, 250, 0, NULL, &error));
    const struct ren_rect all = {0, 0, 250, 250};
    TEST_OK(ren_picture_draw(renderer, all, false, &error));
    TEST_FREED uint8_t *frame = test_alloc(4 * 250 * 250);
    TEST_OK(ren_frame_read(renderer, frame, &error));
    for (int i = 0; i < 250 * 250; i++)
        assert_in_range(frame[4 * i], 126, 129);
    ren_picture_release(renderer);
}

/* Two pictures, both begun before either is rendered, on every rung: the first shows left of the
 * divider, the second right of it. Also drops the second and begins it again. */
TEST(two_pictures_side_by_side)
{
    TEST_SCENE scene = test_scene(40, 2, 20, 120);
    const struct krn_view view = test_view(210, 100);
    const struct krn_mode mode = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1};
    const size_t row = 4 * (size_t)view.width;
    TEST_FREED uint8_t *frame = test_alloc(row * (size_t)view.height);
    for (int turn = 0; turn < KRN_BACKEND_COUNT * REN_BLIT_COUNT; turn++) {
        struct krn_device *device = devices[turn / REN_BLIT_COUNT];
        const enum ren_blit blit = (enum ren_blit)(turn % REN_BLIT_COUNT);
        const int divider = turn % 2 ? 63 : 189; /* 0.3 and 0.9 of the width */
        struct krn_image images[REN_PICTURES];
        uint8_t *expected[REN_PICTURES];
        if (!device)
            continue;
        TEST_OK(krn_device_set_scene(device, &scene, &error));
        for (int i = 0; i < REN_PICTURES; i++) {
            ren_picture_select(renderer, i);
            TEST_OK(ren_picture_begin(renderer, device, blit, view.width, view.height, &images[i],
                                      &error));
        }
        for (int i = 0; i < REN_PICTURES; i++) {
            TEST_OK(krn_device_set_pose(device, krn_pose_at(5.0 * i), &error));
            TEST_OK(krn_device_render(device, mode, &view, &images[i], 7, &error));
        }
        for (int i = 0; i < REN_PICTURES; i++) {
            ren_picture_select(renderer, i);
            TEST_OK(ren_picture_end(renderer, &error));
            TEST_OK(krn_device_set_pose(device, krn_pose_at(5.0 * i), &error));
            expected[i] = test_render(device, KRN_STORAGE_GLOBAL, view);
        }
        TEST_OK(ren_frame_begin(renderer, view.width, view.height, 0x334455, NULL, &error));
        const struct ren_rect all = {0, 0, (float)view.width, (float)view.height};
        const float at = (float)divider / (float)view.width;
        ren_picture_select(renderer, 0);
        TEST_OK(ren_picture_draw_part(renderer, all, 0.0f, at, false, &error));
        ren_picture_select(renderer, 1);
        TEST_OK(ren_picture_draw_part(renderer, all, at, 1.0f, false, &error));
        TEST_OK(ren_picture_draw_part(renderer, all, 0.5f, 0.5f, false, &error)); /* no pixel */
        TEST_OK(ren_frame_read(renderer, frame, &error));
        TEST_OK(ren_check(renderer, &error));
        for (int j = 0; j < view.height; j++)
            for (int i = 0; i < view.width; i++) {
                const uint8_t *wanted = expected[i < divider ? 0 : 1];
                assert_memory_equal(frame + (size_t)j * row + 4 * (size_t)i,
                                    wanted + (size_t)(view.height - 1 - j) * row + 4 * (size_t)i,
                                    4);
            }
        assert_true(memcmp(expected[0], expected[1], row * (size_t)view.height) != 0);
        free(expected[0]);
        free(expected[1]);
        if (turn % 2)
            ren_picture_drop(renderer);
        ren_picture_select(renderer, 0);
        if (blit == REN_BLIT_COPY)
            ren_picture_release(renderer);
    }
}

/* Brings a picture of one grey value per pixel into the selected texture. */
static void show_values(struct krn_device *device, int side, int (*value)(int x, int y))
{
    struct krn_image image;
    TEST_OK(ren_picture_begin(renderer, device, REN_BLIT_COPY, side, side, &image, &error));
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            memset((uint8_t *)image.pixels + (size_t)y * image.pitch_bytes + 4 * (size_t)x,
                   value(x, y), 4);
    TEST_OK(ren_picture_end(renderer, &error));
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            assert_int_equal(
                ((const uint8_t *)image.pixels)[(size_t)y * image.pitch_bytes + 4 * (size_t)x],
                value(x, y));
}

/* Draws the part of the selected picture, enlarged, over the frame, and reads the frame. */
static void draw_values(int side, float times, float from, float to, bool smooth, uint8_t *frame)
{
    const struct ren_rect all = {0, 0, times * (float)side, times * (float)side};
    TEST_OK(ren_picture_draw_part(renderer, all, from, to, smooth, &error));
    if (frame)
        TEST_OK(ren_frame_read(renderer, frame, &error));
}

enum { DISC_SIDE = 64 };

static double from_middle(double x, double y)
{
    return hypot(x - 31.7, y - 31.4);
}

static int disc(int x, int y)
{
    return from_middle(x, y) < 25.3 ? 200 : 20;
}

/* Two lone pixels, in the disc and outside. */
static int disc_and_specks(int x, int y)
{
    return (x == 30 && y == 28) || (x == 4 && y == 4) ? 110 : disc(x, y);
}

static int ramp(int x, int y)
{
    return (3 * x + y) % 256;
}

/* A disc's stairs become smooth at its size, at a multiple and at other sizes: each pixel comes
 * nearer to the share of it that the disc covers. Whatever is not at the edge stays as it was. */
TEST(edges_are_smooth)
{
    static const float times[] = {0.75f, 1.0f, 1.5f, 2.0f};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        show_values(devices[KRN_BACKEND_CPU], DISC_SIDE, times[k] < 1.0f ? disc : disc_and_specks);
        const int side = (int)(times[k] * (float)DISC_SIDE);
        const bool whole = times[k] == roundf(times[k]);
        TEST_FREED uint8_t *plain = test_alloc(4 * (size_t)(side * side)),
                           *frame = test_alloc(4 * (size_t)(side * side));
        TEST_OK(ren_frame_begin(renderer, side, side, 0x334455, NULL, &error));
        draw_values(DISC_SIDE, times[k], 0.0f, 1.0f, false, plain);
        draw_values(DISC_SIDE, times[k], 0.0f, 1.0f, true, frame);
        double rough = 0.0, smooth = 0.0;
        int between = 0;
        for (int j = 0; j < side; j++)
            for (int i = 0; i < side; i++) {
                double x = ((double)i + 0.5) / times[k] - 0.5,
                       y = ((double)(side - 1 - j) + 0.5) / times[k] - 0.5;
                if (whole) {
                    x = round(x);
                    y = round(y);
                }
                const double depth = 25.3 - from_middle(x, y);
                const int was = plain[4 * (side * j + i)], is = frame[4 * (side * j + i)];
                if (fabs(depth) > 2.0) /* the two ways of filtering round differently */
                    assert_in_range(is - was + 1, whole ? 1 : 0, whole ? 1 : 2);
                else {
                    const double ideal =
                        20.0 + 180.0 * fmin(fmax((whole ? 1.0 : times[k]) * depth + 0.5, 0.0), 1.0);
                    assert_in_range(is, 20, 200);
                    between += is > 25 && is < 195;
                    rough += pow(was - ideal, 2);
                    smooth += pow(is - ideal, 2);
                }
            }
        assert_true(between > 50 && smooth < (whole ? 0.5 : 0.85) * rough);
    }
}

/* What must not be smooth, a heat map, is as it was; further enlarged, all pictures are. */
TEST(pixels_stay_where_they_are_asked_for)
{
    TEST_FREED uint8_t *plain = test_alloc(4 * 320 * 320), *other = test_alloc(4 * 320 * 320);
    show_values(devices[KRN_BACKEND_CPU], DISC_SIDE, disc);
    for (int times = 1; times <= 5; times++) {
        const int side = times * DISC_SIDE;
        TEST_OK(ren_frame_begin(renderer, side, side, 0x334455, NULL, &error));
        draw_values(DISC_SIDE, (float)times, 0.0f, 1.0f, false, plain);
        for (int j = 0; j < side; j++)
            for (int i = 0; i < side; i++)
                assert_int_equal(plain[4 * (side * j + i)],
                                 disc(i / times, (side - 1 - j) / times));
        draw_values(DISC_SIDE, (float)times, 0.0f, 1.0f, true, other);
        assert_int_equal(memcmp(plain, other, 4 * (size_t)(side * side)) == 0, times == 5);
    }
}

/* Both halves of a duel are smooth as if each was alone. */
TEST(smooth_halves_do_not_mix)
{
    enum { SIDE = DISC_SIDE, BYTES = 4 * SIDE * SIDE };
    TEST_FREED uint8_t *left = test_alloc(BYTES), *right = test_alloc(BYTES),
                       *duel = test_alloc(BYTES);
    TEST_OK(ren_frame_begin(renderer, SIDE, SIDE, 0x334455, NULL, &error));
    ren_picture_select(renderer, 1);
    show_values(devices[KRN_BACKEND_CPU], SIDE, ramp);
    draw_values(SIDE, 1.0f, 0.0f, 1.0f, true, right);
    ren_picture_select(renderer, 0);
    show_values(devices[KRN_BACKEND_CPU], SIDE, disc);
    draw_values(SIDE, 1.0f, 0.0f, 1.0f, true, left);
    draw_values(SIDE, 1.0f, 0.0f, 0.5f, true, NULL);
    ren_picture_select(renderer, 1);
    draw_values(SIDE, 1.0f, 0.5f, 1.0f, true, duel);
    ren_picture_drop(renderer);
    ren_picture_select(renderer, 0);
    for (int i = 0; i < BYTES; i++)
        assert_int_equal(duel[i], (i / 4 % SIDE < SIDE / 2 ? left : right)[i]);
    ren_picture_release(renderer);
}

/* Draws 4 x 4 blocks of different colours, each in stripes of that colour and black that are one
 * pixel wide. */
static void draw_stripes(int width, int height)
{
    TEST_OK(ren_frame_begin(renderer, width, height, 0, NULL, &error));
    struct ren_list *list = ren_list_begin(renderer);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < width; x += 2)
            ren_list_fill(
                list,
                (struct ren_rect){(float)x, (float)(y * height / 4), 1.0f, (float)(height / 4)},
                0.0f, (ren_colour)(x * 4 / width * 80) << 24 | (unsigned)y * 80 << 16 | 0xff);
    TEST_OK(ren_list_draw(renderer, list, &error));
}

/* A thumbnail has the means of the frame's pixels, another renderer's picture shows it, and the
 * frame stays as it was. */
TEST(a_thumbnail_is_the_frame_halved)
{
    static const int sizes[][4] = {
        {640, 360, 640, 360}, {1920, 1080, 960, 540}, {3840, 2160, 960, 540}, {540, 964, 270, 482}};
    enum { SIDE = REN_THUMBNAIL_SIDE };
    TEST_FREED uint8_t *thumbnail = test_alloc(4 * (size_t)SIDE * SIDE);
    TEST_FREED uint8_t *before = test_alloc(4 * (size_t)3840 * 2160),
                       *after = test_alloc(4 * (size_t)3840 * 2160);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int width = sizes[i][0], height = sizes[i][1];
        const size_t bytes = 4 * (size_t)width * (size_t)height;
        int w = 0, h = 0;
        draw_stripes(width, height);
        TEST_OK(ren_frame_read(renderer, before, &error));
        assert_false(ren_thumbnail_take(renderer, thumbnail, &w, &h));
        ren_thumbnail_begin(renderer);
        TEST_OK(ren_frame_read(renderer, after, &error));
        assert_memory_equal(after, before, bytes);
        ren_frame_settle(renderer);
        assert_true(ren_thumbnail_take(renderer, thumbnail, &w, &h));
        assert_false(ren_thumbnail_take(renderer, thumbnail, &w, &h));
        TEST_OK(ren_check(renderer, &error));
        assert_int_equal(w, sizes[i][2]);
        assert_int_equal(h, sizes[i][3]);
        TEST_OK(ren_frame_begin(renderer, w, h, 0x334455, NULL, &error));
        TEST_OK(ren_picture_fill(renderer, thumbnail, w, h, &error));
        const struct ren_rect all = {0, 0, (float)w, (float)h};
        TEST_OK(ren_picture_draw(renderer, all, false, &error));
        TEST_OK(ren_frame_read(renderer, after, &error));
        for (int block = 0; block < 16; block++) {
            const int x = block % 4, y = block / 4;
            const uint8_t *two = after + 4 * ((size_t)((2 * y + 1) * h / 8) * (size_t)w +
                                              (size_t)((2 * x + 1) * w / 8));
            for (int c = 0; c < 3; c++) { /* one of two pixels has the colour, or both half of it */
                const int wanted = c == 0 ? x * 80 : c == 1 ? y * 80 : 0;
                assert_in_range((two[c] + two[4 + c]) + 4, wanted, wanted + 8);
                if (w < width)
                    assert_in_range(two[c] + 2, wanted / 2, wanted / 2 + 4);
            }
        }
    }
    ren_picture_drop(renderer);
}

/* Without what a thumbnail needs there is none, and the frame is no worse for it. */
TEST(a_missing_thumbnail_is_harmless)
{
    static const char *const calls[] = {"glTexImage2D", "glFramebufferTexture2D",
                                        "glBufferData", "glBlitFramebuffer",
                                        "glFenceSync",  "glMapBufferRange"};
    TEST_FREED uint8_t *thumbnail = test_alloc(4 * 64 * 48);
    int width, height;
    for (size_t i = 0; i <= sizeof calls / sizeof *calls; i++) {
        const bool fails = i < sizeof calls / sizeof *calls;
        draw_stripes(64, 48);
        krn_fail_calls(fails ? calls[i] : NULL);
        ren_thumbnail_begin(renderer);
        krn_fail_calls(NULL);
        ren_frame_settle(renderer);
        krn_fail_calls(fails ? calls[i] : NULL);
        assert_int_equal(ren_thumbnail_take(renderer, thumbnail, &width, &height), !fails);
        krn_fail_calls(NULL);
        TEST_OK(ren_check(renderer, &error));
    }
}

/* Without memory for a texture of another size, the call fails and the last picture is still
 * shown. */
TEST(a_missing_texture_is_harmless)
{
    struct krn_image image;
    struct krn_device *device = devices[KRN_BACKEND_CPU];
    TEST_SCENE scene = test_scene(40, 2, 20, 120);
    TEST_OK(krn_device_set_scene(device, &scene, &error));
    const struct krn_view view = test_view(60, 40);
    show_and_compare(device, REN_BLIT_COPY, view);
    krn_fail_calls("glTexImage2D");
    assert_int_equal(ren_picture_begin(renderer, device, REN_BLIT_COPY, 99, 77, &image, &error),
                     KRN_NO_MEMORY);
    assert_non_null(strstr(error.text, "99x77"));
    krn_fail_calls(NULL);
    TEST_OK(ren_frame_begin(renderer, 60, 40, 0x334455, NULL, &error));
    const struct ren_rect all = {0, 0, 60, 40};
    TEST_OK(ren_picture_draw(renderer, all, false, &error));
    TEST_FREED uint8_t *frame = malloc(4 * 60 * 40),
                       *expected = test_render(device, KRN_STORAGE_GLOBAL, view);
    assert_non_null(frame);
    TEST_OK(ren_frame_read(renderer, frame, &error));
    assert_memory_equal(frame, expected + 4 * 60 * 39, 4 * 60);
    show_and_compare(device, REN_BLIT_COPY, test_view(99, 77));
    ren_picture_release(renderer);
}

/* A clear may skip the covered part, and fills all the rest. */
TEST(the_frame_is_cleared_around)
{
    const struct ren_rect covered = {10.5f, 20, 30, 15.25f};
    TEST_FREED uint8_t *frame = test_alloc(4 * 60 * 50);
    TEST_OK(ren_frame_begin(renderer, 60, 50, 0x112233, NULL, &error));
    TEST_OK(ren_frame_begin(renderer, 60, 50, 0x445566, &covered, &error));
    TEST_OK(ren_frame_read(renderer, frame, &error));
    for (int y = 0; y < 50; y++)
        for (int x = 0; x < 60; x++) {
            const bool inside = x >= 11 && x < 40 && y >= 20 && y < 35;
            assert_int_equal(frame[4 * (60 * y + x)], inside ? 0x11 : 0x44);
        }
}

TEST(too_large_is_refused)
{
    struct krn_image image;
    struct krn_device *device = devices[KRN_BACKEND_CPU];
    const int most = ren_describe(renderer)->texture_size_max;
    assert_true(most >= 4096);
    assert_int_equal(
        ren_picture_begin(renderer, device, REN_BLIT_COPY, most + 1, 1, &image, &error),
        KRN_REFUSED);
    assert_non_null(strstr(error.text, "pixels"));
    /* The ladder still works. */
    TEST_SCENE scene = test_scene(5, 2, 20, 120);
    TEST_OK(krn_device_set_scene(device, &scene, &error));
    show_and_compare(device, REN_BLIT_INTEROP, test_view(20, 20));
    ren_picture_release(renderer);
}

int main(void)
{
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        if (krn_backend_get((enum krn_backend_id)id)->connect(0, &devices[id], &error) != KRN_OK)
            printf("%s\n", error.text);
    const int unable = test_screen_open(devices[KRN_BACKEND_CUDA] ? 0 : -1);
    if (unable)
        return unable;
    printf("%s, %s\n", ren_offscreen_describe(test_context), ren_describe(renderer)->renderer);
    const int failed = tests_run(NULL, NULL);
    test_screen_close();
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        krn_device_close(devices[id]);
    return failed;
}
