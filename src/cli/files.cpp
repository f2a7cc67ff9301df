// Reading and writing of whole files.
#include "cli/files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

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

void check_output(const std::string& path) {
  if (path == "-") return;
  const auto refuse = [&](const char* doing, int reason) {
    throw Error({.failure = Failure::input,
                 .id = "HW-IO-WRITE",
                 .where = {.file = path},
                 .found = std::string(doing) + ": " + std::strerror(reason),
                 .expected = "a file that can be written"});
  };
  struct stat info {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) refuse("cannot write", EISDIR);
  if (exists && !S_ISREG(info.st_mode)) return;  // a device, a pipe: written in place
  // A file is written beside its name and moved there, so what counts is its folder.
  std::error_code ignored;
  const auto whole = exists ? std::filesystem::canonical(path, ignored) : std::filesystem::path(path);
  const auto folder = whole.has_parent_path() ? whole.parent_path() : std::filesystem::path(".");
  if (::stat(folder.c_str(), &info) != 0) refuse("cannot create", errno);
  if (!S_ISDIR(info.st_mode)) refuse("cannot create", ENOTDIR);
  if (::access(folder.c_str(), W_OK | X_OK) != 0) refuse("cannot create", errno);
}

void write_file(const std::string& path, const std::string& text) {
  OutputFile out(path);
  out.write(text);
  out.commit();
}

}  // namespace hopwave::cli
