# Install rules: library, headers and the package files (the tool's stand in HopwaveTool.cmake) that find_package(hopwave) reads.
include(CMakePackageConfigHelpers)
install(TARGETS hopwave EXPORT hopwave-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/hopwave DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT hopwave-targets NAMESPACE hopwave:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/hopwave)
configure_package_config_file(cmake/hopwave-config.cmake.in ${PROJECT_BINARY_DIR}/hopwave-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/hopwave)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hopwave-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hopwave-config.cmake ${PROJECT_BINARY_DIR}/hopwave-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/hopwave)
