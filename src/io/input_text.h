// What the two halves of Input share: blocks and faults of text.
#pragma once

#include <cstddef>

#include "io/input.h"

namespace hopwave::io {

inline constexpr std::size_t block_bytes = std::size_t{1} << 19;
inline constexpr std::size_t block_padding = 64;

/// Puts the newline and the readable bytes after the last line.
void close_block(Block& block, std::size_t begin, std::size_t end);

struct TextProblem {
  const char *id, *found, *expected, *hint;
};
inline constexpr TextProblem lone_cr{"HW-TEXT-CR", "a CR in the middle of a line", "lines that end with LF or CRLF",
                                     "turn each CR into LF: tr '\\r' '\\n'"};
inline constexpr TextProblem nul{"HW-TEXT-NUL", "a NUL byte", "text", "this is a binary file, or a damaged one"};

}  // namespace hopwave::io
