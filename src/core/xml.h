// Text as XML character data and attribute values.
#pragma once

#include <string>
#include <string_view>

namespace hopwave::core {

/// Escapes the four characters with a meaning in XML. Leaves out control characters, which it does not allow, and writes
/// U+FFFD for what else it does not: bytes that are no UTF-8, U+FFFE and U+FFFF.
std::string xml_escape(std::string_view text);

}  // namespace hopwave::core
