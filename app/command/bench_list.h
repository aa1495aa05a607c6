/* app/command/bench_list.h - the list of benchmarks, which the option --bench, its help and the
 * table in bench/bench.c expand. */
#ifndef APP_BENCH_LIST_H
#define APP_BENCH_LIST_H

#include "krn/topics.h"

/* Expands X(name, what) for each benchmark of its own, and T(id, name, what) for each topic; `what`
 * is one line of help. */
/* clang-format off */
#define APP_BENCHES(X, T)                                                                          \
    X(raytrace, "the ray tracer's kernel with every mode, each picture verified")                  \
    KRN_TOPICS(T)                                                                                  \
    X(book, "the book's own timing window, itemised: cold in five processes, and warm")
/* clang-format on */

#endif
