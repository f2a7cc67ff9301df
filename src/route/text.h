// TextCursor: a routing file's lines and words with their positions. These files are small compared with graphs: one
// pass, one thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "hopwave/error.h"

namespace hopwave::inline v0_1::route {

/// Returns the whole content, decompressed. Streams and compressed files may have at most 64 MiB + 32 × their bytes
/// (HW-MAZE-HUGE) unless `allow_huge`.
std::string read_text(const std::string& path, bool allow_huge);
std::string read_text(std::span<const char> bytes, const std::string& name, bool allow_huge);

class TextCursor {
 public:
  TextCursor(std::string_view text, std::string name);

  /// Moves to the next line, without its end; returns false at the end of the text.
  bool next_line();
  /// Moves to the next line that is not blank.
  bool next_full_line();
  [[nodiscard]] std::string_view line() const { return line_; }
  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Returns the number of characters after the current line.
  [[nodiscard]] std::size_t left() const { return rest_.size(); }

  /// Returns the next word of the line; empty at its end. Words are separated by spaces and tabs.
  std::string_view word();
  /// Returns the next word as a whole number in [lowest, highest], or throws Error `id`; `what` names it in the
  /// message.
  std::int64_t integer(std::string_view id, std::string_view what, std::int64_t lowest, std::int64_t highest);
  /// The same for a finite real number.
  double real(std::string_view id, std::string_view what);
  /// Throws Error `id` unless the next word is this one.
  void keyword(std::string_view id, std::string_view expected);
  /// Throws Error `id` if there is another word on the line.
  void end_of_line(std::string_view id);

  /// Throws an Error at the last word.
  [[noreturn]] void fail(std::string_view id, std::string found, std::string expected, std::string hint = "") const;
  [[noreturn]] void fail_at(std::uint64_t column, std::string_view id, std::string found, std::string expected,
                            std::string hint = "") const;
  /// Returns the last word, quoted for a message.
  [[nodiscard]] std::string quoted() const;

 private:
  std::string_view rest_, line_, word_;
  std::string name_;
  std::uint64_t number_ = 0;
  std::size_t column_ = 0;  // where word() continues
};

}  // namespace hopwave::inline v0_1::route
