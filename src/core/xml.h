// Text as XML character data and attribute values.
#pragma once

#include <string>
#include <string_view>

namespace hopwave::core {

std::string xml_escape(std::string_view text);

}  // namespace hopwave::core
