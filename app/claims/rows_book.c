/* Rows about CUDA by Example, 6.3: constant memory. */
#include "claims/rows.h"

#include "base/value.h"
#include "judge/trust.h"

#include <math.h>
#include <string.h>

/* One line per record. The ratios are those of its processes, global over constant; `widen` is half
 * the clock's tick as a fraction of both times. */
static const struct {
    const char *file, *name, *date;
    size_t processes;
    double ratios[KRN_PROCESSES_MAX];
    double widen;
    unsigned trust; /* APP_TRUST_BIT of the reasons in the record */
} records[] = {
    {"nvidia-h200-all.json.gz",
     "NVIDIA H200",
     "2026-11-23",
     5,
     {0.829386, 0.830430, 0.833387, 0.829295, 0.827648},
     0.001368,
     APP_TRUST_BIT(APP_TRUST_NEAR_FLOOR)},
    {"nvidia-h100-all.json.gz",
     "NVIDIA H100 80GB HBM3",
     "2026-11-25",
     5,
     {0.825790, 0.830950, 0.828886, 0.827395, 0.829767},
     0.001369,
     APP_TRUST_BIT(APP_TRUST_NEAR_FLOOR)},
};

enum { RECORDS = sizeof records / sizeof *records };

_Static_assert((int)RECORDS <= (int)APP_RECORDED_MAX, "more records than the list holds");

size_t app_recorded_devices(struct app_recorded_device devices[APP_RECORDED_MAX])
{
    for (size_t i = 0; i < RECORDS; i++) {
        devices[i] = (struct app_recorded_device){
            .file = records[i].file,
            .name = records[i].name,
            .date = records[i].date,
            .kernel_ratio = app_estimate_of_processes(records[i].ratios, records[i].processes,
                                                      records[i].widen)};
        devices[i].kernel_ratio.trust = APP_TRUST_BIT(APP_TRUST_RECORDED) | records[i].trust;
    }
    return RECORDS;
}

void app_row_constant_kernel(struct app_claim *row, const struct app_claim_facts *facts)
{
    char text[96];
    row->scope = facts->kernel_scope ? facts->kernel_scope : row->scope;
    app_row_ratio(row, facts->kernel_ratio, row->claimed, facts->band_percent, facts->no_kernel);
    if (facts->kernel_ratio.valid && facts->kernel_net_ratio.valid) {
        app_format(text, sizeof text, "net of overhead %s×",
                   app_number_plain(facts->kernel_net_ratio.value, "").value);
        app_row_note(row, text);
    }
    if (facts->scene_ratio.valid) {
        const struct app_number here = app_number_plain(facts->scene_ratio.value, "");
        const bool named = facts->scene != NULL && facts->scene[0] != 0;
        app_format(text, sizeof text, "this scene%s%s%s %s×", named ? " (" : "",
                   named ? facts->scene : "", named ? ")" : "", here.value);
        app_row_note(row, text);
        app_format(row->beside, sizeof row->beside, "here %.2f×", facts->scene_ratio.value);
    } else if (facts->no_scene != NULL) {
        app_format(text, sizeof text, "here: %s", facts->no_scene);
        app_row_note(row, text);
    }
    if (facts->age != NULL && facts->kernel_ratio.valid)
        app_row_note(row, facts->age);
}

void app_row_constant_window(struct app_claim *row, const struct app_claim_facts *facts)
{
    row->scope = facts->window_scope ? facts->window_scope : row->scope;
    app_row_ratio(row, facts->window_ratio, row->claimed, facts->band_percent, facts->no_window);
    if (!facts->window_ratio.valid)
        return;
    if (facts->generate_ms[0] > 0.0 && facts->generate_ms[1] > 0.0) {
        char text[96];
        app_format(text, sizeof text,
                   "Time to generate: %3.1f ms from global, %3.1f ms from constant",
                   facts->generate_ms[0], facts->generate_ms[1]);
        app_row_note(row, text);
    }
    if (facts->load_ms > 0.0) {
        char load[48];
        const struct app_number time = app_number_time(facts->load_ms);
        app_format(load, sizeof load, "loading took %s %s", time.value, time.unit);
        app_row_note(row, load);
        app_format(row->method, sizeof row->method, "Window: without %s %s for loading", time.value,
                   time.unit);
    }
    if (facts->age != NULL)
        app_row_note(row, facts->age);
}

/* Puts what this device measured in the place of an older record of the same kind of device, or at
 * the end. Returns the number of devices. */
static size_t add_this_device(struct app_recorded_device *devices, size_t count,
                              const struct app_claim_facts *facts)
{
    const struct krn_device_info *info = facts->probes ? facts->probes->device : NULL;
    size_t at = 0;
    if (info == NULL || !info->can.warps || !facts->kernel_ratio.valid)
        return count;
    while (at < count && strcmp(devices[at].name, info->name) != 0)
        at++;
    devices[at] =
        (struct app_recorded_device){.name = info->name, .kernel_ratio = facts->kernel_ratio};
    return at < count ? count : count + 1;
}

void app_row_constant_others(struct app_claim *row, const struct app_claim_facts *facts)
{
    struct app_recorded_device devices[APP_RECORDED_MAX + 1];
    size_t of[APP_CLAIM_VERDICTS] = {0}; /* devices by their own verdict */
    double least = INFINITY;
    const size_t count = add_this_device(devices, app_recorded_devices(devices), facts);
    row->scope =
        "the book's kernel on the book's scene, on every GPU that the project has a record "
        "of, and on this device if it is a GPU";
    for (size_t i = 0; i < count; i++) {
        const struct app_estimate *ratio = &devices[i].kernel_ratio;
        char text[96];
        of[app_claim_faster(*ratio, facts->band_percent)]++;
        row->estimate.trust |= ratio->trust;
        app_format(text, sizeof text, "%s %s×", devices[i].name,
                   app_number_plain(ratio->value, "").value);
        app_row_note(row, text);
        if (ratio->value < least) {
            least = ratio->value;
            app_format(row->beside, sizeof row->beside, "%s %.2f×", devices[i].name, least);
        }
    }
    row->estimate.valid = count > 0;
    row->estimate.value = (double)of[APP_CLAIM_HOLDS];
    row->verdict = of[APP_CLAIM_WRONG] > 0          ? APP_CLAIM_WRONG
                   : of[APP_CLAIM_DO_NOT_QUOTE] > 0 ? APP_CLAIM_DO_NOT_QUOTE
                   : of[APP_CLAIM_FAILS] > 0        ? APP_CLAIM_FAILS
                   : of[APP_CLAIM_HOLDS] == count   ? APP_CLAIM_HOLDS
                                                    : APP_CLAIM_CANT_TELL;
    app_format(row->now, sizeof row->now, "%zu of %zu GPUs", of[APP_CLAIM_HOLDS], count);
}
