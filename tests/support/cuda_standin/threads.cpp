/* Runs the threads of a block on one thread of the host.
 *
 * A carrier is a stack of its own. It runs thread after thread; when one waits for others, the
 * carrier keeps it, and another carrier runs the next threads. So a kernel without barriers needs
 * one carrier, whatever its number of threads.
 */
#include "device.h"
#include "standin.h"

#include <setjmp.h>
#include <time.h>
#include <ucontext.h>

#include <deque>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#define IF_ADDRESS(statement) statement
#else
#define IF_ADDRESS(statement)
#endif

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace
{

/* Stacks are shifted against each other, so that their tops do not share sets of the caches. */
enum { STACK_BYTES = 128 << 10, SHIFT_BYTES = 320, SHIFTS = 64, LANES = 32 };

struct carrier;

/* Those who wait for each other: all threads that have not ended must arrive. */
struct barrier {
    unsigned live = 0, arrived = 0;
    std::vector<carrier *> waiting;
};

struct warp {
    barrier all;
    unsigned turn = 0;
    /* The words of two exchanges: a fast lane may write the next one while a slow lane reads. */
    uint64_t words[2][LANES];
    unsigned lanes[2] = {0, 0};
};

struct carrier {
    ucontext_t start;
    jmp_buf where;
    std::unique_ptr<char[]> stack;
    unsigned thread = 0; /* that it runs */
    bool begun = false;
    void *fake = nullptr;
};

struct {
    const std::function<void()> *thread;
    unsigned threads, next; /* of the block; the next to start */
    barrier all;
    std::vector<warp> warps;
    std::vector<char> shared;
    unsigned waiting;
} block;

std::vector<std::unique_ptr<carrier>> carriers;
std::vector<carrier *> idle;
std::deque<carrier *> ready;
carrier *current;
jmp_buf scheduler;
ucontext_t scheduler_start;
#if defined(__SANITIZE_ADDRESS__)
const void *scheduler_stack;
size_t scheduler_bytes;
void *scheduler_fake;
#endif

void set_thread(unsigned thread)
{
    current->thread = thread;
    threadIdx.x = thread % blockDim.x;
    threadIdx.y = thread / blockDim.x % blockDim.y;
    threadIdx.z = thread / blockDim.x / blockDim.y;
}

warp &my_warp()
{
    return block.warps[current->thread / LANES];
}

void release(barrier &barrier)
{
    barrier.arrived = 0;
    for (carrier *carrier : barrier.waiting)
        ready.push_back(carrier);
    barrier.waiting.clear();
}

/* Gives way to the scheduler. */
void give_way()
{
    carrier *self = current;
    if (_setjmp(self->where) == 0) {
        IF_ADDRESS(__sanitizer_start_switch_fiber(&self->fake, scheduler_stack, scheduler_bytes));
        _longjmp(scheduler, 1);
    }
    IF_ADDRESS(__sanitizer_finish_switch_fiber(self->fake, &scheduler_stack, &scheduler_bytes));
}

void arrive(barrier &barrier)
{
    if (++barrier.arrived == barrier.live) {
        release(barrier);
        return;
    }
    barrier.waiting.push_back(current);
    block.waiting++;
    give_way();
    block.waiting--;
}

void leave(barrier &barrier)
{
    barrier.live--;
    if (barrier.arrived > 0 && barrier.arrived == barrier.live)
        release(barrier);
}

/* What a carrier does: threads until none is left, then it waits for the next block. */
void carry()
{
    IF_ADDRESS(__sanitizer_finish_switch_fiber(nullptr, &scheduler_stack, &scheduler_bytes));
    for (;;) {
        while (block.next < block.threads) {
            set_thread(block.next++);
            (*block.thread)();
            leave(my_warp().all);
            leave(block.all);
        }
        idle.push_back(current);
        give_way();
    }
}

carrier *idle_carrier()
{
    if (idle.empty()) {
        carriers.push_back(std::make_unique<carrier>());
        idle.push_back(carriers.back().get());
    }
    carrier *taken = idle.back();
    idle.pop_back();
    return taken;
}

void resume(carrier *next)
{
    current = next;
    if (_setjmp(scheduler) != 0) {
        IF_ADDRESS(__sanitizer_finish_switch_fiber(scheduler_fake, nullptr, nullptr));
        return;
    }
    if (next->begun) {
        set_thread(next->thread);
        IF_ADDRESS(__sanitizer_start_switch_fiber(&scheduler_fake, next->start.uc_stack.ss_sp,
                                                  next->start.uc_stack.ss_size));
        _longjmp(next->where, 1);
    }
    next->begun = true;
    const size_t shift = carriers.size() % SHIFTS * SHIFT_BYTES;
    next->stack.reset(new char[STACK_BYTES]);
    getcontext(&next->start);
    next->start.uc_stack.ss_sp = next->stack.get();
    next->start.uc_stack.ss_size = STACK_BYTES - shift;
    next->start.uc_link = nullptr;
    makecontext(&next->start, carry, 0);
    IF_ADDRESS(__sanitizer_start_switch_fiber(&scheduler_fake, next->start.uc_stack.ss_sp,
                                              next->start.uc_stack.ss_size));
    swapcontext(&scheduler_start, &next->start);
}

void run_block(const char *kernel)
{
    block.next = 0;
    block.all.live = block.threads;
    block.warps.resize((block.threads + LANES - 1) / LANES);
    for (unsigned w = 0; w < block.warps.size(); w++) {
        const unsigned left = block.threads - w * LANES;
        block.warps[w].all.live = left < LANES ? left : (unsigned)LANES;
        block.warps[w].all.arrived = 0;
    }
    for (;;) {
        if (!ready.empty()) {
            carrier *next = ready.front();
            ready.pop_front();
            resume(next);
        } else if (block.next < block.threads) {
            resume(idle_carrier());
        } else {
            break;
        }
    }
    if (block.waiting > 0)
        standin::die("%u threads of a block of the kernel %s wait for threads that have ended, or "
                     "that wait elsewhere.",
                     block.waiting, kernel);
}

} // namespace

void *standin::dynamic_shared()
{
    return block.shared.data();
}

unsigned standin::lane()
{
    return current->thread % LANES;
}

void standin::wait_for_block()
{
    arrive(block.all);
}

void standin::wait_for_warp()
{
    arrive(my_warp().all);
}

const uint64_t *standin::exchange(uint64_t mine, unsigned *lanes)
{
    warp &warp = my_warp();
    if (warp.all.arrived == 0)
        warp.lanes[++warp.turn % 2] = 0;
    const unsigned turn = warp.turn % 2;
    warp.words[turn][lane()] = mine;
    warp.lanes[turn] |= 1u << lane();
    arrive(warp.all);
    *lanes = warp.lanes[turn];
    return warp.words[turn];
}

float standin::inverse_root(float x)
{
    return (float)(1.0 / sqrt((double)(fabsf(x) < 0x1p-126f ? copysignf(0.0f, x) : x)));
}

float standin::inverse(float x)
{
    return (float)(1.0 / (double)(fabsf(x) < 0x1p-126f ? copysignf(0.0f, x) : x));
}

long long clock64()
{
    /* A kernel that waits for the host lets it run, and no two readings are the same. */
    static long long last;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const long long ns = (long long)now.tv_sec * 1000000000 + now.tv_nsec;
    const long long clocks = ns / (1000000 / standin::clock_khz);
    last = clocks > last ? clocks : last + 1;
    return last;
}

void standin::run(const char *kernel, dim3 grid, dim3 threads, size_t shared_bytes,
                  const std::function<void()> &thread)
{
    gridDim = grid;
    blockDim = threads;
    block.thread = &thread;
    block.threads = threads.x * threads.y * threads.z;
    block.shared.assign(shared_bytes, 0);
    for (blockIdx.z = 0; blockIdx.z < grid.z; blockIdx.z++)
        for (blockIdx.y = 0; blockIdx.y < grid.y; blockIdx.y++)
            for (blockIdx.x = 0; blockIdx.x < grid.x; blockIdx.x++)
                run_block(kernel);
}
