/* app/command/bench_list.h - the benchmarks' names and what each measures, once: for the option,
 * the help and the table that runs them (bench.c). */
#ifndef APP_BENCH_LIST_H
#define APP_BENCH_LIST_H

/* X(name, what) */
#define APP_BENCHES(X)                                                                             \
    X(raytrace, "the ray tracer's kernel from every storage, each picture verified")               \
    X(saxpy, "y = a x + y: bandwidth of the text's kernel and of the best one, by size")           \
    X(access, "the same bytes read in different orders: cycles, time, sectors")                    \
    X(ilp, "dependent multiply-adds: chains against threads, percent of the peak")                 \
    X(memlat, "loads in flight against occupancy: what hides memory latency")                      \
    X(constant, "constant memory: uniform to divergent reads, small to large tables")              \
    X(transfer, "copies between host and device, pageable and pinned, by size")                    \
    X(timer, "one SAXPY launch by three clocks: launch only, host and synchronise, events")        \
    X(book, "the book's own timing window, itemised, cold in five processes and warm")

#endif
