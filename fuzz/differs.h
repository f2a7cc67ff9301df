// How a comparison of two readers ends a fuzzer, and the input that no plain reader accepts.
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

/// Compressed bytes are decompressed before a reader gets them; the plain readers do not decompress.
inline bool packed(std::string_view bytes) {
  return bytes.substr(0, 2) == "\x1f\x8b" || bytes.substr(0, 4) == "\x28\xb5\x2f\xfd" ||
         (bytes.size() >= 4 && bytes.substr(1, 3) == "\x2a\x4d\x18");
}

}  // namespace hopwave::fuzz
