// The bytes of a .hwg: a mapped file, or a copy of a stream.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace hopwave::io {

/// Throws the error `id` of a damaged file.
[[noreturn]] void fail_hwg(const std::string& name, const char* id, const std::string& found, const std::string& expected,
                           std::uint64_t byte = 0);

/// The bytes and what keeps them.
struct HwgBytes {
  std::shared_ptr<void> owner;
  const char* data = nullptr;
  std::uint64_t count = 0;
  std::string name;
  bool mapped = false;

  /// Maps these pages in one go; throws HW-IO-CHANGED, instead of a signal, if the file has shrunk meanwhile.
  void populate(const char* at, std::uint64_t bytes) const;
};

/// Throws HW-IO-OPEN, HW-IO-READ, and HW-HWG-SIZE of a file that is too short for a header.
HwgBytes map_hwg(const std::string& path);

}  // namespace hopwave::io
