/* kernels/core/probes/probe_ops.h - the interface that a backend's probes implement (private to
 * kernels/). */
#pragma once

#include "krn/access.h"
#include "krn/probe.h"
#include "krn/reference.h"

/* One function per call of krn/probe.h, with the same contract. Before start, verify and overhead,
 * the caller has checked that the index is valid and no run is in progress. poll clears busy when
 * the run is over, with or without a reading, and counts the drops. */
struct krn_probe_ops {
    void (*close)(struct krn_probes *probes); /* also frees `probes`, but not the list */
    enum krn_code (*start)(struct krn_probes *, int index, struct krn_error *);
    bool (*poll)(struct krn_probes *, struct krn_probe_reading *);
    enum krn_code (*verify)(struct krn_probes *, int index, struct krn_check *, struct krn_error *);
    enum krn_code (*overhead)(struct krn_probes *, int index, struct krn_overhead *,
                              struct krn_error *);
};

/* The first member of each backend's structure of probes. */
struct krn_probes {
    const struct krn_probe_ops *ops;
    struct krn_probe *list;
    int count, capacity;
    bool busy;
    unsigned long gate_drops;
    struct krn_error refused[KRN_TOPIC_COUNT]; /* KRN_OK: no series was refused */
    struct krn_device *device;                 /* the caller's */
    struct krn_probes *beside;                 /* those of krn_probes_beside; NULL: none */
};

/* Appends a probe to the list. */
void krn_probes_add(struct krn_probes *probes, const struct krn_probe *probe);

/* Records why some or all of a topic's probes are not in the list. Keeps the first reason. */
void krn_probes_refuse(struct krn_probes *probes, enum krn_topic topic,
                       const struct krn_error *why);

/* Fill in what one run reads, writes and computes, whatever device does it: y = a x + y over n
 * elements, and reads of 4 bytes from an array of `elements` elements in the order of a pattern. */
void krn_probe_saxpy(struct krn_probe *probe, double n, int sector_bytes);
void krn_probe_pattern(struct krn_probe *probe, enum krn_pattern pattern, uint64_t parameter,
                       uint64_t elements, double reads, int sector_bytes);
/* Takes that away again, where its time is none of the work: it gives no rate. */
void krn_probe_workless(struct krn_probe *probe);

/* Returns the check of a whole picture. */
struct krn_check krn_check_of(const struct krn_verdict *verdict, int width);

/* Compares one value, element `index`, with the expected one. */
void krn_check_value(struct krn_check *check, double index, double expected, double actual);
