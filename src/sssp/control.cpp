// How a weighted search ends early.
#include "hopwave/error.h"
#include "sssp/method.h"

namespace hopwave::sssp {

void Control::step_done(std::uint64_t steps, std::uint64_t relaxations) const {
  if (watch) watch->check("the search ended after " + std::to_string(steps) + " steps");
  if (progress && !(*progress)(steps, relaxations))
    throw Error({.failure = Failure::interrupted, .id = "HW-INTERRUPTED", .found = "interrupted"});
}

}  // namespace hopwave::sssp
