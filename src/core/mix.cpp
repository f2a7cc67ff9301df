#include "core/mix.h"

#include "hopwave/generate.h"

namespace hopwave {

std::uint64_t splitmix64(std::uint64_t z) { return core::mix(z); }

}  // namespace hopwave
