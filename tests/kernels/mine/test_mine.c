/* The user's kernel: compiled by NVRTC, which needs no GPU, and for a device, cuda or device,
 * compiled, loaded and compared with the book's kernel. What lacks its compiler is skipped. */
#include "files.h"
#include "mine.h"
#include "pictures.h"

#include "krn/mine.h"

#include <sys/wait.h>

static enum krn_backend_id backend = KRN_BACKEND_CPU;
static struct krn_device *device;
static struct krn_scene scene;
static char folder[] = "/tmp/spherescope-test-XXXXXX", home[] = "/tmp/spherescope-test-XXXXXX";
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

/* A process finds NVRTC once, so each place has its own. */
TEST(nvrtc_is_found_in_the_folders_of_toolkits_and_of_python)
{
    static const char *const places[][2] = {
        {"CUDA_HOME", "targets/x86_64-linux/lib/libnvrtc.so.12"},
        {"CONDA_PREFIX", "lib/libnvrtc.so.12"},
        {"VIRTUAL_ENV", "lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12"},
        {"VIRTUAL_ENV", "lib/python3.13/site-packages/nvidia/cu13/lib/libnvrtc.so.13"}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char root[] = "/tmp/spherescope-test-XXXXXX", command[512];
        assert_non_null(mkdtemp(root));
        snprintf(command, sizeof command, "install -D '%s' '%s/%s'", FAKE_NVRTC, root,
                 places[i][1]);
        assert_int_equal(system(command), 0);
        const pid_t child = fork();
        if (child == 0) {
            TEST_FREED char *text = test_mine(NULL, NULL);
            for (size_t k = 0; k < sizeof places / sizeof *places; k++)
                unsetenv(places[k][0]);
            unsetenv("SPHERESCOPE_NVRTC");
            setenv(places[i][0], root, 1);
            const enum krn_code code = compile(true, text);
            _exit(code == KRN_REFUSED && strstr(error.text, "made-up compiler") ? 0 : 1);
        }
        int status = -1;
        assert_int_equal(waitpid(child, &status, 0), child);
        snprintf(command, sizeof command, "rm -r '%s'", root);
        assert_int_equal(system(command), 0);
        assert_int_equal(status, 0);
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
    static const char *const words[][2] = {
        {"__shared__ float q[2];", "__shared__ needs a GPU: "},
        {"extern __shared__ float q[];", "__shared__ needs a GPU: "},
        {"__syncthreads();", "__syncthreads needs a GPU: "},
        {"unsigned q = __shfl_down_sync(~0u, i, 1);", "__shfl_down_sync needs a GPU: "},
        {"unsigned q = __ballot_sync(~0u, i == 0);", "__ballot_sync needs a GPU: "},
        {"int q; atomicAdd(&q, 1);", "atomicAdd needs a GPU: "},
        {"long long q = clock64();", "clock64 needs a GPU: "},
        {"__nanosleep(9);", "__nanosleep needs a GPU: "},
        {"asm volatile(\"trap;\");", ""},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char to[100], told[60];
        snprintf(to, sizeof to, "%s\nconst float x", words[i][0]);
        snprintf(told, sizeof told, "line 10: %s", words[i][1]);
        TEST_FREED char *text = test_mine("const float x", to);
        TEST_FAILS(compile(false, text), KRN_REFUSED, told);
    }
}

/* What CUDA C computes, as IEEE 754 and NVIDIA's documents define it, on a CPU as on a GPU. */
TEST(words_of_cuda)
{
    static const char head[] =
        "#include \"spherescope.h\"\n#include <math_constants.h>\n#include <stdint.h>\n"
        "#define F(x) __float_as_uint(x)\n#define H(x) ((unsigned)((x) >> 32))\n"
        "#define D(x) H(__double_as_longlong(x))\n"
        "#define W(as, f, x, n, z, u, d) "
        "(as(f##rn x) == n && as(f##rz x) == z && as(f##ru x) == u && as(f##rd x) == d)\n"
        "#define A(T) (sizeof(T) << 8 | alignof(T))\n"
        "struct __align__(8) wide { char c; };\n"
        "__device__ __noinline__ int far(int x) { return 2 * x; }\n"
        "static __forceinline__ __device__ int near(int x) { return x + 1; }\n"
        "extern \"C\" __global__ void sums(const sphere *s, frame f) {\n"
        "const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "const volatile float a = 1.1f, b = 1e-7f;\nconst bool right[] = {\n";
    char sums[] =
        "W(F, __fadd_, (a, b), 0x3f8cccce, 0x3f8ccccd, 0x3f8cccce, 0x3f8ccccd); "
        "W(F, __fsub_, (b, a), 0xbf8ccccc, 0xbf8ccccc, 0xbf8ccccc, 0xbf8ccccd); "
        "W(F, __fmul_, (a, a), 0x3f9ae148, 0x3f9ae148, 0x3f9ae149, 0x3f9ae148); "
        "W(F, __fdiv_, (-10.0f, 3.0f), 0xc0555555, 0xc0555555, 0xc0555555, 0xc0555556); "
        "W(F, __frcp_, (3.0f), 0x3eaaaaab, 0x3eaaaaaa, 0x3eaaaaab, 0x3eaaaaaa); "
        "W(F, __fsqrt_, (2.0f), 0x3fb504f3, 0x3fb504f3, 0x3fb504f4, 0x3fb504f3); "
        "W(F, __fmaf_, (a, a, -b), 0x3f9ae147, 0x3f9ae147, 0x3f9ae148, 0x3f9ae147); "
        "W(D, __dadd_, (1.0, -1e-20), 0x3ff00000, 0x3fefffff, 0x3ff00000, 0x3fefffff); "
        "W(D, __fma_, (1.0, 1.0, -1e-20), 0x3ff00000, 0x3fefffff, 0x3ff00000, 0x3fefffff); "
        "W(F, __int2float_, (-16777219), 0xcb800002, 0xcb800001, 0xcb800001, 0xcb800002); "
        "W(F, __uint2float_, (16777217), 0x4b800000, 0x4b800000, 0x4b800001, 0x4b800000); "
        "W(F, __ull2float_, (~0ull), 0x5f800000, 0x5f7fffff, 0x5f800000, 0x5f7fffff); "
        "W(F, __double2float_, (0.1), 0x3dcccccd, 0x3dcccccc, 0x3dcccccd, 0x3dcccccc); "
        "W(, __float2int_, (-2.5f), -2, -2, -2, -3); W(, __float2uint_, (3.5f), 4, 3, 4, 3); "
        "W(, __float2uint_, (-a), 0, 0, 0, 0); "
        "W(, __float2int_, (3e9f), 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff); "
        "W(, __float2int_, (CUDART_NAN_F), 0, 0, 0, 0); "
        "W(H, __float2ll_, (CUDART_NAN_F), 1u << 31, 1u << 31, 1u << 31, 1u << 31); "
        "W(, __double2int_, (CUDART_NAN), 1u << 31, 1u << 31, 1u << 31, 1u << 31); "
        "A(char3) == 0x301; A(uchar4) == 0x404; A(short2) == 0x404; A(ushort4) == 0x808; "
        "A(int2) == 0x808; A(uint3) == 0xc04; A(uint4) == 0x1010; A(long2) == 0x1010; "
        "A(float3) == 0xc04; A(double1) == 0x808; A(double2) == 0x1010; A(double3) == 0x1808; "
        "A(ulonglong4) == 0x2010; A(wide) == 0x808; "
        "dim3(5).y + make_uint3(1, 2, 3).z + uint3(blockDim).y == 20; "
        "make_short4(1, 2, 3, -4).w == -4; far(7) + near(7) == 22; "
        "F(__frsqrt_rn(3.0f)) == 0x3f13cd3a; F(__fdividef(6.0f, 3.0f)) == 0x40000000; "
        "F(__saturatef(a)) == 0x3f800000; F(__saturatef(-b)) == 0; "
        "F(__saturatef(CUDART_NAN_F)) == 0; F(min(a, CUDART_NAN_F)) == 0x3f8ccccd; "
        "F(max(CUDART_NAN_F, a)) == 0x3f8ccccd; min(-1, 2u) == 2; max(-1, 2u) == ~0u; "
        "D(max(a, 2.0)) == 0x40000000; __float2int_rn(100 * __expf(1.0f)) == 272; "
        "__popc(0xf0f00001) == 9; __popcll(~0ull) == 64; __clz(1) == 31; __clz(0) == 32; "
        "__clzll(1) == 63; __ffs(8) == 4; __ffs(0) == 0; __ffsll(1ll << 40) == 41; "
        "__brev(0x12345678) == 0x1e6a2c48; __brevll(1ull << 63) == 1; "
        "__mul24(0x800000, 3) == 0xfe800000; __umul24(0xff000003, 5) == 15; "
        "__mulhi(-2, 3) == -1; __umulhi(~0u, 3) == 2; __mul64hi(-2, 3) == -1; "
        "__umul64hi(~0ull, 3) == 2; __byte_perm(0x03020100, 0x07060504, 0x7016) == 0x07000106; "
        "__funnelshift_l(0x80000001, 0x12345678, 36) == 0x23456788; "
        "__funnelshift_lc(0x80000001, 0x12345678, 36) == 0x80000001; "
        "__funnelshift_r(0x80000001, 0x12345678, 36) == 0x88000000; "
        "__funnelshift_rc(0x80000001, 0x12345678, 36) == 0x12345678; __sad(-5, 7, 1) == 13; "
        "__usad(5, 7, 1) == 3; __hadd(-3, -4) == -4; __rhadd(3, 4) == 4; "
        "__uhadd(~0u, ~0u) == ~0u; __urhadd(~0u, 0) == 1u << 31; F(CUDART_PI_F) == 0x40490fdb; "
        "D(CUDART_INF) == 0x7ff00000; sizeof(uint64_t) + sizeof(int16_t) == 10; "
        "(__ldcg(&s->r) == __ldg(&s->r)) == 1";
    const struct krn_mode mode = {KRN_KERNEL_MINE, KRN_STORAGE_GLOBAL, 1};
    const char *words[200];
    char text[1 << 14];
    int count = 0;
    strcpy(text, head);
    for (char *sum = strtok(sums, ";"); sum != NULL; sum = strtok(NULL, ";")) {
        words[count++] = sum;
        sprintf(text + strlen(text), "%s,\n", sum);
    }
    strcat(text, "};\n*(unsigned *)(f.pixels + 4 * i) = right[i % sizeof right];\n}\n");
    if (has_compiler(true))
        TEST_OK(compile(true, text));
    if (!has_compiler(false))
        skip();
    TEST_OK(compile(false, text));
    TEST_OK(krn_device_load_mine(device, &mine, &error));
    TEST_FREED uint8_t *pixels = test_render_mode(device, mode, test_view(256, 1));
    for (int i = 0; i < count; i++)
        if (pixels[4 * i] != true)
            fail_msg("not so:%s", words[i]);
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
    if (mkdtemp(folder) == NULL || mkdtemp(home) == NULL || chdir(home) != 0)
        return 1;
    test_file_put_text("good.h", "#pragma once\n#include \"better.h\"\n");
    test_file_put_text("better.h", "__device__ int better() { return 1; }\n");
    test_file_put_text("bad.h", "\n__device__ int bad() { return 1 }\n");
    return 0;
}

static int close_all(void **unused)
{
    char command[128];
    (void)unused;
    snprintf(command, sizeof command, "rm -r %s %s", folder, home);
    free(mine.image);
    free(mine.guarded);
    krn_device_close(device);
    krn_scene_free(&scene);
    return system(command);
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
