# Protection of the compiled code against memory errors, and builds that do not depend on their folder.

# Names of source files in messages and debug information begin at the source tree, so two folders give the same bytes.
# The longer prefix comes last, because the compiler takes the last map that fits.
set(hopwave_prefix_maps -ffile-prefix-map=${PROJECT_SOURCE_DIR}=. -ffile-prefix-map=${PROJECT_BINARY_DIR}=./build)
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${hopwave_prefix_maps}>")

if(NOT HOPWAVE_HARDEN OR HOPWAVE_SANITIZE)  # a sanitizer checks more, and fortified calls hide errors from it
  return()
endif()
set(HOPWAVE_HARDENED ON)
include(CheckCXXCompilerFlag)
include(CheckLinkerFlag)
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# Branch targets only: the simulator's fibers change stacks, which a shadow stack would not allow.
foreach(flag IN ITEMS -fstack-protector-strong -fstack-clash-protection -fcf-protection=branch)
  string(MAKE_C_IDENTIFIER "HOPWAVE_HAS${flag}" known)
  check_cxx_compiler_flag(${flag} ${known})
  if(${known})
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${flag}>")
  endif()
endforeach()
add_compile_definitions("$<$<COMPILE_LANGUAGE:CXX>:_GLIBCXX_ASSERTIONS>")
# Fortified calls need an optimising compiler; the level given by the distribution or the caller stays.
if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug" AND NOT "${CMAKE_CXX_FLAGS} $ENV{CPPFLAGS}" MATCHES "_FORTIFY_SOURCE")
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=3>")
endif()
foreach(flag IN ITEMS -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
  string(MAKE_C_IDENTIFIER "HOPWAVE_LINKS${flag}" known)
  check_linker_flag(CXX ${flag} ${known})
  if(${known})
    add_link_options(${flag})
  endif()
endforeach()
