// Escapes the five characters with a meaning in XML; control characters are not allowed in it.
#include "core/xml.h"

namespace hopwave::core {

std::string xml_escape(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
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
      default:
        if (static_cast<unsigned char>(c) >= 32 || c == '\n' || c == '\t') out += c;
    }
  return out;
}

}  // namespace hopwave::core
