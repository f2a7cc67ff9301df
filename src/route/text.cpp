// Reads a routing file completely, and walks through its words.
#include "route/text.h"

#include <charconv>
#include <cmath>

#include "fast_float/fast_float.h"
#include "io/byte_source.h"
#include "io/input.h"

namespace hopwave::inline v0_1::route {
namespace {

std::string drain(io::ByteSource& source, bool allow_huge) {
  constexpr std::size_t step = std::size_t{1} << 20;
  std::string text;
  if (const auto size = source.size()) {
    text.resize(*size);
    text.resize(source.read_at(0, text.data(), text.size()));
  } else {
    for (;;) {
      const std::size_t have = text.size();
      if (!allow_huge && have > (std::uint64_t{64} << 20) + 32 * source.raw_bytes())
        throw Error({.id = "HW-MAZE-HUGE",
                     .where = {.file = source.name()},
                     .found = "a small compressed file that expands to more than 64 MiB",
                     .expected = "at most 64 MiB + 32 × the compressed bytes",
                     .hint = "--allow-huge reads it"});
      text.resize(have + step);
      const std::size_t got = source.read(text.data() + have, step);
      text.resize(have + got);
      if (got == 0) break;
    }
  }
  if (text.empty())
    throw Error({.id = "HW-IO-EMPTY", .where = {.file = source.name()}, .found = "an empty file", .expected = "rows of text"});
  return text;
}

}  // namespace

std::string read_text(const std::string& path, bool allow_huge) { return drain(*io::open_source(path), allow_huge); }

std::string read_text(std::span<const char> bytes, const std::string& name, bool allow_huge) {
  return drain(*io::memory_source(bytes, name), allow_huge);
}

TextCursor::TextCursor(std::string_view text, std::string name) : rest_(text), name_(std::move(name)) {
  if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
}

bool TextCursor::next_line() {
  if (rest_.empty()) {
    ++number_;  // so that an error about a missing part is after the last line
    line_ = word_ = {};
    column_ = 0;
    return false;
  }
  const auto newline = rest_.find('\n');
  line_ = rest_.substr(0, newline);
  rest_ = newline == std::string_view::npos ? std::string_view{} : rest_.substr(newline + 1);
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  ++number_;
  column_ = 0;
  word_ = line_.substr(0, 0);
  return true;
}

bool TextCursor::next_full_line() {
  while (next_line())
    if (line_.find_first_not_of(" \t") != std::string_view::npos) return true;
  return false;
}

std::string_view TextCursor::word() {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (column_ < line_.size() && blank(line_[column_])) ++column_;
  const std::size_t begin = column_;
  while (column_ < line_.size() && !blank(line_[column_])) ++column_;
  return word_ = line_.substr(begin, column_ - begin);
}

std::int64_t TextCursor::integer(std::string_view id, std::string_view what, std::int64_t lowest, std::int64_t highest) {
  const auto text = word();
  std::int64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || result.ec != std::errc() || result.ptr != text.data() + text.size() || value < lowest || value > highest)
    fail(id, quoted(),
         std::string(what) + ", a whole number from " + std::to_string(lowest) + " to " + std::to_string(highest));
  return value;
}

double TextCursor::real(std::string_view id, std::string_view what) {
  const auto text = word();
  double value = 0;
  const auto result = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  // A number that is too small for a double is 0: some versions of fast_float report it as out of range.
  const bool parsed = result.ec == std::errc() || result.ec == std::errc::result_out_of_range;
  if (text.empty() || !parsed || result.ptr != text.data() + text.size() || !std::isfinite(value))
    fail(id, quoted(), std::string(what) + ", a number");
  return value;
}

void TextCursor::keyword(std::string_view id, std::string_view expected) {
  if (word() != expected) fail(id, quoted(), "the word '" + std::string(expected) + "'");
}

void TextCursor::end_of_line(std::string_view id) {
  if (!word().empty()) fail(id, quoted(), "the end of the line");
}

void TextCursor::fail(std::string_view id, std::string found, std::string expected, std::string hint) const {
  const std::size_t column = word_.data() ? static_cast<std::size_t>(word_.data() - line_.data()) + 1 : 1;
  fail_at(column, id, std::move(found), std::move(expected), std::move(hint));
}

void TextCursor::fail_at(std::uint64_t column, std::string_view id, std::string found, std::string expected,
                         std::string hint) const {
  throw Error({.id = std::string(id),
               .where = {.file = name_, .line = number_, .column = column},
               .found = std::move(found),
               .expected = std::move(expected),
               .hint = std::move(hint)});
}

std::string TextCursor::quoted() const { return io::quote_at(word_.data(), word_.data() + word_.size()); }

}  // namespace hopwave::inline v0_1::route
