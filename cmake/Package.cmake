# `cpack -G DEB` makes a package for Debian 12 from a build.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME spherescope)
set(CPACK_PACKAGE_VENDOR "the Spherescope developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "live GPU benchmark that renders spheres")
set(CPACK_PACKAGE_DESCRIPTION
"A window renders spheres with the ray tracer of CUDA by Example, and shows the
time of its kernel. Keys change the memory that the kernel reads from, the
kernel and the scene. Panels beside the picture measure the same device, and a
board gives a verdict on what published texts claim about GPU speed.

Without an NVIDIA GPU and its driver, everything runs on the processor.")
# A package has the paths that Debian asks for, wherever the build would be installed.
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(SPHERESCOPE_PACKAGER "the Spherescope developers <spherescope@users.noreply.github.com>"
    CACHE STRING "Name and address of whoever makes the Debian package, as its maintainer")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${SPHERESCOPE_PACKAGER})
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(SPHERESCOPE_GUI)
    # A display needs Mesa or NVIDIA's OpenGL; fontconfig finds fonts for other scripts.
    set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libgl1-mesa-dri, libegl-mesa0, libfontconfig1")
    set(CPACK_DEBIAN_PACKAGE_SUGGESTS ffmpeg)
endif()

# What Debian's policy asks for beside the files of `cmake --install`.
configure_file(packaging/debian/tree.cmake.in debian_tree.cmake @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_BINARY_DIR}/debian_tree.cmake)
# The source tarball is `git archive`: docs/installing.md.
set(CPACK_SOURCE_GENERATOR "")
include(CPack)
