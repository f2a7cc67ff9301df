// Reading and writing of whole files.
#include "cli/frame/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "hopwave/error.h"
#include "hopwave/io.h"

namespace hopwave::cli {

// Not by a stream: that would turn a lack of memory into a file that cannot be read.
std::string read_file(const std::string& path, const std::string& expected) {
  struct Descriptor {
    int fd;
    ~Descriptor() {
      if (fd >= 0) ::close(fd);
    }
  };
  const auto refuse = [&] {
    throw Error({.failure = Failure::input,
                 .id = "HW-IO-OPEN",
                 .where = {.file = path},
                 .found = "cannot be read",
                 .expected = expected});
  };
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) refuse();
  std::string text;
  char block[1 << 16];
  for (;;) {
    const ssize_t got = ::read(file.fd, block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse();  // a directory opens, and fails here
    if (got == 0) return text;
    text.append(block, static_cast<std::size_t>(got));
  }
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
  // A file is written under a temporary name in the same folder, so the folder must be writable.
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
