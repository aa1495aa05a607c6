/* app/bench_list.h - the benchmarks' names and what each measures, once: for the option, the help
 * and the table that runs them (bench.c). */
#ifndef APP_BENCH_LIST_H
#define APP_BENCH_LIST_H

/* X(name, what) */
#define APP_BENCHES(X)                                                                             \
    X(raytrace, "the ray tracer's kernel from every storage, each picture verified")               \
    X(timer, "one SAXPY launch by three clocks: launch only, host and synchronise, events")        \
    X(book, "the book's own timing window, itemised, cold in five processes and warm")

#endif
