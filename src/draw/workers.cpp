// Each rule as its kernel reads: which thread has which item, which threads pass the first test, and what they look at in which
// order.
#include "draw/workers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

namespace hopwave::picture {
namespace {

std::uint32_t block_of(const Subject& subject) { return static_cast<std::uint32_t>(subject.parameter("block", 256)); }

void look_at_row(const Level& level, VertexId v, Worker& worker) {
  for (const VertexId w : level.subject().forward[v]) worker.looks.push_back(level.push(v, w));
}

}  // namespace

Look Level::push(VertexId v, VertexId w) const {
  const bool finds = subject_.level[w] == current_;
  return {v, w, w, !finds ? Outcome::seen : subject_.parent[w] == v ? Outcome::labels : Outcome::also};
}

Worker Level::worker(std::uint64_t item, std::uint64_t items) const {
  const std::uint64_t block = block_of(subject_), asked = static_cast<std::uint64_t>(subject_.parameter("grid", 0));
  const std::uint64_t blocks = asked ? asked : std::max<std::uint64_t>(1, (items + block - 1) / block);
  const std::uint64_t thread = item % (blocks * block);
  Worker worker;
  worker.block = static_cast<std::uint32_t>(thread / block);
  worker.thread = static_cast<std::uint32_t>(thread % block);
  return worker;
}

Launch push_vertices(const Level& level, const std::vector<VertexId>& order) {
  Launch launch{.what = "one thread per vertex: those of the level before look at their neighbours"};
  const VertexId n = level.subject().size();
  for (VertexId i = 0; i < n; ++i) {
    const VertexId v = order.empty() ? i : order[i];
    Worker worker = level.worker(i, n);
    worker.item = level.name(v);
    worker.checks = v;
    worker.works = level.in_frontier(v);
    if (worker.works) look_at_row(level, v, worker);
    launch.workers.push_back(std::move(worker));
  }
  return launch;
}

Launch pull_vertices(const Level& level) {
  Launch launch{.what = "one thread per vertex: the unvisited look for a neighbour of the level before and stop at the first"};
  const Subject& subject = level.subject();
  for (VertexId v = 0; v < subject.size(); ++v) {
    Worker worker = level.worker(v, subject.size());
    worker.item = level.name(v);
    worker.checks = v;
    worker.works = level.unvisited(v);
    if (worker.works)
      for (const VertexId u : subject.backward[v]) {
        const bool hit = level.in_frontier(u);
        worker.looks.push_back({u, v, u, hit ? Outcome::labels : Outcome::seen});
        if (hit) break;
      }
    launch.workers.push_back(std::move(worker));
  }
  return launch;
}

Launch push_arcs(const Level& level) {
  Launch launch{.what = "one thread per arc: those whose tail has the level before look at their head"};
  const Subject& subject = level.subject();
  std::uint64_t arcs = 0, arc = 0;
  for (const auto& row : subject.forward) arcs += row.size();
  for (VertexId v = 0; v < subject.size(); ++v) {
    for (const VertexId w : subject.forward[v]) {
      Worker worker = level.worker(arc++, arcs);
      worker.item = level.arc(v, w);
      worker.checks = v;
      worker.works = level.in_frontier(v);
      if (worker.works) worker.looks.push_back(level.push(v, w));
      launch.workers.push_back(std::move(worker));
    }
  }
  return launch;
}

Launch push_queue(const Level& level, const std::vector<VertexId>& queue) {
  Launch launch{.what = "one thread per entry of the queue: it looks at the entry's neighbours"};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    Worker worker = level.worker(i, queue.size());
    worker.item = level.name(queue[i]);
    worker.works = true;
    look_at_row(level, queue[i], worker);
    launch.workers.push_back(std::move(worker));
  }
  return launch;
}

Launch update_vertices(const Level& level, const std::string& what) {
  Launch launch{.what = what, .iterates = false};
  const Subject& subject = level.subject();
  for (VertexId v = 0; v < subject.size(); ++v) {
    Worker worker = level.worker(v, subject.size());
    worker.item = level.name(v);
    worker.works = subject.level[v] == level.current();
    launch.workers.push_back(std::move(worker));
  }
  return launch;
}

Launch push_groups(const Level& level, std::uint32_t width) {
  Launch launch{
      .what = fmt::format("{} threads take {} vertices and walk the row of each frontier vertex together", width, width),
      .group = width};
  const Subject& subject = level.subject();
  const VertexId n = subject.size();
  const std::uint32_t block = (block_of(subject) + width - 1) / width * width;
  const VertexId threads = (n + width - 1) / width * width;  // the last group helps beyond the last vertex
  const std::uint64_t asked = static_cast<std::uint64_t>(subject.parameter("grid", 0));
  const std::uint64_t grid = asked ? asked : std::max<std::uint64_t>(1, (std::uint64_t{n} + block - 1) / block);
  for (VertexId t = 0; t < threads; ++t) {
    const std::uint64_t thread = t % (grid * block);
    Worker worker;
    worker.block = static_cast<std::uint32_t>(thread / block);
    worker.thread = static_cast<std::uint32_t>(thread % block);
    worker.item = t < n ? level.name(t) : "–";
    worker.checks = t < n ? t : no_vertex;
    std::uint32_t round = 0;
    for (VertexId v = t / width * width; v < std::min(n, t / width * width + width); ++v) {
      const auto& row = subject.forward[v];
      if (!level.in_frontier(v)) continue;
      for (std::size_t first = 0; first < row.size(); first += width, ++round) {
        if (first + t % width >= row.size()) continue;
        worker.looks.push_back(level.push(v, row[first + t % width]));
        worker.looks.back().round = round;
      }
    }
    worker.works = !worker.looks.empty();
    launch.workers.push_back(std::move(worker));
  }
  return launch;
}

Launch push_block_per_entry(const Level& level, const std::vector<VertexId>& queue) {
  Launch launch{.what = "one block per entry of the queue, one thread per arc of it"};
  const Subject& subject = level.subject();
  const std::uint32_t block = block_of(subject);
  const std::uint64_t grid = static_cast<std::uint64_t>(subject.parameter("grid", 0));
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto& row = subject.forward[queue[i]];
    for (std::size_t k = 0; k < row.size(); ++k) {
      Worker worker;
      worker.block = static_cast<std::uint32_t>(grid ? i % grid : i);
      worker.thread = static_cast<std::uint32_t>(k % block);
      worker.item = level.arc(queue[i], row[k]);
      worker.works = true;
      worker.looks.push_back(level.push(queue[i], row[k]));
      launch.workers.push_back(std::move(worker));
    }
  }
  return launch;
}

std::vector<Launch> push_deferring(const Level& level) {
  const Subject& subject = level.subject();
  const auto defer_max = static_cast<std::size_t>(subject.parameter("defer_max", 0));
  const auto queue_size = static_cast<std::size_t>(subject.parameter("queue_size", 0));
  const bool together = subject.parameter("together", 0) != 0;
  Launch first = push_vertices(level, {});
  std::map<std::uint32_t, std::vector<VertexId>> deferred;  // by block
  for (VertexId v = 0; v < subject.size(); ++v) {
    Worker& worker = first.workers[v];
    auto& queue = deferred[worker.block];
    if (!worker.works || subject.forward[v].size() < defer_max || queue.size() >= queue_size) continue;
    queue.push_back(v);
    worker.looks.clear();
    worker.item += " later";
  }
  Launch second{.what = together ? "the same launch, after a barrier: all threads of a block share out each deferred row"
                                 : "the same launch, after a barrier: one thread per deferred vertex"};
  for (const auto& [block, queue] : deferred)
    for (std::size_t i = 0; i < queue.size(); ++i) {
      Worker worker;
      worker.block = block;
      worker.works = true;
      const auto& row = subject.forward[queue[i]];
      const std::uint32_t threads = block_of(subject);
      for (std::uint32_t t = 0; t < (together ? std::min<std::size_t>(threads, row.size()) : 1); ++t) {
        worker.thread = together ? t : static_cast<std::uint32_t>(i % threads);
        worker.item = level.name(queue[i]);
        worker.looks.clear();
        for (std::size_t k = t; k < row.size(); k += together ? threads : 1)
          worker.looks.push_back(level.push(queue[i], row[k]));
        second.workers.push_back(worker);
      }
    }
  std::vector<Launch> launches{std::move(first)};
  if (!second.workers.empty()) launches.push_back(std::move(second));
  return launches;
}

std::vector<VertexId> found_by(const Launch& launch) {
  std::vector<VertexId> found;
  for (const Worker& worker : launch.workers)
    for (const Look& look : worker.looks)
      if (look.outcome == Outcome::labels && std::find(found.begin(), found.end(), look.to) == found.end())
        found.push_back(look.to);
  return found;
}

void gather_by_block(Launch& launch, std::size_t capacity, bool flushes) {
  std::map<std::uint32_t, std::vector<VertexId>> by_block;
  std::vector<VertexId> met;
  for (const Worker& worker : launch.workers)
    for (const Look& look : worker.looks) {
      if (look.outcome != Outcome::labels || std::find(met.begin(), met.end(), look.to) != met.end()) continue;
      met.push_back(look.to);
      by_block[worker.block].push_back(look.to);
    }
  std::vector<VertexId> next;
  if (!flushes)  // what found no room is in the common queue before any block copies
    for (auto& [block, found] : by_block)
      for (; found.size() > capacity; found.erase(found.begin() + static_cast<std::ptrdiff_t>(capacity)))
        next.push_back(found[capacity]);
  for (const auto& entry : by_block) {
    const std::vector<VertexId>& found = entry.second;
    const std::size_t most = std::max<std::size_t>(capacity, 1);
    for (std::size_t from = 0; from < found.size(); from += most) {
      const auto part = std::span(found).subspan(from, std::min(most, found.size() - from));
      launch.queues.push_back({entry.first, {part.begin(), part.end()}, next.size()});
      next.insert(next.end(), part.begin(), part.end());
    }
  }
  launch.next = std::move(next);
}

}  // namespace hopwave::picture
