/* Makes a context by EGL: on the CUDA device, another GPU, or Mesa's software. */
#include "ren/context.h"

#include "gl/gl.h"
#include "krn/memory.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES_MAX = 64 };

struct ren_offscreen {
    EGLDisplay display;
    EGLContext context;
    char description[160];
};

/* The EGL devices, and the EGL functions that reach them without a display. */
struct platform {
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_display;
    PFNEGLQUERYDEVICEATTRIBEXTPROC device_attribute;
    PFNEGLQUERYDEVICESTRINGEXTPROC device_string;
    bool surfaceless;
    EGLDeviceEXT devices[DEVICES_MAX];
    EGLint device_count;
};

/* One source of a context; device < 0: Mesa's surfaceless platform. */
struct candidate {
    int device;
    bool is_cuda;
};

static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    while (list && *list) {
        const char *end = strchr(list, ' ');
        size_t n = end ? (size_t)(end - list) : strlen(list);
        if (n == length && memcmp(list, word, n) == 0)
            return true;
        list = end ? end + 1 : NULL;
    }
    return false;
}

#define EGL_ERRORS(X)                                                                              \
    X(EGL_NOT_INITIALIZED), X(EGL_BAD_ACCESS), X(EGL_BAD_ALLOC), X(EGL_BAD_ATTRIBUTE),             \
        X(EGL_BAD_CONFIG), X(EGL_BAD_CONTEXT), X(EGL_BAD_DISPLAY), X(EGL_BAD_MATCH),               \
        X(EGL_BAD_PARAMETER), X(EGL_CONTEXT_LOST)

static const char *egl_error_name(EGLint code)
{
#define CODE(code) code
#define NAME(code) #code
    static const EGLint codes[] = {EGL_ERRORS(CODE)};
    static const char *const names[] = {EGL_ERRORS(NAME)};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i] == code)
            return names[i];
    return code == EGL_SUCCESS ? "no reason given" : "an unknown EGL error";
}

static void platform_query(struct platform *platform)
{
    memset(platform, 0, sizeof *platform);
    const char *client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (!has_word(client, "EGL_EXT_platform_base"))
        return;
    platform->get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    if (!platform->get_display)
        return;
    platform->surfaceless = has_word(client, "EGL_MESA_platform_surfaceless");

    bool listed = has_word(client, "EGL_EXT_device_base") ||
                  (has_word(client, "EGL_EXT_device_enumeration") &&
                   has_word(client, "EGL_EXT_device_query"));
    if (!listed || !has_word(client, "EGL_EXT_platform_device"))
        return;
    PFNEGLQUERYDEVICESEXTPROC query =
        (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    platform->device_attribute =
        (PFNEGLQUERYDEVICEATTRIBEXTPROC)eglGetProcAddress("eglQueryDeviceAttribEXT");
    platform->device_string =
        (PFNEGLQUERYDEVICESTRINGEXTPROC)eglGetProcAddress("eglQueryDeviceStringEXT");
    if (!query || !platform->device_attribute || !platform->device_string)
        return;
    if (!query(DEVICES_MAX, platform->devices, &platform->device_count))
        platform->device_count = 0;
}

/* Lists the sources to try, best first: the CUDA device, other GPUs, Mesa's surfaceless platform
 * (which finds a GPU by itself if there is one), software devices. */
static int candidates_rank(const struct platform *platform, int cuda_ordinal,
                           struct candidate *candidates)
{
    bool is_cuda[DEVICES_MAX] = {false}, is_software[DEVICES_MAX] = {false};
    for (int i = 0; i < platform->device_count; i++) {
        EGLDeviceEXT device = platform->devices[i];
        const char *extensions = platform->device_string(device, EGL_EXTENSIONS);
        EGLAttrib ordinal = -1;
        is_software[i] = has_word(extensions, "EGL_MESA_device_software");
        if (cuda_ordinal >= 0 && has_word(extensions, "EGL_NV_device_cuda") &&
            platform->device_attribute(device, EGL_CUDA_DEVICE_NV, &ordinal))
            is_cuda[i] = ordinal == cuda_ordinal;
    }
    int n = 0;
    for (int i = 0; i < platform->device_count; i++) {
        if (is_cuda[i])
            candidates[n++] = (struct candidate){i, true};
    }
    for (int i = 0; i < platform->device_count; i++) {
        if (!is_cuda[i] && !is_software[i])
            candidates[n++] = (struct candidate){i, false};
    }
    if (platform->surfaceless)
        candidates[n++] = (struct candidate){-1, false};
    for (int i = 0; i < platform->device_count; i++) {
        if (is_software[i])
            candidates[n++] = (struct candidate){i, false};
    }
    return n;
}

/* Chooses any config, since nothing is drawn on a surface; some drivers list none and need none. */
static bool choose_config(EGLDisplay display, const char *extensions, EGLConfig *config)
{
    static const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                    EGL_OPENGL_BIT, EGL_NONE};
    EGLint n = 0;
    if (eglChooseConfig(display, wanted, config, 1, &n) && n > 0)
        return true;
    *config = EGL_NO_CONFIG_KHR;
    return has_word(extensions, "EGL_KHR_no_config_context");
}

/* Makes a context of OpenGL 4.3, which computes, or else of 3.3: some drivers give the version that
 * is asked for and no newer one. It tells when the driver has reset it, where there is such a one.
 */
static EGLContext create_context(EGLDisplay display, EGLConfig config)
{
    enum { ROBUST = 4 }; /* the attributes for reset notification, which come first */
    EGLContext made = EGL_NO_CONTEXT;
    for (EGLint major = 4; major >= 3 && made == EGL_NO_CONTEXT; major--) {
        const EGLint attributes[] = {EGL_CONTEXT_OPENGL_ROBUST_ACCESS,
                                     EGL_TRUE,
                                     EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                                     EGL_LOSE_CONTEXT_ON_RESET,
                                     EGL_CONTEXT_MAJOR_VERSION,
                                     major,
                                     EGL_CONTEXT_MINOR_VERSION,
                                     3,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                     EGL_NONE};
        for (int skipped = 0; skipped <= ROBUST && made == EGL_NO_CONTEXT; skipped += ROBUST) {
            made = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes + skipped);
            if (made == EGL_NO_CONTEXT)
                eglGetError();
        }
    }
    return made;
}

/* Makes a context on display and makes it current in this thread. Returns NULL, or the reason why
 * it could not. */
static const char *context_make(EGLDisplay display, EGLContext *context)
{
    if (!eglInitialize(display, NULL, NULL))
        return egl_error_name(eglGetError());
    const char *reason = NULL;
    const char *extensions = eglQueryString(display, EGL_EXTENSIONS);
    EGLConfig config;
    *context = EGL_NO_CONTEXT;
    if (!has_word(extensions, "EGL_KHR_surfaceless_context"))
        reason = "it needs a surface";
    else if (!eglBindAPI(EGL_OPENGL_API))
        reason = "it has OpenGL ES only";
    else if (!choose_config(display, extensions, &config))
        reason = "it has no configuration for OpenGL";
    else if ((*context = create_context(display, config)) == EGL_NO_CONTEXT)
        reason = "it gives no OpenGL 3.3 core context";
    else if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, *context))
        reason = egl_error_name(eglGetError());
    if (reason == NULL)
        return NULL;
    if (*context != EGL_NO_CONTEXT)
        eglDestroyContext(display, *context);
    eglTerminate(display);
    *context = EGL_NO_CONTEXT;
    return reason;
}

static const char *candidate_open(const struct platform *platform, struct candidate candidate,
                                  struct ren_offscreen *offscreen)
{
    bool surfaceless = candidate.device < 0;
    offscreen->display =
        surfaceless
            ? platform->get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL)
            : platform->get_display(EGL_PLATFORM_DEVICE_EXT, platform->devices[candidate.device],
                                    NULL);
    if (offscreen->display == EGL_NO_DISPLAY)
        return egl_error_name(eglGetError());
    const char *reason = context_make(offscreen->display, &offscreen->context);
    if (reason)
        return reason;
    const char *vendor = eglQueryString(offscreen->display, EGL_VENDOR);
    if (surfaceless)
        snprintf(offscreen->description, sizeof offscreen->description, "EGL surfaceless");
    else
        snprintf(offscreen->description, sizeof offscreen->description, "EGL device %d, %s%s",
                 candidate.device, vendor ? vendor : "n/a",
                 candidate.is_cuda ? ", the CUDA device" : "");
    return NULL;
}

enum krn_code ren_offscreen_open(struct ren_offscreen **offscreen, int cuda_ordinal,
                                 struct krn_error *error)
{
    *offscreen = NULL;
    struct platform platform;
    platform_query(&platform);
    struct candidate candidates[DEVICES_MAX + 1];
    int n = candidates_rank(&platform, cuda_ordinal, candidates);
    if (n == 0)
        return KRN_FAIL(error, KRN_UNAVAILABLE,
                        "There is no OpenGL without a display here: EGL offers neither devices nor "
                        "the surfaceless platform; a GPU driver with EGL or Mesa's EGL is needed.");
    struct ren_offscreen *made = krn_alloc(1, sizeof *made);
    const char *first_reason = NULL;
    for (int i = 0; i < n; i++) {
        const char *reason = candidate_open(&platform, candidates[i], made);
        if (!reason) {
            *offscreen = made;
            return KRN_OK;
        }
        if (!first_reason)
            first_reason = reason;
    }
    free(made);
    return KRN_FAIL(error, KRN_UNAVAILABLE,
                    "There is no OpenGL 3.3 without a display here: EGL was tried in %d ways, and "
                    "the best of them failed (%s); a GPU driver with EGL or Mesa's EGL is needed.",
                    n, first_reason);
}

const char *ren_offscreen_describe(const struct ren_offscreen *offscreen)
{
    return offscreen->description;
}

void ren_offscreen_close(struct ren_offscreen *offscreen)
{
    if (!offscreen)
        return;
    eglMakeCurrent(offscreen->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(offscreen->display, offscreen->context);
    /* Keep the display: EGL gives the same one to every caller in this process and does not count
     * them, so terminating it could break another caller's contexts. */
    eglReleaseThread();
    free(offscreen);
}

void (*ren_offscreen_proc(const char *name))(void)
{
    return eglGetProcAddress(name);
}

bool ren_offscreen_is_current(void)
{
    return eglGetCurrentContext() != EGL_NO_CONTEXT &&
           eglGetCurrentSurface(EGL_DRAW) == EGL_NO_SURFACE;
}
