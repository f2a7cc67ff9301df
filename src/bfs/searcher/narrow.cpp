// Answers of one or two bytes a distance: packed on the device that found them, or on the host.
#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "bfs/plan/thresholds.h"
#include "bfs/searcher/searcher.h"
#include "bfs/searcher/trim.h"
#include "core/options.h"
#include "core/refuse.h"
#include "core/stopwatch.h"
#include "hopwave/device_result.h"

namespace hopwave::inline v0_1 {
namespace {

using namespace search_detail;
using thresholds::AnyDevice;

constexpr Distance no_limit = std::numeric_limits<Distance>::max();

/// What does not fit begins here, and is stored as this.
template <class Narrow>
constexpr Distance no_room = static_cast<Narrow>(~Narrow{0}) - 1;

template <class Narrow>
void check_fits(Distance depth, Deeper deeper) {
  if (deeper == Deeper::clamp || depth < no_room<Narrow>) return;
  core::refuse("HW-DISTANCE-NARROW", "a distance of " + std::to_string(depth),
               "distances below " + std::to_string(no_room<Narrow>) + " in " + std::to_string(8 * sizeof(Narrow)) + " bits",
               depth < no_room<std::uint16_t> ? "16 bits have room for it" : "32 bits have room for it");
}

template <class Narrow>
Narrow narrowed(Distance d, Distance limit) {
  constexpr Narrow none = static_cast<Narrow>(~Narrow{0});
  return d == unreached || d > limit ? none : static_cast<Narrow>(std::min(d, no_room<Narrow>));
}

template <class Narrow>
void pack_here(Team& team, std::span<const Distance> from, Distance limit, Narrow* to) {
  parallel_for(team, from.size(), thresholds::Cpu::copy_grain, [&](std::size_t begin, std::size_t end, int) {
    std::transform(from.begin() + begin, from.begin() + end, to + begin,
                   [&](Distance d) { return narrowed<Narrow>(d, limit); });
  });
}

template <class Narrow>
void narrow_span(std::span<const Distance> from, std::span<Narrow> to, Deeper deeper) {
  core::require_named(deeper, Deeper::clamp, "deeper");
  check_room(to.size(), from.size());
  check_fits<Narrow>(from.empty() ? 0 : *std::max_element(from.begin(), from.end()), deeper);
  std::transform(from.begin(), from.end(), to.begin(), [](Distance d) { return narrowed<Narrow>(d, no_limit); });
}

}  // namespace

template <class Narrow>
void Searcher::State::bring_packed(device::DeviceRows rows, Distance limit, Narrow* to, bool pinned) {
  const std::size_t n = num_vertices, row_bytes = n * sizeof(Narrow);
  if (n == 0) return;
  const std::size_t at_once = std::clamp<std::size_t>(AnyDevice::packed_bytes / row_bytes, 1, rows.count);
  if (packed.size() < at_once * row_bytes) packed = device::Buffer<std::uint8_t>(*device, at_once * row_bytes);
  if (too_deep.empty()) {
    too_deep = device::Buffer<std::uint32_t>(*device, 1);
    too_deep.fill_bytes(0);
  }
  for (std::size_t i = 0; i < rows.count; i += at_once, to += at_once * n) {
    const device::DeviceRows part{rows.first + i * rows.stride, rows.stride, std::min(at_once, rows.count - i)};
    resident::pack_answers(device->api())(*device, part, num_vertices, limit, sizeof(Narrow), packed.data(), too_deep.data());
    const std::size_t bytes = part.count * row_bytes;
    pinned ? device->copy_out_later(to, packed.data(), bytes) : device->copy_out(to, packed.data(), bytes);
  }
}

/// A whole traversal, which is packed and copied as soon as it is enqueued.
template <class Narrow>
Array<Narrow> Searcher::State::run_packed(const Query& query, const core::Watch& watch, Result& result) {
  const std::size_t n = num_vertices, bytes = n * sizeof(Narrow);
  auto memory = device::take_result_memory(*device, bytes, pin_for(bytes));
  const bool pinned = memory != nullptr;
  if (!pinned) memory = detail::allocate_values(n, sizeof(Narrow));
  gave(memory);
  Array<Narrow> distance(memory, static_cast<Narrow*>(memory.get()), n);
  UnderWay copies(*device);
  bool sent = false;
  const std::function<void(const device::DeviceAnswer&)> send = [&](const device::DeviceAnswer& answer) {
    sent = answer.distance != nullptr;
    if (sent) bring_packed({answer.distance, n, 1}, no_limit, distance.data(), pinned);
  };
  result.run = report();
  strategy::RunControl control = this->control(result.run, watch);
  if (pinned) control.handed_over = &send;
  traverse(query, control);
  const core::Stopwatch copying;
  const device::DeviceAnswer answer = plan->answer();
  if (!sent) send(answer);
  if (!answer.sums) sum_later({answer.distance, n, 1});
  device->wait();
  copies.ended();
  const resident::AnswerSums sums = answer.sums ? *answer.sums : sums_now();
  result.reached = sums.reached;
  result.depth = static_cast<Distance>(sums.depth);
  result.run.copy_out = copying.elapsed();
  agree_with_answer(result);
  return distance;
}

template <class Narrow>
NarrowResult<Narrow> Searcher::State::run_narrow(const Query& query, const core::Watch& watch, Deeper deeper) {
  const bool partial = options.run.limits.partial;
  const bool whole = query.max_depth < 0 && query.target == no_vertex && !query.parents && !partial;
  // A small answer comes sooner as it is, through pinned memory that the searcher has.
  const bool small = num_vertices * sizeof(Distance) <= AnyDevice::small_answer_bytes;
  NarrowResult<Narrow> answer;
  Result result;
  if (leaves_answer() && whole && !small) {
    answer.distance = run_packed<Narrow>(query, watch, result);
  } else {
    result = run(query, watch, partial);
    answer.distance = Array<Narrow>(num_vertices);
    pack_here(team, result.distance.span(), no_limit, answer.distance.data());
  }
  check_fits<Narrow>(result.depth, deeper);
  answer.parent = std::move(result.parent);
  answer.reached = result.reached;
  answer.depth = result.depth;
  answer.run = std::move(result.run);
  return answer;
}

template <class Narrow>
Array<Narrow> Searcher::State::narrow_from_each(std::span<const VertexId> sources, Distance max_depth, const core::Watch& watch,
                                                Deeper deeper) {
  const std::size_t n = num_vertices;
  const Distance limit = max_depth < 0 ? no_limit : max_depth;
  const HostRows rows = host_rows(sources.size(), sizeof(Narrow));
  Array<Narrow> all(rows.memory, static_cast<Narrow*>(rows.memory.get()), sources.size() * n);
  Distance deepest = 0;
  if (leaves_answer() && replicas.empty()) {
    if (!too_deep.empty()) too_deep.fill_bytes(0);
    UnderWay copies(*device);
    run_each_on_device(
        sources, max_depth, watch,
        [&](std::size_t first, const device::DeviceRows& there) {
          bring_packed(there, limit, all.data() + first * n, rows.pinned);
        },
        [&](std::size_t i, const Array<Distance>& row) {
          for (const Distance d : row)
            if (d <= limit) deepest = std::max(deepest, d);
          pack_here(team, row.span(), limit, all.data() + i * n);
        });
    copies.ended();
    if (!too_deep.empty()) deepest = std::max(deepest, static_cast<Distance>(too_deep.value()));
  } else {
    const auto take = [&](std::size_t i, Result&& result) {
      deepest = std::max(deepest, result.depth);
      pack_here(team, result.distance.span(), no_limit, all.data() + i * n);
    };
    replicas.empty() ? run_each(sources, max_depth, watch, take) : deal_each(sources, max_depth, watch, take);
  }
  check_fits<Narrow>(deepest, deeper);
  return all;
}

template <class Narrow>
NarrowResult<Narrow> Searcher::run(const Query& query, Deeper deeper) {
  const Use use(state_);
  check_query(use->num_vertices, query);
  core::require_named(deeper, Deeper::clamp, "deeper");
  return use->run_narrow<Narrow>(query, core::Watch(use->options.run.limits), deeper);
}

template <class Narrow>
Array<Narrow> Searcher::distances_from_each(std::span<const VertexId> sources, Distance max_depth, Deeper deeper) {
  const Use use(state_);
  check_sources(use->num_vertices, sources, max_depth);
  core::require_named(deeper, Deeper::clamp, "deeper");
  if (sources.empty() || use->num_vertices == 0) return {};
  return use->narrow_from_each<Narrow>(sources, max_depth, core::Watch(use->options.run.limits), deeper);
}

template NarrowResult<std::uint8_t> Searcher::run(const Query&, Deeper);
template NarrowResult<std::uint16_t> Searcher::run(const Query&, Deeper);
template Array<std::uint8_t> Searcher::distances_from_each(std::span<const VertexId>, Distance, Deeper);
template Array<std::uint16_t> Searcher::distances_from_each(std::span<const VertexId>, Distance, Deeper);

template <class Narrow>
void DeviceResult::pack(std::span<Narrow> to, Deeper deeper) const {
  core::require_named(deeper, Deeper::clamp, "deeper");
  const Searcher::Use use = open();
  check_room(to.size(), use->num_vertices);
  check_fits<Narrow>(depth_, deeper);
  use->bring_packed({distance_, to.size(), 1}, no_limit, to.data(), false);
}

void DeviceResult::copy_to(std::span<std::uint8_t> to, Deeper deeper) const { pack(to, deeper); }
void DeviceResult::copy_to(std::span<std::uint16_t> to, Deeper deeper) const { pack(to, deeper); }

void narrow(std::span<const Distance> from, std::span<std::uint8_t> to, Deeper deeper) { narrow_span(from, to, deeper); }
void narrow(std::span<const Distance> from, std::span<std::uint16_t> to, Deeper deeper) { narrow_span(from, to, deeper); }

}  // namespace hopwave::inline v0_1
