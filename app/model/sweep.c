/* app/model/sweep.c - the fastest mode at each point, and the sentences about the story plot. */
#include "model/sweep.h"

#include "krn/memory.h"
#include "model/verdict.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* --- which points are measured --- */

const struct app_span *app_sweep_record_axes(void)
{
    static const struct app_span axes[APP_SWEEP_AXES] = {
        [APP_SWEEP_SPHERES] = {.on = true, .low = 10, .high = 5000}};
    return axes;
}

int app_sweep_points(const struct app_span axes[APP_SWEEP_AXES],
                     struct app_sweep_point points[APP_SWEEP_POINTS])
{
    static const int steps[] = {1, 2, 5};
    const struct app_span *spheres = &axes[APP_SWEEP_SPHERES], *bounces = &axes[APP_SWEEP_BOUNCES];
    int counts[APP_SWEEP_COUNTS], count = 0, n = 0;
    counts[count++] = spheres->on ? spheres->low : APP_SWEEP_KEPT;
    for (int power = 1; spheres->on && power <= KRN_LARGE_SPHERES; power *= 10)
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
            if (power * steps[s] > spheres->low && power * steps[s] < spheres->high)
                counts[count++] = power * steps[s];
    if (spheres->on && spheres->high > spheres->low)
        counts[count++] = spheres->high;
    const int low = bounces->on ? bounces->low : APP_SWEEP_KEPT,
              high = bounces->on ? bounces->high : APP_SWEEP_KEPT;
    for (int i = 0; i < count; i++)
        for (int b = low; b <= high; b++)
            points[n++] = (struct app_sweep_point){counts[i], b};
    return n;
}

/* --- their times --- */

struct app_sweep *app_sweep_new(enum krn_view_kind view, const struct app_sweep_values *spheres,
                                const struct app_sweep_values *bounces)
{
    static const struct app_sweep_values none = {.count = 1};
    const struct app_sweep_values *other = bounces != NULL ? bounces : &none;
    const size_t points = (size_t)spheres->count * (size_t)other->count;
    struct app_sweep *sweep = krn_alloc(1, sizeof *sweep + points * sizeof *sweep->cells);
    sweep->spheres = *spheres;
    sweep->bounces = *other;
    sweep->points = (int)points;
    sweep->view = view;
    return sweep;
}

void app_sweep_put(struct app_sweep *sweep, int mode, int point, const struct app_estimate *median,
                   const struct app_result *result)
{
    const struct krn_mode of = krn_mode_at(mode);
    struct app_sweep_cell *cell = &sweep->cells[point][mode];
    *cell = (struct app_sweep_cell){*median, result};
    if (result != NULL) {
        cell->median.trust |= result->trust.reasons;
        sweep->limit_ms[point] = app_result_number(result, APP_M_LIMIT_RAW_MS, 0.0);
    }
    sweep->measured[mode] = true;
    if (cell->median.trust & APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE))
        sweep->wrong[of.kernel][of.storage] = true;
}

/* Returns the bounces of a result; 0 in the book view, whatever its record says. */
static int bounces_of(const struct app_result *result, struct krn_mode mode)
{
    return krn_mode_view(mode) == KRN_VIEW_LIGHT ? app_result_integer(result, APP_W_BOUNCES) : 0;
}

/* Returns true when two results of the ray tracer differ in nothing but mode, spheres and bounces.
 */
static bool same_sweep(const struct app_result *a, const struct app_result *b)
{
    struct krn_mode of_a, of_b;
    if (!app_result_mode(a, &of_a) || !app_result_mode(b, &of_b) ||
        krn_mode_view(of_a) != krn_mode_view(of_b) || a->backend != b->backend ||
        a->workload.count != b->workload.count)
        return false;
    for (size_t i = 0; i < a->workload.count; i++) {
        const struct app_pair *pair = &a->workload.pairs[i],
                              *other = app_pairs_find(b->workload, pair->key);
        if (strcmp(pair->key, "scene") != 0 && strcmp(pair->key, "spheres") != 0 &&
            strcmp(pair->key, "bounces") != 0 && (other == NULL || !app_pair_equal(pair, other)))
            return false;
    }
    return true;
}

bool app_sweep_add(struct app_sweep_values *values, int most, int value)
{
    int at = 0;
    while (at < values->count && values->at[at] < value)
        at++;
    if (at < values->count && values->at[at] == value)
        return true;
    if (values->count == most)
        return false;
    memmove(&values->at[at + 1], &values->at[at],
            (size_t)(values->count - at) * sizeof *values->at);
    values->at[at] = value;
    values->count++;
    return true;
}

int app_sweep_index(const struct app_sweep_values *values, int value)
{
    int at = 0;
    while (at < values->count && values->at[at] != value)
        at++;
    return at;
}

struct app_sweep *app_sweep_read(const struct app_results *results)
{
    struct app_sweep_values spheres = {.count = 0}, bounces = {.count = 0};
    const struct app_result *last = NULL;
    struct krn_mode mode;
    for (size_t i = results->count; i > 0 && last == NULL; i--)
        if (app_result_mode(&results->results[i - 1], &mode))
            last = &results->results[i - 1];
    if (last == NULL)
        return NULL;
    for (size_t i = 0; i < results->count; i++) {
        const struct app_result *result = &results->results[i];
        const int count = app_result_integer(result, APP_W_SPHERES);
        if (!same_sweep(last, result) || !app_result_mode(result, &mode))
            continue;
        if (count <= 0 || !app_sweep_add(&spheres, APP_SWEEP_COUNTS, count) ||
            !app_sweep_add(&bounces, APP_SWEEP_BOUNCE_COUNTS, bounces_of(result, mode)))
            return NULL;
    }
    struct app_sweep *sweep = app_sweep_new(krn_mode_view(mode), &spheres, &bounces);
    sweep->one = last;
    sweep->one_storage = !krn_backend_get(last->backend)->can->distinct_storages;
    for (size_t i = 0; i < results->count; i++) {
        const struct app_result *result = &results->results[i];
        if (!same_sweep(last, result) || !app_result_mode(result, &mode))
            continue;
        const struct app_estimate median = app_result_metric(result, APP_M_MEDIAN_MS);
        app_sweep_put(sweep, krn_mode_index(mode),
                      app_sweep_index(&spheres, app_result_integer(result, APP_W_SPHERES)) *
                              bounces.count +
                          app_sweep_index(&bounces, bounces_of(result, mode)),
                      &median, result);
    }
    return sweep;
}

bool app_sweep_has(const struct app_sweep *sweep, const struct app_result *result)
{
    for (int i = 0; i < sweep->points; i++)
        for (int m = 0; m < KRN_MODES_MAX; m++)
            if (sweep->cells[i][m].result == result)
                return true;
    return false;
}

bool app_sweep_has_verdict(const struct app_sweep_cell *cell)
{
    return cell->median.valid && cell->median.value > 0.0 &&
           !app_trust_no_verdict(cell->median.trust);
}

int app_sweep_spheres(const struct app_sweep *sweep, int point)
{
    return sweep->spheres.at[point / sweep->bounces.count];
}

int app_sweep_bounces(const struct app_sweep *sweep, int point)
{
    return sweep->bounces.at[point % sweep->bounces.count];
}

bool app_sweep_has_both(const struct app_sweep *sweep)
{
    return sweep->spheres.count > 1 && sweep->bounces.count > 1;
}

struct app_phrase app_sweep_point_text(const struct app_sweep *sweep, int point)
{
    const int spheres = app_sweep_spheres(sweep, point), bounces = app_sweep_bounces(sweep, point);
    return app_sweep_has_both(sweep)
               ? app_phrase("%d, %d", spheres, bounces)
               : app_phrase("%d", sweep->bounces.count > 1 ? bounces : spheres);
}

struct app_estimate app_sweep_rate(const struct app_sweep_cell *cell)
{
    const double per_ms = 1e3,
                 rays = cell->result ? app_result_number(cell->result, APP_M_RAYS, 0.0) : 0.0;
    return rays > 0.0 && cell->median.valid && cell->median.value > 0.0
               ? app_estimate_into(per_ms * rays, cell->median)
               : (struct app_estimate){.valid = false};
}

/* Returns true for the mode `but`, and for those that differ from it by a storage that is no memory
 * of its own. */
static bool same_name(const struct app_sweep *sweep, int mode, int but)
{
    const struct krn_mode a = krn_mode_at(mode), b = krn_mode_at(but < 0 ? mode : but);
    return mode == but || (but >= 0 && sweep->one_storage && a.kernel == b.kernel &&
                           a.pixels_per_thread == b.pixels_per_thread);
}

int app_sweep_fastest(const struct app_sweep *sweep, int point, int kernel, int storage, int but)
{
    int fastest = -1;
    for (int m = 0; m < KRN_MODES_MAX; m++) {
        const struct krn_mode mode = krn_mode_at(m);
        const struct app_sweep_cell *cell = &sweep->cells[point][m];
        if (!sweep->measured[m] || (kernel >= 0 && (int)mode.kernel != kernel) ||
            (storage >= 0 && (int)mode.storage != storage) || same_name(sweep, m, but) ||
            !app_sweep_has_verdict(cell))
            continue;
        if (fastest < 0 || cell->median.value < sweep->cells[point][fastest].median.value)
            fastest = m;
    }
    return fastest;
}

const struct app_estimate *app_sweep_time(const struct app_sweep *sweep, enum krn_kernel kernel,
                                          enum krn_storage storage, int point)
{
    const int fastest = app_sweep_fastest(sweep, point, (int)kernel, (int)storage, -1);
    return fastest < 0 ? NULL : &sweep->cells[point][fastest].median;
}

/* --- sentences --- */

enum { NONE = -1 };

__attribute__((format(printf, 2, 3))) static void say(struct app_story_headline *headline,
                                                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (headline->count < APP_HEADLINES)
        vsnprintf(headline->text[headline->count++], sizeof headline->text[0], format, arguments);
    va_end(arguments);
}

/* Returns true when b takes longer than a by more than the band. */
static bool is_faster(const struct app_estimate *a, const struct app_estimate *b,
                      double band_percent)
{
    const struct krn_interval ratio = app_estimate_verdict_interval(app_estimate_ratio(*b, *a));
    return app_verdict_ratio(ratio, band_percent) == APP_VERDICT_FASTER;
}

/* The storages of one kernel at one number of spheres. */
struct storages {
    int measured;                    /* number of them */
    enum krn_storage fastest;        /* the one whose median is least */
    const struct app_estimate *best; /* its time; NULL: nothing was measured */
    bool clear;                      /* it is faster than every other one */
    double spread;                   /* the slowest median over the fastest */
};

static struct storages storages_at(const struct app_sweep *sweep, enum krn_kernel kernel, int at,
                                   double band_percent)
{
    const struct app_estimate *times[KRN_STORAGE_COUNT];
    struct storages found = {.clear = true, .spread = 1.0};
    for (int s = 0; s < KRN_STORAGE_COUNT; s++) {
        times[s] = app_sweep_time(sweep, kernel, (enum krn_storage)s, at);
        found.measured += times[s] != NULL;
        if (times[s] != NULL && (found.best == NULL || times[s]->value < found.best->value)) {
            found.best = times[s];
            found.fastest = (enum krn_storage)s;
        }
    }
    for (int s = 0; s < KRN_STORAGE_COUNT; s++)
        if (times[s] != NULL && times[s] != found.best) {
            found.spread = fmax(found.spread, times[s]->value / found.best->value);
            found.clear = found.clear && is_faster(found.best, times[s], band_percent);
        }
    return found;
}

static void say_spread(const struct app_sweep *sweep, enum krn_kernel kernel,
                       struct app_story_headline *headline)
{
    const double few = 1.25;
    double most = 0.0;
    int where = 0;
    for (int at = 0; at < sweep->points; at++) {
        const struct storages found = storages_at(sweep, kernel, at, 0.0);
        if (found.measured > 1 && found.spread > most) {
            most = found.spread;
            where = at;
        }
    }
    const double percent = (most - 1.0) * 100.0;
    const char *name = krn_kernel_name(kernel);
    if (!(most > 0.0))
        return;
    if (most < few)
        say(headline, "%s kernel: all storages are equal within %.*f %%", name,
            percent < 9.5 ? 1 : 0, fmax(percent, 0.1));
    else
        say(headline, "%s kernel: storages differ by up to %.3g×, at %d spheres", name, most,
            app_sweep_spheres(sweep, where));
}

/* Says that constant memory, which the book recommends, wins at no count, and how much longer its
 * kernel takes at worst. Returns false, and says nothing, when it wins somewhere or is not slower.
 */
static bool say_constant_never_wins(const struct app_sweep *sweep, const struct storages *found,
                                    double band_percent, struct app_story_headline *headline)
{
    double most = 1.0;
    int where = NONE;
    for (int at = 0; at < sweep->points; at++) {
        const struct app_estimate *constant =
            app_sweep_time(sweep, KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT, at);
        if (constant == NULL || found[at].measured < 2)
            continue;
        if (!is_faster(found[at].best, constant, band_percent))
            return false;
        if (constant->value / found[at].best->value > most) {
            most = constant->value / found[at].best->value;
            where = at;
        }
    }
    if (where == NONE)
        return false;
    say(headline, "book: constant never wins, %.3g× the time at %d spheres", most,
        app_sweep_spheres(sweep, where));
    return true;
}

/* Says which storage is fastest for the book's kernel, and up to where. */
static void say_book(const struct app_sweep *sweep, double band_percent,
                     struct app_story_headline *headline)
{
    struct storages found[APP_SWEEP_COUNTS];
    int winners[APP_SWEEP_COUNTS], first = NONE, last = NONE, end = 0;
    for (int at = 0; at < sweep->points; at++) {
        found[at] = storages_at(sweep, KRN_KERNEL_BOOK, at, band_percent);
        winners[at] = found[at].measured > 1 && found[at].clear ? (int)found[at].fastest : NONE;
        if (found[at].measured > 1) {
            first = first == NONE ? at : first;
            last = at;
        }
    }
    if (first == NONE || say_constant_never_wins(sweep, found, band_percent, headline))
        return;
    const int winner = winners[first];
    /* Counts that are not measured yet do not end the winner's range. */
    int wins = first;
    for (end = first; end <= last; end++) {
        if (found[end].measured < 2)
            continue;
        if (winners[end] != winner)
            break;
        wins = end;
    }
    const char *name = krn_storage_name((enum krn_storage)winner);
    const int to = app_sweep_spheres(sweep, wins), at = app_sweep_spheres(sweep, last);
    if (winner == NONE)
        say_spread(sweep, KRN_KERNEL_BOOK, headline);
    else if (end > last)
        say(headline, "book kernel: %s wins, %d to %d spheres", name,
            app_sweep_spheres(sweep, first), at);
    else if (winners[last] != NONE && winners[last] != winner)
        say(headline, "book kernel: %s wins up to %d spheres, %s at %d", name, to,
            krn_storage_name((enum krn_storage)winners[last]), at);
    else
        say(headline, "book kernel: %s wins up to %d spheres", name, to);
}

/* Says from which count on sorting spheres into tiles is faster than every other kernel. */
static void say_binned(const struct app_sweep *sweep, double band_percent,
                       struct app_story_headline *headline)
{
    int from = NONE, largest = NONE;
    for (int at = sweep->points - 1; at >= 0; at--) {
        const struct app_estimate *binned = storages_at(sweep, KRN_KERNEL_BINNED, at, 0.0).best,
                                  *strip = storages_at(sweep, KRN_KERNEL_STRIP, at, 0.0).best;
        if (binned == NULL || strip == NULL)
            continue;
        largest = largest == NONE ? at : largest;
        if (!is_faster(binned, strip, band_percent))
            break;
        from = at;
    }
    headline->sorted_from = from;
    if (from != NONE)
        say(headline, "Sorting (binned) beats the strip from %d spheres on: %.2g× as fast at %d",
            app_sweep_spheres(sweep, from),
            app_estimate_ratio(*storages_at(sweep, KRN_KERNEL_STRIP, largest, 0.0).best,
                               *storages_at(sweep, KRN_KERNEL_BINNED, largest, 0.0).best)
                .value,
            app_sweep_spheres(sweep, largest));
    else if (largest != NONE)
        say(headline, "Sorting (binned) does not pay up to %d spheres",
            app_sweep_spheres(sweep, largest));
}

/* Says how much faster the strip kernel is than the book's, at the largest count of both. */
static void say_strip_over_book(const struct app_sweep *sweep, struct app_story_headline *headline)
{
    for (int at = sweep->points - 1; at >= 0; at--) {
        const struct app_estimate *book = storages_at(sweep, KRN_KERNEL_BOOK, at, 0.0).best,
                                  *strip = storages_at(sweep, KRN_KERNEL_STRIP, at, 0.0).best;
        if (book == NULL || strip == NULL)
            continue;
        say(headline, "strip kernel: %.3g× as fast as the book's at %d spheres",
            app_estimate_ratio(*book, *strip).value, app_sweep_spheres(sweep, at));
        return;
    }
}

void app_story_headline_of(const struct app_sweep *sweep, double band_percent,
                           struct app_story_headline *headline)
{
    memset(headline, 0, sizeof *headline);
    if (sweep->one_storage) {
        say_strip_over_book(sweep, headline);
    } else {
        say_book(sweep, band_percent, headline);
        say_spread(sweep, KRN_KERNEL_STRIP, headline);
    }
    say_binned(sweep, band_percent, headline);
}
