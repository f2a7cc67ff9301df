#include "cli/frame/written_graph.h"

#include <fmt/format.h>

#include "cli/frame/console.h"
#include "hopwave/io.h"

namespace hopwave::cli {

const io::Format* written_graph_format(const std::string& option, const std::string& file) {
  if (file.empty()) return nullptr;
  const io::Format* const format = file == "-" ? nullptr : io::format_by_ending(file);
  const auto refuse = [&](const char* id, std::string found, const char* expected) {
    throw Error({.failure = Failure::usage,
                 .id = id,
                 .where = {.file = file},
                 .found = std::move(found),
                 .expected = expected,
                 .hint = option + " dag.txt; hopwave convert makes any other format of that"});
  };
  const std::string ending = io::extension_of(file);
  if (!format)
    refuse("HW-FORMAT-WRITE",
           file == "-"      ? "standard output"
           : ending.empty() ? "a name without an ending"
                            : "the ending ." + ending,
           "a file whose ending says the format, such as .txt, .mtx or .hwg");
  if (format == &io::metis_format())
    refuse("HW-WRITE-DIRECTED", "METIS for a condensation, which is directed", "a format of directed graphs");
  return format;
}

void write_numbered(Context& context, const Graph& graph, const io::Format& format, const std::string& file) {
  write_graph(graph, file, {.renumber = true});
  for (const io::Format* keeps : {&io::hwg_format(), &io::edge_list_format(), &io::adjacency_format(), &io::cedge_format()})
    if (&format == keeps) return;
  const int first = &format == &io::matrix_market_format() || &format == &io::dimacs_format() ? 1 : 0;
  const Ids& ids = graph.ids();
  const VertexId n = ids.count();
  if (n == 0) return;
  // Numbers ascend: if the first and the last are right, all are.
  if (ids.kind() != Ids::Kind::strings && ids.number(0) == first && ids.number(n - 1) == first + std::int64_t{n} - 1) return;
  context.console.warn(
      fmt::format("{} holds no ids: its vertices are the components, numbered from {} in the order of their first "
                  "vertices; .txt and .hwg keep ids",
                  file, first));
}

}  // namespace hopwave::cli
