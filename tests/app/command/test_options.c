/* The command line: defaults, parsed values, and combinations that are valid or refused.
 * test_values.c tests the values of each option. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "files.h"
#include "parsed.h"

#include "spec/state.h"

#include <math.h>
#include <sys/stat.h>

/* Command lines, the words of their refusal or NULL, and what entries of the table then show. */
static const struct line {
    const char *line, *why, *shows;
} lines[] = {
    /* A run refuses what it has no use for. */
    {"--offscreen --fullscreen", "an offscreen run opens no window", NULL},
    {"--offscreen --talk=a.json", "--check walks through a talk without one", NULL},
    {"--offscreen --json=a", NULL, NULL},
    {"--offscreen --replay=a.png", NULL, NULL},
    {"--bench=all --monitor=0", "a benchmark opens no window", NULL},
    {"--bench=all --presenter", "opens no window", NULL},
    {"--bench=all --screenshot=a.png", "a benchmark draws nothing", NULL},
    {"--bench=all --offscreen", "draws nothing", NULL},
    {"--bench=all --play=h200", "shows no record", NULL},
    {"--bench=all --record=r.json", "each is a run of its own", NULL},
    {"--bench=all --csv=-", NULL, NULL},
    {"--bench=raytrace,timer,saxpy,peak,transfer,constant,ilp,memlat,latency,operands,access,"
     "atomics,bounces,banks,where,book",
     NULL, NULL},
    {"--sweep=spheres=1..20 --bench=all", "each is a run of its own", NULL},
    {"--sweep=spheres=1..20 --fullscreen", "a sweep opens no window; --screenshot draws", NULL},
    {"--sweep=spheres=1..20 --video=a.mp4", "a sweep draws no frames; --screenshot draws", NULL},
    {"--sweep=spheres=1..20 --offscreen", "a sweep draws no frames; --screenshot draws", NULL},
    {"--sweep=spheres=1..20 --screenshot=a.png", NULL, NULL},
    {"--sweep=spheres=1..20 --spheres=20", "a sweep sets the number of spheres", NULL},
    {"--sweep=spheres=1..20 --scene=a.json", "a scene file sets the number of spheres", NULL},
    {"--duel=book/global,book/global --fullscreen", "in the window, press Tab", NULL},
    {"--duel=book/global,book/global --bench=all", "each is a run of its own", NULL},
    {"--duel=book/global,book/global --storage=shared", "--duel names both modes", NULL},
    {"--duel=book/global,book/global --screenshot=a.png", "needs --offscreen", NULL},
    {"--duel=book/global,book/global --play=h200", "needs --offscreen", NULL},
    {"--duel=book/global,book/global --replay=a.png", "times the modes of its record", NULL},
    {"--duel=cuda:book/global,gl:book/global --play=h200 --offscreen", "has the times of one",
     NULL},
    {"--duel=cuda:book/global,gl:book/global --backend=cpu", "different backends for A", NULL},
    {"--duel=cuda:book/global,gl:book/global --backend=cuda", NULL, NULL},
    {"--duel=book/global,gl:book/global --backend=cpu", NULL, NULL},
    {"--duel=book/global,vk:book/global", "[BACKEND:]", NULL},
    {"--duel=book/global,book/global --offscreen", NULL, NULL},
    {"--compare=a.json --json=a", "a comparison writes no results record", NULL},
    {"--compare=a.json --modes=book/global", "a comparison takes no choice of modes", NULL},
    {"--compare=a.json --sweep=spheres=1..20", "each is a run of its own", NULL},
    {"--record=r.json --json=a", "--record writes its results itself", NULL},
    {"--record=r.json --csv=a", NULL, NULL},
    {"--record=r.json --video=a.mp4", "--record draws nothing", NULL},
    {"--talk=a.json --replay=a.png", "a replay shows the state of its record", NULL},
    {"--talk=a.json --check", NULL, NULL},
    {"--check --presenter", "--check opens no window", NULL},
    {"--backend=cpu --device=0", "only CUDA devices are numbered", NULL},
    {"--backend=cuda --device=0", NULL, NULL},
    {"--scene=a.json --spheres=40", "a scene file sets the number of spheres", NULL},
    {"--scene=book --spheres=40", NULL, NULL},
    {"--duel=book/global,book/global --offscreen --screenshot=a.png", NULL, NULL},
    {"--duel=book/global,book/global --offscreen --monitor=0", "opens no window", NULL},
    /* Sweeps: bounces imply the light view, which options of the book view contradict; what a sweep
     * does not vary, options may set. */
    {"--bench raytrace", NULL, "sweep= view=book"},
    {"--sweep spheres=20..2000", NULL, "sweep=spheres=20..2000 view=book"},
    {"--sweep spheres=7..7 --scene book", NULL, "sweep=spheres=7..7"},
    {"--sweep bounces=0..8", NULL, "sweep=bounces=0..8 view=light"},
    {"--sweep bounces=2..3,spheres=5..50 --view light", NULL, "sweep=spheres=5..50,bounces=2..3"},
    {"--sweep bounces=0..8 --spheres 500 --samples 4", NULL, "spheres=500 samples=4"},
    {"--sweep bounces=0..8 --scene a.json --kernel tree", NULL, "kernel=tree"},
    {"--sweep spheres=1..20 --bounces 2 --view light", NULL, "bounces=2"},
    {"--sweep bounces=0..8 --bounces 2", "--sweep bounces=A..B and --bounces", NULL},
    {"--sweep spheres=1..2,bounces=0..8 --spheres 2", "--sweep spheres=A..B and --spheres", NULL},
    {"--sweep spheres=1..2,bounces=0..8 --scene a.json", "spheres=A..B and --scene", NULL},
    {"--sweep spheres=1..2,bounces=0..8 --scene book", NULL, NULL},
    {"--sweep bounces=0..9", "bounces=A..B with 0 <= A <= B <= 8", NULL},
    {"--sweep bounces=0..8 --view book", "--view names the book view", NULL},
    {"--sweep bounces=0..8 --kernel strip", "--kernel names the book view", NULL},
    {"--sweep bounces=0..8 --modes book/*", "--modes names the book view", NULL},
    {"--sweep bounces=0..8 --modes */global", NULL, "view=light"},
    {"--sweep bounces=0..8 --modes tree/* --storage constant", NULL, "storage=constant"},
    /* A kernel implies its view, and options of another view than the one given are refused. */
    {"--view light", NULL, "kernel=brute"},
    {"--kernel tree", NULL, "view=light"},
    {"--kernel tree --storage texture --view light --bounces 2 --samples 4 --camera -30:20:2.5",
     NULL, "storage=texture bounces=2 samples=4 camera=-30:20:2.5"},
    {"--scene molecule.pdb --camera -30:20:2.5", NULL, "camera=-30:20:2.5"},
    {"--duel brute/global,tree/global --view light", NULL, NULL},
    {"--view book --kernel tree", "--view book and --kernel", NULL},
    {"--kernel strip --view light", "--view light and --kernel", NULL},
    {"--view light --duel book/global,book/shared", "--view light and --duel", NULL},
    {"--duel brute/global,book/global", "one view", NULL},
    {"--heatmap tests --kernel tree", "--heatmap", NULL},
    {"--heatmap rays --kernel book", "--heatmap", NULL},
    {"--zoom 2 --view light", "--zoom", NULL},
    {"--zoom fit --heatmap off --view light", NULL, "zoom=fit"},
    {"--zoom fit --heatmap rays --view light", NULL, "heatmap=rays"},
    /* --modes of another view alone shows it. */
    {"--bench raytrace --modes tree/* --storage constant", NULL, "view=light storage=constant"},
    {"--sweep spheres=1..20 --modes brute/* --view light", NULL, "view=light"},
    {"--bench raytrace --modes */global", NULL, "view=book"},
    {"--bench raytrace --modes */global --view light", NULL, "view=light"},
    {"--bench raytrace --modes book/* --kernel tree", NULL, "view=book"},
    {"--bench raytrace --modes book/global,*/shared", NULL, "view=book"},
    {"--bench raytrace --modes book/global,tree/global", "names modes of both views", NULL},
    {"--view book --bench raytrace --modes tree/*", "--view book and --modes", NULL},
    {"--modes *", "--modes takes KERNEL/STORAGE", NULL},
    {"--modes book", "--modes takes KERNEL/STORAGE", NULL},
    {"--modes book/global/", "--modes takes KERNEL/STORAGE", NULL},
    {"--modes book/global,,binned/global", "--modes takes KERNEL/STORAGE", NULL},
    {"--modes binned/shared", "--modes takes KERNEL/STORAGE", NULL},
    {"--modes strip/*/3", "--modes takes KERNEL/STORAGE", NULL},
    {"--modes **/global", "--modes takes KERNEL/STORAGE", NULL},
    {"--modes strip/glob*/8", "--modes takes KERNEL/STORAGE", NULL},
    /* Duels. */
    {"--duel book/global,book/constant --band 0.5 --seconds 3", NULL, "storage=global band=0.5"},
    {"--duel book/shared,book/shared", NULL, "storage=shared band=1"},
    {"--duel book/global,book/surface", "--duel takes off or two modes", NULL},
    {"--duel book/global,book/global/two", "--duel takes off or two modes", NULL},
    {"--duel book/global", "--duel takes off or two modes", NULL},
    {"--duel ,book/global", "--duel takes off or two modes", NULL},
    {"--duel book/global,book/constant --spheres 2341", "--duel with --spheres 2341", NULL},
    {"--duel book/global/2,book/global", "--duel", NULL},
    /* What fits together: constant memory holds spheres for one kernel, and nodes for another. */
    {"--storage constant --spheres 2340", NULL, "storage=constant spheres=2340"},
    {"--spheres 2340 --storage constant", NULL, "storage=constant spheres=2340"},
    {"--storage constant --spheres 2341",
     "--spheres 2341: Constant memory holds 64 KiB: at most 2340", NULL},
    {"--kernel brute --storage constant --spheres 2048", NULL, NULL},
    {"--kernel brute --storage constant --spheres 2049", "at most 2048", NULL},
    {"--kernel tree --storage constant --spheres 682", NULL, NULL},
    {"--kernel tree --storage constant --spheres 683", "at most 682", NULL},
    {"--spheres 10000000 --kernel splat", NULL, "spheres=10000000"},
    {"--spheres 10000001", "--spheres takes an integer from 1 to 10000000", NULL},
    {"--view light --spheres 1000000", NULL, NULL},
    {"--view light --spheres 1000001",
     "--spheres 1000001: The light view shows at most 1000000 spheres, not 1000001.", NULL},
    {"--bench raytrace --modes tree/* --spheres 1000001", "The light view shows at most", NULL},
    {"--sweep spheres=1..1000001", "1000000", NULL},
    {"--storage shared --kernel binned", "--storage", NULL},
    {"--kernel tree --storage shared", "--kernel tree", NULL},
    {"--pixels-per-thread 16 --kernel strip", NULL, "pixels=16"},
    {"--pixels-per-thread 1", NULL, "pixels=1"},
    {"--pixels-per-thread 2", "--pixels-per-thread", NULL},
    {"--pixels-per-thread 3 --kernel strip", "--pixels-per-thread", NULL},
};

TEST(test_lines)
{
    for (const struct line *at = lines; at < lines + sizeof lines / sizeof *lines; at++) {
        char text[TEXT_MAX], shown[256], *words[WORDS_MAX] = {(char *)"spherescope"};
        int n = 1;
        snprintf(text, sizeof text, "%s", at->line);
        for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
            words[n++] = word;
        memset(&error, 0, sizeof error);
        const enum krn_code code = app_options_parse(n, words, &state, &run, &error);
        if (code != (at->why == NULL ? KRN_OK : KRN_REFUSED) ||
            (at->why != NULL && strstr(error.text, at->why) == NULL))
            fail_msg("%s: \"%s\"", at->line, error.text);
        snprintf(text, sizeof text, "%s", at->shows != NULL ? at->shows : "");
        for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
            char *value = strchr(word, '=');
            *value++ = 0;
            app_command_show(app_command_by_name(word), &state, &run, shown, sizeof shown);
            if (strcmp(shown, value) != 0)
                fail_msg("%s: %s is \"%s\"", at->line, word, shown);
        }
    }
    assert_accepted("--duel", "book/global,book/constant");
    assert_true(run.duel && state.spec.duel.on &&
                state.spec.duel.other.storage == KRN_STORAGE_CONSTANT);
    assert_accepted("--scene", "book");
    assert_true(run.scene_given); /* a replay then lends no scene of its record */
    assert_true(app_run_follows_pane(&run));
    static const char *const fixed[][2] = {{"--size", "1024x1024"},
                                           {"--play", "h200"},
                                           {"--talk", "four-claims"},
                                           {"--replay", "a.png"}};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        assert_accepted(fixed[i][0], fixed[i][1]);
        assert_false(app_run_follows_pane(&run) || state.spec.follow_pane);
    }
    /* A scene file is shown whole: its extent fits in half the angle of the image. */
    assert_accepted("--scene", "molecule.pdb", "--view", "light");
    assert_true((double)state.spec.light.camera.distance *
                    sin(0.5 * KRN_FIELD_DEGREES * 3.14159265358979 / 180.0) >=
                1.0);
}

/* Patterns that choose modes of both views leave the view as it is. */
TEST(test_view_of_patterns)
{
    for (int view = 0; view < KRN_VIEW_COUNT; view++) {
        const enum krn_view_kind on_screen = (enum krn_view_kind)view;
        assert_int_equal(app_mode_patterns_view("", on_screen), on_screen);
        assert_int_equal(app_mode_patterns_view("*/*/*", on_screen), on_screen);
        assert_int_equal(app_mode_patterns_view("*/global", on_screen), on_screen);
        assert_int_equal(app_mode_patterns_view("tree/global,strip/global", on_screen), on_screen);
        assert_int_equal(app_mode_patterns_view("brute/*", on_screen), KRN_VIEW_LIGHT);
        assert_int_equal(app_mode_patterns_view("strip/*/*,book/*", on_screen), KRN_VIEW_BOOK);
        assert_int_equal(krn_mode_view(app_mode_first(on_screen)), on_screen);
        assert_int_equal(krn_mode_check(app_mode_first(on_screen), KRN_LARGE_SPHERES, NULL),
                         KRN_OK);
    }
}

/* Returns the number of modes that --modes LIST chooses. */
static int chosen_by(const char *list)
{
    int n = 0;
    assert_accepted("--bench", "raytrace", "--modes", list);
    for (int m = 0; m < KRN_MODES; m++)
        n += app_mode_chosen(run.modes, krn_mode_at(m));
    return n;
}

TEST(test_modes)
{
    assert_int_equal(chosen_by("book/global"), 1);
    assert_true(app_mode_chosen(run.modes, krn_mode_at(0)));
    assert_int_equal(chosen_by("book/global,strip/*/8"), 1 + KRN_STORAGE_COUNT);
    assert_int_equal(chosen_by("*/*/*"), KRN_MODES);
    assert_int_equal(chosen_by("brute/*,tree/*"), app_mode_count(KRN_VIEW_LIGHT));
    assert_int_equal(app_mode_count(KRN_VIEW_BOOK) + app_mode_count(KRN_VIEW_LIGHT), KRN_MODES);
    assert_int_equal(chosen_by("strip/constant/*,strip/constant/8"), KRN_PIXELS_COUNT);
    assert_int_equal(chosen_by("strip/constant"), 1);
    assert_accepted("--sweep", "spheres=1..20", "--modes", "*/global/*");
    assert_accepted("--offscreen", "--modes", "binned/global");
    assert_accepted("--bench", "saxpy,raytrace", "--modes", "binned/global");
    assert_accepted("--bench", "all", "--modes", "binned/global");
    assert_null(app_run_lacks(&run));
    assert_accepted("--modes", "book/global");
    assert_non_null(strstr(app_run_lacks(&run), "--modes needs"));
    assert_accepted("--bench", "saxpy", "--modes", "book/global");
    assert_non_null(strstr(app_run_lacks(&run), "--modes needs"));
}

TEST(test_outputs)
{
    assert_accepted("--offscreen", "--json", "a.json", "--csv", "a.csv", "--screenshot", "a.png");
    assert_refused("--json", "--json", "a", "--csv", "a");
    assert_refused("--json", "--json", "-", "--csv", "-");
    assert_refused("--csv", "--offscreen", "--csv", "a.png", "--screenshot", "a.png");
    assert_accepted("-h");
    assert_true(run.help);
    assert_accepted("--device", "0");
    assert_true(run.device_given);
}

/* One file has many spellings. In a folder of its own, with a file, a hard link and a symbolic link
 * to it, and a second name of the folder. */
TEST(test_one_file)
{
    static const char *const same[][2] = {
        {"a", "a"},           {"a", "./a"},           {"a", "hard"},
        {"a", "soft"},        {"new", "./new"},       {"new", "sub/../new"},
        {"new", "again/new"}, {"./new", ".//new"},    {"sub/new", "again/sub/new"},
        {"hard", "soft"},     {"sub/new", "sub/new"},
    };
    static const char *const different[][2] = {
        {"a", "new"},         {"new", "sub/new"}, {"a", "sub/a"},
        {"missing/a", "x/a"}, {"a", "-"},         {"/dev/null", "/dev/zero"},
    };
    char folder[] = TEST_BINARY_DIR "/test_options_XXXXXX", before[4096];
    assert_non_null(getcwd(before, sizeof before));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    test_file_put_text("a", "old");
    assert_int_equal(link("a", "hard") + symlink("a", "soft"), 0);
    assert_int_equal(mkdir("sub", 0700) + symlink(".", "again"), 0);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_refused("--csv", "--json", same[i][0], "--csv", same[i][1]);
        assert_non_null(strstr(error.text, "one file"));
        assert_refused("--csv", "--json", same[i][1], "--csv", same[i][0]);
        /* what is read is not replaced */
        assert_refused("--scene", "--json", same[i][0], "--scene", same[i][1]);
        assert_non_null(strstr(error.text, "--json would replace what --scene reads"));
        assert_refused("--talk", "--talk", same[i][0], "--csv", same[i][1]);
    }
    for (size_t i = 0; i < sizeof different / sizeof *different; i++) {
        assert_accepted("--json", different[i][0], "--csv", different[i][1]);
        assert_accepted("--json", different[i][0], "--scene", different[i][1]);
    }
    assert_refused("--play", "--play", "h200,./a", "--json", "a");
    assert_refused("--replay", "--replay", "a", "--json", "hard");
    assert_refused("--record", "--record", "r.json", "--csv", "./r.json");
    assert_refused("--record-frames", "--record-frames", "v.mp4", "--video", "./v.mp4");
    assert_accepted("--json", "-", "--csv", "a");
    assert_accepted("--json", "/dev/null", "--csv", "/dev/null"); /* a device is not one file */
    static const char *const streams[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        assert_accepted("--json", streams[i], "--csv", "a");
        assert_string_equal(run.json, "-");
        assert_refused("--json - and --csv -", "--json", streams[i], "--csv", streams[i / 2]);
    }
    assert_int_equal(unlink("a") + unlink("hard") + unlink("soft") + unlink("again"), 0);
    assert_int_equal(rmdir("sub"), 0);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(rmdir(folder), 0);
}

TEST(test_defaults)
{
    assert_int_equal(parse(NULL), KRN_OK);
    const struct app_state start = app_state_default();
    const struct app_run plain = app_run_default();
    assert_memory_equal(&state, &start, sizeof state);
    assert_memory_equal(&run, &plain, sizeof run);
    assert_int_equal(run.backend, -1);
    assert_int_equal(state.spec.recipe.count, 20);
    assert_int_equal(state.spec.width, 1024);
    assert_int_equal(run.window_width, 1280);
    assert_int_equal(run.window_height, 720);
    assert_true(state.spec.motion);
    assert_false(run.motion_given || run.window_given);
    assert_true(app_state_unit(&state) == 1.0f);
    TEST_OK(app_state_check(&state, &error));
}

/* Of a flag that is wrong, the nearest right one is told, if there is one. */
TEST(test_what_is_no_option)
{
    static const char *const cases[][2] = {{"20", "\"20\" is not an option"},
                                           {"--nonsense", "option --nonsense; --help lists all"},
                                           {"--sphere", "did you mean --spheres"},
                                           {"--stroage=global", "did you mean --storage"},
                                           {"--full-screen", "did you mean --fullscreen"},
                                           {"--a\nb", "--a?b"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(cases[i][1], cases[i][0]);
    char text[TEXT_MAX];
    memset(text, '-', sizeof text - 1);
    text[sizeof text - 1] = 0;
    assert_refused("--help", text);
}
