// What is wrong with a JSON file, in words of ours: those of the library name its own functions and error numbers.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace hopwave::report {

inline std::string json_fault(const nlohmann::json::exception& e) {
  if (const auto* parsing = dynamic_cast<const nlohmann::json::parse_error*>(&e))
    return "no JSON from byte " + std::to_string(parsing->byte) + " on";
  return "JSON in which a field is missing or of another kind";
}

}  // namespace hopwave::report
