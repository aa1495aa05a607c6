/* tests/support/found.h - finds a probe, or a property of a device, by its name. */
#pragma once

#include "krn/probe.h"
#include "krn/properties.h"

#include <string.h>

/* Returns the index of the probe with this topic, series and x; -1 when there is none. */
static inline int found_probe(const struct krn_probes *probes, enum krn_topic topic,
                              const char *series, double x)
{
    for (int i = 0; i < krn_probes_count(probes); i++) {
        const struct krn_probe *probe = krn_probes_at(probes, i);
        if (probe->topic == topic && probe->x == x && strcmp(probe->series, series) == 0)
            return i;
    }
    return -1;
}

/* Returns the property with this key; NULL when the list has none. */
static inline const struct krn_property *found_property(const struct krn_property *list, int count,
                                                        const char *key)
{
    for (int i = 0; i < count; i++)
        if (strcmp(list[i].key, key) == 0)
            return &list[i];
    return NULL;
}
