// The swap of all classes of the public API.
#pragma once

#include <tuple>

namespace hopwave::core {

/// Swaps two objects member by member. `members` returns std::tie of an object's members.
template <class T, class Members>
void swap_members(T& a, T& b, const Members& members) noexcept {
  auto theirs = members(b);
  members(a).swap(theirs);
}

}  // namespace hopwave::core
