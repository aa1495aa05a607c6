/* app/command/options.c - the command-line parser. */
#include "command/options.h"

#include "base/files.h"
#include "command/command.h"
#include "command/entry.h"
#include "spec/state.h"

#include "krn/duel.h"
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct app_run app_run_default(void)
{
    struct app_run run;
    memset(&run, 0, sizeof run);
    run.backend = -1;
    run.window_width = 1280;
    run.window_height = 720;
    run.monitor = -1;
    run.band_percent = KRN_DUEL_BAND_PERCENT;
    run.panel_share = 10.0;
    run.processes = 5;
    return run;
}

bool app_run_sweeps(const struct app_run *run)
{
    return run->sweep[APP_SWEEP_SPHERES].on || run->sweep[APP_SWEEP_BOUNCES].on;
}

bool app_run_measures(const struct app_run *run)
{
    return run->bench[0] != 0 || app_run_sweeps(run) || (run->duel && !run->offscreen);
}

bool app_run_names_device(const struct app_run *run)
{
    return run->backend >= 0 || run->device_given;
}

bool app_run_records(const struct app_run *run)
{
    return run->record_frames[0] != 0 || run->video[0] != 0;
}

bool app_run_follows_pane(const struct app_run *run)
{
    return !run->size_given && run->play[0] == 0 && run->talk[0] == 0 && run->replay[0] == 0;
}

bool app_run_benches(const struct app_run *run, const char *name)
{
    const size_t length = strlen(name);
    const char *at = run->bench;
    do {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == 0 || at[length] == ','))
            return true;
        at = strchr(at, ',');
    } while (at != NULL);
    return strcmp(run->bench, "all") == 0;
}

enum { FLAG_MAX = 40 };

/* Returns the Damerau-Levenshtein distance (optimal string alignment) of two texts of at most
 * FLAG_MAX characters: insertions, deletions, replacements and swaps of neighbours count 1 each. */
static int distance(const char *a, const char *b)
{
    int table[FLAG_MAX + 1][FLAG_MAX + 1];
    const int n = (int)strlen(a), m = (int)strlen(b);
    for (int i = 0; i <= n; i++) {
        for (int j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                table[i][j] = i + j;
                continue;
            }
            int best = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (table[i - 1][j] + 1 < best)
                best = table[i - 1][j] + 1;
            if (table[i][j - 1] + 1 < best)
                best = table[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                table[i - 2][j - 2] + 1 < best)
                best = table[i - 2][j - 2] + 1;
            table[i][j] = best;
        }
    }
    return table[n][m];
}

/* Returns the flag of the option that the user probably meant, or NULL. */
static const char *nearest_flag(const char *text)
{
    size_t count;
    const struct app_command_entry *entries = app_commands(&count);
    char flag[FLAG_MAX + 1];
    const size_t dashes = strspn(text, "-");
    const int length = (int)strcspn(text + dashes, "=");
    if (length > FLAG_MAX - 2)
        return NULL;
    snprintf(flag, sizeof flag, "--%.*s", length, text + dashes);
    const char *nearest = NULL;
    int least = length < 4 ? 1 : 2; /* at distance 2, short words match almost anything */
    for (size_t i = 0; i < count; i++) {
        const char *other = entries[i].flag;
        if (other == NULL || strlen(other) > FLAG_MAX)
            continue;
        const bool initial = length == 1 && other[2] == flag[2];
        const int changes = initial ? 1 : distance(flag, other);
        if (changes <= least) { /* on a tie the last option wins */
            least = changes;
            nearest = other;
        }
    }
    return nearest;
}

enum { ENTRIES_MAX = 128 };

/* The option of one table entry, as given on the command line. */
struct slot {
    bool seen;
    struct app_given given;
};

struct parse {
    const struct app_command_entry *entries;
    size_t count;
    struct slot slots[ENTRIES_MAX];
};

/* Options that contradict each other in every run. */
static const struct conflict {
    const char *first, *other, *why;
    int axis; /* 1 + the axis of --sweep that contradicts; 0: none */
} conflicts[] = {
    {"--scene", "--spheres", "a scene file sets the number of spheres", 0},
    {"--scene", "--radii", "a scene file sets the radii", 0},
    {"--scene", "--seed", "a scene file is not random", 0},
    {"--duel", "--storage", "--duel names both modes", 0},
    {"--duel", "--modes", "--duel names both modes", 0},
    {"--replay", "--duel", "a replay times the modes of its record", 0},
    {"--talk", "--replay", "a replay shows the state of its record", 0},
    {"--record", "--json", "--record writes its results itself", 0},
    {"--sweep", "--spheres", "a sweep sets the number of spheres", 1 + APP_SWEEP_SPHERES},
    {"--sweep", "--scene", "a scene file sets the number of spheres", 1 + APP_SWEEP_SPHERES},
    {"--sweep", "--bounces", "a sweep sets the number of bounces", 1 + APP_SWEEP_BOUNCES},
};

static enum krn_code fail_unknown(const char *text, struct krn_error *error)
{
    if (text[0] != '-')
        return KRN_FAIL(
            error, KRN_REFUSED,
            "\"%s\" is not an option; all arguments are options, and --help lists them.",
            app_shorten(text).text);
    const char *nearest = nearest_flag(text);
    return KRN_FAIL(error, KRN_REFUSED, "There is no option %s%s%s; --help lists all.",
                    app_shorten(text).text, nearest != NULL ? ", did you mean " : "",
                    nearest != NULL ? nearest : "");
}

/* Reads the option at argv[*at] and its value, if it takes one. Leaves *at on the last argument
 * read. */
static enum krn_code read_option(struct parse *parse, int argc, char *const argv[], int *at,
                                 struct krn_error *error)
{
    const char *text = strcmp(argv[*at], "-h") == 0 ? "--help" : argv[*at];
    const size_t length = strcspn(text, "=");
    char flag[FLAG_MAX + 1], takes[256];
    snprintf(flag, sizeof flag, "%.*s", (int)length, text);
    const struct app_command_entry *entry = length < sizeof flag ? app_command_by_flag(flag) : NULL;
    if (entry == NULL)
        return fail_unknown(text, error);
    struct slot *slot = &parse->slots[entry - parse->entries];
    app_value_describe(&entry->value, takes, sizeof takes);
    if (slot->seen)
        return KRN_FAIL(error, KRN_REFUSED, "%s is given twice; it takes %s, once.", entry->flag,
                        takes);
    slot->seen = true;
    const char *value = text[length] == '=' ? text + length + 1 : NULL;
    if (entry->value.kind == APP_VALUE_NONE) {
        slot->given.on = true;
        return value == NULL ? KRN_OK
                             : KRN_FAIL(error, KRN_REFUSED, "%s takes no value.", entry->flag);
    }
    /* an argument that starts with "--" is the next option; "--json=--x" makes it a value */
    if (value == NULL && *at + 1 < argc && strncmp(argv[*at + 1], "--", 2) != 0)
        value = argv[++*at];
    if (value == NULL || value[0] == 0)
        return KRN_FAIL(error, KRN_REFUSED, "%s needs a value: %s.", entry->flag, takes);
    bool good = app_value_parse(&entry->value, value, &slot->given);
    if (good && entry->value.list && value == argv[*at]) {
        slot->given.rest = &argv[*at + 1];
        while (good && *at + 1 < argc && strncmp(argv[*at + 1], "--", 2) != 0 &&
               argv[*at + 1][0] != 0) {
            struct app_given one;
            value = argv[++*at];
            good = app_value_parse(&entry->value, value, &one);
            slot->given.rest_count++;
        }
    }
    if (!good)
        return KRN_FAIL(error, KRN_REFUSED, "%s takes %s, not \"%s\".", entry->flag, takes,
                        app_shorten(value).text);
    if (entry->value.file == APP_FILE_WRITTEN && app_descriptor_of(value) == STDOUT_FILENO)
        slot->given.text = "-"; /* by whatever name, it is one place, and words go elsewhere */
    return KRN_OK;
}

static const struct slot *find_slot(const struct parse *parse, const char *flag)
{
    return &parse->slots[app_command_by_flag(flag) - parse->entries];
}

/* Returns true when the option was given; --scene book is the scene of a run without the option. */
static bool was_given(const struct parse *parse, const char *flag)
{
    const struct slot *slot = find_slot(parse, flag);
    return slot->seen && !(slot->given.word && strcmp(flag, "--scene") == 0);
}

/* Returns what a run does not do that offers nothing of what an option needs. */
static const char *lacking(unsigned offers, unsigned needs)
{
    return needs == APP_USE_RESULTS                                     ? "writes no results record"
           : needs == APP_USE_MODES                                     ? "takes no choice of modes"
           : needs == APP_USE_SHOWN                                     ? "shows no record"
           : needs == APP_USE_FRAMES && (offers & APP_USE_PICTURE) != 0 ? "draws no frames"
           : needs == APP_USE_PICTURE || needs == APP_USE_FRAMES        ? "draws nothing"
                                                                        : "opens no window";
}

/* Checks that the run that one option chooses has a use for another. Alone, --duel is a run, and
 * with --offscreen what its picture shows. */
static enum krn_code check_use(const struct parse *parse, const struct app_command_entry *chooses,
                               const struct app_command_entry *other, struct krn_error *error)
{
    const struct app_command_entry *duel = app_command_by_flag("--duel"),
                                   *offscreen = app_command_by_flag("--offscreen");
    const bool lacks = other->needs != 0 && (chooses->offers & other->needs) == 0;
    const bool own = (other->needs & (APP_USE_WINDOW | APP_USE_FRAMES)) != 0;
    const char *instead = own ? chooses->instead : other->instead;
    char why[160], text[200];
    if ((chooses == duel || other == duel) && was_given(parse, offscreen->flag))
        return KRN_OK;
    /* Where the other run lacks what this one needs, that is said. */
    if (!lacks && (other->run == NULL || (chooses->needs & ~other->offers) != 0))
        return KRN_OK;
    if (chooses == duel && lacks && (offscreen->offers & other->needs) != 0)
        return KRN_FAIL(error, KRN_REFUSED,
                        "--duel with %s needs --offscreen: alone it draws nothing.", other->flag);
    if (lacks)
        snprintf(why, sizeof why, "%s %s%s%s", chooses->run, lacking(chooses->offers, other->needs),
                 instead != NULL ? "; " : "", instead != NULL ? instead : "");
    else
        snprintf(why, sizeof why, "each is a run of its own");
    app_key_hints(why, text, sizeof text);
    return KRN_FAIL(error, KRN_REFUSED, "%s and %s exclude each other: %s.", chooses->flag,
                    other->flag, text);
}

static enum krn_code check_conflicts(const struct parse *parse, struct krn_error *error)
{
    const struct app_value *backend = &app_command_by_flag("--backend")->value;
    const int choice = find_slot(parse, "--backend")->given.choice;
    enum krn_code code = KRN_OK;
    if (strcmp(backend->choices[choice], "auto") != 0 &&
        strcmp(backend->choices[choice], "cuda") != 0 && was_given(parse, "--device"))
        return KRN_FAIL(error, KRN_REFUSED,
                        "--backend %s and --device exclude each other: only CUDA devices are "
                        "numbered.",
                        backend->choices[choice]);
    for (size_t i = 0; i < sizeof conflicts / sizeof *conflicts; i++) {
        const struct conflict *c = &conflicts[i];
        const struct app_span *spans = find_slot(parse, "--sweep")->given.spans;
        const char *axis =
            c->axis > 0 ? app_command_by_flag("--sweep")->value.spans[c->axis - 1].name : "";
        if (was_given(parse, c->first) && was_given(parse, c->other) &&
            (c->axis == 0 || spans[c->axis - 1].on))
            return KRN_FAIL(error, KRN_REFUSED, "%s%s%s%s and %s exclude each other: %s.", c->first,
                            c->axis > 0 ? " " : "", axis, c->axis > 0 ? "=A..B" : "", c->other,
                            c->why);
    }
    for (size_t i = 0; i < parse->count && code == KRN_OK; i++)
        for (size_t j = 0; j < parse->count && code == KRN_OK; j++)
            if (i != j && parse->slots[i].seen && parse->slots[j].seen && parse->entries[i].run)
                code = check_use(parse, &parse->entries[i], &parse->entries[j], error);
    return code;
}

/* Applies the options. state or run may be NULL: options for it are left out. */
static enum krn_code put_values(const struct parse *parse, struct app_state *state,
                                struct app_run *run, struct krn_error *error)
{
    struct app_facts facts; /* which backends exist is not known yet, so no option is refused */
    memset(&facts, 0, sizeof facts);
    for (size_t i = 0; i < parse->count; i++) {
        const struct app_command_entry *entry = &parse->entries[i];
        if (!parse->slots[i].seen)
            continue;
        const struct app_argument argument = {.step = APP_STEP_SET, .given = parse->slots[i].given};
        struct app_reply reply;
        if (entry->place == APP_PLACE_RUN ? run == NULL : state == NULL)
            continue;
        if (entry->place == APP_PLACE_RUN) {
            if (!app_command_put(entry, &argument.given, run))
                return KRN_FAIL(error, KRN_REFUSED, "%s: the text is too long; at most %zu bytes.",
                                entry->flag, app_command_bytes_max(entry));
        } else if (app_change(state, &facts, entry, &argument, &reply) != APP_DONE) {
            return KRN_FAIL(error, KRN_REFUSED, "%s: %s", entry->flag, reply.text);
        }
    }
    return KRN_OK;
}

/* Returns true when `path` is one of the files that the option reads. */
static bool reads_file(const struct slot *slot, const char *path)
{
    const char *text = slot->given.text;
    if (app_same_file(text, path))
        return true;
    for (size_t length; text[0] != 0; text += length + (text[length] != 0)) { /* joined by commas */
        char name[APP_PATH_MAX];
        length = strcspn(text, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, text);
        if (app_same_file(name, path))
            return true;
    }
    return false;
}

/* Checks two options that name files, of which the first one writes. */
static enum krn_code check_pair(const struct app_command_entry *writes, const char *path,
                                const struct app_command_entry *other, const struct slot *slot,
                                struct krn_error *error)
{
    const bool out = strcmp(path, "-") == 0 && strcmp(slot->given.text, "-") == 0;
    if (other->value.file == APP_FILE_READ)
        return !reads_file(slot, path)
                   ? KRN_OK
                   : KRN_FAIL(error, KRN_REFUSED, "%s would replace what %s reads: %s.",
                              writes->flag, other->flag, app_shorten(path).text);
    if (!app_same_file(path, slot->given.text))
        return KRN_OK;
    return KRN_FAIL(error, KRN_REFUSED, "%s %s and %s %s exclude each other: %s.", writes->flag,
                    out ? "-" : "FILE", other->flag, out ? "-" : "FILE",
                    out ? "both need standard output" : "both name one file");
}

/* Two outputs must not go to one place, and none replaces what the run reads. */
static enum krn_code check_files(const struct parse *parse, struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    for (size_t i = 0; i < parse->count; i++) {
        const struct app_command_entry *writes = &parse->entries[i];
        const struct slot *written = &parse->slots[i];
        if (!written->seen || writes->value.file <= APP_FILE_READ)
            continue;
        for (size_t j = 0; j < parse->count && code == KRN_OK; j++) {
            const enum app_file_use use = parse->entries[j].value.file;
            const bool both_write = use > APP_FILE_READ;
            if (parse->slots[j].seen && use != APP_FILE_NONE && (!both_write || j > i))
                code = check_pair(writes, written->given.text, &parse->entries[j], &parse->slots[j],
                                  error);
        }
    }
    return code;
}

size_t app_run_outputs(const struct app_run *run, const char *paths[APP_OUTPUTS_MAX])
{
    size_t count, n = 0;
    const struct app_command_entry *entries = app_commands(&count);
    for (size_t i = 0; i < count && n < APP_OUTPUTS_MAX; i++) {
        const char *path = (const char *)run + entries[i].offset;
        if (entries[i].value.file == APP_FILE_WRITTEN && path[0] != 0)
            paths[n++] = path;
    }
    return n;
}

static enum krn_code read_options(struct parse *parse, int argc, char *const argv[],
                                  struct krn_error *error)
{
    memset(parse, 0, sizeof *parse);
    parse->entries = app_commands(&parse->count);
    if (parse->count > ENTRIES_MAX)
        return KRN_FAIL(error, KRN_FAILED,
                        "The command table has more entries than its parser has room for.");
    enum krn_code code = KRN_OK;
    for (int i = 1; i < argc && code == KRN_OK; i++)
        code = read_option(parse, argc, argv, &i, error);
    return code == KRN_OK ? check_conflicts(parse, error) : code;
}

/* Shows the view that the run measures: that of --modes, when it names modes of another view alone,
 * and for a sweep of bounces the light view, unless an option names the book view. */
static void show_measured(const struct parse *parse, struct app_state *state,
                          const struct app_run *run)
{
    const bool light = run->sweep[APP_SWEEP_BOUNCES].on && !was_given(parse, "--view") &&
                       !was_given(parse, "--kernel");
    const enum krn_view_kind view =
        app_mode_patterns_view(run->modes, light ? KRN_VIEW_LIGHT : app_state_view(state));
    struct krn_mode mode = app_mode_first(view);
    if (view == app_state_view(state))
        return;
    mode.storage = state->spec.mode.storage; /* the first kernel of a view reads every storage */
    app_state_set_mode(state, mode);
}

/* Checks that --modes names modes of one view, and of `view` in a replay, which keeps its view. */
static enum krn_code check_modes(const struct app_run *run, const enum krn_view_kind *view,
                                 struct krn_error *error)
{
    if (app_mode_patterns_mix(run->modes))
        return KRN_FAIL(error, KRN_REFUSED,
                        "--modes names modes of both views, book and light: a run measures those "
                        "of one.");
    if (view != NULL && app_mode_patterns_view(run->modes, *view) != *view)
        return KRN_FAIL(error, KRN_REFUSED,
                        "--modes names no mode of the %s view, which the replay shows.",
                        krn_view_name(*view));
    return KRN_OK;
}

/* Checks that no option contradicts the view that is drawn. */
static enum krn_code check_view(const struct parse *parse, const struct app_state *state,
                                const struct app_run *run, struct krn_error *error)
{
    const enum krn_view_kind view = app_state_view(state);
    const struct slot *slot = find_slot(parse, "--view");
    const char *draws = was_given(parse, "--duel")    ? "--duel"
                        : was_given(parse, "--modes") ? "--modes"
                                                      : "--kernel";
    const bool modes = app_mode_patterns_view(run->modes, KRN_VIEW_LIGHT) != KRN_VIEW_LIGHT;
    const char *names = slot->seen ? "--view" : modes ? "--modes" : "--kernel";
    const char *heat = app_state_heat_refused(state, state->look.heat);
    if (slot->seen && slot->given.choice != (int)view)
        return KRN_FAIL(error, KRN_REFUSED,
                        "--view %s and %s exclude each other: the %s kernel draws the %s view.",
                        krn_view_name((enum krn_view_kind)slot->given.choice), draws,
                        krn_kernel_name(state->spec.mode.kernel), krn_view_name(view));
    if (run->sweep[APP_SWEEP_BOUNCES].on && view != KRN_VIEW_LIGHT)
        return KRN_FAIL(error, KRN_REFUSED,
                        "--sweep bounces=A..B and %s exclude each other: %s names the %s view, "
                        "which has no bounces.",
                        names, names, krn_view_name(view));
    if (was_given(parse, "--heatmap") && heat != NULL)
        return KRN_FAIL(error, KRN_REFUSED, "--heatmap: %s", heat);
    return KRN_OK;
}

/* Checks that the kernel of --kernel-file has a file where modes name it. */
static enum krn_code check_mine(const struct app_state *state, const struct app_run *run,
                                struct krn_error *error)
{
    if ((run->kernel_file[0] != 0 && !run->kernel_folder) ||
        (!app_state_has_mine(state) && !app_mode_patterns_mine(run->modes)))
        return KRN_OK;
    return KRN_FAIL(error, KRN_REFUSED,
                    "The kernel mine is your own: name its file with --kernel-file FILE.cu.");
}

/* Takes in that --kernel-file names a folder: its board is shown, and measured in one process,
 * whose times are compared with each other. */
static void take_folder(const struct parse *parse, struct app_state *state, struct app_run *run)
{
    struct stat status;
    run->kernel_folder =
        run->kernel_file[0] != 0 && stat(run->kernel_file, &status) == 0 && S_ISDIR(status.st_mode);
    if (!run->kernel_folder)
        return;
    if (!was_given(parse, "--processes"))
        run->processes = 1;
    if (!was_given(parse, "--page"))
        state->look.page = APP_SUBJECT_CLASS;
    if (!was_given(parse, "--page") && !was_given(parse, "--panels"))
        state->look.panels = APP_PANELS_FULL;
}

/* Checks that the options and what they were applied to can be rendered together. */
static enum krn_code check_combination(const struct app_state *state, const struct app_run *run,
                                       struct krn_error *error)
{
    struct krn_error combination;
    const enum krn_code code = app_state_check(state, &combination);
    if (code != KRN_OK && run->duel)
        return KRN_FAIL(error, code, "--duel with --spheres %d: %s", state->spec.recipe.count,
                        combination.text);
    if (code != KRN_OK)
        return KRN_FAIL(
            error, code, "--kernel %s with --storage %s, --pixels-per-thread %d, --spheres %d: %s",
            krn_kernel_name(state->spec.mode.kernel), krn_storage_name(state->spec.mode.storage),
            state->spec.mode.pixels_per_thread, state->spec.recipe.count, combination.text);
    return KRN_OK;
}

/* Takes the backend that --duel names for A as that of the run. */
static enum krn_code take_duel(const struct parse *parse, struct app_run *run,
                               struct krn_error *error)
{
    struct krn_mode modes[2];
    int backends[2] = {-1, -1};
    const struct app_given *given = &find_slot(parse, "--duel")->given;
    if (!was_given(parse, "--duel") || given->word ||
        !app_modes_parse(given->text, modes, backends))
        return KRN_OK;
    if (run->play[0] != 0 && (backends[0] >= 0 || backends[1] >= 0))
        return KRN_FAIL(error, KRN_REFUSED,
                        "--duel with a backend cannot be combined with --play, which has the times "
                        "of one.");
    if (backends[0] >= 0 && run->backend >= 0 && run->backend != backends[0])
        return KRN_FAIL(error, KRN_REFUSED, "--duel and --backend name different backends for A.");
    if (backends[0] >= 0)
        run->backend = backends[0];
    return KRN_OK;
}

enum krn_code app_options_restore(int argc, char *const argv[], const struct app_state *recorded,
                                  struct app_state *state, struct krn_error *error)
{
    struct parse parse;
    struct app_run run = app_run_default();
    memcpy(state, recorded, sizeof *state);
    enum krn_code code = read_options(&parse, argc, argv, error);
    KRN_THEN(code, put_values(&parse, state, &run, error));
    KRN_THEN(code, check_view(&parse, state, &run, error));
    const enum krn_view_kind view = app_state_view(state);
    KRN_THEN(code, check_modes(&run, &view, error));
    run.duel = code == KRN_OK && was_given(&parse, "--duel");
    return code == KRN_OK ? check_combination(state, &run, error) : code;
}

enum krn_code app_options_parse(int argc, char *const argv[], struct app_state *state,
                                struct app_run *run, struct krn_error *error)
{
    struct parse parse;
    *state = app_state_default();
    *run = app_run_default();
    enum krn_code code = read_options(&parse, argc, argv, error);
    const bool replays = code == KRN_OK && was_given(&parse, "--replay");
    KRN_THEN(code, put_values(&parse, replays ? NULL : state, run, error));
    KRN_THEN(code, check_modes(run, NULL, error));
    KRN_THEN(code, take_duel(&parse, run, error));
    if (code == KRN_OK && !replays)
        show_measured(&parse, state, run);
    if (code == KRN_OK)
        take_folder(&parse, state, run);
    if (code == KRN_OK && !replays)
        code = check_view(&parse, state, run, error);
    KRN_THEN(code, check_mine(state, run, error));
    KRN_THEN(code, check_files(&parse, error));
    if (code != KRN_OK)
        return code;
    for (size_t i = 0; i < parse.count; i++)
        if (parse.entries[i].given != 0)
            memcpy((char *)run + parse.entries[i].given, &parse.slots[i].seen, sizeof(bool));
    run->qr_given = run->qr_given && find_slot(&parse, "--qr")->given.on;
    run->duel = was_given(&parse, "--duel") && state->spec.duel.on;
    if (run->narrow && !run->processes_given)
        run->processes = KRN_PROCESSES_MAX;
    if (run->record[0] != 0) { /* all benchmarks, and then a sweep (main.c) */
        snprintf(run->bench, sizeof run->bench, "all");
        snprintf(run->json, sizeof run->json, "%s", run->record);
    }
    if (run->play[0] != 0 && run->html[0] != 0 && run->talk[0] == 0)
        run->offscreen = true; /* nobody need watch (main.c) */
    if (run->backend >= 0)
        state->spec.backend = (enum krn_backend_id)run->backend;
    return replays ? KRN_OK : check_combination(state, run, error);
}

const char *app_run_lacks(const struct app_run *run)
{
    const bool modes = app_run_benches(run, "raytrace") || app_run_sweeps(run) || run->offscreen;
    if (run->fail_on_slower && run->compare.first == NULL)
        return "--fail-on-slower needs --compare: slower than what?";
    if (run->check && run->talk[0] == 0)
        return "--check needs --talk: it walks through a talk.";
    if (run->presenter && run->talk[0] == 0)
        return "--presenter needs --talk: it shows the notes of a talk.";
    if (run->compare.first != NULL && run->compare.rest_count < 1)
        return "--compare needs at least two records: the baseline, and one to compare with it.";
    if (run->processes_given && !app_run_measures(run))
        return "--processes needs --bench, --sweep or --duel: nothing else measures in several "
               "processes.";
    if (run->kernel_folder && (run->processes > 1 || run->narrow || run->device == APP_DEVICE_ALL))
        return "The kernels of a folder are compared in one process on one device: --processes, "
               "--narrow and --device all need --kernel-file FILE.cu.";
    if (run->kernel_folder &&
        (app_run_sweeps(run) || run->duel ||
         (run->bench[0] != 0 && (!app_run_benches(run, "raytrace") || run->modes[0] != 0))))
        return "--kernel-file FOLDER needs a window, --offscreen, or --bench raytrace without "
               "--modes: "
               "nothing else ranks kernels.";
    if (run->narrow && run->processes < APP_NARROW_FIRST)
        return "--narrow needs --processes 8 at least: fewer say too little of their own spread.";
    if (run->narrow && run->bench[0] == 0 && !app_run_sweeps(run))
        return "--narrow needs --bench or --sweep: nothing else has intervals to narrow.";
    if (run->device == APP_DEVICE_ALL && !app_run_measures(run))
        return "--device all needs --bench, --sweep or --duel: nothing else measures on several "
               "GPUs.";
    if (run->order_seed_given && !app_run_measures(run))
        return "--order-seed needs --bench, --sweep or --duel: nothing else shuffles what it "
               "measures.";
    if (run->modes[0] != 0 && !modes)
        return "--modes needs --bench raytrace, --sweep or --offscreen: nothing else times every "
               "mode.";
    return NULL;
}
