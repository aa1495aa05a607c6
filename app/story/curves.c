#include "story/curves.h"

#include "judge/verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void app_curves_begin(struct app_curves *curves, enum krn_view_kind view, const int *counts,
                      int count, bool one_storage)
{
    memset(curves, 0, sizeof *curves);
    memcpy(curves->counts, counts, (size_t)count * sizeof *counts);
    curves->count = count;
    curves->one_storage = one_storage;
    for (int kernel = 0; kernel < KRN_KERNEL_COUNT; kernel++)
        for (int storage = 0; storage < KRN_STORAGE_COUNT; storage++) {
            const struct krn_kernel_info *info = krn_kernel_describe((enum krn_kernel)kernel);
            if (info->view != view || !(info->storages >> storage & 1) ||
                (one_storage && storage != KRN_STORAGE_GLOBAL))
                continue;
            struct app_curve *curve = &curves->curves[curves->n++];
            curve->kernel = (enum krn_kernel)kernel;
            curve->storage = (enum krn_storage)storage;
        }
}

static int index_of(const struct app_curves *curves, enum krn_kernel kernel,
                    enum krn_storage storage)
{
    for (int i = 0; i < curves->n; i++)
        if (curves->curves[i].kernel == kernel && curves->curves[i].storage == storage)
            return i;
    return -1;
}

const struct app_curve *app_curves_find(const struct app_curves *curves, enum krn_kernel kernel,
                                        enum krn_storage storage)
{
    const int i = index_of(curves, kernel, storage);
    return i < 0 ? NULL : &curves->curves[i];
}

void app_curves_offer(struct app_curves *curves, struct krn_mode mode, int at,
                      const struct app_estimate *ms)
{
    const int i = index_of(curves, mode.kernel, mode.storage);
    if (i < 0 || !ms->valid || !(ms->value > 0.0))
        return;
    struct app_curve *curve = &curves->curves[i];
    if (ms->trust & APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE))
        curve->wrong = true;
    if (app_trust_no_verdict(ms->trust) ||
        (curve->ms[at].valid && curve->ms[at].value <= ms->value))
        return;
    curve->ms[at] = *ms;
    curve->pixels_per_thread[at] = mode.pixels_per_thread;
}

int app_curve_points(const struct app_curve *curve, int count)
{
    int points = 0;
    for (int i = 0; i < count; i++)
        points += curve->ms[i].valid;
    return points;
}

/* --- sentences --- */

enum { NONE = -1 };

__attribute__((format(printf, 2, 3))) static void say(struct app_story_headline *headline,
                                                      const char *format, ...)
{
    va_list arguments;
    if (headline->count == APP_HEADLINES)
        return;
    va_start(arguments, format);
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

/* The storages of one kernel at one count. */
struct storages {
    int measured;  /* number of them */
    int fastest;   /* index of the curve whose median is least; NONE: nothing was measured */
    bool clear;    /* it is faster than every other one */
    double spread; /* the slowest median over the fastest */
};

static struct storages storages_at(const struct app_curves *curves, enum krn_kernel kernel, int at,
                                   double band_percent)
{
    struct storages found = {0, NONE, true, 1.0};
    for (int i = 0; i < curves->n; i++) {
        const struct app_curve *curve = &curves->curves[i];
        if (curve->kernel != kernel || !curve->ms[at].valid)
            continue;
        found.measured++;
        if (found.fastest == NONE ||
            curve->ms[at].value < curves->curves[found.fastest].ms[at].value)
            found.fastest = i;
    }
    for (int i = 0; i < curves->n && found.fastest != NONE; i++) {
        const struct app_curve *curve = &curves->curves[i];
        const struct app_estimate *best = &curves->curves[found.fastest].ms[at];
        if (curve->kernel != kernel || !curve->ms[at].valid || i == found.fastest)
            continue;
        found.spread = fmax(found.spread, curve->ms[at].value / best->value);
        found.clear = found.clear && is_faster(best, &curve->ms[at], band_percent);
    }
    return found;
}

/* Returns the clear winner among the storages at a count; NONE: there is none, or one storage. */
static int winner_at(const struct app_curves *curves, enum krn_kernel kernel, int at,
                     double band_percent)
{
    const struct storages found = storages_at(curves, kernel, at, band_percent);
    return found.measured > 1 && found.clear ? found.fastest : NONE;
}

/* Returns the largest spread of a kernel's storages, and where; 0: no count has two of them. */
static double widest(const struct app_curves *curves, enum krn_kernel kernel, int *where)
{
    double most = 0.0;
    for (int at = 0; at < curves->count; at++) {
        const struct storages found = storages_at(curves, kernel, at, 0.0);
        if (found.measured > 1 && found.spread > most) {
            most = found.spread;
            *where = at;
        }
    }
    return most;
}

static const char *storage_of(const struct app_curves *curves, int curve)
{
    return krn_storage_name(curves->curves[curve].storage);
}

static void say_spread(const struct app_curves *curves, enum krn_kernel kernel,
                       struct app_story_headline *headline)
{
    const double few = 1.25;
    int where = 0;
    const double most = widest(curves, kernel, &where), percent = (most - 1.0) * 100.0;
    const char *name = krn_kernel_name(kernel);
    if (!(most > 0.0))
        return;
    if (most < few)
        say(headline, "%s kernel: all storages are equal within %.*f %%", name,
            percent < 9.5 ? 1 : 0, fmax(percent, 0.1));
    else
        say(headline, "%s kernel: storages differ by up to %.3g×, at %d spheres", name, most,
            curves->counts[where]);
}

/* Says that constant memory, which the book recommends, wins at no count, and how much longer its
 * kernel takes at worst. Returns false, and says nothing, when it wins somewhere or is not slower.
 */
static bool say_constant_never_wins(const struct app_curves *curves, double band_percent,
                                    struct app_story_headline *headline)
{
    const struct app_curve *constant =
        app_curves_find(curves, KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT);
    double most = 1.0;
    int where = NONE;
    for (int at = 0; constant != NULL && at < curves->count; at++) {
        const struct storages found = storages_at(curves, KRN_KERNEL_BOOK, at, band_percent);
        if (!constant->ms[at].valid || found.measured < 2)
            continue;
        const struct app_curve *best = &curves->curves[found.fastest];
        if (!is_faster(&best->ms[at], &constant->ms[at], band_percent))
            return false;
        if (constant->ms[at].value / best->ms[at].value > most) {
            most = constant->ms[at].value / best->ms[at].value;
            where = at;
        }
    }
    if (where == NONE)
        return false;
    say(headline, "book kernel: constant never wins; %.3g× the time at %d spheres", most,
        curves->counts[where]);
    return true;
}

/* Says which storage is fastest for the book's kernel, and up to where. */
static void say_book(const struct app_curves *curves, double band_percent,
                     struct app_story_headline *headline)
{
    const enum krn_kernel book = KRN_KERNEL_BOOK;
    int winners[APP_CURVE_COUNTS], first = NONE, last = NONE, end = 0;
    for (int at = 0; at < curves->count; at++) {
        winners[at] = winner_at(curves, book, at, band_percent);
        if (storages_at(curves, book, at, band_percent).measured > 1) {
            first = first == NONE ? at : first;
            last = at;
        }
    }
    if (first == NONE || say_constant_never_wins(curves, band_percent, headline))
        return;
    const int winner = winners[first];
    /* Counts that are not measured yet do not end the winner's range. */
    int wins = first;
    for (end = first; end <= last; end++) {
        if (storages_at(curves, book, end, band_percent).measured < 2)
            continue;
        if (winners[end] != winner)
            break;
        wins = end;
    }
    if (winner == NONE)
        say_spread(curves, book, headline);
    else if (end > last)
        say(headline, "book kernel: %s wins, %d to %d spheres", storage_of(curves, winner),
            curves->counts[first], curves->counts[last]);
    else if (winners[last] != NONE && winners[last] != winner)
        say(headline, "book kernel: %s wins up to %d spheres, %s at %d", storage_of(curves, winner),
            curves->counts[wins], storage_of(curves, winners[last]), curves->counts[last]);
    else
        say(headline, "book kernel: %s wins up to %d spheres", storage_of(curves, winner),
            curves->counts[wins]);
}

/* Returns the time of a kernel's fastest storage at a count. */
static const struct app_estimate *best_of(const struct app_curves *curves, enum krn_kernel kernel,
                                          int at)
{
    static const struct app_estimate none = {.valid = false};
    const struct storages found = storages_at(curves, kernel, at, 0.0);
    return found.fastest == NONE ? &none : &curves->curves[found.fastest].ms[at];
}

/* Says from which count on sorting spheres into tiles is faster than every other kernel. */
static void say_binned(const struct app_curves *curves, double band_percent,
                       struct app_story_headline *headline)
{
    int from = NONE, largest = NONE;
    for (int at = curves->count - 1; at >= 0; at--) {
        const struct app_estimate *binned = best_of(curves, KRN_KERNEL_BINNED, at),
                                  *strip = best_of(curves, KRN_KERNEL_STRIP, at);
        if (!binned->valid || !strip->valid)
            continue;
        largest = largest == NONE ? at : largest;
        if (!is_faster(binned, strip, band_percent))
            break;
        from = at;
    }
    if (from != NONE)
        say(headline, "binned kernel: sorting the spheres wins from %d on", curves->counts[from]);
    else if (largest != NONE)
        say(headline, "binned kernel: sorting does not pay up to %d spheres",
            curves->counts[largest]);
}

/* Says how much faster the strip kernel is than the book's, at the largest count of both. */
static void say_strip_over_book(const struct app_curves *curves,
                                struct app_story_headline *headline)
{
    for (int at = curves->count - 1; at >= 0; at--) {
        const struct app_estimate ratio = app_estimate_ratio(
            *best_of(curves, KRN_KERNEL_BOOK, at), *best_of(curves, KRN_KERNEL_STRIP, at));
        if (!ratio.valid)
            continue;
        say(headline, "strip kernel: %.3g× as fast as the book's at %d spheres", ratio.value,
            curves->counts[at]);
        return;
    }
}

void app_story_headline_of(const struct app_curves *curves, double band_percent,
                           struct app_story_headline *headline)
{
    memset(headline, 0, sizeof *headline);
    if (curves->one_storage) {
        say_strip_over_book(curves, headline);
    } else {
        say_book(curves, band_percent, headline);
        say_spread(curves, KRN_KERNEL_STRIP, headline);
    }
    say_binned(curves, band_percent, headline);
}
