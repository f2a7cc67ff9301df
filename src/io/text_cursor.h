// TextCursor: the characters of an input one after the other, with their places, for text that is no rows of edges.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/input.h"

namespace hopwave::io {

/// A place in a text; lines and columns count from 1, 0: not known.
struct Spot {
  std::uint64_t line = 0, column = 0, byte = 0;
};
[[noreturn]] void fail_at(const Input& input, const Spot& spot, const char* id, const std::string& found,
                          const std::string& expected, const std::string& hint = "");

class TextCursor {
 public:
  static constexpr int end = -1;

  explicit TextCursor(Input& input) : input_(input) {}
  /// The next character, which stays; `end` at the end.
  int peek() {
    if (at_ == stop_ && !more()) return end;
    return static_cast<unsigned char>(*at_);
  }
  /// Passes over it. Not at the end.
  void skip() {
    if (*at_ == '\n') {
      ++line_;
      line_start_ = byte() + 1;
    }
    ++at_;
  }
  int take() {
    const int c = peek();
    if (c != end) skip();
    return c;
  }
  [[nodiscard]] std::uint64_t byte() const { return before_ + static_cast<std::uint64_t>(at_ - begin_); }
  [[nodiscard]] Spot spot() const { return {line_, byte() - line_start_ + 1, byte()}; }
  [[noreturn]] void fail(const char* id, const std::string& found, const std::string& expected, const std::string& hint = "") {
    fail_at(input_, spot(), id, found, expected, hint);
  }
  /// The next character, for messages.
  std::string quote();

 private:
  bool more();

  Input& input_;
  const char *begin_ = nullptr, *at_ = nullptr, *stop_ = nullptr;
  std::uint64_t before_ = 0, line_ = 1, line_start_ = 0;  // before_: bytes that came before begin_
};

}  // namespace hopwave::io
