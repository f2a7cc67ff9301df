// The one way in which classes of the public API swap.
#pragma once

#include <tuple>

namespace hopwave::core {

/// Swaps two objects member by member. `members` gives std::tie of those that an object has.
template <class T, class Members>
void swap_members(T& a, T& b, const Members& members) noexcept {
  auto theirs = members(b);
  members(a).swap(theirs);
}

}  // namespace hopwave::core
