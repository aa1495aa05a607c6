/* Streams, events and captures. All streams share one queue, which a thread works off: calls return
 * before their work is done, as on a GPU. */
#include "device.h"
#include "standin.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct node {
    cudaGraphNodeType type;
    cudaKernelNodeParams launch;
};

struct CUgraph_st {
    std::vector<std::unique_ptr<node>> nodes;
};

struct CUstream_st {
    unsigned long queued = 0;
    bool capturing = false;
    CUgraph_st *graph = nullptr;
};

/* The part of an event that queued work may outlive it with. */
struct stamp {
    unsigned long records = 0, done = 0;
    double ms = 0.0;
};

struct CUevent_st {
    std::shared_ptr<stamp> kept = std::make_shared<stamp>();
};

namespace
{

struct task {
    std::function<void()> work;
    CUstream_st *stream;
};

/* Never destroyed: the device's thread uses them to the end. */
struct device {
    std::mutex lock;
    std::condition_variable has_work, has_done;
    std::deque<task> tasks;
    std::map<std::string, long> objects;
    CUstream_st standard;
    std::thread thread;
    bool running = false, ending = false;
} &device = *new struct device;

thread_local bool works_for_device;

void work()
{
    works_for_device = true;
    std::unique_lock<std::mutex> held(device.lock);
    for (;;) {
        device.has_work.wait(held, [] { return device.ending || !device.tasks.empty(); });
        if (device.tasks.empty())
            return;
        {
            task next = std::move(device.tasks.front());
            device.tasks.pop_front();
            held.unlock();
            next.work();
            next.work = nullptr;
            held.lock();
            next.stream->queued--;
        }
        device.has_done.notify_all();
    }
}

/* At the end of the program: what it created, it has destroyed. */
void end()
{
    {
        std::unique_lock<std::mutex> held(device.lock);
        device.ending = true;
        device.has_work.notify_all();
    }
    if (device.thread.joinable())
        device.thread.join();
    std::string left;
    for (const auto &[what, count] : device.objects)
        if (count > 0)
            left += (left.empty() ? "" : ", ") + std::to_string(count) + " " + what;
    if (!left.empty())
        standin::die("the program ends and leaves %s behind.", left.c_str());
}

CUstream_st *stream_of(cudaStream_t stream)
{
    return stream ? stream : &device.standard;
}

void add_node(CUstream_st *stream, cudaGraphNodeType type, const cudaKernelNodeParams &launch)
{
    stream->graph->nodes.push_back(std::unique_ptr<node>(new node{type, launch}));
}

} // namespace

void standin::die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "stand-in for CUDA: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    abort();
}

double standin::now_ms()
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

bool standin::on_device_thread()
{
    return works_for_device;
}

void standin::born(const char *what)
{
    std::lock_guard<std::mutex> held(device.lock);
    device.objects[what]++;
}

void standin::gone(const char *what)
{
    std::lock_guard<std::mutex> held(device.lock);
    if (--device.objects[what] < 0)
        die("one of the %s is destroyed twice.", what);
}

void standin::enqueue(cudaStream_t stream, std::function<void()> work_of_task)
{
    CUstream_st *to = stream_of(stream);
    if (to->capturing) {
        add_node(to, cudaGraphNodeTypeMemcpy, {});
        return;
    }
    std::lock_guard<std::mutex> held(device.lock);
    if (!device.running) {
        device.running = true;
        device.thread = std::thread(work);
        atexit(end);
    }
    to->queued++;
    device.tasks.push_back({std::move(work_of_task), to});
    device.has_work.notify_one();
}

void standin::wait_for(cudaStream_t stream)
{
    std::unique_lock<std::mutex> held(device.lock);
    device.has_done.wait(held, [=] { return stream_of(stream)->queued == 0; });
}

void standin::wait_for_all()
{
    bool idle = false;
    enqueue(nullptr, [&idle] { idle = true; });
    wait_for(nullptr);
    if (!idle)
        die("the queue lost its order.");
}

void standin::launch(const char *kernel, dim3 grid, dim3 block, size_t shared_bytes,
                     cudaStream_t stream, std::function<void()> thread)
{
    cudaError_t status = begin_launch();
    const size_t threads = (size_t)block.x * block.y * block.z;
    if (status == cudaSuccess && (threads == 0 || threads > 1024 || grid.x == 0 || grid.y == 0 ||
                                  grid.z == 0 || grid.y > 65535 || grid.z > 65535))
        status = cudaErrorInvalidConfiguration;
    if (status == cudaSuccess && shared_bytes > 227 << 10)
        status = cudaErrorInvalidValue;
    if (keep(status) != cudaSuccess)
        return;
    if (stream_of(stream)->capturing) {
        cudaKernelNodeParams launch = {};
        launch.func = (void *)kernel;
        launch.gridDim = grid;
        launch.blockDim = block;
        launch.sharedMemBytes = (unsigned)shared_bytes;
        add_node(stream_of(stream), cudaGraphNodeTypeKernel, launch);
        return;
    }
    enqueue(stream, [=] { run(kernel, grid, block, shared_bytes, thread); });
}

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned)
{
    STANDIN_CALL();
    standin::born("streams");
    *stream = new CUstream_st;
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    STANDIN_FREEING_CALL();
    standin::wait_for(stream);
    standin::gone("streams");
    delete stream;
    return standin::keep(scripted);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    STANDIN_CALL();
    standin::wait_for(stream);
    return standin::keep(standin::begin_launch());
}

cudaError_t cudaDeviceSynchronize()
{
    STANDIN_CALL();
    standin::wait_for_all();
    return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    STANDIN_CALL();
    std::lock_guard<std::mutex> held(device.lock);
    return stream_of(stream)->queued > 0 ? cudaErrorNotReady : cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    STANDIN_CALL();
    standin::born("events");
    *event = new CUevent_st;
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    STANDIN_FREEING_CALL();
    standin::gone("events");
    delete event;
    return standin::keep(scripted);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    STANDIN_CALL();
    const std::shared_ptr<stamp> kept = event->kept;
    if (!stream_of(stream)->capturing) {
        std::lock_guard<std::mutex> held(device.lock);
        kept->records++;
    }
    standin::enqueue(stream, [kept] {
        std::lock_guard<std::mutex> held(device.lock);
        kept->ms = standin::now_ms();
        kept->done++;
    });
    return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    STANDIN_CALL();
    std::lock_guard<std::mutex> held(device.lock);
    return event->kept->done < event->kept->records ? cudaErrorNotReady : cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    STANDIN_CALL();
    std::unique_lock<std::mutex> held(device.lock);
    device.has_done.wait(held, [=] { return event->kept->done == event->kept->records; });
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t stop)
{
    STANDIN_CALL();
    std::lock_guard<std::mutex> held(device.lock);
    if (start->kept->records == 0 || stop->kept->records == 0)
        return standin::keep(cudaErrorInvalidResourceHandle);
    if (start->kept->done < start->kept->records || stop->kept->done < stop->kept->records)
        return cudaErrorNotReady;
    *ms = (float)(stop->kept->ms - start->kept->ms);
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode)
{
    STANDIN_CALL();
    if (stream == nullptr || stream->capturing)
        return standin::keep(cudaErrorStreamCaptureUnsupported);
    standin::born("graphs");
    stream->graph = new CUgraph_st;
    stream->capturing = true;
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status)
{
    STANDIN_CALL();
    *status =
        stream_of(stream)->capturing ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    const cudaError_t scripted = standin::begin_call(__func__);
    if (!stream->capturing)
        return standin::keep(cudaErrorIllegalState);
    stream->capturing = false;
    *graph = stream->graph;
    stream->graph = nullptr;
    return standin::keep(scripted);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    STANDIN_CALL();
    const size_t most = *count;
    *count = graph->nodes.size();
    for (size_t i = 0; nodes != nullptr && i < most && i < *count; i++)
        nodes[i] = (cudaGraphNode_t)graph->nodes[i].get();
    return cudaSuccess;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t of, cudaGraphNodeType *type)
{
    STANDIN_CALL();
    *type = ((const node *)of)->type;
    return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t of, cudaKernelNodeParams *launch)
{
    STANDIN_CALL();
    *launch = ((const node *)of)->launch;
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    STANDIN_FREEING_CALL();
    standin::gone("graphs");
    delete graph;
    return standin::keep(scripted);
}

} // extern "C"
