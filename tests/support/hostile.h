// What tests that hand over nonsense have in common.
#pragma once

#include <gtest/gtest.h>

#include "hopwave/hopwave.h"
#include "support/error_id.h"

namespace hopwave {

using testing::id_of;

/// A value that the enumeration has no name for.
template <class Enum>
constexpr Enum unnamed(int value = 77) {
  return static_cast<Enum>(value);
}

/// A whole vertex number that no test graph has.
inline constexpr VertexId far_vertex = 4'000'000'000u;

}  // namespace hopwave
