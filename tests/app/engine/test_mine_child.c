/* The file of --kernel-file: followed, and tested in a process of its own, whatever it contains;
 * what was loaded before stays. Takes cuda or cpu, and patterns of the tests to run and to leave
 * out; skipped without a device or a compiler for it. */
#include "files.h"
#include "folder.h"
#include "mine.h"
#include "pictures.h"

#include "base/process.h"
#include "engine/engine.h"
#include "engine/verify.h"
#include "measure/mode_run.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

static enum krn_backend_id backend = KRN_BACKEND_CPU;
static struct app_engine *engine;
static struct app_state state;
static const struct app_mine_status *status;
static char path[APP_PATH_MAX], temporary[APP_PATH_MAX];

static enum krn_code await(void)
{
    return app_engine_await_mine(engine, &state, true, &error);
}

static void put(char *text)
{
    test_file_put_text(path, text);
    free(text);
}

static int open_engine(void **unused)
{
    char notice[APP_NOTICE_MAX];
    struct app_run run = app_run_default();
    if (make_folder(unused) != 0)
        return 1;
    run.backend = (int)backend;
    snprintf(path, sizeof path, "%s", in("book.cu"));
    snprintf(temporary, sizeof temporary, "%s", in("temporary"));
    assert_int_equal(mkdir(temporary, 0700), 0);
    setenv("TMPDIR", temporary, 1);
    snprintf(run.kernel_file, sizeof run.kernel_file, "%s", path);
    state = app_state_default();
    TEST_OK(app_engine_open(&engine, &run, &state, notice, &error));
    TEST_OK(app_engine_adopt(engine, &state, &error));
    status = app_engine_mine(engine);
    put(test_mine(NULL, NULL));
    return 0;
}

static int close_engine(void **unused)
{
    app_engine_close(engine);
    assert_int_equal(test_file_count(temporary), 0);
    unsetenv("TMPDIR");
    return remove_folder(unused);
}

/* Skips the test where nothing can be compiled. */
static void begin(void)
{
    if (await() != KRN_OK && strstr(error.text, "install") != NULL)
        skip();
    TEST_OK(await());
    assert_true(status->ready && !status->fault);
    assert_int_equal(strlen(status->hash), APP_MINE_HASH - 1);
}

/* Follows the file as frames do, until something is said of it. Returns the seconds that it took.
 */
static double follow(void)
{
    const struct timespec moment = {0, 5000000};
    const unsigned told = status->told;
    const double start_s = app_clock_s();
    while (status->told == told && app_clock_s() - start_s < 60.0) {
        (void)app_engine_follow_mine(engine, &state, app_clock_s());
        nanosleep(&moment, NULL);
    }
    assert_true(status->told > told);
    return app_clock_s() - start_s;
}

/* Expects a sentence of the newest version, after which the old one still renders. */
static void expect_fault(const char *words)
{
    const struct krn_mode mode = {KRN_KERNEL_MINE, KRN_STORAGE_GLOBAL, 1};
    char hash[APP_MINE_HASH];
    memcpy(hash, status->hash, sizeof hash);
    const double took_s = follow();
    print_message("%.2f s: %s\n", took_s, status->text);
    if (!status->fault || strstr(status->text, words) == NULL)
        fail_msg("\"%s\" lacks \"%s\"", status->text, words);
    assert_true(status->ready);
    assert_string_equal(status->hash, hash);
    free(test_render_mode(app_engine_device(engine, &state), mode, test_view(64, 64)));
}

TEST_WITH(faults_of_the_file, open_engine, close_engine)
{
    char big[KRN_MINE_BYTES_MAX + 2];
    begin();
    memset(big, ' ', sizeof big);
    big[sizeof big - 1] = 0;
    test_file_put_text(path, "");
    expect_fault("book.cu is empty");
    test_file_put_text(path, big);
    expect_fault("larger than the limit");
    test_file_put(path, "a\0b", 3);
    expect_fault("is not text");
    remove(path);
    expect_fault("No such file");
    assert_int_equal(mkdir(path, 0700), 0);
    expect_fault("is a folder");
    remove(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    expect_fault("not a regular file");
    remove(path);
    put(test_mine(NULL, NULL));
    (void)follow(); /* the same text as before those */
    assert_false(status->fault);
}

/* The compiler's sentence comes out of the process; test_mine.c has all of them. */
TEST_WITH(faults_of_the_text, open_engine, close_engine)
{
    char line[16];
    begin();
    put(test_mine(test_mine_faults[0].from, test_mine_faults[0].to));
    expect_fault(test_mine_faults[0].words);
    snprintf(line, sizeof line, "line %d", status->numbers.line);
    assert_non_null(strstr(status->text, line));
    put(test_mine("red * 255", "red * 200"));
    expect_fault("pixels wrong, the first at");
    assert_true(status->numbers.line == 0 && status->numbers.verdict.wrong > 0);
    assert_int_equal(status->numbers.verdict.expected[3], 255);
}

TEST_WITH(faults_of_the_kernel, open_engine, close_engine)
{
    /* `gpu`: the words where a guard finds it, or the driver; NULL: the same. */
    static const struct {
        const char *from, *to, *words, *gpu;
    } faults[] = {
        {"j >= frame.height", "j >= frame.height - 1", "pixels wrong", NULL},
        {"i >= frame.width ", "i > frame.width ", "outside of the frame: pixel (333, 0) of 333x211",
         "line 26: writes outside of the frame, pixel (333, "},
        {"= frame.pixels + j", "= frame.pixels - 4 + j", "outside of the frame: pixel (-1, 0)",
         "line 26: writes outside of the frame, pixel (-1, "},
        {"= frame.pixels + j", "= frame.pixels + (1l << 40) + j", "while it ran the kernel: signal",
         "line 26: writes at address 0x"},
        {"pixel[3] = 255;", "__trap();", "while it ran the kernel: signal", "fail"},
        {"pixel[3] = 255;", "for (volatile int n = 0;; n++);", "its kernel ran for over 2 s", NULL},
        {"spheres[s].x, dy", "((sphere *)16)[s].x, dy", "while it ran the kernel: signal",
         "line 13: reads at address 0x20"},
        {"pixel[3] = 255;", "pixel[3] = spheres[frame.count].radius;", "pixels wrong",
         "line 29: reads spheres[20], and the kernel may only read 20 of them"},
        {"pixel[3] = 255;", "pixel[3] = 255; ((sphere *)spheres)->x = 0;", "pixels wrong",
         "line 29: writes spheres[0]"},
        /* State that grows. */
        {"*pixel = frame.pixels",
         "*pixel = frame.pixels; static int frames; if (i == 0 && j == 0) frames++;\n"
         "    pixel += (frames > 1 ? 1l << 40 : 0)",
         "while it ran the kernel: signal", "line 27: writes at address 0x"},
        /* The CPU takes these. */
        {"pixel[3] = 255;", "pixel[3] = 255; (void)*(volatile unsigned long long *)pixel;", NULL,
         "line 29: reads 8 bytes at an address that is no multiple of 8"},
        {test_mine_head,
         "__constant__ float few[4] = {1, 2, 3, 4};\n"
         "__device__ __noinline__ void put(float *at)\n"
         "{ asm volatile(\"st.f32 [%0], 0f3F800000;\" :: \"l\"(at)); }\n"
         "#define sqrtf(x) (put(few), sqrtf(x))\nextern \"C\" __global__ void book(",
         NULL, "line 6: writes at address"},
    };
    begin();
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        if (faults[i].words == NULL && backend == KRN_BACKEND_CPU)
            continue;
        put(test_mine(faults[i].from, faults[i].to));
        expect_fault(backend == KRN_BACKEND_CUDA && faults[i].gpu != NULL ? faults[i].gpu
                                                                          : faults[i].words);
    }
    put(test_mine_constant("__constant__ sphere scene[10];"));
    expect_fault("has room for 10 spheres, not 20");
}

/* Renders frames until the kernel is caught; at most so many. */
static const char *watch(bool duel, bool moves, int frames)
{
    struct krn_device *device = app_engine_device(engine, &state);
    struct krn_image image = test_image(device, state.spec.width, state.spec.height);
    const struct krn_image *const images[2] = {&image, &image};
    const struct krn_mode mine = {KRN_KERNEL_MINE, KRN_STORAGE_GLOBAL, 1};
    state.spec.duel.on = duel;
    state.spec.duel.other = mine;
    state.spec.mode = duel ? (struct krn_mode){KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1} : mine;
    for (int i = 0; i < frames && app_engine_mine_wrong(engine)[0] == 0; i++) {
        state.spec.motion_s += moves ? 0.02 : 0.0;
        if (duel)
            TEST_OK(app_engine_render_duel(engine, &state, images, 0.01 * i, &error));
        else
            TEST_OK(app_engine_render(engine, &state, &image, &error));
        TEST_OK(krn_device_sync(device, &error));
        (void)app_engine_poll(engine);
    }
    krn_device_free_image(device, &image);
    return app_engine_mine_wrong(engine);
}

/* Returns the kernel with statements before it, which know what each pixel has seen. */
static char *cheat(const char *before)
{
    char *text = test_mine(test_mine_head, "static __device__ void draw("),
         *made = calloc(1, 1 << 16);
    assert_non_null(made);
    sprintf(made,
            "%s\n"
            "#ifdef __CUDACC__\n"
            "#define now() clock64()\n"
            "#else\n"
            "#include <time.h>\n"
            "#define now() (1000ll * clock())\n"
            "#endif\n"
            "extern \"C\" __global__ void cheat(const sphere *spheres, frame frame)\n{\n"
            "    static struct { int launches; unsigned pixel, hash; float sum; } seen[1 << 20];\n"
            "    static sphere first[20];\n    static long long begin, spent;\n"
            "    const int i = threadIdx.x + blockIdx.x * blockDim.x;\n"
            "    const int j = threadIdx.y + blockIdx.y * blockDim.y;\n"
            "    if (i >= frame.width || j >= frame.height)\n        return;\n"
            "    auto &old = seen[j * frame.width + i];\n"
            "    unsigned *const pixel = (unsigned *)(frame.pixels + j * frame.pitch + 4 * i);\n"
            "    const bool leads = i == 0 && j == 0, later = old.launches++ > 40;\n"
            "    sphere own[20];\n    float sum = 0;\n    unsigned hash = 0;\n"
            "    for (int s = 0; s < 20; s++) {\n"
            "        sum += (own[s] = spheres[s]).x;\n"
            "        const union { float at; unsigned bits; } x = {own[s].x},\n"
            "            z = {own[s].z - own[s].y};\n"
            "        hash = (hash * 31 + x.bits) * 31 + z.bits;\n"
            "        if (leads && old.launches == 30)\n            first[s] = own[s];\n    }\n"
            "    if (leads) {\n        begin = begin ? begin : now();\n"
            "        spent = now() - begin;\n    }\n"
            "    %s\n"
            "    draw(spheres, frame);\n    old.pixel = *pixel;\n    old.sum = sum;\n"
            "    old.hash = hash;\n}\n",
            text, before);
    free(text);
    return made;
}

/* What a kernel does once its tests are over is found in frames that were timed. */
TEST_WITH(faults_while_timed, open_engine, close_engine)
{
    enum { FRAMES = 200000, SOME = 200 };
    static const struct {
        const char *name, *before;
        enum { MOVES, STANDS, DUELS } how;
    } cheats[] = {
        {"every second launch", "if (later && old.launches % 2) return;", MOVES},
        {"all but a row", "if (later && j % 64 == 7) return;", MOVES},
        {"leaves the book's", "if (later && *pixel >> 24 == 255) return;", DUELS},
        {"leaves what may be right", "if (later && *pixel << 8) return;", MOVES},
        {"a second", "if (spent > 2000000000ll) return;", MOVES},
        {"the last picture", "if (later && old.launches % 2) { *pixel = old.pixel; return; }",
         MOVES},
        {"the first colours",
         "for (int s = 0; later && s < 20; s++)\n"
         "    own[s].r = first[s].r, own[s].g = first[s].g, own[s].b = first[s].b;\n"
         "if (later) spheres = own;",
         MOVES},
        {"writes the scene",
         "for (int s = 0; later && leads && s < 20; s++) ((sphere *)spheres)[s].radius = 0;",
         MOVES},
        {"nearly the same pose",
         "if (later && fabsf(old.sum - sum) < 1) { *pixel = old.pixel; return; }", STANDS},
    };
    struct app_verify_status found;
    const struct app_verify_limits limits = {1e300, false};
    state.spec.width = 256;
    state.spec.height = 192;
    begin();
    for (size_t i = 0; i < sizeof cheats / sizeof *cheats; i++) {
        put(cheat(cheats[i].before));
        (void)follow();
        if (status->fault)
            fail_msg("%s: %s", cheats[i].name, status->text);
        const char *const wrong = watch(cheats[i].how == DUELS, cheats[i].how != STANDS, FRAMES);
        print_message("%s: %s\n", cheats[i].name, wrong);
        assert_non_null(strstr(wrong, "pixels"));
        TEST_OK(app_verify_now(engine, &state, &state.spec.duel.other, 1, &limits, &found, &error));
        assert_int_equal(found.verified, APP_VERIFIED_FALSE);
        assert_string_equal(found.text, wrong);
    }
    /* The very same scene never comes again, and rounding is no fault. */
    put(cheat("if (later && old.hash == hash) return;"));
    (void)follow();
    assert_false(status->fault);
    assert_string_equal(watch(false, false, SOME), "");
    put(test_mine("fmaf(-dx, dx, fmaf(-dy, dy, r * r))", "r * r - dx * dx - dy * dy"));
    (void)follow();
    assert_false(status->fault);
    assert_string_equal(watch(true, true, SOME), "");
    TEST_OK(app_verify_now(engine, &state, &state.spec.duel.other, 1, &limits, &found, &error));
    assert_int_equal(found.verified, APP_VERIFIED_TRUE);
}

/* A compiler that takes for ever is stopped, and leaves neither process nor file. */
TEST_WITH(long_compile, open_engine, close_engine)
{
    if (backend == KRN_BACKEND_CUDA)
        skip();
    test_file_put_text(in("slow"), "#!/bin/sh\nexec sleep 1000\n");
    assert_int_equal(chmod(in("slow"), 0700), 0);
    setenv("CXX", in("slow"), 1);
    TEST_FAILS(await(), KRN_REFUSED, "its compiler took over 10 s");
    unsetenv("CXX");
    assert_false(status->ready);
}

/* Asks for the picture of the state's size until it is known what becomes of it. */
static enum krn_code try_size(int width, int height)
{
    const struct timespec moment = {0, 5000000};
    const double start_s = app_clock_s();
    bool tried = false;
    enum krn_code code = KRN_OK;
    state.spec.width = width;
    state.spec.height = height;
    while (code == KRN_OK && !tried) {
        code = app_engine_try_mine(engine, &state, false, &tried, &error);
        nanosleep(&moment, NULL);
    }
    print_message("%dx%d after %.3f s\n", width, height, app_clock_s() - start_s);
    return code;
}

/* A size or a scene that no test had is tried in the process, and the program goes on. */
TEST_WITH(untried, open_engine, close_engine)
{
    begin();
    const int width = state.spec.width, height = state.spec.height;
    put(test_mine(
        "unsigned char *pixel =",
        "static volatile float depth[1024 * 1024];\n"
        "    (frame.width > 1024 ? (volatile float *)16 : depth)[j * frame.width + i] = 1;\n"
        "    unsigned char *pixel ="));
    print_message("%.2f s: %s\n", follow(), status->text);
    assert_false(status->fault);
    bool tried;
    TEST_OK(app_engine_try_mine(engine, &state, false, &tried, &error));
    assert_true(tried); /* with the version */
    TEST_OK(try_size(640, 480));
    TEST_FAILS(try_size(3840, 2160), KRN_REFUSED,
               backend == KRN_BACKEND_CUDA ? "line 26: writes" : "ran the kernel at 3840x2160");
    print_message("%s\n", error.text);
    TEST_OK(try_size(width, height));
    state.spec.recipe.count = 40;
    TEST_OK(app_engine_adopt(engine, &state, &error));
    TEST_OK(app_engine_try_mine(engine, &state, false, &tried, &error));
    assert_false(tried);
    TEST_OK(try_size(64, 48));
    assert_true(status->ready && !status->fault);
    free(test_render_mode(app_engine_device(engine, &state),
                          (struct krn_mode){KRN_KERNEL_MINE, KRN_STORAGE_GLOBAL, 1},
                          test_view(64, 64)));
}

/* Blocks as large as a GPU has, and long code, which the guard makes longer. */
TEST_WITH(large, open_engine, close_engine)
{
    begin();
    put(test_mine_after("#define MINE_BLOCK_X 32\n#define MINE_BLOCK_Y 32"));
    print_message("%.2f s: %s\n", follow(), status->text);
    assert_non_null(strstr(status->text, "the same picture"));
    put(test_mine("    for (int s = 0;", "#pragma unroll 100\n    for (int s = 0;"));
    print_message("%.2f s: %s\n", follow(), status->text);
    assert_non_null(strstr(status->text, "the same picture"));
}

/* What is not the text's fault passes; and a save is seen that neither time nor length tells. */
TEST_WITH(passing, open_engine, close_engine)
{
    struct stat before;
    begin();
    if (backend == KRN_BACKEND_CPU) { /* a GPU's compiler writes no files */
        assert_int_equal(rmdir(temporary), 0);
        put(test_mine("red * 255", "red * 200"));
        expect_fault("cannot be made: No such file");
        assert_int_equal(mkdir(temporary, 0700), 0);
        expect_fault("pixels wrong");
    }
    assert_int_equal(stat(path, &before), 0);
    put(test_mine("red * 255", "255 * red"));
    (void)follow();
    put(test_mine("red * 255", "red * 201"));
    const struct timespec times[2] = {before.st_mtim, before.st_mtim};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    expect_fault("pixels wrong");
}

/* Headers are found beside the file, and followed as it is. */
TEST_WITH(headers, open_engine, close_engine)
{
    char hash[APP_MINE_HASH];
    assert_int_equal(mkdir(in("sub"), 0700), 0);
    test_file_put_text(in("own.h"), "#include \"sub/factor.h\"\n");
    test_file_put_text(in("sub/factor.h"), "#include \"value.h\"\n");
    test_file_put_text(in("sub/value.h"), "255\n");
    put(test_mine("red * 255", "red *\n#include \"own.h\"\n"));
    begin();
    memcpy(hash, status->hash, sizeof hash);
    test_file_put_text(in("sub/value.h"), "200\n");
    expect_fault("pixels wrong");
    test_file_put_text(in("sub/value.h"), "255\n@\n");
    expect_fault("value.h, line 2: ");
    test_file_put_text(in("sub/value.h"), "0xff\n");
    (void)follow();
    assert_false(status->fault);
    assert_string_not_equal(status->hash, hash);
}

/* A saved file is loaded while its predecessor renders; numbers begin anew. */
TEST_WITH(saved, open_engine, close_engine)
{
    begin();
    const uint32_t epoch = app_engine_epoch(engine);
    put(test_mine("fmaf(-dx, dx, fmaf(-dy, dy, r * r))", "r * r - dx * dx - dy * dy"));
    print_message("%.2f s: %s\n", follow(), status->text);
    assert_false(status->fault);
    assert_non_null(strstr(status->text, "rounded otherwise"));
    assert_true(status->numbers.rounded > 0);
    assert_true(app_engine_epoch(engine) > epoch);
    put(test_mine_constant("__constant__ sphere scene[20];"));
    print_message("%.2f s: %s\n", follow(), status->text);
    assert_int_equal(status->storage, KRN_STORAGE_CONSTANT);
    assert_non_null(strstr(status->text, "the same picture"));
    state.spec.mode = (struct krn_mode){KRN_KERNEL_MINE, KRN_STORAGE_GLOBAL, 1};
    app_mine_adapt(status, &state);
    TEST_OK(krn_device_check_mode(app_engine_device(engine, &state), state.spec.mode, &error));
    struct app_facts facts = {.live = true};
    app_engine_facts(engine, &facts);
    assert_true(facts.has_mine && facts.mine_storage == KRN_STORAGE_CONSTANT);
}

TEST_WITH(described, open_engine, close_engine)
{
    begin();
    struct krn_kernels kernels;
    const struct krn_mode mode = {KRN_KERNEL_MINE, KRN_STORAGE_GLOBAL, 1};
    const struct krn_view view = app_engine_view(&state);
    const enum krn_code code =
        krn_device_kernels(app_engine_device(engine, &state), mode, &view, &kernels, &error);
    assert_int_equal(code, backend == KRN_BACKEND_CUDA ? KRN_OK : KRN_UNAVAILABLE);
    if (code == KRN_OK) {
        const struct krn_kernel_attributes *kernel = &kernels.list[0];
        assert_int_equal(kernels.count, 1);
        assert_true(kernel->registers > 0 && kernel->threads == 256);
        assert_true(kernel->blocks_per_processor > 0 && kernel->occupancy > 0.1);
    }
}

/* What the reference accepts is verified, also beside the other kernels' bytes. */
TEST_WITH(verified, open_engine, close_engine)
{
    const struct app_verify_limits limits = {1e300, false};
    const struct krn_mode modes[] = {{KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1},
                                     {KRN_KERNEL_MINE, KRN_STORAGE_GLOBAL, 1}};
    struct app_verify_status found[2];
    put(test_mine("fmaf(-dx, dx, fmaf(-dy, dy, r * r))", "r * r - dx * dx - dy * dy"));
    begin();
    TEST_OK(app_verify_now(engine, &state, modes, 2, &limits, found, &error));
    print_message("%s\n", found[1].text);
    assert_int_equal(found[0].verified, APP_VERIFIED_TRUE);
    assert_int_equal(found[1].verified, APP_VERIFIED_TRUE);
    assert_non_null(strstr(found[1].text, "rounded otherwise"));
}

/* Follows a folder for a second at least, until every file has its row. */
static const struct app_class_view *settle(struct app_class *board)
{
    const struct timespec moment = {0, 2000000};
    const double start_s = app_clock_s();
    const struct app_class_view *view;
    do {
        TEST_OK(app_class_frame(board, backend, app_clock_s(), &error));
        if (!app_class_measures(board))
            nanosleep(&moment, NULL);
        view = app_class_current(board, 0.0);
        assert_true(app_clock_s() - start_s < 120.0);
    } while (app_clock_s() - start_s < 1.0 || !view->settled);
    for (int i = 0; i <= view->count; i++)
        print_message("%d %s %.3f [%.3f, %.3f] %s\n", view->rows[i]->rank, view->rows[i]->file,
                      view->rows[i]->speed.value, view->rows[i]->speed.low,
                      view->rows[i]->speed.high, view->rows[i]->why);
    return view;
}

/* The kernels of a folder are ranked as they and their headers come, change and go, beside the
 * book's; no file keeps others from it. */
TEST_WITH(ranks, open_engine, close_engine)
{
    begin();
    state.spec.width = state.spec.height = 256;
    struct app_class *board = app_class_open(engine, &state, in("."), NULL, NULL);
    put(test_mine("red * 255", "red * 200"));
    test_file_put_text(in("broken.cu"), "void");
    test_file_put_text(in("full.h"), "255\n");
    assert_int_equal(mkdir(in("folder.cu"), 0700), 0);
    snprintf(path, sizeof path, "%s", in("same.cu"));
    put(test_mine("red * 255", "red *\n#include \"full.h\"\n"));
    snprintf(path, sizeof path, "%s", in("endless.cu"));
    put(test_mine("pixel[3] = 255;", "for (volatile int n = 0;; n++);"));
    snprintf(path, sizeof path, "%s", in("good.cu"));
    put(test_mine(NULL, NULL));
    static const char *const order[] = {"book.cu", "broken.cu", "endless.cu", "folder.cu"};
    static const char *const whys[] = {"renders ", "has no kernel", "was stopped", "is a folder"};
    const struct app_class_view *view = settle(board);
    const struct app_class_row *const *const rows = view->rows;
    assert_true(view->count == 6 && view->timed == 2);
    assert_true(rows[0]->rank == 0 && rows[0]->speed.valid && rows[0]->time.median.value > 0.0);
    assert_int_equal(rows[0]->time.verified, APP_VERIFIED_TRUE);
    assert_true(rows[1]->rank == 1 && rows[1]->speed.value >= rows[2]->speed.value);
    assert_int_equal(rows[2]->rank, 1 + (rows[1]->speed.low > rows[2]->speed.high));
    assert_true(rows[1]->speed.level > 0.998);
    assert_int_equal(rows[1]->time.verified, APP_VERIFIED_TRUE);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(rows[3 + i]->file, order[i]);
        assert_int_equal(strncmp(rows[3 + i]->why, whys[i], strlen(whys[i])), 0);
        assert_int_equal(rows[3 + i]->rank, 0);
    }
    /* What changes is tested anew; what goes has no row. */
    put(test_mine("float red = 0,", "float red = 0"));
    remove(in("endless.cu"));
    view = settle(board);
    assert_true(view->count == 5 && view->timed == 1 && rows[1]->rank == 1);
    assert_true(strncmp(rows[5]->why, "line ", 5) == 0 && !rows[5]->time.valid);
    test_file_put_text(in("full.h"), "200\n");
    view = settle(board);
    assert_true(view->timed == 0 && strstr(rows[5]->why, "pixels wrong") != NULL);
    app_class_close(board);
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
    cmocka_set_test_filter(argc > 2 ? argv[2] : NULL);
    cmocka_set_skip_filter(argc > 3 ? argv[3] : NULL);
    return tests_run(NULL, NULL);
}
