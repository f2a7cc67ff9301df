# What is done to be built from nothing in CI. Tests that do little work of their own are compiled without optimisation, but in the
# preset `release`. The presets of sanitizers and of coverage also parse headers that most sources include once for each kind of
# target, and do not optimise the tool. The presets `dev` and `release` do not: there a missing #include is seen.
option(HOPWAVE_QUICK_BUILD "Precompiled headers; tests and tool without optimisation" OFF)

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

# Tests that do much work in code of their own (plain oracles, comparisons): unoptimised they take longer than their compilation saves.
set(HOPWAVE_OPTIMISED_TESTS betweenness_test bounds_test closeness_test cpu_strategy_test each_test eccentricity_test
  edge_list_rows_test engine_corners_test engine_sides_test engine_test faults_test generate_test gpu_strategy_test graph_test
  io_test levels_test limits_test ms_bfs_counter_test netlist_test preparation_test rare_paths_test relabel_test replicas_test
  result_memory_test route_test sampled_closeness_devices_test sampled_closeness_test small_test sssp_test storage_test
  strong_device_test strong_test text_blocks_test validate_test)

# The headers of a test. All tests of one kind share what the first has parsed. A test with kernels of its own is optimised as the
# library's are: the simulator runs them.
function(hopwave_quick_test target source)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    return()
  endif()
  file(STRINGS ${source} kernels REGEX "#include \"device/(kernel\\.h|primitives/)" LIMIT_COUNT 1)
  set(first hopwave_first_of_tests)
  if(kernels OR target IN_LIST HOPWAVE_OPTIMISED_TESTS)
    set(first hopwave_first_of_kernel_tests)
  else()
    target_compile_options(${target} PRIVATE -O0 -U_FORTIFY_SOURCE)  # which wants optimisation
  endif()
  if(NOT HOPWAVE_QUICK_BUILD)
    return()
  endif()
  get_property(other GLOBAL PROPERTY ${first})
  if(other)
    target_precompile_headers(${target} REUSE_FROM ${other})
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Xclang;-fno-pch-timestamp>)
  else()
    set_property(GLOBAL PROPERTY ${first} ${target})
    hopwave_precompile(${target} <gtest/gtest.h> <filesystem> <fstream> <sstream> <fmt/format.h> <nlohmann/json.hpp>)
  endif()
endfunction()
