# Finds the headers of the CUDA runtime for the host code of the CUDA backend. Where there is no
# nvcc, or CUDA is switched off, tests run that code on a stand-in for the runtime. Searches as
# Cuda.cmake does, and where Debian's nvidia-cuda-dev puts them. Sets SPHERESCOPE_CUDA_HEADERS, and
# SPHERESCOPE_CUDA_DRIVER to the oldest driver that starts programs of their CUDA, by the table in
# the release notes of NVIDIA's CUDA Toolkit.
find_path(SPHERESCOPE_CUDA_HEADERS cuda_runtime_api.h
    HINTS ${CUDAToolkit_INCLUDE_DIRS} ENV CUDA_HOME ENV CUDA_PATH
    PATHS /usr/local/cuda PATH_SUFFIXES include)
mark_as_advanced(SPHERESCOPE_CUDA_HEADERS)
if(SPHERESCOPE_CUDA_HEADERS)
    include(CheckCSourceCompiles)
    set(CMAKE_REQUIRED_INCLUDES ${SPHERESCOPE_CUDA_HEADERS})
    check_c_source_compiles("#include <cuda_runtime_api.h>
        _Static_assert(CUDART_VERSION >= 11080, \"CUDA 11.8\");
        int main(void) { return 0; }" SPHERESCOPE_CUDA_HEADERS_WORK)
    unset(CMAKE_REQUIRED_INCLUDES)
    file(STRINGS ${SPHERESCOPE_CUDA_HEADERS}/cuda_runtime_api.h version
        REGEX "define +CUDART_VERSION +[0-9]+")
    set(SPHERESCOPE_CUDA_DRIVER 580)
    if(version MATCHES "VERSION +12...")
        set(SPHERESCOPE_CUDA_DRIVER 525)
    elseif(version MATCHES "VERSION +11...")
        set(SPHERESCOPE_CUDA_DRIVER 450)
    endif()
endif()
