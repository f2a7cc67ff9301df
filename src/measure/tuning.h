// Tuning: the best parameters found for a strategy on a device and a class of graphs, kept in a small JSON file.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hopwave/graph.h"
#include "hopwave/search.h"
#include "measure/measure.h"

namespace hopwave::report {

/// Graphs of a class like the same parameters: "deep" (few neighbours each, long paths: roads, mazes), "skewed" (a few hubs
/// own most arcs: social networks, R-MAT), "even" (meshes, uniform random graphs).
std::string graph_class(const Profile& profile);

struct TunedEntry {
  std::string device;  ///< GPU name, "simulator" or CPU model
  std::string graphs;  ///< class
  std::string strategy;
  Parameters parameters;
  double ms = 0, standard_ms = 0;  ///< median at these parameters and at the default ones
  std::string measured_on;         ///< graph
};

class Tuning {
 public:
  /// An absent file is an empty one. Throws HW-TUNE-FILE when it is something else.
  static Tuning from_json(const std::string& text, const std::string& name);
  [[nodiscard]] std::string to_json() const;
  /// Replaces the entry of the same device, class and strategy.
  void keep(TunedEntry entry);
  [[nodiscard]] const TunedEntry* find(const std::string& device, const std::string& graphs, const std::string& strategy) const;
  [[nodiscard]] const std::vector<TunedEntry>& entries() const noexcept { return entries_; }

 private:
  std::vector<TunedEntry> entries_;
};

/// What a device is called in tuning files.
std::string tuned_device_name(DeviceKind kind);

/// Values worth trying for a parameter: its standard value and powers of two in range, ends included, at most `most`.
std::vector<std::int64_t> values_to_try(const ParameterInfo& parameter, std::size_t most);

/// Coordinate descent: each parameter in turn takes its best value with the others held, until a round changes nothing.
/// Every configuration is verified; nothing is measured twice. Throws what measure() throws; skipped configurations lose, and
/// where all are skipped, for want of a GPU say, it throws why.
TunedEntry tune(const GraphFacts& facts, const Graph& graph, const StrategyInfo& strategy, DeviceKind device,
                const std::vector<VertexId>& sources, const MeasureOptions& options);

}  // namespace hopwave::report
