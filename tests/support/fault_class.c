#include "fault_class.h"

#include <execinfo.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES_MAX = 1 << 15, DEPTH_MAX = 48, NAME_BYTES = 48, OWN_FRAMES = 1 };

/* The bounds of the program's code, which the linker defines. */
extern const char __executable_start[], etext[];

struct class
{
    uint64_t identity; /* 0: this place of the table is free */
    const char *kind;
    char name[NAME_BYTES];
    long calls;
};

static struct {
    pthread_once_t once;
    pthread_mutex_t lock;
    const char *file; /* NULL: nothing is counted */
    char kind[16];    /* of the call that must fail; "": none */
    uint64_t identity;
    long left; /* calls until the one that fails; 0: it has failed */
    bool loses, lost;
    atomic_ulong phase;
    struct class classes[CLASSES_MAX];
} injection = {.once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER};

static void write_classes(void)
{
    FILE *file = fopen(injection.file, "a");
    if (!file)
        return;
    for (int i = 0; i < CLASSES_MAX; i++) {
        const struct class *class = &injection.classes[i];
        if (class->identity != 0)
            fprintf(file, "%016llx %s %ld %s\n", (unsigned long long)class->identity, class->kind,
                    class->calls, class->name);
    }
    fclose(file);
}

static void read_environment(void)
{
    char end[8] = "";
    unsigned long long identity = 0;
    const char *which = getenv("FAULT_CLASS");
    injection.file = getenv("FAULT_CLASSES");
    if (!injection.file)
        return;
    if (!which) {
        atexit(write_classes);
        return;
    }
    if (sscanf(which, "%15[a-z]:%llx:%ld:%7[a-z]", injection.kind, &identity, &injection.left,
               end) < 3) {
        fprintf(stderr, "fault_class.c: FAULT_CLASS is not KIND:IDENTITY:N[:lost]: %s\n", which);
        abort();
    }
    injection.identity = identity;
    injection.loses = strcmp(end, "lost") == 0;
}

/* Returns the hash of text (FNV-1a) that continues `hash`. */
static uint64_t mix(uint64_t hash, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3ull;
    return hash;
}

/* Keeps the callers that are functions of the program, as offsets, which no run changes. */
static int callers_of_call(uintptr_t *offsets)
{
    void *frames[DEPTH_MAX];
    const int depth = backtrace(frames, DEPTH_MAX);
    int kept = 0;
    for (int i = OWN_FRAMES; i < depth; i++) {
        const char *at = frames[i];
        if (at >= __executable_start && at < etext)
            offsets[kept++] = (uintptr_t)(at - __executable_start);
    }
    return kept;
}

/* Counts a call of a class. */
static void count(uint64_t identity, const char *kind, const char *name, size_t length)
{
    size_t at = identity % CLASSES_MAX;
    for (int i = 0; i < CLASSES_MAX; i++, at = (at + 1) % CLASSES_MAX) {
        struct class *class = &injection.classes[at];
        if (class->identity == 0) {
            class->identity = identity;
            class->kind = kind;
            snprintf(class->name, sizeof class->name, "%.*s", (int)length, name);
        }
        if (class->identity == identity) {
            class->calls++;
            return;
        }
    }
    fprintf(stderr, "fault_class.c: more than %d classes\n", CLASSES_MAX);
    abort();
}

static void tell_failed(const char *name, size_t length, const uintptr_t *callers, int count)
{
    FILE *file = fopen(injection.file, "a");
    if (!file)
        return;
    fprintf(file, "failed %.*s", (int)length, name);
    for (int i = 0; i < count; i++)
        fprintf(file, " 0x%lx", (unsigned long)callers[i]);
    fprintf(file, "\n");
    fclose(file);
}

bool fault_class_fails(const char *kind, const char *call)
{
    pthread_once(&injection.once, read_environment);
    if (!injection.file || (injection.kind[0] && strcmp(injection.kind, kind) != 0))
        return false;
    uintptr_t callers[DEPTH_MAX];
    const unsigned long phase = atomic_load(&injection.phase);
    const int depth = callers_of_call(callers);
    const size_t length = strcspn(call, "(");
    uint64_t identity = mix(0xcbf29ce484222325ull, call, length);
    identity = mix(identity, callers, (size_t)depth * sizeof *callers);
    identity = mix(identity, &phase, sizeof phase);
    identity = mix(identity, kind, strlen(kind));
    bool fails = false;
    pthread_mutex_lock(&injection.lock);
    if (!injection.kind[0])
        count(identity, kind, call, length);
    else if (identity == injection.identity && injection.left > 0)
        fails = --injection.left == 0;
    pthread_mutex_unlock(&injection.lock);
    if (fails)
        tell_failed(call, length, callers, depth);
    injection.lost = injection.lost || (fails && injection.loses);
    return fails;
}

bool fault_class_loses(void)
{
    const bool loses = injection.lost;
    injection.lost = false;
    return loses;
}

void fault_class_next_phase(void)
{
    atomic_fetch_add(&injection.phase, 1);
}
