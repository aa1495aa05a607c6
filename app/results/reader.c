#include "results/reader.h"

#include "results/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void app_read_record_free(struct app_read_record *record)
{
    for (size_t i = 0; i < record->count; i++)
        free(record->results[i].samples_ms);
    free(record->results);
    memset(record, 0, sizeof *record);
}

static enum krn_code copy_result(const struct app_result_read *from, struct app_read_result *to,
                                 struct krn_error *error)
{
    const size_t n = app_result_samples(from);
    snprintf(to->name, sizeof to->name, "%.60s %.60s", from->benchmark, from->variant);
    snprintf(to->key, sizeof to->key, "%.511s", from->key);
    to->median_ms = app_pairs_number(from->metrics, "median_ms", 0);
    to->wrong = from->verified == APP_VERIFIED_FALSE;
    to->complete = from->complete;
    to->samples_ms = malloc((n + 1) * sizeof *to->samples_ms);
    if (to->samples_ms == NULL)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for %zu samples.", n);
    for (size_t p = 0; p < from->process_count; p++)
        for (size_t i = 0; i < from->processes[p].n; i++)
            to->samples_ms[to->n++] = from->processes[p].samples_ms[i];
    return KRN_OK;
}

enum krn_code app_record_read(const char *path, struct app_read_record *record,
                              struct krn_error *error)
{
    struct app_results results;
    memset(record, 0, sizeof *record);
    enum krn_code code = app_results_read_file(path, &results, error);
    if (code != KRN_OK)
        return code;
    snprintf(record->host, sizeof record->host, "%.63s", results.host);
    snprintf(record->time_utc, sizeof record->time_utc, "%.31s", results.time_utc);
    snprintf(record->device, sizeof record->device, "%.95s",
             results.has_device ? results.device.name : "n/a");
    snprintf(record->driver, sizeof record->driver, "%.63s",
             results.telemetry.valid ? results.telemetry.driver
             : results.has_device    ? results.device.driver
                                     : "n/a");
    record->results = calloc(results.count + 1, sizeof *record->results);
    if (record->results == NULL)
        code = KRN_FAIL(error, KRN_NO_MEMORY, "No memory for %zu results.", results.count);
    for (size_t i = 0; i < results.count && code == KRN_OK; i++) {
        record->count = i + 1;
        code = copy_result(&results.results[i], &record->results[i], error);
    }
    app_results_free(&results);
    if (code != KRN_OK)
        app_read_record_free(record);
    return code;
}
