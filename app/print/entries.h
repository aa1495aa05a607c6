/* app/print/entries.h - one function per kind of benchmark (inside print/ only). */
#ifndef APP_PRINT_ENTRIES_H
#define APP_PRINT_ENTRIES_H

#include "print/page.h"
#include "print/sweep.h"

/* Each prints the tables of one benchmark. */
void app_print_modes(struct app_page *page);
void app_print_sweep(struct app_page *page, const struct app_sweep *sweep);
void app_print_topic(struct app_page *page, enum krn_topic topic);
void app_print_book(struct app_page *page);
void app_print_duel(struct app_page *page);
void app_print_claims(struct app_page *page);

/* Prints every kernel of the record against the roofs, where a roof is known. */
void app_print_roofline(struct app_page *page);

/* Prints the results of a benchmark that has no table of its own. */
void app_print_others(struct app_page *page, const char *benchmark);

#endif
