#include "ui/ui.h"

#include <stdio.h>

/* The light theme's colours, of 4.5:1 contrast at least with the page. */
static const char *const colours[APP_INKS] = {
    [APP_INK_TEXT] = "#12151b",
    [APP_INK_QUIET] = "#464d5a",
    [APP_INK_FAINT] = "#d3d8e0",
    [APP_INK_GOOD] = "#3a6b00",
    [APP_INK_BAD] = "#c02020",
    [APP_INK_STORAGE + KRN_STORAGE_GLOBAL] = "#00619c",
    [APP_INK_STORAGE + KRN_STORAGE_READONLY] = "#9c3f78",
    [APP_INK_STORAGE + KRN_STORAGE_CONSTANT] = "#935900",
    [APP_INK_STORAGE + KRN_STORAGE_SHARED] = "#00694d",
    [APP_INK_STORAGE + KRN_STORAGE_TEXTURE] = "#4a4c00",
    [APP_INK_CURVE] = "#160536",
    [APP_INK_CURVE + 1] = "#381a80",
    [APP_INK_CURVE + 2] = "#5a30c8",
    [APP_INK_CURVE + 3] = "#7d52e0",
    [APP_INK_CURVE + 4] = "#786a98",
};

static void draw_line(void *to, const float *xy, size_t n, float width, float dash,
                      enum app_ink ink)
{
    fprintf(to, "<polyline fill='none' stroke='%s' stroke-width='%.1f' stroke-linejoin='round'",
            colours[ink], (double)width);
    if (dash > 0.0f)
        fprintf(to, " stroke-dasharray='%.1f'", (double)dash);
    fprintf(to, " points='");
    for (size_t i = 0; i < n; i++)
        fprintf(to, "%s%.1f,%.1f", i ? " " : "", (double)xy[2 * i], (double)xy[2 * i + 1]);
    fprintf(to, "'/>\n");
}

static void draw_disc(void *to, float x, float y, float radius, bool hollow, enum app_ink ink)
{
    fprintf(to,
            "<circle cx='%.1f' cy='%.1f' r='%.1f' fill='%s' stroke='%s' stroke-width='%.1f'/>\n",
            (double)x, (double)y, (double)radius, hollow ? "#ffffff" : colours[ink], colours[ink],
            hollow ? (double)radius / 2.0 : 0.0);
}

static void draw_bar(void *to, struct ren_rect rect, enum app_ink ink)
{
    fprintf(to, "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' rx='2' fill='%s'/>\n",
            (double)rect.x, (double)rect.y, (double)rect.w, (double)rect.h, colours[ink]);
}

static void draw_text(void *to, bool bold, float size, float x, float y, enum ren_align align,
                      enum app_ink ink, const char *utf8)
{
    static const char *const anchors[] = {[REN_ALIGN_LEFT] = "",
                                          [REN_ALIGN_CENTRE] = " text-anchor='middle'",
                                          [REN_ALIGN_RIGHT] = " text-anchor='end'"};
    if (utf8[0] == '\0')
        return;
    fprintf(to, "<text x='%.1f' y='%.1f' font-size='%.1f'%s%s fill='%s'>", (double)x, (double)y,
            (double)size, bold ? " font-weight='bold'" : "", anchors[align], colours[ink]);
    for (; *utf8; utf8++)
        if (*utf8 == '&' || *utf8 == '<' || *utf8 == '>')
            fputs(*utf8 == '&' ? "&amp;" : *utf8 == '<' ? "&lt;" : "&gt;", to);
        else
            fputc(*utf8, to);
    fprintf(to, "</text>\n");
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

struct app_pen app_svg_begin(FILE *out, float width, float height)
{
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f' viewBox='0 0 %.0f "
            "%.0f' "
            "font-family='Inter, DejaVu Sans, Verdana, sans-serif'>\n",
            (double)width, (double)height, (double)width, (double)height);
    fprintf(out, "<rect width='%.0f' height='%.0f' fill='#ffffff'/>\n", (double)width,
            (double)height);
    return (struct app_pen){draw_line, draw_disc, draw_bar, draw_text, width_of, out};
}

void app_svg_end(FILE *out)
{
    fprintf(out, "</svg>\n");
}
