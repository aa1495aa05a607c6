/* tests/support/expect.h - cmocka, a check for calls that must succeed, and the exit code of a
 * skipped test. */
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

#define TEST_OK(call, error)                                                                       \
    do {                                                                                           \
        if ((call) != KRN_OK)                                                                      \
            fail_msg("%s: %s [%s]", #call, (error).text, (error).expression);                      \
    } while (0)

#endif
