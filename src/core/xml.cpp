#include "core/xml.h"

#include "core/utf8.h"

namespace hopwave::core {

std::string xml_escape(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto taken = take_character(text);
    if (!taken) text.remove_prefix(1);
    const char32_t c = taken.value_or(not_a_character);
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case 0xFFFE:
      case 0xFFFF:
        put_character(out, not_a_character);
        break;
      default:
        if (c >= 32 || c == '\n' || c == '\t') put_character(out, c);
    }
  }
  return out;
}

}  // namespace hopwave::core
