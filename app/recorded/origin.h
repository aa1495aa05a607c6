/* app/recorded/origin.h - the device that measured the times of a record, where a record was played
 * and written again on another one. */
#ifndef APP_RECORDED_ORIGIN_H
#define APP_RECORDED_ORIGIN_H

#include "results/results.h"

/* Writes the sentence that a record with copied results has: the device that measured them, and the
 * date. */
void app_origin_sentence(const char *name, const char *date, char *text, size_t size);

/* In a record whose times of modes were copied, replaces the device, which rendered the picture, by
 * the one that measured them, and the time by theirs. A record of an early version names the device
 * in a sentence alone; where nothing names it, the record stays as it is. */
void app_origin_restore(struct app_results *results);

#endif
