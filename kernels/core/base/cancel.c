#include "krn/cancel.h"

#include <stdatomic.h>

static atomic_bool cancelled;

void krn_cancel(void)
{
    atomic_store(&cancelled, true);
}

bool krn_cancelled(void)
{
    return atomic_load_explicit(&cancelled, memory_order_relaxed);
}

void krn_cancel_end(void)
{
    atomic_store(&cancelled, false);
}
