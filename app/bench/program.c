#include "bench/program.h"

#include <unistd.h>

struct app_plan app_program_plan(const struct app_program *program)
{
    const struct app_run *run = &program->run;
    return (struct app_plan){.frames = run->frames,
                             .seconds = run->seconds,
                             .modes = run->modes,
                             .progress = isatty(STDERR_FILENO) ? stderr : NULL};
}
