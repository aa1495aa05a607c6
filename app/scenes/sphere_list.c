#include "scenes/sphere_list.h"

#include "base/files.h"

#include <math.h>
#include <stdlib.h>

enum krn_code app_sphere_list_add(struct app_sphere_list *list, const struct app_lines *lines,
                                  const struct app_ball *ball)
{
    enum { FIRST = 1024 };
    if (list->count == KRN_SPHERES_MAX)
        return app_lines_fail(lines, "a scene holds at most %d spheres", KRN_SPHERES_MAX);
    if (list->count == list->capacity) {
        const int capacity = list->capacity > 0 ? 2 * list->capacity : FIRST;
        struct app_ball *larger = realloc(list->balls, (size_t)capacity * sizeof *larger);
        if (larger == NULL)
            return KRN_FAIL(lines->error, KRN_NO_MEMORY, "No memory for the spheres of %s.",
                            app_shorten(lines->source).text);
        list->balls = larger;
        list->capacity = capacity;
    }
    list->balls[list->count] = *ball;
    list->balls[list->count++].line = lines->number;
    return KRN_OK;
}

/* Returns the middle of the box that contains all spheres; its other members are 0. */
static struct app_ball middle_of(const struct app_sphere_list *list)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < list->count; i++) {
        const struct app_ball *ball = &list->balls[i];
        const double at[3] = {ball->x, ball->y, ball->z};
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], at[k] - ball->radius);
            high[k] = fmax(high[k], at[k] + ball->radius);
        }
    }
    return (struct app_ball){.x = 0.5 * (low[0] + high[0]),
                             .y = 0.5 * (low[1] + high[1]),
                             .z = 0.5 * (low[2] + high[2])};
}

/* Returns the distance from the middle to the farthest surface. */
static double extent_of(const struct app_sphere_list *list, const struct app_ball *middle)
{
    double extent = 0.0;
    for (int i = 0; i < list->count; i++) {
        const struct app_ball *ball = &list->balls[i];
        const double x = ball->x - middle->x, y = ball->y - middle->y, z = ball->z - middle->z;
        extent = fmax(extent, sqrt(x * x + y * y + z * z) + ball->radius);
    }
    return extent;
}

enum krn_code app_sphere_list_frame(const struct app_sphere_list *list,
                                    const struct app_lines *lines, struct krn_scene *scene)
{
    struct krn_scene made = {.spheres = NULL};
    const struct app_ball middle = middle_of(list);
    const double scale = APP_FRAME_RADIUS / extent_of(list, &middle);
    const enum krn_code code = krn_scene_alloc(&made, list->count, lines->error);
    for (int i = 0; i < list->count && code == KRN_OK; i++) {
        const struct app_ball *ball = &list->balls[i];
        const float radius = (float)(scale * ball->radius);
        if (!(radius >= KRN_RADIUS_MIN)) {
            struct app_lines there = *lines;
            there.number = ball->line;
            krn_scene_free(&made);
            return app_lines_fail(&there, "the sphere is too small: less than 1/%.0f of the scene",
                                  APP_FRAME_RADIUS / (double)KRN_RADIUS_MIN);
        }
        made.spheres[i] = (struct krn_sphere){
            .r = ball->red,
            .g = ball->green,
            .b = ball->blue,
            .radius = radius,
            .x = (float)(scale * (ball->x - middle.x)),
            .y = (float)(scale * (ball->y - middle.y)),
            .z = (float)(scale * (ball->z - middle.z)),
        };
        made.mirrors[i] = ball->mirror;
    }
    if (code == KRN_OK)
        *scene = made;
    return code;
}

void app_sphere_list_free(struct app_sphere_list *list)
{
    free(list->balls);
    *list = (struct app_sphere_list){.balls = NULL};
}
