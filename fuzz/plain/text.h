// Lines, words and numbers of text, for the plain readers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plain/plain.h"

namespace hopwave::plain {

inline bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
inline bool digit(char c) { return c >= '0' && c <= '9'; }
std::string_view trim(std::string_view text);
/// Lines without their ends and without surrounding blanks. Rejects a CR that does not end a line; skips a byte order
/// mark.
std::vector<std::string_view> lines_of(std::string_view bytes);
/// The words between blanks.
std::vector<std::string_view> words_of(std::string_view line);
bool begins(std::string_view text, std::string_view with);
std::string lower_case(std::string_view text);

/// Digits only; nothing for other words. Numbers of 2^63 and above are `huge`.
inline constexpr std::uint64_t huge = ~std::uint64_t{0};
std::optional<std::uint64_t> integer(std::string_view word);
std::uint64_t need_integer(std::string_view word);

enum class Real { none, number, not_finite, too_large };
/// The kind of number that the whole word is. `value`: the whole number, if it has neither point nor exponent and fits
/// 64 bits, otherwise the nearest double; 0 for nan.
Real real(std::string_view word, long double& value);
/// A weight: non-finite or too large ones only if lenient.
long double need_weight(std::string_view word, bool lenient, bool negative_allowed);

}  // namespace hopwave::plain
