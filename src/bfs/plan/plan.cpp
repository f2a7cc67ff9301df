// What every strategy does between levels.
#include "bfs/plan/plan.h"

#include <limits>

#include "hopwave/error.h"

namespace hopwave::strategy {

void RunControl::level_done(std::uint32_t level, std::uint64_t frontier) {
  if (level >= std::uint32_t{std::numeric_limits<Distance>::max()} && frontier != 0)
    throw Error({.failure = Failure::does_not_fit,
                 .id = "HW-DEPTH-SIZE",
                 .found = "vertices further than " + std::to_string(level) + " hops away, perhaps",
                 .expected = "distances below 2^31",
                 .hint = "end the search before, with a limit of depth"});
  if (over()) ended_early(level);
  if (!progress || (*progress)({.what = "levels", .done = level, .amount = frontier})) return;
  throw Error({.failure = Failure::interrupted,
               .id = "HW-INTERRUPTED",
               .found = "stopped by the caller after level " + std::to_string(level),
               .expected = "",
               .hint = ""});
}

void RunControl::ended_early(std::uint32_t level) {
  complete = static_cast<Distance>(level);
  watch->fail("the search ended after level " + std::to_string(level));
}

}  // namespace hopwave::strategy
