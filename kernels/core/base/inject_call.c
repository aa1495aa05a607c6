/* Decides which call fails: the n-th of a name or of an API, as SPHERESCOPE_FAIL says. */
#include "krn/error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 64, COUNTED_MAX = 256 };

/* The names for all calls of an API, indexed by enum krn_api. */
static const char *const apis[] = {"any-cuda", "any-gl", "any-alloc"};
enum { APIS = sizeof apis / sizeof *apis };

/* The calls that must fail; read from the environment at the first query. */
static struct {
    pthread_mutex_t lock;
    atomic_bool known, idle; /* idle: no call fails, and none is counted */
    bool counts;
    char name[NAME_BYTES]; /* "": none */
    enum krn_api api;      /* whose calls fail, whatever their names; NONE: those of `name` */
    long left;             /* calls until the one that fails; 0: every call fails */
    struct counted {
        char name[NAME_BYTES];
        enum krn_api api;
        long calls;
    } counted[COUNTED_MAX];
    int names;
} injection = {.lock = PTHREAD_MUTEX_INITIALIZER, .api = KRN_API_NONE};

static void print_counts(void)
{
    long of_api[KRN_API_NONE + 1] = {0};
    for (int i = 0; i < injection.names; i++) {
        const struct counted *counted = &injection.counted[i];
        of_api[counted->api] += counted->calls;
        fprintf(stderr, "counted %s %ld\n", counted->name, counted->calls);
    }
    for (int api = 0; api < APIS; api++)
        fprintf(stderr, "counted %s %ld\n", apis[api], of_api[api]);
}

static void count(enum krn_api api, const char *expression)
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
        injection.counted[i].api = api;
        injection.names++;
    }
    injection.counted[i].calls++;
}

/* Sets the calls that fail. The caller holds the lock. */
static void choose(const char *which)
{
    injection.name[0] = '\0';
    injection.api = KRN_API_NONE;
    injection.left = 0;
    const size_t length = which ? strcspn(which, ":") : 0;
    if (length > 0 && length < sizeof injection.name) {
        memcpy(injection.name, which, length);
        injection.name[length] = '\0';
        if (which[length] == ':')
            injection.left = strtol(which + length + 1, NULL, 10);
        for (int api = 0; api < APIS; api++)
            if (strcmp(injection.name, apis[api]) == 0)
                injection.api = (enum krn_api)api;
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

static bool fails(enum krn_api api, const char *expression)
{
    if (injection.counts)
        count(api, expression);
    if (!injection.name[0])
        return false;
    const size_t length = strlen(injection.name);
    if (injection.api != KRN_API_NONE
            ? api != injection.api
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

bool krn_call_fails(enum krn_api api, const char *expression)
{
    if (atomic_load_explicit(&injection.known, memory_order_relaxed) &&
        atomic_load_explicit(&injection.idle, memory_order_relaxed))
        return false;
    pthread_mutex_lock(&injection.lock);
    if (!atomic_load(&injection.known))
        read_environment();
    const bool failing = fails(api, expression);
    pthread_mutex_unlock(&injection.lock);
    return failing;
}
