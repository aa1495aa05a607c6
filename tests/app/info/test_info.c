/* What --info tells: properties and kernels in words and as JSON, also of a GPU that is not here.
 */
#include "expect.h"

#include "info/info.h"

#include <stdlib.h>
#include <string.h>

TEST(numbers_are_grouped)
{
    static const struct {
        int64_t number;
        const char *text;
    } cases[] = {{0, "0"},
                 {1024, "1024"},
                 {65536, "65 536"},
                 {999999, "999 999"},
                 {1000000, "1 000 000"},
                 {150109470720, "150 109 470 720"},
                 {INT64_MAX, "9 223 372 036 854 775 807"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(app_grouped(cases[i].number).text, cases[i].text);
}

TEST(properties_have_units)
{
    static const struct {
        struct krn_property property;
        const char *text;
    } cases[] = {
        {{"a", "", KRN_PROPERTY_BYTES, .known = true, .count = 1, .values = {150109470720}},
         "150 109 470 720 bytes (139.8 GiB)"},
        {{"a", "", KRN_PROPERTY_BYTES, .known = true, .count = 1, .values = {65536}},
         "65 536 bytes (64 KiB)"},
        {{"a", "", KRN_PROPERTY_BYTES, .known = true, .count = 1, .values = {512}}, "512 bytes"},
        {{"a", "", KRN_PROPERTY_BYTES, .known = true, .count = 1, .values = {INT64_C(1) << 42}},
         "4 398 046 511 104 bytes (4 TiB)"},
        {{"a", "", KRN_PROPERTY_COUNT, .known = true, .count = 3, .values = {1024, 1024, 64}},
         "1024 x 1024 x 64"},
        {{"a", "", KRN_PROPERTY_COUNT, .known = true, .count = 1, .values = {0}}, "0"},
        {{"a", "", KRN_PROPERTY_BITS, .known = true, .count = 1, .values = {6016}}, "6016 bit"},
        {{"a", "", KRN_PROPERTY_KHZ, .known = true, .count = 1, .values = {1980000}},
         "1 980 000 kHz (1.98 GHz)"},
        {{"a", "", KRN_PROPERTY_VERSION, .known = true, .count = 2, .values = {9, 0}}, "9.0"},
        {{"a", "", KRN_PROPERTY_FLAG, .known = true, .count = 1, .values = {1}}, "yes"},
        {{"a", "", KRN_PROPERTY_FLAG, .known = true, .count = 1, .values = {0}}, "no"},
        {{"a", "", KRN_PROPERTY_TEXT, .known = true, .text = "NVIDIA H200"}, "NVIDIA H200"},
        {{"a", "", KRN_PROPERTY_KHZ, .known = false, .count = 1}, "not known"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(app_property_text(&cases[i].property).text, cases[i].text);
}

static const struct krn_kernel_attributes plain = {.registers = 32,
                                                   .threads_max = 1024,
                                                   .threads = 256,
                                                   .blocks = 4096.0,
                                                   .blocks_per_processor = 1,
                                                   .occupancy = 0.125};

TEST(kernels_have_words)
{
    const struct krn_kernel_attributes unknown = {.registers = 0};
    assert_string_equal(app_kernel_text(&plain).text,
                        "32 registers, occupancy 12 %, 1 block of 256 threads");
    assert_string_equal(app_kernel_text(&unknown).text, "not known");
    assert_string_equal(app_kernel_text(NULL).text, "not known");
}

/* A GPU with a kernel that is known and one that is not, and a backend without devices. */
TEST(a_gpu_as_json)
{
    static struct app_info_device devices[2];
    struct app_info_kernel kernels[] = {{"book/global", "book", "", plain},
                                        {"timer host", NULL, "elements 1024", {.registers = 0}}};
    struct app_environment environment = {.cpu_threads = 2};
    const struct krn_property memory = {"totalGlobalMem", "",         KRN_PROPERTY_BYTES,
                                        .known = true,    .count = 1, .values = {150109470720}};
    devices[0] = (struct app_info_device){
        .entry = {KRN_BACKEND_CUDA, 0, "A GPU", ""},
        .usable = true,
        .device = {.backend = KRN_BACKEND_CUDA, .name = "A GPU", .can = {.noun = "GPU"}},
        .properties = {memory},
        .property_count = 1,
        .kernels = kernels,
        .kernel_count = 2};
    devices[1].entry = (struct app_device_entry){KRN_BACKEND_CPU, -1, "", "No \"CPU\"."};
    const struct app_info info = {
        .environment = &environment, .devices = devices, .count = 2, .gl = "n/a"};
    TEST_FREED char *text = app_info_json(&info);
    assert_non_null(text);
    static const char *const parts[] = {"\"spherescope-info-1\"",
                                        "\"totalGlobalMem\": 150109470720",
                                        "\"kernel\": \"book/global\"",
                                        "\"registers\": 32",
                                        "\"occupancy_percent\": 12.5",
                                        "\"launch_blocks\": 4096",
                                        "\"at\": \"elements 1024\"",
                                        "\"attributes\": null",
                                        "\"view\": \"book\"",
                                        "\"why\": \"No \\\"CPU\\\".\"",
                                        "\"number\": null"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(text, parts[i]) == NULL)
            fail_msg("%s is not in %s", parts[i], text);
    assert_string_equal(text + strlen(text) - 2, "}\n");
}

/* Every device of this machine is listed, with properties where it is usable. */
TEST(this_machine)
{
    struct app_environment environment;
    struct app_info info;
    char *const argv[] = {(char *)"test"};
    app_environment_collect(&environment, 1, argv);
    app_info_collect(&environment, &info);
    bool cpu = false;
    for (int i = 0; i < info.count; i++) {
        const struct app_info_device *device = &info.devices[i];
        assert_true(device->usable == (device->property_count > 0));
        assert_true(!device->usable || device->kernel_count > 0 || device->why_no_kernels[0] != 0);
        cpu = cpu || (device->usable && device->entry.backend == KRN_BACKEND_CPU);
    }
    assert_true(cpu);
    app_info_free(&info);
}
