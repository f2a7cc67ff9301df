// Answers that stay in device memory, and their use there.
#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "bfs/searcher/searcher.h"
#include "bfs/searcher/trim.h"
#include "core/refuse.h"
#include "core/stopwatch.h"
#include "hopwave/device_result.h"

namespace hopwave::inline v0_1 {
namespace {

using namespace search_detail;
using core::refuse;

}  // namespace

device::DeviceAnswer Searcher::State::run_on_device(const Query& query, const core::Watch& watch, Result& result) {
  result.run = traverse(query, watch);
  const core::Stopwatch copying;
  device->wait();
  device::DeviceAnswer answer = plan->answer();
  if (!query.parents) answer.parent = nullptr;
  Distance limit = query.max_depth < 0 ? std::numeric_limits<Distance>::max() : query.max_depth;
  if (query.target != no_vertex) {
    Distance there = unreached;
    device->copy_out(&there, answer.distance + query.target, sizeof there);
    if (there != unreached) limit = std::min(limit, there);
  }
  if (limit != std::numeric_limits<Distance>::max() && num_vertices > 0) {
    // A copy: what a traversal has left in place may be what its next search starts from.
    if (trimmed.empty()) trimmed = device::Buffer<Distance>(*device, num_vertices);
    device->copy(trimmed.data(), answer.distance, num_vertices * sizeof(Distance));
    answer.distance = trimmed.data();
    if (answer.parent) {
      if (trimmed_parent.empty()) trimmed_parent = device::Buffer<VertexId>(*device, num_vertices);
      device->copy(trimmed_parent.data(), answer.parent, num_vertices * sizeof(VertexId));
      answer.parent = trimmed_parent.data();
    }
    resident::trim_answer(device->api())(*device, trimmed.data(), answer.parent ? trimmed_parent.data() : nullptr, num_vertices,
                                         limit);
  }
  if (query.max_depth >= 0 || query.target != no_vertex || !answer.sums) {
    sum_later({answer.distance, num_vertices, 1});
    device->wait();
    answer.sums = sums_now();
  }
  result.reached = answer.sums->reached;
  result.depth = static_cast<Distance>(answer.sums->depth);
  result.run.copy_out = copying.elapsed();
  agree_with_answer(result);
  return answer;
}

SearchReport Searcher::State::run_each_on_device(std::span<const VertexId> sources, Distance max_depth,
                                                 const core::Watch& watch, const RowsThere& there, const RowHere& row_here) {
  one_by_one = false;
  SearchReport sum;
  for (std::size_t at = 0; at < sources.size();) {
    const std::size_t width = next_pass(sources.size() - at);
    const auto pass = sources.subspan(at, std::max<std::size_t>(width, 1));
    SearchReport stats;
    if (width == 0) {
      Result result;
      const device::DeviceAnswer answer = run_on_device({.sources = {sources[at]}, .max_depth = max_depth}, watch, result);
      there(at, {answer.distance, num_vertices, 1});
      stats = std::move(result.run);
    } else if (!try_pass(pass, max_depth, watch, stats)) {
      continue;  // one by one, from here on
    } else {
      Array<Distance> here;
      for (std::size_t i = 0; i < pass.size();) {
        device::DeviceRows rows = plan->each_rows(i);
        rows.count = std::min(rows.count, pass.size() - i);
        if (rows.count) {
          there(at + i, rows);
          i += rows.count;
          continue;
        }
        if (here.empty()) here = Array<Distance>(num_vertices);  // it keeps no rows
        plan->fetch_each(i, here.span());
        row_here(at + i, here);
        ++i;
      }
    }
    at += pass.size();
    search_detail::add(sum, std::move(stats));
  }
  device->wait();
  return sum;
}

SearchReport Searcher::State::run_each_on_device(std::span<const VertexId> sources, Distance max_depth,
                                                 const core::Watch& watch, Distance* to) {
  const std::size_t n = num_vertices;
  const auto trim = [&](std::size_t i) {
    if (max_depth >= 0 && n) resident::trim_answer(device->api())(*device, to + i * n, nullptr, num_vertices, max_depth);
  };
  return run_each_on_device(
      sources, max_depth, watch,
      [&](std::size_t first, const device::DeviceRows& rows) {
        for (std::size_t k = 0; k < rows.count; ++k) {
          if (n) device->copy(to + (first + k) * n, rows.first + k * rows.stride, n * sizeof(Distance));
          trim(first + k);
        }
      },
      [&](std::size_t i, const Array<Distance>& row) {
        device->copy_in(to + i * n, row.data(), n * sizeof(Distance));
        trim(i);
        device->wait();  // the next one comes to the same place on the host
      });
}

LevelCounts Searcher::State::count(const Query& query, const core::Watch& watch, SearchReport& stats) {
  Query distances = query;
  distances.parents = false;
  Result result;
  LevelCounts counts;
  if (!leaves_answer()) {
    result = run_whole(distances, watch);
    counts = counted(result.distance.span());
  } else {
    const device::DeviceAnswer answer = run_on_device(distances, watch, result);
    if (result.reached) counts.at = resident::count_answer(device->api())(*device, answer.distance, num_vertices, result.depth);
  }
  stats = std::move(result.run);
  return counts;
}

void Searcher::State::require_answer_on_device() const {
  if (!leaves_answer())
    refuse("HW-VIEW-DEVICE", name + (device ? ", which leaves no answer on its device" : " on the CPU"),
           "a search on a GPU or in the simulator", "run() brings every answer to the host");
}

SearchReport Searcher::run_each_on_device(std::span<const VertexId> sources, Distance max_depth, Distance* to) {
  const Use use(state_);
  check_sources(use->num_vertices, sources, max_depth);
  use->require_answer_on_device();
  if (!to && !sources.empty()) refuse("HW-VIEW-SIZE", "no memory for distances", "room for one row per source", "");
  return use->run_each_on_device(sources, max_depth, core::Watch(use->options.run.limits), to);
}

DeviceResult Searcher::run_on_device(const Query& query) {
  const Use use(state_);
  check_query(use->num_vertices, query);
  use->require_answer_on_device();
  if (query.parents && !(use->info->native_parents && query.ties == Ties::any))
    refuse("HW-VIEW-PARENTS", query.ties == Ties::min ? "least parents" : "parents, which " + use->name + " does not find",
           "any parents of strategy auto", "run() derives them on the host");
  Result result;
  const device::DeviceAnswer answer = use->run_on_device(query, core::Watch(use->options.run.limits), result);
  DeviceResult view;
  view.state_ = state_;
  view.search_ = use->searches;
  view.distance_ = answer.distance;
  view.parent_ = answer.parent;
  view.reached_ = result.reached;
  view.depth_ = result.depth;
  view.run_ = std::move(result.run);
  return view;
}

LevelCounts Searcher::count_levels(const Query& query) {
  const Use use(state_);
  check_query(use->num_vertices, query);
  SearchReport stats;
  return use->count(query, core::Watch(use->options.run.limits), stats);
}

bool DeviceResult::valid() const noexcept {
  const auto state = state_.lock();
  return state && state->searches == search_;
}

void DeviceResult::check() const {
  if (valid()) return;
  refuse("HW-VIEW-ENDED", "an answer in device memory that is gone", "one of the searcher's last search",
         "copy it before the next search, or use a searcher for each");
}

/// The searcher, held as by a call of its own.
Searcher::Use DeviceResult::open() const {
  check();
  return Searcher::Use(state_.lock());
}

const Distance* DeviceResult::distance() const {
  check();
  return distance_;
}
const VertexId* DeviceResult::parent() const {
  check();
  return parent_;
}
VertexId DeviceResult::num_vertices() const {
  check();
  const auto state = state_.lock();
  return state ? state->num_vertices : 0;
}
VertexId DeviceResult::reached() const {
  check();
  return reached_;
}
Distance DeviceResult::depth() const {
  check();
  return depth_;
}

LevelCounts DeviceResult::level_counts() const {
  const Searcher::Use use = open();
  LevelCounts counts;
  if (reached_) counts.at = resident::count_answer(use->device->api())(*use->device, distance_, use->num_vertices, depth_);
  return counts;
}

void DeviceResult::copy_to(std::span<Distance> to) const {
  const Searcher::Use use = open();
  check_room(to.size(), use->num_vertices);
  if (!to.empty()) use->device->copy_out(to.data(), distance_, to.size_bytes());
}

}  // namespace hopwave::inline v0_1
