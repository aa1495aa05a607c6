/* kernels/cuda/light/tree.h - memory of the tree (private to kernels/cuda). */
#ifndef KRN_CUDA_LIGHT_TREE_H
#define KRN_CUDA_LIGHT_TREE_H

#include "cuda/light/kernels.h"

#include "krn/error.h"

/* Allocates what the tree of `count` spheres and its build need, unless *tree has it. Errors:
 * KRN_NO_MEMORY (the message gives the size), KRN_FAILED; *tree stays empty. */
enum krn_code krn_cuda_tree_alloc(struct krn_cuda_tree *tree, int count, struct krn_error *error);
/* Frees it; accepts a tree whose members are all 0, and leaves one. */
void krn_cuda_tree_free(struct krn_cuda_tree *tree);

#endif
