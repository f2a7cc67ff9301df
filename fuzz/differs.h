// How a comparison of two readers ends a fuzzer, and what no plain reader takes.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace hopwave::fuzz {

[[noreturn]] inline void differs(const std::string& what) {
  std::fprintf(stderr, "the readers differ: %s\n", what.c_str());
  std::abort();
}

inline void need(bool same, const char* what) {
  if (!same) differs(what);
}

/// Packed bytes are unpacked before a reader sees them; the plain readers do not unpack.
inline bool packed(std::string_view bytes) {
  return bytes.substr(0, 2) == "\x1f\x8b" || bytes.substr(0, 4) == "\x28\xb5\x2f\xfd" ||
         (bytes.size() >= 4 && bytes.substr(1, 3) == "\x2a\x4d\x18");
}

}  // namespace hopwave::fuzz
