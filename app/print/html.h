/* app/print/html.h - what the page of a record has besides its tables: the frame around them with
 * the picture, the charts, and the histograms.
 */
#ifndef APP_HTML_H
#define APP_HTML_H

#include "model/sweep.h"
#include "topics/picture.h"

#include <stdio.h>

/* assets/page.html: the style sheet, the script, and places for colours and content. */
extern const char app_asset_page_html[];

/* Prints the page up to its tables: the device that measured, and the picture, whose bytes of PNG
 * may be NULL: there is none. The tables follow in APP_STYLE_HTML. */
void app_html_begin(const struct app_results *results, const unsigned char *png, size_t png_bytes,
                    FILE *out);
void app_html_end(FILE *out);

/* Returns a page with the list of its sections, which get ids and titles that differ; frees the one
 * without. */
char *app_html_contents(char *page);

/* Prints what a record says of its run; of copied numbers, of the run that measured them. */
void app_html_facts(const struct app_results *results, FILE *out);

/* Each returns markup, to be freed; NULL: there is nothing to draw. */

/* The histogram of a result's samples in 32 bins, the last of which has also the slowest 1 %. Of
 * samples that belong to two sides in turn, `side` is 0 or 1; -1: they are all of one. */
char *app_html_histogram(const struct app_result *result, int side);

/* The charts of a topic and of a sweep. */
char *app_html_topic(enum krn_topic topic, const struct app_picture_facts *facts);
char *app_html_sweep(const struct app_sweep *sweep);

#endif
