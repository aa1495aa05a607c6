/* The memory of the CPU's probes, allocated once and within the limit. */
#include "cpu/probes/topic.h"

#include <stdlib.h>
#include <unistd.h>

void *krn_cpu_alloc(struct krn_cpu_probes *probes, size_t bytes)
{
    /* Arrays are aligned to pages, so that their relative alignment is the same on every run. */
    const size_t page = 4096, whole = (bytes + page - 1) / page * page;
    if (whole == 0 || whole > probes->bytes_left)
        return NULL;
    void *memory = probes->block_count < KRN_CPU_BLOCKS ? aligned_alloc(page, whole) : NULL;
    if (!memory) {
        probes->refused_bytes = whole;
        return NULL;
    }
    probes->bytes_left -= whole;
    probes->blocks[probes->block_count++] = memory;
    return memory;
}

/* Returns the bytes of all last-level caches; 0: not known. The C library's number may count caches
 * of a host that this virtual machine does not have. */
static size_t last_caches(void)
{
    enum { LAST = 3 }; /* its index */
    size_t bytes = 0;
    const long processors = sysconf(_SC_NPROCESSORS_CONF);
    for (long i = 0; i < processors; i++) {
        const int64_t size = krn_cpu_cache_number(i, LAST, "size");
        /* A cache that several processors share counts with the first of them. */
        if (size > 0 && krn_cpu_cache_number(i, LAST, "shared_cpu_list") == i)
            bytes += (size_t)size;
    }
#ifdef _SC_LEVEL3_CACHE_SIZE
    const long known = bytes == 0 ? sysconf(_SC_LEVEL3_CACHE_SIZE) : -1;
    bytes = known > 0 ? (size_t)known : bytes;
#endif
    return bytes;
}

size_t krn_cpu_beyond_caches(void)
{
    const size_t least = (size_t)64 << 20, most = (size_t)256 << 20, wanted = 4 * last_caches();
    size_t bytes = least;
    while (bytes < wanted && bytes < most)
        bytes *= 2;
    return bytes;
}

static const size_t floats_most = (size_t)1 << 26, floats_least = (size_t)1 << 10;
/* Floats that are filled at once; a probe that needs more fills them before its run. */
static const size_t floats_first = (size_t)1 << 20;

/* Half a gigabyte takes a second to fill: an interrupt is noticed after this many elements. */
enum { FILL_FLOATS = 1 << 16 };

static size_t padded(size_t floats)
{
    return (floats + KRN_CPU_PAD) * sizeof(float);
}

/* Allocates the shared arrays, halved until they fit. */
static void alloc_arrays(struct krn_cpu_probes *probes)
{
    struct krn_cpu_arrays *a = &probes->arrays;
    const size_t page = 4096, arrays = a->wants_y ? 2 : 1;
    size_t floats = a->wants_x || a->wants_y ? floats_most : 0;
    while (floats > 0 && arrays * ((padded(floats) + page - 1) / page * page) > probes->bytes_left)
        floats = floats > floats_least ? floats / 2 : 0;
    if (floats > 0)
        a->x = krn_cpu_alloc(probes, padded(floats));
    if (floats > 0 && a->wants_y)
        a->y = krn_cpu_alloc(probes, floats * sizeof(float));
    a->floats = a->x ? floats : 0;
}

static size_t lower(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void fill_floats(float *to, size_t begin, size_t end)
{
    for (; begin < end && !krn_cancelled(); begin += FILL_FLOATS) {
        const size_t stop = lower(begin + FILL_FLOATS, end);
#pragma omp simd
        for (size_t i = begin; i < stop; i++)
            to[i] = krn_cpu_value((uint32_t)i);
    }
}

/* Parts of the arrays to be filled, from begin to end. */
struct filling {
    const struct krn_cpu_probes *probes;
    size_t x_begin, x_end, y_begin, y_end;
};

/* Fills what a thread owns of begin..end of an array of `length` elements. A page belongs to the
 * NUMA node that first writes it, so a thread fills the elements that it will work on. */
static void fill_own(float *to, size_t begin, size_t end, size_t length, int thread, int threads)
{
    const size_t first = krn_cpu_part(length, thread, threads),
                 last = krn_cpu_part(length, thread + 1, threads);
    fill_floats(to, first > begin ? first : begin, lower(last, end));
}

static void fill_part(const void *context, int index, int thread)
{
    (void)index;
    const struct filling *filling = context;
    const struct krn_cpu_arrays *a = &filling->probes->arrays;
    const int threads = filling->probes->threads;
    fill_own(a->x, filling->x_begin, filling->x_end, a->floats + KRN_CPU_PAD, thread, threads);
    fill_own(a->y, filling->y_begin, filling->y_end, a->floats, thread, threads);
}

void krn_cpu_need(struct krn_cpu_probes *probes, size_t x_floats, size_t y_floats)
{
    struct krn_cpu_arrays *a = &probes->arrays;
    const struct filling filling = {probes, a->filled_x,
                                    a->x ? lower(x_floats, a->floats + KRN_CPU_PAD) : 0,
                                    a->filled_y, a->y ? lower(y_floats, a->floats) : 0};
    if (filling.x_end <= filling.x_begin && filling.y_end <= filling.y_begin)
        return;
    krn_cpu_team_each(probes->team, fill_part, &filling);
    if (krn_cancelled())
        return;
    if (filling.x_end > filling.x_begin)
        a->filled_x = filling.x_end;
    if (filling.y_end > filling.y_begin)
        a->filled_y = filling.y_end;
}

enum krn_code krn_cpu_probes_alloc(struct krn_cpu_probes *probes, size_t bytes_max,
                                   struct krn_error *error)
{
    probes->bytes_left = bytes_max;
    for (int t = 0; t < KRN_TOPIC_COUNT; t++)
        if (probes->topics[t] && probes->topics[t]->alloc)
            probes->topics[t]->alloc(probes);
    alloc_arrays(probes);
    if (probes->refused_bytes > 0)
        return KRN_FAIL(
            error, KRN_NO_MEMORY,
            "No memory for what panels and benchmarks measure: %zu KiB were refused after %zu KiB. "
            "Close other programs; with --panels off, a window needs none of it.",
            probes->refused_bytes >> 10, (bytes_max - probes->bytes_left) >> 10);
    /* What short probes read. */
    krn_cpu_need(probes, floats_first + KRN_CPU_PAD, floats_first);
    for (int s = 0; s < KRN_CPU_STRETCHES; s++)
        probes->arrays.held[s] = (struct krn_cpu_held){1, 0};
    return KRN_OK;
}
