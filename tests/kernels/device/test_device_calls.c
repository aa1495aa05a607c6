/* What lies between the calls of a device and its backend: attributes of kernels are kept until
 * scene or view changes, stamps are set inside a stamped frame only, and what a backend lacks is
 * refused. The backend is the CPU's, with some functions replaced. */
#include "core/device/backend.h"
#include "pictures.h"

static struct krn_device *device;
static struct krn_device_ops ops;
static const struct krn_device_ops *inner;

static const struct krn_mode book = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1},
                             strip = {KRN_KERNEL_STRIP, KRN_STORAGE_GLOBAL, 4};

static int connect(void **unused)
{
    (void)unused;
    TEST_OK(krn_backend_get(KRN_BACKEND_CPU)->connect(0, &device, &error));
    inner = device->ops;
    ops = *inner;
    device->ops = &ops;
    return 0;
}

static int disconnect(void **unused)
{
    (void)unused;
    device->ops = inner;
    krn_device_close(device);
    return 0;
}

static void set_scene(int spheres)
{
    TEST_SCENE scene = test_scene(spheres, 1, 20, 120);
    TEST_OK(krn_device_set_scene(device, &scene, &error));
}

/* --- attributes --- */

static int asked;
static bool captures;

static enum krn_code list_kernels(struct krn_device *asked_device, struct krn_mode mode,
                                  const struct krn_view *view, struct krn_kernels *kernels,
                                  struct krn_error *why)
{
    assert_ptr_equal(asked_device, device);
    asked++;
    if (!captures)
        return KRN_FAIL(why, KRN_FAILED, "Launch %d is not captured.", asked);
    kernels->count = 2;
    kernels->list[0] = (struct krn_kernel_attributes){.registers = view->width};
    kernels->list[1] = (struct krn_kernel_attributes){.registers = mode.pixels_per_thread};
    return KRN_OK;
}

TEST_WITH(test_attributes_are_kept, connect, disconnect)
{
    struct krn_kernels kernels = {.count = 7};
    struct krn_view view = test_view(64, 48);
    assert_int_equal(krn_device_kernels(device, book, &view, &kernels, &error), KRN_UNAVAILABLE);
    assert_string_equal(error.text,
                        "A CPU has no registers per thread, no shared memory and no occupancy.");
    assert_int_equal(kernels.count, 0);
    assert_null(krn_kernels_main(&kernels));

    ops.kernels = list_kernels;
    captures = true;
    asked = 0;
    assert_int_equal(krn_device_kernels(device, book, &view, &kernels, &error), KRN_REFUSED);
    assert_string_equal(error.text, "The device has no scene yet.");
    assert_int_equal(asked, 0);
    set_scene(20);
    for (int i = 0; i < 3; i++) {
        TEST_OK(krn_device_kernels(device, strip, &view, &kernels, &error));
        assert_int_equal(asked, 1);
        assert_int_equal(kernels.count, 2);
        assert_int_equal(kernels.list[0].registers, 64);
        assert_ptr_equal(krn_kernels_main(&kernels), &kernels.list[1]);
        assert_int_equal(krn_kernels_main(&kernels)->registers, 4);
    }
    /* Each mode has its own; another view, or another scene, is asked about anew. */
    TEST_OK(krn_device_kernels(device, book, &view, &kernels, &error));
    TEST_OK(krn_device_kernels(device, strip, &view, &kernels, &error));
    assert_int_equal(asked, 2);
    view.width = 32;
    TEST_OK(krn_device_kernels(device, strip, &view, &kernels, &error));
    assert_int_equal(kernels.list[0].registers, 32);
    assert_int_equal(asked, 3);
    view.height = 32;
    TEST_OK(krn_device_kernels(device, strip, &view, &kernels, &error));
    view.unit *= 2.0f;
    TEST_OK(krn_device_kernels(device, strip, &view, &kernels, &error));
    assert_int_equal(asked, 5);
    set_scene(20);
    TEST_OK(krn_device_kernels(device, strip, &view, &kernels, NULL));
    assert_int_equal(asked, 6);
}

/* Why the attributes are not known is kept, too: asking again costs nothing. */
TEST_WITH(test_a_failure_is_kept, connect, disconnect)
{
    struct krn_kernels kernels;
    const struct krn_view view = test_view(64, 48);
    ops.kernels = list_kernels;
    captures = false;
    asked = 0;
    set_scene(20);
    for (int i = 0; i < 3; i++) {
        error.text[0] = 0;
        assert_int_equal(krn_device_kernels(device, book, &view, &kernels, &error), KRN_FAILED);
        assert_string_equal(error.text, "Launch 1 is not captured.");
        assert_int_equal(kernels.count, 0);
        assert_int_equal(krn_device_kernels(device, book, &view, &kernels, NULL), KRN_FAILED);
    }
    assert_int_equal(asked, 1);
    captures = true;
    set_scene(20);
    TEST_OK(krn_device_kernels(device, book, &view, &kernels, &error));
    assert_true(krn_kernel_known(&kernels.list[0]));
    assert_false(krn_kernel_known(NULL));
    assert_false(krn_kernel_known(&(struct krn_kernel_attributes){.threads = 256}));
}

/* --- stamps --- */

static char calls[32]; /* F: frame, B, C: begin and close of a part, E: end */
static bool stamps;

static void note(char call)
{
    const size_t used = strlen(calls);
    assert_true(used + 1 < sizeof calls);
    calls[used] = call;
    calls[used + 1] = 0;
}

static bool stamp_frame(struct krn_device *stamped, uint64_t frame)
{
    (void)stamped;
    assert_int_equal(frame, 42);
    note('F');
    return stamps;
}

static void stamp_begin(struct krn_device *stamped, enum krn_part part)
{
    (void)stamped;
    assert_int_equal(part, KRN_PART_COPY);
    note('B');
}

static void stamp_close(struct krn_device *stamped)
{
    (void)stamped;
    note('C');
}

static void stamp_end(struct krn_device *stamped)
{
    (void)stamped;
    note('E');
}

static bool stamp_poll(struct krn_device *stamped, struct krn_stamps *polled)
{
    (void)stamped;
    polled->frame = 42;
    return stamps;
}

static void stamp_all(bool expected)
{
    calls[0] = 0;
    assert_int_equal(krn_device_stamp_frame(device, 42), expected);
    krn_device_stamp_begin(device, KRN_PART_COPY);
    krn_device_stamp_close(device);
    krn_device_stamp_end(device);
    krn_device_stamp_begin(device, KRN_PART_COPY); /* outside of the frame */
    krn_device_stamp_close(device);
    krn_device_stamp_end(device);
}

TEST_WITH(test_stamps, connect, disconnect)
{
    static const struct krn_stamp_ops stamp_ops = {.frame = stamp_frame,
                                                   .begin = stamp_begin,
                                                   .close = stamp_close,
                                                   .end = stamp_end,
                                                   .poll = stamp_poll};
    struct krn_stamps polled = {.frame = 0};
    ops.stamps = NULL; /* kernels have run before the call returns */
    stamp_all(false);
    assert_string_equal(calls, "");
    assert_false(krn_device_stamp_poll(device, &polled));
    ops.stamps = &stamp_ops;
    stamps = false; /* its events cannot be made */
    stamp_all(false);
    assert_string_equal(calls, "F");
    stamps = true;
    stamp_all(true);
    assert_string_equal(calls, "FBCE");
    assert_true(krn_device_stamp_poll(device, &polled));
    assert_int_equal(polled.frame, 42);
}

/* --- refusals --- */

/* An image, a view and a batch that cannot be are refused before the backend sees them. */
TEST_WITH(test_refusals, connect, disconnect)
{
    struct krn_view view = test_view(16, 16);
    double ms = 1.0;
    set_scene(20);
    struct krn_image image = test_image(device, 16, 16);
    view.unit = 0.0f;
    assert_int_equal(krn_device_render(device, book, &view, &image, 0, &error), KRN_REFUSED);
    assert_string_equal(error.text, "A pixel is larger than 0 units.");
    view = test_view(16, 16);
    struct krn_image cut = image;
    cut.pitch_bytes = 62;
    assert_int_equal(krn_device_render(device, book, &view, &cut, 0, &error), KRN_REFUSED);
    assert_string_equal(error.text, "The image does not fit the view (16x16, 16x16).");
    cut = image;
    cut.pixels = NULL;
    assert_int_equal(krn_device_render(device, book, &view, &cut, 0, &error), KRN_REFUSED);
    assert_int_equal(krn_device_render_batch(device, book, &view, &image, 0, &ms, &error),
                     KRN_REFUSED);
    assert_string_equal(error.text, "A batch has at least 1 frame, not 0.");
    krn_device_free_image(device, &image);
    assert_null(image.pixels);
    krn_device_free_image(device, &image);
    krn_device_free_host(device, NULL);
}
