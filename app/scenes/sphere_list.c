/* app/scenes/sphere_list.c - fields of a text, and a list of spheres with its fit into the view. */
#include "scenes/scenes.h"

#include "base/complain.h"
#include "base/files.h"
#include "base/value.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct app_lines app_lines_begin(const char *text, size_t length, const char *source,
                                 struct krn_error *error)
{
    return (struct app_lines){.source = source, .next = text, .end = text + length, .error = error};
}

bool app_lines_next(struct app_lines *lines)
{
    if (lines->next >= lines->end)
        return false;
    const char *end = lines->next;
    while (end < lines->end && *end != '\n' && *end != '\r')
        end++;
    lines->line = lines->next;
    lines->length = (size_t)(end - lines->line);
    lines->next = end + (end < lines->end) + (lines->end - end > 1 && memcmp(end, "\r\n", 2) == 0);
    lines->number++;
    return true;
}

enum krn_code app_lines_fail(const struct app_lines *lines, const char *what, ...)
{
    char text[240];
    va_list arguments;
    va_start(arguments, what);
    vsnprintf(text, sizeof text, what, arguments);
    va_end(arguments);
    app_make_printable(text); /* it may quote the file's characters */
    return KRN_FAIL(lines->error, KRN_REFUSED, "%s, line %zu: %s.", app_shorten(lines->source).text,
                    lines->number > 0 ? lines->number : 1, text);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

struct app_field app_lines_field(const struct app_lines *lines, size_t begin, size_t end)
{
    struct app_field field;
    end = end < lines->length ? end : lines->length;
    while (begin < end && is_blank(lines->line[begin]))
        begin++;
    while (begin < end && is_blank(lines->line[end - 1]))
        end--;
    const size_t length = begin < end ? end - begin : 0, most = sizeof field.text - 1;
    const size_t kept = length < most ? length : most;
    memcpy(field.text, lines->line + (kept > 0 ? begin : 0), kept);
    field.text[kept] = 0;
    if (kept < length) /* what is cut must not pass for a number */
        field.text[kept - 1] = '?';
    return field;
}

size_t app_lines_blanks(const struct app_lines *lines, size_t at)
{
    size_t count = 0;
    while (at + count < lines->length && is_blank(lines->line[at + count]))
        count++;
    return count;
}

struct app_field app_lines_word(const struct app_lines *lines, size_t *at)
{
    *at += app_lines_blanks(lines, *at);
    const size_t begin = *at;
    while (*at < lines->length && !is_blank(lines->line[*at]))
        ++*at;
    return app_lines_field(lines, begin, *at);
}

bool app_field_number(const struct app_field *field, double *number)
{
    struct app_field plain = *field;
    const bool plus = plain.text[0] == '+' && plain.text[1] != '-';
    char *exponent = strpbrk(plain.text, "dD"); /* as Fortran writes it */
    if (exponent != NULL)
        *exponent = 'e';
    return app_parse_real(plain.text + plus, number);
}

enum krn_code app_lines_number(const struct app_lines *lines, const struct app_field *field,
                               const char *name, double low, double high, double *number)
{
    static const char groups[] = ",' \xc2\xa0\xe2\x80\xaf"; /* and two blanks that do not break */
    const char *const text = field->text, *const point = strchr(text, '.');
    double read;
    char range[64];
    if (app_field_number(field, &read) && read >= low && read <= high) {
        *number = read;
        return KRN_OK;
    }
    app_format(range, sizeof range, "%.7g to %.7g", low, high);
    if (field->text[0] == 0)
        return app_lines_fail(lines, "%s is missing", name);
    const bool grouped = (strpbrk(text, groups) != NULL || point != strrchr(text, '.')) &&
                         strspn(text + strspn(text, groups), "+-.,0123456789") > 0;
    return app_lines_fail(lines, "%s must be a number from %s, not \"%s\"%s", name, range, text,
                          grouped ? "; only a decimal point may separate its digits" : "");
}

enum krn_code app_sphere_list_add(struct app_sphere_list *list, const struct app_lines *lines,
                                  const struct app_ball *ball)
{
    enum { FIRST = 1024 };
    if (list->count == KRN_LARGE_SPHERES)
        return app_lines_fail(lines, "a scene holds at most %d spheres", KRN_LARGE_SPHERES);
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

enum krn_code app_sphere_list_scale_colours(struct app_sphere_list *list,
                                            const struct app_lines *lines, bool *scaled)
{
    const float most = (float)APP_COLOUR_MAX;
    float brightest = 0.0f;
    struct app_lines there = *lines;
    for (int i = 0; i < list->count; i++) {
        const struct app_ball *ball = &list->balls[i];
        const float own = fmaxf(fmaxf(ball->red, ball->green), ball->blue);
        there.number = own > brightest ? ball->line : there.number;
        brightest = fmaxf(own, brightest);
    }
    *scaled = brightest > 1.0f;
    if (*scaled && brightest < 2.0f)
        return app_lines_fail(&there, "the greatest colour is %g; colours go to 1 or to 255",
                              (double)brightest);
    for (int i = 0; i < list->count && *scaled; i++) {
        list->balls[i].red /= most;
        list->balls[i].green /= most;
        list->balls[i].blue /= most;
    }
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
