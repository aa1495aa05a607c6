/* Threads that spin, then sleep. They take pieces of a loop from a counter, so that none waits for
 * a thread without a core. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "cpu/runtime/team.h"
#include "core/base/clock.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Spinning bridges the gap between consecutive frames: with 10 us, some frames on an idle machine
 * start without the other threads. On a busy machine, a thread that wakes up takes the caller's
 * core and spins there: the 95th percentile of a frame of 64x64 pixels, with two busy loops on two
 * cores, is 0.074 ms with 20 us and 0.105 ms with 50 us. The caller spins longer, because it waits
 * for a piece that another thread is working on. */
static const double worker_spin_ms = 0.02, caller_spin_ms = 0.05;
enum { CACHE_LINE = 64, STACK_BYTES = 1 << 20, THREADS_MOST = 1024, CLOSED = 1 << 30 };

struct job {
    krn_cpu_work *work;
    const void *context;
    int pieces;
    bool each; /* once on every thread; else by pieces */
    unsigned long long generation;
};

struct worker {
    _Alignas(CACHE_LINE) atomic_bool asleep; /* whoever clears it posts `wake` */
    sem_t wake;
    struct krn_cpu_team *team;
    pthread_t thread;
    int index;
};

struct krn_cpu_team {
    int size;
    struct worker *workers; /* worker 0 is the caller and has no thread of its own */
    struct job job;         /* changes only while the gate is closed and no worker is inside */
    sem_t done;
    _Alignas(CACHE_LINE) atomic_ullong generation; /* counts jobs: a new number calls the workers */
    atomic_bool ending;
    _Alignas(CACHE_LINE) atomic_int gate; /* workers inside, plus CLOSED */
    atomic_int arrived;                   /* workers that ran a job of `each` */
    atomic_bool caller_waits;             /* whoever clears it posts `done` */
    _Alignas(CACHE_LINE) atomic_int next; /* piece */
};

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void wait_for_post(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0) /* interrupted by a signal */
        continue;
}

/* Spins until holds(argument) is true, at most most_ms. Returns its last value. */
static bool spin(double most_ms, bool (*holds)(const void *), const void *argument)
{
    enum { BETWEEN_CLOCKS = 16 };
    if (holds(argument))
        return true;
    const double start = krn_clock_ms();
    do {
        for (int i = 0; i < BETWEEN_CLOCKS; i++) {
            if (holds(argument))
                return true;
            relax();
        }
    } while (krn_clock_ms() - start < most_ms);
    return false;
}

static void wake(struct worker *worker)
{
    if (atomic_load(&worker->asleep) && atomic_exchange(&worker->asleep, false))
        sem_post(&worker->wake);
}

/* Threads are woken as a tree, so that the last of 128 does not wait for 127 wake-ups. */
static void wake_children(struct krn_cpu_team *team, int index)
{
    for (int child = 2 * index + 1; child <= 2 * index + 2 && child < team->size; child++)
        wake(&team->workers[child]);
}

static void take_pieces(struct krn_cpu_team *team, int thread)
{
    const struct job *job = &team->job;
    wake_children(team, thread);
    if (job->each) {
        job->work(job->context, thread, thread);
        return;
    }
    int index;
    while ((index = atomic_fetch_add_explicit(&team->next, 1, memory_order_relaxed)) <
               job->pieces &&
           !krn_cancelled())
        job->work(job->context, index, thread);
}

struct call {
    const struct krn_cpu_team *team;
    unsigned long long seen;
};

static bool is_called(const void *argument)
{
    const struct call *call = argument;
    return atomic_load(&call->team->generation) != call->seen;
}

/* Waits for a job newer than `seen` and returns its number. */
static unsigned long long await_call(struct worker *worker, unsigned long long seen)
{
    const struct call call = {worker->team, seen};
    bool called = spin(worker_spin_ms, is_called, &call);
    while (!called) {
        atomic_store(&worker->asleep, true);
        called = is_called(&call);
        if (!called || !atomic_exchange(&worker->asleep, false))
            wait_for_post(&worker->wake);
        called = is_called(&call);
    }
    return atomic_load(&worker->team->generation);
}

static void *serve(void *argument)
{
    struct worker *worker = argument;
    struct krn_cpu_team *team = worker->team;
    unsigned long long seen = 0;
    for (;;) {
        seen = await_call(worker, seen);
        if (atomic_load(&team->ending))
            return NULL;
        if (!(atomic_fetch_add(&team->gate, 1) & CLOSED)) {
            seen = team->job.generation; /* newer than the call, where this thread came late */
            /* run() opens the gate before it stores the number. Without this store, a thread that
             * enters in between would enter twice, and the threads that it wakes would find no new
             * job. */
            if (atomic_load(&team->generation) != seen)
                atomic_store(&team->generation, seen);
            take_pieces(team, worker->index);
            if (team->job.each)
                atomic_fetch_add(&team->arrived, 1);
        }
        const int left = atomic_fetch_sub(&team->gate, 1) - 1;
        if ((left & ~CLOSED) == 0 && atomic_load(&team->caller_waits) &&
            atomic_exchange(&team->caller_waits, false))
            sem_post(&team->done);
    }
}

static bool is_over(const void *argument)
{
    const struct krn_cpu_team *team = argument;
    return (atomic_load(&team->gate) & ~CLOSED) == 0 &&
           (!team->job.each || atomic_load(&team->arrived) == team->size - 1);
}

static void await_workers(struct krn_cpu_team *team)
{
    bool over = spin(caller_spin_ms, is_over, team);
    while (!over) {
        atomic_store(&team->caller_waits, true);
        over = is_over(team);
        if (!over || !atomic_exchange(&team->caller_waits, false))
            wait_for_post(&team->done);
        over = is_over(team);
    }
}

/* Does what a busy machine does to the caller, for tests: its core is gone for a while. */
static void lose_core(void)
{
    const struct timespec while_away = {0, 200000};
    nanosleep(&while_away, NULL);
}

/* Lets the workers in and calls them; the caller still has to wake them. */
static void begin(struct krn_cpu_team *team, struct job job)
{
    job.generation = atomic_load_explicit(&team->generation, memory_order_relaxed) + 1;
    team->job = job;
    atomic_store_explicit(&team->next, 0, memory_order_relaxed);
    atomic_store_explicit(&team->arrived, 0, memory_order_relaxed);
    atomic_fetch_and(&team->gate, ~CLOSED);
    if (krn_call_fails(KRN_API_NONE, "krn_cpu_team_call()"))
        lose_core();
    atomic_store(&team->generation, job.generation);
}

/* Waits for the workers that have entered, or for all of them in a job of `each`. */
static void end(struct krn_cpu_team *team)
{
    await_workers(team);
    atomic_fetch_or(&team->gate, CLOSED);
}

static void run(struct krn_cpu_team *team, struct job job)
{
    begin(team, job);
    take_pieces(team, 0);
    /* A worker that is late finds no piece left; a job of `each` waits for every worker. */
    if (!job.each)
        atomic_fetch_or(&team->gate, CLOSED);
    end(team);
}

void krn_cpu_team_share(struct krn_cpu_team *team, int pieces, krn_cpu_work *work,
                        const void *context)
{
    if (team && team->size > 1 && pieces > 1)
        run(team, (struct job){work, context, pieces, false, 0});
    else
        for (int index = 0; index < pieces && !krn_cancelled(); index++)
            work(context, index, 0);
}

void krn_cpu_team_each(struct krn_cpu_team *team, krn_cpu_work *work, const void *context)
{
    if (team && team->size > 1)
        run(team, (struct job){work, context, 0, true, 0});
    else
        work(context, 0, 0);
}

void krn_cpu_team_hand_over(struct krn_cpu_team *team, krn_cpu_work *work, const void *context)
{
    if (!team || team->size == 1)
        return;
    begin(team, (struct job){work, context, 0, true, 0});
    wake_children(team, 0);
}

void krn_cpu_team_await(struct krn_cpu_team *team)
{
    if (team && team->size > 1)
        end(team);
}

int krn_cpu_team_size(const struct krn_cpu_team *team)
{
    return team ? team->size : 1;
}

int krn_cpu_team_wanted(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    cpu_set_t own;
    if (sched_getaffinity(0, sizeof own, &own) == 0)
        count = CPU_COUNT(&own);
    const char *asked = getenv("OMP_NUM_THREADS");
    const long value = asked ? strtol(asked, NULL, 10) : 0;
    if (value > 0)
        count = value;
    return count < 1 ? 1 : count > THREADS_MOST ? THREADS_MOST : (int)count;
}

/* Starts the thread of worker `index`. */
static bool start(struct krn_cpu_team *team, int index, const pthread_attr_t *attributes)
{
    struct worker *worker = &team->workers[index];
    worker->team = team;
    worker->index = index;
    if (krn_call_fails(KRN_API_HOST, "pthread_create()") || sem_init(&worker->wake, 0, 0) != 0)
        return false;
    if (pthread_create(&worker->thread, attributes, serve, worker) == 0)
        return true;
    sem_destroy(&worker->wake);
    return false;
}

/* Starts as many threads as the system gives; signals are the caller's business. */
static void start_all(struct krn_cpu_team *team, int wanted)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    if (pthread_attr_init(&attributes) != 0)
        return;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int started = 1;
    while (started < wanted && start(team, started, &attributes))
        started++;
    team->size = started;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

enum krn_code krn_cpu_team_open(struct krn_cpu_team **opened, struct krn_error *error)
{
    const int wanted = krn_cpu_team_wanted();
    struct krn_cpu_team *team = aligned_alloc(CACHE_LINE, sizeof *team);
    struct worker *workers = aligned_alloc(CACHE_LINE, (size_t)wanted * sizeof *workers);
    if (!team || !workers || sem_init(&team->done, 0, 0) != 0) {
        free(workers);
        free(team);
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for %d threads.", wanted);
    }
    memset(workers, 0, (size_t)wanted * sizeof *workers);
    team->size = 1;
    team->workers = workers;
    memset(&team->job, 0, sizeof team->job);
    atomic_init(&team->generation, 0);
    atomic_init(&team->ending, false);
    atomic_init(&team->gate, CLOSED);
    atomic_init(&team->arrived, 0);
    atomic_init(&team->caller_waits, false);
    atomic_init(&team->next, 0);
    start_all(team, wanted);
    *opened = team;
    return KRN_OK;
}

void krn_cpu_team_close(struct krn_cpu_team *team)
{
    if (!team)
        return;
    atomic_store(&team->ending, true);
    atomic_fetch_add(&team->generation, 1);
    for (int i = 1; i < team->size; i++)
        wake(&team->workers[i]);
    for (int i = 1; i < team->size; i++) {
        pthread_join(team->workers[i].thread, NULL);
        sem_destroy(&team->workers[i].wake);
    }
    sem_destroy(&team->done);
    free(team->workers);
    free(team);
}

int64_t krn_cpu_cache_number(long processor, int index, const char *which)
{
    char path[128], text[64], *unit = text;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/cache/index%d/%s", processor, index,
             which);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return -1;
    const bool read = fgets(text, sizeof text, file) != NULL;
    fclose(file);
    const int64_t number = read ? strtol(text, &unit, 10) : -1, most = (int64_t)1 << 40;
    if (unit == text || number < 0 || number > most)
        return -1;
    return number * (*unit == 'K' ? 1 << 10 : *unit == 'M' ? 1 << 20 : 1);
}
