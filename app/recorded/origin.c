#include "recorded/parts.h"

#include "results/results.h"

#include <stdio.h>
#include <string.h>

static const char before[] = "Results with the trust id recorded were measured on ",
                  between[] = " on ", after[] = ", not on this machine.";

void app_origin_sentence(const char *name, const char *date, char *text, size_t size)
{
    snprintf(text, size, "%s%s%s%s%s", before, name, between, date, after);
}

/* Returns the first time of a mode that was copied; NULL: there is none. */
static const struct app_result_read *find_copied(const struct app_results *results)
{
    for (size_t i = 0; i < results->count; i++)
        if (strcmp(results->results[i].benchmark, "raytrace") == 0 &&
            app_result_copied(&results->results[i]))
            return &results->results[i];
    return NULL;
}

/* Reads name and date from the sentence; returns false when the text is another one. */
static bool read_sentence(const char *text, char name[128], char date[32])
{
    const char *start = text + sizeof before - 1;
    if (strncmp(text, before, sizeof before - 1) != 0)
        return false;
    const char *end = strstr(start, after), *middle = NULL;
    for (const char *at = strstr(start, between); at != NULL && end != NULL && at < end;
         at = strstr(at + 1, between))
        middle = at;
    if (middle == NULL)
        return false;
    const char *day = middle + sizeof between - 1;
    snprintf(name, 128, "%.*s", (int)(middle - start), start);
    snprintf(date, 32, "%.*s", (int)(end - day), day);
    return true;
}

/* Takes the device's name and the date from the sentence; everything else about it is unknown. */
static void restore_from_sentence(struct app_results *results, const struct app_result_read *copied)
{
    struct krn_device_info device = {.backend = copied->backend,
                                     .can = *krn_backend_get(copied->backend)->can,
                                     .driver = "n/a",
                                     .runtime = "n/a",
                                     .pci_id = "n/a",
                                     .clock = "n/a"};
    char date[32];
    size_t i = 0;
    while (i < results->notes.count && !read_sentence(results->notes.texts[i], device.name, date))
        i++;
    if (i == results->notes.count)
        return;
    results->device = device;
    results->ceilings = krn_ceilings_of(&device);
    results->overheads = (struct krn_overheads){0};
    results->telemetry = (struct krn_telemetry_reading){0};
    results->time_utc = app_results_keep(results->memory, date);
}

void app_origin_restore(struct app_results *results)
{
    const struct app_result_read *copied = find_copied(results);
    const struct app_results_origin *origin = &results->origin;
    if (copied == NULL)
        return;
    if (!origin->valid) {
        restore_from_sentence(results, copied);
        return;
    }
    results->device = origin->device;
    results->ceilings = krn_ceilings_of(&origin->device);
    results->overheads = origin->overheads;
    results->telemetry = origin->telemetry;
    results->time_utc = origin->time_utc;
}
