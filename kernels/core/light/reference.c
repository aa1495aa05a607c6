/* The light view again, in double and with every sphere tested. Paths that deviate by the rounding
 * of float show which pixels cannot be decided. */
#include "krn/reference.h"
#include "core/light/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The rays of some pixels in double precision, each tested against every sphere. */

/* Rows that are compared at least, each at some of its pixels where whole rows cost too much. */
enum { ROWS_LEAST = 64 };

/* The most that a deviating path is off, far more than float: in its first direction, in radians,
 * and as a share of squared radii and of the coordinates of a hit. */
static const double error_most = 0x1p-19;

/* Deviating paths that are followed where a pixel differs. */
enum { TURNS = 32 };

/* So many wrong pixels are no accident of rounding, and further ones are not looked into. */
enum { WRONG_SURELY = 1000 };

/* The change of a channel, in bytes, that the comparison tolerates whatever the rounding. */
static const double byte_error = 0.5;

struct dvec {
    double x, y, z;
};

struct painter {
    const struct krn_scene *scene;
    struct krn_light_frame frame;
    struct dvec sun, east, axis;
    struct dvec *centres; /* of the rotated spheres; owned */
    bool (*go_on)(void *context);
    void *context;
    enum krn_code code; /* KRN_OK until it is stopped, then why */
};

/* A path from the eye. */
struct path {
    struct dvec origin, direction; /* of length 1 */
    struct dvec gathered;          /* light so far */
    struct dvec weight;            /* share of further light that counts */
    int turn;                      /* the number of its deviation; 0: it deviates from nothing */
};

static struct dvec dvec_of(struct krn_vec vec)
{
    return (struct dvec){(double)vec.x, (double)vec.y, (double)vec.z};
}

#define COLOUR(...) dvec_of((struct krn_vec){__VA_ARGS__})

static double dot(struct dvec a, struct dvec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Returns a + t * b. */
static struct dvec moved(struct dvec a, double t, struct dvec b)
{
    return (struct dvec){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z};
}

static struct dvec scaled(struct dvec a, double factor)
{
    return (struct dvec){a.x * factor, a.y * factor, a.z * factor};
}

static struct dvec times(struct dvec a, struct dvec b)
{
    return (struct dvec){a.x * b.x, a.y * b.y, a.z * b.z};
}

static struct dvec mix(struct dvec a, struct dvec b, double t)
{
    return moved(scaled(a, 1.0 - t), t, b);
}

static struct dvec grey(double value)
{
    return (struct dvec){value, value, value};
}

static struct dvec normalised(struct dvec a)
{
    return scaled(a, 1.0 / sqrt(dot(a, a)));
}

/* Returns the share of the most by which a path is off in the matter of this number, with its sign.
 * A great deviation can lead past what a small one meets, so that there are four sizes. Each odd
 * turn is followed by its opposite. */
static double deviation(int turn, int number)
{
    const int pair = (turn + 1) / 2;
    const unsigned sign = ((unsigned)number * 2654435761u >> (12 + pair) ^ (unsigned)turn) & 1;
    return turn == 0 ? 0.0 : ldexp(sign ? 1.0 : -1.0, -2 * (pair % 4));
}

static struct dvec wobble_of(int turn)
{
    return (struct dvec){deviation(turn, -1), deviation(turn, -2), deviation(turn, -3)};
}

/* Returns the point that a path hits at a distance. */
static struct dvec hit_at(const struct path *path, double distance)
{
    const struct dvec point = moved(path->origin, distance, path->direction);
    return moved(point, error_most * (sqrt(dot(point, point)) + distance), wobble_of(path->turn));
}

static double squared_radius(const struct painter *painter, int sphere, int turn)
{
    const double radius = (double)painter->scene->spheres[sphere].radius;
    return radius * radius * (1.0 + error_most * deviation(turn, sphere));
}

/* Returns the sphere that a path hits first, and its distance; -1: none. Only the side that faces
 * the ray is hit. */
static int nearest_sphere(const struct painter *painter, const struct path *path, double *distance)
{
    int nearest = -1;
    *distance = HUGE_VAL;
    for (int s = 0; s < painter->scene->count; s++) {
        const struct dvec to = moved(painter->centres[s], -1.0, path->origin);
        const double along = dot(to, path->direction);
        const struct dvec off = moved(to, -along, path->direction);
        const double square = squared_radius(painter, s, path->turn) - dot(off, off);
        if (!(square > 0.0))
            continue;
        const double at = along - sqrt(square);
        if (at > (double)painter->frame.nearest && at < *distance) {
            *distance = at;
            nearest = s;
        }
    }
    return nearest;
}

/* Returns true when a sphere hides the sun from a point. */
static bool is_shadowed(const struct painter *painter, struct dvec point, int turn)
{
    for (int s = 0; s < painter->scene->count; s++) {
        const struct dvec to = moved(painter->centres[s], -1.0, point);
        const double east = dot(to, painter->east), axis = dot(to, painter->axis);
        if (squared_radius(painter, s, turn) - east * east - axis * axis > 0.0 &&
            dot(to, painter->sun) > 0.0)
            return true;
    }
    return false;
}

static void gather(struct path *path, struct dvec light)
{
    path->gathered = moved(path->gathered, 1.0, times(path->weight, light));
}

static struct dvec sky(const struct painter *painter, struct dvec direction)
{
    const double low = 1.0 - fmax(direction.y, 0.0);
    const double to_sun = dot(direction, painter->sun);
    const struct dvec air =
        moved(mix(COLOUR(KRN_SKY_ZENITH), COLOUR(KRN_SKY_HORIZON), low * low * low),
              pow(fmax(to_sun, 0.0), 32), COLOUR(KRN_SKY_GLOW));
    return to_sun > (double)KRN_SUN_COSINE ? moved(air, 1.0, COLOUR(KRN_SUN_DISC)) : air;
}

/* Returns the light from the whole sky and the ground on a surface. */
static struct dvec ambient(double normal_y)
{
    return mix(COLOUR(KRN_LIGHT_BELOW), COLOUR(KRN_LIGHT_ABOVE), 0.5 + 0.5 * normal_y);
}

/* Ends a path that hits no sphere: on the plane or in the sky. */
static void shade_miss(const struct painter *painter, struct path *path)
{
    const struct krn_light_frame *frame = &painter->frame;
    const struct dvec direction = path->direction;
    const double distance = ((double)frame->ground - path->origin.y) / direction.y;
    if (!(direction.y < 0.0 && distance > (double)frame->nearest &&
          distance < (double)frame->farthest)) {
        gather(path, sky(painter, direction));
        return;
    }
    struct dvec point = hit_at(path, distance);
    point.y = (double)frame->ground;
    const struct dvec dark = COLOUR(KRN_CHECK_DARK), bright = COLOUR(KRN_CHECK_BRIGHT);
    const double checks =
        floor(point.x * (double)frame->checks) + floor(point.z * (double)frame->checks);
    const double span = distance * (double)frame->blur / -direction.y;
    const struct dvec checker =
        mix(mix(dark, bright, 0.5), fmod(fabs(checks), 2.0) != 0.0 ? dark : bright,
            1.0 - pow(fmin(span, 1.0), 4));
    const double haze = pow(distance * (double)frame->haze, 2);
    const struct dvec level = {direction.x, 0.0, direction.z};
    gather(path, mix(times(checker, ambient(1.0)), sky(painter, level), haze));
    if (!is_shadowed(painter, point, path->turn))
        gather(path, scaled(times(checker, COLOUR(KRN_SUNLIGHT)), painter->sun.y * (1.0 - haze)));
}

/* Continues a path on a sphere; returns true when it is reflected. */
static bool shade_sphere(const struct painter *painter, struct path *path, int number,
                         struct dvec point, bool last)
{
    const struct krn_sphere *sphere = &painter->scene->spheres[number];
    const double mirror = painter->scene->mirrors ? (double)painter->scene->mirrors[number] : 0.0;
    const struct dvec normal =
        scaled(moved(point, -1.0, painter->centres[number]), 1.0 / (double)sphere->radius);
    const double facing = dot(normal, path->direction);
    const struct dvec mirrored = moved(path->direction, -2.0 * facing, normal);
    const struct dvec tint = {(double)sphere->r, (double)sphere->g, (double)sphere->b};
    const struct dvec matt = scaled(times(tint, tint), 1.0 - mirror);
    gather(path, times(matt, ambient(normal.y)));

    const double least = (double)KRN_COAT_FACING, edge = pow(fmax(1.0 + facing, 0.0), 5);
    const double coat = ((1.0 - least) * edge + least) * (1.0 - mirror) * (double)KRN_COAT;
    const struct dvec reflected = scaled(mix(grey(1.0), tint, (double)KRN_MIRROR_TINT), mirror);
    const struct dvec around = mix(sky(painter, mirrored), COLOUR(KRN_GROUND_GLOW),
                                   fmin(fmax(-8.0 * mirrored.y, 0.0), 1.0));
    gather(path, times(moved(grey(coat), last ? 1.0 : 0.0, reflected), around));

    const double sunny = dot(normal, painter->sun);
    if (sunny > 0.0 && !is_shadowed(painter, point, path->turn)) {
        const double gloss = pow(fmax(dot(mirrored, painter->sun), 0.0), 64);
        gather(path, times(moved(scaled(matt, sunny), (double)KRN_GLOSS * gloss, grey(1.0)),
                           COLOUR(KRN_SUNLIGHT)));
    }
    path->origin = point;
    path->direction = normalised(mirrored);
    path->weight = times(path->weight, reflected);
    return mirror > 0.0 && !last;
}

/* Follows one sample of pixel (i, j) and returns its light. The path deviates as `turn` tells. Once
 * stopped, it returns none: another thread may end the cancelling while this one works. */
static struct dvec trace(struct painter *painter, int i, int j, int sample, int turn)
{
    const struct krn_light_frame *frame = &painter->frame;
    double reversed = 0.5 / frame->samples; /* the Hammersley set: bits about the binary point */
    for (int bit = 1, value = frame->samples / 2; bit < frame->samples; bit *= 2, value /= 2)
        reversed += sample & bit ? (double)value / frame->samples : 0.0;
    const double u = i + (sample + 0.5) / frame->samples - 0.5 * frame->width;
    const double v = j + reversed - 0.5 * frame->height;
    const struct dvec towards =
        moved(moved(dvec_of(frame->forward), u, dvec_of(frame->right)), v, dvec_of(frame->up));
    struct path path = {.origin = dvec_of(frame->eye), .weight = grey(1.0), .turn = turn};
    path.direction = normalised(moved(normalised(towards), error_most, wobble_of(turn)));
    if (painter->code == KRN_OK && krn_cancelled())
        painter->code = KRN_CANCELLED;
    if (painter->code == KRN_OK && painter->go_on && !painter->go_on(painter->context))
        painter->code = KRN_REFUSED;
    if (painter->code != KRN_OK)
        return grey(0.0);
    for (int bounce = 0;; bounce++) {
        double distance;
        const int sphere = nearest_sphere(painter, &path, &distance);
        if (sphere < 0) {
            shade_miss(painter, &path);
            return path.gathered;
        }
        const struct dvec point = hit_at(&path, distance);
        if (!shade_sphere(painter, &path, sphere, point, bounce == frame->bounces))
            return path.gathered;
    }
}

/* Returns the byte, not yet rounded, of linear light: exposed as in K. Narkowicz, ACES Filmic Tone
 * Mapping Curve, 2015, and encoded as in IEC 61966-2-1. */
static double encoded(double light)
{
    const double x = fmax(light, 0.0) * (double)KRN_EXPOSURE;
    const double curve = x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14);
    const double linear = fmin(curve, 1.0);
    return 255.0 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1.0 / 2.4) - 0.055);
}

/* Sets the light of pixel (i, j), and the most by which each component of it changes on deviating
 * paths of so many turns. */
static void look(struct painter *painter, int i, int j, int turns, struct dvec *light,
                 struct dvec *change)
{
    const double share = 1.0 / painter->frame.samples;
    *light = *change = grey(0.0);
    for (int k = 0; k < painter->frame.samples; k++) {
        const struct dvec one = trace(painter, i, j, k, 0);
        struct dvec most = grey(0.0);
        for (int turn = 1; turn <= turns; turn++) {
            const struct dvec other = trace(painter, i, j, k, turn);
            most = (struct dvec){fmax(most.x, fabs(other.x - one.x)),
                                 fmax(most.y, fabs(other.y - one.y)),
                                 fmax(most.z, fabs(other.z - one.z))};
        }
        *light = moved(*light, share, one);
        *change = moved(*change, share, most);
    }
}

static uint8_t byte_of(double light)
{
    return (uint8_t)(encoded(light) + 0.5);
}

static bool changes(double light, double change)
{
    return encoded(light + change) - encoded(light) > byte_error ||
           encoded(light) - encoded(light - change) > byte_error;
}

/* Compares pixel (i, j). One that differs is undecidable when paths that deviate a little bring
 * another colour, so that those in float may, too. */
static void compare(struct painter *painter, int i, int j, const uint8_t actual[4],
                    struct krn_verdict *verdict)
{
    struct dvec light, change;
    look(painter, i, j, 0, &light, &change);
    const uint8_t expected[4] = {byte_of(light.x), byte_of(light.y), byte_of(light.z), 255};
    bool off = false;
    for (int c = 0; c < 3; c++)
        off = off || abs((int)expected[c] - (int)actual[c]) > 1;
    if (off && verdict->wrong < WRONG_SURELY) {
        look(painter, i, j, TURNS, &light, &change);
        if (changes(light.x, change.x) || changes(light.y, change.y) ||
            changes(light.z, change.z)) {
            verdict->undecidable++;
            return;
        }
    }
    verdict->compared++;
    if ((off || actual[3] != 255) && verdict->wrong++ == 0) {
        verdict->first_x = i;
        verdict->first_y = j;
        memcpy(verdict->expected, expected, 4);
        memcpy(verdict->actual, actual, 4);
    }
}

/* Returns a number from part `part` of 0..all-1, which has `parts` parts. */
static int one_of(int part, int parts, int all, uint64_t *random)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    const long long offset = (long long)((*random >> 33) % (uint64_t)all);
    return (int)(((long long)part * all + offset) / parts);
}

enum krn_code krn_reference_light(const struct krn_scene *scene, struct krn_pose pose,
                                  const struct krn_view *view, const uint8_t *rgba,
                                  bool (*go_on)(void *context), void *context,
                                  struct krn_verdict *verdict, struct krn_error *error)
{
    const int width = view->width, height = view->height;
    const double most = 2.0 * (view->light.bounces + 1) * view->light.samples * scene->count;
    const double pixels = KRN_REFERENCE_TESTS / most;
    const int rows = (int)fmin(fmax(pixels / width, ROWS_LEAST), height);
    const int columns = (int)fmin(fmax(pixels / rows, 1.0), width);
    struct painter painter = {.scene = scene,
                              .centres = malloc((size_t)scene->count * sizeof *painter.centres),
                              .go_on = go_on,
                              .context = context};
    if (!painter.centres)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a reference of %d spheres.",
                        scene->count);
    const double c = (double)pose.cosine, s = (double)pose.sine;
    for (int n = 0; n < scene->count; n++) {
        const double x = (double)scene->spheres[n].x, z = (double)scene->spheres[n].z;
        painter.centres[n] =
            (struct dvec){x * c + z * s, (double)scene->spheres[n].y, z * c - x * s};
    }
    krn_light_frame_make(&painter.frame, &view->light, krn_bounds_of(scene), width, height);
    painter.sun = dvec_of(painter.frame.sun);
    painter.east = dvec_of(painter.frame.east);
    painter.axis = dvec_of(painter.frame.axis);

    uint64_t random = 1;
    *verdict = (struct krn_verdict){.first_x = -1, .first_y = -1};
    for (int r = 0; r < rows; r++) {
        const int among = one_of(r, rows, height, &random);
        const int j = r == 0 ? 0 : r == rows - 1 ? height - 1 : among;
        for (int k = 0; k < columns && painter.code == KRN_OK; k++) {
            const int i = one_of(k, columns, width, &random);
            const size_t pixel = (size_t)j * (size_t)width + (size_t)i;
            compare(&painter, i, j, rgba + 4 * pixel, verdict);
        }
    }
    free(painter.centres);
    return painter.code == KRN_OK
               ? KRN_OK
               : KRN_FAIL(error, painter.code, "The reference picture was cancelled.");
}
