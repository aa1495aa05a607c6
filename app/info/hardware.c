#include "info/hardware.h"

#include "base/value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct app_grouped_text app_grouped(int64_t number)
{
    enum { GROUP = 3, UNGROUPED = 4 };
    char digits[24];
    struct app_grouped_text grouped = {""};
    const int length = snprintf(digits, sizeof digits, "%" PRId64, number);
    size_t used = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && length > UNGROUPED && (length - i) % GROUP == 0)
            grouped.text[used++] = ' ';
        grouped.text[used++] = digits[i];
    }
    grouped.text[used] = '\0';
    return grouped;
}

/* Writes bytes with the unit that suits them, from 1 KiB on. */
static void write_bytes(int64_t bytes, char *text, size_t size)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    const struct app_grouped_text grouped = app_grouped(bytes);
    double large = (double)bytes / 1024.0;
    size_t u = 0;
    while (u + 1 < sizeof units / sizeof *units && large >= 1024.0) {
        large /= 1024.0;
        u++;
    }
    if (large < 1.0)
        snprintf(text, size, "%s bytes", grouped.text);
    else
        app_format(text, size,
                   large < 1e3 && large != (double)(int64_t)large ? "%s bytes (%.1f %s)"
                                                                  : "%s bytes (%.0f %s)",
                   grouped.text, large, units[u]);
}

static void write_counts(const struct krn_property *property, char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; i < property->count; i++)
        snprintf(text + strlen(text), size - strlen(text), "%s%s", i > 0 ? " x " : "",
                 app_grouped(property->values[i]).text);
}

struct app_hardware_text app_property_text(const struct krn_property *property)
{
    struct app_hardware_text made = {"not known"};
    const int64_t value = property->values[0];
    if (!property->known)
        return made;
    switch (property->kind) {
    case KRN_PROPERTY_TEXT:
        snprintf(made.text, sizeof made.text, "%s", property->text);
        break;
    case KRN_PROPERTY_COUNT:
        write_counts(property, made.text, sizeof made.text);
        break;
    case KRN_PROPERTY_BYTES:
        write_bytes(value, made.text, sizeof made.text);
        break;
    case KRN_PROPERTY_BITS:
        snprintf(made.text, sizeof made.text, "%s bit", app_grouped(value).text);
        break;
    case KRN_PROPERTY_KHZ:
        app_format(made.text, sizeof made.text, "%s kHz (%.2f GHz)", app_grouped(value).text,
                   (double)value / 1e6);
        break;
    case KRN_PROPERTY_VERSION:
        snprintf(made.text, sizeof made.text, "%" PRId64 ".%" PRId64, value, property->values[1]);
        break;
    case KRN_PROPERTY_FLAG:
        snprintf(made.text, sizeof made.text, "%s", value != 0 ? "yes" : "no");
        break;
    }
    return made;
}

/* Appends ", NAME BYTES bytes" unless there are none. */
static void append_bytes(struct app_hardware_text *made, const char *name, size_t bytes)
{
    const size_t used = strlen(made->text);
    if (bytes > 0)
        snprintf(made->text + used, sizeof made->text - used, ", %s %s bytes", name,
                 app_grouped((int64_t)bytes).text);
}

struct app_hardware_text app_kernel_text(const struct krn_kernel_attributes *kernel)
{
    struct app_hardware_text made = {"not known"};
    if (!krn_kernel_known(kernel))
        return made;
    app_format(made.text, sizeof made.text,
               "%d registers, occupancy %.0f %%, %d block%s of %d threads", kernel->registers,
               100.0 * kernel->occupancy, kernel->blocks_per_processor,
               kernel->blocks_per_processor == 1 ? "" : "s", kernel->threads);
    append_bytes(&made, "shared", kernel->static_shared_bytes + kernel->dynamic_shared_bytes);
    append_bytes(&made, "constant", kernel->constant_bytes);
    append_bytes(&made, "spilled", kernel->local_bytes);
    return made;
}
