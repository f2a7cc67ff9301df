# Sanitizers for the whole build. Thread sanitizing wants clang: gcc's took twenty times the memory on the simulator.
if(HOPWAVE_SANITIZE STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined -g1)
  add_link_options(-fsanitize=address,undefined)
elseif(HOPWAVE_SANITIZE STREQUAL "fuzzer")
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined -g1)
  add_link_options(-fsanitize=address,undefined)
elseif(HOPWAVE_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=thread)
  add_compile_definitions(HW_THREAD_SANITIZER)
elseif(HOPWAVE_SANITIZE)
  message(FATAL_ERROR "HOPWAVE_SANITIZE is '${HOPWAVE_SANITIZE}': expected address, thread, fuzzer or nothing")
endif()

# Coverage counts the source's own lines and conditions. Counters are atomic: threads would lose counts, and what is derived from
# them (the other side of a branch) would be wrong. src/CMakeLists.txt makes an exception.
if(HOPWAVE_COVERAGE)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "HOPWAVE_COVERAGE needs clang; the compiler is ${CMAKE_CXX_COMPILER_ID}")
  endif()
  set(HOPWAVE_COUNTED -fprofile-instr-generate -fcoverage-mapping -fprofile-update=atomic)
  if(NOT HOPWAVE_COVERAGE STREQUAL "SHORT")
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${HOPWAVE_COUNTED}>")  # programs in C may have another compiler
  endif()
  add_link_options(-fprofile-instr-generate)
endif()

# SHORT counts these files only, together with a sanitizer that the rest of the build serves; headers where these files use them.
function(hopwave_count)
  if(HOPWAVE_COVERAGE STREQUAL "SHORT")
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${HOPWAVE_COUNTED}")
  endif()
endfunction()

# Memcheck is no sanitizer of the compiler: what the simulator says to valgrind costs a few instructions, and has no effect
# in an ordinary run. So one build serves both. IF_FOUND: only where valgrind's header is.
if(HOPWAVE_VALGRIND)
  include(CheckIncludeFileCXX)
  check_include_file_cxx(valgrind/memcheck.h HOPWAVE_HAS_MEMCHECK)
  if(HOPWAVE_HAS_MEMCHECK)
    add_compile_definitions(HOPWAVE_VALGRIND)
  elseif(NOT HOPWAVE_VALGRIND STREQUAL "IF_FOUND")
    message(FATAL_ERROR "HOPWAVE_VALGRIND needs valgrind/memcheck.h (scripts/setup valgrind)")
  endif()
endif()
