/* krn/telemetry.h - clocks, power, temperature and throttling of a GPU.
 *
 * The readings come from NVIDIA's management library (NVML), which is loaded at run time. Where it
 * is missing or a query fails, the value is "not known" and everything else works. A query can take
 * milliseconds, so a background thread queries a few times per second, and readers copy its latest
 * reading. The environment variable SPHERESCOPE_NVML names another library to load, for tests.
 *
 * Thread safety: krn_telemetry_read and krn_telemetry_mark may be called from any thread, the other
 * functions from one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Reasons that limit the clocks, as bits. */
enum krn_throttle {
    KRN_THROTTLE_IDLE = 1 << 0,        /* the GPU is idle */
    KRN_THROTTLE_APPLICATION = 1 << 1, /* a user has set lower application clocks */
    KRN_THROTTLE_POWER = 1 << 2,       /* the power cap */
    KRN_THROTTLE_HEAT = 1 << 3,        /* the temperature limit */
    KRN_THROTTLE_HARDWARE = 1 << 4,    /* slow-down or power brake by the board */
    KRN_THROTTLE_SYNC = 1 << 5,        /* synchronised with the clocks of other GPUs */
    KRN_THROTTLE_DISPLAY = 1 << 6,     /* the display's clock setting */
    KRN_THROTTLE_COUNT = 7,
    /* the reasons that make a kernel slower than it is on the same GPU without them */
    KRN_THROTTLE_SLOWS =
        KRN_THROTTLE_POWER | KRN_THROTTLE_HEAT | KRN_THROTTLE_HARDWARE | KRN_THROTTLE_SYNC
};

/* One reading of a GPU. Unknown numbers are 0; an unknown driver is "n/a". */
struct krn_telemetry_reading {
    bool valid;                      /* NVML knows this GPU */
    char driver[80];                 /* version of the driver: "580.95.05" */
    double clock_mhz, clock_max_mhz; /* of the multiprocessors */
    double memory_clock_mhz, memory_clock_max_mhz;
    /* The lowest clocks since krn_telemetry_mark. Readings that found the GPU idle say nothing
     * about runs and do not count, unless all of them did: then short runs may have had idle
     * clocks. */
    double clock_low_mhz, memory_clock_low_mhz;
    double power_w, temperature_c;
    bool throttle_known;
    unsigned throttle;      /* current enum krn_throttle bits */
    unsigned throttle_seen; /* all bits since krn_telemetry_mark */
    unsigned long samples;  /* readings completed so far; 0: none yet */
    double cost_ms;         /* duration of the latest query on the background thread */
    char reason[160];       /* a sentence that tells why nothing is known; "" */
};

struct krn_telemetry;

/* Starts a background thread that queries the GPU at pci_id ("0000:06:00.0"). Returns before the
 * first reading. Returns NULL when the thread cannot be started; the functions
 * below accept NULL, for which nothing is known. */
struct krn_telemetry *krn_telemetry_open(const char *pci_id);

/* Stops the thread. A thread that hangs in the driver is abandoned after one second. */
void krn_telemetry_close(struct krn_telemetry *telemetry);

/* Copies the latest reading without blocking for a new one. */
void krn_telemetry_read(struct krn_telemetry *telemetry, struct krn_telemetry_reading *reading);

/* Blocks until a query that started after this call has completed, at most limit_s seconds. Returns
 * false on a timeout. */
bool krn_telemetry_wait(struct krn_telemetry *telemetry, double limit_s);

/* Marks the start of a measurement: resets throttle_seen to the current bits, and the lowest clocks
 * to those of the next reading. */
void krn_telemetry_mark(struct krn_telemetry *telemetry);

/* Queries the GPU once, on the calling thread. */
void krn_telemetry_query(const char *pci_id, struct krn_telemetry_reading *reading);

/* Formats the bits in words: "power cap, heat"; "none" for 0. */
void krn_throttle_text(unsigned throttle, char *text, size_t size);
