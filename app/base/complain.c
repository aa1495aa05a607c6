#include "base/complain.h"

#include "base/clock.h"

#include <stdint.h>
#include <string.h>

static const double every_s = 0.1;

enum { WIDTH = 78 }; /* columns of the line that is rewritten */

/* Decodes the UTF-8 character at text. Returns its bytes; 0: they are not UTF-8. */
static size_t decode(const char *text, uint32_t *character)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char first = (unsigned char)text[0];
    const size_t length = first < 0x80   ? 1
                          : first < 0xC0 ? 0
                          : first < 0xE0 ? 2
                          : first < 0xF0 ? 3
                          : first < 0xF8 ? 4
                                         : 0;
    *character = length > 1 ? first & (0xFFu >> (length + 1)) : first;
    for (size_t i = 1; i < length; i++) {
        const unsigned char next = (unsigned char)text[i]; /* the zero at the end is none */
        if ((next & 0xC0) != 0x80)
            return 0;
        *character = *character << 6 | (next & 0x3F);
    }
    const bool surrogate = *character >= 0xD800 && *character <= 0xDFFF;
    return length > 0 && (*character < least[length] || surrogate || *character > 0x10FFFF)
               ? 0
               : length;
}

static bool is_harmless(uint32_t character)
{
    static const struct {
        uint32_t first, last;
    } harmful[] = {
        {0x00, 0x1F},     {0x7F, 0x9F},     /* control characters */
        {0x061C, 0x061C}, {0x200E, 0x200F}, /* marks of direction */
        {0x2028, 0x202E},                   /* separators; embeddings and overrides */
        {0x2066, 0x206F},                   /* isolates */
        {0xFEFF, 0xFEFF},                   /* the byte order mark */
    };
    for (size_t i = 0; i < sizeof harmful / sizeof *harmful; i++)
        if (character >= harmful[i].first && character <= harmful[i].last)
            return false;
    return true;
}

bool app_is_printable(const char *text, bool lines)
{
    uint32_t character;
    for (size_t length; *text != 0; text += length) {
        length = decode(text, &character);
        if (length == 0 || !(is_harmless(character) || (lines && character == '\n')))
            return false;
    }
    return true;
}

void app_make_printable(char *text)
{
    char *to = text;
    while (*text != 0) {
        uint32_t character;
        const size_t length = decode(text, &character);
        if (length > 0 && is_harmless(character)) {
            memmove(to, text, length);
            to += length;
        } else {
            *to++ = '?';
        }
        text += length > 0 ? length : 1;
    }
    *to = 0;
}

void app_complain(const char *text)
{
    char line[4096];
    snprintf(line, sizeof line, "%s", text);
    app_make_printable(line);
    fprintf(stderr, "spherescope: %s\n", line);
}

void app_progress_show(struct app_progress *progress, const char *text)
{
    char line[APP_PROGRESS_MAX + 64], time[64] = "";
    const double now_s = app_clock_s();
    if (!progress || !progress->out || now_s - progress->shown_s < every_s)
        return;
    progress->shown_s = now_s;
    if (progress->lines) {
        fprintf(progress->out, "%s\n", text);
        fflush(progress->out);
        return;
    }
    if (progress->expected_s > 0.0)
        snprintf(time, sizeof time, "  %.0f of about %.0f s", now_s - progress->start_s,
                 progress->expected_s);
    snprintf(line, sizeof line, "%.*s%s", APP_PROGRESS_MAX, text, time);
    fprintf(progress->out, "\r%-*.*s", WIDTH, WIDTH, line);
    fflush(progress->out);
}

void app_progress_clear(struct app_progress *progress)
{
    if (!progress || !progress->out || progress->lines || progress->shown_s <= 0.0)
        return;
    fprintf(progress->out, "\r%*s\r", WIDTH, "");
    fflush(progress->out);
}
