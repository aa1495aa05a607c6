/* The pen of a report: the same drawing as SVG, in colours that a browser's theme may change. */
#include "topics/chart.h"

#include "base/value.h"

/* The light theme's colours, of 4.5:1 contrast at least with the page, and their names in the style
 * sheet of a page. */
static const struct {
    const char *name, *hex;
} colours[APP_INKS] = {
    [APP_INK_TEXT] = {"text", "#12151b"},
    [APP_INK_QUIET] = {"quiet", "#464d5a"},
    [APP_INK_FAINT] = {"faint", "#d3d8e0"},
    [APP_INK_GOOD] = {"good", "#3a6b00"},
    [APP_INK_BAD] = {"bad", "#c02020"},
    [APP_INK_STORAGE + KRN_STORAGE_GLOBAL] = {"global", "#00619c"},
    [APP_INK_STORAGE + KRN_STORAGE_READONLY] = {"readonly", "#9c3f78"},
    [APP_INK_STORAGE + KRN_STORAGE_CONSTANT] = {"constant", "#935900"},
    [APP_INK_STORAGE + KRN_STORAGE_SHARED] = {"shared", "#00694d"},
    [APP_INK_STORAGE + KRN_STORAGE_TEXTURE] = {"texture", "#4a4c00"},
    [APP_INK_CURVE] = {"curve1", "#160536"},
    [APP_INK_CURVE + 1] = {"curve2", "#381a80"},
    [APP_INK_CURVE + 2] = {"curve3", "#5a30c8"},
    [APP_INK_CURVE + 3] = {"curve4", "#7d52e0"},
    [APP_INK_CURVE + 4] = {"curve5", "#786a98"},
};

static struct app_phrase paint_of(const struct app_svg *svg, enum app_ink ink)
{
    return app_phrase(svg->page ? "var(--%s)" : "%s",
                      svg->page ? colours[ink].name : colours[ink].hex);
}

static void draw_line(void *to, const float *xy, size_t n, float width, float dash,
                      enum app_ink ink)
{
    const struct app_svg *svg = to;
    FILE *out = svg->out;
    fprintf(out, "<polyline fill='none' stroke='%s' stroke-width='%.1f' stroke-linejoin='round'",
            paint_of(svg, ink).text, (double)width);
    if (dash > 0.0f)
        fprintf(out, " stroke-dasharray='%.1f'", (double)dash);
    fprintf(out, " points='");
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%.1f,%.1f", i ? " " : "", (double)xy[2 * i], (double)xy[2 * i + 1]);
    fprintf(out, "'/>\n");
}

static void draw_disc(void *to, float x, float y, float radius, bool hollow, enum app_ink ink)
{
    const struct app_svg *svg = to;
    const struct app_phrase paint = paint_of(svg, ink);
    fprintf(svg->out,
            "<circle cx='%.1f' cy='%.1f' r='%.1f' fill='%s' stroke='%s' stroke-width='%.1f'/>\n",
            (double)x, (double)y, (double)radius,
            !hollow     ? paint.text
            : svg->page ? "var(--page)"
                        : "#ffffff",
            paint.text, hollow ? (double)radius / 2.0 : 0.0);
}

static void draw_bar(void *to, struct ren_rect rect, enum app_ink ink)
{
    const struct app_svg *svg = to;
    fprintf(svg->out, "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' rx='2' fill='%s'/>\n",
            (double)rect.x, (double)rect.y, (double)rect.w, (double)rect.h,
            paint_of(svg, ink).text);
}

static void draw_text(void *to, bool bold, float size, float x, float y, enum ren_align align,
                      enum app_ink ink, const char *utf8)
{
    static const char *const anchors[] = {[REN_ALIGN_LEFT] = "",
                                          [REN_ALIGN_CENTRE] = " text-anchor='middle'",
                                          [REN_ALIGN_RIGHT] = " text-anchor='end'"};
    const struct app_svg *svg = to;
    if (utf8[0] == '\0')
        return;
    fprintf(svg->out, "<text x='%.1f' y='%.1f' font-size='%.1f'%s%s fill='%s'>", (double)x,
            (double)y, (double)size, bold ? " font-weight='bold'" : "", anchors[align],
            paint_of(svg, ink).text);
    app_write_markup(svg->out, utf8);
    fprintf(svg->out, "</text>\n");
}

/* The reader's font is not known: takes each character for as wide as the widest common sans-serif
 * has it on average. */
static float width_of(void *to, bool bold, float size, const char *utf8)
{
    float characters = 0.0f;
    (void)to;
    for (; *utf8; utf8++)
        characters += ((unsigned char)*utf8 & 0xc0) != 0x80 ? 1.0f : 0.0f;
    return characters * size * (bold ? 0.68f : 0.61f);
}

struct app_pen app_svg_begin(struct app_svg *svg, float width, float height)
{
    FILE *out = svg->out;
    if (svg->page)
        fprintf(out, "<svg viewBox='0 0 %.0f %.0f'>\n", (double)width, (double)height);
    else
        fprintf(out,
                "<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f' viewBox='0 0 "
                "%.0f %.0f' "
                "font-family='Inter, DejaVu Sans, Verdana, sans-serif'>\n"
                "<rect width='%.0f' height='%.0f' fill='#ffffff'/>\n",
                (double)width, (double)height, (double)width, (double)height, (double)width,
                (double)height);
    return (struct app_pen){draw_line, draw_disc, draw_bar, draw_text, width_of, svg};
}

void app_svg_end(struct app_svg *svg)
{
    fprintf(svg->out, "</svg>\n");
}

void app_svg_colours(FILE *out)
{
    for (int ink = 0; ink < APP_INKS; ink++)
        fprintf(out, "--%s:%s;", colours[ink].name, colours[ink].hex);
}
