#include "command/words.h"

static const struct app_word words[] = {
    {"kernel time", "time of the kernel alone: no copies, nothing of the host"},
    {"median", "half of the samples are shorter; up to 240 of this mode count"},
    {"95 % [a, b]", "confidence interval of the median, for this run"},
    {"p5–p95", "nine tenths of the samples lie between these two"},
    {"launch floor", "time of an empty kernel: no kernel can be faster"},
    {"net", "time without that of an empty kernel of the same shape"},
    {"tests/s", "pixels × spheres / time; tests that a kernel skips count too"},
    {"rays/s", "light view: counted rays of a frame / kernel time"},
    {"bounce", "a reflection; a ray of the light view takes up to 8"},
    {"tree", "a hierarchy of boxes around the spheres, built in every frame"},
    {"storage", "memory that the kernel reads the spheres from"},
    {"K", "pixels that each thread of the strip kernel computes"},
    {"ratio", "time of the mode before over time of this one: above 1 is faster"},
    {"SAME", "the difference lies within the band of indifference"},
    {"CAN'T TELL", "the interval allows more than one verdict"},
    {"duel", "two modes on every frame, in turns, from the same pose"},
    {"so far", "true of this run; without it, no drift of a few seconds explains it"},
    {"WANDERING", "a side drifts so slowly that another run would find another value"},
    {"claim", "what a published text says about speed, with its number then"},
    {"blit", "way of the picture from the kernel's buffer to OpenGL"},
    {"verified", "compared with a reference computed in double precision"},
    {"occupancy", "warps resident on a multiprocessor, of the most that it can hold"},
    {"chains, ILP", "independent operations that one thread has under way"},
    {"coalesced", "neighbouring threads read neighbouring words, in few sectors"},
    {"sector", "32 bytes, the least that a GPU moves from memory"},
    {"intensity", "floating-point operations per byte of memory traffic"},
};

const struct app_word *app_words(size_t *count)
{
    *count = sizeof words / sizeof *words;
    return words;
}
