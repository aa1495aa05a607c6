/* The claims board: published claims beside this device's numbers. */
#include "print/page.h"

#include <string.h>

/* Returns a text of the outcome; "" when it is missing. */
static const char *text_of(const struct app_result_read *result, const char *key)
{
    const char *text = app_pairs_text(result->outcome, key);
    return text ? text : "";
}

/* Adds what a claim says, and what is to be said about its number. */
static void describe_claim(struct app_table *table, const struct app_result_read *result)
{
    /* A note that names a key, such as "press {measure}", is for a window. */
    const char *said = text_of(result, "note");
    const char *note = strchr(said, '{') == NULL ? said : "";
    app_table_about(table, "%s: %s (%s, %s)", result->variant, text_of(result, "claim"),
                    text_of(result, "text_number"), text_of(result, "text_device"));
    if (note[0])
        app_table_note(table, "%s: %s.", result->variant, note);
    if (text_of(result, "method")[0])
        app_table_note(table, "%s: %s", result->variant, text_of(result, "method"));
}

static void add_claim(struct app_table *table, const struct app_result_read *result)
{
    /* Older records have the ends of the interval alone. */
    const struct app_estimate value = app_result_estimate(result, "value");
    const struct app_shown shown = app_shown_number(&value, "");
    const char *interval = text_of(result, "interval");
    app_table_row(table);
    app_table_cell(table, "%s", result->variant);
    app_table_cell(table, "%s", text_of(result, "text_number"));
    app_table_cell(table, "%s", text_of(result, "number"));
    app_table_cell(table, "%s", interval[0] ? interval : shown.interval);
    app_table_cell(table, "%s", text_of(result, "verdict"));
    app_table_cell(table, "%s", text_of(result, "beside"));
    app_page_trust_cell(table, &result->trust);
}

void app_print_claims(struct app_page *page)
{
    struct app_table *table = app_table_new("Published claims, judged on this device");
    app_table_column(table, "claim", APP_ALIGN_LEFT);
    app_table_column(table, "then", APP_ALIGN_LEFT);
    app_table_column(table, "now", APP_ALIGN_LEFT);
    app_table_column(table, app_page_interval_title(page), APP_ALIGN_LEFT);
    app_table_column(table, "verdict", APP_ALIGN_LEFT);
    app_table_column(table, "beside", APP_ALIGN_LEFT);
    app_page_trust_column(table);
    for (size_t i = 0; i < page->results->count; i++) {
        const struct app_result_read *result = &page->results->results[i];
        if (strcmp(result->benchmark, "claims") != 0)
            continue;
        describe_claim(table, result);
        add_claim(table, result);
    }
    app_page_print(page, table);
}
