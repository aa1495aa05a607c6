# Chooses CMAKE_CUDA_ARCHITECTURES before CUDA is enabled: SPHERESCOPE_CUDA_ARCHS if it is set, else
# those of the GPUs that SPHERESCOPE_GPUS names, else the entries of the list below that this nvcc
# supports. Builds machine code for each, and PTX of the newest generation for GPUs newer than the
# compiler. Sets cuda_code to nvcc's options for this.
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
# same PTX, ptxas writes the same bytes for 8.6 and 8.9, so both run the code of 8.6.
set(cuda_code "")
if(known MATCHES "^[0-9;]+$")
    list(SORT known COMPARE NATURAL)
    set(front "")
    foreach(arch IN LISTS known)
        if(NOT front OR (front LESS 80 AND NOT arch LESS 80) OR
                (front LESS 90 AND NOT arch LESS 90) OR (front LESS 100 AND NOT arch LESS 100))
            set(front ${arch})
            list(APPEND fronts ${front})
            set(code_${front} "")
        endif()
        if(NOT (arch EQUAL 89 AND "sm_86" IN_LIST code_${front}))
            list(APPEND code_${front} sm_${arch})
        endif()
    endforeach()
    list(APPEND code_${front} compute_${front})
    foreach(front IN LISTS fronts)
        list(JOIN code_${front} "," code)
        list(APPEND cuda_code "--generate-code=arch=compute_${front},code=[${code}]")
    endforeach()
endif()
list(POP_BACK known newest)
list(TRANSFORM known REPLACE "^([0-9]+[af]?)$" "\\1-real")
set(CMAKE_CUDA_ARCHITECTURES ${known} ${newest})
