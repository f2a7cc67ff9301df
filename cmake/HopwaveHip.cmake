# The HIP backend: each strategy through hipcc into an object of the library. CMake's own HIP language wants a full ROCm tree,
# which Debian's packages are not, so hipcc is called by hand.
if(NOT HOPWAVE_HIP)
  return()
endif()
find_program(HOPWAVE_HIPCC hipcc REQUIRED)
find_library(HOPWAVE_HIP_RUNTIME amdhip64 REQUIRED)
foreach(source IN LISTS HOPWAVE_GPU_STRATEGIES)
  file(RELATIVE_PATH path ${CMAKE_CURRENT_SOURCE_DIR} ${source})
  string(REGEX REPLACE "[/.]" "_" stem ${path})  # the whole path: two folders may have files of one name
  set(object ${CMAKE_CURRENT_BINARY_DIR}/hip/${stem}.o)
  add_custom_command(
    OUTPUT ${object}
    COMMAND ${CMAKE_COMMAND} -E env HIP_PLATFORM=amd ${HOPWAVE_HIPCC} -std=c++20 -O2 --offload-arch=${HOPWAVE_HIP_ARCHITECTURE}
            -I${CMAKE_CURRENT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/include -Wno-unused-command-line-argument
            -MD -MT ${object} -MF ${object}.d -x hip -c ${source} -o ${object}
    DEPENDS ${source} DEPFILE ${object}.d
    COMMENT "hipcc ${stem}" VERBATIM)
  target_sources(hopwave PRIVATE ${object})
  list(APPEND HOPWAVE_HIP_OBJECTS ${object})  # HopwaveShared.cmake
endforeach()
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/hip)
set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/device/hip_api.cpp PROPERTIES COMPILE_OPTIONS -Wno-unused-result
                            COMPILE_DEFINITIONS "__HIP_PLATFORM_AMD__;__HIP_PLATFORM_HCC__")
target_compile_definitions(hopwave PRIVATE HOPWAVE_WITH_HIP)
target_link_libraries(hopwave PRIVATE ${HOPWAVE_HIP_RUNTIME})
