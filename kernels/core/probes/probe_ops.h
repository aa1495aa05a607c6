/* kernels/core/probes/probe_ops.h - what a backend's probes implement (inside kernels/ only). */
#ifndef KRN_PROBE_OPS_H
#define KRN_PROBE_OPS_H

#include "krn/probe.h"

/* One function for each call of krn/probe.h, same contract; the index is in the list, and no run is
 * under way when start and verify are called. poll clears busy when the run is over, whether it
 * gives a reading or not. */
struct krn_probe_ops {
    void (*close)(struct krn_probes *probes); /* frees probes too; the list goes by itself */
    enum krn_code (*start)(struct krn_probes *, int index, struct krn_error *);
    bool (*poll)(struct krn_probes *, struct krn_probe_reading *);
    enum krn_code (*verify)(struct krn_probes *, int index, struct krn_check *, struct krn_error *);
};

/* The first member of every backend's own probes. */
struct krn_probes {
    const struct krn_probe_ops *ops;
    struct krn_probe *list;
    int count, capacity;
    bool busy;
    struct krn_error refused[KRN_TOPIC_COUNT]; /* KRN_OK: all that fits is there */
};

/* Appends a row to the list. Errors: KRN_NO_MEMORY. */
enum krn_code krn_probes_add(struct krn_probes *probes, const struct krn_probe *probe,
                             struct krn_error *error);

/* Notes why some or all of a topic's probes are not in the list. The first reason stays. */
void krn_probes_refuse(struct krn_probes *probes, enum krn_topic topic,
                       const struct krn_error *why);

/* Holds one value against what it must be, element `index` of those compared. */
void krn_check_value(struct krn_check *check, double index, double expected, double actual);

#endif
