# Included twice: first for `selected_files`, whose objects are a library of their own, so that nothing else is built for the program;
# then, when that library is there, for the program.
# The selection: the tests that the gate runs under sanitizers, as one program. It finds what whole suites find: of 17 planted bugs that
# only a sanitizer sees it found 17 (docs/reliability.md); more graphs of the same kinds add little.
if(HOPWAVE_SANITIZE STREQUAL "thread")
  set(selected
    "shapes_test=ForcedTraversal.*OnComposed*"
    "per_source_test=PerSource.AnswersAreRight*:PerSource.OnGraphsOfAllKinds"
    "partitioned_test=Partitioned.NamedGraphsFromEverySource:Partitioned.RandomGraphs*"
    "strong_device_test=StrongDevice.ComposedShapes*"
    "cpu_strategy_test=CpuStrategies.NamedGraphsFromEverySource:CpuStrategies.LongRowsAreShared"
    "edge_list_rows_test=EdgeListRows.MoreThan*:EdgeListRows.OfAllForms*"
    "ranks_test=PartitionedSearch.*"
    "sssp_test=SsspSimulated.SmallGraphs"
    "each_test=Each.EveryGraphOfThree*:Each.MoreSources*"
    "betweenness_test=Betweenness.InTheSimulator")
elseif(HOPWAVE_SANITIZE STREQUAL "address")
  set(selected
    "shapes_test=ForcedTraversal.*OnComposed*"
    "per_source_test=PerSource.AnswersAreRight*:PerSource.OnGraphsOfAllKinds"
    "each_test=Each.EveryGraphOfThree*:Each.MoreSources*"
    "partitioned_test=Partitioned.NamedGraphsFromEverySource:Partitioned.RandomGraphs*"
    "cpu_strategy_test=CpuStrategies.AwkwardSizes:CpuStrategies.AllGraphs*:CpuStrategies.NamedGraphs*"
    "text_blocks_test=TextBlocks.*:TextStreams.*:TextFaults.*"
    "betweenness_test=Betweenness.*")
else()
  return()
endif()
if(NOT TARGET shapes)
  unset(selected)
  return()
endif()
set(selected_files "")
set(filter "")
foreach(part IN LISTS selected)
  string(REGEX MATCH "^([^=]+)=(.+)$" part ${part})
  list(APPEND selected_files ${CMAKE_MATCH_1})
  # Tests of a suite with parameters are named PREFIX/SUITE.
  string(REPLACE ":" ";" suites ${CMAKE_MATCH_2})
  foreach(suite IN LISTS suites)
    string(APPEND filter ":${suite}:*/${suite}")
  endforeach()
endforeach()
if(NOT TARGET tests-selected)
  return()
endif()
add_executable(selection EXCLUDE_FROM_ALL bfs/distributed/fake_nccl.cpp $<TARGET_OBJECTS:tests-selected>)
target_include_directories(selection PRIVATE ${PROJECT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(selection PRIVATE tests-main shapes hopwave fmt::fmt)
foreach(shard RANGE 1 8)
  math(EXPR index "${shard} - 1")
  add_test(NAME selection.${shard} COMMAND selection --gtest_filter=${filter})
  set_tests_properties(selection.${shard} PROPERTIES TIMEOUT 300 LABELS selection
                       ENVIRONMENT "GTEST_TOTAL_SHARDS=8;GTEST_SHARD_INDEX=${index}")
endforeach()
