// Shared by the benchmarks: graphs by name, sources by a fixed seed, medians, JSON files.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hopwave/hopwave.h"

namespace hopwave::bench {

inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Returns the last part of a path or spec.
inline std::string short_name(const std::string& spec) {
  const std::size_t slash = spec.find_last_of('/');
  return slash == std::string::npos ? spec : spec.substr(slash + 1);
}

/// Returns the graph of a file or spec; "und:" before a file name makes its rows undirected.
inline Graph load(const std::string& spec, bool weights = true) {
  const bool undirected = spec.rfind("und:", 0) == 0;
  return load_graph(undirected ? spec.substr(4) : spec, {.undirected = undirected, .weights = weights});
}

/// Returns different vertices of the largest component with an outgoing arc, chosen by a fixed seed.
inline std::vector<VertexId> draw_sources(const Graph& graph, int count) {
  const Components components = connected_components(graph);
  std::vector<VertexId> sources;
  for (std::uint64_t i = 0; sources.size() < static_cast<std::size_t>(count) && i < 1000u * count; ++i) {
    const auto v = static_cast<VertexId>(splitmix64(42 + i) % graph.num_vertices());
    if (components.label[v] == components.largest_label && graph.out_degree(v) != 0 &&
        std::find(sources.begin(), sources.end(), v) == sources.end())
      sources.push_back(v);
  }
  if (sources.empty()) sources.push_back(0);
  return sources;
}

/// Returns the number of wrong distances in an answer.
template <class Got>
std::uint64_t count_wrong(const Got& got, const Array<Distance>& expected) {
  std::uint64_t count = 0;
  for (std::size_t v = 0; v < expected.size(); ++v) count += got[v] != expected[v];
  return count;
}

inline void write_json(const std::string& path, const nlohmann::json& report) {
  if (path.empty()) return;
  OutputFile file(path);
  file.write(report.dump(1));
  file.write("\n");
  file.commit();
}

}  // namespace hopwave::bench
