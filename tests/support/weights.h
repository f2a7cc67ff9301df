// Weights for tests, made number by number.
#pragma once

#include <cstddef>
#include <type_traits>

#include "hopwave/weights.h"

namespace hopwave::testing {

/// One of weight(i) for each i below `count`, of the type that it returns.
template <class Weight>
Weights made_weights(std::size_t count, Weight&& weight) {
  Array<std::remove_cvref_t<decltype(weight(count))>> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = weight(i);
  return values;
}

}  // namespace hopwave::testing
