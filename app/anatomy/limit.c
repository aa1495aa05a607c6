#include "anatomy/limit.h"

#include <math.h>

const char *app_frame_limit(const struct app_limit_facts *facts)
{
    if (facts->vsync && facts->refresh_hz > 0.0 &&
        fabs(facts->frame_ms * facts->refresh_hz / 1e3 - 1.0) < 0.1)
        return "vsync";
    if (facts->kernel_ms > 0.5 * facts->frame_ms)
        return facts->host_kernel ? "the CPU's kernel" : "the GPU's kernel";
    return facts->software_gl ? "drawing on the CPU" : "the host";
}
