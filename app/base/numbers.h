/* app/base/numbers.h - numbers with 3 significant digits and a unit, for the screen and tables. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct app_number {
    char value[24]; /* "27.4"; "–" when there is no number */
    char unit[24];  /* "µs" */
};

/* What a value is a number of, which decides the units that it may have. */
enum app_quantity {
    APP_QUANTITY_NUMBER,     /* in one unit, or in none */
    APP_QUANTITY_TIME,       /* in ms; shown in ns, µs, ms or s */
    APP_QUANTITY_RATE,       /* per second; shown with an SI prefix, "TB/s" */
    APP_QUANTITY_BINARY_RATE /* bytes per second; shown with a binary prefix, "GiB/s" */
};

struct app_unit {
    double times, over; /* a value * times / over is what is shown; one of them is 1 */
    char name[24];
};

/* Returns a value in a unit. */
double app_unit_value(const struct app_unit *unit, double value);

/* Returns the unit that suits a value. name: of a number's unit, or of a rate's without its prefix.
 */
struct app_unit app_unit_of(enum app_quantity quantity, const char *name, double value);

/* Formats a value with 3 significant digits, at most 6 decimals: "0.87", "1.20", "27.4", "1234".
 * "–" for a negative value or one that is not finite; "1.00e+15" from there on. */
struct app_number app_number_plain(double value, const char *unit);

/* Formats a time in ns, µs, ms or s, whichever suits it. */
struct app_number app_number_time(double ms);

/* Formats a time in the unit that suits like_ms: the ends of an interval share a unit. */
struct app_number app_number_time_as(double ms, double like_ms);

/* Returns the time whose unit to show `ms` in, so that a value about 1 ms does not change between
 * µs and ms: like_ms as long as ms has a readable value in its unit, 0.2 to 2000, else ms. like_ms:
 * the time returned last; <= 0: none. */
double app_number_keep_unit(double like_ms, double ms);

/* Returns the decimals with which the ends of an interval differ: those of 3 significant digits of
 * the value, and at most 2 more. width: high - low; 0: unknown. */
int app_number_decimals(double value, double width);

/* Returns the decimals of a ratio and its interval: those of 3 significant digits. differs: it is
 * known not to be 1, and gets up to 2 more until it does not read as 1. */
int app_number_ratio_decimals(double ratio, bool differs);

/* Formats with that many decimals; "–" as app_number_plain. */
struct app_number app_number_fixed(double value, int decimals, const char *unit);

/* An interval as it is shown everywhere: "[12.1, 13.4]", or "[<2.9, >293.6]". */
struct app_interval_text {
    char text[64];
};

/* Formats an interval of a value > 0 with that many decimals; APP_DECIMALS_PLAIN: each end as
 * app_number_plain does. The ends are limited to a tenth of the value and ten times it: two
 * processes that differ give ends orders of magnitude away, whose digits mean nothing. */
#define APP_DECIMALS_PLAIN (-1)
struct app_interval_text app_number_interval(double low, double high, double value, int decimals);

/* Formats a count per second with an SI prefix: "2.41", "T tests/s". */
struct app_number app_number_rate(double per_s, const char *what);

/* Format what a tick of an axis is, a time in ms or a rate, with significant digits only: "200 µs",
 * "50 M". */
void app_number_time_tick(double ms, char *text, size_t size);
void app_number_rate_tick(double per_s, char *text, size_t size);

/* Formats a number of bytes: "1 KiB". */
void app_number_bytes(double bytes, char *text, size_t size);

/* Formats the time since an event: "7 s ago", "2 min ago", "3 h ago", "4 d ago". */
void app_number_age(double age_s, char *text, size_t size);
