/* Where constant memory wins, in OpenGL: the book's picture from a storage buffer and from a
 * uniform one, with 20 to 2000 spheres. The rows beside it are programs for CUDA
 * (cuda/probes/topics/where.c). */
#include "gl/gl.h"

#include "core/base/clock.h"
#include "core/probes/probe_ops.h"
#include "krn/memory.h"
#include "krn/reference.h"
#include "krn/scene.h"

#include <stdlib.h>
#include <string.h>

static const int counts[] = {20, 50, 100, 200, 500, 1000, 2000};
enum { COUNTS = sizeof counts / sizeof *counts, SIDE = 1024, SIDE_OF_PROCESSOR = 128 };

struct gl_probes {
    struct krn_probes base;    /* must be first */
    struct krn_device *device; /* the caller's, whose scene they change */
    struct krn_view view;
    struct krn_image image;
    int scene; /* the index of the device's; -1: none yet */
    struct krn_scene scenes[COUNTS];
    uint64_t hashes[COUNTS]; /* of the first pictures, which later ones equal; 0: none yet */
    struct krn_reference references[COUNTS];
    int probe; /* the one that runs */
    double start_ms;
};

static const char scope[] =
    "one dispatch between two time stamps of OpenGL, after one more; a thread per pixel tests "
    "every sphere; the picture is compared with the first one";

static struct gl_probes *own(struct krn_probes *probes)
{
    return (struct gl_probes *)probes;
}

static struct krn_mode mode_of(const struct krn_probe *probe)
{
    const bool constant = strstr(probe->series, "constant") != NULL;
    return (struct krn_mode){KRN_KERNEL_BOOK, constant ? KRN_STORAGE_CONSTANT : KRN_STORAGE_GLOBAL,
                             1};
}

static int scene_of(const struct krn_probe *probe)
{
    int scene = 0;
    while (counts[scene] < (int)probe->x)
        scene++;
    return scene;
}

static void close_probes(struct krn_probes *probes)
{
    struct gl_probes *p = own(probes);
    krn_device_free_image(p->device, &p->image);
    for (int s = 0; s < COUNTS; s++) {
        krn_scene_free(&p->scenes[s]);
        krn_reference_free(&p->references[s]);
    }
    free(p);
}

/* Gives the device the scene of a probe, and draws it once. */
static enum krn_code show(struct gl_probes *p, const struct krn_probe *probe,
                          struct krn_error *error)
{
    const int scene = scene_of(probe);
    enum krn_code code = KRN_OK;
    if (scene != p->scene)
        code = krn_device_set_scene(p->device, &p->scenes[scene], error);
    p->scene = code == KRN_OK ? scene : -1;
    return KRN_THEN(code, krn_device_render(p->device, mode_of(probe), &p->view, &p->image,
                                            KRN_UNTIMED, error));
}

static enum krn_code start(struct krn_probes *probes, int index, struct krn_error *error)
{
    struct gl_probes *p = own(probes);
    const struct krn_probe *probe = &probes->list[index];
    p->probe = index;
    p->start_ms = krn_clock_ms();
    enum krn_code code = show(p, probe, error);
    return KRN_THEN(code,
                    krn_device_render(p->device, mode_of(probe), &p->view, &p->image, 0, error));
}

/* The picture of a run that cannot be read is none. */
static bool poll(struct krn_probes *probes, struct krn_probe_reading *reading)
{
    struct gl_probes *p = own(probes);
    struct krn_reading of;
    struct krn_error unread;
    uint64_t hash = 0, *first = &p->hashes[p->scene < 0 ? 0 : p->scene];
    if (!krn_device_poll(p->device, &of))
        return false;
    probes->busy = false;
    if (krn_device_hash(p->device, &p->image, &hash, &unread) != KRN_OK)
        return false;
    *first = *first == 0 ? hash : *first;
    *reading =
        (struct krn_probe_reading){.probe = p->probe,
                                   .ms = of.ms,
                                   .slice_ms = krn_clock_ms() - p->start_ms,
                                   .busy = of.busy,
                                   .check = {.compared = (double)p->view.width * p->view.height}};
    if (hash != *first)
        krn_check_value(&reading->check, 0.0, 0.0, 1.0);
    return true;
}

static enum krn_code verify(struct krn_probes *probes, int index, struct krn_check *check,
                            struct krn_error *error)
{
    struct gl_probes *p = own(probes);
    const int scene = scene_of(&probes->list[index]);
    struct krn_reference *reference = &p->references[scene];
    uint8_t *pixels = malloc(4 * (size_t)p->view.width * (size_t)p->view.height);
    if (pixels == NULL)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory to verify a measurement.");
    enum krn_code code = show(p, &probes->list[index], error);
    KRN_THEN(code, krn_device_read(p->device, &p->image, pixels, error));
    if (code == KRN_OK && reference->rgba == NULL)
        code = krn_reference_render(reference, &p->scenes[scene], krn_pose_at(0.0), &p->view, NULL,
                                    NULL, error);
    if (code == KRN_OK) {
        const struct krn_verdict verdict = krn_reference_compare(reference, pixels);
        *check = krn_check_of(&verdict, p->view.width);
    }
    free(pixels);
    return code;
}

static enum krn_code overhead(struct krn_probes *probes, int index, struct krn_overhead *overhead,
                              struct krn_error *error)
{
    struct gl_probes *p = own(probes);
    return krn_device_overhead(p->device, mode_of(&probes->list[index]), &p->view, overhead, error);
}

static const struct krn_probe_ops ops = {
    .close = close_probes, .start = start, .poll = poll, .verify = verify, .overhead = overhead};

/* Lists the cases of a series that its buffer holds. */
static void list(struct gl_probes *p, const char *series)
{
    const struct krn_device_info *info = krn_device_describe(p->device);
    for (int s = 0; s < COUNTS; s++) {
        struct krn_probe probe = {.topic = KRN_TOPIC_WHERE,
                                  .axis = "spheres",
                                  .x = counts[s],
                                  .threads = 256,
                                  .blocks = p->view.width * p->view.height / 256,
                                  .footprint_bytes = sizeof(struct krn_sphere) * (double)counts[s],
                                  .beside_memory = true,
                                  .scope = scope};
        struct krn_error why;
        strcpy(probe.series, series);
        probe.operations = (double)p->view.width * p->view.height * counts[s];
        probe.expected_ms = probe.operations / info->can.tests_per_ms;
        const int room = krn_gl_room(((struct krn_gl_device *)p->device)->gl, mode_of(&probe));
        if (room == 0 || counts[s] <= room) {
            krn_probes_add(&p->base, &probe);
            continue;
        }
        (void)KRN_FAIL(&why, KRN_REFUSED, "A uniform buffer of this OpenGL holds %d spheres.",
                       room);
        krn_probes_refuse(&p->base, KRN_TOPIC_WHERE, &why);
    }
}

enum krn_code krn_gl_open_probes(struct krn_device *device, unsigned topics, size_t bytes_max,
                                 struct krn_probes **probes, struct krn_error *error)
{
    (void)bytes_max; /* the scenes of this topic take kilobytes */
    if (!(topics >> KRN_TOPIC_WHERE & 1))
        return KRN_FAIL(error, KRN_UNAVAILABLE, "OpenGL has the ray tracer's measurements alone.");
    struct gl_probes *made = krn_alloc(1, sizeof *made);
    const int side = device->info.can.host_processors ? SIDE_OF_PROCESSOR : SIDE;
    made->base.ops = &ops;
    made->view = (struct krn_view){.width = side, .height = side, .unit = 1024.0f / (float)side};
    made->device = device;
    made->scene = -1;
    enum krn_code code = krn_device_alloc_image(device, side, side, &made->image, error);
    for (int s = 0; code == KRN_OK && s < COUNTS; s++) {
        struct krn_scene_recipe recipe = krn_scene_book();
        recipe.count = counts[s];
        code = krn_scene_generate(&made->scenes[s], &recipe, error);
    }
    if (code != KRN_OK) {
        krn_probes_close(&made->base);
        return code;
    }
    list(made, "opengl/constant");
    list(made, "opengl/global");
    *probes = &made->base;
    return KRN_OK;
}
