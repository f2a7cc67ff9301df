// Betweenness after U. Brandes, A faster algorithm for betweenness centrality, 2001. Ours differs: no lists of predecessors,
// the way back pulls along outgoing arcs instead, which needs no transpose; sums in a fixed order; and numbers of paths with an
// exponent of their own, since a grid of 520 × 520 cells has more than a double holds.
#include "hopwave/betweenness.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <thread>

#include "core/parallel.h"
#include "core/watch.h"
#include "graph/rows.h"
#include "hopwave/error.h"
#include "resident/one_call.h"
#include "search/betweenness_lanes.h"

namespace hopwave::inline v0_1 {
namespace {

constexpr int exponent_step = 512;  // bits
constexpr double step_up = 0x1p512, step_down = 0x1p-512;
constexpr std::size_t looked_between_stops = std::size_t{1} << 16;

/// A part of the sources, searched in their order, and its sums. How the sources are parted depends on the graph and on the
/// request alone, so that the sums do not depend on the threads.
struct Lane {
  std::size_t begin = 0, end = 0;
  Array<double> vertex, arc;
  std::uint64_t searched = 0;
  double most_paths = 0;
};

/// What ends a call early, looked at by every thread.
class Ending {
 public:
  explicit Ending(const core::Watch& watch) : watch_(watch) {}
  [[nodiscard]] bool now() {
    if (!ended_.load(std::memory_order_relaxed) && watch_.limited() && watch_.over()) end();
    return ended_.load(std::memory_order_relaxed);
  }
  void end() { ended_.store(true, std::memory_order_relaxed); }

 private:
  const core::Watch& watch_;
  std::atomic<bool> ended_{false};
};

/// Searches from one source at a time. One a thread.
class Search {
 public:
  Search(const Graph& graph, const BetweennessOptions& options, const std::vector<bool>& is_target)
      : graph_(graph), options_(options), is_target_(is_target), nodes_(graph.num_vertices()) {
    std::fill(nodes_.begin(), nodes_.end(), Node{0, 0, unreached});
    order_.reserve(graph.num_vertices());
  }

  /// False: the call is to end; nothing was added.
  bool run(VertexId source, Lane& lane, Ending& ending) {
    const bool done = count_paths(source, lane, ending);
    if (done) add_shares(source, lane);
    for (const VertexId v : order_) nodes_[v].distance = unreached;
    order_.clear();
    return done;
  }

 private:
  struct Node {
    /// Shortest paths from the source, times 2^(512 · exponent). On the way back, of vertices that are done, what one of these
    /// paths carries, times 2^(−512 · exponent).
    double value;
    std::int32_t exponent;
    Distance distance;
  };

  [[nodiscard]] double ends_at(VertexId v) const { return is_target_.empty() || is_target_[v] ? 1 : 0; }
  /// `value` with another exponent.
  static double moved(double value, int from, int to) {
    return from == to ? value : std::ldexp(value, exponent_step * std::clamp(from - to, -4, 4));
  }

  static void add_paths(Node& to, const Node& from) {
    if (to.exponent == from.exponent) {
      to.value += from.value;
    } else {
      const int exponent = std::max(to.exponent, from.exponent);
      to.value = moved(to.value, to.exponent, exponent) + moved(from.value, from.exponent, exponent);
      to.exponent = exponent;
    }
    if (to.value > step_up) to.value *= step_down, ++to.exponent;
  }

  bool count_paths(VertexId source, Lane& lane, Ending& ending) {
    nodes_[source] = {1, 0, 0};
    order_.push_back(source);
    double most = 1;
    std::size_t looked = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const VertexId v = order_[i];
      const Node from = nodes_[v];
      const Distance next = from.distance + 1;
      most = std::max(most, from.exponent ? std::ldexp(from.value, exponent_step * from.exponent) : from.value);
      const auto row = graph_.out_neighbors(v);
      for (const VertexId w : row) {
        Node& node = nodes_[w];
        if (node.distance == unreached) {
          node = {from.value, from.exponent, next};
          order_.push_back(w);
        } else if (node.distance == next) {
          add_paths(node, from);
        }
      }
      if ((looked += row.size() + 1) < looked_between_stops) continue;
      looked = 0;
      if (ending.now()) return false;
    }
    lane.most_paths = std::max(lane.most_paths, most);
    return true;
  }

  void add_shares(VertexId source, Lane& lane) {
    const EdgeIndex* offsets = graph_.out().offsets.data();
    double targets = 0;
    for (std::size_t i = order_.size(); i-- > 0;) {
      const VertexId v = order_[i];
      Node& node = nodes_[v];
      const double ends = v == source ? 0 : ends_at(v);
      const Distance next = node.distance + 1;
      double carried = 0;
      EdgeIndex at = offsets[v];
      for (const VertexId w : graph_.out_neighbors(v)) {
        const EdgeIndex arc = at++;
        const Node& behind = nodes_[w];
        if (behind.distance != next) continue;
        const double one = moved(behind.value, node.exponent, behind.exponent);
        carried += one;
        if (options_.arcs) lane.arc[arc] += node.value * one;
      }
      const double share = node.value * carried;
      node.value = (ends + share) / node.value;
      targets += ends;
      if (v != source) lane.vertex[v] += options_.endpoints ? share + ends : share;
    }
    if (options_.endpoints) lane.vertex[source] += targets;
  }

  const Graph& graph_;
  const BetweennessOptions& options_;
  const std::vector<bool>& is_target_;
  Array<Node> nodes_;
  std::vector<VertexId> order_;
};

void check_vertices(const std::vector<VertexId>& vertices, VertexId n, const char* id, const char* what) {
  for (const VertexId v : vertices) {
    if (v < n) continue;
    throw Error({.failure = Failure::usage,
                 .id = id,
                 .found = std::string("vertex ") + std::to_string(v) + " as a " + what,
                 .expected = n ? "a vertex from 0 to " + std::to_string(n - 1) : "none: the graph has no vertices"});
  }
}

void add_up(Team& team, const std::vector<Lane>& lanes, Array<double> Lane::*part, Array<double>& sum) {
  parallel_for(team, sum.size(), std::size_t{1} << 14, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i)
      for (const Lane& lane : lanes)
        if (!(lane.*part).empty()) sum[i] += (lane.*part)[i];
  });
}

/// What is asked for, checked.
struct Request {
  const Graph& graph;
  const BetweennessOptions& options;
  const core::Watch watch;
  std::vector<bool> is_target = {};  ///< empty: all are
  std::uint64_t total = 0;           ///< searches

  Request(const Graph& given, const BetweennessOptions& asked) : graph(given), options(asked), watch(asked.limits) {
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
  [[nodiscard]] bool wants_more(std::uint64_t done) const { return !options.progress || options.progress(done, total); }
};

/// Fills `found.vertex`, `arc`, `sources` and `most_paths`. False: the caller's function ended it.
bool on_cpu(const Request& request, Betweenness& found) {
  const Graph& graph = request.graph;
  const VertexId n = graph.num_vertices();
  const std::size_t arcs = found.arc.size();
  std::vector<Lane> lanes(search_detail::count_lanes(n + arcs, request.total));
  for (std::size_t i = 0; i < lanes.size(); ++i)
    lanes[i].begin = request.total * i / lanes.size(), lanes[i].end = request.total * (i + 1) / lanes.size();

  const int threads = request.options.threads;
  Team team(request.total * (std::uint64_t{n} + graph.num_arcs()) < 1u << 16 && threads == 0 ? 1 : threads);
  Ending ending(request.watch);
  std::atomic<std::size_t> next{0}, done{0}, lanes_left{lanes.size()};
  std::atomic<bool> refused{false};
  const auto go_on = [&](int rank) {
    if (rank == 0 && !request.wants_more(done.load(std::memory_order_relaxed))) {
      refused = true;
      ending.end();
    }
    return !ending.now();
  };
  team.run([&](int rank) {
    try {
      std::unique_ptr<Search> search;
      for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < lanes.size();) {
        Lane& lane = lanes[i];
        for (std::size_t k = lane.begin; k < lane.end; ++k) {
          if (!go_on(rank)) return;
          if (!search) search = std::make_unique<Search>(graph, request.options, request.is_target);
          if (lane.vertex.empty()) lane.vertex = Array<double>::filled(n, 0), lane.arc = Array<double>::filled(arcs, 0);
          if (!search->run(request.source(k), lane, ending)) return;
          ++lane.searched;
          done.fetch_add(1, std::memory_order_relaxed);
        }
        lanes_left.fetch_sub(1, std::memory_order_relaxed);
      }
      // The calling thread goes on to ask whether it shall go on.
      while (rank == 0 && lanes_left.load(std::memory_order_relaxed) > 0 && go_on(rank))
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    } catch (...) {
      ending.end();  // so that the others end as well
      throw;
    }
  });
  for (const Lane& lane : lanes) {
    found.sources += lane.searched;
    found.most_paths = std::max(found.most_paths, lane.most_paths);
  }
  add_up(team, lanes, &Lane::vertex, found.vertex);
  add_up(team, lanes, &Lane::arc, found.arc);
  return !refused;
}

bool on_device(const Request& request, const resident::Placement& placement, const device::Api& api, Betweenness& found) {
  const Graph& graph = request.graph;
  const device::KeepCurrent keep(&api);
  device::Device device(api, placement.on);
  device.set_schedule(resident::schedule_of(placement));
  const resident::CopiedRows out(device, graph.out());
  std::optional<resident::CopiedRows> in;
  if (graph.directed()) {
    Team team(graph.num_arcs() < std::size_t{1} << 15 ? 1 : 0);
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
      resident::machine(api).betweenness(device, {.out = out.rows(),
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
  found.most_paths = tally.most_paths;
  return !refused;
}

}  // namespace

Betweenness betweenness(const Graph& graph, const BetweennessOptions& options) {
  const Request request(graph, options);
  Betweenness found{.vertex = Array<double>::filled(graph.num_vertices(), 0),
                    .arc = Array<double>::filled(options.arcs ? graph.num_arcs() : 0, 0)};
  const resident::Placement placement{
      .device = options.device, .on = options.on, .seed = options.seed, .schedule = options.schedule};
  const device::Api* api = resident::api_for_call(placement, found.notes);
  if (api) found.device = options.device == DeviceKind::sim ? DeviceKind::sim : DeviceKind::gpu;
  if (request.total == 0) return found;
  const bool wanted = api ? on_device(request, placement, *api, found) : on_cpu(request, found);
  found.complete = found.sources == request.total;
  if (!found.complete)
    found.ended = !wanted ? "HW-INTERRUPTED" : request.watch.stop().stop_requested() ? "HW-CANCELLED" : "HW-TIME-LIMIT";
  return found;
}

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
    throw Error({.failure = Failure::usage,
                 .id = "HW-OPTION-VALUE",
                 .found = "a risk of " + std::to_string(risk),
                 .expected = "a number above 0 and below 1"});
  if (samples >= num_vertices) return 0;
  if (samples == 0) return 1;
  const double n = num_vertices, k = static_cast<double>(samples);
  // From one source at most n − 2 targets have a vertex on their ways. The mean of these shares, times n / (n − 1), is
  // normalized.
  return std::min(1.0, n / (n - 1) * std::sqrt(std::log(2 * n / risk) / (2 * k)));
}

}  // namespace hopwave::inline v0_1
