/* app/model/members.h - the named numbers and texts of a result, in one table.
 *
 * A result has four lists: workload, parameters, outcome and metrics (model.h). Whoever writes,
 * reads, sums up, exports or describes a member names it by its enumerator, APP_<list>_<id>:
 * APP_M_NET_MS. The key is what files have.
 *
 * Three kinds of members have keys that are made while the program runs, and are no rows here: the
 * value on a probe's axis, whose key is the text of APP_P_AXIS; the times of the phases of a frame
 * ("cpu_layout_ms", "gpu_overlay_ms"); and the ends of a metric's interval, X_low and X_high
 * (app_member_bound).
 */
#pragma once

enum app_member_list {
    APP_LIST_W, /* workload: what a mode renders */
    APP_LIST_P, /* parameters: what identifies the mode or probe */
    APP_LIST_O, /* outcome: verdicts, and numbers that do not identify it */
    APP_LIST_M, /* metrics: numbers */
    APP_LIST_COUNT
};

enum app_member_kind {
    APP_MEMBER_NUMBER,
    APP_MEMBER_WHOLE, /* a whole number */
    APP_MEMBER_FLAG,  /* 1: yes; 0 or left out: no */
    APP_MEMBER_TEXT,
    APP_MEMBER_EITHER /* a number, or a word in its place */
};

/* The value of a metric of several processes. */
enum app_member_sum {
    APP_SUM_NONE,     /* no metric; or the interval of one run, which says nothing about several */
    APP_SUM_CENTRE,   /* geometric mean and interval; with a value that is not positive, the mean */
    APP_SUM_MIDDLE,   /* the same without an interval: nothing is claimed about it */
    APP_SUM_LEAST,    /* the smallest */
    APP_SUM_GREATEST, /* the largest */
    APP_SUM_TOTAL,    /* the sum */
    APP_SUM_P5,       /* percentiles of the samples of all processes */
    APP_SUM_P95
};

/* X(list, id, key, kind, what), and of metrics M(id, key, kind, unit, sum, what). A member of a
 * duel's side A is followed by that of B. The metrics of probes have their formulas in
 * model/probe_result.c. */
#define APP_MEMBERS(X, M)                                                                          \
    X(W, SCENE, "scene", TEXT,                                                                     \
      "hash of the spheres, in the light view also of their mirrors: FNV-1a, 64 bits, "            \
      "hexadecimal")                                                                               \
    X(W, SPHERES, "spheres", WHOLE, "number of spheres")                                           \
    X(W, SEED, "seed", TEXT, "seed of a random scene")                                             \
    X(W, RADIUS_MIN, "radius_min", NUMBER, "of a random scene, scene units")                       \
    X(W, RADIUS_MAX, "radius_max", NUMBER, "of a random scene, scene units")                       \
    X(W, WIDTH, "width", WHOLE, "pixels of the image")                                             \
    X(W, HEIGHT, "height", WHOLE, "pixels of the image")                                           \
    X(W, ZOOM, "zoom", EITHER,                                                                     \
      "book view: fit: 1024 scene units span the height; else pixels per scene unit")              \
    X(W, VIEW, "view", TEXT, "light, of the kernels brute and tree; absent: book view")            \
    X(W, CAMERA, "camera", TEXT, "light view: YAW:PITCH:DISTANCE")                                 \
    X(W, CAMERA_PATH, "camera_path", TEXT,                                                         \
      "light view: on: the camera goes round with the motion; absent: it does not")                \
    X(W, BOUNCES, "bounces", WHOLE, "light view: reflections that a ray may take")                 \
    X(W, SAMPLES, "samples", WHOLE, "light view: samples per pixel")                               \
    X(W, POSE_S, "pose_s", EITHER, "time of the pose; moving: the scene rotates")                  \
    X(P, PIXELS_PER_THREAD, "pixels_per_thread", WHOLE, "raytrace: K of the kernel")               \
    X(P, KERNEL_FILE, "kernel_file", TEXT, "kernel mine: its file, without the folder")            \
    X(P, KERNEL_HASH, "kernel_hash", TEXT,                                                         \
      "kernel mine: hash of its text and headers, FNV-1a, 64 bits, hexadecimal")                   \
    X(P, AXIS, "axis", TEXT, "probe: the member that varies within a series")                      \
    X(P, BLOCK_THREADS, "block_threads", WHOLE, "probe: threads per block")                        \
    X(P, BLOCKS, "blocks", WHOLE, "probe: blocks of the launch")                                   \
    X(P, USEFUL_BYTES, "useful_bytes", NUMBER, "probe: what one run reads and writes")             \
    X(P, MOVED_BYTES, "moved_bytes", NUMBER,                                                       \
      "probe: all sectors, on the CPU cache lines, that one run touches")                          \
    X(P, FOOTPRINT_BYTES, "footprint_bytes", NUMBER, "probe: memory that it accesses")             \
    X(P, IN_FLIGHT_BYTES, "in_flight_bytes", NUMBER, "probe: most bytes in flight")                \
    X(P, SECTORS_PER_REQUEST, "sectors_per_request", NUMBER, "probe: on average")                  \
    X(P, UNIFORM_SHARE, "uniform_share", NUMBER,                                                   \
      "probe: share of a warp's reads whose lanes all read one address")                           \
    X(P, ADDRESSES_PER_READ, "addresses_per_read", NUMBER,                                         \
      "probe: different addresses that a warp reads at once, on average")                          \
    X(P, FLOPS, "flops", NUMBER, "probe: floating-point operations of one run")                    \
    X(P, OPERATIONS, "operations", NUMBER, "probe: operations of one run that the topic counts")   \
    X(P, STEPS, "steps", NUMBER,                                                                   \
      "probe: dependent operations or reads of one thread, or of all warps")                       \
    X(P, DOUBLE_PRECISION, "double_precision", FLAG, "probe: so are its operations")               \
    X(P, COLD, "cold", FLAG, "probe: the caches are overwritten before each run")                  \
    X(P, BESIDE_MEMORY, "beside_memory", FLAG,                                                     \
      "probe: the bandwidth of device memory does not limit it")                                   \
    X(P, WIDTH, "width", WHOLE, "book: pixels of the image")                                       \
    X(P, HEIGHT, "height", WHOLE, "book: pixels of the image")                                     \
    X(P, SPHERES, "spheres", WHOLE, "book: number of spheres")                                     \
    X(P, A, "a", TEXT, "duel: mode of side A")                                                     \
    X(P, B, "b", TEXT, "duel: mode of side B")                                                     \
    X(P, BAND_PERCENT, "band_percent", NUMBER, "duel: differences up to this one count as none")   \
    X(P, HUD, "hud", FLAG, "frame, anatomy: the overlay is shown")                                 \
    X(P, VSYNC, "vsync", FLAG, "frame, anatomy: frames wait for the display")                      \
    X(P, PANELS, "panels", TEXT, "anatomy: off, compact or full")                                  \
    X(P, WINDOW_WIDTH, "window_width", WHOLE, "anatomy: pixels")                                   \
    X(P, WINDOW_HEIGHT, "window_height", WHOLE, "anatomy: pixels")                                 \
    X(O, REGISTERS, "registers", WHOLE, "kernel: per thread")                                      \
    X(O, STATIC_SHARED_BYTES, "static_shared_bytes", WHOLE,                                        \
      "kernel: shared memory per block that it declares")                                          \
    X(O, DYNAMIC_SHARED_BYTES, "dynamic_shared_bytes", WHOLE,                                      \
      "kernel: shared memory per block that the launch requests")                                  \
    X(O, LOCAL_BYTES, "local_bytes", WHOLE, "kernel: per thread, arrays and spilled registers")    \
    X(O, CONSTANT_BYTES, "constant_bytes", WHOLE, "kernel: of its module")                         \
    X(O, THREADS_MAX, "threads_max", WHOLE, "kernel: most threads per block")                      \
    X(O, LAUNCH_THREADS, "launch_threads", WHOLE, "kernel: threads per block")                     \
    X(O, LAUNCH_BLOCKS, "launch_blocks", WHOLE, "kernel: blocks of the launch")                    \
    X(O, BLOCKS_PER_PROCESSOR, "blocks_per_processor", WHOLE,                                      \
      "kernel: most blocks that one multiprocessor holds")                                         \
    X(O, OCCUPANCY_PERCENT, "occupancy_percent", NUMBER,                                           \
      "kernel: their warps, of the most that a multiprocessor holds")                              \
    X(O, RECORDED_PROCESSES, "recorded_processes", WHOLE,                                          \
      "processes of the other run from whose record the result was copied")                        \
    X(O, RANK, "rank", WHOLE, "class: 1 + the kernels that are surely faster")                     \
    X(O, VERDICT, "verdict", TEXT, "duel, claims: the verdict, or why there is none")              \
    X(O, A_VERIFIED, "a_verified", TEXT, "duel: yes, no or WRONG: the picture of A")               \
    X(O, B_VERIFIED, "b_verified", TEXT, "duel: yes, no or WRONG: the picture of B")               \
    X(O, A_TRUST, "a_trust", TEXT, "duel: ids of the reasons to doubt A")                          \
    X(O, B_TRUST, "b_trust", TEXT, "duel: ids of the reasons to doubt B")                          \
    X(O, SO_FAR, "so_far", TEXT, "duel: what the verdict would be if it were firm")                \
    X(O, AA_SIDE, "aa_side", TEXT, "duel: A or B, the side of the A/A duel")                       \
    X(O, AA_VERDICT, "aa_verdict", TEXT, "duel: verdict of the A/A duel")                          \
    X(O, DISTRUSTED, "distrusted", WHOLE, "duel: processes whose A/A duel claims a difference")    \
    X(O, WANDERING, "wandering", WHOLE, "duel: processes whose ratio wanders")                     \
    X(O, CLAIM, "claim", TEXT, "claims: what is claimed")                                          \
    X(O, TEXT_DEVICE, "text_device", TEXT, "claims: device of the published number")               \
    X(O, TEXT_NUMBER, "text_number", TEXT, "claims: the published number")                         \
    X(O, NUMBER, "number", TEXT, "claims: this device's number")                                   \
    X(O, INTERVAL, "interval", TEXT, "claims: its interval")                                       \
    X(O, BESIDE, "beside", TEXT, "claims: what stands beside the number")                          \
    X(O, NOTE, "note", TEXT, "claims, class: a reservation, or why there is no time")              \
    X(O, METHOD, "method", TEXT, "claims: how the number was measured")                            \
    X(O, VALUE_LOW, "value_low", NUMBER,                                                           \
      "claims, class: lower end of the value's interval, or of the ratio's")                       \
    X(O, VALUE_HIGH, "value_high", NUMBER,                                                         \
      "claims, class: upper end of the value's interval, or of the ratio's")                       \
    X(O, PROCESSES, "processes", WHOLE, "claims: processes behind the value")                      \
    X(O, LIMIT, "limit", TEXT, "anatomy: what limits the frame")                                   \
    X(O, OPENGL, "opengl", TEXT, "anatomy: how OpenGL's times were measured")                      \
    M(MEDIAN_MS, "median_ms", NUMBER, "ms", CENTRE,                                                \
      "median of the samples; of several processes, the geometric mean of their medians")          \
    M(LOW_MS, "low_ms", NUMBER, "ms", NONE, "lower end of the median's 95 % interval")             \
    M(HIGH_MS, "high_ms", NUMBER, "ms", NONE, "upper end of the median's 95 % interval")           \
    M(P5_MS, "p5_ms", NUMBER, "ms", P5, "5th percentile of the samples")                           \
    M(P95_MS, "p95_ms", NUMBER, "ms", P95, "95th percentile of the samples")                       \
    M(MIN_MS, "min_ms", NUMBER, "ms", LEAST, "least sample")                                       \
    M(MAX_MS, "max_ms", NUMBER, "ms", GREATEST, "greatest sample")                                 \
    M(N, "n", WHOLE, "", TOTAL, "number of samples; duel: of pairs")                               \
    M(OVERHEAD_MS, "overhead_ms", NUMBER, "ms", MIDDLE,                                            \
      "median time of empty kernels of the same grids and blocks")                                 \
    M(NET_MS, "net_ms", NUMBER, "ms", CENTRE, "median_ms without overhead_ms")                     \
    M(TICK_MS, "tick_ms", NUMBER, "ms", GREATEST,                                                  \
      "smallest step of the clock; half of it widens every interval on each side")                 \
    M(GATE_DROPS, "gate_drops", WHOLE, "", TOTAL, "readings dropped because the host was late")    \
    M(BATCHED_MS, "batched_ms", NUMBER, "ms", CENTRE,                                              \
      "raytrace: time per launch when one pair of time stamps encloses 20; present if the "        \
      "median is below twice that of an empty kernel")                                             \
    M(LIMIT_MS, "limit_ms", NUMBER, "ms", CENTRE,                                                  \
      "raytrace: net time of a kernel that only reads every sphere's place and radius and writes " \
      "every pixel")                                                                               \
    M(LIMIT_RAW_MS, "limit_raw_ms", NUMBER, "ms", CENTRE,                                          \
      "raytrace: the same with the overhead of its launch")                                        \
    M(OF_LIMIT, "of_limit", NUMBER, "", CENTRE,                                                    \
      "raytrace: net_ms over limit_ms, whose interval is at most 10 % wide")                       \
    M(OF_LIMIT_LEAST, "of_limit_least", NUMBER, "", LEAST,                                         \
      "raytrace: where it is wider, net_ms over its upper end: of_limit is that or more")          \
    M(RAYS, "rays", NUMBER, "", MIDDLE,                                                            \
      "light view: rays of one frame, counted: from the eye, off mirrors and towards the sun")     \
    M(RAYS_PER_S, "rays_per_s", NUMBER, "1/s", CENTRE, "light view: rays / median")                \
    M(LISTS_MEDIAN_MS, "lists_median_ms", NUMBER, "ms", CENTRE,                                    \
      "raytrace: median of the part of the time that sorts spheres into bins")                     \
    M(FLOPS, "flops", NUMBER, "", MIDDLE,                                                          \
      "raytrace: floating-point operations of one frame, from the sphere tests counted")           \
    M(BYTES, "bytes", NUMBER, "bytes", MIDDLE,                                                     \
      "raytrace: compulsory memory traffic of one frame: the image, and every sphere once")        \
    M(INTENSITY, "intensity", NUMBER, "", MIDDLE, "raytrace: flops over bytes")                    \
    M(GFLOPS, "gflops", NUMBER, "GFLOP/s", CENTRE,                                                 \
      "floating-point operations over the median time")                                            \
    M(MAX_ERROR, "max_error", NUMBER, "", GREATEST, "probe: greatest difference from the host")    \
    M(EFFECTIVE_GBPS, "effective_gbps", NUMBER, "GB/s", CENTRE,                                    \
      "probe: bytes that it by definition reads and writes, over the median time")                 \
    M(MOVED_GBPS, "moved_gbps", NUMBER, "GB/s", CENTRE,                                            \
      "probe: bytes of all sectors that it touches, over the median time")                         \
    M(OF_THEORETICAL_PERCENT, "of_theoretical_percent", NUMBER, "%", CENTRE,                       \
      "probe: effective_gbps, of the memory's theoretical bandwidth")                              \
    M(OF_PEAK_PERCENT, "of_peak_percent", NUMBER, "%", CENTRE,                                     \
      "probe: arithmetic, of one multiprocessor's peak in its cycles")                             \
    M(OF_PEAK_BY_TIME_PERCENT, "of_peak_by_time_percent", NUMBER, "%", CENTRE,                     \
      "probe: gflops, of the peak at the current clock")                                           \
    M(OF_PEAK_NET_PERCENT, "of_peak_net_percent", NUMBER, "%", CENTRE,                             \
      "probe: the same by the net time")                                                           \
    M(OF_COMPUTED_PEAK_PERCENT, "of_computed_peak_percent", NUMBER, "%", CENTRE,                   \
      "probe: gflops, of the computed peak at the greatest clock")                                 \
    M(CYCLES, "cycles", NUMBER, "", CENTRE, "probe: median of the multiprocessor's cycles")        \
    M(CYCLES_PER_STEP, "cycles_per_step", NUMBER, "", CENTRE, "probe: cycles of a dependent step") \
    M(NS_PER_STEP, "ns_per_step", NUMBER, "ns", CENTRE, "probe: time of a dependent step")         \
    M(GOPS, "gops", NUMBER, "Gop/s", CENTRE, "probe: operations over the median time")             \
    M(CYCLES_OVER_CLOCK_MS, "cycles_over_clock_ms", NUMBER, "ms", CENTRE,                          \
      "probe: the cycles over the current clock")                                                  \
    M(KERNEL_MS, "kernel_ms", NUMBER, "ms", CENTRE, "book: the kernel within the window")          \
    M(ITEMS_MS, "items_ms", NUMBER, "ms", CENTRE, "book: sum of the window's items")               \
    M(LOAD_MS, "load_ms", NUMBER, "ms", CENTRE, "book: loading the kernel before the window")      \
    M(HOST_ALLOC_MS, "host_alloc_ms", NUMBER, "ms", CENTRE, "book: item of the window")            \
    M(DEVICE_ALLOC_MS, "device_alloc_ms", NUMBER, "ms", CENTRE, "book: item of the window")        \
    M(SCENE_MS, "scene_ms", NUMBER, "ms", CENTRE, "book: item of the window")                      \
    M(UPLOAD_MS, "upload_ms", NUMBER, "ms", CENTRE, "book: item of the window")                    \
    M(LAUNCH_MS, "launch_ms", NUMBER, "ms", CENTRE, "book: item of the window")                    \
    M(READ_BACK_MS, "read_back_ms", NUMBER, "ms", CENTRE, "book: item of the window")              \
    M(RATIO, "ratio", NUMBER, "", CENTRE,                                                          \
      "duel, class: median of B's time over A's, or of the book's over the kernel's; above 1: A, " \
      "or the kernel, is faster. A duel's interval holds at every look; the ratio that the pairs " \
      "give lies in it, too")                                                                      \
    M(BLOCKS, "blocks", WHOLE, "", TOTAL, "duel: blocks of pairs")                                 \
    M(BLOCK_PAIRS, "block_pairs", WHOLE, "", GREATEST, "duel: pairs of a block")                   \
    M(A_MEDIAN_MS, "a_median_ms", NUMBER, "ms", CENTRE, "duel: median of A")                       \
    M(B_MEDIAN_MS, "b_median_ms", NUMBER, "ms", CENTRE, "duel: median of B")                       \
    M(SECONDS, "seconds", NUMBER, "s", TOTAL, "duel: duration")                                    \
    M(CLAIMS, "claims", WHOLE, "", TOTAL,                                                          \
      "duel: looks after which it claimed a difference; every pair is a look")                     \
    M(FIRST_CLAIM_S, "first_claim_s", NUMBER, "s", LEAST, "duel: time of the first claim")         \
    M(FIRST_CLAIM_N, "first_claim_n", WHOLE, "", LEAST, "duel: pairs at the first claim")          \
    M(A_OVERHEAD_MS, "a_overhead_ms", NUMBER, "ms", MIDDLE, "duel: overhead_ms of A")              \
    M(B_OVERHEAD_MS, "b_overhead_ms", NUMBER, "ms", MIDDLE, "duel: overhead_ms of B")              \
    M(A_NET_MS, "a_net_ms", NUMBER, "ms", CENTRE, "duel: net_ms of A")                             \
    M(B_NET_MS, "b_net_ms", NUMBER, "ms", CENTRE, "duel: net_ms of B")                             \
    M(A_RAYS_PER_S, "a_rays_per_s", NUMBER, "1/s", CENTRE, "duel: rays_per_s of A")                \
    M(B_RAYS_PER_S, "b_rays_per_s", NUMBER, "1/s", CENTRE, "duel: rays_per_s of B")                \
    M(AA_RATIO, "aa_ratio", NUMBER, "", CENTRE, "duel: ratio of one side against itself")          \
    M(AA_N, "aa_n", WHOLE, "", TOTAL, "duel: pairs of the A/A duel")                               \
    M(AA_CLAIMS, "aa_claims", WHOLE, "", TOTAL, "duel: claims of the A/A duel")                    \
    M(VALUE, "value", NUMBER, "", CENTRE, "claims: this device's number")                          \
    M(OVERLAY_CPU_MS, "overlay_cpu_ms", NUMBER, "ms", CENTRE,                                      \
      "anatomy: host time to lay out and to submit the overlay of a frame, median")                \
    M(OVERLAY_GPU_MS, "overlay_gpu_ms", NUMBER, "ms", CENTRE,                                      \
      "anatomy: time in which OpenGL draws it, by timer queries, median")                          \
    M(OVERLAY_DRAW_CALLS, "overlay_draw_calls", WHOLE, "", GREATEST,                               \
      "anatomy: draw calls of the overlay in a frame, the most")

#define APP_MEMBER_ID(list, id, key, kind, what) APP_##list##_##id,
#define APP_METRIC_ID(id, key, kind, unit, sum, what) APP_M_##id,
enum app_member { APP_MEMBERS(APP_MEMBER_ID, APP_METRIC_ID) APP_MEMBERS_COUNT };
#undef APP_MEMBER_ID
#undef APP_METRIC_ID

struct app_member_row {
    enum app_member_list list;
    const char *key; /* lower case, with its unit */
    enum app_member_kind kind;
    const char *unit;        /* of a metric: "ms", "GB/s"; "": none */
    enum app_member_sum sum; /* of a metric */
    const char *what;        /* what it says, in a few words */
    const char *low, *high;  /* of a metric: the keys of its interval's ends, but for MEDIAN_MS */
};

extern const struct app_member_row app_members[APP_MEMBERS_COUNT];
