#include "cli/frame/kept_file.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "cli/frame/json.h"
#include "core/checksum.h"
#include "core/mix.h"
#include "core/parallel.h"
#include "hopwave/io.h"
#include "hopwave/preparation.h"

namespace hopwave::cli {
namespace {

std::string schema_of(const std::string& kind) { return "hopwave-" + kind + "/2"; }

/// Of all but itself. What was changed by chance, or cut and mended, is not taken for what was kept.
std::uint64_t checksum_of(const Json& json) {
  const std::string text = json.dump();
  Team team(1);
  return core::checksum(text, team);
}

}  // namespace

void KeptFile::refuse(std::string found, std::string expected) {
  throw Error({.failure = Failure::input,
               .id = "HW-RESUME",
               .where = {.file = file()},
               .found = std::move(found),
               .expected = std::move(expected),
               .hint = "begin anew: leave out --resume"});
}

algorithm::Kept KeptFile::begun(std::string_view kind, std::span<const VertexId> sources) {
  kind_ = kind;
  sources_ = sources.size();
  for (const VertexId v : sources) sources_ = core::mix(sources_ ^ v);
  algorithm::Kept kept;
  if (!resume_) return kept;
  std::ifstream in(file(), std::ios::binary);
  if (!in) refuse("no such file", "what an earlier run has kept when it was ended");
  try {
    Json json = Json::parse(in);
    if (json.at("schema") != schema_of(kind_)) refuse("another kind of file", schema_of(kind_));
    if (json.at("graph") != fingerprint(graph_) || json.at("sources") != sources_ ||
        json.at("direction") != algorithm::name_of(direction_))
      refuse("rows of another graph, other sources or another direction", "rows of this run");
    const Json sum = json.at("checksum");
    json.erase("checksum");
    if (sum != checksum_of(json)) refuse("other values than were kept", "an unchanged file");
    for (const auto& [name, column] : json.at("columns").items()) {
      if (column.at("type") == "real")
        kept[name] = column.at("values").get<std::vector<double>>();
      else
        kept[name] = column.at("values").get<std::vector<std::uint64_t>>();
    }
  } catch (const Json::exception&) {
    refuse("a file that is damaged or cut off", schema_of(kind_));
  }
  return kept;
}

void KeptFile::keep(const algorithm::Kept& kept) const {
  Json json;
  json["schema"] = schema_of(kind_);
  json["graph"] = fingerprint(graph_);
  json["sources"] = sources_;
  json["direction"] = algorithm::name_of(direction_);
  json["columns"] = Json::object();
  for (const auto& column : kept)
    std::visit(
        [&](const auto& values) {
          const bool real = std::holds_alternative<std::vector<double>>(column.second);
          json["columns"][column.first] = {{"type", real ? "real" : "count"}, {"values", values}};
        },
        column.second);
  json["checksum"] = checksum_of(json);
  OutputFile out(file());
  out.write(json.dump());
  out.commit();
}

void KeptFile::forget() const {
  std::error_code ignored;
  std::filesystem::remove(file(), ignored);
}

}  // namespace hopwave::cli
