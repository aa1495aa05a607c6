#include "model/anatomy.h"

#include "base/memory.h"

#include "krn/stats.h"

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

struct pending {
    struct app_frame frame;
    double begin_ms;
    bool used;
    bool ended; /* the host's part is complete */
    bool waits_gl, waits_device;
    bool has_gl, has_device;
    struct ren_frame_times gl;
    struct krn_stamps device;
};

struct app_anatomy {
    uint64_t number; /* of the frame in progress; 0: none */
    struct pending pending[PENDING];
    enum app_phase phase;
    double phase_ms; /* when it was entered; < 0: no phase is in progress */
    struct app_frame frames[APP_ANATOMY_FRAMES];
    int next, count;
    uint64_t from; /* frames before this one do not count */
    double shown_ms;
    bool shown;
};

struct app_anatomy *app_anatomy_open(void)
{
    struct app_anatomy *made = app_alloc(1, sizeof *made);
    made->phase_ms = -1.0;
    return made;
}

void app_anatomy_close(struct app_anatomy *anatomy)
{
    free(anatomy);
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

static void add_span(struct pending *pending, enum app_phase phase, double begin_ms, double end_ms)
{
    (void)app_lane_add(&pending->frame.lanes[APP_LANE_GPU], phase, begin_ms - pending->begin_ms,
                       end_ms - pending->begin_ms);
}

static void add_marks(struct pending *pending, enum app_phase phase, enum ren_mark begin,
                      enum ren_mark end)
{
    const struct ren_frame_times *gl = &pending->gl;
    if (gl->marked[begin] && gl->marked[end])
        add_span(pending, phase, gl->at_ms[begin], gl->at_ms[end]);
}

/* Returns by how much the device's parts are moved against the host's clock, ms. OpenGL draws the
 * picture after the device has released it, and nothing runs before the frame began; where the
 * uncertain ties of the clocks contradict that, by no more than they are uncertain, the order
 * decides. */
static double shift_of(const struct pending *pending)
{
    const struct krn_stamps *device = &pending->device;
    const struct ren_frame_times *gl = &pending->gl;
    const double first_ms = device->parts[0].begin_ms,
                 last_ms = device->parts[device->count - 1].end_ms;
    if (pending->has_gl && gl->marked[REN_MARK_PICTURE_BEGIN]) {
        const double over_ms = last_ms - gl->at_ms[REN_MARK_PICTURE_BEGIN];
        if (over_ms > 0.0 && over_ms <= device->tie_ms + gl->tie_ms)
            return -over_ms;
    }
    const double early_ms = pending->begin_ms - first_ms;
    return early_ms > 0.0 && early_ms <= device->tie_ms ? early_ms : 0.0;
}

static void add_device(struct pending *pending)
{
    static const enum app_phase phases[KRN_PARTS] = {[KRN_PART_POSE] = APP_PHASE_POSE,
                                                     [KRN_PART_KERNEL] = APP_PHASE_KERNEL,
                                                     [KRN_PART_COPY] = APP_PHASE_COPY};
    const struct krn_stamps *device = &pending->device;
    if (device->count == 0)
        return;
    const double shift_ms = shift_of(pending);
    for (int i = 0; i < device->count; i++)
        add_span(pending, phases[device->parts[i].part], device->parts[i].begin_ms + shift_ms,
                 device->parts[i].end_ms + shift_ms);
    pending->frame.device_tie_ms = device->tie_ms;
}

/* Makes the GPU's lane of a frame that has all its times, and keeps the frame. */
static void complete(struct app_anatomy *anatomy, struct pending *pending)
{
    if (!pending->ended || (pending->waits_gl && !pending->has_gl) ||
        (pending->waits_device && !pending->has_device))
        return;
    struct app_lane *cpu = &pending->frame.lanes[APP_LANE_CPU],
                    *gpu = &pending->frame.lanes[APP_LANE_GPU];
    if (pending->has_device)
        add_device(pending);
    if (pending->has_gl) {
        add_marks(pending, APP_PHASE_COPY, REN_MARK_UPLOAD_BEGIN, REN_MARK_UPLOAD_END);
        add_marks(pending, APP_PHASE_PICTURE, REN_MARK_PICTURE_BEGIN, REN_MARK_PICTURE_END);
        add_marks(pending, APP_PHASE_OVERLAY, REN_MARK_OVERLAY_BEGIN, REN_MARK_OVERLAY_END);
        pending->frame.gl_tie_ms = pending->gl.tie_ms;
    }
    app_lane_sort(cpu);
    app_lane_sort(gpu);
    gpu->span_ms = cpu->span_ms;
    for (int i = 0; i < gpu->count; i++)
        gpu->span_ms = fmax(gpu->span_ms, gpu->parts[i].end_ms);
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
        last->frame.lanes[APP_LANE_CPU].span_ms = now_ms - last->begin_ms;
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
    (void)app_lane_add(&pending->frame.lanes[APP_LANE_CPU], anatomy->phase,
                       anatomy->phase_ms - pending->begin_ms, now_ms - pending->begin_ms);
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
    pending->gl = *times;
    pending->has_gl = true;
    complete(anatomy, pending);
}

void app_anatomy_take_device(struct app_anatomy *anatomy, const struct krn_stamps *stamps)
{
    struct pending *pending = pending_of(anatomy, stamps->frame);
    if (!pending)
        return;
    pending->device = *stamps;
    pending->has_device = true;
    complete(anatomy, pending);
}

/* Returns frame i of those kept, 0 for the oldest. */
static const struct app_frame *kept(const struct app_anatomy *anatomy, int i)
{
    return &anatomy->frames[(anatomy->next + APP_ANATOMY_FRAMES - anatomy->count + i) %
                            APP_ANATOMY_FRAMES];
}

/* The medians of a lane besides those of its phases. */
enum { GAPS = APP_PHASE_COUNT, SPAN };

/* Returns the median over the kept frames of a lane's phase, of its gaps or of its span. */
static double median_of(const struct app_anatomy *anatomy, int lane, int what)
{
    double values[APP_ANATOMY_FRAMES];
    for (int i = 0; i < anatomy->count; i++) {
        const struct app_lane *of = &kept(anatomy, i)->lanes[lane];
        values[i] = what == GAPS   ? app_lane_gaps(of)
                    : what == SPAN ? of->span_ms
                                   : app_lane_phase(of, (enum app_phase)what);
    }
    krn_sort(values, (size_t)anatomy->count);
    return krn_quantile_sorted(values, (size_t)anatomy->count, 0.5);
}

void app_anatomy_sum_up(const struct app_anatomy *anatomy, struct app_anatomy_view *view)
{
    double sorted[APP_ANATOMY_FRAMES];
    const int n = anatomy->count;
    view->frames = n;
    view->gl_tie_ms = view->device_tie_ms = 0.0;
    view->draws = 0;
    if (n == 0)
        return;
    memset(view->mismatch, 0, sizeof view->mismatch);
    for (int i = 0; i < n; i++) {
        const struct app_frame *frame = kept(anatomy, i);
        for (int lane = 0; lane < APP_LANES; lane++)
            view->mismatch[lane] =
                fmax(view->mismatch[lane], app_lane_mismatch(&frame->lanes[lane]));
        sorted[i] = view->lengths_ms[i] = frame->lanes[APP_LANE_CPU].span_ms;
        view->gl_tie_ms = fmax(view->gl_tie_ms, frame->gl_tie_ms);
        view->device_tie_ms = fmax(view->device_tie_ms, frame->device_tie_ms);
        view->draws = frame->draws > view->draws ? frame->draws : view->draws;
    }
    krn_sort(sorted, (size_t)n);
    view->length_ms = krn_quantile_sorted(sorted, (size_t)n, 0.5);
    for (int i = 0; i < n; i++)
        if (view->lengths_ms[i] == sorted[(n - 1) / 2])
            view->frame = *kept(anatomy, i);
    for (int lane = 0; lane < APP_LANES; lane++) {
        for (int phase = 0; phase < APP_PHASE_COUNT; phase++)
            view->phases_ms[lane][phase] = median_of(anatomy, lane, phase);
        view->gaps_ms[lane] = median_of(anatomy, lane, GAPS);
        view->spans_ms[lane] = median_of(anatomy, lane, SPAN);
    }
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

bool app_lane_add(struct app_lane *lane, enum app_phase phase, double begin_ms, double end_ms)
{
    if (lane->count == APP_LANE_PARTS)
        return false;
    if (end_ms > begin_ms)
        lane->parts[lane->count++] = (struct app_part){phase, begin_ms, end_ms};
    return true;
}

void app_lane_sort(struct app_lane *lane)
{
    for (int i = 1; i < lane->count; i++) {
        const struct app_part part = lane->parts[i];
        int at = i;
        for (; at > 0 && lane->parts[at - 1].begin_ms > part.begin_ms; at--)
            lane->parts[at] = lane->parts[at - 1];
        lane->parts[at] = part;
    }
}

double app_lane_phase(const struct app_lane *lane, enum app_phase phase)
{
    double sum = 0.0;
    for (int i = 0; i < lane->count; i++)
        if (lane->parts[i].phase == phase)
            sum += lane->parts[i].end_ms - lane->parts[i].begin_ms;
    return sum;
}

double app_lane_parts(const struct app_lane *lane)
{
    double sum = 0.0;
    for (int i = 0; i < lane->count; i++)
        sum += lane->parts[i].end_ms - lane->parts[i].begin_ms;
    return sum;
}

double app_lane_gaps(const struct app_lane *lane)
{
    double covered = 0.0, gaps = 0.0;
    for (int i = 0; i < lane->count; i++) {
        gaps += fmax(fmin(lane->parts[i].begin_ms, lane->span_ms) - covered, 0.0);
        covered = fmax(covered, lane->parts[i].end_ms);
    }
    return gaps + fmax(lane->span_ms - covered, 0.0);
}

double app_lane_mismatch(const struct app_lane *lane)
{
    return lane->span_ms > 0.0
               ? fabs(app_lane_parts(lane) + app_lane_gaps(lane) - lane->span_ms) / lane->span_ms
               : 0.0;
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
