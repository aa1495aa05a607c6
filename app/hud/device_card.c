/* The device card: the listing that a tutorial prints, on screen, with what the kernel takes. */
#include "hud/parts.h"

#include "command/keys.h"
#include "info/info.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const float step = 23.0f, heading = 34.0f, name_width = 262.0f, column_width = 540.0f,
                   top = 84.0f, bottom = 22.0f;

/* A line of the card. No name: a sentence over the whole column. */
struct line {
    const char *name;
    char text[160];
};

enum { COLUMNS = 2, LINES_MAX = KRN_PROPERTIES_MAX };

/* A heading with lines below it. */
struct block {
    char title[128];
    int count;
    struct line lines[LINES_MAX];
};

__attribute__((format(printf, 3, 4))) static void add(struct block *block, const char *name,
                                                      const char *format, ...)
{
    va_list arguments;
    if (block->count == LINES_MAX)
        return;
    struct line *line = &block->lines[block->count++];
    line->name = name;
    va_start(arguments, format);
    vsnprintf(line->text, sizeof line->text, format, arguments);
    va_end(arguments);
}

/* Divides the properties: those of the tutorial and the others or, where there are none of the
 * tutorial, the two halves. */
static void list_properties(const struct app_hud *hud, struct block blocks[COLUMNS])
{
    int published = 0;
    memset(blocks, 0, COLUMNS * sizeof *blocks);
    for (int i = 0; i < hud->property_count; i++)
        published += hud->properties[i].published;
    const int first = published > 0 ? published : (hud->property_count + 1) / 2;
    snprintf(blocks[0].title, sizeof blocks[0].title, "%s",
             published > 0 ? "What the tutorial lists"
                           : "What a CPU has in place of the tutorial's list");
    snprintf(blocks[1].title, sizeof blocks[1].title, "%s",
             published > 0 ? "What the peaks and panels rest on" : "");
    for (int i = 0; i < hud->property_count; i++)
        if (strcmp(hud->properties[i].key, "name") != 0) /* the title tells it */
            add(&blocks[i < first ? 0 : 1], hud->properties[i].key, "%s",
                app_property_text(&hud->properties[i]).text);
}

/* Lists what the kernel of the mode on screen takes. */
static void list_kernel(const struct app_hud *hud, struct block blocks[COLUMNS])
{
    const struct krn_kernel_attributes *kernel = krn_kernels_main(&hud->kernels);
    char mode[64];
    memset(blocks, 0, COLUMNS * sizeof *blocks);
    krn_mode_name(hud->state->mode, mode, sizeof mode);
    snprintf(blocks[0].title, sizeof blocks[0].title, "Resources of %s%s", mode,
             hud->kernels.count > 1 ? ": the last of its kernels" : "");
    if (!krn_kernel_known(kernel)) {
        add(&blocks[0], NULL, "%s",
            hud->device->can.warps ? "not known"
                                   : "A CPU has no registers per thread, no shared memory and "
                                     "no occupancy.");
        return;
    }
    /* The share of the multiprocessor first, memory in a column of its own. */
    static const char *const units[] = {"%", "", "bytes"};
    for (int u = 0; u < 3; u++)
        for (int i = 0; i < APP_RESOURCES; i++) {
            const struct app_resource *resource = &app_resources[i];
            char more[160] = "";
            if (strcmp(resource->unit, units[u]) != 0)
                continue;
            if (resource->member == APP_O_LAUNCH_THREADS)
                snprintf(more, sizeof more, " of at most %d", kernel->threads_max);
            else if (resource->member == APP_O_BLOCKS_PER_PROCESSOR)
                snprintf(more, sizeof more, " at a time, grid of %s",
                         app_grouped((int64_t)kernel->blocks).text);
            add(&blocks[u == 2], resource->words, "%s%s%s%s",
                app_grouped(llrint(app_kernel_number(kernel, resource->member))).text,
                units[u][0] ? " " : "", units[u], more);
        }
}

/* Draws a whole text, in smaller letters where `room` units are too narrow for it. */
static void draw_whole(const struct app_brush *brush, enum ren_face face, float size, float x,
                       float y, float room, ren_colour colour, const char *text)
{
    const float wanted =
        ren_text_width(brush->renderer, face, size * brush->unit, text) / brush->unit;
    app_draw_text(brush, face, wanted > room ? size * room / wanted : size, x, y, REN_ALIGN_LEFT,
                  colour, text);
}

static void draw_block(const struct app_brush *brush, const struct block *block, float x, float y)
{
    const float u = brush->unit;
    y += heading * u;
    if (block->title[0] != '\0')
        draw_whole(brush, REN_FACE_SANS_BOLD, APP_TEXT, x, y - 4.0f * u, column_width - APP_PAD,
                   brush->colours->quiet, block->title);
    for (int i = 0; i < block->count; i++) {
        const struct line *line = &block->lines[i];
        const float indent = line->name ? name_width : 0.0f;
        y += step * u;
        if (line->name)
            draw_whole(brush, REN_FACE_SANS, APP_TEXT, x, y, name_width - 10.0f,
                       brush->colours->text, line->name);
        draw_whole(brush, REN_FACE_SANS_BOLD, APP_TEXT, x + indent * u, y,
                   column_width - indent - APP_PAD, brush->colours->text, line->text);
    }
}

static float height_of(const struct block blocks[COLUMNS])
{
    const int lines = blocks[0].count > blocks[1].count ? blocks[0].count : blocks[1].count;
    return heading + step * (float)lines;
}

void app_hud_device(const struct app_brush *given, const struct app_layout *layout,
                    const struct app_hud *hud)
{
    struct block properties[COLUMNS], kernel[COLUMNS];
    list_properties(hud, properties);
    list_kernel(hud, kernel);
    const float width = COLUMNS * column_width + APP_PAD * 3.0f,
                height = top + height_of(properties) + height_of(kernel) + bottom;

    /* The whole listing must fit: it shrinks to the window, whatever the HUD's size. */
    struct app_brush brush = *given;
    const float fit = fminf(layout->screen.w / (width + 2.0f * APP_MARGIN),
                            layout->screen.h / (height + 2.0f * APP_MARGIN));
    brush.unit = fminf(fmaxf(brush.unit, 0.9f * fit), fit);
    const float u = brush.unit;
    const struct ren_rect card = {floorf((layout->screen.w - width * u) / 2.0f),
                                  floorf((layout->screen.h - height * u) / 2.0f), width * u,
                                  height * u};
    /* The rest of the screen is dimmed, and nothing shines through the text. */
    const ren_colour ground = brush.colours->background << 8;
    ren_list_fill(brush.list, layout->screen, 0.0f, ground | 0xa0);
    ren_list_fill(brush.list, card, APP_RADIUS * u, ground | 0xff);
    app_draw_card(&brush, card);

    const float x = card.x + 2.0f * APP_PAD * u, y = card.y + 44.0f * u;
    char title[160], closing[64];
    app_key_hints("{device-card} or {leave} closes this", closing, sizeof closing);
    snprintf(title, sizeof title, "%s %d: %s", krn_backend_name(hud->device->backend),
             hud->device->ordinal, hud->device->name);
    const float closing_width =
        ren_text_width(brush.renderer, REN_FACE_SANS, APP_TEXT * u, closing);
    draw_whole(&brush, REN_FACE_SANS_BOLD, 26.0f, x, y,
               (card.w - closing_width) / u - 5.0f * APP_PAD, brush.colours->text, title);
    app_draw_text(&brush, REN_FACE_SANS, APP_TEXT, card.x + card.w - 2.0f * APP_PAD * u, y,
                  REN_ALIGN_RIGHT, brush.colours->quiet, closing);
    float at = card.y + (top - heading / 2.0f) * u;
    for (int column = 0; column < COLUMNS; column++)
        draw_block(&brush, &properties[column], x + (float)column * column_width * u, at);
    at += height_of(properties) * u;
    for (int column = 0; column < COLUMNS; column++)
        draw_block(&brush, &kernel[column], x + (float)column * column_width * u, at);
}
