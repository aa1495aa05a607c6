/* The CPU backend's threads: every piece is worked on exactly once, whoever comes or does not. */
#include "expect.h"

#include "cpu/runtime/team.h"

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum { PIECES_MOST = 300, JOBS = 20000, THREADS = 5 };

/* Only a hang takes so long; the thread sanitizer makes everything several times as slow. */
#ifdef __SANITIZE_THREAD__
enum { DEADLINE_S = 600 };
#else
enum { DEADLINE_S = 60 };
#endif

struct count {
    atomic_int pieces[PIECES_MOST];
    atomic_int wrong_threads;
    int threads;
};

static void count_piece(const void *context, int index, int thread)
{
    struct count *count = *(struct count *const *)context;
    atomic_fetch_add(&count->pieces[index], 1);
    if (thread < 0 || thread >= count->threads)
        atomic_fetch_add(&count->wrong_threads, 1);
}

static struct krn_cpu_team *open_team(const char *threads)
{
    struct krn_cpu_team *team = NULL;
    if (threads)
        setenv("OMP_NUM_THREADS", threads, 1);
    else
        unsetenv("OMP_NUM_THREADS");
    TEST_OK(krn_cpu_team_open(&team, &error));
    return team;
}

static void expect_each_once(struct count *count, int pieces)
{
    for (int i = 0; i < PIECES_MOST; i++) {
        const int expected = i < pieces ? 1 : 0;
        if (atomic_load(&count->pieces[i]) != expected)
            fail_msg("piece %d of %d ran %d times", i, pieces, atomic_load(&count->pieces[i]));
        atomic_store(&count->pieces[i], 0);
    }
    assert_int_equal(atomic_load(&count->wrong_threads), 0);
}

/* Long enough for threads to fall asleep. */
static void pause_us(long us)
{
    const struct timespec time = {0, us * 1000};
    nanosleep(&time, NULL);
}

/* More threads than processors, jobs of all sizes, threads awake and asleep. */
TEST(every_piece_runs_once)
{
    struct krn_cpu_team *team = open_team("5");
    static struct count count;
    struct count *const context = &count;
    count.threads = krn_cpu_team_size(team);
    assert_int_equal(count.threads, THREADS);
    for (int job = 0; job < JOBS; job++) {
        const int pieces = job % PIECES_MOST;
        if (job % 7 == 0) {
            krn_cpu_team_each(team, count_piece, &context);
            expect_each_once(&count, THREADS);
        } else {
            krn_cpu_team_share(team, pieces, count_piece, &context);
            expect_each_once(&count, pieces);
        }
        if (job % 100 == 0)
            pause_us(job % 500);
    }
    krn_cpu_team_close(team);
}

static void count_late(const void *context, int index, int thread)
{
    pause_us(2000);
    count_piece(context, index, thread);
}

/* Every thread but the caller's does the work that is handed over, while the caller goes on. */
TEST(work_is_handed_over)
{
    struct krn_cpu_team *team = open_team("5");
    static struct count count;
    struct count *const context = &count;
    count.threads = krn_cpu_team_size(team);
    alarm(DEADLINE_S);
    for (int job = 0; job < JOBS; job++) {
        krn_cpu_team_hand_over(team, count_piece, &context);
        krn_cpu_team_await(team);
        atomic_fetch_add(&count.pieces[0], 1); /* the caller's */
        expect_each_once(&count, THREADS);
        if (job % 3 == 0) {
            krn_cpu_team_share(team, 7, count_piece, &context);
            expect_each_once(&count, 7);
        }
        if (job % 100 == 0)
            pause_us(job % 500);
    }
    /* Not one of the threads has counted yet when the call returns, unless this one has lost its
     * core. */
    int ahead = 0;
    for (int job = 0; job < 10; job++) {
        krn_cpu_team_hand_over(team, count_late, &context);
        int counted = 0;
        for (int i = 1; i < THREADS; i++)
            counted += atomic_load(&count.pieces[i]);
        ahead += counted == 0;
        krn_cpu_team_await(team);
        atomic_fetch_add(&count.pieces[0], 1);
        expect_each_once(&count, THREADS);
    }
    assert_true(ahead > 0);
    alarm(0);
    krn_cpu_team_close(team);
}

/* A worker that slept through a job enters the next one while the caller, without a core, has not
 * called the others yet. All of them must still come, and none twice. */
TEST(a_late_call_is_heard)
{
    struct krn_cpu_team *team = open_team("5");
    static struct count count;
    struct count *const context = &count;
    count.threads = krn_cpu_team_size(team);
    alarm(DEADLINE_S); /* the defect was a caller that waits for ever */
    for (int job = 0; job < 500; job++) {
        krn_cpu_team_share(team, 3, count_piece, &context);
        expect_each_once(&count, 3);
        krn_fail_calls("krn_cpu_team_call");
        krn_cpu_team_each(team, count_piece, &context);
        krn_fail_calls(NULL);
        expect_each_once(&count, THREADS);
        if (job % 3 == 0)
            pause_us(100);
    }
    alarm(0);
    krn_cpu_team_close(team);
}

TEST(without_a_team)
{
    static struct count count;
    struct count *const context = &count;
    count.threads = krn_cpu_team_size(NULL);
    assert_int_equal(count.threads, 1);
    krn_cpu_team_share(NULL, 10, count_piece, &context);
    expect_each_once(&count, 10);
    krn_cpu_team_each(NULL, count_piece, &context);
    expect_each_once(&count, 1);
    krn_cpu_team_hand_over(NULL, count_piece, &context);
    krn_cpu_team_await(NULL);
    expect_each_once(&count, 0);
    krn_cpu_team_close(NULL);
}

/* Where the system refuses threads, those that it gave do the work. */
TEST(fewer_threads)
{
    static struct count count;
    struct count *const context = &count;
    for (int given = 0; given < 2; given++) {
        krn_fail_calls(given == 0 ? "pthread_create" : "pthread_create:3");
        struct krn_cpu_team *team = open_team("5");
        krn_fail_calls(NULL);
        count.threads = krn_cpu_team_size(team);
        assert_int_equal(count.threads, given == 0 ? 1 : 3);
        krn_cpu_team_share(team, 100, count_piece, &context);
        expect_each_once(&count, 100);
        krn_cpu_team_each(team, count_piece, &context);
        expect_each_once(&count, count.threads);
        krn_cpu_team_hand_over(team, count_piece, &context);
        krn_cpu_team_await(team);
        for (int i = 1; i < count.threads; i++)
            assert_int_equal(atomic_load(&count.pieces[i]), 1);
        krn_cpu_team_close(team);
        for (int i = 0; i < PIECES_MOST; i++)
            atomic_store(&count.pieces[i], 0);
    }
}

TEST(number_of_threads)
{
    setenv("OMP_NUM_THREADS", "100000", 1);
    assert_int_equal(krn_cpu_team_wanted(), 1024);
    setenv("OMP_NUM_THREADS", "many", 1);
    const int most = krn_cpu_team_wanted();
    unsetenv("OMP_NUM_THREADS");
    assert_int_equal(krn_cpu_team_wanted(), most);
    assert_true(most >= 1);
}

TEST(parts_cover_all)
{
    const size_t counts[] = {0, 1, 7, 1000, (size_t)1 << 40};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (int parts = 1; parts < 20; parts++) {
            assert_int_equal(krn_cpu_part(counts[i], 0, parts), 0);
            assert_int_equal(krn_cpu_part(counts[i], parts, parts), counts[i]);
            for (int part = 0; part < parts; part++) {
                const size_t size =
                    krn_cpu_part(counts[i], part + 1, parts) - krn_cpu_part(counts[i], part, parts);
                assert_in_range(size, counts[i] / (size_t)parts, counts[i] / (size_t)parts + 1);
            }
        }
}
