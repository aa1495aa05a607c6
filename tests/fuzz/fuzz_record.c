/* Results records: reading, rebuilding, judging, printing, replaying and merging them. */
#include "input.h"

#include "bench/program.h"
#include "command/command.h"
#include "model/model.h"
#include "print/print.h"
#include "records/io.h"
#include "records/recorded.h"

static const double band_percent = 1.0;

/* Uses what was read as the program does. */
static void use_results(const struct app_results *results)
{
    static struct app_claim claims[APP_CLAIM_COUNT];
    char *page = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&page, &length);
    input_check(out != NULL, "memory for a page");
    app_results_judge(results, NULL, band_percent, claims);
    app_results_print(results, APP_STYLE_TEXT, out);
    fclose(out);
    free(page);
    free(app_web_page_text(&(struct app_web_page){.records = results, .count = 1}));
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
    app_replay_modes(&replay, state.spec.mode, modes, sizeof modes);
    app_replay_free(&replay);
}

/* Merges a record alone, as the program does with those of its own processes, and writes it. */
static void use_record(struct app_results *results)
{
    struct krn_error error = {0};
    const struct app_merge_run run = {.processes_asked = 1};
    struct app_results merged = {.count = 0};
    if (app_results_merge(results, 1, &run, &merged, &error) != KRN_OK)
        input_check_sentence(error.text);
    free(app_results_text(merged.memory != NULL ? &merged : results));
    app_results_free(&merged);
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
    if (code == KRN_OK)
        use_record(&results);
    app_results_free(&results);
    use_replay(text, size);
    free(text);
    return 0;
}
