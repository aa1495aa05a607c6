/* kernels/core/probes/cycle.h - cycles through all lines of a table, in an order that looks random
 * but can be computed, so that the end of a walk is known without walking. Common subset of C11 and
 * C++17. */
#pragma once

#include "core/trace/pixel.h"

/* A table of parts << bits lines; parts is odd unless the order is ascending. */
struct krn_cycle {
    int bits;
    uint32_t parts;
    bool ascending; /* visits line after line */
};

/* Permutes the numbers below 1 << bits. Multiplications by odd numbers and xors with right shifts
 * are invertible. */
KRN_FN uint32_t krn_cycle_mix(uint32_t low, int bits)
{
    const uint32_t mask = bits < 32 ? (1u << bits) - 1u : ~0u;
    const int shift = (bits + 1) / 2;
    low = (low * 0x9e3779b1u + 0x7f4a7c15u) & mask;
    low ^= low >> shift;
    low = (low * 0x85ebca77u) & mask;
    low ^= low >> shift;
    low = (low * 0xc2b2ae3du) & mask;
    return low ^ low >> shift;
}

/* Returns the inverse of krn_cycle_mix. A shift of at least half the bits is its own inverse. */
KRN_FN uint32_t krn_cycle_unmix(uint32_t mixed, int bits)
{
    const uint32_t mask = bits < 32 ? (1u << bits) - 1u : ~0u;
    const int shift = (bits + 1) / 2;
    mixed ^= mixed >> shift;
    mixed = (mixed * 0xa89ed915u) & mask;
    mixed ^= mixed >> shift;
    mixed = (mixed * 0xb6c92f47u) & mask;
    mixed ^= mixed >> shift;
    return ((mixed - 0x7f4a7c15u) * 0x0e8b2f51u) & mask;
}

KRN_FN uint32_t krn_cycle_lines(struct krn_cycle cycle)
{
    return cycle.parts << cycle.bits;
}

/* Returns the line at a place of the cycle; place wraps around. For each number below 1 << bits,
 * the places that have it as their low bits differ modulo `parts`, because parts is odd: so no two
 * places share a line. */
KRN_FN uint32_t krn_cycle_line(struct krn_cycle cycle, size_t place)
{
    const uint32_t at = (uint32_t)(place % krn_cycle_lines(cycle)),
                   mixed = krn_cycle_mix(at & ((1u << cycle.bits) - 1u), cycle.bits);
    return cycle.ascending ? at : ((at + mixed) % cycle.parts << cycle.bits) + mixed;
}

/* Returns the place at which the cycle visits a line. */
KRN_FN uint32_t krn_cycle_place(struct krn_cycle cycle, uint32_t line)
{
    const uint32_t mixed = line & ((1u << cycle.bits) - 1u), part = line >> cycle.bits;
    uint32_t at = krn_cycle_unmix(mixed, cycle.bits);
    if (cycle.ascending)
        return line;
    while ((at + mixed) % cycle.parts != part)
        at += 1u << cycle.bits;
    return at;
}

/* Returns the order through a table of `lines` lines, which is an odd number times a power of
 * two. */
KRN_FN struct krn_cycle krn_cycle_of(uint32_t lines)
{
    struct krn_cycle cycle = {0, lines, false};
    for (; cycle.parts > 1u && cycle.parts % 2u == 0u; cycle.parts /= 2u)
        cycle.bits++;
    return cycle;
}

KRN_FN struct krn_cycle krn_cycle_ascending(uint32_t lines)
{
    const struct krn_cycle cycle = {0, lines, true};
    return cycle;
}
