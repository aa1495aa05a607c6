/* Stands in for windows and pictures in a build without OpenGL. */
#include "window/front.h"

static enum krn_code absent(struct krn_error *error)
{
    return KRN_FAIL(error, KRN_UNAVAILABLE,
                    "This build has no window and no pictures (SPHERESCOPE_GUI=OFF).");
}

enum krn_code app_front_prepare(struct app_program *program, struct krn_error *error)
{
    return app_run_records(&program->run) || program->run.qr_given ? absent(error) : KRN_OK;
}

void app_front_release(struct app_program *program)
{
    (void)program;
}

enum krn_code app_front_window(struct app_program *program, int *exit_code, struct krn_error *error)
{
    (void)program;
    (void)exit_code;
    return absent(error);
}

enum krn_code app_front_offscreen(struct app_program *program, struct app_results *results,
                                  struct krn_error *error)
{
    (void)program;
    (void)results;
    return absent(error);
}

enum krn_code app_front_talk_check(struct app_program *program, struct krn_error *error)
{
    (void)program;
    return absent(error);
}

enum krn_code app_front_sweep(struct app_program *program, const struct app_results *results,
                              struct krn_error *error)
{
    (void)program;
    (void)results;
    return absent(error);
}

enum krn_code app_front_read_record(const char *path, char **text, int *width, int *height,
                                    struct krn_error *error)
{
    (void)path;
    (void)text;
    (void)width;
    (void)height;
    return KRN_FAIL(error, KRN_UNAVAILABLE,
                    "This build cannot read screenshots (SPHERESCOPE_GUI=OFF); a results file in "
                    "JSON can be replayed.");
}

enum krn_code app_front_describe(int cuda_ordinal, char *text, size_t size, struct krn_error *error)
{
    (void)cuda_ordinal;
    (void)text;
    (void)size;
    return absent(error);
}
