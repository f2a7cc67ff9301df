// What every strategy does between levels.
#include "plan/plan.h"

#include "hopwave/error.h"

namespace hopwave::strategy {

void RunControl::level_done(std::uint32_t level, std::uint64_t frontier) const {
  if (!progress || (*progress)(level, frontier)) return;
  throw Error({.failure = Failure::interrupted,
               .id = "HW-INTERRUPTED",
               .found = "a request to stop after level " + std::to_string(level),
               .expected = "",
               .hint = ""});
}

}  // namespace hopwave::strategy
