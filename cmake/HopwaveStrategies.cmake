# The strategy table, from the files in src/strategy: STEM.cpp is a CPU strategy, STEM.cu a GPU strategy that the host
# compiler also compiles for the simulator. Adding a file is all it takes.
function(hopwave_strategies)
  set(dir ${PROJECT_SOURCE_DIR}/src/strategy)
  set(gen ${PROJECT_BINARY_DIR}/generated)
  file(GLOB cpu CONFIGURE_DEPENDS ${dir}/*.cpp)
  file(GLOB gpu CONFIGURE_DEPENDS ${dir}/*.cu)
  set(declarations "")
  set(rows "")
  set(sim_sources "")
  foreach(file IN LISTS cpu gpu)
    get_filename_component(stem ${file} NAME_WE)
    get_filename_component(ext ${file} EXT)
    set(c nullptr)
    set(s nullptr)
    set(u nullptr)
    set(h nullptr)
    if(ext STREQUAL ".cpp")
      set(c ${stem}_cpu)
      string(APPEND declarations "const Descriptor& ${c}();\n")
    else()
      set(s ${stem}_sim)
      string(APPEND declarations "const Descriptor& ${s}();\n")
      file(CONFIGURE OUTPUT ${gen}/sim/${stem}.cpp CONTENT "#include \"strategy/${stem}.cu\"  // for the simulator\n")
      list(APPEND sim_sources ${gen}/sim/${stem}.cpp)
      if(HOPWAVE_WITH_CUDA)
        set(u ${stem}_cuda)
        string(APPEND declarations "const Descriptor& ${u}();\n")
      endif()
      if(HOPWAVE_HIP)
        set(h ${stem}_hip)
        string(APPEND declarations "const Descriptor& ${h}();\n")
      endif()
    endif()
    string(APPEND rows "    {\"${stem}\", ${c}, ${s}, ${u}, ${h}},\n")
  endforeach()
  # Grids have kernels of their own, compiled the same way but no strategies.
  file(GLOB grids CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/route/gpu/*.cu)
  foreach(file IN LISTS grids)
    get_filename_component(stem ${file} NAME_WE)
    file(CONFIGURE OUTPUT ${gen}/sim/${stem}.cpp CONTENT "#include \"route/gpu/${stem}.cu\"  // for the simulator\n")
    list(APPEND sim_sources ${gen}/sim/${stem}.cpp)
    list(APPEND gpu ${file})
  endforeach()
  file(CONFIGURE OUTPUT ${gen}/strategy_table.cpp CONTENT
"// Made by CMake from the files in src/strategy.
#include \"strategy/strategy.h\"
namespace hopwave::strategy {
${declarations}
namespace {
const TableRow table[] = {
${rows}};
}
std::span<const TableRow> strategy_table() { return table; }
}  // namespace hopwave::strategy
")
  # Other kernels that each machine compiles; src/resident/machine.cpp has their table.
  file(GLOB resident CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/resident/*.cu)
  foreach(file IN LISTS resident)
    get_filename_component(stem ${file} NAME_WE)
    file(CONFIGURE OUTPUT ${gen}/sim/resident_${stem}.cpp
         CONTENT "#include \"resident/${stem}.cu\"  // for the simulator\n")
    list(APPEND sim_sources ${gen}/sim/resident_${stem}.cpp)
    list(APPEND gpu ${file})
  endforeach()
  set(HOPWAVE_CPU_STRATEGIES ${cpu} PARENT_SCOPE)
  set(HOPWAVE_GPU_STRATEGIES ${gpu} PARENT_SCOPE)
  set(HOPWAVE_SIM_STRATEGIES ${sim_sources} PARENT_SCOPE)
  set(HOPWAVE_STRATEGY_TABLE ${gen}/strategy_table.cpp PARENT_SCOPE)
endfunction()
