/* The colours of the three themes, one entry each. */
#include "hud/draw.h"

#include "krn/heat.h"

static const struct app_colours themes[APP_THEME_COUNT] = {
    [APP_THEME_DARK] =
        {
            .background = 0x0b0d12,
            .card = 0x0b0d12ff,
            .panel = 0x131720ff,
            .edge = 0xffffff1a,
            .text = 0xf2f4f8ff,
            .quiet = 0xb4bac6ff,
            .faint = 0x5a6170ff,
            .good = 0x8fd14fff,
            .warn = 0xffcb30ff,
            .bad = 0xff6f61ff,
            .storages = {[KRN_STORAGE_GLOBAL] = 0x56b4e9ff,
                         [KRN_STORAGE_READONLY] = 0xe49ac4ff,
                         [KRN_STORAGE_CONSTANT] = 0xe69f00ff,
                         [KRN_STORAGE_SHARED] = 0x1fc795ff,
                         [KRN_STORAGE_TEXTURE] = 0xf0e442ff},
            .curves = {0xf6f1ffff, 0xd9ccffff, 0xbca6ffff, 0xa084f0ff, 0x8f70d4ff},
        },
    [APP_THEME_LIGHT] =
        {
            .background = 0xe9ebef,
            .card = 0xfcfcfdff,
            .panel = 0xfcfcfdff,
            .edge = 0x00000022,
            .text = 0x12151bff,
            .quiet = 0x464d5aff,
            .faint = 0xa3a9b5ff,
            .good = 0x3a6b00ff,
            .warn = 0x6b5400ff,
            .bad = 0xc02020ff,
            .storages = {[KRN_STORAGE_GLOBAL] = 0x00619cff,
                         [KRN_STORAGE_READONLY] = 0x9c3f78ff,
                         [KRN_STORAGE_CONSTANT] = 0x935900ff,
                         [KRN_STORAGE_SHARED] = 0x00694dff,
                         [KRN_STORAGE_TEXTURE] = 0x4a4c00ff},
            .curves = {0x160536ff, 0x381a80ff, 0x5a30c8ff, 0x7d52e0ff, 0x786a98ff},
        },
    [APP_THEME_PROJECTOR] =
        {
            .background = 0x000000,
            .card = 0x000000ff,
            .panel = 0x000000ff,
            .edge = 0xffffff80,
            .text = 0xffffffff,
            .quiet = 0xe6e6e6ff,
            .faint = 0x8c8c8cff,
            .good = 0xa6f05aff,
            .warn = 0xffdc5aff,
            .bad = 0xff8a7aff,
            .storages = {[KRN_STORAGE_GLOBAL] = 0x7cccffff,
                         [KRN_STORAGE_READONLY] = 0xffb3ddff,
                         [KRN_STORAGE_CONSTANT] = 0xffb31aff,
                         [KRN_STORAGE_SHARED] = 0x3df2b8ff,
                         [KRN_STORAGE_TEXTURE] = 0xfff04dff},
            .curves = {0xfbf8ffff, 0xdccfffff, 0xbea8ffff, 0xa285f2ff, 0x8a66d6ff},
        },
};

/* Projectors wash out and the last row of seats is far away: text is larger there. */
static const float theme_scale[APP_THEME_COUNT] = {1.0f, 1.0f, 1.2f};

static enum app_theme known(enum app_theme theme)
{
    return (int)theme >= 0 && theme < APP_THEME_COUNT ? theme : APP_THEME_DARK;
}

const struct app_colours *app_theme_colours(enum app_theme theme)
{
    return &themes[known(theme)];
}

float app_theme_scale(enum app_theme theme)
{
    return theme_scale[known(theme)];
}

ren_colour app_sense_colour(const struct app_colours *colours, enum app_sense sense)
{
    const ren_colour of[] = {[APP_SENSE_QUIET] = colours->quiet,
                             [APP_SENSE_NEUTRAL] = colours->text,
                             [APP_SENSE_GOOD] = colours->good,
                             [APP_SENSE_BAD] = colours->bad,
                             [APP_SENSE_WARNING] = colours->warn};
    return of[sense];
}

ren_colour app_theme_heat(double share)
{
    const uint32_t rgba = krn_heat_colour(share); /* red in the lowest byte */
    return rgba << 24 | (rgba & 0xff00u) << 8 | (rgba >> 8 & 0xff00u) | 0xffu;
}
