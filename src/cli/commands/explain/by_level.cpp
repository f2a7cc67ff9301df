#include "cli/commands/explain/by_level.h"

#include "bfs/catalogue/catalogue.h"
#include "cli/frame/console.h"

namespace hopwave::cli {

std::vector<LevelRow> rows_by_level(const Graph& graph, const Query& query, SearchOptions options) {
  const StrategyInfo& info = find_strategy(options.strategy);
  std::vector<LevelRow> rows;
  if (info.work.item == Item::none) return rows;
  options.counts = false;
  options.trace = true;
  picture::Subject subject = picture::make_subject(graph, options.direction);
  subject.strategy = info.name;
  subject.work = info.work;
  subject.parameters = search_detail::complete_parameters(info, options.parameters);
  Query with_parents = query;
  with_parents.parents = true;
  picture::take_result(subject, query, search(graph, with_parents, options));
  picture::derive_roles(subject, [&](picture::Step&& step) {
    std::uint32_t number = 0;
    for (const picture::Launch& launch : step.launches) rows.push_back({step.level, ++number, launch.what, tally(launch)});
  });
  return rows;
}

std::vector<std::string> level_titles() {
  return {"strategy", "level", "launch", "threads with an item", "iterate", "looks", "may label", "label"};
}

std::vector<std::string> level_cells(const std::string& strategy, const LevelRow& row) {
  const picture::Tally& t = row.tally;
  return {strategy,           std::to_string(row.level), std::to_string(row.launch), grouped(t.threads),
          grouped(t.iterate), grouped(t.looks),          grouped(t.may_label),       grouped(t.label)};
}

Json levels_json(const std::vector<LevelRow>& rows) {
  Json all = Json::array();
  for (const LevelRow& row : rows)
    all.push_back({{"level", row.level},
                   {"launch", row.launch},
                   {"what", row.what},
                   {"threads", row.tally.threads},
                   {"iterate", row.tally.iterate},
                   {"looks", row.tally.looks},
                   {"may_label", row.tally.may_label},
                   {"label", row.tally.label}});
  return all;
}

}  // namespace hopwave::cli
