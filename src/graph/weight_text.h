// Weights as text: the shortest decimal that is read back as the same number; whole numbers have no exponent.
#pragma once

#include <cstddef>

#include "hopwave/weights.h"

namespace hopwave::graph {

inline constexpr std::size_t longest_weight = 32;  ///< in characters

/// Writes at most longest_weight characters; returns the position after the last.
char* put_weight(char* to, const Weights& weights, std::size_t i);
char* put_weight(char* to, double value);

}  // namespace hopwave::graph
