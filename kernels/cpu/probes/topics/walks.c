/* Dependent walks through memory: pointer chains beyond the caches, and tables of every size.
 *
 * Each line has a slot for each table size and one for the chase through all of the memory. The
 * number in a slot leads to the next line of that slot's cycle (core/probes/cycle.h). Where a slot
 * has no cycle, the words are those that the access patterns read. */
#include "core/probes/cycle.h"
#include "cpu/probes/topic.h"

#include "krn/error.h"

enum { CHASE_SLOT = KRN_CPU_SLOTS - 1, CHASE_STEPS = 1 << 12 };

/* Filling or checking a large cycle notices an interrupt after this many lines. */
enum { CANCEL_LINES = 1 << 12 };

/* A smaller array may fit into a cache. */
static const size_t chase_lines_least = ((size_t)16 << 20) / KRN_LINE_BYTES;

/* Returns true, now and then, when the work at this place of a cycle is to be abandoned. */
static bool abandoned(size_t place)
{
    return place % CANCEL_LINES == 0 && krn_cancelled();
}

static uint32_t line_at(size_t place, int bits)
{
    const struct krn_cycle cycle = {bits, 1, false};
    return krn_cycle_line(cycle, place);
}

static int bits_of(size_t lines)
{
    int bits = 0;
    while ((size_t)1 << bits < lines)
        bits++;
    return bits;
}

/* Returns the link to a line: to its first slot, because the slot is added to the base pointer
 * once.
 */
static uint32_t link_to(uint32_t line)
{
    return KRN_CPU_LINK + line * KRN_CPU_SLOTS;
}

struct cycle {
    uint32_t *lines;
    int slot, bits, threads;
};

static void fill_part(const void *context, int index, int thread)
{
    (void)index;
    const struct cycle *c = context;
    const size_t count = (size_t)1 << c->bits, end = krn_cpu_part(count, thread + 1, c->threads);
    for (size_t place = krn_cpu_part(count, thread, c->threads); place < end && !abandoned(place);
         place++)
        c->lines[line_at(place, c->bits) * (size_t)KRN_CPU_SLOTS + (size_t)c->slot] =
            link_to(line_at(place + 1, c->bits));
}

/* The state of a topic; each of the two topics has one. */
struct state {
    uint32_t *at;                 /* positions of the chains, KRN_CPU_CHAINS per thread */
    size_t walked[KRN_CPU_SLOTS]; /* position in each slot's cycle at which its next run starts */
};

static struct state *own(const struct krn_cpu_probes *p, enum krn_topic topic)
{
    return p->state[topic];
}

static void alloc(struct krn_cpu_probes *p, enum krn_topic topic)
{
    const size_t line_bytes = krn_cpu_beyond_caches();
    struct state *state = own(p, topic);
    state->at = krn_cpu_alloc(p, (size_t)p->threads * KRN_CPU_CHAINS * sizeof *state->at);
    if (state->at && p->arrays.wants_line_bytes < line_bytes)
        p->arrays.wants_line_bytes = line_bytes;
}

/* The tables of the walks; the one at index i uses slot i. */
static const double walk_x[] = {1 << 12, 1 << 14, 1 << 15, 1 << 16, 1 << 18,
                                1 << 19, 1 << 20, 1 << 21, 1 << 22, 1 << 23,
                                1 << 24, 1 << 25, 1 << 26, 1 << 27, 1 << 28};
_Static_assert(KRN_CPU_COUNT(walk_x) <= CHASE_SLOT, "each table has its slot");

static int walk_slot(double bytes)
{
    int slot = 0;
    while (slot < KRN_CPU_COUNT(walk_x) - 1 && walk_x[slot] < bytes)
        slot++;
    return slot;
}

/* The walks of a probe: slot, lines, chains, and steps per chain. */
struct walk {
    int slot, bits, chains, steps, threads;
    struct state *state;
};

static struct walk walk_of(const struct krn_cpu_probes *p, const struct krn_probe *probe)
{
    struct walk w = {.slot = CHASE_SLOT,
                     .bits = bits_of(p->arrays.line_count),
                     .chains = (int)probe->x,
                     .steps = CHASE_STEPS,
                     .threads = probe->threads,
                     .state = own(p, probe->topic)};
    if (probe->topic == KRN_TOPIC_MEMLAT) {
        /* Each chain has its own lines. */
        const size_t own = p->arrays.line_count / (size_t)(w.chains * w.threads);
        w.steps = own < CHASE_STEPS ? (int)own : CHASE_STEPS;
        return w;
    }
    w.bits = bits_of((size_t)probe->x / KRN_LINE_BYTES);
    w.slot = walk_slot(probe->x);
    w.chains = 1;
    /* At least 0.1 ms for every size of table, and not a whole number of rounds, so that a walk
     * that did not start cannot end at the expected position. */
    w.steps = (probe->x <= 1 << 16 ? 1 << 16 : probe->x <= 1 << 20 ? 1 << 14 : 1 << 12) + 1;
    return w;
}

/* Fills the slots of a topic's probes, each once. */
static void fill(struct krn_cpu_probes *p, enum krn_topic topic)
{
    for (int i = 0; i < p->base.count; i++) {
        const struct krn_probe *probe = &p->base.list[i];
        if (probe->topic != topic)
            continue;
        const struct walk w = walk_of(p, probe);
        const struct cycle cycle = {p->arrays.lines, w.slot, w.bits, p->threads};
        if (p->arrays.slot_lines[w.slot] == 0)
            krn_cpu_team_each(p->team, fill_part, &cycle);
        p->arrays.slot_lines[w.slot] = (size_t)1 << w.bits;
    }
}

/* Returns the position in its cycle at which chain k starts. */
static size_t place_of(const struct walk *w, int k)
{
    const size_t apart = ((size_t)1 << w->bits) / (size_t)(w->chains * w->threads);
    return w->state->walked[w->slot] + (size_t)k * apart;
}

static uint32_t *chain_of(uint32_t *at, const struct walk *w, int k)
{
    return at + k / w->chains * KRN_CPU_CHAINS + k % w->chains;
}

static void read_in_order(const uint32_t *lines, size_t count)
{
    const volatile uint32_t *slots = lines;
    for (size_t line = 0; line < count; line++)
        (void)slots[line * KRN_CPU_SLOTS];
}

static void prepare(struct krn_cpu_probes *p, int index)
{
    const struct walk w = walk_of(p, &p->base.list[index]);
    p->result = w.state->at;
    for (int k = 0; k < w.chains * w.threads; k++)
        *chain_of(w.state->at, &w, k) = link_to(line_at(place_of(&w, k), w.bits));
    /* A table that fits into a core's own caches is loaded by one round of the chain, one that may
     * fit into a shared cache by reading it in order. Larger ones would take longer than a slice.
     */
    const int own_bits = 14, shared_bits = 17;
    if (p->base.list[index].topic != KRN_TOPIC_LATENCY)
        return;
    const struct krn_cpu_chase once = {1, p->arrays.lines + w.slot, 1 << w.bits, w.state->at};
    if (w.bits <= own_bits)
        p->kernels->chase(&once, 0, 0);
    else if (w.bits <= shared_bits)
        read_in_order(p->arrays.lines + w.slot, (size_t)1 << w.bits);
}

static void run(struct krn_cpu_probes *p, int index)
{
    const struct walk w = walk_of(p, &p->base.list[index]);
    const struct krn_cpu_chase chase = {w.chains, p->arrays.lines + w.slot, w.steps, w.state->at};
    krn_cpu_run(p, &p->base.list[index], p->kernels->chase, &chase);
}

/* whole: checks every link of the cycle too, of which a walk visits only a few thousand. */
static void check(struct krn_cpu_probes *p, int index, bool whole, struct krn_check *result)
{
    const struct walk w = walk_of(p, &p->base.list[index]);
    const int all = w.chains * w.threads;
    for (int k = 0; k < all; k++) {
        const uint32_t line = line_at(place_of(&w, k) + (size_t)w.steps, w.bits);
        krn_check_value(result, k, link_to(line), *chain_of(w.state->at, &w, k));
    }
    w.state->walked[w.slot] +=
        (size_t)w.steps; /* the next run starts where no line was read recently */
    const size_t count = whole ? (size_t)1 << w.bits : 0;
    for (size_t place = 0; place < count && !abandoned(place); place++) {
        const size_t at = line_at(place, w.bits) * (size_t)KRN_CPU_SLOTS + (size_t)w.slot;
        krn_check_value(result, (double)all + (double)place, link_to(line_at(place + 1, w.bits)),
                        p->arrays.lines[at]);
    }
}

static bool describe(const struct krn_cpu_probes *p, const struct krn_cpu_series *series,
                     struct krn_probe *probe)
{
    const bool chase = series->topic == KRN_TOPIC_MEMLAT;
    const size_t lines = p->arrays.line_count;
    if (!own(p, series->topic)->at || !p->arrays.lines ||
        (chase ? lines < chase_lines_least : probe->x > (double)lines * KRN_LINE_BYTES))
        return false;
    const struct walk w = walk_of(p, probe);
    const double reads = (double)w.steps * w.chains;
    probe->steps = reads;
    probe->useful_bytes = reads * w.threads * sizeof(uint32_t);
    probe->moved_bytes = reads * w.threads * KRN_LINE_BYTES;
    probe->sectors = KRN_LANES;
    probe->in_flight_bytes = (double)w.chains * w.threads * KRN_LINE_BYTES;
    probe->beside_memory = !chase;
    probe->footprint_bytes = chase ? (double)lines * KRN_LINE_BYTES : probe->x;
    /* ns per step: a core's caches, the shared cache, main memory with address translation. */
    const double own = 5.0, shared = 100.0, memory = 150.0;
    const double ns = probe->footprint_bytes <= 1 << 20   ? own
                      : probe->footprint_bytes <= 1 << 24 ? shared
                                                          : memory;
    probe->expected_ms = w.steps * ns * 1e-6 + 0.1;
    return true;
}

static const char chase_scope[] =
    "dependent reads of 4 bytes, each from a line drawn by a permutation of main memory, between "
    "two readings of the monotonic clock; the processor's address translation is in it; a step is "
    "one read of a thread, of any chain";
static const char walk_scope[] =
    "dependent reads of 4 bytes on one thread, each from another line of a table of that size, in "
    "an order drawn by a permutation, between two readings of the monotonic clock; tables of up to "
    "8 MiB are read once before";

static const double chains_x[] = {1, 2, 4, 8, 16};

static const struct krn_cpu_series chases[] = {
    {KRN_TOPIC_MEMLAT, "one", "chains", chains_x, KRN_CPU_COUNT(chains_x), false, 0, chase_scope,
     describe, prepare, run, check},
    {KRN_TOPIC_MEMLAT, "all", "chains", chains_x, KRN_CPU_COUNT(chains_x), true, 0, chase_scope,
     describe, prepare, run, check},
};
const struct krn_cpu_topic krn_cpu_topic_memlat = {
    .series = chases,
    .count = KRN_CPU_COUNT(chases),
    .state_bytes = sizeof(struct state),
    .alloc = alloc,
    .fill = fill,
};

static const struct krn_cpu_series walks[] = {
    {KRN_TOPIC_LATENCY, "walk", "bytes", walk_x, KRN_CPU_COUNT(walk_x), false, 0, walk_scope,
     describe, prepare, run, check},
};
const struct krn_cpu_topic krn_cpu_topic_latency = {
    .series = walks,
    .count = KRN_CPU_COUNT(walks),
    .state_bytes = sizeof(struct state),
    .alloc = alloc,
    .fill = fill,
};
