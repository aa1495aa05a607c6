/* krn/telemetry.h - what a GPU does while it is measured: clocks, power, temperature, throttling.
 *
 * From NVIDIA's management library (NVML), loaded at run time: where it is missing, or refuses a
 * question, the answer is "not known" and nothing else changes. A question can take milliseconds,
 * so a thread of its own asks a few times a second and readers copy its newest answer. The
 * environment variable SPHERESCOPE_NVML names another library to load, for tests.
 *
 * Thread safety: krn_telemetry_read and krn_telemetry_mark from any thread; the rest from one.
 */
#ifndef KRN_TELEMETRY_H
#define KRN_TELEMETRY_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What holds the clocks down, as bits. */
enum krn_throttle {
    KRN_THROTTLE_IDLE = 1 << 0,        /* nothing to do */
    KRN_THROTTLE_APPLICATION = 1 << 1, /* somebody set lower clocks */
    KRN_THROTTLE_POWER = 1 << 2,       /* the power cap */
    KRN_THROTTLE_HEAT = 1 << 3,
    KRN_THROTTLE_HARDWARE = 1 << 4, /* slow-down or power brake by the board */
    KRN_THROTTLE_SYNC = 1 << 5,     /* held at the clocks of other GPUs */
    KRN_THROTTLE_DISPLAY = 1 << 6,  /* the display's setting */
    KRN_THROTTLE_COUNT = 7,
    /* those that make a kernel slower than the same kernel elsewhere */
    KRN_THROTTLE_SLOWS =
        KRN_THROTTLE_POWER | KRN_THROTTLE_HEAT | KRN_THROTTLE_HARDWARE | KRN_THROTTLE_SYNC
};

/* One look at a GPU. Numbers that are not known are 0, a driver that is not known is "n/a". */
struct krn_telemetry_reading {
    bool valid;                      /* the library knows this GPU */
    char driver[80];                 /* the driver's own version: "580.95.05" */
    double clock_mhz, clock_max_mhz; /* of the multiprocessors */
    double memory_clock_mhz, memory_clock_max_mhz;
    double power_w, temperature_c;
    bool throttle_known;
    unsigned throttle;      /* enum krn_throttle bits, now */
    unsigned throttle_seen; /* all since krn_telemetry_mark */
    unsigned long samples;  /* looks since the start; 0: none has come back yet */
    double cost_ms;         /* what the last look took, on its own thread */
    char reason[160];       /* why nothing is known, a sentence; "" */
};

struct krn_telemetry;

/* Starts watching the GPU at pci_id ("0000:06:00.0"). NULL when there is no memory or thread for
 * it; all calls below take NULL for "not known". Returns at once: the first answer comes later. */
struct krn_telemetry *krn_telemetry_open(const char *pci_id);

/* Ends the thread. One that hangs inside the driver is left behind after a second. */
void krn_telemetry_close(struct krn_telemetry *telemetry);

/* The newest answer; never waits for one. */
void krn_telemetry_read(struct krn_telemetry *telemetry, struct krn_telemetry_reading *reading);

/* Waits until a look that began after this call has come back, limit_s at most; false: none did. */
bool krn_telemetry_wait(struct krn_telemetry *telemetry, double limit_s);

/* Forgets the throttling seen so far: a measurement begins. */
void krn_telemetry_mark(struct krn_telemetry *telemetry);

/* One look without a thread, waited for. */
void krn_telemetry_query(const char *pci_id, struct krn_telemetry_reading *reading);

/* The bits in words: "power cap, heat"; "none". */
void krn_throttle_text(unsigned throttle, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
