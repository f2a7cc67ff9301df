// Files, streams and memory as byte sources.
#include "io/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "hopwave/error.h"

namespace hopwave::io {
namespace {

[[noreturn]] void fail_system(const std::string& id, const std::string& file, const std::string& doing, const char* hint = "") {
  throw Error({.id = id, .where = {.file = file}, .found = doing + ": " + std::strerror(errno), .expected = "", .hint = hint});
}

class Descriptor {
 public:
  explicit Descriptor(int fd, bool owned = true) : fd_(fd), owned_(owned) {}
  ~Descriptor() {
    if (owned_ && fd_ >= 0) ::close(fd_);
  }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)), owned_(other.owned_) {}
  Descriptor& operator=(Descriptor&&) = delete;
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
  bool owned_;
};

class FileSource final : public ByteSource {
 public:
  FileSource(std::string name, Descriptor fd, std::uint64_t size)
      : ByteSource(std::move(name)), fd_(std::move(fd)), size_(size) {}
  [[nodiscard]] std::optional<std::uint64_t> size() const override { return size_; }

  std::size_t read_at(std::uint64_t offset, char* to, std::size_t count) override {
    count = static_cast<std::size_t>(std::min<std::uint64_t>(count, offset < size_ ? size_ - offset : 0));
    std::size_t done = 0;
    while (done < count) {
      const ssize_t got = ::pread(fd_.get(), to + done, count - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail_system("HW-IO-READ", name(), "cannot read");
      if (got == 0)
        throw Error({.id = "HW-IO-CHANGED",
                     .where = {.file = name(), .byte = offset + done},
                     .found = "the file ended here although it had " + std::to_string(size_) + " bytes when it was opened",
                     .expected = "a file that does not shrink while it is read",
                     .hint = "wait until whatever writes it has finished"});
      done += static_cast<std::size_t>(got);
    }
    return done;
  }

 private:
  Descriptor fd_;
  const std::uint64_t size_;
};

class StreamSource final : public ByteSource {
 public:
  StreamSource(std::string name, Descriptor fd) : ByteSource(std::move(name)), fd_(std::move(fd)) {}
  std::size_t read(char* to, std::size_t count) override {
    if (at_ < kept_.size()) {
      count = std::min(count, kept_.size() - at_);
      std::memcpy(to, kept_.data() + at_, count);
      at_ += count;
      return count;
    }
    for (;;) {
      const ssize_t got = ::read(fd_.get(), to, count);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail_system("HW-IO-READ", name(), "cannot read");
      keep(to, static_cast<std::size_t>(got));
      return static_cast<std::size_t>(got);
    }
  }
  bool rewind() override {
    at_ = 0;
    return whole_;
  }

 private:
  void keep(const char* bytes, std::size_t count) {
    whole_ = whole_ && kept_.size() + count <= kept_of_stream;
    if (whole_)
      kept_.append(bytes, count);
    else
      kept_ = {};
    at_ = kept_.size();
  }

  Descriptor fd_;
  std::string kept_;  // all that was read, as long as it is little
  std::size_t at_ = 0;
  bool whole_ = true;
};

class MemorySource final : public ByteSource {
 public:
  MemorySource(std::span<const char> bytes, std::string name) : ByteSource(std::move(name)), bytes_(bytes) {}
  MemorySource(std::string bytes, std::string name) : ByteSource(std::move(name)), owned_(std::move(bytes)), bytes_(owned_) {}
  [[nodiscard]] std::optional<std::uint64_t> size() const override { return bytes_.size(); }
  std::size_t read_at(std::uint64_t offset, char* to, std::size_t count) override {
    if (offset >= bytes_.size()) return 0;
    count = std::min<std::size_t>(count, bytes_.size() - offset);
    if (count) std::memcpy(to, bytes_.data() + offset, count);
    return count;
  }

 private:
  std::string owned_;
  std::span<const char> bytes_;
};

/// A pipe is opened when a process writes to it: a signal may come while it is waited for.
int open_to_read(const std::string& path) {
  for (;;) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd >= 0 || errno != EINTR) return fd;
  }
}

std::unique_ptr<ByteSource> source_of(Descriptor fd, const std::string& name) {
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) fail_system("HW-IO-OPEN", name, "cannot open");
  if (S_ISDIR(info.st_mode))
    throw Error({.id = "HW-IO-DIRECTORY", .where = {.file = name}, .found = "a directory", .expected = "a file", .hint = ""});
  // Files of /proc say that they have no byte, and have some: what says so is read until it ends.
  if (S_ISREG(info.st_mode) && info.st_size > 0 && (name != "-" || ::lseek(fd.get(), 0, SEEK_CUR) == 0))
    return std::make_unique<FileSource>(name, std::move(fd), static_cast<std::uint64_t>(info.st_size));
  return std::make_unique<StreamSource>(name, std::move(fd));
}

}  // namespace

std::size_t ByteSource::read_at(std::uint64_t, char*, std::size_t) { return 0; }
std::size_t ByteSource::read(char*, std::size_t) { return 0; }

std::unique_ptr<ByteSource> open_file(const std::string& path) {
  Descriptor fd(open_to_read(path));
  if (fd.get() < 0)
    fail_system("HW-IO-OPEN", path, "cannot open",
                errno == ENOENT ? "check the path; generator specs look like rmat:20,16" : "");
  return source_of(std::move(fd), path);
}

std::unique_ptr<ByteSource> open_source(const std::string& path) {
  return unpacked(path == "-" ? source_of(Descriptor(STDIN_FILENO, false), path) : open_file(path));
}

std::unique_ptr<ByteSource> memory_source(std::span<const char> bytes, std::string name) {
  return unpacked(std::make_unique<MemorySource>(bytes, std::move(name)));
}

std::unique_ptr<ByteSource> owned_source(std::string bytes, std::string name) {
  return std::make_unique<MemorySource>(std::move(bytes), std::move(name));
}

}  // namespace hopwave::io
