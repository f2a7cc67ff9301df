// The target of a maximum flow that a graph's file names.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "hopwave/flow.h"

namespace hopwave::inline v0_1 {

std::optional<VertexId> default_target(const Graph& graph) {
  // "… flow from 1 to 6, …": after what a reader writes nothing about flows follows.
  const std::string& details = graph.read_report().details;
  std::string_view rest(details);
  rest.remove_prefix(std::min(rest.rfind("flow "), rest.size()));
  const auto id_after = [&](std::string_view word) -> std::string_view {
    if (!rest.starts_with(word)) return {};
    rest.remove_prefix(word.size());
    const std::string_view id = rest.substr(0, rest.find_first_of(" ,"));
    rest.remove_prefix(id.size());
    return id;
  };
  (void)id_after("flow");
  (void)id_after(" from ");
  const std::string_view id = id_after(" to ");
  return id.empty() ? std::nullopt : graph.ids().find(id);
}

}  // namespace hopwave::inline v0_1
