/* Counts, describes and connects the one device of the backend gl: the lent context's. */
#include "gl/gl.h"

#include "krn/memory.h"

#include <stdio.h>
#include <string.h>

/* tests_per_ms: of an integrated GPU of ten years ago; a renderer that is a processor has less. */
static const struct krn_capabilities capabilities = {
    .noun = "GPU",
    .asynchronous = true,
    .distinct_storages = true,
    .tests_per_ms = 1e6,
    .sphere_bytes = 2 * sizeof(struct krn_sphere) + 2 * 4 * sizeof(float),
};

static enum krn_code gl_count(int *devices, struct krn_error *error)
{
    struct krn_gl *gl;
    const enum krn_code code = krn_gl_open(&gl, NULL, error);
    *devices = code == KRN_OK;
    return code;
}

static void fill_info(struct krn_device_info *info, const struct krn_gl *gl)
{
    memset(info, 0, sizeof *info);
    info->backend = KRN_BACKEND_GL;
    info->can = capabilities;
    if (gl->processor) {
        info->can.noun = "CPU";
        info->can.host_processors = true;
        info->can.distinct_storages = false;
        info->can.tests_per_ms = 2e4;
    }
    snprintf(info->name, sizeof info->name, "%s", gl->name);
    snprintf(info->driver, sizeof info->driver, "%.31s", gl->version);
    snprintf(info->runtime, sizeof info->runtime, "OpenGL %d.%d, %d-bit stamps", gl->major % 100,
             gl->minor % 100, gl->stamp_bits % 100);
    snprintf(info->pci_id, sizeof info->pci_id, "n/a");
    snprintf(info->clock, sizeof info->clock, "OpenGL time stamps");
}

static enum krn_code gl_describe(int ordinal, struct krn_device_info *info, struct krn_error *error)
{
    struct krn_gl *gl;
    (void)ordinal; /* one context, one device */
    const enum krn_code code = krn_gl_open(&gl, NULL, error);
    if (code == KRN_OK)
        fill_info(info, gl);
    return code;
}

static enum krn_code gl_connect(int ordinal, struct krn_device **device, struct krn_error *error)
{
    struct krn_gl *gl;
    struct krn_gl_state state;
    unsigned loan = 0;
    (void)ordinal;
    enum krn_code code = krn_gl_open(&gl, &loan, error);
    if (code != KRN_OK)
        return code;
    struct krn_gl_device *made = krn_alloc(1, sizeof *made);
    made->gl = gl;
    made->loan = loan;
    made->base.ops = &krn_gl_ops;
    fill_info(&made->base.info, gl);
    krn_gl_keep(gl, &state);
    for (int i = 0; i < KRN_GL_PAIRS; i++)
        KRN_GL(gl, GenQueries, (2, made->pairs[i].queries));
    for (int i = 0; i < KRN_GL_MEASURED; i++)
        KRN_GL(gl, GenQueries, (2, made->measures[i]));
    KRN_GL(gl, GenTextures, (2, made->textures));
    code = krn_gl_see_exact(made, error);
    KRN_THEN(code, krn_gl_see_clock(made, error));
    code = krn_gl_put_back(gl, &state, code, "The backend gl cannot start", error);
    if (code != KRN_OK) {
        made->base.ops->close(&made->base);
        return code;
    }
    krn_inject_image(&made->base);
    *device = &made->base;
    return KRN_OK;
}

const struct krn_backend krn_gl_backend = {
    .id = KRN_BACKEND_GL,
    .name = "gl",
    .can = &capabilities,
    .count = gl_count,
    .describe = gl_describe,
    .connect = gl_connect,
};

enum krn_code krn_gl_properties(int ordinal, struct krn_property_list *list,
                                struct krn_error *error)
{
    struct krn_device *device = NULL;
    enum krn_code code = gl_connect(ordinal, &device, error);
    if (code != KRN_OK)
        return code;
    const struct krn_gl_device *own = (struct krn_gl_device *)device;
    const struct krn_gl *gl = own->gl;
    const int64_t tick_ps = (int64_t)(device->overheads.tick_ms * 1e9 + 0.5);
    krn_property_add_text(list, "name", "name", gl->name);
    krn_property_add_text(list, "vendor", "vendor", gl->vendor);
    krn_property_add_text(list, "version", "version of the driver", gl->version);
    krn_property_add(list, &(struct krn_property){"openGL", "version of OpenGL",
                                                  KRN_PROPERTY_VERSION, .known = true, .count = 2,
                                                  .values = {gl->major, gl->minor}});
    const struct {
        const char *key, *words;
        enum krn_property_kind kind;
        int64_t value;
    } numbers[] = {
        {"processorRenderer", "a processor computes", KRN_PROPERTY_FLAG, gl->processor},
        {"stampBits", "width of a time stamp", KRN_PROPERTY_BITS, gl->stamp_bits},
        {"stampTick", "step of the time stamps, in ps", KRN_PROPERTY_COUNT,
         tick_ps > 0 ? tick_ps : -1},
        {"uniformBlock", "uniform buffer that a shader reads", KRN_PROPERTY_BYTES,
         gl->uniform_bytes},
        {"storageBlock", "storage buffer", KRN_PROPERTY_BYTES, (int64_t)gl->storage_bytes},
        {"textureBuffer", "texels of a texture buffer", KRN_PROPERTY_COUNT, gl->texels},
        {"exactMultiplyAdd", "fma() rounds once", KRN_PROPERTY_FLAG, own->fused},
        {"exactRoot", "sqrt() rounds once", KRN_PROPERTY_FLAG, own->roots},
        {"exactQuotient", "division rounds once", KRN_PROPERTY_FLAG, own->quotients},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        krn_property_add_number(list, numbers[i].key, numbers[i].words, numbers[i].kind,
                                numbers[i].value);
    krn_device_close(device);
    return KRN_OK;
}
