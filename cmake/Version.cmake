# Writes the version header if the commit has changed; runs on every build:
#   cmake -DSOURCE=dir -DVERSION=0.1.0 -DOUT=version.h -P Version.cmake
# The ceiling keeps an unpacked archive from reading the commit of a repository around it.
get_filename_component(parent ${SOURCE} DIRECTORY)
execute_process(COMMAND ${CMAKE_COMMAND} -E env GIT_CEILING_DIRECTORIES=${parent}
                        git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                OUTPUT_VARIABLE git OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT git)
    set(git "n/a")
endif()
set(text "#define APP_VERSION \"${VERSION}\"\n#define APP_GIT \"${git}\"\n")
set(old "")
if(EXISTS ${OUT})
    file(READ ${OUT} old)
endif()
if(NOT old STREQUAL text)
    file(WRITE ${OUT} "${text}")
endif()
