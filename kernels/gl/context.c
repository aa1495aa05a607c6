/* The lent context: its functions and limits, its state as the owner left it, and its errors. */
#include "gl/calls.h"
#include "krn/gl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The loan, and what is known of it. */
static struct {
    struct krn_gl_context context;
    unsigned number; /* of the loan; the first one is 1 */
    bool lent, lost, asked;
    enum krn_code code; /* of the questions */
    struct krn_error error;
    struct krn_gl gl;
} loan;

void krn_gl_lend(const struct krn_gl_context *context)
{
    loan.number++;
    loan.lent = context != NULL;
    loan.lost = loan.asked = false;
    if (context != NULL)
        loan.context = *context;
}

bool krn_gl_lent(void)
{
    return loan.lent;
}

/* Returns true for a renderer that is a processor. For tests, SPHERESCOPE_FAIL=krn_gl_processor
 * makes a GPU of it. */
static bool is_processor(const char *name)
{
    static const char *const names[] = {"llvmpipe",    "softpipe",     "swrast",
                                        "SwiftShader", "Software Ras", "Microsoft Basic Render"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(name, names[i]) != NULL)
            return !krn_call_fails(KRN_API_NONE, "krn_gl_processor()");
    return false;
}

static const char *text_of(struct krn_gl *gl, unsigned name)
{
    const unsigned char *text = gl->GetString(name);
    return text != NULL ? (const char *)text : "n/a";
}

static enum krn_code ask(struct krn_gl *gl, struct krn_error *error)
{
    const char *missing = NULL;
    memset(gl, 0, sizeof *gl);
#define LOAD(result, name, parameters, needed)                                                     \
    {                                                                                              \
        void (*const address)(void) = loan.context.proc("gl" #name);                               \
        memcpy(&gl->name, &address, sizeof address);                                               \
        if (address == NULL && (needed) && missing == NULL)                                        \
            missing = "gl" #name;                                                                  \
    }
    KRN_GL_FUNCTIONS(LOAD)
    if (gl->GetIntegerv == NULL || gl->GetString == NULL)
        return KRN_FAIL(error, KRN_UNAVAILABLE, "The lent context has no OpenGL.");
    gl->GetIntegerv(GL_MAJOR_VERSION, &gl->major);
    gl->GetIntegerv(GL_MINOR_VERSION, &gl->minor);
    gl->name = text_of(gl, GL_RENDERER);
    gl->vendor = text_of(gl, GL_VENDOR);
    gl->version = text_of(gl, GL_VERSION);
    gl->processor = is_processor(gl->name);
    if (krn_call_fails(KRN_API_NONE, "krn_gl_old()")) {
        gl->major = 3;
        gl->minor = 3;
    }
    if (gl->major < 4 || (gl->major == 4 && gl->minor < 3))
        return KRN_FAIL(error, KRN_UNAVAILABLE, "OpenGL 4.3 computes; this context has %d.%d.",
                        gl->major, gl->minor);
    if (missing != NULL)
        return KRN_FAIL(error, KRN_UNAVAILABLE, "This driver's OpenGL %d.%d lacks %s.", gl->major,
                        gl->minor, missing);
    int64_t storage = 0;
    gl->GetQueryiv(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &gl->stamp_bits);
    gl->GetIntegerv(GL_MAX_UNIFORM_BLOCK_SIZE, &gl->uniform_bytes);
    gl->GetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &gl->texels);
    gl->GetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, 1, &gl->rows);
    gl->GetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &storage);
    gl->storage_bytes = storage > 0 ? (size_t)storage : 0;
    if (gl->uniform_bytes > KRN_CONSTANT_BYTES)
        gl->uniform_bytes = KRN_CONSTANT_BYTES;
    if (krn_call_fails(KRN_API_NONE, "krn_gl_no_stamps()"))
        gl->stamp_bits = 0;
    if (gl->stamp_bits < 1)
        return KRN_FAIL(error, KRN_UNAVAILABLE, "This OpenGL has no time stamps: %s.", gl->name);
    return KRN_OK;
}

enum krn_code krn_gl_open(struct krn_gl **gl, unsigned *number, struct krn_error *error)
{
    if (!loan.lent)
        return KRN_FAIL(error, KRN_UNAVAILABLE,
                        "No OpenGL context is lent: the backend gl computes in that of a window or "
                        "a picture.");
    if (loan.lost || !loan.context.current(loan.context.owner))
        return KRN_FAIL(error, KRN_UNAVAILABLE, "The OpenGL context is lost.");
    if (!loan.asked)
        loan.code = ask(&loan.gl, &loan.error);
    loan.asked = true;
    if (loan.code != KRN_OK && error != NULL)
        *error = loan.error;
    *gl = &loan.gl;
    if (number != NULL)
        *number = loan.number;
    return loan.code;
}

enum krn_code krn_gl_use(struct krn_gl *gl, unsigned number, struct krn_error *error)
{
    if (!loan.lent || loan.number != number)
        return KRN_FAIL(error, KRN_LOST, "The OpenGL context has been taken back.");
    /* A driver tells a reset once. */
    loan.lost =
        loan.lost || !loan.context.current(loan.context.owner) ||
        (gl->GetGraphicsResetStatus != NULL && gl->GetGraphicsResetStatus() != GL_NO_ERROR) ||
        krn_call_fails(KRN_API_NONE, "krn_gl_reset()");
    return loan.lost
               ? KRN_FAIL(error, KRN_LOST, "The graphics driver has reset the OpenGL context.")
               : KRN_OK;
}

void krn_gl_keep(struct krn_gl *gl, struct krn_gl_state *state)
{
    gl->fails = false;
    state->foreign = gl->GetError();
    gl->GetIntegerv(GL_CURRENT_PROGRAM, &state->program);
    gl->GetIntegerv(GL_SHADER_STORAGE_BUFFER_BINDING, &state->storage);
    gl->GetIntegerv(GL_UNIFORM_BUFFER_BINDING, &state->uniform);
    gl->GetIntegerv(GL_COPY_WRITE_BUFFER_BINDING, &state->copy);
    gl->GetIntegerv(GL_ACTIVE_TEXTURE, &state->unit);
    gl->ActiveTexture(GL_TEXTURE0 + KRN_GL_UNIT);
    gl->GetIntegerv(GL_TEXTURE_BINDING_BUFFER, &state->texture);
}

enum krn_code krn_gl_put_back(struct krn_gl *gl, const struct krn_gl_state *state,
                              enum krn_code code, const char *what, struct krn_error *error)
{
    /* First these: to delete what they name would clear the owner's other bindings, too (Mesa). */
    for (unsigned i = 0; i < KRN_GL_BINDINGS; i++)
        gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, KRN_GL_BINDING + i, 0);
    gl->BindBufferBase(GL_UNIFORM_BUFFER, KRN_GL_BINDING, 0);
    gl->BindTexture(GL_TEXTURE_BUFFER, (unsigned)state->texture);
    gl->ActiveTexture((unsigned)state->unit);
    gl->BindBuffer(GL_COPY_WRITE_BUFFER, (unsigned)state->copy);
    gl->BindBuffer(GL_UNIFORM_BUFFER, (unsigned)state->uniform);
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, (unsigned)state->storage);
    gl->UseProgram((unsigned)state->program);
    unsigned own = gl->GetError();
    if (gl->fails)
        own = GL_OUT_OF_MEMORY;
    /* An error of the owner's is raised again, though as this kind. */
    if (state->foreign != GL_NO_ERROR)
        gl->BindBuffer(GL_NO_ERROR, 0);
    if (code != KRN_OK || own == GL_NO_ERROR)
        return code;
    if (own == GL_CONTEXT_LOST)
        return KRN_FAIL(error, KRN_LOST, "The graphics driver has reset the OpenGL context.");
    return own == GL_OUT_OF_MEMORY
               ? KRN_FAIL(error, KRN_NO_MEMORY, "%s: OpenGL has no memory for it.", what)
               : KRN_FAIL(error, KRN_FAILED, "%s: OpenGL's error is 0x%04x.", what, own);
}

enum krn_code krn_gl_program(struct krn_gl *gl, const char *defines, unsigned *program,
                             struct krn_error *error)
{
    const char *const texts[] = {"#version 430 core\n", defines, krn_gl_trace_comp};
    char log[256] = "";
    unsigned shader = 0;
    int done = 0;
    *program = 0;
    KRN_GL_VALUE(gl, shader, CreateShader, (GL_COMPUTE_SHADER));
    KRN_GL(gl, ShaderSource, (shader, sizeof texts / sizeof *texts, texts, NULL));
    KRN_GL(gl, CompileShader, (shader));
    gl->GetShaderiv(shader, GL_COMPILE_STATUS, &done);
    if (!done)
        gl->GetShaderInfoLog(shader, sizeof log, NULL, log);
    if (done) {
        KRN_GL_VALUE(gl, *program, CreateProgram, ());
        KRN_GL(gl, AttachShader, (*program, shader));
        KRN_GL(gl, LinkProgram, (*program));
        done = 0;
        gl->GetProgramiv(*program, GL_LINK_STATUS, &done);
        if (!done)
            gl->GetProgramInfoLog(*program, sizeof log, NULL, log);
    }
    gl->DeleteShader(shader);
    if (done && !gl->fails)
        return KRN_OK;
    if (*program != 0)
        gl->DeleteProgram(*program);
    *program = 0;
    log[strcspn(log, "\n")] = '\0';
    return KRN_FAIL(error, KRN_FAILED, "The driver cannot compile a shader of the backend gl: %s",
                    log[0] != '\0' ? log : "no reason given.");
}
