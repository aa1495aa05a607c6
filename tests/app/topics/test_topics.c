/* The list of topics: every topic is described once in kernels and once in app, and both agree. */
#include "owned.h"

#include "topics/topic.h"

#include <stdio.h>

TEST(test_every_topic_is_described)
{
    for (int t = 0; t < KRN_TOPIC_COUNT; t++) {
        const enum krn_topic id = (enum krn_topic)t;
        const struct app_topic *topic = app_topics[id];
        assert_int_equal(topic->topic, t);
        assert_true(strlen(topic->title) > 0 && strlen(topic->panel_title) > 0);
        assert_non_null(topic->analyse);
        assert_non_null(topic->picture);
        for (int backend = 0; backend < KRN_BACKEND_COUNT; backend++) {
            assert_true(strlen(app_metric_words(topic->metric[backend])) > 0);
        }
    }
}

TEST(test_names_are_unique)
{
    assert_string_equal(krn_topic_name(KRN_TOPIC_COUNT), "n/a");
    for (int t = 0; t < KRN_TOPIC_COUNT; t++) {
        const char *name = krn_topic_name((enum krn_topic)t);
        assert_true(strlen(name) > 0 && strspn(name, "abcdefghijklmnopqrstuvwxyz") == strlen(name));
        for (int other = 0; other < t; other++) {
            assert_string_not_equal(name, krn_topic_name((enum krn_topic)other));
            assert_string_not_equal(app_topics[t]->panel_title, app_topics[other]->panel_title);
        }
    }
}

/* Every topic has probes on the backend or a reason for their absence. */
static void check_backend(enum krn_backend_id id)
{
    TEST_DEVICE *device = NULL;
    if (krn_backend_get(id)->connect(0, &device, &error) != KRN_OK) {
        print_message("%s: %s\n", krn_backend_name(id), error.text);
        skip();
    }
    for (int t = 0; t < KRN_TOPIC_COUNT; t++) {
        TEST_PROBES *probes = NULL;
        const enum krn_code code =
            krn_probes_open(device, 1u << t, (size_t)256 << 20, &probes, &error);
        if (code != KRN_OK) {
            /* A reason must be a sentence. */
            assert_true(strlen(error.text) > 20 && error.text[strlen(error.text) - 1] == '.');
            continue;
        }
        assert_true(krn_probes_count(probes) > 0);
        for (int i = 0; i < krn_probes_count(probes); i++)
            assert_int_equal(krn_probes_at(probes, i)->topic, t);
    }
}

TEST(test_cpu_offers_every_topic)
{
    check_backend(KRN_BACKEND_CPU);
}

TEST(test_cuda_offers_every_topic)
{
    check_backend(KRN_BACKEND_CUDA);
}

/* Before any measurement, only findings that are settings have a value, and no line shows a
 * number. */
TEST(test_nothing_measured)
{
    for (int backend = 0; backend < KRN_BACKEND_COUNT; backend++) {
        const struct krn_device_info info = {.backend = (enum krn_backend_id)backend};
        const struct app_probes_view view = {.device = &info};
        for (int t = 0; t < KRN_TOPIC_COUNT; t++) {
            struct app_analysis analysis;
            app_topic_analyse((enum krn_topic)t, &view, &analysis);
            for (int i = 0; i < analysis.count; i++) {
                const struct app_finding *finding = &analysis.findings[i];
                assert_true(!finding->value.valid || strcmp(finding->key, "level") == 0);
                assert_ptr_equal(app_finding(&analysis, finding->key),
                                 finding); /* each key occurs once */
            }
            assert_false(app_finding(&analysis, "no such key")->value.valid);
        }
    }
}
