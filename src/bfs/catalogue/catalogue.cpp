// strategies(), find_strategy() and the checks on their parameters, all from the generated table.
#include "bfs/catalogue/catalogue.h"

#include <algorithm>
#include <string>

#include "hopwave/error.h"

namespace hopwave::inline v0_1 {
namespace {

/// The description of `auto` in a build without the GPU engine.
StrategyInfo auto_on_cpu() {
  return {.name = "auto",
          .summary = "chooses the fastest strategy for the graph and the machine",
          .source = "hopwave",
          .device = "any",
          .differs = "",
          .needs = {},
          .native_parents = true,
          .parameters = {}};
}

std::vector<StrategyInfo> list_strategies() {
  std::vector<StrategyInfo> all;
  for (const auto& row : strategy::strategy_table()) {
    all.push_back(search_detail::describe(row).info);
    if (all.back().name == "auto") all.back().device = "any";
  }
  const auto named_auto = [](const StrategyInfo& info) { return info.name == "auto"; };
  if (std::none_of(all.begin(), all.end(), named_auto)) all.push_back(auto_on_cpu());
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

std::vector<StrategyInfo> list_literals() {
  std::vector<StrategyInfo> all;
  for (const auto& row : strategy::literal_table()) all.push_back(row.sim().info);
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b` (Damerau–Levenshtein, restricted).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

/// The `most` names nearest to `wanted`, as "a, b, c". A name that contains what was typed counts as near.
std::string nearest(std::string_view wanted, const std::vector<std::string_view>& names, std::size_t most) {
  std::vector<std::pair<std::size_t, std::string_view>> ranked;
  for (const auto name : names) {
    const bool inside = !wanted.empty() && name.find(wanted) != std::string_view::npos;
    ranked.emplace_back(inside ? 1 : edit_distance(wanted, name), name);
  }
  std::sort(ranked.begin(), ranked.end());
  std::string text;
  for (std::size_t i = 0; i < ranked.size() && i < most; ++i) text += (i ? ", " : "") + std::string(ranked[i].second);
  return text;
}

}  // namespace

const std::vector<StrategyInfo>& strategies() {
  static const std::vector<StrategyInfo> all = list_strategies();
  return all;
}

const std::vector<StrategyInfo>& literal_strategies() {
  static const std::vector<StrategyInfo> all = list_literals();
  return all;
}

const StrategyInfo& find_strategy(std::string_view name) {
  const std::vector<StrategyInfo>& all = name.starts_with("literal:") ? literal_strategies() : strategies();
  for (const auto& info : all)
    if (info.name == name) return info;
  std::vector<std::string_view> names;
  for (const auto& info : all) names.push_back(info.name);
  throw Error({.failure = Failure::usage,
               .id = "HW-STRATEGY-UNKNOWN",
               .found = "strategy '" + std::string(name) + "'",
               .expected = "one of " + std::to_string(names.size()) + " names",
               .hint = "nearest: " + nearest(name, names, 3) + "; `hopwave strategies` lists all"});
}

}  // namespace hopwave::inline v0_1

namespace hopwave::search_detail {

const strategy::Descriptor& describe(const strategy::TableRow& row) {
  const auto get = row.cpu ? row.cpu : row.sim ? row.sim : row.cuda ? row.cuda : row.hip;
  return get();
}

const strategy::TableRow* find_row(std::string_view name) {
  for (const auto& row : strategy::strategy_table())
    if (describe(row).info.name == name) return &row;
  for (const auto& row : strategy::literal_table())
    if (row.sim().info.name == name) return &row;
  return nullptr;
}

Parameters complete_parameters(const StrategyInfo& info, const Parameters& given) {
  Parameters complete;
  std::vector<std::string_view> names;
  for (const auto& p : info.parameters) {
    complete.emplace(p.name, p.standard);
    names.push_back(p.name);
  }
  for (const auto& [name, value] : given) {
    const auto p = std::find_if(info.parameters.begin(), info.parameters.end(),
                                [&, key = std::string_view(name)](const auto& q) { return q.name == key; });
    if (p == info.parameters.end())
      throw Error({.failure = Failure::usage,
                   .id = "HW-PARAM-UNKNOWN",
                   .found = "parameter '" + name + "' for " + std::string(info.name),
                   .expected = names.empty() ? "none: this strategy has no parameters" : nearest(name, names, names.size()),
                   .hint = "`hopwave strategies show " + std::string(info.name) + "` explains them"});
    if (value < p->lowest || value > p->highest)
      throw Error({.failure = Failure::usage,
                   .id = "HW-PARAM-RANGE",
                   .found = name + "=" + std::to_string(value),
                   .expected = "a value from " + std::to_string(p->lowest) + " to " + std::to_string(p->highest),
                   .hint = std::string(p->name) + ": " + std::string(p->help)});
    complete.find(name)->second = value;
  }
  return complete;
}

}  // namespace hopwave::search_detail
