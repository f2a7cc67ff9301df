#include "io/hwg_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "hopwave/error.h"
#include "io/hwg.h"
#include "io/hwg_layout.h"

namespace hopwave::io {

void fail_hwg(const std::string& name, const char* id, const std::string& found, const std::string& expected,
              std::uint64_t byte) {
  throw Error({.id = id,
               .where = {.file = name, .byte = byte},
               .found = found,
               .expected = expected,
               .hint = "the file is damaged or was cut off: make it again with hopwave convert"});
}

void HwgBytes::populate(const char* at, std::uint64_t bytes) const {
#ifdef MADV_POPULATE_READ
  if (!mapped) return;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(at) / page * page;
  if (::madvise(reinterpret_cast<void*>(begin), reinterpret_cast<std::uintptr_t>(at) + bytes - begin, MADV_POPULATE_READ) !=
          0 &&
      (errno == EFAULT || errno == EIO))
    fail_hwg(name, "HW-IO-CHANGED", "a file that shrank or cannot be read any more", "a file that stays as it is");
#else
  (void)at, (void)bytes;
#endif
}

HwgBytes map_hwg(const std::string& path) {
  struct Close {
    int fd;
    ~Close() { ::close(fd); }
  };
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    throw Error({.id = "HW-IO-OPEN",
                 .where = {.file = path},
                 .found = std::string("cannot open: ") + std::strerror(errno),
                 .expected = "",
                 .hint = ""});
  const Close closing{fd};
  struct stat info {};
  if (::fstat(fd, &info) != 0 || info.st_size < static_cast<off_t>(sizeof(hwg::Header)))
    fail_hwg(path, "HW-HWG-SIZE", "a file of " + std::to_string(info.st_size) + " bytes", "a header of 128");
  const auto count = static_cast<std::size_t>(info.st_size);
  void* data = ::mmap(nullptr, count, PROT_READ, MAP_PRIVATE, fd, 0);
  if (data == MAP_FAILED)
    throw Error({.id = "HW-IO-READ",
                 .where = {.file = path},
                 .found = std::string("cannot map: ") + std::strerror(errno),
                 .expected = "",
                 .hint = ""});
  return {std::shared_ptr<void>(data, [count](void* p) { ::munmap(p, count); }), static_cast<const char*>(data), count, path,
          true};
}

bool is_hwg_file(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return false;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char magic[8];
  const ssize_t got = ::pread(fd, magic, sizeof magic, 0);
  ::close(fd);
  return got == 8 && std::string_view(magic, 8) == hwg_magic;
}

}  // namespace hopwave::io
