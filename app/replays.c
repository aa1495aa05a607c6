#include "runs.h"

#include "base/complain.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "command/mode.h"
#include "record/record_json.h"
#include "replay/replay.h"
#include "report/report.h"
#include "window/front.h"

#include <stdlib.h>
#include <string.h>

/* Reads the record of a screenshot or of a results file. The size of a screenshot becomes that of
 * the window, unless the command line has one. */
static enum krn_code read_record(struct app_run *run, char **text, size_t *length,
                                 struct krn_error *error)
{
    static const char signature[] = {'\x89', 'P', 'N', 'G', '\r', '\n', '\x1a', '\n'};
    int width, height;
    if (!app_file_begins(run->replay, signature, sizeof signature))
        return app_read_unpacked(run->replay, app_record_bounds.bytes, text, length, error);
    const enum krn_code code = app_front_read_record(run->replay, text, &width, &height, error);
    if (code != KRN_OK)
        return code;
    *length = strlen(*text);
    if (!run->window_given) {
        run->window_width = width;
        run->window_height = height;
    }
    return KRN_OK;
}

static enum krn_code read_replay(struct app_program *program, struct krn_error *error)
{
    char *text = NULL;
    size_t length = 0;
    program->replay = app_alloc(1, sizeof *program->replay);
    enum krn_code code = read_record(&program->run, &text, &length, error);
    if (code == KRN_OK)
        code = app_replay_read(program->replay, text, length, program->run.replay, error);
    free(text);
    return code;
}

int app_replays_restore(struct app_program *program)
{
    struct krn_error error;
    struct app_run *run = &program->run;
    const struct app_environment *from = &program->environment;
    const enum krn_code code = read_replay(program, &error);
    if (code != KRN_OK) {
        app_complain(error.text);
        return app_exit_code(code);
    }
    const struct app_state recorded = app_replay_state(program->replay);
    if (app_options_restore(from->argc, from->argv, &recorded, &program->state, &error) != KRN_OK) {
        app_complain(error.text);
        return APP_EXIT_USAGE;
    }
    /* The device that the record names, if there is one; the CPU backend is always there. */
    if (run->backend < 0 && !run->device_given && recorded.backend == KRN_BACKEND_CPU)
        run->backend = KRN_BACKEND_CPU;
    if (run->backend >= 0)
        program->state.backend = (enum krn_backend_id)run->backend;
    if (run->modes[0] == 0)
        app_replay_modes(program->replay, program->state.mode, run->modes, sizeof run->modes);
    return APP_EXIT_DONE;
}

/* Writes what a window says first: the verdict, and the time that the record has of the mode. */
static void describe_opening(struct app_program *program, const char *words)
{
    const struct app_replay *replay = program->replay;
    const struct app_results *then = &replay->then;
    char mode[APP_MODE_TEXT_MAX], origin[160];
    app_mode_text(replay->recorded.state.mode, mode, sizeof mode);
    app_replay_origin(replay, origin, sizeof origin);
    const struct app_result_read *result = app_results_find(then, 0, "raytrace", mode);
    const double ms = result ? app_pairs_number(result->metrics, "median_ms", -1.0) : -1.0;
    const struct app_number time = app_number_time(ms);
    const int length = snprintf(
        program->opening, sizeof program->opening, "Replay (%.100s%s%s%s%s): picture %.*s.", origin,
        ms > 0.0 ? ", " : "", ms > 0.0 ? time.value : "", ms > 0.0 ? " " : "",
        ms > 0.0 ? time.unit : "", (int)strcspn(words, "("), words);
    /* A clause that went on in brackets leaves a blank before the full stop. */
    if (length > 2 && (size_t)length < sizeof program->opening &&
        program->opening[length - 2] == ' ') {
        program->opening[length - 2] = '.';
        program->opening[length - 1] = 0;
    }
}

enum krn_code app_replays_verify(struct app_program *program, struct krn_error *error)
{
    enum app_replay_verdict verdict;
    char words[APP_REPLAY_WORDS], origin[160];
    const enum krn_code code = app_replay_verify(program->replay, program->engine, &program->state,
                                                 &verdict, words, error);
    if (code != KRN_OK)
        return code;
    program->wrong = program->wrong || verdict == APP_REPLAY_DIFFERS;
    app_replay_origin(program->replay, origin, sizeof origin);
    FILE *out = app_words_stream(&program->run);
    fprintf(out, "replay: %s (%s)\npicture: %s\n", program->replay->name, origin, words);
    fflush(out);
    describe_opening(program, words);
    return KRN_OK;
}

void app_replays_free(struct app_program *program)
{
    if (program->replay)
        app_replay_free(program->replay);
    free(program->replay);
    program->replay = NULL;
}
