/* tests/support/trap.h - makes the CUDA device of this process unusable. */
#pragma once

/* Runs a kernel that traps on the current device, and waits for it. Every later call of CUDA in
 * this context fails. Returns the status of the wait, an enum cudaError. */
int test_trap(void);
