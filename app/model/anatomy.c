/* app/model/anatomy.c - joins times of host, OpenGL and device into frames of two lanes. */
#include "model/anatomy.h"

#include "krn/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *words;
} phase_texts[APP_PHASE_COUNT] = {
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
    return phase_texts[phase].name;
}

const char *app_phase_words(enum app_phase phase, bool host_kernel)
{
    if (phase == APP_PHASE_KERNEL && !host_kernel)
        return "launch, kernel";
    if (phase == APP_PHASE_MAP && host_kernel)
        return "prepare image";
    if (phase == APP_PHASE_COPY && host_kernel)
        return "upload";
    return phase_texts[phase].words;
}

/* Frames whose times are under way: OpenGL and the device keep eight each. */
enum { PENDING = 16 };

/* What is shown stays for so long. */
static const double show_ms = 1000.0;

/* A frame, once its times are known. */
struct frame {
    uint64_t number;
    double phases_ms[APP_LANES][APP_PHASE_COUNT], span_ms;
    int draws;
};

struct pending {
    struct frame frame;
    double begin_ms;
    bool used;
    bool ended; /* the host's part is complete */
    bool waits_gl, waits_device;
};

struct app_anatomy {
    uint64_t number; /* of the frame in progress; 0: none */
    struct pending pending[PENDING];
    enum app_phase phase;
    double phase_ms; /* when it was entered; < 0: no phase is in progress */
    struct frame frames[APP_ANATOMY_FRAMES];
    int next, count;
    uint64_t from; /* frames before this one do not count */
    double shown_ms;
    bool shown;
};

struct app_anatomy *app_anatomy_open(void)
{
    struct app_anatomy *made = krn_alloc(1, sizeof *made);
    made->phase_ms = -1.0;
    return made;
}

static struct pending *pending_of(struct app_anatomy *anatomy, uint64_t number)
{
    struct pending *pending = &anatomy->pending[number % PENDING];
    return number > 0 && pending->used && pending->frame.number == number ? pending : NULL;
}

/* Returns the frame in progress; NULL: there is none. */
static struct pending *current(struct app_anatomy *anatomy)
{
    return anatomy ? pending_of(anatomy, anatomy->number) : NULL;
}

void app_anatomy_clear(struct app_anatomy *anatomy)
{
    anatomy->count = anatomy->next = 0;
    anatomy->from = anatomy->number;
    anatomy->shown = false;
}

void app_anatomy_drop(struct app_anatomy *anatomy)
{
    struct pending *pending = current(anatomy);
    if (pending)
        pending->used = false;
}

/* Keeps a frame that has all its times. */
static void complete(struct app_anatomy *anatomy, struct pending *pending)
{
    if (!pending->ended || pending->waits_gl || pending->waits_device)
        return;
    pending->used = false;
    if (pending->frame.number < anatomy->from)
        return;
    anatomy->frames[anatomy->next] = pending->frame;
    anatomy->next = (anatomy->next + 1) % APP_ANATOMY_FRAMES;
    anatomy->count += anatomy->count < APP_ANATOMY_FRAMES;
}

uint64_t app_anatomy_begin(struct app_anatomy *anatomy, double now_ms)
{
    struct pending *last = current(anatomy);
    app_anatomy_leave(anatomy, now_ms);
    if (last) {
        last->frame.span_ms = now_ms - last->begin_ms;
        last->ended = true;
        complete(anatomy, last);
    }
    struct pending *next = &anatomy->pending[++anatomy->number % PENDING];
    memset(next, 0, sizeof *next);
    next->frame.number = anatomy->number;
    next->begin_ms = now_ms;
    next->used = true;
    return anatomy->number;
}

void app_anatomy_enter(struct app_anatomy *anatomy, enum app_phase phase, double now_ms)
{
    if (!current(anatomy))
        return;
    app_anatomy_leave(anatomy, now_ms);
    anatomy->phase = phase;
    anatomy->phase_ms = now_ms;
}

void app_anatomy_leave(struct app_anatomy *anatomy, double now_ms)
{
    struct pending *pending = current(anatomy);
    if (!pending || anatomy->phase_ms < 0.0)
        return;
    pending->frame.phases_ms[APP_LANE_CPU][anatomy->phase] += fmax(now_ms - anatomy->phase_ms, 0.0);
    anatomy->phase_ms = -1.0;
}

void app_anatomy_expect_gl(struct app_anatomy *anatomy)
{
    struct pending *pending = current(anatomy);
    if (pending)
        pending->waits_gl = true;
}

void app_anatomy_expect_device(struct app_anatomy *anatomy)
{
    struct pending *pending = current(anatomy);
    if (pending)
        pending->waits_device = true;
}

void app_anatomy_note_draws(struct app_anatomy *anatomy, int draws)
{
    struct pending *pending = current(anatomy);
    if (pending)
        pending->frame.draws = draws;
}

void app_anatomy_take_gl(struct app_anatomy *anatomy, const struct ren_frame_times *times)
{
    struct pending *pending = pending_of(anatomy, times->frame);
    if (!pending)
        return;
    double *gpu = pending->frame.phases_ms[APP_LANE_GPU];
    gpu[APP_PHASE_COPY] += times->upload_ms;
    gpu[APP_PHASE_PICTURE] = times->picture_ms;
    gpu[APP_PHASE_OVERLAY] = times->overlay_ms;
    pending->waits_gl = false;
    complete(anatomy, pending);
}

void app_anatomy_take_device(struct app_anatomy *anatomy, const struct krn_stamps *stamps)
{
    struct pending *pending = pending_of(anatomy, stamps->frame);
    if (!pending)
        return;
    double *gpu = pending->frame.phases_ms[APP_LANE_GPU];
    gpu[APP_PHASE_POSE] = stamps->ms[KRN_PART_POSE];
    gpu[APP_PHASE_KERNEL] = stamps->ms[KRN_PART_KERNEL];
    gpu[APP_PHASE_COPY] += stamps->ms[KRN_PART_COPY];
    pending->waits_device = false;
    complete(anatomy, pending);
}

/* The medians besides those of phases. */
enum { GAPS = APP_PHASE_COUNT, SPAN };

/* Returns the median over the kept frames of a lane's phase, of its gaps, or of a frame's span. */
static double median_of(const struct app_anatomy *anatomy, int lane, int what)
{
    double values[APP_ANATOMY_FRAMES];
    for (int i = 0; i < anatomy->count; i++) {
        const struct frame *frame = &anatomy->frames[i];
        values[i] = what < GAPS ? frame->phases_ms[lane][what] : frame->span_ms;
        for (int phase = 0; what == GAPS && phase < APP_PHASE_COUNT; phase++)
            values[i] -= frame->phases_ms[lane][phase];
    }
    krn_sort(values, (size_t)anatomy->count);
    return fmax(krn_quantile_sorted(values, (size_t)anatomy->count, 0.5), 0.0);
}

void app_anatomy_sum_up(const struct app_anatomy *anatomy, struct app_anatomy_view *view)
{
    const int n = anatomy->count, oldest = n < APP_ANATOMY_FRAMES ? 0 : anatomy->next;
    view->frames = n;
    view->draws = 0;
    if (n == 0)
        return;
    for (int i = 0; i < n; i++) {
        const struct frame *frame = &anatomy->frames[(oldest + i) % APP_ANATOMY_FRAMES];
        view->lengths_ms[i] = frame->span_ms;
        view->draws = frame->draws > view->draws ? frame->draws : view->draws;
    }
    for (int lane = 0; lane < APP_LANES; lane++) {
        for (int phase = 0; phase < APP_PHASE_COUNT; phase++)
            view->phases_ms[lane][phase] = median_of(anatomy, lane, phase);
        view->gaps_ms[lane] = median_of(anatomy, lane, GAPS);
    }
    view->span_ms = median_of(anatomy, APP_LANE_CPU, SPAN);
}

bool app_anatomy_show(struct app_anatomy *anatomy, double now_ms, struct app_anatomy_view *view)
{
    if (anatomy->shown && now_ms - anatomy->shown_ms < show_ms)
        return false;
    /* Few frames have no median yet: the first ones prepare buffers and fonts. */
    enum { ENOUGH = 10 };
    app_anatomy_sum_up(anatomy, view);
    if (anatomy->count >= ENOUGH) {
        anatomy->shown = true;
        anatomy->shown_ms = now_ms;
    }
    return true;
}

const char *app_frame_limit(const struct app_limit_facts *facts)
{
    if (facts->vsync && facts->refresh_hz > 0.0 &&
        fabs(facts->frame_ms * facts->refresh_hz / 1e3 - 1.0) < 0.1)
        return "vsync";
    if (facts->kernel_ms > 0.5 * facts->frame_ms)
        return facts->host_kernel ? "the CPU's kernel" : "the GPU's kernel";
    return facts->software_gl ? "drawing on the CPU" : "the host";
}
