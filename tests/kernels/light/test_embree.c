/* Renders the light view with the hits of Embree 3 and the shading of the kernels: nearly all
 * pixels are those of the CPU's tree, also in scenes in which the reference compares few. */
#include "core/light/light.h"

#include "pictures.h"

#ifndef TEST_EMBREE

int main(void)
{
    puts("Embree 3 is not installed (on Debian, the package libembree-dev).");
    return 77;
}

#else

#include "scenes/scenes.h"

#include <embree3/rtcore.h>

enum { WIDTH = 160, HEIGHT = 90 };

static const struct {
    const char *name, *file; /* NULL: random spheres */
    struct krn_scene_recipe recipe;
} scenes[] = {
    {"488 spheres of plaza.json", "/assets/scenes/plaza.json", {0}},
    {"10^4 spheres, radii 20:120", NULL, {10000, 1, 20.0f, 120.0f}},
    {"10^5 spheres, radii 1:6", NULL, {100000, 1, 1.0f, 6.0f}},
};

struct tracer {
    const struct krn_scene *scene;
    struct krn_light_frame frame;
    RTCScene embree;
};

static RTCScene build(RTCDevice device, const struct krn_scene *spheres)
{
    RTCScene scene = rtcNewScene(device);
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    float *vertices =
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4,
                                4 * sizeof *vertices, (size_t)spheres->count);
    assert_non_null(vertices);
    for (int i = 0; i < spheres->count; i++) {
        const struct krn_sphere *s = &spheres->spheres[i];
        const float vertex[4] = {s->x, s->y, s->z, s->radius};
        memcpy(vertices + 4 * i, vertex, sizeof vertex);
    }
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene);
    assert_int_equal(rtcGetDeviceError(device), RTC_ERROR_NONE);
    return scene;
}

static struct RTCRay ray_of(const struct tracer *with, struct krn_vec origin, struct krn_vec to)
{
    return (struct RTCRay){.org_x = origin.x,
                           .org_y = origin.y,
                           .org_z = origin.z,
                           .tnear = with->frame.nearest,
                           .dir_x = to.x,
                           .dir_y = to.y,
                           .dir_z = to.z,
                           .tfar = INFINITY,
                           .mask = ~0u};
}

static struct krn_vec trace(const struct tracer *with, struct krn_ray ray)
{
    struct krn_path path = {ray, {0.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}};
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    for (int bounce = 0;; bounce++) {
        struct RTCRayHit found = {.ray = ray_of(with, path.ray.origin, path.ray.direction),
                                  .hit = {.primID = RTC_INVALID_GEOMETRY_ID,
                                          .geomID = RTC_INVALID_GEOMETRY_ID,
                                          .instID = {RTC_INVALID_GEOMETRY_ID}}};
        struct krn_bounce next;
        rtcIntersect1(with->embree, &context, &found);
        if (found.hit.geomID == RTC_INVALID_GEOMETRY_ID) {
            next = krn_shade_miss(&with->frame, &path);
        } else {
            const struct krn_sphere s = with->scene->spheres[found.hit.primID];
            const float mirror = with->scene->mirrors[found.hit.primID];
            struct krn_hit hit = {INFINITY, -1}; /* the distance as the kernels compute it */
            krn_nearest(path.ray, krn_ball_of(s), 0, with->frame.nearest, &hit);
            next = krn_shade_sphere(&with->frame, &path, hit.distance, krn_ball_of(s),
                                    (struct krn_surface){s.r, s.g, s.b, s.radius, mirror},
                                    bounce == with->frame.bounces);
        }
        struct RTCRay shadow = ray_of(with, next.point, with->frame.sun);
        if (next.faces_sun)
            rtcOccluded1(with->embree, &context, &shadow);
        if (next.faces_sun && shadow.tfar >= 0.0f)
            path.gathered = krn_along(path.gathered, 1.0f, next.lit);
        if (!next.reflects)
            return path.gathered;
    }
}

static void compare(struct krn_device *device, RTCDevice embree, const struct krn_scene *scene,
                    const char *name)
{
    const struct krn_mode tree = {KRN_KERNEL_TREE, KRN_STORAGE_GLOBAL, 1};
    const struct krn_view view = test_view(WIDTH, HEIGHT);
    struct tracer with = {.scene = scene, .embree = build(embree, scene)};
    struct krn_srgb table;
    int differ = 0;
    krn_light_frame_make(&with.frame, &view.light, krn_bounds_of(scene), WIDTH, HEIGHT);
    krn_srgb_make(&table);
    TEST_OK(krn_device_set_scene(device, scene, &error));
    TEST_OK(krn_device_set_pose(device, krn_pose_at(0.0), &error));
    TEST_FREED uint8_t *pixels = test_render_mode(device, tree, view);
    for (int p = 0; p < WIDTH * HEIGHT; p++) {
        const uint32_t theirs = krn_light_rgba(
            &with.frame, &table, trace(&with, krn_primary(&with.frame, p % WIDTH, p / WIDTH, 0)));
        differ += memcmp(&theirs, pixels + 4 * p, 4) != 0;
    }
    print_message("%s: %d of %d pixels differ\n", name, differ, WIDTH * HEIGHT);
    /* Silhouettes, and mirrors that touch other spheres, are decided by rounding. */
    assert_true(differ <= 2e-3 * WIDTH * HEIGHT);
    rtcReleaseScene(with.embree);
}

TEST(pictures_agree)
{
    TEST_DEVICE *device;
    RTCDevice embree = rtcNewDevice(NULL);
    TEST_OK(krn_backend_get(KRN_BACKEND_CPU)->connect(0, &device, &error));
    assert_non_null(embree);
    for (size_t s = 0; s < sizeof scenes / sizeof *scenes; s++) {
        TEST_SCENE scene = {.spheres = NULL};
        if (scenes[s].file) {
            struct app_scene_note note;
            char path[1024];
            snprintf(path, sizeof path, "%s%s", TEST_SOURCE_DIR, scenes[s].file);
            TEST_OK(app_scene_read(path, &scene, &note, &error));
        } else {
            TEST_OK(krn_scene_generate(&scene, &scenes[s].recipe, &error));
        }
        compare(device, embree, &scene, scenes[s].name);
    }
    rtcReleaseDevice(embree);
}

#endif
