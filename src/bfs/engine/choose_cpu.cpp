// The choice by figures that cost nothing to have; docs/performance-cpu.md has the measurements.
// All CPU strategies but the oracle leave small levels to one thread, so none of them loses to it on long thin graphs.
#include "bfs/engine/choose_cpu.h"

#include <algorithm>
#include <cstdio>

#include "bfs/plan/thresholds.h"
#include "hopwave/generate.h"

namespace hopwave::engine {
namespace {

using thresholds::Cpu;

struct Degrees {
  double average = 0;
  EdgeIndex most = 0;  ///< in the sample
};

Degrees sample_degrees(const Graph& graph) {
  Degrees degrees;
  const VertexId n = graph.num_vertices();
  if (n == 0) return degrees;
  degrees.average = static_cast<double>(graph.num_arcs()) / n;
  for (int i = 0; i < Cpu::sampled_degrees; ++i)
    degrees.most = std::max(degrees.most, graph.out_degree(static_cast<VertexId>(splitmix64(i) % n)));
  return degrees;
}

std::string with_average(const char* text, double average) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, " (average degree %.1f)", average);
  return text + std::string(buffer);
}

}  // namespace

CpuChoice choose_cpu(const Graph& graph, Direction direction, bool reversed) {
  const Degrees degrees = sample_degrees(graph);
  if (degrees.average <= Cpu::thin_degree && degrees.most <= Cpu::thin_most_degree)
    return {"cpu-parallel", with_average("a thin graph without hubs, whose frontier stays small", degrees.average)};
  // Walking against the arcs needs the transpose in any case, and then the graph itself is what a pull reads.
  if (direction == Direction::out && !graph.has_in() && !reversed)
    return {"cpu-parallel", "the arcs are not there in reverse, and turning them costs more than a few searches", true};
  return {"cpu-direction", with_average("a large part of the graph is reached in one or two levels", degrees.average)};
}

}  // namespace hopwave::engine
