#include "io/names_text.h"

#include <string>

#include "core/refuse.h"
#include "hopwave/error.h"

namespace hopwave::io {

bool is_multigraph(const Graph& graph) {
  const Adjacency& out = graph.out();
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    for (EdgeIndex i = out.offsets[v] + 1; i < out.offsets[v + 1ull]; ++i)
      if (out.neighbors[i] == out.neighbors[i - 1]) return true;
  return false;
}

void need_names(const Graph& graph, const char* format, const std::function<bool(char32_t)>& allowed) {
  if (graph.ids().kind() != Ids::Kind::strings) return;
  for (const std::string& name : graph.ids().names()) {
    bool fits = true;
    for (std::string_view rest = name; fits && !rest.empty();) {
      const auto c = take_character(rest);
      fits = c && allowed(*c);
    }
    if (!fits)
      core::refuse("HW-WRITE-NAMES",
                   "a name with a character that is no UTF-8, or that " + std::string(format) + " has no place for",
                   "names that can be read again", "write .hwg, which holds every name");
  }
}

}  // namespace hopwave::io
