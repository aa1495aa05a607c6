/* The user's kernel: compiled by NVRTC, which needs no GPU, and for a device, cuda or device,
 * compiled, loaded and compared with the book's kernel. What lacks its compiler is skipped. */
#include "mine.h"
#include "pictures.h"

#include "krn/mine.h"

#include <unistd.h>

static enum krn_backend_id backend = KRN_BACKEND_CPU;
static struct krn_device *device;
static struct krn_scene scene;
static char folder[] = "/tmp/spherescope-test-XXXXXX";
static struct krn_mine mine;

static enum krn_code compile(bool without_device, const char *text)
{
    free(mine.image);
    free(mine.guarded);
    mine.image = mine.guarded = NULL;
    return without_device ? krn_mine_compile_cuda(9, 0, "book.cu", text, &mine, &error)
                          : krn_device_compile_mine(device, "book.cu", text, folder, &mine, &error);
}

static bool has_compiler(bool without_device)
{
    TEST_FREED char *text = test_mine(NULL, NULL);
    if (compile(without_device, text) != KRN_UNAVAILABLE)
        return true;
    print_message("%s\n", error.text);
    return false;
}

static void compile_all(bool without_device)
{
    if (!has_compiler(without_device))
        skip();
    TEST_FREED char *global = test_mine(NULL, NULL),
                    *constant = test_mine_constant("__constant__ sphere scene[2340];");
    TEST_OK(compile(without_device, global));
    assert_string_equal(mine.kernel, "book");
    assert_int_equal(mine.storage, KRN_STORAGE_GLOBAL);
    assert_true(mine.bytes > 0);
    TEST_OK(compile(without_device, constant));
    assert_int_equal(mine.storage, KRN_STORAGE_CONSTANT);
    for (int i = 0; i < TEST_MINE_FAULTS; i++) {
        TEST_FREED char *text = test_mine(test_mine_faults[i].from, test_mine_faults[i].to);
        TEST_FAILS(compile(without_device, text), KRN_REFUSED, test_mine_faults[i].words);
        print_message("%s\n", error.text);
    }
    for (int i = 0; i < TEST_MINE_RIGHT; i++) {
        TEST_FREED char *text = test_mine(test_mine_head, test_mine_right[i].head);
        TEST_OK(compile(without_device, text));
        assert_string_equal(mine.kernel, test_mine_right[i].name);
        assert_int_equal(mine.storage, KRN_STORAGE_GLOBAL);
    }
}

TEST(nvrtc)
{
    compile_all(true);
}

/* Every access to global memory has a call before it, and the text is one that CUDA's assembler
 * takes. */
static void expect_guards(const char *text, int accesses)
{
    static const char call[] = "call mine_check, (";
    char command[128], path[] = "/tmp/spherescope-test-XXXXXX";
    TEST_OK(compile(true, text));
    int calls = 0;
    for (const char *at = mine.guarded; (at = strstr(at, call)) != NULL; at++)
        calls++;
    if (accesses > 0)
        assert_int_equal(calls, accesses);
    assert_true(calls > 0);
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, mine.guarded, strlen(mine.guarded)), strlen(mine.guarded));
    close(file);
    snprintf(command, sizeof command, "ptxas -arch=sm_90 -o /dev/null %s", path);
    if (system("command -v ptxas >/dev/null 2>&1") == 0)
        assert_int_equal(system(command), 0);
    remove(path);
}

TEST(guards)
{
    static const char head[] = "struct wide { float4 a; short b; };\n"
                               "__device__ wide table[3] = {{{1, 2, 3, 4}, 5}};\n"
                               "__device__ int counter;\n"
                               "__device__ double wild[2][5];\n"
                               "__constant__ float few[4] = {1, 2, 3, 4};\n"
                               "__device__ __noinline__ int read(const int *at) { return *at; }\n"
                               "extern \"C\" __global__ void k(const sphere *s, frame f) {"
                               "__shared__ int near[32]; near[threadIdx.x] = 1;";
    static const struct {
        const char *body;
        int accesses;
    } bodies[] = {
        {"f.pixels[0] = 1;", 1},
        {"*(float4 *)f.pixels = table[f.count].a;", 2},
        {"atomicAdd(&counter, 1); table[f.count].b = 2;", 2},
        {"f.pixels[0] = read(f.count > 3 ? near : &counter);", 2},
        {"const float *p = f.count > 3 ? few : &s->x; f.pixels[0] = p[f.width];", 2},
        {"wild[f.count][1] = near[f.width];", 1},
        {"table[f.count - 24].b = 0;", 1},
        {"asm(\"st.global.u8 [%0+0x40], 1;\" :: \"l\"(f.pixels));", 1},
        {"typedef float (*of)(sphere, float); of p = 0; f.pixels[0] = p == 0;", 1},
        {"asm(\"{ .reg .pred %%q; setp.eq.s32 %%q, %1, 3; @%%q st.global.v2.u32 [%0+-8], {%1, %1}; "
         "/* [; */ }\" :: \"l\"(f.pixels), \"r\"(f.count));",
         1},
        {"asm(\"{ .local .b8 q[4]; st.global.u8 [%0], 1; }\" :: \"l\"(f.pixels));", 1},
        {"asm(\".loc 1 1 1 st.global.u8 [%0], 1;\" :: \"l\"(f.pixels));", 1},
        {"asm(\"/* ; */ st.global.u8 /* [x] */ [ %0 + 0 ], 1;\" :: \"l\"(f.pixels));", 1},
        {"asm(\"{ .pragma \\\"used; {\\\"; st.global.u8 [%0], 1; }\" :: \"l\"(f.pixels));", 1},
        {"asm(\"st .global .u8 [%0], 1;\" :: \"l\"(f.pixels));", 1},
        {"asm(\"{ .reg .b64 wild; .reg .pred q; mov.b64 wild, %0; setp.eq.s32 q, %1, 3; "
         "@!q st.u8 [wild], 1; }\" :: \"l\"(f.pixels), \"r\"(f.count));",
         1},
    };
    static const struct {
        const char *body, *words;
    } hidden[] = {
        {"asm(\"cp.async.ca.shared.global [%0], [%1], 4;\" :: \"r\"(f.width), \"l\"(s));",
         "book.cu, line 9: cp.async.ca.shared.global hides the memory that it uses"},
        {"asm(\"st.global.u8 [%0+4+4], 1;\" :: \"l\"(f.pixels));", "line 9: st.global.u8 hides"},
        {"f.pixels[0] = (*(float (*const *)(float))s)(1.0f);",
         "line 9: call through a pointer may go anywhere"},
        {"asm(\"{ .reg .b64 wild; mov.b64 wild, %0; p: .callprototype _ (); call wild, p; }\" :: "
         "\"l\"(f.pixels));",
         "line 9: wild is called, and is not a function of the file"},
        {"free((void *)s);", "line 9: free is called, and is not a function of the file"},
        {"printf(\"%d\", f.count);", "line 9: printf is not for a kernel on stage"},
        {"asm(\"{ .reg .b64 %%mine_at; }\" :: \"r\"(f.count));",
         "line 9: %mine_at is not understood"},
        {"asm(\"{ .global .b32 x; }\");", "line 9: .global .b32 is not understood"},
    };
    char text[2048];
    if (!has_compiler(true))
        skip();
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        snprintf(text, sizeof text, "#include \"spherescope.h\"\n%s%s}\n", head, bodies[i].body);
        expect_guards(text, bodies[i].accesses);
        assert_non_null(strstr(mine.guarded, "generic(table), 96,"));
    }
    TEST_FREED char *large = test_mine_after("#define MINE_BLOCK_X 32\n#define MINE_BLOCK_Y 32");
    expect_guards(large, 0);
    assert_non_null(strstr(mine.guarded, ".maxntid 32, 32, 1"));
    assert_null(strstr(mine.guarded, "generic(mine_guard)")); /* it is no variable of the file */
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        snprintf(text, sizeof text, "#include \"spherescope.h\"\n%s\n%s}\n", head, hidden[i].body);
        TEST_FAILS(compile(true, text), KRN_REFUSED, hidden[i].words);
    }
    /* An older GPU, where NVRTC still knows it. */
    TEST_FREED char *book = test_mine(NULL, NULL);
    const enum krn_code old = krn_mine_compile_cuda(6, 0, "book.cu", book, &mine, &error);
    assert_true(old == KRN_OK || old == KRN_UNAVAILABLE);
}

TEST(compiler_of_the_device)
{
    compile_all(false);
}

TEST(words_of_a_gpu)
{
    if (backend != KRN_BACKEND_CPU || !has_compiler(false))
        skip();
    /* NVRTC has this one from CUDA 12.4 on. */
    TEST_FREED char *attribute =
        test_mine(test_mine_head, "extern \"C\" __global__ void __maxnreg__(40) book(");
    TEST_OK(compile(false, attribute));
    assert_string_equal(mine.kernel, "book");
    TEST_FREED char *prints = test_mine_after("extern \"C\" int printf(const char *, ...);\n"
                                              "int print(int i) { return printf(\"%d\", i); }");
    TEST_FAILS(compile(false, prints), KRN_REFUSED, "line 4: printf is not for");
    TEST_FREED char *shared = test_mine("const float x", "__shared__ float q[2];\nconst float x");
    TEST_FAILS(compile(false, shared), KRN_REFUSED, "line 10: __shared__ needs a GPU");
}

static void same_as_book(char *text, enum krn_storage storage)
{
    static const int sizes[][2] = {{64, 64}, {67, 41}, {1, 1}};
    const struct krn_mode mode = {KRN_KERNEL_MINE, storage, 1};
    TEST_OK(compile(false, text));
    TEST_OK(krn_device_load_mine(device, &mine, &error));
    for (int i = 0; i < 3; i++) {
        const struct krn_view view = test_view(sizes[i][0], sizes[i][1]);
        TEST_OK(krn_device_set_pose(device, krn_pose_at(3.0 * i), &error));
        TEST_FREED uint8_t *own = test_render_mode(device, mode, view),
                           *book = test_render(device, KRN_STORAGE_GLOBAL, view);
        test_same_bytes(own, book, view, "mine");
    }
    struct krn_overhead overhead;
    const struct krn_view view = test_view(64, 64);
    TEST_OK(krn_device_overhead(device, mode, &view, &overhead, &error));
    free(text);
}

TEST(same_bytes)
{
    if (!has_compiler(false))
        skip();
    same_as_book(test_mine(NULL, NULL), KRN_STORAGE_GLOBAL);
    same_as_book(test_mine_constant("#define MINE_BLOCK_X 5\n#define MINE_BLOCK_Y 1\n"
                                    "__constant__ sphere scene[20];"),
                 KRN_STORAGE_CONSTANT);
    /* Another version takes the place of the one before. */
    const struct krn_view view = test_view(64, 64);
    TEST_FREED char *text = test_mine("red * 255", "red * 200");
    TEST_OK(compile(false, text));
    TEST_OK(krn_device_load_mine(device, &mine, &error));
    TEST_FREED uint8_t *own = test_render_mode(
                           device, (struct krn_mode){KRN_KERNEL_MINE, KRN_STORAGE_GLOBAL, 1}, view),
                       *book = test_render(device, KRN_STORAGE_GLOBAL, view);
    assert_memory_not_equal(own, book, 4 * 64 * 64);
}

/* The teaching versions fit on the screen, and render the book's picture. */
TEST(teaching_versions)
{
    static const struct {
        const char *name;
        enum krn_storage storage;
        bool gpu;
    } files[] = {{"book-global", KRN_STORAGE_GLOBAL, false},
                 {"book-readonly", KRN_STORAGE_GLOBAL, false},
                 {"book-constant", KRN_STORAGE_CONSTANT, false},
                 {"book-shared", KRN_STORAGE_GLOBAL, true},
                 {"strip", KRN_STORAGE_GLOBAL, false}};
    static const char head[] = "#include \"spherescope.h\"\nusing namespace teaching;\n\n";
    const bool nvrtc = has_compiler(true), compiler = has_compiler(false);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[256], text[2048];
        snprintf(path, sizeof path, TEST_SOURCE_DIR "/assets/kernels/%s.cu", files[i].name);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        text[fread(text, 1, sizeof text - 1, file)] = 0;
        fclose(file);
        const char *line = strstr(text, head);
        assert_non_null(line);
        int lines = 0;
        for (line += strlen(head); *line != 0; line += strcspn(line, "\n") + 1, lines++)
            assert_in_range(strcspn(line, "\n"), 1, 60);
        assert_in_range(lines, 1, 12);
        if (nvrtc)
            expect_guards(text, 0);
        if (compiler && files[i].gpu && krn_device_is_host(device))
            TEST_FAILS(compile(false, text), KRN_REFUSED, "__shared__ needs a GPU");
        else if (compiler)
            same_as_book(strdup(text), files[i].storage);
    }
    if (!nvrtc && !compiler)
        skip();
}

/* Only the mode of the loaded kernel is offered, for as many spheres as it has room for. */
TEST(offered)
{
    const struct krn_mode global = {KRN_KERNEL_MINE, KRN_STORAGE_GLOBAL, 1},
                          constant = {KRN_KERNEL_MINE, KRN_STORAGE_CONSTANT, 1};
    TEST_OK(krn_device_load_mine(device, NULL, &error));
    TEST_FAILS(krn_device_check_mode(device, global, &error), KRN_REFUSED, "--kernel-file");
    for (int m = 0; m < KRN_MODES_MAX; m++)
        assert_true(krn_device_offers(device, krn_mode_at(m)) == (m < KRN_MODES));
    if (!has_compiler(false))
        skip();
    TEST_FREED char *text = test_mine_constant("__constant__ sphere scene[19];");
    TEST_OK(compile(false, text));
    TEST_OK(krn_device_load_mine(device, &mine, &error));
    TEST_FAILS(krn_device_check_mode(device, global, &error), KRN_REFUSED, "which is constant");
    TEST_FAILS(krn_device_check_mode(device, constant, &error), KRN_REFUSED, "19 spheres, not 20");
    TEST_OK(krn_device_load_mine(device, NULL, &error));
}

TEST(no_compiler)
{
    if (backend != KRN_BACKEND_CPU)
        skip();
    TEST_FREED char *text = test_mine(NULL, NULL), *path = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    setenv("CXX", "/nowhere/c++ -O1", 1);
    TEST_FAILS(compile(false, text), KRN_UNAVAILABLE, "install one");
    setenv("PATH", path, 1);
    unsetenv("CXX");
}

static int open_all(void **unused)
{
    (void)unused;
    scene = test_scene(KRN_BOOK_SPHERES, 1, 20.0f, 120.0f);
    TEST_OK(krn_backend_get(backend)->connect(0, &device, &error));
    TEST_OK(krn_device_set_scene(device, &scene, &error));
    return mkdtemp(folder) == NULL;
}

static int close_all(void **unused)
{
    static const char *const names[] = {"spherescope.h", "kernel.cpp", "kernel.so", "printed"};
    char path[64];
    (void)unused;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        (void)remove(path);
    }
    free(mine.image);
    free(mine.guarded);
    krn_device_close(device);
    krn_scene_free(&scene);
    return remove(folder);
}

int main(int argc, char *argv[])
{
    int devices;
    if (argc > 1 && strcmp(argv[1], "cuda") == 0)
        backend = KRN_BACKEND_CUDA;
    if (krn_backend_get(backend)->count(&devices, &error) != KRN_OK) {
        fprintf(stderr, "skipped: %s\n", error.text);
        return TEST_SKIPPED;
    }
    return tests_run(open_all, close_all);
}
