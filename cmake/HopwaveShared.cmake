# The shared library: the static library's objects, linked once more. Both hide what the public headers do not declare.
set(objects "")
foreach(target IN ITEMS hopwave hopwave-sim hopwave-cuda)
  if(TARGET ${target})
    set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden
                          VISIBILITY_INLINES_HIDDEN ON)
    list(APPEND objects $<TARGET_OBJECTS:${target}>)
    if(HOPWAVE_BUILD_SHARED)
      set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    endif()
  endif()
endforeach()
if(NOT HOPWAVE_BUILD_SHARED)
  add_library(hopwave::hopwave ALIAS hopwave)
  return()
endif()

add_library(hopwave-shared SHARED ${objects} ${HOPWAVE_HIP_OBJECTS})
add_library(hopwave::shared ALIAS hopwave-shared)
# Inside another project the shared library is there only because that project wants it.
if(PROJECT_IS_TOP_LEVEL)
  add_library(hopwave::hopwave ALIAS hopwave)
else()
  add_library(hopwave::hopwave ALIAS hopwave-shared)
endif()
set_target_properties(hopwave-shared PROPERTIES OUTPUT_NAME hopwave EXPORT_NAME shared LINKER_LANGUAGE CXX
                      VERSION ${PROJECT_VERSION} SOVERSION ${HOPWAVE_SOVERSION})
target_compile_features(hopwave-shared INTERFACE cxx_std_20)
target_include_directories(hopwave-shared INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# What the static library names for its users is linked into this one; its own users need none of it.
get_target_property(links hopwave LINK_LIBRARIES)
foreach(link IN LISTS links)
  target_link_libraries(hopwave-shared PRIVATE $<BUILD_INTERFACE:${link}>)
endforeach()
# Templates of the C++ library have default visibility wherever they are compiled, so the linker picks as well.
set(map ${CMAKE_CURRENT_SOURCE_DIR}/exports.map)
target_link_options(hopwave-shared PRIVATE -Wl,--version-script=${map} -Wl,--no-undefined)
set_target_properties(hopwave-shared PROPERTIES LINK_DEPENDS ${map})
