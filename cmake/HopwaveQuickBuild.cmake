# What is done to be built from nothing in CI. Tests that do little work of their own are compiled without optimisation, but in the
# preset `release`. The presets of tests, sanitizers and coverage also parse headers that most sources include once for each kind of
# target, and do not optimise the tool. The presets `release` and `gpu` do not: there (scripts/test cuda) a missing #include is seen.
option(HOPWAVE_QUICK_BUILD "Precompiled headers, several sources at once; tests and tool with little or no optimisation" OFF)

# A hundred programs are linked with a sanitizer's symbols: lld, where it is installed, takes a quarter of ld's time.
if(HOPWAVE_QUICK_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  find_program(HOPWAVE_LLD ld.lld)
  if(HOPWAVE_LLD)
    add_link_options(-fuse-ld=lld)
  endif()
endif()

set(HOPWAVE_STANDARD_HEADERS <algorithm> <array> <atomic> <bit> <charconv> <chrono> <condition_variable> <cstdint> <cstring>
  <exception> <functional> <limits> <map> <memory> <mutex> <numeric> <optional> <set> <span> <stop_token> <string> <string_view>
  <thread> <type_traits> <unordered_map> <utility> <variant> <vector>)

# The standard library's headers, and those that are named behind the target's name.
function(hopwave_precompile target)
  if(HOPWAVE_QUICK_BUILD)
    list(TRANSFORM HOPWAVE_STANDARD_HEADERS REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:\\1>" OUTPUT_VARIABLE headers)
    foreach(header IN LISTS ARGN)
      list(APPEND headers "$<$<COMPILE_LANGUAGE:CXX>:${header}>")
    endforeach()
    target_precompile_headers(${target} PRIVATE ${headers})
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Xclang;-fno-pch-timestamp>)  # for ccache
  endif()
endfunction()

# Several sources of a folder in one compilation: headers and templates are most of the work, and are done once for all of them.
# So names that are local to a file must differ within its folder: tests and commands each have a namespace of their own.
option(HOPWAVE_UNITY "Compile several sources of a folder at once" ${HOPWAVE_QUICK_BUILD})
# At most `size` sources each, and only those whose path matches. Sources that are named behind are not put together with others.
function(hopwave_unite target size regex)
  if(NOT HOPWAVE_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "${regex}")
  foreach(source IN LISTS sources)
    get_filename_component(group ${source} ABSOLUTE)
    get_filename_component(name ${group} NAME_WE)
    get_filename_component(group ${group} DIRECTORY)
    file(RELATIVE_PATH group ${PROJECT_SOURCE_DIR} ${group})
    string(REPLACE "/" "-" group ${group})
    string(REGEX REPLACE "^(src-(bfs-engine|cli-commands))-.*" "\\1" group ${group})  # small folders together
    if(name IN_LIST ARGN)
      string(APPEND group -apart)
    endif()
    if(NOT DEFINED ${group}_count)
      set(${group}_count 0)
    endif()
    math(EXPR part "${${group}_count} / ${size}")
    math(EXPR ${group}_count "${${group}_count} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}-${part})  # scripts/layers reads it
  endforeach()
endfunction()

# Tests that do much work in code of their own (plain oracles, comparisons): unoptimised they take longer than their compilation saves.
set(HOPWAVE_OPTIMISED_TESTS betweenness_test bounds_test closeness_test cpu_strategy_test each_test eccentricity_test
  edge_list_rows_test engine_corners_test engine_sides_test engine_test faults_test generate_test gpu_strategy_test graph_test
  io_test levels_test limits_test ms_bfs_counter_test netlist_test preparation_test rare_paths_test relabel_test replicas_test
  result_memory_test route_test sampled_closeness_devices_test sampled_closeness_test small_test sssp_test storage_test
  strong_device_test strong_test text_blocks_test validate_test)

# Which of the two libraries of objects a test's source belongs to. A test with kernels of its own is optimised as the library's are:
# the simulator runs them.
function(hopwave_test_library out source)
  file(STRINGS ${source} kernels REGEX "#include \"device/(kernel\\.h|primitives/)" LIMIT_COUNT 1)
  get_filename_component(name ${source} NAME_WE)
  set(library tests-plain)
  if(kernels OR name IN_LIST HOPWAVE_OPTIMISED_TESTS)
    set(library tests-optimised)
  endif()
  set(${out} ${library} PARENT_SCOPE)
endfunction()

# What each library of tests parses once, and the missing optimisation of `plain`.
function(hopwave_quick_tests plain)
  foreach(library IN ITEMS ${plain} ${ARGN})
    hopwave_precompile(${library} <gtest/gtest.h> <filesystem> <fstream> <sstream> <fmt/format.h> <nlohmann/json.hpp>)
  endforeach()
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${plain} PRIVATE -O0 -U_FORTIFY_SOURCE)  # which needs optimisation
  endif()
endfunction()
