#include "claims/recorded.h"

#include "judge/trust.h"

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
