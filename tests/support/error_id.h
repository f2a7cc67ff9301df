// What a call throws, by its id.
#pragma once

#include <exception>
#include <string>

#include "hopwave/error.h"

namespace hopwave::testing {

/// The parts of the Error that a call ends with; their id is `otherwise` if it returns. Any other exception is told as what it
/// is.
Error::Parts parts_of(auto&& call, const char* otherwise = "none") {
  try {
    call();
  } catch (const Error& error) {
    return error.parts();
  } catch (const std::exception& error) {
    return {.id = std::string("not an Error: ") + error.what()};
  }
  return {.id = otherwise};
}

/// Its id.
std::string id_of(auto&& call, const char* otherwise = "none") { return parts_of(call, otherwise).id; }

}  // namespace hopwave::testing
