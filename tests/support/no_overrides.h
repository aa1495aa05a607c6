/* tests/support/no_overrides.h - files without permission for a test that runs as root.
 *
 * As no_overrides.py: the test keeps its user, and gives up what lets root override permissions. */
#pragma once

#include "expect.h"

#include <linux/capability.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

long syscall(long number, ...); /* which C11 alone does not declare */

/* Gives up the override in this thread, or takes it back; without effect for another user. Calls of
 * access() still see it: they look at what a process may take back. */
static inline void test_override_permissions(bool on)
{
    const __u32 both = 1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH;
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {{0}};
    assert_int_equal(syscall(SYS_capget, &header, data), 0);
    data[0].effective =
        on ? data[0].effective | (data[0].permitted & both) : data[0].effective & ~both;
    assert_int_equal(syscall(SYS_capset, &header, data), 0);
}
