# Writes the text of FILES (paths below SOURCE, separated by commas) into OUT, for `hopwave strategies show NAME --source`.
string(REPLACE "," ";" files "${FILES}")
set(rows "")
foreach(file IN LISTS files)
  file(READ ${SOURCE}/${file} text)
  string(APPEND rows "    {\"${file}\", R\"source_text(${text})source_text\"},\n")
endforeach()
file(WRITE ${OUT} "// Made by cmake/WriteSourceTexts.cmake.
#include \"bfs/plan/source_text.h\"
namespace hopwave::source_text {
std::span<const File> files() {
  static constexpr File all[] = {
${rows}  };
  return all;
}
}  // namespace hopwave::source_text
")
