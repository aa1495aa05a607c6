# Sets the compiler options of every target and finds out whether there is a CUDA compiler.

# Whether CUDA is built changes the list of source files, never the code inside them.
include(Cuda) # SPHERESCOPE_HAVE_CUDA; the language CUDA and CUDAToolkit when it is ON
include(CudaHeaders) # SPHERESCOPE_CUDA_HEADERS and whether they work

# Use ccache where it is installed and can write its cache, unless the user has set a launcher.
find_program(SPHERESCOPE_CCACHE ccache)
mark_as_advanced(SPHERESCOPE_CCACHE)
if(SPHERESCOPE_CCACHE AND NOT DEFINED CMAKE_C_COMPILER_LAUNCHER)
    set(probe ${CMAKE_BINARY_DIR}/CMakeFiles/ccache_probe)
    file(WRITE ${probe}.c "int main(void) { return 0; }\n")
    execute_process(COMMAND ${SPHERESCOPE_CCACHE} ${CMAKE_C_COMPILER} -c ${probe}.c -o ${probe}.o
                    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(NOT failed)
        set(CMAKE_C_COMPILER_LAUNCHER ${SPHERESCOPE_CCACHE})
        set(CMAKE_CXX_COMPILER_LAUNCHER ${SPHERESCOPE_CCACHE})
        set(CMAKE_CUDA_COMPILER_LAUNCHER ${SPHERESCOPE_CCACHE})
    endif()
endif()

# Warnings and floating-point rules in one place. Contraction is off everywhere: the backends
# promise the same bytes, so only a written fma() is a fused multiply-add. Paths in messages start
# at the checkout, so that a build contains no folder names of the machine.
set(host -Wall -Wextra -Wshadow -ffp-contract=off -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
set(c_only -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla)
# The host side of a kernel needs no C++ library: it throws nothing, and the statics that nvcc
# writes have one value, whichever thread is first.
# Compressed, the device code for all architectures takes a seventh of the room. Profilers want the
# line numbers, which take more room than the code.
set(cuda --fmad=false -Xcompiler=-fno-exceptions,-fno-threadsafe-statics
    -Xfatbin=-compress-all $<$<NOT:$<CONFIG:Release>>:-lineinfo>
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:KRN_OWN_CODE>>>:${cuda_code}>)
if(SPHERESCOPE_WERROR)
    list(APPEND c_only -Werror)
    list(APPEND cuda -Werror=all-warnings)
endif()
add_library(sphere_flags INTERFACE)
if(SPHERESCOPE_SANITIZE)
    string(REPLACE "," ";" sanitizers "${SPHERESCOPE_SANITIZE}")
    list(TRANSFORM sanitizers PREPEND -fsanitize=)
    list(APPEND host ${sanitizers} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(sphere_flags INTERFACE ${sanitizers})
endif()
if(SPHERESCOPE_COVERAGE)
    # Threads may lose counts of a line, but not its first. Atomic counters would make kernels slow.
    list(APPEND host --coverage -fprofile-update=single)
    target_link_options(sphere_flags INTERFACE --coverage)
endif()
list(TRANSFORM host PREPEND -Xcompiler= OUTPUT_VARIABLE wrapped)
target_compile_definitions(sphere_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:_POSIX_C_SOURCE=200809L>)
target_compile_options(sphere_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:C>:${host};${c_only}>"
    "$<$<COMPILE_LANGUAGE:CXX>:${host}>"
    "$<$<COMPILE_LANGUAGE:CUDA>:${cuda};${wrapped}>")

# sphere_embed(OUT HEADER PREFIX FILE...): makes the C source OUT of text files (Embed.cmake) in
# the caller's build folder; HEADER declares its strings.
function(sphere_embed out header prefix)
    list(JOIN ARGN "," files)
    add_custom_command(
        OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${out}
        COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DHEADER=${header} -DPREFIX=${prefix} -DFILES=${files}
                -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/Embed.cmake
        DEPENDS ${ARGN} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/Embed.cmake VERBATIM)
endfunction()

# sphere_room_sources(VARIABLE FOLDER...): collects the .c and .cu files of these folders, which are
# relative to the calling CMakeLists.txt.
function(sphere_room_sources variable)
    set(patterns ${ARGN})
    list(TRANSFORM patterns PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    set(all "")
    foreach(folder IN LISTS patterns)
        file(GLOB found CONFIGURE_DEPENDS ${folder}/*.c ${folder}/*.cu)
        list(APPEND all ${found})
    endforeach()
    set(${variable} ${all} PARENT_SCOPE)
endfunction()
