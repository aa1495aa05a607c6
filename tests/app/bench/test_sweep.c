/* Interrupted sweeps: the record is marked as incomplete. */
#include "pictures.h"

#include "base/interrupt.h"
#include "bench/sweep.h"
#include "command/mode.h"

#include <signal.h>

static struct app_engine *engine;
static struct app_state state;
static struct app_environment environment;

/* Runs both parts of one report, the second after `between`. Returns whether the record is
 * complete. */
static bool two_parts(void (*between)(void))
{
    struct app_report report;
    const struct app_plan plan = {.frames = 2, .seconds = 0.2};
    const struct app_span first[APP_SWEEP_AXES] = {{true, 1, 1}},
                          second[APP_SWEEP_AXES] = {{true, 2, 2}};
    app_report_begin(&report, &environment, engine, &state, NULL);
    TEST_OK(app_sweep_run(engine, &state, first, 0, &plan, &report, &error));
    assert_int_equal(report.results.count, app_mode_count(KRN_VIEW_BOOK));
    between();
    TEST_OK(app_sweep_run(engine, &state, second, 0, &plan, &report, &error));
    TEST_OWNED(app_results_free) struct app_results results = app_report_end(&report);
    for (size_t i = 0; i < results.count; i++)
        assert_true(results.results[i].complete);
    return results.complete;
}

static void nothing(void)
{
}

static void interrupt(void)
{
    app_interrupt_catch(true);
    app_interrupt_keep();
    raise(SIGTERM);
}

/* An interrupt between two counts cuts no result short, and the record must still be incomplete.
 * Last, because an interrupt stays set. */
TEST(interrupted_between_two_counts)
{
    assert_true(two_parts(nothing));
    assert_false(two_parts(interrupt));
    assert_true(app_interrupted());
}

int main(void)
{
    static char name[] = "test_sweep";
    char *arguments[] = {name, NULL};
    struct app_run run = app_run_default();
    char notice[APP_NOTICE_MAX];
    run.backend = KRN_BACKEND_CPU;
    state = app_state_default();
    state.width = state.height = 16;
    app_environment_collect(&environment, 1, arguments);
    if (app_engine_open(&engine, &run, &state, notice, &error) != KRN_OK)
        return 1;
    const int failed = tests_run(NULL, NULL);
    app_engine_close(engine);
    return failed;
}
