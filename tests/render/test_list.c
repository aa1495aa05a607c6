/* Shapes of the drawing list, checked by the pixels that they cover. */
#include "offscreen.h"

#include <math.h>

enum { WIDTH = 200, HEIGHT = 120 };

static unsigned char frame[WIDTH * HEIGHT * 4];

static struct ren_list *begin(unsigned rgb)
{
    return test_frame_begin(WIDTH, HEIGHT, rgb);
}

static void finish(struct ren_list *list)
{
    test_frame_end(list, frame);
}

static unsigned at(int x, int y)
{
    const unsigned char *p = frame + 4 * (y * WIDTH + x);
    assert_int_equal(p[3], 255);
    return (unsigned)p[0] << 16 | (unsigned)p[1] << 8 | p[2];
}

static bool near(int x, int y, unsigned rgb)
{
    for (int shift = 0; shift < 24; shift += 8) {
        if (abs((int)(at(x, y) >> shift & 255) - (int)(rgb >> shift & 255)) > 1)
            return false;
    }
    return true;
}

/* Returns the coverage of a white shape, summed over the frame, in pixels. */
static double covered(void)
{
    return test_covered(frame, WIDTH * HEIGHT);
}

TEST(test_clear_and_orientation)
{
    struct ren_list *list = begin(0x102030);
    ren_list_fill(list, (struct ren_rect){0, 0, 2, 1}, 0, 0xff0000ff);
    ren_list_fill(list, (struct ren_rect){WIDTH - 1, HEIGHT - 1, 1, 1}, 0, 0x00ff00ff);
    finish(list);
    assert_int_equal(at(0, 0), 0xff0000);
    assert_int_equal(at(1, 0), 0xff0000);
    assert_int_equal(at(2, 0), 0x102030);
    assert_int_equal(at(0, 1), 0x102030);
    assert_int_equal(at(WIDTH - 1, HEIGHT - 1), 0x00ff00);
    assert_int_equal(at(0, HEIGHT - 1), 0x102030);
    finish(begin(0xffffff)); /* an empty list */
    assert_int_equal(at(0, 0), 0xffffff);
}

TEST(test_fill)
{
    struct ren_list *list = begin(0);
    ren_list_fill(list, (struct ren_rect){10, 20, 30, 15}, 0, 0xff8040ff);
    finish(list);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            bool inside = x >= 10 && x < 40 && y >= 20 && y < 35;
            assert_int_equal(at(x, y), inside ? 0xff8040 : 0);
        }
    }
    list = begin(0);
    ren_list_fill(list, (struct ren_rect){10.5f, 20.25f, 4, 0.5f}, 0, 0xffffffff);
    finish(list);
    assert_true(near(10, 20, 0x404040)); /* half covered in x and in y */
    assert_true(near(11, 20, 0x808080));
    assert_true(fabs(covered() - 2.0) < 0.05);
}

/* A large fill is drawn in parts: none covers a pixel twice or leaves one out, whatever the radius
 * and the fraction of a pixel at which it begins. */
TEST(test_large_fill)
{
    static const float radii[] = {0, 0.5f, 1, 8.4f, 20, 44};
    for (size_t r = 0; r < sizeof radii / sizeof *radii; r++) {
        const double radius = radii[r], w = 130.5, h = 88.25;
        struct ren_list *list = begin(0);
        ren_list_fill(list, (struct ren_rect){10.25f, 7.5f, (float)w, (float)h}, radii[r],
                      0xffffff80);
        finish(list);
        assert_true(fabs(covered() - 128.0 / 255.0 * (w * h - (4 - 3.14159265) * radius * radius)) <
                    5);
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                const bool inside = x >= 11 && x < 140 && y >= 8 && y < 95;
                const double dx = fmax(fmax(10.25 + radius - x, x + 1 - 140.75 + radius), 0),
                             dy = fmax(fmax(7.5 + radius - y, y + 1 - 95.75 + radius), 0);
                if (inside && hypot(dx, dy) < radius - 1.0 + (dx * dy > 0.0 ? 0.0 : 1.0))
                    assert_int_equal(at(x, y), 0x808080);
                assert_true(at(x, y) <= 0x808080);
            }
        }
    }
}

TEST(test_round_corners)
{
    struct ren_list *list = begin(0);
    ren_list_fill(list, (struct ren_rect){10, 10, 100, 100}, 50, 0xffffffff);
    finish(list);
    assert_true(fabs(covered() - 3.14159265 * 2500) < 10);
    assert_int_equal(at(10, 10), 0);
    assert_int_equal(at(60, 60), 0xffffff);
    assert_true(near(60, 10, 0xffffff));
    /* A radius that is too large is clamped; a radius of 0 gives a rectangle. */
    list = begin(0);
    ren_list_fill(list, (struct ren_rect){10, 10, 40, 20}, 1000, 0xffffffff);
    ren_list_fill(list, (struct ren_rect){60, 10, 40, 20}, -3, 0xffffffff);
    finish(list);
    assert_true(fabs(covered() - (20 * 20 + 3.14159265 * 100 + 800)) < 5);
    assert_int_equal(at(60, 10), 0xffffff);
}

TEST(test_blending)
{
    struct ren_list *list = begin(0x204060);
    ren_list_fill(list, (struct ren_rect){0, 0, 10, 10}, 0, 0xffffff80);
    ren_list_fill(list, (struct ren_rect){5, 0, 10, 10}, 0, 0xff000040);
    ren_list_fill(list, (struct ren_rect){20, 0, 10, 10}, 0, 0x12345600);
    finish(list);
    assert_true(near(2, 2, 0x90a0b0));
    assert_true(near(12, 2, 0x583048));
    assert_true(near(7, 2, 0xac7884));
    assert_int_equal(at(22, 2), 0x204060);
}

TEST(test_outline_inside)
{
    static const float radii[] = {0, 1, 8, 20, 30};
    for (size_t r = 0; r < sizeof radii / sizeof radii[0]; r++) {
        for (int width = 1; width <= 4; width++) {
            struct ren_list *list = begin(0);
            ren_list_outline(list, (struct ren_rect){10, 20, 80, 60}, radii[r], (float)width,
                             0xffffffff);
            finish(list);
            double radius = radii[r], inner = fmax(radius - width, 0);
            double area = 80 * 60 - (4 - 3.14159265) * radius * radius -
                          ((80 - 2 * width) * (60 - 2 * width) - (4 - 3.14159265) * inner * inner);
            assert_true(fabs(covered() - area) < 2 + 0.01 * area);
            for (int y = 0; y < HEIGHT; y++) {
                for (int x = 0; x < WIDTH; x++) {
                    bool outside = x < 10 || x >= 90 || y < 20 || y >= 80;
                    bool middle = x >= 41 && x < 59 && y >= 51 && y < 55;
                    if (outside || middle)
                        assert_int_equal(at(x, y), 0);
                }
            }
            for (int i = 0; i < width; i++) {
                assert_true(near(10 + i, 50, 0xffffff));
                assert_true(near(89 - i, 50, 0xffffff));
                assert_int_equal(at(50, 20 + i), 0xffffff);
                assert_int_equal(at(50, 79 - i), 0xffffff);
            }
            assert_true(near(10 + width, 50, 0));
        }
    }
    /* Translucent, to show that no two sides overlap. */
    struct ren_list *list = begin(0);
    ren_list_outline(list, (struct ren_rect){10.3f, 20.6f, 80, 60}, 6, 2.5f, 0xffffff80);
    finish(list);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        assert_true(frame[4 * i] <= 129);
    /* An outline wider than the rectangle fills it. */
    list = begin(0);
    ren_list_outline(list, (struct ren_rect){10, 10, 6, 20}, 0, 4, 0xffffffff);
    finish(list);
    assert_true(fabs(covered() - 120) < 0.5);
}

TEST(test_lines)
{
    struct ren_list *list = begin(0);
    ren_list_line(list, 10, 20.5f, 60, 20.5f, 1, 0xffffffff);
    finish(list);
    assert_int_equal(at(9, 20), 0);
    assert_int_equal(at(10, 20), 0xffffff);
    assert_int_equal(at(59, 20), 0xffffff);
    assert_int_equal(at(60, 20), 0);
    assert_true(fabs(covered() - 50) < 0.1);
    for (int i = 0; i < 16; i++) { /* the same coverage in every direction and width */
        float angle = (float)i * 0.2f, width = 0.5f + (float)i * 0.4f;
        list = begin(0);
        ren_list_line(list, 100, 60, 100 + 50 * cosf(angle), 60 + 50 * sinf(angle), width,
                      0xffffffff);
        finish(list);
        double area = 50 * (double)width;
        assert_true(fabs(covered() - area) < 0.05 * area + 0.5);
    }
}

TEST(test_polylines)
{
    static const float zigzag[] = {20, 20, 60, 90, 100, 20, 104, 95, 108, 20, 160, 20, 120, 20};
    struct ren_list *list = begin(0);
    ren_list_polyline(list, zigzag, 7, 6, 0xffffff80);
    finish(list);
    for (int i = 0; i < WIDTH * HEIGHT; i++) /* no joint is drawn twice */
        assert_true(frame[4 * i] <= 129);
    assert_true(near(60, 89, 0x808080));
    assert_true(near(20, 20, 0x808080));

    list = begin(0);
    ren_list_polyline(list, zigzag, 7, 6, 0xffffffff);
    finish(list);
    assert_int_equal(at(60, 89), 0xffffff);
    assert_int_equal(at(157, 20), 0xffffff);

    /* Round ends: a segment of length 50 and a disc; a single point gives the disc. */
    static const float two[] = {50, 50, 50, 50, 100, 50, NAN, 3};
    list = begin(0);
    ren_list_polyline(list, two, 4, 10, 0xffffffff);
    finish(list);
    assert_true(fabs(covered() - (500 + 3.14159265 * 25)) < 3);
    list = begin(0);
    ren_list_polyline(list, two, 2, 10, 0xffffffff);
    finish(list);
    assert_true(fabs(covered() - 3.14159265 * 25) < 1.5);
    list = begin(0);
    ren_list_polyline(list, two, 0, 10, 0xffffffff);
    finish(list);
    assert_true(covered() == 0);
}

TEST(test_invalid_shapes)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    struct ren_list *list = begin(0);
    for (size_t i = 0; i < 3; i++) {
        float v = bad[i], points[] = {v, 1, 2, v, v, v};
        ren_list_fill(list, (struct ren_rect){v, 1, 2, 3}, 1, 0xffffffff);
        ren_list_fill(list, (struct ren_rect){1, 1, v, 3}, 1, 0xffffffff);
        ren_list_outline(list, (struct ren_rect){1, v, 2, 3}, 1, 1, 0xffffffff);
        ren_list_outline(list, (struct ren_rect){1, 1, 2, 3}, 1, -1, 0xffffffff);
        ren_list_line(list, 1, v, 2, 3, 1, 0xffffffff);
        ren_list_line(list, 1, 1, 2, 3, -v, 0xffffff00);
        ren_list_polyline(list, points, 3, 1, 0xffffffff);
        assert_true(ren_list_text(list, REN_FACE_SANS, v, 1, 1, REN_ALIGN_LEFT, 0xff, "x") == 0);
        assert_true(ren_list_text(list, REN_FACE_SANS, 9, v, 1, REN_ALIGN_LEFT, 0xff, "x") == 0);
    }
    ren_list_fill(list, (struct ren_rect){1, 1, -5, 3}, 1, 0xffffffff);
    ren_list_fill(list, (struct ren_rect){1, 1, 0, 3}, 1, 0xffffffff);
    finish(list);
    assert_true(covered() == 0);
    list = begin(0); /* shapes far outside, and larger than everything */
    ren_list_fill(list, (struct ren_rect){-1e6f, -1e6f, 2e6f, 2e6f}, 0, 0xffffffff);
    ren_list_fill(list, (struct ren_rect){1e9f, 0, 1, 1}, 0, 0xff0000ff);
    finish(list);
    assert_int_equal(at(5, 5), 0xffffff);
}

TEST(test_many_items)
{
    for (int round = 0; round < 2; round++) {
        struct ren_list *list = begin(0);
        for (int i = 0; i < 99999; i++)
            ren_list_fill(list,
                          (struct ren_rect){(float)(i % WIDTH), (float)(i / WIDTH % HEIGHT), 1, 1},
                          0, 0xff0000ff);
        ren_list_fill(list, (struct ren_rect){50, 50, 10, 10}, 0, 0x0000ffff);
        finish(list);
        assert_int_equal(at(0, 0), 0xff0000);
        assert_int_equal(at(WIDTH - 1, HEIGHT - 1), 0xff0000);
        assert_int_equal(at(55, 55), 0x0000ff);
        list = begin(0); /* fewer items than before */
        ren_list_fill(list, (struct ren_rect){0, 0, 1, 1}, 0, 0x00ff00ff);
        finish(list);
        assert_int_equal(at(0, 0), 0x00ff00);
        assert_int_equal(at(55, 55), 0);
    }
}

TEST(test_minimised)
{
    TEST_OK(ren_frame_begin(renderer, 0, 0, 0, NULL, &error));
    struct ren_list *list = ren_list_begin(renderer);
    ren_list_fill(list, (struct ren_rect){0, 0, 1, 1}, 0, 0x00ff00ff);
    TEST_OK(ren_list_draw(renderer, list, &error));
    assert_int_equal(ren_frame_read(renderer, frame, &error), KRN_FAILED);
    TEST_OK(ren_check(renderer, &error));
}

/* Appends a scene with or without a layer: shapes before it, in it and over it. */
static void append(struct ren_list *list, bool layered, int moved, unsigned ground)
{
    const struct ren_rect part = {60, 30, 101, 77};
    ren_list_fill(list, (struct ren_rect){5, 5, 90, 60}, 6, 0x4080c0c0);
    if (layered)
        ren_list_layer_begin(list, part, ground);
    else
        ren_list_fill(list, part, 0, ground << 8 | 0xff);
    ren_list_fill(list, (struct ren_rect){70.5f + (float)moved, 40.25f, 50, 40}, 9, 0xff803080);
    ren_list_outline(list, (struct ren_rect){66, 36, 80, 60}, 5, 2, 0xffffff90);
    ren_list_line(list, 64, 34, 150, 100.5f, 3, 0x00ff00ff);
    (void)ren_list_text(list, REN_FACE_SANS_BOLD, 18, 80, 70, REN_ALIGN_LEFT, 0xffffffff, "Aq7");
    if (layered)
        ren_list_layer_end(list);
    ren_list_fill(list, (struct ren_rect){100, 60, 90, 50}, 4, 0x80402080);
}

/* Draws the scene; returns the number of draw calls. */
static int draw_scene(bool layered, int moved, unsigned ground)
{
    struct ren_list *list = begin(0x203040);
    append(list, layered, moved, ground);
    finish(list);
    return ren_frame_draws(renderer);
}

/* A layer changes no pixel, is drawn again only when it has changed, and takes few draw calls. */
TEST(test_layer)
{
    static unsigned char expected[sizeof frame];
    static const struct {
        int moved;
        unsigned ground;
        int draws;
    } steps[] = {{0, 0x101418, 4}, {0, 0x101418, 3}, {7, 0x101418, 4},
                 {7, 0x101418, 3}, {7, 0x405060, 4}, {0, 0x101418, 4}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        assert_int_equal(draw_scene(false, steps[i].moved, steps[i].ground), 1);
        memcpy(expected, frame, sizeof frame);
        assert_int_equal(draw_scene(true, steps[i].moved, steps[i].ground), steps[i].draws);
        assert_memory_equal(frame, expected, sizeof frame);
    }
    /* The frame's size changes where the layer is, not what it shows. */
    struct ren_list *list = test_frame_begin(WIDTH, 2 * HEIGHT, 0x203040);
    append(list, true, 0, 0x101418);
    TEST_OK(ren_list_draw(renderer, list, &error));
    static unsigned char larger[2 * sizeof frame];
    TEST_OK(ren_frame_read(renderer, larger, &error));
    assert_memory_equal(larger, expected, 108 * 4 * WIDTH);
}

/* Without a texture, the layer is drawn with the rest. */
TEST(test_layer_without_a_texture)
{
    static unsigned char expected[sizeof frame];
    (void)draw_scene(false, 3, 0x101418);
    memcpy(expected, frame, sizeof frame);
    krn_fail_calls("glFramebufferTexture2D");
    struct ren_list *list = begin(0x203040);
    ren_list_layer_begin(list, (struct ren_rect){0, 0, 33, 33},
                         0); /* another size: a new texture */
    ren_list_layer_end(list);
    finish(list);
    assert_int_equal(ren_frame_draws(renderer), 1);
    assert_int_equal(draw_scene(true, 3, 0x101418), 1);
    krn_fail_calls(NULL);
    assert_memory_equal(frame, expected, sizeof frame);
    assert_int_equal(draw_scene(true, 3, 0x101418), 4);
    assert_memory_equal(frame, expected, sizeof frame);
}

int main(void)
{
    const int unable = test_screen_open(-1);
    return unable ? unable : test_screen_run(NULL, NULL);
}
