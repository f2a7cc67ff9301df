// What a call throws, by its id.
#pragma once

#include <string>

#include "hopwave/error.h"

namespace hopwave::testing {

/// The id of the error that a call throws; "none".
template <class Call>
std::string id_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.id();
  }
  return "none";
}

}  // namespace hopwave::testing
