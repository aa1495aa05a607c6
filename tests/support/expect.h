/* tests/support/expect.h - cmocka, tests that list themselves, a check for calls that must succeed,
 * and the exit code of a skipped test. */
#ifndef TEST_EXPECT_H
#define TEST_EXPECT_H

/* cmocka.h needs these headers before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "krn/error.h"

enum { TEST_SKIPPED = 77 };

static struct CMUnitTest test_list[64];
static size_t test_count;

/* Defines a test of the program, which runs its tests in their order. The fixture's functions, or
 * NULL, run before the test and after it. */
#define TEST_WITH(name, setup, teardown)                                                           \
    static void name(void **state);                                                                \
    __attribute__((constructor)) static void name##_is_listed(void)                                \
    {                                                                                              \
        test_list[test_count++] =                                                                  \
            (struct CMUnitTest)cmocka_unit_test_setup_teardown(name, setup, teardown);             \
    }                                                                                              \
    static void name(__attribute__((unused)) void **unused)
#define TEST(name) TEST_WITH(name, NULL, NULL)

/* Runs the tests between a setup and a teardown of all; returns the number of those that fail. */
static inline int tests_run(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    return _cmocka_run_group_tests("tests", test_list, test_count, setup, teardown);
}

#define TEST_OK(call, error)                                                                       \
    do {                                                                                           \
        if ((call) != KRN_OK)                                                                      \
            fail_msg("%s: %s [%s]", #call, (error).text, (error).expression);                      \
    } while (0)

#endif
