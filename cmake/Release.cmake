# Reads the date of this version's release from CHANGELOG.md into SPHERESCOPE_RELEASED. The version
# itself is that of project(); a changelog whose newest release is another one is an error.
set(changelog ${PROJECT_SOURCE_DIR}/CHANGELOG.md)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${changelog})
file(STRINGS ${changelog} releases REGEX "^## \\[[0-9]")
list(GET releases 0 newest)
if(NOT newest MATCHES "^## \\[([0-9]+\\.[0-9]+\\.[0-9]+)\\] - ([0-9-]+)$"
        OR NOT CMAKE_MATCH_1 STREQUAL PROJECT_VERSION)
    message(FATAL_ERROR "CMakeLists.txt has the version ${PROJECT_VERSION}, but the newest release "
                        "in CHANGELOG.md is \"${newest}\"; write it as "
                        "\"## [${PROJECT_VERSION}] - YEAR-MONTH-DAY\".")
endif()
set(SPHERESCOPE_RELEASED ${CMAKE_MATCH_2})
