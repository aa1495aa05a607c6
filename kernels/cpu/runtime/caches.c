/* Reads a number about a cache from /sys. */
#include "cpu/runtime/team.h"

#include <stdio.h>
#include <stdlib.h>

int64_t krn_cpu_cache_number(long processor, int index, const char *which)
{
    char path[128], text[64], *unit = text;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/cache/index%d/%s", processor, index,
             which);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return -1;
    const bool read = fgets(text, sizeof text, file) != NULL;
    fclose(file);
    const int64_t number = read ? strtol(text, &unit, 10) : -1, most = (int64_t)1 << 40;
    if (unit == text || number < 0 || number > most)
        return -1;
    return number * (*unit == 'K' ? 1 << 10 : *unit == 'M' ? 1 << 20 : 1);
}
