/* text/utf8.h - decodes UTF-8 one character at a time (inside render/ only). */
#ifndef REN_UTF8_H
#define REN_UTF8_H

#include <stdint.h>

/* Stands for every character that no font has; its glyph is a box. */
#define REN_CHARACTER_UNKNOWN UINT32_C(0xFFFD)

/* Decodes one character of NUL-terminated UTF-8 and moves *text past it; returns 0 at the end. A
 * bad byte gives REN_CHARACTER_UNKNOWN and moves *text by one. Never reads past the NUL. */
uint32_t ren_utf8_next(const char **text);

#endif
