/* app/command/bench_list.h - the list of benchmarks, which the option --bench, its help and the
 * table in bench/bench.c expand. */
#ifndef APP_BENCH_LIST_H
#define APP_BENCH_LIST_H

/* Expands X(name, what) for each benchmark; `what` is one line of help. */
#define APP_BENCHES(X)                                                                             \
    X(raytrace, "the ray tracer's kernel with every mode, each picture verified")                  \
    X(saxpy, "y = a x + y: bandwidth of the published and the best kernel, by array size")         \
    X(access, "the same bytes read in different orders: cycles, time, sectors")                    \
    X(ilp, "dependent multiply-adds: percent of the peak, by chains and threads")                  \
    X(memlat, "loads in flight against occupancy: what hides memory latency")                      \
    X(constant, "constant memory: uniform to divergent reads, small to large tables")              \
    X(transfer, "copies between host and device, pageable and pinned, by size")                    \
    X(timer, "one SAXPY launch, three clocks: launch only, host and synchronise, events")          \
    X(book, "the book's own timing window, itemised: cold in five processes, and warm")

#endif
