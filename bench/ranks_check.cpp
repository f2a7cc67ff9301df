// The campaign of gpu-check --ranks.
#include "ranks_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "bfs/distributed/rank_device.h"
#include "bfs/distributed/rank_search.h"
#include "bfs/distributed/share.h"
#include "bfs/distributed/thread_ranks.h"
#include "bfs/plan/thresholds.h"
#include "common.h"
#include "partitioned_check.h"

namespace hopwave::bench {
namespace {

/// The combined results of the ranks for one query.
struct Found {
  std::vector<Distance> distance;
  std::vector<VertexId> parent;
  std::uint64_t bottom_up_levels = 0;
};

struct Case {
  Direction direction = Direction::out;
  bool bottom_up = true, wide_offsets = false;
  const ranks::NcclTable* nccl = nullptr;
  std::uint64_t by_hosts = thresholds::Distributed::short_list;
};

std::vector<Found> search_all(const Graph& graph, const std::vector<Query>& queries, DeviceKind device, int size,
                              const Case& each) {
  std::vector<Found> all(queries.size());
  for (std::size_t q = 0; q < queries.size(); ++q) {
    all[q].distance.resize(graph.num_vertices());
    if (queries[q].parents) all[q].parent.resize(graph.num_vertices());
  }
  ranks::run_as_threads(size, [&](ranks::Transport& transport) {
    ranks::Share share = ranks::deal(transport, transport.rank() == 0 ? &graph : nullptr);
    ranks::PartitionedSearch search(transport, share,
                                    {.direction = each.direction,
                                     .bottom_up = each.bottom_up,
                                     .device = ranks::device_of_rank(transport, device, {}),
                                     .nccl = each.nccl,
                                     .by_hosts = each.by_hosts,
                                     .wide_offsets = each.wide_offsets});
    for (std::size_t q = 0; q < queries.size(); ++q) {
      const ranks::Answer answer = search.run(queries[q]);
      std::ranges::copy(answer.distance.span(), all[q].distance.begin() + share.begin());
      if (queries[q].parents) std::ranges::copy(answer.parent.span(), all[q].parent.begin() + share.begin());
      if (transport.rank() != 0) continue;
      for (const auto& level : answer.levels) all[q].bottom_up_levels += std::string_view(level.trace.direction) == "pull";
    }
  });
  return all;
}

}  // namespace

std::uint64_t check_ranks(DeviceKind device, int devices, std::uint64_t first, std::uint64_t count) {
  std::uint64_t wrong = 0, graphs = 0, searches = 0, bottom_up = 0, by_nccl = 0;
  std::string why_not;
  const ranks::NcclTable* const nccl = device == DeviceKind::gpu ? ranks::find_nccl(why_not) : nullptr;
  auto last_report = std::chrono::steady_clock::now();
  for (std::uint64_t seed = first; seed < first + count && wrong < 10; ++seed, ++graphs) {
    if (const auto now = std::chrono::steady_clock::now(); now - last_report >= std::chrono::seconds(10)) {
      last_report = now;
      fmt::print("… {} graphs, {} searches, {} wrong\n", graphs, searches, wrong);
      std::fflush(stdout);
    }
    const std::string spec = draw_shared_graph(seed, device);
    const Graph graph = load(spec);
    const Case each{static_cast<Direction>(splitmix64(seed) % 3), seed % 7 != 0, seed % 5 == 0,
                    seed / 2 % 2 == 0 ? nullptr : nccl, seed % 3 == 2 ? thresholds::Distributed::short_list : seed % 3 * 50};
    by_nccl += each.nccl != nullptr;
    const int size = devices - static_cast<int>(seed % 4 == 0 ? seed / 4 % static_cast<std::uint64_t>(devices) : 0);
    std::vector<Query> queries;
    for (std::uint64_t turn = 0; turn < 4; ++turn) queries.push_back(draw_shared_query(seed, turn, graph.num_vertices()));
    const std::vector<Found> found = search_all(graph, queries, device, size, each);
    Searcher oracle(graph, {.strategy = "cpu-sequential", .direction = each.direction, .run = {.threads = 1}});
    for (std::size_t q = 0; q < queries.size(); ++q, ++searches) {
      const Result right = oracle.run(queries[q]);
      bottom_up += found[q].bottom_up_levels;
      if (std::ranges::equal(right.distance.span(), found[q].distance) &&
          std::ranges::equal(right.parent.span(), found[q].parent))
        continue;
      ++wrong;
      const auto at = std::ranges::mismatch(right.distance.span(), found[q].distance).in1 - right.distance.span().begin();
      fmt::print("WRONG: seed {}, query {}: {}, {} ranks: {} of vertex {} of {}\n", seed, q, spec, size,
                 at < graph.num_vertices() ? "distance" : "parent", at, graph.num_vertices());
    }
  }
  fmt::print(
      "ranks: {} graphs from seed {} on, {} searches by up to {} ranks with one device each, {} bottom-up levels, {} graphs by "
      "{}, {} wrong\n",
      graphs, first, searches, devices, bottom_up, by_nccl, nccl ? "NCCL " + ranks::nccl_version(*nccl) : "NCCL", wrong);
  return wrong;
}

}  // namespace hopwave::bench
