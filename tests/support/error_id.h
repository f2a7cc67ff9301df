// What a call throws, by its id.
#pragma once

#include <exception>
#include <string>

#include "hopwave/error.h"

namespace hopwave::testing {

/// The id of the Error that a call ends with; "none" if it returns. Any other exception is told as what it is.
std::string id_of(auto&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.id();
  } catch (const std::exception& error) {
    return std::string("not an Error: ") + error.what();
  }
  return "none";
}

}  // namespace hopwave::testing
