#include "shapes/tally.h"

#include <bit>
#include <fstream>
#include <stdexcept>

namespace hopwave::shapes {

using nlohmann::json;

json to_json(const Report& r) {
  return {{"graph", r.graph}, {"kind", r.kind}, {"text", r.text},  {"traversal", r.traversal},
          {"again", r.again}, {"tool", r.tool}, {"small", r.small}};
}

Report report_from_json(const json& f) {
  return {f.at("graph"), f.at("kind"), f.at("text"), f.at("traversal"), f.at("again"), f.at("tool"), f.at("small")};
}

void Tally::add(const Outcome& outcome) {
  ++graphs;
  large += outcome.arcs > 1'000'000;
  vertices += outcome.vertices;
  arcs += outcome.arcs;
  searches += outcome.searches;
  searched_arcs += outcome.searched_arcs;
  compared += outcome.compared;
  ++sizes[static_cast<int>(std::bit_width(outcome.arcs)) - 1];
  for (const auto& [name, count] : outcome.chosen) chosen[name] += count;
  for (const auto& [name, seconds] : outcome.spent) spent[name] += seconds;
}

void Tally::add(const Tally& other) {
  graphs += other.graphs;
  large += other.large;
  vertices += other.vertices;
  arcs += other.arcs;
  searches += other.searches;
  searched_arcs += other.searched_arcs;
  compared += other.compared;
  for (const auto& [power, count] : other.sizes) sizes[power] += count;
  for (const auto& [name, count] : other.chosen) chosen[name] += count;
  for (const auto& [name, seconds] : other.spent) spent[name] += seconds;
  failures.insert(failures.end(), other.failures.begin(), other.failures.end());
}

std::uint64_t Tally::median_arcs() const {
  std::uint64_t below = 0;
  for (const auto& [power, count] : sizes)
    if (2 * (below += count) >= graphs) return power < 0 ? 0 : std::uint64_t{1} << power;
  return 0;
}

json to_json(const Tally& t) {
  json sizes = json::object(), failures = json::array();
  for (const auto& [power, count] : t.sizes) sizes[std::to_string(power)] = count;
  for (const Report& r : t.failures) failures.push_back(to_json(r));
  return {{"graphs", t.graphs},
          {"large_graphs", t.large},
          {"median_arcs_at_least", t.median_arcs()},
          {"vertices", t.vertices},
          {"arcs", t.arcs},
          {"searches", t.searches},
          {"compared", t.compared},
          {"searched_arcs", t.searched_arcs},
          {"arcs_log2", sizes},
          {"chosen", t.chosen},
          {"spent", t.spent},
          {"failed", t.failures.size()},
          {"failures", failures}};
}

Tally tally_from_json(const json& from) {
  Tally t;
  t.graphs = from.at("graphs");
  t.large = from.at("large_graphs");
  t.vertices = from.at("vertices");
  t.arcs = from.at("arcs");
  t.searches = from.at("searches");
  t.searched_arcs = from.at("searched_arcs");
  t.compared = from.at("compared");
  for (const auto& [power, count] : from.at("arcs_log2").items()) t.sizes[std::stoi(power)] = count;
  for (const auto& [name, count] : from.at("chosen").items()) t.chosen[name] = count;
  const json spent = from.value("spent", json::object());  // earlier files have none
  for (const auto& [name, seconds] : spent.items()) t.spent[name] = seconds;
  for (const json& f : from.at("failures")) t.failures.push_back(report_from_json(f));
  return t;
}

json sum(const std::vector<std::string>& files) {
  Tally all;
  json runs = json::array();
  double seconds = 0;
  for (const std::string& name : files) {
    std::ifstream file(name);
    const json one = json::parse(file, nullptr, false);
    if (one.is_discarded() || one.value("program", "") != "shapes-campaign")
      throw std::runtime_error(name + " is no JSON of shapes-campaign");
    all.add(tally_from_json(one.at("tally")));
    for (const json& run : one.at("runs")) {
      for (const json& other : runs) {
        const bool alike = run.at("commit") == other.at("commit") && run.at("settings") == other.at("settings");
        if (alike && run.at("first") < other.at("next") && other.at("first") < run.at("next"))
          throw std::runtime_error(name + " has seeds that were counted already");
      }
      seconds += run.at("seconds").get<double>();
      runs.push_back(run);
    }
  }
  return {{"program", "shapes-campaign"}, {"runs", runs}, {"seconds", seconds}, {"tally", to_json(all)}};
}

}  // namespace hopwave::shapes
