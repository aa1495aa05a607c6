/* Atomic adds: into one counter, or into several. */
#include "topics/topic.h"

static struct app_estimate ratio(const struct app_probes_view *view, const char *series,
                                 const char *over)
{
    return app_series_ratio(view, KRN_TOPIC_ATOMICS, series, over, -1.0, APP_M_GOPS);
}

/* On a GPU, by memory: the rate with one counter per thread over the rate with one counter. On a
 * CPU: the rate with a cache line per counter over the rates with one counter and with adjacent
 * counters. */
static void analyse(const struct app_probes_view *view, struct app_analysis *analysis)
{
    if (view->device->can.warps) {
        app_finding_add_ratio(analysis, "global", "one counter per thread over one, global memory",
                              ratio(view, "global/thread", "global/one"));
        app_finding_add_ratio(analysis, "shared", "one counter per thread over one, shared memory",
                              ratio(view, "shared/thread", "shared/one"));
        app_finding_add_ratio(analysis, "shared/global",
                              "shared over global memory, one counter per thread",
                              ratio(view, "shared/thread", "global/thread"));
        return;
    }
    app_finding_add_ratio(analysis, "one", "one counter per thread over one, all threads",
                          ratio(view, "thread", "one"));
    app_finding_add_ratio(analysis, "neighbours",
                          "one cache line per counter over one for all, all threads",
                          ratio(view, "thread", "neighbours"));
}

static void picture(const struct app_picture_facts *facts, struct app_picture *picture)
{
    static const struct row {
        const char *name, *series;
    } gpu[] = {{"global: one counter", "global/one"}, {"one per warp", "global/warp"},
               {"one per thread", "global/thread"},   {"shared: one counter", "shared/one"},
               {"one per warp", "shared/warp"},       {"one per thread", "shared/thread"}},
      cpu[] = {{"one counter for all", "one"},
               {"counters in one line", "neighbours"},
               {"a line for each", "thread"}};
    const struct app_probes_view *view = facts->probes;
    const bool warps = view->device->can.warps;
    const struct row *const rows = warps ? gpu : cpu;
    struct app_analysis analysis = {.count = 0};
    analyse(view, &analysis);
    picture->caption = "adds per second; longer is faster";
    for (size_t i = 0; i < (warps ? 6 : 3); i++)
        app_picture_metric(
            picture, rows[i].name, i < 3 ? APP_INK_CURVE + 2 : APP_INK_STORAGE + KRN_STORAGE_SHARED,
            view, app_probe_result_find(view, KRN_TOPIC_ATOMICS, rows[i].series, -1.0), APP_M_GOPS);
    const struct app_estimate gain = app_finding(&analysis, warps ? "global" : "one")->value;
    app_picture_say(picture, &gain, 1, "A counter for each thread is %s× faster than one for all",
                    app_number_plain(gain.value, "").value);
}

const struct app_topic app_topic_atomics = {
    .topic = KRN_TOPIC_ATOMICS,
    .text = APP_TEXT_TUTORIAL,
    .title = "Atomic adds",
    .panel_title = "Atomic adds",
    .matrix = true,
    .metric = {APP_M_GOPS, APP_M_GOPS},
    .formulas = {"adds per second = threads × adds per thread / time",
                 "gain = adds per second, one counter per thread / one counter", NULL},
    .analyse = analyse,
    .picture = picture,
};
