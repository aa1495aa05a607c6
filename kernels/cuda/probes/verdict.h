/* kernels/cuda/probes/verdict.h - what a comparison on the device found (inside kernels/cuda/probes
 * only). Common subset of C11 and C++17. */
#ifndef KRN_CUDA_VERDICT_H
#define KRN_CUDA_VERDICT_H

/* What a comparison has found so far; in device memory, all 0 before it but first, all ones. */
struct krn_cuda_tally {
    unsigned long long wrong, first, max_error; /* the last as the bits of a double */
};

/* What it found; in host memory mapped into the device. */
struct krn_cuda_verdict {
    unsigned long long compared, wrong, first;
    double expected, actual, max_error;
    long long cycles;
};

/* Where comparisons keep both, and where kernels leave their clock's cycles: device memory. */
struct krn_cuda_judge {
    struct krn_cuda_tally *tally;
    long long *cycles;
    struct krn_cuda_verdict *verdict; /* as the device sees it */
};

#endif
