/* Text: the position of its ink, its measured width, bad input, and other scripts. */
#include "files.h"
#include "offscreen.h"

#include <math.h>

enum { WIDTH = 640, HEIGHT = 320 };

static unsigned char frame[WIDTH * HEIGHT * 4];

static const char printable[] = "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`"
                                "abcdefghijklmnopqrstuvwxyz{|}~µ×·°–…→←↑↓≥≤±²";

/* Draws text in white on black and returns its width. */
static float draw(enum ren_face face, float size, float x, float y, const char *text)
{
    struct ren_list *list = test_frame_begin(WIDTH, HEIGHT, 0);
    float width = ren_list_text(list, face, size, x, y, REN_ALIGN_LEFT, 0xffffffff, text);
    test_frame_end(list, frame);
    return width;
}

static double ink(void)
{
    return test_covered(frame, WIDTH * HEIGHT);
}

struct box {
    int x0, y0, x1, y1; /* the box of all pixels that are not black */
};

static struct box ink_box(void)
{
    struct box box = {WIDTH, HEIGHT, 0, 0};
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            if (frame[4 * (y * WIDTH + x)] == 0)
                continue;
            box.x0 = x < box.x0 ? x : box.x0;
            box.y0 = y < box.y0 ? y : box.y0;
            box.x1 = x + 1 > box.x1 ? x + 1 : box.x1;
            box.y1 = y + 1 > box.y1 ? y + 1 : box.y1;
        }
    }
    return box;
}

TEST(test_ink_in_its_box)
{
    for (int f = 0; f < REN_FACE_COUNT; f++) {
        enum ren_face face = (enum ren_face)f;
        struct ren_metrics m = ren_face_metrics(renderer, face);
        assert_true(m.ascent > 0.5f && m.ascent < 1.5f && m.descent > 0.1f && m.descent < 0.6f);
        assert_true(m.cap_height > 0.6f && m.cap_height < 0.8f);
        double share = 0;
        for (int size = 200; size >= 11; size = size > 24 ? size - 16 : size - 1) {
            float s = (float)size, width = draw(face, s, 20, 220, "H05gx");
            struct box box = ink_box();
            assert_true(box.x0 >= 19 && (float)box.x1 <= 21 + width);
            assert_true((float)box.y0 >= 219 - m.ascent * s &&
                        (float)box.y1 <= 221 + m.descent * s);
            assert_true((float)(box.x1 - box.x0) > 0.8f * width - 2);
            /* Small text has as much ink for its size as large text: neither washed out nor
             * clogged. */
            double now = ink() / (s * s);
            if (share == 0)
                share = now;
            assert_true(now > 0.92 * share && now < 1.35 * share);
            /* Capitals stand on the baseline and are as high as the metrics say. */
            draw(face, s, 20, 220, "H");
            box = ink_box();
            assert_true(box.y1 >= 220 && box.y1 <= 221);
            assert_true(fabsf((float)(220 - box.y0) - m.cap_height * s) <= 1.5f);
        }
    }
}

TEST(test_widths)
{
    for (int f = 0; f < REN_FACE_COUNT; f++) {
        enum ren_face face = (enum ren_face)f;
        float a = ren_text_width(renderer, face, 20, "Global 27");
        float b = ren_text_width(renderer, face, 20, ".4 µs");
        float ab = ren_text_width(renderer, face, 20, "Global 27.4 µs");
        assert_true(fabsf(a + b - ab) < 1e-3f);
        assert_true(fabsf(ren_text_width(renderer, face, 40, "Global 27") - 2 * a) < 1e-3f);
        assert_true(ren_text_width(renderer, face, 20, "") == 0);
        assert_true(fabsf(draw(face, 20, 20, 220, "Global 27") - a) < 1e-3f);
    }
    for (int f = REN_FACE_MONO; f <= REN_FACE_MONO_BOLD; f++) {
        float zero = ren_text_width(renderer, (enum ren_face)f, 32, "0");
        assert_true(zero > 10);
        for (char c = ' '; c <= '~'; c++) {
            char text[2] = {c, '\0'};
            assert_true(ren_text_width(renderer, (enum ren_face)f, 32, text) == zero);
        }
    }
}

TEST(test_alignment)
{
    static const enum ren_align aligns[] = {REN_ALIGN_LEFT, REN_ALIGN_CENTRE, REN_ALIGN_RIGHT};
    for (size_t i = 0; i < 3; i++) {
        struct ren_list *list = test_frame_begin(WIDTH, HEIGHT, 0);
        float width =
            ren_list_text(list, REN_FACE_SANS, 40, 320, 100.4f, aligns[i], 0xffffffff, "HHHH");
        test_frame_end(list, frame);
        struct box box = ink_box();
        float left = 320 - width * (float)i / 2;
        assert_true((float)box.x0 >= left - 1 && (float)box.x1 <= left + width + 1);
        assert_true((float)box.x0 <= left + 8 && (float)box.x1 >= left + width - 8);
        assert_int_equal(box.y1, 100); /* the baseline is on a pixel's edge */
    }
    struct ren_list *list = ren_list_begin(renderer);
    assert_true(ren_list_text(list, REN_FACE_SANS, 40, 0, 0, REN_ALIGN_LEFT, 0, "HHHH") > 40);
    assert_true(ren_list_text(list, REN_FACE_SANS, 0, 0, 0, REN_ALIGN_LEFT, 0xff, "HHHH") == 0);
}

TEST(test_colour)
{
    struct ren_list *list = test_frame_begin(WIDTH, HEIGHT, 0x101010);
    ren_list_text(list, REN_FACE_SANS_BOLD, 200, 20, 220, REN_ALIGN_LEFT, 0xff8000ff, "H");
    ren_list_text(list, REN_FACE_SANS_BOLD, 200, 320, 220, REN_ALIGN_LEFT, 0xffffff80, "H");
    test_frame_end(list, frame);
    int full = 0, half = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        full += frame[4 * i] == 255 && frame[4 * i + 1] == 128 && frame[4 * i + 2] == 0;
        half += abs(frame[4 * i] - 0x88) <= 1 && abs(frame[4 * i + 2] - 0x88) <= 1;
    }
    assert_true(full > 5000 && half > 5000);
}

/* Copies the text into memory of its exact size, so that a sanitizer reports reads past its end. */
static float width_of(const char *bytes)
{
    TEST_FREED char *exact = test_alloc(strlen(bytes) + 1);
    strcpy(exact, bytes);
    float width = ren_text_width(renderer, REN_FACE_MONO, 100, exact);
    draw(REN_FACE_MONO, 16, 10, 100, exact);
    return width;
}

TEST(test_malformed)
{
    static const struct {
        const char *bytes;
        int characters;
    } cases[] = {
        {"", 0},
        {"\xff", 1},
        {"\x80", 1},
        {"\xc3", 1},
        {"\xe2\x82", 2},
        {"\xf0\x9f\x98", 3},
        {"\xc3(", 2},
        {"a\xe2(\xa1", 4},
        {"\xc0\xaf", 2},             /* overlong */
        {"\xe0\x80\xaf", 3},         /* overlong */
        {"\xed\xa0\x80", 3},         /* a surrogate */
        {"\xf4\x90\x80\x80", 4},     /* beyond Unicode */
        {"\xf8\x88\x80\x80\x80", 5}, /* five bytes */
        {"\xc2\xb5", 1},             /* valid: a micro sign */
        {"\xef\xbf\xbd", 1},         /* the replacement character itself */
        {"\t\n\x7f", 3},
        {"\xf3\xb0\x80\x80", 1}, /* private use: no font has it */
    };
    float one = ren_text_width(renderer, REN_FACE_MONO, 100, "0");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_true(fabsf(width_of(cases[i].bytes) - one * (float)cases[i].characters) < 0.5f);

    /* All unknown characters look alike and are visible. */
    static unsigned char box[sizeof frame];
    draw(REN_FACE_SANS, 40, 20, 220, "\xef\xbf\xbd");
    memcpy(box, frame, sizeof frame);
    assert_true(ink() > 50);
    draw(REN_FACE_SANS, 40, 20, 220, "\xff");
    assert_memory_equal(box, frame, sizeof frame);
    draw(REN_FACE_SANS, 40, 20, 220, "\xf3\xb0\x80\x80");
    assert_memory_equal(box, frame, sizeof frame);
}

static void utf8_put(char *to, unsigned c)
{
    if (c < 0x800) {
        to[0] = (char)(0xC0 | c >> 6);
        to[1] = (char)(0x80 | (c & 63));
        to[2] = '\0';
    } else {
        to[0] = (char)(0xE0 | c >> 12);
        to[1] = (char)(0x80 | (c >> 6 & 63));
        to[2] = (char)(0x80 | (c & 63));
        to[3] = '\0';
    }
}

/* More characters than the atlas holds: the later ones are missing, and the rest still draw. */
TEST(test_many_characters)
{
    struct ren_renderer *other;
    TEST_OK(ren_open(&other, &error));
    TEST_OK(ren_frame_begin(other, WIDTH, HEIGHT, 0, NULL, &error));
    for (unsigned c = 0x80; c < 0x3000; c++) {
        char text[4];
        utf8_put(text, c);
        struct ren_list *list = ren_list_begin(other);
        for (int f = 0; f < REN_FACE_COUNT; f++)
            ren_list_text(list, (enum ren_face)f, 20, 20, 100, REN_ALIGN_LEFT, 0xffffffff, text);
        if (c % 64 == 0)
            TEST_OK(ren_list_draw(other, list, &error));
    }
    TEST_OK(ren_check(other, &error));
    ren_close(other);
}

/* Every printable character has a glyph of its own, in every face. */
TEST(test_printable)
{
    static unsigned char box[sizeof frame], last[sizeof frame];
    for (int f = 0; f < REN_FACE_COUNT; f++) {
        draw((enum ren_face)f, 40, 20, 220, "\xef\xbf\xbd");
        memcpy(box, frame, sizeof frame);
        for (const char *at = printable; *at;) {
            size_t n = 1;
            while (((unsigned char)at[n] & 0xC0) == 0x80)
                n++;
            char text[5] = "";
            memcpy(text, at, n);
            float width = draw((enum ren_face)f, 40, 20, 220, text);
            assert_true(width > 0 && ink() > 5);
            assert_memory_not_equal(box, frame, sizeof frame);
            assert_memory_not_equal(last, frame, sizeof frame);
            memcpy(last, frame, sizeof frame);
            at += n;
        }
        assert_true(draw((enum ren_face)f, 40, 20, 220, " ") > 0 && ink() == 0);
    }
}

/* Characters of other scripts come from the system's fonts, and are boxes where there are none. */
TEST(test_other_scripts)
{
#define DEJAVU "<dir>/usr/share/fonts/truetype/dejavu</dir>"
    static const char *const configurations[] = {
        ("<?xml version=\"1.0\"?><fontconfig><cachedir>/nowhere</cachedir>" DEJAVU "</fontconfig>"),
        "<?xml version=\"1.0\"?><fontconfig><cachedir>/nowhere</cachedir></fontconfig>",
        "<fontconfig><dir>", /* fontconfig may fall back on folders that it knows */
        "",
    };
    static unsigned char box[sizeof frame];
    struct ren_renderer *own = renderer;
    const bool installed = access("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", R_OK) == 0;
    char path[] = "/tmp/spherescope-fonts-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(setenv("FONTCONFIG_FILE", path, 1), 0);
    for (size_t i = 0; i < sizeof configurations / sizeof configurations[0]; i++) {
        test_file_put_text(path, configurations[i]);
        TEST_OK(ren_open(&renderer, &error));
        draw(REN_FACE_SANS_BOLD, 40, 20, 220, "\xef\xbf\xbd");
        memcpy(box, frame, sizeof frame);
        assert_true(draw(REN_FACE_SANS_BOLD, 40, 20, 220, "ა") > 10 && ink() > 50);
        const bool is_box = memcmp(box, frame, sizeof frame) == 0;
        if (i < 2)
            assert_int_equal(is_box, i == 1 || !installed);
        ren_close(renderer);
    }
    unsetenv("FONTCONFIG_FILE");
    unlink(path);
    renderer = own;
}

int main(void)
{
    const int unable = test_screen_open(-1);
    return unable ? unable : test_screen_run(NULL, NULL);
}
