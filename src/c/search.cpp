// Stops, searchers and results of the C header.
#include <algorithm>
#include <memory>
#include <vector>

#include "c/c_api.h"
#include "core/refuse.h"

using namespace hopwave;
using namespace hopwave::c;

namespace {

Query query_of(const hopwave_query& given) {
  check_size(given, "hopwave_query_init");
  const auto sources = values(given.sources, given.num_sources, "sources");
  if (given.parents < 0 || given.parents > 2)
    core::refuse("HW-OPTION-VALUE", "parents = " + std::to_string(given.parents), "0, 1 or 2");
  if (given.bytes != 1 && given.bytes != 2 && given.bytes != 4)
    core::refuse("HW-OPTION-VALUE", "bytes = " + std::to_string(given.bytes), "1, 2 or 4");
  return {.sources = {sources.begin(), sources.end()},
          .max_depth = given.max_depth,
          .target = given.target,
          .parents = given.parents != 0,
          .ties = given.parents == 2 ? Ties::min : Ties::any};
}

[[noreturn]] void stopped_after(std::size_t search) {
  throw Error({.failure = Failure::interrupted,
               .id = "HW-INTERRUPTED",
               .found = "stopped by the caller after search " + std::to_string(search)});
}

}  // namespace

hopwave_status hopwave_stop_new(hopwave_stop** stop, hopwave_error** error) {
  return guarded(error, [&] {
    hopwave_stop*& place = present(stop, "stop");  // first: it may throw
    place = new hopwave_stop;
  });
}
void hopwave_stop_request(hopwave_stop* stop) {
  if (stop) stop->source.request_stop();
}
int hopwave_stop_requested(const hopwave_stop* stop) { return stop && stop->source.stop_requested(); }
void hopwave_stop_free(hopwave_stop* stop) { delete stop; }

void hopwave_query_init(hopwave_query* query) {
  if (query) *query = {.size = sizeof(hopwave_query), .max_depth = -1, .target = HOPWAVE_NO_VERTEX, .bytes = 4};
}

hopwave_status hopwave_searcher_new(const hopwave_graph* graph, const hopwave_options* options, hopwave_searcher** searcher,
                                    hopwave_error** error) {
  return guarded(error, [&] {
    present(searcher, "searcher");
    const Graph& of = present(graph, "graph").graph;
    *searcher = new hopwave_searcher(of, search_options_of(options_or_initial(options)));
  });
}
void hopwave_searcher_free(hopwave_searcher* searcher) { delete searcher; }
const char* hopwave_searcher_strategy(const hopwave_searcher* searcher) {
  return searcher ? searcher->searcher.strategy().c_str() : "";
}
hopwave_status hopwave_searcher_set_limits(hopwave_searcher* searcher, const hopwave_stop* stop, double time_limit, int partial,
                                           hopwave_error** error) {
  return guarded(error, [&] { Taken(searcher)->set_limits(limits_of(stop, time_limit, partial)); });
}

hopwave_status hopwave_search(hopwave_searcher* searcher, const hopwave_query* query, hopwave_result** result,
                              hopwave_error** error) {
  return guarded(error, [&] {
    present(result, "result");
    const Query wanted = query_of(present(query, "query"));
    const Taken busy(searcher);
    const auto narrow = [](auto&& found, auto hopwave_result::*to) {
      auto made = std::make_unique<hopwave_result>();
      made->result = {
          .parent = std::move(found.parent), .reached = found.reached, .depth = found.depth, .run = std::move(found.run)};
      made.get()->*to = std::move(found.distance);
      return made.release();
    };
    if (query->bytes == 1)
      *result = narrow(busy->run<std::uint8_t>(wanted), &hopwave_result::distances8);
    else if (query->bytes == 2)
      *result = narrow(busy->run<std::uint16_t>(wanted), &hopwave_result::distances16);
    else
      *result = new hopwave_result{busy->run(wanted)};
  });
}

hopwave_status hopwave_search_each(hopwave_searcher* searcher, const uint32_t* sources, size_t num_sources, int32_t max_depth,
                                   hopwave_take take, void* user, hopwave_error** error) {
  return guarded(error, [&] {
    if (!take) refuse_null("take");
    const auto from = values(sources, num_sources, "sources");
    Taken(searcher)->run_each(from, max_depth, [&](std::size_t i, Result&& result) {
      const hopwave_result one{std::move(result)};
      if (!take(user, i, &one)) stopped_after(i);
    });
  });
}

hopwave_status hopwave_reach(hopwave_searcher* searcher, const hopwave_query* query, uint64_t nearest,
                             hopwave_take_reached take, void* user, hopwave_error** error) {
  return guarded(error, [&] {
    if (!take) refuse_null("take");
    const Query wanted = query_of(present(query, "query"));
    if (query->bytes != 4) core::refuse("HW-OPTION-VALUE", "bytes = " + std::to_string(query->bytes), "4: a neighbourhood's");
    const Taken busy(searcher);
    const Reached found = busy->reach(wanted, nearest);
    const hopwave_reached one{.vertices = found.vertex.data(),
                              .distances = found.distance.data(),
                              .parents = query->parents ? found.parent.data() : nullptr,
                              .count = found.vertex.size(),
                              .end = static_cast<int>(found.run.end)};
    if (!take(user, 0, &one)) stopped_after(0);
  });
}

hopwave_status hopwave_reach_each(hopwave_searcher* searcher, const uint32_t* sources, size_t num_sources, int32_t max_depth,
                                  uint64_t nearest, int parents, hopwave_take_reached take, void* user, hopwave_error** error) {
  return guarded(error, [&] {
    if (!take) refuse_null("take");
    const Nearby nearby{.max_depth = max_depth, .nearest = nearest, .parents = parents != 0};
    const auto from = values(sources, num_sources, "sources");
    Taken(searcher)->reach_each(from, nearby, [&](std::size_t i, const ReachedRows& found) {
      const hopwave_reached one{.vertices = found.vertex.data(),
                                .distances = found.distance.data(),
                                .parents = parents ? found.parent.data() : nullptr,
                                .count = found.vertex.size(),
                                .end = HOPWAVE_END_COMPLETE};
      if (!take(user, i, &one)) stopped_after(i);
    });
  });
}

hopwave_status hopwave_distances(hopwave_searcher* searcher, const uint32_t* sources, const uint32_t* targets, size_t num_pairs,
                                 int32_t max_depth, int32_t* distances, hopwave_error** error) {
  return guarded(error, [&] {
    const auto from = values(sources, num_pairs, "sources"), to = values(targets, num_pairs, "targets");
    const auto out = values(distances, num_pairs, "distances");
    std::vector<Pair> pairs(num_pairs);
    for (std::size_t i = 0; i < num_pairs; ++i) pairs[i] = {from[i], to[i]};
    const std::vector<Distance> found = Taken(searcher)->distances(pairs, max_depth);
    std::copy(found.begin(), found.end(), out.begin());
  });
}

uint32_t hopwave_result_num_vertices(const hopwave_result* result) {
  if (!result) return 0;
  return static_cast<uint32_t>(
      std::max({result->result.distance.size(), result->distances8.size(), result->distances16.size()}));
}
const int32_t* hopwave_result_distances(const hopwave_result* result) {
  return result ? result->result.distance.data() : nullptr;
}
const uint8_t* hopwave_result_distances8(const hopwave_result* result) { return result ? result->distances8.data() : nullptr; }
const uint16_t* hopwave_result_distances16(const hopwave_result* result) {
  return result ? result->distances16.data() : nullptr;
}
const uint32_t* hopwave_result_parents(const hopwave_result* result) { return result ? result->result.parent.data() : nullptr; }
uint32_t hopwave_result_reached(const hopwave_result* result) { return result ? result->result.reached : 0; }
int32_t hopwave_result_depth(const hopwave_result* result) { return result ? result->result.depth : 0; }
void hopwave_result_report(const hopwave_result* result, hopwave_report* report) {
  fill(result ? RunReport(result->result.run) : RunReport{}, report);
}
void hopwave_result_free(hopwave_result* result) { delete result; }
