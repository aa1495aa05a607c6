/* Whole boards with the noise of an H200's processes: at most 1 in 100 has a wrong word, also when
 * every row's truth lies at an edge between two words. TEST_BOARD_RUNS sets the number of boards.
 */
#include "noise.h"
#include "probe_results.h"
#include "processes.h"
#include "records.h"

#include "records/recorded.h"
#include "topics/claims.h"

static const char recorded[] = TEST_SOURCE_DIR "/assets/runs/nvidia-h200-all.json.gz";

enum { PROCESSES = 5, TURNS = 10 /* processes of the book's window and kernel */ };

static struct app_probes_view truth; /* of the record */

/* One board: the probes, with the truth as each process's value, or with noise. */
static struct {
    struct app_result *results;
    struct test_measured *measured;
    struct app_claim_facts facts;
    struct app_probes_view view;
    struct app_claim claims[APP_CLAIM_COUNT];
} board;

/* The series whose times move a row to an edge. */
enum part { TIME = 1, CYCLES = 2 };
static const struct mover {
    enum app_claim_id claim;
    enum krn_topic topic;
    const char *series;
    int parts;
    double power; /* the row's number is proportional to the times to this power */
} movers[] = {
    {APP_CLAIM_SAXPY, KRN_TOPIC_SAXPY, "published", TIME, -1.0},
    {APP_CLAIM_RESOLUTION, KRN_TOPIC_TIMER, "resolution", TIME, 1.0},
    {APP_CLAIM_LAUNCH, KRN_TOPIC_TIMER, "launch", TIME, 1.0},
    {APP_CLAIM_ARITHMETIC_LATENCY, KRN_TOPIC_ILP, "ilp1", CYCLES, 1.0},
    {APP_CLAIM_MEMORY_LATENCY, KRN_TOPIC_LATENCY, "read", CYCLES, 1.0},
    {APP_CLAIM_OPERANDS, KRN_TOPIC_OPERANDS, "registers", TIME, -1.0},
    {APP_CLAIM_ACCESS, KRN_TOPIC_ACCESS, "chunk/warm", CYCLES, 1.0},
    {APP_CLAIM_BANDWIDTH, KRN_TOPIC_ACCESS, "chunk/warm", TIME, 1.0},
    {APP_CLAIM_DIVERGENT, KRN_TOPIC_BOUNCES, "tree/constant", TIME, 1.0},
};

static void scale(enum krn_topic topic, const char *series, int parts, double by)
{
    for (int i = 0; i < board.view.count; i++) {
        struct app_result *result = &board.results[i];
        if (!app_result_is_of(result, topic, series))
            continue;
        if (parts & TIME) {
            *test_metric(result, APP_M_MEDIAN_MS) *= by;
            *test_metric(result, APP_M_OVERHEAD_MS) *= by;
        }
        if (parts & CYCLES)
            *test_metric(result, APP_M_CYCLES) *= by;
    }
}

/* Returns an edge between two words, a hair to one side. */
static double edge_of(const struct app_claim_entry *entry, struct test_noise *noise)
{
    const double c = entry->claimed, band = 1.01;
    const double ratio[] = {1.1 * c, c / 1.1, band, 1.0 / band}, level[] = {c - 5.0, c + 5.0};
    const size_t at = (size_t)(4.0 * test_uniform(noise));
    const double hair = test_uniform(noise) < 0.5 ? 1.0 - 1e-6 : 1.0 + 1e-6;
    return hair * (entry->rule == APP_RULE_RATIO     ? ratio[at]
                   : entry->rule == APP_RULE_GREATER ? ratio[2 + at % 2]
                   : entry->rule == APP_RULE_SIZE    ? ratio[at % 2]
                   : entry->rule == APP_RULE_LEVEL   ? level[at % 2]
                                                     : c);
}

/* Scales a curve so that one of its points lies at the level that decides. */
static void scale_curve(enum krn_topic topic, const char *series, enum app_member metric,
                        double level, struct test_noise *noise)
{
    double x[64], y[64];
    const size_t n = app_probe_result_curve(&board.view, topic, series, metric, x, y, 64);
    const double hair = test_uniform(noise) < 0.5 ? 1.0 - 1e-6 : 1.0 + 1e-6;
    scale(topic, series, TIME, hair * y[(size_t)((double)n * test_uniform(noise))] / level);
}

static void each_of(struct app_estimate *ratio, double value)
{
    double each[TURNS];
    for (int p = 0; p < TURNS; p++)
        each[p] = value;
    *ratio = app_estimate_of_processes(each, TURNS, 0.0);
}

static double recorded_ratio[2]; /* of the book's kernel and window */

/* Begins a board without noise: as recorded, or with every row at an edge. */
static void begin(bool edges, struct test_noise *noise)
{
    board.view = truth;
    board.view.results = board.results;
    board.facts = (struct app_claim_facts){.probes = &board.view, .band_percent = 1.0};
    for (int i = 0; i < board.view.count; i++)
        *test_metric(
            test_measure(&board.results[i], &board.measured[i], truth.results[i].probe,
                         app_result_samples(&truth.results[i]),
                         app_result_number(&truth.results[i], APP_M_MEDIAN_MS, 0.0),
                         app_result_number(&truth.results[i], APP_M_CYCLES, 0.0), 0.0, 0.0),
            APP_M_OVERHEAD_MS) = app_result_number(&truth.results[i], APP_M_OVERHEAD_MS, 0.0);
    each_of(&board.facts.kernel_ratio, recorded_ratio[0]);
    each_of(&board.facts.window_ratio, recorded_ratio[1]);
    if (!edges)
        return;
    each_of(&board.facts.kernel_ratio,
            edge_of(app_claim_entry_of(APP_CLAIM_CONSTANT_KERNEL), noise));
    each_of(&board.facts.window_ratio,
            edge_of(app_claim_entry_of(APP_CLAIM_CONSTANT_WINDOW), noise));
    for (size_t m = 0; m < sizeof movers / sizeof *movers; m++) {
        const struct mover *mover = &movers[m];
        const double now = board.claims[mover->claim].now.estimate.value;
        scale(mover->topic, mover->series, mover->parts,
              pow(edge_of(app_claim_entry_of(mover->claim), noise) / now, mover->power));
    }
    static const char *const chains[] = {"ilp1", "ilp2", "ilp3", "ilp4", "ilp8"};
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++)
        scale_curve(KRN_TOPIC_ILP, chains[i], APP_M_OF_PEAK_NET_PERCENT, 90.0, noise);
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_MEMLAT, &board.view, &analysis);
    scale_curve(KRN_TOPIC_MEMLAT, "loads1x4", APP_M_EFFECTIVE_GBPS,
                0.85 * app_finding(&analysis, "best/4")->value.value, noise);
}

/* Returns how far a process's median lies from the middle of its column, as a factor. The columns
 * scatter by 0.2 to 1.9 %. */
static double off(size_t process, size_t column)
{
    static double middle[COLUMNS_MAX];
    if (!(middle[column] > 0.0)) {
        double sorted[PROCESSES_MAX];
        for (size_t p = 0; p < test_table.processes; p++)
            sorted[p] = log(test_table.medians[p][column]);
        for (size_t p = 0; p < test_table.processes; p++)
            middle[column] += sorted[p] / (double)test_table.processes;
        middle[column] = exp(middle[column]);
    }
    return test_table.medians[process][column] / middle[column];
}

/* Returns the step between such factors: the medians are whole ticks of the clock. */
static double step_of(size_t column)
{
    return test_table.tick_ms[column] / test_table.medians[0][column];
}

/* Gives the board's processes the noise of as many processes of the H200. Times keep the clock's
 * ticks, by which their intervals are widened; cycles have none. */
static void disturb(struct test_noise *noise, uint64_t *seed)
{
    size_t drawn[TURNS];
    for (size_t p = 0; p < TURNS; p++)
        drawn[p] = test_below(seed, test_table.processes);
    for (int i = 0; i < board.view.count; i++) {
        struct app_result *result = &board.results[i];
        const size_t column = test_below(seed, test_table.columns);
        const double ms = *test_metric(result, APP_M_MEDIAN_MS),
                     cycles = *test_metric(result, APP_M_CYCLES),
                     overhead = *test_metric(result, APP_M_OVERHEAD_MS);
        result->process_count = PROCESSES;
        *test_metric(result, APP_M_TICK_MS) = ms * step_of(column);
        for (size_t p = 0; p < PROCESSES; p++) {
            const double by = off(drawn[p], column);
            const double other = by + step_of(column) * (test_uniform(noise) - 0.5);
            *test_metric_of(result, p, APP_M_MEDIAN_MS, 0) = ms * by;
            *test_metric_of(result, p, APP_M_CYCLES, 0) = cycles * other;
            *test_metric_of(result, p, APP_M_OVERHEAD_MS, 0) = overhead * by;
        }
    }
    struct app_estimate *const ratios[] = {&board.facts.kernel_ratio, &board.facts.window_ratio};
    for (size_t r = 0; r < 2; r++) {
        double each[TURNS];
        for (size_t p = 0; p < TURNS; p++) /* the window scatters by 20 % */
            each[p] = ratios[r]->value * pow(off(drawn[p], 2 + r), r == 0 ? 1.0 : 30.0);
        *ratios[r] = app_estimate_of_processes(each, TURNS, 0.5 * step_of(2 + r));
    }
}

/* Lets the processes agree on the truth. */
static void agree(void)
{
    for (int i = 0; i < board.view.count; i++) {
        static const enum app_member metrics[] = {APP_M_MEDIAN_MS, APP_M_CYCLES, APP_M_OVERHEAD_MS};
        struct app_result *result = &board.results[i];
        result->process_count = PROCESSES;
        for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++)
            for (size_t p = 1; p < PROCESSES; p++)
                *test_metric_of(result, p, metrics[m], 0) = *test_metric(result, metrics[m]);
    }
}

/* Returns the boards of `runs` that have a wrong word; counts the words that are true. */
static int count_wrong(bool edges, int runs, int wrong_rows[APP_CLAIM_COUNT], int *told)
{
    struct test_noise noise = test_noise_seed(20261127);
    uint64_t seed = 39;
    int wrong = 0;
    for (int run = 0; run < runs; run++) {
        struct app_claim right[APP_CLAIM_COUNT];
        bool one = false;
        begin(edges, &noise);
        agree();
        app_claims_judge(&board.facts, right);
        disturb(&noise, &seed);
        struct app_claim claims[APP_CLAIM_COUNT];
        app_claims_judge(&board.facts, claims);
        for (int i = 0; i < APP_CLAIM_COUNT; i++) {
            const enum app_verdict is = claims[i].now.verdict, should = right[i].now.verdict;
            const bool bad = is != should && is != APP_VERDICT_CANT_TELL;
            wrong_rows[i] += bad;
            one = one || bad;
            *told += is == should && is != APP_VERDICT_CANT_TELL;
        }
        wrong += one;
    }
    return wrong;
}

TEST(boards_have_no_wrong_words)
{
    TEST_OWNED(app_results_free) struct app_results results;
    const char *asked = getenv("TEST_BOARD_RUNS");
    const int runs = asked ? atoi(asked) : 50;
    assert_true(test_table_read());
    TEST_OK(app_results_read_file(recorded, &results, &error));
    TEST_FREED struct app_result *probes = app_results_probes(&results, 1, &truth);
    board.results = calloc((size_t)truth.count, sizeof *board.results);
    board.measured = calloc((size_t)truth.count, sizeof *board.measured);
    assert_true(board.results != NULL && board.measured != NULL);
    app_results_judge(&results, &truth, 1.0, board.claims);
    recorded_ratio[0] = board.claims[APP_CLAIM_CONSTANT_KERNEL].now.estimate.value;
    recorded_ratio[1] = board.claims[APP_CLAIM_CONSTANT_WINDOW].now.estimate.value;
    for (int edges = 0; edges < 2; edges++) {
        int rows[APP_CLAIM_COUNT] = {0}, told = 0;
        const int wrong = count_wrong(edges, runs, rows, &told);
        print_message("%s: %d of %d boards have a wrong word; %.1f of %d words are given\n",
                      edges ? "every row at an edge" : "as recorded", wrong, runs,
                      (double)told / runs, APP_CLAIM_COUNT);
        for (int i = 0; i < APP_CLAIM_COUNT; i++)
            if (rows[i] > 0)
                print_message("  %s: %d\n", app_claim_entry_of((enum app_claim_id)i)->id, rows[i]);
        assert_true(100 * wrong <= runs);
        assert_true(edges || told > 13 * runs); /* a board that says nothing is not wrong */
    }
    free(board.results);
    free(board.measured);
}

int main(void)
{
    return tests_run(NULL, NULL);
}
