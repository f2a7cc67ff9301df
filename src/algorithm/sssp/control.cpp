// How a weighted search ends early.
#include "algorithm/sssp/method.h"
#include "hopwave/error.h"

namespace hopwave::sssp {

void Control::check(std::uint64_t steps) const {
  if (watch && watch->over()) watch->fail("the search ended after " + std::to_string(steps) + " steps");
}

void Control::step_done(std::uint64_t steps, std::uint64_t relaxations) const {
  check(steps);
  if (progress && !(*progress)({.what = "rounds", .done = steps, .amount = relaxations}))
    throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "stopped by the caller"});
}

}  // namespace hopwave::sssp
