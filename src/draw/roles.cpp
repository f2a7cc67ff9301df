// What each thread does, level by level, by what a thread of the strategy has.
#include "draw/roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <utility>

#include "draw/workers.h"

namespace hopwave::picture {
namespace {

/// Carried from level to level by the rules with a queue: the vertices that the coming level expands.
using Queue = std::vector<VertexId>;
using Draw = std::vector<Launch> (*)(const Level& level, Queue& queue);

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
  return {push_vertices(level, {}), update_vertices(level, "one thread per vertex: those found become the next frontier")};
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
      update_vertices(level, "one thread per vertex: a prefix sum of the flags gives those found their place")};
  queue = found_by(launches.front());
  std::sort(queue.begin(), queue.end());
  ArrayRow found{"F: found in this level", {}}, places{"P: how many before it", {}};
  for (const Distance d : level.subject().level) {
    places.values.push_back(found.values.empty() ? 0 : places.values.back() + found.values.back());
    found.values.push_back(d == level.current());
  }
  launches.back().arrays = {std::move(found), std::move(places)};
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

/// Null: no picture of threads.
Draw drawing_of(Item item) {
  switch (item) {
    case Item::none:
      return nullptr;
    case Item::vertex:
      return by_vertex;
    case Item::vertex_by_degree:
      return by_vertex_in_order;
    case Item::vertex_then_update:
      return by_vertex_twice;
    case Item::vertex_deferring:
      return deferring;
    case Item::unvisited_vertex:
      return by_pull;
    case Item::either_vertex:
      return either_way;
    case Item::vertices_of_a_group:
      return in_groups;
    case Item::arc:
      return by_arc;
    case Item::entry:
      return by_entry;
    case Item::entry_then_scan:
      return by_scan;
    case Item::entry_by_block:
      return by_private_queue;
    case Item::entry_flushing:
      return by_flushed_queue;
    case Item::entry_in_one_launch:
      return by_single_grid;
    case Item::arc_of_an_entry:
      return by_block;
  }
  return nullptr;
}

std::vector<VertexId> at_level(const Subject& subject, Distance level) {
  std::vector<VertexId> vertices;
  for (VertexId v = 0; v < subject.size(); ++v)
    if (subject.level[v] == level) vertices.push_back(v);
  return vertices;
}

}  // namespace

Roles derive_roles(const Subject& subject) {
  std::vector<Step> steps;
  Roles roles = derive_roles(subject, [&](Step&& step) { steps.push_back(std::move(step)); });
  roles.steps = std::move(steps);
  return roles;
}

Roles derive_roles(const Subject& subject, const std::function<void(Step&&)>& take) {
  Roles roles;
  const Draw draw = drawing_of(subject.work.item);
  roles.threads = draw != nullptr;
  roles.rule = subject.work.thread;
  if (roles.rule.empty()) roles.rule = "Levels and tree alone: there is no rule for this strategy's threads.";
  Distance last = 0;
  for (const Distance d : subject.level) last = std::max(last, d);
  // The step that finds nothing ends a search; one that was ended earlier, by depth or target, has fewer.
  const Distance steps = roles.threads ? static_cast<Distance>(subject.directions.size()) : last;
  Queue queue = at_level(subject, 0);
  for (Distance current = 1; current <= std::min(steps, last + 1); ++current) {
    Step step{.level = current, .before = at_level(subject, current - 1), .found = at_level(subject, current)};
    if (roles.threads) step.launches = draw(Level(subject, current), queue);
    take(std::move(step));
  }
  return roles;
}

Tally tally(const Launch& launch) {
  struct Did {
    bool iterates = false, may_label = false, labels = false;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Did> threads;
  Tally sum;
  for (const Worker& worker : launch.workers) {
    Did& did = threads[{worker.block, worker.thread}];
    did.iterates |= worker.works && launch.iterates;
    sum.looks += worker.looks.size();
    for (const Look& look : worker.looks) {
      did.may_label |= look.outcome != Outcome::seen;
      did.labels |= look.outcome == Outcome::labels;
    }
  }
  sum.threads = threads.size();
  for (const auto& [thread, did] : threads) {
    sum.iterate += did.iterates;
    sum.may_label += did.may_label;
    sum.label += did.labels;
  }
  return sum;
}

}  // namespace hopwave::picture
