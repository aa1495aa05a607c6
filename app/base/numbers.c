/* app/base/numbers.c - chooses digits, unit and prefix of times, rates, bytes and ages. */
#include "base/numbers.h"

#include "base/value.h"

#include <math.h>
#include <stdio.h>

enum { DECIMALS_MAX = 6 };

/* Larger values are written as 1.00e+15. */
#define LONGEST 1e15

/* Returns the decimals of 3 significant digits. */
static int plain_decimals(double value)
{
    int decimals = 2;
    if (!isfinite(value))
        return 0;
    if (value > 0.0)
        decimals = 2 - (int)floor(log10(value) + 1e-12);
    /* With one decimal 99.96 would round to 100.0, which has 4 digits. */
    if (decimals > 0 && value >= pow(10.0, 3 - decimals) - 0.5 * pow(10.0, -decimals))
        decimals--;
    return decimals < 0 ? 0 : decimals > DECIMALS_MAX ? DECIMALS_MAX : decimals;
}

int app_number_decimals(double value, double width)
{
    enum { MORE = 2 };
    const int plain = plain_decimals(value);
    if (!(width > 0.0) || !isfinite(width))
        return plain;
    const int needed = (int)ceil(-log10(width / 2.0));
    const int most = plain + MORE > DECIMALS_MAX ? DECIMALS_MAX : plain + MORE;
    return needed < plain ? plain : needed > most ? most : needed;
}

int app_number_ratio_decimals(double ratio, bool differs)
{
    enum { MORE = 2 };
    const int plain = plain_decimals(ratio);
    int decimals = plain;
    while (differs && decimals < plain + MORE && fabs(ratio - 1.0) < 0.5 * pow(10.0, -decimals))
        decimals++;
    return decimals;
}

struct app_number app_number_fixed(double value, int decimals, const char *unit)
{
    struct app_number number;
    snprintf(number.unit, sizeof number.unit, "%s", unit);
    if (isfinite(value) && value >= LONGEST)
        app_format(number.value, sizeof number.value, "%.2e", value);
    else if (isfinite(value) && value >= 0.0)
        app_format(number.value, sizeof number.value, "%.*f", decimals, value);
    else
        snprintf(number.value, sizeof number.value, "–");
    return number;
}

struct app_number app_number_plain(double value, const char *unit)
{
    return app_number_fixed(value, plain_decimals(value), unit);
}

static const struct time_unit {
    double below_ms, per_ms;
    const char *name;
} time_units[] = {
    {0.9995e-3, 1e6, "ns"}, {0.9995, 1e3, "µs"}, {999.5, 1.0, "ms"}, {HUGE_VAL, 1e-3, "s"}};

/* Returns the unit that suits a time. */
static const struct time_unit *time_unit(double ms)
{
    size_t u = 0;
    while (u + 1 < sizeof time_units / sizeof *time_units && !(ms < time_units[u].below_ms))
        u++;
    return &time_units[u];
}

/* Returns the unit with the prefix that suits a rate. */
static struct app_unit rate_unit(const char *name, double per_s, double base,
                                 const char *const *prefixes, size_t count)
{
    struct app_unit unit = {1.0, 1.0, ""};
    size_t p = 0;
    for (; p + 1 < count && per_s >= 999.5; p++, per_s /= base)
        unit.over *= base;
    app_format(unit.name, sizeof unit.name, "%s%s", prefixes[p], name);
    return unit;
}

struct app_unit app_unit_of(enum app_quantity quantity, const char *name, double value)
{
    static const char *const decimal[] = {"", "k", "M", "G", "T", "P"}, *const binary[] = {
                                                                            "", "Ki", "Mi", "Gi",
                                                                            "Ti"};
    struct app_unit unit = {1.0, 1.0, ""};
    if (quantity == APP_QUANTITY_RATE)
        return rate_unit(name, value, 1000.0, decimal, sizeof decimal / sizeof *decimal);
    if (quantity == APP_QUANTITY_BINARY_RATE)
        return rate_unit("B/s", value, 1024.0, binary, sizeof binary / sizeof *binary);
    if (quantity == APP_QUANTITY_TIME) {
        unit.times = time_unit(value)->per_ms;
        name = time_unit(value)->name;
    }
    app_format(unit.name, sizeof unit.name, "%s", name);
    return unit;
}

double app_unit_value(const struct app_unit *unit, double value)
{
    return value * unit->times / unit->over;
}

struct app_number app_number_time_as(double ms, double like_ms)
{
    const struct app_unit unit = app_unit_of(APP_QUANTITY_TIME, "", like_ms);
    return app_number_plain(app_unit_value(&unit, ms), unit.name);
}

double app_number_keep_unit(double like_ms, double ms)
{
    const double least = 0.2, most = 2000.0;
    if (!(like_ms > 0.0) || !(ms > 0.0))
        return ms > 0.0 ? ms : like_ms;
    const double shown = ms * time_unit(like_ms)->per_ms;
    return shown >= least && shown < most ? like_ms : ms;
}

/* An interval that reaches beyond value / 10 or 10 value leaves even the magnitude open. */
#define FARTHEST 10.0

struct app_interval_text app_number_interval(double low, double high, double value, int decimals)
{
    const double least = value / FARTHEST, most = value * FARTHEST;
    const bool plain = decimals == APP_DECIMALS_PLAIN;
    const bool below = (low < least);
    const bool above = (high > most);
    const double from = below ? least : low, to = above ? most : high;
    const struct app_number first =
        plain ? app_number_plain(from, "") : app_number_fixed(from, decimals, "");
    const struct app_number last =
        plain ? app_number_plain(to, "") : app_number_fixed(to, decimals, "");
    struct app_interval_text interval;
    snprintf(interval.text, sizeof interval.text, "[%s%s, %s%s]", below ? "<" : "", first.value,
             above ? ">" : "", last.value);
    return interval;
}

struct app_number app_number_time(double ms)
{
    return app_number_time_as(ms, ms);
}

void app_number_time_tick(double ms, char *text, size_t size)
{
    const struct time_unit *unit = time_unit(ms);
    app_format(text, size, "%.*g %s", unit->per_ms < 1.0 ? 4 : 3, ms * unit->per_ms, unit->name);
}

struct app_number app_number_rate(double per_s, const char *what)
{
    const struct app_unit unit = app_unit_of(APP_QUANTITY_RATE, "", per_s);
    struct app_number number = app_number_plain(app_unit_value(&unit, per_s), "");
    app_format(number.unit, sizeof number.unit, "%s%s%s", unit.name, unit.name[0] ? " " : "", what);
    return number;
}

void app_number_rate_tick(double per_s, char *text, size_t size)
{
    const struct app_unit unit = app_unit_of(APP_QUANTITY_RATE, "", per_s);
    app_format(text, size, "%.3g%s%s", app_unit_value(&unit, per_s), unit.name[0] ? " " : "",
               unit.name);
}

void app_number_bytes(double bytes, char *text, size_t size)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
    size_t u = 0;
    for (; u + 1 < sizeof units / sizeof *units && bytes >= 1024.0; u++)
        bytes /= 1024.0;
    app_format(text, size, "%.4g %s", bytes, units[u]);
}

void app_number_age(double age_s, char *text, size_t size)
{
    static const struct {
        double below_s, per_s;
        const char *unit;
    } units[] = {{99.5, 1.0, "s"},
                 {99.5 * 60.0, 60.0, "min"},
                 {47.5 * 3600.0, 3600.0, "h"},
                 {HUGE_VAL, 86400.0, "d"}};
    size_t u = 0;
    while (u + 1 < sizeof units / sizeof *units && !(age_s < units[u].below_s))
        u++;
    app_format(text, size, "%.0f %s ago", age_s / units[u].per_s, units[u].unit);
}
