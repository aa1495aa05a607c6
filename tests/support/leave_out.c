/* Leaves tests out of a test program: those named in TEST_LEAVE_OUT, separated by blanks. Tests of
 * times, for example, mean nothing on the stand-in for the CUDA runtime. The linker brings cmocka's
 * runner here (--wrap). A name that is no test's ends the program, so that the list stays right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int __real__cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t count,
                                   CMFixtureFunction setup, CMFixtureFunction teardown);
int __wrap__cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t count,
                                   CMFixtureFunction setup, CMFixtureFunction teardown);

int __wrap__cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests, size_t count,
                                   CMFixtureFunction setup, CMFixtureFunction teardown)
{
    enum { TESTS_MAX = 64 };
    struct CMUnitTest kept[TESTS_MAX];
    const char *listed = getenv("TEST_LEAVE_OUT");
    char *names = strdup(listed ? listed : "");
    if (!names || count > TESTS_MAX)
        abort();
    memcpy(kept, tests, count * sizeof *tests);
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " ")) {
        size_t at = 0;
        while (at < count && strcmp(kept[at].name, name) != 0)
            at++;
        if (at == count) {
            fprintf(stderr, "TEST_LEAVE_OUT: there is no test %s\n", name);
            exit(1);
        }
        memmove(kept + at, kept + at + 1, (--count - at) * sizeof *kept);
    }
    free(names);
    return __real__cmocka_run_group_tests(group, kept, count, setup, teardown);
}
