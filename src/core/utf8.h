// Text as characters.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hopwave::core {

constexpr char32_t not_a_character = 0xFFFD;  ///< takes the place of bytes that are no UTF-8

/// The character at the begin of the text, which is taken away; nothing if it is no UTF-8.
std::optional<char32_t> take_character(std::string_view& text);
/// Appends a character as UTF-8.
void put_character(std::string& text, char32_t c);
/// The text with U+FFFD in the place of each byte that is no UTF-8.
std::string as_utf8(std::string_view text);

}  // namespace hopwave::core
