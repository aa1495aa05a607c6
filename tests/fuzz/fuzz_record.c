/* Results records: reading, rebuilding, judging, printing, replaying and merging them. */
#include "input.h"

#include "print/print.h"
#include "record/merge.h"
#include "record/record.h"
#include "recorded/parts.h"
#include "recorded/recorded.h"
#include "replay/replay.h"

static const double band_percent = 1.0;

/* Uses what was read as the program does. */
static void use_results(const struct app_results *results)
{
    static struct app_claim claims[APP_CLAIM_COUNT];
    char *page = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&page, &length);
    input_check(out != NULL, "memory for a page");
    app_results_judge(results, band_percent, claims);
    app_results_print(results, APP_STYLE_TEXT, out);
    fclose(out);
    free(page);
}

static void use_replay(const char *text, size_t size)
{
    struct krn_error error = {0};
    struct app_replay replay;
    char origin[160], modes[APP_MODES_MAX];
    const enum krn_code code = app_replay_read(&replay, text, size, "record.json", &error);
    input_answer(code == KRN_OK, error.text);
    if (code != KRN_OK)
        return;
    const struct app_state state = app_replay_state(&replay);
    input_check(app_state_check(&state, &error) == KRN_OK, error.text);
    app_replay_origin(&replay, origin, sizeof origin);
    app_replay_modes(&replay, state.mode, modes, sizeof modes);
    app_replay_free(&replay);
}

/* Merges a record alone, and continues it, as the program does with those of its own processes. */
static void use_record(const char *text, size_t size)
{
    struct krn_error error = {0};
    struct app_record *record = NULL;
    const struct app_merge_run run = {.processes_asked = 1};
    char *merged = NULL;
    if (app_record_merge(&text, 1, &run, &merged, NULL, &error) != KRN_OK)
        input_check_sentence(error.text);
    free(merged);
    if (app_record_resume(text, size, "record.json", &record, &error) == KRN_OK)
        free(app_record_text(record));
    app_record_free(record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct krn_error error = {0};
    struct app_results results;
    char *text = input_text(data, size);
    const enum krn_code code = app_results_read(text, size, "record.json", &results, &error);
    input_answer(code == KRN_OK, error.text);
    if (code == KRN_OK)
        use_results(&results);
    app_results_free(&results);
    use_replay(text, size);
    if (strlen(text) == size)
        use_record(text, size);
    free(text);
    return 0;
}
