/* Recorded runs, and what the screen takes from them. */
#include "input.h"

#include "recorded/playback.h"
#include "recorded/recorded.h"

static const double band_percent = 1.0;

static void use_run(const struct app_recorded *recorded)
{
    static struct app_playback playback;
    struct app_recorded_view view;
    struct app_state state = app_state_default();
    app_recorded_view_of(recorded, &state, &view);
    free(playback.story.sweep);
    memset(&playback, 0, sizeof playback); /* an earlier run may have had the same address */
    for (int duel = 0; duel < 2; duel++) {
        state.duel.on = duel != 0;
        (void)app_playback_find(&playback, recorded, &state, NULL, band_percent);
        app_playback_frame(&playback, KRN_BACKEND_CUDA);
    }
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
