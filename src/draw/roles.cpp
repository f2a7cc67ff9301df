// Which rule a strategy follows, and the rules level by level.
#include "draw/roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "draw/workers.h"

namespace hopwave::picture {
namespace {

/// Carried from level to level by the rules with a queue: the vertices that the coming level expands.
using Queue = std::vector<VertexId>;
using Draw = std::vector<Launch> (*)(const Level& level, Queue& queue);

struct Rule {
  std::string_view strategy;
  std::string_view sentence;
  Draw draw;  ///< null: no picture of threads
};

std::vector<VertexId> by_degree(const Subject& subject) {
  std::vector<VertexId> order(subject.size());
  std::iota(order.begin(), order.end(), VertexId{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](VertexId a, VertexId b) { return subject.forward[a].size() < subject.forward[b].size(); });
  return order;
}

std::vector<Launch> by_vertex(const Level& level, Queue&) { return {push_vertices(level, {})}; }
std::vector<Launch> by_vertex_in_order(const Level& level, Queue&) {
  return {push_vertices(level, by_degree(level.subject()))};
}
std::vector<Launch> by_vertex_twice(const Level& level, Queue&) {
  return {push_vertices(level, {}), update_vertices(level, "a thread a vertex: those found become the next frontier")};
}
std::vector<Launch> by_pull(const Level& level, Queue&) { return {pull_vertices(level)}; }
std::vector<Launch> by_arc(const Level& level, Queue&) { return {push_arcs(level)}; }
std::vector<Launch> deferring(const Level& level, Queue&) { return push_deferring(level); }

std::vector<Launch> either_way(const Level& level, Queue&) {
  const auto& directions = level.subject().directions;
  const auto step = static_cast<std::size_t>(level.current() - 1);
  const bool pull = step < directions.size() && directions[step] == "pull";
  return {pull ? pull_vertices(level) : push_vertices(level, {})};
}

std::vector<Launch> in_groups(const Level& level, Queue&) {
  return {push_groups(level, std::bit_floor(static_cast<std::uint32_t>(level.subject().parameter("width", 1))))};
}

std::vector<Launch> by_entry(const Level& level, Queue& queue) {
  Launch launch = push_queue(level, queue);
  queue = found_by(launch);
  launch.next = queue;
  return {std::move(launch)};
}

std::vector<Launch> by_scan(const Level& level, Queue& queue) {
  std::vector<Launch> launches{
      push_queue(level, queue),
      update_vertices(level, "a thread a vertex: a prefix sum of the flags gives those found their place")};
  queue = found_by(launches.front());
  std::sort(queue.begin(), queue.end());
  launches.back().next = queue;
  return launches;
}

/// A launch whose blocks put what they find into queues of their own, of as many places as the parameter says.
std::vector<Launch> with_block_queues(Launch launch, const Level& level, Queue& queue, const char* places, bool flushed) {
  const std::int64_t standard = flushed ? 1 : 0;
  gather_by_block(launch, static_cast<std::size_t>(level.subject().parameter(places, standard)), flushed);
  queue = *launch.next;
  return {std::move(launch)};
}

std::vector<Launch> by_private_queue(const Level& level, Queue& queue) {
  return with_block_queues(push_queue(level, queue), level, queue, "capacity", false);
}

std::vector<Launch> by_flushed_queue(const Level& level, Queue& queue) {
  return with_block_queues(push_queue(level, queue), level, queue, "queue_size", true);
}

std::vector<Launch> by_block(const Level& level, Queue& queue) {
  return with_block_queues(push_block_per_entry(level, queue), level, queue, "capacity", false);
}

std::vector<Launch> by_single_grid(const Level& level, Queue& queue) {
  const auto capacity = static_cast<std::size_t>(level.subject().parameter("capacity", 1));
  if (queue.size() > capacity) {
    auto launches = by_private_queue(level, queue);
    launches.front().what = "a launch for this level alone: " + launches.front().what;
    return launches;
  }
  Launch launch = push_queue(level, queue);
  const auto threads = static_cast<std::uint32_t>(level.subject().parameter("single_block", 1));
  for (std::size_t i = 0; i < launch.workers.size(); ++i) {
    launch.workers[i].block = 0;
    launch.workers[i].thread = static_cast<std::uint32_t>(i % threads);
  }
  launch.what = "inside the launch of one block, which takes levels until the frontier is empty or outgrows its queue";
  queue = found_by(launch);
  launch.next = queue;
  return {std::move(launch)};
}

constexpr std::string_view sentence_push =
    "A thread has a vertex; if the vertex is of the level before, the thread labels its unvisited neighbours.";
constexpr std::string_view sentence_order =
    "Threads have the vertices in ascending order of degree; those of the level before label their unvisited neighbours.";
constexpr std::string_view sentence_masks =
    "A thread has a vertex; a first launch labels neighbours of the frontier, a second makes those found the next frontier.";
constexpr std::string_view sentence_arcs =
    "A thread has an arc; if its tail is of the level before, the thread labels its head.";
constexpr std::string_view sentence_private =
    "A thread has an entry of the queue; a block gathers what its threads find in shared memory and copies it in one piece.";
constexpr std::string_view sentence_relax =
    "Levels and tree alone: a pass that relaxes settles more or fewer levels as its threads happen to meet.";
constexpr std::string_view sentence_auto =
    "Levels and tree alone: auto changes what a thread is assigned to within a search (docs/engine).";
constexpr std::string_view sentence_cpu = "Levels and tree alone: a CPU strategy deals out work as its threads come for it.";

const Rule rules[] = {
    {"pmpp-vertex-push", sentence_push, by_vertex},
    {"pmpp-vertex-pull",
     "A thread has a vertex; if the vertex is unvisited, the thread looks for a neighbour of the level before and stops at the "
     "first.",
     by_pull},
    {"pmpp-direction",
     "A thread has a vertex; it pushes in some levels and pulls in others, by the number of arcs that leave the frontier.",
     either_way},
    {"pmpp-edge", sentence_arcs, by_arc},
    {"pmpp-frontier", "A thread has an entry of the queue; who wins a neighbour appends it to the next queue.", by_entry},
    {"pmpp-private-frontier", sentence_private, by_private_queue},
    {"pmpp-single-grid",
     "A thread has an entry of the queue; one block takes consecutive levels in one launch while they fit its queue.",
     by_single_grid},
    {"gpu101-block-per-vertex", "A block has an entry of the queue, and each of its threads an arc of that vertex.", by_block},
    {"hn-two-kernel", sentence_masks, by_vertex_twice},
    {"survey-frontier", sentence_masks, by_vertex_twice},
    {"survey-frontier-numbers", sentence_push, by_vertex},
    {"survey-defer", "A thread has a vertex; long rows of the frontier wait until the block has done all others.", deferring},
    {"survey-reorder-redirect", sentence_order, by_vertex_in_order},
    {"survey-reorder-physical", sentence_order, by_vertex_in_order},
    {"survey-virtual-warp",
     "A group of threads has a group of vertices and walks each row of the frontier among them together.", in_groups},
    {"survey-hierarchical-queue", sentence_private, by_flushed_queue},
    {"survey-scan-queue", "A thread has an entry of the queue; a prefix sum over flags makes the next queue.", by_scan},
    {"survey-edge-numbers", sentence_arcs, by_arc},
    {"survey-simple", sentence_relax, nullptr},
    {"survey-edge-simple", sentence_relax, nullptr},
    {"auto", sentence_auto, nullptr},
};

const Rule* find_rule(std::string_view strategy) {
  static const Rule cpu{"cpu", sentence_cpu, nullptr};
  if (strategy.starts_with("cpu-")) return &cpu;
  const auto* const found =
      std::find_if(std::begin(rules), std::end(rules), [&](const Rule& r) { return r.strategy == strategy; });
  return found == std::end(rules) ? nullptr : found;
}

std::vector<VertexId> at_level(const Subject& subject, Distance level) {
  std::vector<VertexId> vertices;
  for (VertexId v = 0; v < subject.size(); ++v)
    if (subject.level[v] == level) vertices.push_back(v);
  return vertices;
}

}  // namespace

bool has_rule(std::string_view strategy) { return find_rule(strategy) != nullptr; }

Roles derive_roles(const Subject& subject) {
  Roles roles;
  const Rule* const rule = find_rule(subject.strategy);
  roles.threads = rule && rule->draw;
  roles.rule = rule ? rule->sentence : "Levels and tree alone: there is no rule for this strategy's threads.";
  Distance last = 0;
  for (const Distance d : subject.level) last = std::max(last, d);
  // The step that finds nothing ends a search; one that was ended earlier, by depth or target, has fewer.
  const Distance steps = roles.threads ? static_cast<Distance>(subject.directions.size()) : last;
  Queue queue = at_level(subject, 0);
  for (Distance current = 1; current <= std::min(steps, last + 1); ++current) {
    Step step{.level = current, .before = at_level(subject, current - 1), .found = at_level(subject, current)};
    if (roles.threads) step.launches = rule->draw(Level(subject, current), queue);
    roles.steps.push_back(std::move(step));
  }
  return roles;
}

}  // namespace hopwave::picture
