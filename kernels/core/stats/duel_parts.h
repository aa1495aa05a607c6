/* kernels/core/stats/duel_parts.h - the parts of a duel's statistic (inside kernels/core/stats
 * only): the clipping of single values, and the models of how the sides wander apart. */
#ifndef KRN_DUEL_PARTS_H
#define KRN_DUEL_PARTS_H

#include "krn/duel.h"

/* Adds a value to the uniform sample of all values. */
void krn_duel_sample_add(struct krn_duel_sample *sample, double value);

/* Returns the clipped value: one Newton step towards Huber's location from `estimate`, or from the
 * nearer end of the sample's middle when that lies outside. The sample must not be empty. */
double krn_duel_clip(const struct krn_duel_sample *sample, double value, double estimate);

double krn_duel_sample_median(const struct krn_duel_sample *sample);

/* Returns the standard deviation of normal values whose middle is as wide as the sample's. */
double krn_duel_sample_spread(const struct krn_duel_sample *sample);

/* Adds a block: the mean of `values` values, `seconds` after the block before. spread: the standard
 * deviation of single values, roughly; only the first block's matters. */
void krn_duel_models_add(struct krn_duel_models *models, double block, double values,
                         double seconds, double spread);

/* Returns the logarithm of the likelihood ratio against theta; at the true theta, it ever exceeds
 * log(1 / alpha) with probability at most alpha. */
double krn_duel_models_evidence(const struct krn_duel_models *models, double theta);

/* Returns the distance from the centre to the upper (sign 1) or lower (-1) end of the confidence
 * sequence; INFINITY when it has no end. guess: the distance found last time; 0: none. */
double krn_duel_models_reach(const struct krn_duel_models *models, double alpha, int sign,
                             double guess);

/* Returns the weight, 0..1, of the models whose time constant is longer than `seconds`. */
double krn_duel_models_slower(const struct krn_duel_models *models, double seconds);

#endif
