// Tuning by coordinate descent, and its file (schema hopwave-tuning/1).
#include "measure/tuning.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "hopwave/error.h"
#include "measure/bench_file.h"
#include "measure/json_fault.h"

namespace hopwave::report {

using nlohmann::ordered_json;

namespace {
constexpr const char* tuning_schema = "hopwave-tuning/1";
constexpr double deep_degree = 4, skewed_deviation = 1;
constexpr int max_rounds = 3;
constexpr std::size_t most_values = 8;
}  // namespace

std::string graph_class(const Profile& profile) {
  if (profile.degree_deviation > skewed_deviation * std::max(profile.average_degree, 1.0)) return "skewed";
  return profile.average_degree <= deep_degree ? "deep" : "even";
}

Tuning Tuning::from_json(const std::string& text, const std::string& name) {
  const auto bad = [&](const std::string& found) {
    return Error({.failure = Failure::input,
                  .id = "HW-TUNE-FILE",
                  .where = {.file = name},
                  .found = found,
                  .expected = std::string("a tuning file (JSON, schema ") + tuning_schema + ")",
                  .hint = "move it away; hopwave tune makes a new one"});
  };
  try {
    const auto j = ordered_json::parse(text);
    if (j.value("schema", "") != tuning_schema) throw bad("schema '" + j.value("schema", "") + "'");
    Tuning tuning;
    for (const auto& e : j.at("entries"))
      tuning.entries_.push_back({.device = e.at("device"),
                                 .graphs = e.at("graphs"),
                                 .strategy = e.at("strategy"),
                                 .parameters = e.at("parameters").get<Parameters>(),
                                 .ms = e.at("ms"),
                                 .standard_ms = e.at("standard_ms"),
                                 .measured_on = e.at("measured_on")});
    return tuning;
  } catch (const nlohmann::json::exception& e) {
    throw bad(json_fault(e));
  }
}

std::string Tuning::to_json() const {
  ordered_json j{{"schema", tuning_schema}, {"entries", ordered_json::array()}};
  for (const auto& e : entries_)
    j["entries"].push_back({{"device", e.device},
                            {"graphs", e.graphs},
                            {"strategy", e.strategy},
                            {"parameters", e.parameters},
                            {"ms", e.ms},
                            {"standard_ms", e.standard_ms},
                            {"measured_on", e.measured_on}});
  return j.dump(1) + "\n";
}

void Tuning::keep(TunedEntry entry) {
  std::erase_if(entries_, [&](const TunedEntry& e) {
    return e.device == entry.device && e.graphs == entry.graphs && e.strategy == entry.strategy;
  });
  entries_.push_back(std::move(entry));
}

const TunedEntry* Tuning::find(const std::string& device, const std::string& graphs, const std::string& strategy) const {
  for (const auto& e : entries_)
    if (e.device == device && e.graphs == graphs && e.strategy == strategy) return &e;
  return nullptr;
}

std::string tuned_device_name(DeviceKind kind) {
  if (kind == DeviceKind::sim) return "simulator";
  const DeviceInfo info = device_info();
  if (kind == DeviceKind::gpu || (kind == DeviceKind::automatic && info.gpu)) return info.name;
  return cpu_model();
}

std::vector<std::int64_t> values_to_try(const ParameterInfo& p, std::size_t most) {
  std::vector<std::int64_t> values = {p.standard};
  const auto add = [&](std::int64_t v) {
    if (v >= p.lowest && v <= p.highest && std::find(values.begin(), values.end(), v) == values.end()) values.push_back(v);
  };
  add(p.lowest);
  // Around the default first: that is where the best usually is.
  for (std::int64_t factor = 2; values.size() < most && factor <= (std::int64_t{1} << 30); factor *= 2) {
    if (p.standard != 0) add(p.standard / factor);
    add((p.standard != 0 ? p.standard : 16) * factor);
  }
  if (values.size() < most) add(p.highest);
  return values;
}

TunedEntry tune(const GraphFacts& facts, const Graph& graph, const StrategyInfo& strategy, DeviceKind device,
                const std::vector<VertexId>& sources, const MeasureOptions& options) {
  std::map<Parameters, double> known;
  const auto time_of = [&](const Parameters& parameters) {
    const auto found = known.find(parameters);
    if (found != known.end()) return found->second;
    const Measurement m = measure(facts, graph, {std::string(strategy.name), device, parameters, false}, sources, options);
    return known[parameters] = m.skipped.empty() ? m.search_ms.median : std::numeric_limits<double>::infinity();
  };
  Parameters best;
  for (const auto& p : strategy.parameters) best[std::string(p.name)] = p.standard;
  const double standard = time_of(best);
  double least = standard;
  for (int round = 0; round < max_rounds; ++round) {
    const Parameters before = best;
    for (const auto& p : strategy.parameters)
      for (const auto value : values_to_try(p, most_values)) {
        Parameters other = best;
        other[std::string(p.name)] = value;
        const double ms = time_of(other);
        if (ms < least) {
          least = ms;
          best = other;
        }
      }
    if (best == before) break;
  }
  if (std::isinf(least))
    (void)Searcher(graph, {.strategy = std::string(strategy.name), .run = {.device = device}});  // says why nothing ran
  return {.device = tuned_device_name(device),
          .graphs = graph_class(facts.profile),
          .strategy = std::string(strategy.name),
          .parameters = best,
          .ms = least,
          .standard_ms = standard,
          .measured_on = facts.name};
}

}  // namespace hopwave::report
