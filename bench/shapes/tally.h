// The sums of a campaign, and its JSON. Sums are over graphs in the order of their seeds, so that a campaign can be
// continued.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "shapes/run.h"

namespace hopwave::shapes {

/// A wrong answer with everything needed to reproduce it.
struct Report {
  std::string graph, kind, text, traversal, again, tool, small;  ///< commands; the small graph's file
};

struct Tally {
  std::uint64_t graphs = 0, large = 0, vertices = 0, arcs = 0, searches = 0, searched_arcs = 0, compared = 0;
  std::map<int, std::uint64_t> sizes;  ///< number of graphs with 2^k … 2^(k+1) − 1 arcs
  std::map<std::string, std::uint64_t> chosen;
  std::map<std::string, double> spent;  ///< seconds
  std::vector<Report> failures;

  void add(const Outcome& outcome);
  void add(const Tally& other);
  /// Returns the median graph's number of arcs, to a factor of two.
  [[nodiscard]] std::uint64_t median_arcs() const;
};

nlohmann::json to_json(const Report& report);
Report report_from_json(const nlohmann::json& from);
nlohmann::json to_json(const Tally& tally);
Tally tally_from_json(const nlohmann::json& from);

/// Returns the document in a file. Throws std::runtime_error, which names file and key, unless it has the form that a
/// campaign writes.
nlohmann::json read_sums(const std::string& file);

/// Returns one document for several: the sums, and one row per run with its seeds, commit and device. Throws as
/// read_sums() does, and if the same seeds ran twice on the same commit and device.
nlohmann::json sum(const std::vector<std::string>& files);

}  // namespace hopwave::shapes
