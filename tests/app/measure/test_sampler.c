/* The sampler over a fake source and a clock that only its runs advance: turns, warm-up, settling,
 * the ways to stop, refusals, failures and an interrupt. */
#include "expect.h"
#include "measure/sampler.h"

#include "base/process.h"

#include <math.h>
#include <signal.h>

enum { ITEMS = 3, ROOM = 500, LOG = 4000 };

static struct {
    double now_s;
    double run_s[ITEMS]; /* time of a run */
    double noise[ITEMS]; /* relative spread of its times */
    int early[ITEMS];    /* runs of twice the time before the item settles */
    double warm[ITEMS];  /* how much longer the first run is; it fades over 100 runs */
    int polls;           /* polls until a reading is ready */
    int refused;         /* 1 + the item that is refused; 0: none */
    int lost_every;      /* every n-th run gives no reading; 0: every run gives one */
    int late_every;      /* every n-th run was late; 0: none was */
    bool busy[ITEMS];    /* the readings say so */
    bool lost_is_an_error;
    int fails_at;     /* the run that fails; 0: none does */
    int interrupt_at; /* the run after which a signal arrives; 0: none */
    int runs[ITEMS], started;
    int waits;      /* polls left until this run's reading is ready */
    int order[LOG]; /* items in the order of their runs */
    int taken[ITEMS], counted[ITEMS];
} fake;

static enum krn_code fake_start(void *self, int item, struct krn_error *why)
{
    (void)self;
    if (item == fake.refused - 1)
        return KRN_FAIL(why, KRN_REFUSED, "The made-up item %d cannot run.", item);
    if (fake.started + 1 == fake.fails_at)
        return KRN_FAIL(why, KRN_LOST, "The made-up device is lost.");
    assert_true(fake.started < LOG);
    fake.order[fake.started++] = item;
    fake.runs[item]++;
    fake.waits = fake.polls;
    return KRN_OK;
}

static enum app_poll fake_poll(void *self, int item, struct app_reading *reading)
{
    (void)self;
    if (fake.waits-- > 0)
        return APP_POLL_BUSY;
    const bool early = fake.runs[item] <= fake.early[item];
    /* Alternates about the middle, so that each half of the samples has the same median. */
    const double sign = fake.runs[item] % 2 == 0 ? 1.0 : -1.0;
    const double s = fake.run_s[item] * (early ? 2.0 : 1.0) * (1.0 + sign * fake.noise[item]) *
                     (1.0 + fake.warm[item] * exp(-fake.runs[item] / 100.0));
    fake.now_s += s;
    if (fake.started == fake.interrupt_at)
        raise(SIGINT);
    if (fake.lost_every > 0 && fake.started % fake.lost_every == 0)
        return APP_POLL_LOST;
    if (fake.late_every > 0 && fake.started % fake.late_every == 0)
        return APP_POLL_LATE;
    reading->ms = reading->slice_ms = s * 1e3;
    reading->second = fake.runs[item];
    if (fake.busy[item]) /* a source leaves out what it does not know */
        reading->busy = true;
    return APP_POLL_TAKEN;
}

static enum krn_code fake_explain(void *self, int item, struct krn_error *why)
{
    (void)self;
    return fake.lost_is_an_error ? KRN_FAIL(why, KRN_FAILED, "Item %d gave no time.", item)
                                 : KRN_OK;
}

static void fake_take(void *self, int item, const struct app_reading *reading, bool counts)
{
    (void)self;
    assert_true(reading->ms > 0.0);
    fake.taken[item]++;
    fake.counted[item] += counts;
}

static void fake_describe(void *self, int item, size_t samples, char *text, size_t size)
{
    (void)self;
    snprintf(text, size, "item %d: %zu samples", item, samples);
}

static double fake_clock(void *self)
{
    (void)self;
    return fake.now_s;
}

static const struct app_source source = {.start = fake_start,
                                         .poll = fake_poll,
                                         .explain = fake_explain,
                                         .take = fake_take,
                                         .describe = fake_describe,
                                         .clock_s = fake_clock};

static struct app_item items[ITEMS];
static double ms[ITEMS][ROOM], second[ITEMS][ROOM];

/* Three items of 1 ms, 1 % apart; turns of 10 runs after one warm-up run. */
static struct app_sampler begin(void)
{
    memset(&fake, 0, sizeof fake);
    memset(items, 0, sizeof items);
    for (int i = 0; i < ITEMS; i++) {
        fake.run_s[i] = 1e-3 * (1.0 + 0.01 * i);
        items[i].ms = ms[i];
        items[i].second = second[i];
        items[i].room = ROOM;
    }
    return (struct app_sampler){
        .source = &source,
        .items = items,
        .count = ITEMS,
        .turns = {.samples = 10, .warm_up = 1, .settle_every = 1},
        .rule = {.width = 0.01, .seconds = 100.0, .at_least = 60, .at_most = ROOM},
    };
}

static enum krn_code run(struct app_sampler *sampler, struct krn_error *why)
{
    struct krn_telemetry_reading telemetry;
    const enum krn_code code = app_sampler_run(sampler, NULL, &telemetry, why);
    assert_false(app_sampler_busy(sampler));
    return code;
}

TEST(items_take_turns)
{
    struct app_sampler sampler = begin();
    fake.polls = 2;
    TEST_OK(run(&sampler, &error));
    /* Eleven runs per item in turns; items without variation stop at 60 samples. */
    assert_int_equal(fake.started, ITEMS * 6 * 11);
    for (int i = 0; i < fake.started; i++)
        assert_int_equal(fake.order[i], i / 11 % ITEMS);
    for (int i = 0; i < ITEMS; i++) {
        assert_int_equal(items[i].stop, KRN_STOP_NARROW);
        assert_true(items[i].settled);
        assert_int_equal(items[i].n, 60);
        assert_int_equal(fake.taken[i], 66);
        assert_int_equal(fake.counted[i], 60);
        assert_true(fabs(ms[i][59] - 1.0 - 0.01 * i) < 1e-9);
    }
    /* The first run of each turn gives no sample. */
    for (int n = 0; n < 60; n++)
        assert_true(second[0][n] == n + n / 10 + 2);
    assert_true(fabs(sampler.seconds - fake.now_s) < 1e-9);
}

TEST(early_samples_are_dropped)
{
    struct app_sampler sampler = begin();
    fake.early[1] = 30;
    TEST_OK(run(&sampler, &error));
    assert_int_equal(items[0].n, 60);
    assert_true(items[1].settled);
    assert_true(fake.counted[1] > 60);
    assert_true(items[1].n < (size_t)fake.counted[1]);
    for (size_t n = items[1].n / 2; n < items[1].n; n++)
        assert_true(fabs(ms[1][n] - 1.01) < 1e-9);
    /* The samples that remain still belong to the right items. */
    for (size_t n = 1; n < items[1].n; n++)
        assert_true(second[1][n] > second[1][n - 1]);
}

/* A slow warm-up of 10 % does not end narrow while it still drifts. */
TEST(a_slow_warm_up_is_waited_for)
{
    struct app_sampler sampler = begin();
    fake.warm[1] = 0.1;
    TEST_OK(run(&sampler, &error));
    const double median = krn_summarise(ms[1], items[1].n).median / 1.01;
    print_message("after %d runs the median is %.1f %% too long\n", fake.counted[1],
                  100.0 * (median - 1.0));
    assert_int_equal(items[1].stop, KRN_STOP_NARROW);
    assert_true(median < 1.025);
}

TEST(wide_intervals_need_more)
{
    struct app_sampler sampler = begin();
    fake.noise[2] = 0.2;
    TEST_OK(run(&sampler, &error));
    assert_int_equal(items[0].stop, KRN_STOP_NARROW);
    assert_int_equal(items[2].stop, KRN_STOP_FULL);
    assert_int_equal(items[2].n, ROOM);
    assert_int_equal(items[0].n, 60);
}

TEST(a_frame_count_is_exact)
{
    struct app_sampler sampler = begin();
    sampler.rule.width = 0.0;
    sampler.rule.at_most = 65;
    fake.early[1] = 30; /* the item settles on the way, and no sample is dropped */
    TEST_OK(run(&sampler, &error));
    for (int i = 0; i < ITEMS; i++) {
        assert_int_equal(items[i].n, 65);
        assert_int_equal(items[i].stop, KRN_STOP_FULL);
    }
    assert_true(fabs(ms[1][0] - 2.02) < 1e-9);
}

TEST(the_time_limit_leaves_a_sample_each)
{
    struct app_sampler sampler = begin();
    sampler.rule.seconds = 0.05;
    fake.noise[0] = fake.noise[1] = fake.noise[2] = 0.3;
    TEST_OK(run(&sampler, &error));
    for (int i = 0; i < ITEMS; i++) {
        assert_int_equal(items[i].stop, KRN_STOP_TIME);
        assert_true(items[i].n > 0 && items[i].n < 30);
    }
    assert_true(fake.now_s < 0.06);

    /* One run exceeds the whole budget: one warms up, and one is measured. */
    sampler = begin();
    sampler.rule.seconds = 0.05;
    fake.run_s[0] = fake.run_s[1] = fake.run_s[2] = 1.0;
    TEST_OK(run(&sampler, &error));
    for (int i = 0; i < ITEMS; i++)
        assert_true(items[i].n == 1 && fake.runs[i] == 2);

    /* With late_counts, there is no time for a second run. */
    sampler = begin();
    sampler.turns.late_counts = true;
    sampler.rule.seconds = 0.05;
    fake.run_s[0] = fake.run_s[1] = fake.run_s[2] = 1.0;
    TEST_OK(run(&sampler, &error));
    for (int i = 0; i < ITEMS; i++)
        assert_true(items[i].n == 1 && fake.runs[i] == 1);
}

/* However slow the items before it are, every item has its first samples before any has more; what
 * the time does not suffice for goes to as many items as possible. */
TEST(first_samples_come_first)
{
    struct app_sampler sampler = begin();
    sampler.turns.first = 6;
    fake.noise[0] = fake.noise[1] = fake.noise[2] = 0.3;
    sampler.turns.limit_s = 0.05;
    sampler.rule.seconds = sampler.most_s = 1.0;
    fake.run_s[0] = 0.1;
    TEST_OK(run(&sampler, &error));
    for (int i = 0; i < ITEMS; i++)
        assert_true(items[i].n >= 6 && items[i].stop == KRN_STOP_TIME);
    int seen[ITEMS] = {0};
    for (int i = 0; i < fake.started; i++) { /* no seventh sample while another item lacks one */
        seen[fake.order[i]]++;
        if (seen[1] > 7 || seen[2] > 7)
            assert_true(seen[0] >= 6);
    }

    /* The time suffices for two of three: those are the fast ones. */
    sampler = begin();
    sampler.turns.first = 6;
    sampler.turns.limit_s = 0.05;
    sampler.rule.seconds = sampler.most_s = 1.0;
    fake.run_s[0] = fake.run_s[1] = 0.15;
    fake.run_s[2] = 0.02;
    TEST_OK(run(&sampler, &error));
    assert_true(items[2].n >= 6);
    assert_true(items[0].n < 6 && items[1].n < 6 && items[0].n > 0 && items[1].n > 0);
    assert_true(fake.now_s < 1.2);

    /* Without a hard limit, a slow item goes on until it has them. */
    sampler = begin();
    sampler.turns.first = 6;
    sampler.rule.seconds = 0.05;
    fake.run_s[1] = 1.0;
    fake.noise[1] = 0.1;
    TEST_OK(run(&sampler, &error));
    assert_int_equal(items[1].n, 6);
    assert_int_equal(items[1].stop, KRN_STOP_TIME);

    /* With one that is too short for any run, the last items have no sample. */
    sampler = begin();
    sampler.turns.first = 6;
    sampler.rule.seconds = sampler.most_s = 0.5;
    fake.run_s[0] = fake.run_s[1] = fake.run_s[2] = 1.0;
    TEST_OK(run(&sampler, &error));
    assert_int_equal(fake.started, 1);
    assert_true(items[2].n == 0 && items[2].stop == KRN_STOP_TIME);
}

TEST(the_order_can_be_shuffled)
{
    struct app_sampler sampler = begin();
    const int order[ITEMS] = {2, 0, 1};
    sampler.order = order;
    sampler.turns.first = 6;
    TEST_OK(run(&sampler, &error));
    for (int i = 0; i < 3 * 7; i++)
        assert_int_equal(fake.order[i], order[i / 7]);

    enum { MANY = 40 };
    int one[MANY], other[MANY], as_they_are[MANY], changed = 0, differ = 0;
    bool found[MANY] = {false};
    app_plan_order(0, as_they_are, MANY);
    app_plan_order(7, one, MANY);
    app_plan_order(8, other, MANY);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(as_they_are[i], i);
        assert_true(one[i] >= 0 && one[i] < MANY && !found[one[i]]);
        found[one[i]] = true;
        changed += one[i] != i;
        differ += one[i] != other[i];
    }
    assert_true(changed > MANY / 2 && differ > MANY / 2);
    app_plan_order(7, other, MANY);
    assert_memory_equal(one, other, sizeof one);

    /* The second of two processes has the order of the first, reversed. */
    app_plan_order(app_plan_seed(39, false), one, MANY);
    app_plan_order(app_plan_seed(39, true), other, MANY);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(one[i], other[MANY - 1 - i]);
    assert_true(app_plan_seed(0, false) != 0);
}

TEST(plans_divide_their_time)
{
    const double now_s = 1e-3 * app_clock_ms();
    struct app_plan plan = {.seconds = 0.0};
    struct app_times times = app_plan_times(&plan, now_s, 2.0);
    assert_true(times.seconds == 2.0 && times.most_s > 2.0 && times.end_s > 1e9);
    plan.seconds = 10.0;
    times = app_plan_times(&plan, now_s, 2.0);
    assert_true(times.seconds < times.most_s && times.most_s < 10.0);
    assert_true(times.end_s == now_s + 10.0);
    times = app_plan_times(&plan, now_s - 20.0, 2.0); /* preparing took longer */
    assert_true(times.seconds > 0.0 && times.most_s < 0.1 && times.end_s < now_s);
}

TEST(a_slow_item_has_short_turns)
{
    struct app_sampler sampler = begin();
    sampler.turns.limit_s = 0.2;
    sampler.turns.long_s = 0.05;
    sampler.rule.seconds = 4.0;
    fake.run_s[1] = 0.09;
    fake.noise[1] = 0.3;
    TEST_OK(run(&sampler, &error));
    /* The item has fewer than eleven runs per turn. */
    int longest = 0, now = 0;
    for (int i = 0; i < fake.started; i++) {
        if (fake.order[i] != 1 && now > longest)
            longest = now;
        now = fake.order[i] == 1 ? now + 1 : 0;
    }
    assert_true(longest >= 2 && longest <= 4);
    /* Such runs dwarf the loading: all of them count. */
    assert_int_equal(fake.counted[1], fake.runs[1]);
    assert_int_equal(items[0].n, 60);
}

TEST(refused_items_are_left_out)
{
    struct app_sampler sampler = begin();
    fake.refused = 2;
    snprintf(items[2].refused, sizeof items[2].refused, "%s", "It was refused before.");
    TEST_OK(run(&sampler, &error));
    assert_int_equal(items[0].n, 60);
    assert_int_equal(items[1].n, 0);
    assert_string_equal(items[1].refused, "The made-up item 1 cannot run.");
    assert_int_equal(items[1].stop, KRN_STOP_NOT);
    assert_int_equal(fake.runs[2], 0);
}

TEST(failures_end_a_run)
{
    struct app_sampler sampler = begin();
    fake.fails_at = 30;
    assert_int_equal(run(&sampler, &error), KRN_LOST);
    assert_string_equal(error.text, "The made-up device is lost.");
    assert_int_equal(items[0].n, 10);
    assert_int_equal(items[2].n, 6);

    sampler = begin();
    fake.lost_every = 5;
    fake.lost_is_an_error = true;
    assert_int_equal(run(&sampler, &error), KRN_FAILED);
    assert_int_equal(items[0].n, 3);

    /* Without a reason, a run without a reading is neither a sample nor an error. */
    sampler = begin();
    fake.lost_every = 5;
    TEST_OK(run(&sampler, &error));
    assert_int_equal(items[0].n, 60);
    assert_true(fake.runs[0] > 66);

    /* When no run gives one, the sampler gives up instead of waiting for a first sample. */
    sampler = begin();
    fake.lost_every = 1;
    assert_int_equal(run(&sampler, &error), KRN_FAILED);
    assert_string_equal(error.text, "200 runs in a row gave no time.");
    assert_int_equal(items[0].n, 0);
}

/* A run whose reading was dropped is counted and taken again; when all are, the sampler says so. */
TEST(late_runs_are_counted)
{
    struct app_sampler sampler = begin();
    sampler.rule.width = 0.0;
    sampler.rule.at_most = 50;
    fake.late_every = 7;
    fake.lost_is_an_error = true; /* a late run is no error */
    fake.busy[1] = true;
    TEST_OK(run(&sampler, &error));
    unsigned long late = 0;
    for (int i = 0; i < sampler.count; i++) {
        assert_int_equal(items[i].n, 50);
        assert_true(items[i].readings >= 50);
        assert_int_equal(items[i].busy, i == 1 ? items[i].readings : 0);
        late += items[i].late;
    }
    assert_int_equal(late, fake.started / 7);
    assert_true(late > 10);

    sampler = begin();
    fake.late_every = 1;
    assert_int_equal(run(&sampler, &error), KRN_FAILED);
    assert_int_equal(items[0].late, 200);
    assert_int_equal(items[0].n, 0);
    assert_non_null(strstr(error.text, "200 runs in a row gave no time: the host"));
}

static enum krn_stop judge(void *self, int item, double seconds)
{
    (void)self;
    assert_true(fabs(seconds - fake.now_s) < 1e-9);
    return fake.runs[item] >= 7 ? KRN_STOP_NARROW : KRN_STOP_NOT;
}

TEST(a_source_may_have_its_own_stop_rule)
{
    struct app_source own = source;
    struct app_sampler sampler = begin();
    own.judge = judge;
    sampler.source = &own;
    sampler.count = 1;
    sampler.turns = (struct app_turns){.samples = 1};
    items[0] = (struct app_item){.room = 0};
    TEST_OK(run(&sampler, &error));
    assert_int_equal(items[0].n, 7);
    assert_int_equal(items[0].stop, KRN_STOP_NARROW);
}

/* Between the frames of a window, the caller decides what runs. */
TEST(runs_can_be_started_one_by_one)
{
    struct app_reading reading;
    struct app_sampler sampler = begin();
    assert_int_equal(app_sampler_poll(&sampler, &reading), APP_POLL_LOST);
    fake.polls = 3;
    for (int i = 0; i < 4; i++) {
        TEST_OK(app_sampler_start(&sampler, 1, &error));
        assert_true(app_sampler_busy(&sampler));
        for (int poll = 0; poll < 3; poll++)
            assert_int_equal(app_sampler_poll(&sampler, &reading), APP_POLL_BUSY);
        memset(&reading, 0xff, sizeof reading);
        assert_int_equal(app_sampler_poll(&sampler, &reading), APP_POLL_TAKEN);
        assert_false(app_sampler_busy(&sampler));
        assert_true(reading.ms > 1.0 && !reading.busy);
        if (i == 2)
            app_sampler_begin_turn(&sampler, 1);
    }
    assert_int_equal(items[1].n, 2); /* two turns, each with a warm-up run */
    assert_int_equal(fake.taken[1], 4);
    fake.refused = 1;
    TEST_OK(app_sampler_start(&sampler, 0, &error));
    assert_false(app_sampler_busy(&sampler));
    assert_true(items[0].refused[0] != 0);
}

TEST(progress_is_one_line)
{
    struct app_sampler sampler = begin();
    char text[4096] = "";
    FILE *file = tmpfile();
    assert_non_null(file);
    struct app_progress progress = {.out = file};
    sampler.progress = &progress;
    fake.run_s[0] = 0.2;
    sampler.rule.at_most = 11;
    sampler.rule.width = 0.0;
    TEST_OK(run(&sampler, &error));
    rewind(file);
    const size_t n = fread(text, 1, sizeof text - 1, file);
    text[n] = 0;
    fclose(file);
    assert_non_null(strstr(text, "\ritem 0: 0 samples"));
    assert_null(strchr(text, '\n'));
    assert_string_equal(text + n - 1, "\r"); /* the progress line is cleared */
}

/* A log gets a line when ten seconds have passed since the last one, and no other signs. */
TEST(progress_of_a_log_is_seldom)
{
    char text[4096] = "";
    FILE *file = tmpfile();
    assert_non_null(file);
    struct app_progress progress = {.out = file, .log = true};
    progress.shown_s = app_clock_s() - 11.0;
    app_progress_show(&progress, "one");
    app_progress_show(&progress, "two");
    app_progress_clear(&progress);
    app_progress_show(&progress, "three");
    progress.shown_s -= 11.0;
    app_progress_show(&progress, "four");
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    assert_string_equal(text, "progress: one\nprogress: four\n");
}

/* Last, because a caught signal stays caught. */
TEST(an_interrupt_ends_a_run)
{
    struct app_sampler sampler = begin();
    app_interrupt_catch(true);
    app_interrupt_keep();
    fake.interrupt_at = 15;
    TEST_OK(run(&sampler, &error));
    assert_int_equal(fake.started, 15);
    assert_int_equal(items[0].n, 10);
    assert_int_equal(items[1].n, 3);
    assert_int_equal(items[1].stop, KRN_STOP_NOT);
    /* No run starts after the signal. */
    TEST_OK(run(&sampler, &error));
    assert_int_equal(fake.started, 15);
}
