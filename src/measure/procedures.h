// Procedures that others have defined: Graph500's for one machine, GAP's for BFS, and the survey's grid × block scan.
#pragma once

#include <string>
#include <vector>

#include "measure/bench_file.h"
#include "measure/measure.h"

namespace hopwave::report {

/// What one Graph500 run gives in addition to the measurement: times of construction and validation, in seconds.
struct Graph500Run {
  int scale = 0;
  int edge_factor = 16;
  int processes = 1;
  double generation_seconds = 0;
  double construction_seconds = 0;  ///< kernel 1: edge list → graph ready to be searched, preparation and copy included
  bool resident = false;            ///< edges, graph, searches and validation all in the device's memory
  double build_seconds = 0;         ///< of construction: the sorting into rows; 0 unless resident
  std::uint64_t input_edges = 0;
  Measurement measurement;    ///< kernel 2, one run per source
  std::vector<double> nedge;  ///< input edges (self-loops and duplicates counted) within the component, one per source
  std::vector<double> validate_seconds;  ///< one per source
};

/// Graph500 specification 3: generate, build, search from 64 random sources of degree ≥ 1, validate each (with parents).
Graph500Run run_graph500(int scale, int edge_factor, int sources, const Configuration& configuration,
                         const MeasureOptions& options);
/// The same on several devices that share the graph, by their ordinals: at least two, of the configuration's kind (gpu or sim).
/// Repeated edges stay in the graph. Before anything is drawn, what each device will hold is compared with what it has free.
/// Errors: those of engine::make_drawn_plan(), HW-DEVICE-NONE, HW-ENGINE-MEMORY.
Graph500Run run_graph500_shared(int scale, int edge_factor, int sources, const Configuration& configuration,
                                const std::vector<int>& ordinals, const MeasureOptions& options);
/// The output fields of the reference code, "key: value" lines.
std::string graph500_text(const Graph500Run& run);

/// Every combination of parameter values, in order of the first parameter first; `fixed` goes into each.
std::vector<Parameters> scan(const Parameters& fixed,
                             const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& values);

/// The survey's dataset table (figure 6) as Markdown: vertices, edges, average, standard deviation and median degree, diameter.
std::string dataset_table(const std::vector<std::pair<GraphFacts, Distance>>& graphs);

/// The best configuration of each strategy on each graph (figure 7) as Markdown: minimum over runs.
std::string best_configurations(const std::vector<Measurement>& measurements);

/// The least time over all sources and runs, in milliseconds: the survey takes minima.
double least_ms(const Measurement& m);

}  // namespace hopwave::report
