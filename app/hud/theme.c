#include "hud/theme.h"

static const struct app_colours colours[APP_THEME_COUNT] = {
    [APP_THEME_DARK] =
        {
            .background = 0x0b0d12,
            .card = 0x0b0d12e0,
            .panel = 0x131720ff,
            .edge = 0xffffff1a,
            .text = 0xf2f4f8ff,
            .quiet = 0xb4bac6ff,
            .faint = 0x5a6170ff,
            .good = 0x2fbf8fff,
            .warn = 0xf0e442ff,
            .bad = 0xff7a45ff,
            .series = {0x56b4e9ff, 0xe49ac4ff, 0xe69f00ff, 0x1fc795ff, 0xf0e442ff, 0xff7a45ff},
        },
    [APP_THEME_LIGHT] =
        {
            .background = 0xe9ebef,
            .card = 0xfcfcfdf0,
            .panel = 0xfcfcfdff,
            .edge = 0x00000022,
            .text = 0x12151bff,
            .quiet = 0x464d5aff,
            .faint = 0xa3a9b5ff,
            .good = 0x00664aff,
            .warn = 0x7a5b00ff,
            .bad = 0xb03a00ff,
            .series = {0x00619cff, 0x9c3f78ff, 0x9a5f00ff, 0x00694dff, 0x5f5f00ff, 0xb03a00ff},
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
            .good = 0x4df0baff,
            .warn = 0xfff04dff,
            .bad = 0xff8a5cff,
            .series = {0x7cccffff, 0xffb3ddff, 0xffb31aff, 0x3df2b8ff, 0xfff04dff, 0xff8a5cff},
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
    return &colours[known(theme)];
}

float app_theme_scale(enum app_theme theme)
{
    return theme_scale[known(theme)];
}
