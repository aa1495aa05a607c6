#include "bench/program.h"

#include "base/clock.h"

#include <math.h>

uint64_t app_program_order(const struct app_program *program)
{
    const bool worker = program->worker.number > 0,
               shuffles = worker || program->run.order_seed_given;
    const uint64_t seed = worker ? program->worker.seed : program->run.order_seed;
    const uint64_t own = seed + (uint64_t)(worker ? program->worker.number : 1);
    return !shuffles ? 0 : own != 0 ? own : 1;
}

struct app_plan app_program_plan(struct app_program *program)
{
    const struct app_run *run = &program->run;
    return (struct app_plan){.frames = run->frames,
                             .seconds = program->share_s,
                             .modes = run->modes,
                             .seed = app_program_order(program),
                             .repeats = app_worker_repeats(&program->worker),
                             .progress = &program->progress};
}

void app_program_share(struct app_program *program, int parts)
{
    const double least_s = 0.001, seconds = program->run.seconds;
    const double left_s = seconds - (app_clock_s() - program->start_s);
    program->share_s = seconds > 0.0 ? fmax(left_s / parts, least_s) : 0.0;
}
