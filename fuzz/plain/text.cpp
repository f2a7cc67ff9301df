// Lines, words and numbers, one character after the other.
#include "plain/text.h"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace hopwave::plain {

std::string_view trim(std::string_view text) {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> lines_of(std::string_view bytes) {
  if (begins(bytes, "\xEF\xBB\xBF")) bytes.remove_prefix(3);
  std::vector<std::string_view> lines;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    std::string_view line = bytes.substr(0, end);
    bytes = end == std::string_view::npos ? std::string_view() : bytes.substr(end + 1);
    while (!line.empty() && blank(line.back())) line.remove_suffix(1);
    if (line.find('\r') != std::string_view::npos) refuse("a CR within a line");
    lines.push_back(trim(line));
  }
  return lines;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (line = trim(line); !line.empty(); line = trim(line)) {
    std::size_t end = 0;
    while (end < line.size() && !blank(line[end])) ++end;
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return words;
}

bool begins(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

std::string lower_case(std::string_view text) {
  std::string out;
  for (const char c : text) out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

std::optional<std::uint64_t> integer(std::string_view word) {
  if (word.empty()) return std::nullopt;
  unsigned __int128 value = 0;
  for (const char c : word) {
    if (!digit(c)) return std::nullopt;
    if (value >> 63 == 0) value = value * 10 + static_cast<unsigned>(c - '0');
  }
  return value >> 63 ? huge : static_cast<std::uint64_t>(value);
}

std::uint64_t need_integer(std::string_view word) {
  const auto value = integer(word);
  if (!value) refuse("no integer");
  return *value;
}

namespace {

/// [digits][.digits][e[+-]digits] with one digit at least before the e; the length, 0 if there is none.
std::size_t decimal_length(std::string_view text) {
  std::size_t i = 0, digits = 0;
  for (; i < text.size() && digit(text[i]); ++i) ++digits;
  if (i < text.size() && text[i] == '.')
    for (++i; i < text.size() && digit(text[i]); ++i) ++digits;
  if (digits == 0) return 0;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    std::size_t j = i + 1;
    if (j < text.size() && (text[j] == '+' || text[j] == '-')) ++j;
    const std::size_t first = j;
    while (j < text.size() && digit(text[j])) ++j;
    if (j > first) i = j;
  }
  return i;
}

/// nan, nan(chars), inf, infinity in any case.
bool no_finite_word(std::string_view text) {
  const std::string word = lower_case(text);
  if (word == "inf" || word == "infinity" || word == "nan") return true;
  if (!begins(word, "nan(") || word.back() != ')') return false;
  for (const char c : word.substr(4, word.size() - 5))
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  return true;
}

}  // namespace

Real real(std::string_view word, long double& value) {
  value = 0;
  bool negative = false;
  if (!word.empty() && (word[0] == '+' || word[0] == '-')) {
    negative = word[0] == '-';
    word.remove_prefix(1);
  }
  if (word.empty()) return Real::none;
  const double largest = negative ? -std::numeric_limits<double>::max() : std::numeric_limits<double>::max();
  if (no_finite_word(word)) {
    if (lower_case(word)[0] == 'i') value = largest;
    return Real::not_finite;
  }
  if (decimal_length(word) != word.size()) return Real::none;
  const double wide = std::strtod(std::string(word).c_str(), nullptr);
  if (wide > std::numeric_limits<double>::max()) {
    value = largest;
    return Real::too_large;
  }
  const auto whole = integer(word);
  value = whole && *whole != huge ? static_cast<long double>(*whole) : static_cast<long double>(wide);
  if (negative) value = -value;
  return Real::number;
}

long double need_weight(std::string_view word, bool lenient, bool negative_allowed) {
  long double value = 0;
  const Real kind = real(word, value);
  if (kind == Real::none) refuse("no number");
  if (kind != Real::number && !lenient) refuse("a weight that is not finite or too large");
  if (value < 0 && !negative_allowed) refuse("a negative weight");
  return value;
}

}  // namespace hopwave::plain
