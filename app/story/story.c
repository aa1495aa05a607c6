#include "story/story.h"

#include "base/clock.h"
#include "base/environment.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/evidence.h"
#include "measure/sampler.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the order of the points, their predicted times, and their pictures --- */

struct app_story_plan app_story_plan_default(void)
{
    const struct app_story_plan plan = {
        .counts = {10, 20, 50, 100, 200, 500, 1000, 2000, 5000},
        .count = 9,
        .width = 1024,
        .height = 1024,
    };
    return plan;
}

void app_story_order(int count, int order[APP_CURVE_COUNTS])
{
    bool taken[APP_CURVE_COUNTS] = {false};
    int n = 0;
    if (count <= 0)
        return;
    order[n++] = 0;
    taken[0] = true;
    if (count > 1) {
        order[n++] = count - 1;
        taken[count - 1] = true;
    }
    /* The middle of every gap, then those of the gaps that this leaves. */
    while (n < count) {
        int middles[APP_CURVE_COUNTS], found = 0;
        for (int low = 0, high = 1; high < count; high++) {
            if (!taken[high])
                continue;
            if (high - low > 1)
                middles[found++] = (low + high) / 2;
            low = high;
        }
        for (int i = 0; i < found; i++) {
            order[n++] = middles[i];
            taken[middles[i]] = true;
        }
    }
}

double app_story_predict_ms(const int *counts, const double *ms, int count, int at)
{
    int below = -1, before = -1, above = -1;
    if (ms[at] > 0.0)
        return ms[at];
    for (int i = 0; i < at; i++)
        if (ms[i] > 0.0) {
            before = below;
            below = i;
        }
    for (int i = count - 1; i > at; i--)
        if (ms[i] > 0.0)
            above = i;
    if (below < 0)
        return above < 0 ? -1.0 : ms[above];
    /* Two noisy times may seem not to grow at all. */
    const double short_step = 3.0, least_slope = 0.5, step = (double)counts[at] / counts[below];
    double slope = 1.0;
    if (before >= 0 && step <= short_step)
        slope = log(ms[below] / ms[before]) / log((double)counts[below] / counts[before]);
    slope = fmin(fmax(slope, least_slope), 1.0);
    const double grown_ms = ms[below] * pow(step, slope);
    return above < 0 ? grown_ms : fmin(grown_ms, ms[above]);
}

void app_story_compare(const uint64_t *hashes, const bool *hashed, int count,
                       enum app_verified *verified)
{
    int most = 0, pictures = 0, best = 0;
    for (int i = 0; i < count; i++) {
        int equal = 0;
        for (int other = 0; hashed[i] && other < count; other++)
            equal += hashed[other] && hashes[other] == hashes[i];
        pictures += hashed[i];
        if (equal > most) {
            most = equal;
            best = i;
        }
    }
    for (int i = 0; i < count; i++)
        verified[i] = !hashed[i] || pictures < 2  ? APP_VERIFIED_UNKNOWN
                      : hashes[i] == hashes[best] ? APP_VERIFIED_TRUE
                                                  : APP_VERIFIED_FALSE;
}

/* --- measuring --- */

enum { POINTS = KRN_MODES * APP_CURVE_COUNTS };

/* A turn of a point: this many samples, after a warm-up. */
enum { TURN = APP_STORY_FIRST, WARM_UP = 1 };

/* A point is done early when its interval is narrower than this fraction of its median. */
static const double narrow = 0.01;

/* A warm-up run that takes this long counts: what is loaded meanwhile is negligible. */
static const double long_run_s = 0.03;

/* After so many runs in a row without a reading, a point is given up. */
enum { LOST_MAX = 20 };

/* A point is given up when the frame for its hash took far too long twice: the first time, its
 * kernel may have been compiled meanwhile. */
enum { SLOW_MAX = 2 };

/* One mode at one count; its samples are those of the item with the same number. */
struct point {
    double ms[APP_STORY_SAMPLES], binning_ms[APP_STORY_SAMPLES];
    struct app_estimate estimate; /* of the median */
    bool hashed;                  /* its picture has been hashed */
    int slow;                     /* times that the frame for that took far too long */
    bool done;                    /* it has its samples, or its interval is narrow */
    uint64_t hash;
    enum app_verified verified;
    unsigned lasting; /* reasons of the device to doubt any of its samples */
    double wall_ms, cpu_ms;
};

/* What belongs to one backend. */
struct side {
    struct krn_device *device; /* NULL: not connected */
    struct krn_image image;
    int scene_at; /* index of the count whose scene is on the device; -1: none */
    unsigned long drops;
    bool done;
    char why[APP_NOTICE_MAX];
    struct app_sampler sampler;
    struct app_item items[POINTS];
    struct point points[POINTS];
};

struct app_story {
    struct app_story_plan plan;
    double band_percent;
    int order[APP_CURVE_COUNTS];
    struct side *sides[KRN_BACKEND_COUNT]; /* NULL: nothing was measured */
    void (*settle)(void *who);             /* NULL: there is nothing to wait for */
    void *settle_who;
    struct app_battery battery;
    bool ran, hidden;
    struct app_story_view view;
};

static int point_at(int mode, int at)
{
    return mode * APP_CURVE_COUNTS + at;
}

static struct krn_mode mode_of(int point)
{
    return krn_mode_at(point / APP_CURVE_COUNTS);
}

static int count_of(int point)
{
    return point % APP_CURVE_COUNTS;
}

struct app_story *app_story_open(const struct app_story_plan *plan, double band_percent)
{
    struct app_story *story = app_alloc(1, sizeof *story);
    story->plan = *plan;
    story->band_percent = band_percent;
    app_story_order(plan->count, story->order);
    return story;
}

static void close_device(struct side *side)
{
    if (side->device != NULL)
        krn_device_free_image(side->device, &side->image);
    krn_device_close(side->device);
    side->device = NULL;
    side->scene_at = -1;
}

void app_story_release(struct app_story *story, enum krn_backend_id backend)
{
    if (story->sides[backend] == NULL)
        return;
    close_device(story->sides[backend]);
    free(story->sides[backend]);
    story->sides[backend] = NULL;
}

void app_story_close(struct app_story *story)
{
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        app_story_release(story, (enum krn_backend_id)id);
    free(story);
}

void app_story_set_idle_hook(struct app_story *story, void (*settle)(void *who), void *who)
{
    story->settle = settle;
    story->settle_who = who;
}

void app_story_again(struct app_story *story, enum krn_backend_id backend)
{
    app_story_release(story, backend);
}

bool app_story_ran(const struct app_story *story)
{
    return story->ran;
}

void app_story_pause(struct app_story *story, bool hidden)
{
    story->ran = false;
    story->hidden = hidden;
}

bool app_story_over(const struct app_story *story, enum krn_backend_id backend)
{
    const struct side *side = story->sides[backend];
    return side != NULL && (side->done || side->why[0] != 0);
}

/* --- the points as a source --- */

static struct krn_view view_of(const struct app_story_plan *plan)
{
    const struct krn_view view = {
        .width = plan->width, .height = plan->height, .unit = 1024.0f / (float)plan->height};
    return view;
}

/* The source's view of a story: one of its sides. */
struct source {
    const struct app_story *story;
    struct side *side;
};

/* Renders one frame and waits for it, so that frames and points never share the device. */
static enum krn_code start_frame(void *self, int item, struct krn_error *error)
{
    const struct source *source = self;
    struct side *side = source->side;
    const struct krn_view view = view_of(&source->story->plan);
    side->drops = krn_device_gate_drops(side->device);
    const enum krn_code code =
        krn_device_render(side->device, mode_of(item), &view, &side->image, 0, error);
    return code == KRN_OK ? krn_device_sync(side->device, error) : code;
}

static enum app_poll poll_frame(void *self, int item, struct app_reading *reading)
{
    const struct source *source = self;
    struct side *side = source->side;
    struct point *point = &side->points[item];
    struct krn_reading next;
    bool taken = false;
    while (krn_device_poll(side->device, &next)) {
        *reading = (struct app_reading){next.ms, next.binning_ms, next.ms, next.busy};
        taken = true;
        point->wall_ms += next.ms;
        point->cpu_ms += next.cpu_ms;
    }
    if (taken)
        return APP_POLL_TAKEN;
    return krn_device_gate_drops(side->device) > side->drops ? APP_POLL_LATE : APP_POLL_LOST;
}

static const struct app_source story_source = {.start = start_frame, .poll = poll_frame};

/* --- pictures --- */

/* Uploads a scene of the book's recipe with another number of spheres. */
static enum krn_code upload(struct side *side, int spheres, struct krn_error *error)
{
    struct krn_scene_recipe recipe = krn_scene_book();
    struct krn_scene scene = {.spheres = NULL};
    recipe.count = spheres;
    side->scene_at = -1;
    enum krn_code code = krn_scene_generate(&scene, &recipe, error);
    if (code == KRN_OK)
        code = krn_device_set_scene(side->device, &scene, error);
    krn_scene_free(&scene);
    return code;
}

/* Uploads the scene of counts[at] unless it is there. */
static enum krn_code adopt(const struct app_story *story, struct side *side, int at,
                           struct krn_error *error)
{
    if (side->scene_at == at)
        return KRN_OK;
    const enum krn_code code = upload(side, story->plan.counts[at], error);
    if (code == KRN_OK)
        side->scene_at = at;
    return code;
}

/* Compares the pictures of all modes at one count. */
static void compare_pictures(struct side *side, int at)
{
    uint64_t hashes[KRN_MODES];
    bool hashed[KRN_MODES];
    enum app_verified verified[KRN_MODES];
    for (int m = 0; m < KRN_MODES; m++) {
        hashes[m] = side->points[point_at(m, at)].hash;
        hashed[m] = side->points[point_at(m, at)].hashed;
    }
    app_story_compare(hashes, hashed, KRN_MODES, verified);
    for (int m = 0; m < KRN_MODES; m++)
        side->points[point_at(m, at)].verified = verified[m];
}

/* Hashes the picture of a point. The image holds another picture before, so that a kernel that
 * writes nothing is noticed. */
static enum krn_code check_picture(const struct app_story *story, struct side *side, int item,
                                   struct krn_error *error)
{
    const double far_too_long = 4.0;
    const struct krn_view view = view_of(&story->plan);
    struct point *point = &side->points[item];
    const double begin_ms = app_clock_ms();
    enum krn_code code = upload(side, 1, error);
    if (code == KRN_OK)
        code = krn_device_render(side->device, krn_mode_at(0), &view, &side->image, KRN_UNTIMED,
                                 error);
    if (code == KRN_OK)
        code = adopt(story, side, count_of(item), error);
    if (code == KRN_OK)
        code =
            krn_device_render(side->device, mode_of(item), &view, &side->image, KRN_UNTIMED, error);
    if (code == KRN_OK)
        code = krn_device_hash(side->device, &side->image, &point->hash, error);
    const bool slow = app_clock_ms() - begin_ms > far_too_long * APP_STORY_FRAME_MS;
    point->slow += slow;
    point->hashed = code == KRN_OK && !slow;
    if (point->hashed)
        compare_pictures(side, count_of(item));
    return code;
}

/* --- which point is next --- */

/* Predicts the time of a frame of a point, ms; < 0: unknown. */
static double predict_ms(const struct app_story *story, const struct side *side, int item)
{
    double ms[APP_CURVE_COUNTS];
    for (int i = 0; i < story->plan.count; i++)
        ms[i] = side->points[item - count_of(item) + i].estimate.value;
    return app_story_predict_ms(story->plan.counts, ms, story->plan.count, count_of(item));
}

/* Returns true when a point takes too long as far as is known. Nothing is known before the least
 * count was measured, which comes first. A single measured frame may have been disturbed, so its
 * point is given up later. */
static bool is_too_long(const struct app_story *story, const struct side *side, int item)
{
    const double ms = predict_ms(story, side, item);
    if (side->points[item].slow >= SLOW_MAX)
        return true;
    const double most_ms = (side->items[item].n > 0 ? 2.0 : 1.0) * APP_STORY_FRAME_MS;
    return ms < 0.0 ? count_of(item) > 0 : ms > most_ms;
}

static bool is_refused(const struct side *side, int item)
{
    return side->items[item].refused[0] != 0;
}

/* Returns the next point that lacks samples: turn by turn, coarse counts first, all modes at each;
 * -1: none is left. */
static int next_point(const struct app_story *story, const struct side *side)
{
    for (size_t target = TURN; target <= APP_STORY_SAMPLES; target += TURN)
        for (int i = 0; i < story->plan.count; i++)
            for (int m = 0; m < KRN_MODES; m++) {
                const int item = point_at(m, story->order[i]);
                if (!is_refused(side, item) && !side->points[item].done &&
                    side->items[item].n < target && !is_too_long(story, side, item))
                    return item;
            }
    return -1;
}

/* --- one side --- */

/* Refuses the modes of other views and those that the backend cannot render, and storages that are
 * no memories of their own. */
static void refuse_modes(const struct app_story *story, struct side *side)
{
    const bool distinct = krn_device_describe(side->device)->can.distinct_storages;
    for (int item = 0; item < POINTS; item++) {
        struct app_item *sampled = &side->items[item];
        const int at = count_of(item);
        struct krn_error why = {.text = ""};
        sampled->ms = side->points[item].ms;
        sampled->second = side->points[item].binning_ms;
        sampled->room = APP_STORY_SAMPLES;
        if (at >= story->plan.count || krn_mode_view(mode_of(item)) != KRN_VIEW_BOOK ||
            (!distinct && mode_of(item).storage != KRN_STORAGE_GLOBAL))
            snprintf(sampled->refused, sizeof sampled->refused, "no point of the plot");
        else if (krn_mode_check(mode_of(item), story->plan.counts[at], &why) != KRN_OK)
            snprintf(sampled->refused, sizeof sampled->refused, "%s", why.text);
    }
}

/* Connects the device of a side and allocates its image. */
static enum krn_code connect(struct app_story *story, struct side *side,
                             const struct app_engine *engine, enum krn_backend_id backend,
                             struct krn_error *error)
{
    side->scene_at = -1;
    enum krn_code code = krn_backend_get(backend)->connect(app_engine_ordinal(engine, backend),
                                                           &side->device, error);
    if (code == KRN_OK)
        code = krn_device_alloc_image(side->device, story->plan.width, story->plan.height,
                                      &side->image, error);
    if (code != KRN_OK)
        return code;
    refuse_modes(story, side);
    side->sampler = (struct app_sampler){
        .source = &story_source,
        .items = side->items,
        .count = POINTS,
        .turns = {.samples = TURN, .warm_up = WARM_UP, .long_s = long_run_s},
    };
    return KRN_OK;
}

/* Sums up a point after its newest sample. */
static void sum_up(struct side *side, int item, const struct app_trust_facts *device_facts,
                   double tick_ms)
{
    const struct app_item *sampled = &side->items[item];
    struct point *point = &side->points[item];
    const size_t n = sampled->n < APP_STORY_SAMPLES ? sampled->n : APP_STORY_SAMPLES;
    struct app_trust_facts facts = *device_facts;
    if (n == 0)
        return;
    facts.has_picture = true;
    facts.verified = point->verified;
    facts.core_share = 0.0;
    if (point->cpu_ms > 0.0)
        facts.core_share =
            point->cpu_ms / point->wall_ms / krn_device_describe(side->device)->processors;
    app_trust_samples(&facts, point->ms, n);
    app_trust_dropped(&facts, sampled->late, sampled->n);
    const unsigned lasting =
        APP_TRUST_BIT(APP_TRUST_THROTTLED) | APP_TRUST_BIT(APP_TRUST_ON_BATTERY);
    const unsigned reasons = app_trust_find(&facts);
    point->lasting |= reasons & lasting;
    const struct krn_interval interval = krn_interval_of(point->ms, n);
    point->estimate = app_estimate_of_run(facts.samples.median, interval, tick_ms);
    point->estimate.trust = reasons | point->lasting;
    point->done =
        n >= APP_STORY_SAMPLES || (n >= 2 * TURN && n % TURN == 0 && interval.valid &&
                                   interval.high - interval.low < narrow * facts.samples.median);
}

/* Runs a point once; its first run hashes its picture. */
static enum krn_code run_point(const struct app_story *story, struct side *side, int item,
                               struct krn_error *error)
{
    struct app_item *sampled = &side->items[item];
    struct app_reading reading;
    enum krn_code code = adopt(story, side, count_of(item), error);
    if (code == KRN_OK && !side->points[item].hashed)
        code = check_picture(story, side, item, error);
    if (code == KRN_OK && !side->points[item].hashed)
        return KRN_OK;
    if (code == KRN_OK)
        code = app_sampler_start(&side->sampler, item, error);
    /* Only this mode cannot run, as a texture that is too large for the device. */
    if (code == KRN_REFUSED) {
        snprintf(sampled->refused, sizeof sampled->refused, "%s", error->text);
        return KRN_OK;
    }
    if (code != KRN_OK || !app_sampler_busy(&side->sampler))
        return code;
    if (app_sampler_poll(&side->sampler, &reading) == APP_POLL_TAKEN)
        sampled->lost = 0;
    else if (++sampled->lost >= LOST_MAX)
        snprintf(sampled->refused, sizeof sampled->refused, "no run gave a reading");
    return KRN_OK;
}

/* Runs points until the burst is over. */
static enum krn_code burst(const struct app_story *story, struct side *side,
                           const struct app_trust_facts *facts, struct krn_error *error)
{
    const double begin_ms = app_clock_ms();
    const double tick_ms = krn_device_overheads(side->device).tick_ms;
    struct source source = {story, side};
    enum krn_code code = KRN_OK;
    int last = -1;
    side->sampler.self = &source;
    while (code == KRN_OK && !app_must_stop()) {
        const int item = next_point(story, side);
        const double passed_ms = app_clock_ms() - begin_ms;
        side->done = item < 0;
        if (side->done || passed_ms >= APP_STORY_BURST_MS ||
            (last >= 0 && passed_ms + predict_ms(story, side, item) > APP_STORY_FRAME_MS))
            break;
        if (item != last)
            app_sampler_begin_turn(&side->sampler, item);
        last = item;
        code = run_point(story, side, item, error);
        if (code == KRN_OK)
            sum_up(side, item, facts, tick_ms);
    }
    side->sampler.self = NULL;
    return code;
}

/* Ends a side that cannot go on; its numbers stay. */
static enum krn_code fail(struct side *side, enum krn_code code, const struct krn_error *error)
{
    close_device(side);
    if (code == KRN_CANCELLED)
        return KRN_OK;
    snprintf(side->why, sizeof side->why, "%s", error->text);
    return code == KRN_LOST ? KRN_LOST : KRN_OK;
}

enum krn_code app_story_frame(struct app_story *story, struct app_engine *engine,
                              const struct app_state *state, struct krn_error *error)
{
    const enum krn_backend_id backend = state->backend;
    struct side *side = story->sides[backend];
    story->ran = false;
    if (state->hold || app_must_stop() || app_story_over(story, backend))
        return KRN_OK;
    if (side == NULL)
        side = story->sides[backend] = app_alloc(1, sizeof *side);
    enum krn_code code = KRN_OK;
    story->ran = true;
    /* The frame before may still be running, and its picture may still be drawn. */
    if (story->settle)
        story->settle(story->settle_who);
    code = krn_device_sync(app_engine_device(engine, state), error);
    if (code != KRN_OK)
        return fail(side, code, error);
    const bool shared_banks = krn_backend_get(backend)->can->distinct_storages;
    if (side->device == NULL)
        code = connect(story, side, engine, backend, error);
    if (shared_banks)
        side->scene_at = -1; /* the frame before has written the constant banks */
    const struct app_conditions now = {.on_battery =
                                           app_battery_at(&story->battery, app_clock_s())};
    const struct app_trust_facts facts = app_evidence_of_device(engine, backend, &now);
    if (code == KRN_OK)
        code = burst(story, side, &facts, error);
    if (shared_banks)
        app_engine_forget_upload(engine, backend);
    if (code != KRN_OK)
        return fail(side, code, error);
    if (side->done)
        close_device(side);
    return KRN_OK;
}

/* --- what the screen shows --- */

/* Names the kernels with points that are left out, and the least such count of each. */
static void describe_left_out(const struct app_story *story, const struct side *side,
                              struct app_story_view *view)
{
    char *text = view->left_out;
    const size_t size = sizeof view->left_out;
    size_t used = 0;
    for (int kernel = 0; kernel < KRN_KERNEL_COUNT; kernel++) {
        int least = 0;
        for (int at = story->plan.count - 1; at >= 0; at--)
            for (int m = 0; m < KRN_MODES; m++)
                if ((int)krn_mode_at(m).kernel == kernel && !is_refused(side, point_at(m, at)) &&
                    side->items[point_at(m, at)].n == 0)
                    least = story->plan.counts[at];
        if (least > 0 && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s from %d",
                                     used > 0 ? ", " : "Left out, over 100 ms per frame: ",
                                     krn_kernel_name((enum krn_kernel)kernel), least);
    }
    if (used > 0 && used < size)
        snprintf(text + used, size - used, " spheres.");
}

/* Returns the finished part of all points that are not left out. */
static double progress_of(const struct app_story *story, const struct side *side)
{
    double wanted = 0.0, have = 0.0;
    for (int item = 0; item < POINTS; item++) {
        if (is_refused(side, item) ||
            (predict_ms(story, side, item) >= 0.0 && is_too_long(story, side, item)))
            continue;
        wanted += 1.0;
        have += side->points[item].done
                    ? 1.0
                    : fmin((double)side->items[item].n / APP_STORY_SAMPLES, 1.0);
    }
    return wanted > 0.0 ? have / wanted : 0.0;
}

static void collect_points(const struct app_story *story, const struct side *side,
                           struct app_story_view *view)
{
    for (int item = 0; item < POINTS; item++) {
        const struct app_item *sampled = &side->items[item];
        const struct point *point = &side->points[item];
        if (count_of(item) >= story->plan.count || sampled->n == 0)
            continue;
        struct app_estimate estimate = point->estimate;
        /* Another mode's picture may have turned out to be the right one since. */
        if (point->verified == APP_VERIFIED_FALSE)
            estimate.trust |= APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
        else if (point->verified == APP_VERIFIED_TRUE)
            estimate.trust &=
                ~(APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE) | APP_TRUST_BIT(APP_TRUST_NOT_VERIFIED));
        app_curves_offer(&view->curves, mode_of(item), count_of(item), &estimate);
        view->trust |= estimate.trust;
        if (view->least == 0 || sampled->n < view->least)
            view->least = sampled->n;
    }
}

const struct app_story_view *app_story_current(struct app_story *story, enum krn_backend_id backend)
{
    const struct side *side = story->sides[backend];
    struct app_story_view *view = &story->view;
    memset(view, 0, sizeof *view);
    view->width = story->plan.width;
    view->height = story->plan.height;
    app_curves_begin(&view->curves, KRN_VIEW_BOOK, story->plan.counts, story->plan.count,
                     !krn_backend_get(backend)->can->distinct_storages);
    if (side == NULL)
        return view;
    view->begun = true;
    view->done = side->done;
    view->paused = story->hidden && !side->done;
    memcpy(view->why, side->why, sizeof view->why);
    collect_points(story, side, view);
    view->progress = side->done ? 1.0 : progress_of(story, side);
    if (side->done)
        describe_left_out(story, side, view);
    app_story_headline_of(&view->curves, story->band_percent, &view->headline);
    return view;
}
