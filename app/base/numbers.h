/* app/base/numbers.h - numbers as the screen and the tables show them: 3 significant digits, with
 * unit.
 */
#ifndef APP_NUMBERS_H
#define APP_NUMBERS_H

#include <stddef.h>

struct app_number {
    char value[24]; /* "27.4", or "–" when there is none */
    char unit[24];  /* "µs" */
};

/* Digits of a finite number >= 0 to 3 significant ones: "0.87", "1.20", "27.4", "1234". */
struct app_number app_number_plain(double value, const char *unit);

/* A time in ms as ns, µs, ms or s; not finite or negative: no number. */
struct app_number app_number_time(double ms);

/* The value alone, in the unit of `like`: for the two ends of a range. */
struct app_number app_number_time_as(double ms, double like_ms);

/* A count per second with a prefix: "2.41", "T tests/s". */
struct app_number app_number_rate(double per_s, const char *what);

/* How long ago something was: "7 s ago", "2 min ago", "3 h ago", "4 d ago". */
void app_number_age(double age_s, char *text, size_t size);

#endif
