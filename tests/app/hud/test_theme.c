/* The colours of the screen: contrast as WCAG 2.1 defines it, and whether the members of each
 * palette stay apart, also for colour-blind eyes. */
#include "expect.h"

#include "hud/draw.h"

#include <math.h>

/* ---- colours ---- */

struct linear {
    double r, g, b;
};

static double linear_of(unsigned byte)
{
    const double c = byte / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* rgba: 0xRRGGBBAA; its alpha is ignored. */
static struct linear to_linear(ren_colour rgba)
{
    return (struct linear){linear_of(rgba >> 24), linear_of(rgba >> 16 & 0xff),
                           linear_of(rgba >> 8 & 0xff)};
}

static double luminance(ren_colour rgba)
{
    const struct linear c = to_linear(rgba);
    return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
}

static double contrast(ren_colour a, ren_colour b)
{
    const double la = luminance(a), lb = luminance(b);
    return (fmax(la, lb) + 0.05) / (fmin(la, lb) + 0.05);
}

/* Returns the opaque colour that results where `over` is drawn over `under`. */
static ren_colour blend(ren_colour over, ren_colour under)
{
    const double alpha = (over & 0xff) / 255.0;
    ren_colour result = 0xff;
    for (int shift = 8; shift <= 24; shift += 8)
        result |= (ren_colour)lround(alpha * (over >> shift & 0xff) +
                                     (1.0 - alpha) * (under >> shift & 0xff))
                  << shift;
    return result;
}

/* Normal sight, and G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A Physiologically-based
 * Model for Simulation of Color Vision Deficiency", 2009: protanopia, deuteranopia, tritanopia. */
enum { EYES = 4 };
static const double eyes[EYES][3][3] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                        {{0.152286, 1.052583, -0.204868},
                                         {0.114503, 0.786281, 0.099216},
                                         {-0.003882, -0.048116, 1.051998}},
                                        {{0.367322, 0.860646, -0.227968},
                                         {0.280085, 0.672501, 0.047413},
                                         {-0.011820, 0.042940, 0.968881}},
                                        {{1.255528, -0.076749, -0.178779},
                                         {-0.078411, 0.930809, 0.147602},
                                         {0.004733, 0.691367, 0.303900}}};

static double lab_part(double t)
{
    return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116.0;
}

/* Writes a colour as these eyes see it, in CIE L*a*b* under D65. */
static void to_lab(ren_colour rgba, const double eye[3][3], double lab[3])
{
    const struct linear c = to_linear(rgba);
    double s[3];
    for (int i = 0; i < 3; i++)
        s[i] = fmin(fmax(eye[i][0] * c.r + eye[i][1] * c.g + eye[i][2] * c.b, 0.0), 1.0);
    const double x = lab_part((0.4124564 * s[0] + 0.3575761 * s[1] + 0.1804375 * s[2]) / 0.95047),
                 y = lab_part(0.2126729 * s[0] + 0.7151522 * s[1] + 0.0721750 * s[2]),
                 z = lab_part((0.0193339 * s[0] + 0.1191920 * s[1] + 0.9503041 * s[2]) / 1.08883);
    lab[0] = 116.0 * y - 16.0;
    lab[1] = 500.0 * (x - y);
    lab[2] = 200.0 * (y - z);
}

/* Returns the distance of two colours, CIE76; 2.3 is just noticeable side by side. */
static double distance(ren_colour a, ren_colour b, const double eye[3][3])
{
    double p[3], q[3];
    to_lab(a, eye, p);
    to_lab(b, eye, q);
    return hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]);
}

/* ---- tests ---- */

static void expect_contrast(ren_colour colour, ren_colour ground, double least, const char *what,
                            int theme)
{
    const double found = contrast(colour, ground);
    if (found < least)
        fail_msg("%s, %s %08x on %08x: %.2f to 1", app_theme_names[(enum app_theme)theme], what,
                 colour, ground, found);
}

/* Text reaches 7 to 1, and whatever else is read 4.5 to 1: on panels, and on cards over the
 * brightest and the darkest picture. */
TEST(test_contrast)
{
    for (int theme = 0; theme < APP_THEME_COUNT; theme++) {
        const struct app_colours *c = app_theme_colours((enum app_theme)theme);
        const ren_colour grounds[] = {c->panel, c->background << 8 | 0xff,
                                      blend(c->card, 0xffffffff), blend(c->card, 0x000000ff)};
        for (size_t g = 0; g < sizeof grounds / sizeof *grounds; g++) {
            expect_contrast(c->text, grounds[g], 7.0, "text", theme);
            expect_contrast(c->quiet, grounds[g], 7.0, "quiet text", theme);
            expect_contrast(c->good, grounds[g], 4.5, "good", theme);
            expect_contrast(c->warn, grounds[g], 4.5, "warn", theme);
            expect_contrast(c->bad, grounds[g], 4.5, "bad", theme);
            for (int s = 0; s < KRN_STORAGE_COUNT; s++)
                expect_contrast(c->storages[s], grounds[g], 4.5,
                                krn_storage_name((enum krn_storage)s), theme);
        }
        /* A storage without an entry has 0, which is black but transparent. */
        for (int s = 0; s < KRN_STORAGE_COUNT; s++)
            if ((c->storages[s] & 0xff) != 0xff)
                fail_msg("%s: storage %s has no opaque colour",
                         app_theme_names[(enum app_theme)theme],
                         krn_storage_name((enum krn_storage)s));
        for (int i = 0; i < APP_CURVE_COLOURS; i++)
            expect_contrast(c->curves[i], c->panel, 4.5, "a curve", theme);
        expect_contrast(c->panel, c->warn, 7.0, "text on the banner of held numbers", theme);
        expect_contrast(c->panel, c->text, 7.0, "the number of a chosen answer", theme);
        expect_contrast(c->panel, c->warn, 4.5, "the sign of caution", theme);
        expect_contrast(c->panel, c->bad, 4.5, "the sign of do not quote", theme);
        assert_int_equal(c->panel & 0xff, 0xff); /* opaque: nothing shines through */
    }
}

static void expect_apart(ren_colour a, ren_colour b, double least, const char *what, int theme,
                         int eye)
{
    const double found = distance(a, b, eyes[eye]);
    if (found < least)
        fail_msg("%s, %s, eyes %d: %08x and %08x are %.1f apart",
                 app_theme_names[(enum app_theme)theme], what, eye, a, b, found);
}

/* Storages and curves stay apart among themselves for every kind of eyes. */
TEST(test_apart)
{
    for (int theme = 0; theme < APP_THEME_COUNT; theme++) {
        const struct app_colours *c = app_theme_colours((enum app_theme)theme);
        for (int eye = 0; eye < EYES; eye++) {
            for (int s = 0; s < KRN_STORAGE_COUNT; s++)
                for (int other = 0; other < s; other++)
                    expect_apart(c->storages[s], c->storages[other], 9.5, "storages", theme, eye);
            for (int i = 0; i < APP_CURVE_COLOURS; i++)
                for (int other = 0; other < i; other++)
                    expect_apart(c->curves[i], c->curves[other], 8.0, "curves", theme, eye);
        }
    }
}

/* A colour means one thing: no curve looks like a storage, and no verdict like either. */
TEST(test_one_meaning)
{
    for (int theme = 0; theme < APP_THEME_COUNT; theme++) {
        const struct app_colours *c = app_theme_colours((enum app_theme)theme);
        const ren_colour verdicts[] = {c->good, c->warn, c->bad};
        for (int s = 0; s < KRN_STORAGE_COUNT; s++) {
            for (int i = 0; i < APP_CURVE_COLOURS; i++)
                expect_apart(c->storages[s], c->curves[i], 20.0, "storage and curve", theme, 0);
            for (int v = 0; v < 3; v++)
                expect_apart(c->storages[s], verdicts[v], 10.0, "storage and verdict", theme, 0);
        }
        for (int v = 0; v < 3; v++) {
            for (int i = 0; i < APP_CURVE_COLOURS; i++)
                expect_apart(verdicts[v], c->curves[i], 20.0, "verdict and curve", theme, 0);
            for (int other = 0; other < v; other++)
                expect_apart(verdicts[v], verdicts[other], 20.0, "verdicts", theme, 0);
        }
    }
}

/* Each sense of a verdict has a colour of its own; what is quiet decides nothing. */
TEST(test_verdicts)
{
    for (int theme = 0; theme < APP_THEME_COUNT; theme++) {
        const struct app_colours *c = app_theme_colours((enum app_theme)theme);
        const ren_colour colours[] = {c->quiet, c->text, c->good, c->bad, c->warn};
        for (int sense = APP_SENSE_QUIET; sense <= APP_SENSE_WARNING; sense++)
            assert_int_equal(app_sense_colour(c, (enum app_sense)sense), colours[sense]);
    }
    for (int v = 0; v < APP_VERDICTS; v++)
        assert_int_equal(app_verdict_entry((enum app_verdict)v)->sense == APP_SENSE_QUIET,
                         v == APP_VERDICT_NONE || v == APP_VERDICT_WANDERING ||
                             v == APP_VERDICT_NOT_APPLICABLE || v == APP_VERDICT_NOT_MEASURED ||
                             v == APP_VERDICT_CANT_TELL);
}
