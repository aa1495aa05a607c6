/* Memory of the tree: allocated once per scene, outside of all time stamps, so a frame can neither
 * overrun it nor wait for an allocation. */
#include "cuda/light/tree.h"

#include "cuda/runtime/check.h"

#include <string.h>

void krn_cuda_tree_free(struct krn_cuda_tree *tree)
{
    if (tree->texture)
        cudaDestroyTextureObject(tree->texture);
    cudaFree(tree->nodes);
    cudaFree(tree->codes);
    cudaFree(tree->codes_sorted);
    cudaFree(tree->spheres);
    cudaFree(tree->spheres_sorted);
    cudaFree(tree->parents);
    cudaFree(tree->visits);
    cudaFree(tree->scratch);
    memset(tree, 0, sizeof *tree);
}

enum krn_code krn_cuda_tree_alloc(struct krn_cuda_tree *tree, int count, struct krn_error *error)
{
    enum { NODES, CODES, CODES_SORTED, SPHERES, SPHERES_SORTED, PARENTS, VISITS, SCRATCH, PARTS };
    if (tree->nodes)
        return KRN_OK;
    const size_t n = (size_t)count;
    size_t scratch_bytes = 0, sum = 0;
    enum krn_code code = KRN_CUDA(krn_cuda_tree_scratch(count, &scratch_bytes), error);
    const size_t bytes[PARTS] = {
        [NODES] = n * sizeof *tree->nodes,
        [CODES] = n * sizeof *tree->codes,
        [CODES_SORTED] = n * sizeof *tree->codes_sorted,
        [SPHERES] = n * sizeof *tree->spheres,
        [SPHERES_SORTED] = n * sizeof *tree->spheres_sorted,
        [PARENTS] = 2 * n * sizeof *tree->parents,
        [VISITS] = n * sizeof *tree->visits,
        [SCRATCH] = scratch_bytes,
    };
    void *parts[PARTS] = {NULL};
    for (int i = 0; code == KRN_OK && i < PARTS; i++) {
        sum += bytes[i];
        code = KRN_CUDA(cudaMalloc(&parts[i], bytes[i]), error);
    }
    if (code == KRN_OK) {
        *tree = (struct krn_cuda_tree){
            .nodes = parts[NODES],
            .codes = parts[CODES],
            .codes_sorted = parts[CODES_SORTED],
            .spheres = parts[SPHERES],
            .spheres_sorted = parts[SPHERES_SORTED],
            .parents = parts[PARENTS],
            .visits = parts[VISITS],
            .scratch = parts[SCRATCH],
            .scratch_bytes = scratch_bytes,
        };
        return KRN_OK;
    }
    for (int i = 0; i < PARTS; i++)
        cudaFree(parts[i]);
    if (code == KRN_NO_MEMORY)
        code = KRN_FAIL(error, KRN_NO_MEMORY,
                        "The tree kernel needs more than %zu MiB of memory for this scene, which "
                        "the device does not have free.",
                        (sum >> 20) + 1);
    return code;
}
