# What `cmake --install` installs besides the program. The program finds its assets from its own
# place, so a prefix can be moved.
include(Release) # SPHERESCOPE_RELEASED

# The manual page and the completions of shells, from the command table.
set(manual ${PROJECT_BINARY_DIR}/manual)
set(manual_files spherescope.1 spherescope _spherescope spherescope.fish)
list(TRANSFORM manual_files PREPEND ${manual}/)
file(MAKE_DIRECTORY ${manual})
add_custom_command(OUTPUT ${manual_files}
    COMMAND write_manual ${manual} ${SPHERESCOPE_RELEASED} DEPENDS write_manual VERBATIM)
add_custom_target(manual ALL DEPENDS ${manual_files})

install(DIRECTORY assets/ DESTINATION ${CMAKE_INSTALL_DATADIR}/spherescope)
install(FILES ${manual}/spherescope.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${manual}/spherescope
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${manual}/_spherescope DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${manual}/spherescope.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# An archive that runs from where it is unpacked.
if(SPHERESCOPE_GUI)
    add_custom_target(bundle COMMAND ${PROJECT_SOURCE_DIR}/packaging/bundle.sh ${PROJECT_BINARY_DIR}
        DEPENDS spherescope manual VERBATIM)
endif()

# A build without a window has nothing to start from a menu.
if(SPHERESCOPE_GUI)
    set(metainfo org.spherescope.Spherescope.metainfo.xml)
    configure_file(packaging/linux/${metainfo}.in ${metainfo} @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${metainfo}
        DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
    install(FILES packaging/linux/spherescope.desktop
        DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
    install(FILES packaging/linux/spherescope.svg
        DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
endif()
