/* kernels/cuda/probes/data.h - the contents of the probes' arrays, computed alike on host and
 * device, so that either knows every element without a copy. Common subset of C11 and C++17. */
#pragma once

#include "core/trace/pixel.h"
#include "krn/access.h"

/* Returns the word at `index`. The factor is odd, so no two indices have the same word. */
KRN_FN uint32_t krn_probe_word(uint32_t index, uint32_t salt)
{
    return index * 2654435761u + salt;
}

/* Returns a digit in 0..9, as the tutorial's GenerateNumbers does. */
KRN_FN int krn_probe_digit(uint32_t index)
{
    return (int)((krn_probe_word(index, 0) >> 16) % 10u);
}

KRN_FN int krn_probe_cube(uint32_t index)
{
    const int digit = krn_probe_digit(index);
    return digit * digit * digit;
}

/* SAXPY's x, 1..256, and its y after `updates` updates with KRN_PROBE_FACTOR. They are integers and
 * exact as floats below KRN_PROBE_UPDATES updates, so that the check detects an element that was
 * skipped, updated twice or read from another index. */
enum { KRN_PROBE_FACTOR = 2, KRN_PROBE_UPDATES = 16384 };

KRN_FN float krn_probe_x(uint32_t index)
{
    return (float)(1u + (krn_probe_word(index, 0) >> 24));
}

KRN_FN float krn_probe_y(uint32_t index, uint32_t updates)
{
    const uint32_t word = krn_probe_word(index, 0);
    return (float)((word >> 16 & 0xffu) + updates * KRN_PROBE_FACTOR * (1u + (word >> 24)));
}

/* The iteration a = a * a + b is chaotic for this b and stays in -2..2, so that one step too many
 * or too few changes the result. The starts have different magnitudes, because a and -a continue
 * alike. */
enum { KRN_PROBE_STARTS = 16 };
#define KRN_PROBE_B (-1.9f)

KRN_FN float krn_probe_chain_start(uint32_t chain)
{
    return (float)(int)(chain % KRN_PROBE_STARTS) * 0.171875f - 1.3f;
}

/* The reads of constant memory: words of a window that stays in its cache. The group of a lane is
 * its number modulo the number of different addresses per warp, any from 1 to 32. */
enum { KRN_PROBE_WINDOW = 512, KRN_PROBE_READS = 16 };

KRN_FN uint32_t krn_probe_group(uint32_t lane, uint32_t addresses)
{
    return lane % addresses;
}

KRN_FN uint32_t krn_probe_read_at(uint32_t round, uint32_t read, uint32_t group)
{
    return (round * 8u & 127u) + read * 8u + group;
}

/* The operands of the multiply-adds a = a * 1 + k: small integers, so that every chain is exact as
 * a float and independent of its order, and a missing, repeated or misplaced operand changes its
 * end. Round r reads the words that begin with krn_probe_operand_base(r). */
enum { KRN_PROBE_OPERANDS = 2048 };

KRN_FN float krn_probe_operand(uint32_t word)
{
    return (float)(1 + krn_probe_digit(word));
}

KRN_FN float krn_probe_operand_start(int chain)
{
    return (float)(100 * chain);
}

KRN_FN uint32_t krn_probe_operand_base(uint32_t round)
{
    return round * KRN_LANES & (KRN_PROBE_OPERANDS - 1);
}

/* Returns the byte offset of the word that follows `word` in the walk: the one 17 further on,
 * around a table of `words` words, a power of two. 17 words are more than a line of 64 bytes, and
 * 17 is odd, so the walk visits every word. */
enum { KRN_PROBE_STRIDE = 17 };

KRN_FN uint32_t krn_probe_next(uint32_t word, uint32_t words)
{
    return ((word + KRN_PROBE_STRIDE) & (words - 1u)) * 4u;
}

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
