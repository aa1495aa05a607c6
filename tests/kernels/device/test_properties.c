/* The list of a device's properties: the fields that the tutorial prints, in its order, and what
 * corresponds to them on a CPU. A GPU's list is tested where there is a GPU. */
#include "expect.h"
#include "found.h"

#include "krn/properties.h"

#include <stdio.h>

/* What the tutorial's printDeviceProp prints. */
static const char *const tutorial[] = {
    "name",
    "totalGlobalMem",
    "sharedMemPerBlock",
    "regsPerBlock",
    "warpSize",
    "memPitch",
    "maxThreadsPerBlock",
    "maxThreadsDim",
    "maxGridSize",
    "totalConstMem",
    "major.minor",
    "clockRate",
    "textureAlignment",
    "deviceOverlap",
    "multiProcessorCount",
};

enum { TUTORIAL = sizeof tutorial / sizeof *tutorial };

static void keys_are_unique(const struct krn_property *list, int count)
{
    for (int i = 0; i < count; i++) {
        assert_true(list[i].key[0] != '\0' && list[i].words[0] != '\0');
        assert_ptr_equal(found_property(list, count, list[i].key), &list[i]);
        assert_true((list[i].kind == KRN_PROPERTY_TEXT) == (list[i].count == 0));
    }
    assert_null(found_property(list, count, "no such key"));
}

TEST(a_cpu_lists_its_counterpart)
{
    static const char *const keys[] = {"name",         "level",          "totalMemory",
                                       "pageSize",     "processorCount", "coreCount",
                                       "threadCount",  "vectorWidth",    "cacheLine",
                                       "l1dCacheSize", "l2CacheSize",    "l3CacheSize"};
    struct krn_property list[KRN_PROPERTIES_MAX];
    int count = 0;
    TEST_OK(krn_properties_read(KRN_BACKEND_CPU, 0, list, &count, &error));
    assert_int_equal(count, sizeof keys / sizeof *keys);
    keys_are_unique(list, count);
    for (int i = 0; i < count; i++) {
        assert_string_equal(list[i].key, keys[i]);
        assert_false(list[i].published);
        assert_true(!list[i].known || list[i].count == 0 || list[i].values[0] > 0);
    }
    assert_true(found_property(list, count, "processorCount")->known);
    const struct krn_property *memory = found_property(list, count, "totalMemory");
    struct krn_device_info info;
    TEST_OK(krn_backend_get(KRN_BACKEND_CPU)->describe(0, &info, &error));
    assert_true(memory->known && memory->values[0] == (int64_t)info.memory_bytes);
    /* Caches grow with their level. */
    const struct krn_property *l1 = found_property(list, count, "l1dCacheSize"),
                              *l2 = found_property(list, count, "l2CacheSize");
    assert_true(!l1->known || !l2->known || l1->values[0] <= l2->values[0]);
}

TEST(a_gpu_lists_what_the_tutorial_prints)
{
    struct krn_property list[KRN_PROPERTIES_MAX];
    int count = 1;
    if (krn_properties_read(KRN_BACKEND_CUDA, 0, list, &count, &error) != KRN_OK) {
        assert_int_equal(error.code, KRN_UNAVAILABLE);
        assert_int_equal(count, 0);
        skip();
    }
    assert_true(count > TUTORIAL && count < KRN_PROPERTIES_MAX);
    keys_are_unique(list, count);
    for (int i = 0; i < count; i++)
        assert_int_equal(list[i].published, i < TUTORIAL);
    for (int i = 0; i < TUTORIAL; i++) {
        assert_string_equal(list[i].key, tutorial[i]);
        assert_true(list[i].known);
    }
    assert_true(found_property(list, count, "totalGlobalMem")->values[0] > 1 << 28);
    assert_int_equal(found_property(list, count, "warpSize")->values[0], 32);
    assert_true(found_property(list, count, "maxGridSize")->values[0] > 65535);
    struct krn_device_info info;
    TEST_OK(krn_backend_get(KRN_BACKEND_CUDA)->describe(0, &info, &error));
    assert_int_equal(found_property(list, count, "major.minor")->values[0], info.compute_major);
    assert_int_equal(found_property(list, count, "multiProcessorCount")->values[0],
                     info.processors);
    assert_int_equal(found_property(list, count, "l2CacheSize")->values[0], info.l2_bytes);
}

TEST(a_device_that_is_missing_has_no_list)
{
    struct krn_property list[KRN_PROPERTIES_MAX];
    int count = 1;
    assert_int_equal(krn_properties_read(KRN_BACKEND_CUDA, 63, list, &count, &error),
                     KRN_UNAVAILABLE);
    assert_int_equal(count, 0);
    assert_true(error.text[0] != '\0');
}
