/* app/records/recorded.c - recorded runs: their files, their modes, probes and claims. */
#include "records/recorded.h"

#include "base/files.h"
#include "command/options.h"
#include "krn/memory.h"
#include "records/io.h"
#include "spec/state.h"

#include <ctype.h>
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* --- claims and origin of a record --- */

/* Returns the mode's times on the scene and size of the record's state: a record may have the modes
 * at other numbers of spheres as well. */
static const struct app_result *find_mode(const struct app_results *results, const char *variant)
{
    const struct app_state *state = &results->picture.state;
    const struct app_result *first = app_results_find(results, 0, "raytrace", variant);
    for (const struct app_result *result = first; result && results->picture.problem.code == KRN_OK;
         result = app_results_find(results, (size_t)(result - results->results) + 1, "raytrace",
                                   variant))
        if (app_result_integer(result, APP_W_SPHERES) == state->spec.recipe.count &&
            app_result_integer(result, APP_W_WIDTH) == state->spec.width &&
            app_result_integer(result, APP_W_HEIGHT) == state->spec.height)
            return result;
    return first;
}

/* Returns how many times as fast the book's kernel is from constant memory as from global memory.
 * Invalid: a side is NULL, or lacks the metric. */
static struct app_estimate ratio_of(const struct app_result *global,
                                    const struct app_result *constant, enum app_member metric)
{
    return global && constant ? app_estimate_ratio(app_result_metric(global, metric),
                                                   app_result_metric(constant, metric))
                              : (struct app_estimate){.valid = false};
}

/* Returns the same of the samples of the book's runs: `part` is "cold", "warm" or "kernel". */
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
        app_claim_scene(
            results->picture.problem.code == KRN_OK && app_state_is_book(&results->picture.state),
            app_result_integer(result, APP_W_SPHERES), app_result_integer(result, APP_W_WIDTH),
            app_result_integer(result, APP_W_HEIGHT), text, size);
}

struct app_claim_facts app_results_book_facts(const struct app_results *results)
{
    const struct app_result *window = app_results_find(results, 0, "book", "global/cold"),
                            *other = app_results_find(results, 0, "book", "constant/cold");
    return (struct app_claim_facts){
        .kernel_ratio = book_ratio(results, "kernel"),
        .kernel_net_ratio =
            ratio_of(app_results_find(results, 0, "book", "global/kernel"),
                     app_results_find(results, 0, "book", "constant/kernel"), APP_M_NET_MS),
        .window_ratio = book_ratio(results, "cold"),
        .generate_ms = {window ? app_result_number(window, APP_M_MEDIAN_MS, 0.0) : 0.0,
                        other ? app_result_number(other, APP_M_MEDIAN_MS, 0.0) : 0.0},
        .load_ms = window ? app_result_number(window, APP_M_LOAD_MS, 0.0) : 0.0,
    };
}

void app_results_judge(const struct app_results *results, const struct app_probes_view *probes,
                       double band_percent, struct app_claim claims[APP_CLAIM_COUNT])
{
    struct app_probes_view view;
    struct app_result *own = probes == NULL ? app_results_probes(results, 1, &view) : NULL;
    char scene[64];
    struct app_claim_facts facts = app_results_book_facts(results);
    name_scene(results, scene, sizeof scene);
    facts.scene = scene;
    facts.probes = probes != NULL ? probes : &view;
    facts.scene_ratio = ratio_of(find_mode(results, "book/global"),
                                 find_mode(results, "book/constant"), APP_M_MEDIAN_MS);
    facts.band_percent = band_percent;
    app_claims_judge(&facts, claims);
    free(own);
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

/* In a record whose times of modes were copied, replaces the device, which rendered the picture, by
 * the one that measured them, and the time by theirs. Where nothing names it, the record stays as
 * it is. */
static void restore_origin(struct app_results *results)
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

/* --- the files of a run --- */

/* Finds the folder of the shipped records: beside an installed program, else in the source tree.
 * Returns false when there is none. */
static bool find_folder(char folder[APP_PATH_MAX])
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

/* Appends the device of a shipped file, "h200" of "nvidia-h200-all.json.gz", to a list. */
static void list_device(const char *file, char *devices, size_t size)
{
    const char *name = file + strcspn(file, "-");
    const int length = name[0] ? (int)strcspn(name + 1, "-") : 0;
    char device[64];
    snprintf(device, sizeof device, "%.*s", length, name + 1);
    if (is_file_name(file) && length > 0 && !strstr(devices, device))
        app_append(devices, size, ", ", "%s", device);
}

/* Adds the shipped records of a device. */
static enum krn_code add_shipped(struct app_recorded_names *list, const char *folder,
                                 const char *name, struct krn_error *error)
{
    char wanted[64], path[APP_PATH_MAX], devices[200] = "";
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
        list_device(entry->d_name, devices, sizeof devices);
        if (!has_name(entry->d_name, wanted))
            continue;
        code = (size_t)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < sizeof path
                   ? add(list, path, error)
                   : KRN_FAIL(error, KRN_REFUSED, "The name of a recorded run is too long.");
    }
    closedir(stream);
    if (code == KRN_OK && list->count == first)
        return KRN_FAIL(error, KRN_UNAVAILABLE,
                        "No recorded run of %s is shipped; there are runs of %s, in %s.",
                        app_shorten(name).text, devices, app_shorten(folder).text);
    qsort(list->paths[first], (size_t)(list->count - first), sizeof *list->paths, compare_paths);
    return code;
}

enum krn_code app_recorded_list(const char *names, const char *folder,
                                struct app_recorded_names *list, struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    list->count = 0;
    if (is_file_name(names) && access(names, F_OK) == 0) /* it may have commas */
        return add(list, names, error);
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

/* --- modes, probes and claims of a run --- */

/* One mode at one scene, size and view. */
struct entry {
    struct krn_mode mode;
    int spheres, width, height;
    double zoom;            /* pixels per unit; 0: fit */
    struct krn_light light; /* of a mode of the light view; zoom is then 0 */
    bool camera_path;
    double radius_min, radius_max;
    uint64_t seed;
    const struct app_result *result;
    double *samples_ms; /* owned; of all processes */
    struct app_mode_time found;
};

struct app_recorded {
    struct app_results files[APP_RECORDED_FILES_MAX];
    int count;
    struct app_result *probes; /* of every topic, those of the newest record that has it */
    struct app_claim claims[APP_CLAIM_COUNT];
    struct app_mode_work modes[KRN_MODES_MAX];
    struct app_recorded_view view;
    struct entry *entries;
    size_t entry_count;
};

/* --- reading --- */

/* Fills in the numbers of an entry; those of the whole run come from the record. */
static void sum_up(struct entry *entry)
{
    const struct app_result *result = entry->result;
    const struct app_estimate median = app_result_metric(result, APP_M_MEDIAN_MS);
    const double m = median.value;
    struct krn_summary ms = {.min = m, .p5 = m, .p25 = m, .p75 = m, .p95 = m, .max = m};
    app_result_fields(result, &app_fields_of_times, &ms);
    ms.median = m;
    ms.n = app_result_samples(result);
    entry->found = (struct app_mode_time){
        .recorded = true,
        .valid = median.valid && ms.n > 0,
        .backend = result->backend,
        .mode = entry->mode,
        .ms = ms,
        .median = median,
        .overhead_ms = app_result_number(result, APP_M_OVERHEAD_MS, 0.0),
        .tick_ms = app_result_number(result, APP_M_TICK_MS, 0.0),
        .net = app_result_metric(result, APP_M_NET_MS),
        .of_limit = app_result_of_limit(result),
        .binning_ms = app_result_number(result, APP_M_LISTS_MEDIAN_MS, 0.0),
        .verified = result->verified,
        .samples_ms = entry->samples_ms,
        .result = result,
    };
    snprintf(entry->found.verified_text, sizeof entry->found.verified_text, "%s",
             result->verified_reason ? result->verified_reason : "");
    if (!entry->found.valid)
        entry->found.ms = (struct krn_summary){.n = 0};
    entry->found.median.trust |= APP_TRUST_BIT(APP_TRUST_RECORDED);
}

static bool same_workload(const struct entry *a, const struct entry *b)
{
    return a->spheres == b->spheres && a->width == b->width && a->height == b->height &&
           a->zoom == b->zoom && a->radius_min == b->radius_min && a->radius_max == b->radius_max &&
           a->seed == b->seed && app_light_same(&a->light, &b->light) &&
           a->camera_path == b->camera_path;
}

static const struct entry *find_entry(const struct app_recorded *recorded,
                                      const struct entry *wanted)
{
    for (size_t i = 0; i < recorded->entry_count; i++)
        if (same_workload(&recorded->entries[i], wanted) &&
            krn_mode_equal(recorded->entries[i].mode, wanted->mode))
            return &recorded->entries[i];
    return NULL;
}

/* Adds a mode's result unless the run has one of the same workload; scenes from files are left out,
 * because their recipe is not known. */
static enum krn_code add_entry(struct app_recorded *recorded, const struct app_result *result,
                               struct krn_mode mode, struct krn_error *error)
{
    const char *seed = app_result_text(result, APP_W_SEED),
               *camera = app_result_text(result, APP_W_CAMERA);
    if (!seed)
        return KRN_OK;
    struct entry entry = {
        .mode = mode,
        .spheres = app_result_integer(result, APP_W_SPHERES),
        .width = app_result_integer(result, APP_W_WIDTH),
        .height = app_result_integer(result, APP_W_HEIGHT),
        .zoom = app_result_number(result, APP_W_ZOOM, 0.0),
        .radius_min = app_result_number(result, APP_W_RADIUS_MIN, 0.0),
        .radius_max = app_result_number(result, APP_W_RADIUS_MAX, 0.0),
        .seed = strtoull(seed, NULL, 10),
        .light = {.bounces = app_result_integer(result, APP_W_BOUNCES),
                  .samples = app_result_integer(result, APP_W_SAMPLES)},
        .camera_path = app_result_text(result, APP_W_CAMERA_PATH) != NULL,
        .result = result,
    };
    if (camera)
        (void)app_camera_parse(camera, &entry.light.camera);
    if (find_entry(recorded, &entry))
        return KRN_OK;
    if (recorded->entry_count == APP_RECORDED_MODES_MAX)
        return KRN_FAIL(error, KRN_REFUSED, "%s has more than %d modes and scenes.",
                        recorded->files[0].device.name, APP_RECORDED_MODES_MAX);
    entry.samples_ms = krn_alloc(app_result_samples(result), sizeof *entry.samples_ms);
    (void)app_result_pool(result, false, entry.samples_ms);
    sum_up(&entry);
    recorded->entries[recorded->entry_count++] = entry;
    return KRN_OK;
}

static enum krn_code index_modes(struct app_recorded *recorded, struct krn_error *error)
{
    size_t all = 0;
    for (int f = 0; f < recorded->count; f++)
        all += recorded->files[f].count;
    recorded->entries = krn_alloc(all, sizeof *recorded->entries);
    enum krn_code code = KRN_OK;
    for (int f = 0; f < recorded->count; f++)
        for (size_t i = 0; i < recorded->files[f].count && code == KRN_OK; i++) {
            const struct app_result *result = &recorded->files[f].results[i];
            struct krn_mode mode;
            if (app_result_mode(result, &mode) &&
                result->backend == recorded->files[0].device.backend)
                code = add_entry(recorded, result, mode, error);
        }
    return code;
}

/* --- what the screen shows --- */

/* Writes the first word of a device's name that has a digit, "H200" of "NVIDIA H200", else its
 * beginning. */
static void brief_name(const char *name, char *brief, size_t size)
{
    size_t length = strlen(name);
    for (const char *word = name; *word; word += strspn(word, " ")) {
        const size_t end = strcspn(word, " ");
        if (strcspn(word, "0123456789") < end) {
            name = word;
            length = end;
            break;
        }
        word += end;
    }
    snprintf(brief, size, "%.*s", (int)(length < size ? length : size - 1), name);
}

static void name_run(struct app_recorded *recorded)
{
    const struct app_results *first = &recorded->files[0];
    struct app_recorded_view *view = &recorded->view;
    snprintf(view->name, sizeof view->name, "%.100s", first->device.name);
    brief_name(view->name, view->brief, sizeof view->brief);
    snprintf(view->date, sizeof view->date, "%.10s", first->time_utc);
}

/* Collects the modes of the book's scene with their work, for the roofline. */
static void collect_work(struct app_recorded *recorded)
{
    const struct app_results *first = &recorded->files[0];
    struct app_panels_view *panels = &recorded->view.panels;
    for (size_t i = 0; i < recorded->entry_count && panels->mode_count < KRN_MODES_MAX; i++) {
        const struct entry *entry = &recorded->entries[i];
        const double flops = app_result_number(entry->result, APP_M_FLOPS, 0.0),
                     bytes = app_result_number(entry->result, APP_M_BYTES, 0.0);
        if (first->picture.problem.code != KRN_OK ||
            entry->spheres != first->picture.state.spec.recipe.count ||
            entry->width != first->picture.state.spec.width ||
            entry->height != first->picture.state.spec.height || !entry->found.valid ||
            flops <= 0.0 || bytes <= 0.0)
            continue;
        recorded->modes[panels->mode_count++] =
            (struct app_mode_work){entry->mode, flops, bytes, entry->found.median};
    }
    panels->modes = recorded->modes;
}

/* Collects the probes, and judges the claims from them and from the first record that has any. */
static void collect_panels(struct app_recorded *recorded, double band_percent)
{
    int of = 0; /* the first record with probes, else the last */
    struct app_panels_view *panels = &recorded->view.panels;
    recorded->probes =
        app_results_probes(recorded->files, (size_t)recorded->count, &panels->probes);
    while (of + 1 < recorded->count && panels->probes.device != &recorded->files[of].device)
        of++;
    for (int i = 0; i < panels->probes.count; i++)
        recorded->probes[i].trust.reasons |= APP_TRUST_BIT(APP_TRUST_RECORDED);
    app_results_judge(&recorded->files[of], &panels->probes, band_percent, recorded->claims);
    for (int i = 0; i < APP_CLAIM_COUNT; i++)
        recorded->claims[i].now.estimate.trust |= APP_TRUST_BIT(APP_TRUST_RECORDED);
    panels->claims = recorded->claims;
    panels->why = "";
    collect_work(recorded);
}

/* Checks that all records are of one device. */
static enum krn_code check_device(const struct app_recorded *recorded,
                                  const struct app_recorded_names *names, struct krn_error *error)
{
    const struct app_results *first = &recorded->files[0];
    for (int f = 0; f < recorded->count; f++) {
        const struct app_results *results = &recorded->files[f];
        if (!results->has_device)
            return KRN_FAIL(error, KRN_REFUSED, "%s does not name its device.",
                            app_shorten(names->paths[f]).text);
        /* OpenGL names a GPU with its bus and more behind: "NVIDIA H200/PCIe/SSE2". */
        const bool other_api = results->device.backend != first->device.backend;
        if (strncmp(results->device.name, first->device.name,
                    other_api ? strlen(first->device.name) : sizeof first->device.name) != 0)
            return KRN_FAIL(error, KRN_REFUSED,
                            "A recorded run is of one device: %s is of %s, %s of %s.",
                            app_shorten(names->paths[0]).text, first->device.name,
                            app_shorten(names->paths[f]).text, results->device.name);
    }
    return KRN_OK;
}

static enum krn_code read_files(struct app_recorded *recorded,
                                const struct app_recorded_names *names, struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    for (int f = 0; f < names->count && code == KRN_OK; f++) {
        code = app_results_read_file(names->paths[f], &recorded->files[f], error);
        recorded->count += code == KRN_OK;
        if (code == KRN_OK)
            restore_origin(&recorded->files[f]);
    }
    return code == KRN_OK ? check_device(recorded, names, error) : code;
}

enum krn_code app_recorded_open(const char *names, double band_percent,
                                struct app_recorded **recorded, struct krn_error *error)
{
    struct app_recorded_names *list = krn_alloc(1, sizeof *list);
    struct app_recorded *made = krn_alloc(1, sizeof *made);
    char folder[APP_PATH_MAX];
    *recorded = NULL;
    if (!find_folder(folder))
        folder[0] = 0;
    enum krn_code code = app_recorded_list(names, folder, list, error);
    KRN_THEN(code, read_files(made, list, error));
    KRN_THEN(code, index_modes(made, error));
    if (code == KRN_OK) {
        name_run(made);
        collect_panels(made, band_percent);
    }
    free(list);
#ifdef __GLIBC__
    /* Reading has taken, and freed, several times the memory of the run; the C library would keep
     * it. */
    malloc_trim(0);
#endif
    if (code == KRN_OK)
        *recorded = made;
    else
        app_recorded_close(made);
    return code;
}

void app_recorded_close(struct app_recorded *recorded)
{
    if (!recorded)
        return;
    for (size_t i = 0; i < recorded->entry_count; i++)
        free(recorded->entries[i].samples_ms);
    free(recorded->entries);
    free(recorded->probes);
    for (int f = 0; f < recorded->count; f++)
        app_results_free(&recorded->files[f]);
    free(recorded);
}

const struct app_recorded_view *app_recorded_view(const struct app_recorded *recorded)
{
    return &recorded->view;
}

const struct app_results *app_recorded_records(const struct app_recorded *recorded, size_t *count)
{
    *count = (size_t)recorded->count;
    return recorded->files;
}

/* --- modes --- */

static struct entry wanted_of(const struct app_state *state, struct krn_mode mode)
{
    struct entry entry = {
        .mode = mode,
        .spheres = state->spec.recipe.count,
        .width = state->spec.width,
        .height = state->spec.height,
        .radius_min = (double)state->spec.recipe.radius_min,
        .radius_max = (double)state->spec.recipe.radius_max,
        .seed = state->spec.recipe.seed,
    };
    if (krn_mode_view(mode) == KRN_VIEW_LIGHT) {
        entry.light = state->spec.light;
        entry.camera_path = state->spec.camera_path;
    } else {
        entry.zoom = state->spec.zoom;
    }
    return entry;
}

/* Lists the numbers of spheres that were recorded beside those of `wanted`, ascending. */
static struct app_sweep_values find_counts(const struct app_recorded *recorded,
                                           const struct entry *wanted)
{
    struct app_sweep_values counts = {.count = 0};
    struct entry same = *wanted;
    for (size_t i = 0; i < recorded->entry_count; i++) {
        same.spheres = recorded->entries[i].spheres;
        if (same_workload(&recorded->entries[i], &same))
            (void)app_sweep_add(&counts, APP_SWEEP_COUNTS, same.spheres);
    }
    return counts;
}

/* Returns true when a mode of the view was recorded, in whatever scene. */
static bool has_view(const struct app_recorded *recorded, enum krn_view_kind view)
{
    for (size_t i = 0; i < recorded->entry_count; i++)
        if (krn_mode_view(recorded->entries[i].mode) == view)
            return true;
    return recorded->entry_count == 0;
}

/* Writes why a mode has no number: what was asked for, and what is recorded. */
static void describe_missing(const struct app_recorded *recorded, const struct app_state *state,
                             const struct entry *wanted, char *text, size_t size)
{
    const struct entry *first = recorded->entry_count > 0 ? recorded->entries : NULL;
    char spheres[96] = "", mode[APP_MODE_TEXT_MAX];
    if (!has_view(recorded, krn_mode_view(wanted->mode))) {
        snprintf(text, size, "not recorded: the %s view",
                 krn_view_name(krn_mode_view(wanted->mode)));
        return;
    }
    if (state->spec.scene != APP_SCENE_RANDOM) {
        snprintf(text, size, "not recorded: scenes from files");
        return;
    }
    const struct app_sweep_values counts = find_counts(recorded, wanted);
    for (int i = 0; i < counts.count; i++)
        app_append(spheres, sizeof spheres, ", ", "%d", counts.at[i]);
    if (counts.count == 0) {
        if (!first)
            snprintf(text, size, "not recorded: the ray tracer");
        else if (first->width != wanted->width || first->height != wanted->height)
            snprintf(text, size, "not recorded: %d×%d; recorded is %d×%d", wanted->width,
                     wanted->height, first->width, first->height);
        else if (first->seed != wanted->seed)
            snprintf(text, size, "not recorded: seed %llu; recorded is seed %llu",
                     (unsigned long long)wanted->seed, (unsigned long long)first->seed);
        else
            snprintf(text, size, "not recorded: %s or these radii",
                     krn_mode_view(wanted->mode) == KRN_VIEW_LIGHT ? "this camera, its bounces"
                                                                   : "this zoom");
        return;
    }
    for (size_t i = 0; i < recorded->entry_count; i++)
        if (same_workload(&recorded->entries[i], wanted)) {
            krn_mode_name(wanted->mode, mode, sizeof mode);
            snprintf(text, size, "not recorded: %s with %d spheres", mode, wanted->spheres);
            return;
        }
    snprintf(text, size, "not recorded: %d spheres; recorded are %s", wanted->spheres, spheres);
}

struct app_mode_time app_recorded_find(const struct app_recorded *recorded,
                                       const struct app_state *state, struct krn_mode mode)
{
    const struct entry wanted = wanted_of(state, mode);
    const struct entry *entry =
        state->spec.scene == APP_SCENE_RANDOM ? find_entry(recorded, &wanted) : NULL;
    struct app_mode_time found = {
        .recorded = true, .backend = recorded->files[0].device.backend, .mode = mode};
    if (entry)
        found = entry->found;
    if (!found.valid)
        describe_missing(recorded, state, &wanted, found.missing, sizeof found.missing);
    return found;
}

struct app_sweep_values app_recorded_counts(const struct app_recorded *recorded,
                                            const struct app_state *state)
{
    const struct entry wanted = wanted_of(state, state->spec.mode);
    return state->spec.scene == APP_SCENE_RANDOM ? find_counts(recorded, &wanted)
                                                 : (struct app_sweep_values){.count = 0};
}

/* --- the story plot --- */

void app_recorded_story(const struct app_recorded *recorded, const struct app_state *state,
                        double band_percent, struct app_story_view *view)
{
    struct entry wanted = wanted_of(state, app_mode_first(KRN_VIEW_BOOK));
    struct app_sweep_values counts = {.count = 0};
    if (state->spec.scene == APP_SCENE_RANDOM)
        counts = find_counts(recorded, &wanted);
    free(view->sweep);
    memset(view, 0, sizeof *view);
    view->sweep = app_sweep_new(KRN_VIEW_BOOK, &counts, NULL);
    view->sweep->one_storage = !recorded->files[0].device.can.distinct_storages;
    for (size_t i = 0; i < recorded->entry_count; i++) {
        const struct entry *entry = &recorded->entries[i];
        wanted.spheres = entry->spheres;
        const int at = app_sweep_index(&counts, entry->spheres);
        if (at == counts.count || !same_workload(entry, &wanted) || !entry->found.valid)
            continue;
        app_sweep_put(view->sweep, krn_mode_index(entry->mode), at, &entry->found.median,
                      entry->result);
        view->trust |= entry->found.median.trust;
        view->least =
            view->least == 0 || entry->found.ms.n < view->least ? entry->found.ms.n : view->least;
    }
    app_story_headline_of(view->sweep, band_percent, &view->headline);
    view->recorded = &recorded->view;
    view->begun = view->done = true;
    view->progress = 1.0;
    view->width = state->spec.width;
    view->height = state->spec.height;
    if (view->least == 0)
        snprintf(view->why, sizeof view->why, "Not recorded: this scene, size or zoom.");
}

/* --- reading in a thread of its own --- */

/* Until `done`, the thread owns `recorded`. */
struct app_recorded_loader {
    char names[APP_PATH_MAX];
    double band_percent;
    struct app_recorded *recorded;
    pthread_t thread;
    bool started; /* and not joined yet */
    atomic_bool done;
};

static void *load(void *context)
{
    struct app_recorded_loader *loader = context;
    struct krn_error error;
    app_locale_begin();
    if (app_recorded_open(loader->names, loader->band_percent, &loader->recorded, &error) != KRN_OK)
        loader->recorded = NULL;
    atomic_store(&loader->done, true);
    return NULL;
}

struct app_recorded_loader *app_recorded_loader_start(const char *names, double band_percent)
{
    struct app_recorded_loader *loader = krn_alloc(1, sizeof *loader);
    snprintf(loader->names, sizeof loader->names, "%s", names);
    loader->band_percent = band_percent;
    loader->started = pthread_create(&loader->thread, NULL, load, loader) == 0;
    if (!loader->started) {
        free(loader);
        return NULL;
    }
    return loader;
}

struct app_recorded_loader *app_recorded_loader_of(struct app_recorded *recorded)
{
    struct app_recorded_loader *loader = krn_alloc(1, sizeof *loader);
    loader->recorded = recorded;
    atomic_store(&loader->done, true);
    return loader;
}

const struct app_recorded *app_recorded_loader_poll(struct app_recorded_loader *loader)
{
    return loader && atomic_load(&loader->done) ? loader->recorded : NULL;
}

const struct app_recorded *app_recorded_loader_wait(struct app_recorded_loader *loader)
{
    if (loader && loader->started) {
        pthread_join(loader->thread, NULL);
        loader->started = false;
    }
    return app_recorded_loader_poll(loader);
}

void app_recorded_loader_close(struct app_recorded_loader *loader)
{
    if (!loader)
        return;
    (void)app_recorded_loader_wait(loader);
    app_recorded_close(loader->recorded);
    free(loader);
}
