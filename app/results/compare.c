#include "results/compare.h"

#include "base/files.h"
#include "base/numbers.h"
#include "base/value.h"
#include "results/reader.h"

#include "krn/stats.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DRAWS = 1000, DRAWN_MAX = 2000000, RECORDS_MAX = 64, SIDES_MAX = 16 };

/* --- the ratio --- */

/* SplitMix64 (G. Steele, D. Lea, C. Flood, 2014). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static size_t below(uint64_t *state, size_t n)
{
    return (size_t)((next_random(state) >> 32) * n >> 32);
}

static size_t all_samples(const struct app_side *side)
{
    size_t n = 0;
    for (size_t i = 0; i < side->count; i++)
        n += side->n[i];
    return n;
}

static int ascending(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Returns the k-th smallest value, counted from 0. Reorders values so that no value before index k
 * is larger (Algorithm 65: Find, C. A. R. Hoare, 1961). */
static double select_rank(double *values, size_t n, size_t k)
{
    size_t left = 0, right = n - 1;
    while (left < right) {
        const double pivot = values[left + (right - left) / 2];
        size_t i = left, j = right;
        for (;;) {
            while (values[i] < pivot)
                i++;
            while (pivot < values[j])
                j--;
            if (i >= j)
                break;
            const double swapped = values[i];
            values[i++] = values[j];
            values[j--] = swapped;
        }
        /* values up to j are at most the pivot, those after j at least the pivot */
        if (k <= j)
            right = j;
        else
            left = j + 1;
    }
    return values[k];
}

static double median_of(double *values, size_t n)
{
    const double upper = select_rank(values, n, n / 2);
    if (n % 2 == 1)
        return upper;
    double lower = values[0];
    for (size_t i = 1; i < n / 2; i++)
        lower = values[i] > lower ? values[i] : lower;
    return (lower + upper) / 2;
}

/* Returns the median of all samples of a side; scratch has room for them. */
static double pooled_median(const struct app_side *side, double *scratch)
{
    size_t n = 0;
    for (size_t i = 0; i < side->count; i++)
        for (size_t j = 0; j < side->n[i]; j++)
            scratch[n++] = side->runs[i][j];
    return n > 0 ? median_of(scratch, n) : 0;
}

/* Returns the median of one bootstrap sample: draws as many records as the side has, with
 * replacement, and from each as many samples as it has. */
static double resampled_median(const struct app_side *side, double *scratch, size_t capacity,
                               uint64_t *state)
{
    size_t n = 0;
    for (size_t i = 0; i < side->count; i++) {
        const size_t run = side->count > 1 ? below(state, side->count) : i;
        for (size_t j = 0; j < side->n[run] && n < capacity; j++)
            scratch[n++] = side->runs[run][below(state, side->n[run])];
    }
    return n > 0 ? median_of(scratch, n) : 0;
}

enum krn_code app_ratio_of(const struct app_side *first, const struct app_side *other,
                           struct app_ratio *ratio, struct krn_error *error)
{
    const size_t a = all_samples(first), b = all_samples(other);
    const size_t capacity =
        (a > b ? a : b) * (first->count > other->count ? first->count : other->count);
    memset(ratio, 0, sizeof *ratio);
    if (a == 0 || b == 0)
        return KRN_OK;
    double *scratch = malloc(capacity * sizeof *scratch), *logs = malloc(DRAWS * sizeof *logs);
    if (scratch == NULL || logs == NULL) {
        free(scratch);
        free(logs);
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory to compare %zu samples.", a + b);
    }
    const double top = pooled_median(first, scratch), bottom = pooled_median(other, scratch);
    ratio->ratio = top > 0 && bottom > 0 ? top / bottom : 0;
    /* the medians of long series vary little, so fewer draws suffice; each costs more */
    size_t draws = DRAWN_MAX / (a + b), kept = 0;
    draws = draws < 200 ? 200 : draws > DRAWS ? DRAWS : draws;
    uint64_t state = 1;
    for (size_t d = 0; d < draws && a > 1 && b > 1; d++) {
        const double x = resampled_median(first, scratch, capacity, &state),
                     y = resampled_median(other, scratch, capacity, &state);
        if (x > 0 && y > 0)
            logs[kept++] = log(x / y);
    }
    if (kept == draws) {
        qsort(logs, kept, sizeof *logs, ascending);
        ratio->low = exp(krn_quantile_sorted(logs, kept, 0.025));
        ratio->high = exp(krn_quantile_sorted(logs, kept, 0.975));
        ratio->valid = true;
    }
    free(scratch);
    free(logs);
    return KRN_OK;
}

enum app_comparison_verdict app_ratio_verdict(const struct app_ratio *ratio, double band_percent)
{
    const double band = 1 + band_percent / 100;
    if (!ratio->valid)
        return APP_COMPARED_CANT_TELL;
    if (ratio->low > band)
        return APP_COMPARED_FASTER;
    if (ratio->high < 1 / band)
        return APP_COMPARED_SLOWER;
    return ratio->low >= 1 / band && ratio->high <= band ? APP_COMPARED_SAME
                                                         : APP_COMPARED_CANT_TELL;
}

const char *app_comparison_word(enum app_comparison_verdict verdict)
{
    static const char *const words[] = {"CAN'T TELL", "SAME", "FASTER", "SLOWER", "WRONG"};
    return words[verdict];
}

/* --- files --- */

struct side_files {
    char label[48];
    struct app_read_record *records; /* points into struct comparison */
    size_t count;
};

struct comparison {
    struct app_read_record records[RECORDS_MAX];
    size_t record_count;
    struct side_files sides[SIDES_MAX];
    size_t side_count;
};

static enum krn_code read_one(struct comparison *c, const char *path, struct krn_error *error)
{
    if (c->record_count == RECORDS_MAX)
        return KRN_FAIL(error, KRN_REFUSED, "--compare takes %d records at most.", RECORDS_MAX);
    const enum krn_code code = app_record_read(path, &c->records[c->record_count], error);
    if (code == KRN_OK)
        c->record_count++;
    return code;
}

/* Reads one argument: a file, or several files joined by commas. */
static enum krn_code read_side(struct comparison *c, const char *argument, struct krn_error *error)
{
    struct side_files *side = &c->sides[c->side_count];
    const char *slash = strrchr(argument, '/');
    enum krn_code code = KRN_OK;
    if (c->side_count == SIDES_MAX)
        return KRN_FAIL(error, KRN_REFUSED, "--compare takes %d sides at most.", SIDES_MAX);
    snprintf(side->label, sizeof side->label, "%.47s",
             app_shorten(slash ? slash + 1 : argument).text);
    side->records = &c->records[c->record_count];
    const size_t before = c->record_count;
    if (strchr(argument, ',') == NULL || access(argument, F_OK) == 0) {
        code = read_one(c, argument, error);
    } else {
        char *copy = strdup(argument);
        if (copy == NULL)
            return KRN_FAIL(error, KRN_NO_MEMORY, "No memory to compare.");
        char *rest = copy;
        for (char *path; code == KRN_OK && (path = strtok_r(rest, ",", &rest)) != NULL;)
            code = read_one(c, path, error);
        free(copy);
    }
    side->count = c->record_count - before;
    if (code == KRN_OK && side->count == 0)
        code = KRN_FAIL(error, KRN_REFUSED, "--compare: \"%s\" names no file.",
                        app_shorten(argument).text);
    c->side_count++;
    return code;
}

static const struct app_read_result *find(const struct app_read_record *record, const char *key)
{
    for (size_t i = 0; i < record->count; i++)
        if (strcmp(record->results[i].key, key) == 0)
            return &record->results[i];
    return NULL;
}

/* The results of one side with the same key. */
struct side_result {
    const double *runs[RECORDS_MAX];
    size_t n[RECORDS_MAX];
    struct app_side side;
    bool wrong, incomplete, found;
    double median_ms; /* of the last record; used when no record has samples */
};

static void collect_side(const struct side_files *files, const char *key, struct side_result *g)
{
    memset(g, 0, sizeof *g);
    for (size_t i = 0; i < files->count; i++) {
        const struct app_read_result *result = find(&files->records[i], key);
        if (result == NULL)
            continue;
        g->found = true;
        g->wrong = g->wrong || result->wrong;
        g->incomplete = g->incomplete || !result->complete;
        g->median_ms = result->median_ms;
        if (result->n > 0) {
            g->runs[g->side.count] = result->samples_ms;
            g->n[g->side.count++] = result->n;
        }
    }
    g->side.runs = g->runs;
    g->side.n = g->n;
}

static double side_median(const struct side_result *g)
{
    const size_t n = all_samples(&g->side);
    double *scratch = n > 0 ? malloc(n * sizeof *scratch) : NULL;
    const double median = scratch ? pooled_median(&g->side, scratch) : g->median_ms;
    free(scratch);
    return median;
}

static void print_cell(FILE *out, bool markdown, int width, const char *text)
{
    if (markdown)
        fprintf(out, " %s |", text);
    else
        fprintf(out, " %-*s", width + (strstr(text, "\xc2\xb5") ? 1 : 0), text); /* µ: two bytes */
}

enum { NAME_WIDTH = 28, FIRST_WIDTH = 18, CELL_WIDTH = 46 };

static enum krn_code compare_cell(const struct side_result *first, const struct side_result *other,
                                  double band, char *text, size_t size, bool *slower,
                                  struct krn_error *error)
{
    struct app_ratio ratio;
    char interval[48] = "";
    snprintf(text, size, "-");
    if (!other->found)
        return KRN_OK;
    const enum krn_code code = app_ratio_of(&first->side, &other->side, &ratio, error);
    if (code != KRN_OK)
        return code;
    if (!(ratio.ratio > 0) && first->median_ms > 0 && other->median_ms > 0)
        ratio.ratio = first->median_ms / other->median_ms;
    enum app_comparison_verdict verdict = app_ratio_verdict(&ratio, band);
    if (first->wrong || other->wrong)
        verdict = APP_COMPARED_WRONG;
    *slower = *slower || verdict == APP_COMPARED_SLOWER;
    const struct app_number time = app_number_time(side_median(other));
    if (ratio.valid)
        app_format(interval, sizeof interval, " [%.3f, %.3f]", ratio.low, ratio.high);
    app_format(text, size, "%s %s, %.3f x%s %s%s", time.value, time.unit, ratio.ratio, interval,
               app_comparison_word(verdict),
               first->incomplete || other->incomplete ? " (incomplete)" : "");
    return KRN_OK;
}

static void print_head(const struct comparison *c, double band, bool markdown, FILE *out)
{
    for (size_t s = 0; s < c->side_count; s++) {
        const struct side_files *side = &c->sides[s];
        fprintf(out, "%s%s: %s, driver %s, %s, %s%s", markdown ? "- " : "", side->label,
                side->records->device, side->records->driver, side->records->host,
                side->records->time_utc, side->count > 1 ? "" : "\n");
        if (side->count > 1)
            fprintf(out, " and %zu more\n", side->count - 1);
    }
    char text[48];
    app_format(text, sizeof text, "%g", band);
    fprintf(out,
            "%sx: times as fast as the first, ratio of medians [95 %% interval]; band of "
            "indifference %s %%.%s\n",
            markdown ? "\n" : "", text, markdown ? "\n" : "");
    fputs(markdown ? "| Result |" : "", out);
    print_cell(out, markdown, NAME_WIDTH, markdown ? c->sides[0].label : "result");
    if (!markdown)
        print_cell(out, markdown, FIRST_WIDTH, c->sides[0].label);
    for (size_t s = 1; s < c->side_count; s++)
        print_cell(out, markdown, CELL_WIDTH, c->sides[s].label);
    fputc('\n', out);
    for (size_t s = 0; markdown && s <= c->side_count; s++)
        fputs(s == 0 ? "| --- |" : " --- |", out);
    fputs(markdown ? "\n" : "", out);
}

/* Returns true when the key of this result already occurred in the side. */
static bool seen_before(const struct side_files *side, size_t record, size_t result)
{
    const char *key = side->records[record].results[result].key;
    for (size_t i = 0; i < record; i++)
        if (find(&side->records[i], key) != NULL)
            return true;
    return find(&side->records[record], key) != &side->records[record].results[result];
}

static enum krn_code print_results(const struct comparison *c, double band, bool markdown,
                                   FILE *out, size_t *common, bool *slower, struct krn_error *error)
{
    const struct side_files *base = &c->sides[0];
    static struct side_result first, other; /* too large for the stack; only one thread compares */
    for (size_t r = 0; r < base->count; r++)
        for (size_t i = 0; i < base->records[r].count; i++) {
            const struct app_read_result *result = &base->records[r].results[i];
            char text[160];
            if (seen_before(base, r, i))
                continue;
            collect_side(base, result->key, &first);
            const struct app_number time = app_number_time(side_median(&first));
            fputs(markdown ? "|" : "", out);
            print_cell(out, markdown, NAME_WIDTH, result->name);
            snprintf(text, sizeof text, "%s %s, n %zu", time.value, time.unit,
                     all_samples(&first.side));
            print_cell(out, markdown, FIRST_WIDTH, text);
            for (size_t s = 1; s < c->side_count; s++) {
                collect_side(&c->sides[s], result->key, &other);
                *common += other.found;
                const enum krn_code code =
                    compare_cell(&first, &other, band, text, sizeof text, slower, error);
                if (code != KRN_OK)
                    return code;
                print_cell(out, markdown, s + 1 < c->side_count ? CELL_WIDTH : 0, text);
            }
            fputc('\n', out);
        }
    return KRN_OK;
}

enum krn_code app_compare(const struct app_paths *paths, double band_percent, bool markdown,
                          FILE *out, bool *slower, struct krn_error *error)
{
    struct comparison *c = calloc(1, sizeof *c);
    size_t common = 0;
    *slower = false;
    if (c == NULL)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory to compare.");
    enum krn_code code = read_side(c, paths->first, error);
    for (int i = 0; code == KRN_OK && i < paths->rest_count; i++)
        code = read_side(c, paths->rest[i], error);
    if (code == KRN_OK && c->side_count < 2)
        code = KRN_FAIL(error, KRN_REFUSED,
                        "--compare needs at least two records: the baseline, and one to compare "
                        "with it.");
    if (code == KRN_OK) {
        print_head(c, band_percent, markdown, out);
        code = print_results(c, band_percent, markdown, out, &common, slower, error);
    }
    bool one_each = false;
    for (size_t s = 0; s < c->side_count; s++)
        one_each = one_each || c->sides[s].count < 2;
    if (code == KRN_OK && one_each)
        fprintf(out,
                "%sOne record per side does not show the variation between processes: join "
                "several by commas.\n",
                markdown ? "\n" : "");
    if (code == KRN_OK && common == 0)
        code = KRN_FAIL(error, KRN_REFUSED,
                        "The records have no result in common: same benchmark, variant, backend "
                        "and parameters.");
    for (size_t i = 0; i < c->record_count; i++)
        app_read_record_free(&c->records[i]);
    free(c);
    return code;
}
