/* krn/topics.h - the list of measured topics.
 *
 * An entry is X(ID, name, what): the suffix of the enumerator, the name in options, records and
 * symbols, and one line of help. The linker requires, for each entry, krn_cuda_topic_NAME in
 * kernels/cuda/probes/topics and app_topic_NAME in app/topics. docs/adding.md adds a topic step by
 * step.
 */
#pragma once

#define KRN_TOPICS(X)                                                                              \
    X(TIMER, timer, "one SAXPY launch by three clocks, and how finely the clock resolves time")    \
    X(SAXPY, saxpy, "y = a x + y: bandwidth of the published and the best kernel, by array size")  \
    X(PEAK, peak, "multiply-adds of single and double precision: the measured peaks")              \
    X(TRANSFER, transfer, "copies between host and device, pageable and pinned, by size")          \
    X(CONSTANT, constant, "constant memory: uniform to divergent reads, small to large tables")    \
    X(ILP, ilp, "dependent multiply-adds: percent of the peak, by chains and threads")             \
    X(MEMLAT, memlat, "loads in flight against occupancy: what hides memory latency")              \
    X(LATENCY, latency, "a chain of dependent reads: cycles per read, by size of the table")       \
    X(OPERANDS, operands, "multiply-adds with operands from registers and from shared memory")     \
    X(ACCESS, access, "the same bytes read in different orders: cycles, time, sectors")            \
    X(ATOMICS, atomics, "atomic adds: one counter, one per warp, one per thread; shared, global")  \
    X(BOUNCES, bounces, "the light view from constant and global memory, by number of bounces")    \
    X(BANKS, banks, "reads of shared memory by stride: cycles per read, with bank conflicts")      \
    X(WHERE, where,                                                                                \
      "where constant memory wins: programs of one picture, 20 to 2000 spheres, both memories")
