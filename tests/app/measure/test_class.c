/* The kernels of a folder: what comes, changes and goes is tried, timed and ranked, and no file
 * keeps the others from it. Takes cuda or cpu; skipped without a device or a compiler for it. */
#include "files.h"
#include "folder.h"
#include "mine.h"

#include "base/clock.h"
#include "measure/class_run.h"

#include <sys/stat.h>
#include <time.h>

static enum krn_backend_id backend = KRN_BACKEND_CPU;
static struct app_engine *engine;
static struct app_state state;
static struct app_class *board;
static const struct app_class_view *view;

static int open_class(void **unused)
{
    char notice[APP_NOTICE_MAX];
    struct app_run run = app_run_default();
    if (make_folder(unused) != 0)
        return 1;
    run.backend = (int)backend;
    state = app_state_default();
    state.spec.width = state.spec.height = 256;
    TEST_OK(app_engine_open(&engine, &run, &state, notice, &error));
    TEST_OK(app_engine_adopt(engine, &state, &error));
    board = app_class_open(engine, &state, in("."), NULL, NULL);
    return 0;
}

static int close_class(void **unused)
{
    app_class_close(board);
    app_engine_close(engine);
    return remove_folder(unused);
}

static void put(const char *name, char *text)
{
    test_file_put_text(in(name), text);
    free(text);
}

/* Follows the folder for a second at least, until every file has its row. */
static void settle(void)
{
    const struct timespec moment = {0, 2000000};
    const double start_s = app_clock_s();
    while (app_clock_s() - start_s < 1.0 || !app_class_settled(board)) {
        TEST_OK(app_class_frame(board, backend, app_clock_s(), &error));
        if (!app_class_measures(board))
            nanosleep(&moment, NULL);
        assert_true(app_clock_s() - start_s < 120.0);
    }
    view = app_class_current(board, 0.0);
    for (int i = 0; i < view->count; i++)
        print_message("%d %s %.3f [%.3f, %.3f] %s\n", view->rows[i].rank, view->rows[i].file,
                      view->rows[i].speed.value, view->rows[i].speed.low, view->rows[i].speed.high,
                      view->rows[i].why);
}

static const struct app_class_row *row_of(const char *file)
{
    for (int i = 0; i < view->count; i++)
        if (strcmp(view->rows[i].file, file) == 0)
            return &view->rows[i];
    fail_msg("no row of %s", file);
    return NULL;
}

TEST_WITH(ranks, open_class, close_class)
{
    settle();
    assert_int_equal(view->count, 0);
    put("good.cu", test_mine(NULL, NULL));
    put("half.cu", test_mine("red * 255", "red * 200"));
    put("broken.cu", test_mine("float red = 0,", "float red = 0"));
    put("slow.cu", test_mine("    for (int s = 0;",
                             "    volatile float rest = 0;\n    for (int n = 0; n < 100; n++)\n"
                             "        rest = rest + 1;\n    for (int s = 0;"));
    put("endless.cu", test_mine("pixel[3] = 255;", "for (volatile int n = 0;; n++);"));
    test_file_put_text(in("notes.txt"), "no kernel");
    assert_int_equal(mkdir(in("folder.cu"), 0700), 0);
    settle();
    if (strstr(view->rows[0].why, "install") != NULL)
        skip();
    assert_int_equal(view->count, 6);
    assert_int_equal(view->timed, 2);
    assert_string_equal(view->rows[0].file, "good.cu");
    assert_string_equal(view->rows[1].file, "slow.cu");
    assert_true(view->rows[0].rank == 1 && view->rows[1].rank == 2);
    assert_true(view->rows[1].speed.high < view->rows[0].speed.low);
    assert_true(view->rows[0].speed.level > 0.998 && view->rows[0].time.of_limit.times > 0.0);
    assert_int_equal(row_of("good.cu")->time.verified, APP_VERIFIED_TRUE);
    assert_true(row_of("half.cu")->numbers.verdict.wrong > 0);
    assert_true(row_of("broken.cu")->numbers.line > 0 && row_of("broken.cu")->rank == 0);
    assert_non_null(strstr(row_of("endless.cu")->why, "its kernel ran for over 2 s"));
    assert_non_null(strstr(row_of("folder.cu")->why, "is a folder"));
    /* What changes is tested anew; what goes has no row. */
    put("half.cu", test_mine(NULL, NULL));
    put("good.cu", test_mine("float red = 0,", "float red = 0"));
    remove(in("endless.cu"));
    settle();
    assert_int_equal(view->count, 5);
    assert_true(row_of("half.cu")->rank == 1 && row_of("half.cu")->why[0] == 0);
    assert_true(!row_of("good.cu")->time.valid && row_of("good.cu")->hash[0] == 0);
}

TEST_WITH(too_many, open_class, close_class)
{
    for (int i = 0; i <= APP_CLASS_MAX; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d.cu", i);
        test_file_put_text(in(name), "");
    }
    settle();
    assert_non_null(strstr(view->why, "65 kernel files, and the board has room for 64"));
    assert_int_equal(view->count, 0);
    remove(in("0.cu"));
    TEST_OK(app_class_frame(board, backend, app_clock_s() + 1.0, &error));
    assert_int_equal(app_class_current(board, 0.0)->count, APP_CLASS_MAX);
}

int main(int argc, char *argv[])
{
    int exit_code;
    if (app_mine_child_main(argc, argv, &exit_code))
        return exit_code;
    struct krn_error why;
    int devices;
    if (argc > 1 && strcmp(argv[1], "cuda") == 0)
        backend = KRN_BACKEND_CUDA;
    if (krn_backend_get(backend)->count(&devices, &why) != KRN_OK) {
        fprintf(stderr, "skipped: %s\n", why.text);
        return TEST_SKIPPED;
    }
    return tests_run(NULL, NULL);
}
