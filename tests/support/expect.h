/* tests/support/expect.h - cmocka, tests that list themselves, a check for calls that must succeed,
 * the error that they share, and the exit code of a skipped test. */
#pragma once

/* cmocka.h needs these headers before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "krn/error.h"

enum { TEST_SKIPPED = 77 };

/* The tests of the program in their order, and how many there are. */
extern struct CMUnitTest test_list[];
extern size_t test_count;
void test_add(struct CMUnitTest test);

/* Runs the tests between a setup and a teardown of all, or NULL; returns how many fail. A program
 * without main() does nothing else. */
int tests_run(CMFixtureFunction setup, CMFixtureFunction teardown);

/* Defines a test. The fixture's functions, or NULL, run before it and after it. */
#define TEST_WITH(name, setup, teardown)                                                           \
    static void name(void **state);                                                                \
    __attribute__((constructor)) static void name##_is_listed(void)                                \
    {                                                                                              \
        test_add((struct CMUnitTest)cmocka_unit_test_setup_teardown(name, setup, teardown));       \
    }                                                                                              \
    static void name(__attribute__((unused)) void **unused)
#define TEST(name) TEST_WITH(name, NULL, NULL)

/* A variable that this function, which takes its address, releases where its block ends; and one
 * that points to memory. Where an assertion fails, nothing is released. */
#define TEST_OWNED(release) __attribute__((unused, cleanup(release)))
#define TEST_FREED TEST_OWNED(test_release)

static inline void test_release(void *variable)
{
    void *held;
    memcpy(&held, variable, sizeof held);
    free(held);
}

/* Returns new memory. */
static inline void *test_alloc(size_t size)
{
    void *memory = malloc(size);
    assert_non_null(memory);
    return memory;
}

/* What the last call of this thread that was given it has said. Headers of the kernels that have a
 * local variable of this name come before this one. */
__attribute__((unused)) static _Thread_local struct krn_error error;

/* Fails unless a text has a part. */
static inline void test_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" lacks \"%s\"", text, part);
}

/* Fails unless a call gives this code, and these words are in `error`. */
#define TEST_FAILS(call, code, words)                                                              \
    do {                                                                                           \
        assert_int_equal(call, code);                                                              \
        test_has(error.text, words);                                                               \
    } while (0)

/* Fails unless a call that is given `error` succeeds. */
#define TEST_OK(call)                                                                              \
    do {                                                                                           \
        if ((call) != KRN_OK)                                                                      \
            fail_msg("%s: %s [%s]", #call, error.text, error.expression);                          \
    } while (0)
