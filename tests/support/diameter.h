// Diameters for tests that ask for nothing else.
#pragma once

#include <optional>

#include "graph/diameter.h"
#include "hopwave/eccentricity.h"

namespace hopwave {

using graph::estimate_diameter;

/// Without regard to directions; nothing if the call ended early.
inline std::optional<Distance> exact_diameter(const Graph& graph, std::uint64_t max_searches, const Progress& progress = {}) {
  const Eccentricities found = eccentricities(
      graph, {.goal = EccentricityGoal::diameter,
              .max_searches = max_searches,
              .search = {.direction = Direction::both, .run = {.device = DeviceKind::cpu, .progress = progress}}});
  if (!found.run.complete()) return std::nullopt;
  return found.diameter.lower;
}

}  // namespace hopwave
