/* krn/topics.h - the list of measured topics. Everything that concerns all topics follows from it.
 *
 * An entry is X(ID, name, what): the enumerator's ending, the name in options, records and symbols,
 * and one line for a person. For each entry the linker needs krn_cuda_topic_NAME and
 * krn_cpu_topic_NAME here (kernels/cuda/probes, kernels/cpu/probes), and app_topic_NAME and
 * app_panel_NAME in app/. docs/adding.md adds one step by step.
 */
#ifndef KRN_TOPICS_H
#define KRN_TOPICS_H

#define KRN_TOPICS(X)                                                                              \
    X(SAXPY, saxpy, "y = a x + y: bandwidth of the published and the best kernel, by array size")  \
    X(ACCESS, access, "the same bytes read in different orders: cycles, time, sectors")            \
    X(ILP, ilp, "dependent multiply-adds: percent of the peak, by chains and threads")             \
    X(MEMLAT, memlat, "loads in flight against occupancy: what hides memory latency")              \
    X(CONSTANT, constant, "constant memory: uniform to divergent reads, small to large tables")    \
    X(TRANSFER, transfer, "copies between host and device, pageable and pinned, by size")

#endif
