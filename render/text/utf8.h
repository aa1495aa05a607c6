/* text/utf8.h - UTF-8 text, one character at a time (inside render/ only). */
#ifndef REN_UTF8_H
#define REN_UTF8_H

#include <stdint.h>

/* The character whose glyph, a box, is drawn for every character that no font has. */
#define REN_CHARACTER_UNKNOWN UINT32_C(0xFFFD)

/* Decodes one character of NUL-terminated UTF-8 and moves *text behind it; returns 0 at the end. A
 * bad byte gives REN_CHARACTER_UNKNOWN and moves by one. Never reads beyond the NUL. */
uint32_t ren_utf8_next(const char **text);

#endif
