#include "krn/error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 64, COUNTED_MAX = 256 };

/* The kinds of calls, and how the names of their functions begin. */
static const struct {
    const char *name;
    const char *begins[6];
} kinds[] = {
    {"any-cuda", {"cuda", "krn_cuda_", "launch(", "launcher->launch("}},
    {"any-gl", {"gl"}},
    {"any-alloc", {"malloc(", "calloc(", "realloc(", "aligned_alloc(", "strdup("}},
};
enum { KINDS = sizeof kinds / sizeof *kinds, NO_KIND = KINDS };

/* The calls that must fail; read from the environment at the first query. */
static struct {
    pthread_mutex_t lock;
    atomic_bool known, idle; /* idle: no call fails, and none is counted */
    bool counts;
    char name[NAME_BYTES]; /* "": none */
    int kind;              /* whose calls fail, whatever their names; NO_KIND: those of `name` */
    long left;             /* calls until the one that fails; 0: every call fails */
    struct counted {
        char name[NAME_BYTES];
        long calls;
    } counted[COUNTED_MAX];
    int names;
} injection = {.lock = PTHREAD_MUTEX_INITIALIZER, .kind = NO_KIND};

/* Returns the kind of a call, or NO_KIND, which spoiling a probe's result is: no call fails. */
static int kind_of(const char *expression)
{
    if (strncmp(expression, "krn_cuda_probe_spoil(", 21) == 0)
        return NO_KIND;
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; kinds[kind].begins[i]; i++)
            if (strncmp(expression, kinds[kind].begins[i], strlen(kinds[kind].begins[i])) == 0)
                return kind;
    return NO_KIND;
}

static void print_counts(void)
{
    long of_kind[KINDS + 1] = {0};
    for (int i = 0; i < injection.names; i++) {
        char call[NAME_BYTES + 2];
        snprintf(call, sizeof call, "%s(", injection.counted[i].name);
        of_kind[kind_of(call)] += injection.counted[i].calls;
        fprintf(stderr, "counted %s %ld\n", injection.counted[i].name, injection.counted[i].calls);
    }
    for (int kind = 0; kind < KINDS; kind++)
        fprintf(stderr, "counted %s %ld\n", kinds[kind].name, of_kind[kind]);
}

static void count(const char *expression)
{
    const int length = (int)strcspn(expression, "(");
    int i = 0;
    while (i < injection.names &&
           (strncmp(injection.counted[i].name, expression, (size_t)length) != 0 ||
            injection.counted[i].name[length] != '\0'))
        i++;
    if (i == COUNTED_MAX || length >= NAME_BYTES)
        return;
    if (i == injection.names) {
        snprintf(injection.counted[i].name, NAME_BYTES, "%.*s", length, expression);
        injection.names++;
    }
    injection.counted[i].calls++;
}

/* Sets the calls that fail. The caller holds the lock. */
static void choose(const char *which)
{
    injection.name[0] = '\0';
    injection.kind = NO_KIND;
    injection.left = 0;
    const size_t length = which ? strcspn(which, ":") : 0;
    if (length > 0 && length < sizeof injection.name) {
        memcpy(injection.name, which, length);
        injection.name[length] = '\0';
        if (which[length] == ':')
            injection.left = strtol(which + length + 1, NULL, 10);
        for (int kind = 0; kind < KINDS; kind++)
            if (strcmp(injection.name, kinds[kind].name) == 0)
                injection.kind = kind;
    }
    atomic_store(&injection.idle, !injection.name[0] && !injection.counts);
    atomic_store(&injection.known, true);
}

static void read_environment(void)
{
    const char *which = getenv("SPHERESCOPE_FAIL");
    if (which && strcmp(which, "count") == 0) {
        injection.counts = true;
        which = NULL;
        atexit(print_counts);
    }
    choose(which);
}

void krn_fail_calls(const char *which)
{
    pthread_mutex_lock(&injection.lock);
    choose(which);
    pthread_mutex_unlock(&injection.lock);
}

static bool fails(const char *expression)
{
    if (injection.counts)
        count(expression);
    if (!injection.name[0])
        return false;
    const size_t length = strlen(injection.name);
    if (injection.kind != NO_KIND
            ? kind_of(expression) != injection.kind
            : strncmp(expression, injection.name, length) != 0 || expression[length] != '(')
        return false;
    if (injection.left == 0)
        return true;
    if (--injection.left > 0)
        return false;
    injection.name[0] = '\0';
    atomic_store(&injection.idle, !injection.counts);
    return true;
}

bool krn_call_fails(const char *expression)
{
    if (atomic_load_explicit(&injection.known, memory_order_relaxed) &&
        atomic_load_explicit(&injection.idle, memory_order_relaxed))
        return false;
    pthread_mutex_lock(&injection.lock);
    if (!atomic_load(&injection.known))
        read_environment();
    const bool failing = fails(expression);
    pthread_mutex_unlock(&injection.lock);
    return failing;
}
