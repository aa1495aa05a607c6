#include "anatomy/phases.h"

static const struct {
    const char *name, *words;
} phases[APP_PHASE_COUNT] = {
    [APP_PHASE_INPUT] = {"input", "input, commands"},
    [APP_PHASE_PANELS] = {"panels", "panels' slices"},
    [APP_PHASE_MAP] = {"map", "map for CUDA"},
    [APP_PHASE_POSE] = {"pose", "pose"},
    [APP_PHASE_KERNEL] = {"kernel", "kernel"},
    [APP_PHASE_COPY] = {"copy", "copy, unmap"},
    [APP_PHASE_VERIFY] = {"verify", "read, verify"},
    [APP_PHASE_PICTURE] = {"picture", "draw picture"},
    [APP_PHASE_LAYOUT] = {"layout", "lay out overlay"},
    [APP_PHASE_OVERLAY] = {"overlay", "draw overlay"},
    [APP_PHASE_SWAP] = {"swap", "swap, wait"},
};

const char *app_phase_name(enum app_phase phase)
{
    return phases[phase].name;
}

const char *app_phase_words(enum app_phase phase, bool host_kernel)
{
    if (phase == APP_PHASE_KERNEL && !host_kernel)
        return "launch, kernel";
    if (phase == APP_PHASE_MAP && host_kernel)
        return "prepare image";
    if (phase == APP_PHASE_COPY && host_kernel)
        return "upload";
    return phases[phase].words;
}
