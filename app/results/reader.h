/* app/results/reader.h - a reader for the records that are compared. */
#ifndef APP_RECORD_READ_H
#define APP_RECORD_READ_H

#include "krn/error.h"

#include <stdbool.h>
#include <stddef.h>

/* One result of a record. Long texts are truncated. */
struct app_read_result {
    char name[128]; /* "raytrace book/global" */
    char key[512];  /* name, backend and parameters: results with the same key are comparable */
    double median_ms;
    double *samples_ms; /* owned */
    size_t n;           /* number of samples */
    bool wrong;         /* verification failed */
    bool complete;
};

struct app_read_record {
    char host[64], device[96], driver[64], time_utc[32];
    struct app_read_result *results; /* owned */
    size_t count;
};

/* Reads a record file. Checks presence and type of the members that a comparison needs and ignores
 * the others. Errors: KRN_REFUSED and KRN_FAILED, naming file and line; KRN_NO_MEMORY. */
enum krn_code app_record_read(const char *path, struct app_read_record *record,
                              struct krn_error *error);

void app_read_record_free(struct app_read_record *record); /* accepts a zeroed record */

#endif
