#include "shapes/tally.h"

#include <bit>
#include <fstream>
#include <stdexcept>

namespace hopwave::shapes {

using nlohmann::json;

namespace {

/// A value of a JSON document, and its position: every error names the document and the key.
struct Value {
  const json& at;
  std::string document, key;

  [[noreturn]] void refuse(const std::string& expected) const {
    std::string found = at.dump(-1, ' ', false, json::error_handler_t::replace);
    if (found.size() > 40) found = found.substr(0, 40) + "…";
    throw std::runtime_error(document + ": " + (key.empty() ? "the document" : key) + " is " + found + ", expected " +
                             expected);
  }
  [[nodiscard]] Value operator[](const std::string& name) const {
    static const json missing;
    if (!at.is_object()) refuse("an object");
    const auto found = at.find(name);
    return {found == at.end() ? missing : *found, document, key.empty() ? name : key + "." + name};
  }
  [[nodiscard]] std::uint64_t count() const {
    if (!at.is_number_unsigned() || at.get<std::uint64_t>() > most) refuse("a count");
    return at.get<std::uint64_t>();
  }
  [[nodiscard]] double seconds() const {
    if (!at.is_number() || !(at.get<double>() >= 0)) refuse("seconds");
    return at.get<double>();
  }
  [[nodiscard]] std::string text() const {
    if (!at.is_string()) refuse("a text");
    return at.get<std::string>();
  }
  [[nodiscard]] std::vector<Value> list() const {
    if (!at.is_array()) refuse("a list");
    std::vector<Value> values;
    for (std::size_t i = 0; i < at.size(); ++i) values.push_back({at[i], document, key + "[" + std::to_string(i) + "]"});
    return values;
  }
  [[nodiscard]] std::vector<std::pair<std::string, Value>> members() const {
    if (!at.is_object()) refuse("an object");
    std::vector<std::pair<std::string, Value>> all;
    for (const auto& [name, value] : at.items()) all.emplace_back(name, Value{value, document, key + "." + name});
    return all;
  }

  static constexpr std::uint64_t most = std::uint64_t{1} << 58;  ///< so that many files add up to less than 2^64
};

Report report_of(const Value& f) {
  return {f["graph"].text(), f["kind"].text(), f["text"].text(), f["traversal"].text(),
          f["again"].text(), f["tool"].text(), f["small"].text()};
}

/// "-1" (no arcs) to "63".
int power_of(const std::string& name, const Value& value) {
  for (int power = -1; power < 64; ++power)
    if (name == std::to_string(power)) return power;
  value.refuse("a key from -1 to 63");
}

Tally tally_of(const Value& from) {
  Tally t;
  t.graphs = from["graphs"].count();
  t.large = from["large_graphs"].count();
  t.vertices = from["vertices"].count();
  t.arcs = from["arcs"].count();
  t.searches = from["searches"].count();
  t.searched_arcs = from["searched_arcs"].count();
  t.compared = from["compared"].count();
  std::uint64_t sized = 0;
  for (const auto& [name, value] : from["arcs_log2"].members()) sized += t.sizes[power_of(name, value)] = value.count();
  if (sized != t.graphs) from["arcs_log2"].refuse("as many graphs as " + from["graphs"].key);
  if (t.large > t.graphs) from["large_graphs"].refuse("no more than " + from["graphs"].key);
  for (const auto& [name, value] : from["chosen"].members()) t.chosen[name] = value.count();
  if (from.at.contains("spent"))  // older files have none
    for (const auto& [name, value] : from["spent"].members()) t.spent[name] = value.seconds();
  for (const Value& f : from["failures"].list()) t.failures.push_back(report_of(f));
  return t;
}

}  // namespace

json to_json(const Report& r) {
  return {{"graph", r.graph}, {"kind", r.kind}, {"text", r.text},  {"traversal", r.traversal},
          {"again", r.again}, {"tool", r.tool}, {"small", r.small}};
}

Report report_from_json(const json& f) { return report_of(Value{f, "a report", ""}); }

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

Tally tally_from_json(const json& from) { return tally_of(Value{from, "a tally", ""}); }

json read_sums(const std::string& name) {
  std::ifstream file(name);
  if (!file) throw std::runtime_error(name + " cannot be read");
  json one = json::parse(file, nullptr, false);
  if (one.is_discarded() || !one.is_object() || one.value("program", json()) != "shapes-campaign")
    throw std::runtime_error(name + " is not JSON of shapes-campaign");
  const Value all{one, name, ""};
  tally_of(all["tally"]);
  if (all["runs"].list().empty()) all["runs"].refuse("at least one run");
  for (const Value& run : all["runs"].list()) {
    (void)run["commit"].text(), (void)run["settings"].text(), (void)run["seconds"].seconds();
    if (run["first"].count() > run["next"].count()) run["next"].refuse("no less than " + run["first"].key);
  }
  return one;
}

json sum(const std::vector<std::string>& files) {
  Tally all;
  json runs = json::array();
  double seconds = 0;
  for (const std::string& name : files) {
    const json one = read_sums(name);
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
