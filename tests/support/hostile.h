// What tests that hand over nonsense have in common.
#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <string>

#include "hopwave/hopwave.h"

namespace hopwave {

/// The id of the Error that a call ends with; "none" if it returns. Any other exception is told as what it is.
inline std::string error_of(auto&& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.id();
  } catch (const std::exception& e) {
    return std::string("not an Error: ") + e.what();
  }
  return "none";
}

/// A value that the enumeration has no name for.
template <class Enum>
constexpr Enum unnamed(int value = 77) {
  return static_cast<Enum>(value);
}

/// A whole vertex number that no test graph has.
inline constexpr VertexId far_vertex = 4'000'000'000u;

}  // namespace hopwave
