#include "judge/trust.h"

#include <stdio.h>

static const struct app_trust_entry entries[APP_TRUST_COUNT] = {
    [APP_TRUST_WRONG_PICTURE] = {"wrong-picture", APP_TRUST_RED,
                                 "The picture is wrong, so its time means nothing."},
    [APP_TRUST_OVER_THEORETICAL] = {"over-theoretical", APP_TRUST_RED,
                                    "Faster than the hardware allows: some work was not done."},
    [APP_TRUST_THROTTLED] = {"throttled", APP_TRUST_RED,
                             "The GPU is throttled by power, heat or its board."},
    [APP_TRUST_LOW_CLOCK] = {"low-clock", APP_TRUST_AMBER,
                             "The GPU's clock is under 90 % of its maximum; {warm} keeps it warm."},
    [APP_TRUST_NEAR_FLOOR] = {"near-floor", APP_TRUST_AMBER,
                              "The kernel takes less than two empty launches."},
    [APP_TRUST_SPREAD] = {"spread", APP_TRUST_AMBER,
                          "The samples scatter by more than 10 % of their median."},
    [APP_TRUST_NOT_SETTLED] = {"not-settled", APP_TRUST_AMBER,
                               "The latest samples still drift by more than 2 %."},
    [APP_TRUST_L2_RESIDENT] = {"l2-resident", APP_TRUST_AMBER,
                               "The data fits into the L2 cache: this is not the memory's speed."},
    [APP_TRUST_CORES_BUSY] = {"cores-busy", APP_TRUST_AMBER,
                              "Other programs use the CPU's cores, which slows the frames."},
    [APP_TRUST_ON_BATTERY] = {"on-battery", APP_TRUST_AMBER,
                              "The machine runs on battery and saves power."},
    [APP_TRUST_DISPLAY_LIMITED] = {"display-limited", APP_TRUST_AMBER,
                                   "The GPU waits for the display between frames, perhaps at idle "
                                   "clocks."},
    [APP_TRUST_NOT_VERIFIED] = {"not-verified", APP_TRUST_AMBER,
                                "The picture has not been verified yet."},
    [APP_TRUST_RECORDED] = {"recorded", APP_TRUST_AMBER,
                            "These numbers were recorded on another machine."},
    [APP_TRUST_SOFTWARE_GL] = {"software-gl", APP_TRUST_AMBER,
                               "OpenGL draws on the CPU: the frame rate is not the GPU's."},
    [APP_TRUST_GL_ELSEWHERE] =
        {"gl-elsewhere", APP_TRUST_AMBER,
         "OpenGL draws on another GPU: pictures are copied between the two."},
    [APP_TRUST_INTEROP_OFF] = {"interop-off", APP_TRUST_AMBER,
                               "Pictures are copied without CUDA-OpenGL interop: frames take "
                               "longer, kernels do not."},
};

const struct app_trust_entry *app_trust_entry(enum app_trust_reason reason)
{
    return &entries[reason];
}

unsigned app_trust_find(const struct app_trust_facts *f)
{
    enum { ENOUGH = 20 }; /* samples needed to judge their spread */
    const double low_clock = 0.9, wide = 0.1, own_cores = 0.9;
    const bool clock_known = f->clock_mhz > 0 && f->clock_max_mhz > 0;
    const bool clock_low = clock_known && f->clock_mhz < low_clock * f->clock_max_mhz;
    const struct krn_summary *s = &f->samples;
    const bool holds[APP_TRUST_COUNT] = {
        [APP_TRUST_WRONG_PICTURE] = f->has_picture && f->verified == APP_VERIFIED_FALSE,
        [APP_TRUST_OVER_THEORETICAL] = f->rate_possible > 0 && f->rate > f->rate_possible,
        [APP_TRUST_THROTTLED] = f->throttle_known && (f->throttle & KRN_THROTTLE_SLOWS) != 0,
        [APP_TRUST_LOW_CLOCK] = clock_low,
        [APP_TRUST_NEAR_FLOOR] = s->n > 0 && s->median < 2 * f->empty_kernel_ms,
        [APP_TRUST_SPREAD] = s->n >= ENOUGH && s->p95 - s->p5 > wide * s->median,
        [APP_TRUST_NOT_SETTLED] = f->not_settled,
        [APP_TRUST_L2_RESIDENT] = f->bytes > 0 && f->bytes <= f->l2_bytes,
        [APP_TRUST_CORES_BUSY] = f->core_share > 0 && f->core_share < own_cores,
        [APP_TRUST_ON_BATTERY] = f->on_battery,
        /* waiting does no harm to a GPU that is known to keep its full clock */
        [APP_TRUST_DISPLAY_LIMITED] = (f->display_waits && (!clock_known || clock_low)) ||
                                      (f->throttle_known && f->throttle & KRN_THROTTLE_DISPLAY),
        [APP_TRUST_NOT_VERIFIED] = f->has_picture && f->verified == APP_VERIFIED_UNKNOWN,
        [APP_TRUST_RECORDED] = f->recorded,
        [APP_TRUST_SOFTWARE_GL] = f->gl_software,
        [APP_TRUST_GL_ELSEWHERE] = f->gl_elsewhere && !f->gl_software,
        [APP_TRUST_INTEROP_OFF] = f->interop_off && !f->gl_elsewhere && !f->gl_software,
    };
    unsigned reasons = 0;
    for (int i = 0; i < APP_TRUST_COUNT; i++)
        reasons |= holds[i] ? 1u << i : 0;
    return reasons;
}

enum app_trust_level app_trust_level(unsigned reasons)
{
    enum app_trust_level level = APP_TRUST_GREEN;
    for (int i = 0; i < APP_TRUST_COUNT; i++)
        if (reasons & 1u << i && entries[i].level > level)
            level = entries[i].level;
    return level;
}

const char *app_trust_word(enum app_trust_level level)
{
    static const char *const words[] = {"Sound", "With care", "Do not quote"};
    return words[level];
}

size_t app_trust_ids(unsigned reasons, const char *ids[APP_TRUST_COUNT])
{
    size_t n = 0;
    for (int i = 0; i < APP_TRUST_COUNT; i++)
        if (reasons & 1u << i)
            ids[n++] = entries[i].id;
    return n;
}

void app_trust_telemetry(struct app_trust_facts *facts, const struct krn_telemetry_reading *reading,
                         bool since)
{
    facts->throttle_known = reading->throttle_known;
    facts->throttle = since ? reading->throttle_seen : reading->throttle;
    facts->clock_mhz = reading->clock_mhz;
    facts->clock_max_mhz = reading->clock_max_mhz;
}

void app_trust_screen(struct app_trust_facts *facts, const struct krn_capabilities *can,
                      const struct ren_gl_info *gl, const struct ren_blit_status *blit)
{
    facts->gl_software = gl->software;
    /* A picture in host memory can only be uploaded to OpenGL, so this is not a warning. */
    facts->gl_elsewhere = !can->host_images && blit->elsewhere;
    facts->interop_off = !can->host_images && blit->used != REN_BLIT_INTEROP;
}
