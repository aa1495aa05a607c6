#include "recorded/parts.h"

#include "results/results.h"

#include <stdio.h>

/* Returns the mode's times on the scene and size of the record's state: a record may have the modes
 * at other numbers of spheres as well. */
static const struct app_result_read *find_mode(const struct app_results *results,
                                               const char *variant)
{
    const struct app_state *state = &results->state;
    const struct app_result_read *first = app_results_find(results, 0, "raytrace", variant);
    for (const struct app_result_read *result = first; result && results->has_state;
         result = app_results_find(results, (size_t)(result - results->results) + 1, "raytrace",
                                   variant))
        if (app_pairs_number(result->workload, "spheres", 0.0) == state->recipe.count &&
            app_pairs_number(result->workload, "width", 0.0) == state->width &&
            app_pairs_number(result->workload, "height", 0.0) == state->height)
            return result;
    return first;
}

/* Returns how many times as fast the book's kernel is from constant memory as from global memory,
 * on the scene of the run. */
static struct app_estimate scene_ratio(const struct app_results *results)
{
    const struct app_estimate none = {.valid = false};
    const struct app_result_read *const sides[] = {find_mode(results, "book/global"),
                                                   find_mode(results, "book/constant")};
    return sides[0] && sides[1] ? app_estimate_ratio(app_result_estimate(sides[0], "median_ms"),
                                                     app_result_estimate(sides[1], "median_ms"))
                                : none;
}

/* Returns the same of the kernel on the book's scene, without the overhead of an empty kernel. */
static struct app_estimate net_ratio(const struct app_results *results)
{
    const struct app_estimate none = {.valid = false};
    const struct app_result_read *const sides[] = {
        app_results_find(results, 0, "book", "global/kernel"),
        app_results_find(results, 0, "book", "constant/kernel")};
    return sides[0] && sides[1] ? app_estimate_ratio(app_result_estimate(sides[0], "net_ms"),
                                                     app_result_estimate(sides[1], "net_ms"))
                                : none;
}

/* Returns the same of the book's runs: `part` is "cold", "warm" or "kernel". */
static struct app_estimate book_ratio(const struct app_results *results, const char *part)
{
    char global[32], constant[32];
    snprintf(global, sizeof global, "global/%s", part);
    snprintf(constant, sizeof constant, "constant/%s", part);
    return app_results_book_ratio(app_results_find(results, 0, "book", global),
                                  app_results_find(results, 0, "book", constant));
}

/* Names the scene of the run; "": it is the book's. */
static void name_scene(const struct app_results *results, char *text, size_t size)
{
    const struct app_result_read *result = find_mode(results, NULL);
    text[0] = 0;
    if (result)
        app_claim_scene(results->has_state && app_state_is_book(&results->state),
                        app_pairs_integer(result->workload, "spheres"),
                        app_pairs_integer(result->workload, "width"),
                        app_pairs_integer(result->workload, "height"), text, size);
}

void app_results_judge_probes(const struct app_results *results,
                              const struct app_results_probes *probes, double band_percent,
                              struct app_claim claims[APP_CLAIM_COUNT])
{
    char scene[64];
    const struct app_result_read *window = app_results_find(results, 0, "book", "global/cold"),
                                 *other = app_results_find(results, 0, "book", "constant/cold");
    name_scene(results, scene, sizeof scene);
    const struct app_claim_facts facts = {
        .scene = scene,
        .probes = probes->view.count > 0 ? &probes->view : NULL,
        .kernel_ratio = book_ratio(results, "kernel"),
        .kernel_net_ratio = net_ratio(results),
        .scene_ratio = scene_ratio(results),
        .window_ratio = book_ratio(results, "cold"),
        .generate_ms = {window ? app_pairs_number(window->metrics, "median_ms", 0.0) : 0.0,
                        other ? app_pairs_number(other->metrics, "median_ms", 0.0) : 0.0},
        .load_ms = window ? app_pairs_number(window->metrics, "load_ms", 0.0) : 0.0,
        .band_percent = band_percent,
    };
    app_claims_judge(&facts, claims);
}

void app_results_judge(const struct app_results *results, double band_percent,
                       struct app_claim claims[APP_CLAIM_COUNT])
{
    struct app_results_probes probes;
    app_results_probes(results, &probes);
    app_results_judge_probes(results, &probes, band_percent, claims);
    app_results_probes_free(&probes);
}
