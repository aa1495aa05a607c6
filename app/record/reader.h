/* app/record/reader.h - results records that somebody else wrote, for comparing them. */
#ifndef APP_RECORD_READ_H
#define APP_RECORD_READ_H

#include "krn/error.h"

#include <stdbool.h>
#include <stddef.h>

/* One result of a record. Texts are cut to their room. */
struct app_read_result {
    char name[128]; /* "raytrace book/global" */
    char key[512];  /* what makes it comparable: name, backend and parameters */
    double median_ms;
    double *samples_ms; /* owned */
    size_t n;
    bool wrong, complete;
};

struct app_read_record {
    char host[64], device[96], driver[64], time_utc[32];
    struct app_read_result *results; /* owned */
    size_t count;
};

/* Reads a record file. Members that a comparison needs must be there and of their types; others
 * are not looked at. Errors: KRN_REFUSED and KRN_FAILED, with file and line; KRN_NO_MEMORY. */
enum krn_code app_record_read(const char *path, struct app_read_record *record,
                              struct krn_error *error);

void app_read_record_free(struct app_read_record *record); /* a zeroed one is fine */

#endif
