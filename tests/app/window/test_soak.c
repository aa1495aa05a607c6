/* Many small frames of a session without a display, with keys at random between them: memory, file
 * descriptors and threads stay as they are, readings are all counted, and times do not drift. The
 * clock of the session is simulated. TEST_SOAK_FRAMES sets the number of frames; ./test.sh --soak
 * renders a million. TEST_SOAK_BACKEND=cuda renders on the GPU, whose memory counts, too. */
#include "offscreen.h"

#include "base/environment.h"
#include "command/entry.h"
#include "window/session.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <time.h>

enum { SIZE = 64, FRAMES = 750, SEGMENT = 25, TABLE_ROWS = 10 };

/* A first view with room for the panels, and the story plot, which connects to the device once more
 * and keeps that connection: their memory and threads count from the beginning. */
enum { FIRST_WIDTH = 960, FIRST_HEIGHT = 540, FIRST_FRAMES = 10, STORY_FRAMES = 5 };

/* The time from frame to frame, s: a power of two, so that a sum of it has no error of rounding. */
static const double step_s = 1.0 / 64.0;

/* Memory may still grow by this much after the first third of the frames, MiB: what keys open late
 * (a heat map, a page of help, an atlas of glyphs). */
static const double growth_mib = 48.0;

/* Likewise of the device's memory: what keys allocate and release. */
static const double device_growth_mib = 64.0;

#ifdef __SANITIZE_ADDRESS__ /* it keeps freed memory for a while */
static const bool keeps_freed_memory = true;
#else
static const bool keeps_freed_memory = false;
#endif

static bool soaks_cuda(void)
{
    const char *asked = getenv("TEST_SOAK_BACKEND");
    return asked != NULL && strcmp(asked, "cuda") == 0;
}

static struct app_session session;
static struct app_environment environment;
static struct app_engine *engine;

/* Keys whose effect is bounded: none asks for files, for the display, or for long measurements. The
 * arrows, and the letters of `both`, are pressed with Ctrl, too. */
static const char letters[] = "12345MK[]WRGAYPNXTUDHVI-=L,.", both[] = "NX-=L";
static const int others[] = {APP_KEY_LEFT, APP_KEY_RIGHT,  APP_KEY_UP,
                             APP_KEY_DOWN, APP_KEY_TAB,    APP_KEY_SPACE,
                             APP_KEY_HOME, APP_KEY_ESCAPE, APP_KEY_ENTER};
enum { ARROWS = 4, LETTERS = sizeof letters - 1, KEYS = LETTERS + sizeof others / sizeof *others };

static uint32_t seed = 1;

static uint32_t next_random(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

/* What the process holds. */
struct holds {
    double mib;
    int descriptors, threads;
};

static int count_entries(const char *folder)
{
    DIR *open = opendir(folder);
    int count = 0;
    assert_non_null(open);
    while (readdir(open))
        count++;
    closedir(open);
    return count;
}

static struct holds look(void)
{
    struct holds holds = {0.0, count_entries("/proc/self/fd"), count_entries("/proc/self/task")};
    char line[128];
    FILE *status = fopen("/proc/self/status", "r");
    assert_non_null(status);
    while (fgets(line, sizeof line, status))
        if (strncmp(line, "VmRSS:", 6) == 0)
            holds.mib = strtod(line + 6, NULL) / 1024.0;
    fclose(status);
    return holds;
}

/* Returns the memory in use on the first GPU, MiB, by all processes; 0 without nvidia-smi. */
static double device_mib(void)
{
    char line[64] = "";
    FILE *answer = popen("nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits", "r");
    if (!answer)
        return 0.0;
    const bool told = fgets(line, sizeof line, answer) != NULL;
    pclose(answer);
    return told ? strtod(line, NULL) : 0.0;
}

static struct holds most_of(struct holds a, struct holds b)
{
    return (struct holds){fmax(a.mib, b.mib),
                          a.descriptors > b.descriptors ? a.descriptors : b.descriptors,
                          a.threads > b.threads ? a.threads : b.threads};
}

static struct holds least_of(struct holds a, struct holds b)
{
    return (struct holds){fmin(a.mib, b.mib),
                          a.descriptors < b.descriptors ? a.descriptors : b.descriptors,
                          a.threads < b.threads ? a.threads : b.threads};
}

static int frames_wanted(void)
{
    const char *asked = getenv("TEST_SOAK_FRAMES");
    const long frames = asked ? strtol(asked, NULL, 10) : 0;
    return frames > 0 ? (int)frames : FRAMES;
}

static void press_some(double now_s)
{
    const int at = (int)(next_random() % KEYS), other = at - LETTERS,
              key = other < 0 ? letters[at] : others[other];
    const bool takes_ctrl = other < 0 ? strchr(both, key) != NULL : other < ARROWS;
    app_session_press(&session, key, takes_ctrl && next_random() % 2, now_s);
    /* Small frames: at most 160 spheres, and no session that holds its numbers for long. */
    while (session.state.spec.recipe.count > 160)
        app_session_press(&session, APP_KEY_DOWN, false, now_s);
    if (session.state.look.hold && next_random() % 2)
        app_session_press(&session, APP_KEY_ENTER, false, now_s);
}

static void draw_frames(int first, int count, int width, int height)
{
    const struct app_session_target target = {width, height, 1.0f};
    for (int i = 0; i < count; i++) {
        app_session_begin(&session);
        TEST_OK(app_session_frame(&session, &target, (first + i) * step_s, &error));
    }
}

/* The median lies in its interval, and both in the range of the samples. */
static void expect_sound(const struct krn_series *series)
{
    const struct krn_summary s = krn_series_summary(series);
    const struct krn_interval i = krn_series_interval(series);
    if (s.n == 0)
        return;
    assert_true(s.min >= 0.0 && s.min <= s.median && s.median <= s.max && isfinite(s.max));
    assert_true(series->count <= KRN_SERIES_CAPACITY && series->total >= series->count);
    assert_true(!i.valid || (i.low <= s.median && s.median <= i.high && i.low >= s.min));
}

/* Checks a segment's readings: every frame but the held ones has one, on each side of a duel. */
static void expect_counted(const struct app_state *state, unsigned long long before, int frames)
{
    const struct krn_series *series =
        app_engine_series(engine, state->spec.backend, state->spec.mode);
    const bool once = !state->spec.duel.on && !state->spec.warm;
    expect_sound(series);
    if (state->look.hold)
        assert_int_equal(series->total, before);
    else if (soaks_cuda()) /* readings come frames later, and those of late launches are dropped */
        assert_true(series->total > before);
    else if (once)
        assert_int_equal(series->total, before + (unsigned long long)frames);
    else
        assert_true(series->total >= before + (unsigned long long)frames);
}

/* Every frame of the session takes the simulated step: any other number is drift. */
static void expect_no_drift(void)
{
    const struct krn_summary s = krn_series_summary(&session.frames);
    assert_true(s.n == 0 || (s.min == step_s * 1e3 && s.max == step_s * 1e3));
    assert_true(session.state.spec.motion_s ==
                floor(session.state.spec.motion_s / step_s) * step_s);
}

static void open_session(void)
{
    char notice[APP_NOTICE_MAX];
    struct app_run run = app_run_default();
    run.backend = soaks_cuda() ? KRN_BACKEND_CUDA : KRN_BACKEND_CPU;
    struct app_state state = app_state_default();
    state.spec.width = state.spec.height = SIZE;
    state.look.vsync = false;
    state.look.panels = APP_PANELS_FULL;
    TEST_OK(app_engine_open(&engine, &run, &state, notice, &error));
    const struct app_session_start start = {.engine = engine,
                                            .renderer = renderer,
                                            .environment = &environment,
                                            .state = &state,
                                            .run = &run,
                                            .context = "",
                                            .fallback_reason = "",
                                            .live = true};
    app_session_open(&session, &start);
}

static void print_row(int frames, const struct holds *now, double device,
                      const struct timespec *start)
{
    struct timespec clock;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    printf("%8d frames %7.1f s %7.1f MiB %3d descriptors %3d threads\n", frames,
           (double)(clock.tv_sec - start->tv_sec) + 1e-9 * (double)(clock.tv_nsec - start->tv_nsec),
           now->mib, now->descriptors, now->threads);
    if (device > 0.0)
        printf("%47.0f MiB of the device's memory\n", device);
    fflush(stdout);
}

TEST(test_many_frames)
{
    const int all = frames_wanted() / SEGMENT * SEGMENT;
    struct timespec start;
    /* Verification and other jobs have threads and files for a moment, so the most of the first
     * third is compared with the least of the last one, which a leak raises. */
    struct holds most = {0.0, 0, 0}, least = {HUGE_VAL, INT_MAX, INT_MAX};
    double device_most = 0.0, device_least = HUGE_VAL;
    clock_gettime(CLOCK_MONOTONIC, &start);
    open_session();
    draw_frames(0, FIRST_FRAMES - STORY_FRAMES, FIRST_WIDTH, FIRST_HEIGHT);
    app_session_press(&session, 'Y', false, (FIRST_FRAMES - STORY_FRAMES) * step_s);
    draw_frames(FIRST_FRAMES - STORY_FRAMES, STORY_FRAMES, FIRST_WIDTH, FIRST_HEIGHT);
    app_session_press(&session, 'Y', false, FIRST_FRAMES * step_s);
    for (int frame = 0; frame < all; frame += SEGMENT) {
        const int first = FIRST_FRAMES + frame;
        press_some(first * step_s);
        draw_frames(first, 1, SIZE, SIZE); /* adopts what the key has changed */
        const struct app_state state = session.state;
        const unsigned long long before =
            app_engine_series(engine, state.spec.backend, state.spec.mode)->total;
        draw_frames(first + 1, SEGMENT - 1, SIZE, SIZE);
        expect_counted(&state, before, SEGMENT - 1);
        expect_no_drift();
        const struct holds now = look();
        if (frame < all / 3)
            most = most_of(most, now);
        else if (now.mib > most.mib + growth_mib && !keeps_freed_memory)
            fail_msg("frame %d: %.1f MiB, at most %.1f in the first third", frame, now.mib,
                     most.mib);
        if (frame >= all / 3 * 2)
            least = least_of(least, now);
        if ((frame + SEGMENT) % (all / SEGMENT / TABLE_ROWS * SEGMENT) == 0) {
            const double device = soaks_cuda() ? device_mib() : 0.0;
            if (frame < all / 3)
                device_most = fmax(device_most, device);
            if (frame >= all / 3 * 2)
                device_least = fmin(device_least, device);
            print_row(frame + SEGMENT, &now, device, &start);
        }
    }
    if (least.descriptors > most.descriptors || least.threads > most.threads)
        fail_msg(
            "at least %d descriptors and %d threads in the last third, at most %d and %d in the "
            "first",
            least.descriptors, least.threads, most.descriptors, most.threads);
    if (soaks_cuda() && (device_most == 0.0 || device_least > device_most + device_growth_mib))
        fail_msg("at least %.0f MiB of the device's memory in the last third, at most %.0f in the "
                 "first",
                 device_least, device_most);
    app_session_close(&session);
    app_engine_close(engine);
    assert_true(most.mib > 0.0 && most.threads > 0 && least.threads < INT_MAX);
}

int main(void)
{
    const int unable = test_screen_open(soaks_cuda() ? 0 : -1);
    if (unable)
        return unable;
    ren_set_checking(false);
    return test_screen_run(NULL, NULL);
}
