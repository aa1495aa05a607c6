/* app/model/trust.c - the table of reasons to doubt a number, and the rule of each. */
#include "model/trust.h"

#include "base/value.h"

#include <stdio.h>
#include <string.h>

static const struct app_trust_entry entries[APP_TRUST_COUNT] = {
    [APP_TRUST_WRONG_PICTURE] = {"wrong-picture", APP_TRUST_RED, "wrong result",
                                 "The picture or result is wrong: its time means nothing."},
    [APP_TRUST_OVER_THEORETICAL] = {"over-theoretical", APP_TRUST_RED, "over 100 % of theoretical",
                                    "Faster than the memory allows: a cache has served it, or some "
                                    "work was not done."},
    [APP_TRUST_THROTTLED] = {"throttled", APP_TRUST_RED, "throttled",
                             "The GPU is throttled by power, heat or its board."},
    [APP_TRUST_LOW_CLOCK] = {"low-clock", APP_TRUST_AMBER, "low clock",
                             "The GPU's clock is under 90 % of its maximum; {warm} keeps it warm."},
    [APP_TRUST_LOW_MEMORY_CLOCK] = {"low-memory-clock", APP_TRUST_AMBER, "low memory clock",
                                    "The memory's clock is under 90 % of its maximum, on which the "
                                    "percentage rests."},
    [APP_TRUST_NEAR_FLOOR] = {"near-floor", APP_TRUST_AMBER, "near floor",
                              "A tenth of the time or more is the launch's overhead."},
    [APP_TRUST_WANDERING] =
        {"wandering", APP_TRUST_AMBER, "wandering",
         "The samples drift by more than 1 %, slowly: another run would differ."},
    [APP_TRUST_SPREAD] = {"spread", APP_TRUST_AMBER, "wide spread",
                          "The samples scatter by more than 10 % of their median."},
    [APP_TRUST_NOT_SETTLED] = {"not-settled", APP_TRUST_AMBER, "not settled",
                               "The latest samples still drift by more than 2 %."},
    [APP_TRUST_FEW_SAMPLES] = {"few-samples", APP_TRUST_AMBER, "few samples",
                               "There are fewer than 6 samples."},
    [APP_TRUST_L2_RESIDENT] = {"l2-resident", APP_TRUST_AMBER, "in the L2 cache",
                               "The data fits into the L2 cache: this is not the memory's speed."},
    [APP_TRUST_PARTLY_CACHED] =
        {"partly-cached", APP_TRUST_AMBER, "partly cached",
         "The data is less than 4 times the L2 cache, which serves a part of it."},
    [APP_TRUST_LATE_HOST] = {"late-host", APP_TRUST_AMBER, "late host",
                             "A tenth of the launches or more gave no time: the host was late."},
    [APP_TRUST_CORES_BUSY] =
        {"cores-busy", APP_TRUST_AMBER, "busy cores",
         "Other programs, or a quota, take the CPU's cores, which slows the frames."},
    [APP_TRUST_ON_BATTERY] = {"on-battery", APP_TRUST_AMBER, "on battery",
                              "The machine runs on battery and saves power."},
    [APP_TRUST_DISPLAY_LIMITED] = {"display-limited", APP_TRUST_AMBER, "display-limited",
                                   "The GPU waits for the display between frames, perhaps at idle "
                                   "clocks."},
    [APP_TRUST_HEAT_MAP] = {"heat-map", APP_TRUST_AMBER, "beside a heat map",
                            "The heat map's kernels run between the frames, which may find other "
                            "caches and clocks; {heatmap} turns it off."},
    [APP_TRUST_NOT_VERIFIED] = {"not-verified", APP_TRUST_AMBER, "not verified",
                                "The picture or result is not verified."},
    [APP_TRUST_RECORDED] = {"recorded", APP_TRUST_AMBER, "recorded elsewhere",
                            "These numbers were recorded on another machine."},
    [APP_TRUST_SOFTWARE_GL] = {"software-gl", APP_TRUST_AMBER, "OpenGL on the CPU",
                               "OpenGL draws on the CPU: the frame rate is not the GPU's."},
    [APP_TRUST_GL_ELSEWHERE] =
        {"gl-elsewhere", APP_TRUST_AMBER, "OpenGL elsewhere",
         "OpenGL draws on another GPU: pictures are copied between the two."},
    [APP_TRUST_INTEROP_OFF] = {"interop-off", APP_TRUST_AMBER, "no interop",
                               "Pictures are copied without CUDA-OpenGL interop: frames take "
                               "longer, kernels do not."},
};

const struct app_trust_entry *app_trust_entry(enum app_trust_reason reason)
{
    return &entries[reason];
}

/* Returns true when the samples scatter by more than 10 % of their median. Below 20 samples, one
 * outlier would be the whole tail; there, the quartiles of a normal distribution whose 5th to 95th
 * percentile span 10 % are the limit. */
static bool scatters(const struct krn_summary *s)
{
    enum { TAILS = 20 };
    const double wide = 0.1, quartiles_of_tails = 1.349 / 3.290;
    if (s->n < KRN_INTERVAL_SAMPLES_MIN)
        return false;
    return s->n >= TAILS ? s->p95 - s->p5 > wide * s->median
                         : s->p75 - s->p25 > quartiles_of_tails * wide * s->median;
}

/* Returns true when a known clock is below 90 % of its known maximum. */
static bool is_low(double mhz, double max_mhz)
{
    return mhz > 0.0 && max_mhz > 0.0 && mhz < 0.9 * max_mhz;
}

unsigned app_trust_find(const struct app_trust_facts *f)
{
    enum { RUNS_ENOUGH = 3 };
    const double own_cores = 0.9, floor_share = 0.1, dropped_share = 0.1, cached_times = 4.0;
    const bool clock_known = f->clock_mhz > 0.0 && f->clock_max_mhz > 0.0;
    const bool clock_low = is_low(f->clock_mhz, f->clock_max_mhz);
    const struct krn_summary *s = &f->samples;
    const size_t enough = f->runs ? RUNS_ENOUGH : KRN_INTERVAL_SAMPLES_MIN;
    const bool few = s->n > 0 && s->n < enough;
    const bool cached = f->bytes > 0.0 && f->bytes <= f->l2_bytes;
    const bool partly = f->bytes > f->l2_bytes && f->bytes < cached_times * f->l2_bytes;
    const bool holds[APP_TRUST_COUNT] = {
        [APP_TRUST_WRONG_PICTURE] = f->has_picture && f->verified == APP_VERIFIED_FALSE,
        [APP_TRUST_OVER_THEORETICAL] = f->rate_possible > 0 && f->rate > f->rate_possible,
        [APP_TRUST_THROTTLED] = f->throttle_known && (f->throttle & KRN_THROTTLE_SLOWS) != 0,
        [APP_TRUST_LOW_CLOCK] = clock_low,
        [APP_TRUST_LOW_MEMORY_CLOCK] =
            f->rate_possible > 0 && is_low(f->memory_clock_mhz, f->memory_clock_max_mhz),
        [APP_TRUST_NEAR_FLOOR] =
            s->n > 0 && f->overhead_ms > 0.0 && f->overhead_ms >= floor_share * s->median,
        [APP_TRUST_WANDERING] = f->wandering,
        [APP_TRUST_SPREAD] = scatters(s),
        [APP_TRUST_NOT_SETTLED] = f->not_settled,
        [APP_TRUST_FEW_SAMPLES] = few,
        [APP_TRUST_L2_RESIDENT] = cached,
        [APP_TRUST_PARTLY_CACHED] = partly,
        [APP_TRUST_LATE_HOST] = f->dropped_share >= dropped_share,
        [APP_TRUST_CORES_BUSY] = f->core_share > 0 && f->core_share < own_cores,
        [APP_TRUST_ON_BATTERY] = f->on_battery,
        /* waiting does no harm to a GPU that is known to keep its full clock */
        [APP_TRUST_DISPLAY_LIMITED] = (f->display_waits && (!clock_known || clock_low)) ||
                                      (f->throttle_known && f->throttle & KRN_THROTTLE_DISPLAY),
        [APP_TRUST_HEAT_MAP] = f->heat_map,
        [APP_TRUST_NOT_VERIFIED] = f->has_picture && f->verified == APP_VERIFIED_UNKNOWN,
        [APP_TRUST_RECORDED] = f->recorded,
        [APP_TRUST_SOFTWARE_GL] = f->gl_software,
        [APP_TRUST_GL_ELSEWHERE] = f->gl_elsewhere && !f->gl_software,
        [APP_TRUST_INTEROP_OFF] = f->interop_off && !f->gl_elsewhere && !f->gl_software,
    };
    unsigned reasons = 0;
    for (int i = 0; i < APP_TRUST_COUNT; i++)
        reasons |= holds[i] ? APP_TRUST_BIT(i) : 0;
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
    static const char *const words[] = {"Numbers hold", "Caution", "Do not quote"};
    return words[level];
}

const char *app_trust_first(unsigned reasons)
{
    for (int i = 0; i < APP_TRUST_COUNT; i++)
        if (reasons & APP_TRUST_BIT(i))
            return entries[i].words;
    return "";
}

void app_trust_list(unsigned reasons, char *text, size_t size)
{
    text[0] = 0;
    for (int i = 0; i < APP_TRUST_COUNT; i++)
        if (reasons & APP_TRUST_BIT(i))
            app_append(text, size, " ", "%s", entries[i].id);
}

unsigned app_trust_of_id(const char *id)
{
    for (int i = 0; i < APP_TRUST_COUNT; i++)
        if (strcmp(entries[i].id, id) == 0)
            return APP_TRUST_BIT(i);
    return 0;
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
    facts->clock_mhz = since ? reading->clock_low_mhz : reading->clock_mhz;
    facts->clock_max_mhz = reading->clock_max_mhz;
    facts->memory_clock_mhz = since ? reading->memory_clock_low_mhz : reading->memory_clock_mhz;
    facts->memory_clock_max_mhz = reading->memory_clock_max_mhz;
}

void app_trust_samples(struct app_trust_facts *facts, const double *samples, size_t n)
{
    facts->samples = krn_summarise(samples, n);
    facts->not_settled = n >= KRN_SETTLED_SAMPLES && !krn_settled(samples, n);
    facts->wandering = krn_wanders(samples, n);
}

void app_trust_series(struct app_trust_facts *facts, const struct krn_series *series)
{
    facts->samples = krn_series_summary(series);
    facts->not_settled = series->count >= KRN_SETTLED_SAMPLES && !krn_series_settled(series);
    facts->wandering = krn_series_wanders(series);
}

void app_trust_dropped(struct app_trust_facts *facts, unsigned long dropped, size_t n)
{
    facts->dropped_share = dropped > 0 ? (double)dropped / ((double)dropped + (double)n) : 0.0;
}

void app_trust_screen(struct app_trust_facts *facts, const struct krn_capabilities *can,
                      const struct ren_gl_info *gl, const struct ren_blit_status *blit)
{
    facts->gl_software = gl->software;
    /* A picture in host memory can only be uploaded to OpenGL, so this is not a warning. */
    facts->gl_elsewhere = !can->host_images && blit->elsewhere;
    facts->interop_off = !can->host_images && blit->used != REN_BLIT_INTEROP;
}
