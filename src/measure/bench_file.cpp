// Bench files: measurements to and from JSON, and as CSV and Markdown tables.
#include "measure/bench_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/people_text.h"
#include "hopwave/error.h"
#include "measure/json_fault.h"

namespace hopwave::report {

using nlohmann::ordered_json;

namespace {

constexpr const char* schema = "hopwave-bench/1";

ordered_json json_of(const Statistics& s) {
  return {{"min", s.min}, {"median", s.median},       {"mean", s.mean},
          {"max", s.max}, {"deviation", s.deviation}, {"harmonic_mean", s.harmonic_mean}};
}

ordered_json json_of(const GraphFacts& g) {
  const auto known = [&g](ordered_json value) { return g.described ? value : ordered_json(nullptr); };
  return {{"name", g.name},
          {"vertices", g.profile.num_vertices},
          {"arcs", g.profile.num_arcs},
          {"directed", g.directed},
          {"hash", known(fmt::format("{:016x}", g.hash))},
          {"average_degree", g.profile.average_degree},
          {"degree_deviation", known(g.profile.degree_deviation)},
          {"median_degree", known(g.profile.median_degree)},
          {"max_degree", known(g.profile.max_degree)},
          {"isolated", known(g.profile.isolated)},
          {"read_ms", g.read_ms},
          {"parse_ms", g.parse_ms},
          {"build_ms", g.build_ms}};
}

ordered_json json_of(const SourceRuns& s) {
  return {{"source", s.source}, {"reached", s.reached},     {"arcs", s.component_arcs},
          {"depth", s.depth},   {"search_ms", s.search_ms}, {"host_ms", s.host_ms}};
}

ordered_json json_of(const LevelTrace& t) {
  return {{"level", t.level}, {"direction", t.direction},   {"frontier", t.frontier},
          {"edges", t.edges}, {"discovered", t.discovered}, {"ms", t.time.count()}};
}

ordered_json json_of(const Measurement& m) {
  ordered_json j{{"graph", json_of(m.graph)},
                 {"strategy", m.configuration.strategy},
                 {"device", core::name_of(m.configuration.device)},
                 {"parameters", m.configuration.parameters},
                 {"prepared", m.configuration.prepare}};
  if (!m.skipped.empty()) {
    j["skipped"] = m.skipped;
    return j;
  }
  j["ran"] = m.ran;
  j["verified"] = m.verified;
  j["search_ms"] = json_of(m.search_ms);
  j["host_ms"] = json_of(m.host_ms);
  j["teps_harmonic_mean"] = m.teps_harmonic;
  j["copy_ms"] = m.copy_ms;
  j["prepare_ms"] = m.prepare_ms;
  j["levels"] = m.levels;
  j["launches"] = m.launches;
  j["round_trips"] = m.round_trips;
  if (!m.estimated_bytes.empty()) j["estimated_bytes"] = m.estimated_bytes;
  j["sources"] = ordered_json::array();
  for (const auto& s : m.sources) j["sources"].push_back(json_of(s));
  if (!m.trace.empty()) {
    j["trace"] = ordered_json::array();
    for (const auto& t : m.trace) j["trace"].push_back(json_of(t));
  }
  return j;
}

DeviceKind device_of(const std::string& name) {
  if (name == "cpu") return DeviceKind::cpu;
  if (name == "gpu") return DeviceKind::gpu;
  if (name == "sim") return DeviceKind::sim;
  return DeviceKind::automatic;
}

// LevelTrace keeps a pointer: every direction that a strategy may write has its literal here.
const char* direction_of(const std::string& name) {
  for (const char* known : {"push", "pull", "edges", "relax"})
    if (name == known) return known;
  return "other";
}

Statistics statistics_of(const ordered_json& j) {
  return {.min = j.at("min"),
          .median = j.at("median"),
          .mean = j.at("mean"),
          .max = j.at("max"),
          .deviation = j.at("deviation"),
          .harmonic_mean = j.at("harmonic_mean")};
}

GraphFacts graph_of(const ordered_json& j) {
  GraphFacts g;
  g.name = j.at("name");
  g.profile = {.num_vertices = j.at("vertices"), .num_arcs = j.at("arcs"), .average_degree = j.at("average_degree")};
  g.directed = j.at("directed");
  g.described = !j.at("hash").is_null();
  if (g.described) {
    g.profile.degree_deviation = j.at("degree_deviation");
    g.profile.median_degree = j.at("median_degree");
    g.profile.max_degree = j.at("max_degree");
    g.profile.isolated = j.at("isolated");
    g.hash = std::stoull(j.at("hash").get<std::string>(), nullptr, 16);
  }
  g.read_ms = j.at("read_ms");
  g.parse_ms = j.at("parse_ms");
  g.build_ms = j.at("build_ms");
  return g;
}

Measurement measurement_of(const ordered_json& j) {
  Measurement m;
  m.graph = graph_of(j.at("graph"));
  m.configuration = {.strategy = j.at("strategy"),
                     .device = device_of(j.at("device")),
                     .parameters = j.at("parameters").get<Parameters>(),
                     .prepare = j.at("prepared")};
  if (j.contains("skipped")) {
    m.skipped = j.at("skipped");
    return m;
  }
  m.ran = j.at("ran");
  m.verified = j.at("verified");
  m.search_ms = statistics_of(j.at("search_ms"));
  m.host_ms = statistics_of(j.at("host_ms"));
  m.teps_harmonic = j.at("teps_harmonic_mean");
  m.copy_ms = j.at("copy_ms");
  m.prepare_ms = j.at("prepare_ms");
  m.levels = j.at("levels");
  m.launches = j.at("launches");
  m.round_trips = j.at("round_trips");
  if (j.contains("estimated_bytes")) m.estimated_bytes = j.at("estimated_bytes").get<std::vector<std::uint64_t>>();
  for (const auto& s : j.at("sources"))
    m.sources.push_back({.source = s.at("source"),
                         .reached = s.at("reached"),
                         .component_arcs = s.at("arcs"),
                         .depth = s.at("depth"),
                         .search_ms = s.at("search_ms"),
                         .host_ms = s.at("host_ms")});
  if (j.contains("trace"))
    for (const auto& t : j.at("trace"))
      m.trace.push_back({.level = t.at("level"),
                         .direction = direction_of(t.at("direction")),
                         .frontier = t.at("frontier"),
                         .edges = t.at("edges"),
                         .discovered = t.at("discovered"),
                         .time = Milliseconds(t.at("ms").get<double>())});
  return m;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

/// What a row of a table is called: strategy, device and parameters, as short as they come.
std::string row_name(const Configuration& c) {
  std::string name = c.strategy;
  if (c.device != DeviceKind::automatic) name += fmt::format(" ({})", core::name_of(c.device));
  if (c.prepare) name += " prepared";
  if (!c.parameters.empty()) name += " " + parameter_text(c.parameters);
  return name;
}

/// The first keys of an object, for a reader who asks what file that is.
std::string first_keys(const ordered_json& object) {
  constexpr std::size_t most = 6;
  std::string text;
  std::size_t count = 0;
  for (auto at = object.begin(); at != object.end() && count < most; ++at, ++count)
    text += (count ? ", '" : "'") + at.key().substr(0, 40) + "'";
  return text.empty() ? "(none)" : text + (object.size() > most ? ", …" : "");
}

}  // namespace

std::string parameter_text(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

std::string to_json(const BenchFile& file) {
  const Environment& e = file.environment;
  ordered_json j{{"schema", schema},
                 {"procedure", file.procedure},
                 {"environment",
                  {{"command", e.command},
                   {"version", e.version},
                   {"commit", e.commit},
                   {"date", e.date},
                   {"cpu", e.cpu},
                   {"threads", e.threads},
                   {"gpu", e.device.gpu ? e.device.name : ""},
                   {"gpu_memory", e.device.memory_total},
                   {"compute", e.device.compute},
                   {"driver", e.device.driver},
                   {"runtime", e.device.runtime},
                   {"copy_bytes_per_second", e.copy_bytes_per_second},
                   {"clock_mhz", e.clock_mhz},
                   {"memory_clock_mhz", e.memory_clock_mhz}}}};
  if (!file.ended.empty()) j["ended"] = file.ended;
  j["measurements"] = ordered_json::array();
  for (const auto& m : file.measurements) j["measurements"].push_back(json_of(m));
  j["pictures"] = ordered_json::array();
  for (const auto& p : file.pictures)
    j["pictures"].push_back({{"graph", p.graph}, {"bins", p.bins}, {"spy", p.spy}, {"degrees", p.degrees}});
  // A name is bytes, whatever they are: after all the measuring it must not be what stops the file.
  return j.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

bool is_bench_file(const std::string& text) {
  const auto j = ordered_json::parse(text, nullptr, false);
  return j.is_object() && j.contains("schema") && j.at("schema") == schema;
}

BenchFile bench_from_json(const std::string& text, const std::string& name) {
  const auto bad = [&](std::string found) {
    return Error({.failure = Failure::input,
                  .id = "HW-BENCH-FILE",
                  .where = {.file = name},
                  .found = std::move(found),
                  .expected = fmt::format("a bench file (JSON, schema {})", schema),
                  .hint = "make one with: hopwave bench GRAPH --export-json FILE"});
  };
  try {
    const auto j = ordered_json::parse(text);
    if (!j.is_object()) throw bad(std::string("JSON, but a ") + j.type_name());
    if (!j.contains("schema")) throw bad("JSON without a schema, with the keys " + first_keys(j));
    if (j.at("schema") != schema)
      throw bad("schema " + j.at("schema").dump(-1, ' ', false, ordered_json::error_handler_t::replace));
    BenchFile file;
    file.procedure = j.at("procedure");
    const auto& e = j.at("environment");
    file.environment = {.command = e.at("command"),
                        .version = e.at("version"),
                        .commit = e.at("commit"),
                        .date = e.at("date"),
                        .cpu = e.at("cpu"),
                        .threads = e.at("threads"),
                        .device = {},
                        .copy_bytes_per_second = e.at("copy_bytes_per_second"),
                        .clock_mhz = e.at("clock_mhz"),
                        .memory_clock_mhz = e.at("memory_clock_mhz")};
    auto& device = file.environment.device;
    device.name = e.at("gpu");
    device.gpu = !device.name.empty();
    device.memory_total = e.at("gpu_memory");
    device.compute = e.at("compute");
    device.driver = e.at("driver");
    device.runtime = e.at("runtime");
    file.ended = j.value("ended", "");
    for (const auto& m : j.at("measurements")) file.measurements.push_back(measurement_of(m));
    for (const auto& p : j.at("pictures"))
      file.pictures.push_back({.graph = p.at("graph"), .bins = p.at("bins"), .spy = p.at("spy"), .degrees = p.at("degrees")});
    for (const auto& p : file.pictures)
      if (p.spy.size() != std::size_t{p.bins} * p.bins)
        throw bad(fmt::format("a picture of {} values for {} bins", p.spy.size(), p.bins));
    return file;
  } catch (const nlohmann::json::exception& e) {
    throw bad(json_fault(e));
  } catch (const std::logic_error&) {  // stoull
    throw bad("a hash that is no number");
  }
}

std::string to_csv(const BenchFile& file) {
  std::string out =
      "graph,vertices,arcs,strategy,device,parameters,prepared,sources,min_ms,median_ms,mean_ms,max_ms,deviation_ms,"
      "host_median_ms,teps_harmonic_mean,levels,launches,round_trips,copy_ms,prepare_ms,verified,skipped\n";
  for (const auto& m : file.measurements)
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(m.graph.name),
                       m.graph.profile.num_vertices, m.graph.profile.num_arcs, m.configuration.strategy,
                       core::name_of(m.configuration.device), csv_field(parameter_text(m.configuration.parameters)),
                       m.configuration.prepare, m.sources.size(), m.search_ms.min, m.search_ms.median, m.search_ms.mean,
                       m.search_ms.max, m.search_ms.deviation, m.host_ms.median, m.teps_harmonic, m.levels, m.launches,
                       m.round_trips, m.copy_ms, m.prepare_ms, m.verified, csv_field(m.skipped));
  return out;
}

std::string markdown_cell(const std::string& text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c == '\n' || c == '\r' ? ' ' : c;
  }
  return cell;
}

std::string to_markdown(const BenchFile& file) {
  std::vector<std::string> graphs, rows;
  std::map<std::pair<std::string, std::string>, const Measurement*> cells;
  for (const auto& m : file.measurements) {
    const std::string row = row_name(m.configuration);
    if (std::find(graphs.begin(), graphs.end(), m.graph.name) == graphs.end()) graphs.push_back(m.graph.name);
    if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
    cells[{row, m.graph.name}] = &m;
  }
  std::string out = "| strategy |", rule = "|---|";
  for (const auto& g : graphs) {
    out += " " + markdown_cell(g) + " |";
    rule += "---:|";
  }
  out += "\n" + rule + "\n";
  std::set<std::string> reasons;
  for (const auto& row : rows) {
    out += "| " + row + " |";
    for (const auto& g : graphs) {
      const auto found = cells.find({row, g});
      if (found == cells.end()) {
        out += " |";
      } else if (!found->second->skipped.empty()) {
        out += " skipped |";
        reasons.insert(row + " on " + g + ": " + found->second->skipped);
      } else {
        out += fmt::format(" {:.4g} |", found->second->search_ms.median);
      }
    }
    out += "\n";
  }
  out += "\nMilliseconds of one traversal: median over sources of each source's median.\n";
  for (const auto& reason : reasons) out += "\nSkipped: " + reason + "\n";
  return out;
}

Comparison regressions(const BenchFile& now, const BenchFile& baseline, double allowed) {
  Comparison found;
  for (const auto& m : now.measurements) {
    if (!m.skipped.empty()) continue;
    ++found.measured;
    bool compared = false;
    for (const auto& b : baseline.measurements) {
      const bool same = m.graph.described ? b.graph.described && b.graph.hash == m.graph.hash : b.graph.name == m.graph.name;
      if (!b.skipped.empty() || !same || row_name(b.configuration) != row_name(m.configuration)) continue;
      compared = true;
      if (m.search_ms.median > allowed * b.search_ms.median)
        found.slower.push_back({row_name(m.configuration) + " on " + m.graph.name, b.search_ms.median, m.search_ms.median});
    }
    found.compared += compared;
  }
  return found;
}

}  // namespace hopwave::report
