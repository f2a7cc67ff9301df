// The pieces that several JSON documents share.
#include "cli/frame/json.h"

#include <cmath>

#include "core/parallel.h"
#include "core/people_text.h"
#include "hopwave/version.h"

namespace hopwave::cli {

Json document(std::string_view name) { return {{"schema", "hopwave-" + std::string(name) + "/1"}, {"hopwave", version}}; }

std::string dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

EdgeIndex edge_count(const GraphFacts& graph) {
  const auto& build = graph.build_report();
  if (graph.directed()) return graph.num_arcs();
  return (graph.num_arcs() + (build.self_loops_kept ? build.self_loops : 0)) / 2;
}

Json error_json(const Error& error) {
  const auto& parts = error.parts();
  Json json = document("error");
  Json& e = json["error"];
  e["id"] = parts.id;
  e["exit_code"] = static_cast<int>(parts.failure);
  e["message"] = error.what();
  if (!parts.where.file.empty()) {
    e["file"] = parts.where.file;
    if (parts.where.line) e["line"] = parts.where.line;
    if (parts.where.column) e["column"] = parts.where.column;
    if (!parts.where.line && parts.where.byte) e["byte"] = parts.where.byte;
  }
  e["found"] = parts.found;
  if (!parts.expected.empty()) e["expected"] = parts.expected;
  if (!parts.hint.empty()) e["hint"] = parts.hint;
  return json;
}

namespace {

const char* end_word(End end) {
  const char* words[] = {"complete", "interrupted", "cancelled", "time-limit", "searches"};
  return words[static_cast<int>(end)];
}

}  // namespace

Json run_json(const RunReport& run, const RunOptions& asked, Seconds load) {
  const auto text = [](const std::string& each) { return each.empty() ? Json(nullptr) : Json(each); };
  return {{"end", end_word(run.end)},
          {"device", core::name_of(run.device)},
          {"threads", asked.threads > 0 ? asked.threads : hardware_threads()},
          {"seed", asked.seed},
          {"strategy", text(run.strategy)},
          {"chosen", text(run.chosen)},
          {"load_ms", Milliseconds(load).count()},
          {"prepare_ms", run.prepare.count()},
          {"copy_in_ms", run.copy_in.count()},
          {"work_ms", run.work.count()},
          {"copy_out_ms", run.copy_out.count()},
          {"notes", run.notes}};
}

Json number_json(double value) {
  if (std::abs(value) < 0x1p63 && value == std::trunc(value)) return static_cast<std::int64_t>(value);
  return value;
}

Json id_json(const Ids& ids, VertexId v) {
  if (ids.kind() == Ids::Kind::strings) return ids.name(v);
  return ids.number(v);
}

Json read_json(const GraphFacts& graph) {
  const auto& read = graph.read_report();
  const auto& build = graph.build_report();
  const char* kinds[] = {"consecutive", "integers", "strings"};
  return {{"source", read.source},
          {"format", read.format},
          {"details", read.details},
          {"directed", graph.directed()},
          {"direction_assumed", read.direction_assumed},
          {"ids", kinds[static_cast<int>(graph.ids().kind())]},
          {"ids_compacted", graph.ids().kind() != Ids::Kind::consecutive},
          {"vertices", graph.num_vertices()},
          {"edges", edge_count(graph)},
          {"arcs", graph.num_arcs()},
          {"rows", read.rows},
          {"bytes", read.bytes},
          {"text_bytes", read.text_bytes},
          {"self_loops", build.self_loops},
          {"self_loops_kept", build.self_loops_kept},
          {"duplicates", build.duplicates},
          {"duplicates_kept", build.duplicates_kept},
          {"weights_rounded", read.weights_rounded},
          {"repairs", read.repairs},
          {"notes", read.notes}};
}

Json weight_type_json(const Graph& graph) {
  return graph.has_weights() ? Json(name(graph.out().weights.type())) : Json(nullptr);
}

Json level_json(const LevelTrace& level) {
  return {{"level", level.level}, {"direction", level.direction},   {"frontier", level.frontier},
          {"edges", level.edges}, {"discovered", level.discovered}, {"milliseconds", level.time.count()}};
}

}  // namespace hopwave::cli
