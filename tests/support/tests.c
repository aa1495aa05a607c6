/* The tests of a program, which TEST and TEST_WITH list, and main() for one that has none. */
#include "expect.h"

enum { TESTS_MAX = 64 };
struct CMUnitTest test_list[TESTS_MAX];
size_t test_count;

void test_add(struct CMUnitTest test)
{
    if (test_count == TESTS_MAX)
        abort();
    test_list[test_count++] = test;
}

int tests_run(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    return _cmocka_run_group_tests("tests", test_list, test_count, setup, teardown);
}

__attribute__((weak)) int main(void)
{
    return tests_run(NULL, NULL);
}
