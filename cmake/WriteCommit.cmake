# Writes the source's commit into OUT, only when it changed, so that nothing is rebuilt for nothing.
set(commit "${GIVEN}")
if(NOT commit)
  execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --exclude=* OUTPUT_VARIABLE commit
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT commit)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT
"// Made by cmake/WriteCommit.cmake.
#include \"core/commit.h\"
namespace hopwave::inline v0_1 {
const char* const source_commit = \"${commit}\";
}
")
