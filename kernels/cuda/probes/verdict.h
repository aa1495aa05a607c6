/* kernels/cuda/probes/verdict.h - the result of a comparison on the device (private to
 * kernels/cuda/probes). Common subset of C11 and C++17. */
#ifndef KRN_CUDA_VERDICT_H
#define KRN_CUDA_VERDICT_H

/* The result of a comparison so far, in device memory. Before a comparison, `first` has all bits
 * set and the others are 0. */
struct krn_cuda_tally {
    unsigned long long wrong, first, max_error; /* max_error: the bits of a double */
};

/* The complete result, in host memory that is mapped into the device. */
struct krn_cuda_verdict {
    unsigned long long compared, wrong, first;
    double expected, actual, max_error;
    long long cycles;
};

/* The memory of a comparison: both results, and the clock cycles that kernels write (device
 * memory). */
struct krn_cuda_comparison {
    struct krn_cuda_tally *tally;
    long long *cycles;
    struct krn_cuda_verdict *verdict; /* device address */
};

#endif
