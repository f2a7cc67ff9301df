#include "measure/search_picture.h"

#include "bfs/catalogue/catalogue.h"
#include "core/refuse.h"
#include "draw/picture.h"
#include "hopwave/picture.h"

namespace hopwave {
namespace picture {

Subject subject_of(const Graph& graph, const Searcher& searcher, const SearchOptions& options) {
  Subject subject = make_subject(graph, options.direction);
  const StrategyInfo& info = find_strategy(searcher.strategy());
  subject.strategy = searcher.strategy();
  subject.work = info.work;
  // Of what auto runs, only its own parameters are the caller's.
  subject.parameters =
      search_detail::complete_parameters(info, options.strategy == searcher.strategy() ? options.parameters : Parameters{});
  return subject;
}

Subject searched(const Graph& graph, const Query& query, const SearchOptions& options) {
  SearchOptions traced = options;
  traced.trace = true;
  Query whole = query;
  whole.parents = true;
  Searcher searcher(graph, traced);
  Subject subject = subject_of(graph, searcher, traced);
  take_result(subject, whole, searcher.run(whole));
  return subject;
}

std::string title_of(const Subject& subject, const std::string& graph, bool against_depth_first) {
  std::string title = against_depth_first ? "Breadth first beside depth first" : subject.strategy;
  if (!graph.empty()) title += (against_depth_first ? ": " : " on ") + graph;
  std::string separator = ", from ";
  for (const VertexId s : subject.sources) {
    title += separator + subject.names[s];
    separator = ", ";
  }
  return title;
}

}  // namespace picture

inline namespace v0_1 {

std::string search_svg(const Graph& graph, const Query& query, const SearchOptions& options, const PictureOptions& shown,
                       const std::string& name) {
  if (shown.step != 0 && shown.against_depth_first)
    core::refuse("HW-PICTURE-STEP", "a step of a picture of two whole searches", "one of the two");
  picture::require_small(graph, "");
  picture::Subject subject = picture::searched(graph, query, options);
  subject.title = picture::title_of(subject, name, shown.against_depth_first);
  return picture::svg_of(subject, shown);
}

}  // namespace v0_1
}  // namespace hopwave
