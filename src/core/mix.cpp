#include "core/mix.h"

#include "hopwave/generate.h"

namespace hopwave::inline v0_1 {

std::uint64_t splitmix64(std::uint64_t z) { return core::mix(z); }

}  // namespace hopwave::inline v0_1
