// Parameters that force the traversals of `auto`, and thresholds with which each of their steps occurs on any graph.
#include "shapes/trial.h"

namespace hopwave::shapes {
namespace {

constexpr std::int64_t never = std::int64_t{1} << 62;

/// A threshold: reached at once, never, or somewhere.
std::int64_t threshold(Draws& draws) {
  switch (draws.below(4)) {
    case 0:
      return 0;
    case 1:
      return never;
    default:
      return static_cast<std::int64_t>(draws.spread(1, 2000));
  }
}

/// Sets a parameter half of the time; otherwise the engine chooses.
void maybe(Parameters& parameters, Draws& draws, const char* name, std::int64_t value) {
  if (draws.once_in(2)) parameters[name] = value;
}

std::int64_t one_of(Draws& draws, std::initializer_list<std::int64_t> values) {
  return values.begin()[draws.below(values.size())];
}

void draw_grid_wide(Parameters& p, Draws& draws) {
  for (const char* name : {"pull", "unqueued", "push", "single_block", "tail"}) maybe(p, draws, name, threshold(draws));
  if (draws.once_in(4)) p["fast"] = one_of(draws, {0, 1, 64});
  if (draws.once_in(4)) p["buffer"] = one_of(draws, {0, 1, 3, 100});
  if (draws.once_in(2)) p["cached_parents"] = one_of(draws, {0, 1});
}

void draw_high_diameter(Parameters& p, Draws& draws) {
  maybe(p, draws, "cluster", one_of(draws, {1, 2, 2, 4, 4, 8}));
  maybe(p, draws, "tile", one_of(draws, {1, 2, 5, 8}));
  if (draws.once_in(3)) p["queue"] = one_of(draws, {1, 2, 16, 100});
  if (draws.once_in(3)) p["hops"] = one_of(draws, {1, 2, 3, 7});
}

void draw_single_cluster(Parameters& p, Draws& draws) {
  maybe(p, draws, "cluster", one_of(draws, {2, 2, 2, 4, 4, 4, 8, 16}));
  for (const char* name : {"pull", "unqueued", "push", "single_block"}) maybe(p, draws, name, threshold(draws));
  if (draws.once_in(4)) p["share"] = one_of(draws, {1, 2, 10, 1000});
}

void draw_shared_memory(Parameters& p, Draws& draws) {
  if (draws.once_in(3)) p["long_row"] = one_of(draws, {0, 1, 5, 40, never});
  if (draws.once_in(4)) p["queue"] = one_of(draws, {1, 2, 64});
}

void draw_ms_bfs(Parameters& p, Draws& draws) {
  if (draws.once_in(2))
    p["ms_bfs"] = 1;
  else if (draws.once_in(8))
    p["ms_bfs"] = one_of(draws, {0, 2, 64});
  const bool none = p.contains("ms_bfs") && p["ms_bfs"] == 0;
  if (!none && draws.once_in(4)) p["rows"] = one_of(draws, {1, 2, 7, 64});
  if (!none && draws.once_in(4)) p["in_flight"] = one_of(draws, {1, 2, 3, 16});
  if (!p.contains("ms_bfs")) maybe(p, draws, "per_source", one_of(draws, {0, 1, 1, 2}));
}

}  // namespace

const std::vector<std::string>& ways() {
  static const std::vector<std::string> names = {"free", "grid-wide", "high-diameter", "async",         "single-cluster",
                                                 "rows", "packed",    "diagonals",     "level-launches"};
  return names;
}

Parameters draw_parameters(const std::string& way, Launches launches, Draws& draws) {
  Parameters p;
  if (way == "grid-wide" || way == "level-launches") {
    p = {{"high_diameter", 0}, {"single_cluster", 0}, {"shared_memory", 0}};
    if (way == "level-launches") p["level_launches"] = 1;
    draw_grid_wide(p, draws);
  } else if (way == "high-diameter" || way == "async") {
    p = {{"high_diameter", 1}, {"shared_memory", 0}};
    draw_high_diameter(p, draws);
    if (way == "async") {
      p.erase("hops");
      p["async"] = one_of(draws, {1, 2, 3, 7, 20, 64});
    }
  } else if (way == "single-cluster") {
    p = {{"high_diameter", 0}, {"single_cluster", 1}, {"shared_memory", 0}};
    draw_single_cluster(p, draws);
  } else if (way != "free") {
    p["shared_memory"] = way == "rows" ? 1 : way == "packed" ? 2 : 3;
    draw_shared_memory(p, draws);
  }
  draw_ms_bfs(p, draws);
  if (draws.once_in(6)) p["wide_offsets"] = 1;
  if (launches == Launches::tiny) {
    p["block"] = one_of(draws, {32, 32, 32, 64});
    p["grid"] = one_of(draws, {1, 2, 2, 3});
  } else if (launches == Launches::large) {
    if (draws.once_in(4)) p["block"] = one_of(draws, {256, 512, 1024});
    if (draws.once_in(4)) p["grid"] = one_of(draws, {33, 64, 100});
  } else if (draws.once_in(2)) {  // and many searches run at the same time on a GPU
    if (draws.once_in(2)) p["block"] = one_of(draws, {32, 96, 128, 256, 512, 1024});
    p["grid"] = one_of(draws, {1, 2, 3, 4, 5, 7, 8, 16});
  }
  return p;
}

Parameters draw_cpu_parameters(const std::string& strategy, Draws& draws) {
  Parameters p;
  if (strategy != "cpu-parallel" && strategy != "cpu-direction") return p;
  maybe(p, draws, "alone", one_of(draws, {0, 0, 7, 300}));
  maybe(p, draws, "sixteen", one_of(draws, {0, 1}));
  maybe(p, draws, "regular", one_of(draws, {0, 1}));
  if (strategy == "cpu-parallel") return p;
  maybe(p, draws, "alpha", one_of(draws, {0, 1, 100}));
  maybe(p, draws, "beta", one_of(draws, {0, 1, 100}));
  return p;
}

}  // namespace hopwave::shapes
