/* app/print/entries.h - one function per kind of benchmark (inside print/ only). */
#ifndef APP_PRINT_ENTRIES_H
#define APP_PRINT_ENTRIES_H

#include "print/page.h"
#include "print/sweep.h"

/* Each prints the tables of one benchmark. Errors: KRN_NO_MEMORY. */
enum krn_code app_print_modes(struct app_page *page, struct krn_error *error);
enum krn_code app_print_sweep(struct app_page *page, const struct app_sweep *sweep,
                              struct krn_error *error);
enum krn_code app_print_topic(struct app_page *page, enum krn_topic topic, struct krn_error *error);
enum krn_code app_print_book(struct app_page *page, struct krn_error *error);
enum krn_code app_print_duel(struct app_page *page, struct krn_error *error);
enum krn_code app_print_claims(struct app_page *page, struct krn_error *error);

/* Prints every kernel of the record against the roofs, where a roof is known. */
enum krn_code app_print_roofline(struct app_page *page, struct krn_error *error);

/* Prints the results of a benchmark that has no table of its own. */
enum krn_code app_print_others(struct app_page *page, const char *benchmark,
                               struct krn_error *error);

#endif
