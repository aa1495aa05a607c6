/* Contexts without a display where EGL is not as usual: the order in which the devices are tried,
 * and what is said when none of them works. The functions below stand in for EGL's library. */
#include "expect.h"

#include "ren/context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <stdio.h>

enum { PLACES = 4, SURFACELESS = PLACES - 1 }; /* devices, and the surfaceless platform */

/* The steps at which a place can fail. */
enum fault {
    WORKS,
    NO_DISPLAY,
    NO_START,
    NO_SURFACELESS,
    ES_ONLY,
    NO_CONFIG,
    NO_CONTEXT,
    NO_CURRENT
};

static const char all_client[] = "EGL_EXT_client_extensions EGL_EXT_platform_base "
                                 "EGL_EXT_device_base EGL_EXT_platform_device "
                                 "EGL_MESA_platform_surfaceless";
static const char all_display[] = "EGL_KHR_create_context EGL_KHR_surfaceless_context";

struct place {
    const char *extensions; /* of the device; NULL: none */
    EGLAttrib cuda;         /* its number in CUDA */
    const char *vendor;     /* of its display; NULL: not told */
    enum fault fault;
    bool without_config; /* its contexts need no config, and it lists none */
    bool without_reset;  /* it makes no context that tells of a reset */
};

/* What EGL answers, and what was asked of it. */
static struct {
    const char *client;  /* its extensions without a display; NULL: none */
    const char *missing; /* a function that it does not have; NULL: it has all */
    bool no_list;        /* asking for the devices fails */
    int devices;
    struct place places[PLACES];
    EGLint error;

    char tried[PLACES + 1]; /* the places in the order of their tries: "20S1" */
    int started[PLACES];    /* displays that are initialised */
    int contexts;           /* contexts that exist */
    bool current, given_config;
    bool tells_reset; /* the newest context was to tell of a reset */
} egl;

static EGLDisplay display_of(int place)
{
    return &egl.places[place];
}

static int place_of(EGLDisplay display)
{
    return (int)((struct place *)display - egl.places);
}

static const struct place *at(EGLDisplay display)
{
    return &egl.places[place_of(display)];
}

EGLBoolean eglInitialize(EGLDisplay display, EGLint *major, EGLint *minor)
{
    (void)major;
    (void)minor;
    if (at(display)->fault == NO_START)
        return EGL_FALSE;
    egl.started[place_of(display)]++;
    return EGL_TRUE;
}

EGLBoolean eglTerminate(EGLDisplay display)
{
    egl.started[place_of(display)]--;
    return EGL_TRUE;
}

EGLint eglGetError(void)
{
    return egl.error;
}

EGLBoolean eglBindAPI(EGLenum api)
{
    int tries = (int)strlen(egl.tried);
    assert_int_equal(api, EGL_OPENGL_API);
    const int place = egl.tried[tries - 1] == 'S' ? SURFACELESS : egl.tried[tries - 1] - '0';
    return egl.places[place].fault != ES_ONLY;
}

EGLBoolean eglChooseConfig(EGLDisplay display, const EGLint *wanted, EGLConfig *configs,
                           EGLint size, EGLint *count)
{
    (void)wanted;
    assert_int_equal(size, 1);
    *count = at(display)->without_config || at(display)->fault == NO_CONFIG ? 0 : 1;
    if (*count > 0)
        configs[0] = &egl;
    return EGL_TRUE;
}

EGLContext eglCreateContext(EGLDisplay display, EGLConfig config, EGLContext share,
                            const EGLint *attributes)
{
    EGLint strategy = EGL_NO_RESET_NOTIFICATION, robust = EGL_FALSE, major = 0, minor = 0;
    assert_ptr_equal(share, EGL_NO_CONTEXT);
    for (; attributes[0] != EGL_NONE; attributes += 2) {
        EGLint *value = attributes[0] == EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY ? &strategy
                        : attributes[0] == EGL_CONTEXT_OPENGL_ROBUST_ACCESS             ? &robust
                        : attributes[0] == EGL_CONTEXT_MAJOR_VERSION                    ? &major
                        : attributes[0] == EGL_CONTEXT_MINOR_VERSION                    ? &minor
                                                                                        : NULL;
        if (value)
            *value = attributes[1];
    }
    assert_true((major == 4 || major == 3) && minor == 3);
    egl.tells_reset = robust == EGL_TRUE && strategy == EGL_LOSE_CONTEXT_ON_RESET;
    assert_int_equal(robust, egl.tells_reset);
    if (at(display)->fault == NO_CONTEXT || (major == 4 && at(display)->without_reset) ||
        (egl.tells_reset && at(display)->without_reset))
        return EGL_NO_CONTEXT;
    egl.given_config = config != EGL_NO_CONFIG_KHR;
    egl.contexts++;
    return &egl.contexts;
}

EGLBoolean eglDestroyContext(EGLDisplay display, EGLContext context)
{
    (void)display;
    assert_ptr_equal(context, &egl.contexts);
    egl.contexts--;
    return EGL_TRUE;
}

EGLBoolean eglMakeCurrent(EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context)
{
    assert_ptr_equal(draw, EGL_NO_SURFACE);
    assert_ptr_equal(read, EGL_NO_SURFACE);
    if (at(display)->fault == NO_CURRENT)
        return EGL_FALSE;
    egl.current = context != EGL_NO_CONTEXT;
    return EGL_TRUE;
}

EGLBoolean eglReleaseThread(void)
{
    return EGL_TRUE;
}

const char *eglQueryString(EGLDisplay display, EGLint name)
{
    if (display == EGL_NO_DISPLAY)
        return egl.client;
    if (name == EGL_VENDOR)
        return at(display)->vendor;
    if (at(display)->fault == NO_SURFACELESS)
        return "EGL_KHR_surfaceless_context_of_another_kind";
    return at(display)->without_config ? "EGL_KHR_no_config_context EGL_KHR_surfaceless_context"
                                       : all_display;
}

static EGLDisplay get_display(EGLenum platform, void *device, const EGLint *attributes)
{
    (void)attributes;
    const bool surfaceless = platform == EGL_PLATFORM_SURFACELESS_MESA;
    const int place = surfaceless ? SURFACELESS : place_of(device);
    const size_t tries = strlen(egl.tried);
    assert_true(tries < PLACES);
    egl.tried[tries] = surfaceless ? 'S' : (char)('0' + place);
    egl.tried[tries + 1] = 0;
    return egl.places[place].fault == NO_DISPLAY ? EGL_NO_DISPLAY : display_of(place);
}

static EGLBoolean query_devices(EGLint most, EGLDeviceEXT *devices, EGLint *count)
{
    *count = egl.devices; /* may be told even where the call fails */
    for (int i = 0; i < egl.devices && i < most; i++)
        devices[i] = display_of(i);
    return !egl.no_list;
}

static EGLBoolean query_attribute(EGLDeviceEXT device, EGLint attribute, EGLAttrib *value)
{
    assert_int_equal(attribute, EGL_CUDA_DEVICE_NV);
    *value = at(device)->cuda;
    return EGL_TRUE;
}

static const char *query_string(EGLDeviceEXT device, EGLint name)
{
    assert_int_equal(name, EGL_EXTENSIONS);
    return at(device)->extensions;
}

__eglMustCastToProperFunctionPointerType eglGetProcAddress(const char *name)
{
    static const struct {
        const char *name;
        __eglMustCastToProperFunctionPointerType function;
    } functions[] = {
        {"eglGetPlatformDisplayEXT", (__eglMustCastToProperFunctionPointerType)get_display},
        {"eglQueryDevicesEXT", (__eglMustCastToProperFunctionPointerType)query_devices},
        {"eglQueryDeviceAttribEXT", (__eglMustCastToProperFunctionPointerType)query_attribute},
        {"eglQueryDeviceStringEXT", (__eglMustCastToProperFunctionPointerType)query_string},
    };
    if (egl.missing && strcmp(egl.missing, name) == 0)
        return NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].function;
    fail_msg("%s is not expected", name);
    return NULL;
}

/* Sets up a machine with two GPUs and a renderer in software; all of them work. */
static void begin(void)
{
    memset(&egl, 0, sizeof egl);
    egl.client = all_client;
    egl.error = EGL_SUCCESS;
    egl.devices = 3;
    egl.places[0] = (struct place){.extensions = "EGL_MESA_device_software", .vendor = "Mesa"};
    egl.places[1] = (struct place){
        .extensions = "EGL_NV_device_cuda EGL_EXT_device_drm", .cuda = 1, .vendor = "NVIDIA"};
    egl.places[2] = (struct place){.extensions = "EGL_NV_device_cuda", .cuda = 0};
}

/* Opens a context that must work. Checks which places were tried, in which order, and what is said
 * about the one that worked. */
static void opens(int ordinal, const char *tried, const char *description)
{
    struct ren_offscreen *offscreen;
    egl.tried[0] = 0;
    TEST_OK(ren_offscreen_open(&offscreen, ordinal, &error));
    assert_string_equal(egl.tried, tried);
    assert_string_equal(ren_offscreen_describe(offscreen), description);
    assert_true(egl.current && egl.contexts == 1);
    ren_offscreen_close(offscreen);
    assert_true(!egl.current && egl.contexts == 0);
}

/* Opens a context that must fail; nothing is left of it. Returns the sentence. */
static const char *refuses(int ordinal, const char *tried)
{
    struct ren_offscreen *offscreen;
    egl.tried[0] = 0;
    memset(egl.started, 0, sizeof egl.started);
    assert_int_equal(ren_offscreen_open(&offscreen, ordinal, &error), KRN_UNAVAILABLE);
    assert_null(offscreen);
    assert_string_equal(egl.tried, tried);
    assert_true(!egl.current && egl.contexts == 0);
    for (int i = 0; i < PLACES; i++)
        assert_int_equal(egl.started[i], 0);
    assert_int_equal(error.text[strlen(error.text) - 1], '.');
    return error.text;
}

/* The device that computes comes first, then other GPUs, then Mesa's choice, then software. A
 * context that does not tell of a reset is better than the next place. */
TEST(test_order)
{
    begin();
    opens(0, "2", "EGL device 2, n/a, the CUDA device");
    opens(1, "1", "EGL device 1, NVIDIA, the CUDA device");
    opens(-1, "1", "EGL device 1, NVIDIA");
    opens(7, "1", "EGL device 1, NVIDIA");
    egl.places[2].fault = egl.places[1].fault = NO_CONTEXT;
    opens(0, "21S", "EGL surfaceless");
    opens(-1, "12S", "EGL surfaceless");
    assert_true(egl.tells_reset);
    egl.places[SURFACELESS].without_reset = true;
    opens(0, "21S", "EGL surfaceless");
    assert_false(egl.tells_reset);
    egl.places[SURFACELESS].fault = NO_START;
    opens(0, "21S0", "EGL device 0, Mesa");
}

/* Extensions and functions of EGL that are missing take away the places that need them. */
TEST(test_old_libraries)
{
    static const char nothing[] = "EGL offers neither devices nor the surfaceless platform";
    begin();
    egl.client = "EGL_EXT_platform_base EGL_EXT_device_enumeration EGL_EXT_device_query "
                 "EGL_EXT_platform_device";
    opens(0, "2", "EGL device 2, n/a, the CUDA device");
    static const char *const without_devices[] = {
        "EGL_EXT_platform_base EGL_MESA_platform_surfaceless",
        "EGL_MESA_platform_surfaceless EGL_EXT_platform_base EGL_EXT_device_base",
        ("EGL_EXT_platform_base EGL_EXT_device_enumeration EGL_EXT_platform_device "
         "EGL_MESA_platform_surfaceless")};
    for (size_t i = 0; i < sizeof without_devices / sizeof *without_devices; i++) {
        egl.client = without_devices[i];
        opens(0, "S", "EGL surfaceless");
    }
    static const char *const missing[] = {"eglQueryDevicesEXT", "eglQueryDeviceAttribEXT",
                                          "eglQueryDeviceStringEXT"};
    egl.client = all_client;
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        egl.missing = missing[i];
        opens(0, "S", "EGL surfaceless");
    }
    egl.missing = NULL;
    egl.no_list = true;
    opens(0, "S", "EGL surfaceless");
    egl.missing = "eglGetPlatformDisplayEXT";
    assert_non_null(strstr(refuses(0, ""), nothing));
    egl.missing = NULL;
    static const char *const none[] = {NULL, "", "EGL_EXT_platform_base",
                                       "EGL_EXT_platform_base_2 EGL_MESA_platform_surfaceless"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        egl.client = none[i];
        assert_non_null(strstr(refuses(0, ""), nothing));
    }
}

/* Wherever a context fails, the sentence tells why the best place failed, and in how many ways it
 * was tried; displays and contexts are given back. */
TEST(test_reasons)
{
    static const struct {
        enum fault fault;
        const char *reason;
    } faults[] = {
        {NO_DISPLAY, "EGL_BAD_ALLOC"},
        {NO_START, "EGL_BAD_ALLOC"},
        {NO_SURFACELESS, "it needs a surface"},
        {ES_ONLY, "it has OpenGL ES only"},
        {NO_CONFIG, "it has no configuration for OpenGL"},
        {NO_CONTEXT, "it gives no OpenGL 3.3 core context"},
        {NO_CURRENT, "EGL_BAD_ALLOC"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        char words[128];
        begin();
        egl.error = EGL_BAD_ALLOC;
        for (int place = 0; place < PLACES; place++)
            egl.places[place].fault = faults[i].fault;
        snprintf(words, sizeof words, "tried in 4 ways, and the best of them failed (%s)",
                 faults[i].reason);
        const char *text = refuses(0, "21S0");
        test_has(text, words);
        /* The best place decides, not the last one. */
        egl.places[2].fault = ES_ONLY;
        assert_non_null(strstr(refuses(0, "21S0"), "(it has OpenGL ES only)"));
    }
}

/* EGL's own errors have their names. */
TEST(test_names)
{
    static const struct {
        EGLint code;
        const char *name;
    } names[] = {
        {EGL_SUCCESS, "(no reason given)"},         {EGL_NOT_INITIALIZED, "(EGL_NOT_INITIALIZED)"},
        {EGL_BAD_ACCESS, "(EGL_BAD_ACCESS)"},       {EGL_BAD_ALLOC, "(EGL_BAD_ALLOC)"},
        {EGL_BAD_ATTRIBUTE, "(EGL_BAD_ATTRIBUTE)"}, {EGL_BAD_CONFIG, "(EGL_BAD_CONFIG)"},
        {EGL_BAD_CONTEXT, "(EGL_BAD_CONTEXT)"},     {EGL_BAD_DISPLAY, "(EGL_BAD_DISPLAY)"},
        {EGL_BAD_MATCH, "(EGL_BAD_MATCH)"},         {EGL_BAD_PARAMETER, "(EGL_BAD_PARAMETER)"},
        {EGL_CONTEXT_LOST, "(EGL_CONTEXT_LOST)"},   {0x1234, "(an unknown EGL error)"},
    };
    begin();
    for (int place = 0; place < PLACES; place++)
        egl.places[place].fault = NO_START;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        egl.error = names[i].code;
        const char *text = refuses(-1, "12S0");
        test_has(text, names[i].name);
    }
}

/* A driver that lists no config gets a context without one, if it can give it. */
TEST(test_no_config)
{
    begin();
    opens(0, "2", "EGL device 2, n/a, the CUDA device");
    assert_true(egl.given_config);
    egl.places[2].without_config = true;
    opens(0, "2", "EGL device 2, n/a, the CUDA device");
    assert_false(egl.given_config);
}
