#include "recorded/parts.h"

#include "base/files.h"
#include "model/model.h"
#include "places/folders.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the mode's times on the scene and size of the record's state: a record may have the modes
 * at other numbers of spheres as well. */
static const struct app_result *find_mode(const struct app_results *results, const char *variant)
{
    const struct app_state *state = &results->picture.state;
    const struct app_result *first = app_results_find(results, 0, "raytrace", variant);
    for (const struct app_result *result = first; result && results->picture.problem.code == KRN_OK;
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
    const struct app_result *const sides[] = {find_mode(results, "book/global"),
                                              find_mode(results, "book/constant")};
    return sides[0] && sides[1] ? app_estimate_ratio(app_result_estimate(sides[0], "median_ms"),
                                                     app_result_estimate(sides[1], "median_ms"))
                                : none;
}

/* Returns the same of the kernel on the book's scene, without the overhead of an empty kernel. */
static struct app_estimate net_ratio(const struct app_results *results)
{
    const struct app_estimate none = {.valid = false};
    const struct app_result *const sides[] = {
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
    const struct app_result *result = find_mode(results, NULL);
    text[0] = 0;
    if (result)
        app_claim_scene(results->picture.problem.code == KRN_OK &&
                            app_state_is_book(&results->picture.state),
                        app_pairs_integer(result->workload, "spheres"),
                        app_pairs_integer(result->workload, "width"),
                        app_pairs_integer(result->workload, "height"), text, size);
}

void app_results_judge_probes(const struct app_results *results,
                              const struct app_results_probes *probes, double band_percent,
                              struct app_claim claims[APP_CLAIM_COUNT])
{
    char scene[64];
    const struct app_result *window = app_results_find(results, 0, "book", "global/cold"),
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

bool app_recorded_folder(char folder[APP_PATH_MAX])
{
    return app_assets_find("runs", folder);
}

/* Returns true for the name of a record's file, packed or not. */
static bool is_file_name(const char *text)
{
    static const char *const ends[] = {".json", ".json.gz"};
    const size_t length = strlen(text);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (length >= strlen(ends[i]) && strcmp(text + length - strlen(ends[i]), ends[i]) == 0)
            return true;
    return false;
}

/* Writes a device's name as file names have it: "NVIDIA H200" becomes "nvidia-h200". */
static void to_file_name(const char *name, char *text, size_t size)
{
    size_t n = 0;
    for (; name[n] && n + 1 < size; n++)
        text[n] = name[n] == ' ' ? '-' : (char)tolower((unsigned char)name[n]);
    text[n] = 0;
}

/* Returns true when a file name has `wanted` between hyphens or at its start. */
static bool has_name(const char *file, const char *wanted)
{
    const size_t length = strlen(wanted);
    if (length == 0 || !is_file_name(file))
        return false;
    for (const char *at = file; (at = strstr(at, wanted)) != NULL; at++)
        if ((at == file || at[-1] == '-') && at[length] == '-')
            return true;
    return false;
}

static enum krn_code add(struct app_recorded_names *list, const char *path, struct krn_error *error)
{
    if (list->count == APP_RECORDED_FILES_MAX)
        return KRN_FAIL(error, KRN_REFUSED, "A recorded run has at most %d files.",
                        APP_RECORDED_FILES_MAX);
    if ((size_t)snprintf(list->paths[list->count], APP_PATH_MAX, "%s", path) >= APP_PATH_MAX)
        return KRN_FAIL(error, KRN_REFUSED, "The name of a recorded run is too long.");
    list->count++;
    return KRN_OK;
}

/* The record of all benchmarks comes first, the others follow by name. */
static int compare_paths(const void *left, const void *right)
{
    static const char all[] = "-all.json";
    const char *const a = left, *const b = right;
    const bool a_all = strstr(a, all) != NULL, b_all = strstr(b, all) != NULL;
    return a_all != b_all ? (a_all ? -1 : 1) : strcmp(a, b);
}

/* Adds the shipped records of a device. */
static enum krn_code add_shipped(struct app_recorded_names *list, const char *folder,
                                 const char *name, struct krn_error *error)
{
    char wanted[64], path[APP_PATH_MAX];
    const int first = list->count;
    enum krn_code code = KRN_OK;
    to_file_name(name, wanted, sizeof wanted);
    DIR *stream = folder[0] ? opendir(folder) : NULL;
    if (!stream)
        return KRN_FAIL(
            error, KRN_UNAVAILABLE,
            "The program's folder of recorded runs is not found; name a file instead of "
            "%s.",
            app_shorten(name).text);
    for (struct dirent *entry; code == KRN_OK && (entry = readdir(stream)) != NULL;) {
        if (!has_name(entry->d_name, wanted))
            continue;
        code = (size_t)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < sizeof path
                   ? add(list, path, error)
                   : KRN_FAIL(error, KRN_REFUSED, "The name of a recorded run is too long.");
    }
    closedir(stream);
    if (code == KRN_OK && list->count == first)
        return KRN_FAIL(error, KRN_UNAVAILABLE,
                        "No recorded run of %s is shipped: the files in %s begin with the names.",
                        app_shorten(name).text, app_shorten(folder).text);
    qsort(list->paths[first], (size_t)(list->count - first), sizeof *list->paths, compare_paths);
    return code;
}

enum krn_code app_recorded_list(const char *names, const char *folder,
                                struct app_recorded_names *list, struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    list->count = 0;
    for (const char *at = names; code == KRN_OK; at++) {
        char name[APP_PATH_MAX];
        const size_t length = strcspn(at, ",");
        if (length == 0 || length >= sizeof name)
            return KRN_FAIL(error, KRN_REFUSED,
                            "A recorded run is named by files or devices joined by commas.");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        code = strchr(name, '/') != NULL || is_file_name(name)
                   ? add(list, name, error)
                   : add_shipped(list, folder, name, error);
        at += length;
        if (*at == 0)
            break;
    }
    return code;
}

void app_origin_sentence(const char *name, const char *date, char *text, size_t size)
{
    snprintf(text, size,
             "Results with the trust id recorded were measured on %s on %s, not on this machine.",
             name, date);
}

/* Returns the first time of a mode that was copied; NULL: there is none. */
static const struct app_result *find_copied(const struct app_results *results)
{
    for (size_t i = 0; i < results->count; i++)
        if (strcmp(results->results[i].benchmark, "raytrace") == 0 &&
            app_result_copied(&results->results[i]))
            return &results->results[i];
    return NULL;
}

void app_origin_restore(struct app_results *results)
{
    const struct app_results_origin *origin = &results->origin;
    if (find_copied(results) == NULL || !origin->valid)
        return;
    results->device = origin->device;
    results->ceilings = krn_ceilings_of(&origin->device);
    results->overheads = origin->overheads;
    results->telemetry = origin->telemetry;
    results->time_utc = origin->time_utc;
}
