# The tool: src/cli/frame/, and a folder for each command in src/cli/commands/, whose file of the same name
# makes its entry in the table; commands of algorithms are made of their rows (cli/frame/from_table.h).
# After linking, the tool itself writes its man pages and shell completions from its option table.
function(hopwave_tool)
  set(dir ${PROJECT_SOURCE_DIR}/src/cli)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${dir}/*.cpp)
  set(commands "")
  foreach(file IN LISTS sources)
    get_filename_component(folder ${file} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    get_filename_component(stem ${file} NAME_WE)
    if(folder STREQUAL stem)
      list(APPEND commands ${file})
    endif()
  endforeach()
  list(SORT commands)
  set(declarations "")
  set(rows "")
  foreach(file IN LISTS commands)
    get_filename_component(stem ${file} NAME_WE)
    string(APPEND declarations "Command ${stem}_command();\n")
    string(APPEND rows "${stem}_command(), ")
  endforeach()
  # Commands that are made of an algorithm's row have its name, which the row says first.
  set(names "")
  foreach(file IN LISTS commands)
    get_filename_component(stem ${file} NAME_WE)
    list(APPEND names ${stem})
  endforeach()
  foreach(file IN LISTS HOPWAVE_ALGORITHM_ROWS)
    file(STRINGS ${file} name REGEX "^ +{\\.name = \"[a-z]+\",$" LIMIT_COUNT 1)
    string(REGEX REPLACE ".*\"([a-z]+)\".*" "\\1" name "${name}")
    list(APPEND names ${name})
  endforeach()
  set(table ${PROJECT_BINARY_DIR}/generated/command_table.cpp)
  file(CONFIGURE OUTPUT ${table} CONTENT
"// Made by CMake from the files in src/cli/commands.
#include \"cli/frame/from_table.h\"
namespace hopwave::cli {
${declarations}
std::vector<Command> command_table() {
  std::vector<Command> commands = {${rows}};
  for (const algorithm::Row* row : algorithm::rows()) commands.push_back(command_of(*row));
  return commands;
}
}  // namespace hopwave::cli
")
  add_executable(hopwave-tool ${sources} ${table})
  set_target_properties(hopwave-tool PROPERTIES OUTPUT_NAME hopwave RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_include_directories(hopwave-tool PRIVATE ${PROJECT_SOURCE_DIR}/src)
  # Where the MPI plug-in is installed, seen from the tool: the tree can be moved.
  file(RELATIVE_PATH plugin_folder ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  target_compile_definitions(hopwave-tool PRIVATE HOPWAVE_PLUGIN_FOLDER="${plugin_folder}")
  target_link_libraries(hopwave-tool PRIVATE hopwave fmt::fmt nlohmann_json::nlohmann_json CLI11::CLI11 Threads::Threads)
  hopwave_precompile(hopwave-tool <CLI/CLI.hpp> <fmt/format.h> <nlohmann/json.hpp>)
  hopwave_unite(hopwave-tool 14 "/cli/")
  if(HOPWAVE_QUICK_BUILD AND CMAKE_BUILD_TYPE STREQUAL "Release")  # scripts/try: a quarter of the tool's compilation
    target_compile_options(hopwave-tool PRIVATE -O1)
  elseif(HOPWAVE_QUICK_BUILD)
    target_compile_options(hopwave-tool PRIVATE -O0 -U_FORTIFY_SOURCE)
  endif()
  target_compile_options(hopwave-tool PRIVATE -Wall -Wextra $<$<NOT:$<BOOL:${HOPWAVE_UNITY}>>:-Wshadow> -Wno-missing-field-initializers)

  set(share ${PROJECT_BINARY_DIR}/share)
  set(pages ${share}/man/man1/hopwave.1)
  file(MAKE_DIRECTORY ${share}/man/man1 ${share}/completions)
  set(make_pages COMMAND hopwave-tool help --man > ${share}/man/man1/hopwave.1)
  foreach(name IN LISTS names)
    list(APPEND make_pages COMMAND hopwave-tool help --man ${name} > ${share}/man/man1/hopwave-${name}.1)
    list(APPEND pages ${share}/man/man1/hopwave-${name}.1)
  endforeach()
  foreach(shell bash zsh fish)
    list(APPEND make_pages COMMAND hopwave-tool completions ${shell} > ${share}/completions/hopwave.${shell})
    list(APPEND pages ${share}/completions/hopwave.${shell})
  endforeach()
  add_custom_command(OUTPUT ${pages} ${make_pages} DEPENDS hopwave-tool COMMENT "Writing man pages and completions" VERBATIM)
  add_custom_target(hopwave-pages ALL DEPENDS ${pages})

  if(NOT HOPWAVE_INSTALL)
    return()
  endif()
  install(TARGETS hopwave-tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tool)
  install(DIRECTORY ${share}/man/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT tool)
  install(FILES ${share}/completions/hopwave.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME hopwave
          COMPONENT tool)
  install(FILES ${share}/completions/hopwave.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _hopwave
          COMPONENT tool)
  install(FILES ${share}/completions/hopwave.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT tool)
endfunction()
