/* The blit ladder of a device whose memory the host cannot read, without a GPU: the CPU renders,
 * and the functions below stand in for the interop of CUDA and OpenGL. On every rung, and whichever
 * call fails, the frame shows the bytes that were rendered, and nothing is left open. */
#include "shown.h"

#include "core/device/backend.h"
#include "interop.h"

/* --- interop --- */

struct ren_interop {
    GLuint texture, buffer; /* one of them */
    void *memory;           /* of a mapped buffer */
    bool mapped;
};

/* The calls that can fail. */
enum call {
    CHECK,
    OPEN_TEXTURE,
    OPEN_BUFFER,
    MAP,
    MEMORY,
    COPY,
    UNMAP,
    ALLOC_IMAGE,
    ALLOC_HOST,
    READ,
    CALLS
};

static struct {
    enum call fails;
    enum krn_code with;
    int at;    /* the number of the call that fails, 1 for the next one; 0: none */
    bool on;   /* all later ones fail, too */
    bool also; /* the next COPY fails, too */
    int made[CALLS];
    int open, images, hosts; /* interops, images and host memories that are open */
} fake;

static bool fails(enum call call)
{
    fake.made[call]++;
    if (call == COPY && fake.also) {
        fake.also = false;
        return true;
    }
    if (call != fake.fails || fake.at == 0 || --fake.at > 0)
        return false;
    fake.at = fake.on ? 1 : 0;
    return true;
}

#define FAKE(call, error)                                                                          \
    do {                                                                                           \
        if (fails(call))                                                                           \
            return KRN_FAIL(error, fake.with, "The made-up %s fails.", #call);                     \
    } while (0)

static enum krn_code check_device(int ordinal, struct krn_error *why)
{
    assert_int_equal(ordinal, 5);
    FAKE(CHECK, why);
    return KRN_OK;
}

static struct ren_interop *open_interop(GLuint texture, GLuint buffer)
{
    struct ren_interop *made = calloc(1, sizeof *made);
    assert_non_null(made);
    made->texture = texture;
    made->buffer = buffer;
    fake.open++;
    return made;
}

static enum krn_code open_texture(GLuint texture, struct ren_interop **interop,
                                  struct krn_error *why)
{
    *interop = NULL;
    FAKE(OPEN_TEXTURE, why);
    assert_true(glIsTexture(texture));
    *interop = open_interop(texture, 0);
    return KRN_OK;
}

static enum krn_code open_buffer(GLuint buffer, struct ren_interop **interop, struct krn_error *why)
{
    *interop = NULL;
    FAKE(OPEN_BUFFER, why);
    assert_true(glIsBuffer(buffer));
    *interop = open_interop(0, buffer);
    return KRN_OK;
}

static void unmap_buffer(struct ren_interop *interop)
{
    if (interop->buffer) {
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, interop->buffer);
        glUnmapBuffer(GL_PIXEL_UNPACK_BUFFER);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    }
    interop->memory = NULL;
    interop->mapped = false;
}

static void close_object(struct ren_interop *interop)
{
    /* Only what could not be unmapped is closed while it is mapped. */
    assert_true(!interop->mapped || fake.fails == UNMAP);
    if (interop->mapped)
        unmap_buffer(interop);
    free(interop);
    fake.open--;
}

static enum krn_code map(struct ren_interop *interop, void *stream, struct krn_error *why)
{
    (void)stream;
    assert_false(interop->mapped);
    FAKE(MAP, why);
    if (interop->buffer) {
        GLint bytes;
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, interop->buffer);
        glGetBufferParameteriv(GL_PIXEL_UNPACK_BUFFER, GL_BUFFER_SIZE, &bytes);
        interop->memory =
            glMapBufferRange(GL_PIXEL_UNPACK_BUFFER, 0, bytes, GL_MAP_READ_BIT | GL_MAP_WRITE_BIT);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        assert_non_null(interop->memory);
    }
    interop->mapped = true;
    return KRN_OK;
}

static enum krn_code memory_of(struct ren_interop *interop, size_t bytes, void **memory,
                               struct krn_error *why)
{
    *memory = NULL;
    assert_true(interop->mapped && interop->buffer && bytes > 0);
    FAKE(MEMORY, why);
    *memory = interop->memory;
    return KRN_OK;
}

static enum krn_code copy(struct ren_interop *interop, const struct krn_image *image, void *stream,
                          struct krn_error *why)
{
    (void)stream;
    assert_true(interop->mapped && interop->texture);
    FAKE(COPY, why);
    glBindTexture(GL_TEXTURE_2D, interop->texture);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, (GLint)(image->pitch_bytes / 4));
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, image->width, image->height, GL_RGBA, GL_UNSIGNED_BYTE,
                    image->pixels);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    return KRN_OK;
}

static enum krn_code unmap(struct ren_interop *interop, void *stream, struct krn_error *why)
{
    (void)stream;
    assert_true(interop->mapped);
    FAKE(UNMAP, why);
    unmap_buffer(interop);
    return KRN_OK;
}

static const struct ren_interop_calls calls = {
    check_device, open_texture, open_buffer, close_object, map, memory_of, copy, unmap};

const struct ren_interop_calls *const ren_interop = &calls;

/* --- the device --- */

static struct krn_device *device;
static struct krn_device_ops ops;
static const struct krn_device_ops *inner;

static enum krn_code alloc_image(struct krn_device *of, size_t bytes, void **pixels,
                                 struct krn_error *why)
{
    FAKE(ALLOC_IMAGE, why);
    fake.images++;
    return inner->alloc_image(of, bytes, pixels, why);
}

static void free_image(struct krn_device *of, void *pixels)
{
    fake.images--;
    inner->free_image(of, pixels);
}

static enum krn_code alloc_host(struct krn_device *of, size_t bytes, void **memory,
                                struct krn_error *why)
{
    *memory = NULL;
    FAKE(ALLOC_HOST, why);
    fake.hosts++;
    return inner->alloc_host(of, bytes, memory, why);
}

static void free_host(struct krn_device *of, void *memory)
{
    fake.hosts--;
    inner->free_host(of, memory);
}

static enum krn_code read_image(struct krn_device *of, const struct krn_image *image, void *pixels,
                                struct krn_error *why)
{
    FAKE(READ, why);
    return inner->read(of, image, pixels, why);
}

static int connect(void)
{
    if (krn_backend_get(KRN_BACKEND_CPU)->connect(0, &device, &error) != KRN_OK)
        return 1;
    inner = device->ops;
    ops = *inner;
    ops.alloc_image = alloc_image;
    ops.free_image = free_image;
    ops.alloc_host = alloc_host;
    ops.free_host = free_host;
    ops.read = read_image;
    device->ops = &ops;
    device->info.can.host_images = false;
    device->info.ordinal = 5;
    return 0;
}

static int begin(void **unused)
{
    (void)unused;
    memset(&fake, 0, sizeof fake);
    TEST_SCENE scene = test_scene(40, 2, 20, 120);
    TEST_OK(krn_device_set_scene(device, &scene, &error));
    return 0;
}

/* Gives everything back, and checks that nothing is left. */
static int end(void **unused)
{
    (void)unused;
    ren_picture_release(renderer);
    assert_int_equal(fake.open, 0);
    assert_int_equal(fake.images, 0);
    assert_int_equal(fake.hosts, 0);
    TEST_OK(ren_check(renderer, &error));
    return 0;
}

/* --- tests --- */

TEST_WITH(every_rung, begin, end)
{
    for (int blit = 0; blit < REN_BLIT_COUNT; blit++) {
        for (int i = 0; i < 4; i++) {
            show_and_compare(device, (enum ren_blit)blit, test_view(60 + 7 * (i / 2), 48));
            const struct ren_blit_status status = ren_picture_status(renderer);
            assert_int_equal(status.asked, blit);
            assert_int_equal(status.used, blit);
            assert_string_equal(status.reason, "");
            assert_false(status.elsewhere);
        }
    }
    assert_true(fake.made[COPY] == 4 && fake.made[MEMORY] == 4 && fake.made[READ] > 0);
}

/* Whichever call fails, in which frame ever, a lower rung shows the same frame and the reason is
 * kept. */
TEST_WITH(a_failing_call_gives_way, begin, end)
{
    static const struct {
        enum ren_blit asked;
        enum call fails;
        enum ren_blit used;
    } cases[] = {
        {REN_BLIT_INTEROP, CHECK, REN_BLIT_PBO},
        {REN_BLIT_INTEROP, OPEN_TEXTURE, REN_BLIT_PBO},
        {REN_BLIT_INTEROP, ALLOC_IMAGE, REN_BLIT_PBO},
        {REN_BLIT_INTEROP, MAP, REN_BLIT_COPY},
        {REN_BLIT_INTEROP, COPY, REN_BLIT_COPY},
        {REN_BLIT_INTEROP, UNMAP, REN_BLIT_COPY},
        {REN_BLIT_PBO, CHECK, REN_BLIT_COPY},
        {REN_BLIT_PBO, OPEN_BUFFER, REN_BLIT_COPY},
        {REN_BLIT_PBO, MAP, REN_BLIT_COPY},
        {REN_BLIT_PBO, MEMORY, REN_BLIT_COPY},
        {REN_BLIT_PBO, UNMAP, REN_BLIT_COPY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bool each_frame = cases[i].fails >= MAP && cases[i].fails <= UNMAP;
        for (int frame = 1; frame <= (each_frame ? 3 : 1); frame++) {
            ren_picture_release(renderer);
            fake.fails = cases[i].fails;
            fake.with = cases[i].fails == CHECK ? KRN_UNAVAILABLE : KRN_FAILED;
            fake.at = frame;
            for (int f = 0; f < 4; f++)
                show_and_compare(device, cases[i].asked, test_view(64 + (int)i, 48));
            const struct ren_blit_status status = ren_picture_status(renderer);
            assert_int_equal(status.asked, cases[i].asked);
            assert_int_equal(fake.at, 0); /* it has failed */
            assert_int_equal(status.used, cases[i].used);
            assert_non_null(strstr(status.reason, "The made-up "));
            assert_int_equal(status.elsewhere, cases[i].fails == CHECK);
        }
    }
    fake.fails = CALLS;
}

/* A driver without pixel buffers, after interop has failed: the first reason is kept. */
TEST_WITH(two_rungs_fail, begin, end)
{
    fake.fails = CHECK;
    fake.with = KRN_UNAVAILABLE;
    fake.at = 1;
    krn_fail_calls("glBufferData:1");
    show_and_compare(device, REN_BLIT_INTEROP, test_view(40, 30));
    krn_fail_calls(NULL);
    struct ren_blit_status status = ren_picture_status(renderer);
    assert_int_equal(status.used, REN_BLIT_COPY);
    assert_string_equal(status.reason, "The made-up CHECK fails.");
    ren_picture_release(renderer);
    krn_fail_calls("glBufferData:1");
    show_and_compare(device, REN_BLIT_PBO, test_view(40, 30));
    krn_fail_calls(NULL);
    status = ren_picture_status(renderer);
    assert_int_equal(status.used, REN_BLIT_COPY);
    assert_non_null(strstr(
        status.reason, "OpenGL gives no pixel buffer of 5 KiB (GL_OUT_OF_MEMORY): close other"));
}

/* Begins a frame that must fail with what the made-up call returns. */
static void refuses_to_begin(enum ren_blit blit, enum krn_code code)
{
    struct krn_image image;
    assert_int_equal(ren_picture_begin(renderer, device, blit, 50, 40, &image, &error), code);
    assert_non_null(strstr(error.text, "The made-up "));
    assert_int_equal(ren_picture_end(renderer, &error), KRN_REFUSED);
    assert_string_equal(error.text, "No picture was begun.");
    fake.at = 0;
}

/* A device that is lost is no reason to try the next rung, and without memory for the last rung
 * there is no frame. The next frame starts at the top again. */
TEST_WITH(no_rung_is_left, begin, end)
{
    static const struct {
        enum call fails;
        enum krn_code with;
        enum ren_blit asked;
    } cases[] = {
        {MAP, KRN_LOST, REN_BLIT_INTEROP},          {MAP, KRN_LOST, REN_BLIT_PBO},
        {CHECK, KRN_LOST, REN_BLIT_INTEROP},        {ALLOC_IMAGE, KRN_NO_MEMORY, REN_BLIT_COPY},
        {ALLOC_HOST, KRN_NO_MEMORY, REN_BLIT_COPY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fake.fails = cases[i].fails;
        fake.with = cases[i].with;
        fake.at = 1;
        fake.on = true;
        refuses_to_begin(cases[i].asked, cases[i].with);
        show_and_compare(device, cases[i].asked, test_view(50, 40));
        assert_int_equal(ren_picture_status(renderer).used, cases[i].asked);
        end(NULL);
    }
}

/* Renders a frame that cannot be brought to OpenGL by its rung, which is then to fail at `call`. */
static void end_fails(enum ren_blit blit, enum call call, const char *words)
{
    struct krn_image image;
    const struct krn_view view = test_view(50, 40);
    const struct krn_mode mode = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1};
    TEST_OK(ren_picture_begin(renderer, device, blit, 50, 40, &image, &error));
    TEST_OK(krn_device_render(device, mode, &view, &image, KRN_UNTIMED, &error));
    fake.fails = call;
    fake.with = KRN_LOST;
    fake.at = 1;
    assert_int_equal(ren_picture_end(renderer, &error), KRN_LOST);
    assert_string_equal(error.text, words);
    assert_int_equal(ren_picture_end(renderer, &error), KRN_REFUSED);
    fake.at = 0;
    show_and_compare(device, blit, view);
    end(NULL);
}

/* The pixels are rendered and cannot be brought to OpenGL in any way. The next frame can. */
TEST_WITH(a_frame_without_rescue, begin, end)
{
    end_fails(REN_BLIT_COPY, READ, "The made-up READ fails.");
    fake.also = true; /* the copy on the device fails before */
    end_fails(REN_BLIT_INTEROP, ALLOC_HOST, "The made-up ALLOC_HOST fails.");
    fake.also = true;
    end_fails(REN_BLIT_INTEROP, READ, "The made-up READ fails.");
}

/* A frame that was begun and never ended is unmapped before the next one. */
TEST_WITH(an_abandoned_frame, begin, end)
{
    static const enum ren_blit blits[] = {REN_BLIT_INTEROP, REN_BLIT_PBO};
    for (size_t i = 0; i < sizeof blits / sizeof *blits; i++) {
        struct krn_image image;
        for (int f = 0; f < 3; f++)
            TEST_OK(ren_picture_begin(renderer, device, blits[i], 50, 40, &image, &error));
        show_and_compare(device, blits[i], test_view(50, 40));
        TEST_OK(ren_picture_begin(renderer, device, blits[i], 50, 40, &image, &error));
        fake.fails = UNMAP;
        fake.with = KRN_FAILED;
        fake.at = 1;
        refuses_to_begin(blits[i], KRN_FAILED);
        show_and_compare(device, blits[i], test_view(50, 40));
        assert_int_equal(ren_picture_status(renderer).used, blits[i]);
        end(NULL);
    }
}

int main(void)
{
    const int unable = test_screen_open(-1);
    if (unable)
        return unable;
    if (connect() != 0)
        return 1;
    const int failed = tests_run(NULL, NULL);
    test_screen_close();
    device->ops = inner;
    krn_device_close(device);
    return failed;
}
