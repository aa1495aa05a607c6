/* app/recorded/parts.h - the files of a recorded run, the device that measured it, and its claims.
 */
#ifndef APP_RECORDED_PARTS_H
#define APP_RECORDED_PARTS_H

#include "base/limits.h"
#include "claims/claims.h"
#include "model/model.h"

#include "krn/error.h"

#include <stdbool.h>

/* The device whose records stand in for a GPU that is missing. */
#define APP_RECORDED_DEFAULT "h200"

enum { APP_RECORDED_FILES_MAX = 16 };

struct app_recorded_names {
    char paths[APP_RECORDED_FILES_MAX][APP_PATH_MAX];
    int count;
};

/* Finds the folder of the shipped records: beside an installed program, else in the source tree.
 * Returns false when there is none. */
bool app_recorded_folder(char folder[APP_PATH_MAX]);

/* Lists the files that `names` stands for (app_recorded_open); folder: of the shipped records, ""
 * for none. Errors: as app_recorded_open. */
enum krn_code app_recorded_list(const char *names, const char *folder,
                                struct app_recorded_names *list, struct krn_error *error);

/* Fills all claims from the results of a record; depends on nothing else. */
void app_results_judge(const struct app_results *results, double band_percent,
                       struct app_claim claims[APP_CLAIM_COUNT]);

/* Does the same with the record's probes (app_results_probes), which its caller has at hand. */
void app_results_judge_probes(const struct app_results *results,
                              const struct app_results_probes *probes, double band_percent,
                              struct app_claim claims[APP_CLAIM_COUNT]);

/* Writes the sentence that a record with copied results has: the device that measured them, and the
 * date. */
void app_origin_sentence(const char *name, const char *date, char *text, size_t size);

/* In a record whose times of modes were copied, replaces the device, which rendered the picture, by
 * the one that measured them, and the time by theirs. Where nothing names it, the record stays as
 * it is. */
void app_origin_restore(struct app_results *results);

#endif
