/* tests/support/cuda_standin/standin.h - the parts of the stand-in for the CUDA runtime: a device
 * that runs on one thread of the host, so that the whole host code of the CUDA backend runs on a
 * machine without a GPU.
 *
 * The stand-in is strict where the runtime is lenient: a copy out of bounds, a pointer freed twice
 * and an object that the program has not freed at its end end the program with a sentence and
 * SIGABRT.
 */
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>

namespace standin
{

/* Prints a sentence and aborts. */
[[noreturn]] __attribute__((format(printf, 1, 2))) void die(const char *format, ...);

/* answers.cpp: what the device is, and which calls fail. */
/* Returns the status that the environment wants from a call of the runtime; cudaSuccess: it is to
 * do its work. */
cudaError_t begin_call(const char *function);
/* Returns the status that a launch must report. */
cudaError_t begin_launch();
void lose();                          /* makes the device fail every call until it is reset */
cudaError_t keep(cudaError_t status); /* keeps a failure for cudaGetLastError, and returns it */
size_t memory_bytes();
bool draws_opengl();
constexpr int processors = 2, clock_khz = 10000;

/* queue.cpp: streams. Work runs in the order in which it was queued, on a thread of its own. */
void enqueue(cudaStream_t stream, std::function<void()> work);
void wait_for(cudaStream_t stream);
void wait_for_all();
double now_ms();
bool on_device_thread();
/* Counts an object of the program's that it has to destroy; what: its name in a sentence. */
void born(const char *what);
void gone(const char *what);

/* memory.cpp. Returns true when the memory is host memory that cudaHostAlloc gave. */
bool is_pinned(const void *memory, size_t bytes);
/* Aborts unless all of it is memory of the device or pinned. */
void check_device(const void *memory, size_t bytes, const char *function);
/* Adds or removes memory that the device can reach. */
void add_memory(void *memory, size_t bytes);
void remove_memory(void *memory);

/* threads.cpp: runs a kernel to its end. */
void run(const char *kernel, dim3 grid, dim3 block, size_t shared_bytes,
         const std::function<void()> &thread);

} // namespace standin

/* Ends the calling function when this call is to fail. */
#define STANDIN_CALL()                                                                             \
    do {                                                                                           \
        const cudaError_t scripted = standin::begin_call(__func__);                                \
        if (scripted != cudaSuccess)                                                               \
            return standin::keep(scripted);                                                        \
    } while (0)

/* Likewise, for a call that frees something: it does so even when it is to fail. At its end:
 * return standin::keep(scripted); */
#define STANDIN_FREEING_CALL() const cudaError_t scripted = standin::begin_call(__func__)
