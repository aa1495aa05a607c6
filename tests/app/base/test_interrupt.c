/* Signals: a process with nothing to keep ends at once; one that keeps results sets a flag at the
 * first signal, ignores others for a moment, and ends at a later one. Files that are not complete
 * are removed. */
#include "base/process.h"
#include "expect.h"
#include "krn/error.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ENDED_BY_ITSELF = 42, WORDS_MAX = 256 };

/* What a child process did: its status as waitpid gives it, and its words on stderr. */
struct ending {
    int status;
    char words[WORDS_MAX];
};

static struct ending run_child(void (*act)(const char *path), const char *path)
{
    struct ending ending = {.status = -1, .words = ""};
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        act(path);
        _exit(ENDED_BY_ITSELF);
    }
    close(ends[1]);
    size_t used = 0;
    ssize_t n;
    while ((n = read(ends[0], ending.words + used, WORDS_MAX - 1 - used)) > 0)
        used += (size_t)n;
    close(ends[0]);
    assert_int_equal(waitpid(child, &ending.status, 0), child);
    return ending;
}

static void assert_exits(const struct ending *ending, int code)
{
    assert_true(WIFEXITED(ending->status));
    assert_int_equal(WEXITSTATUS(ending->status), code);
}

static void sleep_ms(long ms)
{
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static void make_file(char path[64])
{
    snprintf(path, 64, "/tmp/test_interrupt.XXXXXX");
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
}

/* --- what the children do --- */

static void early(const char *path)
{
    app_interrupt_catch(false);
    assert_true(app_interrupt_guard(path) >= 0);
    raise(SIGHUP);
}

static void early_and_quiet(const char *path)
{
    (void)path;
    app_interrupt_catch(true);
    raise(SIGTERM);
}

/* Three signals within a millisecond or so: one request. */
static void at_once(const char *path)
{
    app_interrupt_catch(false);
    app_interrupt_keep();
    (void)app_interrupt_guard(path);
    raise(SIGINT);
    raise(SIGTERM);
    raise(SIGINT);
    if (!app_interrupted() || !app_must_stop() || !krn_cancelled())
        _exit(EXIT_FAILURE);
}

static void twice(const char *path)
{
    app_interrupt_catch(false);
    app_interrupt_keep();
    const int complete = app_interrupt_guard("/tmp/test_interrupt.none");
    (void)app_interrupt_guard(path);
    app_interrupt_unguard(complete);
    raise(SIGTERM);
    sleep_ms(700);
    raise(SIGINT);
}

/* A child of the child, which must not be left behind. */
static void twice_with_a_child(const char *path)
{
    (void)path;
    char *arguments[] = {"sleep", "600", NULL};
    const struct app_child_plan plan = {.program = "/bin/sleep", .arguments = arguments};
    struct app_child child = {.pid = 0};
    app_interrupt_catch(true);
    for (int i = 0; i < 5; i++) { /* at most four are known at a time */
        app_child_end(&child);
        assert_int_equal(app_child_start(&child, &plan, &error), KRN_OK);
    }
    raise(SIGTERM);
}

static void broken_pipe(const char *path)
{
    (void)path;
    int ends[2];
    app_interrupt_catch(false);
    if (pipe(ends) != 0)
        _exit(EXIT_FAILURE);
    close(ends[0]);
    if (write(ends[1], "x", 1) != -1)
        _exit(EXIT_FAILURE);
}

/* --- tests --- */

TEST(nothing_to_keep)
{
    char path[64];
    make_file(path);
    struct ending ending = run_child(early, path);
    assert_exits(&ending, EXIT_FAILURE);
    assert_string_equal(ending.words, "spherescope: Interrupted: nothing is written.\n");
    assert_int_equal(access(path, F_OK), -1);
    ending = run_child(early_and_quiet, NULL);
    assert_exits(&ending, EXIT_FAILURE);
    assert_string_equal(ending.words, "");
}

TEST(signals_at_once_are_one)
{
    char path[64];
    make_file(path);
    const struct ending ending = run_child(at_once, path);
    assert_exits(&ending, ENDED_BY_ITSELF);
    assert_string_equal(ending.words, "");
    assert_int_equal(unlink(path), 0); /* it was still there */
}

TEST(a_later_signal_ends)
{
    char path[64];
    make_file(path);
    const struct ending ending = run_child(twice, path);
    assert_exits(&ending, EXIT_FAILURE);
    assert_string_equal(ending.words, "spherescope: Interrupted twice: the run ends at once.\n");
    assert_int_equal(access(path, F_OK), -1);
}

/* The grandchild holds the pipe of stderr: reading its end, before the test's time limit, proves
 * that it was killed. */
TEST(no_child_is_left)
{
    const struct ending ending = run_child(twice_with_a_child, NULL);
    assert_exits(&ending, EXIT_FAILURE);
}

TEST(a_closed_pipe_is_a_failed_write)
{
    const struct ending ending = run_child(broken_pipe, NULL);
    assert_exits(&ending, ENDED_BY_ITSELF);
}

TEST(few_guards)
{
    int numbers[64], count = 0;
    char longest[8192];
    while (count < 64 && (numbers[count] = app_interrupt_guard("/tmp/test_interrupt.none")) >= 0)
        count++;
    assert_in_range(count, 2, 63);
    app_interrupt_unguard(numbers[0]);
    assert_int_equal(app_interrupt_guard("/tmp/test_interrupt.none"), numbers[0]);
    for (int i = 0; i < count; i++)
        app_interrupt_unguard(numbers[i]);
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    assert_int_equal(app_interrupt_guard(longest), -1);
    app_interrupt_unguard(-1);
}
