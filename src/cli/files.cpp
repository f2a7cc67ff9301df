// Reading and writing of whole files.
#include "cli/files.h"

#include <fstream>
#include <sstream>

#include "hopwave/error.h"
#include "hopwave/io.h"

namespace hopwave::cli {

std::string read_file(const std::string& path, const std::string& expected) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file && file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  // A directory opens, and fails at its first byte; an empty file only ends.
  if (file.bad() || (file.fail() && !file.eof()))
    throw Error({.failure = Failure::input,
                 .id = "HW-IO-OPEN",
                 .where = {.file = path},
                 .found = "cannot be read",
                 .expected = expected});
  return text.str();
}

void write_file(const std::string& path, const std::string& text) {
  OutputFile out(path);
  out.write(text);
  out.commit();
}

}  // namespace hopwave::cli
