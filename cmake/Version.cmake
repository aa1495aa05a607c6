# Writes the version header if the commit has changed; runs on every build:
#   cmake -DSOURCE=dir -DVERSION=1.2.3 "-DBUILD=GNU 12, Release" -DOUT=version.h -P Version.cmake
# An unpacked archive has its commit in cmake/commit.txt, where `git archive` writes it. The ceiling
# keeps it from reading the commit of a repository around it.
get_filename_component(parent ${SOURCE} DIRECTORY)
execute_process(COMMAND ${CMAKE_COMMAND} -E env GIT_CEILING_DIRECTORIES=${parent}
                        git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                OUTPUT_VARIABLE git OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT git)
    set(git "n/a")
    file(STRINGS ${SOURCE}/cmake/commit.txt commit REGEX "^[0-9a-f]+$")
    if(commit)
        string(SUBSTRING ${commit} 0 12 git)
    endif()
endif()
set(text "#define APP_VERSION \"${VERSION}\"\n#define APP_GIT \"${git}\"\n")
string(APPEND text "#define APP_BUILD \"${BUILD}\"\n")
set(old "")
if(EXISTS ${OUT})
    file(READ ${OUT} old)
endif()
if(NOT old STREQUAL text)
    file(WRITE ${OUT} "${text}")
endif()
