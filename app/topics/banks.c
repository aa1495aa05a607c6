/* Bank conflicts: reads of shared memory by stride. */
#include "topics/topic.h"

static struct app_estimate cycles_of(const struct app_probes_view *view, const char *series,
                                     int stride)
{
    return app_series_value(view, KRN_TOPIC_BANKS, series, stride, APP_M_CYCLES_PER_STEP);
}

/* "full", "one": cycles of a read with a stride of 32 words over those with 1, for 32 warps and for
 * one; "odd": with a stride of 33 words, for 32 warps. */
static void analyse(const struct app_probes_view *view, struct app_analysis *analysis)
{
    static const struct {
        const char *key, *series, *what;
        int stride;
    } rows[] = {{"full", "full", "stride 32 over 1, 32 warps", 32},
                {"one", "one", "stride 32 over 1, one warp", 32},
                {"odd", "full", "stride 33 over 1, 32 warps", 33}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        app_finding_add_ratio(analysis, rows[i].key, rows[i].what,
                              app_estimate_ratio(cycles_of(view, rows[i].series, rows[i].stride),
                                                 cycles_of(view, rows[i].series, 1)));
}

/* Powers of two and odd strides have lines of their own, which both begin at 1. */
static void picture(const struct app_picture_facts *facts, struct app_picture *picture)
{
    static const struct {
        const char *name, *series;
        bool odd;
    } lines[] = {
        {"32 warps", "full", false}, {"odd strides", "full", true}, {"1 warp", "one", false}};
    struct app_analysis analysis = {.count = 0};
    analyse(facts->probes, &analysis);
    app_picture_axes(picture, app_axis("stride in words", APP_AXIS_PLAIN, APP_SCALE_POWERS),
                     app_axis("cycles per read of a warp", APP_AXIS_PLAIN, APP_SCALE_POWERS));
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        app_picture_line(picture, lines[i].name, (enum app_ink)(APP_INK_CURVE + 2 * (int)i))
            ->strong = i == 0;
        for (int stride = 1; stride <= 33; stride++)
            if (stride % 2 == lines[i].odd || stride == 1)
                app_picture_point(picture, stride,
                                  cycles_of(facts->probes, lines[i].series, stride));
    }
    const struct app_estimate ends[] = {app_finding(&analysis, "full")->value,
                                        app_finding(&analysis, "odd")->value};
    app_picture_say(picture, ends, 2, "Reads 32 words apart take %s× as long, 33 words apart %s×",
                    app_number_plain(ends[0].value, "").value,
                    app_number_plain(ends[1].value, "").value);
}

const struct app_topic app_topic_banks = {
    .topic = KRN_TOPIC_BANKS,
    .text = APP_TEXT_GUIDE,
    .title = "Bank conflicts of shared memory",
    .panel_title = "Bank conflicts",
    .matrix = true,
    .metric = {APP_M_CYCLES_PER_STEP, APP_M_CYCLES_PER_STEP},
    .formulas = {"cycles per read = cycles / (reads of a warp × warps)",
                 "predicted: as many cycles as lanes meet in one bank", NULL},
    .analyse = analyse,
    .picture = picture,
};
