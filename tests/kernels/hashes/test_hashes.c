/* test_hashes cpu|cuda|gl [TABLE [STEP [gpu]]]: renders 1,000, or every STEP-th, random scenes in
 * every mode of both views and compares the hash of each picture with TABLE: on the CPU at every
 * instruction-set level that the processor has. Without TABLE, prints one. Needs the kernels and no
 * other library, so that it can be built for any processor. Exit code 77: there is no such device
 * or, with gpu, a processor plays it. */
#include "krn/device.h"

#ifdef TEST_GL
#include "krn/gl.h"
#include "ren/context.h"
#endif

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCENES = 1000, SKIPPED = 77 };

struct entry {
    struct krn_scene scene;
    struct krn_view view;
    struct krn_pose pose;
    uint64_t hashes[KRN_VIEW_COUNT];
};

static struct krn_error error;

static void must(enum krn_code code)
{
    if (code != KRN_OK) {
        fprintf(stderr, "hashes: %s\n", error.text);
        exit(1);
    }
}

/* Returns a random number in 0..below-1 (SplitMix64). */
static int draw(uint64_t *state, int below)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (int)((z ^ z >> 31) % (uint64_t)below);
}

static float snapped(float x)
{
    return (float)((int)x / 64 * 64);
}

/* Random spheres seldom share a depth, touch, or leave the picture: arranges some scenes so. */
static void arrange(struct krn_scene *scene, int n)
{
    for (int i = 0; i < scene->count; i++) {
        struct krn_sphere *sphere = &scene->spheres[i];
        if (n % 5 == 1) { /* two spheres in one place, of different colours */
            const struct krn_sphere *before = &scene->spheres[i & ~1];
            sphere->x = before->x;
            sphere->y = before->y;
            sphere->z = before->z;
            sphere->radius = before->radius;
        } else if (n % 5 == 2) { /* around a corner of the picture and beyond */
            sphere->x -= 600.0f;
            sphere->y += 500.0f;
        } else if (n % 5 == 3) { /* edges and depths that meet */
            sphere->x = snapped(sphere->x);
            sphere->y = snapped(sphere->y);
            sphere->z = snapped(sphere->z);
            sphere->radius = 32.0f * (float)(1 + i % 3);
        }
        if (n % 7 == 0)
            scene->mirrors[i] = 1.0f;
    }
}

/* Makes scene n: everything about it follows from n. */
static void make(struct entry *entry, int n)
{
    static const float radii[][2] = {{20, 120}, {5, 40},      {1, 8},          {0.01f, 0.5f},
                                     {60, 60},  {300, 30000}, {20000, 100000}, {0.01f, 400}};
    /* A picture's height in heights of the scene: 1 fits, the others zoom out and in. */
    static const float heights[] = {1, 1, 1, 3, 40, 0.5f, 0.03125f, 0.001f};
    static const int sizes[][2] = {{96, 64}, {64, 96}, {700, 6}, {6, 700}}; /* at most */
    static const int samples[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 4, 16};
    uint64_t state = (uint64_t)n;
    const int range = draw(&state, sizeof radii / sizeof *radii);
    struct krn_scene_recipe recipe = {1 + draw(&state, 1 + draw(&state, 300)), (uint64_t)n,
                                      radii[range][0], radii[range][1]};
    if (n % 200 == 0) /* a GPU sorts more than 4096 spheres */
        recipe.count = 4097 + draw(&state, 500);
    struct krn_view *view = &entry->view;
    view->width = 1 + draw(&state, sizes[n % 4][0]);
    view->height = 1 + draw(&state, sizes[n % 4][1]);
    view->unit =
        heights[draw(&state, sizeof heights / sizeof *heights)] * 1024.0f / (float)view->height;
    view->light.camera.yaw = (float)(draw(&state, 361) - 180);
    view->light.camera.pitch = (float)(1 + draw(&state, 89));
    view->light.camera.distance = 0.5f + 0.25f * (float)draw(&state, 31);
    view->light.bounces = draw(&state, 1 + KRN_BOUNCES_MAX);
    view->light.samples = samples[draw(&state, sizeof samples / sizeof *samples)];
    entry->pose = krn_pose_at(0.25 * draw(&state, 240));
    must(krn_scene_generate(&entry->scene, &recipe, &error));
    arrange(&entry->scene, n);
}

/* Reads the hashes of scene n, whose number, size and spheres must be those of the line. */
static bool read_line(FILE *table, struct entry *entry, int n)
{
    int number = -1, width = 0, height = 0, count = 0;
    return fscanf(table, "%d %dx%d %d %" SCNx64 " %" SCNx64, &number, &width, &height, &count,
                  &entry->hashes[KRN_VIEW_BOOK], &entry->hashes[KRN_VIEW_LIGHT]) == 6 &&
           number == n && width == entry->view.width && height == entry->view.height &&
           count == entry->scene.count;
}

/* Returns true when the mode can render scene n. On a CPU, where all storages share their code and
 * memory, a scene has one of them. */
static bool has_mode(struct krn_device *device, struct krn_mode mode, int n)
{
    const int storage = n % KRN_STORAGE_COUNT;
    const bool has = krn_kernel_describe(mode.kernel)->storages >> storage & 1;
    return (!krn_device_is_host(device) || (int)mode.storage == (has ? storage : 0)) &&
           krn_device_check_mode(device, mode, NULL) == KRN_OK;
}

/* Fills the image with other pixels, on a GPU with those of the other view, so that a pixel that
 * the mode does not write is detected. */
static void spoil(struct krn_device *device, struct krn_mode mode, const struct krn_view *view,
                  const struct krn_image *image)
{
    const struct krn_mode other = {krn_mode_view(mode) == KRN_VIEW_BOOK ? KRN_KERNEL_TREE
                                                                        : KRN_KERNEL_BOOK,
                                   KRN_STORAGE_GLOBAL, 1};
    if (krn_device_describe(device)->backend != KRN_BACKEND_CUDA)
        must(krn_device_fill(device, image, 0xa5, &error));
    else
        must(krn_device_render(device, other, view, image, KRN_UNTIMED, &error));
}

/* Renders the scene in every mode. The first mode of a view sets a hash that is not known, 0.
 * Returns false at the first mode that has another hash, and says which. */
static bool same_in_every_mode(struct krn_device *device, struct entry *entry, int n)
{
    const struct krn_device_info *info = krn_device_describe(device);
    const struct krn_view *view = &entry->view;
    struct krn_image image;
    bool same = true;
    must(krn_device_set_scene(device, &entry->scene, &error));
    must(krn_device_set_pose(device, entry->pose, &error));
    must(krn_device_alloc_image(device, view->width, view->height, &image, &error));
    for (int m = 0; m < KRN_MODES && same; m++) {
        const struct krn_mode mode = krn_mode_at(m);
        if (!has_mode(device, mode, n))
            continue;
        uint64_t hash = 0, *expected = &entry->hashes[krn_mode_view(mode)];
        spoil(device, mode, view, &image);
        must(krn_device_render(device, mode, view, &image, KRN_UNTIMED, &error));
        must(krn_device_hash(device, &image, &hash, &error));
        if (*expected == 0)
            *expected = hash;
        same = hash == *expected;
        char name[48];
        krn_mode_name(mode, name, sizeof name);
        if (!same)
            fprintf(stderr,
                    "hashes: scene %d, %dx%d, %d spheres: %s on %s (%s) has %016" PRIx64
                    ", not %016" PRIx64 "\n",
                    n, view->width, view->height, entry->scene.count, name, info->name,
                    info->runtime, hash, *expected);
    }
    krn_device_free_image(device, &image);
    return same;
}

/* Compares all scenes with the table at `path`, or prints a table when that is NULL. */
static bool check(struct krn_device *device, const char *path, int step)
{
    FILE *table = path != NULL ? fopen(path, "r") : NULL;
    bool right = true;
    for (int n = 0; n < SCENES && right; n++) {
        struct entry entry = {.hashes = {0}};
        make(&entry, n);
        if (path != NULL && (table == NULL || !read_line(table, &entry, n))) {
            fprintf(stderr, "hashes: %s has no line of scene %d\n", path, n);
            right = false;
        }
        right = right && (n % step != step - 1 || same_in_every_mode(device, &entry, n));
        if (right && path == NULL)
            printf("%d %dx%d %d %016" PRIx64 " %016" PRIx64 "\n", n, entry.view.width,
                   entry.view.height, entry.scene.count, entry.hashes[KRN_VIEW_BOOK],
                   entry.hashes[KRN_VIEW_LIGHT]);
        krn_scene_free(&entry.scene);
    }
    if (table != NULL)
        fclose(table);
    return right;
}

#ifdef TEST_GL
static bool always(void *owner)
{
    (void)owner;
    return true;
}

/* Lends the backend a context without a display. */
static void lend(void)
{
    const struct krn_gl_context context = {ren_offscreen_proc, always, NULL};
    struct ren_offscreen *offscreen;
    if (ren_offscreen_open(&offscreen, -1, &error) == KRN_OK)
        krn_gl_lend(&context);
}
#endif

int main(int argc, char **argv)
{
    static const char *const levels[] = {"v4", "v3", "v2", "base"};
    const char *name = argc > 1 ? argv[1] : "cpu";
    const bool gpu = strcmp(name, "cpu") != 0;
    const char *path = argc > 2 ? argv[2] : NULL;
    const int step = argc > 3 ? atoi(argv[3]) : 1;
    const struct krn_backend *backend = krn_backend_get(strcmp(name, "cuda") == 0 ? KRN_BACKEND_CUDA
                                                        : gpu                     ? KRN_BACKEND_GL
                                                              : KRN_BACKEND_CPU);
    int runs = 0;
#ifdef TEST_GL
    lend();
#endif
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        struct krn_device *device = NULL;
        setenv("SPHERESCOPE_CPU_LEVEL", levels[i], 1);
        const enum krn_code code = backend->connect(0, &device, &error);
        if (gpu && code != KRN_OK) {
            printf("skipped: %s\n", error.text);
            return SKIPPED;
        }
        must(code);
        const struct krn_device_info *info = krn_device_describe(device);
        if (argc > 4 && info->can.host_processors) {
            printf("skipped: %s is no GPU\n", info->name);
            krn_device_close(device);
            return SKIPPED;
        }
        /* Where the processor lacks a level, the best one runs. */
        const bool runs_it = gpu || strstr(info->runtime, levels[i]) != NULL;
        const bool right = !runs_it || check(device, path, step);
        if (runs_it)
            fprintf(stderr, "hashes: %s (%s): %s\n", info->name, info->runtime,
                    right ? "the same" : "DIFFERS");
        krn_device_close(device);
        if (!right) {
            fprintf(stderr,
                    "If the pictures are meant to change, write the table anew:\n"
                    "%s cpu >tests/kernels/hashes/table.txt\n",
                    argv[0]);
            return 1;
        }
        runs += runs_it;
        if (runs > 0 && (gpu || path == NULL))
            break;
    }
    return runs > 0 ? 0 : 1;
}
