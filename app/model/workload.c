#include "model/model.h"

#include "base/value.h"

#include <stdio.h>
#include <string.h>

/* FNV-1a (G. Fowler, L. C. Noll, P. Vo) over 32-bit words. */
static uint64_t hash_words(uint64_t hash, const void *data, size_t words)
{
    const char *at = data;
    for (size_t i = 0; i < words; i++) {
        uint32_t word;
        memcpy(&word, at + i * sizeof word, sizeof word);
        hash = (hash ^ word) * 0x100000001b3u;
    }
    return hash;
}

void app_workload_scene(enum krn_view_kind view, const struct krn_scene *scene,
                        char text[APP_WORKLOAD_SCENE])
{
    const uint32_t count = (uint32_t)scene->count;
    uint64_t hash = hash_words(0xcbf29ce484222325u, &count, 1);
    hash = hash_words(hash, scene->spheres, count * (sizeof *scene->spheres / sizeof count));
    if (view == KRN_VIEW_LIGHT && scene->mirrors != NULL)
        hash = hash_words(hash, scene->mirrors, count);
    snprintf(text, APP_WORKLOAD_SCENE, "%016llx", (unsigned long long)hash);
}

static void add(struct app_workload *workload, const char *key, double number, const char *text)
{
    workload->pairs[workload->count++] = (struct app_pair){key, number, text};
}

static void add_light(struct app_workload *workload, const struct app_state *state)
{
    const struct krn_light *light = &state->light;
    app_format(workload->camera, sizeof workload->camera, "%.9g:%.9g:%.9g",
               (double)light->camera.yaw, (double)light->camera.pitch,
               (double)light->camera.distance);
    add(workload, "view", 0, krn_view_name(KRN_VIEW_LIGHT));
    add(workload, "camera", 0, workload->camera);
    if (state->camera_path)
        add(workload, "camera_path", 0, "on");
    add(workload, "bounces", light->bounces, NULL);
    add(workload, "samples", light->samples, NULL);
}

void app_workload_describe(struct app_workload *workload, const struct app_state *state,
                           enum krn_view_kind view, const char *scene, int spheres)
{
    const struct krn_scene_recipe *recipe = &state->recipe;
    workload->count = 0;
    snprintf(workload->scene, sizeof workload->scene, "%s", scene);
    snprintf(workload->seed, sizeof workload->seed, "%llu", (unsigned long long)recipe->seed);
    if (scene[0] != 0)
        add(workload, "scene", 0, workload->scene);
    add(workload, "spheres", spheres, NULL);
    if (state->scene == APP_SCENE_RANDOM) {
        add(workload, "seed", 0, workload->seed);
        add(workload, "radius_min", (double)recipe->radius_min, NULL);
        add(workload, "radius_max", (double)recipe->radius_max, NULL);
    }
    add(workload, "width", state->width, NULL);
    add(workload, "height", state->height, NULL);
    if (view == KRN_VIEW_LIGHT)
        add_light(workload, state);
    else
        add(workload, "zoom", state->zoom, state->zoom > 0 ? NULL : "fit");
    add(workload, "pose_s", state->motion_s, state->motion ? "moving" : NULL);
}

void app_workload_point(double spheres, double bounces, char text[APP_WORKLOAD_POINT])
{
    size_t used = 0;
    text[0] = 0;
    if (spheres >= 0)
        used = (size_t)snprintf(text, APP_WORKLOAD_POINT, " at %.0f sphere%s", spheres,
                                spheres > 1 ? "s" : "");
    if (bounces >= 0 && used < APP_WORKLOAD_POINT)
        snprintf(text + used, APP_WORKLOAD_POINT - used, " %s %.0f bounce%s",
                 used > 0 ? "and" : "at", bounces, bounces > 1 || bounces < 1 ? "s" : "");
}

size_t app_kernel_pairs(const struct krn_kernel_attributes *kernel,
                        struct app_pair pairs[APP_KERNEL_PAIRS])
{
    if (!krn_kernel_known(kernel))
        return 0;
    const struct app_pair all[APP_KERNEL_PAIRS] = {
        {"registers", kernel->registers, NULL},
        {"static_shared_bytes", (double)kernel->static_shared_bytes, NULL},
        {"dynamic_shared_bytes", (double)kernel->dynamic_shared_bytes, NULL},
        {"local_bytes", (double)kernel->local_bytes, NULL},
        {"constant_bytes", (double)kernel->constant_bytes, NULL},
        {"threads_max", kernel->threads_max, NULL},
        {"launch_threads", kernel->threads, NULL},
        {"launch_blocks", kernel->blocks, NULL},
        {"blocks_per_processor", kernel->blocks_per_processor, NULL},
        {"occupancy_percent", 100.0 * kernel->occupancy, NULL},
    };
    for (size_t i = 0; i < APP_KERNEL_PAIRS; i++)
        pairs[i] = all[i];
    return APP_KERNEL_PAIRS;
}
