/* Memory of the device: memory of the host whose bounds are known, and copies that keep to them. */
#include "device.h"
#include "standin.h"

#include <map>
#include <mutex>
#include <new>
#include <vector>

namespace
{

enum kind { ALLOCATED, PINNED, SYMBOL, OTHER };

struct region {
    size_t bytes;
    kind what;
};

struct memory {
    std::mutex lock;
    std::map<const char *, region> regions;
    size_t used = 0;
} &memory = *new struct memory;

/* Returns the region that holds these bytes, or NULL. */
const region *region_of(const void *at, size_t bytes)
{
    const char *begin = (const char *)at;
    auto after = memory.regions.upper_bound(begin);
    if (after == memory.regions.begin())
        return nullptr;
    --after;
    return begin + bytes <= after->first + after->second.bytes ? &after->second : nullptr;
}

void add(const void *at, size_t bytes, kind what)
{
    std::lock_guard<std::mutex> held(memory.lock);
    memory.regions[(const char *)at] = {bytes, what};
    memory.used += what == ALLOCATED ? bytes : 0;
}

/* Removes the region that begins here. */
void remove(const void *at, kind what, const char *function)
{
    std::lock_guard<std::mutex> held(memory.lock);
    const auto found = memory.regions.find((const char *)at);
    if (found == memory.regions.end() || found->second.what != what)
        standin::die("%s of a pointer that is not allocated, or no longer.", function);
    memory.used -= what == ALLOCATED ? found->second.bytes : 0;
    memory.regions.erase(found);
}

bool is_full(size_t bytes)
{
    std::lock_guard<std::mutex> held(memory.lock);
    return bytes > standin::memory_bytes() || memory.used > standin::memory_bytes() - bytes;
}

/* The contents of new memory are unknown: not 0. No injected failure of the host's allocations
 * (wrap_alloc.c) reaches this operator. */
const std::align_val_t alignment{256};

void *allocate(size_t bytes)
{
    void *made = ::operator new(bytes, alignment, std::nothrow);
    if (made != nullptr)
        memset(made, 0xa5, bytes < 65536 ? bytes : 65536);
    return made;
}

bool reads_device(cudaMemcpyKind kind)
{
    return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
}

bool writes_device(cudaMemcpyKind kind)
{
    return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
}

struct rectangle {
    char *to;
    const char *from;
    size_t to_pitch, from_pitch, width, height;
};

void copy_rows(const rectangle &r)
{
    for (size_t row = 0; row < r.height; row++)
        memmove(r.to + row * r.to_pitch, r.from + row * r.from_pitch, r.width);
}

/* Returns the kind of a copy whose caller leaves it to the runtime. */
cudaMemcpyKind kind_of(const void *to, const void *from)
{
    std::lock_guard<std::mutex> held(memory.lock);
    const bool reads = region_of(from, 1) != nullptr, writes = region_of(to, 1) != nullptr;
    return reads ? writes ? cudaMemcpyDeviceToDevice : cudaMemcpyDeviceToHost
                 : cudaMemcpyHostToDevice;
}

/* Copies as the runtime does: from memory of the host that is not pinned after the stream's earlier
 * work and before the call returns, into such memory so that the call returns only after it. */
cudaError_t copy(rectangle r, cudaMemcpyKind kind, cudaStream_t stream, const char *function)
{
    if (r.width == 0 || r.height == 0)
        return cudaSuccess;
    const size_t read = (r.height - 1) * r.from_pitch + r.width,
                 written = (r.height - 1) * r.to_pitch + r.width;
    if (kind == cudaMemcpyDefault)
        kind = kind_of(r.to, r.from);
    if (reads_device(kind))
        standin::check_device(r.from, read, function);
    if (writes_device(kind))
        standin::check_device(r.to, written, function);
    if (kind == cudaMemcpyHostToDevice && !standin::is_pinned(r.from, read)) {
        standin::wait_for(stream);
        const auto staged = std::make_shared<std::vector<char>>(r.from, r.from + read);
        r.from = staged->data();
        standin::enqueue(stream, [r, staged] { copy_rows(r); });
        return cudaSuccess;
    }
    standin::enqueue(stream, [r] { copy_rows(r); });
    if (kind == cudaMemcpyDeviceToHost && !standin::is_pinned(r.to, written))
        standin::wait_for(stream);
    return cudaSuccess;
}

struct texture {
    const char *memory;
    size_t bytes;
};

} // namespace

bool standin::is_pinned(const void *at, size_t bytes)
{
    std::lock_guard<std::mutex> held(memory.lock);
    const region *found = region_of(at, bytes);
    return found != nullptr && found->what == PINNED;
}

void standin::check_device(const void *at, size_t bytes, const char *function)
{
    std::lock_guard<std::mutex> held(memory.lock);
    if (region_of(at, bytes) == nullptr)
        die("%s of %zu bytes at %p, which is not memory of the device or goes beyond it.", function,
            bytes, at);
}

void standin::add_memory(void *at, size_t bytes)
{
    add(at, bytes, OTHER);
}

void standin::remove_memory(void *at)
{
    remove(at, OTHER, "unmap");
}

void *standin::symbol(const void *address, size_t bytes)
{
    add(address, bytes, SYMBOL);
    return const_cast<void *>(address);
}

const void *standin_texel(cudaTextureObject_t object, int at, size_t bytes)
{
    const texture *read = (const texture *)object;
    const size_t offset = (size_t)at * bytes;
    if (at < 0 || offset + bytes > read->bytes)
        standin::die("a kernel reads texel %d of a texture of %zu bytes.", at, read->bytes);
    return read->memory + offset;
}

extern "C" {

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    STANDIN_CALL();
    std::lock_guard<std::mutex> held(memory.lock);
    *total_bytes = standin::memory_bytes();
    *free_bytes = *total_bytes - std::min(*total_bytes, memory.used);
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **made, size_t bytes)
{
    STANDIN_CALL();
    *made = nullptr;
    if (bytes == 0)
        return cudaSuccess;
    if (is_full(bytes) || (*made = allocate(bytes)) == nullptr)
        return standin::keep(cudaErrorMemoryAllocation);
    add(*made, bytes, ALLOCATED);
    standin::born("allocations of the device's memory");
    return cudaSuccess;
}

cudaError_t cudaFree(void *freed)
{
    STANDIN_FREEING_CALL();
    if (freed == nullptr)
        return standin::keep(scripted);
    standin::wait_for_all();
    remove(freed, ALLOCATED, "cudaFree");
    standin::gone("allocations of the device's memory");
    ::operator delete(freed, alignment);
    return standin::keep(scripted);
}

cudaError_t cudaHostAlloc(void **made, size_t bytes, unsigned)
{
    STANDIN_CALL();
    *made = allocate(bytes);
    if (*made == nullptr)
        return standin::keep(cudaErrorMemoryAllocation);
    add(*made, bytes, PINNED);
    standin::born("allocations of pinned memory");
    return cudaSuccess;
}

cudaError_t cudaFreeHost(void *freed)
{
    STANDIN_FREEING_CALL();
    if (freed == nullptr)
        return standin::keep(scripted);
    standin::wait_for_all();
    remove(freed, PINNED, "cudaFreeHost");
    standin::gone("allocations of pinned memory");
    ::operator delete(freed, alignment);
    return standin::keep(scripted);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned)
{
    STANDIN_CALL();
    if (!standin::is_pinned(host, 1))
        return standin::keep(cudaErrorInvalidValue);
    *device = host;
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    STANDIN_CALL();
    return copy({(char *)to, (const char *)from, bytes, bytes, bytes, 1}, kind, stream,
                "cudaMemcpyAsync");
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    STANDIN_CALL();
    const cudaError_t status =
        copy({(char *)to, (const char *)from, bytes, bytes, bytes, 1}, kind, nullptr, "cudaMemcpy");
    standin::wait_for(nullptr);
    return status;
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream)
{
    STANDIN_CALL();
    if (width > to_pitch || width > from_pitch)
        return standin::keep(cudaErrorInvalidPitchValue);
    return copy({(char *)to, (const char *)from, to_pitch, from_pitch, width, height}, kind, stream,
                "cudaMemcpy2DAsync");
}

cudaError_t cudaMemsetAsync(void *at, int value, size_t bytes, cudaStream_t stream)
{
    STANDIN_CALL();
    standin::check_device(at, bytes, "cudaMemsetAsync");
    standin::enqueue(stream, [=] { memset(at, value, bytes); });
    return cudaSuccess;
}

cudaError_t cudaMemset2DAsync(void *at, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    STANDIN_CALL();
    standin::check_device(at, pitch * (height - 1) + width, "cudaMemset2DAsync");
    standin::enqueue(stream, [=] {
        for (size_t row = 0; row < height; row++)
            memset((char *)at + row * pitch, value, width);
    });
    return cudaSuccess;
}

cudaError_t cudaMemset(void *at, int value, size_t bytes)
{
    STANDIN_CALL();
    standin::check_device(at, bytes, "cudaMemset");
    standin::enqueue(nullptr, [=] { memset(at, value, bytes); });
    standin::wait_for(nullptr);
    return cudaSuccess;
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind)
{
    return {x, y, z, w, kind};
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *texels, const cudaChannelFormatDesc *, int)
{
    STANDIN_CALL();
    *texels = (size_t)1 << 27;
    return cudaSuccess;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const cudaResourceDesc *resource,
                                    const cudaTextureDesc *, const cudaResourceViewDesc *)
{
    STANDIN_CALL();
    const auto &linear = resource->res.linear;
    standin::check_device(linear.devPtr, linear.sizeInBytes, "cudaCreateTextureObject");
    standin::born("textures");
    *object = (cudaTextureObject_t) new texture{(const char *)linear.devPtr, linear.sizeInBytes};
    return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
    STANDIN_FREEING_CALL();
    standin::wait_for_all();
    standin::gone("textures");
    delete (texture *)object;
    return standin::keep(scripted);
}

} // extern "C"
