/* The light view by bounces: the same picture from constant and from global memory. In the brute
 * kernel, the lanes of a warp read one address at a time; in the tree kernel, a bounce spreads
 * them further. Source: NVIDIA, CUDA C++ Programming Guide, on constant memory. */
#include "core/light/light.h"
#include "cuda/light/kernels.h"
#include "cuda/probes/topic.h"

#include <stdlib.h>

enum { GLOBAL, CONSTANT };
enum { BRUTE, TREE, KERNELS };
enum { SPHERES = 500, POINTS = KRN_BOUNCES_MAX + 1, SERIES = 4 };
_Static_assert((int)SPHERES <= (int)KRN_CUDA_READS_SPHERES, "the reads can be counted");
_Static_assert((int)SPHERES <= (int)KRN_CUDA_CONSTANT_LEAVES, "the bank holds the scene");

/* Every sphere is a mirror, so that the lanes of a warp have work in every bounce. */
static const float mirror = 0.85f;

/* The picture's side in pixels at most, and the most blocks per multiprocessor: a smaller device
 * gets a smaller picture, so that a slice stays short. */
enum { SIDE_MAX = 512, SIDE_MIN = 64, BLOCKS_MAX = 32 };

/* Bytes of all pictures together at most, as many as an array of SAXPY has, so that both shrink at
 * the same time. */
static const size_t pictures_most = (size_t)1 << 30;

struct state {
    struct krn_scene scene;
    struct krn_bounds bounds;
    struct krn_srgb srgb;
    int side; /* 0: the memory holds no pictures, and there are no series */
    struct krn_cuda_lit lit;
    struct krn_cuda_tree tree;
    struct krn_sphere *spheres; /* the scene on the device */
    void *bank;                 /* address of the constant bank in device memory */
    struct krn_cuda_warp_reads *reads[KERNELS];
    struct krn_cuda_warp_reads host_reads[KERNELS][POINTS];
    unsigned long long rays[KRN_CUDA_RAY_COUNTS];
    unsigned char *expected[POINTS]; /* the pictures, by bounces */
    bool rendered[POINTS];           /* these are queued */
    /* By bounces, a picture that the reference has found right, and what it said. */
    uint8_t *right[POINTS];
    struct krn_verdict verdicts[POINTS];
};

KRN_CUDA_STATE(KRN_TOPIC_BOUNCES)

static size_t picture_bytes(const struct state *state)
{
    return (size_t)4 * (size_t)state->side * (size_t)state->side;
}

static struct krn_view view_of(const struct state *state, int bounces)
{
    struct krn_view view = {.width = state->side,
                            .height = state->side,
                            .unit = 1024.0f / (float)state->side,
                            .light = krn_light_default()};
    view.light.bounces = bounces;
    return view;
}

static struct krn_cuda_lit_frame frame_of(const struct state *state, int bounces, void *pixels)
{
    const struct krn_view view = view_of(state, bounces);
    struct krn_cuda_lit_frame frame = {.bounds = state->bounds,
                                       .image = {.pixels = pixels,
                                                 .pitch_bytes = 4 * state->side,
                                                 .width = state->side,
                                                 .height = state->side,
                                                 .unit = view.unit,
                                                 .count = SPHERES}};
    krn_light_frame_make(&frame.light, &view.light, state->bounds, view.width, view.height);
    return frame;
}

static void lay_out(struct krn_cuda_probes *probes, int halvings)
{
    struct state *state = state_of(probes);
    struct krn_cuda_lit *lit = &state->lit;
    struct krn_cuda_tree *tree = &state->tree;
    struct krn_error unread;
    for (state->side = SIDE_MAX; state->side > SIDE_MIN; state->side /= 2) {
        const struct krn_cuda_lit_frame frame = frame_of(state, 0, NULL);
        const struct krn_cuda_shape shape = krn_cuda_light_shape(&frame);
        if (shape.blocks_x * shape.blocks_y <= (unsigned)(BLOCKS_MAX * probes->info->processors))
            break;
    }
    /* The expected pictures and the result. */
    while (state->side > 0 && (POINTS + 1) * picture_bytes(state) > pictures_most >> halvings)
        state->side = state->side > SIDE_MIN ? state->side / 2 : 0;
    if (state->side == 0)
        return;
    /* Without this size, the build fails and says why. */
    if (KRN_CUDA(&unread, krn_cuda_tree_scratch(SPHERES, &tree->scratch_bytes)) != KRN_OK)
        tree->scratch_bytes = 0;
    krn_cuda_request_result(probes, picture_bytes(state));
    state->spheres = krn_cuda_carve(probes, SPHERES * sizeof *state->spheres);
    lit->balls = krn_cuda_carve(probes, SPHERES * sizeof *lit->balls);
    lit->suns = krn_cuda_carve(probes, SPHERES * sizeof *lit->suns);
    lit->tints = krn_cuda_carve(probes, SPHERES * 4 * sizeof(float));
    lit->mirrors = krn_cuda_carve(probes, SPHERES * sizeof *lit->mirrors);
    lit->table = krn_cuda_carve(probes, sizeof *lit->table);
    lit->rays = krn_cuda_carve(probes, sizeof state->rays);
#define CARVE(array, each)                                                                         \
    tree->array = krn_cuda_carve(probes, SPHERES * (each) * sizeof *tree->array)
    KRN_CUDA_TREE_ARRAYS(CARVE);
    tree->scratch = krn_cuda_carve(probes, tree->scratch_bytes);
    for (int kernel = 0; kernel < KERNELS; kernel++)
        state->reads[kernel] = krn_cuda_carve(probes, sizeof state->host_reads[kernel]);
    for (int bounces = 0; bounces < POINTS; bounces++)
        state->expected[bounces] = krn_cuda_carve(probes, picture_bytes(state));
}

static void make_scene(struct krn_cuda_probes *probes)
{
    struct state *state = state_of(probes);
    struct krn_scene_recipe recipe = krn_scene_book();
    recipe.count = SPHERES;
    KRN_THEN(probes->code, krn_scene_generate(&state->scene, &recipe, probes->error));
    if (probes->code != KRN_OK)
        return;
    for (int s = 0; s < SPHERES; s++)
        state->scene.mirrors[s] = mirror;
    state->bounds = krn_bounds_of(&state->scene);
    krn_srgb_make(&state->srgb);
}

/* Queues a copy to the device. */
static void copy_in(struct krn_cuda_probes *probes, void *to, const void *from, size_t bytes)
{
    KRN_CUDA_DO(probes, cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, probes->stream));
}

/* Counts rays and reads with as many bounces as there can be, and waits for the counts. */
static void count(struct krn_cuda_probes *probes)
{
    struct state *state = state_of(probes);
    const struct krn_cuda_lit_frame frame = frame_of(state, KRN_BOUNCES_MAX, NULL);
    KRN_CUDA_DO(probes, cudaMemsetAsync(state->lit.rays, 0, sizeof state->rays, probes->stream));
    for (int kernel = 0; kernel < KERNELS; kernel++)
        KRN_CUDA_DO(probes, cudaMemsetAsync(state->reads[kernel], 0,
                                            sizeof state->host_reads[kernel], probes->stream));
    KRN_CUDA_DO(probes,
                krn_cuda_light_rays(&state->lit, &state->tree, &frame, NULL, probes->stream));
    KRN_CUDA_DO(probes, krn_cuda_tree_reads(&state->lit, &state->tree, &frame, state->reads[TREE],
                                            probes->stream));
    KRN_CUDA_DO(probes,
                krn_cuda_brute_reads(&state->lit, &frame, state->reads[BRUTE], probes->stream));
    KRN_CUDA_DO(probes, cudaMemcpyAsync(state->rays, state->lit.rays, sizeof state->rays,
                                        cudaMemcpyDeviceToHost, probes->stream));
    for (int kernel = 0; kernel < KERNELS; kernel++)
        KRN_CUDA_DO(probes, cudaMemcpyAsync(state->host_reads[kernel], state->reads[kernel],
                                            sizeof state->host_reads[kernel],
                                            cudaMemcpyDeviceToHost, probes->stream));
    KRN_CUDA_DO(probes, cudaStreamSynchronize(probes->stream));
}

/* Makes scene and tree, which stay the same, and counts what the picture takes. */
static void fill(struct krn_cuda_probes *probes)
{
    struct state *state = state_of(probes);
    const struct krn_cuda_lit *lit = &state->lit;
    if (state->side == 0) {
        KRN_CUDA_REFUSE(probes, KRN_TOPIC_BOUNCES,
                        "The device has too little memory for the pictures by bounces.");
        return;
    }
    make_scene(probes);
    KRN_CUDA_DO(probes, krn_cuda_bounces_bank(&state->bank));
    copy_in(probes, state->spheres, state->scene.spheres, SPHERES * sizeof *state->spheres);
    copy_in(probes, lit->mirrors, state->scene.mirrors, SPHERES * sizeof *lit->mirrors);
    copy_in(probes, lit->table, &state->srgb, sizeof state->srgb);
    const struct krn_cuda_lit_frame frame = frame_of(state, KRN_BOUNCES_MAX, NULL);
    KRN_CUDA_DO(probes,
                krn_cuda_light_pose(state->spheres, SPHERES, &frame.light, lit, probes->stream));
    KRN_CUDA_DO(probes, krn_cuda_tree_build(lit, &state->tree, &frame, probes->stream));
    count(probes);
}

static void release(struct krn_cuda_probes *probes)
{
    struct state *state = state_of(probes);
    if (state == NULL)
        return;
    krn_scene_free(&state->scene);
    for (int i = 0; i < POINTS; i++)
        free(state->right[i]);
}

/* Queues the picture from global memory through the read-only path, by the kernel that needs no
 * tree; no series measures that storage. */
static void expect(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    struct state *state = state_of(probes);
    const int bounces = run->rounds;
    if (state->rendered[bounces])
        return;
    const struct krn_cuda_lit_frame frame = frame_of(state, bounces, state->expected[bounces]);
    state->rendered[bounces] = true;
    KRN_CUDA_DO(probes, krn_cuda_brute_readonly(&state->lit, &frame, probes->stream));
}

/* Copies nodes and spheres into the constant bank, on the device and before the time stamps. */
static void fill_bank(struct krn_cuda_probes *probes)
{
    const struct state *state = state_of(probes);
    const struct krn_cuda_lit *lit = &state->lit;
    struct krn_cuda_node *nodes = state->bank;
    struct krn_ball *balls = (struct krn_ball *)(nodes + KRN_CUDA_CONSTANT_LEAVES);
    const struct {
        void *to;
        const void *from;
        size_t bytes;
    } copies[] = {
        {nodes, state->tree.nodes, (SPHERES - 1) * sizeof *nodes},
        {balls, lit->balls, SPHERES * sizeof *balls},
        {balls + KRN_CUDA_CONSTANT_LEAVES, lit->suns, SPHERES * sizeof *balls},
    };
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        KRN_CUDA_DO(probes, cudaMemcpyAsync(copies[i].to, copies[i].from, copies[i].bytes,
                                            cudaMemcpyDeviceToDevice, probes->stream));
}

static void prepare(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    KRN_CUDA_DO(probes, cudaMemsetAsync(probes->result, 0, picture_bytes(state_of(probes)),
                                        probes->stream));
    if (run->series->parameter == CONSTANT)
        fill_bank(probes);
}

static void launch(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    static krn_cuda_tree_trace *const tree[] = {
        [GLOBAL] = krn_cuda_tree_global, [CONSTANT] = krn_cuda_bounces_tree};
    static krn_cuda_brute *const brute[] = {
        [GLOBAL] = krn_cuda_brute_global, [CONSTANT] = krn_cuda_bounces_brute};
    const struct state *state = state_of(probes);
    const struct krn_cuda_lit_frame frame = frame_of(state, run->rounds, probes->result);
    const int storage = run->series->parameter;
    if (run->series->variant == TREE)
        KRN_CUDA_DO(probes, tree[storage](&state->lit, &state->tree, &frame, probes->stream));
    else
        KRN_CUDA_DO(probes, brute[storage](&state->lit, &frame, probes->stream));
}

/* Compares pixels everywhere with the reference, which shares no code with the kernels; the same
 * bytes once, since the reference takes a second. */
static void verify(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                   struct krn_check *check)
{
    struct state *state = state_of(probes);
    struct krn_verdict verdict;
    const struct krn_view view = view_of(state, run->rounds);
    uint8_t *pixels = krn_cuda_probe_copy(probes, picture_bytes(state));
    uint8_t **right = &state->right[run->rounds];
    if (probes->code == KRN_OK && *right && memcmp(*right, pixels, picture_bytes(state)) == 0) {
        verdict = state->verdicts[run->rounds];
    } else {
        KRN_THEN(probes->code, krn_reference_light(&state->scene, krn_pose_at(0.0), &view, pixels,
                                                   NULL, NULL, &verdict, probes->error));
        if (probes->code == KRN_OK && verdict.wrong == 0 && !*right) {
            *right = pixels;
            state->verdicts[run->rounds] = verdict;
            pixels = NULL;
        }
    }
    if (probes->code == KRN_OK)
        *check = krn_check_of(&verdict, view.width);
    free(pixels);
}

/* Estimates the time of a run in ms: 15 clocks per test of a ray and a sphere on one of 128 lanes;
 * a ray of the tree takes the time of a tenth of the tests. */
static double run_ms(const struct krn_cuda_probes *probes, int kernel, double rays)
{
    const double tests = rays * SPHERES * (kernel == TREE ? 0.1 : 1.0);
    return tests * 15.0 / (128.0 * probes->info->processors * probes->mhz * 1e3);
}

static bool fill_probe(struct krn_cuda_probes *probes, double x, struct krn_cuda_run *run,
                       struct krn_probe *probe)
{
    const struct state *state = state_of(probes);
    const int bounces = (int)x, kernel = run->series->variant;
    if (state->side == 0)
        return false;
    const struct krn_cuda_lit_frame frame = frame_of(state, bounces, NULL);
    const struct krn_cuda_shape shape = krn_cuda_light_shape(&frame);
    const struct krn_cuda_warp_reads *reads = &state->host_reads[kernel][bounces];
    run->rounds = bounces;
    run->blocks = (int)(shape.blocks_x * shape.blocks_y);
    run->threads = (int)shape.threads_x;
    const size_t pixels = picture_bytes(state) / 4;
    run->results = (struct krn_cuda_results){.type = KRN_CUDA_UINTS,
                                             .count = pixels,
                                             .period = pixels,
                                             .device = state->expected[bounces]};
    for (int b = 0; b <= bounces; b++)
        probe->operations += (double)(state->rays[b] + state->rays[KRN_BOUNCES_MAX + 1 + b]);
    if (reads->reads > 0) {
        probe->uniform = (double)reads->uniform / (double)reads->reads;
        probe->addresses = (double)reads->addresses / (double)reads->reads;
    }
    probe->footprint_bytes = SPHERES * (kernel == TREE ? 96.0 : 32.0);
    probe->beside_memory = true;
    probe->expected_ms = run_ms(probes, kernel, probe->operations) + 0.05;
    return true;
}

static const struct krn_cuda_kind kind = {
    .expect = expect,
    .prepare = prepare,
    .launch = launch,
    .verify = verify,
};

static const char tree_scope[] =
    "the light view's tree kernel without the build of its tree, 500 mirrors, one ray per pixel "
    "and at most so many bounces, between two CUDA events queued behind a gate; the share of "
    "reads at one address is that of the last bounce's rays";
static const char brute_scope[] =
    "the light view's brute kernel, 500 mirrors, one ray per pixel and at most so many bounces, "
    "between two CUDA events queued behind a gate; the share of reads at one address is that of "
    "the last bounce's rays";

static const double bounces_x[POINTS] = {0, 1, 2, 3, 4, 5, 6, 7, 8};

#define BOUNCES(name, kernel, storage, scope)                                                      \
    {                                                                                              \
        name, "bounces", scope, &kind, kernel, storage, KRN_CUDA_POINTS(bounces_x), fill_probe,    \
            false                                                                                  \
    }

static const struct krn_cuda_series series[SERIES] = {
    BOUNCES("tree/constant", TREE, CONSTANT, tree_scope),
    BOUNCES("tree/global", TREE, GLOBAL, tree_scope),
    BOUNCES("brute/constant", BRUTE, CONSTANT, brute_scope),
    BOUNCES("brute/global", BRUTE, GLOBAL, brute_scope),
};

const struct krn_cuda_topic krn_cuda_topic_bounces = {
    .series = KRN_CUDA_POINTS(series),
    .state_bytes = sizeof(struct state),
    .lay_out = lay_out,
    .fill = fill,
    .release = release,
};
