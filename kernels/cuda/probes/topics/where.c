/* Where constant memory wins: four programs that draw the book's picture, each from constant and
 * from global memory, with 20 to 2000 spheres. Source of the advice: J. Sanders, E. Kandrot, CUDA
 * by Example, 6.2. */
#include "cuda/probes/topic.h"
#include "krn/memory.h"

#include <stdlib.h>

enum { CONSTANT, GLOBAL };

static const double counts[] = {20, 50, 100, 200, 500, 1000, 2000};
enum { COUNTS = sizeof counts / sizeof *counts };

/* The picture's side in pixels at most, and the most blocks per multiprocessor: a smaller device
 * gets a smaller picture, so that a slice stays short. */
enum { SIDE_MAX = 1024, SIDE_MIN = 64, BLOCKS_MAX = 32 };

/* Bytes of the expected pictures and the result at most; topics/bounces.c has as many. */
static const size_t pictures_most = (size_t)1 << 30;

struct state {
    struct krn_scene scenes[COUNTS];
    struct krn_reference references[COUNTS]; /* of the scenes; rendered when one is needed */
    int side;                        /* 0: the memory holds no pictures, and there are no series */
    void *packed[COUNTS];            /* the scenes on the device, packed for each program */
    void *bank;                      /* address of the constant bank in device memory */
    unsigned char *expected[COUNTS]; /* the pictures */
};

KRN_CUDA_STATE(KRN_TOPIC_WHERE)

static size_t picture_bytes(const struct state *state)
{
    return (size_t)4 * (size_t)state->side * (size_t)state->side;
}

static struct krn_cuda_frame frame_of(const struct state *state, size_t scene, void *pixels)
{
    return (struct krn_cuda_frame){.pixels = pixels,
                                   .pitch_bytes = 4 * state->side,
                                   .width = state->side,
                                   .height = state->side,
                                   .unit = 1024.0f / (float)state->side,
                                   .count = (int)counts[scene]};
}

static void lay_out(struct krn_cuda_probes *probes, int halvings)
{
    struct state *state = state_of(probes);
    for (state->side = SIDE_MAX; state->side > SIDE_MIN; state->side /= 2) {
        const struct krn_cuda_shape shape = krn_cuda_book_shape(1, frame_of(state, 0, NULL));
        if (shape.blocks_x * shape.blocks_y <= (unsigned)(BLOCKS_MAX * probes->info->processors))
            break;
    }
    while (state->side > 0 && (COUNTS + 1) * picture_bytes(state) > pictures_most >> halvings)
        state->side = state->side > SIDE_MIN ? state->side / 2 : 0;
    if (state->side == 0)
        return;
    krn_cuda_request_result(probes, picture_bytes(state));
    for (int s = 0; s < COUNTS; s++) {
        state->packed[s] = krn_cuda_carve(probes, KRN_CUDA_WHERE_PROGRAMS * KRN_CUDA_WHERE_BYTES);
        state->expected[s] = krn_cuda_carve(probes, picture_bytes(state));
    }
}

static unsigned char *packed_for(const struct state *state, size_t scene, int program)
{
    return (unsigned char *)state->packed[scene] + (size_t)program * KRN_CUDA_WHERE_BYTES;
}

/* Makes a scene, packs it for each program, and queues the book's picture of it. */
static void make_scene(struct krn_cuda_probes *probes, size_t s, void *host)
{
    struct state *state = state_of(probes);
    struct krn_scene_recipe recipe = krn_scene_book();
    recipe.count = (int)counts[s];
    KRN_THEN(probes->code, krn_scene_generate(&state->scenes[s], &recipe, probes->error));
    for (int program = 0; probes->code == KRN_OK && program < KRN_CUDA_WHERE_PROGRAMS; program++) {
        krn_cuda_where_pack((enum krn_cuda_where)program, state->scenes[s].spheres, recipe.count,
                            host);
        /* The host's memory is pageable: the call returns when it has been read. */
        KRN_CUDA_DO(probes,
                    cudaMemcpyAsync(packed_for(state, s, program), host, KRN_CUDA_WHERE_BYTES,
                                    cudaMemcpyHostToDevice, probes->stream));
    }
    const struct krn_cuda_posed posed = {
        .scene.spheres = (struct krn_sphere *)packed_for(state, s, KRN_CUDA_WHERE_BOOK),
        .count = recipe.count};
    KRN_CUDA_DO(probes, krn_cuda_book_global(&posed, 1, frame_of(state, s, state->expected[s]),
                                             NULL, probes->stream));
}

static void fill(struct krn_cuda_probes *probes)
{
    struct state *state = state_of(probes);
    if (state->side == 0) {
        KRN_CUDA_REFUSE(probes, KRN_TOPIC_WHERE,
                        "The device has too little memory for the pictures of four programs.");
        return;
    }
    void *const host = krn_alloc(KRN_CUDA_WHERE_BYTES, 1);
    KRN_CUDA_DO(probes, krn_cuda_where_bank(&state->bank));
    for (size_t s = 0; probes->code == KRN_OK && s < COUNTS; s++)
        make_scene(probes, s, host);
    free(host);
}

static void release(struct krn_cuda_probes *probes)
{
    struct state *state = state_of(probes);
    for (int s = 0; state != NULL && s < COUNTS; s++) {
        krn_scene_free(&state->scenes[s]);
        krn_reference_free(&state->references[s]);
    }
}

static bool fill_run(struct krn_cuda_probes *probes, double x, struct krn_cuda_run *run,
                     struct krn_probe *probe)
{
    const struct state *state = state_of(probes);
    const bool constant = run->series->parameter == CONSTANT,
               arrays = run->series->variant == KRN_CUDA_WHERE_ARRAYS;
    /* What does not fit the nearest constant cache waits for every read (an H200). */
    const double pixels = (double)state->side * state->side,
                 waiting = constant && arrays && x >= 1000.0 ? 16.0
                           : constant && x >= 2000.0         ? 4.5
                                                             : 1.0,
                 cycles_per_test = 12.0 * waiting;
    if (state->side == 0)
        return false;
    while (counts[run->expected] < x)
        run->expected++;
    const struct krn_cuda_shape shape =
        krn_cuda_book_shape(1, frame_of(state, run->expected, NULL));
    run->blocks = (int)(shape.blocks_x * shape.blocks_y);
    run->threads = (int)(shape.threads_x * shape.threads_y);
    run->results = (struct krn_cuda_results){.type = KRN_CUDA_UINTS,
                                             .count = picture_bytes(state) / 4,
                                             .period = picture_bytes(state) / 4,
                                             .device = state->expected[run->expected]};
    probe->operations = pixels * x;
    probe->footprint_bytes = sizeof(struct krn_sphere) * x;
    probe->beside_memory = true;
    probe->expected_ms = probe->operations * cycles_per_test /
                             (probes->lanes * probes->info->processors * probes->mhz * 1e3) +
                         krn_cuda_probe_ms(probes, 3.0 * (double)picture_bytes(state)) + 0.05;
    return true;
}

/* Copies the scene into the constant bank, on the device and before the time stamps. */
static void prepare(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    const struct state *state = state_of(probes);
    KRN_CUDA_DO(probes,
                cudaMemsetAsync(probes->result, 0xff, picture_bytes(state), probes->stream));
    if (run->series->parameter != GLOBAL)
        KRN_CUDA_DO(probes, cudaMemcpyAsync(
                                state->bank, packed_for(state, run->expected, run->series->variant),
                                KRN_CUDA_WHERE_BYTES, cudaMemcpyDeviceToDevice, probes->stream));
}

static void launch(struct krn_cuda_probes *probes, const struct krn_cuda_run *run)
{
    const struct state *state = state_of(probes);
    const int program = run->series->variant;
    KRN_CUDA_DO(probes,
                krn_cuda_where((enum krn_cuda_where)program,
                               run->series->parameter == GLOBAL
                                   ? packed_for(state, run->expected, program)
                                   : NULL,
                               frame_of(state, run->expected, probes->result), probes->stream));
}

/* Compares the picture with the reference, which shares no code with the kernels. */
static void verify(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                   struct krn_check *check)
{
    const struct state *state = state_of(probes);
    const struct krn_view view = {
        .width = state->side, .height = state->side, .unit = 1024.0f / (float)state->side};
    struct krn_reference *reference = &state_of(probes)->references[run->expected];
    uint8_t *pixels = krn_cuda_probe_copy(probes, picture_bytes(state));
    if (probes->code == KRN_OK && reference->rgba == NULL)
        probes->code = krn_reference_render(reference, &state->scenes[run->expected],
                                            krn_pose_at(0.0), &view, NULL, NULL, probes->error);
    if (probes->code == KRN_OK) {
        const struct krn_verdict verdict = krn_reference_compare(reference, pixels);
        *check = krn_check_of(&verdict, view.width);
    }
    free(pixels);
}

static const struct krn_cuda_kind kind = {.prepare = prepare, .launch = launch, .verify = verify};

static const char scope[] =
    "one launch of the program between two CUDA events queued behind a gate; a thread per pixel "
    "tests every sphere, whose bytes are the same in either memory; the picture is compared with "
    "the book's, byte by byte";

#define SERIES(name, program, memory)                                                              \
    {                                                                                              \
        name, "spheres", scope, &kind, program, memory, KRN_CUDA_POINTS(counts), fill_run, false   \
    }

static const struct krn_cuda_series series[] = {
    SERIES("book/constant", KRN_CUDA_WHERE_BOOK, CONSTANT),
    SERIES("book/global", KRN_CUDA_WHERE_BOOK, GLOBAL),
    SERIES("plain/constant", KRN_CUDA_WHERE_PLAIN, CONSTANT),
    SERIES("plain/global", KRN_CUDA_WHERE_PLAIN, GLOBAL),
    SERIES("vector/constant", KRN_CUDA_WHERE_VECTOR, CONSTANT),
    SERIES("vector/global", KRN_CUDA_WHERE_VECTOR, GLOBAL),
    SERIES("arrays/constant", KRN_CUDA_WHERE_ARRAYS, CONSTANT),
    SERIES("arrays/global", KRN_CUDA_WHERE_ARRAYS, GLOBAL),
};

const struct krn_cuda_topic krn_cuda_topic_where = {
    .series = KRN_CUDA_POINTS(series),
    .state_bytes = sizeof(struct state),
    .lay_out = lay_out,
    .fill = fill,
    .release = release,
};
