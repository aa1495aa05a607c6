/* ren/utf8.h - decodes UTF-8 one character at a time. Needs no library. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Stands for every character that no font has; its glyph is a box. */
#define REN_CHARACTER_UNKNOWN UINT32_C(0xFFFD)

/* Decodes one character of NUL-terminated UTF-8 and moves *text past it; returns 0 at the end. A
 * bad byte gives REN_CHARACTER_UNKNOWN and moves *text by one. Never reads past the NUL. */
static inline uint32_t ren_utf8_next(const char **text)
{
    static const struct {
        unsigned char mask, lead;
        int more;
        uint32_t least;
    } forms[] = {{0x80, 0x00, 0, 0},
                 {0xE0, 0xC0, 1, 0x80},
                 {0xF0, 0xE0, 2, 0x800},
                 {0xF8, 0xF0, 3, 0x10000}};
    const unsigned char *s = (const unsigned char *)*text;
    if (s[0] == 0)
        return 0;
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        if ((s[0] & forms[f].mask) != forms[f].lead)
            continue;
        uint32_t c = s[0] & (unsigned char)~forms[f].mask;
        int i = 1;
        while (i <= forms[f].more && (s[i] & 0xC0) == 0x80)
            c = c << 6 | (s[i++] & 0x3F);
        if (i <= forms[f].more || c < forms[f].least || c > 0x10FFFF || (c >> 11) == 0x1B)
            break;
        *text += i;
        return c;
    }
    *text += 1;
    return REN_CHARACTER_UNKNOWN;
}
