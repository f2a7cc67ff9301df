// Parameter scans, and the tables of Springer's survey (figures 6 and 7). Graph500 has a file of its own.
#include "measure/procedures.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace hopwave::report {
std::vector<Parameters> scan(const Parameters& fixed,
                             const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& values) {
  std::vector<Parameters> all = {fixed};
  for (const auto& [name, list] : values) {
    std::vector<Parameters> next;
    for (const auto& p : all)
      for (const auto v : list) {
        next.push_back(p);
        next.back()[name] = v;
      }
    all = std::move(next);
  }
  return all;
}

std::string dataset_table(const std::vector<std::pair<GraphFacts, Distance>>& graphs) {
  std::string out =
      "| dataset | V | E | average degree | standard deviation | median | diameter |\n|---|---:|---:|---:|---:|---:|---:|\n";
  for (const auto& [g, diameter] : graphs)
    out += fmt::format("| {} | {} | {} | {:.3f} | {:.3f} | {:g} | {} |\n", markdown_cell(g.name), g.profile.num_vertices,
                       g.profile.num_arcs, g.profile.average_degree, g.profile.degree_deviation, g.profile.median_degree,
                       diameter);
  return out;
}

double least_ms(const Measurement& m) {
  double least = INFINITY;
  for (const auto& s : m.sources)
    for (const double ms : s.search_ms) least = std::min(least, ms);
  return least;
}

std::string best_configurations(const std::vector<Measurement>& measurements) {
  std::map<std::pair<std::string, std::string>, const Measurement*> best;
  for (const auto& m : measurements) {
    if (!m.skipped.empty()) continue;
    const Measurement*& b = best[{m.graph.name, m.configuration.strategy}];
    if (!b || least_ms(m) < least_ms(*b)) b = &m;
  }
  std::string out = "| graph | strategy | least ms | best configuration |\n|---|---|---:|---|\n";
  for (const auto& [key, m] : best)
    out += fmt::format("| {} | {} | {:.4f} | {} |\n", markdown_cell(key.first), key.second, least_ms(*m),
                       parameter_text(m->configuration.parameters));
  return out;
}

}  // namespace hopwave::report
