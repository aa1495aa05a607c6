/* Recorded runs, and what the screen takes from them. */
#include "input.h"

#include "records/recorded.h"

static const double band_percent = 1.0;

static void use_run(const struct app_recorded *recorded)
{
    static struct app_story_view story;
    const struct app_state state = app_state_default();
    app_recorded_story(recorded, &state, band_percent, &story);
    for (int m = 0; m < KRN_MODES; m++)
        (void)app_recorded_find(recorded, &state, krn_mode_at(m));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct input_file input;
    struct krn_error error = {0};
    struct app_recorded *recorded = NULL;
    input_file_put(&input, data, size);
    const enum krn_code code = app_recorded_open(input.path, band_percent, &recorded, &error);
    input_answer(code == KRN_OK, error.text);
    if (code == KRN_OK)
        use_run(recorded);
    app_recorded_close(recorded);
    return 0;
}
