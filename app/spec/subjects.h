/* app/spec/subjects.h - what is measured and shown: the benchmarks, the published claims, and the
 * subjects of pages.
 */
#pragma once

#include "krn/topics.h"

/* Expands X(name, what) for each benchmark of its own, and T(id, name, what) for each topic; `what`
 * is one line of help. */
/* clang-format off */
#define APP_BENCHES(X, T)                                                                          \
    X(raytrace, "the ray tracer's kernel with every mode, each picture verified")                  \
    KRN_TOPICS(T)                                                                                  \
    X(book, "the book's own timing window, itemised: cold in five processes, and warm")
/* clang-format on */

/* The published claims.
 *
 * A claim is a sentence that a speaker can read to a room.
 *
 * An entry is X(ID, id, text, row, rule, claim, shorter, device, then, number, topic, says): the
 * suffix of the enumerator, the id in records, the suffix of enum app_text, the function fill_ROW
 * that writes its row (claims.c), the suffix of enum app_rule, the claim as a sentence and as a
 * short heading, the published device and number, the number that the rule uses (0: none), the
 * topic whose panel shows it and whose findings it rests on, the first claim of a topic best, and
 * what the text says, for a room that has not read it.
 */
/* clang-format off */
#define APP_CLAIMS(X)                                                                              \
    X(SAXPY, "saxpy-bandwidth", METRICS, saxpy_bandwidth, LEVEL,                                   \
      "SAXPY reaches three quarters of the memory's peak", "SAXPY reaches 3/4 of peak",                 \
      "Tesla M2050", "74.6 %", 74.6, SAXPY,                                                        \
      "SAXPY reaches 74.6 % of the memory's theoretical bandwidth.")                               \
    X(SAXPY_BOUND, "saxpy-bound", METRICS, saxpy_bound, BOUND,                                     \
      "SAXPY is bound by bandwidth", "SAXPY: bandwidth",               \
      "any GPU", "2 FLOP/12 B", 0.0, PEAK,                                                         \
      "SAXPY moves 12 bytes per multiply-add, so it is bound by bandwidth.")                       \
    X(RESOLUTION, "event-resolution", METRICS, event_resolution, SIZE,                             \
      "Events resolve half a microsecond", "Events resolve 0.5 µs",                           \
      "Tesla M2050", "0.5 µs", 0.5, TIMER,                                                         \
      "Events measure time with a resolution of about half a microsecond.")                        \
    X(LAUNCH, "launch-not-kernel", METRICS, launch_not_kernel, LESS,                               \
      "A host clock measures the launch",                       \
      "No barrier: launch alone",                                                                    \
      "Tesla M2050", "", 50.0, TIMER,                                                             \
      "Without a barrier, a host clock measures the launch of a kernel, not its execution.")       \
    X(CONSTANT_KERNEL, "constant-kernel", BOOK, constant_kernel, RATIO,                            \
      "Constant memory accelerates the book's kernel", "Constant: the book's kernel",           \
      "GTX 280", "1.5×", 1.5, CONSTANT,                                                            \
      "Constant memory makes the ray tracer's kernel faster, 1.5 times.")                          \
    X(CONSTANT_WINDOW, "constant-window", BOOK, constant_window, RATIO,                            \
      "Constant memory shortens the whole program", "Constant: the whole program",          \
      "GTX 280", "1.5×", 1.5, CONSTANT,                                                            \
      "Constant memory makes the book's whole timing window 1.5 times as fast.")                   \
    X(CONSTANT_OTHERS, "constant-others", BOOK, constant_others, OWN,                              \
      "Constant memory is faster on other GPUs", "Constant: on other GPUs",      \
      "other GPUs", "> 1×", 0.0, CONSTANT,                                                         \
      "On other GPUs, too, constant memory makes the ray tracer somewhat faster.")                 \
    X(CONSTANT_ADVICE, "constant-advice", BOOK, constant_advice, OWN,                              \
      "Uniform reads favour constant memory", "Constant: uniform reads",                            \
      "any GPU", "faster", 0.0, WHERE,                                                                 \
      "What a whole warp reads alike is faster in constant memory (6.2).")                          \
    X(ARITHMETIC_LATENCY, "arithmetic-latency", SLIDES, arithmetic_latency, SIZE,                  \
      "Arithmetic takes about 20 cycles", "Arithmetic takes 20 cycles",                       \
      "GTX 480", "20 cycles", 20.0, ILP,                                                           \
      "An arithmetic operation takes about 20 cycles.")                                            \
    X(ILP, "ilp-threads", SLIDES, ilp_threads, OWN,                                                \
      "Up to 4 chains save threads", "4 chains save threads",                  \
      "GTX 480", "576 to 192", 0.0, ILP,                                                              \
      "A multiprocessor needs 576 threads without ILP, and only 192 with ILP 4.")                  \
    X(ILP_BEYOND_4, "ilp-beyond-4", SLIDES, ilp_beyond_4, OWN,                                     \
      "More than 4 chains save no further threads", "8 chains save no more",              \
      "GTX 480", "no gain", 0.0, ILP,                                                              \
      "More than 4 independent chains per thread save no further threads.")                        \
    X(MEMORY_LATENCY, "memory-latency", SLIDES, memory_latency, LEAST,                             \
      "A memory access takes 400 cycles or more", "Memory takes ≥ 400 cycles",                                \
      "GTX 480", "≥ 400", 400.0, LATENCY,                                                          \
      "A memory access takes 400 cycles or more.")                                                 \
    X(MEMORY_HIDING, "memory-hiding", SLIDES, memory_hiding, OWN,                                  \
      "More loads per thread hide latency", "More loads hide latency",       \
      "GTX 480", "fewer", 0.0, MEMLAT,                                                             \
      "With more loads per thread, fewer threads hide the latency of memory.")                     \
    X(OPERANDS, "registers-shared", SLIDES, registers_shared, GREATER,                             \
      "Registers deliver more operands than shared memory", "Registers beat shared memory",               \
      "GTX 480", "fallacy", 0.0, OPERANDS,                                                         \
      "That shared memory is as fast as registers is a fallacy: registers deliver more.")          \
    X(ACCESS, "coalesced-cycles", TUTORIAL, coalesced_cycles, RATIO,                               \
      "Coalesced reads take fewer cycles", "Coalesced: fewer cycles",             \
      "797 MHz GPU", "7.26×", 7.26, ACCESS,                                                        \
      "Coalesced reads take 7.26 times fewer cycles than chunked ones.")                           \
    X(BANDWIDTH, "coalesced-bandwidth", TUTORIAL, coalesced_bandwidth, RATIO,                      \
      "Coalesced reads reach a higher bandwidth", "Coalesced: more bandwidth",         \
      "797 MHz GPU", "0.48 to 3.48", 7.26, ACCESS,                                                    \
      "Coalesced reads raise the bandwidth from 0.48 to 3.48 GiB/s.")                              \
    X(DIVERGENT, "constant-divergent", GUIDE, constant_divergent, GREATER,                         \
      "Divergent reads slow constant memory down",             \
      "Divergent reads are slow",                                                                 \
      "any GPU", "n× for n", 0.0, BOUNCES,                                                         \
      "Constant memory reads n different addresses of a warp one after another, n times as slowly.")
/* clang-format on */

/* What a page can show: an entry of APP_SUBJECTS, a measured topic, or a published claim; the
 * numbers of all follow in this order. X(ID, name): the suffix of the enumerator, and the name in
 * options and records. */
#define APP_SUBJECTS(X)                                                                            \
    X(CLAIMS, "claims")                                                                            \
    X(STORY, "story")                                                                              \
    X(ANATOMY, "anatomy")                                                                          \
    X(CLASS, "class")

#define APP_SUBJECT_OTHER(ID, name) APP_SUBJECT_##ID,
#define APP_SUBJECT_TOPIC(ID, name, what) APP_SUBJECT_TOPIC_##ID,
#define APP_SUBJECT_CLAIM(ID, ...) APP_SUBJECT_CLAIM_##ID,
enum app_subject {
    APP_SUBJECTS(APP_SUBJECT_OTHER) KRN_TOPICS(APP_SUBJECT_TOPIC) APP_CLAIMS(APP_SUBJECT_CLAIM)
        APP_SUBJECT_COUNT
};
#undef APP_SUBJECT_OTHER
#undef APP_SUBJECT_TOPIC
#undef APP_SUBJECT_CLAIM

/* The names of subjects as options and records spell them; NULL follows the last one. */
extern const char *const app_subject_names[APP_SUBJECT_COUNT + 1];

/* Return the number of the topic (enum krn_topic) or of the claim (enum app_claim_id) that the
 * subject is; -1: it is none. */
int app_subject_topic(enum app_subject subject);
int app_subject_claim(enum app_subject subject);

/* Returns the subject that shows a claim. */
enum app_subject app_subject_of_claim(int claim);

/* Returns the next page, or with -1 the previous one, in a circle: the board, the story plot, and
 * those of a folder's kernels and of topics that are not in `empty`, a set of subjects' bits. */
enum app_subject app_subject_step(enum app_subject subject, int step, unsigned empty);
