/* The backend gl in a context without a display: what it refuses, its times, its bands, what it
 * leaves as it was, and a context that is taken back or lost. The pictures are those of hashes_gl.
 */
#include "gl/gl.h"
#include "gl_context.h"
#include "pictures.h"

static struct krn_device *device;

static const struct krn_mode book = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1};

/* --- a context whose dispatches are counted --- */

static int dispatches;
static void (*dispatch)(unsigned, unsigned, unsigned);

static void count_dispatch(unsigned x, unsigned y, unsigned z)
{
    dispatches++;
    dispatch(x, y, z);
}

static void (*counting_proc(const char *name))(void)
{
    void (*const address)(void) = ren_offscreen_proc(name);
    if (strcmp(name, "glDispatchCompute") != 0)
        return address;
    memcpy(&dispatch, &address, sizeof address);
    return (void (*)(void))count_dispatch;
}

static void lend(void)
{
    test_gl_gone = false;
    krn_gl_lend(&(struct krn_gl_context){counting_proc, test_gl_current, NULL});
}

static void set_scene(int spheres)
{
    TEST_SCENE scene = test_scene(spheres, 1, 20, 120);
    TEST_OK(krn_device_set_scene(device, &scene, &error));
}

static int connect(void **unused)
{
    (void)unused;
    lend();
    TEST_OK(krn_backend_get(KRN_BACKEND_GL)->connect(0, &device, &error));
    set_scene(20);
    return 0;
}

static int disconnect(void **unused)
{
    (void)unused;
    krn_fail_calls(NULL);
    krn_device_close(device);
    return 0;
}

static struct krn_gl *functions(void)
{
    return ((struct krn_gl_device *)device)->gl;
}

/* --- what there is --- */

static void refused_to_count(const char *sentence)
{
    int devices = 7;
    assert_int_equal(krn_backend_get(KRN_BACKEND_GL)->count(&devices, &error), KRN_UNAVAILABLE);
    assert_string_equal(error.text, sentence);
    assert_int_equal(devices, 0);
}

TEST(a_context_must_be_lent_and_able)
{
    krn_gl_lend(NULL);
    assert_false(krn_gl_lent());
    refused_to_count("No OpenGL context is lent: the backend gl computes in that of a window or a "
                     "picture.");
    krn_fail_calls("krn_gl_old");
    lend();
    assert_true(krn_gl_lent());
    refused_to_count("OpenGL 4.3 computes; this context has 3.3.");
    krn_fail_calls("krn_gl_no_stamps");
    lend();
    assert_int_equal(krn_backend_get(KRN_BACKEND_GL)->connect(0, &device, &error), KRN_UNAVAILABLE);
    assert_non_null(strstr(error.text, "This OpenGL has no time stamps: "));
    krn_fail_calls(NULL);
    test_gl_gone = true;
    refused_to_count("The OpenGL context is lost.");
}

TEST_WITH(a_device_is_described, connect, disconnect)
{
    struct krn_device_info info;
    int devices = 0;
    TEST_OK(krn_backend_get(KRN_BACKEND_GL)->count(&devices, &error));
    assert_int_equal(devices, 1);
    TEST_OK(krn_backend_get(KRN_BACKEND_GL)->describe(0, &info, &error));
    assert_memory_equal(&info, krn_device_describe(device), sizeof info);
    assert_int_equal(strncmp(info.runtime, "OpenGL 4.", 9), 0);
    assert_int_equal(info.can.host_processors, strcmp(info.can.noun, "CPU") == 0);
    assert_true(info.can.host_processors || !strstr(info.name, "llvmpipe"));
    assert_int_equal(info.can.distinct_storages, !info.can.host_processors);
    assert_true(info.can.asynchronous && !info.can.host_images && !info.can.telemetry);
    assert_true(krn_device_overheads(device).tick_ms >= 0.0);
    assert_null(krn_device_stream(device));

    struct krn_property list[KRN_PROPERTIES_MAX];
    int count = 0, found = 0;
    TEST_OK(krn_properties_read(KRN_BACKEND_GL, 0, list, &count, &error));
    assert_string_equal(list[0].text, info.name);
    for (int i = 0; i < count; i++)
        found += (strcmp(list[i].key, "stampBits") == 0 && list[i].values[0] >= 30) +
                 (strcmp(list[i].key, "uniformBlock") == 0 && list[i].values[0] >= 16384) +
                 (strcmp(list[i].key, "openGL") == 0 && list[i].values[0] >= 4);
    assert_int_equal(found, 3);
}

static void refuses(struct krn_mode mode, const char *sentence)
{
    assert_int_equal(krn_device_check_mode(device, mode, &error), KRN_REFUSED);
    assert_string_equal(error.text, sentence);
    const struct krn_view view = test_view(16, 16);
    assert_int_equal(test_try(device, mode, view, NULL), KRN_REFUSED);
}

TEST_WITH(modes_without_a_shader_are_refused, connect, disconnect)
{
    char sentence[128];
    struct krn_mode mode = {KRN_KERNEL_BOOK, KRN_STORAGE_READONLY, 1};
    refuses(mode, "OpenGL has no read-only path: its driver chooses how a storage buffer is read.");
    mode = (struct krn_mode){KRN_KERNEL_SPLAT, KRN_STORAGE_GLOBAL, 1};
    refuses(mode, "The backend gl has the kernels book and strip, not splat.");
    mode.kernel = KRN_KERNEL_TREE;
    refuses(mode, "The backend gl does not have the light view.");

    /* 32 bytes a sphere: a uniform buffer holds fewer than CUDA's constant memory. */
    const int room = functions()->uniform_bytes / 32;
    set_scene(room + 1);
    snprintf(sentence, sizeof sentence, "A uniform buffer of this OpenGL holds %d spheres, not %d.",
             room, room + 1);
    refuses((struct krn_mode){KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT, 1}, sentence);
}

/* llvmpipe leaves its loops early without a word. */
TEST_WITH(a_processor_has_no_large_scenes, connect, disconnect)
{
    set_scene(65001);
    if (functions()->processor)
        refuses(book, "OpenGL on a processor ends loops after 65535 rounds: at most 65000 spheres, "
                      "not 65001.");
    else
        TEST_OK(krn_device_check_mode(device, book, &error));
}

/* --- times --- */

TEST(a_counter_may_begin_anew)
{
    const uint64_t end = (uint64_t)1 << 36;
    assert_true(krn_gl_ms_between(1000000, 3000000, 64) == 2.0);
    assert_true(krn_gl_ms_between(end - 500000, 1500000, 36) == 2.0);
    assert_true(krn_gl_ms_between(UINT64_MAX - 499999, 1500000, 64) == 2.0);
}

TEST_WITH(each_timed_frame_has_a_reading, connect, disconnect)
{
    const struct krn_view view = test_view(64, 48);
    struct krn_image image = test_image(device, 64, 48);
    struct krn_reading reading;
    TEST_OK(krn_device_render(device, book, &view, &image, KRN_UNTIMED, &error));
    for (uint64_t tag = 0; tag < KRN_GL_PAIRS + 3; tag++)
        TEST_OK(krn_device_render(device, book, &view, &image, tag, &error));
    TEST_OK(krn_device_sync(device, &error));
    /* The ring was full before the last frames, which were rendered all the same. */
    for (uint64_t tag = 0; tag < KRN_GL_PAIRS; tag++) {
        assert_true(krn_device_poll(device, &reading));
        assert_int_equal(reading.tag, tag);
        assert_true(reading.ms > 0.0 && krn_mode_equal(reading.mode, book));
        assert_non_null(strstr(reading.scope, "time stamps of OpenGL"));
    }
    assert_false(krn_device_poll(device, &reading));

    double ms = 0.0;
    struct krn_overhead overhead = {0};
    struct krn_limit limit = {0};
    TEST_OK(krn_device_render_batch(device, book, &view, &image, 3, &ms, &error));
    assert_true(ms > 0.0);
    TEST_OK(krn_device_overhead(device, book, &view, &overhead, &error));
    assert_true(overhead.ms > 0.0 && overhead.interval.low <= overhead.ms);
    /* Kept until the scene changes. */
    const double kept_ms = overhead.ms;
    TEST_OK(krn_device_overhead(device, book, &view, &overhead, &error));
    assert_true(overhead.ms == kept_ms);
    TEST_OK(krn_device_limit(device, &view, &limit, &error));
    assert_true(limit.raw_ms > 0.0 && limit.net_ms >= 0.0);
    krn_device_free_image(device, &image);
}

/* --- pictures --- */

/* Returns the picture of a new device, for which calls of `which` fail. */
static uint8_t *picture(const char *which, struct krn_mode mode, struct krn_view view)
{
    struct krn_device *before = device;
    krn_fail_calls(which);
    connect(NULL);
    uint8_t *pixels = test_render_mode(device, mode, view);
    disconnect(NULL);
    device = before;
    return pixels;
}

TEST_WITH(the_long_way_gives_the_same_bytes, connect, disconnect)
{
    const struct krn_view view = test_view(96, 70);
    const struct krn_mode modes[] = {book, {KRN_KERNEL_STRIP, KRN_STORAGE_CONSTANT, 4}};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        TEST_FREED uint8_t *hardware = picture(NULL, modes[i], view);
        TEST_FREED uint8_t *own = picture("krn_gl_inexact", modes[i], view);
        test_same_bytes(hardware, own, view, "the long way");
    }
}

/* Rounds of all loops count: one that is left early leaves spheres out. */
TEST_WITH(many_spheres_are_all_tested, connect, disconnect)
{
    const struct krn_view view = test_view(32, 16);
    const struct krn_mode mode = {KRN_KERNEL_STRIP, KRN_STORAGE_SHARED, 16};
    TEST_SCENE scene = test_scene(20000, 1, 20, 80);
    TEST_OK(krn_device_set_scene(device, &scene, &error));
    TEST_OK(krn_device_set_pose(device, krn_pose_at(7.0), &error));
    TEST_FREED uint8_t *pixels = test_render_mode(device, mode, view);
    test_rows_by_brute_force(pixels, &scene, krn_pose_at(7.0), view, 1);
}

TEST_WITH(a_long_picture_is_split_into_bands, connect, disconnect)
{
    const struct krn_view view = test_view(40, 70);
    TEST_FREED uint8_t *whole = test_render_mode(device, book, view);
    dispatches = 0;
    TEST_FREED uint8_t *again = test_render_mode(device, book, view);
    assert_int_equal(dispatches, 1);
    krn_fail_calls("krn_gl_slow");
    TEST_FREED uint8_t *split = test_render_mode(device, book, view);
    assert_int_equal(dispatches, 1 + (70 + 15) / 16);
    test_same_bytes(whole, again, view, "again");
    test_same_bytes(whole, split, view, "in bands");

    /* One band lasts no longer than half a second by the last rate. */
    krn_fail_calls(NULL);
    struct krn_gl_device *own = (struct krn_gl_device *)device;
    own->ms_per_test[KRN_KERNEL_BOOK][KRN_STORAGE_GLOBAL] = 1000.0 / (40.0 * 70.0 * 20.0);
    dispatches = 0;
    TEST_FREED uint8_t *slow = test_render_mode(device, book, view);
    assert_int_equal(dispatches, 3); /* 5 rows of groups, of which two are in a band */
    test_same_bytes(whole, slow, view, "by the rate");
}

TEST_WITH(an_image_is_filled, connect, disconnect)
{
    struct krn_image image = test_image(device, 5, 3);
    uint8_t pixels[4 * 5 * 3];
    TEST_OK(krn_device_fill(device, &image, 0x5a, &error));
    TEST_OK(krn_device_read(device, &image, pixels, &error));
    for (size_t i = 0; i < sizeof pixels; i++)
        assert_int_equal(pixels[i], 0x5a);
    krn_device_free_image(device, &image);
}

/* --- what belongs to the owner of the context --- */

TEST_WITH(the_owner_finds_its_state, connect, disconnect)
{
    struct krn_gl *gl = functions();
    struct krn_gl_state before, after;
    const struct krn_view view = test_view(32, 32);
    unsigned names[3], texture = 0, program = 0;
    gl->GenBuffers(3, names);
    gl->GenTextures(1, &texture);
    TEST_OK(krn_gl_program(gl, "#define KERNEL_EMPTY\n#define GROUP_X 1\n#define GROUP_Y 1\n",
                           &program, &error));
    gl->BindBuffer(GL_COPY_WRITE_BUFFER, names[0]);
    gl->BindBuffer(GL_UNIFORM_BUFFER, names[1]);
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, names[2]);
    gl->ActiveTexture(GL_TEXTURE0 + KRN_GL_UNIT);
    gl->BindTexture(GL_TEXTURE_BUFFER, texture);
    gl->ActiveTexture(GL_TEXTURE0 + 3);
    gl->UseProgram(program);
    krn_gl_keep(gl, &before);
    gl->ActiveTexture(GL_TEXTURE0 + 3);
    for (int s = 0; s < KRN_STORAGE_COUNT; s++) {
        const struct krn_mode mode = {KRN_KERNEL_BOOK, (enum krn_storage)s, 1};
        if (s == KRN_STORAGE_READONLY)
            continue;
        TEST_FREED uint8_t *pixels = test_render_mode(device, mode, view);
        TEST_OK(krn_device_set_pose(device, krn_pose_at(s + 1.0), &error));
    }
    krn_gl_keep(gl, &after);
    assert_int_equal(before.unit, GL_TEXTURE0 + 3);
    assert_memory_equal(&before, &after, sizeof before);
    assert_int_equal(after.foreign, GL_NO_ERROR);

    /* An error that the owner has not seen yet is still there. */
    gl->BindBuffer(0, 0);
    TEST_FREED uint8_t *pixels = test_render_mode(device, book, view);
    assert_int_equal(gl->GetError(), GL_INVALID_ENUM);
    assert_int_equal(gl->GetError(), GL_NO_ERROR);
    gl->UseProgram(0);
    gl->DeleteProgram(program);
    gl->DeleteTextures(1, &texture);
    gl->DeleteBuffers(3, names);
}

static void is_lost(const char *sentence)
{
    struct krn_reading reading;
    struct krn_image image;
    TEST_SCENE scene = test_scene(3, 1, 20, 120);
    assert_int_equal(krn_device_alloc_image(device, 8, 8, &image, &error), KRN_LOST);
    assert_string_equal(error.text, sentence);
    assert_int_equal(krn_device_set_scene(device, &scene, &error), KRN_LOST);
    assert_int_equal(krn_device_sync(device, &error), KRN_LOST);
    assert_false(krn_device_poll(device, &reading));
}

TEST_WITH(a_context_that_is_taken_back_is_lost, connect, disconnect)
{
    krn_gl_lend(NULL);
    is_lost("The OpenGL context has been taken back.");
    lend(); /* serves new devices only */
    is_lost("The OpenGL context has been taken back.");
}

/* The context cannot become current, or the driver tells that it has reset it. */
TEST_WITH(a_reset_is_told, connect, disconnect)
{
    test_gl_gone = true;
    is_lost("The graphics driver has reset the OpenGL context.");
    test_gl_gone = false;
    is_lost("The graphics driver has reset the OpenGL context.");
    disconnect(NULL);
    connect(NULL);
    krn_fail_calls("krn_gl_reset:1");
    is_lost("The graphics driver has reset the OpenGL context.");
}

/* --- calls that fail --- */

/* Runs what a session does. Returns the first error. */
static enum krn_code all(void)
{
    const struct krn_view view = test_view(16, 16);
    uint8_t pixels[4 * 16 * 16];
    struct krn_image image = {.pixels = NULL};
    struct krn_device *made = NULL;
    struct krn_overhead overhead;
    struct krn_limit limit;
    double ms;
    TEST_SCENE scene = test_scene(3, 1, 20, 120);
    enum krn_code code = krn_backend_get(KRN_BACKEND_GL)->connect(0, &made, &error);
    if (code != KRN_OK)
        return code;
    KRN_THEN(code, krn_device_set_scene(made, &scene, &error));
    KRN_THEN(code, krn_device_alloc_image(made, 16, 16, &image, &error));
    KRN_THEN(code, krn_device_fill(made, &image, 1, &error));
    for (int s = 0; s < KRN_STORAGE_COUNT; s++)
        if (s != KRN_STORAGE_READONLY)
            KRN_THEN(code, krn_device_render(
                               made, (struct krn_mode){KRN_KERNEL_BOOK, (enum krn_storage)s, 1},
                               &view, &image, 1, &error));
    KRN_THEN(code, krn_device_render_batch(made, book, &view, &image, 2, &ms, &error));
    KRN_THEN(code, krn_device_overhead(made, book, &view, &overhead, &error));
    KRN_THEN(code, krn_device_limit(made, &view, &limit, &error));
    KRN_THEN(code, krn_device_sync(made, &error));
    KRN_THEN(code, krn_device_read(made, &image, pixels, &error));
    krn_device_free_image(made, &image);
    krn_device_close(made);
    return code;
}

TEST(each_call_that_fails_is_told)
{
#define NAME(result, name, parameters, needed) "gl" #name,
    static const char *const calls[] = {KRN_GL_FUNCTIONS(NAME)};
    int told = 0;
    lend();
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (int n = 1; n <= 8; n += 7) {
            char which[64];
            snprintf(which, sizeof which, "%s:%d", calls[i], n);
            krn_fail_calls(which);
            const enum krn_code code = all();
            krn_fail_calls(NULL);
            told += n == 1 && code != KRN_OK;
            if (code != KRN_OK && code != KRN_NO_MEMORY && code != KRN_FAILED)
                fail_msg("%s: %d, %s", which, (int)code, error.text);
        }
    assert_int_equal(told, 23); /* those behind KRN_GL: others only ask, delete or put back */
    assert_int_equal(all(), KRN_OK);
}

int main(void)
{
    if (!test_gl_open(&error)) {
        print_message("skipped: %s\n", error.text);
        return TEST_SKIPPED;
    }
    const int failed = tests_run(NULL, NULL);
    test_gl_close();
    return failed;
}
