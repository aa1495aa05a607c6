# Chooses CMAKE_CUDA_ARCHITECTURES before CUDA is enabled: SPHERESCOPE_CUDA_ARCHS if it is set, else
# those of the GPUs that SPHERESCOPE_GPUS names, else the entries of the list below that this nvcc
# supports. Builds machine code for each, and PTX of the newest generation for GPUs newer than the
# compiler. Sets cuda_code to nvcc's options for this, and cuda_code_plain to those for files whose
# machine code is the same, with CUDA 13.0, from any PTX before that of 10.0.
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
    if(SPHERESCOPE_GPUS STREQUAL "unknown")
        message(STATUS "No NVIDIA GPU answers nvidia-smi: machine code for GPUs of all "
                       "generations is built, which takes longer.")
    elseif(SPHERESCOPE_GPUS MATCHES "^[0-9;]+$")
        # For a GPU newer than this nvcc, its newest architecture, with PTX; for one older than the
        # list, which the program refuses, the first of the list.
        list(GET known 0 oldest)
        string(REGEX MATCHALL "[0-9]+" listed "${listed}")
        list(SORT listed COMPARE NATURAL)
        set(known "")
        foreach(gpu IN LISTS SPHERESCOPE_GPUS)
            set(best ${oldest})
            foreach(arch IN LISTS listed)
                if(arch GREATER oldest AND NOT arch GREATER gpu)
                    set(best ${arch})
                endif()
            endforeach()
            list(APPEND known ${best})
        endforeach()
        list(REMOVE_DUPLICATES known)
        list(SORT known COMPARE NATURAL)
    endif()
endif()

# The front end of nvcc takes as long as the assembler, so it runs once per generation, for the
# oldest architecture of the list: the PTX of 8.0 serves 8.6, that of 10.0 serves 12.0. From the
# same PTX, ptxas writes the same bytes for 8.6 and 8.9 (CUDA 13.0), so both run the code of 8.6.
# share_front_ends(VARIABLE ARCHITECTURE...): gets nvcc's options; the architectures begin a
# generation.
function(share_front_ends variable)
    set(fronts "")
    foreach(arch IN LISTS known)
        set(first 0)
        foreach(generation IN LISTS ARGN)
            if(NOT arch LESS generation)
                set(first ${generation})
            endif()
        endforeach()
        if(NOT DEFINED front_${first})
            set(front_${first} ${arch})
            list(APPEND fronts ${first})
        endif()
        if(NOT (arch EQUAL 89 AND "sm_86" IN_LIST code_${first}))
            list(APPEND code_${first} sm_${arch})
        endif()
    endforeach()
    list(APPEND code_${first} compute_${front_${first}})
    set(options "")
    foreach(first IN LISTS fronts)
        list(JOIN code_${first} "," code)
        list(APPEND options "--generate-code=arch=compute_${front_${first}},code=[${code}]")
    endforeach()
    set(${variable} ${options} PARENT_SCOPE)
endfunction()
set(cuda_code "")
if(known MATCHES "^[0-9;]+$")
    list(SORT known COMPARE NATURAL)
    share_front_ends(cuda_code 80 90 100)
    share_front_ends(cuda_code_plain 100)
endif()
list(POP_BACK known newest)
list(TRANSFORM known REPLACE "^([0-9]+[af]?)$" "\\1-real")
set(CMAKE_CUDA_ARCHITECTURES ${known} ${newest})
