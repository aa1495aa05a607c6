/* What --info and --list-devices tell, in words and as JSON, and how devices are collected, on
 * machines that are made up: GPUs with kernels, without a driver, and in faulty
 * states.
 */
#include "expect.h"

#include "records/info.h"

#include "core/device/backend.h"
#include "core/probes/probe_ops.h"
#include "krn/access.h"
#include "krn/memory.h"

/* --- a made-up backend in the place of the one for CUDA --- */

enum { LAUNCHES_OF_BINNED = 2, MANY = 200 };

static struct {
    bool on;
    int devices;
    enum krn_code counts, connects; /* what these calls return */
    int indescribable;              /* the device that cannot be described; -1: none */
    enum krn_code kernels, probes;  /* what asking for kernels and opening the probes return */
    bool no_strip;                  /* it has no launcher for the strip kernel */
    bool many_probes;
} gpu;

static struct krn_backend backend;
static struct krn_capabilities can;
static struct krn_device_ops ops;
static const struct krn_device_ops *inner;

const struct krn_backend *__real_krn_backend_get(enum krn_backend_id id);
const struct krn_backend *__wrap_krn_backend_get(enum krn_backend_id id);

const struct krn_backend *__wrap_krn_backend_get(enum krn_backend_id id)
{
    return gpu.on && id == KRN_BACKEND_CUDA ? &backend : __real_krn_backend_get(id);
}

/* Not from CUDA's runtime, whose allocations must not fail here. */
enum krn_code __real_krn_properties_read(enum krn_backend_id id, int ordinal,
                                         struct krn_property list[KRN_PROPERTIES_MAX], int *count,
                                         struct krn_error *why);
enum krn_code __wrap_krn_properties_read(enum krn_backend_id id, int ordinal,
                                         struct krn_property list[KRN_PROPERTIES_MAX], int *count,
                                         struct krn_error *why);

enum krn_code __wrap_krn_properties_read(enum krn_backend_id id, int ordinal,
                                         struct krn_property list[KRN_PROPERTIES_MAX], int *count,
                                         struct krn_error *why)
{
    if (!gpu.on || id != KRN_BACKEND_CUDA)
        return __real_krn_properties_read(id, ordinal, list, count, why);
    list[0] = (struct krn_property){"warpSize",    "threads per warp", KRN_PROPERTY_COUNT,
                                    .known = true, .count = 1,         .values = {32}};
    *count = 1;
    return KRN_OK;
}

static enum krn_code count_gpus(int *devices, struct krn_error *why)
{
    *devices = gpu.devices;
    return gpu.counts == KRN_OK ? KRN_OK : KRN_FAIL(why, gpu.counts, "The driver is asleep.");
}

static enum krn_code describe_gpu(int ordinal, struct krn_device_info *info, struct krn_error *why)
{
    if (ordinal == gpu.indescribable)
        return KRN_FAIL(why, KRN_UNAVAILABLE, "GPU %d is in exclusive use.", ordinal);
    *info = (struct krn_device_info){.backend = KRN_BACKEND_CUDA, .can = can, .ordinal = ordinal};
    snprintf(info->name, sizeof info->name, "Made-up GPU %d", ordinal);
    snprintf(info->pci_id, sizeof info->pci_id, "0000:%02x:00.0", ordinal);
    return KRN_OK;
}

static const struct krn_kernel_attributes plain = {.registers = 32,
                                                   .threads_max = 1024,
                                                   .threads = 256,
                                                   .blocks = 4096.0,
                                                   .blocks_per_processor = 8,
                                                   .occupancy = 1.0};

static bool renders(const struct krn_device *device, struct krn_mode mode)
{
    return inner->renders(device, mode) && !(gpu.no_strip && mode.kernel == KRN_KERNEL_STRIP);
}

static enum krn_code list_kernels(struct krn_device *device, struct krn_mode mode,
                                  const struct krn_view *view, struct krn_kernels *kernels,
                                  struct krn_error *why)
{
    (void)device;
    (void)view;
    if (gpu.kernels != KRN_OK)
        return KRN_FAIL(why, gpu.kernels, "The driver captures no launch.");
    kernels->count = mode.kernel == KRN_KERNEL_BINNED ? LAUNCHES_OF_BINNED : 1;
    for (int i = 0; i < kernels->count; i++)
        kernels->list[i] = plain;
    return KRN_OK;
}

static void close_probes(struct krn_probes *probes)
{
    free(probes);
}

static void add(struct krn_probes *probes, enum krn_topic topic, const char *series, double x,
                int blocks, int registers)
{
    struct krn_probe probe = {.topic = topic,
                              .axis = "elements",
                              .x = x,
                              .blocks = blocks,
                              .scope = "nothing",
                              .kernel = plain};
    probe.kernel.registers = registers;
    snprintf(probe.series, sizeof probe.series, "%s", series);
    krn_probes_add(probes, &probe);
}

static enum krn_code open_probes(struct krn_device *device, unsigned topics, size_t bytes_max,
                                 struct krn_probes **probes, struct krn_error *why)
{
    static const struct krn_probe_ops probe_ops = {.close = close_probes};
    (void)device;
    assert_int_equal(topics, KRN_TOPICS_ALL);
    assert_true(bytes_max > 0 && bytes_max <= (size_t)1 << 30);
    if (gpu.probes != KRN_OK)
        return KRN_FAIL(why, gpu.probes, "The probes do not fit.");
    struct krn_probes *made = krn_alloc(1, sizeof *made);
    made->ops = &probe_ops;
    *probes = made;
    add(made, KRN_TOPIC_SAXPY, "vector", 1024, 4, 16);
    add(made, KRN_TOPIC_SAXPY, "vector", 2048, 8, 16); /* launched as the one before */
    add(made, KRN_TOPIC_SAXPY, "vector", 4096, 16, 18);
    add(made, KRN_TOPIC_SAXPY, "scalar", 4096, 16, 18);  /* alike, but another series */
    add(made, KRN_TOPIC_TRANSFER, "scalar", 4096, 0, 0); /* no kernel */
    add(made, KRN_TOPIC_TIMER, "host", 1, 1, 0);         /* a kernel about which nothing is known */
    for (int i = 0; gpu.many_probes && i < MANY; i++)
        add(made, KRN_TOPIC_ILP, "many", i, 1, i + 1);
    return KRN_OK;
}

static enum krn_code connect_gpu(int ordinal, struct krn_device **device, struct krn_error *why)
{
    if (gpu.connects != KRN_OK)
        return KRN_FAIL(why, gpu.connects, "GPU %d does not start.", ordinal);
    const enum krn_code code = __real_krn_backend_get(KRN_BACKEND_CPU)->connect(0, device, why);
    if (code != KRN_OK)
        return code;
    inner = (*device)->ops;
    ops = *inner;
    ops.kernels = list_kernels;
    ops.renders = renders;
    ops.open_probes = open_probes;
    (*device)->ops = &ops;
    return KRN_OK;
}

static int begin(void **unused)
{
    (void)unused;
    memset(&gpu, 0, sizeof gpu);
    gpu.on = true;
    gpu.devices = 1;
    gpu.indescribable = -1;
    can = *__real_krn_backend_get(KRN_BACKEND_CPU)->can;
    can.noun = "GPU";
    can.host_images = false;
    can.telemetry = true;
    backend = (struct krn_backend){.id = KRN_BACKEND_CUDA,
                                   .name = "cuda",
                                   .can = &can,
                                   .count = count_gpus,
                                   .describe = describe_gpu,
                                   .connect = connect_gpu};
    setenv("SPHERESCOPE_NVML", "/nonexistent", 1);
    return 0;
}

/* --- collecting --- */

static struct app_environment environment;
static struct app_info info;

static void collect(void)
{
    app_info_collect(&environment, &info);
    assert_int_equal(info.count, gpu.devices + 2); /* the CPU, and that there is no OpenGL */
    assert_true(info.devices[gpu.devices].entry.backend == KRN_BACKEND_CPU);
}

/* Returns the number of kernels of the first device with that name and place. */
static int listed(const char *name, const char *at)
{
    int n = 0;
    for (size_t i = 0; i < info.devices[0].kernel_count; i++)
        n += strcmp(info.devices[0].kernels[i].name, name) == 0 &&
             strcmp(info.devices[0].kernels[i].at, at) == 0;
    return n;
}

static int listed_modes(void)
{
    int n = 0;
    for (size_t i = 0; i < info.devices[0].kernel_count; i++)
        n += strchr(info.devices[0].kernels[i].name, '/') != NULL;
    return n;
}

/* Every launch of every mode is listed, and every probe's kernel where its launch changes. */
TEST_WITH(test_kernels_are_listed, begin, NULL)
{
    int launches = 0, strips = 0;
    for (int i = 0; i < KRN_MODES; i++) {
        launches += krn_mode_at(i).kernel == KRN_KERNEL_BINNED ? LAUNCHES_OF_BINNED : 1;
        strips += krn_mode_at(i).kernel == KRN_KERNEL_STRIP;
    }
    collect();
    const struct app_info_device *device = &info.devices[0];
    assert_true(device->usable);
    assert_int_equal(info.gpus, 1);
    assert_string_equal(device->why_no_kernels, "");
    assert_string_equal(device->device.name, "Made-up GPU 0");
    assert_int_equal(device->property_count, 1);
    assert_false(device->telemetry.valid);
    assert_non_null(strstr(device->telemetry.reason, "/nonexistent"));
    assert_int_equal(listed_modes(), launches);
    assert_int_equal(listed("book/global", ""), 1);
    assert_int_equal(listed("binned/global", "launch 1 of 2"), 1);
    assert_int_equal(listed("binned/global", "launch 2 of 2"), 1);
    assert_int_equal(listed("saxpy vector", "elements 1024"), 1);
    assert_int_equal(listed("saxpy vector", "elements 2048"), 0);
    assert_int_equal(listed("saxpy vector", "elements 4096"), 1);
    assert_int_equal(listed("saxpy scalar", "elements 4096"), 1);
    assert_int_equal(listed("timer host", "elements 1"), 1);
    assert_int_equal(device->kernel_count, (size_t)launches + 4);
    app_info_free(&info);
    assert_null(info.devices);

    /* A mode that the device refuses is left out; a long list is whole. */
    gpu.no_strip = gpu.many_probes = true;
    collect();
    assert_int_equal(listed_modes(), launches - strips);
    assert_int_equal(info.devices[0].kernel_count, (size_t)(launches - strips) + 4 + MANY);
    assert_int_equal(listed("ilp many", "elements 199"), 1);
    assert_string_equal(info.devices[0].kernels[0].name, "book/global");
    app_info_free(&info);
}

/* What cannot be asked is told, and what is known besides is kept. */
TEST_WITH(test_faulty_devices, begin, NULL)
{
    static const struct {
        enum krn_code connects, kernels, probes;
        const char *why;
        bool some; /* kernels are listed */
    } faults[] = {
        {KRN_FAILED, KRN_OK, KRN_OK, "GPU 0 does not start.", false},
        {KRN_NO_MEMORY, KRN_OK, KRN_OK, /* of the device */
         "GPU 0 does not start: close other programs, or ask for less.", false},
        {KRN_OK, KRN_FAILED, KRN_OK, "The driver captures no launch.", false},
        {KRN_OK, KRN_OK, KRN_UNAVAILABLE, "The probes do not fit.", true},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        gpu.connects = faults[i].connects;
        gpu.kernels = faults[i].kernels;
        gpu.probes = faults[i].probes;
        collect();
        assert_true(info.devices[0].usable);
        assert_string_equal(info.devices[0].device.name, "Made-up GPU 0");
        assert_string_equal(info.devices[0].why_no_kernels, faults[i].why);
        assert_true((info.devices[0].kernel_count > 0) == faults[i].some);
        app_info_free(&info);
    }
    gpu.probes = KRN_OK;
    gpu.devices = 3;
    gpu.indescribable = 1;
    collect();
    assert_int_equal(info.gpus, 2);
    assert_true(info.devices[0].usable && !info.devices[1].usable && info.devices[2].usable);
    assert_string_equal(info.devices[1].entry.why, "GPU 1 is in exclusive use.");
    assert_int_equal(info.devices[1].entry.number, 1);
    assert_int_equal(info.devices[1].kernel_count, 0);
    app_info_free(&info);
}

/* A backend whose devices cannot be counted has one entry, and no list is longer than its room. */
TEST_WITH(test_lists_of_devices, begin, NULL)
{
    struct app_device_entry entries[APP_DEVICES_MAX];
    gpu.counts = KRN_UNAVAILABLE;
    assert_int_equal(app_devices_list(entries), 3);
    assert_int_equal(entries[0].backend, KRN_BACKEND_CUDA);
    assert_int_equal(entries[0].number, -1);
    assert_string_equal(entries[0].why, "The driver is asleep.");
    assert_string_equal(entries[1].why, "");
    gpu.counts = KRN_OK;
    gpu.devices = 2 * APP_DEVICES_MAX;
    assert_int_equal(app_devices_list(entries), APP_DEVICES_MAX);
    assert_string_equal(entries[APP_DEVICES_MAX - 1].name, "Made-up GPU 63");
}

/* --- values in words --- */

#define NUMBERS(kind, ...)                                                                         \
    .property = {"a", "", KRN_PROPERTY_##kind, .known = true, .values = {__VA_ARGS__}}

TEST(properties_have_units)
{
    static const struct {
        struct krn_property property;
        const char *text;
    } cases[] = {
        {NUMBERS(BYTES, 150109470720), "150 109 470 720 bytes (139.8 GiB)"},
        {NUMBERS(BYTES, 65536), "65 536 bytes (64 KiB)"},
        {NUMBERS(BYTES, 512), "512 bytes"},
        {NUMBERS(BYTES, INT64_C(1) << 42), "4 398 046 511 104 bytes (4 TiB)"},
        {NUMBERS(BITS, 6016), "6016 bit"},
        {NUMBERS(KHZ, 1980000), "1 980 000 kHz (1.98 GHz)"},
        {NUMBERS(VERSION, 9, 0), "9.0"},
        {NUMBERS(FLAG, 1), "yes"},
        {NUMBERS(FLAG, 0), "no"},
        {{"a", "", KRN_PROPERTY_COUNT, .known = true, .count = 3, .values = {1024, 1024, 64}},
         "1024 x 1024 x 64"},
        {{"a", "", KRN_PROPERTY_COUNT, .known = true, .count = 1, .values = {0}}, "0"},
        {{"a", "", KRN_PROPERTY_TEXT, .known = true, .text = "NVIDIA H200"}, "NVIDIA H200"},
        {{"a", "", KRN_PROPERTY_KHZ, .known = false, .count = 1}, "not known"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(app_property_text(&cases[i].property).text, cases[i].text);
}

TEST(kernels_have_words)
{
    struct krn_kernel_attributes kernel = plain;
    kernel.blocks_per_processor = 1;
    kernel.occupancy = 0.125;
    kernel.constant_bytes = 65536;
    assert_string_equal(
        app_kernel_text(&kernel).text,
        "32 registers, occupancy 12 %, 1 block of 256 threads, constant 65 536 bytes");
    kernel.registers = 0;
    assert_string_equal(app_kernel_text(&kernel).text, "not known");
    assert_string_equal(app_kernel_text(NULL).text, "not known");
}

/* --- printing --- */

static enum app_style style;

static void describe(FILE *out, const void *unused)
{
    (void)unused;
    app_describe_machine(&info, style, out);
}

/* Fails unless the machine's description, or its JSON, has all these parts, and does not have what
 * follows NULL. */
static void assert_told(bool json, const char *const *parts)
{
    TEST_FREED char *text = json ? app_info_json(&info) : krn_printed(describe, NULL);
    for (; *parts; parts++)
        if (!strstr(text, *parts))
            fail_msg("\"%s\" is not in:\n%s", *parts, text);
    for (parts++; *parts; parts++)
        if (strstr(text, *parts))
            fail_msg("\"%s\" is in:\n%s", *parts, text);
}

#define ASSERT_TOLD(json, ...) assert_told(json, (const char *const[]){__VA_ARGS__, NULL, NULL})

/* Makes a GPU with two kernels, and a backend without devices. */
static struct app_info_device *make_machine(void)
{
    static struct app_info_device devices[2];
    static struct app_info_kernel kernels[2];
    devices[0] = (struct app_info_device){
        .entry = {KRN_BACKEND_CUDA, 0, "NVIDIA H200", ""},
        .usable = true,
        .device = {.backend = KRN_BACKEND_CUDA,
                   .can = {.noun = "GPU", .telemetry = true},
                   .name = "NVIDIA H200",
                   .driver = "13.0",
                   .runtime = "12.8",
                   .pci_id = "0000:06:00.0",
                   .clock = "CUDA events",
                   .compute_major = 9,
                   .processors = 132,
                   .memory_bytes = (size_t)140 << 30,
                   .clock_max_mhz = 1980,
                   .memory_clock_mhz = 3201,
                   .memory_bus_bits = 6016,
                   .l2_bytes = (size_t)60 << 20},
        .telemetry = {.valid = true,
                      .driver = "580.95.05",
                      .clock_mhz = 1200,
                      .clock_max_mhz = 1980,
                      .memory_clock_mhz = 3201,
                      .memory_clock_max_mhz = 3201,
                      .power_w = 321.4,
                      .temperature_c = 41,
                      .throttle_known = true,
                      .throttle = KRN_THROTTLE_POWER | KRN_THROTTLE_HEAT,
                      .cost_ms = 0.25},
        .properties = {{"name", "", KRN_PROPERTY_TEXT, .known = true, .text = "NVIDIA H200"},
                       {"warpSize", "threads per warp", KRN_PROPERTY_COUNT, .known = true,
                        .count = 1, .values = {32}},
                       {"clockRate", "the fastest clock", KRN_PROPERTY_KHZ, .known = true,
                        .count = 1, .values = {1980000}}},
        .property_count = 3,
        .kernels = kernels,
        .kernel_count = 2};
    kernels[0] = (struct app_info_kernel){"book/constant", "book", "", plain};
    kernels[0].attributes.constant_bytes = 65536;
    kernels[0].attributes.dynamic_shared_bytes = 1024;
    kernels[1] = (struct app_info_kernel){"timer host", NULL, "elements 1", {.registers = 0}};
    devices[1] = (struct app_info_device){.entry = {KRN_BACKEND_CPU, -1, "", "There is no CPU."}};
    info = (struct app_info){
        .environment = &environment, .devices = devices, .count = 2, .gl = "no OpenGL"};
    return devices;
}

TEST_WITH(test_a_gpu_in_words, begin, NULL)
{
    struct app_info_device *device = make_machine();
    style = APP_STYLE_TEXT;
    ASSERT_TOLD(
        false,
        "cuda device 0: NVIDIA H200\n"
        "  runtime 12.8, driver for CUDA 13.0, PCI 0000:06:00.0, clock CUDA events\n"
        "  132 processors, 140.0 GiB memory, compute capability 9.0\n"
        "  driver 580.95.05, now 1200 of 1980 MHz, memory 3201 of 3201 MHz, 321 W, "
        "41 degrees C, held by: power cap, heat (asked in 0.2 ms)\n"
        "  1980 MHz at most, memory 3201 MHz x 6016 bit = 4814 GB/s theoretical, L2 60 MiB\n",
        "  name       NVIDIA H200\n"
        "  warpSize   32                        threads per warp\n"
        "  clockRate  1 980 000 kHz (1.98 GHz)  the fastest clock\n",
        "\n\nKernels on NVIDIA H200\n", "not known", "cpu: There is no CPU.\n",
        "OpenGL: no OpenGL\n");
    style = APP_STYLE_MARKDOWN;
    /* What a kernel does not use is left empty, and columns that are empty are left out. */
    ASSERT_TOLD(
        false, "\n\n### Kernels on NVIDIA H200\n",
        "| kernel | view | at | registers | dynamic shared | constant | threads per block | "
        "at most | blocks per SM | occupancy |\n",
        "| book/constant | book |  | 32 | 1024 | 65536 | 256 | 1024 | 8 | 100 % |\n",
        "| timer host |  | elements 1 | not known |", "|\n\ncpu: There is no CPU.\n");
    ASSERT_TOLD(true, "\"spherescope-info-1\"", "\"warpSize\": 32", "\"kernel\": \"book/constant\"",
                "\"view\": \"book\"", "\"registers\": 32", "\"occupancy_percent\": 100",
                "\"launch_blocks\": 4096", "\"at\": \"elements 1\"", "\"attributes\": null",
                "\"why\": \"There is no CPU.\"", "\"number\": null");

    device->telemetry.throttle_known = false;
    device->kernel_count = 0;
    snprintf(device->why_no_kernels, sizeof device->why_no_kernels, "The GPU is busy.");
    ASSERT_TOLD(false, "held by: n/a", "\n  kernels: The GPU is busy.\n", NULL, "Kernels on");

    device->telemetry = (struct krn_telemetry_reading){.reason = "NVML knows no such GPU."};
    ASSERT_TOLD(false, "compute capability 9.0\n  NVML knows no such GPU.\n  1980 MHz at most");
}

int main(void)
{
    char *const argv[] = {(char *)"test"};
    app_environment_collect(&environment, 1, argv);
    return tests_run(NULL, NULL);
}
