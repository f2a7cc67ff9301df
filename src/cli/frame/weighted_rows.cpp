// Rows of shortest paths: many threads make them, one writes them in order.
#include "cli/frame/weighted_rows.h"

#include "cli/frame/console.h"
#include "cli/frame/result_file.h"

namespace hopwave::cli {
namespace {

std::string ending(const std::string& output) {
  return ending_of(output, {"txt", "tsv", "csv"}, "distances with weights are text: .txt, .tsv or .csv");
}

void put_id(const Graph& graph, VertexId v, char separator, RowText& text) {
  if (v == no_vertex)
    text.put(std::int64_t{-1});
  else if (graph.ids().kind() == Ids::Kind::strings)
    put_cell(graph.ids().names()[v], separator, text);
  else
    text.put(graph.ids().number(v));
}

}  // namespace

void put_distance(double distance, RowText& text) {
  if (distance == no_path) return text.put(std::int64_t{-1});
  text.put(number_text(distance));
}

Json distance_json(double distance) { return distance == no_path ? Json(-1) : number_json(distance); }

std::string distance_text(double distance) {
  RowText text;
  put_distance(distance, text);
  return std::string(text.view());
}

void check_weighted_output(const std::string& output) {
  if (!output.empty()) ending(output);
}

void write_weighted(const std::string& output, const Graph& graph, const WeightedResult& result, bool parents, Team& team,
                    const std::function<void()>& check) {
  const bool csv = ending(output) == "csv";
  const char separator = csv ? ',' : '\t';
  ResultFile out(output);
  if (csv) out.write(parents ? "id,distance,parent\n" : "id,distance\n");
  write_in_order(out, team, graph.num_vertices(), [&](std::size_t from, std::size_t to, RowText& text) {
    check();
    for (std::size_t i = from; i < to; ++i) {
      put_id(graph, static_cast<VertexId>(i), separator, text);
      text.put(separator);
      put_distance(result.distance[i], text);
      if (parents) {
        text.put(separator);
        put_id(graph, result.parent[i], separator, text);
      }
      text.put('\n');
    }
  });
  out.commit();
}

}  // namespace hopwave::cli
