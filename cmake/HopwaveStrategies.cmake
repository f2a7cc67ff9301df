# The strategy table and the kernels that every machine compiles. A file in src/bfs/strategy is a strategy: STEM.cpp for the CPU,
# STEM.cu for GPUs, which the host compiler also compiles for the simulator. src/bfs/engine/auto.cu is the one strategy elsewhere.
# Adding a file is all it takes.
function(hopwave_write_strategy_table file declarations rows literal_rows)
  file(CONFIGURE OUTPUT ${file} CONTENT
"// Made by CMake from the files in src/bfs/strategy and src/bfs/engine/auto.cu, and those of a program's own.
#include \"bfs/plan/plan.h\"
namespace hopwave::strategy {
${declarations}
namespace {
const TableRow table[] = {
${rows}};
const TableRow literal[] = {
${literal_rows}};
}
std::span<const TableRow> strategy_table() { return table; }
std::span<const TableRow> literal_table() { return literal; }
}  // namespace hopwave::strategy
")
endfunction()

function(hopwave_strategies)
  set(src ${PROJECT_SOURCE_DIR}/src)
  set(gen ${PROJECT_BINARY_DIR}/generated)
  file(GLOB cpu CONFIGURE_DEPENDS ${src}/bfs/strategy/*.cpp)
  file(GLOB gpu CONFIGURE_DEPENDS ${src}/bfs/strategy/*.cu ${src}/bfs/engine/*.cu)
  file(GLOB_RECURSE others CONFIGURE_DEPENDS ${src}/*.cu)
  list(REMOVE_ITEM others ${gpu})
  set(declarations "")
  set(rows "")
  foreach(file IN LISTS cpu gpu)
    get_filename_component(stem ${file} NAME_WE)
    get_filename_component(ext ${file} EXT)
    set(machines "")
    foreach(machine IN ITEMS cpu sim cuda hip)
      set(there OFF)
      if(ext STREQUAL ".cpp")
        if(machine STREQUAL "cpu")
          set(there ON)
        endif()
      elseif(machine STREQUAL "sim" OR (machine STREQUAL "cuda" AND HOPWAVE_WITH_CUDA) OR (machine STREQUAL "hip" AND HOPWAVE_HIP))
        set(there ON)
      endif()
      if(there)
        string(APPEND declarations "const Descriptor& ${stem}_${machine}();\n")
        list(APPEND machines ${stem}_${machine})
      else()
        list(APPEND machines nullptr)
      endif()
    endforeach()
    list(JOIN machines ", " machines)
    string(APPEND rows "    {\"${stem}\", ${machines}},\n")
  endforeach()
  # For the simulator: a file for each that takes the kernels in, by the same path.
  set(sim_sources "")
  foreach(file IN LISTS gpu others)
    file(RELATIVE_PATH path ${src} ${file})
    file(CONFIGURE OUTPUT ${gen}/sim/${path}.cpp CONTENT "#include \"${path}\"  // for the simulator\n")
    list(APPEND sim_sources ${gen}/sim/${path}.cpp)
  endforeach()
  # The printed listings: for the simulator alone, in a table of their own.
  file(GLOB literal CONFIGURE_DEPENDS ${src}/bfs/strategy/literal/*.cpp)
  set(literal_rows "")
  foreach(file IN LISTS literal)
    get_filename_component(stem ${file} NAME_WE)
    string(APPEND declarations "const Descriptor& literal_${stem}_sim();\n")
    string(APPEND literal_rows "    {\"literal_${stem}\", nullptr, literal_${stem}_sim, nullptr, nullptr},\n")
  endforeach()
  list(APPEND sim_sources ${literal})
  hopwave_write_strategy_table(${gen}/strategy_table.cpp "${declarations}" "${rows}" "${literal_rows}")
  # Not united with other sources: a program with a table of its own links everything of the library but this object.
  set_source_files_properties(${gen}/strategy_table.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_property(GLOBAL PROPERTY HOPWAVE_STRATEGY_DECLARATIONS "${declarations}")
  set_property(GLOBAL PROPERTY HOPWAVE_STRATEGY_ROWS "${rows}")
  set_property(GLOBAL PROPERTY HOPWAVE_LITERAL_ROWS "${literal_rows}")
  # Their texts, and those of what they share.
  file(GLOB shared CONFIGURE_DEPENDS ${src}/bfs/strategy/gpu/*.h)
  set(texts "")
  foreach(file IN LISTS cpu gpu literal shared)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${file})
    list(APPEND texts ${path})
  endforeach()
  list(JOIN texts "," text_list)
  add_custom_command(OUTPUT ${gen}/source_texts.cpp
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DFILES=${text_list} -DOUT=${gen}/source_texts.cpp
            -P ${PROJECT_SOURCE_DIR}/cmake/WriteSourceTexts.cmake
    DEPENDS ${cpu} ${gpu} ${literal} ${shared} ${PROJECT_SOURCE_DIR}/cmake/WriteSourceTexts.cmake VERBATIM)
  set(HOPWAVE_CPU_STRATEGIES ${cpu} PARENT_SCOPE)
  set(HOPWAVE_GPU_STRATEGIES ${gpu} ${others} PARENT_SCOPE)
  set(HOPWAVE_SIM_STRATEGIES ${sim_sources} PARENT_SCOPE)
  set(HOPWAVE_STRATEGY_TABLE ${gen}/strategy_table.cpp ${gen}/source_texts.cpp PARENT_SCOPE)
endfunction()

# The sources of a program that has these *.cu files as strategies, too, in the simulator.
function(hopwave_own_strategies out)
  set(gen ${PROJECT_BINARY_DIR}/generated/own)
  get_property(declarations GLOBAL PROPERTY HOPWAVE_STRATEGY_DECLARATIONS)
  get_property(rows GLOBAL PROPERTY HOPWAVE_STRATEGY_ROWS)
  get_property(literal_rows GLOBAL PROPERTY HOPWAVE_LITERAL_ROWS)
  set(sources ${gen}/own_table.cpp)
  foreach(file IN LISTS ARGN)
    get_filename_component(stem ${file} NAME_WE)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${file})
    file(CONFIGURE OUTPUT ${gen}/${stem}.cpp CONTENT "#include \"${path}\"  // for the simulator\n")
    list(APPEND sources ${gen}/${stem}.cpp)
    string(APPEND declarations "const Descriptor& ${stem}_sim();\n")
    string(APPEND rows "    {\"${stem}\", nullptr, ${stem}_sim, nullptr, nullptr},\n")
  endforeach()
  hopwave_write_strategy_table(${gen}/own_table.cpp "${declarations}" "${rows}" "${literal_rows}")
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# The table of algorithms: row.cpp in a folder of src/algorithm/ is one.
function(hopwave_algorithms)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/algorithm/*/row.cpp)
  set(declarations "")
  set(rows "")
  foreach(file IN LISTS files)
    get_filename_component(folder ${file} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    string(APPEND declarations "const Row& ${folder}_row();\n")
    string(APPEND rows "&${folder}_row(), ")
  endforeach()
  set(table ${PROJECT_BINARY_DIR}/generated/algorithm_table.cpp)
  file(CONFIGURE OUTPUT ${table} CONTENT
"// Made by CMake from the files row.cpp in src/algorithm.
#include \"algorithm/algorithm.h\"
namespace hopwave::algorithm {
${declarations}
std::span<const Row* const> rows() {
  static const Row* const all[] = {${rows}};
  return all;
}
}  // namespace hopwave::algorithm
")
  set(HOPWAVE_ALGORITHM_TABLE ${table} PARENT_SCOPE)
  set(HOPWAVE_ALGORITHM_ROWS ${files} PARENT_SCOPE)
endfunction()
