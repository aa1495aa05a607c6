/* Compares the CPU's tree with Embree 3 on the same rays: nearly all of them hit the same sphere,
 * and ours are not much slower. Both trace the rays of a picture as the light view's kernel makes
 * them, a tile's at a time: primary rays, rays off mirrors, and shadow rays. They take turns on the
 * same threads, and CPU time counts, so other programs disturb both alike.
 *
 * Every way to call Embree is timed, and the fastest one counts. A way's time is without that of
 * filling in the rays and without building the tree, which is timed alone. */
#ifdef TEST_EMBREE
#include "cpu/device/cpu.h"
#include "cpu/light/rays.h"
#endif

#include "pictures.h"
#include "timing.h"

#ifndef TEST_EMBREE

int main(void)
{
    puts("Embree 3 is not installed (on Debian, the package libembree-dev).");
    return 77;
}

#else

#include "krn/stats.h"
#include "scenes/scene_file.h"

#include <embree3/rtcore.h>
#include <math.h>
#include <time.h>

enum { ROUNDS = 3 };
/* A turn is long enough to bring a tree into the caches that its predecessor's tree took. */
enum { SIDE = KRN_CPU_LIGHT_TILE, RAYS = KRN_CPU_LIGHT_RAYS, BATCHES_PER_TURN = 256, BUILDS = 9 };
enum { THREADS_MAX = 64 };

/* PRIMARY rays start at the eye, REFLECTED ones at mirrors; SHADOW rays go towards the sun. */
enum kind { PRIMARY, REFLECTED, SHADOW, KINDS };

static const struct {
    const char *name;
    double least; /* the test's limit of Embree's time over ours, far below what is measured */
} kinds[KINDS] = {{"primary", 1.0}, {"reflected", 0.5}, {"shadow", 0.6}};

/* Ways to trace a batch. NONE only reads the clock; its time is taken off the others'. PACKET has
 * as many rays as the processor's widest registers have lanes. */
enum way { NONE, OURS, SINGLE, PACKET, STREAM, WAYS };
enum { EMBREE_WAYS = WAYS - SINGLE };

static const char *const ways[WAYS] = {"", "", "rtcIntersect1", "a packet", "rtcIntersect1M"};

static const struct {
    const char *name, *file; /* NULL: random spheres */
    struct krn_scene_recipe recipe;
    struct krn_camera camera;
} scenes[] = {
    {"488 spheres of plaza.json", "/assets/scenes/plaza.json", {0}, {-20.0f, 11.0f, 1.7f}},
    {"10^4 spheres, radii 20:120", NULL, {10000, 1, 20.0f, 120.0f}, {-24.0f, 9.0f, 2.7f}},
    {"10^4 spheres, radii 2:12", NULL, {10000, 1, 2.0f, 12.0f}, {-24.0f, 9.0f, 2.7f}},
    {"10^5 spheres, radii 20:120", NULL, {100000, 1, 20.0f, 120.0f}, {-24.0f, 9.0f, 2.7f}},
    {"10^5 spheres, radii 1:6", NULL, {100000, 1, 1.0f, 6.0f}, {-24.0f, 9.0f, 2.7f}},
};

/* The rays of a kind. Batch b has those from starts[b] to starts[b + 1] - 1, at most RAYS. */
struct batches {
    struct krn_ray *rays;
    int *starts;
    int count, held;
    size_t rays_held;
};

/* The memory of one thread: a batch as each side reads it, and its CPU time, ms. */
struct bench {
    struct krn_cpu_rays rays;
    struct krn_cpu_shadows shadows;
    struct RTCRayHit single[RAYS];
    struct RTCRayHit8 eight[RAYS / 8];
    struct RTCRayHit16 sixteen[RAYS / 16];
    double ms[WAYS];
    long hits, differ;
};

struct comparison {
    const struct krn_cpu_light_kernels *kernels;
    const struct krn_cpu_light_picture *picture;
    struct krn_cpu_team *team;
    RTCScene scene;
    bool sixteen; /* a packet has 16 rays, not 8 */
    struct bench *benches[THREADS_MAX];
    struct batches batches[KINDS];
    enum kind kind;
    int round;
};

static double now_ms(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* --- the rays of a picture --- */

static void add_batch(struct batches *batches, const struct krn_ray *rays, int count)
{
    if (count == 0)
        return;
    if (batches->count == batches->held) {
        batches->held = batches->held ? 2 * batches->held : 1024;
        batches->starts =
            realloc(batches->starts, ((size_t)batches->held + 1) * sizeof *batches->starts);
        assert_non_null(batches->starts);
        batches->starts[0] = 0;
    }
    const int start = batches->starts[batches->count++];
    if ((size_t)start + (size_t)count > batches->rays_held) {
        batches->rays_held = 2 * batches->rays_held + RAYS;
        batches->rays = realloc(batches->rays, batches->rays_held * sizeof *batches->rays);
        assert_non_null(batches->rays);
    }
    batches->starts[batches->count] = start + count;
    memcpy(batches->rays + start, rays, (size_t)count * sizeof *rays);
}

static void fill_ours(const struct comparison *with, const struct krn_ray *rays, int count,
                      struct bench *bench)
{
    for (int k = 0; k < (count + KRN_CPU_LANES - 1) / KRN_CPU_LANES * KRN_CPU_LANES; k++) {
        const struct krn_ray ray = rays[k < count ? k : count - 1];
        const struct krn_vec point = krn_sun_space(&with->picture->frame, ray.origin);
        bench->rays.ox[k] = ray.origin.x;
        bench->rays.oy[k] = ray.origin.y;
        bench->rays.oz[k] = ray.origin.z;
        bench->rays.dx[k] = ray.direction.x;
        bench->rays.dy[k] = ray.direction.y;
        bench->rays.dz[k] = ray.direction.z;
        bench->rays.distance[k] = INFINITY;
        bench->rays.sphere[k] = -1;
        bench->shadows.x[k] = point.x;
        bench->shadows.y[k] = point.y;
        bench->shadows.z[k] = point.z;
        bench->shadows.hidden[k] = 0;
    }
    bench->rays.count = bench->shadows.count = count;
    bench->rays.coherent = with->kind == PRIMARY;
}

/* Follows the paths of a tile's pixels, square by square as the kernel does, and adds their rays.
 */
static void add_tile(struct comparison *with, int left, int low, struct bench *bench)
{
    enum { SQUARE = 4 };
    const struct krn_light_frame *frame = &with->picture->frame;
    const struct krn_cpu_light_scene *scene = &with->picture->scene;
    struct krn_path paths[RAYS];
    struct krn_ray rays[RAYS], shadows[RAYS];
    int count = 0;
    for (int i = 0; i < RAYS; i++) {
        const int square = i / (SQUARE * SQUARE), within = i % (SQUARE * SQUARE);
        const int x = left + square % (SIDE / SQUARE) * SQUARE + within % SQUARE;
        const int y = low + square / (SIDE / SQUARE) * SQUARE + within / SQUARE;
        if (x < frame->width && y < frame->height)
            paths[count++] = (struct krn_path){
                krn_primary(frame, x, y, 0), {0.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}};
    }
    for (int bounce = 0; count > 0; bounce++) {
        int next = 0, lights = 0;
        for (int k = 0; k < count; k++)
            rays[k] = paths[k].ray;
        with->kind = bounce == 0 ? PRIMARY : REFLECTED;
        add_batch(&with->batches[with->kind], rays, count);
        fill_ours(with, rays, count, bench);
        with->kernels->tree_nearest(with->picture, &bench->rays);
        for (int k = 0; k < count; k++) {
            const int s = bench->rays.sphere[k];
            const struct krn_bounce hit =
                s < 0 ? krn_shade_miss(frame, &paths[k])
                      : krn_shade_sphere(frame, &paths[k], bench->rays.distance[k], scene->balls[s],
                                         scene->surfaces[s], bounce == frame->bounces);
            if (hit.faces_sun)
                shadows[lights++] = (struct krn_ray){hit.point, frame->sun};
            if (hit.reflects)
                paths[next++] = paths[k];
        }
        add_batch(&with->batches[SHADOW], shadows, lights);
        count = next;
    }
}

/* --- Embree --- */

static RTCScene build_scene(RTCDevice device, const struct krn_scene *spheres)
{
    RTCScene scene = rtcNewScene(device);
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    float *vertices =
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4,
                                4 * sizeof *vertices, (size_t)spheres->count);
    assert_non_null(vertices);
    for (int i = 0; i < spheres->count; i++) {
        const struct krn_sphere *s = &spheres->spheres[i];
        const float vertex[4] = {s->x, s->y, s->z, s->radius};
        memcpy(vertices + 4 * i, vertex, sizeof vertex);
    }
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene);
    assert_int_equal(rtcGetDeviceError(device), RTC_ERROR_NONE);
    return scene;
}

/* Fills in ray k of a packet; sets its hit to none. */
#define FILL_PACKET(packet, k, one)                                                                \
    do {                                                                                           \
        (packet).ray.org_x[k] = (one)->ray.org_x;                                                  \
        (packet).ray.org_y[k] = (one)->ray.org_y;                                                  \
        (packet).ray.org_z[k] = (one)->ray.org_z;                                                  \
        (packet).ray.dir_x[k] = (one)->ray.dir_x;                                                  \
        (packet).ray.dir_y[k] = (one)->ray.dir_y;                                                  \
        (packet).ray.dir_z[k] = (one)->ray.dir_z;                                                  \
        (packet).ray.tnear[k] = (one)->ray.tnear;                                                  \
        (packet).ray.tfar[k] = (one)->ray.tfar;                                                    \
        (packet).ray.time[k] = (one)->ray.time;                                                    \
        (packet).ray.mask[k] = (one)->ray.mask;                                                    \
        (packet).ray.flags[k] = (one)->ray.flags;                                                  \
        (packet).hit.primID[k] = (one)->hit.primID;                                                \
        (packet).hit.geomID[k] = (one)->hit.geomID;                                                \
        (packet).hit.instID[0][k] = (one)->hit.instID[0];                                          \
    } while (0)

static void fill_embree(const struct comparison *with, enum way way, const struct krn_ray *rays,
                        int count, struct bench *bench)
{
    for (int k = 0; k < count; k++) {
        const struct krn_ray ray = rays[k];
        struct RTCRayHit *one = &bench->single[k];
        *one = (struct RTCRayHit){.ray = {.org_x = ray.origin.x,
                                          .org_y = ray.origin.y,
                                          .org_z = ray.origin.z,
                                          .tnear = with->picture->frame.nearest,
                                          .dir_x = ray.direction.x,
                                          .dir_y = ray.direction.y,
                                          .dir_z = ray.direction.z,
                                          .tfar = INFINITY,
                                          .mask = ~0u},
                                  .hit = {.primID = RTC_INVALID_GEOMETRY_ID,
                                          .geomID = RTC_INVALID_GEOMETRY_ID,
                                          .instID = {RTC_INVALID_GEOMETRY_ID}}};
        if (way == PACKET && with->sixteen)
            FILL_PACKET(bench->sixteen[k / 16], k % 16, one);
        else if (way == PACKET)
            FILL_PACKET(bench->eight[k / 8], k % 8, one);
    }
}

/* Traces `count` rays in packets, the last of which may be partly empty. */
#define TRACE_PACKETS(size, packets, call_shadow, call_nearest)                                    \
    do {                                                                                           \
        _Alignas(64) int valid[size];                                                              \
        for (int at = 0; at < count; at += (size)) {                                               \
            for (int k = 0; k < (size); k++)                                                       \
                valid[k] = at + k < count ? -1 : 0;                                                \
            if (shadow)                                                                            \
                call_shadow(valid, with->scene, &context, &(packets)[at / (size)].ray);            \
            else                                                                                   \
                call_nearest(valid, with->scene, &context, &(packets)[at / (size)]);               \
        }                                                                                          \
    } while (0)

static void trace_embree(const struct comparison *with, enum way way, int count,
                         struct bench *bench)
{
    const bool shadow = with->kind == SHADOW;
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    if (with->kind != REFLECTED)
        context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    if (way == PACKET && with->sixteen)
        TRACE_PACKETS(16, bench->sixteen, rtcOccluded16, rtcIntersect16);
    else if (way == PACKET)
        TRACE_PACKETS(8, bench->eight, rtcOccluded8, rtcIntersect8);
    else if (way == STREAM && shadow)
        rtcOccluded1M(with->scene, &context, &bench->single[0].ray, (unsigned)count,
                      sizeof bench->single[0]);
    else if (way == STREAM)
        rtcIntersect1M(with->scene, &context, bench->single, (unsigned)count,
                       sizeof bench->single[0]);
    else
        for (int k = 0; k < count; k++)
            if (shadow)
                rtcOccluded1(with->scene, &context, &bench->single[k].ray);
            else
                rtcIntersect1(with->scene, &context, &bench->single[k]);
}

/* Returns the distance and the sphere that Embree found; of shadow rays: 1 where it is hidden. */
static struct krn_hit embree_hit(const struct comparison *with, enum way way, int k,
                                 const struct bench *bench)
{
    float distance = bench->single[k].ray.tfar;
    unsigned sphere = bench->single[k].hit.primID;
    if (way == PACKET && with->sixteen) {
        distance = bench->sixteen[k / 16].ray.tfar[k % 16];
        sphere = bench->sixteen[k / 16].hit.primID[k % 16];
    } else if (way == PACKET) {
        distance = bench->eight[k / 8].ray.tfar[k % 8];
        sphere = bench->eight[k / 8].hit.primID[k % 8];
    }
    if (with->kind == SHADOW)
        return (struct krn_hit){0.0f, distance < 0.0f};
    return (struct krn_hit){distance, (int)sphere};
}

/* --- turns --- */

/* Counts the rays that hit another sphere than ours, at another distance. */
static void count_hits(const struct comparison *with, enum way way, int count, struct bench *bench)
{
    const float slack = with->picture->frame.slack;
    for (int k = 0; k < count; k++) {
        const struct krn_hit theirs = embree_hit(with, way, k, bench);
        const int ours =
            with->kind == SHADOW ? bench->shadows.hidden[k] != 0 : bench->rays.sphere[k];
        const bool near = with->kind != SHADOW && ours >= 0 && theirs.sphere >= 0 &&
                          fabsf(theirs.distance - bench->rays.distance[k]) <= slack;
        bench->hits += with->kind == SHADOW ? ours : ours >= 0;
        bench->differ += ours != theirs.sphere && !near;
    }
}

static double trace_batch(const struct comparison *with, enum way way, int batch,
                          struct bench *bench)
{
    const struct batches *batches = &with->batches[with->kind];
    const struct krn_ray *rays = batches->rays + batches->starts[batch];
    const int count = batches->starts[batch + 1] - batches->starts[batch];
    if (way == OURS)
        fill_ours(with, rays, count, bench);
    else if (way != NONE)
        fill_embree(with, way, rays, count, bench);
    const double start = now_ms(CLOCK_THREAD_CPUTIME_ID);
    if (way == OURS && with->kind == SHADOW)
        with->kernels->tree_shadows(with->picture, &bench->shadows);
    else if (way == OURS)
        with->kernels->tree_nearest(with->picture, &bench->rays);
    else if (way != NONE)
        trace_embree(with, way, count, bench);
    return now_ms(CLOCK_THREAD_CPUTIME_ID) - start;
}

/* Traces a share of the batches in every way. */
static void take_turns(const void *context, int index, int thread)
{
    const struct comparison *with = context;
    const struct batches *batches = &with->batches[with->kind];
    const int threads = krn_cpu_team_size(with->team);
    struct bench *bench = with->benches[thread];
    const int end = (int)krn_cpu_part((size_t)batches->count, index + 1, threads);
    memset(bench->ms, 0, sizeof bench->ms);
    for (int first = (int)krn_cpu_part((size_t)batches->count, index, threads); first < end;
         first += BATCHES_PER_TURN)
        for (int turn = 0; turn < WAYS; turn++) {
            const enum way way = (enum way)((turn + with->round) % WAYS);
            for (int b = first; b < end && b < first + BATCHES_PER_TURN; b++)
                bench->ms[way] += trace_batch(with, way, b, bench);
        }
}

static void compare_hits(const void *context, int index, int thread)
{
    const struct comparison *with = context;
    const struct batches *batches = &with->batches[with->kind];
    const int threads = krn_cpu_team_size(with->team);
    struct bench *bench = with->benches[thread];
    bench->hits = bench->differ = 0;
    for (int b = (int)krn_cpu_part((size_t)batches->count, index, threads);
         b < (int)krn_cpu_part((size_t)batches->count, index + 1, threads); b++)
        for (int way = OURS; way < WAYS; way++) {
            trace_batch(with, (enum way)way, b, bench);
            if (way != OURS)
                count_hits(with, (enum way)way, batches->starts[b + 1] - batches->starts[b], bench);
        }
}

/* Compares hits and speed of one kind of rays. */
static void compare_kind(struct comparison *with, enum kind kind)
{
    const struct batches *batches = &with->batches[kind];
    const int threads = krn_cpu_team_size(with->team), rays = batches->starts[batches->count];
    long hits = 0, differ = 0;
    with->kind = kind;
    krn_cpu_team_each(with->team, compare_hits, with);
    for (int t = 0; t < threads; t++) {
        hits += with->benches[t]->hits;
        differ += with->benches[t]->differ;
    }
    double ms[WAYS][ROUNDS], ratios[ROUNDS];
    for (with->round = 0; with->round < ROUNDS; with->round++) {
        krn_cpu_team_each(with->team, take_turns, with);
        for (int way = 0; way < WAYS; way++) {
            ms[way][with->round] = 0.0;
            for (int t = 0; t < threads; t++)
                ms[way][with->round] += with->benches[t]->ms[way] - with->benches[t]->ms[NONE];
        }
    }
    enum way best = SINGLE;
    for (int way = SINGLE; way < WAYS; way++)
        if (krn_summarise(ms[way], ROUNDS).median < krn_summarise(ms[best], ROUNDS).median)
            best = (enum way)way;
    for (int r = 0; r < ROUNDS; r++)
        ratios[r] = ms[best][r] / ms[OURS][r];
    const struct krn_summary ratio = krn_summarise(ratios, ROUNDS);
    print_message("  %-9s %8d rays, ours %7.1f ns, Embree %7.1f ns (%s): %.2f times as fast, "
                  "%.2f to %.2f; %ld hits, %ld differences in %d ways\n",
                  kinds[kind].name, rays, krn_summarise(ms[OURS], ROUNDS).median * 1e6 / rays,
                  krn_summarise(ms[best], ROUNDS).median * 1e6 / rays, ways[best], ratio.median,
                  ratio.min, ratio.max, hits / EMBREE_WAYS, differ, EMBREE_WAYS);
    assert_true(hits > 0);
    /* Silhouettes, and mirrors that touch other spheres, are decided by rounding. */
    assert_true((double)differ <= 1e-3 * EMBREE_WAYS * rays);
    assert_timing(ratio.median >= kinds[kind].least);
}

/* --- scenes --- */

static double median_build(struct comparison *with, struct krn_bounds bounds,
                           const struct krn_cpu_tree *tree)
{
    double ms[BUILDS];
    for (int i = 0; i < BUILDS; i++) {
        const double start = now_ms(CLOCK_PROCESS_CPUTIME_ID);
        with->kernels->build(with->team, &with->picture->scene, &with->picture->frame, bounds,
                             tree);
        ms[i] = now_ms(CLOCK_PROCESS_CPUTIME_ID) - start;
    }
    return krn_summarise(ms, BUILDS).median;
}

static double median_embree_build(RTCDevice device, const struct krn_scene *scene)
{
    double ms[BUILDS];
    for (int i = 0; i < BUILDS; i++) {
        const double start = now_ms(CLOCK_PROCESS_CPUTIME_ID);
        RTCScene built = build_scene(device, scene);
        ms[i] = now_ms(CLOCK_PROCESS_CPUTIME_ID) - start;
        rtcReleaseScene(built);
    }
    return krn_summarise(ms, BUILDS).median;
}

static void compare_scene(struct comparison *with, RTCDevice device, const struct krn_scene *scene,
                          struct krn_camera camera, const char *name)
{
    const int width = test_timing() ? 1920 : 160, height = test_timing() ? 1080 : 90;
    struct krn_view view = test_view(width, height);
    view.light.camera = camera;
    const struct krn_bounds bounds = krn_bounds_of(scene);
    struct krn_cpu_memory memory = {
        .rotated = scene->spheres, .mirrors = scene->mirrors, .count = scene->count};
    struct krn_cpu_light_memory light;
    memset(&light, 0, sizeof light);
    TEST_OK(
        krn_cpu_light_prepare(&light, &memory, with->kernels, with->team, bounds, &view, &error));
    TEST_OK(krn_cpu_light_prepare_tree(&light, krn_cpu_team_size(with->team), bounds, &error));
    with->picture = &light.picture;
    const double ours = median_build(with, bounds, &light.tree);
    print_message("%s, %d x %d: built in %.2f ms, by Embree in %.2f ms\n", name, width, height,
                  ours, median_embree_build(device, scene));
    with->scene = build_scene(device, scene);
    for (int y = 0; y < height; y += SIDE)
        for (int x = 0; x < width; x += SIDE)
            add_tile(with, x, y, with->benches[0]);
    for (int kind = 0; kind < KINDS; kind++) {
        compare_kind(with, (enum kind)kind);
        free(with->batches[kind].rays);
        free(with->batches[kind].starts);
        memset(&with->batches[kind], 0, sizeof with->batches[kind]);
    }
    rtcReleaseScene(with->scene);
    krn_cpu_light_free(&light);
}

TEST(the_tree_keeps_up)
{
    struct comparison with;
    memset(&with, 0, sizeof with);
    TEST_OK(krn_cpu_team_open(&with.team, &error));
    const int threads = krn_cpu_team_size(with.team);
    assert_in_range(threads, 1, THREADS_MAX);
    for (int t = 0; t < threads; t++) {
        with.benches[t] = krn_cpu_aligned(sizeof *with.benches[t]);
        assert_non_null(with.benches[t]);
    }
    char config[32];
    snprintf(config, sizeof config, "threads=%d", threads);
    RTCDevice device = rtcNewDevice(config);
    assert_non_null(device);
    with.sixteen = rtcGetDeviceProperty(device, RTC_DEVICE_PROPERTY_NATIVE_RAY16_SUPPORTED) != 0;
    with.kernels = krn_cpu_best()->light;
    print_message("level %s, %d threads, packets of %d, Embree %ld; all times are CPU time\n",
                  krn_cpu_best()->name, threads, with.sixteen ? 16 : 8,
                  (long)rtcGetDeviceProperty(device, RTC_DEVICE_PROPERTY_VERSION));
    for (size_t s = 0; s < sizeof scenes / sizeof *scenes; s++) {
        TEST_SCENE scene = {.spheres = NULL};
        if (scenes[s].file) {
            char path[1024];
            struct app_scene_note note;
            snprintf(path, sizeof path, "%s%s", TEST_SOURCE_DIR, scenes[s].file);
            TEST_OK(app_scene_read(path, &scene, &note, &error));
        } else {
            TEST_OK(krn_scene_generate(&scene, &scenes[s].recipe, &error));
        }
        compare_scene(&with, device, &scene, scenes[s].camera, scenes[s].name);
    }
    rtcReleaseDevice(device);
    for (int t = 0; t < threads; t++)
        free(with.benches[t]);
    krn_cpu_team_close(with.team);
}

#endif
