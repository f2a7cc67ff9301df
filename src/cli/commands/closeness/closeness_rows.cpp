// Rows of closeness: kept, resumed, written.
#include "cli/commands/closeness/closeness_rows.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "cli/frame/json.h"
#include "cli/frame/result_file.h"
#include "cli/frame/row_text.h"
#include "core/checksum.h"
#include "core/mix.h"
#include "hopwave/preparation.h"

namespace hopwave::cli {
namespace {

constexpr const char* part_schema = "hopwave-closeness-part/1";

std::string ending(const std::string& output) {
  return ending_of(output, {"txt", "tsv", "csv"}, "rows of closeness are text: .txt, .tsv or .csv");
}

/// Of all but itself. What is changed by chance, or cut and mended, is not taken for what was kept.
std::uint64_t checksum_of(const Json& json) {
  const std::string text = json.dump();
  Team team(1);
  return core::checksum(text, team);
}

}  // namespace

void cannot_resume(const std::string& file, std::string found, std::string expected) {
  throw Error({.failure = Failure::input,
               .id = "HW-RESUME",
               .where = {.file = file},
               .found = std::move(found),
               .expected = std::move(expected),
               .hint = "begin anew: leave out --resume"});
}

Json row_json(const SourceDistances& row) { return Json::array({row.reached, row.sum, row.inverse_sum, row.eccentricity}); }

SourceDistances row_of(const Json& json) { return {json.at(0), json.at(1), json.at(2), json.at(3)}; }

void ClosenessRows::add(const LevelCounts& counts) {
  rows.push_back(source_distances(counts));
  summary.add(counts);
}

ClosenessKey closeness_key(const Graph& graph, const std::vector<VertexId>& sources, const std::string& direction) {
  std::uint64_t sum = sources.size();
  for (const VertexId v : sources) sum = core::mix(sum ^ v);
  return {fingerprint(graph), sum, direction};
}

std::string part_of(const std::string& output) { return output + ".part"; }

void keep_rows(const std::string& output, const ClosenessKey& key, const ClosenessRows& found) {
  Json json;
  json["schema"] = part_schema;
  json["graph"] = key.graph;
  json["sources"] = key.sources;
  json["direction"] = key.direction;
  json["diameter"] = found.summary.diameter;
  json["radius"] = found.summary.radius;
  json["pairs_at"] = found.summary.pairs_at;
  json["rows"] = Json::array();
  for (const SourceDistances& row : found.rows) json["rows"].push_back(row_json(row));
  write_part(output, std::move(json));
}

void write_part(const std::string& output, Json json) {
  json["checksum"] = checksum_of(json);
  OutputFile file(part_of(output));
  file.write(json.dump());
  file.commit();
}

Json read_part(const std::string& output, const char* schema, const ClosenessKey& key) {
  const std::string file = part_of(output);
  std::ifstream in(file, std::ios::binary);
  if (!in) cannot_resume(file, "no such file", "what an earlier run has kept when it was ended");
  try {
    Json json = Json::parse(in);
    if (json.at("schema") != schema) cannot_resume(file, "another kind of file", schema);
    if (json.at("graph") != key.graph || json.at("sources") != key.sources || json.at("direction") != key.direction)
      cannot_resume(file, "rows of another graph, other sources or another direction", "rows of this run");
    const Json sum = json.at("checksum");
    json.erase("checksum");
    if (sum != checksum_of(json)) cannot_resume(file, "other values than were kept", "a file that nobody has changed");
    return json;
  } catch (const Json::exception&) {
    cannot_resume(file, "a file that is damaged or cut off", schema);
  }
}

ClosenessRows resume_rows(const std::string& output, const ClosenessKey& key, std::size_t sources) {
  const Json json = read_part(output, part_schema, key);
  try {
    ClosenessRows found;
    found.summary = {.sources = json.at("rows").size(),
                     .pairs_at = json.at("pairs_at").get<std::vector<std::uint64_t>>(),
                     .diameter = json.at("diameter"),
                     .radius = json.at("radius")};
    for (const Json& row : json.at("rows")) found.rows.push_back(row_of(row));
    if (found.rows.size() > sources)
      cannot_resume(part_of(output), std::to_string(found.rows.size()) + " rows", "at most " + std::to_string(sources));
    return found;
  } catch (const Json::exception&) {
    cannot_resume(part_of(output), "a file that is damaged or cut off", part_schema);
  }
}

void forget_rows(const std::string& output) {
  std::error_code ignored;
  std::filesystem::remove(part_of(output), ignored);
}

void check_closeness_output(const std::string& output) { ending(output); }

void write_closeness(const std::string& output, const Graph& graph, const std::vector<VertexId>& sources,
                     const std::vector<SourceDistances>& rows, const Context& context) {
  const bool csv = ending(output) == "csv";
  const char separator = csv ? ',' : '\t';
  const bool ended = context.interrupted();  // what was found until then is written all the same
  ResultFile out(output);
  RowText text;
  text.put(csv ? "" : "# ");
  text.put(fmt::format("id{0}closeness{0}harmonic{0}eccentricity{0}reached{0}distance_sum\n", separator));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (graph.ids().kind() == Ids::Kind::strings)
      put_cell(graph.ids().names()[sources[i]], separator, text);
    else
      text.put(graph.ids().number(sources[i]));
    const SourceDistances& row = rows[i];
    text.put(fmt::format("{0}{1}{0}{2}{0}{3}{0}{4}{0}{5}\n", separator, closeness(row, graph.num_vertices()), row.inverse_sum,
                         row.eccentricity, row.reached, row.sum));
    if (text.view().size() < (1u << 20)) continue;
    if (!ended) context.check_interrupt();
    out.write(text.view());
    text.clear();
  }
  out.write(text.view());
  out.commit();
}

}  // namespace hopwave::cli
