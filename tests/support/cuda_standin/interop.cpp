/* Textures and buffers of OpenGL in the hands of the device: copies of them, which are written back
 * when they are unmapped. The program maps and unmaps with its context current. */
#include "standin.h"

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <cuda_gl_interop.h>
#include <string.h>

#include <vector>

struct cudaGraphicsResource {
    GLuint name;
    bool is_buffer, mapped, written;
    GLint width, height;
    std::vector<char> bytes; /* what the device sees while it is mapped */
};

namespace
{

/* The state of OpenGL that a copy changes. */
struct kept_state {
    GLint texture, unpack, alignment, row, rows, pixels;
    kept_state()
    {
        glGetIntegerv(GL_TEXTURE_BINDING_2D, &texture);
        glGetIntegerv(GL_PIXEL_UNPACK_BUFFER_BINDING, &unpack);
        glGetIntegerv(GL_UNPACK_ALIGNMENT, &alignment);
        glGetIntegerv(GL_UNPACK_ROW_LENGTH, &row);
        glGetIntegerv(GL_UNPACK_SKIP_ROWS, &rows);
        glGetIntegerv(GL_UNPACK_SKIP_PIXELS, &pixels);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
        glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
        glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
        glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
    }
    ~kept_state()
    {
        glBindTexture(GL_TEXTURE_2D, (GLuint)texture);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, (GLuint)unpack);
        glPixelStorei(GL_UNPACK_ALIGNMENT, alignment);
        glPixelStorei(GL_UNPACK_ROW_LENGTH, row);
        glPixelStorei(GL_UNPACK_SKIP_ROWS, rows);
        glPixelStorei(GL_UNPACK_SKIP_PIXELS, pixels);
    }
};

cudaError_t open(cudaGraphicsResource **resource, GLuint name, bool is_buffer)
{
    const kept_state kept;
    auto *made = new cudaGraphicsResource{name, is_buffer, false, false, 0, 0, {}};
    GLint bytes = 0;
    if (is_buffer) {
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, name);
        glGetBufferParameteriv(GL_PIXEL_UNPACK_BUFFER, GL_BUFFER_SIZE, &bytes);
    } else {
        glBindTexture(GL_TEXTURE_2D, name);
        glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &made->width);
        glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_HEIGHT, &made->height);
        bytes = 4 * made->width * made->height;
    }
    if (bytes <= 0) {
        delete made;
        return cudaErrorInvalidValue;
    }
    made->bytes.resize((size_t)bytes);
    standin::born("graphics resources");
    *resource = made;
    return cudaSuccess;
}

void write_back(cudaGraphicsResource *resource)
{
    const kept_state kept;
    if (resource->is_buffer) {
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, resource->name);
        glBufferSubData(GL_PIXEL_UNPACK_BUFFER, 0, (GLsizeiptr)resource->bytes.size(),
                        resource->bytes.data());
        return;
    }
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glBindTexture(GL_TEXTURE_2D, resource->name);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, resource->width, resource->height, GL_RGBA,
                    GL_UNSIGNED_BYTE, resource->bytes.data());
}

} // namespace

extern "C" {

cudaError_t cudaGLGetDevices(unsigned *count, int *devices, unsigned most, cudaGLDeviceList)
{
    STANDIN_CALL();
    if (!standin::draws_opengl())
        return standin::keep(cudaErrorNoDevice);
    *count = most > 0;
    if (most > 0)
        devices[0] = 0;
    return cudaSuccess;
}

cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource **resource, GLuint image, GLenum,
                                        unsigned)
{
    STANDIN_CALL();
    return standin::keep(open(resource, image, false));
}

cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource **resource, GLuint buffer, unsigned)
{
    STANDIN_CALL();
    return standin::keep(open(resource, buffer, true));
}

cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource)
{
    STANDIN_FREEING_CALL();
    standin::wait_for_all();
    if (resource->mapped)
        standin::remove_memory(resource->bytes.data());
    standin::gone("graphics resources");
    delete resource;
    return standin::keep(scripted);
}

cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t *resources, cudaStream_t)
{
    STANDIN_CALL();
    for (int i = 0; i < count; i++) {
        if (resources[i]->mapped)
            return standin::keep(cudaErrorAlreadyMapped);
        resources[i]->mapped = true;
        resources[i]->written = resources[i]->is_buffer;
        standin::add_memory(resources[i]->bytes.data(), resources[i]->bytes.size());
    }
    return cudaSuccess;
}

cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t *resources,
                                       cudaStream_t stream)
{
    STANDIN_CALL();
    for (int i = 0; i < count; i++) {
        if (!resources[i]->mapped)
            return standin::keep(cudaErrorNotMapped);
        standin::wait_for(stream);
        resources[i]->mapped = false;
        standin::remove_memory(resources[i]->bytes.data());
        if (resources[i]->written)
            write_back(resources[i]);
    }
    return cudaSuccess;
}

cudaError_t cudaGraphicsResourceGetMappedPointer(void **memory, size_t *bytes,
                                                 cudaGraphicsResource_t resource)
{
    STANDIN_CALL();
    if (!resource->mapped || !resource->is_buffer)
        return standin::keep(cudaErrorNotMappedAsPointer);
    *memory = resource->bytes.data();
    *bytes = resource->bytes.size();
    return cudaSuccess;
}

cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t *array,
                                                  cudaGraphicsResource_t resource, unsigned,
                                                  unsigned)
{
    STANDIN_CALL();
    if (!resource->mapped || resource->is_buffer)
        return standin::keep(cudaErrorNotMappedAsArray);
    *array = (cudaArray_t)resource; /* the array is its resource's */
    return cudaSuccess;
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t array, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream)
{
    auto *to = (cudaGraphicsResource *)array;
    const size_t row = 4 * (size_t)to->width;
    if (x + width > row || y + height > (size_t)to->height)
        return standin::keep(cudaErrorInvalidValue);
    to->written = true;
    return cudaMemcpy2DAsync(to->bytes.data() + y * row + x, row, from, pitch, width, height, kind,
                             stream);
}

} // extern "C"
