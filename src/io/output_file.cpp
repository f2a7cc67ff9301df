// OutputFile: written under a temporary name in the same folder, renamed by commit(), removed otherwise.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/clock.h"
#include "hopwave/error.h"
#include "hopwave/io.h"

namespace hopwave::inline v0_1 {

struct OutputFile::State {
  std::string path;        // as the caller named it
  std::string final_path;  // links followed
  std::string temporary;   // empty: written in place (standard output, devices, pipes)
  int fd = -1;
  bool close_fd = true;
  std::string buffer;

  [[noreturn]] void fail(const char* doing) const {
    throw Error({.id = errno == EPIPE ? "HW-IO-PIPE" : "HW-IO-WRITE",
                 .where = {.file = path},
                 .found = std::string(doing) + ": " + std::strerror(errno),
                 .expected = "",
                 .hint = errno == ENOSPC ? "free some space, or write somewhere else" : ""});
  }

  /// A symbolic link is followed to the file that it names, be that there or not.
  void follow_links() {
    char resolved[PATH_MAX];
    for (int links = 0; links < 40; ++links) {
      const ssize_t length = ::readlink(final_path.c_str(), resolved, sizeof resolved);
      if (length < 0 || length == sizeof resolved) return;
      const std::string target(resolved, static_cast<std::size_t>(length));
      final_path = target.starts_with('/') ? target : folder() + target;
    }
    errno = ELOOP;
    fail("cannot create");
  }

  /// Of final_path, with the slash; empty for the working directory.
  [[nodiscard]] std::string folder() const { return final_path.substr(0, final_path.rfind('/') + 1); }

  void open_temporary(unsigned mode) {
    const std::string name = final_path.substr(folder().size());
    const auto moment = core::Clock::real().time_since_epoch().count();  // a process before may have had this id
    for (int attempt = 0; attempt < 100; ++attempt) {
      const std::string mark = ".part-" + std::to_string(::getpid()) + "-" + std::to_string(moment + attempt);
      temporary = folder() + name.substr(0, NAME_MAX - mark.size()) + mark;  // a long name has no room for the mark
      fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0666);
      if (fd >= 0 || errno != EEXIST) break;
    }
    if (fd < 0) {
      temporary.clear();
      fail("cannot create");
    }
  }

  void flush() {
    for (std::size_t done = 0; done < buffer.size();) {
      const ssize_t put = ::write(fd, buffer.data() + done, buffer.size() - done);
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) fail("cannot write");
      done += static_cast<std::size_t>(put);
    }
    buffer.clear();
  }
};

OutputFile::OutputFile(std::string path, unsigned mode) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.path = s.final_path = std::move(path);
  if (s.path == "-") {
    s.fd = STDOUT_FILENO;
    s.close_fd = false;
    return;
  }
  struct stat info {};
  const bool exists = ::stat(s.path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    s.fail("cannot write");
  }
  if (exists && !S_ISREG(info.st_mode)) {
    s.fd = ::open(s.path.c_str(), O_WRONLY | O_CLOEXEC);
    if (s.fd < 0) s.fail("cannot open");
    return;
  }
  s.follow_links();
  s.open_temporary(mode);
  // An existing file's permissions stay; where they cannot be kept the usual ones are right.
  if (exists && ::fchmod(s.fd, info.st_mode & 07777) != 0) errno = 0;
}

OutputFile::~OutputFile() {
  State& s = *state_;
  if (s.fd >= 0 && s.close_fd) ::close(s.fd);
  if (!s.temporary.empty()) ::unlink(s.temporary.c_str());
}

void OutputFile::write(std::string_view bytes) {
  constexpr std::size_t enough = std::size_t{1} << 20;
  state_->buffer.append(bytes);
  if (state_->buffer.size() >= enough) state_->flush();
}

void OutputFile::commit() {
  State& s = *state_;
  s.flush();
  if (s.temporary.empty()) return;
  if (::fsync(s.fd) != 0) s.fail("cannot write to disk");
  const int fd = s.fd;
  s.fd = -1;
  if (::close(fd) != 0) s.fail("cannot close");
  if (::rename(s.temporary.c_str(), s.final_path.c_str()) != 0) s.fail("cannot move into place");
  s.temporary.clear();
  // The name itself must survive a power cut too; a directory that cannot be opened for it is no failure of the file.
  const std::string folder = s.folder().empty() ? "." : s.folder();
  const int dir = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (dir >= 0) {
    ::fsync(dir);
    ::close(dir);
  }
}

}  // namespace hopwave::inline v0_1
