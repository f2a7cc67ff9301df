// Runs any GPU strategy of the table in the simulator, straight through its Plan: one device for many graphs, a schedule of
// the caller's choice, parameters as small as the strategy allows. Knows no strategy by name.
#pragma once

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "bfs/plan/plan.h"
#include "device/device.h"
#include "support/graphs.h"

namespace hopwave::testing {

/// Every strategy that has a simulator version, in the table's order.
inline std::vector<const strategy::Descriptor*> gpu_strategies() {
  std::vector<const strategy::Descriptor*> all;
  for (const strategy::TableRow& row : strategy::strategy_table())
    if (row.sim) all.push_back(&row.sim());
  return all;
}

/// Every parameter at its standard value, except for those given; these are brought into range.
inline Parameters parameters_for(const StrategyInfo& info, const Parameters& given = {}) {
  Parameters all;
  for (const ParameterInfo& p : info.parameters) {
    const auto found = given.find(p.name);
    all.emplace(p.name, found == given.end() ? p.standard : std::clamp(found->second, p.lowest, p.highest));
  }
  return all;
}

inline bool is_block(const ParameterInfo& p) { return p.name.find("block") != std::string_view::npos; }
inline bool is_grid(const ParameterInfo& p) { return p.name == "grid"; }

/// Small blocks and grids, so that a schedule is cheap and threads take several items; any value for the rest, the extremes
/// more often than others.
/// Parameters of `auto` that contradict each other are refused: of what is drawn, one traversal stays forced, and nothing is
/// asked of a traversal that is off.
inline void agree(Parameters& all, const StrategyInfo& info, std::mt19937_64& rng) {
  if (info.name != "auto") return;
  const auto unset = [&](const char* name) {
    for (const ParameterInfo& p : info.parameters)
      if (p.name == name) all.find(p.name)->second = p.standard;
  };
  const auto value = [&](const char* name) { return all.at(name); };
  const char* const forces[] = {"high_diameter", "single_cluster", "shared_memory", "level_launches"};
  const char* const kept = forces[rng() % 4];
  for (const char* name : forces)
    if (name != kept && value(name) > 0) unset(name);
  all.at("cluster") = (rng() % 2) << rng() % 5;
  if (value("single_cluster") == 1 && value("cluster") == 1) unset("cluster");
  const char* const owns[][2] = {{"high_diameter", "hops"},
                                 {"high_diameter", "async"},
                                 {"single_cluster", "share"},
                                 {"shared_memory", "long_row"},
                                 {"ms_bfs", "rows"}};
  for (const auto& [traversal, name] : owns)
    if (value(traversal) == 0) unset(name);
  if (value("async") > 0) all.at("hops") = 0;
}

inline Parameters random_parameters(const StrategyInfo& info, std::mt19937_64& rng) {
  Parameters all;
  for (const ParameterInfo& p : info.parameters) {
    const std::int64_t blocks[] = {4, 8, 32, 64}, grids[] = {0, 1, 2, 3};
    const std::int64_t span = p.highest - p.lowest + 1;
    const std::int64_t others[] = {p.lowest, p.lowest + 1,
                                   p.lowest + static_cast<std::int64_t>(rng() % std::min<std::uint64_t>(span, 8)), p.standard,
                                   p.highest};
    const std::int64_t value = is_block(p) ? blocks[rng() % 4] : is_grid(p) ? grids[rng() % 4] : others[rng() % 5];
    all.emplace(p.name, std::clamp(value, p.lowest, p.highest));
  }
  agree(all, info, rng);
  return all;
}

inline std::string text_of(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) text += " " + name + "=" + std::to_string(value);
  return text;
}

/// Both directions of a test graph, built here and not by the library.
struct BothWays {
  explicit BothWays(const TestGraph& test) : num_vertices(test.num_vertices), directed(test.directed) {
    std::vector<Edge> arcs = arcs_of(test);
    out = adjacency_of(num_vertices, arcs);
    if (!directed) return;
    for (Edge& e : arcs) std::swap(e.source, e.target);
    in = adjacency_of(num_vertices, std::move(arcs));
  }
  [[nodiscard]] strategy::View view(const Needs& needs) const {
    return {.num_vertices = num_vertices,
            .forward = &out,
            .backward = !directed  ? &out
                        : needs.in ? &in
                                   : nullptr,
            .symmetric = !directed};
  }
  VertexId num_vertices;
  bool directed;
  Adjacency out, in;
};

struct Answer {
  std::vector<Distance> distance;
  std::vector<VertexId> parent;  ///< empty unless asked
  SearchReport run;
};

/// How a graph is laid out in device memory. Only `auto` has a prepared form; the others take the graph as it is.
struct Form {
  bool wide_offsets = false, prepared = false;
};
inline bool has_prepared_form(const StrategyInfo& info) { return info.device == "any"; }

/// One strategy bound to one graph.
class Runner {
 public:
  Runner(device::Device& device, const strategy::Descriptor& descriptor, const BothWays& graph, Parameters parameters,
         const Form& form = {})
      : num_vertices_(graph.num_vertices), native_parents_(descriptor.info.native_parents) {
    plan_ = descriptor.plan({.view = graph.view(descriptor.info.needs),
                             .parameters = std::move(parameters),
                             .prepare = form.prepared,
                             .device = &device,
                             .wide_offsets = form.wide_offsets});
  }

  Answer run(const Query& query, bool trace = false, const Progress& progress = nullptr) {
    Answer answer;
    strategy::RunControl control{.trace = trace, .stats = &answer.run, .progress = progress ? &progress : nullptr};
    plan_->run(query, control);
    answer.distance.resize(num_vertices_, -77);
    if (query.parents && native_parents_) answer.parent.resize(num_vertices_, 77);
    plan_->fetch(answer.distance, answer.parent);
    return answer;
  }

 private:
  VertexId num_vertices_;
  bool native_parents_;
  std::unique_ptr<strategy::Plan> plan_;
};

/// The first thing that is wrong with the parents of a full traversal; empty if nothing is.
inline std::string wrong_parent(const BothWays& graph, const std::vector<VertexId>& parent,
                                const std::vector<Distance>& distance) {
  for (VertexId v = 0; v < graph.num_vertices; ++v) {
    const std::string who = "parent of " + std::to_string(v) + " is " + std::to_string(parent[v]);
    if (distance[v] <= 0) {
      if (parent[v] != no_vertex) return who + ", expected none";
      continue;
    }
    if (parent[v] >= graph.num_vertices) return who + ", which is no vertex";
    const VertexId* const row = graph.out.neighbors.data();
    if (!std::binary_search(row + graph.out.offsets[parent[v]], row + graph.out.offsets[parent[v] + 1ull], v))
      return who + ", which has no arc to it";
    if (distance[parent[v]] + 1 != distance[v]) return who + ", which is not one level up";
  }
  return {};
}

}  // namespace hopwave::testing
