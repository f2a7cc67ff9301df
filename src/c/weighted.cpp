// Shortest paths of the C header.
#include "c/c_api.h"
#include "core/refuse.h"

using namespace hopwave;
using namespace hopwave::c;

namespace {

WeightedOptions options_of(const hopwave_options& given) {
  constexpr const char* weighted = "shortest paths with weights have no such option";
  require_initial(given.prepare == 0, "prepare", weighted);
  require_initial(given.partition == HOPWAVE_PARTITION_AUTOMATIC, "partition", weighted);
  return {.strategy = given.strategy ? given.strategy : "auto",
          .direction = static_cast<Direction>(given.direction),
          .delta = given.delta,
          .parameters = parameters_of(given),
          .run = run_of(given)};
}

WeightedQuery query_of(const hopwave_weighted_query& given) {
  check_size(given, "hopwave_weighted_query_init");
  const auto sources = values(given.sources, given.num_sources, "sources");
  if (given.parents != 0 && given.parents != 1)
    core::refuse("HW-OPTION-VALUE", "parents = " + std::to_string(given.parents), "0 or 1");
  return {.sources = {sources.begin(), sources.end()},
          .target = given.target,
          .max_distance = given.max_distance,
          .parents = given.parents != 0};
}

}  // namespace

void hopwave_weighted_query_init(hopwave_weighted_query* query) {
  if (query) *query = {.size = sizeof(hopwave_weighted_query), .target = HOPWAVE_NO_VERTEX, .max_distance = no_path};
}

hopwave_status hopwave_weighted_searcher_new(const hopwave_graph* graph, const hopwave_options* options,
                                             hopwave_weighted_searcher** searcher, hopwave_error** error) {
  return guarded(error, [&] {
    present(searcher, "searcher");
    const Graph& of = present(graph, "graph").graph;
    *searcher = new hopwave_weighted_searcher(of, options_of(options_or_initial(options)));
  });
}
void hopwave_weighted_searcher_free(hopwave_weighted_searcher* searcher) { delete searcher; }
const char* hopwave_weighted_searcher_strategy(const hopwave_weighted_searcher* searcher) {
  return searcher ? searcher->searcher.strategy().c_str() : "";
}

hopwave_status hopwave_weighted_search(hopwave_weighted_searcher* searcher, const hopwave_weighted_query* query,
                                       hopwave_weighted_result** result, hopwave_error** error) {
  return guarded(error, [&] {
    present(result, "result");
    const WeightedQuery asked = query_of(present(query, "query"));
    *result = new hopwave_weighted_result{present(searcher, "searcher").searcher.run(asked)};
  });
}

uint32_t hopwave_weighted_result_num_vertices(const hopwave_weighted_result* result) {
  return result ? static_cast<uint32_t>(result->result.distance.size()) : 0;
}
const double* hopwave_weighted_result_distances(const hopwave_weighted_result* result) {
  return result ? result->result.distance.data() : nullptr;
}
const uint32_t* hopwave_weighted_result_parents(const hopwave_weighted_result* result) {
  return result ? result->result.parent.data() : nullptr;
}
uint32_t hopwave_weighted_result_reached(const hopwave_weighted_result* result) { return result ? result->result.reached : 0; }
double hopwave_weighted_result_farthest(const hopwave_weighted_result* result) { return result ? result->result.farthest : 0; }
int hopwave_weighted_result_exact(const hopwave_weighted_result* result) { return result && result->result.exact; }
void hopwave_weighted_result_report(const hopwave_weighted_result* result, hopwave_report* report) {
  fill(result ? RunReport(result->result.run) : RunReport{}, report);
}
void hopwave_weighted_result_free(hopwave_weighted_result* result) { delete result; }
