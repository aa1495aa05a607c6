/* app/record/old.h - records of the schema "spherescope-results-1". */
#ifndef APP_RECORD_OLD_H
#define APP_RECORD_OLD_H

#include "base/json_read.h"

/* Changes such a record into one of the second schema with one process. Errors: KRN_REFUSED (it is
 * no such record), KRN_NO_MEMORY. */
enum krn_code app_record_upgrade(struct app_json_reader *reader, json_t *root);

#endif
