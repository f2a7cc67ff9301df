// Little-endian words of a binary file, one after the other.
#pragma once

#include "plain/plain.h"

namespace hopwave::plain {

struct Words {
  std::string_view bytes;
  std::size_t at = 0;

  std::uint64_t word(std::size_t width) {
    if (at > bytes.size() || width > bytes.size() - at) refuse("the end of the file");
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < width; ++i) value |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
    at += width;
    return value;
  }
  std::string_view text(std::uint64_t count) {
    if (at > bytes.size() || count > bytes.size() - at) refuse("the end of the file");
    at += count;
    return bytes.substr(at - count, count);
  }
};

}  // namespace hopwave::plain
