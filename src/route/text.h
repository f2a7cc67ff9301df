// TextCursor: a routing file's lines and words with their places. These files are small beside graphs: one pass, one thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "hopwave/error.h"

namespace hopwave::inline v0_1::route {

/// Whole content, unpacked. Streams and packed files are refused beyond 64 MiB + 32 × the bytes outside (HW-MAZE-HUGE) unless
/// `allow_huge`.
std::string read_text(const std::string& path, bool allow_huge);
std::string read_text(std::span<const char> bytes, const std::string& name, bool allow_huge);

class TextCursor {
 public:
  TextCursor(std::string_view text, std::string name);

  /// The next line without its end ("\n" or "\r\n"); false at the end of the text.
  bool next_line();
  /// The next line that is not blank.
  bool next_full_line();
  [[nodiscard]] std::string_view line() const { return line_; }
  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Characters behind the current line.
  [[nodiscard]] std::size_t left() const { return rest_.size(); }

  /// The next word of the line; empty at its end. Blanks are spaces and tabs.
  std::string_view word();
  /// The next word as a whole number in [lowest, highest], or Error `id`; `what` names it in the message.
  std::int64_t integer(std::string_view id, std::string_view what, std::int64_t lowest, std::int64_t highest);
  /// The same as a finite real number.
  double real(std::string_view id, std::string_view what);
  /// The next word must be this, or Error `id`.
  void keyword(std::string_view id, std::string_view expected);
  /// Nothing may follow on the line.
  void end_of_line(std::string_view id);

  /// Error at the last word.
  [[noreturn]] void fail(std::string_view id, std::string found, std::string expected, std::string hint = "") const;
  [[noreturn]] void fail_at(std::uint64_t column, std::string_view id, std::string found, std::string expected,
                            std::string hint = "") const;
  /// The last word, quoted for a message.
  [[nodiscard]] std::string quoted() const;

 private:
  std::string_view rest_, line_, word_;
  std::string name_;
  std::uint64_t number_ = 0;
  std::size_t column_ = 0;  // where word() goes on
};

}  // namespace hopwave::inline v0_1::route
