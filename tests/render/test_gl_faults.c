/* OpenGL that is too old, incomplete, or fails: what is said, what is given back, and that the next
 * frame is whole again. The functions below stand between the program and the libraries of OpenGL
 * and GLEW. */
#include "offscreen.h"

#include <GL/glew.h>

/* --- OpenGL as a test wants it --- */

static struct {
    GLenum load;          /* what glewInit returns; GLEW_OK: what GLEW returns */
    void (*change)(void); /* takes away a function that GLEW has found; NULL: none */
    int major, minor;     /* 0: the real version */
    bool no_version; /* the queries for the version raise GL_INVALID_ENUM, as before OpenGL 3.0 */
    const char *renderer;    /* NULL: the real one */
    bool nameless;           /* its name is not told */
    const GLenum *errors;    /* what glGetError returns first, up to GL_NO_ERROR */
    GLenum endless;          /* an error that never ends, as of a lost context; GL_NO_ERROR: none */
    GLenum reset;            /* what the driver says once about the context; GL_NO_ERROR: nothing */
    bool reset_by_reading;   /* it says so only after the frame has been read */
    const char *compile_log; /* shaders do not compile, and this is why; NULL: they do */
    const char *link_log;    /* likewise for programs */
} gl;

GLenum __real_glewInit(void);
GLenum __wrap_glewInit(void);
GLenum __real_glGetError(void);
GLenum __wrap_glGetError(void);
void __real_glGetIntegerv(GLenum what, GLint *value);
void __wrap_glGetIntegerv(GLenum what, GLint *value);
const GLubyte *__real_glGetString(GLenum what);
const GLubyte *__wrap_glGetString(GLenum what);

void __real_glReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format,
                         GLenum type, void *pixels);
void __wrap_glReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format,
                         GLenum type, void *pixels);

static PFNGLGETSHADERIVPROC get_shader;
static PFNGLGETPROGRAMIVPROC get_program;

static void GLAPIENTRY answer_shader(GLuint shader, GLenum what, GLint *value)
{
    get_shader(shader, what, value);
    if (what == GL_COMPILE_STATUS && gl.compile_log)
        *value = GL_FALSE;
}

static void GLAPIENTRY answer_program(GLuint program, GLenum what, GLint *value)
{
    get_program(program, what, value);
    if (what == GL_LINK_STATUS && gl.link_log)
        *value = GL_FALSE;
}

static void GLAPIENTRY shader_log(GLuint shader, GLsizei size, GLsizei *length, GLchar *text)
{
    (void)shader;
    (void)length;
    snprintf(text, (size_t)size, "%s", gl.compile_log);
}

static void GLAPIENTRY program_log(GLuint program, GLsizei size, GLsizei *length, GLchar *text)
{
    (void)program;
    (void)length;
    snprintf(text, (size_t)size, "%s", gl.link_log);
}

static GLenum GLAPIENTRY reset_status(void)
{
    const GLenum told = gl.reset_by_reading ? GL_NO_ERROR : gl.reset;
    if (!gl.reset_by_reading)
        gl.reset = GL_NO_ERROR;
    return told;
}

void __wrap_glReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format,
                         GLenum type, void *pixels)
{
    __real_glReadPixels(x, y, width, height, format, type, pixels);
    gl.reset_by_reading = false;
}

GLenum __wrap_glewInit(void)
{
    const GLenum loaded = __real_glewInit();
    if (gl.compile_log || gl.link_log) {
        get_shader = __glewGetShaderiv;
        get_program = __glewGetProgramiv;
        __glewGetShaderiv = answer_shader;
        __glewGetProgramiv = answer_program;
        __glewGetShaderInfoLog = shader_log;
        __glewGetProgramInfoLog = program_log;
    }
    if (gl.change)
        gl.change();
    return gl.load == GLEW_OK ? loaded : gl.load;
}

GLenum __wrap_glGetError(void)
{
    if (gl.endless != GL_NO_ERROR)
        return gl.endless;
    if (gl.errors && *gl.errors != GL_NO_ERROR)
        return *gl.errors++;
    return __real_glGetError();
}

void __wrap_glGetIntegerv(GLenum what, GLint *value)
{
    static const GLenum unknown[] = {GL_INVALID_ENUM, GL_INVALID_ENUM, GL_NO_ERROR};
    const bool version = what == GL_MAJOR_VERSION || what == GL_MINOR_VERSION;
    if (version && gl.no_version) {
        gl.errors = unknown;
        return;
    }
    __real_glGetIntegerv(what, value);
    if (version && gl.major > 0)
        *value = what == GL_MAJOR_VERSION ? gl.major : gl.minor;
}

const GLubyte *__wrap_glGetString(GLenum what)
{
    if (what == GL_RENDERER && gl.nameless)
        return NULL;
    if (what == GL_RENDERER && gl.renderer)
        return (const GLubyte *)gl.renderer;
    return __real_glGetString(what);
}

static int begin(void **unused)
{
    (void)unused;
    memset(&gl, 0, sizeof gl);
    krn_fail_calls(NULL);
    ren_set_checking(true);
    return 0;
}

/* --- opening a renderer --- */

/* Opens a renderer that must be refused. Returns the sentence. */
static const char *refused(enum krn_code code)
{
    struct ren_renderer *other;
    assert_int_equal(ren_open(&other, &error), code);
    assert_null(other);
    assert_int_equal(error.text[strlen(error.text) - 1], '.');
    return error.text;
}

TEST_WITH(test_old_drivers, begin, NULL)
{
    static const int versions[][2] = {{3, 2}, {2, 1}, {1, 4}};
    gl.renderer = "An old card";
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        gl.major = versions[i][0];
        gl.minor = versions[i][1];
        const char *text = refused(KRN_UNAVAILABLE);
        test_has(text, "OpenGL 3.3 is needed, but An old card gives version ");
        test_has(text, "a newer graphics driver may help.");
    }
    gl.major = 0;
    gl.no_version = true;
    test_has(refused(KRN_UNAVAILABLE), "OpenGL 3.3 is needed, but An old card");
    gl.no_version = false;
    krn_fail_calls("glGetIntegerv:1");
    test_has(refused(KRN_UNAVAILABLE),
             "OpenGL does not tell its version (GL_OUT_OF_MEMORY): close other programs");
}

static void lose(void)
{
    __glewVertexAttribPointer = NULL;
}

TEST_WITH(test_loading, begin, NULL)
{
    gl.load = GLEW_ERROR_NO_GL_VERSION;
    assert_string_equal(refused(KRN_UNAVAILABLE), "No OpenGL context is current.");
    gl.load = GLEW_ERROR_GL_VERSION_10_ONLY;
    const char *text = refused(KRN_UNAVAILABLE);
    test_has(text, "OpenGL could not be loaded: ");
    test_has(text, (const char *)glewGetErrorString(GLEW_ERROR_GL_VERSION_10_ONLY));
    gl.load = GLEW_OK;
    gl.renderer = "A strange card";
    gl.change = lose;
    test_has(refused(KRN_UNAVAILABLE), "A strange card lacks the function glVertexAttribPointer.");
}

/* Names that say how OpenGL draws; the errors that loading raises are its own. */
TEST_WITH(test_renderers_in_software, begin, NULL)
{
    static const GLenum noise[] = {GL_INVALID_ENUM, GL_INVALID_ENUM, GL_NO_ERROR};
    static const struct {
        const char *name;
        bool software;
    } names[] = {{"NVIDIA H200/PCIe/SSE2", false},
                 {"llvmpipe (LLVM 15.0.6, 256 bits)", true},
                 {"softpipe", true},
                 {"Software Rasterizer", true},
                 {NULL, false}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct ren_renderer *other;
        gl.renderer = names[i].name;
        gl.nameless = names[i].name == NULL;
        gl.load = GLEW_ERROR_NO_GLX_DISPLAY; /* as GLEW says under EGL */
        gl.errors = noise;
        TEST_OK(ren_open(&other, &error));
        assert_string_equal(ren_describe(other)->renderer, names[i].name ? names[i].name : "n/a");
        assert_int_equal(ren_describe(other)->software, names[i].software);
        ren_close(other);
    }
}

/* Draws a frame of two colours, and reads it. */
static void draws(struct ren_renderer *drawn)
{
    unsigned char rgba[4 * 8 * 8];
    TEST_OK(ren_frame_begin(drawn, 8, 8, 0x204060, NULL, &error));
    struct ren_list *list = ren_list_begin(drawn);
    ren_list_fill(list, (struct ren_rect){0, 0, 4, 8}, 0, 0xff8000ff);
    TEST_OK(ren_list_draw(drawn, list, &error));
    TEST_OK(ren_frame_read(drawn, rgba, &error));
    TEST_OK(ren_check(drawn, &error));
    static const unsigned char orange[] = {255, 128, 0, 255}, blue[] = {0x20, 0x40, 0x60, 255};
    assert_memory_equal(rgba + 4, orange, 4);
    assert_memory_equal(rgba + 4 * 6, blue, 4);
}

TEST_WITH(test_shaders, begin, NULL)
{
    gl.compile_log = "0:7: syntax error";
    test_has(refused(KRN_FAILED),
             "A vertex shader did not compile (0:7: syntax error): update the graphics driver");
    gl.compile_log = "";
    test_has(refused(KRN_FAILED), "A vertex shader did not compile (no reason given)");
    gl.compile_log = NULL;
    gl.link_log = "too many varyings";
    test_has(refused(KRN_FAILED), "A shader program did not link (too many varyings)");
    gl.link_log = "";
    test_has(refused(KRN_FAILED), "A shader program did not link (no reason given)");
    gl.link_log = NULL;
    /* The renderer that is open has lost nothing by all this. */
    draws(renderer);
}

/* A call that fails while a renderer is opened is told, and leaves nothing. */
TEST_WITH(test_calls_of_opening, begin, NULL)
{
    static const struct {
        const char *call, *words;
    } told[] = {
        {"glCreateShader:1", "OpenGL gave no vertex shader (GL_OUT_OF_MEMORY): close other"},
        {"glCreateShader:2", "OpenGL gave no fragment shader (GL_OUT_OF_MEMORY): close other"},
        {"glCreateProgram:1", "OpenGL gave no shader program (GL_OUT_OF_MEMORY): close other"},
        {"glGetShaderiv:1", "A vertex shader did not compile"},
        {"glGetProgramiv:1", "A shader program did not link"},
        {"glGenVertexArrays:1", "OpenGL failed to draw (GL_OUT_OF_MEMORY for glGenVertexArrays("},
        {"glGetUniformLocation:1", "OpenGL failed to draw (GL_OUT_OF_MEMORY for "
                                   "glGetUniformLocation("},
    };
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        struct ren_renderer *other;
        krn_fail_calls(told[i].call);
        assert_int_not_equal(ren_open(&other, &error), KRN_OK);
        krn_fail_calls(NULL);
        assert_null(other);
        test_has(error.text, told[i].words);
    }
    draws(renderer);
}

/* --- errors while drawing --- */

TEST_WITH(test_errors_have_names, begin, NULL)
{
    static const struct {
        GLenum code;
        enum krn_code means;
        const char *words;
    } names[] = {
        {GL_INVALID_ENUM, KRN_FAILED, "(GL_INVALID_ENUM for "},
        {GL_INVALID_VALUE, KRN_FAILED, "(GL_INVALID_VALUE for "},
        {GL_INVALID_OPERATION, KRN_FAILED, "(GL_INVALID_OPERATION for "},
        {GL_INVALID_FRAMEBUFFER_OPERATION, KRN_FAILED, "(GL_INVALID_FRAMEBUFFER_OPERATION for "},
        {GL_OUT_OF_MEMORY, KRN_NO_MEMORY, "(GL_OUT_OF_MEMORY for "},
        {GL_CONTEXT_LOST, KRN_LOST, "(GL_CONTEXT_LOST for "},
        {0x9999, KRN_FAILED, "(an unknown GL error for "},
    };
    static const struct {
        enum krn_code means;
        const char *words;
    } cures[] = {{KRN_FAILED, "): update the graphics driver, and if it stays, report it"},
                 {KRN_NO_MEMORY, "): close other programs that draw, or make --window"},
                 {KRN_LOST, "): the graphics driver was reset, so start the program again."}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        /* The first error counts, with its call; later ones follow from it. */
        const GLenum errors[] = {names[i].code, GL_INVALID_OPERATION, GL_NO_ERROR};
        struct ren_renderer *other;
        TEST_OK(ren_open(&other, &error));
        gl.errors = errors;
        ren_frame_pace(other);
        ren_frame_settle(other);
        gl.errors = NULL;
        assert_int_equal(ren_is_lost(other), names[i].means == KRN_LOST);
        assert_int_equal(ren_check(other, &error), names[i].means);
        test_has(error.text, "OpenGL failed to draw ");
        test_has(error.text, names[i].words);
        for (size_t c = 0; c < sizeof cures / sizeof *cures; c++)
            if (cures[c].means == names[i].means)
                test_has(error.text, cures[c].words);
        TEST_OK(ren_check(other, &error)); /* told once */
        assert_int_equal(ren_is_lost(other), names[i].means == KRN_LOST);
        ren_close(other);
    }
    draws(renderer);
}

/* Without checking, errors are found at the end of the frame, without the call that raised them. */
TEST_WITH(test_errors_without_checking, begin, NULL)
{
    static const GLenum errors[] = {GL_INVALID_VALUE, GL_NO_ERROR};
    ren_set_checking(false);
    gl.errors = errors;
    ren_frame_settle(renderer);
    assert_ptr_equal(gl.errors, errors); /* nothing has asked yet */
    assert_int_equal(ren_check(renderer, &error), KRN_FAILED);
    test_has(error.text, "OpenGL failed to draw (GL_INVALID_VALUE): ");
    ren_set_checking(true);
    draws(renderer);
}

/* A lost context may report errors without end; the frame ends all the same. */
TEST_WITH(test_endless_errors, begin, NULL)
{
    struct ren_renderer *other;
    TEST_OK(ren_open(&other, &error));
    gl.endless = GL_CONTEXT_LOST;
    ren_frame_settle(other);
    assert_int_equal(ren_check(other, &error), KRN_LOST);
    ren_close(other);
    gl.endless = GL_NO_ERROR;
    draws(renderer);
}

static void tell_by_core(void)
{
    __glewGetGraphicsResetStatus = reset_status;
}

static void tell_by_extension(void)
{
    __glewGetGraphicsResetStatus = NULL;
    __glewGetGraphicsResetStatusARB = reset_status;
}

static void tell_nothing(void)
{
    __glewGetGraphicsResetStatus = NULL;
    __glewGetGraphicsResetStatusARB = NULL;
}

/* A frame whose context the driver resets is not read, and stays lost, although the driver says so
 * only once and raises no error. Another context works. */
TEST_WITH(test_resets, begin, NULL)
{
    static const GLenum told[] = {GL_GUILTY_CONTEXT_RESET, GL_INNOCENT_CONTEXT_RESET,
                                  GL_UNKNOWN_CONTEXT_RESET};
    static void (*const tell[])(void) = {tell_by_core, tell_by_extension};
    unsigned char rgba[4 * 8 * 8];
    struct ren_renderer *other;
    for (size_t i = 0; i < 2 * sizeof told / sizeof *told; i++) {
        gl.change = tell[i % 2];
        ren_set_checking(i < 3); /* the calls ask, or the end of the frame */
        TEST_OK(ren_open(&other, &error));
        draws(other);
        TEST_OK(ren_frame_begin(other, 8, 8, 0, NULL, &error));
        gl.reset = told[i / 2];
        ren_frame_settle(other);
        assert_int_equal(ren_check(other, &error), KRN_LOST);
        assert_int_equal(gl.reset, GL_NO_ERROR);
        test_has(error.text, "(GL_CONTEXT_LOST");
        test_has(error.text, "): the graphics driver was reset, so start the program again.");
        assert_true(ren_is_lost(other));
        assert_int_equal(ren_frame_read(other, rgba, &error), KRN_LOST);
        ren_close(other);

        /* A reset that reading the frame brings to light. */
        TEST_OK(ren_open(&other, &error));
        TEST_OK(ren_frame_begin(other, 8, 8, 0, NULL, &error));
        gl.reset = told[i / 2];
        gl.reset_by_reading = true;
        TEST_OK(ren_check(other, &error));
        assert_int_equal(ren_frame_read(other, rgba, &error), KRN_LOST);
        test_has(error.text, "Reading the frame back failed (GL_CONTEXT_LOST): the graphics");
        assert_int_equal(ren_check(other, &error), KRN_LOST);
        ren_close(other);

        /* Another error is not told in its place, whichever comes first. */
        static const GLenum errors[] = {GL_INVALID_VALUE, GL_NO_ERROR};
        TEST_OK(ren_open(&other, &error));
        gl.errors = errors;
        ren_frame_settle(other);
        gl.reset = told[i / 2];
        assert_int_equal(ren_check(other, &error), KRN_LOST);
        ren_close(other);
        gl.errors = NULL;
    }
    gl.change = tell_nothing;
    gl.reset = GL_GUILTY_CONTEXT_RESET;
    TEST_OK(ren_open(&other, &error));
    draws(other);
    ren_close(other);
    gl.reset = GL_NO_ERROR;
    gl.change = NULL;
    TEST_OK(ren_open(&other, &error)); /* finds the driver's own function again */
    draws(other);
    ren_close(other);
    krn_fail_calls("glGetGraphicsResetStatus:1");
    test_has(refused(KRN_UNAVAILABLE), "OpenGL does not tell its version (GL_CONTEXT_LOST): ");
    draws(renderer);
}

static void GLAPIENTRY refuse_storage(GLenum target, GLenum format, GLsizei width, GLsizei height)
{
    static const GLenum errors[] = {GL_INVALID_OPERATION, GL_NO_ERROR};
    (void)target;
    (void)format;
    (void)width;
    (void)height;
    gl.errors = errors;
}

/* Calls whose failure is an answer: the frame is refused, and the next one is whole. */
TEST_WITH(test_frames_that_fail, begin, NULL)
{
    unsigned char rgba[4 * 9 * 9];
    krn_fail_calls("glRenderbufferStorage:1");
    assert_int_equal(ren_frame_begin(renderer, 9, 9, 0, NULL, &error), KRN_NO_MEMORY);
    test_has(error.text, "Out of graphics memory for a 9 x 9 frame: close other programs");
    assert_int_equal(ren_frame_read(renderer, rgba, &error), KRN_FAILED);
    test_has(error.text, "There is no frame to read");
    draws(renderer);

    const PFNGLRENDERBUFFERSTORAGEPROC storage = __glewRenderbufferStorage;
    __glewRenderbufferStorage = refuse_storage;
    assert_int_equal(ren_frame_begin(renderer, 9, 9, 0, NULL, &error), KRN_FAILED);
    __glewRenderbufferStorage = storage;
    test_has(error.text, "OpenGL made no 9 x 9 frame (GL_INVALID_OPERATION, status 0x");
    TEST_OK(ren_check(renderer, &error)); /* told already */
    draws(renderer);

    TEST_OK(ren_frame_begin(renderer, 9, 9, 0, NULL, &error));
    krn_fail_calls("glReadPixels:1");
    assert_int_equal(ren_frame_read(renderer, rgba, &error), KRN_NO_MEMORY);
    test_has(error.text, "Reading the frame back failed (GL_OUT_OF_MEMORY): close other");
    TEST_OK(ren_check(renderer, &error));
    TEST_OK(ren_frame_read(renderer, rgba, &error));
    draws(renderer);

    struct ren_renderer *other;
    TEST_OK(ren_open(&other, &error));
    TEST_OK(ren_frame_begin(other, 9, 9, 0, NULL, &error));
    struct ren_list *list = ren_list_begin(other);
    ren_list_fill(list, (struct ren_rect){0, 0, 4, 8}, 0, 0xff8000ff);
    krn_fail_calls("glTexImage2D:1"); /* of the glyphs */
    assert_int_equal(ren_list_draw(other, list, &error), KRN_NO_MEMORY);
    test_has(error.text, "texture for glyphs (GL_OUT_OF_MEMORY): close other programs");
    krn_fail_calls("glBufferData:1");
    assert_int_equal(ren_list_draw(other, list, &error), KRN_NO_MEMORY);
    test_has(error.text, "OpenGL took no drawing list of 1 items (GL_OUT_OF_MEMORY): close");
    draws(other);
    ren_close(other);
}

int main(void)
{
    const int unable = test_screen_open(-1);
    if (unable)
        return unable;
    const int failed = tests_run(NULL, NULL);
    begin(NULL);
    test_screen_close();
    return failed;
}
