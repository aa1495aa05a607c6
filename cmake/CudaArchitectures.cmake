# Chooses CMAKE_CUDA_ARCHITECTURES before CUDA is enabled: SPHERESCOPE_CUDA_ARCHS if it is set, else
# the entries of the list below that this nvcc supports. Builds machine code for each, and PTX of
# the last for GPUs newer than the compiler.
set(wanted 75 80 86 89 90 100 120)
if(SPHERESCOPE_CUDA_ARCHS)
    string(REPLACE "," ";" known "${SPHERESCOPE_CUDA_ARCHS}")
else()
    execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-arch
                    OUTPUT_VARIABLE listed ERROR_QUIET)
    set(known "")
    foreach(arch IN LISTS wanted)
        if(listed MATCHES "compute_${arch}\n")
            list(APPEND known ${arch})
        endif()
    endforeach()
    if(NOT known)
        message(FATAL_ERROR "${CMAKE_CUDA_COMPILER} --list-gpu-arch names none of ${wanted}; "
                            "name one it knows with -DSPHERESCOPE_CUDA_ARCHS=...")
    endif()
endif()
list(POP_BACK known newest)
list(TRANSFORM known REPLACE "^([0-9]+[af]?)$" "\\1-real")
set(CMAKE_CUDA_ARCHITECTURES ${known} ${newest})
