// Betweenness after U. Brandes, A faster algorithm for betweenness centrality, 2001. Ours differs: no lists of predecessors,
// the way back pulls along outgoing arcs instead, which needs no transpose; sums in a fixed order; and numbers of paths with an
// exponent of their own, since a grid of 520 × 520 cells has more than a double holds.
#include "hopwave/betweenness.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>

#include "algorithm/betweenness/betweenness_lanes.h"
#include "algorithm/betweenness/betweenness_plain.h"
#include "algorithm/betweenness/betweenness_team.h"
#include "algorithm/betweenness/betweenness_weighted.h"
#include "algorithm/betweenness/gpu.h"
#include "bfs/plan/thresholds.h"
#include "core/parallel.h"
#include "core/people_text.h"
#include "core/refuse.h"
#include "core/stopwatch.h"
#include "core/watch.h"
#include "device_graph/one_call.h"
#include "graph/rows.h"
#include "hopwave/error.h"

namespace hopwave::inline v0_1 {
namespace {

using search_detail::BetweennessWay;
using search_detail::Ending;
using search_detail::Lane;
using search_detail::PlainSearch;
using search_detail::TeamSearch;
using search_detail::WeightedSearch;

void check_vertices(const std::vector<VertexId>& vertices, VertexId n, const char* id, const char* what) {
  for (const VertexId v : vertices) {
    if (v < n) continue;
    throw Error({.failure = Failure::input,
                 .id = id,
                 .found = std::string("vertex ") + std::to_string(v) + " as a " + what,
                 .expected = n ? "a vertex from 0 to " + std::to_string(n - 1) : "none: the graph has no vertices"});
  }
}

/// What is asked for, checked.
struct Request {
  const Graph& graph;
  const BetweennessOptions& options;
  const core::Watch watch;
  std::vector<bool> is_target = {};  ///< empty: all are
  std::uint64_t total = 0;           ///< searches
  struct Weighted {
    sssp::WeightFigures figures;
    sssp::WeightedRows rows;
  };
  std::optional<Weighted> weighted = {};

  Request(const Graph& given, const BetweennessOptions& asked) : graph(given), options(asked), watch(asked.run.limits) {
    const VertexId n = graph.num_vertices();
    check_vertices(options.sources, n, "HW-QUERY-SOURCE", "source");
    check_vertices(options.targets, n, "HW-QUERY-TARGET", "target");
    if (!options.targets.empty()) is_target.resize(n);
    for (const VertexId v : options.targets) is_target[v] = true;
    total = options.sources.empty() ? n : options.sources.size();
  }
  [[nodiscard]] VertexId source(std::uint64_t k) const {
    return options.sources.empty() ? static_cast<VertexId>(k) : options.sources[k];
  }
  [[nodiscard]] bool wants_more(std::uint64_t done) const {
    return !options.run.progress || options.run.progress({.what = "searches", .done = done, .total = total});
  }
};

/// The lanes of a call. Their sums are added up in the lanes' order, in whatever order they end. Memory of sums that were
/// added serves a further lane, so that there is memory for the few lanes only that run at a time.
class Lanes {
 public:
  Lanes(const Request& request, Betweenness& found)
      : found_(found), lanes_(search_detail::count_lanes(found.vertex.size() + found.arc.size(), request.total)) {
    for (std::size_t i = 0; i < lanes_.size(); ++i)
      lanes_[i].begin = request.total * i / lanes_.size(), lanes_[i].end = request.total * (i + 1) / lanes_.size();
  }

  [[nodiscard]] std::size_t size() const { return lanes_.size(); }
  Lane& operator[](std::size_t i) { return lanes_[i]; }

  /// Gives a lane its sums, all 0; `team` adds up others. No thread waits: while another adds, new memory is taken.
  void begin(Lane& lane, Team& team) {
    const std::unique_lock turn(mutex_, std::try_to_lock);
    if (turn) {
      for (; lanes_[added_].done.load(std::memory_order_acquire); ++added_) {  // this one is not done: there is an end
        add(team, lanes_[added_].vertex, found_.vertex);
        add(team, lanes_[added_].arc, found_.arc);
        free_.emplace_back(std::move(lanes_[added_].vertex), std::move(lanes_[added_].arc));
      }
      if (!free_.empty()) {
        std::tie(lane.vertex, lane.arc) = std::move(free_.back());
        return free_.pop_back();
      }
    }
    lane.vertex = Array<double>::filled(found_.vertex.size(), 0);
    lane.arc = Array<double>::filled(found_.arc.size(), 0);
  }

  /// What is left, when no thread is at work.
  void finish(Team& team) {
    for (; added_ < lanes_.size(); ++added_) {
      add(team, lanes_[added_].vertex, found_.vertex);
      add(team, lanes_[added_].arc, found_.arc);
    }
    for (const Lane& lane : lanes_) {
      found_.sources += lane.searched;
      found_.max_paths = std::max(found_.max_paths, lane.max_paths);
      farthest_ = std::max(farthest_, lane.farthest);
    }
  }
  [[nodiscard]] double farthest() const { return farthest_; }

 private:
  static void add(Team& team, Array<double>& part, Array<double>& sum) {
    parallel_for(team, part.size(), thresholds::Cpu::vertex_grain, [&](std::size_t begin, std::size_t end, int) {
      double *from = part.data(), *to = sum.data();
      for (std::size_t i = begin; i < end; ++i) to[i] += std::exchange(from[i], 0);
    });
  }

  Betweenness& found_;
  std::vector<Lane> lanes_;
  double farthest_ = 0;
  std::mutex mutex_;
  std::size_t added_ = 0;                                      ///< lanes
  std::vector<std::pair<Array<double>, Array<double>>> free_;  ///< sums that are all 0
};

/// All threads search from one source after the other; lanes are summed up in the same order as where each thread has its own.
/// Nothing: the first of many sources says that this graph is not for that, and nothing was added.
std::optional<bool> by_team(const Request& request, Team& team, Betweenness& found) {
  TeamSearch search(team, request.graph, request.options, request.is_target);
  std::unique_ptr<PlainSearch> plain;  // for sources with many small levels, or more paths than can be counted exactly
  Ending ending(request.watch);
  bool refused = false;
  std::uint64_t searched = 0;
  const auto over = [&] {
    refused = refused || !request.wants_more(searched);
    return refused || ending.now();
  };
  bool ended = false;
  Lanes lanes(request, found);
  for (std::size_t i = 0; i < lanes.size() && !ended; ++i) {
    Lane& lane = lanes[i];
    lanes.begin(lane, team);
    for (std::size_t k = lane.begin; k < lane.end && !ended; ++k) {
      const auto end = search.run(request.source(k), lane.vertex.span(), lane.arc.span(), over);
      ended = end == TeamSearch::End::over;
      if (end == TeamSearch::End::done) lane.max_paths = std::max(lane.max_paths, search.max_paths());
      if (end == TeamSearch::End::unfit) {
        if (k == 0 && request.total >= static_cast<std::uint64_t>(team.size())) return std::nullopt;
        if (!plain) plain = std::make_unique<PlainSearch>(team, request.graph, request.options, request.is_target);
        ended = !plain->run(request.source(k), lane, ending);
      }
      lane.searched += !ended, searched += !ended;
    }
    lane.done = true;
  }
  lanes.finish(team);
  return !refused;
}

/// Where threads would have nothing to do, or their searches more memory than caches: then all search from one source at a
/// time.
bool for_a_team(const Request& request, int threads, BetweennessWay way) {
  if (request.weighted) return false;
  if (way != BetweennessWay::automatic) return way == BetweennessWay::team;
  const std::uint64_t n = request.graph.num_vertices();
  return threads > 1 && n + request.graph.num_arcs() >= thresholds::Betweenness::least_for_a_team &&
         (request.total < static_cast<std::uint64_t>(threads) || n >= thresholds::Betweenness::many_vertices);
}

/// Searches of one thread: by weights; or of levels as long as most are fit for it, else plain ones.
class OwnSearches {
 public:
  OwnSearches(const Request& request, BetweennessWay way) : request_(request), tries_(way != BetweennessWay::plain) {
    if (const auto& weighted = request.weighted)
      weighted_ = std::make_unique<WeightedSearch>(request.graph, weighted->rows.arcs(), weighted->figures.least,
                                                   request.options, request.is_target);
  }

  /// False: the call is to end; nothing was added.
  bool run(VertexId source, Lane& lane, Ending& ending) {
    if (weighted_) return weighted_->run(source, lane, ending);
    if (tries_) {
      if (!levels_) levels_ = std::make_unique<TeamSearch>(alone_, request_.graph, request_.options, request_.is_target);
      const auto end = levels_->run(source, lane.vertex.span(), lane.arc.span(), [&] { return ending.now(); });
      if (end == TeamSearch::End::done) {
        ++fit_;
        lane.max_paths = std::max(lane.max_paths, levels_->max_paths());
      }
      if (end != TeamSearch::End::unfit) return end == TeamSearch::End::done;
      tries_ = ++unfit_ <= fit_ / thresholds::Betweenness::unfit_part;
      if (!tries_) levels_.reset();
    }
    if (!plain_) plain_ = std::make_unique<PlainSearch>(alone_, request_.graph, request_.options, request_.is_target);
    return plain_->run(source, lane, ending);
  }

  /// The thread as a team.
  Team& alone() { return alone_; }

 private:
  const Request& request_;
  Team alone_{1};
  std::unique_ptr<TeamSearch> levels_;
  std::unique_ptr<PlainSearch> plain_;
  std::unique_ptr<WeightedSearch> weighted_;
  std::uint64_t fit_ = 0, unfit_ = 0;
  bool tries_;
};

/// Fills `found.vertex`, `arc`, `sources` and `most_paths`. False: the caller's function ended it.
bool on_cpu(Request& request, BetweennessWay way, Betweenness& found) {
  const Graph& graph = request.graph;
  const int threads = request.options.run.threads;
  Team team(request.total * (std::uint64_t{graph.num_vertices()} + graph.num_arcs()) < 1u << 16 && threads == 0 ? 1 : threads);
  if (request.options.weights)
    request.weighted.emplace(Request::Weighted{sssp::check_weights(team, graph), {team, graph, Direction::out}});
  if (for_a_team(request, team.size(), way))
    if (const std::optional<bool> wanted = by_team(request, team, found)) return *wanted;
  Lanes lanes(request, found);
  Ending ending(request.watch);
  std::atomic<std::size_t> next{0}, done{0}, lanes_left{lanes.size()};
  std::atomic<bool> refused{false};
  const auto ask = [&](int rank) {
    if (rank == 0 && !request.wants_more(done.load(std::memory_order_relaxed))) {
      refused = true;
      ending.end();
    }
  };
  team.run([&](int rank) {
    try {
      std::unique_ptr<OwnSearches> search;
      for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < lanes.size();) {
        Lane& lane = lanes[i];
        for (std::size_t k = lane.begin; k < lane.end; ++k) {
          ask(rank);
          if (ending.now()) return;
          if (!search) search = std::make_unique<OwnSearches>(request, way);
          if (k == lane.begin) lanes.begin(lane, search->alone());
          if (!search->run(request.source(k), lane, ending)) return;
          ++lane.searched;
          done.fetch_add(1, std::memory_order_relaxed);
        }
        lane.done.store(true, std::memory_order_release);
        lanes_left.fetch_sub(1, std::memory_order_relaxed);
      }
      // The calling thread keeps asking the caller's function. The other threads, which work, check the time limit.
      for (; rank == 0 && lanes_left.load(std::memory_order_relaxed) > 0 && !ending.ended(); ask(rank))
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    } catch (...) {
      ending.end();  // so that the others end as well
      throw;
    }
  });
  lanes.finish(team);
  if (request.weighted) {
    const sssp::WeightFigures& figures = request.weighted->figures;
    found.exact = !figures.rounded && lanes.farthest() < std::ldexp(1.0, 53 + figures.exponent);
  }
  return !refused;
}

bool on_device(const Request& request, const device::Api& api, Betweenness& found) {
  const RunOptions& run = request.options.run;
  const Graph& graph = request.graph;
  const device::KeepCurrent keep(&api);
  device::Device device(api, run.on);
  device.set_schedule(resident::schedule_of(run));
  const resident::CopiedRows out(device, graph.out());
  std::optional<resident::CopiedRows> in;
  if (graph.directed()) {
    Team team(graph.num_arcs() < thresholds::Cpu::few_for_reversing ? 1 : 0);
    if (graph.has_in())
      in.emplace(device, graph.in());
    else
      in.emplace(device, graph::reversed(team, graph.num_vertices(), graph.out()));
  }
  device::Buffer<double> vertex(device, graph.num_vertices()), arc(device, found.arc.size());
  vertex.fill_bytes(0);
  arc.fill_bytes(0);
  const std::vector<unsigned char> targets(request.is_target.begin(), request.is_target.end());
  const device::Buffer<unsigned char> is_target(device, std::span<const unsigned char>(targets));
  std::vector<VertexId> sources(request.total);
  for (std::uint64_t k = 0; k < request.total; ++k) sources[k] = request.source(k);
  bool refused = false;
  const resident::BetweennessTally tally =
      resident::betweenness(api)(device, {.out = out.rows(),
                                          .in = in ? in->rows() : out.rows(),
                                          .sources = sources,
                                          .is_target = targets.empty() ? nullptr : is_target.data(),
                                          .endpoints = request.options.endpoints,
                                          .vertex = vertex.data(),
                                          .arc = request.options.arcs ? arc.data() : nullptr,
                                          .go_on = [&](std::uint64_t done) {
                                            refused = refused || !request.wants_more(done);
                                            return !refused && !request.watch.over();
                                          }});
  vertex.download(found.vertex.span());
  arc.download(found.arc.span());
  found.sources = tally.searched;
  found.max_paths = tally.max_paths;
  return !refused;
}

}  // namespace

Betweenness betweenness(const Graph& graph, const BetweennessOptions& options) {
  return search_detail::betweenness(graph, options, BetweennessWay::automatic);
}

}  // namespace hopwave::inline v0_1

namespace hopwave::search_detail {

Betweenness betweenness(const Graph& graph, const BetweennessOptions& options, BetweennessWay way) {
  Request request(graph, options);
  Betweenness found{.vertex = Array<double>::filled(graph.num_vertices(), 0),
                    .arc = Array<double>::filled(options.arcs ? graph.num_arcs() : 0, 0)};
  const device::Api* api = resident::api_for_call(options.run, found.run);
  if (options.weights && api)
    throw Error({.failure = Failure::usage,
                 .id = "HW-BETWEENNESS-DEVICE",
                 .found = "betweenness by weights on " + core::name_of(found.run.device),
                 .expected = "the CPU: there is no kernel for it",
                 .hint = "device cpu, or auto"});
  if (options.weights && options.run.device == DeviceKind::automatic)
    found.run.chosen = "cpu: betweenness by weights has no kernel";
  if (request.total == 0) return found;
  const core::Stopwatch watch;
  const bool wanted = api ? on_device(request, *api, found) : on_cpu(request, way, found);
  found.run.work = watch.elapsed();
  if (found.sources != request.total)
    found.run.end = !wanted ? End::interrupted : request.watch.stop().stop_requested() ? End::cancelled : End::time_limit;
  return found;
}

}  // namespace hopwave::search_detail

namespace hopwave::inline v0_1 {

BetweennessScale betweenness_scale(const Graph& graph, std::uint64_t sources, bool normalized, bool endpoints) {
  const double n = graph.num_vertices();
  if (sources == 0) return {0, 0};
  const double all = n / static_cast<double>(sources);
  if (!normalized) return graph.directed() ? BetweennessScale{all, all} : BetweennessScale{all / 2, all / 2};
  const double of_vertex = endpoints ? n * (n - 1) : (n - 1) * (n - 2), of_arc = n * (n - 1);
  return {of_vertex > 0 ? all / of_vertex : 0, of_arc > 0 ? all / of_arc : 0};
}

double betweenness_error(VertexId num_vertices, std::uint64_t samples, double risk) {
  if (!(risk > 0 && risk < 1))
    core::refuse("HW-OPTION-VALUE", "a risk of " + std::to_string(risk), "a number above 0 and below 1");
  if (samples >= num_vertices) return 0;
  if (samples == 0) return 1;
  const double n = num_vertices, k = static_cast<double>(samples);
  // From one source at most n − 2 targets have a vertex on their ways. The mean of these shares, times n / (n − 1), is
  // normalized.
  return std::min(1.0, n / (n - 1) * std::sqrt(std::log(2 * n / risk) / (2 * k)));
}

}  // namespace hopwave::inline v0_1
