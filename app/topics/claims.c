/* The row of each claim: the finding that it takes, its number, its verdict and its note. */
#include "topics/claims.h"

#include "base/value.h"
#include "model/trust.h"
#include "topics/topic.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What a row is written from. */
struct source {
    const struct app_claim_facts *facts;
    const struct app_probes_view *view;
    const struct app_analysis *analysis; /* of the claim's topic */
    double level;                        /* of the intervals */
};

static const struct app_finding *find(const struct source *from, const char *key)
{
    return app_finding(from->analysis, key);
}

/* --- what rows share --- */

/* Adds a remark to a row's note, after what it says already. */
__attribute__((format(printf, 2, 3))) static void note(struct app_claim *row, const char *format,
                                                       ...)
{
    char text[sizeof row->note];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    app_append(row->note, sizeof row->note, "; ", "%s", text);
}

/* Returns a number with three digits. */
static struct app_number plain(double value)
{
    return app_number_plain(value, "");
}

static struct app_described not_measured(void)
{
    return app_describe((struct app_estimate){.valid = false},
                        (struct app_form){.verdict = APP_VERDICT_NOT_MEASURED});
}

/* Takes the number off a row that rests on a probe with too few samples. Returns true when it did.
 */
static bool lacks_samples(struct app_claim *row, size_t least)
{
    if (least >= APP_CLAIM_SAMPLES)
        return false;
    row->now = not_measured();
    note(row, "not enough samples: %zu of %d", least, APP_CLAIM_SAMPLES);
    return true;
}

/* Sets the number of a row, unless it rests on a probe with too few samples. Returns true when
 * there is one. */
static bool set_number(struct app_claim *row, struct app_estimate value, const char *unit,
                       size_t least)
{
    row->now =
        app_describe(value, (struct app_form){.unit = unit, .verdict = APP_VERDICT_NOT_MEASURED});
    if (!value.valid || lacks_samples(row, least))
        return false;
    if (!value.has_interval && least < APP_BOARD_SAMPLES)
        note(row, "one process has an interval from %d samples on", APP_BOARD_SAMPLES);
    return true;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns the least number of samples among the probes of a series; 0: it has none. */
static size_t samples_of(const struct source *from, enum krn_topic topic, const char *series)
{
    size_t least = SIZE_MAX;
    for (int i = 0; i < from->view->count; i++)
        if (app_result_is_of(&from->view->results[i], topic, series))
            least = smaller(least, app_result_samples(&from->view->results[i]));
    return least == SIZE_MAX ? 0 : least;
}

/* Sets the number of a row about a ratio of a claimed size. why: the reason why it is missing, or
 * NULL. */
static void set_ratio(struct app_claim *row, struct app_estimate ratio, double band_percent,
                      const char *why)
{
    set_number(row, ratio, "×", APP_BOARD_SAMPLES);
    if (!ratio.valid && why != NULL)
        note(row, "%s", why);
    if (app_verdict_by(APP_RULE_RATIO, ratio, row->of->claimed, band_percent) ==
            APP_VERDICT_CANT_TELL &&
        app_verdict_by(APP_RULE_GREATER, ratio, 0.0, band_percent) == APP_VERDICT_HOLDS)
        note(row, "faster, but by how much is open");
}

/* Returns the threads, or the occupancy, that a level takes: "512", "480–512" where an interval
 * decides between two, or "never". */
static struct app_phrase reach_text(struct app_estimate reach, const char *unit)
{
    return !isfinite(reach.low)      ? app_phrase("never")
           : reach.low == reach.high ? app_phrase("%.4g%s", reach.low, unit)
           : !isfinite(reach.high)   ? app_phrase("%.4g%s–never", reach.low, unit)
                                     : app_phrase("%.4g–%.4g%s", reach.low, reach.high, unit);
}

/* Returns the value of the medians alone. */
static struct app_phrase median_text(struct app_estimate reach, const char *unit)
{
    reach.low = reach.high = reach.value;
    return reach_text(reach, unit);
}

/* Returns "480 to 128 threads". */
static struct app_phrase arrow(struct app_estimate from, struct app_estimate to, const char *unit)
{
    return app_phrase("%s to %s", median_text(from, "").text, median_text(to, unit).text);
}

/* Sets the numbers of a row about what levels take, with the verdict on them: "480 to 128 threads",
 * and "[480–512 to 128 threads]" where an end of an interval is not the value. Their ratio is what
 * a guess is compared with. */
static void set_reach(struct app_claim *row, struct app_estimate from, struct app_estimate to,
                      const char *unit, unsigned trust, enum app_verdict verdict)
{
    row->now = not_measured();
    row->now.verdict = verdict;
    row->now.estimate.trust = trust;
    if (isfinite(from.value) && isfinite(to.value)) {
        row->now.estimate.valid = true;
        row->now.estimate.value = from.value / to.value;
    }
    app_format(row->now.text, sizeof row->now.text, "%s", arrow(from, to, unit).text);
    if (from.low != from.high || to.low != to.high)
        app_format(row->now.interval, sizeof row->now.interval, "[%s to %s]",
                   reach_text(from, "").text, reach_text(to, unit).text);
}

/* --- How to Implement Performance Metrics in CUDA C/C++ --- */

static void fill_saxpy_bandwidth(struct app_claim *row, const struct source *from)
{
    const struct app_finding *published = find(from, "published");
    if (!(from->view->ceilings.bandwidth_gbps > 0.0))
        note(row, "no theoretical peak known");
    const size_t least = app_result_samples(published->of);
    if (!set_number(row, published->value, "%", least))
        return;
    const struct app_estimate most = find(from, "vector")->value;
    if (most.valid) {
        note(row, "best kernel %s %%", plain(most.value).value);
        app_format(row->beside, sizeof row->beside, "best %s %%", plain(most.value).value);
    }
}

/* Compares the published kernel's shares of both roofs: its intensity is then as far below the
 * ridge as the one share is above the other. */
static void fill_saxpy_bound(struct app_claim *row, const struct source *from)
{
    struct app_roofline roofline;
    app_roofline_make(from->view, NULL, 0, &roofline);
    const struct app_roofline_point *point = app_roofline_find(&roofline, "SAXPY published");
    if (point == NULL)
        return;
    const struct app_estimate memory = app_ceiling_share(point->gbps,
                                                         app_ceiling_computed(&roofline.memory)),
                              arithmetic = app_ceiling_share(
                                  point->gflops, app_ceiling_computed(&roofline.single));
    const struct app_estimate ratio = app_estimate_ratio(memory, arithmetic);
    if (!ratio.valid)
        note(row, "%s", memory.valid ? "no peak of arithmetic known" : "no bandwidth known");
    if (!set_number(row, ratio, "", samples_of(from, KRN_TOPIC_SAXPY, "published")))
        return;
    app_format(row->now.text, sizeof row->now.text, "memory %.0f× busier", ratio.value);
    note(row, "%s %% of the bandwidth, %s %% of the FLOP/s", plain(memory.value).value,
         plain(arithmetic.value).value);
    note(row, "%s FLOP/B, ridge %s", plain(point->intensity).value, plain(roofline.ridge).value);
    app_format(row->beside, sizeof row->beside, "ridge %s FLOP/B", plain(roofline.ridge).value);
}

static void fill_event_resolution(struct app_claim *row, const struct source *from)
{
    const struct app_finding *resolution = find(from, "resolution");
    set_number(row, resolution->value, "µs", app_result_samples(resolution->of));
}

static void fill_launch_not_kernel(struct app_claim *row, const struct source *from)
{
    const struct app_finding *launch = find(from, "launch"), *host = find(from, "host");
    const size_t least = smaller(app_result_samples(launch->of), app_result_samples(host->of));
    if (!set_number(row, find(from, "launch/host")->value, "%", least))
        return;
    const struct app_number without = app_number_time(launch->value.value),
                            with = app_number_time(host->value.value);
    app_append(row->now.text, sizeof row->now.text, " ", "of the time");
    note(row, "%s %s without a barrier, %s %s with one", without.value, without.unit, with.value,
         with.unit);
    app_format(row->beside, sizeof row->beside, "%s %s of %s %s", without.value, without.unit,
               with.value, with.unit);
}

/* --- CUDA by Example, 6.3 --- */

/* One line per record. The ratios are those of its processes, global over constant; `widen` is half
 * the clock's tick as a fraction of both times. */
static const struct {
    const char *file, *name, *date;
    size_t processes;
    double ratios[KRN_PROCESSES_MAX];
    double widen;
    unsigned trust; /* APP_TRUST_BIT of the reasons in the record */
} records[] = {
    {"nvidia-h200-all.json.gz",
     "NVIDIA H200",
     "2026-11-28",
     5,
     {0.831892, 0.829629, 0.832811, 0.833695, 0.832512},
     0.001359,
     APP_TRUST_BIT(APP_TRUST_NEAR_FLOOR)},
    {"nvidia-h100-all.json.gz",
     "NVIDIA H100 80GB HBM3",
     "2026-11-27",
     5,
     {0.829236, 0.825437, 0.825843, 0.828448, 0.826575},
     0.001377,
     APP_TRUST_BIT(APP_TRUST_NEAR_FLOOR)},
};

enum { RECORDS = sizeof records / sizeof *records };

_Static_assert((int)APP_BOARD_ROWS == (int)APP_CLAIM_COUNT, "the level is that of another board");
_Static_assert((int)RECORDS <= (int)APP_RECORDED_MAX, "more records than the list holds");

size_t app_recorded_devices(struct app_recorded_device devices[APP_RECORDED_MAX])
{
    for (size_t i = 0; i < RECORDS; i++) {
        devices[i] = (struct app_recorded_device){
            .file = records[i].file,
            .name = records[i].name,
            .date = records[i].date,
            .kernel_ratio = app_estimate_of_processes(records[i].ratios, records[i].processes,
                                                      records[i].widen)};
        devices[i].kernel_ratio.trust = APP_TRUST_BIT(APP_TRUST_RECORDED) | records[i].trust;
    }
    return RECORDS;
}

static void fill_constant_kernel(struct app_claim *row, const struct source *from)
{
    const struct app_claim_facts *facts = from->facts;
    const double here = facts->scene_ratio.value;
    row->scope = facts->kernel_scope ? facts->kernel_scope : row->scope;
    set_ratio(row, app_estimate_at(facts->kernel_ratio, from->level), facts->band_percent,
              facts->no_kernel);
    if (facts->kernel_ratio.valid && facts->kernel_net_ratio.valid)
        note(row, "net of overhead %s×", plain(facts->kernel_net_ratio.value).value);
    if (facts->scene_ratio.valid) {
        const bool named = facts->scene != NULL && facts->scene[0] != 0;
        note(row, "this scene%s%s%s %s×", named ? " (" : "", named ? facts->scene : "",
             named ? ")" : "", plain(here).value);
        app_format(row->beside, sizeof row->beside, "here %.2f×", here);
    } else if (facts->no_scene != NULL) {
        note(row, "here: %s", facts->no_scene);
    }
    if (facts->age != NULL && facts->kernel_ratio.valid)
        note(row, "%s", facts->age);
}

static void fill_constant_window(struct app_claim *row, const struct source *from)
{
    const struct app_claim_facts *facts = from->facts;
    row->scope = facts->window_scope ? facts->window_scope : row->scope;
    set_ratio(row, app_estimate_at(facts->window_ratio, from->level), facts->band_percent,
              facts->no_window);
    if (!facts->window_ratio.valid)
        return;
    if (facts->generate_ms[0] > 0.0 && facts->generate_ms[1] > 0.0)
        note(row, "Time to generate: %3.1f ms from global, %3.1f ms from constant",
             facts->generate_ms[0], facts->generate_ms[1]);
    if (facts->load_ms > 0.0) {
        const struct app_number time = app_number_time(facts->load_ms);
        note(row, "loading took %s %s", time.value, time.unit);
        app_format(row->method, sizeof row->method, "Window: without %s %s for loading", time.value,
                   time.unit);
    }
    if (facts->age != NULL)
        note(row, "%s", facts->age);
}

/* Puts what this device measured in the place of an older record of the same kind of device, or at
 * the end. Returns the number of devices. */
static size_t add_this_device(struct app_recorded_device *devices, size_t count,
                              const struct app_claim_facts *facts)
{
    const struct krn_device_info *info = facts->probes ? facts->probes->device : NULL;
    size_t at = 0;
    if (info == NULL || !facts->kernel_ratio.valid)
        return count;
    while (at < count && strcmp(devices[at].name, info->name) != 0)
        at++;
    devices[at] =
        (struct app_recorded_device){.name = info->name, .kernel_ratio = facts->kernel_ratio};
    return at < count ? count : count + 1;
}

static void fill_constant_others(struct app_claim *row, const struct source *from)
{
    struct app_recorded_device devices[APP_RECORDED_MAX + 1];
    size_t of[APP_VERDICTS] = {0}; /* devices by their own verdict */
    double least = INFINITY;
    const size_t count = add_this_device(devices, app_recorded_devices(devices), from->facts);
    row->scope =
        "the book's kernel on the book's scene, on every GPU that the project has a record "
        "of, and on this device if it is a GPU";
    for (size_t i = 0; i < count; i++) {
        const struct app_estimate ratio = app_estimate_at(devices[i].kernel_ratio, APP_BOARD_LEVEL);
        of[app_verdict_by(APP_RULE_FASTER, ratio, 1.0, from->facts->band_percent)]++;
        row->now.estimate.trust |= ratio.trust;
        note(row, "%s %s×", devices[i].name, plain(ratio.value).value);
        if (row->part_count < APP_CLAIM_PARTS) {
            struct app_claim_part *part = &row->parts[row->part_count++];
            snprintf(part->name, sizeof part->name, "%s", devices[i].name);
            app_format(part->text, sizeof part->text, "%s× %s",
                       plain(fmax(ratio.value, 1.0 / ratio.value)).value,
                       ratio.value < 1.0 ? "slower" : "faster");
            part->value = ratio.value;
            part->fails = ratio.value < 1.0;
        }
        if (ratio.value < least) {
            least = ratio.value;
            app_format(row->beside, sizeof row->beside, "%s %.2f×", devices[i].name, least);
        }
    }
    row->now.estimate.valid = count > 0;
    row->now.estimate.value = (double)of[APP_VERDICT_HOLDS];
    row->now.verdict = of[APP_VERDICT_WRONG] > 0          ? APP_VERDICT_WRONG
                       : of[APP_VERDICT_DO_NOT_QUOTE] > 0 ? APP_VERDICT_DO_NOT_QUOTE
                       : of[APP_VERDICT_FAILS] > 0        ? APP_VERDICT_FAILS
                       : of[APP_VERDICT_HOLDS] == count   ? APP_VERDICT_HOLDS
                                                          : APP_VERDICT_CANT_TELL;
    app_format(row->now.text, sizeof row->now.text, "%zu of %zu GPUs", of[APP_VERDICT_HOLDS],
               count);
}

/* Judges the advice itself by the cases in which constant memory is faster: all, none, or some. */
static void fill_constant_advice(struct app_claim *row, const struct source *from)
{
    const double cases = find(from, "cases")->value.value,
                 faster = find(from, "faster")->value.value, open = find(from, "open")->value.value,
                 other = find(from, "slower")->value.value + find(from, "same")->value.value;
    if (cases == 0.0)
        return;
    if (faster + other + open < cases) {
        note(row, "not enough pairs: %.0f of %.0f cases have %d", faster + other + open, cases,
             APP_WHERE_PAIRS);
        return;
    }
    row->now.estimate.valid = true;
    row->now.estimate.value = faster;
    row->now.estimate.trust = app_probes_trust(from->view, KRN_TOPIC_WHERE);
    row->now.verdict = app_trust_no_verdict(row->now.estimate.trust);
    if (row->now.verdict == APP_VERDICT_NONE)
        row->now.verdict = faster == cases             ? APP_VERDICT_HOLDS
                           : other == cases            ? APP_VERDICT_FAILS
                           : faster > 0 && other > 0.0 ? APP_VERDICT_DEPENDS
                                                       : APP_VERDICT_CANT_TELL;
    app_format(row->now.text, sizeof row->now.text, "%.0f of %.0f cases", faster, cases);
    app_format(row->beside, sizeof row->beside, "%.2f to %.2f×", find(from, "least")->value.value,
               find(from, "most")->value.value);
    note(row, "%s; slower or the same in %.0f, undecided in %.0f", row->beside, other, open);
}

/* --- Better Performance at Lower Occupancy --- */

static void fill_arithmetic_latency(struct app_claim *row, const struct source *from)
{
    const struct app_finding *latency = find(from, "latency");
    const struct app_estimate needed = find(from, "needed")->value;
    if (!set_number(row, latency->value, "cycles", app_result_samples(latency->of)) ||
        !needed.valid)
        return;
    note(row, "Little's law needs %.0f multiply-adds in flight", needed.value);
    app_format(row->beside, sizeof row->beside, "needs %.0f in flight", needed.value);
}

static void fill_memory_latency(struct app_claim *row, const struct source *from)
{
    const struct app_finding *memory = find(from, "memory");
    const struct app_estimate ns = find(from, "memory/ns")->value, l2 = find(from, "l2")->value,
                              l1 = find(from, "l1")->value;
    if (!set_number(row, memory->value, "cycles", app_result_samples(memory->of)))
        return;
    if (ns.valid) {
        app_format(row->beside, sizeof row->beside, "%s ns", plain(ns.value).value);
        note(row, "%s", row->beside);
    }
    if (l1.valid && l2.valid)
        note(row, "from L2 %s cycles, from L1 %s", plain(l2.value).value, plain(l1.value).value);
}

/* Judges the occupancy that 1 and 8 loads take. */
static void fill_memory_hiding(struct app_claim *row, const struct source *from)
{
    const struct app_estimate one = find(from, "reach1/4")->value,
                              eight = find(from, "reach8/4")->value,
                              needed = find(from, "needed")->value,
                              flight = find(from, "flight/4")->value;
    if (!one.valid || !eight.valid ||
        lacks_samples(row, smaller(samples_of(from, KRN_TOPIC_MEMLAT, "loads1x4"),
                                   samples_of(from, KRN_TOPIC_MEMLAT, "loads8x4"))))
        return;
    set_reach(row, one, eight, " %", one.trust | eight.trust, app_verdict_half(one, eight));
    app_format(row->now.text, sizeof row->now.text, "%s, 1 load: %s", median_text(eight, " %").text,
               median_text(one, " %").text);
    note(row, "occupancy at which 1 and 8 loads of 4 bytes reach %.0f %% of the best rate",
         find(from, "level")->value.value);
    if (!needed.valid || !flight.valid)
        return;
    note(row, "%.2f MB in flight, Little's law: %.2f MB", flight.value / 1e6, needed.value / 1e6);
    app_format(row->beside, sizeof row->beside, "%.2f MB in flight", flight.value / 1e6);
}

enum { ILPS = 4 };

/* Finds the threads of ILP 1 to 4 by the findings PREFIX1 to PREFIX4. Returns false when one is not
 * known. */
static bool find_threads(const struct source *from, const char *prefix,
                         struct app_estimate threads[ILPS])
{
    bool known = true;
    for (int i = 0; i < ILPS; i++) {
        threads[i] = find(from, app_phrase("%s%d", prefix, i + 1).text)->value;
        known = known && threads[i].valid;
    }
    return known;
}

/* Adds "WORDS: 480 256 224 128" to the note. */
static void note_threads(struct app_claim *row, const char *words,
                         const struct app_estimate threads[ILPS])
{
    char each[100] = "";
    for (int i = 0; i < ILPS; i++)
        app_append(each, sizeof each, " ", "%s", median_text(threads[i], "").text);
    note(row, "%s: %s", words, each);
}

/* Says why a further chain saves no threads: each scheduler issues for its own warps, so a
 * multiprocessor is full only when the slowest scheduler has enough of them. */
static void explain_tie(struct app_claim *row, const struct app_estimate threads[ILPS],
                        double fma_per_cycle)
{
    const double lanes = 32.0, schedulers = fma_per_cycle / lanes;
    for (int i = 1; i < ILPS && schedulers > 1.0; i++)
        if (isfinite(threads[i].value) && threads[i].value == threads[i - 1].value)
            app_format(row->method, sizeof row->method,
                       "%d and %d chains tie: %.0f schedulers, %.0f threads a round", i, i + 1,
                       schedulers, fma_per_cycle);
}

/* Judges the ILP claim by events net of overhead; the schedulers' cycles stand beside. */
static void fill_ilp_threads(struct app_claim *row, const struct source *from)
{
    struct app_estimate net[ILPS], cycles[ILPS];
    const bool known = find_threads(from, "net", net), counted = find_threads(from, "ilp", cycles);
    size_t least = APP_CLAIM_SAMPLES;
    unsigned trust = 0;
    if (!known && counted)
        note(row, "no overhead is known");
    if (!known)
        return;
    for (int i = 0; i < ILPS; i++) {
        least = smaller(least, samples_of(from, KRN_TOPIC_ILP, app_phrase("ilp%d", i + 1).text));
        trust |= net[i].trust;
    }
    if (lacks_samples(row, least))
        return;
    set_reach(row, net[0], net[ILPS - 1], " threads", trust, app_verdict_never_rises(net, ILPS));
    for (int i = 0; i < ILPS && isfinite(net[i].value); i++) {
        struct app_claim_part *part = &row->parts[row->part_count++];
        snprintf(part->name, sizeof part->name, "%d chain%s", i + 1, i == 0 ? "" : "s");
        app_format(part->text, sizeof part->text, "%.0f threads", net[i].value);
        part->value = net[i].value;
        part->fails = i > 0 && net[i].value > net[i - 1].value;
    }
    explain_tie(row, net, from->view->ceilings.fma_per_cycle);
    note_threads(
        row,
        app_phrase("%.0f %% of the peak by events, net", find(from, "level")->value.value).text,
        net);
    if (!counted)
        return;
    note_threads(row, "by the schedulers' cycles", cycles);
    app_format(row->beside, sizeof row->beside, "cycles %s",
               arrow(cycles[0], cycles[ILPS - 1], "").text);
}

/* Judges whether eight chains per thread need fewer threads than four, by events net of overhead.
 */
static void fill_ilp_beyond_4(struct app_claim *row, const struct source *from)
{
    const struct app_estimate four = find(from, "net4")->value, eight = find(from, "net8")->value,
                              by_four = find(from, "ilp4")->value,
                              by_eight = find(from, "ilp8")->value;
    const bool known = four.valid && eight.valid, counted = by_four.valid && by_eight.valid;
    if (!known && counted)
        note(row, "no overhead is known");
    if (!known || lacks_samples(row, smaller(samples_of(from, KRN_TOPIC_ILP, "ilp4"),
                                             samples_of(from, KRN_TOPIC_ILP, "ilp8"))))
        return;
    set_reach(row, four, eight, " threads", four.trust | eight.trust,
              app_verdict_no_fewer(eight, four));
    note(row, "threads of ILP 4 and 8 that reach 90 %% of the peak by events, net");
    if (!counted)
        return;
    app_format(row->beside, sizeof row->beside, "cycles %s", arrow(by_four, by_eight, "").text);
    note(row, "by the schedulers' %s", row->beside);
}

/* Judges whether registers deliver more operands than shared memory. */
static void fill_registers_shared(struct app_claim *row, const struct source *from)
{
    const struct app_finding *registers = find(from, "registers"), *shared = find(from, "shared");
    const size_t least = smaller(app_result_samples(registers->of), app_result_samples(shared->of));
    if (!set_number(row, find(from, "ratio")->value, "×", least))
        return;
    const struct app_form rate = app_metric_form(APP_M_EFFECTIVE_GBPS, 0.0);
    note(row, "%s against %s", app_describe(registers->value, rate).text,
         app_describe(shared->value, rate).text);
    app_format(row->beside, sizeof row->beside, "multiply-adds %s×",
               plain(find(from, "rate")->value.value).value);
    note(row, "%s", row->beside);
}

/* --- the tutorial on memory access patterns --- */

/* Returns the least number of samples of the two sums. */
static size_t samples_of_sums(const struct source *from)
{
    return smaller(samples_of(from, KRN_TOPIC_ACCESS, "chunk/warm"),
                   samples_of(from, KRN_TOPIC_ACCESS, "strided/warm"));
}

static void fill_coalesced_cycles(struct app_claim *row, const struct source *from)
{
    const struct app_estimate by_time = find(from, "by time")->value,
                              chunk = find(from, "chunk")->value;
    if (chunk.valid && lacks_samples(row, samples_of_sums(from)))
        return;
    set_ratio(row, chunk, from->facts->band_percent, NULL);
    if (by_time.valid) {
        app_format(row->beside, sizeof row->beside, "events %s×", plain(by_time.value).value);
        note(row, "by %s", row->beside);
    }
}

/* Judges the bandwidths' ratio, by events; the bandwidths stand in its place, as in the text. */
static void fill_coalesced_bandwidth(struct app_claim *row, const struct source *from)
{
    const struct app_estimate ratio = find(from, "by time")->value;
    if (ratio.valid && lacks_samples(row, samples_of_sums(from)))
        return;
    set_ratio(row, ratio, from->facts->band_percent, NULL);
    if (!ratio.valid)
        return;
    /* Both in the unit of the greater: "7.25 to 137 GiB/s". The interval is that of the ratio. */
    const struct app_estimate chunk = find(from, "rate/chunk/warm")->value,
                              strided = find(from, "rate/strided/warm")->value;
    const struct app_form rate = {.quantity = APP_QUANTITY_BINARY_RATE,
                                  .scale = 1e9,
                                  .like = fmax(chunk.value, strided.value)};
    app_format(row->beside, sizeof row->beside, "%s", row->now.text);
    app_format(row->now.text, sizeof row->now.text, "%s to %s",
               app_describe(chunk, rate).number.value, app_describe(strided, rate).text);
    row->now.interval[0] = 0;
    note(row, "%s by events", row->beside);
}

/* --- CUDA C++ Programming Guide --- */

/* Judges how many times as much the tree kernel loses by constant memory as the brute kernel, whose
 * lanes read one address at a time. */
static void fill_constant_divergent(struct app_claim *row, const struct source *from)
{
    static const char *const series[] = {"tree/constant", "tree/global", "brute/constant",
                                         "brute/global"};
    const struct app_finding *tree = find(from, "tree"), *brute = find(from, "brute");
    const struct app_estimate penalty = find(from, "penalty")->value;
    size_t least = SIZE_MAX;
    for (size_t s = 0; s < sizeof series / sizeof *series; s++)
        least = smaller(least, samples_of(from, KRN_TOPIC_BOUNCES, series[s]));
    if (!set_number(row, penalty, "×", least))
        return;
    /* The interval is that of the penalty, not of the numbers in its place. */
    app_format(row->beside, sizeof row->beside, "%s", row->now.text);
    note(row, "%s %s, with %.0f %% of reads at one address, not %.0f %%", row->beside,
         row->now.interval, 100.0 * tree->of->probe->uniform, 100.0 * brute->of->probe->uniform);
    row->now.interval[0] = 0;
    app_format(row->now.text, sizeof row->now.text, "%s to %s× slower",
               plain(brute->value.value).value, plain(tree->value.value).value);
}

/* --- the board --- */

#define ENTRY(ID, id, source, row, rule, claim, shorter, device, then, number, topic, says)        \
    [APP_CLAIM_##ID] = {id,                                                                        \
                        APP_TEXT_##source,                                                         \
                        claim,                                                                     \
                        shorter,                                                                   \
                        device,                                                                    \
                        then,                                                                      \
                        number,                                                                    \
                        APP_RULE_##rule,                                                           \
                        KRN_TOPIC_##topic,                                                         \
                        says},
static const struct app_claim_entry entries[APP_CLAIM_COUNT] = {APP_CLAIMS(ENTRY)};

#define FILL(ID, id, source, row, ...) [APP_CLAIM_##ID] = fill_##row,
static void (*const fill[APP_CLAIM_COUNT])(struct app_claim *row,
                                           const struct source *from) = {APP_CLAIMS(FILL)};

const struct app_claim_entry *app_claim_entry_of(enum app_claim_id id)
{
    return &entries[id];
}

void app_claim_scene(bool book, int spheres, int width, int height, char *text, size_t size)
{
    if (size > 0)
        text[0] = 0;
    if (!book)
        snprintf(text, size, "%d spheres, %d×%d", spheres, width, height);
}

void app_claims_judge(const struct app_claim_facts *facts, struct app_claim claims[APP_CLAIM_COUNT])
{
    const bool probed = facts->probes != NULL && facts->probes->count > 0;
    size_t processes = probed ? 0 : facts->kernel_ratio.processes;
    for (int i = 0; probed && i < facts->probes->count; i++)
        if (facts->probes->results[i].process_count > processes)
            processes = facts->probes->results[i].process_count;
    const bool few = processes > 1 && processes < APP_CLAIM_PROCESSES;
    struct app_probes_view view = probed ? *facts->probes : (struct app_probes_view){.count = 0};
    struct app_analysis analysis;
    struct source from = {.facts = facts,
                          .view = &view,
                          .analysis = &analysis,
                          .level = few ? KRN_INTERVAL_LEVEL : APP_BOARD_LEVEL};
    view.level = from.level;
    memset(claims, 0, APP_CLAIM_COUNT * sizeof *claims);
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        const struct app_claim_entry *entry = &entries[i];
        struct app_claim *row = &claims[i];
        row->of = entry;
        row->scope = "judged from the other results of this record";
        row->now = not_measured();
        const bool gl = probed && view.device->backend == KRN_BACKEND_GL;
        if (probed && !view.device->can.warps &&
            entry->topic != (gl ? KRN_TOPIC_WHERE : KRN_TOPIC_SAXPY)) {
            row->now.verdict = APP_VERDICT_NOT_APPLICABLE;
            note(row, "not applicable to %s", gl ? "OpenGL" : "a CPU");
            continue;
        }
        if (probed && (i == 0 || entry->topic != entries[i - 1].topic))
            app_topic_analyse(entry->topic, &view, &analysis);
        /* What is known of constant memory comes from other measurements. */
        if (probed || entry->topic == KRN_TOPIC_CONSTANT)
            fill[i](row, &from);
        if (entry->rule != APP_RULE_OWN)
            row->now.verdict =
                app_verdict_by(entry->rule, row->now.estimate, entry->claimed, facts->band_percent);
        if (few && row->now.verdict != APP_VERDICT_NOT_MEASURED &&
            app_trust_no_verdict(row->now.estimate.trust) == APP_VERDICT_NONE) {
            row->now.verdict = APP_VERDICT_NONE;
            snprintf(row->few, sizeof row->few, "%zu processes cannot decide this: %d can",
                     processes, APP_CLAIM_PROCESSES);
            note(row, "%s", row->few);
        }
    }
}

struct app_claim app_claim_hide(const struct app_claim *claim)
{
    struct app_claim hidden = *claim;
    hidden.hidden = true;
    hidden.now = not_measured();
    snprintf(hidden.now.text, sizeof hidden.now.text, "?");
    snprintf(hidden.note, sizeof hidden.note, "you guess first");
    hidden.beside[0] = hidden.method[0] = 0;
    return hidden;
}
